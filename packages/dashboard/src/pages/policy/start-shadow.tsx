import type { PolicyShadow } from '@svc/client';
import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { CandidateField, shadowQuery, useCandidate } from './candidate.tsx';
import type { Editing } from './draft.ts';
import type { Lint } from './editor/lint.ts';

const DAY_MS = 86_400_000;
const DAYS_MAX = 90;

interface Props {
  readonly editing: Editing;
  readonly lint: Lint;
  readonly running: PolicyShadow | null;
  readonly onClose: () => void;
}

export function StartShadow({ editing, lint, running, onClose }: Props): ReactNode {
  const candidate = useCandidate({ editing, lint });
  const [percent, setPercent] = useState('100');
  const [days, setDays] = useState('7');
  const start = useAction(async () => {
    const policy = await candidate.read();
    const shadow = await svc.policy.putShadow({
      policy,
      sample_rate: Number(percent) / 100,
      expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString(),
    });
    queryClient.setQueryData(shadowQuery.queryKey, shadow);
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.run();
  };
  return (
    <Dialog title={running === null ? 'Start a shadow' : 'Start another shadow'} onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        {running !== null && (
          <p className="notice warn">
            It takes the place of the one that runs, whose tally ends. The same document goes on with its tally, with the new
            share and end.
          </p>
        )}
        <CandidateField candidate={candidate} editing={editing} />
        <label className="field">
          <span>Share of assessments, in percent</span>
          <input
            className="input"
            type="number"
            required
            min={0.0001}
            max={100}
            step="any"
            value={percent}
            onChange={(event) => setPercent(event.target.value)}
          />
          <small>An answer waits for it at most 50 ms; of very long texts, 250 ms.</small>
        </label>
        <label className="field">
          <span>Ends after, in days</span>
          <input
            className="input"
            type="number"
            required
            min={1}
            max={DAYS_MAX}
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        </label>
        {start.error !== null && <Problem error={start.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={start.isBusy} disabled={candidate.obstacle !== null}>
            Start the shadow
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

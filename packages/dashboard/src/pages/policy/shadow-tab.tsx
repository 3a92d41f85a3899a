// A candidate that decides beside the policy in force, and changes nothing.

import type { PolicyShadow, PolicyVersion } from '@svc/client';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { LIVE_INTERVAL_MS, queryClient, svc } from '../../api.ts';
import { useMay } from '../../session.tsx';
import { Actor } from '../../ui/actor.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Empty, Skeleton } from '../../ui/empty.tsx';
import { Problem } from '../../ui/problem.tsx';
import { Time } from '../../ui/time.tsx';
import { shadowQuery } from './candidate.tsx';
import type { Editing } from './draft.ts';
import type { Lint } from './editor/lint.ts';
import { PromoteDialog } from './promote-dialog.tsx';
import { ShadowDifference } from './shadow-difference.tsx';
import { StartShadow } from './start-shadow.tsx';
import { TallyView } from './tally.tsx';

interface Props {
  readonly editing: Editing;
  readonly lint: Lint;
}

export function ShadowTab({ editing, lint }: Props): ReactNode {
  const mayWrite = useMay('policy:write');
  const [isStarting, setStarting] = useState(false);
  // Where none runs there is nothing to watch.
  const shadow = useQuery({ ...shadowQuery, refetchInterval: ({ state }) => (state.data === null ? false : LIVE_INTERVAL_MS) });
  if (shadow.isPending) return <Skeleton lines={8} />;
  if (shadow.data === undefined) return <Problem error={shadow.error} onRetry={() => shadow.refetch()} />;
  const start = mayWrite && (
    <Button {...(shadow.data === null ? { kind: 'primary' as const } : {})} onClick={() => setStarting(true)}>
      {shadow.data === null ? 'Start a shadow' : 'Start another'}
    </Button>
  );
  return (
    <>
      {shadow.error !== null && <Problem error={shadow.error} onRetry={() => shadow.refetch()} />}
      {shadow.data === null ? (
        <Empty title="No shadow runs">
          <p>
            A shadow decides a share of the real traffic too, after the policy in force has. Its verdicts change nothing; here
            they are counted, so that you see what a policy would do before it does it.
          </p>
          {start}
        </Empty>
      ) : (
        <Running shadow={shadow.data} current={editing.current} start={start} />
      )}
      {isStarting && <StartShadow editing={editing} lint={lint} running={shadow.data} onClose={() => setStarting(false)} />}
    </>
  );
}

interface RunningProps {
  readonly shadow: PolicyShadow;
  readonly current: PolicyVersion;
  readonly start: ReactNode;
}

function Running({ shadow, current, start }: RunningProps): ReactNode {
  const mayWrite = useMay('policy:write');
  const [opened, setOpened] = useState<'stop' | 'promote' | null>(null);
  const { tally, sample_rate: rate } = shadow;
  const close = () => setOpened(null);
  return (
    <section className="stack" aria-label="Shadow">
      <div className="row">
        <Badge tone="good">runs</Badge>
        <span className="grow muted">
          decides {Number((rate * 100).toPrecision(4))} % since <Time at={shadow.started_at} />, ends{' '}
          <Time at={shadow.expires_at} />
        </span>
        {start}
        {mayWrite && (
          <>
            <Button kind="danger" onClick={() => setOpened('stop')}>
              Stop
            </Button>
            <Button kind="primary" onClick={() => setOpened('promote')}>
              Promote …
            </Button>
          </>
        )}
      </div>
      <section className="card stack" aria-label="Tally">
        <h2>What it would have changed</h2>
        {tally.assessed === 0 && (
          <p className="notice">
            Nothing was compared yet. It counts live assessments that are made from now on; those of test keys do not count.
          </p>
        )}
        <TallyView tally={tally} />
        <p className="muted">
          Not compared: {tally.errors.toLocaleString('en')} that it did not decide in time or failed at, and{' '}
          {tally.skipped.toLocaleString('en')} for which the node was busy.
          {tally.judges_not_asked > 0 &&
            ` In ${tally.judges_not_asked.toLocaleString('en')} a judge that only it names was not asked.`}
        </p>
      </section>
      <section className="card stack" aria-label="Difference">
        <h2>How it differs from version {current.version}</h2>
        <ShadowDifference shadow={shadow} current={current} />
        <p className="muted">
          Begun by <Actor id={shadow.started_by} />. <code className="address">{shadow.digest}</code>
        </p>
      </section>
      {opened === 'stop' && (
        <Confirm
          title="Stop the shadow"
          deed="Stop it"
          effect={
            <p>
              It decides nothing any more, and its tally goes with it: the event <code>policy.shadow_stopped</code> holds the last
              one. The policy in force stays as it is.
            </p>
          }
          run={async () => {
            await svc.policy.deleteShadow();
            await queryClient.invalidateQueries({ queryKey: shadowQuery.queryKey });
          }}
          onClose={close}
        />
      )}
      {opened === 'promote' && <PromoteDialog shadow={shadow} current={current} onClose={close} />}
    </section>
  );
}

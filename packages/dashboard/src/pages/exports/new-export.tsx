import { useState, type FormEvent, type ReactNode } from 'react';
import { queryClient, svc } from '../../api.ts';
import { useAction } from '../../ui/action.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/problem.tsx';
import { requestOf, type Draft } from './ask.ts';
import { KindChoice } from './kind-choice.tsx';
import { FORMATS, type Format } from './words.ts';

interface Props {
  readonly initial: Draft;
  readonly onClose: () => void;
  readonly onCreated: (id: string) => void;
}

export function NewExport({ initial, onClose, onCreated }: Props): ReactNode {
  const [draft, setDraft] = useState(initial);
  const change = (changes: Partial<Draft>) => setDraft({ ...draft, ...changes });
  const create = useAction(async () => {
    const { id } = await svc.exports.create(requestOf(draft));
    void queryClient.invalidateQueries({ queryKey: ['exports'] });
    onCreated(id);
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.run();
  };
  return (
    <Dialog title="New export" onClose={onClose}>
      <form className="stack" onSubmit={submit}>
        <Period draft={draft} change={change} />
        <fieldset className="stack">
          <legend>Format</legend>
          <small className="muted">What the bundle has beside the evidence, which is JSON lines.</small>
          {(Object.keys(FORMATS) as Format[]).map((format) => (
            <label key={format} className="check">
              <input type="radio" name="format" checked={draft.format === format} onChange={() => change({ format })} />
              <span>{FORMATS[format][0]}</span>
              <small>{FORMATS[format][1]}</small>
            </label>
          ))}
        </fieldset>
        <label className="check">
          <input
            type="checkbox"
            checked={draft.disclosures}
            onChange={(event) => change({ disclosures: event.target.checked })}
          />
          <span>Disclose subjects, addresses, users, metadata, previews and data</span>
          <small>
            Without them the bundle is as good a proof, and shows only what leaves of the log say in clear. Texts are in none.
          </small>
        </label>
        <details open={draft.kinds !== null || draft.heldSize !== ''}>
          <summary>Kinds, and a checkpoint that you hold</summary>
          <div className="stack kinds">
            <KindChoice chosen={draft.kinds} onChange={(kinds) => change({ kinds })} />
            <label className="field">
              <span>Size of a checkpoint that you hold</span>
              <input
                className="input mono fit"
                inputMode="numeric"
                pattern="[0-9]{1,15}"
                title="A whole number: the second line of the checkpoint."
                value={draft.heldSize}
                onChange={(event) => change({ heldSize: event.target.value.trim() })}
              />
              <small>The second line of it. The bundle then proves that the log only grew since. May stay empty.</small>
            </label>
          </div>
        </details>
        {create.error !== null && <Problem error={create.error} />}
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" isBusy={create.isBusy} disabled={draft.kinds?.length === 0}>
            Make the export
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

const DAY_MS = 86_400_000;
const SPANS = [
  { title: 'Last 7 days', days: 7 },
  { title: 'Last 30 days', days: 30 },
  { title: 'Last 90 days', days: 90 },
] as const;

interface PartProps {
  readonly draft: Draft;
  readonly change: (changes: Partial<Draft>) => void;
}

/** Two times, and the usual ones at a press. */
function Period({ draft: { since, until }, change }: PartProps): ReactNode {
  const startOf = (days: number) => `${new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10)}T00:00`;
  const isChosen = (start: string) => since === start && until === '';
  return (
    <fieldset className="stack">
      <legend>Recorded</legend>
      <div className="row">
        <Button isSmall aria-pressed={isChosen('')} onClick={() => change({ since: '', until: '' })}>
          All that is kept
        </Button>
        {SPANS.map(({ title, days }) => (
          <Button
            key={days}
            isSmall
            aria-pressed={isChosen(startOf(days))}
            onClick={() => change({ since: startOf(days), until: '' })}
          >
            {title}
          </Button>
        ))}
      </div>
      <div className="export-times">
        <label className="field">
          <span>At or after, UTC</span>
          <input
            className="input"
            type="datetime-local"
            step="any"
            value={since}
            onChange={(event) => change({ since: event.target.value })}
          />
        </label>
        <label className="field">
          <span>Before, UTC</span>
          <input
            className="input"
            type="datetime-local"
            step="any"
            value={until}
            onChange={(event) => change({ until: event.target.value })}
          />
        </label>
      </div>
      <small className="muted">An empty end is now. It is the time of the commit, which no caller chooses.</small>
    </fieldset>
  );
}

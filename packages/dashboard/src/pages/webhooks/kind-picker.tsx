import type { ReactNode } from 'react';
import { ALL, KIND_GROUPS, NOT_IN_ALL, whenOf, type Kind } from '../../kinds.ts';

interface Props {
  /** Kinds, and `*`. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: string[]) => void;
}

/** Which kinds of events are sent, each with when it comes. */
export function KindPicker({ chosen, onChange }: Props): ReactNode {
  const isAll = chosen.includes(ALL);
  const set = (kind: string, isOn: boolean) => onChange(isOn ? [...chosen, kind] : chosen.filter((each) => each !== kind));
  // What `*` holds already would be said twice.
  const setAll = (isOn: boolean) =>
    onChange(
      isOn
        ? [ALL, ...chosen.filter((kind) => (NOT_IN_ALL as readonly string[]).includes(kind))]
        : chosen.filter((kind) => kind !== ALL),
    );
  return (
    <fieldset className="stack">
      <legend>Events</legend>
      <label className="check">
        <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} />
        <span>
          Everything, as <code>*</code>
        </span>
        <small>
          All kinds, also those to come, but inference.allowed and telemetry.received, which come with every inference.
        </small>
      </label>
      {[...KIND_GROUPS].map(([title, kinds], i) => (
        <details key={title} open={i === 0}>
          <summary>
            {title} ({kinds.filter((kind) => isTaken(chosen, kind)).length} of {kinds.length})
          </summary>
          <div className="stack kinds">
            {kinds.map((kind) => (
              <label key={kind} className="check">
                <input
                  type="checkbox"
                  checked={isTaken(chosen, kind)}
                  disabled={isAll && !NOT_IN_ALL.includes(kind)}
                  onChange={(event) => set(kind, event.target.checked)}
                />
                <code>{kind}</code>
                <small>{whenOf(kind)}</small>
              </label>
            ))}
          </div>
        </details>
      ))}
    </fieldset>
  );
}

function isTaken(chosen: readonly string[], kind: Kind): boolean {
  return chosen.includes(kind) || (chosen.includes(ALL) && !NOT_IN_ALL.includes(kind));
}

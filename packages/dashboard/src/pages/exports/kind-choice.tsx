import type { ReactNode } from 'react';
import { KIND_GROUPS, whenOf, type Kind } from '../../kinds.ts';

interface Props {
  /** `null`: all. */
  readonly chosen: readonly Kind[] | null;
  readonly onChange: (chosen: readonly Kind[] | null) => void;
}

const FIRST: readonly Kind[] = ['inference.blocked', 'inference.flagged'];

/** Of which kinds events are disclosed: all, or some. */
export function KindChoice({ chosen, onChange }: Props): ReactNode {
  return (
    <fieldset className="stack">
      <legend>Kinds</legend>
      <label className="check">
        <input type="radio" name="kinds" checked={chosen === null} onChange={() => onChange(null)} />
        <span>All</span>
      </label>
      <label className="check">
        <input type="radio" name="kinds" checked={chosen !== null} onChange={() => onChange(FIRST)} />
        <span>Only some</span>
        <small>Of the others the bundle has the public facts, so that nothing hides.</small>
      </label>
      {chosen !== null &&
        [...KIND_GROUPS].map(([title, kinds], i) => (
          <details key={title} open={i === 0}>
            <summary>
              {title} ({kinds.filter((kind) => chosen.includes(kind)).length} of {kinds.length})
            </summary>
            <div className="stack kinds">
              {kinds.map((kind) => (
                <label key={kind} className="check">
                  <input
                    type="checkbox"
                    checked={chosen.includes(kind)}
                    onChange={(event) =>
                      onChange(event.target.checked ? [...chosen, kind] : chosen.filter((each) => each !== kind))
                    }
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

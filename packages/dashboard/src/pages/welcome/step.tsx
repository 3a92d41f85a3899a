import type { ReactNode } from 'react';
import { Badge } from '../../ui/badge.tsx';

interface Props {
  readonly number: number;
  readonly title: string;
  readonly isDone: boolean;
  /** What is missing before it can begin; `null`: nothing. */
  readonly waitsFor: string | null;
  readonly children: ReactNode;
}

export function Step({ number, title, isDone, waitsFor, children }: Props): ReactNode {
  return (
    <li>
      <section className="card stack" aria-label={title}>
        <div className="row">
          <span className="step-number" aria-hidden="true">
            {number}
          </span>
          <h2 className="grow">{title}</h2>
          {isDone && <Badge tone="good">done</Badge>}
        </div>
        {waitsFor === null ? children : <p className="muted">{waitsFor}</p>}
      </section>
    </li>
  );
}

/** Instead of a step, for a session that may not do it. */
export function NeedsScope({ scope }: { readonly scope: string }): ReactNode {
  return (
    <p className="notice">
      This step needs the scope <code>{scope}</code>, which this session does not have.
    </p>
  );
}

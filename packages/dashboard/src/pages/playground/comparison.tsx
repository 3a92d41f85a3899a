// What another policy would have decided, beside the one in force.

import type { SimulationResult } from '@svc/client';
import type { ReactNode } from 'react';
import { Outcome } from '../../ui/badge.tsx';
import type { Candidate } from './run.ts';

interface Props {
  readonly name: Candidate['name'];
  readonly result: SimulationResult;
  /** `null`: it was not assessed, so that only the difference is known. */
  readonly outcomeInForce: string | null;
}

const TITLES = { shadow: 'The shadow', edited: 'The edited policy' } as const;

export function Comparison({ name, result, outcomeInForce }: Props): ReactNode {
  if (result === null) return null;
  const title = TITLES[name];
  const change = changeOf(result);
  const categories = Object.entries(result.by_category);
  return (
    <section className="card stack" aria-label="Comparison">
      <h3>{title} beside the policy in force</h3>
      {outcomeInForce !== null && (
        <div className="playground-beside">
          <div>
            <span className="muted">Policy in force</span> <Outcome outcome={outcomeInForce} />
          </div>
          <div>
            <span className="muted">{title}</span> <Outcome outcome={change ?? outcomeInForce} />
          </div>
        </div>
      )}
      <p>{change === null ? `${title} decides the same.` : `${title} would have decided otherwise: ${change}.`}</p>
      {categories.length > 0 && (
        <ul className="stack" aria-label="Findings that differ">
          {categories.map(([category, { added, removed }]) => (
            <li key={category}>
              <code>{category}</code>{' '}
              {[added > 0 && `${added} more`, removed > 0 && `${removed} fewer`].filter(Boolean).join(', ')}
            </li>
          ))}
        </ul>
      )}
      {outcomeInForce === null && (
        <p className="muted">A simulation tells what would change. To see the outcome and what was found, assess it too.</p>
      )}
      {result.unanswered.length > 0 && (
        <div>
          <strong>What a simulation cannot tell</strong>
          <ul className="bullets">
            {result.unanswered.map(({ question, explanation }) => (
              <li key={question}>{explanation}</li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

/** The outcome of one item, where it is another; `null`: the same. */
function changeOf(result: NonNullable<SimulationResult>): 'blocked' | 'flagged' | 'allowed' | null {
  if (result.newly_blocked > 0) return 'blocked';
  if (result.newly_flagged > 0) return 'flagged';
  return result.newly_allowed > 0 ? 'allowed' : null;
}

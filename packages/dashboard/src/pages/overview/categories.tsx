import type { NamedCounts } from '@svc/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortNumber } from '../../charts/scale.ts';
import { useMay } from '../../session.tsx';
import type { Period } from './periods.ts';

interface Props {
  readonly categories: readonly NamedCounts[];
  readonly severities: readonly NamedCounts[];
  readonly period: Period;
}

const SHOWN_MAX = 8;

/** What was found most, each a link to its events. */
export function TopCategories({ categories, severities, period }: Props): ReactNode {
  const mayRead = useMay('events:read');
  const most = categories[0]?.total ?? 1;
  const unnamed = unnamedOf(severities);
  return (
    <section className="card stack top">
      <h2>Top categories</h2>
      {categories.length === 0 ? (
        <p className="muted">{unnamed === 0 ? 'Nothing was found in this time.' : 'No category was named in this time.'}</p>
      ) : (
        <ol className="stack">
          {categories.slice(0, SHOWN_MAX).map(({ name, is_others: isOthers, total, flagged, blocked }) => (
            <li key={`${name} ${isOthers}`} className="category">
              <span className="row">
                {name === null || !mayRead ? (
                  <span>{name ?? (isOthers ? 'others' : 'not named')}</span>
                ) : (
                  <Link href={`/events?category=${encodeURIComponent(name)}&period=${period.id}`}>
                    <code>{name}</code>
                  </Link>
                )}
                <span className="grow" />
                <span className="muted">{parts(flagged, blocked)}</span>
                <strong>{shortNumber(total)}</strong>
              </span>
              <span className="category-bar" aria-hidden="true" style={{ width: `${(total / most) * 100}%` }}>
                <span style={{ flexGrow: blocked, background: 'var(--blocked)' }} />
                <span style={{ flexGrow: flagged, background: 'var(--flagged)' }} />
                <span style={{ flexGrow: total - flagged - blocked, background: 'var(--line-strong)' }} />
              </span>
            </li>
          ))}
        </ol>
      )}
      {unnamed > 0 && (
        <p className="muted">
          {unnamed.toLocaleString('en')} more {unnamed === 1 ? 'was' : 'were'} blocked or flagged by a probe that named no
          category.
        </p>
      )}
    </section>
  );
}

/** Blocked or flagged without a finding: what the categories lack of the outcomes. Only probes report such. */
function unnamedOf(severities: readonly NamedCounts[]): number {
  const none = severities.find(({ name }) => name === 'none');
  return none === undefined ? 0 : none.flagged + none.blocked;
}

function parts(flagged: number, blocked: number): string {
  return [
    [blocked, 'blocked'],
    [flagged, 'flagged'],
  ]
    .filter(([count]) => count !== 0)
    .map(([count, name]) => `${shortNumber(Number(count))} ${name}`)
    .join(', ');
}

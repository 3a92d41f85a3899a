import type { SummaryReport } from '@svc/client';
import type { ReactNode } from 'react';
import { shortNumber } from '../../charts/scale.ts';
import { useMay } from '../../session.tsx';
import { Figure } from '../../ui/figure.tsx';
import { milliseconds } from './latency.tsx';
import type { Period } from './periods.ts';

interface Props {
  readonly totals: SummaryReport['totals'];
  readonly period: Period;
}

/** The period in four numbers, each of which leads to what it counts. */
export function Figures({ totals: { inferences, allowed, blocked, flagged, latency_ms: latency }, period }: Props): ReactNode {
  const mayRead = useMay('events:read');
  const events = (filter: string) => (mayRead ? `/events?${filter}&period=${period.id}` : null);
  return (
    <dl className="figures">
      <Figure
        isCard
        title="Inferences"
        value={shortNumber(inferences)}
        note={`${shortNumber(allowed)} allowed`}
        href={events('view=assessments')}
      />
      <Figure
        isCard
        title="Blocked"
        value={shortNumber(blocked)}
        note={share(blocked, inferences)}
        href={events('outcome=blocked')}
      />
      <Figure
        isCard
        title="Flagged"
        value={shortNumber(flagged)}
        note={share(flagged, inferences)}
        href={events('outcome=flagged')}
      />
      <Figure
        isCard
        title="Latency of assessments"
        value={milliseconds(latency.p50)}
        note={`99 % within ${milliseconds(latency.p99)}`}
      />
    </dl>
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'of none' : `${((part / whole) * 100).toFixed(part > 0 && part / whole < 0.01 ? 2 : 1)} % of inferences`;
}

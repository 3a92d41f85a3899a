import type { SummaryReport } from '@svc/client';
import type { ReactNode } from 'react';
import { shortNumber } from '../../charts/scale.ts';
import { useMay } from '../../session.tsx';
import { Figure } from '../../ui/figure.tsx';
import { milliseconds } from './latency.tsx';
import type { Period } from './periods.ts';

interface Props {
  readonly totals: SummaryReport['totals'];
  readonly ofProbes: SummaryReport['sources']['probes'];
  readonly period: Period;
}

/** The period in four numbers, each of which leads to what it counts. */
export function Figures({ totals, ofProbes, period }: Props): ReactNode {
  const { inferences, allowed, blocked, flagged, latency_ms: latency } = totals;
  const unlisted = ofProbes.allowed + ofProbes.undecided;
  const mayRead = useMay('events:read');
  const events = (filter: string) => (mayRead ? `/events?${filter}&period=${period.id}` : null);
  return (
    <dl className="figures">
      <Figure
        isCard
        title="Inferences"
        value={shortNumber(inferences)}
        note={
          `${shortNumber(allowed)} allowed` +
          (unlisted === 0 ? '' : `; ${shortNumber(unlisted)} from probes have no event in the list`)
        }
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
        title="Assessment latency"
        value={milliseconds(latency.p50)}
        note={latency.p50 === null ? 'nothing was measured' : `median; 99 % within ${milliseconds(latency.p99)}`}
      />
    </dl>
  );
}

function share(part: number, whole: number): string {
  return whole === 0 ? 'of none' : `${((part / whole) * 100).toFixed(part > 0 && part / whole < 0.01 ? 2 : 1)} % of inferences`;
}

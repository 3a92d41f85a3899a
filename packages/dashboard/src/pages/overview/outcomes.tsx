import type { SummaryReport } from '@svc/client';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { Columns } from '../../charts/columns.tsx';
import { columnOf, type Period } from './periods.ts';

interface Props {
  readonly series: SummaryReport['series'];
  readonly period: Period;
}

/** The worst on top. */
const OUTCOMES = [
  { title: 'Undecided', color: '--line-strong', name: 'undecided' },
  { title: 'Allowed', color: '--allowed', name: 'allowed' },
  { title: 'Flagged', color: '--flagged', name: 'flagged' },
  { title: 'Blocked', color: '--blocked', name: 'blocked' },
] as const;

/** How inferences were decided, over time. */
export function Outcomes({ series, period }: Props): ReactNode {
  const counts = Map.groupBy(series, ({ start }) => Math.floor(Date.parse(start) / period.columnMs) * period.columnMs);
  const hasSome = series.some(({ inferences }) => inferences > 0);
  // Only probes can leave an inference undecided.
  const shown = OUTCOMES.filter(({ name }) => name !== 'undecided' || series.some(({ undecided }) => undecided > 0));
  if (!hasSome)
    return (
      <section className="card empty">
        <h2>Nothing came through in this time</h2>
        <p>
          Here will be how inferences were decided, hour by hour. They come when your application sends its first assessment, or a
          probe reports.
        </p>
        <Link className="button" href="/welcome">
          Send a first assessment
        </Link>
      </section>
    );
  return (
    <section className="card">
      <Columns
        title="Outcomes"
        series={shown}
        columns={[...counts].map(([startMs, points]) =>
          columnOf(
            period,
            startMs,
            shown.map(({ name }) => points.reduce((sum, point) => sum + point[name], 0)),
          ),
        )}
      />
    </section>
  );
}

import type { SummaryReport } from '@svc/client';
import type { ReactNode } from 'react';
import { Lines, type Line } from '../../charts/lines.tsx';
import type { Period } from './periods.ts';

interface Props {
  readonly series: SummaryReport['series'];
  readonly period: Period;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const QUANTILES = [
  { name: 'p50', title: 'Median', color: '--accent', dash: 'none' },
  { name: 'p95', title: '95 %', color: '--text', dash: '6 3' },
  { name: 'p99', title: '99 %', color: '--muted', dash: '2 3' },
] as const;

/** How long assessments took, over time. */
export function Latency({ series, period: { interval } }: Props): ReactNode {
  const stepMs = interval === 'hour' ? HOUR_MS : DAY_MS;
  const hasSome = series.some(({ latency_ms: { count } }) => count > 0);
  if (!hasSome)
    return (
      <section className="card stack top">
        <h2>Latency of assessments</h2>
        <p className="muted">
          The service assessed nothing in this time. What probes decide by themselves is not measured here; what their models take
          is watched for drift.
        </p>
      </section>
    );
  return (
    <section className="card">
      <Lines
        title="Latency of assessments"
        label="How long assessments took over time: the median, and within what 95 % and 99 % were done."
        times={series.map(({ start }) => Date.parse(start) + stepMs / 2)}
        stepMs={stepMs}
        lines={QUANTILES.map(({ name, title, color, dash }): Line => ({
          title,
          color,
          dash,
          values: series.map(({ latency_ms: quantiles }) => quantiles[name]),
        }))}
        more={[{ title: 'Assessments', cells: series.map(({ latency_ms: { count } }) => count.toLocaleString('en')) }]}
        format={milliseconds}
        isFromZero
        height={200}
      />
    </section>
  );
}

/** `4.8 ms`; a dash where nothing was measured. */
export function milliseconds(value: number | null): string {
  if (value === null) return '–';
  if (value === 0) return '0 ms';
  return `${value < 10 ? Number(value.toPrecision(2)) : Math.round(value).toLocaleString('en')} ms`;
}

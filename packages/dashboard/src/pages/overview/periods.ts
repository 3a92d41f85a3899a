// Of what time the overview tells. Its lists of events know the same periods.

import type { Column } from '../../charts/columns.tsx';
import { dayOf, momentOf } from '../../charts/scale.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface Period {
  /** Also that of the list of events. */
  readonly id: '24h' | '7d' | '30d';
  readonly title: string;
  readonly ms: number;
  /** Of the points that the API is asked for. */
  readonly interval: 'hour' | 'day';
  /** How much a column sums up. */
  readonly columnMs: number;
}

export const PERIODS: readonly Period[] = [
  { id: '24h', title: '24 hours', ms: DAY_MS, interval: 'hour', columnMs: HOUR_MS },
  { id: '7d', title: '7 days', ms: 7 * DAY_MS, interval: 'hour', columnMs: 6 * HOUR_MS },
  { id: '30d', title: '30 days', ms: 30 * DAY_MS, interval: 'day', columnMs: DAY_MS },
];

export function periodOf(params: URLSearchParams): Period {
  return PERIODS.find(({ id }) => id === params.get('period')) ?? PERIODS[0]!;
}

/** What came in the time from `startMs` on. */
export function columnOf({ columnMs }: Period, startMs: number, values: readonly number[]): Column {
  const key = String(startMs);
  if (columnMs >= DAY_MS) return { key, label: dayOf(startMs), values };
  const longLabel = momentOf(startMs);
  return { key, label: startMs % DAY_MS === 0 ? dayOf(startMs) : longLabel.slice(-5), longLabel, values };
}

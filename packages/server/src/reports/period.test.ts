// Promises about the times of reports.

import { expect, test } from 'vitest';
import { pointsOf, seriesOf } from './period.ts';

const NOW = Date.parse('2026-01-20T10:30:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const series = (since?: string, until?: string, interval?: 'hour' | 'day' | 'week' | 'month') => {
  const period = seriesOf(NOW, since, until, interval);
  const points = pointsOf(period, period.interval);
  return { ...period, points };
};

test('the last 30 days, today included, are what is meant when nothing is said', () => {
  const { sinceMs, untilMs, interval, points } = series();
  expect([iso(sinceMs), iso(untilMs), interval, points.length]).toEqual(['2025-12-22T00:00', '2026-01-21T00:00', 'day', 30]);
});

test.each([
  ['2026-01-18T00:00:00Z', '2026-01-20T00:00:00Z', 'hour', 48],
  ['2025-11-01T00:00:00Z', '2026-01-01T00:00:00Z', 'day', 61],
  ['2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'week', 53],
  ['2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 'month', 72],
  // Too long ago for hours.
  ['2024-01-01T00:00:00Z', '2024-01-02T00:00:00Z', 'day', 1],
] as const)('from %s to %s there is a point each %s unless another is asked for', (since, until, interval, count) => {
  const found = series(since, until);
  expect([found.interval, found.points.length]).toEqual([interval, count]);
});

test.each([
  ['2026-01-18T10:59:59.999Z', '2026-01-18T11:00:00.001Z', 'hour', ['2026-01-18T10:00', '2026-01-18T11:00'], '2026-01-18T12:00'],
  ['2026-01-17T23:00:00Z', '2026-01-18T00:00:00Z', 'day', ['2026-01-17T00:00'], '2026-01-18T00:00'],
  [
    '2026-01-04T00:00:00Z',
    '2026-01-13T00:00:00Z',
    'week',
    ['2026-01-04T00:00', '2026-01-05T00:00', '2026-01-12T00:00'],
    '2026-01-13T00:00',
  ],
  [
    '2024-01-31T23:59:59.999Z',
    '2024-03-01T00:00:00.001Z',
    'month',
    ['2024-01-31T00:00', '2024-02-01T00:00', '2024-03-01T00:00'],
    '2024-03-02T00:00',
  ],
  ['2025-12-31T12:00:00+02:00', '2026-01-01T01:00:00+02:00', 'day', ['2025-12-31T00:00'], '2026-01-01T00:00'],
] as const)('from %s to %s the points of a %s begin where they begin in UTC', (since, until, interval, starts, end) => {
  const { points } = series(since, until, interval);
  expect(points.map(({ startMs }) => iso(startMs))).toEqual(starts);
  expect(iso(points.at(-1)!.endMs)).toBe(end);
});

test.each(['hour', 'day', 'week', 'month'] as const)('points of a %s follow each other without a gap', (interval) => {
  const { sinceMs, untilMs, points } = series('2025-12-15T07:00:00Z', '2026-01-18T05:00:00Z', interval);
  expect(points[0]!.startMs).toBe(sinceMs);
  expect(points.at(-1)!.endMs).toBe(untilMs);
  for (const [i, { startMs }] of points.entries()) if (i > 0) expect(startMs).toBe(points[i - 1]!.endMs);
});

// What a report is about: a stretch of time in whole hours or days (UTC), and the points of its series.

import { invalid } from '../http/errors.ts';
import { DAY_MS, HOUR_MS } from './tally.ts';

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** `[sinceMs, untilMs)`, both on a boundary of `unit`. */
export interface Period {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly unit: 'hour' | 'day';
}

const DAYS_DEFAULT = 30;
/** Counts by the day are kept for as long as a policy may keep events, and by the hour for a quarter. */
export const KEPT_DAYS = 3_660;
export const KEPT_HOURS_DAYS = 100;
/** Some 300 kB. */
export const POINTS_MAX = 1_000;
// A point a day is readable for a quarter, one a week for two years.
const DAY_SPAN_MAX = 100;
const WEEK_SPAN_MAX = 730;
const HOUR_SPAN_MAX = 3;

/**
 * The days from `since` to `until` (times as ISO 8601; absent: the last 30 days, today included), those that they are of included. Throws
 * `invalid_request` with the place.
 */
export function daysOf(nowMs: number, since: string | undefined, until: string | undefined): Period {
  return periodOf(nowMs, since, until, DAY_MS);
}

/** The same by the interval of a series, which is chosen by the length where none is asked for. */
export function seriesOf(
  nowMs: number,
  since: string | undefined,
  until: string | undefined,
  interval: Interval | undefined,
): Period & { readonly interval: Interval } {
  const days = periodOf(nowMs, since, until, DAY_MS);
  const hours = periodOf(nowMs, since, until, HOUR_MS);
  const chosen = interval ?? intervalFor((hours.untilMs - hours.sinceMs) / DAY_MS, days, nowMs);
  const period = chosen === 'hour' ? hours : days;
  if (chosen === 'hour' && period.sinceMs < nowMs - KEPT_HOURS_DAYS * DAY_MS)
    throw invalid('/query/since', `must be within the last ${KEPT_HOURS_DAYS} days for points of an hour`);
  if (pointsOf(period, chosen).length > POINTS_MAX)
    throw invalid('/query/interval', `would make more than ${POINTS_MAX} points; ask for a longer interval or a shorter time`);
  return { ...period, interval: chosen };
}

function periodOf(nowMs: number, since: string | undefined, until: string | undefined, unitMs: number): Period {
  const untilMs = until === undefined ? nowMs + 1 : timeOf('until', until);
  const end = Math.ceil(untilMs / unitMs) * unitMs;
  const lastDayMs = Math.ceil(untilMs / DAY_MS) * DAY_MS;
  const sinceMs = since === undefined ? lastDayMs - DAYS_DEFAULT * DAY_MS : timeOf('since', since);
  const start = Math.floor(sinceMs / unitMs) * unitMs;
  if (start > nowMs) throw invalid('/query/since', 'must not be in the future');
  if (start >= end) throw invalid('/query/since', 'must be before until');
  if (end - start > KEPT_DAYS * DAY_MS) throw invalid('/query/since', `must be within ${KEPT_DAYS} days before until`);
  return { sinceMs: start, untilMs: end, unit: unitMs === HOUR_MS ? 'hour' : 'day' };
}

// Years of four digits, which is what every part of a report can write.
const EARLIEST_MS = Date.UTC(2000, 0);
const LATEST_MS = Date.UTC(9_000, 0);

function timeOf(name: string, text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || ms < EARLIEST_MS || ms > LATEST_MS)
    throw invalid(`/query/${name}`, 'must be a time from 2000 on, with seconds up to 59');
  return ms;
}

function intervalFor(spanDays: number, { sinceMs }: Period, nowMs: number): Interval {
  if (spanDays <= HOUR_SPAN_MAX && sinceMs >= nowMs - KEPT_HOURS_DAYS * DAY_MS) return 'hour';
  if (spanDays <= DAY_SPAN_MAX) return 'day';
  return spanDays <= WEEK_SPAN_MAX ? 'week' : 'month';
}

/** A stretch of a series, `endMs` exclusive. */
export interface Point {
  readonly startMs: number;
  readonly endMs: number;
}

/** The points of a series, oldest first and without gaps. Weeks begin on Monday; the first and the last may be cut by the period. */
export function pointsOf({ sinceMs, untilMs }: Period, interval: Interval): Point[] {
  const points: Point[] = [];
  for (let startMs = sinceMs; startMs < untilMs;) {
    const endMs = Math.min(untilMs, nextStart(startMs, interval));
    points.push({ startMs, endMs });
    startMs = endMs;
  }
  return points;
}

// 1970-01-01 was a Thursday.
const FIRST_MONDAY_MS = 4 * DAY_MS;

function nextStart(ms: number, interval: Interval): number {
  switch (interval) {
    case 'hour':
      return ms + HOUR_MS;
    case 'day':
      return ms + DAY_MS;
    case 'week':
      return FIRST_MONDAY_MS + (Math.floor((ms - FIRST_MONDAY_MS) / (7 * DAY_MS)) + 1) * 7 * DAY_MS;
    case 'month': {
      const date = new Date(ms);
      return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
    }
  }
}

// The days that a report is about, as they stand in the address, so that a link shows the same. Days are of UTC, as reports count.

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d\d-\d\d$/;

export const SPANS = [
  { id: '7d', title: '7 days' },
  { id: '30d', title: '30 days' },
  { id: '90d', title: '90 days' },
  { id: 'month', title: 'This month' },
  { id: 'last-month', title: 'Last month' },
] as const;
export type SpanId = (typeof SPANS)[number]['id'];
const SPAN_DEFAULT: SpanId = '30d';

/** From the first to the last day (`2026-11-22`), both included. */
export interface Days {
  readonly first: string;
  readonly last: string;
}

export interface Period extends Days {
  /** `own`: days that somebody chose. */
  readonly id: SpanId | 'own';
  /** What the API is asked. Without `until` it is until now. */
  readonly query: { readonly since: string; readonly until?: string };
}

/** The period of an address: `period=7d`, or `since` and `until` as days. Without either it is the last 30 days. */
export function readPeriod(params: URLSearchParams, nowMs: number): Period {
  const first = params.get('since') ?? '';
  const last = params.get('until') ?? '';
  if (isDay(first) && isDay(last)) return { id: 'own', first, last, query: queryOf({ first, last }, nowMs) };
  const id = SPANS.find((span) => span.id === params.get('period'))?.id ?? SPAN_DEFAULT;
  const days = daysOf(id, nowMs);
  return { id, ...days, query: queryOf(days, nowMs) };
}

/** The address with another period. */
export function withPeriod(params: URLSearchParams, chosen: SpanId | Days): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const name of ['period', 'since', 'until']) next.delete(name);
  if (typeof chosen !== 'string') {
    next.set('since', chosen.first);
    next.set('until', chosen.last);
  } else if (chosen !== SPAN_DEFAULT) next.set('period', chosen);
  return next;
}

/** The days of a time from `since` to `until`, which is not of it. Both in ISO 8601. */
export function daysBetween(since: string, until: string): Days {
  return { first: since.slice(0, 10), last: dayOf(Date.parse(until) - 1) };
}

/** `22 Nov 2026`. */
export function dayWords(day: string): string {
  return words.format(new Date(`${day}T00:00:00Z`));
}

const words = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

function daysOf(id: SpanId, nowMs: number): Days {
  const now = new Date(nowMs);
  switch (id) {
    case '7d':
    case '30d':
    case '90d':
      return { first: dayOf(nowMs - (Number.parseInt(id, 10) - 1) * DAY_MS), last: dayOf(nowMs) };
    case 'month':
      return { first: monthDay(now, 0, 1), last: dayOf(nowMs) };
    case 'last-month':
      return { first: monthDay(now, -1, 1), last: monthDay(now, 0, 0) };
  }
}

function monthDay(now: Date, months: number, day: number): string {
  return dayOf(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day));
}

function queryOf({ first, last }: Days, nowMs: number): Period['query'] {
  const since = `${first}T00:00:00.000Z`;
  // A report until now says how things are now.
  if (last >= dayOf(nowMs)) return { since };
  return { since, until: new Date(Date.parse(last) + DAY_MS).toISOString() };
}

function isDay(text: string): boolean {
  return DAY.test(text) && !Number.isNaN(Date.parse(text));
}

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

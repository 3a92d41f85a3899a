// What a list is asked for, as it stands in the address, so that a link shows the same.

import type { AssessmentsListQuery, EventsListQuery } from '@svc/client';

/** Filters by their names in the API. */
const FIELDS = ['kind', 'outcome', 'category', 'model', 'actor', 'subject', 'external_id', 'probe_id'] as const;

export const PERIODS = [
  { id: '15m', title: 'Last 15 minutes', ms: 900_000 },
  { id: '1h', title: 'Last hour', ms: 3_600_000 },
  { id: '24h', title: 'Last 24 hours', ms: 86_400_000 },
  { id: '7d', title: 'Last 7 days', ms: 604_800_000 },
  { id: '30d', title: 'Last 30 days', ms: 2_592_000_000 },
] as const;

/** Members of the address, in this order. */
const NAMES = ['view', 'q', ...FIELDS, 'period', 'since', 'until'] as const;
export type Name = (typeof NAMES)[number];

export interface Filter {
  readonly view: 'events' | 'assessments';
  readonly values: Readonly<Partial<Record<Exclude<Name, 'view'>, string>>>;
  /** The same for the same filter. */
  readonly key: string;
}

export function readFilter(params: URLSearchParams): Filter {
  const view = params.get('view') === 'assessments' ? 'assessments' : 'events';
  const values: Partial<Record<Exclude<Name, 'view'>, string>> = {};
  for (const name of NAMES) {
    const value = params.get(name)?.trim() ?? '';
    if (name === 'view' || value === '' || (name === 'kind' && view === 'assessments')) continue;
    if (name === 'period' && (params.has('since') || PERIODS.every(({ id }) => id !== value))) continue;
    values[name] = value;
  }
  return { view, values, key: JSON.stringify([view, values]) };
}

/** Whether anything is left out. */
export function isNarrowed({ values }: Filter): boolean {
  return Object.keys(values).length > 0;
}

/** Whether somebody may count on it for all inferences that were allowed. */
export function listsAllowed({ view, values }: Filter): boolean {
  const { outcome, kind = view === 'assessments' ? 'inference.allowed' : undefined } = values;
  const isOfThem = outcome === 'allowed' || (kind === 'inference.allowed' && outcome === undefined);
  // A finding none of them has.
  return isOfThem && values.category === undefined;
}

/** The address with members set, or taken out (`null`). */
export function withValues(params: URLSearchParams, changes: Readonly<Partial<Record<Name, string | null>>>): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value.trim() === '') next.delete(name);
    else next.set(name, value.trim());
  }
  return next;
}

/** Milliseconds of the period that ends now; `Infinity`: none is set. */
export function spanOf({ values }: Filter): number {
  return PERIODS.find(({ id }) => id === values.period)?.ms ?? Infinity;
}

/** What the API is asked. A period counts from `nowMs`. */
export function queryOf(filter: Filter, nowMs: number): EventsListQuery & AssessmentsListQuery {
  const { period: _, ...rest } = filter.values;
  const span = spanOf(filter);
  return {
    ...rest,
    ...(span === Infinity ? {} : { since: new Date(nowMs - span).toISOString() }),
  } as EventsListQuery & AssessmentsListQuery;
}

/** What a chip says: `outcome: blocked`. */
export function chipText(name: Exclude<Name, 'view'>, value: string): string {
  if (name === 'period') return PERIODS.find(({ id }) => id === value)?.title ?? value;
  if (name === 'q') return `text: ${value}`;
  return `${name}: ${name === 'since' || name === 'until' ? value.replace('T', ' ').replace(/(:00)?(\.000)?Z$/, ' UTC') : value}`;
}

// What happened in a time: totals and a series, from the counts that are tied to the log.

import type { Static } from 'typebox';
import type { Principal } from '../access/principal.ts';
import { KEPT_DAYS as DELIVERIES_KEPT_DAYS } from '../delivery/schedule.ts';
import { isoTime } from '../http/schemas.ts';
import type { Services } from '../services.ts';
import { latencyQuantiles } from './latency.ts';
import { pointsOf, seriesOf, type Point } from './period.ts';
import type { AsOfBody, SummaryBody, SummaryQuery } from './schemas.ts';
import { OTHERS, Sheet, type Counts, type Group } from './sheet.ts';
import { countOpenDrifts, readDeliveryHealth, readSheets, type AsOf, type CountedSheet, type DeliveryHealth } from './store.ts';
import { DAY_MS } from './tally.ts';

type Summary = Static<typeof SummaryBody>;

/** Test credentials see test objects only, and none of these are counted. Throws `invalid_request` for a time or interval that cannot be. */
export async function summarize(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { organization, mode }: Principal,
  query: Static<typeof SummaryQuery>,
): Promise<Summary> {
  const nowMs = clock();
  const period = seriesOf(nowMs, query.since, query.until, query.interval);
  const isTest = mode === 'test';
  const { asOf, sheets } = isTest ? NOTHING : await readSheets(db.reader, organization.uuid, period);
  const open = isTest ? NO_DRIFTS : await countOpenDrifts(db.reader, organization.uuid);
  const health = isTest ? NO_DELIVERIES : await readDeliveryHealth(db.reader, organization.uuid, period);
  const points = pointsOf(period, period.interval);
  const sums = await sumsOf(sheets, points);
  const sum = await sumOf(sums);
  const isAllKept = period.sinceMs >= nowMs - DELIVERIES_KEPT_DAYS * DAY_MS;
  return {
    org_id: organization.id,
    since: isoTime(period.sinceMs),
    until: isoTime(period.untilMs),
    interval: period.interval,
    as_of: presentAsOf(asOf),
    totals: totalsOf(sum),
    series: points.map((point, i) => presentPoint(sums[i]!.sheet, point)),
    sources: { api: inferencesOf(sum.groups.sources.get('api')), probes: inferencesOf(sum.groups.sources.get('probe')) },
    categories: namedOf(sum.groups.categories),
    severities: namedOf(sum.groups.severities),
    models: namedOf(sum.groups.models),
    probes: namedOf(sum.groups.probes),
    policies: policiesOf(sum.groups.policies),
    enforcement: {
      enforce: totalOf(sum.groups.modes, 'enforce'),
      monitor: totalOf(sum.groups.modes, 'monitor'),
      suppressed: { redact: totalOf(sum.groups.suppressed, 'redact'), block: totalOf(sum.groups.suppressed, 'block') },
    },
    detector_faults: namedOf(sum.groups.faults).map(({ name, total }) => ({ detector: name ?? 'other', assessments: total })),
    telemetry: {
      batches: totalOf(sum.groups.telemetry, 'batches'),
      accepted: totalOf(sum.groups.telemetry, 'accepted'),
      duplicates: totalOf(sum.groups.telemetry, 'duplicates'),
      rejected: totalOf(sum.groups.telemetry, 'rejected'),
    },
    kinds: Array.from(sum.kinds, ([kind, { count, firstAtMs, lastAtMs }]) => {
      return { kind, count, first_at: isoTime(firstAtMs), last_at: isoTime(lastAtMs) };
    }).sort((a, b) => b.count - a.count || compare(a.kind, b.kind)),
    drift: { opened: eventsOf(sum, 'drift.sustained'), recovered: eventsOf(sum, 'drift.recovered'), ...open },
    deliveries: presentDeliveries(health, isAllKept),
    usage: usageOf(sum),
  };
}

const NOTHING = { asOf: { treeSize: 0, keptFrom: 1, checkpoint: null }, sheets: [] } as const;
const NO_DRIFTS = { open: 0, unacknowledged: 0 };
const NO_DELIVERIES: DeliveryHealth = {
  succeeded: 0,
  failed: 0,
  cancelled: 0,
  waiting: 0,
  retried: 0,
  isAll: true,
  attemptMs: { p50: null, p95: null },
  endpoints: { active: 0, paused: 0 },
};

// Of hours with other names each there may be any number.
const NAMES_SUMMED_MAX = 5_000;

// A millisecond or two; others wait meanwhile.
const ADDED_AT_ONCE = 50;

/** The counts of sheets together. Gives way to others now and then. */
export async function sumOf(sheets: readonly CountedSheet[]): Promise<Sheet> {
  const sum = new Sheet(NAMES_SUMMED_MAX);
  for (const [i, { sheet }] of sheets.entries()) {
    sum.add(sheet);
    if (i % ADDED_AT_ONCE === ADDED_AT_ONCE - 1) await new Promise(setImmediate);
  }
  return sum;
}

/** The counts of each point. */
async function sumsOf(sheets: readonly CountedSheet[], points: readonly Point[]): Promise<CountedSheet[]> {
  const sums: CountedSheet[] = [];
  for (const { startMs, endMs } of points) sums.push({ startMs, sheet: await sumOf(sheetsBetween(sheets, startMs, endMs)) });
  return sums;
}

function presentPoint(sum: Sheet, { startMs, endMs }: Point): Summary['series'][number] {
  const drift = { opened: eventsOf(sum, 'drift.sustained'), recovered: eventsOf(sum, 'drift.recovered') };
  return { start: isoTime(startMs), end: isoTime(endMs), ...totalsOf(sum), drift };
}

/** Sheets are sorted. */
function sheetsBetween(sheets: readonly CountedSheet[], startMs: number, endMs: number): CountedSheet[] {
  return sheets.slice(indexFrom(sheets, startMs), indexFrom(sheets, endMs));
}

/** Of the first sheet from `ms` on, by bisection. */
function indexFrom(sheets: readonly CountedSheet[], ms: number): number {
  let low = 0;
  let high = sheets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sheets[middle]!.startMs < ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function presentAsOf({ treeSize, checkpoint }: AsOf): Static<typeof AsOfBody> {
  return {
    tree_size: treeSize,
    checkpoint:
      checkpoint === null
        ? null
        : { size: checkpoint.size, published_at: isoTime(checkpoint.publishedAtMs), note: checkpoint.note },
  };
}

function totalsOf(sheet: Sheet) {
  const { sources, coverage, latencies } = sheet.groups;
  const [p50 = null, p90 = null, p95 = null, p99 = null] = latencyQuantiles(latencies, [0.5, 0.9, 0.95, 0.99]);
  let events = 0;
  for (const { count } of sheet.kinds.values()) events += count;
  let count = 0;
  for (const { total } of latencies.values()) count += total;
  return {
    events,
    ...inferencesOf(sources.get('api'), sources.get('probe')),
    latency_ms: { count, p50, p90, p95, p99 },
    coverage: {
      complete: totalOf(coverage, 'complete'),
      partial: totalOf(coverage, 'partial'),
      failed: totalOf(coverage, 'failed'),
    },
  };
}

/** All that was counted, by outcome. */
export function inferencesOf(...counted: readonly (Counts | undefined)[]) {
  const sum = { inferences: 0, allowed: 0, flagged: 0, blocked: 0, undecided: 0 };
  for (const counts of counted) {
    if (counts === undefined) continue;
    const { total, allowed, flagged, blocked } = counts;
    sum.inferences += total;
    sum.allowed += allowed;
    sum.flagged += flagged;
    sum.blocked += blocked;
    sum.undecided += total - allowed - flagged - blocked;
  }
  return sum;
}

function usageOf({ groups: { sources } }: Sheet): Summary['usage'] {
  const { inferences, allowed, flagged, blocked } = inferencesOf(sources.get('api'), sources.get('assessed'));
  return { assessments: inferences, allowed, flagged, blocked };
}

/** Events of a kind. */
export function eventsOf({ kinds }: Sheet, kind: string): number {
  return kinds.get(kind)?.count ?? 0;
}

/** Inferences of a name. */
export function totalOf(group: Group, name: string): number {
  return group.get(name)?.total ?? 0;
}

function namedOf(group: Group): Summary['models'] {
  return Array.from(group, ([name, { total, flagged, blocked }]) => ({
    name: name === '' || name === OTHERS ? null : name,
    is_others: name === OTHERS,
    total,
    flagged,
    blocked,
  }))
    .sort((a, b) => b.total - a.total || compare(a.name ?? '', b.name ?? ''))
    .slice(0, SHOWN_MAX);
}

const SHOWN_MAX = 1_000;

function policiesOf(group: Group): Summary['policies'] {
  return Array.from(group, ([version, { total }]) => ({
    version: /^\d{1,10}$/.test(version) ? Number(version) : null,
    inferences: total,
  }))
    .reduce<{ version: number | null; inferences: number }[]>((merged, one) => {
      const same = merged.find(({ version }) => version === one.version);
      if (same === undefined) merged.push(one);
      else same.inferences += one.inferences;
      return merged;
    }, [])
    .sort((a, b) => (b.version ?? -1) - (a.version ?? -1));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function presentDeliveries(
  { isAll, attemptMs, endpoints, ...counts }: DeliveryHealth,
  isAllKept: boolean,
): Summary['deliveries'] {
  return { ...counts, is_complete: isAll && isAllKept, attempt_ms: attemptMs, endpoints };
}

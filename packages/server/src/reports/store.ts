// SQL for reports: the counted sheets, and what is looked up beside them.

import type { PolicyDocument } from '@svc/engine';
import { DEPLOYMENT_LOG } from '../audit/origin.ts';
import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { KEPT_DAYS, KEPT_HOURS_DAYS, type Period } from './period.ts';
import { Sheet } from './sheet.ts';

/** The state of the log that counts are tied to. */
export interface AsOf {
  /** The events that are counted: all up to this sequence. */
  readonly treeSize: number;
  /** The sequence of the oldest event that is kept. */
  readonly keptFrom: number;
  /** The latest checkpoint; `null`: none was signed yet. */
  readonly checkpoint: { readonly size: number; readonly note: string; readonly publishedAtMs: number } | null;
}

export interface CountedSheet {
  readonly startMs: number;
  readonly sheet: Sheet;
}

interface SheetRow {
  readonly size: string;
  readonly kept_from: string;
  readonly checkpoint_size: string | null;
  readonly note: string | null;
  readonly published_at: Date | null;
  readonly start: Date | null;
  readonly sheet: string | null;
}

// A sheet is some kilobytes: so many are parsed in about a millisecond.
const PARSED_AT_ONCE = 50;

/** The sheets of a period, oldest first, and the log as it was when they were read: one statement, so that they belong together. */
export async function readSheets(
  db: Queryable,
  orgId: Buffer,
  { sinceMs, untilMs, unit }: Period,
): Promise<{ readonly asOf: AsOf; readonly sheets: readonly CountedSheet[] }> {
  const { rows } = await db.query<SheetRow>({
    name: 'report_sheets',
    text: `SELECT t.size, t.kept_from, c.size AS checkpoint_size, c.note, c.published_at, r.start, r.sheet
             FROM trees t
             LEFT JOIN LATERAL (
               SELECT size, note, published_at FROM checkpoints
                WHERE org_id = t.org_id AND epoch = (SELECT epoch FROM trail_deployment) ORDER BY size DESC LIMIT 1) c ON true
             LEFT JOIN report_sheets r ON r.org_id = t.org_id AND r.span = $2 AND r.start >= $3 AND r.start < $4
            WHERE t.org_id = $1 ORDER BY r.start`,
    values: [uuidText(orgId), unit, new Date(sinceMs), new Date(untilMs)],
  });
  const sheets: CountedSheet[] = [];
  for (const [i, { start, sheet }] of rows.entries()) {
    if (start === null || sheet === null) continue;
    sheets.push({ startMs: start.getTime(), sheet: Sheet.parse(sheet) });
    // Others wait meanwhile.
    if (i % PARSED_AT_ONCE === PARSED_AT_ONCE - 1) await new Promise(setImmediate);
  }
  return { asOf: asOfOf(rows[0]), sheets };
}

function asOfOf(row: SheetRow | undefined): AsOf {
  if (row === undefined) return { treeSize: 0, keptFrom: 1, checkpoint: null };
  const { checkpoint_size: size, note, published_at: publishedAt } = row;
  const hasCheckpoint = size !== null && note !== null && publishedAt !== null;
  return {
    treeSize: Number(row.size),
    keptFrom: Number(row.kept_from),
    checkpoint: hasCheckpoint ? { size: Number(size), note, publishedAtMs: publishedAt.getTime() } : null,
  };
}

/** Drifts that have not ended, and how many of them nobody has acknowledged. */
export async function countOpenDrifts(db: Queryable, orgId: Buffer): Promise<{ open: number; unacknowledged: number }> {
  const { rows } = await db.query<{ open: number; unacknowledged: number }>(
    `SELECT count(*)::int AS open, (count(*) FILTER (WHERE acknowledged_at IS NULL))::int AS unacknowledged
       FROM drift_episodes WHERE org_id = $1 AND ended_at IS NULL`,
    [uuidText(orgId)],
  );
  return rows[0]!;
}

/** What became of deliveries of events of live keys. */
export interface DeliveryHealth {
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  /** Not at their end yet. */
  readonly waiting: number;
  /** Those with more than one attempt. */
  readonly retried: number;
  /** Deliveries that were looked at, which are the newest where there are more than `DELIVERIES_MAX`. */
  readonly isAll: boolean;
  readonly attemptMs: { readonly p50: number | null; readonly p95: number | null };
  readonly endpoints: { readonly active: number; readonly paused: number };
}

/** So many are counted within a second. */
export const DELIVERIES_MAX = 200_000;
/** How long attempts took is told of so many of the newest deliveries. */
export const ATTEMPTS_MAX = 10_000;
// The schedule has five; by hand there may be any number.
const ATTEMPTS_EACH_MAX = 10;

/*
 * Ids of deliveries begin with the milliseconds of their event, so that a stretch of time is a stretch of the primary key. Deliveries of test
 * keys have no sequence.
 */
const DELIVERIES = `
WITH looked AS MATERIALIZED (
  SELECT id, state, attempts FROM deliveries
   WHERE org_id = $1 AND id >= $2 AND id < $3 AND sequence IS NOT NULL ORDER BY id DESC LIMIT ${DELIVERIES_MAX + 1}
), attempted AS (
  SELECT a.latency_ms FROM (SELECT id FROM looked ORDER BY id DESC LIMIT ${ATTEMPTS_MAX}) l
   CROSS JOIN LATERAL (SELECT latency_ms FROM attempts WHERE org_id = $1 AND delivery_id = l.id ORDER BY number DESC LIMIT ${ATTEMPTS_EACH_MAX}) a
)
SELECT count(*)::int AS looked,
       (count(*) FILTER (WHERE state = 'succeeded'))::int AS succeeded,
       (count(*) FILTER (WHERE state = 'failed'))::int AS failed,
       (count(*) FILTER (WHERE state = 'cancelled'))::int AS cancelled,
       (count(*) FILTER (WHERE state IN ('pending', 'in_flight', 'parked')))::int AS waiting,
       (count(*) FILTER (WHERE attempts > 1))::int AS retried,
       (SELECT percentile_disc(ARRAY[0.5, 0.95]) WITHIN GROUP (ORDER BY latency_ms) FROM attempted) AS quantiles,
       (SELECT count(*)::int FROM endpoints WHERE org_id = $1 AND mode = 'live' AND deleted_at IS NULL AND status = 'active') AS active,
       (SELECT count(*)::int FROM endpoints WHERE org_id = $1 AND mode = 'live' AND deleted_at IS NULL AND status = 'paused') AS paused
  FROM looked`;

interface DeliveriesRow {
  readonly looked: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly waiting: number;
  readonly retried: number;
  readonly quantiles: number[] | null;
  readonly active: number;
  readonly paused: number;
}

/** Deliveries of events of the period, as far as they are kept. */
export async function readDeliveryHealth(
  db: Queryable,
  orgId: Buffer,
  { sinceMs, untilMs }: Pick<Period, 'sinceMs' | 'untilMs'>,
): Promise<DeliveryHealth> {
  const { rows } = await db.query<DeliveriesRow>({
    name: 'report_deliveries',
    text: DELIVERIES,
    values: [uuidText(orgId), uuidText(idAtMs(sinceMs)), uuidText(idAtMs(untilMs))],
  });
  const { succeeded, failed, cancelled, waiting, retried, looked, quantiles, active, paused } = rows[0]!;
  const round = (ms: number | undefined) => (ms === undefined ? null : Math.round(ms * 1_000) / 1_000);
  return {
    succeeded,
    failed,
    cancelled,
    waiting,
    retried,
    isAll: looked <= DELIVERIES_MAX,
    attemptMs: { p50: round(quantiles?.[0]), p95: round(quantiles?.[1]) },
    endpoints: { active, paused },
  };
}

/** The least UUIDv7 of a millisecond. */
function idAtMs(ms: number): Buffer {
  const id = Buffer.alloc(16);
  id.writeUIntBE(ms, 0, 6);
  return id;
}

/** A version of the policy that was in force in a period. */
export interface PolicyInForce {
  readonly version: number;
  readonly document: PolicyDocument;
}

// Who changes the policy more often than that finds the newest in the report.
const VERSIONS_MAX = 200;

/** The versions that were in force at some time of the period, newest first. */
export async function listPoliciesInForce(
  db: Queryable,
  orgId: Buffer,
  { sinceMs, untilMs }: Pick<Period, 'sinceMs' | 'untilMs'>,
): Promise<PolicyInForce[]> {
  const { rows } = await db.query<PolicyInForce>(
    `SELECT version, document FROM policy_versions
      WHERE org_id = $1 AND created_at < $3
        AND version >= coalesce((SELECT max(version) FROM policy_versions WHERE org_id = $1 AND created_at <= $2), 1)
      ORDER BY version DESC LIMIT ${VERSIONS_MAX}`,
    [uuidText(orgId), new Date(sinceMs), new Date(untilMs)],
  );
  return rows;
}

/** The log beside its counts. */
export interface LogFacts {
  /** Events that are not in the tree though they were recorded a while ago; no more than a thousand are counted. */
  readonly behind: number;
  /** Events that the tree has and that are neither kept nor deleted as told; `null`: there are too many to count. */
  readonly missing: number | null;
  /** When the oldest event that is kept was recorded; `null`: none is kept. */
  readonly oldestAtMs: number | null;
  /** Checkpoints of the period that are kept, of all epochs: how many, and the sizes of the smallest and the largest. */
  readonly checkpoints: { readonly count: number; readonly firstSize: number | null; readonly lastSize: number | null };
  /** The size of the last checkpoint that is in the deployment's log; `null`: there is none. */
  readonly anchoredSize: number | null;
  readonly anchoredAtMs: number | null;
  /** The latest checkpoint of the deployment's log; `null`: there is none. */
  readonly deploymentNote: string | null;
}

interface LogRow {
  readonly behind: string;
  readonly missing: string | null;
  readonly oldest_at: Date | null;
  readonly checkpoints: string;
  readonly first_size: string | null;
  readonly last_size: string | null;
  readonly anchored_size: string;
  readonly anchored_at: Date | null;
  readonly deployment_note: string | null;
}

// The tree is extended within a second.
const BEHIND_SECONDS = 10;
// Counted over the index in a tenth of a second.
const COUNTED_MAX = 200_000;

export async function readLogFacts(
  db: Queryable,
  orgId: Buffer,
  { sinceMs, untilMs }: Pick<Period, 'sinceMs' | 'untilMs'>,
): Promise<LogFacts | null> {
  const { rows } = await db.query<LogRow>({
    name: 'report_log',
    text: `SELECT (SELECT count(*) FROM (SELECT 1 FROM events WHERE org_id = $1 AND sequence > t.size
                     AND recorded_at < now() - interval '${BEHIND_SECONDS} seconds' LIMIT 1000) late) AS behind,
                  CASE WHEN t.size - t.kept_from < ${COUNTED_MAX} THEN t.size - t.kept_from + 1
                    - (SELECT count(DISTINCT sequence) FROM events WHERE org_id = $1 AND sequence >= t.kept_from AND sequence <= t.size) END AS missing,
                  (SELECT recorded_at FROM events WHERE org_id = $1 AND sequence >= t.kept_from ORDER BY sequence LIMIT 1) AS oldest_at,
                  c.checkpoints, c.first_size, c.last_size, t.anchored_size, t.anchored_at,
                  (SELECT note FROM checkpoints WHERE org_id = $4 AND epoch = (SELECT epoch FROM trail_deployment)
                    ORDER BY size DESC LIMIT 1) AS deployment_note
             FROM trees t
            CROSS JOIN LATERAL (
              SELECT count(*) AS checkpoints, min(size) AS first_size, max(size) AS last_size FROM checkpoints
               WHERE org_id = $1 AND published_at >= $2 AND published_at < $3) c
            WHERE t.org_id = $1`,
    values: [uuidText(orgId), new Date(sinceMs), new Date(untilMs), uuidText(DEPLOYMENT_LOG)],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const numberOrNull = (text: string | null) => (text === null ? null : Number(text));
  return {
    behind: Number(row.behind),
    missing: numberOrNull(row.missing),
    oldestAtMs: row.oldest_at?.getTime() ?? null,
    checkpoints: {
      count: Number(row.checkpoints),
      firstSize: numberOrNull(row.first_size),
      lastSize: numberOrNull(row.last_size),
    },
    anchoredSize: Number(row.anchored_size) < 0 ? null : Number(row.anchored_size),
    anchoredAtMs: row.anchored_at?.getTime() ?? null,
    deploymentNote: row.deployment_note,
  };
}

/** The smallest checkpoint that is kept and covers each of these sequences; `null`: none does. */
export async function findCoveringSizes(
  db: Queryable,
  orgId: Buffer,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, number | null>> {
  const { rows } = await db.query<{ sequence: string; size: string | null }>(
    `SELECT s AS sequence, (SELECT min(size) FROM checkpoints
        WHERE org_id = $1 AND epoch = (SELECT epoch FROM trail_deployment) AND size >= s) AS size
       FROM unnest($2::int8[]) AS s`,
    [uuidText(orgId), sequences],
  );
  return new Map(rows.map(({ sequence, size }) => [Number(sequence), size === null ? null : Number(size)]));
}

/** When there first was something, and last, in all of the trail (Unix milliseconds); `null`: never. */
export interface Spans {
  /** `inference.*` or `telemetry.received`. */
  readonly firstInferenceAtMs: number | null;
  readonly lastInferenceAtMs: number | null;
  /** The first of them that is kept. */
  readonly keptInferenceAtMs: number | null;
  readonly firstProbeAtMs: number | null;
  readonly lastProbeDeletedAtMs: number | null;
}

const TELLS_OF_INFERENCES = (kind: string) => kind.startsWith('inference.') || kind === 'telemetry.received';

/*
 * The first or last day that has one of these kinds. What stands before the groups was chosen by nobody outside: no name of a model can be taken for a
 * kind. Of ten years of days that have none it takes some ten milliseconds.
 */
const dayWith = (kinds: string, order: 'ASC' | 'DESC', from = '') =>
  `(SELECT sheet FROM report_sheets WHERE org_id = $1 AND span = 'day' AND split_part(sheet, '"groups":', 1) ~ '[[]"(${kinds})' ${from} ORDER BY start ${order} LIMIT 1)`;
const INFERENCES = 'inference[.]|telemetry[.]received"';
const SPANS = `SELECT ${dayWith(INFERENCES, 'ASC')} AS first_inference, ${dayWith(INFERENCES, 'DESC')} AS last_inference,
  ${dayWith(INFERENCES, 'ASC', "AND start >= date_trunc('day', $2::timestamptz, 'UTC')")} AS kept_inference,
  ${dayWith('probe[.]registered"', 'ASC')} AS first_probe, ${dayWith('probe[.]deleted"', 'DESC')} AS last_deleted`;

/** `oldestAtMs`: when the oldest event that is kept was recorded. From the sheets, which are kept for longer than events. */
export async function readSpans(db: Queryable, orgId: Buffer, oldestAtMs: number | null): Promise<Spans> {
  const { rows } = await db.query<
    Record<'first_inference' | 'last_inference' | 'kept_inference' | 'first_probe' | 'last_deleted', string | null>
  >({
    name: 'report_spans',
    text: SPANS,
    values: [uuidText(orgId), oldestAtMs === null ? null : new Date(oldestAtMs)],
  });
  const days = rows[0]!;
  const keptAtMs = timeIn(days.kept_inference, 'first', TELLS_OF_INFERENCES);
  return {
    firstInferenceAtMs: timeIn(days.first_inference, 'first', TELLS_OF_INFERENCES),
    lastInferenceAtMs: timeIn(days.last_inference, 'last', TELLS_OF_INFERENCES),
    // Of its day the beginning may be deleted.
    keptInferenceAtMs: keptAtMs === null || oldestAtMs === null ? null : Math.max(keptAtMs, oldestAtMs),
    firstProbeAtMs: timeIn(days.first_probe, 'first', (kind) => kind === 'probe.registered'),
    lastProbeDeletedAtMs: timeIn(days.last_deleted, 'last', (kind) => kind === 'probe.deleted'),
  };
}

function timeIn(text: string | null, which: 'first' | 'last', isMeant: (kind: string) => boolean): number | null {
  if (text === null) return null;
  const seen = Array.from(Sheet.parse(text).kinds).flatMap(([kind, one]) => (isMeant(kind) ? [one] : []));
  if (seen.length === 0) return null;
  return which === 'first'
    ? Math.min(...seen.map(({ firstAtMs }) => firstAtMs))
    : Math.max(...seen.map(({ lastAtMs }) => lastAtMs));
}

// More need not be told apart.
const TOLD_MAX = 200_000;

/** Deliveries of what somebody should hear of, of events of the period, that their receiver took. As far as deliveries are kept. */
export async function countDeliveredIncidents(
  db: Queryable,
  orgId: Buffer,
  { sinceMs, untilMs }: Pick<Period, 'sinceMs' | 'untilMs'>,
): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'report_incidents',
    text: `SELECT count(*)::int AS count FROM (
             SELECT 1 FROM deliveries WHERE org_id = $1 AND id >= $2 AND id < $3 AND sequence IS NOT NULL AND state = 'succeeded'
                AND kind IN ('inference.flagged', 'inference.blocked', 'drift.sustained', 'drift.recovered') LIMIT ${TOLD_MAX}) told`,
    values: [uuidText(orgId), uuidText(idAtMs(sinceMs)), uuidText(idAtMs(untilMs))],
  });
  return rows[0]!.count;
}

/** Probes of live keys as they are now. */
export interface ProbeFacts {
  readonly registered: number;
  readonly offline: number;
}

export async function readProbeFacts(db: Queryable, orgId: Buffer): Promise<ProbeFacts> {
  const { rows } = await db.query<ProbeFacts>(
    `SELECT count(*)::int AS registered, (count(*) FILTER (WHERE offline_since IS NOT NULL))::int AS offline
       FROM probes WHERE org_id = $1 AND mode = 'live'`,
    [uuidText(orgId)],
  );
  return rows[0]!;
}

const PURGED_AT_ONCE = 5_000;

/** Deletes counts by the hour and by the day that are older than they are kept. */
export async function purgeReports(db: Queryable): Promise<void> {
  for (const [span, days] of [
    ['hour', KEPT_HOURS_DAYS + 1],
    ['day', KEPT_DAYS + 1],
  ] as const) {
    for (;;) {
      const { rowCount } = await db.query(
        `DELETE FROM report_sheets WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM report_sheets WHERE span = $1 AND start < now() - make_interval(days => $2) LIMIT ${PURGED_AT_ONCE}))`,
        [span, days],
      );
      if ((rowCount ?? 0) < PURGED_AT_ONCE) break;
    }
  }
}

// SQL over policy_simulations, and over what they look at.

import type { PolicyDocument } from '@svc/engine';
import { formatId, idFromUuidText, uuidText } from '../../ids.ts';
import { byteaArray } from '../../journal/arrays.ts';
import type { Queryable, Transaction } from '../../storage/database.ts';
import type { SimulationProgress } from './progress.ts';

/** Which assessments of the organization; times in Unix milliseconds. */
export interface Sample {
  readonly sinceMs: number | null;
  readonly untilMs: number | null;
  readonly limit: number;
}

export interface Simulation {
  /** `sim_…` */
  readonly id: string;
  readonly state: 'queued' | 'running' | 'succeeded' | 'failed';
  readonly digest: string;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
  readonly total: number | null;
  readonly done: number;
  readonly result: SimulationProgress;
  readonly error: string | null;
}

export interface NewSimulation {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly mode: 'live' | 'test';
  readonly digest: string;
  readonly document: PolicyDocument;
  readonly createdAtMs: number;
  readonly createdBy: string;
  readonly sample: Sample | null;
  readonly sealedItems: readonly Buffer[] | null;
  readonly liveVersion: number;
  readonly total: number | null;
  readonly result: SimulationProgress;
}

export async function insertSimulation(tx: Transaction, simulation: NewSimulation): Promise<void> {
  await tx.query(
    `INSERT INTO policy_simulations (org_id, id, mode, state, digest, document, created_at, created_by, sample, sealed_items,
                                     live_version, total, result, touched_at)
     VALUES ($1, $2, $3, 'queued', $4, $5, $6, $7, $8, $9, $10, $11, $12, clock_timestamp())`,
    [
      uuidText(simulation.orgId),
      uuidText(simulation.id),
      simulation.mode,
      simulation.digest,
      JSON.stringify(simulation.document),
      new Date(simulation.createdAtMs),
      simulation.createdBy,
      simulation.sample === null ? null : JSON.stringify(simulation.sample),
      simulation.sealedItems === null ? null : byteaArray(simulation.sealedItems),
      simulation.liveVersion,
      simulation.total,
      JSON.stringify(simulation.result),
    ],
  );
}

interface SimulationRow {
  readonly id: string;
  readonly state: Simulation['state'];
  readonly digest: string;
  readonly created_at: Date;
  readonly finished_at: Date | null;
  readonly total: number | null;
  readonly done: number;
  readonly result: SimulationProgress;
  readonly error: string | null;
}

/** Live and test ones do not see each other. */
export async function findSimulationById(
  db: Queryable,
  orgId: Buffer,
  mode: 'live' | 'test',
  id: Buffer,
): Promise<Simulation | null> {
  const { rows } = await db.query<SimulationRow>(
    `SELECT id, state, digest, created_at, finished_at, total, done, result, error FROM policy_simulations
      WHERE org_id = $1 AND id = $2 AND mode = $3`,
    [uuidText(orgId), uuidText(id), mode],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    id: idFromUuidText('sim', row.id),
    state: row.state,
    digest: row.digest,
    createdAtMs: row.created_at.getTime(),
    finishedAtMs: row.finished_at?.getTime() ?? null,
    total: row.total,
    done: row.done,
    result: row.result,
    error: row.error,
  };
}

/** How many of a mode are not over yet. */
export async function countUnfinishedSimulations(db: Queryable, orgId: Buffer, mode: 'live' | 'test'): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM policy_simulations WHERE org_id = $1 AND mode = $2 AND state IN ('queued', 'running')",
    [uuidText(orgId), mode],
  );
  return rows[0]!.count;
}

/** Deletes those of a mode that are over but for the newest, so that `kept` are left, those that are not over included. */
export async function deleteOldSimulations(tx: Queryable, orgId: Buffer, mode: 'live' | 'test', kept: number): Promise<void> {
  await tx.query(
    `DELETE FROM policy_simulations WHERE org_id = $1 AND mode = $2 AND state IN ('succeeded', 'failed') AND id NOT IN (
       SELECT id FROM policy_simulations WHERE org_id = $1 AND mode = $2
        ORDER BY state IN ('queued', 'running') DESC, created_at DESC, id DESC LIMIT $3)`,
    [uuidText(orgId), mode, kept],
  );
}

/** Deletes what is over and older than it is kept. */
export async function purgeSimulations(db: Queryable, days: number): Promise<void> {
  await db.query(
    `DELETE FROM policy_simulations WHERE state IN ('succeeded', 'failed') AND created_at < now() - make_interval(days => $1)`,
    [days],
  );
}

/** A simulation that this node works on until its lease is over. */
export interface ClaimedSimulation {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly mode: 'live' | 'test';
  readonly digest: string;
  readonly sample: Sample | null;
  readonly liveVersion: number;
  readonly total: number | null;
  readonly done: number;
  readonly cursor: string | null;
  readonly result: SimulationProgress;
  readonly createdAtMs: number;
  /** Turns that were begun and made no progress, this one included. */
  readonly attempts: number;
}

/** Longer than any turn takes. A node that does not come back within it is taken for dead. */
const LEASE_SECONDS = 30;

/*
 * Of each organization the oldest one of live keys and the oldest one of test keys only, and of those the one that has waited longest for its
 * turn. A row that another node is just claiming is passed over.
 */
const CLAIM = `
UPDATE policy_simulations s
   SET state = 'running', claim = $1, lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds', attempts = s.attempts + 1
  FROM (
    SELECT c.org_id, c.id FROM policy_simulations c
     WHERE c.state IN ('queued', 'running') AND (c.lease_until IS NULL OR c.lease_until < clock_timestamp())
       AND NOT EXISTS (
         SELECT 1 FROM policy_simulations e
          WHERE e.org_id = c.org_id AND e.mode = c.mode AND e.state IN ('queued', 'running') AND (e.created_at, e.id) < (c.created_at, c.id))
     ORDER BY c.touched_at LIMIT 1 FOR UPDATE SKIP LOCKED
  ) AS next
 WHERE s.org_id = next.org_id AND s.id = next.id
RETURNING s.org_id, s.id, s.mode, s.digest, s.sample, s.live_version, s.total, s.done, s.cursor, s.result, s.created_at, s.attempts`;

/** Claims the next turn of a simulation under `claim`; `null`: nothing is to be done. */
export async function claimSimulation(db: Queryable, claim: Buffer): Promise<ClaimedSimulation | null> {
  const { rows } = await db.query<{
    org_id: string;
    id: string;
    mode: 'live' | 'test';
    digest: string;
    sample: Sample | null;
    live_version: number;
    total: number | null;
    done: number;
    cursor: string | null;
    result: SimulationProgress;
    created_at: Date;
    attempts: number;
  }>({ name: 'claim_simulation', text: CLAIM, values: [uuidText(claim)] });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    orgId: bytesOf(row.org_id),
    id: bytesOf(row.id),
    mode: row.mode,
    digest: row.digest,
    sample: row.sample,
    liveVersion: row.live_version,
    total: row.total,
    done: row.done,
    cursor: row.cursor,
    result: row.result,
    createdAtMs: row.created_at.getTime(),
    attempts: row.attempts,
  };
}

/** The candidate's document. */
export async function findSimulatedPolicy(db: Queryable, orgId: Buffer, id: Buffer): Promise<PolicyDocument> {
  const { rows } = await db.query<{ document: PolicyDocument }>(
    'SELECT document FROM policy_simulations WHERE org_id = $1 AND id = $2',
    [uuidText(orgId), uuidText(id)],
  );
  return rows[0]!.document;
}

/** Sealed items from index `from` on, at most `count`. */
export async function findSimulatedItems(
  db: Queryable,
  { orgId, id }: Pick<ClaimedSimulation, 'orgId' | 'id'>,
  from: number,
  count: number,
): Promise<readonly Buffer[]> {
  const { rows } = await db.query<{ sealed: Buffer[] }>(
    'SELECT sealed_items[$3::int + 1 : $3::int + $4::int] AS sealed FROM policy_simulations WHERE org_id = $1 AND id = $2',
    [uuidText(orgId), uuidText(id), from, count],
  );
  return rows[0]!.sealed;
}

/** Where a turn has come to. */
export interface TurnEnd {
  readonly total: number | null;
  readonly done: number;
  readonly cursor: string | null;
  readonly result: SimulationProgress;
  readonly isOver: boolean;
}

/** Keeps how far a turn has come and gives the simulation back. Does nothing when another node has claimed it meanwhile. */
export async function finishTurn(
  db: Queryable,
  { orgId, id }: Pick<ClaimedSimulation, 'orgId' | 'id'>,
  claim: Buffer,
  end: TurnEnd,
): Promise<void> {
  await db.query(
    `UPDATE policy_simulations
        SET total = $4, done = $5, cursor = $6, result = $7, claim = NULL, lease_until = NULL, attempts = 0,
            touched_at = clock_timestamp(),
            state = CASE WHEN $8 THEN 'succeeded' ELSE 'running' END,
            finished_at = CASE WHEN $8 THEN clock_timestamp() END,
            document = CASE WHEN $8 THEN NULL ELSE document END,
            sealed_items = CASE WHEN $8 THEN NULL ELSE sealed_items END
      WHERE org_id = $1 AND id = $2 AND claim = $3`,
    [uuidText(orgId), uuidText(id), uuidText(claim), end.total, end.done, end.cursor, JSON.stringify(end.result), end.isOver],
  );
}

/** Gives back a simulation whose turn failed, to be tried again `afterSeconds` later; or ends it, with the reason. */
export async function failTurn(
  db: Queryable,
  { orgId, id }: Pick<ClaimedSimulation, 'orgId' | 'id'>,
  claim: Buffer,
  afterSeconds: number,
  error: string | null,
): Promise<void> {
  await db.query(
    `UPDATE policy_simulations
        SET claim = NULL, lease_until = clock_timestamp() + make_interval(secs => $4), touched_at = clock_timestamp(),
            state = CASE WHEN $5::text IS NULL THEN 'running' ELSE 'failed' END, error = $5,
            finished_at = CASE WHEN $5::text IS NULL THEN NULL ELSE clock_timestamp() END,
            document = CASE WHEN $5::text IS NULL THEN document END,
            sealed_items = CASE WHEN $5::text IS NULL THEN sealed_items END
      WHERE org_id = $1 AND id = $2 AND claim = $3`,
    [uuidText(orgId), uuidText(id), uuidText(claim), afterSeconds, error],
  );
}

/** A stored assessment. */
export interface StoredAssessment {
  readonly uuid: Buffer;
  /** `asm_…` */
  readonly id: string;
  /** The assessment as JSON. */
  readonly data: string;
  /** What stands before it is reached by this cursor. */
  readonly cursor: string;
}

export interface Page {
  readonly assessments: readonly StoredAssessment[];
  /** Where to go on; `null`: there are no more. */
  readonly next: string | null;
}

/** Each may be some 100 kB long. */
const PAGE_ROWS = 100;
/** Sequences that a statement looks at, however few of them are assessments of the time that is asked for. */
const WINDOW = 5_000;
// Times of recording follow the sequence but for what clocks were set back.
const CLOCK_SLACK_MS = 3_600_000;

/**
 * Assessments of the trail before the sequence `cursor` (`null`: all), newest first. Those of probes are left out, here and of test keys: the
 * trail has only what of them was flagged or blocked, which would say nothing true about the rest, and not what they were decided by.
 */
export async function pageOfTrail(
  db: Queryable,
  orgId: Buffer,
  sample: Sample,
  cursor: string | null,
  most: number,
): Promise<Page> {
  const id = uuidText(orgId);
  const trail = await boundsOfTrail(db, id);
  const before = cursor === null ? trail.last + 1 : Number(cursor);
  if (before <= trail.first) return { assessments: [], next: null };
  const limit = Math.min(PAGE_ROWS, most);
  const { rows } = await db.query<{ sequence: string; id: string; data: string }>(
    `SELECT sequence, id, data FROM events
      WHERE org_id = $1 AND sequence < $2 AND sequence >= $3 AND kind LIKE 'inference.%' AND probe_id IS NULL
        AND ($4::timestamptz IS NULL OR recorded_at >= $4) AND ($5::timestamptz IS NULL OR recorded_at < $5)
      ORDER BY sequence DESC LIMIT $6`,
    [id, before, before - WINDOW, timeOrNull(sample.sinceMs), timeOrNull(sample.untilMs), limit],
  );
  const assessments = rows.map((row) => stored(row.id, row.data, row.sequence));
  const next = rows.length === limit ? Number(rows.at(-1)!.sequence) : before - WINDOW;
  if (next <= trail.first) return { assessments, next: null };
  const isTooOld = rows.length === 0 && (await isBefore(db, id, next, sample.sinceMs));
  return { assessments, next: isTooOld ? null : String(next) };
}

/** The sequences of the oldest event that is kept and of the newest. */
async function boundsOfTrail(db: Queryable, orgId: string): Promise<{ first: number; last: number }> {
  const { rows } = await db.query<{ first: string; last: string }>(
    'SELECT coalesce(t.kept_from, 1) AS first, c.last_sequence AS last FROM event_counters c LEFT JOIN trees t USING (org_id) WHERE c.org_id = $1',
    [orgId],
  );
  return { first: Number(rows[0]!.first), last: Number(rows[0]!.last) };
}

async function isBefore(db: Queryable, orgId: string, sequence: number, sinceMs: number | null): Promise<boolean> {
  if (sinceMs === null) return false;
  const { rows } = await db.query<{ recorded_at: Date }>('SELECT recorded_at FROM events WHERE org_id = $1 AND sequence = $2', [
    orgId,
    sequence,
  ]);
  return rows[0] !== undefined && rows[0].recorded_at.getTime() < sinceMs - CLOCK_SLACK_MS;
}

/** The same of assessments of test keys, before the uuid `cursor`. */
export async function pageOfTests(
  db: Queryable,
  orgId: Buffer,
  sample: Sample,
  cursor: string | null,
  most: number,
): Promise<Page> {
  const limit = Math.min(PAGE_ROWS, most);
  const { rows } = await db.query<{ id: string; data: string }>(
    `SELECT id, data FROM test_assessments
      WHERE org_id = $1 AND probe_id IS NULL AND ($2::uuid IS NULL OR id < $2)
        AND ($3::timestamptz IS NULL OR created_at >= $3) AND ($4::timestamptz IS NULL OR created_at < $4)
      ORDER BY id DESC LIMIT $5`,
    [uuidText(orgId), cursor, timeOrNull(sample.sinceMs), timeOrNull(sample.untilMs), limit],
  );
  const assessments = rows.map((row) => stored(row.id, row.data, row.id));
  return { assessments, next: rows.length < limit ? null : rows.at(-1)!.id };
}

/** How many assessments a sample holds. Takes long where much of the trail is newer than it: the reader's time may run out. */
export async function countSample(db: Queryable, orgId: Buffer, mode: 'live' | 'test', sample: Sample): Promise<number> {
  const [table, time, order, kind] =
    mode === 'live'
      ? ['events', 'recorded_at', 'sequence', "AND kind LIKE 'inference.%'"]
      : ['test_assessments', 'created_at', 'id', ''];
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM (
       SELECT 1 FROM ${table} WHERE org_id = $1 AND probe_id IS NULL ${kind}
          AND ($2::timestamptz IS NULL OR ${time} >= $2) AND ($3::timestamptz IS NULL OR ${time} < $3)
        ORDER BY ${order} DESC LIMIT $4) AS sample`,
    [uuidText(orgId), timeOrNull(sample.sinceMs), timeOrNull(sample.untilMs), sample.limit],
  );
  return rows[0]!.count;
}

function stored(id: string, data: string, cursor: string): StoredAssessment {
  const uuid = bytesOf(id);
  return { uuid, id: formatId('asm', uuid), data, cursor };
}

function timeOrNull(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

// How often exceptions of the policy excused a finding, counted from the trail.

import type { PolicyDocument } from '@svc/engine';
import { uuidText } from '../../ids.ts';
import type { Database, Queryable } from '../../storage/database.ts';

export interface ExceptionHits {
  readonly hits: number;
  readonly lastHitAtMs: number;
}

// Some 50 ms of work where every assessment has excused findings, during which the organization's cursor is locked.
const EVENTS_AT_ONCE = 5_000;
const ORGANIZATIONS_AT_ONCE = 1_000;

/** Within the transaction that stores `document`: what it excuses is counted from here on. Does nothing where it is counted already. */
export async function startCountingExceptions(tx: Queryable, orgId: Buffer, { exceptions = [] }: PolicyDocument): Promise<void> {
  if (exceptions.length === 0) return;
  await tx.query(
    `INSERT INTO policy_exception_cursors (org_id, counted_to) SELECT org_id, last_sequence FROM event_counters WHERE org_id = $1
     ON CONFLICT DO NOTHING`,
    [uuidText(orgId)],
  );
}

/*
 * As usage is counted: the cursor's row is locked first, and events up to its new place are all committed, so each is counted once. Most have
 * no excused finding, which is seen without reading them as JSON: inside of a text the quotes of what is looked for would be escaped.
 */
const COUNT = `
WITH cursor AS MATERIALIZED (
  SELECT x.counted_to, least(c.last_sequence, x.counted_to + ${EVENTS_AT_ONCE}) AS upto
    FROM policy_exception_cursors x JOIN event_counters c USING (org_id) WHERE x.org_id = $1
), excusing AS MATERIALIZED (
  SELECT e.recorded_at, e.data FROM events e, cursor
   WHERE e.org_id = $1 AND e.sequence > cursor.counted_to AND e.sequence <= cursor.upto
     AND e.kind LIKE 'inference.%' AND strpos(e.data, '"exception_id":"') > 0
), counted AS (
  INSERT INTO policy_exception_hits AS h (org_id, exception_id, hits, last_hit_at)
  SELECT $1, finding ->> 'exception_id', count(*), max(recorded_at)
    FROM excusing, json_array_elements(data::json -> 'findings') AS finding
   WHERE finding ->> 'exception_id' IS NOT NULL GROUP BY 2
  ON CONFLICT (org_id, exception_id) DO UPDATE
     SET hits = h.hits + excluded.hits, last_hit_at = greatest(h.last_hit_at, excluded.last_hit_at)
)
UPDATE policy_exception_cursors x SET counted_to = cursor.upto FROM cursor WHERE x.org_id = $1
RETURNING cursor.upto - cursor.counted_to AS events`;

/** Counts what was recorded since the last time. Safe to run on many nodes at once. */
export async function countExceptionHits(db: Database, orgId: Buffer): Promise<void> {
  const id = uuidText(orgId);
  for (;;) {
    const events = await db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM policy_exception_cursors WHERE org_id = $1 FOR UPDATE', [id]);
      const { rows } = await tx.query<{ events: string }>(COUNT, [id]);
      return Number(rows[0]?.events ?? 0);
    });
    if (events < EVENTS_AT_ONCE) return;
  }
}

/** Counts for every organization that has, or had, exceptions and has uncounted events. */
export async function countAllExceptionHits(db: Database): Promise<void> {
  const { rows } = await db.query<{ org_id: string }>(
    `SELECT org_id FROM policy_exception_cursors x JOIN event_counters c USING (org_id)
      WHERE c.last_sequence > x.counted_to LIMIT ${ORGANIZATIONS_AT_ONCE}`,
  );
  for (const { org_id: id } of rows) await countExceptionHits(db, Buffer.from(id.replaceAll('-', ''), 'hex'));
}

/** What was counted, by id of the exception; one that has excused nothing is not in it. */
export async function listExceptionHits(db: Queryable, orgId: Buffer): Promise<ReadonlyMap<string, ExceptionHits>> {
  const { rows } = await db.query<{ exception_id: string; hits: string; last_hit_at: Date }>(
    'SELECT exception_id, hits, last_hit_at FROM policy_exception_hits WHERE org_id = $1',
    [uuidText(orgId)],
  );
  return new Map(
    rows.map((row) => [row.exception_id, { hits: Number(row.hits), lastHitAtMs: row.last_hit_at.getTime() }] as const),
  );
}

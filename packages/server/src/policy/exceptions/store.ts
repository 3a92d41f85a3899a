// How often exceptions of the policy excused a finding, counted from the trail.

import type { PolicyDocument } from '@svc/engine';
import { uuidText } from '../../ids.ts';
import { forEachOrganization } from '../../organizations/each.ts';
import type { Database, Queryable, Transaction } from '../../storage/database.ts';

export interface ExceptionHits {
  readonly hits: number;
  readonly lastHitAtMs: number;
}

// An assessment is up to some 100 kB long, most of them two. Those that excuse something are read whole.
const EVENTS_AT_ONCE = 500;
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

/** Counts what was recorded since the last time. Safe to run on many nodes at once. */
export async function countExceptionHits(db: Database, orgId: Buffer): Promise<void> {
  for (;;) {
    const isDone = await db.transaction((tx) => countSome(tx, uuidText(orgId)));
    if (isDone) return;
  }
}

/*
 * As usage is counted: the cursor's row is locked first, and events up to its new place are all committed, so each is counted once. Most have
 * no excused finding, which is seen without reading them as JSON: inside of a text the quotes of what is looked for would be escaped. Those
 * that have one are read here: PostgreSQL's own JSON operators fail at texts that may well be in an assessment, such as an escaped NUL.
 */
async function countSome(tx: Transaction, orgId: string): Promise<boolean> {
  const cursor = await tx.query<{ counted_to: string }>(
    'SELECT counted_to FROM policy_exception_cursors WHERE org_id = $1 FOR UPDATE',
    [orgId],
  );
  if (cursor.rows[0] === undefined) return true;
  const from = Number(cursor.rows[0].counted_to);
  const counter = await tx.query<{ last_sequence: string }>('SELECT last_sequence FROM event_counters WHERE org_id = $1', [
    orgId,
  ]);
  const last = Number(counter.rows[0]!.last_sequence);
  const upto = Math.min(last, from + EVENTS_AT_ONCE);
  if (upto <= from) return true;
  const { rows } = await tx.query<{ recorded_at: Date; data: string }>(
    `SELECT recorded_at, data FROM events
      WHERE org_id = $1 AND sequence > $2 AND sequence <= $3
        AND (kind LIKE 'inference.%' AND probe_id IS NULL AND strpos(data, '"exception_id":"') > 0
             OR kind = 'telemetry.received' AND strpos(data, ',"excused":{"') > 0)`,
    [orgId, from, upto],
  );
  const hits = new Map<string, ExceptionHits>();
  for (const { recorded_at: at, data } of rows) for (const [id, count] of excusesIn(data)) addHits(hits, id, count, at.getTime());
  await storeHits(tx, orgId, hits);
  await tx.query('UPDATE policy_exception_cursors SET counted_to = $2 WHERE org_id = $1', [orgId, upto]);
  return upto === last;
}

interface Excusing {
  readonly findings?: readonly { readonly exception_id: unknown }[];
  /** Of a batch of telemetry: hits by exception, over all that was assessed of it. */
  readonly excused?: Readonly<Record<string, unknown>>;
}

/** The ids of the exceptions that excused a finding, with how many; of an event that cannot be read none. */
function excusesIn(data: string): (readonly [id: string, hits: number])[] {
  try {
    const { findings = [], excused = {} } = JSON.parse(data) as Excusing;
    const hits = [...findings.map(({ exception_id: id }) => [id, 1] as const), ...Object.entries(excused)];
    return hits.flatMap(([id, count]) => (isId(id) && Number.isSafeInteger(count) ? [[id, Number(count)] as const] : []));
  } catch {
    return [];
  }
}

/** No text of PostgreSQL holds a NUL, and no id of an exception does. */
function isId(id: unknown): id is string {
  return typeof id === 'string' && !id.includes('\0');
}

function addHits(hits: Map<string, ExceptionHits>, id: string, count: number, atMs: number): void {
  const known = hits.get(id);
  hits.set(id, { hits: (known?.hits ?? 0) + count, lastHitAtMs: Math.max(known?.lastHitAtMs ?? atMs, atMs) });
}

async function storeHits(tx: Transaction, orgId: string, hits: ReadonlyMap<string, ExceptionHits>): Promise<void> {
  if (hits.size === 0) return;
  const counts = [...hits.values()];
  await tx.query(
    `INSERT INTO policy_exception_hits AS h (org_id, exception_id, hits, last_hit_at)
     SELECT $1, added.* FROM unnest($2::text[], $3::bigint[], $4::timestamptz[]) AS added
     ON CONFLICT (org_id, exception_id) DO UPDATE
        SET hits = h.hits + excluded.hits, last_hit_at = greatest(h.last_hit_at, excluded.last_hit_at)`,
    [orgId, [...hits.keys()], counts.map((count) => count.hits), counts.map(({ lastHitAtMs }) => new Date(lastHitAtMs))],
  );
}

/** Counts for every organization that has, or had, exceptions and has uncounted events. Throws at the end for those that failed. */
export async function countAllExceptionHits(db: Database): Promise<void> {
  const { rows } = await db.query<{ org_id: string }>(
    `SELECT org_id FROM policy_exception_cursors x JOIN event_counters c USING (org_id)
      WHERE c.last_sequence > x.counted_to LIMIT ${ORGANIZATIONS_AT_ONCE}`,
  );
  await forEachOrganization(rows, ({ org_id: id }) => countExceptionHits(db, Buffer.from(id.replaceAll('-', ''), 'hex')));
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

// SQL of limit_usage. Times are those of the wall clock of the node that wrote them.

import type { Queryable } from '../storage/database.ts';
import type { UsageRecord } from './usage-record.ts';

/** What one organization (a UUID as text) used, second by second. */
export interface UsageRow {
  readonly orgId: string;
  readonly seconds: readonly number[];
  readonly requests: readonly number[];
  readonly assessments: readonly number[];
}

/** The primary key of the last row of a page. */
interface Cursor {
  readonly orgId: string;
  readonly flushedAt: Date;
  readonly node: string;
}

// A page is some 100 kB; ten thousand busy organizations leave 600 000 rows in five minutes.
const ROWS_AT_ONCE = 5_000;
const NIL_UUID = '00000000-0000-0000-0000-000000000000';

/** Writes a row for each organization, by UUID as text. */
export async function insertUsage(
  db: Queryable,
  node: string,
  flushedAtMs: number,
  records: ReadonlyMap<string, UsageRecord>,
): Promise<void> {
  const rows = [...records];
  const literals = (column: 'seconds' | 'requests' | 'assessments') => rows.map(([, record]) => `{${record[column].join(',')}}`);
  await db.query(
    `INSERT INTO limit_usage (org_id, flushed_at, node, seconds, requests, assessments)
     SELECT org_id, $1, $2, seconds::bigint[], requests::integer[], assessments::integer[]
       FROM unnest($3::uuid[], $4::text[], $5::text[], $6::text[]) AS u (org_id, seconds, requests, assessments)`,
    [
      new Date(flushedAtMs),
      node,
      rows.map(([orgId]) => orgId),
      literals('seconds'),
      literals('requests'),
      literals('assessments'),
    ],
  );
}

/** Moves the rows of `node` along with its wall clock, which was set by so many seconds. */
export async function moveUsage(db: Queryable, node: string, bySeconds: number): Promise<void> {
  await db.query(
    `UPDATE limit_usage
        SET flushed_at = flushed_at + make_interval(secs => $2),
            seconds = ARRAY(SELECT s + $2::bigint FROM unnest(seconds) WITH ORDINALITY AS u (s, i) ORDER BY i)
      WHERE node = $1`,
    [node, bySeconds],
  );
}

/** Deletes rows that were written before `fromMs` or are to be written after `untilMs`. */
export async function deleteUsageOutside(db: Queryable, fromMs: number, untilMs: number): Promise<void> {
  const outside = `SELECT ctid FROM limit_usage WHERE flushed_at < $1 OR flushed_at > $2 LIMIT ${ROWS_AT_ONCE}`;
  for (;;) {
    const values = [new Date(fromMs), new Date(untilMs)];
    const { rowCount } = await db.query(`DELETE FROM limit_usage WHERE ctid = ANY (ARRAY(${outside}))`, values);
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
  }
}

/** Reads the rows written since `fromMs`, a page at a time. */
export async function* readUsageSince(db: Queryable, fromMs: number): AsyncGenerator<UsageRow> {
  let after: Cursor = { orgId: NIL_UUID, flushedAt: new Date(0), node: NIL_UUID };
  for (;;) {
    const rows = await readPage(db, fromMs, after);
    for (const { org_id: orgId, seconds, requests, assessments } of rows)
      yield { orgId, seconds: seconds.map(Number), requests, assessments };
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = { orgId: last.org_id, flushedAt: last.flushed_at, node: last.node };
  }
}

interface StoredRow {
  readonly org_id: string;
  readonly flushed_at: Date;
  readonly node: string;
  readonly seconds: string[];
  readonly requests: number[];
  readonly assessments: number[];
}

async function readPage(db: Queryable, fromMs: number, after: Cursor): Promise<StoredRow[]> {
  const { rows } = await db.query<StoredRow>(
    `SELECT org_id, flushed_at, node, seconds, requests, assessments
       FROM limit_usage
      WHERE flushed_at >= $1 AND (org_id, flushed_at, node) > ($2, $3, $4)
      ORDER BY org_id, flushed_at, node
      LIMIT ${ROWS_AT_ONCE}`,
    [new Date(fromMs), after.orgId, after.flushedAt, after.node],
  );
  return rows;
}

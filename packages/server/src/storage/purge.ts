// Deletes old rows a few thousand at a time, so that a large backlog neither runs into a timeout nor holds its locks for long.

import type { Queryable } from './database.ts';

const ROWS_AT_ONCE = 5_000;

/** Deletes the rows of `table` that were created more than `hours` ago. `table` is a name of ours, never a caller's. */
export async function purgeOlderThan(
  db: Queryable,
  table: 'changes' | 'idempotency_keys' | 'inbox_messages' | 'test_assessments' | 'used_id_tokens',
  hours: number,
): Promise<void> {
  const old = `SELECT ctid FROM ${table} WHERE created_at < now() - make_interval(hours => $1) LIMIT ${ROWS_AT_ONCE}`;
  for (;;) {
    const { rowCount } = await db.query(`DELETE FROM ${table} WHERE ctid = ANY (ARRAY(${old}))`, [hours]);
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
  }
}

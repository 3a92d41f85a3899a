// The partitions of the trail, a month each by the time in the events' ids: made ahead, and given back to the disk once retention has emptied them.

import type { Logger } from '../telemetry/log.ts';
import type { Database, Queryable } from './database.ts';

const MONTHS_AHEAD = 2;
// Whoever waits for a lock on the trail makes others wait behind him. It is tried again later.
const MAKE_LOCK_MS = 500;
// The whole trail is locked, so nobody records meanwhile.
const DROP_LOCK_MS = 100;
// What a table may hold that is read, or moved, under a lock: some ten thousand events, a tenth of a second.
const LOCKED_BYTES_MAX = 16 * 1024 * 1024;
// After the end of a month nothing more comes to its partition, but for a clock that is behind.
const SETTLED_MS = 32 * 86_400_000;
const UUID_MS_MAX = 2 ** 48 - 1;

interface Partition {
  readonly name: string;
  readonly bytes: number;
  /** The time at which its ids end; `null`: the default partition, which has none. */
  readonly untilMs: number | null;
}

/**
 * Makes the partitions of the month of `nowMs` and of those that follow. What the default partition holds of such a month is moved; while it holds too much
 * to be moved at once, events stay there, and nothing is lost but the advantage of partitions. Nobody is kept from recording. Safe on many nodes.
 */
export async function makePartitions(db: Database, nowMs: number, log: Logger): Promise<void> {
  for (let ahead = 0; ahead <= MONTHS_AHEAD; ahead++) {
    const fromMs = monthStart(nowMs, ahead);
    if (isCovered(await listPartitions(db), fromMs)) continue;
    await makePartition(db, fromMs, monthStart(fromMs, 1), log);
  }
}

/** Drops partitions of past months that hold nothing any more. One that is in use is left for later. Safe on many nodes. */
export async function dropEmptyPartitions(db: Database, nowMs: number): Promise<void> {
  for (const { name, bytes, untilMs } of await listPartitions(db)) {
    // What was deleted takes its place until PostgreSQL has cleaned up, and looking for a row that is left takes as long.
    if (untilMs === null || untilMs > nowMs - SETTLED_MS || bytes > LOCKED_BYTES_MAX || !(await isEmpty(db, name))) continue;
    await db.transaction(async (tx) => {
      await tx.query(`SET LOCAL lock_timeout = ${DROP_LOCK_MS}`);
      // In the order in which everybody else locks them.
      await tx.query('LOCK TABLE ONLY events IN ACCESS EXCLUSIVE MODE');
      if ((await listPartitions(tx)).some((partition) => partition.name === name) && (await isEmpty(tx, name)))
        await tx.query(`DROP TABLE ${name}`);
    });
  }
}

/** The least UUIDv7 of a time, in PostgreSQL's text form. */
export function firstUuidAt(ms: number): string {
  const time = Math.min(Math.max(0, Math.ceil(ms)), UUID_MS_MAX)
    .toString(16)
    .padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`;
}

async function makePartition(db: Database, fromMs: number, untilMs: number, log: Logger): Promise<void> {
  const [from, until] = [firstUuidAt(fromMs), firstUuidAt(untilMs)];
  const name = `events_${new Date(fromMs).toISOString().slice(0, 7).replace('-', '_')}`;
  await db.transaction(async (tx) => {
    await tx.query(`SET LOCAL lock_timeout = ${MAKE_LOCK_MS}`);
    // One node at a time; who reads or records is not in its way.
    await tx.query('LOCK TABLE ONLY events IN SHARE UPDATE EXCLUSIVE MODE');
    const partitions = await listPartitions(tx);
    if (isCovered(partitions, fromMs)) return;
    const bytes = partitions.find((partition) => partition.untilMs === null)?.bytes ?? 0;
    if (bytes > LOCKED_BYTES_MAX) {
      log.warn(
        { name, bytes },
        'the default partition of the trail holds too much to make another; events stay in it until they are deleted',
      );
      return;
    }
    await tx.query(`CREATE TABLE ${name} (LIKE events INCLUDING ALL)`);
    await tx.query('LOCK TABLE events_default IN ACCESS EXCLUSIVE MODE');
    await tx.query(
      `WITH moved AS (DELETE FROM events_default WHERE id >= '${from}' AND id < '${until}' RETURNING *)
       INSERT INTO ${name} SELECT * FROM moved`,
    );
    await tx.query(`ALTER TABLE events ATTACH PARTITION ${name} FOR VALUES FROM ('${from}') TO ('${until}')`);
  });
}

async function listPartitions(db: Queryable): Promise<Partition[]> {
  const { rows } = await db.query<{ name: string; bytes: string; until: string | null }>(
    `SELECT c.relname AS name, pg_relation_size(c.oid) AS bytes, substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \\(''([0-9a-f-]{36})''\\)') AS until
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'events'::regclass`,
  );
  return rows.map(({ name, bytes, until }) => ({
    name,
    bytes: Number(bytes),
    untilMs: until === null ? null : Number.parseInt(until.replaceAll('-', '').slice(0, 12), 16),
  }));
}

/** All of them end with a month, and the first one alone holds more than one. */
function isCovered(partitions: readonly Partition[], fromMs: number): boolean {
  return partitions.some(
    ({ name, untilMs }) =>
      untilMs !== null && (untilMs === monthStart(fromMs, 1) || (name === 'events_first' && untilMs > fromMs)),
  );
}

async function isEmpty(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(`SELECT 1 FROM ${name} LIMIT 1`)).rows.length === 0;
}

/** The beginning (UTC) of the month of `ms`, or of one that comes after it. */
function monthStart(ms: number, later: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

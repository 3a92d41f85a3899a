// SQL of the tree extender.

import { HASH_BYTES } from '@svc/trail';
import { uuidText } from '../ids.ts';
import { bigintArray, byteaArray, textArray, uuidArray } from '../journal/arrays.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import type { Edge } from './edges.ts';

/** A log that is behind its trail, and this transaction's alone. */
export interface ClaimedTree {
  readonly orgId: Buffer;
  /** Leaves in it. */
  readonly size: number;
  readonly frontier: Buffer;
  /** Of the trail, as it is committed. */
  readonly lastSequence: number;
}

/** What is appended to one tile. */
export interface TileGrowth {
  readonly level: number;
  readonly index: number;
  /** How many hashes it has had so far. */
  readonly widthBefore: number;
  readonly hashes: readonly Buffer[];
}

/** A log as it is to become. */
export interface GrownTree {
  readonly tree: ClaimedTree;
  readonly size: number;
  readonly frontier: Buffer;
  readonly root: Buffer;
  /** The signed checkpoint. */
  readonly note: string;
  readonly tiles: readonly TileGrowth[];
}

const IS_BEHIND = 'c.last_sequence > t.size AND t.org_id <> ALL($1::uuid[])';

/** True when a trail, but for the `resting` ones, goes beyond its log. */
export async function hasUnread(db: Queryable, resting: readonly Buffer[]): Promise<boolean> {
  const { rows } = await db.query<{ is_behind: boolean }>({
    name: 'has_unread_logs',
    text: `SELECT EXISTS (SELECT 1 FROM event_counters c JOIN trees t USING (org_id) WHERE ${IS_BEHIND}) AS is_behind`,
    values: [uuidArray(resting)],
  });
  return rows[0]!.is_behind;
}

/** Logs that are behind and that nobody else is at, those after `after` first, so that all have their turn. They are locked until the transaction ends. */
export async function claimTrees(
  tx: Transaction,
  resting: readonly Buffer[],
  after: Buffer,
  limit: number,
): Promise<ClaimedTree[]> {
  const { rows } = await tx.query<{ org_id: string; size: string; frontier: Buffer; last_sequence: string }>({
    name: 'claim_trees',
    text: `SELECT t.org_id, t.size, t.frontier, c.last_sequence FROM event_counters c JOIN trees t USING (org_id) WHERE ${IS_BEHIND}
            ORDER BY t.org_id <= $2, t.org_id LIMIT $3 FOR UPDATE OF t SKIP LOCKED`,
    values: [uuidArray(resting), uuidText(after), limit],
  });
  return rows.map((row) => ({
    orgId: Buffer.from(row.org_id.replaceAll('-', ''), 'hex'),
    size: Number(row.size),
    frontier: row.frontier,
    lastSequence: Number(row.last_sequence),
  }));
}

// Twice as long as from one look to the next.
const RECENT = "interval '2 minutes'";

/** The edges of logs that were signed lately under this epoch, by whomever. They stay as they are until the transaction ends; those that grow now are missing. */
export async function holdRecentEdges(tx: Transaction, epoch: number, limit: number): Promise<Edge[]> {
  const { rows } = await tx.query<{ org_id: string; size: string; frontier: Buffer }>(
    `SELECT org_id, size, frontier FROM trees WHERE signed_epoch = $1
        AND org_id IN (SELECT org_id FROM checkpoints WHERE published_at > now() - ${RECENT}) LIMIT $2 FOR SHARE SKIP LOCKED`,
    [epoch, limit],
  );
  return rows.map(({ org_id: orgId, size, frontier }) => ({
    orgId: Buffer.from(orgId.replaceAll('-', ''), 'hex'),
    size: Number(size),
    frontier,
  }));
}

/*
 * Each part changes only what is as it was read: a tile that is there already, or has another width, a size that was signed before. What it could
 * not change is missing from the counts.
 */
const WRITE = `
WITH grown AS MATERIALIZED (
  SELECT * FROM unnest($2::uuid[], $3::int8[], $4::int8[], $5::bytea[], $6::bytea[], $7::text[])
    AS g (org_id, size_before, size, frontier, root, note)
), tile AS MATERIALIZED (
  SELECT * FROM unnest($8::uuid[], $9::int8[], $10::int8[], $11::int8[], $12::bytea[]) AS t (org_id, level, index, bytes_before, hashes)
), begun AS (
  INSERT INTO tiles (org_id, level, index, hashes) SELECT org_id, level, index, hashes FROM tile WHERE bytes_before = 0
  ON CONFLICT DO NOTHING RETURNING org_id
), continued AS (
  UPDATE tiles AS t SET hashes = t.hashes || tile.hashes FROM tile
   WHERE tile.bytes_before > 0 AND t.org_id = tile.org_id AND t.level = tile.level AND t.index = tile.index
     AND octet_length(t.hashes) = tile.bytes_before
  RETURNING t.org_id
), published AS (
  INSERT INTO checkpoints (org_id, epoch, size, root, note, published_at)
  SELECT org_id, $1, size, root, note, clock_timestamp() FROM grown ON CONFLICT DO NOTHING RETURNING org_id
), moved AS (
  UPDATE trees AS t SET size = g.size, frontier = g.frontier, signed_epoch = $1, signed_size = g.size
    FROM grown g WHERE t.org_id = g.org_id AND t.size = g.size_before
     AND (t.signed_epoch < $1 OR (t.signed_epoch = $1 AND t.signed_size < g.size))
  RETURNING t.org_id
)
SELECT org_id, count(*)::int AS changed
  FROM (SELECT org_id FROM begun UNION ALL SELECT org_id FROM continued UNION ALL SELECT org_id FROM published UNION ALL SELECT org_id FROM moved) c
 GROUP BY org_id`;

/** Writes what has grown, and the checkpoints signed under `epoch`. Returns those that were not as they should be: the transaction must not be committed. */
export async function writeGrowth(tx: Transaction, epoch: number, grown: readonly GrownTree[]): Promise<ClaimedTree[]> {
  if (grown.length === 0) return [];
  const tiles = grown.flatMap(({ tree, tiles: own }) => own.map((tile) => ({ ...tile, orgId: tree.orgId })));
  const { rows } = await tx.query<{ org_id: string; changed: number }>({
    name: 'write_growth',
    text: WRITE,
    values: [
      epoch,
      uuidArray(grown.map(({ tree }) => tree.orgId)),
      bigintArray(grown.map(({ tree }) => tree.size)),
      bigintArray(grown.map(({ size }) => size)),
      byteaArray(grown.map(({ frontier }) => frontier)),
      byteaArray(grown.map(({ root }) => root)),
      textArray(grown.map(({ note }) => note)),
      uuidArray(tiles.map(({ orgId }) => orgId)),
      bigintArray(tiles.map(({ level }) => level)),
      bigintArray(tiles.map(({ index }) => index)),
      bigintArray(tiles.map(({ widthBefore }) => widthBefore * HASH_BYTES)),
      byteaArray(tiles.map(({ hashes }) => Buffer.concat(hashes))),
    ],
  });
  const changed = new Map(rows.map((row) => [row.org_id, row.changed]));
  return grown.filter(({ tree, tiles: own }) => changed.get(uuidText(tree.orgId)) !== own.length + 2).map(({ tree }) => tree);
}

const THIN_ROWS = 10_000;

/**
 * Deletes checkpoints of the last `hours` before the last whole hour, but for the last of each hour and those that are in the deployment's log. The
 * newest of a log has none after it, and stays.
 */
export async function thinCheckpoints(db: Queryable, hours: number): Promise<void> {
  let deleted: number;
  do {
    const { rowCount } = await db.query(
      `DELETE FROM checkpoints WHERE ctid = ANY (ARRAY(
         SELECT c.ctid FROM checkpoints c
          WHERE c.published_at >= date_trunc('hour', now()) - make_interval(hours => $1 + 1)
            AND c.published_at < date_trunc('hour', now()) - interval '1 hour'
            AND EXISTS (SELECT 1 FROM checkpoints n WHERE n.org_id = c.org_id AND n.epoch = c.epoch AND n.size > c.size
                           AND date_trunc('hour', n.published_at) = date_trunc('hour', c.published_at))
            AND NOT EXISTS (SELECT 1 FROM anchors a WHERE a.org_id = c.org_id AND a.epoch = c.epoch AND a.size = c.size)
          LIMIT ${THIN_ROWS}))`,
      [hours],
    );
    deleted = rowCount ?? 0;
  } while (deleted === THIN_ROWS);
}

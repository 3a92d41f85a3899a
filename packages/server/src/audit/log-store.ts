// What the logs hold, for those who read them: sizes, checkpoints, and proofs from the tiles.

import {
  consistencyRanges,
  HASH_BYTES,
  inclusionRanges,
  rangeHash,
  TILE_WIDTH,
  tilesFor,
  type Range,
  type Tile,
  type TileBytes,
} from '@svc/trail';
import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { DEPLOYMENT_LOG } from './origin.ts';

/** A log as it stands. */
export interface Tree {
  /** Leaves in the tree: a little behind the trail. */
  readonly size: number;
  /** The sequence of the oldest event that is kept. */
  readonly keptFrom: number;
  /** That of the deployment, which new checkpoints are signed under. */
  readonly epoch: number;
  /** Of the last checkpoint under any epoch; -1: there is none yet. */
  readonly signedSize: number;
}

/** `null`: there is no such log. */
export async function findTree(db: Queryable, orgId: Buffer): Promise<Tree | null> {
  const { rows } = await db.query<{ size: string; kept_from: string; epoch: number; signed_size: string }>(
    `SELECT size, kept_from, signed_size, coalesce((SELECT epoch FROM trail_deployment), 1) AS epoch FROM trees WHERE org_id = $1`,
    [uuidText(orgId)],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    size: Number(row.size),
    keptFrom: Number(row.kept_from),
    epoch: row.epoch,
    signedSize: Number(row.signed_size),
  };
}

/** The organizations that have a log: all. */
export async function listLogs(db: Queryable): Promise<Buffer[]> {
  const { rows } = await db.query<{ org_id: string }>('SELECT org_id FROM trees WHERE org_id <> $1', [uuidText(DEPLOYMENT_LOG)]);
  return rows.map(({ org_id: orgId }) => Buffer.from(orgId.replaceAll('-', ''), 'hex'));
}

/** A checkpoint as it was published. */
export interface PublishedCheckpoint {
  readonly epoch: number;
  readonly size: number;
  readonly root: Buffer;
  /** The signed note. */
  readonly note: string;
  readonly publishedAtMs: number;
}

/**
 * The latest checkpoint of a log under the present epoch, or that of exactly `size`; `null`: it was never published, or not kept: of those older than an
 * hour the last of each hour is.
 */
export async function findCheckpoint(db: Queryable, orgId: Buffer, size?: number): Promise<PublishedCheckpoint | null> {
  const { rows } = await db.query<{ epoch: number; size: string; root: Buffer; note: string; published_at: Date }>(
    `SELECT epoch, size, root, note, published_at FROM checkpoints
      WHERE org_id = $1 AND epoch = (SELECT epoch FROM trail_deployment) AND ($2::int8 IS NULL OR size = $2)
      ORDER BY size DESC LIMIT 1`,
    [uuidText(orgId), size ?? null],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    epoch: row.epoch,
    size: Number(row.size),
    root: row.root,
    note: row.note,
    publishedAtMs: row.published_at.getTime(),
  };
}

/** Where hashes of tiles are looked up, as `rangeHash` asks for them. A tile that is not there has no bytes. */
export type TileLookup = (level: number, index: number) => TileBytes;

/** The tiles that are asked for, by one statement. A tile may have more hashes than `width`: the tree has grown since. */
export async function readTiles(
  db: Queryable,
  orgId: Buffer,
  tiles: readonly Pick<Tile, 'level' | 'index'>[],
): Promise<TileLookup> {
  if (tiles.length === 0) return () => NO_BYTES;
  const { rows } = await db.query<{ level: number; index: string; hashes: Buffer }>(
    `SELECT t.level, t.index, t.hashes FROM unnest($2::int2[], $3::int8[]) AS wanted (level, index)
       JOIN tiles t ON t.org_id = $1 AND t.level = wanted.level AND t.index = wanted.index`,
    [uuidText(orgId), tiles.map(({ level }) => level), tiles.map(({ index }) => index)],
  );
  const found = new Map(rows.map(({ level, index, hashes }) => [`${level}/${index}`, hashes]));
  return (level, index) => found.get(`${level}/${index}`) ?? NO_BYTES;
}

/** Hashes of subtrees of a tree of `size`, by one statement. Throws a RangeError where tiles are missing. */
export async function rangeHashes(db: Queryable, orgId: Buffer, ranges: readonly Range[], size: number): Promise<Buffer[]> {
  const tiles = await readTiles(db, orgId, tilesFor(ranges, size));
  return ranges.map((range) => rangeHash(range, tiles));
}

/** The root of the tree when it had `size` leaves, at least 1. Throws a RangeError where tiles are missing. */
export async function rootAt(db: Queryable, orgId: Buffer, size: number): Promise<Buffer> {
  return (await rangeHashes(db, orgId, [{ from: 0, to: size }], size))[0]!;
}

/** The roots of many trees, each when it had so many leaves, by one statement. `null`: tiles are missing. */
export async function rootsAt(
  db: Queryable,
  trees: readonly { readonly orgId: Buffer; readonly size: number }[],
): Promise<(Buffer | null)[]> {
  if (trees.length === 0) return [];
  const wanted = trees.flatMap(({ orgId, size }) => tilesFor([{ from: 0, to: size }], size).map((tile) => ({ orgId, tile })));
  const { rows } = await db.query<{ org_id: string; level: number; index: string; hashes: Buffer }>({
    name: 'read_tiles_of_logs',
    text: `SELECT t.org_id, t.level, t.index, t.hashes FROM unnest($1::uuid[], $2::int2[], $3::int8[]) AS wanted (org_id, level, index)
             JOIN tiles t ON t.org_id = wanted.org_id AND t.level = wanted.level AND t.index = wanted.index`,
    values: [
      wanted.map(({ orgId }) => uuidText(orgId)),
      wanted.map(({ tile }) => tile.level),
      wanted.map(({ tile }) => tile.index),
    ],
  });
  const found = new Map(rows.map((row) => [`${row.org_id}/${row.level}/${row.index}`, row.hashes]));
  return trees.map(({ orgId, size }) => {
    const uuid = uuidText(orgId);
    try {
      return rangeHash({ from: 0, to: size }, (level, index) => found.get(`${uuid}/${level}/${index}`) ?? NO_BYTES);
    } catch (err) {
      if (err instanceof RangeError) return null;
      throw err;
    }
  });
}

/** That the leaf `index` is in the tree of `size`. Throws a RangeError for a leaf that is not. */
export function proveInclusion(db: Queryable, orgId: Buffer, index: number, size: number): Promise<Buffer[]> {
  return rangeHashes(db, orgId, inclusionRanges(index, size), size);
}

/** That the tree of `to` begins with that of `from`. Throws a RangeError when `from` is above `to`. */
export function proveConsistency(db: Queryable, orgId: Buffer, from: number, to: number): Promise<Buffer[]> {
  return rangeHashes(db, orgId, consistencyRanges(from, to), to);
}

/** The hashes of the leaves `[from, to)`, in order. Throws a RangeError where tiles are missing. */
export function leafHashes(db: Queryable, orgId: Buffer, from: number, to: number): Promise<Buffer[]> {
  return hashesOf(db, orgId, 0, from, to);
}

/** The hashes `[from, to)` of a level of tiles, in order: each is over `256 ** level` leaves. */
export async function hashesOf(db: Queryable, orgId: Buffer, level: number, from: number, to: number): Promise<Buffer[]> {
  const first = Math.floor(from / TILE_WIDTH);
  const tiles = Array.from({ length: Math.max(0, Math.ceil(to / TILE_WIDTH) - first) }, (_, i) => ({ level, index: first + i }));
  const lookup = await readTiles(db, orgId, tiles);
  return Array.from({ length: Math.max(0, to - from) }, (_, i) => {
    const index = Math.floor((from + i) / TILE_WIDTH);
    const bytes = lookup(level, index);
    const start = ((from + i) % TILE_WIDTH) * HASH_BYTES;
    if (bytes.length < start + HASH_BYTES) throw new RangeError(`tile ${level}/${index} has too few hashes`);
    return Buffer.from(bytes.buffer, bytes.byteOffset + start, HASH_BYTES);
  });
}

const NO_BYTES = new Uint8Array();

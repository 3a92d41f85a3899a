// What is read of an organization's log: its checkpoints, proofs for events, tiles.

import { HASH_BYTES, parseTilePath, TILE_WIDTH, tileWidth, type Tile } from '@svc/trail';
import type { Principal } from '../access/principal.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import type { Services } from '../services.ts';
import { findLeafById, readLeaves, splitByBytes, type Leaf } from './leaves.ts';
import {
  findCheckpoint,
  findTree,
  leafHashes,
  proveConsistency,
  proveInclusion,
  readTiles,
  type PublishedCheckpoint,
} from './log-store.ts';

// The log is at most a second behind the trail.
const WAIT_MS = 1_500;
const ASK_AGAIN_MS = 50;
/** Of events and their texts, which are opened to know their digests: others are served between two parts. A text has up to a megabyte. */
const PART_BYTES = 262_144;
const BUNDLES_AT_ONCE = 2;
/** What the length before an entry of a bundle can say. */
const ENTRY_BYTES_MAX = 65_535;

/** The log of who asks. Throws `not_found` for test credentials: nothing of theirs is in a trail. */
export function logOf({ mode, organization }: Principal): Buffer {
  if (mode === 'test') throw notFound('log');
  return organization.uuid;
}

/**
 * The latest checkpoint, of at least `size`; waited for, as events are in the log a moment after their commit. `recheck` throws once the caller
 * may not read any more. Throws `unavailable` when it takes too long.
 */
export async function waitForCheckpoint(
  services: Pick<Services, 'db' | 'audit'>,
  orgId: Buffer,
  size: number,
  recheck: () => Promise<void>,
): Promise<PublishedCheckpoint> {
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const checkpoint = await latestCheckpoint(services, orgId);
    if (checkpoint !== null && checkpoint.size >= size) return checkpoint;
    if (performance.now() >= deadline)
      throw new AppError('unavailable', 'The log has not come so far yet. Repeat the request.', {
        headers: { 'retry-after': '1' },
      });
    services.audit.wake();
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    await recheck();
  }
}

/** The question that is under way for an organization: however many wait, it is asked once. */
const asked = new Map<string, Promise<PublishedCheckpoint | null>>();

function latestCheckpoint({ db }: Pick<Services, 'db'>, orgId: Buffer): Promise<PublishedCheckpoint | null> {
  const org = orgId.toString('hex');
  const pending = asked.get(org);
  if (pending !== undefined) return pending;
  const answer = findCheckpoint(db, orgId).finally(() => asked.delete(org));
  asked.set(org, answer);
  return answer;
}

/** The published checkpoint of exactly this size. Throws `not_found`, saying which is the latest. */
export async function checkpointAt(services: Pick<Services, 'db'>, orgId: Buffer, size: number): Promise<PublishedCheckpoint> {
  const checkpoint = await findCheckpoint(services.db, orgId, size);
  if (checkpoint !== null) return checkpoint;
  const latest = await findCheckpoint(services.db, orgId);
  throw new AppError(
    'not_found',
    `No checkpoint of size ${size} is published${latest === null ? '' : `; the latest is of size ${latest.size}`}.`,
  );
}

/** An event with its place in the log. */
export interface EventProof {
  readonly leaf: Leaf;
  readonly index: number;
  /** What the log holds at this place. */
  readonly hash: Buffer;
  /** From the leaf to the root of the checkpoint. */
  readonly hashes: readonly Buffer[];
  readonly checkpoint: PublishedCheckpoint;
}

/** Throws `not_found` for an event that is not there, `unavailable` where the log does not have it yet. */
export async function proveEvent(
  services: Services,
  orgId: Buffer,
  id: Buffer | null,
  size: number | undefined,
  recheck: () => Promise<void>,
): Promise<EventProof> {
  const leaf = id === null ? null : await findLeafById(services.db, services.vault, orgId, id);
  if (leaf === null) throw notFound('event');
  const index = leaf.event.sequence - 1;
  if (size !== undefined && size <= index) throw invalid('/query/size', `is not above ${index}, the index of the event’s leaf`);
  const checkpoint =
    size === undefined ? await waitForCheckpoint(services, orgId, index + 1, recheck) : await checkpointAt(services, orgId, size);
  const [[hash], hashes] = await Promise.all([
    leafHashes(services.db, orgId, index, index + 1),
    proveInclusion(services.db, orgId, index, checkpoint.size),
  ]);
  if (!leaf.hash.equals(hash!)) tellOfMismatch(services, leaf);
  return { leaf, index, hash: hash!, hashes, checkpoint };
}

/** Somebody changed the row, or the tile, outside of the service. */
export function tellOfMismatch({ log }: Pick<Services, 'log'>, { event }: Leaf): void {
  const where = { org_id: event.orgId, event_id: event.id, sequence: event.sequence };
  log.error(where, 'an event is not what its leaf in the log says: it was changed in the database');
}

/** That the tree of `to` begins with that of `from`. Throws `invalid_request` for sizes that are none of the log's. */
export async function proveGrowth(
  services: Services,
  orgId: Buffer,
  from: number,
  to: number | undefined,
  recheck: () => Promise<void>,
): Promise<{ readonly from: number; readonly to: number; readonly hashes: readonly Buffer[] }> {
  const { size } = await waitForCheckpoint(services, orgId, 0, recheck);
  const end = to ?? size;
  if (end > size) throw invalid('/query/to', `is above ${size}, the size of the latest checkpoint`);
  if (from > end) throw invalid('/query/from', `is above ${end}, the size it is to grow to`);
  return { from, to: end, hashes: await proveConsistency(services.db, orgId, from, end) };
}

/** A tile, or an entry bundle, as c2sp.org/tlog-tiles has them. Throws `not_found` for what the published tree does not have, or not any more. */
export async function readTileAt(services: Services, orgId: Buffer, path: string): Promise<Buffer> {
  const isBundle = path.startsWith('entries/');
  const tile = parseTilePath(isBundle ? `0/${path.slice('entries/'.length)}` : path);
  if (tile === null) throw notFound('tile');
  const checkpoint = await findCheckpoint(services.db.reader, orgId);
  if (checkpoint === null || tileWidth(tile.level, tile.index, checkpoint.size) < tile.width) throw notFound('tile');
  return isBundle ? readBundle(services, orgId, tile) : readHashes(services, orgId, tile);
}

async function readHashes({ db }: Services, orgId: Buffer, tile: Tile): Promise<Buffer> {
  const lookup = await readTiles(db.reader, orgId, [tile]);
  const bytes = lookup(tile.level, tile.index).subarray(0, tile.width * HASH_BYTES);
  if (bytes.length < tile.width * HASH_BYTES) throw new Error(`a tile of a published tree is cut: ${tile.level}/${tile.index}`);
  return Buffer.from(bytes);
}

/** The organizations that are being read a bundle of, each once: with texts one costs seconds. */
const reading = new Set<string>();

/** Each leaf after its length, in two bytes. Throws `unavailable` where too much is being read already. */
async function readBundle(services: Services, orgId: Buffer, tile: Tile): Promise<Buffer> {
  const org = orgId.toString('hex');
  if (reading.has(org) || reading.size >= BUNDLES_AT_ONCE)
    throw new AppError('unavailable', 'Entries are being read already, one bundle at a time for an organization.', {
      headers: { 'retry-after': '1' },
    });
  reading.add(org);
  try {
    return await readEntries(services, orgId, tile);
  } finally {
    reading.delete(org);
  }
}

async function readEntries({ db: { reader }, vault }: Services, orgId: Buffer, { index, width }: Tile): Promise<Buffer> {
  const after = index * TILE_WIDTH;
  const tree = await findTree(reader, orgId);
  if (tree === null || after + 1 < tree.keptFrom) throw new AppError('not_found', 'Events of this bundle are not kept any more.');
  const entries: Buffer[] = [];
  for (const part of await splitByBytes(reader, { orgId, after, until: after + width }, PART_BYTES))
    entries.push(...(await readLeaves(reader, vault, [part])).map(({ text }) => Buffer.from(text)));
  // Pruned meanwhile, or taken away; or a row that was blown up by hand.
  if (entries.length < width || entries.some(({ length }) => length > ENTRY_BYTES_MAX))
    throw new AppError('not_found', 'Not all events of this bundle are there any more as they were logged.');
  return Buffer.concat(entries.flatMap((entry) => [lengthOf(entry), entry]));
}

function lengthOf(entry: Buffer): Buffer {
  const length = Buffer.allocUnsafe(2);
  length.writeUInt16BE(entry.length);
  return length;
}

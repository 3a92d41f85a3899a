// After a restored backup. What was published since is gone, and whoever holds a checkpoint of it must not be shown another history under the same
// name: all logs go on under a new origin, and the trail says so.

import { nodesOf } from '@svc/trail';
import { newUuid, uuidText } from '../ids.ts';
import { changeEvent, type Actor, type Journal } from '../journal/journal.ts';
import type { Database, Queryable, Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { isBehind, isFork, rootOf, type Edge } from './edges.ts';
import { rangeHashes, rootsAt } from './log-store.ts';
import {
  beginEpoch,
  DEPLOYMENT_LOG,
  findDeployment,
  holdDeployment,
  lockDeployment,
  nameDeployment,
  originOf,
  readDeployment,
  type Deployment,
} from './origin.ts';
import { TrailMemory, type SignedLog } from './trail-memory.ts';

/**
 * How it was found: PostgreSQL is another server, or goes by another history; this node has signed what the database does not have; a witness has
 * seen more than there is; the operator said so.
 */
export type RestoredReason = 'server_changed' | 'behind_what_was_signed' | 'behind_witness' | 'declared';

/** The subject of the change feed that tells of a new origin. */
const ORIGIN_SUBJECT = 'trail origin';

// Of those older than an hour there is one an hour.
const CHECKPOINTS_TRIED_MAX = 200;

const SYSTEM: Actor = { type: 'system', id: null, ip: null };

export interface TrailParts {
  readonly db: Database;
  readonly journal: Journal;
  readonly dataDir: string;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly log: Logger;
}

/** Names the deployment at its first start, and finds out whether a backup was restored since the last. `publicUrl` as the settings have it. */
export async function openTrail(parts: TrailParts, publicUrl: string | null): Promise<void> {
  const name = publicUrl === null ? 'localhost' : new URL(publicUrl).host;
  await parts.db.transaction(async (tx) => {
    await lockDeployment(tx);
    await nameDeployment(tx, newUuid(), name);
  });
  await checkRestored(parts);
}

/** Looks for signs of a restored backup, and begins a new origin where there are any. Safe at any time, on any number of nodes. */
export async function checkRestored(parts: TrailParts): Promise<void> {
  const { db, dataDir, log } = parts;
  const { deployment, isSameServer } = await db.transaction(holdDeployment);
  const memory = await TrailMemory.open(dataDir, deployment, log);
  const reason = !isSameServer ? 'server_changed' : await findLost(db, deployment, memory);
  if (reason !== null) await declareRestored(parts, reason, deployment.epoch, lastEpochOf(memory));
}

async function findLost(db: Database, deployment: Deployment, memory: TrailMemory): Promise<RestoredReason | null> {
  for (const [hex, signed] of memory.logs) {
    const tree = await findEdge(db, Buffer.from(hex, 'hex'));
    if (await isLost(db, deployment, tree, signed)) return 'behind_what_was_signed';
  }
  return null;
}

async function isLost(db: Database, { epoch }: Deployment, tree: Edge | null, signed: SignedLog): Promise<boolean> {
  if (tree === null || isBehind(tree, epoch, signed)) return true;
  if (signed.epoch < epoch || tree.size === signed.size || signed.size === 0) return false;
  const [before] = await rootsAt(db, [{ orgId: tree.orgId, size: signed.size }]);
  return isFork(db, tree, before ?? null, signed);
}

/** The highest epoch that this node has signed under. */
export function lastEpochOf(memory: TrailMemory): number {
  let last = 0;
  for (const { epoch } of memory.logs.values()) last = Math.max(last, epoch);
  return last;
}

/**
 * Begins a new origin for all logs, and records `audit.restored` in every trail. `seenEpoch`: that of the deployment when it was found out; of several
 * nodes one does it, and for the others nothing is done. `usedEpoch`: any above it that was signed under. Returns whether it was done here.
 */
export async function declareRestored(
  { journal, clock, log }: Pick<TrailParts, 'journal' | 'clock'> & { readonly log?: Logger },
  reason: RestoredReason,
  seenEpoch: number,
  usedEpoch = 0,
): Promise<boolean> {
  return journal.transaction(async (tx, record, expire) => {
    await lockDeployment(tx);
    const previous = await readDeployment(tx);
    if (previous.epoch !== seenEpoch) return false;
    const deployment = await beginEpoch(tx, Math.max(previous.epoch, usedEpoch) + 1);
    await goBackToSigned(tx);
    await cutTiles(tx);
    for (const { orgId, size } of await restartAnchors(tx)) {
      const origins = { previous_origin: originOf(previous, orgId), origin: originOf(deployment, orgId) };
      record(changeEvent(orgId, 'audit.restored', SYSTEM, clock(), { ...origins, size, reason }));
    }
    expire(ORIGIN_SUBJECT);
    log?.warn(
      { reason, epoch: deployment.epoch, branch: deployment.branch },
      'a backup was restored: the logs of all organizations go on under a new origin',
    );
    return true;
  });
}

/** Where not all tables were put back to the same moment: a log whose edge is not that of its last checkpoint goes back to the newest one that its tiles bear out. */
async function goBackToSigned(tx: Transaction): Promise<void> {
  const { rows } = await tx.query<{ org_id: string; size: string; frontier: Buffer; root: Buffer | null }>(
    `SELECT t.org_id, t.size, t.frontier, c.root FROM trees t
       LEFT JOIN checkpoints c ON c.org_id = t.org_id AND c.epoch = t.signed_epoch AND c.size = t.size AND t.signed_size = t.size
      WHERE t.size > 0`,
  );
  for (const { org_id: org, size, frontier, root } of rows) {
    if (root !== null && rootOf({ size: Number(size), frontier })?.equals(root) === true) continue;
    const found = await findBorneOut(tx, bytesOf(org), Number(size));
    if (found === null) continue;
    await tx.query('UPDATE trees SET size = $2, frontier = $3, signed_epoch = $4, signed_size = $2 WHERE org_id = $1', [
      org,
      found.size,
      found.frontier,
      found.epoch,
    ]);
  }
}

/** The newest checkpoint of at most `sizeMax` that follows from the tiles. `null`: none of the last ones does. */
async function findBorneOut(tx: Transaction, orgId: Buffer, sizeMax: number): Promise<(Edge & { epoch: number }) | null> {
  const { rows } = await tx.query<{ epoch: number; size: string; root: Buffer }>(
    'SELECT epoch, size, root FROM checkpoints WHERE org_id = $1 AND size BETWEEN 1 AND $2 ORDER BY size DESC, epoch DESC LIMIT $3',
    [uuidText(orgId), sizeMax, CHECKPOINTS_TRIED_MAX],
  );
  for (const { epoch, size: text, root } of rows) {
    const size = Number(text);
    const ranges = nodesOf({ from: 0, to: size }).map(({ level, index }) => ({
      from: index * 2 ** level,
      to: (index + 1) * 2 ** level,
    }));
    // Tiles that are missing bear nothing out.
    const hashes = await rangeHashes(tx, orgId, ranges, size).catch((err: unknown) => {
      if (err instanceof RangeError) return [];
      throw err;
    });
    const edge = { orgId, size, frontier: Buffer.concat(hashes), epoch };
    if (rootOf(edge)?.equals(root) === true) return edge;
  }
  return null;
}

/** What is beyond the edges of the logs, where they alone were put back, is in the way of what comes. Checkpoints stay: they are of the old origin. */
async function cutTiles(tx: Transaction): Promise<void> {
  const edges = '(SELECT org_id, level, size >> (8 * level) AS hashes FROM trees, generate_series(0, 6) AS level) e';
  const isTile = 't.org_id = e.org_id AND t.level = e.level';
  await tx.query(`DELETE FROM tiles t USING ${edges} WHERE ${isTile} AND t.index >= (e.hashes + 255) / 256`);
  await tx.query(
    `UPDATE tiles t SET hashes = substr(t.hashes, 1, (e.hashes % 256 * 32)::int4) FROM ${edges}
      WHERE ${isTile} AND t.index = e.hashes / 256 AND octet_length(t.hashes) > e.hashes % 256 * 32`,
  );
  await tx.query('DELETE FROM anchors WHERE index >= (SELECT size FROM trees WHERE org_id = $1)', [uuidText(DEPLOYMENT_LOG)]);
}

/** Of the new origin nothing is anchored yet. Returns the organizations' logs. */
async function restartAnchors(tx: Transaction): Promise<{ orgId: Buffer; size: number }[]> {
  const { rows } = await tx.query<{ org_id: string; size: string }>(
    'UPDATE trees SET anchored_size = -1, anchored_at = NULL WHERE org_id <> $1 RETURNING org_id, size',
    [uuidText(DEPLOYMENT_LOG)],
  );
  return rows.map(({ org_id: orgId, size }) => ({ orgId: bytesOf(orgId), size: Number(size) }));
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

async function findEdge(db: Queryable, orgId: Buffer): Promise<Edge | null> {
  const { rows } = await db.query<{ size: string; frontier: Buffer }>('SELECT size, frontier FROM trees WHERE org_id = $1', [
    uuidText(orgId),
  ]);
  return rows[0] === undefined ? null : { orgId, size: Number(rows[0].size), frontier: rows[0].frontier };
}

/**
 * By the operator's word: the only sign where the whole data folder was set back. Returns the deployment with the new origin; `null`: no service was
 * started on this database yet.
 */
export async function declareRestoredByHand(parts: Pick<TrailParts, 'db' | 'journal' | 'clock'>): Promise<Deployment | null> {
  const previous = await findDeployment(parts.db);
  if (previous === null) return null;
  await declareRestored(parts, 'declared', previous.epoch);
  return readDeployment(parts.db);
}

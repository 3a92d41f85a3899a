// After a restored backup. What was published since is gone, and whoever holds a checkpoint of it must not be shown another history under the same
// name: all logs go on under a new origin, and the trail says so.

import { Frontier } from '@svc/trail';
import { newUuid, uuidText } from '../ids.ts';
import { changeEvent, type Actor, type Journal } from '../journal/journal.ts';
import type { Database, Queryable, Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { rootAt } from './log-store.ts';
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
export const ORIGIN_SUBJECT = 'trail origin';

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
  // A tile that is missing is another fault, and told by whoever reads it.
  const root = await rootAt(db, tree.orgId, signed.size).catch((err: unknown) => {
    if (err instanceof RangeError) return signed.root;
    throw err;
  });
  return !root.equals(signed.root);
}

/** A log's right edge. */
interface Edge {
  readonly orgId: Buffer;
  readonly size: number;
  readonly frontier: Buffer;
}

/** Whether a log, under the deployment's `epoch`, cannot be one that has gone on from what was signed: it is shorter, or another of the same size. */
export function isBehind({ size, frontier }: Pick<Edge, 'size' | 'frontier'>, epoch: number, signed: SignedLog): boolean {
  if (signed.epoch !== epoch) return signed.epoch > epoch;
  return size < signed.size || (size === signed.size && rootOf(size, frontier)?.equals(signed.root) === false);
}

/** `null`: the edge does not fit the size, which is another fault, and told by whoever goes on from it. */
function rootOf(size: number, frontier: Buffer): Buffer | null {
  try {
    return Frontier.restore(size, frontier).root();
  } catch (err) {
    if (err instanceof RangeError) return null;
    throw err;
  }
}

/** The highest epoch that this node has signed under. */
export function lastEpochOf(memory: TrailMemory): number {
  return Math.max(0, ...Array.from(memory.logs.values(), ({ epoch }) => epoch));
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
    const deployment = { ...previous, epoch: Math.max(previous.epoch, usedEpoch) + 1 };
    await beginEpoch(tx, deployment.epoch);
    for (const { orgId, size } of await restartAnchors(tx)) {
      const origins = { previous_origin: originOf(previous, orgId), origin: originOf(deployment, orgId) };
      record(changeEvent(orgId, 'audit.restored', SYSTEM, clock(), { ...origins, size, reason }));
    }
    expire(ORIGIN_SUBJECT);
    log?.warn(
      { reason, epoch: deployment.epoch },
      'a backup was restored: the logs of all organizations go on under a new origin',
    );
    return true;
  });
}

/** Of the new origin nothing is anchored yet. Returns the organizations' logs. */
async function restartAnchors(tx: Transaction): Promise<{ orgId: Buffer; size: number }[]> {
  const { rows } = await tx.query<{ org_id: string; size: string }>(
    'UPDATE trees SET anchored_size = -1, anchored_at = NULL WHERE org_id <> $1 RETURNING org_id, size',
    [uuidText(DEPLOYMENT_LOG)],
  );
  return rows.map(({ org_id: orgId, size }) => ({ orgId: Buffer.from(orgId.replaceAll('-', ''), 'hex'), size: Number(size) }));
}

async function findEdge(db: Queryable, orgId: Buffer): Promise<Edge | null> {
  const { rows } = await db.query<{ size: string; frontier: Buffer }>('SELECT size, frontier FROM trees WHERE org_id = $1', [
    uuidText(orgId),
  ]);
  return rows[0] === undefined ? null : { orgId, size: Number(rows[0].size), frontier: rows[0].frontier };
}

/**
 * By the operator's word: the only sign where the whole data folder was set back. `epochMin`: the least number of the new origin. Returns the deployment
 * with it; `null`: no service was started on this database yet.
 */
export async function declareRestoredByHand(
  parts: Pick<TrailParts, 'db' | 'journal' | 'clock'>,
  epochMin: number,
): Promise<Deployment | null> {
  const previous = await findDeployment(parts.db);
  if (previous === null) return null;
  await declareRestored(parts, 'declared', previous.epoch, epochMin - 1);
  return readDeployment(parts.db);
}

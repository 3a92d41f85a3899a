// The right edges of logs, held against what was signed before they are signed on: by this node, as it remembers, or by any, as the last checkpoint
// tells. Who can write to the database, but has no key, cannot have another history signed.

import { Frontier, isConsistent, openNote, parseCheckpoint, parseVerifier } from '@svc/trail';
import { uuidText } from '../ids.ts';
import { uuidArray } from '../journal/arrays.ts';
import type { Queryable } from '../storage/database.ts';
import type { TrailKeys } from './keys.ts';
import { proveConsistency, rootsAt } from './log-store.ts';
import { isOriginOf, originOf, originOfNote, type Deployment } from './origin.ts';
import type { SignedLog, TrailMemory } from './trail-memory.ts';

/** A log's right edge. */
export interface Edge {
  readonly orgId: Buffer;
  readonly size: number;
  readonly frontier: Buffer;
}

/** What came of it. Where the database was set back nothing may be signed, of any log; those with `faults`, each told, are to be left alone. */
export interface CheckedEdges<E extends Edge> {
  readonly isSetBack: boolean;
  readonly faults: ReadonlyMap<E, string>;
}

/**
 * Costs nothing where each is as this node signed it last. For others it reads their last checkpoints, and the tiles of what this node signed. The edges
 * are to be locked.
 */
export async function checkEdges<E extends Edge>(
  db: Queryable,
  deployment: Deployment,
  edges: readonly E[],
  { memory, keys }: { readonly memory: TrailMemory; readonly keys: TrailKeys },
): Promise<CheckedEdges<E>> {
  const { epoch } = deployment;
  const faults = new Map<E, string>();
  const others: E[] = [];
  for (const edge of edges) {
    const signed = memory.find(edge.orgId);
    if (signed !== undefined && isBehind(edge, epoch, signed)) return { isSetBack: true, faults };
    if (edge.size > 0 && !(signed?.epoch === epoch && signed.size === edge.size)) others.push(edge);
  }
  if (others.length === 0) return { isSetBack: false, faults };
  const checkpoints = await readLastCheckpoints(db, others);
  const grown: { edge: E; signed: SignedLog }[] = [];
  for (const edge of others) {
    const signed = memory.find(edge.orgId);
    if (!isSigned(edge, checkpoints.get(uuidText(edge.orgId)), deployment, keys))
      faults.set(edge, 'its last checkpoint is not there, or not what was signed');
    else if (signed?.epoch === epoch) grown.push({ edge, signed });
  }
  return { isSetBack: await findFork(db, grown, faults), faults };
}

/** Whether one, of which another node signed more, does not go on from what this one signed. */
async function findFork<E extends Edge>(
  db: Queryable,
  grown: readonly { readonly edge: E; readonly signed: SignedLog }[],
  faults: Map<E, string>,
): Promise<boolean> {
  const before = await rootsAt(
    db,
    grown.map(({ edge, signed }) => ({ orgId: edge.orgId, size: signed.size })),
  );
  for (const [i, { edge, signed }] of grown.entries()) {
    if (before[i]?.equals(signed.root) === true) continue;
    if (await isFork(db, edge, before[i] ?? null, signed)) return true;
    faults.set(edge, 'tiles are not as the tree says');
  }
  return false;
}

/**
 * Whether a log, which began with `before` by its tiles, has never gone through what was signed of it. Tiles that are missing, or do not lead to its
 * edge, say nothing of that.
 */
export async function isFork(db: Queryable, edge: Edge, before: Buffer | null, signed: SignedLog): Promise<boolean> {
  const root = rootOf(edge);
  if (root === null || before === null || before.equals(signed.root)) return false;
  const proof = await proveConsistency(db, edge.orgId, signed.size, edge.size).catch((err: unknown) => {
    if (err instanceof RangeError) return null;
    throw err;
  });
  return proof !== null && isConsistent(signed.size, before, edge.size, root, proof);
}

/** Whether a log, under the deployment's `epoch`, cannot be one that has gone on from what was signed: it is shorter, or another of the same size. */
export function isBehind(edge: Omit<Edge, 'orgId'>, epoch: number, signed: SignedLog): boolean {
  if (signed.epoch !== epoch) return signed.epoch > epoch;
  return edge.size < signed.size || (edge.size === signed.size && rootOf(edge)?.equals(signed.root) === false);
}

/** `null`: the edge does not fit the size, which is another fault, and told by whoever goes on from it. */
export function rootOf({ size, frontier }: Omit<Edge, 'orgId'>): Buffer | null {
  try {
    return Frontier.restore(size, frontier).root();
  } catch (err) {
    if (err instanceof RangeError) return null;
    throw err;
  }
}

interface LastCheckpoint {
  readonly epoch: number;
  readonly note: string;
}

/** Under a new origin the log goes on from the last checkpoint under the one before. */
function isSigned(edge: Edge, checkpoint: LastCheckpoint | undefined, deployment: Deployment, keys: TrailKeys): boolean {
  const root = rootOf(edge);
  if (checkpoint === undefined || root === null) return false;
  const origin = originOfNote(checkpoint.note);
  const isOurs =
    checkpoint.epoch === deployment.epoch
      ? origin === originOf(deployment, edge.orgId)
      : isOriginOf(origin, deployment, edge.orgId);
  if (!isOurs) return false;
  const verifiers = keys.verifiers(origin).map(({ vkey }) => parseVerifier(vkey)!);
  const text = openNote(checkpoint.note, verifiers)?.text;
  const signed = text === undefined ? null : parseCheckpoint(text);
  return signed?.size === edge.size && signed.root.equals(root);
}

/** By the organization's UUID, those that were signed at the present size. */
async function readLastCheckpoints(db: Queryable, edges: readonly Edge[]): Promise<ReadonlyMap<string, LastCheckpoint>> {
  const { rows } = await db.query<{ org_id: string; epoch: number; note: string }>({
    name: 'read_last_checkpoints',
    text: `SELECT c.org_id, c.epoch, c.note FROM trees t JOIN checkpoints c ON c.org_id = t.org_id AND c.epoch = t.signed_epoch AND c.size = t.signed_size
            WHERE t.org_id = ANY($1::uuid[]) AND t.signed_size = t.size`,
    values: [uuidArray(edges.map(({ orgId }) => orgId))],
  });
  return new Map(rows.map(({ org_id: orgId, epoch, note }) => [orgId, { epoch, note }]));
}

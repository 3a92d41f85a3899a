// Where a trail begins. Whoever writes to the database could delete its front and say that it was retention: an event in the log has to say so.

import type { Vault } from '../access/vault.ts';
import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { findLeafById, type Leaf } from './leaves.ts';
import { leafHashes } from './log-store.ts';

export interface Beginning {
  /** The sequence of the oldest event that is kept, as `trees` has it. */
  readonly keptFrom: number;
  /** The same, as far as the log explains it: by the `audit.pruned` that `trees` names. 1: by none. */
  readonly explained: number;
  /** Whether the event that explains it is not covered by a signed checkpoint yet. Nothing is deleted until it is. */
  readonly isPending: boolean;
}

/** `null`: there is no such log. */
export async function findBeginning(db: Queryable, vault: Vault, orgId: Buffer): Promise<Beginning | null> {
  const { rows } = await db.query<{ kept_from: string; pruned_by: string | null; signed: string }>(
    'SELECT kept_from, pruned_by, least(size, signed_size) AS signed FROM trees WHERE org_id = $1',
    [uuidText(orgId)],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const keptFrom = Number(row.kept_from);
  const leaf = row.pruned_by === null ? null : await findPruned(db, vault, orgId, row.pruned_by);
  const told = leaf === null ? 1 : toldBy(leaf);
  if (leaf === null || told === 1) return { keptFrom, explained: 1, isPending: false };
  if (leaf.event.sequence > Number(row.signed)) return { keptFrom, explained: 1, isPending: told === keptFrom };
  const isLogged = await isInTiles(db, orgId, leaf);
  return { keptFrom, explained: isLogged ? told : 1, isPending: false };
}

function findPruned(db: Queryable, vault: Vault, orgId: Buffer, uuid: string): Promise<Leaf | null> {
  return findLeafById(db, vault, orgId, Buffer.from(uuid.replaceAll('-', ''), 'hex'));
}

/** From where on the trail is kept, as an event says; 1: it says nothing of it. */
function toldBy({ event, data }: Leaf): number {
  const { to } = (data ?? {}) as { readonly to?: unknown };
  const isTold = event.kind === 'audit.pruned' && typeof to === 'number' && Number.isSafeInteger(to);
  return isTold && to >= 1 && to < event.sequence ? to + 1 : 1;
}

async function isInTiles(db: Queryable, orgId: Buffer, { event: { sequence }, hash }: Leaf): Promise<boolean> {
  try {
    return (await leafHashes(db, orgId, sequence - 1, sequence))[0]!.equals(hash);
  } catch (err) {
    if (err instanceof RangeError) return false; // its tile is lost
    throw err;
  }
}

// The hashes of single leaves, for lists of events.

import { HASH_BYTES, TILE_WIDTH } from '@svc/trail';
import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

/** Of each sequence, by one statement; those that the log does not have yet are missing. */
export async function findLeafHashes(
  db: Queryable,
  orgId: Buffer,
  sequences: readonly number[],
): Promise<ReadonlyMap<number, Buffer>> {
  if (sequences.length === 0) return new Map();
  const { rows } = await db.query<{ sequence: string; hash: Buffer }>({
    name: 'find_leaf_hashes',
    // Tiles are stored so that a part of one is read without the rest.
    text: `SELECT s.sequence, substr(t.hashes, ((s.sequence - 1) % ${TILE_WIDTH} * ${HASH_BYTES} + 1)::int4, ${HASH_BYTES}) AS hash
             FROM unnest($2::int8[]) AS s (sequence)
             JOIN tiles t ON t.org_id = $1 AND t.level = 0 AND t.index = (s.sequence - 1) / ${TILE_WIDTH}`,
    values: [uuidText(orgId), sequences],
  });
  return new Map(rows.filter(({ hash }) => hash.length === HASH_BYTES).map(({ sequence, hash }) => [Number(sequence), hash]));
}

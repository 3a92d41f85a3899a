// For tests and benchmarks of the logs: events by the thousand, extenders of one's own, and the tree as RFC 6962 defines it.

import { EMPTY_ROOT, nodeHash } from '@svc/trail';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { WitnessAddress } from '../config.ts';
import { uuidText } from '../ids.ts';
import type { Services } from '../services.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { Anchor } from './anchor.ts';
import { TreeExtender } from './extender.ts';
import { TrailKeys } from './keys.ts';
import { readLeaves, type Leaf } from './leaves.ts';
import { findTree } from './log-store.ts';
import { readDeployment } from './origin.ts';
import type { RestoredReason } from './restored.ts';
import { TrailMemory } from './trail-memory.ts';

const DATA = JSON.stringify({ outcome: 'flagged', score: 0.5, severity: 'low', findings: [], metadata: { team: 'one' } });

/** Commits events as the journal does, by one statement, without what else an assessment is. */
export async function insertEvents(db: Database, orgId: Buffer, count: number): Promise<void> {
  await db.query(
    `WITH counter AS (
       UPDATE event_counters SET last_sequence = last_sequence + $2 WHERE org_id = $1 RETURNING last_sequence - $2 AS before
     )
     INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, actor_id, actor_ip, subject_user, categories, data)
     SELECT $1, counter.before + n,
            (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::int8), 12, '0') || substr(md5(random()::text), 1, 20))::uuid,
            'inference.flagged', now(), date_trunc('milliseconds', now()), 'api_key', 'key_1', '192.0.2.1', 'user ' || n, ' privacy ', $3
       FROM counter, generate_series(1, $2::int) n`,
    [uuidText(orgId), count, DATA],
  );
}

export interface OwnExtender {
  readonly extender: TreeExtender;
  readonly keys: TrailKeys;
  readonly memory: TrailMemory;
  /** What it said of a database that was set back. */
  readonly setBacks: RestoredReason[];
}

/** An extender as another node has it, with a memory of its own. `dataDir`: where that is kept. */
export async function createExtender(
  { db, vault, log: itsLog }: Pick<Services, 'db' | 'vault' | 'log'>,
  { dataDir, log = itsLog }: { readonly dataDir?: string; readonly log?: Logger } = {},
): Promise<OwnExtender> {
  const keys = new TrailKeys(db, vault);
  await keys.load();
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'svc-trail-')));
  const memory = await TrailMemory.open(folder, await readDeployment(db), log);
  const setBacks: RestoredReason[] = [];
  const onSetBack = (reason: RestoredReason) => setBacks.push(reason);
  return { extender: new TreeExtender({ db, vault, keys, memory, log, onGrown: () => {}, onSetBack }), keys, memory, setBacks };
}

export interface OwnAnchor {
  readonly anchor: Anchor;
  readonly keys: TrailKeys;
  /** What it said of a database that was set back, and the epoch. */
  readonly setBacks: [RestoredReason, number][];
  /** What it logged: the lines, parsed. */
  readonly lines: Record<string, unknown>[];
}

/** An anchor as another node has it, with a memory of its own. */
export async function createAnchor(
  { db, vault }: Pick<Services, 'db' | 'vault'>,
  witnesses: readonly WitnessAddress[] = [],
): Promise<OwnAnchor> {
  const keys = new TrailKeys(db, vault);
  await keys.load();
  const lines: Record<string, unknown>[] = [];
  const log = pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const memory = await TrailMemory.open(await mkdtemp(join(tmpdir(), 'svc-trail-')), await readDeployment(db), log);
  const setBacks: [RestoredReason, number][] = [];
  const onSetBack = (reason: RestoredReason, seenEpoch: number) => setBacks.push([reason, seenEpoch]);
  return { anchor: new Anchor({ db, keys, memory, witnesses, log, onSetBack }), keys, setBacks, lines };
}

/** All leaves that the log should have, read from the trail anew. */
export async function leavesOf({ db, vault }: Pick<Services, 'db' | 'vault'>, orgId: Buffer): Promise<Leaf[]> {
  const tree = await findTree(db, orgId);
  const leaves: Leaf[] = [];
  while (leaves.length < tree!.size) {
    const read = await readLeaves(db, vault, [
      { orgId, after: leaves.length, until: Math.min(tree!.size, leaves.length + 5_000) },
    ]);
    if (read.length === 0) throw new Error('events are missing');
    leaves.push(...read);
  }
  return leaves;
}

/** RFC 6962's definition, word for word. */
export function merkleTreeHash(hashes: readonly Buffer[]): Buffer {
  if (hashes.length <= 1) return hashes[0] ?? EMPTY_ROOT;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return nodeHash(merkleTreeHash(hashes.slice(0, left)), merkleTreeHash(hashes.slice(left)));
}

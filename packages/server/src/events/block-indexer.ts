// Writes down what each block of a trail holds, once it is whole. Beside the log's own work, on any number of nodes: what two do is the same, and what none
// has done only costs time when a list comes to it.

import { uuidText } from '../ids.ts';
import type { Database, Queryable, Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { BLOCK_EVENTS, BlockFilters, type ListedEvent } from './blocks.ts';
import { SEARCHED } from './store.ts';

interface Parts {
  readonly db: Database;
  readonly log: Logger;
}

// What a node left behind that was killed, and blocks of which something was erased.
const SWEEP_INTERVAL_MS = 3_600_000;
const SWEPT_AT_ONCE = 500;
const ORGANIZATION_LOCKS = 7_381_012;

interface Block {
  readonly orgId: string;
  readonly block: number;
}

export class BlockIndexer {
  readonly #parts: Parts;
  #waiting: Block[] = [];
  #isSweepDue = true;
  #sweep: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  start(): void {
    this.#sweep = setInterval(() => {
      this.#isSweepDue = true;
      this.#wake();
    }, SWEEP_INTERVAL_MS).unref();
    this.#wake();
  }

  /** A log grew from so many events to so many. */
  grew(orgId: Buffer, from: number, to: number): void {
    for (let block = blockOf(from + 1); block < blockOf(to + 1); block++) this.#waiting.push({ orgId: uuidText(orgId), block });
    if (this.#waiting.length > 0) this.#wake();
  }

  /** Ends after the block that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#sweep !== null) clearInterval(this.#sweep);
    await this.#running;
  }

  #wake(): void {
    if (!this.#isClosed) this.#running ??= this.#run().finally(() => (this.#running = null));
  }

  async #run(): Promise<void> {
    const { db, log } = this.#parts;
    try {
      while (!this.#isClosed) {
        const next = this.#waiting.shift();
        if (next !== undefined) await db.transaction((tx) => indexBlock(tx, next));
        else if (this.#isSweepDue) {
          this.#waiting = await listUnindexed(db);
          this.#isSweepDue = this.#waiting.length === SWEPT_AT_ONCE;
        } else return;
      }
    } catch (err) {
      // The next sweep finds what is left.
      this.#waiting = [];
      log.warn({ err }, 'lists of events are slower until what blocks of the trail hold can be written down');
    }
  }
}

/** Forgets what the block of an event holds, of which something is erased in this transaction. */
export async function forgetBlockOf(tx: Transaction, orgId: Buffer, sequence: number): Promise<void> {
  const place = { orgId: uuidText(orgId), block: blockOf(sequence) };
  await lockBlocks(tx, place.orgId);
  await tx.query('DELETE FROM event_blocks WHERE org_id = $1 AND block = $2', [place.orgId, place.block]);
}

/** Forgets all blocks up to that of the event `sequence`, which retention deletes. */
export async function forgetBlocksUpTo(tx: Transaction, orgId: Buffer, sequence: number): Promise<void> {
  await lockBlocks(tx, uuidText(orgId));
  await tx.query('DELETE FROM event_blocks WHERE org_id = $1 AND block <= $2', [uuidText(orgId), blockOf(sequence)]);
}

function blockOf(sequence: number): number {
  return Math.floor(sequence / BLOCK_EVENTS);
}

/** Whoever erases something and whoever reads it do not pass each other. */
async function lockBlocks(tx: Transaction, orgId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [ORGANIZATION_LOCKS, orgId]);
}

type Row = ListedEvent & { readonly id: string; readonly recorded_from: string; readonly recorded_to: string };

async function indexBlock(tx: Transaction, { orgId, block }: Block): Promise<void> {
  await lockBlocks(tx, orgId);
  const { rows } = await tx.query<Row>({
    name: 'read_event_block',
    text: `SELECT id, kind, actor_id, model, subject_user, subject_session, subject_agent, probe_id, categories, ${SEARCHED} AS searched,
                  (min(recorded_at) OVER ())::text AS recorded_from, (max(recorded_at) OVER ())::text AS recorded_to
             FROM events WHERE org_id = $1 AND sequence >= $2 AND sequence < $3`,
    values: [orgId, block * BLOCK_EVENTS, (block + 1) * BLOCK_EVENTS],
  });
  // Retention has deleted it.
  if (rows.length === 0) return;
  const filters = new BlockFilters();
  for (const row of rows) filters.add(row);
  // As bytes: what PostgreSQL writes of a UUID is always of the same length and in small letters.
  const ids = rows.map(({ id }) => id).toSorted();
  const { recorded_from: from, recorded_to: to } = rows[0]!;
  await tx.query({
    name: 'write_event_block',
    text: `INSERT INTO event_blocks (org_id, block, first_id, last_id, recorded_from, recorded_to, terms, trigrams)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
    values: [orgId, block, ids[0], ids.at(-1), from, to, filters.terms, filters.trigrams],
  });
}

async function listUnindexed(db: Queryable): Promise<Block[]> {
  const { rows } = await db.query<{ org_id: string; block: string }>(
    `SELECT t.org_id, n AS block FROM trees t CROSS JOIN LATERAL generate_series(t.kept_from / ${BLOCK_EVENTS}, (t.size + 1) / ${BLOCK_EVENTS} - 1) n
      WHERE t.size + 1 >= ${BLOCK_EVENTS} AND NOT EXISTS (SELECT 1 FROM event_blocks b WHERE b.org_id = t.org_id AND b.block = n)
      ORDER BY n DESC LIMIT ${SWEPT_AT_ONCE}`,
  );
  return rows.map(({ org_id: orgId, block }) => ({ orgId, block: Number(block) }));
}

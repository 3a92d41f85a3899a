// Promises of the blocks that lists pass over: what is known of them never hides an event.

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newUuid, uuidText } from '../ids.ts';
import { openDatabase, type Database, type Queryable } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { createLog } from '../telemetry/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import { BlockIndexer, forgetBlockOf, forgetBlocksUpTo } from './block-indexer.ts';
import { BLOCK_EVENTS } from './blocks.ts';
import { listEvents, pullEvents, SEARCHED, type EventFilter } from './store.ts';

const EVENTS = 8 * BLOCK_EVENTS + 300;
const FIRST_MS = Date.UTC(2026, 0, 1);
/** Times go up and down a little, as they do where a clock is set. */
const recordedAt = (sequence: number) => FIRST_MS + sequence * 1_000 + (sequence % 7) * 300;
const org = newUuid();
const other = newUuid();
const { log } = createLog('silent');

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, () => {});
  await migrate(db);
  for (const id of [org, other]) {
    await db.query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'o', 'scale', now())", [uuidText(id)]);
    await db.query('INSERT INTO event_counters VALUES ($1, $2)', [uuidText(id), EVENTS]);
    await db.query('INSERT INTO trees (org_id, size) VALUES ($1, $2)', [uuidText(id), EVENTS]);
  }
  // Of some things each block has many, of some one block has one, and of some there are none.
  await db.query(
    `INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, actor_id, model, subject_user, subject_session, subject_agent,
                         external_id, probe_id, categories, data)
     SELECT $1, i, (lpad(to_hex($3::int8 + i * 1000), 12, '0') || '70008000' || lpad(to_hex(i), 12, '0'))::uuid,
            CASE WHEN i % 2500 = 7 THEN 'policy.updated' WHEN i % 3 = 0 THEN 'inference.flagged' ELSE 'inference.allowed' END,
            now(), to_timestamp(($3::int8 + i * 1000 + (i % 7) * 300) / 1000.0), 'api_key', 'key_' || i / 3000, CASE WHEN i > 6000 THEN 'Größe-' || i % 3 END,
            'user-' || i % 4000, CASE WHEN i % 5 = 0 THEN md5(i::text) END, CASE WHEN i = 4321 THEN 'lone agent' END,
            CASE WHEN i % 4 = 0 THEN 'Request-' || i END, CASE WHEN i % 900 = 0 THEN 'probe-' || i END,
            CASE WHEN i % 3 = 0 THEN CASE WHEN i % 2001 = 0 THEN ' data.pii attack.injection ' ELSE ' harm.self ' END END, '{}'
       FROM generate_series(1, $2::int) i`,
    [uuidText(org), EVENTS, FIRST_MS],
  );
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

async function indexAll(): Promise<void> {
  const indexer = new BlockIndexer({ db, log });
  indexer.start();
  await expect.poll(blocks).toEqual(Array.from({ length: EVENTS / BLOCK_EVENTS }, (_, i) => i));
  await indexer.close();
}

async function blocks(): Promise<number[]> {
  const { rows } = await db.query<{ block: string }>('SELECT block FROM event_blocks WHERE org_id = $1 ORDER BY block', [
    uuidText(org),
  ]);
  return rows.map(({ block }) => Number(block));
}

/** How often events were read, a block at a time. */
async function countReads(read: (db: Queryable) => Promise<unknown>): Promise<number> {
  let reads = 0;
  await read({
    async query(text, values) {
      const { rows } = await db.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${text as string}`,
        values,
      );
      for (const { 'QUERY PLAN': line } of rows) reads += Number(/ on events_first .* loops=(\d+)/.exec(line)?.[1] ?? 0);
      return db.query(text, values);
    },
  });
  return reads;
}

const WORDS = [
  'user-77',
  'user-3999',
  'nobody',
  'lone agent',
  'key_1',
  'probe-2700',
  'größe-1',
  'Größe-1',
  'request-4',
  'allowed größe',
  'ED ',
  '',
  '-',
];
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined, freq: 2 });
const filters: fc.Arbitrary<EventFilter> = fc
  .record({
    kinds: optional(fc.subarray(['policy.updated', 'inference.flagged', 'inference.blocked', 'drift.sustained'])),
    category: optional(fc.constantFrom('data.pii', 'data', 'attack.injection', 'harm', 'harm.self', 'none', 'data.p')),
    model: optional(fc.constantFrom('Größe-0', 'Größe-2', 'größe-0')),
    actor: optional(fc.constantFrom('key_0', 'key_2', 'key_9')),
    subject: optional(
      fc.oneof(
        fc.constantFrom('user-77', 'lone agent', 'nobody'),
        fc.nat(EVENTS).map((i) => `user-${i}`),
      ),
    ),
    externalId: optional(fc.nat(EVENTS).map((i) => `Request-${i}`)),
    probeId: optional(fc.constantFrom('probe-900', 'probe-2700', 'probe-1')),
    sinceMs: optional(fc.nat(EVENTS).map(recordedAt)),
    untilMs: optional(fc.nat(EVENTS).map(recordedAt)),
    text: optional(fc.constantFrom(...WORDS)),
  })
  .map((filter): EventFilter => {
    // Most often one or two of them: all together nothing would match.
    const given = Object.entries(filter).filter(([, value]) => value !== undefined);
    return Object.fromEntries(given.slice(0, 2));
  });

/** The same by reading everything. */
async function oracle({ kinds, category, model, actor, subject, externalId, probeId, sinceMs, untilMs, text }: EventFilter) {
  const { rows } = await db.query<{ sequence: string }>(
    `SELECT sequence FROM events WHERE org_id = $1 AND ($2::text[] IS NULL OR kind = ANY ($2))
        AND ($3::text IS NULL OR EXISTS (SELECT 1 FROM regexp_split_to_table(coalesce(categories, ''), ' ') c WHERE c = $3 OR split_part(c, '.', 1) = $3))
        AND ($4::text IS NULL OR model = $4) AND ($5::text IS NULL OR actor_id = $5)
        AND ($6::text IS NULL OR subject_user = $6 OR subject_session = $6 OR subject_agent = $6)
        AND ($7::text IS NULL OR external_id = $7) AND ($8::text IS NULL OR probe_id = $8)
        AND ($9::timestamptz IS NULL OR recorded_at >= $9) AND ($10::timestamptz IS NULL OR recorded_at < $10)
        AND ($11::text IS NULL OR strpos(${SEARCHED}, $11) > 0) ORDER BY sequence`,
    [
      uuidText(org),
      kinds,
      category,
      model,
      actor,
      subject,
      externalId,
      probeId,
      sinceMs === undefined ? null : new Date(sinceMs),
      untilMs === undefined ? null : new Date(untilMs),
      text?.toLowerCase(),
    ].map((value) => value ?? null),
  );
  return rows.map(({ sequence }) => Number(sequence));
}

describe.each([
  ['before anything is known of its blocks', async () => {}],
  ['once all of them are known', indexAll],
  [
    'when some are forgotten',
    async () => {
      await db.transaction((tx) => forgetBlockOf(tx, org, 5 * BLOCK_EVENTS + 3));
      expect(await blocks()).not.toContain(5);
    },
  ],
])('a trail, %s', (_, prepare) => {
  test('is listed and pulled as if everything were read, whatever the filter, the place and the limit', async () => {
    await prepare();
    await fc.assert(
      fc.asyncProperty(filters, fc.nat(EVENTS + 2), fc.integer({ min: 1, max: 60 }), async (filter, place, limit) => {
        const all = await oracle(filter);
        const listed = await listEvents(db, org, filter, place, limit);
        expect(listed.map(({ sequence }) => sequence)).toEqual(
          all
            .filter((at) => at < place)
            .toReversed()
            .slice(0, limit),
        );
        const pulled = await pullEvents(db, org, filter, place, limit);
        expect(pulled.map(({ sequence }) => sequence)).toEqual(all.filter((at) => at > place).slice(0, limit));
      }),
      { numRuns: 60 },
    );
    expect(await listEvents(db, other, {}, null, 10)).toEqual([]);
  });
});

test.each<[string, EventFilter]>([
  ['a subject', { subject: 'lone agent' }],
  ['a kind', { kinds: ['policy.updated'] }],
  ['a category', { category: 'data.pii' }],
  ['an actor', { actor: 'key_2' }],
  ['a word', { text: 'lone agent' }],
  ['a word that nobody wrote', { text: 'nobody-wrote-this' }],
  ['a time', { untilMs: recordedAt(500) }],
])('to list %s, blocks in which nothing matches are not read', async (_, filter) => {
  await indexAll();
  const matching = new Set((await oracle(filter)).map((sequence) => Math.floor(sequence / BLOCK_EVENTS)));
  const reads = await countReads((queryable) => listEvents(queryable, org, filter, null, 200));
  // And the newest, which is not whole yet, and one that a filter may be wrong about.
  expect(reads).toBeLessThanOrEqual(matching.size + 2);
});

test('a block that grew whole is known without a sweep, and not before', async () => {
  await db.query('DELETE FROM event_blocks');
  const indexer = new BlockIndexer({ db, log });
  indexer.grew(org, 0, BLOCK_EVENTS - 2);
  indexer.grew(org, BLOCK_EVENTS - 2, BLOCK_EVENTS - 1);
  await expect.poll(blocks).toContain(0);
  indexer.grew(org, BLOCK_EVENTS - 1, 3 * BLOCK_EVENTS + 5);
  await expect.poll(blocks).toContain(2);
  await indexer.close();
});

test('what retention deletes is forgotten with it, and the block that it cuts is known anew by what is left', async () => {
  await indexAll();
  const last = 2 * BLOCK_EVENTS + 10;
  await db.transaction(async (tx) => {
    await tx.query('DELETE FROM events WHERE org_id = $1 AND sequence <= $2', [uuidText(org), last]);
    await tx.query('UPDATE trees SET kept_from = $2 WHERE org_id = $1', [uuidText(org), last + 1]);
    await forgetBlocksUpTo(tx, org, last);
  });
  expect((await blocks())[0]).toBe(3);
  const indexer = new BlockIndexer({ db, log });
  indexer.start();
  await expect.poll(blocks).toContain(2);
  await indexer.close();
  expect(await blocks()).not.toContain(1);
  const { rows } = await db.query<{ recorded_from: Date }>(
    'SELECT recorded_from FROM event_blocks WHERE org_id = $1 AND block = 2',
    [uuidText(org)],
  );
  expect(rows[0]!.recorded_from.getTime()).toBeGreaterThanOrEqual(recordedAt(last + 1) - 2_100);
});

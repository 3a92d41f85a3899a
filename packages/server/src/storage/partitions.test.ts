// Promises of the partitions of the trail.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findLeafById, readLeaves } from '../audit/leaves.ts';
import { findSampleIds } from '../drift/store.ts';
import { readSlice } from '../drift/trail.ts';
import { findEventById, listEvents, pullEvents, type EventFilter, type RecordedEvent } from '../events/store.ts';
import { newUuid, uuidText } from '../ids.ts';
import { changeEvent, openJournal, type Journal } from '../journal/journal.ts';
import { createOrganization } from '../organizations/service.ts';
import { pageOfTrail } from '../policy/simulations/store.ts';
import { createLog } from '../telemetry/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { findDeliveredEvent, type Delivery } from '../webhooks/store.ts';
import { openDatabase, type Database, type Queryable } from './database.ts';
import { migrate } from './migrate.ts';
import { dropEmptyPartitions, firstUuidAt, makePartitions } from './partitions.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 31 * DAY_MS;
// What PostgreSQL says when `lock_timeout` is over.
const LOCK_NOT_AVAILABLE = '55P03';
const MIGRATIONS = join(import.meta.dirname, 'migrations');
const { log } = createLog('silent');
const now = Date.now();

let service: TestService;
let db: Database;
let journal: Journal;
beforeAll(async () => {
  service = await startTestService();
  db = openDatabase(service.databaseUrl, () => {});
  journal = await openJournal(db, service.services.changes, Date.now, log);
});
afterAll(async () => {
  await journal.close();
  await db.close();
  await service.close();
});

/** The names, without `events_`, and how many events are in each. */
async function partitions(of: Database = db): Promise<Record<string, number>> {
  const { rows } = await of.query<{ name: string }>(
    `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'events'::regclass ORDER BY 1`,
  );
  const counted: Record<string, number> = {};
  for (const { name } of rows)
    counted[name.replace('events_', '')] = (await of.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${name}`)).rows[0]!.n;
  return counted;
}

function monthName(ms: number, later = 0): string {
  return new Date(monthStart(ms, later)).toISOString().slice(0, 7).replace('-', '_');
}

/** An id of a time, whatever the time of those before. */
function idAt(ms: number): Buffer {
  const id = newUuid();
  id.writeUIntBE(ms, 0, 6);
  return id;
}

async function record(orgId: Buffer, id: Buffer): Promise<void> {
  await journal.append({ ...changeEvent(orgId, 'inference.allowed', { type: 'system', id: null, ip: null }, now, {}), id });
}

async function idsOf(orgId: Buffer, of: Database = db): Promise<string[]> {
  const { rows } = await of.query<{ id: string; sequence: string }>(
    'SELECT id, sequence FROM events WHERE org_id = $1 ORDER BY sequence',
    [uuidText(orgId)],
  );
  expect(rows.map(({ sequence }) => Number(sequence))).toEqual(rows.map((_, i) => i + 1));
  return rows.map(({ id }) => id.replaceAll('-', ''));
}

async function newOrganization(): Promise<Buffer> {
  return (await createOrganization(service.services, 'o', 'scale')).uuid;
}

/** A database as it was before the trail had partitions. */
async function databaseBefore(): Promise<{ database: TestDatabase; old: Database }> {
  const database = await createTestDatabase();
  const old = openDatabase(database.url, () => {});
  await old.query('CREATE TABLE migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())');
  for (const name of readdirSync(MIGRATIONS)
    .toSorted()
    .filter((file) => file < '0011')) {
    await old.query(readFileSync(join(MIGRATIONS, name), 'utf8'));
    await old.query('INSERT INTO migrations (name) VALUES ($1)', [name]);
  }
  return { database, old };
}

test('a trail that is there already keeps every event, its order and its salts, without being copied', async () => {
  const { database, old } = await databaseBefore();
  try {
    // One of a clock that was a year ahead among them.
    await old.query(
      `INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, external_id, probe_id, data)
       SELECT $1, i, (lpad(to_hex($2::int8 + i * 1000 + CASE WHEN i = 1500 THEN 31622400000 ELSE 0 END), 12, '0') || lpad(to_hex(i), 20, '0'))::uuid,
              'inference.allowed', now(), now(), 'system', 'x' || i, 'p', '{"i":' || i || '}' FROM generate_series(1, 3000) i`,
      [uuidText(newUuid()), now - 200 * DAY_MS],
    );
    const read = async () => (await old.query('SELECT * FROM events ORDER BY sequence')).rows;
    const place = async (table: string) => (await old.query(`SELECT pg_relation_filenode('${table}') AS file`)).rows;
    const [before, file] = [await read(), await place('events')];
    await migrate(old);
    expect(await read()).toEqual(before);
    expect(await place('events_first')).toEqual(file);
    expect(await partitions(old)).toEqual({ first: 2_999, default: 1 });
  } finally {
    await old.close();
    await database.drop();
  }
});

test('the months ahead are made once, by however many nodes at the same time, and events go into that of their id', async () => {
  await Promise.all([makePartitions(db, now, log), makePartitions(db, now, log), makePartitions(service.services.db, now, log)]);
  const org = await newOrganization();
  const before = await partitions();
  expect(Object.keys(before).toSorted()).toEqual([monthName(now, 1), monthName(now, 2), 'default', 'first'].toSorted());
  await record(org, idAt(monthStart(now, 1) + 20 * DAY_MS));
  expect((await partitions())[monthName(now, 1)]).toBe(1);
});

test('an event of a time without a partition is recorded, found, and recorded once; its month takes it over when it is made', async () => {
  const org = await newOrganization();
  const atMs = now + 400 * DAY_MS;
  const ids = [idAt(now - 5_000 * DAY_MS), idAt(atMs), idAt(atMs + 10 * MONTH_MS), newUuid()];
  for (const id of ids) await record(org, id);
  const hex = (await idsOf(org)).slice(-4);
  expect(hex).toEqual(ids.map((id) => id.toString('hex')));
  // Recorded already: taken for done, and there once.
  for (const id of ids) await record(org, id);
  expect((await idsOf(org)).slice(-4)).toEqual(hex);
  const [inDefault, inAll] = [(await partitions())['default']!, await idsOf(org)];
  await makePartitions(db, atMs, log);
  const after = await partitions();
  expect(after[monthName(atMs)]).toBe(1);
  expect(after['default']).toBe(inDefault - 1);
  expect(await idsOf(org)).toEqual(inAll);
  for (const id of ids) await record(org, id);
  expect(await idsOf(org)).toEqual(inAll);
});

test('while somebody reads the trail for long, recording waits neither for partitions that are made nor for those that are dropped', async () => {
  const org = await newOrganization();
  const before = (await idsOf(org)).length;
  const atMs = now + 800 * DAY_MS;
  await makePartitions(db, atMs, log);
  await db.transaction(async (tx) => {
    await tx.query('SELECT count(*) FROM events');
    // The reader holds every partition: neither comes to its turn, and both say so.
    const held = [makePartitions(db, atMs + 12 * MONTH_MS, log), dropEmptyPartitions(db, atMs + 12 * MONTH_MS)];
    const settled = Promise.allSettled(held);
    for (let i = 0; i < 20; i++) await record(org, newUuid());
    for (const outcome of await settled)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: LOCK_NOT_AVAILABLE } });
  });
  await makePartitions(db, atMs + 12 * MONTH_MS, log);
  expect(Object.keys(await partitions())).toContain(monthName(atMs + 12 * MONTH_MS));
  expect(await idsOf(org)).toHaveLength(before + 20);
});

test('of the past, partitions that are empty are dropped and no others; what comes for such a time later is recorded', async () => {
  const org = await newOrganization();
  const atMs = now + 2_000 * DAY_MS;
  await makePartitions(db, atMs, log);
  await record(org, idAt(atMs));
  const [full, empty] = [monthName(atMs), monthName(atMs, 1)];
  await dropEmptyPartitions(db, atMs + MONTH_MS);
  expect(Object.keys(await partitions())).toEqual(expect.arrayContaining([full, empty]));
  await dropEmptyPartitions(db, atMs + 4 * MONTH_MS);
  const left = Object.keys(await partitions());
  expect(left).toEqual(expect.arrayContaining([full, 'first', 'default']));
  expect(left).not.toContain(empty);
  const late = idAt(atMs + MONTH_MS);
  await record(org, late);
  expect((await idsOf(org)).at(-1)).toBe(late.toString('hex'));
});

test('what the default partition holds is left in it where it is too much to be moved at once, and recording goes on', async () => {
  const org = await newOrganization();
  const atMs = now + 3_000 * DAY_MS;
  const from = firstUuidAt(atMs);
  await db.query(
    `INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, data)
     SELECT gen_random_uuid(), i, (left('${from}', 14) || '7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'x', now(), now(), 'system', repeat(md5(i::text), 45)
       FROM generate_series(1, 14000) i`,
  );
  await makePartitions(db, atMs, log);
  expect(Object.keys(await partitions())).not.toContain(monthName(atMs));
  const id = idAt(atMs);
  await record(org, id);
  expect((await idsOf(org)).at(-1)).toBe(id.toString('hex'));
  await db.query(`DELETE FROM events WHERE id >= '${from}' AND kind = 'x'`);
  // Rows that a transaction of the service can still see are left by it.
  await expect
    .poll(async () => {
      await db.query('VACUUM events_default');
      await makePartitions(db, atMs, log);
      return (await partitions())[monthName(atMs)];
    })
    .toBe(1);
});

describe('with a year of events in its partitions', () => {
  const MONTHS = 12;
  const EVENTS = 34_000;
  const orgs = [newUuid(), newUuid(), newUuid()];
  const org = orgs[1]!;
  let database: TestDatabase;
  let year: Database;

  beforeAll(async () => {
    database = await createTestDatabase();
    year = openDatabase(database.url, () => {});
    await migrate(year);
    // As it is a year after the first start.
    const firstMs = now - MONTHS * 30 * DAY_MS;
    await year.transaction(async (tx) => {
      await tx.query('ALTER TABLE events DETACH PARTITION events_first');
      await tx.query(
        `ALTER TABLE events ATTACH PARTITION events_first FOR VALUES FROM (MINVALUE) TO ('${firstUuidAt(monthStart(firstMs, 1))}')`,
      );
    });
    for (let month = 1; month <= MONTHS; month += 2) await makePartitions(year, monthStart(firstMs, month), log);
    await makePartitions(year, now, log);
    for (const [i, id] of orgs.entries()) {
      await year.query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'o', 'scale', now())", [uuidText(id)]);
      await year.query('INSERT INTO event_counters VALUES ($1, $2)', [uuidText(id), EVENTS]);
      await year.query('INSERT INTO trees (org_id) VALUES ($1)', [uuidText(id)]);
      await year.query(
        `INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, model, external_id, probe_id, data)
         SELECT $1, i, (lpad(to_hex(t.ms), 12, '0') || '7000800' || $5::int || lpad(to_hex(i), 12, '0'))::uuid, CASE WHEN i % 100 = 0 THEN 'telemetry.received' ELSE 'inference.allowed' END,
                to_timestamp(t.ms / 1000.0), to_timestamp(t.ms / 1000.0), 'api_key', CASE WHEN i > $2::int - 1000 THEN 'new' ELSE 'm' END,
                CASE WHEN i % 50 = 0 THEN 'x' || i END, CASE WHEN i % 20 = 0 THEN 'p' END, '{"text":"' || repeat('x', 300) || '"}'
           FROM generate_series(1, $2::int) i, LATERAL (SELECT $3::int8 + i * ($4::int8 - $3::int8) / $2::int AS ms) t`,
        [uuidText(id), EVENTS, firstMs, now, i],
      );
    }
    // As PostgreSQL does by itself for what was written to.
    for (const [name, count] of Object.entries(await partitions(year))) if (count > 0) await year.query(`ANALYZE events_${name}`);
    await year.query('ANALYZE event_counters');
  });
  afterAll(async () => {
    await year.close();
    await database.drop();
  });

  const sequence = 20_000;
  const idOf = async () =>
    bytesOf(
      (await year.query<{ id: string }>('SELECT id FROM events WHERE org_id = $1 AND sequence = $2', [uuidText(org), sequence]))
        .rows[0]!.id,
    );
  const none = () => {};
  const list = (filter: EventFilter) => async (db: Queryable) => listEvents(db, org, filter, null, 50);
  // Of each statement how many partitions it may touch, and how many rows it may read that are not wanted.
  test.each<[string, (db: Queryable) => Promise<unknown>, { partitions?: number; unwanted?: number }]>([
    ['the newest events', list({}), {}],
    ['a page further back', (db) => listEvents(db, org, {}, 15_000, 50), {}],
    ['events of a model that is new', list({ model: 'new' }), { unwanted: 12_000 }],
    ['events with a name', list({ externalId: 'x20000' }), {}],
    ['events of a probe', list({ probeId: 'p' }), {}],
    [
      'the last day, of which nothing matches',
      list({ sinceMs: now - DAY_MS, model: 'none' }),
      { partitions: 4, unwanted: 12_000 },
    ],
    ['the feed', (db) => pullEvents(db, org, {}, sequence, 200), {}],
    ['the feed at its end', (db) => pullEvents(db, org, {}, EVENTS, 200), {}],
    ['the feed of a kind', (db) => pullEvents(db, org, { kinds: ['telemetry.received'] }, sequence, 20), { unwanted: 12_000 }],
    ['an event', async (db) => findEventById(db, org, await idOf()), { partitions: 1 }],
    ['a leaf', async (db) => findLeafById(db, service.services.vault, org, await idOf()), { partitions: 1 }],
    [
      'leaves',
      (db) =>
        readLeaves(
          db,
          service.services.vault,
          orgs.map((orgId) => ({ orgId, after: EVENTS - 100, until: EVENTS })),
        ),
      {},
    ],
    ['what drift reads', (db) => readSlice(db, org, EVENTS - 1_000, EVENTS, true, none), { unwanted: 1_000 }],
    [
      'what simulations read',
      (db) => pageOfTrail(db, org, { sinceMs: null, untilMs: null, limit: 100 }, String(sequence), 100),
      { unwanted: 5_000 },
    ],
    [
      'an event that is delivered',
      async (db) => findDeliveredEvent(db, org, { sequence, eventId: await idOf(), kind: 'x' } as Delivery),
      { partitions: 1 },
    ],
    [
      'where drift was seen',
      (db) =>
        findSampleIds(
          db,
          org,
          [5, 500, sequence].map((at) => ({ sequence: at, position: null })),
        ),
      {},
    ],
  ])('%s: read by indexes', async (_, read, { partitions: touchedMax = 99, unwanted: unwantedMax = 200 }) => {
    const plans: string[] = [];
    const explained: Queryable = {
      async query(text, values) {
        const { name: _name, ...statement } = typeof text === 'string' ? { text, values } : { values, ...text };
        const { rows } = await year.query<{ 'QUERY PLAN': string }>({
          ...statement,
          text: `EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ${statement.text}`,
        } as pg.QueryConfig);
        if (/ events\b/.test(statement.text)) plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
        return year.query(text, values);
      },
    };
    await read(explained);
    expect(plans.length).toBeGreaterThan(0);
    for (const plan of plans) {
      const scans = plan.split('\n').filter((line) => /Scan.* on events_\w+ /.test(line) && !line.includes('never executed'));
      expect(scans.filter((line) => line.includes('Seq Scan'))).toEqual([]);
      expect(new Set(scans.map((line) => / on (events_\w+) /.exec(line)![1])).size).toBeLessThanOrEqual(touchedMax);
      const unwanted = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].reduce((sum, [, rows]) => sum + Number(rows), 0);
      expect(unwanted).toBeLessThanOrEqual(unwantedMax);
    }
  });

  test('lists are in order over all partitions, and complete', async () => {
    const all: number[] = [];
    for (let before: number | null = null; ; before = all.at(-1)!) {
      const page: RecordedEvent[] = await listEvents(year, org, { kinds: ['telemetry.received'] }, before, 150);
      all.push(...page.map((event) => event.sequence));
      if (page.length < 150) break;
    }
    const due = Array.from({ length: EVENTS / 100 }, (_, i) => (i + 1) * 100);
    expect(all).toEqual(due.toReversed());
    const fed: number[] = [];
    for (let after = 0; ; after = fed.at(-1)!) {
      const page: RecordedEvent[] = await pullEvents(year, org, { kinds: ['telemetry.received'] }, after, 150);
      fed.push(...page.map((event) => event.sequence));
      if (page.length < 150) break;
    }
    expect(fed).toEqual(due);
  });
});

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function monthStart(ms: number, later: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

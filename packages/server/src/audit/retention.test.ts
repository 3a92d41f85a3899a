// Promises of retention.

import { isConsistent, isIncluded } from '@svc/trail';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newUuid, uuidText } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { pageOfTrail } from '../policy/simulations/store.ts';
import { openDatabase, type Database, type Queryable } from '../storage/database.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { countAllUsage } from '../usage/store.ts';
import { findLeafById } from './leaves.ts';
import { findCheckpoint, proveConsistency, proveInclusion, rootAt } from './log-store.ts';
import { findBeginning } from './beginning.ts';
import { pruneTrails, pruneTrailsAt, UNREAD_DAYS } from './retention.ts';

const DAY_MS = 86_400_000;
const BATCH = 1_000;

type Json = ReturnType<typeof JSON.parse>;

let service: TestService;
let db: pg.Client;
beforeAll(async () => {
  service = await startTestService();
  // It notes every few seconds how far it has read, for which tests do not wait.
  await service.services.drift.close();
  db = new pg.Client(service.databaseUrl);
  await db.connect();
  // The database's clock, by which events are recorded, goes as a test sets it.
  await db.query(`
    CREATE TABLE test_past (days integer NOT NULL);
    INSERT INTO test_past VALUES (0);
    CREATE FUNCTION record_in_the_past() RETURNS trigger LANGUAGE plpgsql AS
      $$BEGIN NEW.recorded_at := NEW.recorded_at - make_interval(days => (SELECT days FROM test_past)); RETURN NEW; END$$;
    CREATE TRIGGER record_in_the_past BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION record_in_the_past();`);
});
afterAll(async () => {
  await db.end();
  await service.close();
});
beforeEach(() => daysAgo(0));

/** Ids go by the clock of the machine: retention is asked so many days from now. */
const AHEAD_DAYS = 200;
/** What is recorded from now on is recorded so many days before retention is asked. */
const daysAgo = (days: number) => db.query('UPDATE test_past SET days = $1', [days - AHEAD_DAYS]);
const rowsOf = async (table: 'events' | 'assessment_texts' | 'telemetry', { uuid }: NewOrganization) =>
  (await db.query(`SELECT count(*)::int AS n FROM ${table} WHERE org_id = $1`, [uuidText(uuid)])).rows[0].n as number;
const sequencesOf = async ({ uuid }: NewOrganization) =>
  (await db.query('SELECT sequence FROM events WHERE org_id = $1 ORDER BY sequence', [uuidText(uuid)])).rows.map(({ sequence }) =>
    Number(sequence),
  );
const keptFrom = async ({ uuid }: NewOrganization) =>
  Number((await db.query('SELECT kept_from FROM trees WHERE org_id = $1', [uuidText(uuid)])).rows[0].kept_from);
const request = async ({ keys }: NewOrganization, method: string, path: string, body?: object) =>
  service.request(method, path, { key: keys.admin, ...(body === undefined ? {} : { body }) });
const pruned = async (org: NewOrganization): Promise<Json[]> =>
  (await request(org, 'GET', '/v1/events?kind=audit.pruned')).body.data.map(({ data }: Json) => data).toReversed();
const assess = async (org: NewOrganization, input = 'a text'): Promise<Json> =>
  (await service.request('POST', '/v1/assessments', { key: org.keys.live, body: { input } })).body;

async function record(org: NewOrganization, count: number): Promise<void> {
  const event = () => changeEvent(org.uuid, 'probe.online', { type: 'system', id: null, ip: null }, Date.now(), {});
  await Promise.all(Array.from({ length: count }, () => service.services.journal.append(event())));
}

/** Until everything that is recorded is in the log, and has been counted by all who do. */
async function settle(): Promise<void> {
  await service.services.audit.catchUp();
  await countAllUsage(service.services.db);
  await db.query(
    `INSERT INTO drift_cursors (org_id, sequence) SELECT org_id, last_sequence FROM event_counters
     ON CONFLICT (org_id) DO UPDATE SET sequence = excluded.sequence`,
  );
}

/** Asks retention once, so many days later still. */
const passAt = (later = 0) => pruneTrailsAt(service.services, Date.now() + (AHEAD_DAYS + later) * DAY_MS);
/** The same, and again when what it told of is in the log: then it is deleted. */
async function prune(later = 0): Promise<boolean> {
  await passAt(later);
  await service.services.audit.catchUp();
  return passAt(later);
}

test('what is older than the policy keeps goes, with its texts and telemetry, and nothing else does; proofs stay what they were', async () => {
  await daysAgo(300);
  const [org, other] = [await service.createOrganization(), await service.createOrganization()];
  for (const { keys } of [org, other])
    await service.request('PUT', '/v1/policy', {
      key: keys.admin,
      body: { data: { store: 'full', retention_days: keys === org.keys ? 200 : 365 } },
    });
  const report = async ({ keys }: NewOrganization, id: string) => {
    const { status } = await service.request('POST', '/api/svc/probe/telemetry', {
      key: keys.live,
      headers: { 'x-svc-probe-id': 'p' },
      body: { events: [1, 2, 3].map((i) => ({ id: `${id}${i}`, occurred_at: new Date().toISOString(), model: 'm' })) },
    });
    expect(status).toBe(202);
  };
  for (const each of [org, other]) {
    for (let i = 0; i < 3; i++) await assess(each);
    await report(each, 'old');
  }
  const old = (await sequencesOf(org)).length;
  await daysAgo(199);
  for (const each of [org, other]) {
    await assess(each);
    await report(each, 'young');
  }
  await settle();
  const { db: own, vault } = service.services;
  const before = (await findCheckpoint(own, org.uuid))!;
  const idAt = async (sequence: number) =>
    Buffer.from(
      (
        await db.query('SELECT id FROM events WHERE org_id = $1 AND sequence = $2', [uuidText(org.uuid), sequence])
      ).rows[0].id.replaceAll('-', ''),
      'hex',
    );
  const [gone, kept] = [
    await findLeafById(own, vault, org.uuid, await idAt(2)),
    await findLeafById(own, vault, org.uuid, await idAt(old + 1)),
  ];
  const held = await proveInclusion(own, org.uuid, 1, before.size);
  const othersBefore = [await rowsOf('events', other), await rowsOf('assessment_texts', other), await rowsOf('telemetry', other)];

  expect(await prune()).toBe(true);
  expect(await keptFrom(org)).toBe(old + 1);
  expect((await sequencesOf(org))[0]).toBe(old + 1);
  expect([await rowsOf('assessment_texts', org), await rowsOf('telemetry', org)]).toEqual([1, 3]);
  expect([await rowsOf('events', other), await rowsOf('assessment_texts', other), await rowsOf('telemetry', other)]).toEqual(
    othersBefore,
  );
  expect(await pruned(other)).toEqual([]);
  const day = (Math.floor(Date.now() / DAY_MS) + AHEAD_DAYS - 200) * DAY_MS;
  const told = { from: 1, to: old, before: new Date(day).toISOString(), events: old, checkpoint_size: before.size };
  expect(await pruned(org)).toEqual([told]);
  // Once.
  await settle();
  await prune();
  expect(await pruned(org)).toEqual([told]);

  const after = (await findCheckpoint(own, org.uuid))!;
  expect(after.size).toBe(before.size + 1);
  const consistency = await proveConsistency(own, org.uuid, before.size, after.size);
  expect(isConsistent(before.size, before.root, after.size, after.root, consistency)).toBe(true);
  expect(
    isConsistent(3, await rootAt(own, org.uuid, 3), after.size, after.root, await proveConsistency(own, org.uuid, 3, after.size)),
  ).toBe(true);
  expect(isIncluded(gone!.hash, 1, before.size, held, before.root)).toBe(true);
  expect(isIncluded(gone!.hash, 1, after.size, await proveInclusion(own, org.uuid, 1, after.size), after.root)).toBe(true);
  expect(isIncluded(kept!.hash, old, after.size, await proveInclusion(own, org.uuid, old, after.size), after.root)).toBe(true);
});

test('who reads on from a place that retention has passed is refused, told where to go on, and reads all that is kept from there', async () => {
  await daysAgo(400);
  const org = await service.createOrganization();
  const assessed = await assess(org);
  const old = (await sequencesOf(org)).length;
  await daysAgo(0);
  await assess(org);
  await settle();
  const feed = (after: number, more = '') => request(org, 'GET', `/v1/events?after_sequence=${after}${more}`);
  expect((await feed(2)).body.data.map(({ sequence }: Json) => sequence)).toContain(3);
  await prune();
  for (const more of ['', '&kind=audit.pruned', '&wait_s=20']) {
    const { status, body } = await feed(2, more);
    expect([status, body.error.code]).toEqual([404, 'not_found']);
    expect(body.error.message).toContain(`Events 3 to ${old} are not kept any more`);
    expect(body.error.message).toContain(`after_sequence=${old}`);
    expect(body.error.details).toEqual([{ pointer: '/query/after_sequence', message: expect.stringContaining(String(old)) }]);
  }
  // What a filter leaves out is no gap.
  expect((await feed(old, '&kind=audit.pruned')).body.data).toHaveLength(1);
  for (const after of [0, old]) {
    const { status, body } = await feed(after);
    expect([status, body.data.map(({ sequence }: Json) => sequence)]).toEqual([200, [old + 1, old + 2]]);
  }
  const list = await request(org, 'GET', '/v1/events');
  expect(list.body.data.map(({ sequence }: Json) => sequence)).toEqual([old + 2, old + 1]);
  expect(list.body.has_more).toBe(false);
  for (const path of [`/v1/events/${assessed.event_id}`, `/v1/assessments/${assessed.id}`])
    expect((await request(org, 'GET', path)).status).toBe(404);
  const page = await pageOfTrail(service.services.db, org.uuid, { sinceMs: null, untilMs: null, limit: 10 }, null, 10);
  expect([page.assessments.length, page.next]).toEqual([1, null]);
});

test('behind an event that stays everything stays, whatever its time: what is kept is one stretch to the end', async () => {
  await daysAgo(400);
  const org = await service.createOrganization();
  const old = (await sequencesOf(org)).length;
  await daysAgo(10);
  await record(org, 1);
  await daysAgo(400);
  await record(org, 5);
  await settle();
  await daysAgo(0);
  await prune();
  expect(await sequencesOf(org)).toEqual(Array.from({ length: 7 }, (_, i) => old + 1 + i));
  await settle();
  await prune(356);
  expect((await sequencesOf(org))[0]).toBe(old + 7);
});

test('an event that is not covered by a signed checkpoint is not deleted, however old it is', async () => {
  await daysAgo(400);
  const org = await service.createOrganization();
  await record(org, 5);
  await settle();
  const signed = Number(
    (await db.query('SELECT signed_size FROM trees WHERE org_id = $1', [uuidText(org.uuid)])).rows[0].signed_size,
  );
  await db.query('UPDATE trees SET signed_size = 3 WHERE org_id = $1', [uuidText(org.uuid)]);
  await daysAgo(0);
  await passAt();
  expect(await keptFrom(org)).toBe(4);
  expect(signed).toBeGreaterThan(5);
});

test('what is yet to be counted is kept a week beyond its time, and no longer', async () => {
  await daysAgo(366);
  const org = await service.createOrganization();
  await record(org, 10);
  const last = (await sequencesOf(org)).at(-1)!;
  await settle();
  await db.query('UPDATE usage_cursors SET sequence = 4 WHERE org_id = $1', [uuidText(org.uuid)]);
  await daysAgo(0);
  await prune();
  expect(await keptFrom(org)).toBe(5);
  await prune(UNREAD_DAYS - 1);
  expect(await keptFrom(org)).toBe(5);
  await service.services.audit.catchUp();
  await prune(UNREAD_DAYS);
  expect(await keptFrom(org)).toBe(last + 1);
  // It goes on from there.
  await countAllUsage(service.services.db);
  await settle();
});

test('where it is broken off it goes on later, by however many nodes at once, and is told of once', async () => {
  await daysAgo(400);
  const org = await service.createOrganization();
  await record(org, 3 * BATCH);
  const last = (await sequencesOf(org)).at(-1)!;
  await daysAgo(0);
  await assess(org);
  await settle();
  await db.query(`
    CREATE FUNCTION break_off() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN RAISE 'broken off'; END$$;
    CREATE TRIGGER break_off BEFORE DELETE ON events FOR EACH ROW WHEN (OLD.sequence = ${2 * BATCH}) EXECUTE FUNCTION break_off();`);
  expect(await passAt()).toBe(false);
  await service.services.audit.catchUp();
  await expect(passAt()).rejects.toThrow(AggregateError);
  await db.query('DROP TRIGGER break_off ON events');
  expect((await sequencesOf(org))[0]).toBe(BATCH + 1);
  expect(await keptFrom(org)).toBe(last + 1);
  await settle();
  await Promise.all([prune(), prune(), prune()]);
  // One that found another at it is done before it.
  await prune();
  expect((await sequencesOf(org))[0]).toBe(last + 1);
  expect((await pruned(org)).map(({ from, to, events }) => [from, to, events])).toEqual([[1, last, last]]);
});

test('a long trail is pruned to the event, by two nodes as by one', async () => {
  const org = { uuid: newUuid() } as NewOrganization;
  const count = 20_010;
  await daysAgo(0);
  await db.query('BEGIN');
  await db.query("INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, 'o', 'scale', now())", [uuidText(org.uuid)]);
  await db.query('INSERT INTO event_counters VALUES ($1, $2)', [uuidText(org.uuid), count]);
  await db.query('INSERT INTO trees (org_id) VALUES ($1)', [uuidText(org.uuid)]);
  await db.query("INSERT INTO policy_versions VALUES ($1, 1, 'd', '{}', now(), 'system')", [uuidText(org.uuid)]);
  await db.query(
    `INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, data)
     SELECT $1, i, (lpad(to_hex($3::int8 + i), 12, '0') || lpad(to_hex(i), 20, '0'))::uuid, 'x', now(), now() - make_interval(days => CASE WHEN i > 20005 THEN 0 ELSE 400 END), 'system', '{}'
       FROM generate_series(1, $2::int) i`,
    [uuidText(org.uuid), count, Date.now() - count],
  );
  await db.query('COMMIT');
  await settle();
  // Both find that it is due; one says so.
  await Promise.all([prune(), prune()]);
  await prune();
  expect((await sequencesOf(org)).slice(0, 5)).toEqual([20_006, 20_007, 20_008, 20_009, 20_010]);
  // Simulations do not look for what is gone.
  expect(
    (await pageOfTrail(service.services.db, org.uuid, { sinceMs: null, untilMs: null, limit: 10 }, null, 10)).next,
  ).toBeNull();
  const { rows } = await db.query("SELECT data FROM events WHERE org_id = $1 AND kind = 'audit.pruned'", [uuidText(org.uuid)]);
  expect(rows.map(({ data }) => JSON.parse(data))).toMatchObject([{ from: 1, to: 20_005, events: 20_005 }]);
});

test('what an audit.pruned tells of is deleted when a signed checkpoint covers that, and not before', async () => {
  await daysAgo(400);
  const org = await service.createOrganization();
  const old = await sequencesOf(org);
  await daysAgo(0);
  await settle();
  expect(await passAt()).toBe(false);
  expect(await sequencesOf(org)).toEqual([...old, old.length + 1]);
  await service.services.audit.catchUp();
  const { db: own, vault } = service.services;
  await db.query('BEGIN');
  await db.query('UPDATE trees SET signed_size = $2 WHERE org_id = $1', [uuidText(org.uuid), old.length]);
  expect(await findBeginning(db as Queryable, vault, org.uuid)).toEqual({
    keptFrom: old.length + 1,
    explained: 1,
    isPending: true,
  });
  await db.query('ROLLBACK');
  expect(await findBeginning(own, vault, org.uuid)).toMatchObject({ explained: old.length + 1, isPending: false });
  await passAt();
  expect(await sequencesOf(org)).toEqual([old.length + 1]);
});

describe('who writes to the database', () => {
  const setBeginning = (org: NewOrganization, from: number, by: string | null) =>
    db.query('UPDATE trees SET kept_from = $2, pruned_by = $3 WHERE org_id = $1', [uuidText(org.uuid), from, by]);
  const explained = async ({ uuid }: NewOrganization) =>
    (await findBeginning(service.services.db, service.services.vault, uuid))!.explained;
  const prunedBy = async ({ uuid }: NewOrganization) =>
    (await db.query('SELECT pruned_by FROM trees WHERE org_id = $1', [uuidText(uuid)])).rows[0].pruned_by as string;
  const idAt = async ({ uuid }: NewOrganization, sequence: number) =>
    (await db.query('SELECT id FROM events WHERE org_id = $1 AND sequence = $2', [uuidText(uuid), sequence])).rows[0]
      .id as string;

  test('has no event deleted by saying that the trail begins later: the log has to say so', async () => {
    await daysAgo(400);
    const org = await service.createOrganization();
    const other = await service.createOrganization();
    const old = (await sequencesOf(org)).length;
    await daysAgo(0);
    await record(org, 9);
    await settle();
    await prune();
    const told = await prunedBy(org);
    const kept = await sequencesOf(org);
    expect([kept[0], await explained(org)]).toEqual([old + 1, old + 1]);
    const last = kept.at(-1)!;
    const claims = [null, told, await idAt(org, last - 1), uuidText(newUuid()), await prunedBy(other)];
    for (const claim of claims) {
      await setBeginning(org, old + 4, claim);
      expect(await explained(org)).toBe(claim === told ? old + 1 : 1);
      await prune();
      expect(await sequencesOf(org)).toEqual(kept);
    }
    // Nor by changing what the log has said.
    await setBeginning(org, old + 4, told);
    await db.query(`UPDATE events SET data = replace(data, '"to":${old},', '"to":${old + 3},') WHERE id = $1`, [told]);
    expect(await explained(org)).toBe(1);
    await prune();
    expect(await sequencesOf(org)).toEqual(kept);
  });

  test('has what he deletes of the front told by no audit.pruned', async () => {
    await daysAgo(400);
    const org = await service.createOrganization();
    const old = (await sequencesOf(org)).length;
    await daysAgo(0);
    await record(org, 9);
    await settle();
    await db.query('DELETE FROM events WHERE org_id = $1 AND sequence BETWEEN $2 AND $3', [uuidText(org.uuid), old + 1, old + 5]);
    await prune();
    expect((await pruned(org)).map(({ from, to, events }) => [from, to, events])).toEqual([[1, old, old]]);
    expect(await keptFrom(org)).toBe(old + 1);
    await prune(400);
    expect(await keptFrom(org)).toBe(old + 1);
  });
});

describe('a clock that is wrong has nothing deleted:', () => {
  let org: NewOrganization;
  beforeAll(async () => {
    await daysAgo(0);
    org = await service.createOrganization();
    await record(org, 20);
    await settle();
  });
  const days = (count: number) => () => Date.now() + count * DAY_MS;
  /** A database whose clock is so many days ahead, as the embedded one's is when the machine's is. */
  async function databaseAhead(count: number): Promise<Database> {
    await db.query(`CREATE SCHEMA IF NOT EXISTS moved`);
    await db.query(
      `CREATE OR REPLACE FUNCTION moved.now() RETURNS timestamptz STABLE LANGUAGE sql AS
        $$SELECT pg_catalog.now() + make_interval(days => ${count})$$`,
    );
    const own = openDatabase(service.databaseUrl, () => {});
    return {
      ...own,
      transaction: (work) =>
        own.transaction(async (tx) => {
          await tx.query('SET LOCAL search_path = moved, pg_catalog, public');
          return work(tx);
        }),
    };
  }

  test('a node’s that differs from the database’s', async () => {
    const before = await sequencesOf(org);
    for (const ahead of [800, -800, 1, 0.1]) expect(await pruneTrails({ ...service.services, clock: days(ahead) })).toBe(true);
    await settle();
    expect(await sequencesOf(org)).toEqual(before);
  });

  test('that of both, for a day, in which it is set right and leaves nothing behind', async () => {
    const before = await sequencesOf(org);
    const ahead = await databaseAhead(800);
    try {
      for (let i = 0; i < 30; i++) await pruneTrails({ ...service.services, db: ahead, clock: days(800) });
      await settle();
      expect(await sequencesOf(org)).toEqual(before);
      await pruneTrails(service.services);
      const { rows } = await db.query('SELECT believed_at, waited_ms FROM retention_clock');
      expect(Math.abs(rows[0].believed_at.getTime() - Date.now())).toBeLessThan(60_000);
      expect(rows[0].waited_ms).toBe(0);
      // A day of passes, as it would have come to be.
      await pruneTrails({ ...service.services, db: ahead, clock: days(800) });
      await db.query('UPDATE retention_clock SET waited_ms = $1', [DAY_MS]);
      await pruneTrails({ ...service.services, db: ahead, clock: days(800) });
      await settle();
      await pruneTrails({ ...service.services, db: ahead, clock: days(800) });
      expect((await sequencesOf(org))[0]).toBe(before.length + 1);
    } finally {
      await ahead.close();
    }
  });
});

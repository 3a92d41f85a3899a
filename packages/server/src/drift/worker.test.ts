// Promises of the worker: whoever reads a trail, and however often it is ended in the middle, every event counts exactly once.

import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { uuidText } from '../ids.ts';
import type { Journal } from '../journal/journal.ts';
import type { NewOrganization } from '../organizations/service.ts';
import type { Services } from '../services.ts';
import type { Queryable } from '../storage/database.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { Application, numbersOf } from './test-kit.ts';
import { endForsaken } from './forsaken.ts';
import { listUnread, purgeDrift } from './store.ts';
import { DriftWorker } from './worker.ts';

let service: TestService;
let parts: Pick<Services, 'db' | 'journal' | 'clock' | 'log'>;
beforeAll(async () => {
  service = await startTestService();
  const { db, journal, clock, log } = service.services;
  parts = { db, journal, clock, log };
  // Those of the tests are the only ones.
  await service.services.drift.close();
});
afterAll(() => service.close());

async function start(): Promise<{ organization: NewOrganization; application: Application }> {
  const organization = await service.createOrganization();
  await service.request('PUT', '/v1/policy', { key: organization.keys.admin, body: { drift: { season: 'none' } } });
  return { organization, application: new Application(service, organization.keys.live, 'probe-1', 5) };
}

/** Another organization, to which the same has happened. */
async function copyOf(organization: NewOrganization): Promise<NewOrganization> {
  const copy = await service.createOrganization();
  const [from, to] = [uuidText(organization.uuid), uuidText(copy.uuid)];
  const { db } = service.services;
  for (const table of ['events', 'policy_versions', 'telemetry']) {
    const { rows } = await db.query<{ names: string }>(
      `SELECT string_agg(column_name, ', ') AS names FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND column_name <> 'org_id'`,
      [table],
    );
    await db.query(`DELETE FROM ${table} WHERE org_id = $1`, [to]);
    const { names } = rows[0]!;
    await db.query(`INSERT INTO ${table} (org_id, ${names}) SELECT $2::uuid, ${names} FROM ${table} WHERE org_id = $1`, [
      from,
      to,
    ]);
  }
  await db.query(
    'UPDATE event_counters SET last_sequence = (SELECT last_sequence FROM event_counters WHERE org_id = $1) WHERE org_id = $2',
    [from, to],
  );
  return copy;
}

/** All that detection knows and has told of an organization, but for ids and times that are made up on the way. */
async function knownOf({ uuid }: NewOrganization) {
  const { db } = service.services;
  const org = [uuidText(uuid)];
  const monitors = await db.query<{ id: string; signal: string; memory: string; detector: Buffer }>(
    'SELECT id, model, group_name, signal, state, settings, memory, detector FROM drift_monitors WHERE org_id = $1 ORDER BY 2, 3, 4',
    org,
  );
  const points = await db.query<{ sum: number; sum_squares: number }>(
    `SELECT m.signal, p.hour, p.n, p.sum, p.sum_squares, p.counts FROM drift_points p JOIN drift_monitors m ON m.org_id = p.org_id AND m.id = p.monitor_id
      WHERE p.org_id = $1 ORDER BY m.model, m.group_name, m.signal, p.hour`,
    org,
  );
  const told = await db.query<{ kind: string; data: string }>(
    `SELECT kind, occurred_at, model, data FROM events WHERE org_id = $1 AND kind LIKE 'drift.%' ORDER BY sequence`,
    org,
  );
  const state = await db.query('SELECT state FROM drift_cursors WHERE org_id = $1', org);
  const withoutIds = (json: string) => json.replaceAll(/"(?:bl_|mon_|evt_)?[0-9a-z]{26,32}"/g, '"id"');
  return {
    monitors: monitors.rows.map(
      ({ id: _id, memory, detector, ...row }) => [row, withoutIds(memory), detector.toString('hex')] as const,
    ),
    // Sums of parts differ from those of the whole in their last digits.
    points: points.rows.map(({ sum, sum_squares: squares, ...row }) => [row, sum.toPrecision(10), squares.toPrecision(10)]),
    told: told.rows.map(({ data, ...row }) => [row, withoutIds(data)] as const),
    state: state.rows,
  };
}

/** Connections that are lost now and then, before what was asked or after it was done. */
function faulty(random: () => number): typeof parts {
  const query: Queryable['query'] = async (text, values) => {
    if (random() < 0.06) throw new Error('the connection was lost');
    return parts.db.reader.query(text, values);
  };
  const transaction: Journal['transaction'] = async (work) => {
    if (random() < 0.4) throw new Error('the connection was lost before the commit');
    const result = await parts.journal.transaction(work);
    if (random() < 0.3) throw new Error('the connection was lost after the commit');
    return result;
  };
  return {
    ...parts,
    db: { ...parts.db, reader: { query } },
    journal: { ...parts.journal, transaction, onCommit: () => () => {} },
  };
}

async function isRead({ uuid }: NewOrganization): Promise<boolean> {
  const { rows } = await parts.db.query(
    'SELECT 1 FROM event_counters c JOIN drift_cursors d USING (org_id) WHERE c.org_id = $1 AND c.last_sequence = d.sequence',
    [uuidText(uuid)],
  );
  return rows.length > 0;
}

async function endLeases(): Promise<void> {
  await parts.db.query("UPDATE drift_cursors SET lease_until = now() - interval '1 second' WHERE owner IS NOT NULL");
}

test('nodes that are ended at any moment, whatever they did last, count everything once', { timeout: 120_000 }, async () => {
  const { organization, application } = await start();
  await application.run(4_000);
  await application.run(2_500, { errors: 0.1, latency: 6.3 });
  await application.run(4_000);
  const copies = [await copyOf(organization), await copyOf(organization), await copyOf(organization)];
  // The copies are left to nodes that fail.
  const texts = copies.map(({ uuid }) => uuidText(uuid));
  await parts.db.query(
    `INSERT INTO drift_cursors (org_id, sequence, owner, lease_until) SELECT id, 0, id, 'infinity' FROM unnest($1::uuid[]) AS c (id)`,
    [texts],
  );
  const whole = new DriftWorker(parts);
  await whole.catchUp();
  await whole.close();
  const known = await knownOf(organization);
  expect(known.told.map(([{ kind }]) => kind)).toContain('drift.recovered');
  for (const [seed, copy] of copies.entries()) {
    await parts.db.query('UPDATE drift_cursors SET owner = NULL, lease_until = NULL WHERE org_id = $1', [texts[seed]]);
    const random = numbersOf(seed);
    let nodes = 0;
    for (; nodes < 500 && !(await isRead(copy)); nodes++) {
      const node = new DriftWorker(faulty(random));
      await node.catchUp().catch(() => {});
      node.abandon();
      await parts.db.query('UPDATE drift_cursors SET lease_until = now() WHERE org_id = $1 AND owner IS NOT NULL', [texts[seed]]);
    }
    expect(nodes).toBeGreaterThan(1);
    expect(await knownOf(copy)).toEqual(known);
  }
});

test('of two nodes one reads a trail; the other takes over when it does not come back, and tells of nothing twice', async () => {
  const { organization, application } = await start();
  const [first, second] = [new DriftWorker(parts), new DriftWorker(parts)];
  await application.run(4_000);
  await first.catchUp();
  await application.run(500);
  await Promise.all([first.catchUp(), second.catchUp()]);
  const ownerOf = async () => {
    const { rows } = await parts.db.query<{ owner: string }>('SELECT owner FROM drift_cursors WHERE org_id = $1', [
      uuidText(organization.uuid),
    ]);
    return rows[0]!.owner;
  };
  const owner = await ownerOf();
  await application.run(2_500, { errors: 0.1 });
  await second.catchUp();
  expect(await ownerOf()).toBe(owner);
  expect(await isRead(organization)).toBe(false);
  // The first one freezes, and comes back when the second one has read all.
  await endLeases();
  await second.catchUp();
  expect(await ownerOf()).not.toBe(owner);
  await first.catchUp();
  await application.run(500, { errors: 0.1 });
  await first.catchUp();
  await second.catchUp();
  const { told } = await knownOf(organization);
  const sustained = told.filter(([{ kind }]) => kind === 'drift.sustained');
  expect(sustained.map(([, data]) => JSON.parse(data).series.signal)).toEqual(['error_rate']);
  expect(await isRead(organization)).toBe(true);
  await first.close();
  await second.close();
});

test('a node that is closed keeps what it has read, and leaves the trail to others at once', async () => {
  const { organization, application } = await start();
  const [first, second] = [new DriftWorker(parts), new DriftWorker(parts)];
  await application.run(1_000);
  await first.catchUp();
  await first.close();
  await application.run(1_000);
  await second.catchUp();
  const { rows } = await parts.db.query<{ n: string }>(
    `SELECT sum(p.n) AS n FROM drift_points p JOIN drift_monitors m ON m.org_id = p.org_id AND m.id = p.monitor_id
      WHERE p.org_id = $1 AND m.signal = 'latency_ms'`,
    [uuidText(organization.uuid)],
  );
  expect(rows).toEqual([{ n: '2000' }]);
  await second.close();
});

test('a trail that cannot be read at the moment keeps no other one from being read', async () => {
  const [broken, other] = [await start(), await start()];
  for (const { application } of [broken, other]) await application.run(200);
  const query: Queryable['query'] = async (text, values) => {
    const asked: readonly unknown[] | undefined = typeof text === 'string' ? values : text.values;
    if (asked?.[0] === uuidText(broken.organization.uuid)) throw new Error('the rows cannot be read');
    return parts.db.reader.query(text, values);
  };
  const worker = new DriftWorker({ ...parts, db: { ...parts.db, reader: { query } } });
  await worker.catchUp();
  expect([await isRead(broken.organization), await isRead(other.organization)]).toEqual([false, true]);
  await worker.close();
});

test('an organization in which something happens all the time keeps no other one from being kept', async () => {
  const [busy, other] = [await start(), await start()];
  for (const { application } of [busy, other]) await application.run(200);
  let [passes, aheadMs, isKeptMeanwhile] = [0, 0, false];
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + aheadMs);
  const query: Queryable['query'] = async (text, values) => {
    const asked: readonly unknown[] | undefined = typeof text === 'string' ? values : text.values;
    if (
      asked?.[0] === uuidText(busy.organization.uuid) &&
      typeof text !== 'string' &&
      text.name === 'drift_read_events' &&
      passes < 6
    ) {
      passes++;
      aheadMs += 20_000;
      isKeptMeanwhile ||= await isRead(other.organization);
      await busy.application.run(1);
    }
    return parts.db.reader.query(text, values);
  };
  const worker = new DriftWorker({ ...parts, db: { ...parts.db, reader: { query } } });
  try {
    await worker.catchUp();
  } finally {
    clock.mockRestore();
  }
  expect([passes, isKeptMeanwhile]).toEqual([6, true]);
  await worker.close();
});

test('trails are listed in turns, without those that rest or have been read', async () => {
  const ids = await Promise.all([start(), start(), start()]).then((all) =>
    all.map(({ organization }) => organization.uuid).toSorted((a, b) => Buffer.compare(a, b)),
  );
  const seen = new Set<string>();
  let after: Buffer = Buffer.alloc(16);
  for (let i = 0; i < 500 && !ids.every((id) => seen.has(id.toString('hex'))); i++) {
    const [one] = await listUnread(parts.db, [], [], after, 1);
    seen.add(one!.orgId.toString('hex'));
    after = one!.orgId;
  }
  expect(ids.map((id) => seen.has(id.toString('hex')))).toEqual([true, true, true]);
  const rested = await listUnread(parts.db, [], [ids[1]!], Buffer.alloc(16));
  expect(rested.some(({ orgId }) => orgId.equals(ids[1]!))).toBe(false);
});

test('a drift of what nobody reports any more is told to have ended before its monitor is deleted', async () => {
  const { organization, application } = await start();
  const worker = new DriftWorker(parts);
  await application.run(4_000);
  await application.run(2_500, { errors: 0.1 });
  await worker.catchUp();
  await worker.close();
  const org = [uuidText(organization.uuid)];
  await parts.db.query(
    "UPDATE drift_monitors SET updated_at = now() - interval '91 days' WHERE org_id = $1 AND signal = 'error_rate'",
    org,
  );
  const count = async () =>
    (await parts.db.query("SELECT 1 FROM drift_monitors WHERE org_id = $1 AND signal = 'error_rate'", org)).rows.length;
  await purgeDrift(parts.db, Date.now());
  expect(await count()).toBe(1);
  await endForsaken(parts);
  await endForsaken(parts);
  const { body } = await service.request('GET', '/v1/events?kind=drift.recovered', { key: organization.keys.admin });
  expect(body.data).toMatchObject([{ data: { resolution: 'disabled', series: { signal: 'error_rate' } } }]);
  await purgeDrift(parts.db, Date.now());
  expect(await count()).toBe(0);
});

test('names that came once lose their places to a model that is heard of often', async () => {
  const { organization, application } = await start();
  for (let i = 0; i < 200; i += 100)
    await application.send(Array.from({ length: 100 }, (_, j) => application.events(1, { model: `request-${i + j}` })).flat());
  await parts.db.query("UPDATE events SET recorded_at = recorded_at - interval '2 hours' WHERE org_id = $1", [
    uuidText(organization.uuid),
  ]);
  await application.run(300, { model: 'production' });
  const worker = new DriftWorker(parts);
  await worker.catchUp();
  await worker.close();
  const { body } = await service.request('GET', '/v1/drift?signal=score&model=production', { key: organization.keys.admin });
  expect(body.data).toMatchObject([{ observations: 300 }]);
});

test('what a monitor knew in a form that cannot be read is learned anew', async () => {
  const { organization, application } = await start();
  const worker = new DriftWorker(parts);
  await application.run(2_500);
  await worker.catchUp();
  await worker.close();
  await parts.db.query("UPDATE drift_monitors SET detector = 'later'::bytea WHERE org_id = $1", [uuidText(organization.uuid)]);
  const key = organization.keys.admin;
  await application.run(100);
  const next = new DriftWorker(parts);
  await next.catchUp();
  await next.close();
  expect((await service.request('GET', '/v1/drift?signal=score', { key })).body.data[0]).toMatchObject({
    state: 'learning',
    observations: 100,
  });
  await application.run(2_000);
  const last = new DriftWorker(parts);
  await last.catchUp();
  await last.close();
  const { body } = await service.request('GET', '/v1/events?kind=drift.baselined&limit=200', { key });
  const reasons = body.data.filter(({ data }: { data: { series: { signal: string } } }) => data.series.signal === 'score');
  expect(reasons.map(({ data }: { data: { reason: string } }) => data.reason)).toEqual(['rebaselined', 'learned']);
});

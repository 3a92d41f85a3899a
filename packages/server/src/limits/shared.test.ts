// Limits on a shared store that fails and comes back: a real server, really killed.

import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { Valkey } from 'iovalkey';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Organization } from '../organizations/organization.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import { startTestValkey } from '../testing/valkey.ts';
import type { LimitDecision } from './decision.ts';
import { openLimits, type Limits } from './limits.ts';
import { settableClocks, testOrganization, withLimits } from './test-kit.ts';
import { LimitStore } from './valkey.ts';

const server = await startTestValkey();

let database: TestDatabase;
let db: Database;
let clocks: ReturnType<typeof settableClocks>;
const opened: Limits[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, () => {});
  await migrate(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
  await server?.stop();
});
beforeEach(() => {
  clocks = settableClocks();
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((limits) => limits.close()));
  vi.restoreAllMocks();
});

/** A node, what it told of being degraded, and the levels of what it logged. */
async function begin(url: string, nodes = 1): Promise<{ limits: Limits; told: boolean[]; levels: number[] }> {
  const told: boolean[] = [];
  const levels: number[] = [];
  const log = pino({ level: 'info' }, { write: (line) => levels.push((JSON.parse(line) as { level: number }).level) });
  const onDegraded = (isDegraded: boolean) => told.push(isDegraded);
  const limits = await openLimits({ db, valkeyUrl: url, liveNodes: () => nodes, log, onDegraded });
  opened.push(limits);
  return { limits, told, levels };
}

const REQUEST = { requests: 1, assessments: 0 };
const takeOne = async (limits: Limits, organization: Organization): Promise<LimitDecision> =>
  limits.take(organization, REQUEST, 'requests');

/** Takes `count` requests one after the other; answers how many were let through. */
async function takeMany(limits: Limits, organization: Organization, count: number): Promise<number> {
  let passed = 0;
  for (let i = 0; i < count; i++) if ((await takeOne(limits, organization)).refusedBy === null) passed++;
  return passed;
}

test('a store that accepts connections and never answers: decisions go on at once by the share', async () => {
  const sockets: Socket[] = [];
  const mute = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const { limits, told } = await begin(`redis://127.0.0.1:${(mute.address() as AddressInfo).port}`, 4);
  expect(told).toEqual([true]);
  const organization = testOrganization(100, 100);
  // Were each to wait for the store, it would take 25 s.
  const startedAt = performance.now();
  expect(await takeMany(limits, organization, 100)).toBe(50);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect((await takeOne(limits, organization)).view).toMatchObject({ limit: 100, remaining: 0 });
  await limits.close();
  for (const socket of sockets) socket.destroy();
  mute.close();
});

describe.skipIf(server === null)('on a real Valkey or Redis server', () => {
  const url = server?.url ?? '';
  const kill = async () => server?.kill();
  const restart = async () => server?.restart();
  beforeEach(restart);

  test('nodes hand out one limit together, and tell its numbers', async () => {
    const [one, other] = [await begin(url, 2), await begin(url, 2)];
    const organization = testOrganization(100, 100);
    expect(await takeMany(one.limits, organization, 30)).toBe(30);
    expect(await takeOne(other.limits, organization)).toMatchObject({
      refusedBy: null,
      view: { limit: 100, remaining: 69, windowSeconds: 60 },
    });
    const decisions = await Promise.all(
      Array.from({ length: 300 }, async (_, i) => takeOne(i % 2 === 0 ? one.limits : other.limits, organization)),
    );
    expect(decisions.filter(({ refusedBy }) => refusedBy === null)).toHaveLength(169);
    expect(await takeOne(one.limits, organization)).toMatchObject({ refusedBy: 'API requests of the organization in a minute' });
    expect((await one.limits.take(organization, { requests: 0, assessments: 201 }, 'assessments')).waitSeconds).toBe(Infinity);
    expect((await one.limits.take(withLimits(organization, 101, 100), REQUEST, 'requests')).refusedBy).toBeNull();
    expect([...one.told, ...other.told]).toEqual([]);
  });

  test('killed in mid-traffic, decisions go on with the share of what all nodes had left; it is told once, and its return too', async () => {
    const [node, other] = [await begin(url, 2), await begin(url, 2)];
    const organization = testOrganization(100, 100);
    expect(await takeMany(other.limits, organization, 30)).toBe(30);
    expect(await takeMany(node.limits, organization, 10)).toBe(10);
    await kill();
    // 160 of 200 are left, of which this node hands out half.
    expect(await takeMany(node.limits, organization, 200)).toBe(80);
    expect((await takeOne(node.limits, organization)).view).toMatchObject({ limit: 100, remaining: 0 });
    expect(await takeMany(node.limits, testOrganization(1, 1), 10)).toBe(2);
    expect(node.told).toEqual([true]);
    expect(node.levels).toEqual([50]);
    await restart();
    await expect.poll(() => node.told, { timeout: 10_000 }).toEqual([true, false]);
    expect(node.levels).toEqual([50, 30]);
    expect(await takeMany(node.limits, testOrganization(1, 1), 10)).toBe(2);
  });

  test('for 300 s after its return both the store and the share must agree, then the store alone decides', async () => {
    const { limits, told } = await begin(url, 2);
    const [spent, fresh] = [testOrganization(100, 100), testOrganization(100, 100)];
    await kill();
    expect(await takeMany(limits, spent, 150)).toBe(100);
    await restart();
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([true, false]);
    expect(await takeMany(limits, spent, 10)).toBe(0);
    const together = await Promise.all(Array.from({ length: 300 }, () => takeOne(limits, fresh)));
    expect(together.filter(({ refusedBy }) => refusedBy === null)).toHaveLength(100);
    clocks.monotonicMs += 290_000;
    expect((await takeOne(limits, spent)).view.remaining).toBeLessThanOrEqual(50);
    clocks.monotonicMs += 12_000;
    expect((await takeOne(limits, spent)).view.remaining).toBeGreaterThan(50);
    expect(await takeMany(limits, fresh, 150)).toBe(100);
  });

  test('a store that comes back empty between two requests gives no second budget', async () => {
    const { limits, told } = await begin(url);
    const organization = testOrganization(100, 100);
    expect(await takeMany(limits, organization, 200)).toBe(200);
    await restart();
    await expect.poll(() => told, { timeout: 10_000 }).toEqual([true, false]);
    expect(await takeMany(limits, organization, 10)).toBe(0);
  });

  test('what the store refuses costs the share nothing', async () => {
    const node = await begin(url, 2);
    await restart();
    await expect.poll(() => node.told, { timeout: 10_000 }).toEqual([true, false]);
    const organization = testOrganization(100, 100);
    const elsewhere = new LimitStore(url);
    await elsewhere.settled();
    await elsewhere.takeBudgets([{ key: `svc:limit:{${organization.id}}:assessments`, limit: 100, cost: 200 }]);
    elsewhere.close();
    const both = { requests: 1, assessments: 1 };
    const decisions = await Promise.all(Array.from({ length: 90 }, async () => node.limits.take(organization, both, 'requests')));
    for (const { refusedBy } of decisions) expect(refusedBy).toBe('assessments of the organization in a minute');
    expect(await takeMany(node.limits, organization, 150)).toBe(100);
  });

  test('a store that hangs in mid-traffic holds up one request, not every one', async () => {
    const { limits, told } = await begin(url, 2);
    const organization = testOrganization(1_000, 1_000);
    const client = new Valkey(url);
    await client.client('PAUSE', 3_000, 'ALL');
    client.disconnect();
    let held = 0;
    for (let i = 0; i < 100; i++) {
      const startedAt = performance.now();
      expect((await takeOne(limits, organization)).refusedBy).toBeNull();
      if (performance.now() - startedAt > 200) held++;
    }
    // One by its time-out; a second would be the machine's. Were each to ask, four would wait before the connection is given up.
    expect(held).toBeLessThan(3);
    await expect.poll(() => told, { timeout: 15_000 }).toEqual([true, false]);
  });

  test('a batch that fits the limit but not the share is to come again; one that fits neither never', async () => {
    const { limits } = await begin(url, 4);
    const organization = testOrganization(100, 100);
    const batch = async (assessments: number) => limits.take(organization, { requests: 0, assessments }, 'assessments');
    await kill();
    expect(await batch(51)).toMatchObject({ refusedBy: 'assessments of the organization in a minute', waitSeconds: 60 });
    expect((await batch(201)).waitSeconds).toBe(Infinity);
    expect((await batch(50)).refusedBy).toBeNull();
  });

  test('the windows of probes hold across nodes, through a failure and after it', async () => {
    const [node, other] = [await begin(url, 2), await begin(url, 2)];
    const beat = async (limits: Limits, probe: string) => limits.takeProbe('org_of_probes', probe, 'heartbeat');
    const beats = await Promise.all(Array.from({ length: 30 }, (_, i) => beat(i % 2 === 0 ? node.limits : other.limits, 'a')));
    expect(beats.filter(({ refusedBy }) => refusedBy === null)).toHaveLength(10);
    expect(await beat(node.limits, 'a')).toMatchObject({
      refusedBy: 'heartbeats of a probe in a minute',
      view: { limit: 10, remaining: 0, windowSeconds: 60 },
    });
    for (let i = 0; i < 7; i++) await beat(node.limits, 'b');
    await kill();
    expect((await beat(node.limits, 'b')).refusedBy).not.toBeNull();
    for (let i = 0; i < 5; i++) expect(await beat(node.limits, 'c')).toMatchObject({ refusedBy: null, view: { limit: 10 } });
    expect((await beat(node.limits, 'c')).refusedBy).not.toBeNull();
    await restart();
    await expect.poll(() => node.told, { timeout: 10_000 }).toEqual([true, false]);
    expect((await beat(node.limits, 'c')).refusedBy).not.toBeNull();
    expect((await beat(node.limits, 'd')).refusedBy).toBeNull();
  });

  test('a node that begins while the store is away goes on from what was used before', async () => {
    const { limits } = await begin(url);
    const organization = testOrganization(100, 100);
    expect(await takeMany(limits, organization, 150)).toBe(150);
    await limits.close();
    await kill();
    const after = await begin(url);
    expect(after.told).toEqual([true]);
    expect(await takeMany(after.limits, organization, 100)).toBe(50);
    await restart();
    await expect.poll(() => after.told, { timeout: 10_000 }).toEqual([true, false]);
    expect(await takeMany(after.limits, organization, 100)).toBe(0);
  });
});

// Limits across restarts, on a real database.

import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { openDatabase, type Database } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import type { Organization } from '../organizations/organization.ts';
import { openLimits, type Limits } from './limits.ts';
import { settableClocks, testOrganization } from './test-kit.ts';

const FLUSH_INTERVAL_MS = 5_000;

let database: TestDatabase;
let db: Database;
let clocks: ReturnType<typeof settableClocks>;
const opened: Limits[] = [];
const warnings: string[] = [];
const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) });

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, () => {});
  await migrate(db);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  clocks = settableClocks();
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((limits) => limits.close()));
  vi.useRealTimers();
  vi.restoreAllMocks();
  warnings.length = 0;
  await db.query('TRUNCATE limit_usage');
});

/** As a process that begins; one that is not closed before the next begins was killed. */
async function begin(): Promise<Limits> {
  const limits = await openLimits({ db, valkeyUrl: null, liveNodes: () => 1, log, onDegraded: () => {} });
  opened.push(limits);
  return limits;
}

async function restart(limits: Limits): Promise<Limits> {
  await limits.close();
  return begin();
}

/** Takes single requests, each with an assessment; answers how many were let through. */
async function takeMany(limits: Limits, organization: Organization, count: number): Promise<number> {
  let passed = 0;
  for (let i = 0; i < count; i++) {
    const decision = limits.take(organization, { requests: 1, assessments: 1 }, 'requests');
    expect(decision).not.toBeInstanceOf(Promise);
    if ((await decision).refusedBy === null) passed++;
  }
  return passed;
}

/** Lets time pass on every clock. */
function pass(seconds: number): void {
  clocks.wallMs += seconds * 1_000;
  clocks.monotonicMs += seconds * 1_000;
}

async function rowCount(): Promise<number> {
  const { rows } = await db.query<{ count: string }>('SELECT count(*) FROM limit_usage');
  return Number(rows[0]!.count);
}

test('an orderly restart hands out no second budget, in either window', async () => {
  const organization = testOrganization(100, 1_000);
  let limits = await begin();
  expect(await takeMany(limits, organization, 250)).toBe(200);
  limits = await restart(limits);
  expect(await takeMany(limits, organization, 250)).toBe(0);
  pass(61);
  limits = await restart(limits);
  expect(await takeMany(limits, organization, 250)).toBe(200);
  pass(61);
  limits = await restart(limits);
  expect(await takeMany(limits, organization, 250)).toBe(102);
  pass(61);
  limits = await restart(limits);
  expect(await takeMany(limits, organization, 250)).toBe(0);
  pass(120);
  limits = await restart(limits);
  expect(await takeMany(limits, organization, 250)).toBe(200);
});

test('each budget is restored by itself', async () => {
  const organization = testOrganization(100, 100);
  const limits = await begin();
  await limits.take(organization, { requests: 1, assessments: 150 }, 'requests');
  const after = await restart(limits);
  expect(await after.take(organization, { requests: 0, assessments: 51 }, 'assessments')).toMatchObject({
    refusedBy: 'assessments of the organization in a minute',
  });
  expect((await after.take(organization, { requests: 199, assessments: 50 }, 'requests')).refusedBy).toBeNull();
  expect((await after.take(organization, { requests: 1, assessments: 0 }, 'requests')).refusedBy).not.toBeNull();
});

test.each([1, 60, 100, 1_000])('steady traffic at %i a minute across a restart is never refused', async (limit) => {
  const organization = testOrganization(limit, limit);
  let limits = await begin();
  for (let minute = 0; minute < 12; minute++) {
    for (let i = 0; i < limit; i++) {
      expect(await takeMany(limits, organization, 1)).toBe(1);
      pass(60 / limit);
    }
    if (minute >= 5) limits = await restart(limits);
  }
});

test('a kill forgives what was used since the last flush, and no more', async () => {
  const organization = testOrganization(100, 100);
  const killed = await begin();
  expect(await takeMany(killed, organization, 150)).toBe(150);
  vi.advanceTimersByTime(FLUSH_INTERVAL_MS);
  await expect.poll(rowCount).toBe(1);
  expect(await takeMany(killed, organization, 20)).toBe(20);
  expect(await takeMany(await begin(), organization, 200)).toBe(50);
});

test('usage is written once per organization and flush, and is gone when it no longer counts', async () => {
  const limits = await begin();
  const organizations = [testOrganization(100, 100), testOrganization(100, 100)];
  for (const organization of organizations) await takeMany(limits, organization, 10);
  vi.advanceTimersByTime(FLUSH_INTERVAL_MS);
  await expect.poll(rowCount).toBe(2);
  const { rows } = await db.query<{ used: string }>(
    'SELECT sum(r) + sum(a) AS used FROM limit_usage, unnest(requests, assessments) AS u (r, a)',
  );
  expect(Number(rows[0]!.used)).toBe(40);
  pass(302);
  // The flush before may not have ended when its rows are there already: then the next one is the one after.
  const afterNextFlush = () => {
    vi.advanceTimersByTime(FLUSH_INTERVAL_MS);
    return rowCount();
  };
  await expect.poll(afterNextFlush).toBe(0);
});

test('usage of several nodes is added up, over any number of rows', async () => {
  const organization = testOrganization(100_000, 100_000);
  const nodes = [await begin(), await begin()];
  for (const node of nodes) await takeMany(node, organization, 500);
  await Promise.all(nodes.map((node) => node.close()));
  await db.query(
    `INSERT INTO limit_usage SELECT $1, to_timestamp($2::float8), gen_random_uuid(), ARRAY[$2::bigint], '{3}', '{0}'
       FROM generate_series(1, 12000)`,
    [organization.uuid.toString('hex'), Math.floor(Date.now() / 1_000)],
  );
  const decision = await (await begin()).take(organization, { requests: 0, assessments: 0 }, 'requests');
  expect(decision.view.remaining).toBe(100_000 - 1_000 - 36_000);
});

test('a flush that fails is told and tried again, and no request notices', async () => {
  const organization = testOrganization(100, 100);
  const limits = await begin();
  await db.query('ALTER TABLE limit_usage RENAME TO limit_usage_away');
  for (let failures = 1; failures <= 2; failures++) {
    expect(await takeMany(limits, organization, 50)).toBe(50);
    vi.advanceTimersByTime(FLUSH_INTERVAL_MS);
    await expect.poll(() => warnings.length).toBe(failures);
  }
  await db.query('ALTER TABLE limit_usage_away RENAME TO limit_usage');
  expect(await takeMany(await restart(limits), organization, 200)).toBe(100);
  expect(warnings).toHaveLength(2);
});

test.each([
  ['back', -86_400],
  ['back a little', -30],
  ['forward', 86_400],
  ['forward a little', 30],
])('a wall clock that is set %s while the service runs hands out nothing twice', async (_, seconds) => {
  const organization = testOrganization(100, 100);
  const limits = await begin();
  expect(await takeMany(limits, organization, 150)).toBe(150);
  vi.advanceTimersByTime(FLUSH_INTERVAL_MS);
  await expect.poll(rowCount).toBe(1);
  clocks.wallMs += seconds * 1_000;
  expect(await takeMany(limits, organization, 20)).toBe(20);
  expect(await takeMany(await restart(limits), organization, 200)).toBe(30);
});

test('a wall clock that was set back while nothing ran hands out nothing twice, and holds nobody up for longer', async () => {
  const organization = testOrganization(100, 100);
  const limits = await begin();
  expect(await takeMany(limits, organization, 200)).toBe(200);
  await limits.close();
  clocks.wallMs -= 86_400_000;
  const after = await begin();
  expect(await takeMany(after, organization, 1)).toBe(0);
  pass(61);
  expect(await takeMany(after, organization, 1)).toBe(1);
  pass(301);
  expect(await takeMany(await restart(after), organization, 200)).toBe(200);
});

test('a closed limiter can be closed again', async () => {
  const limits = await begin();
  await limits.close();
  await expect(limits.close()).resolves.toBeUndefined();
});

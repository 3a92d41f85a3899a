// Promises about probes: how they come to be known, how they are, and how people look after them.

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { describeEvent } from '../integrations/describe.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { signIn } from '../testing/sign-in.ts';
import { INTERVAL_DEFAULT_S, statusOf, type Vitals } from './health.ts';
import { purgeProbes } from './store.ts';
import { watchProbes } from './watch.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const BEGIN_MS = Date.parse('2026-03-01T12:00:00Z');

type Json = ReturnType<typeof JSON.parse>;

let service: TestService;
let other: TestService;
let db: pg.Client;
let org: NewOrganization;
/** The services' clock: it stands still unless a test moves it. */
let nowMs = BEGIN_MS;
const clock = () => nowMs;

beforeAll(async () => {
  service = await startTestService({ SVC_MASTER_KEY: MASTER_KEY }, clock);
  other = await startTestService({ SVC_MASTER_KEY: MASTER_KEY, SVC_DATABASE_URL: service.databaseUrl }, clock);
  db = new pg.Client(service.databaseUrl);
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await other.close();
  await service.close();
});
beforeEach(async () => {
  // Everything that an earlier test left is long offline, and said to be.
  nowMs += 3_600_000;
  await watch();
  org = await service.createOrganization();
});

const tick = (seconds: number) => (nowMs += seconds * 1_000);
/** Looks after probes as a node does that has listened for long. */
const watch = (on: TestService = service) => watchProbes(on.services, 0);

interface Options {
  readonly key?: string;
  readonly probe?: string | null;
  readonly on?: TestService;
}
const call = (method: string, path: string, body: unknown, { key = org.keys.live, probe = 'p1', on = service }: Options = {}) =>
  on.request(method, path, {
    key,
    ...(body === undefined ? {} : { body }),
    headers: probe === null ? {} : { 'x-svc-probe-id': probe },
  });
const beat = (body: object = {}, options: Options = {}) => call('POST', '/api/svc/probe/heartbeat', body, options);
const report = (options: Options = {}) =>
  call(
    'POST',
    '/api/svc/probe/telemetry',
    { events: [{ id: `e-${Math.random()}`, occurred_at: new Date(nowMs).toISOString() }] },
    options,
  );
const admin = (method: string, path: string, body?: object): Promise<Json> =>
  service.request(method, path, { key: org.keys.admin, ...(body === undefined ? {} : { body }) });
const list = async (query = ''): Promise<Json> => (await admin('GET', `/v1/probes${query}`)).body;
const idsOf = (page: Json) => page.data.map(({ id }: Json) => id);
const probe = async (id = 'p1'): Promise<Json> => (await admin('GET', `/v1/probes/${id}`)).body;
const statusNow = async (id = 'p1') => (await probe(id)).status;
const trail = async (kind = 'probe'): Promise<Json[]> =>
  (await admin('GET', '/v1/events?after_sequence=0&limit=200')).body.data.filter(
    (event: Json) => event.kind === kind || event.kind.startsWith(`${kind}.`),
  );
const kindsOf = async () => (await trail()).map(({ kind }) => kind.slice('probe.'.length));
const kindsOfOne = async (id: string) =>
  (await trail()).filter(({ data }) => data.probe_id === id).map(({ kind }) => kind.slice('probe.'.length));

describe('a probe', () => {
  test.each([
    ['telemetry', () => report()],
    ['a heartbeat', () => beat()],
    ['policy-sync', () => call('GET', '/api/svc/probe/policy-sync', undefined)],
  ])('registers itself at its first contact by %s, once, with an event of its own', async (_name, contact) => {
    await contact();
    await contact();
    const [registered, ...more] = await trail();
    expect(more).toEqual([]);
    expect(registered).toMatchObject({
      kind: 'probe.registered',
      actor: { type: 'api_key' },
      data: { probe_id: 'p1', group: 'default' },
    });
    expect(await probe()).toMatchObject({ id: 'p1', mode: 'live', status: 'healthy', group: 'default', labels: {} });
    expect((await admin('GET', '/v1/events?probe_id=p1&kind=probe.registered')).body.data).toHaveLength(1);
  });

  test('is registered once, however many nodes and requests it comes by at the same time', async () => {
    const calls = Array.from({ length: 10 }, (_, i) => {
      const options = { on: i % 3 === 0 ? other : service };
      return i % 2 === 0 ? report(options) : beat({}, options);
    });
    for (const { status } of await Promise.all(calls)) expect(status).toBeLessThan(300);
    expect(await kindsOf()).toEqual(['registered']);
  });

  test('that names itself by nothing is its key', async () => {
    const { body } = await admin('GET', '/v1/api-keys');
    const live = body.data.find(({ type }: Json) => type === 'live');
    await beat({}, { probe: null });
    expect(idsOf(await list())).toEqual([live.id]);
  });

  test.each(['', ' ', 'a b', 'ä', 'a/b', 'x'.repeat(129), 'a,b'])('that calls itself %j is refused', async (name) => {
    for (const answer of [await beat({}, { probe: name }), await report({ probe: name })]) {
      expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request']);
      expect(answer.body.error.message).toContain('X-Svc-Probe-Id');
      expect(answer.headers.get('x-svc-ratelimit-window')).toMatch(/^(1|60)$/);
    }
    expect((await list()).data).toEqual([]);
  });

  test('may be called by any name of 128 of the characters that are allowed', async () => {
    const name = 'aZ09._:-'.repeat(16);
    await beat({}, { probe: name });
    expect(await probe(name)).toMatchObject({ id: name });
  });

  test('of a user who names none is refused: no key could stand for it', async () => {
    const { token } = await signIn(service, 'operator');
    const answer = await beat({}, { key: token, probe: null });
    expect(answer.body.error.message).toMatch(/X-Svc-Probe-Id/);
  });

  test('is refused as the thousand and first, and a known one goes on', async () => {
    await beat();
    await db.query(
      `INSERT INTO probes (org_id, mode, id, registered_at, last_seen_at)
       SELECT $1, 'live', 'q' || i, now(), now() FROM generate_series(1, 998) i`,
      [org.uuid.toString('hex')],
    );
    const two = await Promise.all([beat({}, { probe: 'new-1' }), beat({}, { probe: 'new-2', on: other })]);
    expect(two.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const refused = await report({ probe: 'new-3' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    expect(refused.body.error.message).toMatch(/1000 probes already. Delete/);
    expect((await beat()).status).toBe(200);
  });

  test('is not kept out by those of test keys, of which the one longest unseen makes room', async () => {
    const orgId = org.uuid.toString('hex');
    await db.query(
      `INSERT INTO probes (org_id, mode, id, registered_at, last_seen_at)
       SELECT $1, 'test', 'q' || i, now(), $2::timestamptz - make_interval(secs => i) FROM generate_series(1, 1000) i`,
      [orgId, new Date(nowMs)],
    );
    expect((await beat()).status).toBe(200);
    expect((await beat({}, { key: org.keys.test, probe: 'new' })).status).toBe(200);
    const { rows } = await db.query(
      `SELECT count(*)::int AS count, bool_or(id = 'q1000') AS oldest, bool_or(id = 'new') AS new FROM probes WHERE org_id = $1 AND mode = 'test'`,
      [orgId],
    );
    expect(rows).toEqual([{ count: 1_000, oldest: false, new: true }]);
  });

  test('of another organization with the same name is another one', async () => {
    const stranger = await service.createOrganization();
    await beat({ version: '1' });
    await beat({ version: '2' }, { key: stranger.keys.live });
    expect(await probe()).toMatchObject({ version: '1' });
    await beat({}, { key: stranger.keys.live, probe: 'theirs' });
    for (const [method, body] of [['GET'], ['PATCH', { labels: {} }], ['DELETE']] as const) {
      const answer = await admin(method, '/v1/probes/theirs', body);
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found']);
    }
    expect(idsOf(await list())).toEqual(['p1']);
  });

  test.each(['a%00b', 'a%20b', 'a'.repeat(129)])('that nobody can be called, %s, is not there', async (name) => {
    for (const [method, body] of [['GET'], ['PATCH', { labels: {} }], ['DELETE']] as const) {
      const answer = await admin(method, `/v1/probes/${name}`, body);
      expect([method, answer.status, answer.body.error.code]).toEqual([method, 404, 'not_found']);
    }
  });

  test('of a test key is apart: no event, and live keys do not see it', async () => {
    await beat({ version: 't' }, { key: org.keys.test });
    expect((await list()).data).toEqual([]);
    expect(await trail()).toEqual([]);
    const made = await admin('POST', '/v1/api-keys', { name: 'k', type: 'test', permissions: ['probes:read', 'probes:write'] });
    const asTest = (method: string, path: string, body?: object) =>
      service.request(method, path, { key: made.body.key, ...(body === undefined ? {} : { body }) });
    expect((await asTest('GET', '/v1/probes')).body.data).toMatchObject([{ id: 'p1', mode: 'test', version: 't' }]);
    tick(600);
    await watch();
    expect((await asTest('GET', '/v1/probes/p1')).body.status).toBe('offline');
    await asTest('PATCH', '/v1/probes/p1', { labels: { group: 'g' } });
    await asTest('DELETE', '/v1/probes/p1');
    expect((await asTest('GET', '/v1/probes')).body.data).toEqual([]);
    expect(await trail()).toEqual([]);
  });
});

describe('a heartbeat', () => {
  test('says how the probe is, and hears what is in force and when the next is expected', async () => {
    const started = '2026-03-01T11:59:00.000Z';
    const said = {
      version: '1.2.3',
      started_at: started,
      policy_version: 1,
      queue: { depth: 7, dropped: 2 },
      labels: { region: 'eu', group: 'checkout' },
      newer: true,
    };
    const { status, body } = await beat(said);
    expect([status, body]).toEqual([
      200,
      {
        server_time: new Date(nowMs).toISOString(),
        policy: { version: 1, digest: expect.stringMatching(/^sha256:/) },
        next_heartbeat_s: INTERVAL_DEFAULT_S,
      },
    ]);
    const at = new Date(nowMs).toISOString();
    expect(await probe()).toEqual({
      id: 'p1',
      mode: 'live',
      status: 'healthy',
      group: 'checkout',
      labels: { region: 'eu', group: 'checkout' },
      expected_interval_s: 30,
      registered_at: at,
      last_seen_at: at,
      last_heartbeat_at: at,
      offline_since: null,
      version: '1.2.3',
      started_at: started,
      policy_version: 1,
      queue: { depth: 7, dropped: 2 },
      rates: { accepted_per_minute: 0, duplicates_per_minute: 0, rejected_per_minute: 0 },
    });
    // Labels that are not said stay; the rest is as it is said now.
    await beat({ version: '1.2.4' });
    expect(await probe()).toMatchObject({ version: '1.2.4', queue: null, labels: { region: 'eu' }, group: 'checkout' });
    await beat({ labels: {} });
    expect(await probe()).toMatchObject({ labels: {}, group: 'default' });
  });

  test('needs no body', async () => {
    expect((await call('POST', '/api/svc/probe/heartbeat', undefined)).status).toBe(200);
  });

  test.each([
    [{ policy_version: 0 }, '/policy_version'],
    [{ queue: { depth: -1, dropped: 0 } }, '/queue/depth'],
    [{ started_at: 'yesterday' }, '/started_at'],
    [{ started_at: '0000-01-01T00:00:00+23:59' }, '/started_at'],
    [{ started_at: '1970-01-01T00:00:00+00:01' }, '/started_at'],
    [{ started_at: '9999-12-31T23:59:59-23:59' }, '/started_at'],
    [{ labels: { a: 1 } }, '/labels/a'],
    [{ labels: { group: 'x'.repeat(101) } }, '/labels/group'],
    [{ labels: { a: 'x\u0000' } }, '/labels/a'],
    [{ version: '' }, '/version'],
  ])('with %j is refused at the place', async (body, pointer) => {
    const answer = await beat(body);
    expect([answer.status, answer.body.error.details[0].pointer]).toEqual([400, pointer]);
  });

  test('hears of a new policy at once, on every node within a second', async () => {
    expect((await beat({}, { on: other })).body.policy.version).toBe(1);
    await admin('PUT', '/v1/policy', { mode: 'monitor' });
    expect((await beat()).body.policy.version).toBe(2);
    await expect.poll(async () => (await beat({}, { on: other, probe: `p${Math.random()}` })).body.policy.version).toBe(2);
  });
});

describe('health', () => {
  const healthy: Vitals = {
    expectedIntervalS: null,
    toldIntervalS: null,
    lastSeenAtMs: 0,
    lastHeartbeatAtMs: 0,
    behindHeartbeats: 0,
    saysStale: false,
  };
  test.each<[string, number, Partial<Vitals>, string]>([
    ['has just said so', 0, {}, 'healthy'],
    ['is one and a half intervals late', 45, {}, 'healthy'],
    ['is later than that', 45.001, {}, 'stale'],
    ['says that its policy has expired', 0, { saysStale: true }, 'stale'],
    ['is not heard for three intervals', 89.999, {}, 'stale'],
    ['is not heard for three intervals', 90, {}, 'offline'],
    ['has an interval of its own', 90, { expectedIntervalS: 60 }, 'healthy'],
    ['has an interval of its own', 180, { expectedIntervalS: 60 }, 'offline'],
    ['was told a longer one', 1_799, { toldIntervalS: 600 }, 'stale'],
    ['was told a longer one', 900, { toldIntervalS: 600 }, 'healthy'],
    ['was told a longer one', 1_800, { toldIntervalS: 600 }, 'offline'],
    ['was told a shorter one', 180, { expectedIntervalS: 60, toldIntervalS: 10 }, 'offline'],
    ['was told a shorter one', 179, { expectedIntervalS: 60, toldIntervalS: 10 }, 'stale'],
    ['had two heartbeats with an older policy', 0, { behindHeartbeats: 2 }, 'healthy'],
    ['had three', 0, { behindHeartbeats: 3 }, 'skewed'],
    ['had three, and is late', 60, { behindHeartbeats: 3, saysStale: true }, 'skewed'],
    ['had three, and is gone', 90, { behindHeartbeats: 3 }, 'offline'],
    ['never sent a heartbeat', 109.999, { lastHeartbeatAtMs: null }, 'healthy'],
    ['never sent a heartbeat, and is silent', 110, { lastHeartbeatAtMs: null }, 'stale'],
    ['never sent a heartbeat, and is silent for a month', 2_600_000, { lastHeartbeatAtMs: null }, 'stale'],
    ['never sent one, and is to be heard', 110, { lastHeartbeatAtMs: null, expectedIntervalS: 30 }, 'offline'],
  ])('of one that %s at %d s', (_name, seconds, vitals, status) => {
    expect(statusOf({ ...healthy, ...vitals }, seconds * 1_000)).toBe(status);
  });

  test('offline is told once by one of many nodes, and so is that it is back', async () => {
    await beat({ labels: { group: 'g' } });
    const lastMs = nowMs;
    tick(89);
    await watch();
    expect(await kindsOf()).toEqual(['registered']);
    tick(1);
    await Promise.all([watch(), watch(other), watch(), watch(other)]);
    await Promise.all([watch(), watch(other)]);
    expect(await kindsOf()).toEqual(['registered', 'offline']);
    expect((await trail()).at(-1)).toMatchObject({
      actor: { type: 'system', id: null },
      data: { probe_id: 'p1', group: 'g', last_heard_at: new Date(lastMs).toISOString() },
    });
    expect(await probe()).toMatchObject({ status: 'offline', offline_since: new Date(nowMs).toISOString() });
    const offlineSince = new Date(nowMs).toISOString();
    tick(10);
    await Promise.all([beat(), beat({}, { on: other }), watch(), watch(other)]);
    expect(await kindsOf()).toEqual(['registered', 'offline', 'online']);
    expect((await trail()).at(-1)).toMatchObject({ data: { probe_id: 'p1', offline_since: offlineSince } });
    expect(await probe()).toMatchObject({ status: 'healthy', offline_since: null });
    tick(90);
    await watch();
    expect(await kindsOf()).toEqual(['registered', 'offline', 'online', 'offline']);
  });

  test('is not judged by a node that has not listened for three intervals itself', async () => {
    await beat();
    tick(300);
    await watchProbes(service.services, nowMs - 89_000);
    expect(await kindsOf()).toEqual(['registered']);
    await watchProbes(service.services, nowMs - 90_000);
    expect(await kindsOf()).toEqual(['registered', 'offline']);
  });

  test('of many at once is told of each', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `p${i}`);
    await Promise.all(names.map((name) => beat({}, { probe: name })));
    tick(100);
    await Promise.all([watch(), watch(other)]);
    const told = (await trail('probe.offline')).map(({ data }) => data.probe_id);
    expect(told.toSorted()).toEqual(names.toSorted());
  });

  test('of a probe that only reports is nobody’s alarm, unless somebody has set how often it is to be heard', async () => {
    await report();
    await service.services.probes.touches.flush();
    tick(3_000);
    await watch();
    expect([await statusNow(), await kindsOf()]).toEqual(['stale', ['registered']]);
    await admin('PATCH', '/v1/probes/p1', { expected_interval_s: 60 });
    await watch();
    expect([await statusNow(), await kindsOf()]).toEqual(['offline', ['registered', 'updated', 'offline']]);
    await report();
    await service.services.probes.touches.flush();
    await watch();
    expect([await statusNow(), await kindsOf()]).toEqual(['healthy', ['registered', 'updated', 'offline', 'online']]);
  });

  test('follows an interval that is changed', async () => {
    await beat();
    await admin('PATCH', '/v1/probes/p1', { expected_interval_s: 600 });
    expect((await beat()).body.next_heartbeat_s).toBe(600);
    tick(1_000);
    await watch();
    expect(await kindsOfOne('p1')).toEqual(['registered', 'updated']);
    // It was told 600 s, and keeps to that until it hears of the shorter one.
    await admin('PATCH', '/v1/probes/p1', { expected_interval_s: null });
    await watch();
    expect([await statusNow(), await kindsOfOne('p1')]).toEqual(['stale', ['registered', 'updated', 'updated']]);
    tick(800);
    await watch();
    expect((await kindsOfOne('p1')).at(-1)).toBe('offline');
    await admin('PATCH', '/v1/probes/p1', { expected_interval_s: 3_600 });
    await watch();
    expect((await kindsOfOne('p1')).at(-1)).toBe('online');
    // A longer one that was set and taken back, and that the probe never heard of, counts for nothing.
    await admin('PATCH', '/v1/probes/p1', { expected_interval_s: 60 });
    await watch();
    expect((await kindsOfOne('p1')).at(-1)).toBe('offline');
    expect((await beat()).body.next_heartbeat_s).toBe(60);
    tick(180);
    await watch();
    expect((await kindsOfOne('p1')).slice(-2)).toEqual(['online', 'offline']);
  });

  test('is skewed once, at the third heartbeat in a row with an older policy, and not when it has caught up', async () => {
    await admin('PUT', '/v1/policy', { mode: 'monitor' });
    await beat({ policy_version: 1 });
    await beat({ policy_version: 1 });
    expect(await statusNow()).toBe('healthy');
    await beat({ policy_version: 1 });
    await beat({ policy_version: 1 });
    expect(await statusNow()).toBe('skewed');
    expect(await kindsOf()).toEqual(['registered', 'skewed']);
    expect((await trail()).at(-1)!.data).toEqual({ probe_id: 'p1', group: 'default', policy_version: 1, policy_in_force: 2 });
    await beat({ policy_version: 2 });
    expect(await statusNow()).toBe('healthy');
  });
});

describe('the list', () => {
  test('gives every probe once, the newest first, page by page, and by status and group', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      await beat({ labels: name < 'c' ? { group: 'first' } : {} }, { probe: name });
      if (name !== 'b') tick(1); // two that came at the same moment
    }
    const pages: string[][] = [];
    let cursor = '';
    do {
      const page = await list(`?limit=2${cursor}`);
      pages.push(idsOf(page));
      cursor = page.next_cursor === null ? '' : `&cursor=${page.next_cursor}`;
    } while (cursor !== '');
    expect(pages).toEqual([['e', 'd'], ['b', 'c'], ['a']]);
    expect(idsOf(await list('?group=first'))).toEqual(['b', 'a']);
    tick(60);
    await beat({}, { probe: 'c' });
    expect(idsOf(await list('?status=stale'))).toEqual(['e', 'd', 'b', 'a']);
    expect(idsOf(await list('?status=healthy&limit=1'))).toEqual(['c']);
    expect(idsOf(await list('?status=offline'))).toEqual([]);
  });

  test.each(['?status=nonsense', '?limit=0', '?cursor=x', '?mode=live'])('refuses %s', async (query) => {
    expect((await admin('GET', `/v1/probes${query}`)).body.error.code).toBe('invalid_request');
  });

  test('tells how much each reports', async () => {
    for (let i = 0; i < 10; i++) await report();
    await call('POST', '/api/svc/probe/telemetry', { events: [1, 2, 3, 4, 5] });
    await service.services.probes.touches.flush();
    expect((await list()).data[0].rates).toEqual({ accepted_per_minute: 2, duplicates_per_minute: 0, rejected_per_minute: 1 });
    tick(360);
    expect((await probe()).rates.accepted_per_minute).toBe(0);
  });
});

describe('a change by hand', () => {
  test('of labels stands over what the probe says, and moves it to another group for what it reports, on every node', async () => {
    await beat({ labels: { region: 'eu', group: 'own' } });
    await report({ on: other });
    const { status, body } = await admin('PATCH', '/v1/probes/p1', { labels: { group: 'canary', note: 'x' } });
    expect([status, body]).toMatchObject([200, { group: 'canary', labels: { region: 'eu', group: 'canary', note: 'x' } }]);
    await beat({ labels: { region: 'us', group: 'own' } });
    expect(await probe()).toMatchObject({ group: 'canary', labels: { region: 'us', group: 'canary', note: 'x' } });
    await report();
    await expect
      .poll(async () => {
        await report({ on: other });
        return (await trail('telemetry.received')).at(-1)!.data.group;
      })
      .toBe('canary');
    const updated = (await trail('probe.updated'))[0]!;
    expect(updated).toMatchObject({
      actor: { type: 'api_key' },
      data: { probe_id: 'p1', group: 'canary', labels: { group: 'canary', note: 'x' }, expected_interval_s: 30 },
    });
    expect((await trail('telemetry.received'))[0]!.data.group).toBe('own');
    await admin('PATCH', '/v1/probes/p1', { labels: {} });
    expect(await probe()).toMatchObject({ group: 'own', labels: { region: 'us', group: 'own' } });
  });

  test('that changes nothing leaves no trace', async () => {
    await beat();
    await admin('PATCH', '/v1/probes/p1', { labels: { a: '1', b: '2' }, expected_interval_s: 60 });
    for (const same of [{}, { labels: { b: '2', a: '1' } }, { expected_interval_s: 60 }])
      expect((await admin('PATCH', '/v1/probes/p1', same)).body.labels).toEqual({ a: '1', b: '2' });
    expect(await kindsOf()).toEqual(['registered', 'updated']);
  });

  test.each([
    [{ expected_interval_s: 9 }, '/expected_interval_s'],
    [{ expected_interval_s: 3_601 }, '/expected_interval_s'],
    [{ labels: { group: '' } }, '/labels/group'],
    [{ nonsense: 1 }, '/nonsense'],
  ])('to %j is refused at the place', async (body, pointer) => {
    await beat();
    const answer = await admin('PATCH', '/v1/probes/p1', body);
    expect([answer.status, answer.body.error.details[0].pointer]).toEqual([400, pointer]);
  });

  test('that forgets a probe ends the alarm that it is silent', async () => {
    await beat();
    tick(90);
    await watch();
    await admin('DELETE', '/v1/probes/p1');
    const [, offline, deleted] = (await trail()).map((event) =>
      describeEvent({ ...event, org_id: org.id, mode: 'live' } as Parameters<typeof describeEvent>[0]),
    );
    expect([offline!.resolves, deleted!.resolves]).toEqual([false, true]);
    expect(deleted!.condition).toBe(offline!.condition);
  });

  test('forgets a probe but not what it reported; when it calls again it is registered anew, by whichever node', async () => {
    await report();
    await report({ on: other });
    const { status, body } = await admin('DELETE', '/v1/probes/p1');
    expect([status, body.id]).toEqual([200, 'p1']);
    expect((await admin('GET', '/v1/probes/p1')).status).toBe(404);
    expect((await admin('DELETE', '/v1/probes/p1')).status).toBe(404);
    const { rows } = await db.query('SELECT 1 FROM telemetry WHERE org_id = $1', [org.uuid.toString('hex')]);
    expect(rows).toHaveLength(2);
    await expect
      .poll(async () => {
        await report({ on: other });
        return kindsOf();
      })
      .toEqual(['registered', 'deleted', 'registered']);
  });
});

describe('the limits of a probe', () => {
  test.each([
    ['a heartbeat', 'POST', '/api/svc/probe/heartbeat'],
    ['policy-sync', 'GET', '/api/svc/probe/policy-sync'],
  ])(
    'let %s through ten times a minute among the nodes, with its numbers in the headers, errors too',
    async (_name, method, path) => {
      const alone = await service.createOrganization();
      const send = (probe: string, key = alone.keys.live) =>
        call(method, path, method === 'POST' ? {} : undefined, { key, probe });
      // Two nodes: each hands out half.
      const first = await send('p1');
      expect(first.headers.get('x-svc-ratelimit-limit')).toBe('10');
      expect(first.headers.get('x-svc-ratelimit-window')).toBe('60');
      for (let i = 0; i < 4; i++) expect((await send('p1')).status).toBe(200);
      const refused = await send('p1');
      expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
      expect(refused.headers.get('x-svc-ratelimit-remaining')).toBe('0');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(50);
      // Another probe, the same name in test mode and in another organization have limits of their own.
      expect((await send('p2')).status).toBe(200);
      expect((await send('p1', alone.keys.test)).status).toBe(200);
      expect((await send('p1', org.keys.live)).status).toBe(200);
      const usage = await service.request('GET', '/v1/usage', { key: alone.keys.admin });
      expect(usage.body.now.requests.remaining).toBe(usage.body.now.requests.limit / 2 - 1); // a node's share, less this very request
    },
  );

  test('refuse telemetry over a hundred requests in a second', async () => {
    const alone = await service.createOrganization();
    const { limits } = service.services;
    for (let i = 0; i < 100; i++) await limits.takeProbe(alone.id, 'live p1', 'telemetry');
    const refused = await report({ key: alone.keys.live });
    expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('x-svc-ratelimit-limit')]).toEqual([
      429,
      '1',
      '100',
    ]);
    expect(refused.headers.get('x-svc-ratelimit-window')).toBe('1');
  });

  test('cost nothing where the request is refused for whose it is', async () => {
    const alone = await service.createOrganization();
    for (let i = 0; i < 12; i++) {
      const answer = await service.request('POST', '/api/svc/probe/heartbeat', {
        key: alone.keys.live,
        body: {},
        headers: { 'x-svc-org-id': org.id },
      });
      expect([answer.status, answer.headers.get('x-svc-ratelimit-limit')]).toEqual([403, '10']);
    }
    expect((await beat({}, { key: alone.keys.live, probe: null })).status).toBe(200);
  });
});

describe('names that are new', () => {
  /** A body that is not JSON: whoever reads it answers 400. */
  const unread = (probe: string, options: Options = {}) => call('POST', '/api/svc/probe/heartbeat', '{', { probe, ...options });

  test('are few a minute, of each mode, and refused before their bodies are read; known ones go on, on every node', async () => {
    await beat({}, { on: other, probe: 'elsewhere' });
    await beat();
    const statuses: number[] = [];
    // This node hands out half.
    for (let i = 0; i < 160; i++) statuses.push((await beat({}, { probe: `n${i}` })).status);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(140);
    expect(statuses.slice(150)).toEqual(Array.from({ length: 10 }, () => 429));
    const refused = await unread('n1000');
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('x-svc-ratelimit-limit')).toBe('300');
    expect((await report({ probe: 'n1001' })).status).toBe(429);
    expect((await call('GET', '/api/svc/probe/policy-sync', undefined, { probe: 'n1002' })).status).toBe(429);
    for (const probe of ['p1', 'n3', 'elsewhere']) expect([probe, (await beat({}, { probe })).status]).toEqual([probe, 200]);
    expect((await beat({}, { probe: 'n3', key: org.keys.test })).status).toBe(200);
    expect((await beat({}, { probe: 'n3', key: (await service.createOrganization()).keys.live })).status).toBe(200);
  });

  test('are refused for some seconds without another look, once there are too many', async () => {
    await beat();
    await db.query(
      `INSERT INTO probes (org_id, mode, id, registered_at, last_seen_at) SELECT $1, 'live', 'q' || i, now(), now() FROM generate_series(1, 999) i`,
      [org.uuid.toString('hex')],
    );
    expect((await beat({}, { probe: 'new' })).status).toBe(409);
    const refused = await unread('newer');
    expect([refused.status, refused.body.error.code]).toEqual([409, 'conflict']);
    // Those that came to be known by another node are known.
    for (const probe of ['p1', 'q7']) expect([probe, (await beat({}, { probe })).status]).toEqual([probe, 200]);
    await admin('DELETE', '/v1/probes/q1');
    tick(5);
    expect((await beat({}, { probe: 'newer' })).status).toBe(200);
  });

  test('make no probe forget what it has used up', async () => {
    const alone = await service.createOrganization();
    for (let i = 0; i < 5; i++) expect((await beat({}, { key: alone.keys.live })).status).toBe(200);
    const { limits } = service.services;
    for (let i = 0; i < 1_010; i++) await limits.takeProbe(alone.id, `live n${i}`, 'heartbeat');
    for (let i = 0; i < 5_000; i++) limits.viewProbe(alone.id, `live m${i}`, 'heartbeat');
    expect((await beat({}, { key: alone.keys.live })).status).toBe(429);
  });
});

test('probes of test keys are forgotten after a day without a call, those of live keys are not', async () => {
  await beat();
  await beat({}, { key: org.keys.test });
  await purgeProbes(service.services.db, nowMs + 86_400_000 + 1);
  const { rows } = await db.query('SELECT mode FROM probes WHERE org_id = $1', [org.uuid.toString('hex')]);
  expect(rows).toEqual([{ mode: 'live' }]);
});

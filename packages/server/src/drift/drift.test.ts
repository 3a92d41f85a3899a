// Promises of drift detection, over real HTTP: what changes for good is told once, and nothing else is.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeEvent } from '../integrations/describe.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { Application, START_MS, type Behaviour } from './test-kit.ts';

const DAY_MS = 86_400_000;

type Json = ReturnType<typeof JSON.parse>;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_ALLOW_HTTP_WEBHOOKS: 'true', SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
});
afterAll(() => service.close());

/** An organization of its own, and an application that a probe of it looks at. */
async function start(policy: object = {}) {
  const organization = await service.createOrganization();
  const { admin: key } = organization.keys;
  await service.request('PUT', '/v1/policy', { key, body: { drift: { season: 'none', ...policy } } });
  const get = async (path: string): Promise<Json> => (await service.request('GET', path, { key })).body;
  return {
    organization,
    key,
    application: new Application(service, organization.keys.live, 'probe-1', 7),
    get,
    post: (path: string, body: object = {}) => service.request('POST', path, { key, body }),
    setPolicy: (drift: object) => service.request('PUT', '/v1/policy', { key, body: { drift: { season: 'none', ...drift } } }),
    monitor: async (signal: string): Promise<Json> => (await get(`/v1/drift?signal=${signal}`)).data[0],
    /** Oldest first. */
    events: async (kind: string): Promise<Json[]> => (await get(`/v1/events?kind=${kind}&limit=200`)).data.toReversed(),
  };
}

/** An application's inferences, all read. */
async function run(application: Application, count: number, behaviour: Behaviour = {}): Promise<void> {
  await application.run(count, behaviour);
  await service.services.drift.catchUp();
}

const ONE_MONITOR = [
  ['GET', ''],
  ['POST', '/rebaseline'],
  ['POST', '/acknowledge'],
] as const;

const minutesFrom = (time: string, ms: number) => Math.abs(Date.parse(time) - ms) / 60_000;

test('a change that lasts is told once, by its signal, direction, time and size, and nothing that stayed is told of', async () => {
  const { application, events, monitor, get, post } = await start();
  const inbox = (await post('/v1/inboxes')).body;
  const hook = (await post('/v1/webhooks', { url: inbox.url, events: ['drift.sustained'] })).body;
  await run(application, 5_000);
  const changedAtMs = application.atMs;
  await run(application, 3_000, { latency: 6.4 });
  const [drift, ...others] = await events('drift.sustained');
  expect(others).toEqual([]);
  const { id } = await monitor('latency_ms');
  expect(drift).toMatchObject({
    mode: 'live',
    actor: { type: 'system', id: null },
    data: {
      monitor_id: id,
      series: { model: 'gpt-x', group: 'default', signal: 'latency_ms', kind: 'numeric' },
      direction: 'up',
      severity: expect.stringMatching(/^(medium|high)$/),
      summary: expect.stringMatching(
        /^Since \d{4}-\d\d-\d\d \d\d:\d\d UTC the latency of gpt-x in group default has risen, its median from 4\d\d ms to \d{3} ms\.$/,
      ),
      baseline: { id: expect.stringMatching(/^bl_/), sha256: expect.stringMatching(/^[0-9a-f]{64}$/), n: expect.any(Number) },
      evidence: { log10_e: expect.any(Number), false_alarm_budget: '1 per year per organization' },
      coincides_with: [],
    },
  });
  expect(minutesFrom(drift.data.onset, changedAtMs)).toBeLessThan(5);
  expect(drift.data.current.n).toBeGreaterThanOrEqual(100);
  expect(drift.data.sample_event_ids.every((name: string) => name.startsWith('probe-1-'))).toBe(true);
  expect((await get(`/v1/webhooks/${hook.webhook_id}/deliveries`)).data).toMatchObject([{ event_id: drift.id }]);
  expect((await get('/v1/drift?state=sustained')).data.map((one: Json) => one.signal)).toEqual(['latency_ms']);
});

test('what goes back is told to have ended, under the same condition', async () => {
  const { application, events, monitor } = await start();
  await run(application, 4_000);
  await run(application, 2_500, { errors: 0.1 });
  await run(application, 9_000);
  const [sustained] = await events('drift.sustained');
  const [recovered, ...others] = await events('drift.recovered');
  expect(others).toEqual([]);
  expect(recovered.data).toMatchObject({
    series: { signal: 'error_rate' },
    resolution: 'recovered',
    sustained_event_id: sustained.id,
    direction: 'up',
    summary: expect.stringMatching(/^The share of calls that failed of gpt-x in group default is back: /),
  });
  const [begun, ended] = [sustained, recovered].map((event) => describeEvent(event));
  expect(ended).toMatchObject({ condition: begun!.condition, resolves: true });
  expect(begun).toMatchObject({ resolves: false, text: sustained.data.summary });
  expect(await monitor('error_rate')).toMatchObject({ state: 'watching', since: null });
});

test('the same signal of one model in two groups is two conditions', async () => {
  const { application, organization, events, key } = await start();
  const canary = new Application(service, organization.keys.live, 'probe-2', 8);
  await service.request('POST', '/api/svc/probe/heartbeat', {
    key,
    headers: { 'x-svc-probe-id': 'probe-2' },
    body: { labels: { group: 'canary' } },
  });
  for (const app of [application, canary]) {
    await app.run(4_000);
    await app.run(2_500, { errors: 0.2 });
  }
  await service.services.drift.catchUp();
  const sustained = await events('drift.sustained');
  expect(sustained.map(({ data }) => data.series.group).toSorted()).toEqual(['canary', 'default']);
  expect(new Set(sustained.map((event) => describeEvent(event).condition)).size).toBe(2);
});

test('by default a day that repeats is no drift, and what changes beyond it is', async () => {
  const { organization, events, monitor } = await start();
  await service.request('PUT', '/v1/policy', { key: organization.keys.admin, body: {} });
  const application = new Application(service, organization.keys.live, 'probe-1', 21);
  const byDay = (atMs: number) => 6 + 0.25 * Math.sin((2 * Math.PI * atMs) / DAY_MS);
  await run(application, 1_000, { latency: byDay, everyMs: 30_000 });
  expect(await monitor('latency_ms')).toMatchObject({
    state: 'learning',
    season: 'day',
    learning_until: new Date(START_MS + 30_000 + DAY_MS).toISOString(),
  });
  await run(application, 13_000, { latency: byDay, everyMs: 30_000 });
  expect(await events('drift.sustained')).toEqual([]);
  expect(await monitor('latency_ms')).toMatchObject({ state: 'watching', provisional: false, learning_until: null });
  const changedAtMs = application.atMs;
  await run(application, 3_000, { latency: (atMs) => byDay(atMs) + 0.5, everyMs: 30_000 });
  const sustained = await events('drift.sustained');
  expect(sustained.map(({ data }) => [data.series.signal, data.direction])).toEqual([['latency_ms', 'up']]);
  expect(minutesFrom(sustained[0].data.onset, changedAtMs)).toBeLessThan(120);
});

describe('somebody who takes care', () => {
  test('says so of a drift that persists, once', async () => {
    const { application, events, monitor, get, post } = await start();
    await run(application, 4_000);
    const { id } = await monitor('error_rate');
    expect((await post(`/v1/drift/${id}/acknowledge`)).status).toBe(409);
    await run(application, 2_500, { errors: 0.1 });
    const answer = await post(`/v1/drift/${id}/acknowledge`, { note: 'The provider is on it.' });
    expect(answer).toMatchObject({ status: 200, body: { id, state: 'sustained', acknowledged_at: expect.any(String) } });
    expect((await post(`/v1/drift/${id}/acknowledge`)).status).toBe(409);
    const [sustained] = await events('drift.sustained');
    expect(await events('drift.acknowledged')).toMatchObject([
      {
        actor: { type: 'api_key' },
        data: { monitor_id: id, sustained_event_id: sustained.id, note: 'The provider is on it.' },
      },
    ]);
    expect((await get(`/v1/drift/${id}`)).episodes).toMatchObject([
      { event_id: sustained.id, ended_at: null, note: 'The provider is on it.', acknowledged_by: expect.stringMatching(/^key_/) },
    ]);
  });

  test('takes the level of now for the usual one, and the trail keeps who and which', async () => {
    const { application, events, monitor, post, get } = await start();
    await run(application, 4_000);
    await run(application, 2_500, { errors: 0.1 });
    const { baseline: before } = await monitor('error_rate');
    // Of these the node that reads has not kept what it learned.
    await application.run(300, { errors: 0.1 });
    const { id } = await monitor('error_rate');
    const path = `/v1/drift/${id}/rebaseline`;
    const answer = await service.request('POST', path, { key: (await start()).key, body: {} });
    expect(answer.status).toBe(404);
    const done = await post(path, { note: 'A cheaper model.' });
    expect(done).toMatchObject({ status: 200, body: { id, state: 'learning', baseline: null, since: null } });
    expect((await post(path)).status).toBe(409);
    expect(await events('drift.recovered')).toMatchObject([
      { actor: { type: 'api_key' }, data: { monitor_id: id, resolution: 'rebaselined', recovered_at: expect.any(String) } },
    ]);
    await run(application, 6_000, { errors: 0.1 });
    expect(await monitor('error_rate')).toMatchObject({ state: 'watching', observations: 12_800 });
    const baselines = (await events('drift.baselined')).filter(({ data }) => data.monitor_id === id);
    expect(baselines.map(({ actor, data }) => [actor.type, data.reason, data.baseline === null, data.note])).toEqual([
      ['system', 'learned', false, null],
      ['api_key', 'rebaselined', true, 'A cheaper model.'],
      ['system', 'rebaselined', false, null],
    ]);
    expect([baselines[1].data.replaces, baselines[2].data.replaces]).toEqual([before, before]);
    expect(baselines[2].data.baseline.id).not.toBe(before.id);
    expect(await events('drift.sustained')).toHaveLength(1);
    expect((await get(`/v1/drift/${id}`)).episodes).toMatchObject([{ resolution: 'rebaselined' }]);
  });

  test('is answered the same when the request is repeated', async () => {
    const { application, events, monitor, key } = await start();
    await run(application, 3_000);
    const { id } = await monitor('score');
    const send = () =>
      service.request('POST', `/v1/drift/${id}/rebaseline`, { key, body: {}, headers: { 'idempotency-key': 'once' } });
    expect((await send()).status).toBe(200);
    const again = await send();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    const made = (await events('drift.baselined')).filter(
      ({ data, actor }) => data.monitor_id === id && actor.type === 'api_key',
    );
    expect(made).toHaveLength(1);
  });
});

describe('what else happened when it began', () => {
  test('a new version of the model is told with what changed by it', async () => {
    const { application, events } = await start();
    await run(application, 4_000);
    await run(application, 3_000, { version: '2026-03', errors: 0.1 });
    const sustained = await events('drift.sustained');
    expect(sustained.map(({ data }) => [data.series.signal, data.coincides_with]).toSorted()).toEqual([
      ['error_rate', ['model_version_change']],
      ['model_version_mix', []],
    ]);
  });

  test('a change of the policy is told, where it was made near the beginning', async () => {
    const { organization, events, key } = await start();
    // The trail's own times are of now, and so must be those of what was seen.
    const application = new Application(service, organization.keys.live, 'probe-1', 9);
    application.atMs = Date.now() - 5_500 * 1_000;
    await run(application, 4_000);
    await service.request('PUT', '/v1/policy', { key, body: { mode: 'monitor', drift: { season: 'none' } } });
    await run(application, 1_500, { blocked: 0.2 });
    const sustained = await events('drift.sustained');
    expect(sustained.length).toBeGreaterThan(0);
    for (const { data } of sustained)
      expect([data.series.signal, data.coincides_with]).toEqual([data.series.signal, ['policy_change']]);
  });
});

describe('the policy', () => {
  test('says what change is none', async () => {
    const { application, events, monitor } = await start({ signals: { latency_ms: { tolerance: 2 } } });
    await run(application, 4_000);
    await run(application, 3_000, { latency: 6.4 });
    expect(await events('drift.sustained')).toEqual([]);
    expect(await monitor('latency_ms')).toMatchObject({ tolerance: 2 });
  });

  test('says what is watched, and ends a drift that nobody wants to hear of until it is switched on again', async () => {
    const { application, events, monitor, setPolicy } = await start({ signals: { latency_ms: { enabled: false } } });
    await run(application, 4_000);
    expect(await monitor('latency_ms')).toBeUndefined();
    await run(application, 2_500, { errors: 0.1 });
    await setPolicy({ signals: { error_rate: { enabled: false } } });
    await run(application, 500, { errors: 0.1 });
    expect(await monitor('error_rate')).toMatchObject({ enabled: false, observations: 6_500, since: null });
    expect(await events('drift.recovered')).toMatchObject([{ data: { resolution: 'disabled' } }]);
    expect(await monitor('latency_ms')).toMatchObject({ observations: 500 });
    await setPolicy({});
    await run(application, 500, { errors: 0.1 });
    expect(await monitor('error_rate')).toMatchObject({ enabled: true, observations: 7_000, state: 'sustained' });
    expect(await events('drift.sustained')).toHaveLength(2);
  });

  test('switches all of it off, and what came meanwhile is not counted later', async () => {
    const { application, get, setPolicy } = await start({ enabled: false });
    await run(application, 1_000);
    expect((await get('/v1/drift')).data).toEqual([]);
    await setPolicy({});
    await run(application, 700);
    const { data } = await get('/v1/drift?signal=score');
    expect(data).toMatchObject([{ observations: 700 }]);
  });

  test('makes the level of now the usual one after so many days of drift', async () => {
    const { application, events, monitor } = await start({ auto_rebaseline_days: 7 });
    await run(application, 4_000);
    await run(application, 2_500, { errors: 0.1 });
    await run(application, 200, { errors: 0.1, everyMs: 3_600_000 });
    expect(await events('drift.recovered')).toMatchObject([{ actor: { type: 'system' }, data: { resolution: 'rebaselined' } }]);
    expect(await monitor('error_rate')).toMatchObject({ state: 'learning' });
  });
});

describe('what is assessed over the API', () => {
  /** 500 assessments at a time, each a second after the one before. */
  async function assess(key: string, count: number, fromMs: number, shareFlagged: number): Promise<void> {
    for (let done = 0; done < count; done += 500) {
      const items = Array.from({ length: 500 }, (_, i) => ({
        input: (done + i) % 20 < shareFlagged * 20 ? 'My card is 4111 1111 1111 1111.' : 'What is the capital of France?',
        model: { name: 'gpt-y', version: '1' },
        occurred_at: new Date(fromMs + (done + i) * 1_000).toISOString(),
      }));
      const { status, text } = await service.request('POST', '/v1/assessments/batch', { key, body: { items } });
      if (status !== 200) throw new Error(text);
    }
    await service.services.drift.catchUp();
  }

  test('is watched in a group of its own, and its examples are events', async () => {
    const { organization, events, get } = await start();
    await assess(organization.keys.live, 3_000, START_MS, 0.05);
    await assess(organization.keys.live, 2_000, START_MS + 3_000_000, 0.3);
    const monitors = (await get('/v1/drift?group=api&model=gpt-y')).data;
    expect(monitors.map((one: Json) => [one.signal, one.observations]).toSorted()).toEqual([
      ['blocked_rate', 5_000],
      ['category_mix', 5_000],
      ['flagged_rate', 5_000],
      ['model_version_mix', 5_000],
      ['score', 5_000],
    ]);
    const flagged = (await events('drift.sustained')).find(({ data }) => data.series.signal === 'flagged_rate');
    expect(flagged.data).toMatchObject({ direction: 'up', series: { group: 'api' } });
    expect(flagged.data.sample_event_ids.length).toBeGreaterThan(0);
    for (const id of flagged.data.sample_event_ids)
      expect((await get(`/v1/events/${id}`)).kind).toMatch(/^inference\.(allowed|flagged)$/);
  });

  test('by test keys is not, and test keys see no monitors', async () => {
    const { organization, application, get, monitor } = await start();
    const { test: testKey } = organization.keys;
    await assess(testKey, 500, START_MS, 0.5);
    await new Application(service, testKey, 'probe-1', 3).run(500);
    await service.services.drift.catchUp();
    expect((await get('/v1/drift')).data).toEqual([]);
    await run(application, 500);
    const { id, observations } = await monitor('score');
    expect(observations).toBe(500);
    const { body: key } = await service.request('POST', '/v1/service-accounts', {
      key: organization.keys.admin,
      body: { name: 'tester', permissions: ['probes:read', 'probes:write'], type: 'test' },
    });
    const asTest = (method: string, path: string) => service.request(method, `/v1/drift${path}`, { key: key.key });
    expect((await asTest('GET', '')).body).toEqual({ data: [], has_more: false, next_cursor: null });
    for (const [method, path] of ONE_MONITOR) expect((await asTest(method, `/${id}${path}`)).status).toBe(404);
  });
});

test('inferences that a probe has decided about are found by the events of their own', async () => {
  const { application, events, get } = await start();
  await run(application, 4_000);
  await run(application, 2_500, { flagged: 0.8 });
  const drift = (await events('drift.sustained')).find(({ data }) => data.series.signal === 'flagged_rate');
  const ids: string[] = drift.data.sample_event_ids;
  expect(ids.some((id) => id.startsWith('evt_'))).toBe(true);
  for (const id of ids.filter((one) => one.startsWith('evt_'))) {
    const event = await get(`/v1/events/${id}`);
    expect(event).toMatchObject({
      kind: expect.stringMatching(/^inference\.(flagged|blocked)$/),
      data: { probe: { id: 'probe-1' } },
    });
  }
});

test('another organization sees none of it', async () => {
  const { application, monitor } = await start();
  await run(application, 500);
  const { id } = await monitor('score');
  const other: NewOrganization = await service.createOrganization();
  const { admin: key } = other.keys;
  expect((await service.request('GET', '/v1/drift', { key })).body.data).toEqual([]);
  for (const [method, path] of ONE_MONITOR)
    expect((await service.request(method, `/v1/drift/${id}${path}`, { key })).status).toBe(404);
});

test('beyond two hundred models and groups the others are watched together', async () => {
  const { application, get } = await start();
  for (let i = 0; i < 250; i += 10) {
    await application.send(Array.from({ length: 10 }, (_, j) => application.events(1, { model: `m-${i + j}` })).flat());
  }
  await service.services.drift.catchUp();
  const all = await Promise.all(
    ['m-0', 'm-199', 'm-200', 'other'].map(async (model) => (await get(`/v1/drift?signal=score&model=${model}`)).data),
  );
  expect(all.map((monitors: Json[]) => monitors.map((one) => [one.group, one.observations]))).toEqual([
    [['default', 1]],
    [['default', 1]],
    [],
    [['other', 50]],
  ]);
  // They are known again after the node has gone.
  const { db } = service.services;
  await db.query('UPDATE drift_cursors SET owner = NULL');
  await application.send(application.events(5, { model: 'm-249' }));
  await service.services.drift.catchUp();
  await service.services.drift.catchUp();
  expect((await get('/v1/drift?signal=score&model=other')).data).toMatchObject([{ observations: 55 }]);
});

test('several probes of one group report in turns, and what comes much later is not counted', async () => {
  const { organization, monitor } = await start();
  const probes = [1, 2, 3].map((i) => new Application(service, organization.keys.live, `probe-${i}`, i));
  for (let i = 0; i < 5; i++) for (const probe of probes) await probe.run(100);
  await service.services.drift.catchUp();
  expect(await monitor('score')).toMatchObject({ observations: 1_500, late: 0 });
  probes[0]!.atMs -= 7_200_000;
  await run(probes[0]!, 100);
  expect(await monitor('score')).toMatchObject({ observations: 1_500, late: 100 });
});

test('events that cannot be read are passed over', async () => {
  const { application, organization, monitor } = await start();
  await run(application, 300);
  const odd = ['not JSON', 'null', '{}', '[]', '"\\u0000"', '{"score":"high","coverage":3,"model":[]}', '{"group":7}'];
  for (const kind of ['inference.allowed', 'telemetry.received', 'policy.updated']) {
    for (const data of odd) {
      const id = Buffer.from(crypto.getRandomValues(new Uint8Array(16)));
      await service.services.journal.append({
        orgId: organization.uuid,
        id,
        kind,
        occurredAtMs: START_MS,
        actor: { type: 'system', id: null, ip: null },
        model: null,
        subjectUser: null,
        subjectSession: null,
        subjectAgent: null,
        externalId: null,
        categories: [],
        data,
      });
    }
  }
  await run(application, 300);
  expect(await monitor('score')).toMatchObject({ observations: 600 });
});

test('the chart of a monitor has its hours, with the band in which they count as unchanged', async () => {
  const { application, monitor, get } = await start();
  await run(application, 4_000, { everyMs: 2_000 });
  const [{ id }, { id: mix }, { id: rate }] = await Promise.all(['latency_ms', 'finish_reason_mix', 'error_rate'].map(monitor));
  const { series, features, percentiles } = await get(`/v1/drift/${id}`);
  expect(series).toMatchObject({ interval_s: 3_600, labels: [], baseline: { value: expect.any(Number) } });
  expect(series.points.map(({ from, n }: Json) => [from, n])).toEqual([
    [new Date(START_MS).toISOString(), 1_799],
    [new Date(START_MS + 3_600_000).toISOString(), 1_800],
    [new Date(START_MS + 7_200_000).toISOString(), 401],
  ]);
  for (const { value, low, high } of series.points) {
    expect(low).toBeLessThan(value);
    expect(high).toBeGreaterThan(value);
    expect(Math.abs(value - series.baseline.value)).toBeLessThan(60);
  }
  expect(features.map(({ feature }: Json) => feature)).toContain('location');
  expect(percentiles.p50).toBeGreaterThan(350);
  const rates = (await get(`/v1/drift/${rate}`)).series;
  expect(rates.baseline.low).toBeLessThan(0.01);
  expect(rates.baseline.high).toBeGreaterThan(0.01);
  const mixes = (await get(`/v1/drift/${mix}`)).series;
  expect(mixes.labels.toSorted()).toEqual(['content_filter', 'other', 'stop']);
  for (const { shares, value } of mixes.points) {
    expect(value).toBeNull();
    expect(shares.reduce((sum: number, share: number) => sum + share, 0)).toBeCloseTo(1, 9);
  }
});

test('a list is read page by page, and asked for what is in it', async () => {
  const { application, get } = await start();
  await run(application, 200);
  const first = await get('/v1/drift?limit=4');
  const second = await get(`/v1/drift?limit=200&cursor=${first.next_cursor}`);
  const ids = [...first.data, ...second.data].map((one: Json) => one.id);
  expect(new Set(ids).size).toBe((await get('/v1/drift')).data.length);
  expect(ids).toEqual(ids.toSorted().toReversed());
  expect((await get('/v1/drift?state=sustained')).data).toEqual([]);
  expect((await get('/v1/drift?state=learning&signal=score')).data).toMatchObject([
    { observations_needed: { baseline: 1_800, doubling: null }, baseline: null, current: null },
  ]);
});

// Promises about reports, on a real service.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { Sheet } from './sheet.ts';
import { purgeReports } from './store.ts';
import { countedByHand, randomBy, sendTraffic } from './test-kit.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const onSameDatabase = () => startTestService({ SVC_MASTER_KEY: MASTER_KEY, SVC_DATABASE_URL: service.databaseUrl });

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_MASTER_KEY: MASTER_KEY });
});
afterAll(() => service.close());

async function summaryOf(key: string, query = '') {
  await service.services.audit.catchUp();
  return (await service.request('GET', `/v1/reports/summary${query}`, { key })).body;
}

const byName = (list: readonly { name: string | null }[]) => list.toSorted((a, b) => ((a.name ?? '') < (b.name ?? '') ? -1 : 1));
const byKind = (list: readonly { kind: string }[]) => list.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));

/** The summary and the trail say the same. */
async function expectExact({ uuid, keys }: NewOrganization): Promise<void> {
  const summary = await summaryOf(keys.live);
  const counted = await countedByHand(service, uuid);
  expect(summary.as_of.tree_size).toBe(counted.treeSize);
  expect(summary.as_of.checkpoint.size).toBe(counted.treeSize);
  expect(summary.totals.events).toBe(counted.events);
  expect(summary.sources).toEqual(counted.sources);
  expect(summary.usage).toEqual(counted.usage);
  expect(byName(summary.categories)).toEqual(byName(counted.categories));
  expect(byName(summary.severities)).toEqual(byName(counted.severities));
  expect(summary.totals.coverage).toEqual(counted.coverage);
  expect(summary.telemetry).toEqual(counted.telemetry);
  expect(byKind(summary.kinds)).toEqual(byKind(counted.kinds));
  expect(summary.totals.latency_ms.count).toBe(counted.latencies.length);
  for (const [name, share] of [
    ['p50', 0.5],
    ['p90', 0.9],
    ['p99', 0.99],
  ] as const) {
    const exact = counted.latencies[Math.ceil(share * counted.latencies.length) - 1]!;
    expect(Math.abs(summary.totals.latency_ms[name] - exact)).toBeLessThanOrEqual(0.05 * exact);
  }
}

test('every event is counted once, whatever it is, by two nodes at once and over a restart', { timeout: 60_000 }, async () => {
  const organization = await service.createOrganization();
  const random = randomBy(8);
  await sendTraffic(service, organization.keys.live, random, 25);
  const beside = await onSameDatabase();
  await Promise.all([
    sendTraffic(service, organization.keys.live, random, 10),
    sendTraffic(beside, organization.keys.live, randomBy(9), 10),
  ]);
  await sendTraffic(beside, organization.keys.test, randomBy(10), 10);
  await beside.close();
  const after = await onSameDatabase();
  await sendTraffic(after, organization.keys.live, random, 5);
  await after.close();
  await expectExact(organization);
});

test('the models and probes of what was assessed and reported are told, also names that are members of every object', async () => {
  const { keys } = await service.createOrganization();
  const assess = (input: string, model?: unknown) =>
    service.request('POST', '/v1/assessments', { key: keys.live, body: { input, model } });
  await assess('Hello', '__proto__');
  await assess('my card is 4111 1111 1111 1111', 'constructor');
  await assess('Hello');
  await service.request('POST', '/api/svc/probe/telemetry', {
    key: keys.live,
    headers: { 'x-svc-probe-id': 'front-1' },
    body: {
      events: [
        { id: '1', occurred_at: new Date().toISOString(), model: 'gpt-x', outcome: 'allowed' },
        { id: '2', occurred_at: new Date().toISOString(), model: 'gpt-x', outcome: 'blocked', findings: [] },
        { id: '3', occurred_at: new Date().toISOString(), model: 'gpt-x' },
      ],
    },
  });
  const { models, probes, sources } = await summaryOf(keys.live);
  expect(byName(models)).toEqual([
    { name: null, is_others: false, total: 1, flagged: 0, blocked: 0 },
    { name: '__proto__', is_others: false, total: 1, flagged: 0, blocked: 0 },
    { name: 'constructor', is_others: false, total: 1, flagged: 1, blocked: 0 },
    { name: 'gpt-x', is_others: false, total: 3, flagged: 0, blocked: 1 },
  ]);
  expect(probes).toEqual([{ name: 'front-1', is_others: false, total: 3, flagged: 0, blocked: 1 }]);
  expect(sources.probes).toEqual({ inferences: 3, allowed: 1, flagged: 0, blocked: 1, undecided: 1 });
});

test('of a batch with more models than its event names each inference is counted once, with its outcome where its total is', async () => {
  const { keys } = await service.createOrganization();
  const seen = (i: number) => ({
    id: `${i}`,
    occurred_at: new Date().toISOString(),
    model: i === 0 ? 'other' : `m${i}`,
    outcome: 'flagged',
  });
  const send = (events: readonly object[]) =>
    service.request('POST', '/api/svc/probe/telemetry', {
      key: keys.live,
      headers: { 'x-svc-probe-id': 'front-1' },
      body: { events },
    });
  await send(Array.from({ length: 60 }, (_, i) => seen(i)));
  // Of a name that was among the others before.
  await send([{ ...seen(55), id: 'again' }]);
  const { models } = await summaryOf(keys.live);
  const others = models.filter((one: { is_others: boolean }) => one.is_others);
  expect(others).toEqual([{ name: null, is_others: true, total: 10, flagged: 10, blocked: 0 }]);
  expect(models).toHaveLength(52);
  for (const { total, flagged } of models) expect(flagged).toBe(total);
  expect(models.find(({ name }: { name: string | null }) => name === 'm55')).toMatchObject({ total: 1 });
  expect(models.find(({ name }: { name: string | null }) => name === 'other')).toMatchObject({ total: 1 });
});

test('what a test key does leaves nothing in a report', async () => {
  const { uuid, keys } = await service.createOrganization();
  const before = await summaryOf(keys.live);
  await sendTraffic(service, keys.test, randomBy(11), 10);
  const after = await summaryOf(keys.live);
  expect(after.totals).toEqual(before.totals);
  expect((await countedByHand(service, uuid)).events).toBe(after.totals.events);
  const { body: key } = await service.request('POST', '/v1/api-keys', {
    key: keys.admin,
    body: { name: 'sees test objects', type: 'test', permissions: ['reports:read'] },
  });
  const seen = await summaryOf(key.key);
  expect([seen.totals.events, seen.as_of]).toEqual([0, { tree_size: 0, checkpoint: null }]);
  const { body: report } = await service.request('GET', '/v1/reports/compliance?framework=eu-ai-act', { key: key.key });
  expect(report.summary.evidenced.count + report.summary.partial.count).toBe(0);
});

test('another organization’s events are not in it', async () => {
  const [one, two] = [await service.createOrganization(), await service.createOrganization()];
  await sendTraffic(service, one.keys.live, randomBy(12), 5);
  expect((await summaryOf(two.keys.live)).totals.inferences).toBe(0);
  expect((await service.request('GET', '/v1/reports/compliance?framework=iso-42001', { key: two.keys.live })).body.org_id).toBe(
    two.id,
  );
});

test('what monitor mode kept from being done is counted, with what failed', async () => {
  const { keys } = await service.createOrganization();
  const policy = { mode: 'monitor', detectors: { pii: { entities: { credit_card: 'block' } } } };
  await service.request('PUT', '/v1/policy', { key: keys.admin, body: policy });
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'my card is 4111 1111 1111 1111' } });
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'Hello' } });
  const { enforcement, policies } = await summaryOf(keys.live);
  expect(enforcement).toEqual({ enforce: 0, monitor: 2, suppressed: { redact: 0, block: 1 } });
  expect(policies).toEqual([{ version: 2, inferences: 2 }]);
});

test('deliveries are told by what became of them', async () => {
  const { keys } = await service.createOrganization();
  const { body: inbox } = await service.request('POST', '/v1/inboxes', { key: keys.admin });
  const { body: hook } = await service.request('POST', '/v1/webhooks', {
    key: keys.admin,
    body: { url: inbox.url, events: ['*'] },
  });
  await expect
    .poll(async () => {
      const { body } = await service.request('GET', `/v1/webhooks/${hook.webhook_id}/deliveries?state=succeeded`, {
        key: keys.admin,
      });
      return body.data.length;
    })
    .toBeGreaterThan(0);
  const { deliveries } = await summaryOf(keys.live);
  expect(deliveries).toMatchObject({
    failed: 0,
    cancelled: 0,
    retried: 0,
    endpoints: { active: 1, paused: 0 },
    attempt_ms: { p50: expect.any(Number), p95: expect.any(Number) },
  });
  expect(deliveries.succeeded).toBeGreaterThan(0);
});

describe('a series', () => {
  const at = (query: string) => summaryOf(service.organization.keys.live, `?${query}`);

  test('has every point, also where there is nothing', async () => {
    const { since, until, interval, series } = await at('since=2026-01-31T23:00:00Z&until=2026-02-28T12:00:00Z');
    expect({ since, until, interval }).toEqual({
      since: '2026-01-31T00:00:00.000Z',
      until: '2026-03-01T00:00:00.000Z',
      interval: 'day',
    });
    expect(series).toHaveLength(29);
    for (const [i, { start }] of series.entries()) expect(start).toBe(series[i - 1]?.end ?? since);
    expect(series.at(-1).end).toBe(until);
  });

  test('adds up to the totals', async () => {
    const { keys } = await service.createOrganization();
    await sendTraffic(service, keys.live, randomBy(13), 10);
    for (const interval of ['hour', 'day', 'week', 'month']) {
      const { series, totals } = await summaryOf(keys.live, `?interval=${interval}`);
      for (const name of ['events', 'inferences', 'allowed', 'flagged', 'blocked', 'undecided'] as const) {
        expect(series.reduce((sum: number, point: Record<string, number>) => sum + point[name]!, 0)).toBe(totals[name]);
      }
    }
  });

  test.each([
    ['since=2026-02-01T00:00:00Z&until=2026-01-01T00:00:00Z', '/query/since'],
    ['since=yesterday', '/query/since'],
    ['since=2099-01-01T00:00:00Z', '/query/since'],
    ['until=2016-12-31T23:59:60Z', '/query/until'],
    ['until=1999-01-01T00:00:00Z', '/query/until'],
    ['since=2001-01-01T00:00:00Z', '/query/since'],
    ['since=2024-01-01T00:00:00Z&interval=hour', '/query/since'],
    ['since=2020-01-01T00:00:00Z&interval=day', '/query/interval'],
    ['interval=minute', '/query/interval'],
  ])('that is asked for by %s is refused at the place', async (query, pointer) => {
    const { error } = await at(query);
    expect(error).toMatchObject({ code: 'invalid_request', details: [{ pointer }] });
  });
});

test('counts are kept by the hour for a quarter and by the day for ten years', async () => {
  const { uuid } = await service.createOrganization();
  const { db } = service.services;
  const text = new Sheet().toText();
  for (const [span, days] of Object.entries({ hour: [99, 102], day: [102, 3_659, 3_662] })) {
    for (const age of days) {
      await db.query('INSERT INTO report_sheets VALUES ($1, $2, now() - make_interval(days => $3), $4)', [
        uuidText(uuid),
        span,
        age,
        text,
      ]);
    }
  }
  await purgeReports(db);
  const { rows } = await db.query(
    `SELECT span, round(extract(epoch FROM now() - start) / 86400)::int AS age FROM report_sheets
      WHERE org_id = $1 AND start < now() - interval '2 days' ORDER BY age`,
    [uuidText(uuid)],
  );
  expect(rows).toEqual([
    { span: 'hour', age: 99 },
    { span: 'day', age: 102 },
    { span: 'day', age: 3_659 },
  ]);
});

test('a credential without reports:read gets no report', async () => {
  const { body: key } = await service.request('POST', '/v1/api-keys', {
    key: service.organization.keys.admin,
    body: { name: 'events alone', type: 'live', permissions: ['events:read'] },
  });
  for (const path of ['/v1/reports/summary', '/v1/reports/compliance?framework=eu-ai-act']) {
    const { status, body } = await service.request('GET', path, { key: key.key });
    expect({ status, code: body.error.code }).toEqual({ status: 403, code: 'insufficient_permissions' });
  }
});

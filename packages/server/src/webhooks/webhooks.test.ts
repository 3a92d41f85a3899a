// Promises about webhooks, with real receivers.

import { verify } from '@octokit/webhooks-methods';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startReceiver, type Receiver } from '../testing/receiver.ts';
import { startTestService, type TestService } from '../testing/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const FLAGGED = 'my card is 4111 1111 1111 1111';

let service: TestService;
let receiver: Receiver;
/** How far the clock of the service is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }, () => Date.now() + aheadMs);
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
afterAll(() => service.close());

interface Hook {
  readonly id: string;
  readonly secret: string;
  readonly keys: Readonly<Record<'admin' | 'live' | 'test', string>>;
}

/** A webhook of an organization of its own. */
async function createHook(events: readonly string[] = ['*'], path = '/'): Promise<Hook> {
  const { keys } = await service.createOrganization();
  const { status, body } = await service.request('POST', '/v1/webhooks', {
    key: keys.live,
    body: { url: receiver.url + path, events },
  });
  expect(status).toBe(201);
  return { id: body.webhook_id, secret: body.signing_secret, keys };
}

const assess = async ({ keys }: Hook, input = FLAGGED) =>
  (await service.request('POST', '/v1/assessments', { key: keys.live, body: { input } })).body;
const deliveriesOf = async ({ id, keys }: Hook, query = '') =>
  (await service.request('GET', `/v1/webhooks/${id}/deliveries${query}`, { key: keys.live })).body.data;
const deliveryOf = async ({ id, keys }: Hook, deliveryId: string) =>
  (await service.request('GET', `/v1/webhooks/${id}/deliveries/${deliveryId}`, { key: keys.live })).body;
const webhookOf = async ({ id, keys }: Hook) => (await service.request('GET', `/v1/webhooks/${id}`, { key: keys.live })).body;
const of = (kind: string) => receiver.received.filter(({ headers }) => headers['x-svc-event'] === kind);
const soon = { timeout: 10_000, interval: 10 };
/** Waits until the service's workers have seen the new time. */
async function advance(ms: number): Promise<void> {
  aheadMs += ms;
  await Promise.resolve();
}

describe('a webhook', () => {
  test('is answered with its secret once, and never again', async () => {
    const { keys } = await service.createOrganization();
    const url = `${receiver.url}/hook`;
    const body = { url, events: ['inference.blocked', 'drift.sustained'], description: 'ours' };
    const made = await service.request('POST', '/v1/webhooks', { key: keys.live, body, headers: { 'idempotency-key': 'one' } });
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      webhook_id: expect.stringMatching(/^wh_[0-9a-z]{26}$/),
      ...body,
      mode: 'live',
      status: 'active',
      failing_since: null,
      last_success_at: null,
      old_secret_until: null,
      signing_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      created_at: expect.any(String),
      updated_at: made.body.created_at,
    });
    const again = await service.request('POST', '/v1/webhooks', { key: keys.live, body, headers: { 'idempotency-key': 'one' } });
    expect({ ...again.body, signing_secret: made.body.signing_secret }).toEqual(made.body);
    const path = `/v1/webhooks/${made.body.webhook_id}`;
    for (const { text } of [
      again,
      await service.request('GET', path, { key: keys.live }),
      await service.request('GET', '/v1/webhooks', { key: keys.live }),
    ])
      expect(text).not.toContain('whsec_');
    const { rows } = await service.services.db.query<{ row: string }>('SELECT e::text AS row FROM endpoints e');
    for (const { row } of rows) expect(row).not.toContain(Buffer.from(made.body.signing_secret).toString('hex'));
  });

  test.each([
    ['no url', { events: ['*'] }, '/url'],
    ['no events', { url: 'https://example.com' }, '/events'],
    ['an empty list', { url: 'https://example.com', events: [] }, '/events'],
    ['an unknown kind', { url: 'https://example.com', events: ['inference.blocked', 'foo'] }, '/events/1'],
    ['the same kind twice', { url: 'https://example.com', events: ['*', '*'] }, '/events'],
    ['an unknown member', { url: 'https://example.com', events: ['*'], secret: 'x' }, '/secret'],
    ['no URL', { url: 'example', events: ['*'] }, '/url'],
    ['plain http', { url: 'http://203.0.113.5/', events: ['*'] }, '/url'],
    ['a private address', { url: 'https://10.0.0.1/', events: ['*'] }, '/url'],
    ['the metadata service', { url: 'http://169.254.169.254/latest', events: ['*'] }, '/url'],
    ['a user in the URL', { url: 'https://u:p@example.com/', events: ['*'] }, '/url'],
    ['an address of IPv6 in disguise', { url: 'https://[::ffff:169.254.169.254]/', events: ['*'] }, '/url'],
  ])('with %s is refused at the place', async (_name, body, pointer) => {
    const answer = await service.request('POST', '/v1/webhooks', { body });
    expect({ status: answer.status, pointer: answer.body.error?.details[0]?.pointer }).toEqual({ status: 400, pointer });
  });

  test('is changed and deleted, each with its event; what is queued is cancelled', async () => {
    const hook = await createHook(['inference.flagged']);
    receiver.answer(500);
    await assess(hook);
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    const path = `/v1/webhooks/${hook.id}`;
    const changed = await service.request('PATCH', path, { key: hook.keys.live, body: { description: 'new', events: ['*'] } });
    expect(changed.body).toMatchObject({ description: 'new', events: ['*'], url: `${receiver.url}/` });
    expect((await service.request('PATCH', path, { key: hook.keys.live, body: {} })).status).toBe(400);
    expect((await service.request('PATCH', path, { key: hook.keys.live, body: { url: 'https://10.1.1.1' } })).status).toBe(400);
    expect((await service.request('DELETE', path, { key: hook.keys.live })).status).toBe(200);
    for (const method of ['GET', 'DELETE'])
      expect((await service.request(method, path, { key: hook.keys.live })).status).toBe(404);
    expect((await service.request('GET', `${path}/deliveries`, { key: hook.keys.live })).status).toBe(404);
    const { body: events } = await service.request('GET', '/v1/events?q=webhook.', { key: hook.keys.live });
    expect(events.data.map(({ kind }: { kind: string }) => kind)).toEqual([
      'webhook.deleted',
      'webhook.updated',
      'webhook.created',
    ]);
    const left = async () =>
      (
        await service.services.db.query(
          "SELECT 1 FROM deliveries WHERE kind = 'inference.flagged' AND state IN ('pending', 'parked')",
        )
      ).rows;
    await expect.poll(left, soon).toEqual([]);
  });

  test('of a test key hears of test assessments alone, of a live key of the others alone, and neither sees the other', async () => {
    const { keys } = await service.createOrganization();
    const create = async (key: string, path: string) =>
      (await service.request('POST', '/v1/webhooks', { key, body: { url: receiver.url + path, events: ['*'] } })).body;
    const live = await create(keys.live, '/live');
    const testing = await create(keys.test, '/test');
    expect(testing.mode).toBe('test');
    for (const key of [keys.live, keys.test]) await service.request('POST', '/v1/assessments', { key, body: { input: FLAGGED } });
    await expect.poll(() => of('inference.flagged').length, soon).toBe(2);
    const seen = of('inference.flagged').map(({ path, body }) => [
      path,
      JSON.parse(body).mode,
      JSON.parse(body).sequence === null,
    ]);
    expect(seen.toSorted()).toEqual([
      ['/live', 'live', false],
      ['/test', 'test', true],
    ]);
    expect((await service.request('GET', `/v1/webhooks/${live.webhook_id}`, { key: keys.test })).status).toBe(404);
    const { body } = await service.request('GET', '/v1/webhooks', { key: keys.test });
    expect(body.data.map(({ webhook_id: id }: { webhook_id: string }) => id)).toEqual([testing.webhook_id]);
  });
});

describe('a delivery', () => {
  test('brings the event as it is in the trail, less address and leaf hash, within a second of the answer', async () => {
    const hook = await createHook(['inference.flagged']);
    const assessment = await assess(hook);
    await expect.poll(() => receiver.received.length, { timeout: 1_000, interval: 5 }).toBe(1);
    const { headers, body } = receiver.received[0]!;
    const { body: event } = await service.request('GET', `/v1/events/${assessment.event_id}`, { key: hook.keys.live });
    const { leaf_hash: _hash, ...told } = event;
    const { ip: _ip, ...actor } = event.actor;
    expect(JSON.parse(body)).toEqual({ ...told, actor });
    expect(body).not.toContain('4111');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'Svc-Webhooks/1',
      'x-svc-event': 'inference.flagged',
      'x-svc-delivery': expect.stringMatching(/^dlv_/),
      'x-svc-attempt': '1',
      'webhook-id': assessment.event_id,
    });
    await expect.poll(async () => (await deliveriesOf(hook))[0].state, soon).toBe('succeeded');
    const [listed] = await deliveriesOf(hook);
    expect(listed).toMatchObject({
      id: headers['x-svc-delivery'],
      event_id: assessment.event_id,
      sequence: event.sequence,
      attempts: 1,
    });
    const detail = await deliveryOf(hook, listed.id);
    expect(detail.body).toBe(body);
    expect(detail.attempt_log).toMatchObject([{ number: 1, trigger: 'event', status: 200, error: null, answer: 'ok' }]);
  });

  test('verifies with the libraries of GitHub and of Standard Webhooks', async () => {
    const hook = await createHook(['inference.flagged']);
    await assess(hook, `${FLAGGED} – café ✓ 🦊`);
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    const { headers, body } = receiver.received[0]!;
    expect(await verify(hook.secret, body, String(headers['x-svc-signature-256']))).toBe(true);
    expect(await verify(hook.secret, `${body} `, String(headers['x-svc-signature-256']))).toBe(false);
    expect(new Webhook(hook.secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body));
    expect(headers['x-svc-signature-256-next']).toBeUndefined();
  });

  test('is made for the kinds that are subscribed, and for all but the two frequent ones with *', async () => {
    const some = await createHook(['inference.allowed', 'policy.updated']);
    await assess(some, 'Hello');
    await assess(some);
    await service.request('PUT', '/v1/policy', { key: some.keys.admin, body: { mode: 'monitor' } });
    await expect
      .poll(() => receiver.received.map(({ headers }) => headers['x-svc-event']).toSorted(), soon)
      .toEqual(['inference.allowed', 'policy.updated']);
    receiver.received.length = 0;
    const all = await createHook(['*']);
    await assess(all, 'Hello');
    await assess(all);
    await expect.poll(() => of('inference.flagged').length, soon).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['x-svc-event']).toSorted()).toEqual([
      'inference.flagged',
      'webhook.created',
    ]);
  });

  test('is tried again exactly 5 min, 30 min, 2 h and 8 h after each failure, with the same bytes, then has failed', async () => {
    const hook = await createHook(['inference.flagged']);
    receiver.answer(503);
    await assess(hook);
    const waits = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS];
    const attempted = (count: number) => expect.poll(async () => (await deliveriesOf(hook))[0].attempts, soon).toBe(count);
    for (const [i, wait] of waits.entries()) {
      await attempted(i + 1);
      await expect.poll(async () => (await deliveriesOf(hook))[0].state, soon).toBe('pending');
      const [{ id }] = await deliveriesOf(hook);
      const { attempt_log: log, next_attempt_at: due } = await deliveryOf(hook, id);
      const last = log.at(-1);
      const failedAt = Date.parse(last.started_at) + last.latency_ms;
      expect(Math.abs(Date.parse(due) - failedAt - wait)).toBeLessThan(100);
      await advance(wait - 20_000);
      // Not a moment early: the sweep that comes by now finds nothing due.
      await service.services.dispatcher.sweep();
      expect(receiver.received).toHaveLength(i + 1);
      await advance(20_000);
    }
    await attempted(5);
    await expect.poll(async () => (await deliveriesOf(hook))[0].state, soon).toBe('failed');
    const { attempt_log: log, next_attempt_at: due } = await deliveryOf(hook, (await deliveriesOf(hook))[0].id);
    expect(due).toBeNull();
    expect(log.map(({ number, trigger, status }: Record<string, unknown>) => [number, trigger, status])).toEqual([
      [1, 'event', 503],
      [2, 'schedule', 503],
      [3, 'schedule', 503],
      [4, 'schedule', 503],
      [5, 'schedule', 503],
    ]);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['x-svc-attempt'])).toEqual(['1', '2', '3', '4', '5']);

    // Given up is not the end: recovered, it has the whole schedule again.
    receiver.answer(200);
    const since = new Date(Date.now() - HOUR_MS).toISOString();
    const recovered = await service.request('POST', `/v1/webhooks/${hook.id}/recover`, { key: hook.keys.live, body: { since } });
    expect(recovered.body).toEqual({ recovered: 1 });
    await expect.poll(async () => (await deliveriesOf(hook))[0].state, soon).toBe('succeeded');
    expect(receiver.received.at(-1)!.headers['x-svc-attempt']).toBe('6');
    expect(receiver.received.at(-1)!.body).toBe(receiver.received[0]!.body);
    expect(
      (await service.request('POST', `/v1/webhooks/${hook.id}/recover`, { key: hook.keys.live, body: { since } })).body,
    ).toEqual({ recovered: 0 });
  });

  test.each([
    [
      'a redirect, which is not followed',
      (receiverUrl: string) => ({ status: 302, headers: { location: `${receiverUrl}/elsewhere` } }),
    ],
    ['a 404', () => ({ status: 404, headers: {} })],
    ['a 410', () => ({ status: 410, headers: {} })],
    ['a 429', () => ({ status: 429, headers: { 'retry-after': '1' } })],
  ])('has failed with %s', async (_name, answer) => {
    const hook = await createHook(['inference.flagged']);
    const { status, headers } = answer(receiver.url);
    receiver.behave((res) => res.writeHead(status, headers).end());
    await assess(hook);
    const [{ id }] = await deliveriesOf(hook);
    await expect.poll(async () => (await deliveryOf(hook, id)).attempt_log.length, soon).toBe(1);
    const { attempt_log: log } = await deliveryOf(hook, id);
    expect(log).toMatchObject([{ status, error: expect.stringContaining(String(status)) }]);
    expect(receiver.received).toHaveLength(1);
  });

  test('has failed after five seconds without an answer, and no later', async () => {
    const hook = await createHook(['inference.flagged']);
    receiver.behave(() => {});
    await assess(hook);
    const [{ id }] = await deliveriesOf(hook);
    await expect.poll(async () => (await deliveryOf(hook, id)).attempt_log.length, soon).toBe(1);
    const { attempt_log: log } = await deliveryOf(hook, id);
    expect(log[0]).toMatchObject({ status: null, error: expect.stringMatching(/\S/) });
    expect(log[0].latency_ms).toBeGreaterThan(4_900);
    expect(log[0].latency_ms).toBeLessThan(6_000);
  });

  test('is read without its body by who may not read events', async () => {
    const hook = await createHook(['inference.flagged']);
    await assess(hook);
    await expect.poll(async () => (await deliveriesOf(hook))[0]?.state, soon).toBe('succeeded');
    const [{ id }] = await deliveriesOf(hook);
    const { body: key } = await service.request('POST', '/v1/api-keys', {
      key: hook.keys.admin,
      body: { name: 'k', type: 'live', permissions: ['webhooks:read'] },
    });
    const { body } = await service.request('GET', `/v1/webhooks/${hook.id}/deliveries/${id}`, { key: key.key });
    expect(body).toMatchObject({ id, body: null, attempt_log: [{ number: 1 }] });
  });

  test('made again by hand in vain is what it was before: the schedule goes on where it was', async () => {
    const hook = await createHook(['inference.flagged']);
    receiver.answer(500);
    await assess(hook);
    const [{ id }] = await deliveriesOf(hook);
    await expect.poll(async () => (await deliveryOf(hook, id)).attempt_log.length, soon).toBe(1);
    const { next_attempt_at: due } = await deliveryOf(hook, id);
    for (let i = 2; i <= 6; i++) {
      await service.request('POST', `/v1/webhooks/${hook.id}/deliveries/${id}/retry`, { key: hook.keys.live });
      await expect.poll(async () => (await deliveryOf(hook, id)).attempt_log.length, soon).toBe(i);
    }
    expect(await deliveryOf(hook, id)).toMatchObject({ state: 'pending', next_attempt_at: due, attempts: 6 });
  });

  test('is sent, retried and tested once for one Idempotency-Key', async () => {
    const hook = await createHook(['inference.flagged']);
    const post = (path: string, body?: object) =>
      service.request('POST', `/v1/webhooks/${hook.id}${path}`, {
        key: hook.keys.live,
        headers: { 'idempotency-key': 'once' },
        ...(body === undefined ? {} : { body }),
      });
    const [first, again] = [await post('/test', {}), await post('/test', {})];
    expect(receiver.received).toHaveLength(1);
    expect(again.body).toEqual({ ...first.body, answer: null });
    await assess(hook);
    await expect.poll(async () => (await deliveriesOf(hook))[0]?.state, soon).toBe('succeeded');
    const [{ id }] = await deliveriesOf(hook);
    for (let i = 0; i < 3; i++) expect((await post(`/deliveries/${id}/retry`)).status).toBe(200);
    await expect.poll(() => receiver.received.length, soon).toBe(3);
    await expect.poll(async () => (await deliveryOf(hook, id)).state, soon).toBe('succeeded');
    expect((await deliveryOf(hook, id)).attempts).toBe(2);
    await service.request('DELETE', `/v1/webhooks/${hook.id}`, { key: hook.keys.live });
    const body = { url: `${receiver.url}/`, events: ['*'] };
    const create = () =>
      service.request('POST', '/v1/webhooks', { key: hook.keys.live, body, headers: { 'idempotency-key': 'new' } });
    const made = await create();
    await service.request('DELETE', `/v1/webhooks/${made.body.webhook_id}`, { key: hook.keys.live });
    expect((await create()).status).toBe(409);
  });

  test('can be made again by hand, whatever came of it', async () => {
    const hook = await createHook(['inference.flagged']);
    await assess(hook);
    await expect.poll(async () => (await deliveriesOf(hook))[0]?.state, soon).toBe('succeeded');
    const [{ id }] = await deliveriesOf(hook);
    const path = `/v1/webhooks/${hook.id}/deliveries/${id}/retry`;
    expect((await service.request('POST', path, { key: hook.keys.live })).status).toBe(200);
    await expect.poll(() => receiver.received.length, soon).toBe(2);
    await expect.poll(async () => (await deliveriesOf(hook))[0].state, soon).toBe('succeeded');
    expect((await deliveryOf(hook, id)).attempt_log).toMatchObject([{ trigger: 'event' }, { trigger: 'manual', number: 2 }]);
    const other = await createHook();
    expect(
      (await service.request('POST', `/v1/webhooks/${other.id}/deliveries/${id}/retry`, { key: other.keys.live })).status,
    ).toBe(404);
  });
});

test('a delivery whose event is not kept any more is cancelled, and holds up no other', async () => {
  const { keys } = await service.createOrganization();
  const body = { url: receiver.url, events: ['*'] };
  const { body: hook } = await service.request('POST', '/v1/webhooks', { key: keys.test, body });
  await service.request('POST', '/v1/assessments', { key: keys.test, body: { input: FLAGGED } });
  const path = `/v1/webhooks/${hook.webhook_id}/deliveries`;
  const deliveries = async () => (await service.request('GET', path, { key: keys.test })).body.data;
  await expect.poll(async () => (await deliveries())[0]?.state, soon).toBe('succeeded');
  const [{ id }] = await deliveries();
  await service.services.db.query('DELETE FROM test_assessments');
  await service.request('POST', `${path}/${id}/retry`, { key: keys.test });
  await service.request('POST', '/v1/assessments', { key: keys.test, body: { input: FLAGGED } });
  await expect
    .poll(async () => (await deliveries()).map(({ state }: { state: string }) => state), soon)
    .toEqual(['succeeded', 'cancelled']);
  const detail = await service.request('GET', `${path}/${id}`, { key: keys.test });
  expect(detail.body).toMatchObject({
    body: null,
    attempt_log: [{ number: 1 }, { number: 2, error: 'The event is not kept any more.' }],
  });
});

describe('an endpoint that fails', () => {
  test('for 24 hours is paused: nothing is dropped, and all of it arrives once a probe does', async () => {
    const hook = await createHook(['inference.flagged', 'webhook.paused', 'webhook.recovered']);
    receiver.answer(500);
    await assess(hook);
    await expect.poll(async () => (await webhookOf(hook)).failing_since, soon).not.toBeNull();
    await advance(25 * HOUR_MS);
    await assess(hook);
    await expect.poll(async () => (await webhookOf(hook)).status, soon).toBe('paused');
    // Both events that came before the pause have been tried, whichever of them it was that brought it.
    const tried = async () => (await deliveriesOf(hook)).filter(({ attempts }: { attempts: number }) => attempts > 0).length;
    await expect.poll(tried, soon).toBe(2);
    await expect.poll(async () => (await deliveriesOf(hook, '?state=in_flight')).length, soon).toBe(0);
    receiver.received.length = 0;
    for (let i = 0; i < 20; i++) await assess(hook);
    const parked = () => deliveriesOf(hook, '?state=parked&limit=100');
    // The event of the pause is among those that wait.
    await expect.poll(async () => (await parked()).length, soon).toBe(21);
    // A probe that fails leaves all of it where it is.
    await advance(6 * MINUTE_MS);
    await expect.poll(() => receiver.received.filter(({ headers }) => headers['x-svc-attempt'] === '1').length, soon).toBe(1);
    await expect.poll(async () => (await parked()).length, soon).toBe(21);
    expect((await webhookOf(hook)).status).toBe('paused');
    receiver.answer(200);
    await advance(6 * MINUTE_MS);
    await expect.poll(async () => (await webhookOf(hook)).status, soon).toBe('active');
    await expect.poll(async () => (await parked()).length, soon).toBe(0);
    await expect
      .poll(async () => (await deliveriesOf(hook, '?state=succeeded&limit=100')).length, soon)
      .toBeGreaterThanOrEqual(22);
    const { body: events } = await service.request('GET', '/v1/events?q=webhook.&limit=10', { key: hook.keys.live });
    expect(events.data).toMatchObject([
      { kind: 'webhook.recovered', actor: { type: 'system' }, data: { webhook_id: hook.id } },
      { kind: 'webhook.paused' },
      { kind: 'webhook.created' },
    ]);
  });

  test('is active again once a test reaches it', async () => {
    const hook = await createHook(['inference.flagged']);
    await service.services.db.query(
      "UPDATE endpoints SET status = 'paused', failing_since = now() - interval '2 days' WHERE url = $1",
      [`${receiver.url}/`],
    );
    await assess(hook);
    expect((await deliveriesOf(hook))[0].state).toBe('parked');
    await service.request('POST', `/v1/webhooks/${hook.id}/test`, { key: hook.keys.live });
    expect((await webhookOf(hook)).status).toBe('active');
    await expect.poll(async () => (await deliveriesOf(hook))[0].state, soon).toBe('succeeded');
  });

  test('delays no other', async () => {
    const dead = await createHook(['inference.flagged'], '/dead');
    const alive = await createHook(['inference.flagged'], '/alive');
    receiver.behave((res, { path }) => {
      if (path === '/alive') res.writeHead(200).end();
    });
    for (let i = 0; i < 30; i++) await assess(dead);
    const begun = performance.now();
    for (let i = 0; i < 30; i++) await assess(alive);
    await expect.poll(() => receiver.received.filter(({ path }) => path === '/alive').length, soon).toBe(30);
    expect(performance.now() - begun).toBeLessThan(4_500);
  });
});

describe('a rotation', () => {
  const rotate = (hook: Hook, body: object = {}, headers: Record<string, string> = {}) =>
    service.request('POST', `/v1/webhooks/${hook.id}/rotate-secret`, { key: hook.keys.live, body, headers });

  test('leaves the old secret valid for the grace, with the new one’s signature beside, then the new one alone', async () => {
    const hook = await createHook(['inference.flagged']);
    const { status, body: rotated } = await rotate(hook, { grace_s: 3_600 });
    expect(status).toBe(200);
    expect(rotated.signing_secret).not.toBe(hook.secret);
    expect((await rotate(hook)).status).toBe(409);
    await assess(hook);
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    const during = receiver.received[0]!;
    expect(await verify(hook.secret, during.body, String(during.headers['x-svc-signature-256']))).toBe(true);
    expect(await verify(rotated.signing_secret, during.body, String(during.headers['x-svc-signature-256-next']))).toBe(true);
    // As the receiver's clock is the service's.
    for (const secret of [hook.secret, rotated.signing_secret])
      expect(String(during.headers['webhook-signature'])).toContain(
        new Webhook(secret).sign(
          String(during.headers['webhook-id']),
          new Date(Number(during.headers['webhook-timestamp']) * 1_000),
          during.body,
        ),
      );
    const { body: finished } = await service.request('POST', `/v1/webhooks/${hook.id}/rotate-secret/finish`, {
      key: hook.keys.live,
    });
    expect(finished.old_secret_until).toBeNull();
    await assess(hook);
    await expect.poll(() => receiver.received.length, soon).toBe(2);
    const after = receiver.received[1]!;
    expect(await verify(rotated.signing_secret, after.body, String(after.headers['x-svc-signature-256']))).toBe(true);
    expect(after.headers['x-svc-signature-256-next']).toBeUndefined();
  });

  test('sent again with its Idempotency-Key does not rotate again', async () => {
    const hook = await createHook(['inference.flagged']);
    const first = await rotate(hook, { grace_s: 0 }, { 'idempotency-key': 'r' });
    const again = await rotate(hook, { grace_s: 0 }, { 'idempotency-key': 'r' });
    expect(again.status).toBe(200);
    expect(again.body.signing_secret).toBeUndefined();
    await assess(hook);
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    const { body, headers } = receiver.received[0]!;
    expect(await verify(first.body.signing_secret, body, String(headers['x-svc-signature-256']))).toBe(true);
  });

  test.each([-1, 604_801, 1.5, '1'])('with a grace of %j is refused', async (grace) => {
    const hook = await createHook();
    expect((await rotate(hook, { grace_s: grace })).status).toBe(400);
  });
});

describe('a test', () => {
  const send = (hook: Hook, body: object = {}) =>
    service.request('POST', `/v1/webhooks/${hook.id}/test`, { key: hook.keys.live, body });

  test('is one real signed attempt, and is kept nowhere', async () => {
    const hook = await createHook(['inference.blocked']);
    const { status, body } = await send(hook, { event: 'inference.blocked' });
    expect(status).toBe(200);
    expect(body).toEqual({
      delivered: true,
      event: 'inference.blocked',
      status: 200,
      latency_ms: expect.any(Number),
      error: null,
      answer: 'ok',
    });
    const { headers, body: sent } = receiver.received[0]!;
    expect(await verify(hook.secret, sent, String(headers['x-svc-signature-256']))).toBe(true);
    expect(JSON.parse(sent)).toMatchObject({
      kind: 'inference.blocked',
      sequence: null,
      data: { outcome: 'blocked', test: true },
    });
    expect(await deliveriesOf(hook)).toEqual([]);
    await send(hook);
    expect(JSON.parse(receiver.received[1]!.body).kind).toBe('webhook.test');
  });

  test('tells why it did not arrive', async () => {
    const hook = await createHook();
    receiver.answer(500);
    expect((await send(hook)).body).toMatchObject({ delivered: false, status: 500, error: 'The receiver answered 500.' });
    await receiver.close();
    expect((await send(hook)).body).toMatchObject({ delivered: false, status: null, error: 'The host refused the connection.' });
    receiver = await startReceiver();
    expect((await send(hook, { event: 'foo' })).status).toBe(400);
  });
});

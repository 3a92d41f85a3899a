// Promises about integrations, from the API to a vendor that behaves as its documentation says.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { secretPurpose } from '../delivery/attempt.ts';
import { formatId, newUuid, uuidText } from '../ids.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { startSlack } from '../testing/vendors/slack.ts';
import { startSplunk } from '../testing/vendors/splunk.ts';
import { insertEndpoint } from '../webhooks/store.ts';

const TOKEN = '12345678-1234-1234-1234-123456789012';
const ROUTING_KEY = 'R0UT1NGKEYR0UT1NGKEYR0UT1NGKEY00';
const soon = { timeout: 10_000, interval: 20 };

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
});
afterAll(() => service.close());

type Keys = Readonly<Record<'admin' | 'live' | 'test', string>>;
const create = (body: object, key = service.organization.keys.live) => service.request('POST', '/v1/integrations', { key, body });
const splunk = (url: string, changes: object = {}) => ({
  kind: 'splunk',
  name: 'siem',
  events: ['inference.flagged'],
  config: { url, token: TOKEN, ...changes },
});
const assess = ({ live }: Keys) =>
  service.request('POST', '/v1/assessments', { key: live, body: { input: 'my card is 4111 1111 1111 1111' } });

describe('an integration', () => {
  test('is answered, listed and read without its secrets, which are kept encrypted', async () => {
    const { keys } = await service.createOrganization();
    const { body, text } = await create(splunk('http://127.0.0.1:8088', { index: 'ai' }), keys.live);
    expect(body).toEqual({
      id: expect.stringMatching(/^int_/),
      kind: 'splunk',
      name: 'siem',
      events: ['inference.flagged'],
      config: { url: 'http://127.0.0.1:8088', index: 'ai' },
      secrets: ['token'],
      mode: 'live',
      status: 'active',
      failing_since: null,
      last_success_at: null,
      created_at: expect.any(String),
      updated_at: body.created_at,
    });
    const list = await service.request('GET', '/v1/integrations', { key: keys.live });
    const one = await service.request('GET', `/v1/integrations/${body.id}`, { key: keys.live });
    expect(one.body).toEqual(body);
    const { body: events, text: trail } = await service.request('GET', '/v1/events?kind=integration.created&limit=1', {
      key: keys.live,
    });
    expect(events.data[0].data).toEqual({ integration_id: body.id, kind: 'splunk', name: 'siem', events: ['inference.flagged'] });
    for (const each of [text, list.text, one.text, trail]) expect(each).not.toContain(TOKEN);
    const { rows } = await service.services.db.query<{ row: string }>('SELECT e::text AS row FROM endpoints e');
    for (const { row } of rows) expect(row).not.toContain(Buffer.from(TOKEN).toString('hex'));
  });

  test.each([
    ['an unknown kind', { kind: 'fax', name: 'a', events: ['*'], config: {} }, '/kind'],
    ['no config', { kind: 'slack', name: 'a', events: ['*'] }, '/config'],
    ['an empty config', { kind: 'slack', name: 'a', events: ['*'], config: {} }, '/config/url'],
    ['another kind’s config', { kind: 'slack', name: 'a', events: ['*'], config: { routing_key: ROUTING_KEY } }, '/config/url'],
    [
      'a Slack address of someone else',
      { kind: 'slack', name: 'a', events: ['*'], config: { url: 'https://evil.example/services/a/b/c' } },
      '/config/url',
    ],
    [
      'an unknown member',
      { kind: 'splunk', name: 'a', events: ['*'], config: { url: 'http://127.0.0.1', token: TOKEN, x: 1 } },
      '/config/x',
    ],
    [
      'a private address',
      { kind: 'splunk', name: 'a', events: ['*'], config: { url: 'https://10.0.0.1', token: TOKEN } },
      '/config/url',
    ],
    [
      'a routing key too short',
      { kind: 'pagerduty', name: 'a', events: ['*'], config: { routing_key: 'short' } },
      '/config/routing_key',
    ],
    [
      'an unknown Datadog site',
      { kind: 'datadog', name: 'a', events: ['*'], config: { api_key: 'a'.repeat(32), site: 'evil.example', send: 'logs' } },
      '/config/site',
    ],
  ])('with %s is refused at the place', async (_name, body, pointer) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details.map((detail: { pointer: string }) => detail.pointer)).toContain(pointer);
    expect(answer.text).not.toContain(TOKEN);
  });

  test('keeps its secrets when it is changed, but not for another address', async () => {
    const { body } = await create(splunk('http://127.0.0.1:8088'));
    const patch = (changes: object) => service.request('PATCH', `/v1/integrations/${body.id}`, { body: changes });
    expect((await patch({ name: 'new', config: { index: 'ai' } })).body).toMatchObject({
      name: 'new',
      config: { url: 'http://127.0.0.1:8088', index: 'ai' },
    });
    const moved = await patch({ config: { url: 'http://127.0.0.1:9099' } });
    expect(moved.body.error.details).toEqual([{ pointer: '/config/token', message: 'is required with another address' }]);
    expect((await patch({ config: { url: 'http://127.0.0.1:9099', token: TOKEN } })).status).toBe(200);
  });
});

describe('events', () => {
  test('reach Splunk together, each with its own delivery', async () => {
    const vendor = await startSplunk({ token: TOKEN });
    const { keys } = await service.createOrganization();
    const { body: integration } = await create(splunk(vendor.origin), keys.live);
    await Promise.all(Array.from({ length: 30 }, () => assess(keys)));
    await expect.poll(() => vendor.accepted.length, soon).toBe(30);
    const deliveries = async () =>
      (
        await service.request('GET', `/v1/integrations/${integration.id}/deliveries?limit=100&state=succeeded`, {
          key: keys.live,
        })
      ).body.data;
    await expect.poll(async () => (await deliveries()).length, soon).toBe(30);
    await vendor.close();
  });

  test('that Splunk is too busy for are tried again by the schedule', async () => {
    const vendor = await startSplunk({ token: TOKEN });
    vendor.mode = 'busy';
    const { keys } = await service.createOrganization();
    const { body: integration } = await create(splunk(vendor.origin), keys.live);
    await assess(keys);
    const delivery = async () =>
      (await service.request('GET', `/v1/integrations/${integration.id}/deliveries`, { key: keys.live })).body.data[0];
    await expect.poll(async () => (await delivery()).attempts, soon).toBe(1);
    await expect.poll(async () => Date.parse((await delivery()).next_attempt_at) - Date.now(), soon).toBeGreaterThan(200_000);
    await vendor.close();
  });

  test('that Splunk refuses for good have failed at once, and the token is not in the log of attempts', async () => {
    const vendor = await startSplunk({ token: 'AAAAAAAA-1234-1234-1234-123456789012' });
    const { keys } = await service.createOrganization();
    const { body: integration } = await create(splunk(vendor.origin), keys.live);
    await assess(keys);
    const path = `/v1/integrations/${integration.id}/deliveries`;
    const delivery = async () => (await service.request('GET', path, { key: keys.live })).body.data[0];
    await expect.poll(async () => (await delivery()).state, soon).toBe('failed');
    const detail = await service.request('GET', `${path}/${(await delivery()).id}`, { key: keys.live });
    expect(detail.body.attempt_log).toMatchObject([{ number: 1, status: 403 }]);
    expect(detail.text).not.toContain(TOKEN);
    await vendor.close();
  });

  test('reach Slack as a message, and a test tells when they do not', async () => {
    const vendor = await startSlack();
    const { keys, uuid } = await service.createOrganization();
    // As it is stored, but for Slack's own address, which is the only one that the API accepts.
    const id = newUuid();
    await insertEndpoint(service.services.db, {
      orgId: uuid,
      uuid: id,
      kind: 'slack',
      mode: 'live',
      name: 'chat',
      description: null,
      url: null,
      config: {},
      events: ['inference.flagged'],
      sealedSecret: service.services.vault.seal(secretPurpose(uuidText(id)), JSON.stringify({ url: vendor.hookUrl })),
      createdAtMs: Date.now(),
    });
    const path = `/v1/integrations/${formatId('int', id)}/test`;
    await assess(keys);
    await expect.poll(() => vendor.accepted.length, soon).toBe(1);
    const tested = await service.request('POST', path, { key: keys.live, body: { event: 'inference.blocked' } });
    expect(tested.body).toMatchObject({ delivered: true, status: 200, event: 'inference.blocked' });
    expect(vendor.accepted).toHaveLength(2);
    await vendor.close();
    const failed = await service.request('POST', path, { key: keys.live, body: {} });
    expect(failed.body).toMatchObject({ delivered: false, status: null });
    expect(failed.text).not.toContain(vendor.hookUrl);
  });
});

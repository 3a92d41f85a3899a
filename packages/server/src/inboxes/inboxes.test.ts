// Promises of the built-in receiver.

import { verify } from '@octokit/webhooks-methods';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';
import { MESSAGES_MAX } from './receive.ts';

let service: TestService;
beforeAll(async () => {
  // Without any exception for private addresses: the inbox is the service's own.
  service = await startTestService();
});
afterAll(() => service.close());

const create = async () => (await service.request('POST', '/v1/inboxes')).body;
const messagesOf = async ({ id }: { id: string }) => (await service.request('GET', `/v1/inboxes/${id}/messages`)).body.data;
const send = (url: string, body: string, headers: Record<string, string> = {}) => fetch(url, { method: 'POST', body, headers });

test('a webhook to an inbox shows what arrived, with bytes and signature as they came', async () => {
  const inbox = await create();
  expect(inbox).toEqual({
    id: expect.stringMatching(/^inb_/),
    url: expect.stringMatching(/\/inbox\/[\w-]{32}$/),
    created_at: expect.any(String),
  });
  const { body: hook } = await service.request('POST', '/v1/webhooks', {
    body: { url: inbox.url, events: ['inference.flagged'] },
  });
  await service.request('POST', '/v1/assessments', { body: { input: 'my card is 4111 1111 1111 1111' } });
  await expect.poll(async () => (await messagesOf(inbox)).length, { timeout: 5_000, interval: 10 }).toBe(1);
  const [{ headers, body }] = await messagesOf(inbox);
  expect(JSON.parse(body)).toMatchObject({ kind: 'inference.flagged' });
  expect(await verify(hook.signing_secret, body, headers['x-svc-signature-256'])).toBe(true);
});

test.each(['/inbox/../v1/keys', '/v1/api-keys', '/inbox/a/b', '/inbox/a?b', '/metrics', '/'])(
  'no other address of the service can be reached by a webhook: %s',
  async (path) => {
    const { status, body } = await service.request('POST', '/v1/webhooks', {
      body: { url: service.baseUrl + path, events: ['*'] },
    });
    expect({ status, pointer: body.error?.details[0]?.pointer }).toEqual({ status: 400, pointer: '/url' });
  },
);

test('an inbox keeps the newest messages only, takes any type, and refuses what is too long', async () => {
  const inbox = await create();
  for (let i = 0; i < MESSAGES_MAX + 5; i++) await send(inbox.url, String(i), { 'content-type': 'text/plain', 'x-other': 'no' });
  const messages = await messagesOf(inbox);
  expect(messages.map(({ body }: { body: string }) => Number(body))).toEqual(
    Array.from({ length: MESSAGES_MAX }, (_, i) => MESSAGES_MAX + 4 - i),
  );
  expect(Object.keys(messages[0].headers).toSorted()).toEqual(['content-type', 'user-agent']);
  expect((await send(inbox.url, 'x'.repeat(100_000))).status).toBe(413);
});

test('an inbox that does not exist, or not any more, answers 404', async () => {
  for (const token of ['nothing', '%00', 'A'.repeat(32)])
    expect((await send(`${service.baseUrl}/inbox/${token}`, '{}')).status).toBe(404);
  const inbox = await create();
  await send(inbox.url, 'x');
  expect((await service.request('DELETE', `/v1/inboxes/${inbox.id}`)).body).toEqual({ deleted: true });
  expect((await send(inbox.url, 'x')).status).toBe(404);
  expect((await service.request('GET', `/v1/inboxes/${inbox.id}/messages`)).status).toBe(404);
});

test('another organization’s inbox cannot be read or deleted', async () => {
  const inbox = await create();
  const other = await service.createOrganization();
  const asOther = { key: other.keys.admin };
  expect((await service.request('GET', `/v1/inboxes/${inbox.id}/messages`, asOther)).status).toBe(404);
  expect((await service.request('DELETE', `/v1/inboxes/${inbox.id}`, asOther)).status).toBe(404);
  expect((await service.request('GET', '/v1/inboxes', asOther)).body.data).toEqual([]);
});

test('test keys have inboxes of their own and see no live event; live keys read theirs with events:read', async () => {
  const { keys } = await service.createOrganization();
  const { body: live } = await service.request('POST', '/v1/inboxes', { key: keys.live });
  const { body: testing } = await service.request('POST', '/v1/inboxes', { key: keys.test });
  expect((await service.request('GET', '/v1/inboxes', { key: keys.test })).body.data).toEqual([testing]);
  expect((await service.request('GET', `/v1/inboxes/${live.id}/messages`, { key: keys.test })).status).toBe(404);
  expect((await service.request('GET', `/v1/inboxes/${testing.id}/messages`, { key: keys.test })).status).toBe(200);
  const { body: key } = await service.request('POST', '/v1/api-keys', {
    key: keys.admin,
    body: { name: 'k', type: 'live', permissions: ['webhooks:read'] },
  });
  expect((await service.request('GET', `/v1/inboxes/${live.id}/messages`, { key: key.key })).status).toBe(403);
});

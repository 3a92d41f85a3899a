// Promises about API keys.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BEHIND_PROXY, fromManyAddresses, startTestService, type TestService } from '../testing/service.ts';
import { newKey } from '../access/key-format.ts';
import { KEY_SCOPES } from '../access/scopes.ts';

let service: TestService;
let admin: string;

beforeAll(async () => {
  service = fromManyAddresses(await startTestService(BEHIND_PROXY));
  admin = service.organization.keys.admin;
});
afterAll(() => service.close());

const create = (body: object, key = admin) => service.request('POST', '/v1/api-keys', { key, body });
const assessWith = (key: string) => service.request('POST', '/v1/assessments', { key, body: { input: 'Hello' } });

describe('a new key', () => {
  test.each(['live', 'test', 'admin'] as const)(
    'of type %s works, holds what its type holds, and is shown once',
    async (type) => {
      const { status, body } = await create({ name: `a ${type} key`, type, description: 'for tests' });
      expect(status).toBe(201);
      expect(body).toEqual({
        id: expect.stringMatching(/^key_[0-9a-z]{26}$/),
        name: `a ${type} key`,
        type,
        description: 'for tests',
        permissions: KEY_SCOPES[type],
        service_account_id: null,
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
        rotation_due: false,
        last4: body.key.slice(-4),
        key: expect.stringMatching(new RegExp(`^svc_${type}_[0-9A-Za-z]{38}$`)),
      });
      expect((await assessWith(body.key)).status).toBe(200);
      const { key, ...shown } = body;
      const read = await service.request('GET', `/v1/api-keys/${body.id}`, { key: admin });
      expect({ ...read.body, last_used_at: null }).toEqual(shown);
      expect(read.text).not.toContain(key);
    },
  );

  test('is kept as a digest only', async () => {
    const { body } = await create({ name: 'k', type: 'live' });
    const client = new pg.Client(service.databaseUrl);
    await client.connect();
    const { rows } = await client.query('SELECT k::text AS row, octet_length(digest) AS bytes FROM api_keys k WHERE last4 = $1', [
      body.last4,
    ]);
    await client.end();
    expect(rows[0].bytes).toBe(32);
    expect(rows[0].row).not.toContain(body.key.slice(9, -4));
  });

  test('stops working when it expires', async () => {
    const { body } = await create({ name: 'short', type: 'live', expires_at: new Date(Date.now() + 400).toISOString() });
    expect((await assessWith(body.key)).status).toBe(200);
    await expect.poll(async () => (await assessWith(body.key)).status, { timeout: 5_000, interval: 50 }).toBe(401);
  });

  test.each([
    ['no name', { type: 'live' }, '/name', 'is required'],
    ['an empty name', { name: '', type: 'live' }, '/name', 'must not be empty'],
    ['a name too long', { name: 'x'.repeat(201), type: 'live' }, '/name', 'must be at most 200 characters long'],
    [
      'a name with a control character',
      { name: 'a\u0000b', type: 'live' },
      '/name',
      'holds characters that are not allowed here',
    ],
    ['a name with half a character', { name: 'a\ud800', type: 'live' }, '/name', 'holds characters that are not allowed here'],
    ['a name that is no text', { name: 5, type: 'live' }, '/name', 'must be a string'],
    ['an unknown type', { name: 'k', type: 'root' }, '/type', 'must be one of: live, test, admin'],
    [
      'a time in the past',
      { name: 'k', type: 'live', expires_at: '2020-01-01T00:00:00Z' },
      '/expires_at',
      'must be in the future',
    ],
    [
      'a time too far ahead',
      { name: 'k', type: 'live', expires_at: '2226-01-01T00:00:00Z' },
      '/expires_at',
      'must be within ten years',
    ],
    [
      'a time that is none',
      { name: 'k', type: 'live', expires_at: 'tomorrow' },
      '/expires_at',
      'must be in the format date-time',
    ],
    ['no scope', { name: 'k', type: 'live', permissions: [] }, '/permissions', expect.any(String)],
    [
      'an unknown scope',
      { name: 'k', type: 'live', permissions: ['all'] },
      '/permissions/0',
      expect.stringContaining('must be one of: assess:create'),
    ],
    [
      'a scope its type never holds',
      { name: 'k', type: 'test', permissions: ['assess:create', 'policy:write'] },
      '/permissions/1',
      expect.stringContaining('a test key cannot hold policy:write'),
    ],
    ['a list that is no list', { name: 'k', type: 'live', permissions: 'assess:create' }, '/permissions', 'must be an array'],
  ])('with %s is refused at the place', async (_name, body, pointer, message) => {
    const answer = await create(body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([{ pointer, message }]);
  });

  test('is in the trail, with who made it and from where, without its secret', async () => {
    const { body } = await create({ name: 'traced', type: 'live' });
    const { body: events, text } = await service.request('GET', '/v1/events?kind=api_key.created&limit=1');
    expect(events.data[0]).toMatchObject({
      kind: 'api_key.created',
      actor: { type: 'api_key', ip: expect.stringMatching(/^198\.18\./) },
      data: { key_id: body.id, name: 'traced', type: 'live' },
    });
    expect(text).not.toContain(body.key);
  });
});

describe('a revoked key', () => {
  test('is refused from the answer on, however often it was used before', async () => {
    const { body } = await create({ name: 'k', type: 'live' });
    for (let i = 0; i < 5; i++) expect((await assessWith(body.key)).status).toBe(200);
    const revoked = await service.request('DELETE', `/v1/api-keys/${body.id}`, { key: admin });
    expect(revoked).toMatchObject({ status: 200, body: { id: body.id, revoked_at: expect.any(String) } });
    expect((await assessWith(body.key)).status).toBe(401);
  });

  test('is never let through by a request that began before the answer and ended after it', async () => {
    for (let round = 0; round < 20; round++) {
      const { body } = await create({ name: 'k', type: 'live' });
      const during = Array.from({ length: 5 }, () => assessWith(body.key));
      await service.request('DELETE', `/v1/api-keys/${body.id}`, { key: admin });
      const after = await Promise.all(Array.from({ length: 5 }, () => assessWith(body.key)));
      expect(after.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
      await Promise.all(during);
    }
  });

  test('revoked again answers the same and makes no second event', async () => {
    const { body } = await create({ name: 'k', type: 'live' });
    const first = await service.request('DELETE', `/v1/api-keys/${body.id}`, { key: admin });
    const second = await service.request('DELETE', `/v1/api-keys/${body.id}`, { key: admin });
    expect(second.body).toEqual(first.body);
    const { body: events } = await service.request('GET', '/v1/events?kind=api_key.revoked&limit=200');
    expect(events.data.filter((event: { data: { key_id: string } }) => event.data.key_id === body.id)).toHaveLength(1);
  });

  test('is never the last one that can manage the organization', async () => {
    const other = await service.createOrganization();
    const asOther = { key: other.keys.admin };
    const { body } = await service.request('GET', '/v1/api-keys', asOther);
    const last = body.data.find(({ type }: { type: string }) => type === 'admin').id;
    expect(await service.request('DELETE', `/v1/api-keys/${last}`, asOther)).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
    const second = await create({ name: 'second', type: 'admin' }, other.keys.admin);
    expect((await service.request('DELETE', `/v1/api-keys/${last}`, { key: second.body.key })).status).toBe(200);
    expect((await service.request('GET', '/v1/organization', asOther)).status).toBe(401);
  });

  test('of another organization stays as it is', async () => {
    const other = await service.createOrganization();
    const { body } = await create({ name: 'k', type: 'live' });
    expect((await service.request('DELETE', `/v1/api-keys/${body.id}`, { key: other.keys.admin })).status).toBe(404);
    expect((await assessWith(body.key)).status).toBe(200);
  });
});

test('keys are listed newest first, page by page, each once', async () => {
  const other = await service.createOrganization();
  const made: string[] = [];
  for (let i = 0; i < 7; i++) made.unshift((await create({ name: `k${i}`, type: 'live' }, other.keys.admin)).body.id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await service.request('GET', `/v1/api-keys?limit=3${cursor}`, { key: other.keys.admin });
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    expect(body.has_more).toBe(body.next_cursor !== null);
    cursor = body.next_cursor === null ? '' : `&cursor=${body.next_cursor}`;
  } while (cursor !== '');
  expect(seen.slice(0, 7)).toEqual(made);
  expect(new Set(seen).size).toBe(10);
});

test.each(['x', 'a2V5Og', Buffer.from('evt:5').toString('base64url')])('the cursor %s is refused', async (cursor) => {
  const { status, body } = await service.request('GET', `/v1/api-keys?cursor=${cursor}`, { key: admin });
  expect({ status, details: body.error.details }).toEqual({
    status: 400,
    details: [{ pointer: '/query/cursor', message: 'is not a cursor of this list' }],
  });
});

test('failed credentials of an address are limited, valid ones are not', async () => {
  const own = await startTestService();
  let refused = 0;
  for (let i = 0; i < 130; i++) {
    const { status, headers } = await own.request('GET', '/v1/organization', { key: newKey('live') });
    if (status !== 429) continue;
    refused++;
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(refused).toBeGreaterThan(0);
  expect((await own.request('GET', '/v1/organization')).status).toBe(200);
  await own.close();
});

test('the organization tells who asks', async () => {
  const { body } = await service.request('GET', '/v1/organization', { key: service.organization.keys.test });
  expect(body).toMatchObject({
    id: service.organization.id,
    plan: 'enterprise',
    limits: { assessments_per_minute: 1_000_000, requests_per_minute: 2_000_000, batch_size: 1_000 },
    credential: { type: 'api_key', name: 'First test key', mode: 'test', scopes: KEY_SCOPES.test },
  });
});

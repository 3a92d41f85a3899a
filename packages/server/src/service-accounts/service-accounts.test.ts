// Promises about service accounts and the addresses from which they may be used.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';

let service: TestService;
let admin: string;
beforeAll(async () => {
  service = await startTestService({ SVC_TRUSTED_PROXIES: '127.0.0.0/8,10.9.0.0/16' });
  admin = service.organization.keys.admin;
});
afterAll(() => service.close());

const asAdmin = (method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  service.request(method, path, { key: admin, headers, ...(body === undefined ? {} : { body }) });
const create = async (body: object = {}) => {
  const answer = await asAdmin('POST', '/v1/service-accounts', { name: 'a', permissions: ['assess:create'], ...body });
  expect(answer.status).toBe(201);
  return answer.body;
};
const whoAmI = (key: string, forwardedFor?: string) =>
  service.request('GET', '/v1/organization', {
    key,
    headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
  });
const eventsOf = async (kind: string, id: string) => {
  const { body } = await service.request('GET', `/v1/events?kind=${kind}&limit=200`);
  return body.data.filter((event: { data: { service_account_id?: string } }) => event.data.service_account_id === id);
};

describe('a new service account', () => {
  test('answers all that was asked for, with a key that is shown once and acts as the account', async () => {
    const created = await create({ name: 'gateway', ip_allowlist: ['127.0.0.0/8', '2001:DB8::/32'] });
    expect(created).toEqual({
      id: expect.stringMatching(/^sa_[0-9a-z]{26}$/),
      name: 'gateway',
      permissions: ['assess:create'],
      ip_allowlist: ['127.0.0.0/8', '2001:db8::/32'],
      type: 'live',
      created_at: expect.any(String),
      updated_at: created.created_at,
      deleted_at: null,
      key_id: expect.stringMatching(/^key_/),
      key: expect.stringMatching(/^svc_live_/),
    });
    const { body: self } = await whoAmI(created.key);
    expect(self.credential).toEqual({
      type: 'service_account',
      id: created.id,
      name: 'gateway',
      mode: 'live',
      scopes: ['assess:create'],
    });
    const read = await asAdmin('GET', `/v1/service-accounts/${created.id}`);
    expect(read.text).not.toContain(created.key);
    const { body: key } = await asAdmin('GET', `/v1/api-keys/${created.key_id}`);
    expect(key).toMatchObject({ service_account_id: created.id, permissions: ['assess:create'], type: 'live' });
  });

  test('and what it does are in the trail under its name and its address', async () => {
    const created = await create();
    expect(await eventsOf('service_account.created', created.id)).toMatchObject([
      { actor: { type: 'api_key', ip: '127.0.0.1' }, data: { name: 'a', permissions: ['assess:create'], ip_allowlist: [] } },
    ]);
    await service.request('POST', '/v1/assessments', {
      key: created.key,
      body: { input: 'Hello' },
      headers: { 'x-forwarded-for': '::FFFF:192.0.2.7' },
    });
    const { body } = await service.request('GET', `/v1/events?actor=${created.id}`);
    expect(body.data).toMatchObject([{ actor: { type: 'service_account', id: created.id, ip: '192.0.2.7' } }]);
  });

  test.each([
    ['admin:*', ['admin:*'], 'live', /^svc_admin_/],
    ['policy:write', ['policy:read', 'policy:write'], 'live', /^svc_admin_/],
    ['reading alone', ['events:read'], 'live', /^svc_live_/],
    ['the type test', ['assess:create'], 'test', /^svc_test_/],
  ])('with %s gets a key whose prefix says so', async (_name, permissions, type, prefix) => {
    const created = await create({ permissions, type });
    expect(created.key).toMatch(prefix);
    expect(created.type).toBe(type);
  });

  test.each([
    ['host bits', ['10.0.0.5/8'], 0, 'has host bits set; did you mean 10.0.0.0/8?'],
    ['a bare address', ['10.0.0.0/8', '192.0.2.1'], 1, expect.stringContaining('192.0.2.1/32')],
    ['no address', ['localhost/8'], 0, expect.stringContaining('is not in CIDR notation')],
    ['a short address', ['10/8'], 0, expect.stringContaining('is not in CIDR notation')],
    ['IPv6 host bits', ['2001:db8::1/64'], 0, expect.stringContaining('host bits')],
    ['a prefix too long', ['10.0.0.0/33'], 0, expect.any(String)],
    ['a zone id', ['fe80::%eth0/64'], 0, expect.any(String)],
  ])('with %s in its allowlist is refused at the place', async (_name, ipAllowlist, at, message) => {
    const answer = await asAdmin('POST', '/v1/service-accounts', {
      name: 'a',
      permissions: ['assess:create'],
      ip_allowlist: ipAllowlist,
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([{ pointer: `/ip_allowlist/${at}`, message }]);
  });

  test.each([
    ['no permission', { name: 'a', permissions: [] }, '/permissions'],
    ['an unknown permission', { name: 'a', permissions: ['all'] }, '/permissions/0'],
    ['the same permission twice', { name: 'a', permissions: ['policy:read', 'policy:read'] }, '/permissions'],
    [
      'a test type with a permission it never holds',
      { name: 'a', permissions: ['policy:write'], type: 'test' },
      '/permissions/0',
    ],
    ['the type admin', { name: 'a', permissions: ['admin:*'], type: 'admin' }, '/type'],
    ['no name', { permissions: ['admin:*'] }, '/name'],
    ['an allowlist that is a text', { name: 'a', permissions: ['admin:*'], ip_allowlist: '10.0.0.0/8' }, '/ip_allowlist'],
    ['too many ranges', { name: 'a', permissions: ['admin:*'], ip_allowlist: Array(101).fill('10.0.0.0/8') }, '/ip_allowlist'],
  ])('with %s is refused at the place', async (_name, body, pointer) => {
    const answer = await asAdmin('POST', '/v1/service-accounts', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].pointer).toBe(pointer);
  });

  test('repeated with its Idempotency-Key is the same account, without the key', async () => {
    const body = { name: 'once', permissions: ['assess:create'] };
    const first = await asAdmin('POST', '/v1/service-accounts', body, { 'idempotency-key': 'sa-1' });
    const again = await asAdmin('POST', '/v1/service-accounts', body, { 'idempotency-key': 'sa-1' });
    expect(first.body.key).toMatch(/^svc_live_/);
    expect({ ...again.body, key: first.body.key }).toEqual(first.body);
    expect(again.body.key).toBeUndefined();
    expect(again.headers.get('idempotency-replayed')).toBe('true');
  });
});

describe('an allowlist', () => {
  test.each([
    ['the address in the range', ['192.0.2.0/24'], '192.0.2.7', 200],
    ['an address outside of it', ['192.0.2.0/24'], '192.0.3.7', 403],
    ['the address in its IPv4-mapped form', ['192.0.2.0/24'], '::ffff:c000:207', 200],
    ['a range in IPv4-mapped form', ['::ffff:192.0.2.0/120'], '192.0.2.7', 200],
    ['an IPv6 address in the range', ['2001:db8::/32'], '2001:0DB8:0::7', 200],
    ['an IPv6 address outside of it', ['2001:db8::/32'], '2001:db9::7', 403],
    ['IPv4 under all of IPv6', ['::/0'], '192.0.2.7', 403],
    ['an address that a client wrote before the proxy did', ['192.0.2.0/24'], '192.0.2.7, 198.51.100.1', 403],
    ['the client behind two trusted proxies', ['192.0.2.0/24'], '192.0.2.7, 10.9.0.1', 200],
    ['an address that is none', ['192.0.2.0/24'], '192.0.2.7.1', 403],
  ])('%s decides', async (_name, ipAllowlist, forwardedFor, status) => {
    const { key } = await create({ ip_allowlist: ipAllowlist });
    const answer = await whoAmI(key, forwardedFor);
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.body.error.code).toBe('ip_not_allowed');
      expect(answer.headers.get('x-svc-ratelimit-limit')).toMatch(/^\d+$/);
    }
  });

  test('is asked after the organization header and before limit and scope, and what it refuses costs nothing', async () => {
    const { key } = await create({ ip_allowlist: ['192.0.2.0/24'], permissions: ['events:read'] });
    const other = await service.createOrganization();
    const foreign = await service.request('GET', '/v1/policy', { key, headers: { 'x-svc-org-id': other.id } });
    expect(foreign.body.error.code).toBe('insufficient_permissions');
    const before = await service.request('GET', '/v1/policy', { key });
    expect(before.body.error.code).toBe('ip_not_allowed');
    const after = await service.request('GET', '/v1/policy', { key });
    expect(after.headers.get('x-svc-ratelimit-remaining')).toBe(before.headers.get('x-svc-ratelimit-remaining'));
  });
});

describe('a changed service account', () => {
  test('is followed by its keys at once, and the trail tells what was before', async () => {
    const created = await create();
    expect((await service.request('GET', '/v1/policy', { key: created.key })).status).toBe(403);
    const { body } = await asAdmin('PATCH', `/v1/service-accounts/${created.id}`, { permissions: ['policy:read'], name: 'b' });
    expect(body).toMatchObject({ name: 'b', permissions: ['policy:read'], ip_allowlist: [] });
    expect((await service.request('GET', '/v1/policy', { key: created.key })).status).toBe(200);
    await asAdmin('PATCH', `/v1/service-accounts/${created.id}`, { ip_allowlist: ['192.0.2.0/24'] });
    expect((await service.request('GET', '/v1/policy', { key: created.key })).body.error.code).toBe('ip_not_allowed');
    const [last, first] = await eventsOf('service_account.updated', created.id);
    expect(first.data).toMatchObject({ permissions: ['policy:read'], previous: { name: 'a', permissions: ['assess:create'] } });
    expect(last.data).toMatchObject({ ip_allowlist: ['192.0.2.0/24'], previous: { ip_allowlist: [] } });
  });

  test('into what it is already makes no event', async () => {
    const created = await create();
    expect((await asAdmin('PATCH', `/v1/service-accounts/${created.id}`, { name: 'a' })).body.updated_at).toBe(
      created.updated_at,
    );
    expect(await eventsOf('service_account.updated', created.id)).toEqual([]);
  });

  test('never gets what the prefix of its keys rules out', async () => {
    const created = await create();
    const answer = await asAdmin('PATCH', `/v1/service-accounts/${created.id}`, { permissions: ['admin:*'] });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].pointer).toBe('/permissions/0');
  });

  test('needs something to change', async () => {
    const created = await create();
    expect((await asAdmin('PATCH', `/v1/service-accounts/${created.id}`, {})).status).toBe(400);
  });
});

describe('a key for rotation', () => {
  test('works beside the old one until that is revoked', async () => {
    const created = await create();
    const { status, body: second } = await asAdmin('POST', `/v1/service-accounts/${created.id}/keys`, {
      expires_at: new Date(Date.now() + 60_000).toISOString(),
    });
    expect(status).toBe(201);
    expect(second).toMatchObject({ service_account_id: created.id, type: 'live', expires_at: expect.any(String) });
    expect((await whoAmI(created.key)).status).toBe(200);
    await asAdmin('DELETE', `/v1/api-keys/${created.key_id}`);
    expect((await whoAmI(created.key)).status).toBe(401);
    expect((await whoAmI(second.key)).status).toBe(200);
  });
});

test('an Idempotency-Key is good for one path: another account gets a key of its own', async () => {
  const [one, two] = [await create(), await create()];
  const post = (id: string) => asAdmin('POST', `/v1/service-accounts/${id}/keys`, {}, { 'idempotency-key': 'rotate' });
  const first = await post(one.id);
  const second = await post(two.id);
  expect(second.body.service_account_id).toBe(two.id);
  expect(second.body.id).not.toBe(first.body.id);
  expect((await post(one.id)).body.id).toBe(first.body.id);
  expect((await post('sa_00000000000000000000000000')).status).toBe(404);
});

test('an account that is not there is a 404 before its body is looked at', async () => {
  for (const [method, path] of [
    ['PATCH', '/v1/service-accounts/sa_00000000000000000000000000'],
    ['POST', '/v1/service-accounts/sa_00000000000000000000000000/keys'],
  ] as const) {
    for (const body of ['{"no', '{"unknown": 1}'])
      expect((await service.request(method, path, { key: admin, body })).status).toBe(404);
  }
});

describe('a deleted service account', () => {
  test('takes its keys with it, is listed no more, and can still be looked up', async () => {
    const created = await create();
    const { body: second } = await asAdmin('POST', `/v1/service-accounts/${created.id}/keys`, {});
    expect((await whoAmI(second.key)).status).toBe(200);
    const deleted = await asAdmin('DELETE', `/v1/service-accounts/${created.id}`);
    expect(deleted).toMatchObject({ status: 200, body: { deleted_at: expect.any(String) } });
    for (const key of [created.key, second.key]) expect((await whoAmI(key)).status).toBe(401);
    expect((await asAdmin('DELETE', `/v1/service-accounts/${created.id}`)).body).toEqual(deleted.body);
    expect((await asAdmin('GET', `/v1/service-accounts/${created.id}`)).body).toEqual(deleted.body);
    const { body: list } = await asAdmin('GET', '/v1/service-accounts?limit=200');
    expect(list.data.map(({ id }: { id: string }) => id)).not.toContain(created.id);
    expect((await asAdmin('POST', `/v1/service-accounts/${created.id}/keys`, {})).status).toBe(404);
    expect((await asAdmin('PATCH', `/v1/service-accounts/${created.id}`, { name: 'b' })).status).toBe(404);
    expect(await eventsOf('service_account.deleted', created.id)).toHaveLength(1);
    const { body: revoked } = await service.request('GET', '/v1/events?kind=api_key.revoked&limit=2');
    expect(revoked.data.map(({ data }: { data: { key_id: string } }) => data.key_id).toSorted()).toEqual(
      [created.key_id, second.id].toSorted(),
    );
  });
});

test('an organization never loses the last key that can manage it, in whichever way', async () => {
  const other = await service.createOrganization();
  const asOther = { key: other.keys.admin };
  const { body: account } = await service.request('POST', '/v1/service-accounts', {
    ...asOther,
    body: { name: 'root', permissions: ['admin:*'] },
  });
  const { body: keys } = await service.request('GET', '/v1/api-keys', asOther);
  const first = keys.data.find(({ name }: { name: string }) => name === 'First admin key').id;
  expect((await service.request('DELETE', `/v1/api-keys/${first}`, asOther)).status).toBe(200);
  const asAccount = { key: account.key };
  const attempts = [
    service.request('DELETE', `/v1/api-keys/${account.key_id}`, asAccount),
    service.request('DELETE', `/v1/service-accounts/${account.id}`, asAccount),
    service.request('PATCH', `/v1/service-accounts/${account.id}`, { ...asAccount, body: { permissions: ['policy:write'] } }),
  ];
  for (const answer of await Promise.all(attempts))
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
  expect((await service.request('GET', '/v1/service-accounts', asAccount)).status).toBe(200);
});

// Who may do what: every operation with every scope, held by every kind of principal. The table is made from the route table, so that an
// operation that is added is tested too.
//
// Each request carries an unknown query parameter. Who may not call the operation is told so (403) before the query is looked at; who may is
// told that the parameter is unknown (400), and nothing is changed.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from '../app.ts';
import type { Route } from '../http/route.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { signIn } from '../testing/sign-in.ts';
import { GRANTABLE_SCOPES, holds, KEY_SCOPES, ROLE_SCOPES, ROLES, SCOPES, type KeyType, type Scope } from './scopes.ts';

interface Holder {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly headers: Readonly<Record<string, string>>;
  readonly hasToken: boolean;
}

let service: TestService;
let holders: Holder[];
let ended: { name: string; headers: Record<string, string>; code: string }[];

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
/** The least powerful type that may hold the scope. */
const typeFor = (scope: Scope): KeyType => (GRANTABLE_SCOPES.live.includes(scope) ? 'live' : 'admin');

beforeAll(async () => {
  // Every request comes from an address of its own: failed credentials of one address are limited.
  service = await startTestService({ SVC_TRUSTED_PROXIES: '127.0.0.0/8' });
  holders = [
    ...(await Promise.all(SCOPES.map((scope) => keyWith(typeFor(scope), [scope])))),
    ...(await Promise.all(GRANTABLE_SCOPES.test.map((scope) => keyWith('test', [scope])))),
    ...(await Promise.all(SCOPES.map((scope) => accountWith([scope])))),
    ...(await Promise.all((['live', 'test', 'admin'] as const).map((type) => keyWith(type, KEY_SCOPES[type])))),
    ...(await Promise.all(ROLES.map(tokenOf))),
    ...(await Promise.all(ROLES.map(cookieOf))),
    await cookieOfAdminKey(),
  ];
  ended = await endedCredentials();
});
afterAll(() => service.close());

const asAdmin = (method: string, path: string, body?: object) =>
  service.request(method, path, { key: service.organization.keys.admin, ...(body === undefined ? {} : { body }) });

async function keyWith(type: KeyType, permissions: readonly Scope[]): Promise<Holder> {
  const { body } = await asAdmin('POST', '/v1/api-keys', { name: 'k', type, permissions });
  return { name: `a ${type} key with ${permissions.join(' ')}`, scopes: permissions, headers: bearer(body.key), hasToken: false };
}

async function accountWith(permissions: readonly Scope[]): Promise<Holder> {
  const { body } = await asAdmin('POST', '/v1/service-accounts', { name: 'a', permissions });
  return {
    name: `a service account with ${permissions.join(' ')}`,
    scopes: permissions,
    headers: bearer(body.key),
    hasToken: false,
  };
}

async function tokenOf(role: (typeof ROLES)[number]): Promise<Holder> {
  const { token } = await signIn(service, role);
  return { name: `a token of a ${role}`, scopes: ROLE_SCOPES[role], headers: bearer(token), hasToken: true };
}

async function cookieOf(role: (typeof ROLES)[number]): Promise<Holder> {
  const { cookie, ownPage } = await signIn(service, role);
  return { name: `a cookie of a ${role}`, scopes: ROLE_SCOPES[role], headers: { cookie, ...ownPage }, hasToken: false };
}

async function cookieOfAdminKey(): Promise<Holder> {
  const { body, headers } = await asAdmin('POST', '/v1/auth/session');
  const cookie = headers.getSetCookie()[0]!.split(';')[0]!;
  const ownPage = { origin: service.baseUrl, 'x-svc-csrf': body.csrf_token };
  return { name: 'a cookie of an admin key', scopes: ['admin:*'], headers: { cookie, ...ownPage }, hasToken: false };
}

async function endedCredentials() {
  const { body: key } = await asAdmin('POST', '/v1/api-keys', { name: 'k', type: 'admin' });
  await asAdmin('DELETE', `/v1/api-keys/${key.id}`);
  const { body: account } = await asAdmin('POST', '/v1/service-accounts', { name: 'a', permissions: ['admin:*'] });
  await asAdmin('DELETE', `/v1/service-accounts/${account.id}`);
  const signedOut = await signIn(service, 'admin');
  await asAdmin('DELETE', `/v1/sessions/${signedOut.session.id}`);
  const { session } = await signIn(service, 'admin');
  const anHourAgo = Date.now() - 3_600_000;
  const claims = { sub: 's', org: service.organization.id, scope: 'admin:*', sid: session.id, auth_time: 0 };
  const { token: expired } = await service.services.tokens.issue(claims, anHourAgo);
  return [
    { name: 'a revoked key', headers: bearer(key.key), code: 'unauthorized' },
    { name: 'a key of a deleted account', headers: bearer(account.key), code: 'unauthorized' },
    { name: 'a token of an ended session', headers: bearer(signedOut.token), code: 'unauthorized' },
    { name: 'a cookie of an ended session', headers: { cookie: signedOut.cookie }, code: 'unauthorized' },
    { name: 'an expired token', headers: bearer(expired), code: 'token_expired' },
  ];
}

function may(route: Route, { scopes, hasToken }: Holder): boolean {
  switch (route.access) {
    case 'public':
    case 'anonymous':
    case 'any':
      return true;
    case 'session':
      return hasToken;
    default:
      return holds(scopes, route.access) && (route.alsoAccess === undefined || holds(scopes, route.alsoAccess));
  }
}

let asked = 0;
async function ask(route: Route, headers: Readonly<Record<string, string>>): Promise<{ status: number; code: string }> {
  const path = `${route.path.replaceAll(/\{\w+\}/g, 'x')}?no_such=1`;
  const address = `198.18.${(++asked >> 8) & 255}.${asked & 255}`;
  const { status, body } = await service.request(route.method, path, {
    key: null,
    headers: { ...headers, 'x-forwarded-for': address },
  });
  return { status, code: told(route, body?.error?.code) };
}

/** Refusals in a vendor's shape have the vendor's codes: their own tests know them. */
function told({ refusal }: Route, code: unknown): string {
  return refusal === undefined ? String(code) : 'in the shape of a vendor';
}

const secured = ROUTES.filter(({ access }) => access !== 'public' && access !== 'anonymous');

describe.each(secured.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  test(`is open to who holds ${[route.access, route.alsoAccess ?? []].flat().join(' and ')}, and to no one else, whatever kind of principal it is`, async () => {
    // Where the resource is looked for before the request is read, that there is none is told first.
    const passed = route.exists === undefined ? { status: 400, code: 'invalid_request' } : { status: 404, code: 'not_found' };
    const expected = holders.map((holder) => {
      const { status, code } = may(route, holder) ? passed : { status: 403, code: 'insufficient_permissions' };
      return [holder.name, { status, code: told(route, code) }];
    });
    const answers = await Promise.all(holders.map(async ({ name, headers }) => [name, await ask(route, headers)]));
    expect(answers).toEqual(expected);
  });

  test('is closed to credentials that have ended', async () => {
    const answers = await Promise.all(ended.map(async ({ name, headers }) => [name, await ask(route, headers)]));
    expect(answers).toEqual(ended.map(({ name, code }) => [name, { status: 401, code: told(route, code) }]));
  });

  if (route.method !== 'GET')
    test('is closed to a cookie without the origin or the CSRF token of an own page', async () => {
      const { cookie, ownPage } = await signIn(service, 'admin');
      const other = await signIn(service, 'admin');
      const attempts = {
        neither: { cookie },
        'no token': { cookie, origin: ownPage.origin },
        'no origin': { cookie, 'x-svc-csrf': ownPage['x-svc-csrf'] },
        'another origin': { cookie, ...ownPage, origin: 'https://evil.example' },
        'the origin null': { cookie, ...ownPage, origin: 'null' },
        'the token of another session': { cookie, ...ownPage, 'x-svc-csrf': other.ownPage['x-svc-csrf'] },
      };
      for (const [name, headers] of Object.entries(attempts))
        expect([name, await ask(route, headers)]).toEqual([name, { status: 403, code: told(route, 'insufficient_permissions') }]);
    });
});

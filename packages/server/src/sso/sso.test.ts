// Promises of single sign-on, from the settings to a session, with a real identity provider.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startIdentityProvider, type IdentityProvider } from '../testing/identity-provider.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { beginSignIn, exchangeCode } from './authorization-code.ts';

let service: TestService;
let provider: IdentityProvider;
let admin: string;
let address = 0;

beforeAll(async () => {
  // Every sign-in comes from an address of its own: refused ones of one address are limited.
  service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8', SVC_TRUSTED_PROXIES: '127.0.0.0/8' });
  provider = await startIdentityProvider({ redirectUri: `${service.baseUrl}/v1/auth/sso/callback` });
  admin = service.organization.keys.admin;
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

const settings = (changes: object = {}) => ({
  issuer: provider.issuer,
  client_id: provider.confidential.clientId,
  client_secret: provider.confidential.clientSecret,
  roles: { engineering: 'operator', governance: 'policy_editor' },
  ...changes,
});
const put = (body: object, key = admin) => service.request('PUT', '/v1/organization/sso', { key, body });
const forwarded = () => ({ 'x-forwarded-for': `198.18.${(++address >> 8) & 255}.${address & 255}` });
const exchange = (ssoToken: unknown, headers: Record<string, string> = {}) =>
  service.request('POST', '/v1/auth/token', {
    key: null,
    body: { sso_token: ssoToken },
    headers: { ...forwarded(), ...headers },
  });

/** A token of the provider that has not been exchanged. */
let serial = 0;
const mint = (claims: object = {}, options: object = {}) =>
  provider.signIdToken(
    { aud: provider.confidential.clientId, groups: ['engineering'], jti: String(++serial), ...claims },
    options,
  );

/** An ID token from a real login. */
async function login(account: string): Promise<string> {
  const client = { issuer: provider.issuer, redirectUri: provider.redirectUri, ...provider.confidential };
  const { issuers, egress } = service.services;
  const begun = await beginSignIn(issuers, client);
  const code = new URL(await provider.login(begun.url, account)).searchParams.get('code')!;
  return exchangeCode(issuers, egress, { ...client, code, codeVerifier: begun.codeVerifier });
}

describe('the settings', () => {
  test('are answered without the secret, and kept encrypted', async () => {
    const { status, body, text } = await put(settings({ default_role: 'viewer', require: { hd: 'example.com' } }));
    expect(status).toBe(200);
    expect(body).toEqual({
      issuer: provider.issuer,
      client_id: provider.confidential.clientId,
      groups_claim: 'groups',
      roles: { engineering: 'operator', governance: 'policy_editor' },
      default_role: 'viewer',
      require: { hd: 'example.com' },
      has_client_secret: true,
      redirect_uri: `${service.baseUrl}/v1/auth/sso/callback`,
      updated_at: expect.any(String),
      updated_by: expect.stringMatching(/^key_/),
    });
    expect(text).not.toContain(provider.confidential.clientSecret);
    expect((await service.request('GET', '/v1/organization/sso', { key: admin })).body).toEqual(body);
    const { rows } = await service.services.db.query<{ row: string }>('SELECT s::text AS row FROM sso_settings s');
    expect(rows[0]!.row).not.toContain(Buffer.from(provider.confidential.clientSecret).toString('hex'));
  });

  test('keep the secret when it is left out, and drop it for another client', async () => {
    await put(settings());
    const { client_secret: _, ...without } = settings();
    expect((await put(without)).body.has_client_secret).toBe(true);
    expect((await put({ ...without, client_id: provider.publicClient.clientId })).body.has_client_secret).toBe(false);
    await put(settings());
    expect((await put({ ...without, client_secret: null })).body.has_client_secret).toBe(false);
  });

  test.each([
    ['a default role for everyone', { default_role: 'viewer' }, '/default_role'],
    ['nobody who could sign in', { roles: {} }, '/roles'],
    ['an unknown role', { roles: { staff: 'root' } }, '/roles/staff'],
    ['an unknown member', { secret: 'x' }, '/secret'],
    ['an issuer that is no URL', { issuer: 'login' }, '/issuer'],
    ['an issuer in the metadata network', { issuer: 'https://169.254.169.254/' }, '/issuer'],
    ['an issuer that does not answer', { issuer: 'http://127.0.0.1:1' }, '/issuer'],
    ['a secret that is no text', { client_secret: 5 }, '/client_secret'],
    ['a required claim that is an object', { require: { a: {} } }, '/require/a'],
  ])('with %s are refused at the place', async (_name, changes, pointer) => {
    const { status, body } = await put(settings(changes));
    expect({ status, pointer: body.error?.details[0]?.pointer }).toEqual({ status: 400, pointer });
  });

  test('that change who may sign in end the sessions of users, a new secret does not', async () => {
    await put(settings());
    const { body: first } = await exchange(await mint());
    await put(settings({ client_secret: 'another' }));
    expect((await service.request('GET', '/v1/policy', { key: first.token })).status).toBe(200);
    await put(settings({ roles: { engineering: 'viewer' } }));
    expect((await service.request('GET', '/v1/policy', { key: first.token })).body.error.code).toBe('unauthorized');
    const { body } = await service.request('GET', '/v1/events?kind=sso.updated&limit=1');
    expect(body.data[0].data).toMatchObject({ enabled: true, roles: { engineering: 'viewer' } });
    expect(body.data[0].data.sessions_ended).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain('another');
  });

  test('can be removed, after which no one signs in', async () => {
    await put(settings());
    const { body } = await exchange(await mint());
    expect((await service.request('DELETE', '/v1/organization/sso', { key: admin })).body).toEqual({ enabled: false });
    expect((await service.request('GET', '/v1/organization/sso', { key: admin })).status).toBe(404);
    expect((await service.request('GET', '/v1/policy', { key: body.token })).status).toBe(401);
    expect((await exchange(await mint())).status).toBe(401);
  });
});

describe('an ID token', () => {
  beforeEach(async () => {
    await put(settings());
  });

  test('of a real login becomes a session token with the scopes of the user’s highest role', async () => {
    const { status, body } = await exchange(await login('ada'));
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['token', 'expires_at']);
    const { body: self } = await service.request('GET', '/v1/organization', { key: body.token });
    expect(self.credential).toMatchObject({ type: 'user', id: 'ada', mode: 'live' });
    expect(self.credential.scopes).toContain('policy:write');
    const { body: grace } = await exchange(await login('grace'));
    const { body: selfOfGrace } = await service.request('GET', '/v1/organization', { key: grace.token });
    expect(selfOfGrace.credential.scopes).toContain('assess:create');
    expect(selfOfGrace.credential.scopes).not.toContain('policy:write');
  });

  test('is told in the trail, with the user and his address, and so is what he does', async () => {
    const { body } = await exchange(await mint({ sub: 'told' }), { 'x-forwarded-for': '192.0.2.44' });
    const { body: events } = await service.request('GET', '/v1/events?kind=session.started&actor=told');
    expect(events.data).toMatchObject([
      {
        actor: { type: 'user', id: 'told', ip: '192.0.2.44' },
        data: { subject: 'told', issuer: provider.issuer, role: 'operator', session_id: expect.stringMatching(/^ses_/) },
      },
    ]);
    await service.request('POST', '/v1/assessments', { key: body.token, body: { input: 'Hello' } });
    const { body: acts } = await service.request('GET', '/v1/events?actor=told&kind=inference.allowed');
    expect(acts.data).toHaveLength(1);
  });

  test('is good for one exchange, also when two arrive at once', async () => {
    const token = await mint();
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(token)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(401)]);
    expect((await exchange(token)).status).toBe(401);
  });

  test.each([
    ['without a group that has a role', { groups: ['others'] }],
    ['without groups', { groups: undefined }],
    ['for another client', { aud: 'another' }],
    ['of another issuer', { iss: 'https://login.example.com' }],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 300 }],
    ['that was issued eleven minutes ago', { iat: Math.floor(Date.now() / 1_000) - 660 }],
    ['from the future', { iat: Math.floor(Date.now() / 1_000) + 300 }],
    ['without an expiry', { exp: undefined }],
    ['for another party', { azp: 'another' }],
    ['without a subject', { sub: undefined }],
  ])('%s is refused in the words of every refused credential', async (_name, claims) => {
    const answer = await exchange(await mint(claims));
    const missing = await service.request('GET', '/v1/policy', { key: null, headers: forwarded() });
    expect(answer.status).toBe(401);
    expect({ ...answer.body.error, request_id: '' }).toEqual({ ...missing.body.error, request_id: '' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('x-svc-ratelimit-limit')).toBe('60');
  });

  test.each([
    ['unsigned', 'eyJhbGciOiJub25lIn0.e30.'],
    ['no token', 'hello'],
    ['an API key', 'svc_live_x'],
  ])('that is %s is refused', async (_name, token) => {
    expect((await exchange(token)).status).toBe(401);
  });

  test.each([
    ['missing', {}],
    ['a number', { sso_token: 5 }],
    ['empty', { sso_token: '' }],
    ['too long', { sso_token: 'x'.repeat(16_385) }],
    ['with company', { sso_token: 'x', org: 'y' }],
  ])('that is %s is a 400', async (_name, body) => {
    const answer = await service.request('POST', '/v1/auth/token', { key: null, body, headers: forwarded() });
    expect(answer.status).toBe(400);
  });

  test('must have the claims that are required', async () => {
    await put(settings({ roles: {}, default_role: 'viewer', require: { hd: 'example.com', email_verified: true } }));
    expect((await exchange(await mint({ hd: 'example.com', email_verified: true }))).status).toBe(200);
    expect((await exchange(await mint({ hd: ['a.example', 'example.com'], email_verified: true }))).status).toBe(200);
    expect((await exchange(await mint({ hd: 'example.com', email_verified: 'true' }))).status).toBe(401);
    expect((await exchange(await mint({ hd: 'evil.example', email_verified: true }))).status).toBe(401);
    expect((await exchange(await mint({ email_verified: true }))).status).toBe(401);
  });

  test('of a client that two organizations share is for the one that X-Svc-Org-Id names', async () => {
    const other = await service.createOrganization();
    await put(settings({ roles: { engineering: 'viewer' } }), other.keys.admin);
    expect((await exchange(await mint())).status).toBe(401);
    const { body } = await exchange(await mint(), { 'x-svc-org-id': other.id });
    expect((await service.request('GET', '/v1/organization', { key: body.token })).body.id).toBe(other.id);
    expect((await exchange(await mint(), { 'x-svc-org-id': 'org_x' })).status).toBe(401);
    await service.request('DELETE', '/v1/organization/sso', { key: other.keys.admin });
  });

  test('is refused with 503, not 401, while the provider was never reached', async () => {
    const dead = await startIdentityProvider();
    await put(settings({ issuer: dead.issuer }));
    const token = await dead.signIdToken({ aud: provider.confidential.clientId, groups: ['engineering'] });
    dead.stop();
    const answer = await exchange(token);
    expect(answer).toMatchObject({ status: 503, body: { error: { code: 'unavailable' } } });
    expect(answer.headers.get('retry-after')).toBe('5');
    await dead.close();
  });

  test('that is refused counts against its address: in the end 429, for valid ones never', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9' };
    const statuses = new Set<number>();
    for (let i = 0; i < 65; i++) statuses.add((await exchange('hello', headers)).status);
    expect([...statuses]).toEqual([401, 429]);
    const last = await exchange('hello', headers);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await exchange(await mint(), headers)).status).toBe(200);
  });
});

test('a sign-in that was judged by settings that are gone by now opens no session', async () => {
  await put(settings());
  const token = await mint();
  const { issuers } = service.services;
  // The provider's keys take their time: meanwhile the administrator ends single sign-on.
  const keysOf = issuers.keysOf.bind(issuers);
  issuers.keysOf = (issuer) => async (header, jws) => {
    await service.request('DELETE', '/v1/organization/sso', { key: admin });
    return keysOf(issuer)(header, jws);
  };
  const answer = await exchange(token);
  issuers.keysOf = keysOf;
  expect(answer.status).toBe(401);
});

describe('a browser', () => {
  beforeEach(async () => {
    await put(settings());
  });

  const get = (url: string, cookies: readonly string[] = []) =>
    fetch(new URL(url, service.baseUrl), {
      redirect: 'manual',
      headers: { ...forwarded(), ...(cookies.length === 0 ? {} : { cookie: cookies.join('; ') }) },
    });
  const cookiesOf = (res: Response) => res.headers.getSetCookie().map((cookie) => cookie.split(';')[0]!);
  const start = (query = '') => get(`/v1/auth/sso/start${query}`);

  async function signInAs(account: string) {
    const begun = await start(`?organization=${service.organization.id}&return_to=/events?tab=1`);
    expect(begun.status).toBe(302);
    const back = await provider.login(begun.headers.get('location')!, account);
    return { begun, back, finished: await get(back, cookiesOf(begun)) };
  }

  test('signs in at the provider and comes back with a session, to where it wanted to go', async () => {
    const { finished } = await signInAs('ada');
    expect({ status: finished.status, location: finished.headers.get('location') }).toEqual({
      status: 302,
      location: '/events?tab=1',
    });
    const [cleared, session] = finished.headers.getSetCookie();
    expect(cleared).toMatch(/^svc_sign_in=; .*Max-Age=0/);
    expect(session).toMatch(/^svc_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43\d{3}$/);
    const cookie = session!.split(';')[0]!;
    const { body } = await service.request('GET', '/v1/organization', { key: null, headers: { cookie } });
    expect(body.credential).toMatchObject({ type: 'user', id: 'ada' });
    const { body: own } = await service.request('GET', '/v1/auth/session', { key: null, headers: { cookie } });
    const write = await service.request('PUT', '/v1/policy', {
      key: null,
      body: { mode: 'monitor' },
      headers: { cookie, origin: service.baseUrl, 'x-svc-csrf': own.csrf_token },
    });
    expect(write.status).toBe(200);
  });

  test('that did not begin the sign-in cannot finish it', async () => {
    const begun = await start();
    const back = await provider.login(begun.headers.get('location')!, 'ada');
    expect((await get(back)).status).toBe(401);
    expect((await get(back, cookiesOf(await start()))).status).toBe(401);
    expect((await get(back, ['svc_sign_in=AAAA'])).status).toBe(401);
  });

  test('cannot finish a sign-in twice', async () => {
    const { begun, back } = await signInAs('ada');
    expect((await get(back, cookiesOf(begun))).status).toBe(401);
  });

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x')],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://evil.example')],
    ['another code', (url: URL) => url.searchParams.set('code', 'x')],
    ['an error of the provider', (url: URL) => (url.searchParams.delete('code'), url.searchParams.set('error', 'access_denied'))],
  ])('is refused with %s', async (_name, change) => {
    const begun = await start();
    const back = new URL(await provider.login(begun.headers.get('location')!, 'ada'));
    change(back);
    const answer = await get(back.href, cookiesOf(begun));
    expect(answer.status).toBe(401);
    expect(answer.headers.getSetCookie().join()).not.toContain('svc_session');
  });

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\tb', 'evil', ''])(
    'is never sent on to %j',
    async (returnTo) => {
      const answer = await start(`?return_to=${encodeURIComponent(returnTo)}`);
      expect(answer.status).toBe(400);
    },
  );

  test('cannot sign in to an organization without single sign-on', async () => {
    const other = await service.createOrganization();
    expect((await start(`?organization=${other.id}`)).status).toBe(404);
    expect((await start('?organization=nonsense')).status).toBe(404);
  });

  test('may begin as often as an address may call without a credential', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.10' };
    const begin = () => fetch(`${service.baseUrl}/v1/auth/sso/start`, { redirect: 'manual', headers });
    const answers = [];
    for (let i = 0; i < 61; i++) answers.push(await begin());
    expect(answers.map(({ status }) => status)).toEqual([...Array(60).fill(302), 429]);
    expect(answers.at(-1)!.headers.get('x-svc-ratelimit-limit')).toBe('60');
  });
});

// Promises of sessions and their tokens.

import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';
import { signIn } from '../testing/sign-in.ts';
import { SessionCookies } from './cookies.ts';
import { rotateSigningKeys, SIGNING_KEYS_SUBJECT } from './signing-keys.ts';

const NOON = Date.parse('2026-11-21T12:00:00.500Z');
let nowMs = NOON;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_TRUSTED_PROXIES: '127.0.0.0/8' }, () => nowMs);
});
beforeEach(() => {
  nowMs = NOON;
});
afterAll(() => service.close());

const asAdmin = (method: string, path: string) => service.request(method, path, { key: service.organization.keys.admin });
let address = 0;
const ask = async (token: string) => {
  const headers = { 'x-forwarded-for': `198.18.0.${(address = (address + 1) % 255)}` };
  const { status, body } = await service.request('GET', '/v1/organization', { key: token, headers });
  return status === 200 ? 200 : body.error.code;
};
const refresh = (token: string) => service.request('POST', '/v1/auth/token/refresh', { key: token });

describe('a session token', () => {
  test('says what the contract says, and verifies with the published keys', async () => {
    const { token, session } = await signIn(service, 'operator');
    const keys = createRemoteJWKSet(new URL(`${service.baseUrl}/.well-known/jwks.json`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, { typ: 'at+jwt', currentDate: new Date(nowMs) });
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'at+jwt', kid: expect.any(String) });
    const iat = Math.floor(NOON / 1_000);
    expect(payload).toEqual({
      iss: service.baseUrl,
      aud: 'svc',
      sub: 'a operator',
      org: service.organization.id,
      scope: session.scopes.join(' '),
      sid: session.id,
      auth_time: iat,
      iat,
      exp: iat + 3_600,
      jti: expect.any(String),
    });
    const { body } = await service.request('GET', '/.well-known/jwks.json', { key: null });
    expect(JSON.stringify(body)).not.toContain('"d":');
  });

  test('expires on the very second, and says so', async () => {
    const { token } = await signIn(service, 'viewer');
    const exp = decodeJwt(token).exp! * 1_000;
    nowMs = exp - 1;
    expect(await ask(token)).toBe(200);
    nowMs = exp;
    expect(await ask(token)).toBe('token_expired');
    // Also where this node has never seen it before.
    const { token: unseen } = await signIn(service, 'viewer');
    nowMs = decodeJwt(unseen).exp! * 1_000;
    expect(await ask(unseen)).toBe('token_expired');
  });

  test('is refused when anything about it is not ours', async () => {
    const { token } = await signIn(service, 'viewer');
    const [header = '', payload = '', signature = ''] = token.split('.');
    const claims = decodeJwt(token);
    const kid = decodeProtectedHeader(token).kid!;
    const { body: jwks } = await service.request('GET', '/.well-known/jwks.json', { key: null });
    const publicKey = jwks.keys[0];
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const hs = (secret: Buffer) => {
      const text = `${encode({ alg: 'HS256', typ: 'at+jwt', kid })}.${payload}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    const { privateKey } = await generateKeyPair('EdDSA');
    const signed = (changes: object, head: object = {}) =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid, ...head }).sign(privateKey);
    const forged = {
      'no algorithm': `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.`,
      'no algorithm, with a signature': `${encode({ alg: 'none', typ: 'at+jwt', kid })}.${payload}.${signature}`,
      'HS256 with the public key': hs(Buffer.from(publicKey.x, 'base64url')),
      'HS256 with the public JWK': hs(Buffer.from(JSON.stringify(publicKey))),
      'another key under our id': await signed({}),
      'another key under its own id': await signed({}, { kid: 'mine' }),
      'no key id': await signed({}, { kid: undefined }),
      'more scopes': `${header}.${encode({ ...claims, scope: 'admin:*' })}.${signature}`,
      'a cut signature': token.slice(0, -4),
      'a key in the header': await signed({}, { jwk: publicKey }),
    };
    for (const [name, text] of Object.entries(forged)) expect([name, await ask(text)]).toEqual([name, 'unauthorized']);
  });

  test('of ours for another purpose is refused', async () => {
    const { signing } = service.services.signingKeys;
    const { token } = await signIn(service, 'admin');
    const claims = decodeJwt(token);
    const sign = (changes: object, typ = 'at+jwt') =>
      new SignJWT({ ...claims, ...changes }).setProtectedHeader({ alg: 'EdDSA', typ, kid: signing.id }).sign(signing.key);
    const misused = {
      'another type': await sign({}, 'JWT'),
      'another audience': await sign({ aud: 'other' }),
      'no expiry': await sign({ exp: undefined }),
      'another organization’s session': await sign({ org: (await service.createOrganization()).id }),
      'no session': await sign({ sid: undefined }),
      'a session that is none': await sign({ sid: 'ses_00000000000000000000000000' }),
    };
    for (const [name, text] of Object.entries(misused)) expect([name, await ask(text)]).toEqual([name, 'unauthorized']);
  });

  test('goes on after its key was rotated, and is refused within a second when the key was compromised', async () => {
    const rotate = (areCompromised: boolean) =>
      service.services.journal.transaction((tx, _record, expire) => {
        expire(SIGNING_KEYS_SUBJECT);
        return rotateSigningKeys(tx, service.services.vault, areCompromised);
      });
    const { token } = await signIn(service, 'viewer');
    expect(await ask(token)).toBe(200);
    const next = await rotate(false);
    await expect.poll(() => service.services.signingKeys.signing.id).toBe(next);
    expect(await ask(token)).toBe(200);
    const { token: later } = await signIn(service, 'viewer');
    expect(decodeProtectedHeader(later).kid).toBe(next);
    expect(await ask(later)).toBe(200);
    await rotate(true);
    for (const each of [token, later]) await expect.poll(() => ask(each), { timeout: 1_000, interval: 5 }).toBe('unauthorized');
    const { token: newest } = await signIn(service, 'viewer');
    expect(await ask(newest)).toBe(200);
  });

  test('is no use as a cookie, nor a cookie as a token', async () => {
    const { token, cookie } = await signIn(service, 'admin');
    const value = cookie.slice(cookie.indexOf('=') + 1);
    expect(await ask(value)).toBe('unauthorized');
    const answer = await service.request('GET', '/v1/organization', { key: null, headers: { cookie: `svc_session=${token}` } });
    expect(answer.status).toBe(401);
  });
});

describe('a refresh', () => {
  test('gives a new token of the same session, and leaves the old one as it is', async () => {
    const { token, session } = await signIn(service, 'viewer');
    nowMs += 1_800_000;
    const { status, body } = await refresh(token);
    expect(status).toBe(200);
    expect(body).toEqual({
      token: expect.any(String),
      expires_at: new Date(Math.floor(nowMs / 1_000) * 1_000 + 3_600_000).toISOString(),
    });
    const { auth_time: authTime, scope } = decodeJwt<{ auth_time: number; scope: string }>(token);
    expect(decodeJwt(body.token)).toMatchObject({ sid: session.id, auth_time: authTime, scope });
    expect(await ask(token)).toBe(200);
    expect(await ask(body.token)).toBe(200);
  });

  test('of an expired token is token_expired', async () => {
    const { token } = await signIn(service, 'viewer');
    nowMs += 3_600_000;
    expect((await refresh(token)).body.error.code).toBe('token_expired');
  });

  test('goes on until twelve hours after the sign-in, and no longer', async () => {
    const signedInAt = nowMs;
    let { token } = await signIn(service, 'viewer');
    while (nowMs < signedInAt + 11 * 3_600_000 + 1_800_000) {
      nowMs += 1_800_000;
      token = (await refresh(token)).body.token;
    }
    nowMs = signedInAt + 12 * 3_600_000 - 1;
    expect((await refresh(token)).status).toBe(200);
    nowMs = signedInAt + 12 * 3_600_000;
    expect((await refresh(token)).body.error.code).toBe('unauthorized');
    // The token itself keeps its hour.
    expect(await ask(token)).toBe(200);
  });

  test.each(['live', 'admin'] as const)('is not for a %s key', async (type) => {
    const answer = await refresh(service.organization.keys[type]);
    expect(answer).toMatchObject({ status: 403, body: { error: { code: 'insufficient_permissions' } } });
  });

  test('takes no Idempotency-Key: a secret is never answered twice', async () => {
    const { token } = await signIn(service, 'viewer');
    const answers = [1, 2].map(() =>
      service.request('POST', '/v1/auth/token/refresh', { key: token, headers: { 'idempotency-key': 'once' } }),
    );
    const [first, second] = await Promise.all(answers);
    expect(first!.body.token).not.toBe(second!.body.token);
    expect(second!.headers.get('idempotency-replayed')).toBeNull();
  });
});

describe('the end of a session', () => {
  test('by its own token ends all its tokens and its cookie, and is in the trail once', async () => {
    const { token, session, cookie } = await signIn(service, 'viewer');
    const { body } = await refresh(token);
    const ended = await service.request('DELETE', '/v1/auth/token', { key: token });
    expect(ended.body).toMatchObject({ id: session.id, subject: 'a viewer', ended_at: expect.any(String) });
    for (const each of [token, body.token]) expect(await ask(each)).toBe('unauthorized');
    expect((await service.request('GET', '/v1/organization', { key: null, headers: { cookie } })).status).toBe(401);
    expect((await asAdmin('DELETE', `/v1/sessions/${session.id}`)).body).toEqual(ended.body);
    const { body: events } = await service.request('GET', '/v1/events?kind=session.ended&limit=200');
    expect(events.data.filter(({ data }: { data: { session_id: string } }) => data.session_id === session.id)).toHaveLength(1);
  });

  test('by an administrator can be that of all sessions, of this organization alone', async () => {
    const tokens = await Promise.all(['viewer', 'operator'].map(async (role) => (await signIn(service, role as 'viewer')).token));
    const other = await service.createOrganization();
    await service.request('POST', '/v1/auth/session', { key: other.keys.admin });
    const { body } = await asAdmin('DELETE', '/v1/sessions');
    expect(body.ended).toBeGreaterThanOrEqual(2);
    for (const token of tokens) expect(await ask(token)).toBe('unauthorized');
    const { body: left } = await service.request('GET', '/v1/sessions', { key: other.keys.admin });
    expect(left.data).toMatchObject([{ ended_at: null, name: 'First admin key' }]);
    expect((await asAdmin('DELETE', '/v1/sessions')).body).toEqual({ ended: 0 });
  });
});

describe('a browser’s session', () => {
  test('opened with an admin key stands for that key until either ends', async () => {
    const { body: key } = await service.request('POST', '/v1/api-keys', {
      key: service.organization.keys.admin,
      body: { name: 'mine', type: 'admin' },
    });
    const opened = await service.request('POST', '/v1/auth/session', { key: key.key });
    expect(opened.status).toBe(201);
    expect(opened.text).not.toContain(key.key);
    const cookie = opened.headers.getSetCookie()[0]!;
    expect(cookie).toMatch(/^svc_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43\d{3}$/);
    expect(cookie).not.toContain(key.key);
    const headers = { cookie: cookie.split(';')[0]! };
    const self = await service.request('GET', '/v1/organization', { key: null, headers });
    expect(self.body.credential).toMatchObject({ type: 'api_key', id: key.id, scopes: ['admin:*'] });
    const session = await service.request('GET', '/v1/auth/session', { key: null, headers });
    expect(session.body).toEqual(opened.body);
    await asAdmin('DELETE', `/v1/api-keys/${key.id}`);
    expect((await service.request('GET', '/v1/organization', { key: null, headers })).status).toBe(401);
  });

  test('ends after twelve hours', async () => {
    const { cookie } = await signIn(service, 'admin');
    const read = () => service.request('GET', '/v1/organization', { key: null, headers: { cookie } });
    nowMs += 12 * 3_600_000 - 1;
    expect((await read()).status).toBe(200);
    nowMs += 1;
    expect((await read()).body.error.code).toBe('unauthorized');
  });

  test('ends at a sign-out, which clears the cookie', async () => {
    const { cookie, ownPage } = await signIn(service, 'viewer');
    const out = await service.request('DELETE', '/v1/auth/session', { key: null, headers: { cookie, ...ownPage } });
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie()[0]).toMatch(/^svc_session=; .*Max-Age=0/);
    expect((await service.request('GET', '/v1/organization', { key: null, headers: { cookie } })).status).toBe(401);
  });

  test.each(['live', 'test'] as const)('is not opened with a %s key', async (type) => {
    const answer = await service.request('POST', '/v1/auth/session', { key: service.organization.keys[type] });
    expect(answer.status).toBe(403);
  });

  test('is secure where the service is reached by TLS', () => {
    const cookies = new SessionCookies(Buffer.alloc(32), true);
    cookies.origin = 'https://svc.example.com/base';
    expect(cookies.set('session', 'x', 60)).toBe('__Host-svc_session=x; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure');
    expect(cookies.find('session', 'svc_session=forged; __Host-svc_session=x')).toBe('x');
  });

  test('is not begun by a cookie that was changed', async () => {
    const { cookie } = await signIn(service, 'viewer');
    const other = await service.createOrganization();
    const changed = [
      cookie.replace(service.organization.id, other.id),
      cookie.slice(0, -3),
      `${cookie}.x`,
      'svc_session=',
      'svc_session=..',
    ];
    for (const header of changed)
      expect((await service.request('GET', '/v1/organization', { key: null, headers: { cookie: header } })).status).toBe(401);
  });
});

test('sessions are listed newest first, with who, from where and until when', async () => {
  const { session } = await signIn(service, 'policy_editor');
  const { body } = await asAdmin('GET', '/v1/sessions?limit=1');
  expect(body).toMatchObject({
    has_more: true,
    data: [{ id: session.id, subject: 'a policy_editor', role: 'policy_editor', address: '127.0.0.1' }],
  });
});

import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { createEgress } from '../egress/egress.ts';
import { startIdentityProvider, type IdentityProvider } from '../testing/identity-provider.ts';
import { beginSignIn, exchangeCode, SignInFailed, type SignInBeginning, type SignInClient } from './authorization-code.ts';
import { IdTokenRefused, verifyIdToken } from './id-token.ts';
import { IssuerError, Issuers, type HttpOut } from './issuer.ts';

const out = createEgress({ allowed: new CidrList([parseCidr('127.0.0.0/8') as Cidr]), allowHttp: false });
let provider: IdentityProvider;
let issuers: Issuers;

beforeEach(async () => {
  provider = await startIdentityProvider();
  issuers = new Issuers(out, () => performance.now());
});
afterEach(() => provider.close());
afterAll(() => out.close());

test.each(['publicClient', 'confidential'] as const)(
  'a person signs in through the %s by code and PKCE, and the ID token that comes of it is accepted',
  async (kind) => {
    const client = clientOf(kind);
    const { beginning, code } = await signIn(client, 'ada');
    const idToken = await exchangeCode(issuers, out, { ...client, code, codeVerifier: beginning.codeVerifier });
    const rules = { issuer: client.issuer, clientId: client.clientId, nonce: beginning.nonce };
    const { subject, authTimeMs, claims } = await verifyIdToken(issuers, rules, idToken, Date.now());
    expect({ subject, groups: claims['groups'], email: claims['email'] }).toEqual({
      subject: 'ada',
      groups: ['engineering', 'governance'],
      email: 'ada@example.com',
    });
    expect(Math.abs(Date.now() - authTimeMs!)).toBeLessThan(60_000);
  },
);

test('a provider that takes the secret in the body only is given it there', async () => {
  const other = await startIdentityProvider({ secretMethod: 'client_secret_post' });
  try {
    const client = { issuer: other.issuer, redirectUri: other.redirectUri, ...other.confidential };
    const beginning = await beginSignIn(issuers, client);
    const code = codeOf(await other.login(beginning.url, 'grace'));
    const idToken = await exchangeCode(issuers, out, { ...client, code, codeVerifier: beginning.codeVerifier });
    expect((await verifyIdToken(issuers, client, idToken, Date.now())).subject).toBe('grace');
  } finally {
    await other.close();
  }
});

test('no two sign-ins share state, nonce or verifier, each of 256 random bits', async () => {
  const client = clientOf('publicClient');
  const beginnings = await Promise.all(Array.from({ length: 50 }, () => beginSignIn(issuers, client)));
  const values = beginnings.flatMap(({ state, nonce, codeVerifier }) => [state, nonce, codeVerifier]);
  expect(new Set(values).size).toBe(150);
  for (const value of values) expect(value).toMatch(/^[\w-]{43}$/);
});

test('the browser is never shown the verifier, and brings back the state', async () => {
  const { beginning, redirect } = await signIn(clientOf('publicClient'), 'ada');
  expect(beginning.url).not.toContain(beginning.codeVerifier);
  expect(new URL(redirect).searchParams.get('state')).toBe(beginning.state);
});

test('a token of another sign-in is refused by its nonce', async () => {
  const client = clientOf('publicClient');
  const { beginning, code } = await signIn(client, 'ada');
  const idToken = await exchangeCode(issuers, out, { ...client, code, codeVerifier: beginning.codeVerifier });
  const { nonce } = await beginSignIn(issuers, client);
  await expect(verifyIdToken(issuers, { ...client, nonce }, idToken, Date.now())).rejects.toThrow(IdTokenRefused);
});

test.each<[string, Partial<SignInClient & { code: string; codeVerifier: string }>, string]>([
  ['another verifier', { codeVerifier: 'v'.repeat(43) }, 'invalid_grant'],
  ['another code', { code: 'c'.repeat(43) }, 'invalid_grant'],
  ['another redirect', { redirectUri: 'http://127.0.0.1/elsewhere' }, 'invalid_grant'],
  ['another secret', { clientSecret: 'guessed' }, 'invalid_client'],
  ['no secret', { clientSecret: null }, 'invalid_client'],
])('a code is worth nothing with %s', async (_, change, reason) => {
  const client = clientOf('confidential');
  const { beginning, code } = await signIn(client, 'ada');
  const exchanged = exchangeCode(issuers, out, { ...client, code, codeVerifier: beginning.codeVerifier, ...change });
  await expect(exchanged).rejects.toThrow(SignInFailed);
  await expect(exchanged).rejects.toHaveProperty('reason', expect.stringContaining(reason));
});

test('a code is exchanged once', async () => {
  const client = clientOf('publicClient');
  const { beginning, code } = await signIn(client, 'ada');
  const exchange = () => exchangeCode(issuers, out, { ...client, code, codeVerifier: beginning.codeVerifier });
  await exchange();
  await expect(exchange()).rejects.toThrow('invalid_grant');
});

test('sign-in fails while the provider is down, and works when it is back', async () => {
  let nowMs = 0;
  issuers = new Issuers(out, () => nowMs);
  const client = clientOf('publicClient');
  provider.stop();
  await expect(beginSignIn(issuers, client)).rejects.toThrow(IssuerError);
  provider.start();
  nowMs += 5_000;
  const { beginning, code } = await signIn(client, 'ada');
  provider.stop();
  const exchanged = exchangeCode(issuers, out, { ...client, code, codeVerifier: beginning.codeVerifier });
  await expect(exchanged).rejects.toThrow(IssuerError);
});

test('the authorization endpoint keeps its own parameters, and groups are asked for only where they are known', async () => {
  const plain = answering({ authorization_endpoint: 'https://id.example.com/auth?tenant=7' }, { status: 500, body: '' });
  const { url } = await beginSignIn(new Issuers(plain, () => 0), {
    ...CLIENT,
    redirectUri: 'https://svc.example.com/back?to=1&x',
  });
  expect(Object.fromEntries(new URL(url).searchParams)).toMatchObject({
    tenant: '7',
    response_type: 'code',
    scope: 'openid profile email',
    redirect_uri: 'https://svc.example.com/back?to=1&x',
    code_challenge_method: 'S256',
  });
  const withGroups = answering({ scopes_supported: ['openid', 'groups'] }, { status: 500, body: '' });
  const other = await beginSignIn(new Issuers(withGroups, () => 0), CLIENT);
  expect(new URL(other.url).searchParams.get('scope')).toBe('openid profile email groups');
});

test.each<[string, { status: number; body: string; isTruncated?: boolean }, string]>([
  ['no ID token', { status: 200, body: '{"access_token":"a"}' }, 'out an ID token'],
  ['an ID token that is a list', { status: 200, body: '{"id_token":["a"]}' }, 'out an ID token'],
  ['HTML', { status: 200, body: '<!doctype html>' }, 'out an ID token'],
  ['a redirect', { status: 307, body: '{"id_token":"a.b.c"}' }, ' status 307'],
  ['an error', { status: 400, body: '{"error":"invalid_grant","error_description":"secret"}' }, ' status 400 (invalid_grant)'],
  ['an error that forges a line of the log', { status: 400, body: '{"error":"x\\nadmin signed in"}' }, ' status 400'],
  ['more than 64 KiB', { status: 200, body: '{"id_token":"a.b.c"}', isTruncated: true }, ' more than 65536 bytes, or too slowly'],
])('a token endpoint that answers with %s ends the sign-in', async (_, answer, reason) => {
  const strange = answering({}, answer);
  const exchanged = exchangeCode(new Issuers(strange, () => 0), strange, { ...CLIENT, code: 'c', codeVerifier: 'v' });
  await expect(exchanged).rejects.toThrow(SignInFailed);
  await expect(exchanged).rejects.toHaveProperty('reason', `the token endpoint answered with${reason}`);
});

test('a provider that takes no client secret is told none', async () => {
  const strange = answering({ token_endpoint_auth_methods_supported: ['private_key_jwt'] }, { status: 500, body: '' });
  const exchanged = exchangeCode(new Issuers(strange, () => 0), strange, { ...CLIENT, code: 'c', codeVerifier: 'v' });
  await expect(exchanged).rejects.toThrow('takes no client secret');
});

const CLIENT = {
  issuer: 'https://id.example.com',
  clientId: 'c',
  clientSecret: 's',
  redirectUri: 'https://svc.example.com/back',
};

function clientOf(kind: 'publicClient' | 'confidential'): SignInClient {
  return { issuer: provider.issuer, redirectUri: provider.redirectUri, ...provider[kind] };
}

async function signIn(
  client: SignInClient,
  account: string,
): Promise<{ beginning: SignInBeginning; redirect: string; code: string }> {
  const beginning = await beginSignIn(issuers, client);
  const redirect = await provider.login(beginning.url, account);
  return { beginning, redirect, code: codeOf(redirect) };
}

function codeOf(redirect: string): string {
  return new URL(redirect).searchParams.get('code')!;
}

/** A network on which id.example.com answers: with metadata, changed by `metadata`, and at the token endpoint with `answer`. */
function answering(metadata: object, answer: { status: number; body: string; isTruncated?: boolean }): HttpOut {
  const { issuer } = CLIENT;
  const endpoints = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
  const discovery = { status: 200, body: JSON.stringify({ issuer, ...endpoints, ...metadata }) };
  return {
    request({ url }) {
      const { status, body, isTruncated = false } = url === `${issuer}/token` ? { ...answer } : { ...discovery };
      return Promise.resolve({ status, headers: {}, body: Buffer.from(body), isTruncated });
    },
  };
}

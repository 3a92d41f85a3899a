import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, jwtVerify, SignJWT, type CryptoKey, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { createEgress } from '../egress/egress.ts';
import { IssuerError, Issuers, type HttpOut } from './issuer.ts';

interface Page {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly trailer?: string;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

// A provider whose every word the tests choose.
const pages = new Map<string, Page>();
const asked: string[] = [];
let isDown = false;
const server = createServer((req, res) => {
  asked.push(req.url!);
  if (isDown) return void res.destroy();
  const page = pages.get(req.url!) ?? { status: 404, body: '' };
  res.writeHead(page.status ?? 200, page.headers).end(page.body + (page.trailer ?? ''));
});
const egress = createEgress({ allowed: new CidrList([parseCidr('127.0.0.0/8') as Cidr]), allowHttp: false });
let issuer = '';
let nowMs = 0;
let issuers: Issuers;
let first: { readonly jwk: JWK; readonly privateKey: CryptoKey };
let second: { readonly jwk: JWK; readonly privateKey: CryptoKey };

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  first = await newKey('first');
  second = await newKey('second');
});
afterAll(async () => {
  await egress.close();
  server.close();
});
beforeEach(() => {
  nowMs = 1_000_000;
  issuers = new Issuers(egress, () => nowMs);
  isDown = false;
  asked.length = 0;
  pages.clear();
  pages.set('/.well-known/openid-configuration', { body: JSON.stringify(documentOf(issuer)) });
  pages.set('/jwks', keySet(first.jwk));
});

test('the endpoints of a provider are those of its metadata', async () => {
  expect(await issuers.discover(issuer)).toEqual({
    authorizationEndpoint: `${issuer}/auth`,
    tokenEndpoint: `${issuer}/token`,
    jwksUri: `${issuer}/jwks`,
    scopesSupported: [],
    tokenEndpointAuthMethods: ['client_secret_basic'],
  });
});

test('an issuer with a path and a final slash is asked at its own path', async () => {
  pages.set('/tenant/.well-known/openid-configuration', {
    body: JSON.stringify({ ...documentOf(issuer), issuer: `${issuer}/tenant/` }),
  });
  await issuers.discover(`${issuer}/tenant/`);
  expect(asked).toEqual(['/tenant/.well-known/openid-configuration']);
});

test.each<[string, Page | object]>([
  ['another issuer', { issuer: 'https://accounts.example.com' }],
  ['the issuer with a slash more', { issuer: 'SLASH' }],
  ['no issuer', { issuer: undefined }],
  ['no key set', { jwks_uri: undefined }],
  ['a key set that is no URL', { jwks_uri: '/jwks' }],
  ['a key set of another scheme', { jwks_uri: 'file:///etc/passwd' }],
  ['no token endpoint', { token_endpoint: undefined }],
  ['a token endpoint with a user', { token_endpoint: 'http://user@127.0.0.1/token' }],
  ['a token endpoint with a password', { token_endpoint: 'http://:password@127.0.0.1/token' }],
  ['a token endpoint that is a list', { token_endpoint: ['http://127.0.0.1/token'] }],
  ['no authorization endpoint', { authorization_endpoint: undefined }],
  ['an authorization endpoint that is a script', { authorization_endpoint: 'javascript:alert(1)' }],
  ['an authorization endpoint with a fragment', { authorization_endpoint: 'http://127.0.0.1/auth#here' }],
  ['an endless URL', { jwks_uri: `http://127.0.0.1/${'a'.repeat(2_048)}` }],
])('metadata with %s is refused', async (_, change) => {
  const document = { ...documentOf(issuer), ...change };
  pages.set('/.well-known/openid-configuration', { body: JSON.stringify(document).replace('"SLASH"', `"${issuer}/"`) });
  await expect(issuers.discover(issuer)).rejects.toThrow(IssuerError);
  await expect(verifyBy(first)).rejects.toThrow(IssuerError);
  expect(asked).toEqual(['/.well-known/openid-configuration']);
});

test('an https issuer may not send us to http', async () => {
  const document = { ...documentOf('https://id.example.com'), jwks_uri: 'http://id.example.com/jwks' };
  const insecure = new Issuers(outOf(document), () => nowMs);
  await expect(insecure.discover('https://id.example.com')).rejects.toThrow('jwks_uri of https://id.example.com is not https');
});

// What is not said here is as in the good page.
const BAD_PAGES: readonly [string, Partial<Page>][] = [
  ['a page that is not there', { status: 404 }],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' } }],
  ['a permanent redirect', { status: 308, headers: { location: '/elsewhere' } }],
  ['ten megabytes', { trailer: ' '.repeat(10_000_000) }],
  ['HTML', { body: '<!doctype html><title>Sign in</title>' }],
  ['a list', { body: '[]' }],
  ['nothing', { body: '' }],
];

test.each(BAD_PAGES)('discovery that answers with %s is refused, and no redirect is followed', async (_, page) => {
  const good = pages.get('/.well-known/openid-configuration')!;
  pages.set('/.well-known/openid-configuration', { ...good, ...page });
  pages.set('/elsewhere', { body: JSON.stringify(documentOf(issuer)) });
  await expect(issuers.discover(issuer)).rejects.toThrow(IssuerError);
  expect(asked).toEqual(['/.well-known/openid-configuration']);
});

test.each<[string, Partial<Page>]>([
  ...BAD_PAGES,
  ['keys that are a text', { body: '{"keys":"none"}' }],
  ['keys that are numbers', { body: '{"keys":[1,null]}' }],
  ['more than a hundred keys', { body: JSON.stringify({ keys: Array.from({ length: 101 }, () => ({})) }) }],
])('a key set that answers with %s is refused, and no redirect is followed', async (_, page) => {
  pages.set('/jwks', { ...keySet(first.jwk), ...page });
  pages.set('/elsewhere', keySet(first.jwk));
  await expect(verifyBy(first)).rejects.toThrow(IssuerError);
  expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
});

test('two keys of one id are ambiguous: neither is used', async () => {
  pages.set('/jwks', keySet(first.jwk, { ...second.jwk, kid: 'first' }));
  await expect(verifyBy(first)).rejects.toThrow('multiple matching keys');
});

test('two keys of one id do not collide when their kinds differ', async () => {
  const { publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  pages.set('/jwks', keySet({ ...(await exportJWK(publicKey)), kid: 'first' }, first.jwk));
  await verifyBy(first);
});

test('keys that cannot be read do not spoil the others of the set', async () => {
  pages.set('/jwks', keySet({ kty: 'EC', crv: 'P-256', kid: 'broken', x: '!', y: '!' }, { kty: 'what' }, first.jwk));
  await verifyBy(first);
});

test('a secret in a key set is no key', async () => {
  pages.set('/jwks', keySet({ kty: 'oct', k: Buffer.alloc(32).toString('base64url'), kid: 'shared', alg: 'HS256' }));
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'HS256', kid: 'shared' }).sign(Buffer.alloc(32));
  await expect(jwtVerify(token, issuers.keysOf(issuer))).rejects.toThrow('Unsupported "alg" value');
});

test('parallel sign-ins share one request for each document', async () => {
  await Promise.all(Array.from({ length: 20 }, () => verifyBy(first)));
  expect(asked).toEqual(['/.well-known/openid-configuration', '/jwks']);
});

test('documents are read again after ten minutes, and not before', async () => {
  await verifyBy(first);
  nowMs += 10 * MINUTE_MS - 1;
  await verifyBy(first);
  expect(asked).toHaveLength(2);
  nowMs += 1;
  await verifyBy(first);
  expect(asked).toHaveLength(4);
});

test('a withdrawn key is refused after ten minutes', async () => {
  await verifyBy(first);
  pages.set('/jwks', keySet(second.jwk));
  nowMs += 10 * MINUTE_MS;
  await expect(verifyBy(first)).rejects.toThrow('no applicable key');
});

test('a new key is found at once when the set is half a minute old, and not looked for more often', async () => {
  await verifyBy(first);
  pages.set('/jwks', keySet(first.jwk, second.jwk));
  nowMs += 29_999;
  await expect(verifyBy(second)).rejects.toThrow('no applicable key');
  expect(asked).toHaveLength(2);
  nowMs += 1;
  await verifyBy(second);
  expect(asked).toHaveLength(3);
});

test('a hundred unknown keys make us ask once', async () => {
  await verifyBy(first);
  nowMs += 30_000;
  await Promise.allSettled(Array.from({ length: 100 }, () => verifyBy(second)));
  expect(asked).toHaveLength(3);
});

test('a key set that moved is followed', async () => {
  await verifyBy(first);
  pages.set('/.well-known/openid-configuration', { body: JSON.stringify({ ...documentOf(issuer), jwks_uri: `${issuer}/keys` }) });
  pages.set('/keys', keySet(second.jwk));
  nowMs += 10 * MINUTE_MS;
  await verifyBy(second);
});

test.each<[string, () => void]>([
  ['down', () => (isDown = true)],
  ['answering nonsense', () => pages.set('/jwks', { body: '{"keys":[1]}' })],
])('known keys hold for a day while the provider is %s, unknown ones are refused', async (_, breakIt) => {
  await verifyBy(first);
  breakIt();
  nowMs += 23 * HOUR_MS;
  await verifyBy(first);
  await expect(verifyBy(second)).rejects.toThrow('no applicable key');
  nowMs += HOUR_MS;
  await expect(verifyBy(first)).rejects.toThrow(IssuerError);
});

test('metadata holds for a day while the provider is down', async () => {
  const metadata = await issuers.discover(issuer);
  isDown = true;
  nowMs += 24 * HOUR_MS - 1;
  expect(await issuers.discover(issuer)).toEqual(metadata);
  nowMs += 1;
  await expect(issuers.discover(issuer)).rejects.toThrow(IssuerError);
});

test('a provider that failed is left alone for five seconds, then asked again', async () => {
  isDown = true;
  await expect(issuers.discover(issuer)).rejects.toThrow(IssuerError);
  isDown = false;
  nowMs += 4_999;
  await expect(issuers.discover(issuer)).rejects.toThrow(IssuerError);
  expect(asked).toHaveLength(1);
  nowMs += 1;
  await issuers.discover(issuer);
  expect(asked).toHaveLength(2);
});

test('a clock that goes back does not make documents last', async () => {
  await issuers.discover(issuer);
  nowMs -= HOUR_MS;
  await issuers.discover(issuer);
  expect(asked).toHaveLength(2);
});

test('a thousand providers are held, the ones least recently used are forgotten', async () => {
  const names = Array.from({ length: 1_001 }, (_, i) => `https://${i}.example.com`);
  const urls: string[] = [];
  const out: HttpOut = {
    request(request) {
      urls.push(request.url);
      return outOf(documentOf(new URL(request.url).origin)).request(request);
    },
  };
  const many = new Issuers(out, () => nowMs);
  for (const name of names.slice(0, 1_000)) await many.discover(name);
  await many.discover(names[0]!); // used again: the second is the oldest now
  await many.discover(names[1_000]!);
  urls.length = 0;
  for (const i of [0, 1_000, 2, 3, 1]) await many.discover(names[i]!);
  expect(urls).toEqual(['https://1.example.com/.well-known/openid-configuration']);
});

function documentOf(issuer: string): object {
  return { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` };
}

function keySet(...keys: readonly object[]): Page {
  return { body: JSON.stringify({ keys }) };
}

/** A network on which every address answers with `document`. */
function outOf(document: object): HttpOut {
  return {
    request: () => Promise.resolve({ status: 200, headers: {}, body: Buffer.from(JSON.stringify(document)), isTruncated: false }),
  };
}

async function newKey(kid: string) {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  return { jwk: { ...(await exportJWK(publicKey)), kid }, privateKey };
}

async function verifyBy({ jwk, privateKey }: typeof first): Promise<void> {
  const token = await new SignJWT({}).setProtectedHeader({ alg: 'ES256', kid: jwk.kid! }).sign(privateKey);
  await jwtVerify(token, issuers.keysOf(issuer));
}

import { createPublicKey, hash } from 'node:crypto';
import fc from 'fast-check';
import { exportJWK, generateKeyPair, SignJWT, type JWK } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { createEgress } from '../egress/egress.ts';
import { startIdentityProvider, type IdentityProvider } from '../testing/identity-provider.ts';
import { IdTokenRefused, peekIdToken, verifyIdToken, type IdTokenClaims, type IdTokenRules } from './id-token.ts';
import { IssuerError, Issuers } from './issuer.ts';

type Claims = Readonly<Record<string, unknown>>;

const egress = createEgress({ allowed: new CidrList([parseCidr('127.0.0.0/8') as Cidr]), allowHttp: false });
let provider: IdentityProvider;
let issuers: Issuers;
let rules: IdTokenRules;

// The present, for the tokens; `documentsMs` is the clock of the kept documents.
const NOW_MS = Date.UTC(2026, 5, 1);
const NOW = NOW_MS / 1_000;
const GOOD = { iat: NOW, exp: NOW + 3_600 };
let documentsMs = 0;

beforeAll(async () => {
  provider = await startIdentityProvider();
  rules = { issuer: provider.issuer, clientId: provider.publicClient.clientId };
});
afterAll(async () => {
  await egress.close();
  await provider.close();
});
beforeEach(() => {
  issuers = new Issuers(egress, () => documentsMs);
});

test('a good token says who signed in, when, and until when', async () => {
  const token = await provider.signIdToken({ ...GOOD, auth_time: NOW - 60, groups: ['engineering'] });
  expect(await verify(token)).toEqual({
    subject: 'ada',
    issuedAtMs: NOW_MS,
    authTimeMs: NOW_MS - 60_000,
    expiresAtMs: NOW_MS + 3_600_000,
    claims: { iss: rules.issuer, aud: rules.clientId, sub: 'ada', ...GOOD, auth_time: NOW - 60, groups: ['engineering'] },
    digest: hash('sha256', token.slice(0, token.lastIndexOf('.')), 'buffer'),
  });
});

test.each('RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 EdDSA Ed25519'.split(' '))(
  'a token signed with %s is accepted',
  async (algorithm) => {
    await verify(await provider.signIdToken(GOOD, { algorithm }));
  },
);

test.each<[string, Claims]>([
  ['for several clients of which we are its party', { aud: ['other', 'svc-public'], azp: 'svc-public' }],
  ['for a list of us alone', { aud: ['svc-public'] }],
  ['that names us as its party', { azp: 'svc-public' }],
  ['of ten minutes ago', { iat: NOW - 600 }],
  ['of a clock that is a minute ahead', { iat: NOW + 60, nbf: NOW + 60 }],
  ['that expired less than a minute ago', { exp: NOW - 59 }],
  ['with a subject of 255 characters', { sub: 's'.repeat(255) }],
  ['with a subject in another script', { sub: 'Åsa|社員-7' }],
])('a token %s is accepted', async (_, claims) => {
  await verify(await provider.signIdToken({ ...GOOD, ...claims }));
});

test.each<[string, Claims, string]>([
  ['for another client', { aud: 'other' }, '"aud"'],
  ['for no client', { aud: undefined }, '"aud"'],
  ['for a client whose id ours is a part of', { aud: 'svc-public-2' }, '"aud"'],
  ['for several clients, without a party', { aud: ['svc-public', 'other'] }, 'azp'],
  ['for us twice, without a party', { aud: ['svc-public', 'svc-public'] }, 'azp'],
  ['for several clients, issued to another one', { aud: ['svc-public', 'other'], azp: 'other' }, 'azp'],
  ['for us, issued to another client', { azp: 'other' }, 'azp'],
  ['for us, issued to nobody', { azp: null }, 'azp'],
  ['of another issuer', { iss: 'https://id.example.com' }, '"iss"'],
  ['of our issuer with a slash more', { iss: 'SLASH' }, '"iss"'],
  ['of no issuer', { iss: undefined }, '"iss"'],
  ['without exp', { exp: undefined }, '"exp"'],
  ['whose exp is a text', { exp: '2099-01-01' }, '"exp"'],
  ['whose exp is beyond all dates', { exp: 1e300 }, 'exp is no time'],
  ['that expired a minute ago', { exp: NOW - 60 }, '"exp"'],
  ['without iat', { iat: undefined }, '"iat"'],
  ['whose iat is a text', { iat: String(NOW) }, '"iat"'],
  ['of more than ten minutes ago', { iat: NOW - 601 }, 'issued more than ten minutes ago'],
  ['of eleven minutes ago', { iat: NOW - 660 }, 'issued more than ten minutes ago'],
  ['of the future', { iat: NOW + 61 }, 'issued in the future'],
  ['that holds only later', { nbf: NOW + 61 }, '"nbf"'],
  ['without sub', { sub: undefined }, '"sub"'],
  ['with an empty sub', { sub: '' }, 'sub is not'],
  ['whose sub is a number', { sub: 7 }, 'sub is not'],
  ['with a sub of 256 characters', { sub: 's'.repeat(256) }, 'sub is not'],
  ['with a line break in sub', { sub: 'ada\nadmin' }, 'sub is not'],
  ['with a zero in sub', { sub: 'ada\0' }, 'sub is not'],
  ['with half a character in sub', { sub: 'ada\ud800' }, 'sub is not'],
  ['that says somebody signed out', { events: { 'http://schemas.openid.net/event/backchannel-logout': {} } }, 'another type'],
])('a token %s is refused', async (_, claims, reason) => {
  const changed = claims['iss'] === 'SLASH' ? { iss: `${rules.issuer}/` } : claims;
  await expectRefusal(await provider.signIdToken({ ...GOOD, ...changed }), reason);
});

test.each(['at+jwt', 'application/at+jwt', 'AT+JWT', 'logout+jwt', 'secevent+jwt', ''])(
  'a token of type "%s" is no ID token',
  async (type) => {
    await expectRefusal(await provider.signIdToken(GOOD, { type }), 'a token of another type');
  },
);

test.each(['JWT', 'jwt', 'application/jwt'])('a token of type "%s" may be an ID token', async (type) => {
  await verify(await provider.signIdToken(GOOD, { type }));
});

test.each<[string, unknown, number | null]>([
  ['is not said', undefined, null],
  ['is a text', '2026-06-01', null],
  ['is in the future', NOW + 61, null],
  ['is before all times', -1, null],
  ['is a minute ahead', NOW + 60, NOW_MS + 60_000],
])('when the time of sign-in %s, the token is accepted', async (_, auth_time, authTimeMs) => {
  expect((await verify(await provider.signIdToken({ ...GOOD, auth_time }))).authTimeMs).toBe(authTimeMs);
});

test('a token must have the nonce of its sign-in', async () => {
  const asked = { ...rules, nonce: 'n-1' };
  await verify(await provider.signIdToken({ ...GOOD, nonce: 'n-1' }), asked);
  await expectRefusal(await provider.signIdToken({ ...GOOD, nonce: 'n-2' }), 'another nonce', asked);
  await expectRefusal(await provider.signIdToken(GOOD), 'another nonce', asked);
});

test.each<[string | undefined, string]>([
  ['none', 'value not allowed'],
  ['None', 'value not allowed'],
  ['NONE', 'value not allowed'],
  ['', 'missing or invalid'],
  [undefined, 'missing or invalid'],
])('a token that nobody signed, of algorithm "%s", is refused', async (alg, reason) => {
  const payload = { iss: rules.issuer, aud: rules.clientId, sub: 'ada', ...GOOD };
  await expectRefusal(`${encode({ alg })}.${encode(payload)}.`, reason);
});

test.each(['HS256', 'HS384', 'HS512'])(
  'a token signed with %s is refused, whatever form of the public key is the secret',
  async (alg) => {
    const [jwk] = await publicKeys();
    const key = createPublicKey({ key: jwk!, format: 'jwk' });
    const secrets = [
      key.export({ type: 'spki', format: 'pem' }),
      key.export({ type: 'pkcs1', format: 'pem' }),
      key.export({ type: 'spki', format: 'der' }),
      JSON.stringify(jwk),
      Buffer.from(jwk!.n!, 'base64url'),
    ];
    for (const secret of secrets) {
      const token = await new SignJWT({ iss: rules.issuer, aud: rules.clientId, sub: 'ada', ...GOOD })
        .setProtectedHeader({ alg, kid: jwk!.kid! })
        .sign(Buffer.from(secret));
      await expectRefusal(token, 'value not allowed');
    }
  },
);

test('a token that brings its own key is refused', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
  const [, ec] = await publicKeys();
  const token = await new SignJWT({ iss: rules.issuer, aud: rules.clientId, sub: 'ada', ...GOOD })
    .setProtectedHeader({ alg: 'ES256', kid: ec!.kid!, jwk: await exportJWK(publicKey), jku: 'http://127.0.0.1/jwks' })
    .sign(privateKey);
  await expectRefusal(token, 'signature verification failed');
});

test('a key of one algorithm does not verify another', async () => {
  const [rsa] = await publicKeys();
  await expectRefusal(await provider.signIdToken(GOOD, { algorithm: 'ES256', keyId: rsa!.kid! }), 'no applicable key');
});

test('a token whose key id is unknown is refused', async () => {
  await expectRefusal(await provider.signIdToken(GOOD, { keyId: 'nobody' }), 'no applicable key');
});

test('a token without a key id is accepted only when one key of the provider fits', async () => {
  await verify(await provider.signIdToken(GOOD, { algorithm: 'ES256', keyId: null }));
});

test('one changed character in header or payload, wherever it is, makes a token refused', async () => {
  const token = await provider.signIdToken(GOOD, { algorithm: 'ES256' });
  const signed = token.lastIndexOf('.');
  await fc.assert(
    fc.asyncProperty(fc.nat(signed - 1), fc.constantFrom('a', 'Z', '0', '_', '-', '=', '.', ' ', 'é'), async (at, char) => {
      fc.pre(token[at] !== char);
      await expect(verify(token.slice(0, at) + char + token.slice(at + 1))).rejects.toThrow(IdTokenRefused);
    }),
  );
});

test('another spelling of the signature has the same digest, so that it is not another token', async () => {
  const token = await provider.signIdToken(GOOD, { algorithm: 'ES256' });
  const { digest } = await verify(token);
  const signed = token.lastIndexOf('.') + 1;
  const mirrored = mirror(Buffer.from(token.slice(signed), 'base64url')).toString('base64url');
  expect(mirrored).not.toBe(token.slice(signed));
  expect((await verify(token.slice(0, signed) + mirrored)).digest).toEqual(digest);
});

test('a token of more than 16 KiB is refused unread', async () => {
  const filler = (length: number) => provider.signIdToken({ ...GOOD, groups: ['g'.repeat(length)] });
  await verify(await filler(11_000));
  const long = await filler(15_000);
  expect(long.length).toBeGreaterThan(20_000);
  await expectRefusal(long, 'longer than 16384 characters');
  expect(peekIdToken(long)).toBeNull();
});

test('after a rotation the new key is accepted once the provider may be asked again, the old one until then', async () => {
  const before = await provider.signIdToken(GOOD);
  await verify(before);
  await provider.rotateKeys();
  const after = await provider.signIdToken(GOOD);
  documentsMs += 29_999;
  await verify(before);
  await expectRefusal(after, 'no applicable key');
  documentsMs += 1;
  await verify(after);
  await expectRefusal(before, 'no applicable key');
});

test('while the provider is down its known keys are accepted, unknown ones refused', async () => {
  const token = await provider.signIdToken(GOOD);
  await verify(token);
  documentsMs += 3_600_000;
  provider.stop();
  try {
    await verify(token);
    await expectRefusal(await provider.signIdToken(GOOD, { keyId: 'nobody' }), 'no applicable key');
    issuers = new Issuers(egress, () => documentsMs);
    await expect(verify(token)).rejects.toThrow(IssuerError);
  } finally {
    provider.start();
  }
});

test('issuer and audiences can be read before a token is verified', async () => {
  expect(peekIdToken(await provider.signIdToken())).toEqual({ issuer: rules.issuer, audiences: ['svc-public'] });
  expect(peekIdToken(await provider.signIdToken({ aud: ['a', 'b'] }))).toEqual({ issuer: rules.issuer, audiences: ['a', 'b'] });
});

test.each<[string, Claims | null]>([
  ['is no object', null],
  ['has no issuer', { aud: 'a' }],
  ['has an issuer that is a list', { iss: ['i'], aud: 'a' }],
  ['has an issuer with a zero', { iss: 'i\0', aud: 'a' }],
  ['has an endless issuer', { iss: 'i'.repeat(2_049), aud: 'a' }],
  ['has no audience', { iss: 'i' }],
  ['has an empty list of audiences', { iss: 'i', aud: [] }],
  ['has an audience that is a number', { iss: 'i', aud: ['a', 1] }],
  ['has half a character in an audience', { iss: 'i', aud: '\ud800' }],
  ['has more than a hundred audiences', { iss: 'i', aud: Array.from({ length: 101 }, String) }],
])('a token whose payload %s belongs to nobody', (_, payload) => {
  expect(peekIdToken(`e30.${encode(payload)}.c2ln`)).toBeNull();
});

test('no text makes peeking or verifying fail in another way than a refusal', async () => {
  const part = fc.oneof(
    fc.string(),
    fc.json().map((json) => Buffer.from(json).toString('base64url')),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
      ),
      async (text) => {
        peekIdToken(text);
        await expect(verify(text)).rejects.toThrow(IdTokenRefused);
      },
    ),
  );
});

function verify(token: string, by: IdTokenRules = rules): Promise<IdTokenClaims> {
  return verifyIdToken(issuers, by, token, NOW_MS);
}

async function expectRefusal(token: string, reason: string, by?: IdTokenRules): Promise<void> {
  const refused = verify(token, by);
  await expect(refused).rejects.toThrow(IdTokenRefused);
  await expect(refused).rejects.toHaveProperty('reason', expect.stringContaining(reason));
}

/** In the order in which the provider made them: RSA first, then P-256. */
async function publicKeys(): Promise<readonly JWK[]> {
  const { jwksUri } = await issuers.discover(provider.issuer);
  return ((await (await fetch(jwksUri)).json()) as { keys: JWK[] }).keys;
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** The other signature of ECDSA on P-256 that verifies: with s, n − s does too. */
function mirror(signature: Buffer): Buffer {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = BigInt(`0x${signature.toString('hex', 32)}`);
  return Buffer.concat([signature.subarray(0, 32), Buffer.from((order - s).toString(16).padStart(64, '0'), 'hex')]);
}

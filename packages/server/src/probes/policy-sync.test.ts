// Promises about the policy that probes keep: whose it is can be told without the service, and every node says the same.

import { canonicalJson, DETECTOR_VERSIONS, policyDigest } from '@svc/engine';
import { createPublicKey, verify } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';

const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const DAY_MS = 86_400_000;
/** What stands before the 32 bytes of an Ed25519 key in SubjectPublicKeyInfo (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

type Json = ReturnType<typeof JSON.parse>;

let service: TestService;
let other: TestService;
let org: NewOrganization;
let nowMs = Date.now();

beforeAll(async () => {
  service = await startTestService({ SVC_MASTER_KEY: MASTER_KEY }, () => nowMs);
  other = await startTestService({ SVC_MASTER_KEY: MASTER_KEY, SVC_DATABASE_URL: service.databaseUrl }, () => nowMs);
});
afterAll(async () => {
  await other.close();
  await service.close();
});
beforeEach(async () => {
  org = await service.createOrganization();
});

let probes = 0;
/** As a probe of its own: each may ask ten times a minute. */
const sync = (on: TestService = service, headers: Record<string, string> = {}, key = org.keys.live) =>
  on.request('GET', '/api/svc/probe/policy-sync', { key, headers: { 'x-svc-probe-id': `p${++probes}`, ...headers } });

/** As a probe checks it, by nothing but what it was sent and the key it knows. */
function isSigned({ signature, ...members }: Json, publicKey: string = signature.public_key): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, Buffer.from(publicKey, 'base64')]),
    format: 'der',
    type: 'spki',
  });
  const signed = Buffer.from(`svc-policy-bundle-v1\n${canonicalJson(members)}`);
  return verify(null, signed, key, Buffer.from(signature.value, 'base64'));
}

const putPolicy = (policy: object) => service.request('PUT', '/v1/policy', { key: org.keys.admin, body: policy });

test('the policy in force comes as it is stored, with versions and dates, under a signature over all of it', async () => {
  const policy = { mode: 'monitor', detectors: { pii: { entities: { email: 'redact' } } } };
  await putPolicy(policy);
  const { status, body, headers } = await sync();
  expect(status).toBe(200);
  expect(body).toEqual({
    version: 2,
    digest: policyDigest(policy as never),
    policy,
    detector_versions: DETECTOR_VERSIONS,
    issued_at: new Date(nowMs).toISOString(),
    expires_at: new Date(nowMs + 7 * DAY_MS).toISOString(),
    signature: {
      algorithm: 'ed25519',
      key_id: expect.stringMatching(/^pk_[0-9a-f]{16}$/),
      public_key: expect.any(String),
      value: expect.any(String),
    },
  });
  expect(Buffer.from(body.signature.public_key, 'base64')).toHaveLength(32);
  expect(isSigned(body)).toBe(true);
  expect(headers.get('etag')).toMatch(/^"sha256:[0-9a-f]{64}"$/);
});

test('whatever is changed in it, the signature does not hold any more', async () => {
  const { body } = await sync();
  const changed: Json[] = [
    { ...body, version: 2 },
    { ...body, expires_at: new Date(nowMs + 70 * DAY_MS).toISOString() },
    { ...body, policy: { ...body.policy, mode: 'monitor' } },
    { ...body, detector_versions: {} },
    { ...body, digest: `${body.digest.slice(0, -1)}0x` },
    { ...body, more: 1 },
  ];
  for (const bundle of changed) expect(isSigned(bundle)).toBe(false);
  const stranger = await service.createOrganization();
  const theirs = (await sync(service, {}, stranger.keys.live)).body;
  expect(isSigned(theirs)).toBe(true);
  expect(isSigned(theirs, body.signature.public_key)).toBe(false);
});

test('every node answers the same bytes, also where both make the key at once, and the same again after a restart', async () => {
  const answers = await Promise.all([sync(), sync(other), sync(), sync(other)]);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const third = await startTestService({ SVC_MASTER_KEY: MASTER_KEY, SVC_DATABASE_URL: service.databaseUrl }, () => nowMs);
  expect((await sync(third)).text).toBe(answers[0].text);
  await third.close();
});

test('who has it already is told so, until the policy or the day is another one', async () => {
  const first = await sync();
  const etag = first.headers.get('etag')!;
  for (const known of [etag, `"other", W/${etag}`, '*']) {
    const again = await sync(service, { 'if-none-match': known });
    expect([again.status, again.text]).toEqual([304, '']);
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('x-svc-ratelimit-limit')).toBe('10');
  }
  expect((await sync(service, { 'if-none-match': '"other"' })).status).toBe(200);
  await putPolicy({ mode: 'monitor' });
  const second = await sync(service, { 'if-none-match': etag });
  expect([second.status, second.body.version]).toEqual([200, 2]);
  await expect.poll(async () => (await sync(other)).text).toBe(second.text);
  nowMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS + 1_000;
  const nextDay = await sync(service, { 'if-none-match': second.headers.get('etag')! });
  expect([nextDay.status, nextDay.body.version]).toEqual([200, 2]);
  expect(nextDay.body.issued_at).toBe(new Date(nowMs - 1_000).toISOString());
  expect(isSigned(nextDay.body, first.body.signature.public_key)).toBe(true);
});

test.each([
  [['assess:create'], 'policy:read'],
  [['policy:read'], 'assess:create'],
])('needs both scopes: %s alone is refused for want of %s', async (permissions, missing) => {
  const made = await service.request('POST', '/v1/api-keys', {
    key: org.keys.admin,
    body: { name: 'k', type: 'live', permissions },
  });
  const refused = await sync(service, {}, made.body.key);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'insufficient_permissions']);
  expect(refused.body.error.message).toContain(missing);
});

test('the private key is nowhere in clear', async () => {
  await sync();
  const db = new pg.Client(service.databaseUrl);
  await db.connect();
  const { rows } = await db.query('SELECT key_id, sealed FROM policy_signing_keys WHERE org_id = $1', [org.uuid.toString('hex')]);
  await db.end();
  expect(rows).toHaveLength(1);
  expect(rows[0].sealed.includes('PRIVATE KEY')).toBe(false);
});

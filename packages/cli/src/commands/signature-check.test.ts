// Promises of `svc verify-signature`.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifySignature256, verifyWebhook } from '@svc/client';
import { bodySignature, newSigningSecret, signatureHeaders, standardSignature } from '../../../server/src/delivery/signatures.ts';
import { makeHome, type Home } from '../testing.ts';
import { checkSignature, type SignatureReport } from './signature-check.ts';
import { headersOf } from './verify-signature.ts';

const SECRET = 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=';
const OTHER = newSigningSecret();
const ID = 'evt_01m7zmgn63e00bq3vycshwk0hy';
const NOW_S = 1_795_284_292;
const BODY = Buffer.from('{"id":"evt_01m7zmgn63e00bq3vycshwk0hy","data":{"a":[1,2],"b":"é"}}');

/** As the service sends it. */
const signed = (current = SECRET, old: string | null = null, body = BODY) => signatureHeaders({ current, old }, ID, NOW_S, body);

function check(
  headers: Record<string, string>,
  { body = BODY, secrets = [SECRET], nowS = NOW_S, toleranceS = 300 } = {},
): SignatureReport {
  return checkSignature({ headers, body }, { secrets, nowMs: nowS * 1_000, toleranceS });
}

test('what the service sends verifies, also during a rotation under either secret', () => {
  expect(check(signed())).toMatchObject({ verified: true, rule: null, hints: [] });
  const rotating = signed(SECRET, OTHER);
  expect(check(rotating)).toMatchObject({ verified: true, hints: [expect.stringContaining('this is the new one')] });
  expect(check(rotating, { secrets: [OTHER] })).toMatchObject({
    verified: true,
    hints: [expect.stringContaining('this is the old one')],
  });
  expect(check(rotating, { secrets: [OTHER, SECRET] })).toMatchObject({ verified: true, hints: [] });
});

const without = (headers: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];

test.each<[string, string, () => SignatureReport]>([
  ['no header', 'signature_missing', () => check({ host: 'localhost' })],
  ['a part of the headers', 'signature_missing', () => check(without(signed(), 'webhook-id'))],
  ['a secret without its prefix', 'secret_malformed', () => check(signed(), { secrets: [SECRET.slice(6)] })],
  ['a secret that is no base64', 'secret_malformed', () => check(signed(), { secrets: ['whsec_%%%'] })],
  ['a secret that is too short', 'secret_malformed', () => check(signed(), { secrets: ['whsec_MDEy'] })],
  ['a time that is none', 'timestamp_malformed', () => check({ ...signed(), 'webhook-timestamp': 'now' })],
  ['a time of long ago', 'timestamp_too_old', () => check(signed(), { nowS: NOW_S + 301 })],
  ['a time ahead', 'timestamp_too_new', () => check(signed(), { nowS: NOW_S - 301 })],
  ['a signature in another form', 'signature_malformed', () => check({ ...signed(), 'webhook-signature': 'v2,abc' })],
  ['another secret', 'signature_mismatch', () => check(signed(), { secrets: [OTHER] })],
  ['another body', 'signature_mismatch', () => check(signed(), { body: Buffer.from('{}') })],
  [
    'a signature of the body alone that is wrong',
    'signature_mismatch',
    () => check({ ...signed(), 'x-svc-signature-256': bodySignature(OTHER, BODY) }),
  ],
  ['a body that is no JSON', 'body_malformed', () => check(signed(SECRET, null, Buffer.from('x')), { body: Buffer.from('x') })],
])('%s breaks the rule %s', (_, rule, broken) => {
  const report = broken();
  expect(report).toMatchObject({ verified: false, rule });
  expect(report.rules.some(({ result }) => result === 'broken')).toBe(true);
});

test('exactly the tolerance is in time, and X-Svc-Signature-256 alone knows no time', () => {
  expect(check(signed(), { nowS: NOW_S + 300 }).verified).toBe(true);
  expect(check(signed(), { nowS: NOW_S - 300 }).verified).toBe(true);
  expect(check(signed(), { nowS: NOW_S + 30, toleranceS: 10 }).verified).toBe(false);
  expect(check(without(signed(), ...STANDARD), { nowS: 0 }).verified).toBe(true);
});

const text = BODY.toString();
const hmacHex = (signature: string) => Buffer.from(signature.slice(3), 'base64').toString('hex');

describe('finds by trying', () => {
  test.each<[string, string, () => SignatureReport]>([
    ['a newline at the end', 'newline at the end of the body', () => check(signed(), { body: Buffer.from(`${text}\n`) })],
    [
      'a newline that was cut off',
      'newline at the end of the body is missing',
      () => check(signed(SECRET, null, Buffer.from(`${text}\n`))),
    ],
    ['other line ends', 'line ends', () => check(signed(SECRET, null, Buffer.from('{\n}')), { body: Buffer.from('{\r\n}') })],
    [
      'a body that was indented',
      'other white space',
      () => check(signed(), { body: Buffer.from(JSON.stringify(JSON.parse(text), null, 2)) }),
    ],
    ['a body that was put into quotes', 'into quotes', () => check(signed(), { body: Buffer.from(JSON.stringify(text)) })],
    ['white space around the secret', 'white space around the secret', () => check(signed(), { secrets: [`${SECRET}\n`] })],
    ['a secret without its prefix', 'whsec_ before it', () => check(signed(), { secrets: [SECRET.slice(6)] })],
    ['milliseconds', 'milliseconds', () => check({ ...signed(), 'webhook-timestamp': `${NOW_S}000` })],
    [
      'an id that is not the signed one',
      'webhook-id or webhook-timestamp',
      () => check({ ...signed(), 'webhook-id': 'evt_other' }),
    ],
    [
      'hex where base64 belongs',
      'is in hex',
      () => check({ ...signed(), 'webhook-signature': `v1,${hmacHex(standardSignature(SECRET, ID, NOW_S, BODY))}` }),
    ],
    [
      'base64 where hex belongs',
      'is in base64',
      () =>
        check({
          ...without(signed(), ...STANDARD),
          'x-svc-signature-256': `sha256=${Buffer.from(bodySignature(SECRET, BODY).slice(7), 'hex').toString('base64')}`,
        }),
    ],
    [
      'the key of the other family',
      'Its key is the whole text',
      () =>
        check({
          ...without(signed(), ...STANDARD),
          'x-svc-signature-256': `sha256=${macHex(Buffer.from(SECRET.slice(6), 'base64'))}`,
        }),
    ],
    [
      'the secret as text',
      'decoded from base64',
      () => check({ ...without(signed(), 'x-svc-signature-256'), 'webhook-signature': textKeySignature() }),
    ],
    ['nothing', 'another webhook', () => check(signed(), { secrets: [OTHER] })],
  ])('%s', (_, hint, run) => {
    const report = run();
    expect(report.verified).toBe(false);
    expect(report.hints.join('\n')).toContain(hint);
  });
});

const { createHmac } = await import('node:crypto');
function macHex(key: Buffer): string {
  return createHmac('sha256', key).update(BODY).digest('hex');
}
function textKeySignature(): string {
  return `v1,${createHmac('sha256', SECRET).update(`${ID}.${NOW_S}.`).update(BODY).digest('base64')}`;
}

test('says yes exactly where the library does', async () => {
  const altered = fc.record({
    header: fc.constantFrom('', ...Object.keys(signed())),
    value: fc.constantFrom(
      '',
      'v1,',
      'sha256=',
      String(NOW_S + 301),
      signed(OTHER)['webhook-signature']!,
      signed(OTHER)['x-svc-signature-256']!,
    ),
    body: fc.constantFrom(text, `${text} `, '', 'x'),
    secret: fc.constantFrom(SECRET, OTHER, SECRET.slice(6)),
  });
  await fc.assert(
    fc.asyncProperty(altered, async ({ header, value, body, secret }) => {
      const headers = header === '' ? signed() : { ...signed(), [header]: value };
      const report = check(headers, { body: Buffer.from(body), secrets: [secret] });
      const delivery = { headers, body };
      const isGenuine = async (verify: Promise<unknown>) =>
        verify.then(
          () => true,
          () => false,
        );
      const [standard, short] = await Promise.all([
        isGenuine(verifyWebhook(delivery, { secret, nowMs: NOW_S * 1_000 })),
        isGenuine(verifySignature256(delivery, { secret })),
      ]);
      expect(report.verified).toBe(standard && short);
    }),
    { numRuns: 300 },
  );
});

test('reads headers as curl prints them, as JSON, and as a message of an inbox', () => {
  expect(headersOf('HTTP/1.1 200 OK\r\n< Webhook-Id: evt_1\r\nX-Svc-Signature-256:sha256=a:b \r\n\r\n').headers).toEqual({
    'webhook-id': 'evt_1',
    'x-svc-signature-256': 'sha256=a:b',
  });
  expect(headersOf('{"Webhook-Id": ["evt_1"]}')).toEqual({ headers: { 'webhook-id': 'evt_1' }, body: null });
  expect(headersOf('{"id":"x","headers":{"webhook-id":"evt_1"},"body":"{}"}')).toEqual({
    headers: { 'webhook-id': 'evt_1' },
    body: '{}',
  });
});

describe('as a command', () => {
  let home: Home;
  let folder: string;
  beforeAll(async () => {
    home = await makeHome();
    folder = await mkdtemp(join(tmpdir(), 'svc-signature-'));
    await writeFile(join(folder, 'message.json'), JSON.stringify({ headers: signed(), body: text }));
    await writeFile(join(folder, 'secret.txt'), `${SECRET}\n`);
  });
  afterAll(async () => {
    await home.remove();
    await rm(folder, { recursive: true });
  });

  test('ends with 0 where a delivery verifies, with 3 where it does not, and names the rule', async () => {
    const at = new Date(NOW_S * 1_000).toISOString();
    const args = ['verify-signature', '--secret-file', 'secret.txt', '--headers', 'message.json'];
    expect(await home.run([...args, '--at', at], { cwd: folder })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The delivery verifies.'),
    });
    const late = await home.run([...args, '--json'], { cwd: folder });
    expect(late.code).toBe(3);
    expect(JSON.parse(late.stdout)).toMatchObject({ verified: false });
    const piped = await home.run([...args, '--at', at, '-'], { cwd: folder, input: `${text}\n` });
    expect(piped).toMatchObject({ code: 3, stdout: expect.stringContaining('newline at the end of the body') });
    expect(piped.stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  });

  test('asks for what is missing', async () => {
    expect(await home.svc('verify-signature', 'body.json')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('are missing'),
    });
    expect(await home.svc('verify-signature', '-H', 'webhook-id: x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('body is missing'),
    });
  });
});

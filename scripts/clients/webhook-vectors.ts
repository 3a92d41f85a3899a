// The vectors of clients/conformance/webhooks.json: deliveries that hold and deliveries that do not. `node scripts/clients/webhook-vectors.ts`
// writes them anew; they are the same each time.

import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

const VECTORS_FILE = join(import.meta.dirname, '../../clients/conformance/webhooks.json');

/** A delivery as a receiver has it, and what is to come of its check. */
export interface WebhookCase {
  readonly name: string;
  readonly family: 'standard' | 'signature_256';
  readonly secrets: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly now_s: number;
  /** Absent: the default of 300. */
  readonly tolerance_s?: number;
  /** `signature_holds`: the body is not of an event, so it is given or `body_malformed`. */
  readonly expect: { readonly event_id: string } | { readonly rule: string } | { readonly signature_holds: true };
}

const [SECRET, OTHER] = [0, 64].map(
  (from) => `whsec_${Buffer.from(Array.from({ length: 32 }, (_, i) => from + i)).toString('base64')}`,
) as [string, string];
const ID = 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd';
const NOW_S = 1_764_547_200;
const BODY = JSON.stringify({ id: ID, kind: 'inference.blocked', mode: 'live', data: { note: 'café ✓ 😀' } });
const STANDARD_SOURCE =
  'https://github.com/standard-webhooks/standard-webhooks/blob/main/libraries/javascript/src/webhook.test.ts';
const GITHUB_SOURCE = 'https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries';

export function webhookVectors() {
  return {
    description:
      'Webhook deliveries and their signatures. `signatures`: what is over what; `github` is HMAC-SHA-256 over the body, keyed with the secret as text; `standard` is Standard Webhooks 1.0, HMAC-SHA-256 over id.timestamp.body, keyed with the decoded secret. `groups`: deliveries to check, and the rule that each breaks. The order of the checks is: headers, secret, time, form of the signatures, match, body.',
    signatures: { github: githubSignatures(), standard: standardSignatures() },
    groups: [accepted(), headers(), secrets(), times(), signatures(), bodies(), accepted256(), refused256()],
  };
}

function githubSignatures() {
  return [
    {
      source: GITHUB_SOURCE,
      secret: "It's a Secret to Everybody",
      body: 'Hello, World!',
      signature: 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    },
    { source: 'svc', secret: SECRET, body: BODY, signature: hexOf(SECRET, BODY) },
  ];
}

function standardSignatures() {
  return [
    {
      source: STANDARD_SOURCE,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1_614_265_330,
      body: '{"test": 2432232314}',
      signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    },
    { source: 'svc', secret: SECRET, id: ID, timestamp: NOW_S, body: BODY, signature: v1(SECRET, ID, NOW_S, BODY) },
  ];
}

function accepted() {
  const [borrowed] = standardSignatures();
  const others = [v1(OTHER, ID, NOW_S, BODY), v1(SECRET, ID, NOW_S, BODY)];
  const titled = Object.fromEntries(
    Object.entries(standard().headers).map(([name, value]) => [name.replaceAll(/\b\w/g, (char) => char.toUpperCase()), value]),
  );
  return group('standard: accepted', 'The event is given.', [
    standard('a delivery of now'),
    standard('exactly 300 s old', { timestamp: String(NOW_S - 300) }),
    standard('exactly 300 s from the future', { timestamp: String(NOW_S + 300) }),
    { ...standard('exactly 300 s old, in whole seconds', { timestamp: String(NOW_S - 300) }), now_s: NOW_S + 0.9 },
    { ...standard('another tolerance', { timestamp: String(NOW_S - 3600) }), tolerance_s: 3600 },
    standard('names of headers in other letters', { headers: titled }),
    standard('a rotation: signed by both, the old secret is known', { signature: others.join(' '), secrets: [OTHER] }),
    standard('a rotation: signed by both, the new secret is known', { signature: others.join(' ') }),
    standard('a rotation: signed by the new one, both are known', { secrets: [OTHER, SECRET] }),
    standard('a rotation: signed by the old one, both are known', { secrets: [SECRET, OTHER] }),
    standard('signatures of other versions beside it', {
      signature: `v1a,aGVsbG8= ${v1(SECRET, ID, NOW_S, BODY)} v2,aGVsbG8=`,
    }),
    standard('signatures beside it that are not whole', { signature: `v1,%%% v1,aGVsbG8= v1, ${v1(SECRET, ID, NOW_S, BODY)}` }),
    standard('a body with spaces, whose bytes are signed as they are', { body: JSON.stringify(JSON.parse(BODY), null, 2) }),
    {
      name: `the vector of ${STANDARD_SOURCE}`,
      family: 'standard',
      secrets: [borrowed!.secret],
      headers: {
        'webhook-id': borrowed!.id,
        'webhook-timestamp': String(borrowed!.timestamp),
        'webhook-signature': borrowed!.signature,
      },
      body: borrowed!.body,
      now_s: borrowed!.timestamp,
      expect: { signature_holds: true },
    },
  ]);
}

function headers() {
  const without = (name: string) => Object.fromEntries(Object.entries(standard().headers).filter(([key]) => key !== name));
  const rule = { rule: 'signature_missing' };
  return group('standard: headers', 'All three are needed.', [
    ...['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
      standard(`${name} is missing`, { headers: without(name), expect: rule }),
    ),
    standard('webhook-signature is empty', { headers: { ...standard().headers, 'webhook-signature': '' }, expect: rule }),
    standard('none is there', { headers: {}, expect: rule }),
    standard('the other family alone', { headers: { 'x-svc-signature-256': hexOf(SECRET, BODY) }, expect: rule }),
    standard('is told before a secret that cannot be right', { headers: {}, secrets: ['secret'], expect: rule }),
  ]);
}

function secrets() {
  const rule = { rule: 'secret_malformed' };
  const short = `whsec_${Buffer.alloc(15, 1).toString('base64')}`;
  return group('standard: secrets', 'A secret is whsec_ and the base64 of at least 16 bytes.', [
    standard('none', { secrets: [], expect: rule }),
    standard('an empty one', { secrets: [''], expect: rule }),
    standard('without its prefix', { secrets: [SECRET.slice(6)], expect: rule }),
    standard('the prefix alone', { secrets: ['whsec_'], expect: rule }),
    standard('no base64', { secrets: ['whsec_this is no base64 at all'], expect: rule }),
    standard('base64 without its padding', { secrets: [SECRET.replace('=', '')], expect: rule }),
    standard('base64 with too much padding', { secrets: [`${SECRET}=`], expect: rule }),
    standard('a newline at its end', { secrets: [`${SECRET}\n`], expect: rule }),
    standard('a newline in it', { secrets: [`${SECRET.slice(0, 20)}\n${SECRET.slice(20)}`], expect: rule }),
    standard('fifteen bytes', { secrets: [short], expect: rule }),
    standard('one of two', { secrets: [SECRET, 'whsec_%'], expect: rule }),
    standard('is told before an old time', {
      secrets: ['whsec_'],
      timestamp: String(NOW_S - 301),

      expect: rule,
    }),
  ]);
}

function times() {
  const at = (name: string, timestamp: string, rule: string) => standard(name, { timestamp, expect: { rule } });
  return group('standard: time', 'At most 300 s from now, both ways; one to twelve digits.', [
    at('301 s old', String(NOW_S - 301), 'timestamp_too_old'),
    at('the beginning of time', '0', 'timestamp_too_old'),
    at('301 s from the future', String(NOW_S + 301), 'timestamp_too_new'),
    { ...at('beyond another tolerance', String(NOW_S - 11), 'timestamp_too_old'), tolerance_s: 10 },
    at('a word', 'now', 'timestamp_malformed'),
    at('a fraction', `${NOW_S}.5`, 'timestamp_malformed'),
    at('below zero', '-1', 'timestamp_malformed'),
    at('with a sign', `+${NOW_S}`, 'timestamp_malformed'),
    at('an exponent', '1e9', 'timestamp_malformed'),
    at('in milliseconds', `${NOW_S}000`, 'timestamp_malformed'),
    at('more digits than a number holds', '9'.repeat(40), 'timestamp_malformed'),
    at('digits of another script', '١٧٦٤٥٤٧٢٠٠', 'timestamp_malformed'),
    standard('is told before a signature that is not whole', {
      timestamp: String(NOW_S - 301),
      signature: 'v1,%',
      expect: { rule: 'timestamp_too_old' },
    }),
  ]);
}

function signatures() {
  const good = v1(SECRET, ID, NOW_S, BODY);
  const hex = createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
    .update(`${ID}.${NOW_S}.${BODY}`)
    .digest('hex');
  const malformed = { rule: 'signature_malformed' };
  const mismatch = { rule: 'signature_mismatch' };
  return group('standard: signatures', 'At least one must be v1, and the base64 of 32 bytes; one must match.', [
    standard('no version', { signature: good.slice(3), expect: malformed }),
    standard('another version alone', { signature: `v2,${good.slice(3)}`, expect: malformed }),
    standard('no base64', { signature: 'v1,%%%', expect: malformed }),
    standard('half of it', { signature: good.slice(0, 20), expect: malformed }),
    standard('its first 24 bytes', { signature: good.slice(0, 35), expect: malformed }),
    standard('nothing after the version', { signature: 'v1,', expect: malformed }),
    standard('in hex', { signature: `v1,${hex}`, expect: malformed }),
    standard('another body', { body: BODY.replace('blocked', 'allowed'), signature: good, expect: mismatch }),
    standard('a body written anew', { body: JSON.stringify(JSON.parse(BODY), null, 1), signature: good, expect: mismatch }),
    standard('a newline more', { body: `${BODY}\n`, signature: good, expect: mismatch }),
    standard('another id', { id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qke', signature: good, expect: mismatch }),
    standard('another time', { timestamp: String(NOW_S - 1), signature: good, expect: mismatch }),
    standard('another secret', { secrets: [OTHER], signature: good, expect: mismatch }),
    standard('the secret as text for a key', {
      signature: `v1,${createHmac('sha256', SECRET).update(`${ID}.${NOW_S}.${BODY}`).digest('base64')}`,
      expect: mismatch,
    }),
    standard('one bit', { signature: flip(good), expect: mismatch }),
    standard('is told before a body that is no JSON', { body: 'x', signature: good, expect: mismatch }),
  ]);
}

function bodies() {
  const rule = { rule: 'body_malformed' };
  const wrong = ['not json', '', '[]', 'null', '"text"', `${BODY}}`, `\uFEFF${BODY}`];
  return group(
    'standard: bodies',
    'Signed, but not of an event.',
    wrong.map((body) =>
      standard(body === '' ? 'empty' : body.startsWith('\uFEFF') ? 'a byte order mark' : body.slice(0, 10), {
        body,
        expect: rule,
      }),
    ),
  );
}

function accepted256() {
  return group('signature 256: accepted', 'The event is given; the time does not count.', [
    github('a delivery'),
    github('a rotation: the old secret is known', {
      headers: { 'x-svc-signature-256': hexOf(OTHER, BODY), 'x-svc-signature-256-next': hexOf(SECRET, BODY) },
      secrets: [OTHER],
    }),
    github('a rotation: the new secret is known', {
      headers: { 'x-svc-signature-256': hexOf(OTHER, BODY), 'x-svc-signature-256-next': hexOf(SECRET, BODY) },
    }),
    github('a rotation: both are known', { secrets: [OTHER, SECRET] }),
    github('names of headers in other letters', { headers: { 'X-Svc-Signature-256': hexOf(SECRET, BODY) } }),
    { ...github('a delivery of long ago'), now_s: NOW_S + 1_000_000 },
  ]);
}

function refused256() {
  const good = hexOf(SECRET, BODY);
  const cased = (name: string, signature: string, rule: string) =>
    github(name, { headers: { 'x-svc-signature-256': signature }, expect: { rule } });
  return group('signature 256: refused', 'sha256= and 64 digits of lower-case hex.', [
    github('no header', { headers: {}, expect: { rule: 'signature_missing' } }),
    github('the other family alone', { headers: standard().headers, expect: { rule: 'signature_missing' } }),
    github('is told before a secret that cannot be right', {
      headers: {},
      secrets: ['x'],
      expect: { rule: 'signature_missing' },
    }),
    github('no secret', { secrets: [], expect: { rule: 'secret_malformed' } }),
    github('a secret without its prefix', { secrets: [SECRET.slice(6)], expect: { rule: 'secret_malformed' } }),
    github('a secret without a key', { secrets: ['whsec_'], expect: { rule: 'secret_malformed' } }),
    cased('another hash', good.replace('sha256=', 'sha1='), 'signature_malformed'),
    cased('no hash', good.slice(7), 'signature_malformed'),
    cased('upper case', `sha256=${good.slice(7).toUpperCase()}`, 'signature_malformed'),
    cased('a digit too few', good.slice(0, -1), 'signature_malformed'),
    cased('a digit too many', `${good}0`, 'signature_malformed'),
    cased('a newline at its end', `${good}\n`, 'signature_malformed'),
    cased('one digit', good.slice(0, -1) + (good.endsWith('0') ? '1' : '0'), 'signature_mismatch'),
    github('another body', { body: `${BODY} `, signature: good, expect: { rule: 'signature_mismatch' } }),
    github('another secret', { secrets: [OTHER], expect: { rule: 'signature_mismatch' } }),
    cased(
      'the decoded secret for a key',
      `sha256=${createHmac('sha256', Buffer.from(SECRET.slice(6), 'base64'))
        .update(BODY)
        .digest('hex')}`,
      'signature_mismatch',
    ),
    github('signed, but no JSON', { body: 'Hello, World!', expect: { rule: 'body_malformed' } }),
  ]);
}

interface Made {
  readonly id?: string;
  readonly timestamp?: string;
  readonly body?: string;
  /** Absent: the right one over the rest. */
  readonly signature?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly expect?: WebhookCase['expect'];
}

function standard(
  name = '',
  {
    id = ID,
    timestamp = String(NOW_S),
    body = BODY,
    signature,
    headers,
    secrets = [SECRET],
    expect = { event_id: ID },
  }: Made = {},
): WebhookCase {
  const sent = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature ?? v1(SECRET, id, timestamp, body),
  };
  return { name, family: 'standard', secrets, headers: headers ?? sent, body, now_s: NOW_S, expect };
}

function github(
  name: string,
  { body = BODY, signature, headers, secrets = [SECRET], expect = { event_id: ID } }: Made = {},
): WebhookCase {
  const sent = { 'x-svc-signature-256': signature ?? hexOf(SECRET, body) };
  return { name, family: 'signature_256', secrets, headers: headers ?? sent, body, now_s: NOW_S, expect };
}

function group(name: string, about: string, cases: readonly WebhookCase[]) {
  return { name, about, cases };
}

function v1(secret: string, id: string, timestamp: number | string, body: string): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

function hexOf(secret: string, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

function flip(signature: string): string {
  const bytes = Buffer.from(signature.slice(3), 'base64');
  bytes[31] = bytes[31]! ^ 1;
  return `v1,${bytes.toString('base64')}`;
}

if (import.meta.main) writeFileSync(VECTORS_FILE, `${JSON.stringify(webhookVectors(), null, 2)}\n`);

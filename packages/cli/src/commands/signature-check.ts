// Why a delivery does not verify: each rule in the order in which verifiers ask them, and what was found by trying what people get wrong.

import { createHmac, timingSafeEqual } from 'node:crypto';

export interface Delivery {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

interface CheckOptions {
  /** During a rotation both. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
  /** `nowMs` was given, and is not that of the clock. */
  readonly isAsOf?: boolean;
  readonly toleranceS: number;
}

/** One rule. `code`: as the libraries name it; of the time, which has three, `null` while it is not broken. */
export interface RuleResult {
  readonly code: RuleCode | null;
  readonly what: string;
  readonly result: 'holds' | 'broken' | 'not_asked';
  /** What was seen, in a sentence. */
  readonly detail: string;
}

type RuleCode =
  | 'signature_missing'
  | 'secret_malformed'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_malformed'
  | 'signature_mismatch'
  | 'body_malformed';

export interface SignatureReport {
  readonly verified: boolean;
  /** The code of the libraries for the first rule that is broken. */
  readonly rule: string | null;
  readonly rules: readonly RuleResult[];
  /** What was found by trying, most telling first. */
  readonly hints: readonly string[];
}

const PREFIX = 'whsec_';
const KEY_BYTES_MIN = 16;
const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const BODY_SIGNATURE = 'x-svc-signature-256';
const BODY_SIGNATURE_NEXT = 'x-svc-signature-256-next';

/** Asks every rule of both families. `verified`: no rule is broken of a family that is there, and one is there. */
export function checkSignature(delivery: Delivery, options: CheckOptions): SignatureReport {
  const rules: RuleResult[] = [];
  const hints: string[] = [];
  const { headers } = delivery;
  const missing = STANDARD.filter((name) => headers[name] === undefined);
  const hasStandard = missing.length === 0;
  const hasBodySignature = headers[BODY_SIGNATURE] !== undefined || headers[BODY_SIGNATURE_NEXT] !== undefined;
  rules.push(headersRule(missing, hasBodySignature));
  let broken: string | null =
    hasStandard || (hasBodySignature && missing.length === STANDARD.length) ? null : 'signature_missing';

  const secrets = options.secrets.map(parseSecret);
  rules.push(secretRule(secrets, hints, delivery));
  const areSecretsGood = secrets.every(({ fault }) => fault === null);
  if (!areSecretsGood) broken ??= 'secret_malformed';

  if (hasStandard) {
    const time = timeRule(headers['webhook-timestamp']!, options, hints);
    rules.push(time);
    broken ??= time.code;
  }
  const matches: Match[] = [];
  if (hasStandard) matches.push(standardMatch(delivery, secrets));
  if (hasBodySignature) matches.push(bodyMatch(delivery, secrets));
  for (const { rule } of matches) {
    rules.push(areSecretsGood ? rule : { ...rule, result: 'not_asked', detail: 'The secret has to be right first.' });
    if (areSecretsGood && rule.result === 'broken') broken ??= rule.code;
  }
  if (areSecretsGood) hints.push(...hintsOf(delivery, secrets, matches));

  const json = jsonRule(delivery.body);
  rules.push(json);
  if (json.result === 'broken') broken ??= json.code;
  return { verified: broken === null, rule: broken, rules, hints: [...new Set(hints)] };
}

function headersRule(missing: readonly string[], hasBodySignature: boolean): RuleResult {
  const rule = { code: 'signature_missing', what: 'headers' } as const;
  if (missing.length === 0) {
    const detail = hasBodySignature
      ? 'Those of Standard Webhooks and X-Svc-Signature-256 are there.'
      : 'Those of Standard Webhooks are there; X-Svc-Signature-256 is not.';
    return { ...rule, result: 'holds', detail };
  }
  if (missing.length < STANDARD.length)
    return { ...rule, result: 'broken', detail: `${missing.join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing.` };
  if (hasBodySignature)
    return { ...rule, result: 'holds', detail: 'X-Svc-Signature-256 alone is there: it says nothing about the time.' };
  return { ...rule, result: 'broken', detail: `Neither ${STANDARD.join(', ')} nor X-Svc-Signature-256 is there.` };
}

interface Secret {
  readonly text: string;
  /** What Standard Webhooks signs with; `null`: malformed. */
  readonly key: Buffer | null;
  readonly fault: string | null;
}

function parseSecret(text: string): Secret {
  if (!text.startsWith(PREFIX)) return { text, key: null, fault: `It does not begin with ${PREFIX}.` };
  const encoded = text.slice(PREFIX.length);
  const key = base64Of(encoded);
  if (key === null) return { text, key: null, fault: `What follows ${PREFIX} is not base64.` };
  if (key.length < KEY_BYTES_MIN) return { text, key: null, fault: `What follows ${PREFIX} is only ${key.length} bytes long.` };
  return { text, key, fault: null };
}

function secretRule(secrets: readonly Secret[], hints: string[], delivery: Delivery): RuleResult {
  const rule = { code: 'secret_malformed', what: 'secret' } as const;
  const bad = secrets.filter(({ fault }) => fault !== null);
  if (bad.length === 0) {
    const detail =
      secrets.length === 1
        ? `${PREFIX} and the base64 of ${secrets[0]!.key!.length} bytes.`
        : `All ${secrets.length} are well-formed.`;
    return { ...rule, result: 'holds', detail };
  }
  for (const { text } of bad) {
    const mended = [
      ['There is white space around the secret, perhaps a newline from a file: without it it verifies.', text.trim()],
      [`The secret verifies with ${PREFIX} before it: keep that part, too.`, `${PREFIX}${text.trim()}`],
      ['The secret is in quotes: without them it verifies.', text.trim().replace(/^(["'])(.*)\1$/, '$2')],
    ].find(([, candidate]) => candidate !== text && anyMatch(delivery, parseSecret(candidate!)));
    if (mended !== undefined) hints.push(mended[0]!);
  }
  return { ...rule, result: 'broken', detail: bad[0]!.fault! };
}

function timeRule(text: string, { nowMs, toleranceS, isAsOf }: CheckOptions, hints: string[]): RuleResult {
  const what = 'time';
  if (!/^\d{1,12}$/.test(text)) {
    if (/^\d{13}$/.test(text)) hints.push('webhook-timestamp looks like milliseconds: it must be whole seconds.');
    const detail = `webhook-timestamp is '${shown(text)}', which is no Unix time in seconds.`;
    return { code: 'timestamp_malformed', what, result: 'broken', detail };
  }
  const ageS = nowMs / 1_000 - Number(text);
  const when = `${new Date(Number(text) * 1_000).toISOString().slice(0, 19)}Z, ${ageText(ageS)}`;
  const detail = `Sent ${when}; ${toleranceS} s are accepted.`;
  if (ageS > toleranceS) {
    hints.push(
      isAsOf === true
        ? 'It was sent long before the time that --at gives.'
        : 'A stored delivery is always too old. --at with the time it came checks it as of then.',
    );
    return { code: 'timestamp_too_old', what, result: 'broken', detail };
  }
  if (-ageS > toleranceS) {
    hints.push(
      isAsOf === true
        ? 'It was sent after the time that --at gives: give the time at which it came.'
        : 'The delivery comes from the future: is the clock of this machine right?',
    );
    return { code: 'timestamp_too_new', what, result: 'broken', detail };
  }
  return { code: null, what, result: 'holds', detail };
}

function ageText(seconds: number): string {
  const s = Math.round(Math.abs(seconds));
  const text =
    s < 120
      ? `${s} s`
      : s < 7_200
        ? `${Math.round(s / 60)} min`
        : s < 172_800
          ? `${Math.round(s / 3_600)} h`
          : `${Math.round(s / 86_400)} days`;
  return seconds >= 0 ? `${text} ago` : `${text} ahead`;
}

/** What one family says. */
interface Match {
  readonly family: 'standard' | 'body';
  readonly rule: RuleResult;
  readonly matched: boolean;
}

function standardMatch(delivery: Delivery, secrets: readonly Secret[]): Match {
  const what = 'webhook-signature';
  const given = delivery.headers['webhook-signature']!.split(' ').filter((one) => one !== '');
  const ours = given.filter((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one));
  const family = 'standard';
  if (ours.length === 0) {
    const detail = `'${shown(given[0] ?? '')}' is not v1, and the base64 of 32 bytes.`;
    return { family, matched: false, rule: { code: 'signature_malformed', what, result: 'broken', detail } };
  }
  const matched = secrets.filter(({ key }) => key !== null && ours.some((one) => equals(one, standardSignature(key, delivery))));
  return { family, matched: matched.length > 0, rule: matchRule(what, matched.length, secrets.length, ours.length) };
}

function bodyMatch(delivery: Delivery, secrets: readonly Secret[]): Match {
  const what = 'X-Svc-Signature-256';
  const given = [delivery.headers[BODY_SIGNATURE], delivery.headers[BODY_SIGNATURE_NEXT]].filter((one) => one !== undefined);
  const ours = given.filter((one) => /^sha256=[0-9a-f]{64}$/.test(one));
  const family = 'body';
  if (ours.length === 0) {
    const detail = `'${shown(given[0] ?? '')}' is not sha256= and 64 hexadecimal digits.`;
    return { family, matched: false, rule: { code: 'signature_malformed', what, result: 'broken', detail } };
  }
  const matched = secrets.filter(({ text }) => ours.some((one) => equals(one, bodySignature(text, delivery.body))));
  return { family, matched: matched.length > 0, rule: matchRule(what, matched.length, secrets.length, ours.length) };
}

function matchRule(what: string, matched: number, secrets: number, signatures: number): RuleResult {
  const which = signatures === 1 ? 'The signature' : `One of ${signatures} signatures`;
  if (matched > 0)
    return {
      code: 'signature_mismatch',
      what,
      result: 'holds',
      detail: `${which} is of this body under ${secrets === 1 ? 'this secret' : `${matched} of ${secrets} secrets`}.`,
    };
  const none = signatures === 1 ? 'The signature is not' : `None of ${signatures} signatures is`;
  return {
    code: 'signature_mismatch',
    what,
    result: 'broken',
    detail: `${none} of this body under ${secrets === 1 ? 'this secret' : 'any of these secrets'}.`,
  };
}

/** What would have verified: found by trying, not guessed. */
function hintsOf(delivery: Delivery, secrets: readonly Secret[], matches: readonly Match[]): string[] {
  const hints = rotationHints(delivery, secrets);
  if (matches.every(({ matched }) => matched)) return hints;
  const [standard, body] = [matches.find(({ family }) => family === 'standard'), matches.find(({ family }) => family === 'body')];
  if (body?.matched === true && standard?.matched === false && standard.rule.code === 'signature_mismatch')
    return [...hints, 'Body and secret are right: webhook-id or webhook-timestamp is not the one that was signed.'];
  const found = [...bodyHints(delivery, secrets), ...keyHints(delivery, secrets), ...encodingHints(delivery, secrets)];
  if (found.length > 0) return [...hints, ...found];
  if (delivery.body.length === 0) return [...hints, 'The body is empty: was it read before, by a parser?'];
  const unmatched =
    'No change of the body or the secret that is usual verifies either. Most likely the secret is that of another webhook, or the one before a rotation.';
  return [...hints, unmatched];
}

function rotationHints({ headers, body }: Delivery, secrets: readonly Secret[]): string[] {
  const next = headers[BODY_SIGNATURE_NEXT];
  if (next === undefined) return [];
  const isNew = secrets.some(({ text }) => equals(next, bodySignature(text, body)));
  const isOld = secrets.some(({ text }) => equals(headers[BODY_SIGNATURE] ?? '', bodySignature(text, body)));
  if (isNew && isOld) return [];
  if (isNew)
    return [
      'The secret is being rotated, and this is the new one. X-Svc-Signature-256 is still of the old one; accept X-Svc-Signature-256-Next too.',
    ];
  if (isOld) return ['The secret is being rotated, and this is the old one: it signs no more when the grace ends.'];
  return [];
}

function bodyHints({ headers, body }: Delivery, secrets: readonly Secret[]): string[] {
  const text = body.toString('utf8');
  const compact = jsonAgain(text, 0);
  const candidates: [string, string | null][] = [
    ['There is a newline at the end of the body that was not sent: without it it verifies.', text.replace(/\r?\n$/, '')],
    ['A newline at the end of the body is missing: with it it verifies.', `${text}\n`],
    ['The body has other line ends than were sent: with \\n it verifies.', text.replaceAll('\r\n', '\n')],
    ['The body begins with a byte order mark that was not sent.', text.replace(/^\uFEFF/, '')],
    [
      'The body was parsed and written again with other white space: written compactly it verifies. Verify the raw bytes.',
      compact,
    ],
    ['The body was parsed and written again: with white space it verifies. Verify the raw bytes.', jsonAgain(text, 2)],
    ['The body is a JSON text of the body: it was put into quotes once more.', unquoted(text)],
  ];
  return candidates
    .filter(([, candidate]) => candidate !== null && candidate !== text)
    .filter(([, candidate]) => secrets.some((secret) => anyMatch({ headers, body: Buffer.from(candidate!) }, secret)))
    .map(([hint]) => hint)
    .slice(0, 1);
}

/** The key of the other family: what a sender of one's own gets wrong. */
function keyHints(delivery: Delivery, secrets: readonly Secret[]): string[] {
  const { headers, body } = delivery;
  const standard = headers['webhook-signature']?.split(' ') ?? [];
  const short = new Set([headers[BODY_SIGNATURE], headers[BODY_SIGNATURE_NEXT]]);
  return secrets.flatMap(({ text, key }) => {
    const hints = [];
    const bare = text.slice(PREFIX.length);
    if (standard.includes(standardSignature(text, delivery)))
      hints.push(`webhook-signature was made with the secret as text. Its key is what follows ${PREFIX}, decoded from base64.`);
    if (standard.includes(standardSignature(bare, delivery)))
      hints.push(`webhook-signature was made with what follows ${PREFIX} as text. It has to be decoded from base64 first.`);
    if (short.has(bodySignature(key!, body)))
      hints.push('X-Svc-Signature-256 was made with the decoded secret. Its key is the whole text.');
    if (short.has(bodySignature(bare, body)))
      hints.push(`X-Svc-Signature-256 was made without ${PREFIX}. Its key is the whole text, ${PREFIX} included.`);
    if (key !== null && standard.some((one) => one === `v1,${createHmac('sha256', key).update(body).digest('base64')}`))
      hints.push(
        'webhook-signature was made of the body alone. What is signed is webhook-id, a full stop, webhook-timestamp, a full stop and the body.',
      );
    return hints;
  });
}

/** Hex where base64 belongs, and the other way round. */
function encodingHints(delivery: Delivery, secrets: readonly Secret[]): string[] {
  const hex = (signature: string) => Buffer.from(signature.slice(3), 'base64').toString('hex');
  return secrets.flatMap(({ text, key }) => {
    const hints = [];
    const standard = delivery.headers['webhook-signature']?.toLowerCase();
    if (key !== null && standard?.includes(hex(standardSignature(key, delivery))) === true)
      hints.push('webhook-signature is in hex: it has to be base64, after v1 and a comma.');
    const digest = bodySignature(text, delivery.body).slice('sha256='.length);
    const given = delivery.headers[BODY_SIGNATURE] ?? '';
    if (given.includes(Buffer.from(digest, 'hex').toString('base64')))
      hints.push('X-Svc-Signature-256 is in base64: it has to be hex.');
    else if (given.toLowerCase().includes(digest) && !given.includes(`sha256=${digest}`))
      hints.push('X-Svc-Signature-256 is the right digest in another form: it has to be sha256= and hex in lower case.');
    return hints;
  });
}

function anyMatch(delivery: Delivery, secret: Secret): boolean {
  if (secret.fault !== null) return false;
  const { headers, body } = delivery;
  if (STANDARD.every((name) => headers[name] !== undefined) && standardMatch(delivery, [secret]).matched) return true;
  const given = [headers[BODY_SIGNATURE], headers[BODY_SIGNATURE_NEXT]];
  return given.includes(bodySignature(secret.text, body));
}

function jsonRule(body: Buffer): RuleResult {
  const rule = { code: 'body_malformed', what: 'body' } as const;
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return { ...rule, result: 'holds', detail: `JSON of ${body.length} bytes.` };
  } catch {
    return { ...rule, result: 'broken', detail: body.length === 0 ? 'It is empty.' : 'It is not JSON.' };
  }
}

/** `v1,<base64>`. `key`: decoded, as it is meant. */
export function standardSignature(key: Buffer | string, { headers, body }: Delivery): string {
  const mac = createHmac('sha256', key).update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`).update(body);
  return `v1,${mac.digest('base64')}`;
}

/** `sha256=<hex>`. `key`: the whole secret as text, as it is meant. */
export function bodySignature(key: Buffer | string, body: Buffer): string {
  return `sha256=${createHmac('sha256', key).update(body).digest('hex')}`;
}

function equals(a: string, b: string): boolean {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
}

function jsonAgain(text: string, indent: number): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, indent);
  } catch {
    return null;
  }
}

function unquoted(text: string): string | null {
  try {
    const inner = JSON.parse(text) as unknown;
    return typeof inner === 'string' ? inner : null;
  } catch {
    return null;
  }
}

/** The bytes of base64 with padding; `null`: it is none. */
export function base64Of(text: string): Buffer | null {
  if (text === '' || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '') ? bytes : null;
}

function shown(text: string): string {
  const plain = text.replaceAll(/[^\x20-\x7E]/g, '?');
  return plain.length > 40 ? `${plain.slice(0, 40)}…` : plain;
}

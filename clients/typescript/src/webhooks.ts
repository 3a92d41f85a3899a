// Checks that a delivery came from the service, unchanged, and now. No network; runs wherever WebCrypto does.

import { base64Bytes, concat, hexBytes } from './bytes.ts';
import { SvcError } from './errors.ts';
import type { Event } from './generated/types.ts';

/** Why a delivery is refused. `rule` is stable, for programs; the message is for people. Answer 401. */
export class WebhookVerificationError extends SvcError {
  override readonly name = 'WebhookVerificationError';
  readonly rule: WebhookRule;

  constructor(rule: WebhookRule, message: string) {
    super(message);
    this.rule = rule;
  }
}

/** The rules that a delivery can break. */
export type WebhookRule =
  | 'secret_malformed'
  | 'signature_missing'
  | 'signature_malformed'
  | 'timestamp_malformed'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'signature_mismatch'
  | 'body_malformed';

export interface WebhookDelivery {
  /** The body as it came, not parsed and written anew. */
  readonly body: string | Uint8Array;
  /** Of the request: `Headers`, or an object as Node has it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface VerifyOptions {
  /** `whsec_…`; during a rotation both. */
  readonly secret: string | readonly string[];
  /** How far the time of a delivery may be from now. Default: 300. */
  readonly toleranceS?: number;
  /** Unix milliseconds. Default: now. */
  readonly nowMs?: number;
}

const TOLERANCE_S = 300;
const PREFIX = 'whsec_';
const SECRET_BYTES_MIN = 16;
const MAC_BYTES = 32;
const utf8 = new TextEncoder();

/**
 * Checks a delivery by Standard Webhooks 1.0 (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which is safe against replays
 * that are older than the tolerance, and resolves with the event. Rejects with a `WebhookVerificationError`.
 * Keep the event's id: a delivery may come more than once.
 */
export async function verifyWebhook(
  delivery: WebhookDelivery,
  { secret, toleranceS = TOLERANCE_S, nowMs = Date.now() }: VerifyOptions,
): Promise<Event> {
  const id = headerOf(delivery, 'webhook-id');
  const timestamp = headerOf(delivery, 'webhook-timestamp');
  const signatures = headerOf(delivery, 'webhook-signature');
  if (id === null || timestamp === null || signatures === null)
    throw broken('signature_missing', 'The headers webhook-id, webhook-timestamp and webhook-signature are needed.');
  const keys = secretsOf(secret).map(keyOf);
  checkTime(timestamp, toleranceS, nowMs);
  // Signatures of versions to come stand beside those that are known.
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  const macs = given.map((signature) => base64Bytes(signature.slice('v1,'.length))).filter(isMac);
  if (macs.length === 0) throw broken('signature_malformed', 'webhook-signature must be v1, and the base64 of 32 bytes.');
  const body = bytesOf(delivery.body);
  await requireMatch(keys, concat(utf8.encode(`${id}.${timestamp}.`), body), macs);
  return eventOf(body);
}

/**
 * Checks `X-Svc-Signature-256`, as verifiers of GitHub's webhooks do, and resolves with the event. It does not cover the time, so whoever
 * has seen a delivery can send it again: prefer `verifyWebhook`. Rejects with a `WebhookVerificationError`.
 */
export async function verifySignature256(delivery: WebhookDelivery, { secret }: Pick<VerifyOptions, 'secret'>): Promise<Event> {
  const names = ['x-svc-signature-256', 'x-svc-signature-256-next'];
  const given = names.map((name) => headerOf(delivery, name)).filter((signature) => signature !== null);
  if (given.length === 0) throw broken('signature_missing', 'The header X-Svc-Signature-256 is needed.');
  const secrets = secretsOf(secret);
  // The key is the secret as text; one that holds no key was not copied whole.
  secrets.forEach(keyOf);
  const macs = given
    .filter((signature) => /^sha256=[0-9a-f]{64}$/.test(signature))
    .map((signature) => hexBytes(signature.slice(7)));
  if (macs.length === 0) throw broken('signature_malformed', 'X-Svc-Signature-256 must be sha256= and 64 hexadecimal digits.');
  const body = bytesOf(delivery.body);
  const keys = secrets.map((one) => utf8.encode(one));
  await requireMatch(keys, body, macs);
  return eventOf(body);
}

function broken(rule: WebhookRule, message: string): WebhookVerificationError {
  return new WebhookVerificationError(rule, message);
}

/** In whole seconds, as the timestamp is. */
function checkTime(timestamp: string, toleranceS: number, nowMs: number): void {
  // Compared with what is no number, every delivery would be new enough.
  for (const [name, value] of Object.entries({ toleranceS, nowMs }))
    if (!Number.isFinite(value) || value < 0) throw new SvcError(`${name} must be a number from 0.`);
  if (!/^\d{1,12}$/.test(timestamp)) throw broken('timestamp_malformed', 'webhook-timestamp must be a Unix time in seconds.');
  const ageS = Math.floor(nowMs / 1_000) - Number(timestamp);
  if (ageS > toleranceS) throw broken('timestamp_too_old', `The delivery is ${ageS} s old; ${toleranceS} s are accepted.`);
  if (-ageS > toleranceS)
    throw broken('timestamp_too_new', `The delivery is from ${-ageS} s in the future. Is the clock of this machine right?`);
}

/** WebCrypto compares in constant time. */
async function requireMatch(
  keys: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
  macs: readonly Uint8Array<ArrayBuffer>[],
): Promise<void> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const mac of macs) if (await crypto.subtle.verify('HMAC', key, mac, signed)) return;
  }
  throw broken(
    'signature_mismatch',
    'No signature is of this body under this secret. Is the body the raw one, and the secret that of this webhook?',
  );
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (Array.isArray(secrets) && secrets.length > 0) return secrets;
  throw broken('secret_malformed', 'A secret is needed. It is shown once, when the webhook is made.');
}

/** The bytes behind `whsec_`. */
function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const isPrefixed = typeof secret === 'string' && secret.startsWith(PREFIX);
  const key = isPrefixed ? base64Bytes(secret.slice(PREFIX.length)) : null;
  if (key === null || key.length < SECRET_BYTES_MIN)
    throw broken('secret_malformed', 'A secret is whsec_ and the base64 of a key. It is shown once, when the webhook is made.');
  return key;
}

function eventOf(body: Uint8Array): Event {
  try {
    const event: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
    if (typeof event === 'object' && event !== null && !Array.isArray(event)) return event as Event;
  } catch {
    // Told below.
  }
  throw broken('body_malformed', 'The body is signed, but is not a JSON object.');
}

/** `null`: it is missing, or empty. */
function headerOf({ headers }: WebhookDelivery, name: string): string | null {
  const value =
    typeof headers.get === 'function'
      ? (headers as Headers).get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1];
  const text = (Array.isArray(value) ? value[0] : value) as string | null | undefined;
  return text === undefined || text === null || text === '' ? null : text;
}

function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? utf8.encode(body) : new Uint8Array(body);
}

function isMac(bytes: Uint8Array<ArrayBuffer> | null): bytes is Uint8Array<ArrayBuffer> {
  return bytes?.length === MAC_BYTES;
}

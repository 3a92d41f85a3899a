// Checks that a delivery came from the service, unchanged, and now. No network, no clock but the system's; runs wherever WebCrypto does.

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
const text = new TextEncoder();

/**
 * Checks a delivery by Standard Webhooks 1.0 (`webhook-id`, `webhook-timestamp`, `webhook-signature`), which is safe against replays, and returns the event.
 * Throws `WebhookVerificationError`. Keep the event's id: a delivery may come more than once.
 */
export async function verifyWebhook(
  delivery: WebhookDelivery,
  { secret, toleranceS = TOLERANCE_S, nowMs = Date.now() }: VerifyOptions,
): Promise<Event> {
  const body = bytesOf(delivery.body);
  const id = headerOf(delivery, 'webhook-id');
  const timestamp = headerOf(delivery, 'webhook-timestamp');
  const signatures = headerOf(delivery, 'webhook-signature');
  if (id === null || timestamp === null || signatures === null)
    throw new WebhookVerificationError(
      'signature_missing',
      'The headers webhook-id, webhook-timestamp and webhook-signature are needed.',
    );
  checkTime(timestamp, toleranceS, nowMs);
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1,'));
  if (given.length === 0)
    throw new WebhookVerificationError('signature_malformed', 'webhook-signature has no signature of version v1.');
  const signed = concat(text.encode(`${id}.${timestamp}.`), body);
  const keys = secretsOf(secret).map(standardKey);
  const macs = given.map((signature) => base64Bytes(signature.slice(3)));
  await requireMatch(keys, signed, macs);
  return eventOf(body);
}

/**
 * Checks `X-Svc-Signature-256`, as verifiers of GitHub's webhooks do, and returns the event. It does not cover the time: prefer `verifyWebhook`.
 * Throws `WebhookVerificationError`.
 */
export async function verifySignature256(delivery: WebhookDelivery, { secret }: Pick<VerifyOptions, 'secret'>): Promise<Event> {
  const body = bytesOf(delivery.body);
  const given = [headerOf(delivery, 'x-svc-signature-256'), headerOf(delivery, 'x-svc-signature-256-next')].filter(
    (signature) => signature !== null,
  );
  if (given.length === 0) throw new WebhookVerificationError('signature_missing', 'The header X-Svc-Signature-256 is needed.');
  const macs = given.map((signature) => (/^sha256=[0-9a-f]{64}$/.test(signature) ? hexBytes(signature.slice(7)) : null));
  if (macs.every((mac) => mac === null))
    throw new WebhookVerificationError('signature_malformed', 'X-Svc-Signature-256 must be sha256= and 64 hexadecimal digits.');
  const keys = secretsOf(secret).map((one) => text.encode(one));
  await requireMatch(keys, body, macs);
  return eventOf(body);
}

function checkTime(timestamp: string, toleranceS: number, nowMs: number): void {
  if (!/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('timestamp_malformed', 'webhook-timestamp must be a Unix time in seconds.');
  const ageS = nowMs / 1_000 - Number(timestamp);
  if (ageS > toleranceS)
    throw new WebhookVerificationError(
      'timestamp_too_old',
      `The delivery is ${Math.round(ageS)} s old; ${toleranceS} s are accepted.`,
    );
  if (-ageS > toleranceS)
    throw new WebhookVerificationError(
      'timestamp_too_new',
      'The delivery comes from the future. Is the clock of this machine right?',
    );
}

/** WebCrypto compares in constant time. */
async function requireMatch(
  keys: readonly Uint8Array<ArrayBuffer>[],
  signed: Uint8Array<ArrayBuffer>,
  macs: readonly (Uint8Array<ArrayBuffer> | null)[],
): Promise<void> {
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
    for (const mac of macs) if (mac !== null && (await crypto.subtle.verify('HMAC', key, mac, signed))) return;
  }
  throw new WebhookVerificationError(
    'signature_mismatch',
    'No signature is of this body under this secret. Is the body the raw one, and the secret that of this webhook?',
  );
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((one) => !one.startsWith(PREFIX)))
    throw new WebhookVerificationError(
      'secret_malformed',
      'The secret begins with whsec_ and is shown once, when the webhook is made.',
    );
  return secrets;
}

function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const key = base64Bytes(secret.slice(PREFIX.length));
  if (key === null || key.length < SECRET_BYTES_MIN)
    throw new WebhookVerificationError('secret_malformed', 'What follows whsec_ is not the base64 of a key.');
  return key;
}

function eventOf(body: Uint8Array): Event {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body)) as Event;
  } catch {
    throw new WebhookVerificationError('body_malformed', 'The body is signed, but is not JSON.');
  }
}

function headerOf({ headers }: WebhookDelivery, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name);
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value = entry?.[1];
  return value === undefined ? null : typeof value === 'string' ? value : (value[0] ?? null);
}

function bytesOf(body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  return typeof body === 'string' ? text.encode(body) : new Uint8Array(body);
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}

function base64Bytes(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function hexBytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

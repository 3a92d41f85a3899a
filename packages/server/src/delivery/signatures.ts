// Signatures of deliveries. Two families with one secret: GitHub's (`X-Svc-Signature-256`, over the body alone) and Standard Webhooks 1.0
// (`webhook-signature`, over id, time and body, so that an old request cannot be sent again).

import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and the base64 form of 32 random bytes. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The secrets that sign at the moment: the old one is there during a rotation's grace. */
export interface SigningSecrets {
  readonly current: string;
  readonly old: string | null;
}

/**
 * The headers that sign `body`. During a rotation's grace `X-Svc-Signature-256` is still the old secret's, because its receivers compare with
 * one signature; the new one's is beside it. `timestamp`: Unix seconds of the attempt.
 */
export function signatureHeaders(
  { current, old }: SigningSecrets,
  id: string,
  timestamp: number,
  body: Buffer,
): Record<string, string> {
  const standard = [current, ...(old === null ? [] : [old])].map((secret) => standardSignature(secret, id, timestamp, body));
  return {
    'x-svc-signature-256': bodySignature(old ?? current, body),
    ...(old === null ? {} : { 'x-svc-signature-256-next': bodySignature(current, body) }),
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.join(' '),
  };
}

/** `sha256=<hex>`: the key is the whole secret as text (docs.github.com, "Validating webhook deliveries"). */
export function bodySignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}

/** `v1,<base64>`: the key is the decoded secret (standardwebhooks.com, spec 1.0). */
export function standardSignature(secret: string, id: string, timestamp: number, body: Buffer): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}

// Promises of the signatures, by published vectors.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { bodySignature, newSigningSecret, signatureHeaders, standardSignature } from './signatures.ts';

interface Vectors {
  readonly github: readonly { source: string; secret: string; body: string; signature: string }[];
  readonly standard: readonly {
    source: string;
    secret: string;
    id: string;
    timestamp: number;
    body: string;
    signature: string;
  }[];
}
const FILE = join(import.meta.dirname, '../../../../clients/conformance/webhooks.json');
const { github, standard } = (JSON.parse(readFileSync(FILE, 'utf8')) as { signatures: Vectors }).signatures;

test.each(github)('X-Svc-Signature-256 is as in the vector of $source', ({ secret, body, signature }) => {
  expect(bodySignature(secret, Buffer.from(body))).toBe(signature);
});

test.each(standard)('webhook-signature is as in the vector of $source', ({ secret, id, timestamp, body, signature }) => {
  expect(standardSignature(secret, id, timestamp, Buffer.from(body))).toBe(signature);
});

test('a new secret is 32 random bytes that the library of Standard Webhooks takes', () => {
  const [one, two] = [newSigningSecret(), newSigningSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(one).not.toBe(two);
  expect(() => new Webhook(one)).not.toThrow();
});

describe('during a rotation', () => {
  const [current, old] = [newSigningSecret(), newSigningSecret()];
  const body = Buffer.from('{"a":1}');
  const headers = signatureHeaders({ current, old }, 'evt_1', 1_764_547_200, body);

  test('the header that takes one signature is the old secret’s, with the new one’s beside it', () => {
    expect(headers['x-svc-signature-256']).toBe(bodySignature(old, body));
    expect(headers['x-svc-signature-256-next']).toBe(bodySignature(current, body));
  });

  test('the header that takes several has both, the new one first', () => {
    expect(headers['webhook-signature']).toBe(
      [current, old].map((secret) => standardSignature(secret, 'evt_1', 1_764_547_200, body)).join(' '),
    );
  });
});

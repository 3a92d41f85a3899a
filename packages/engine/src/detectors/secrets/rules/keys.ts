// Keys that no one vendor issues: tokens of identity systems, cryptographic keys on one line, and svc's own.

import { endsWithCrc, hasJwtHeader } from '../checksum.ts';
import { anchored, token } from '../rule.ts';
import type { Rule } from '../rule.ts';

const SVC = '[A-Za-z0-9]{38}';
const SVC_OPTIONS = { check: endsWithCrc, severity: 'critical', score: 0.99 } as const;
const HASH = { score: 0.85, severity: 'medium' } as const;

export const KEY_RULES: readonly Rule[] = [
  token('svc_api_key', 'svc live API key', 'svc_live_', SVC, SVC_OPTIONS),
  token('svc_api_key', 'svc test API key', 'svc_test_', SVC, SVC_OPTIONS),
  token('svc_api_key', 'svc admin API key', 'svc_admin_', SVC, SVC_OPTIONS),
  anchored(
    'jwt',
    'JSON Web Token',
    // Signed ones are known by the start of what they say, encrypted ones by the start of the fourth part: within 900 characters.
    String.raw`eyJ[A-Za-z0-9_-]{8,700}\.eyJ[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,800}){0,3}|eyJ[A-Za-z0-9_-]{8,300}\.[A-Za-z0-9_-]{0,520}\.[A-Za-z0-9_-]{8,64}(?:\.[A-Za-z0-9_-]{8,4000}){1,2}`,
    {
      anchors: ['eyj'],
      prefix: 'eyJ',
      check: hasJwtHeader,
      checkRequired: true,
      score: 0.96,
    },
  ),
  token('age_secret_key', 'age secret key', 'AGE-SECRET-KEY-1', '[AC-HJ-NP-Z02-9]{58}', { severity: 'critical', entropyMin: 3 }),
  token('age_secret_key', 'age post-quantum secret key', 'AGE-SECRET-KEY-PQ-1', '[AC-HJ-NP-Z02-9]{58}', {
    severity: 'critical',
    entropyMin: 3,
  }),
  token('extended_private_key', 'wallet extended private key', 'xprv', '[A-HJ-NP-Za-km-z1-9]{107,108}', {
    severity: 'critical',
    entropyMin: 4,
  }),
  // Hashes of passwords: not the secret itself, yet what an offline attack starts from.
  token('password_hash', 'Apache MD5 password hash', '$apr1$', String.raw`[A-Za-z0-9./]{1,8}\$[A-Za-z0-9./]{22}`, HASH),
  ...['$2a$', '$2b$', '$2y$'].map((prefix) =>
    token('password_hash', 'bcrypt password hash', prefix, String.raw`\d\d\$[A-Za-z0-9./]{53}`, HASH),
  ),
  ...['$5$', '$6$'].map((prefix) =>
    token(
      'password_hash',
      'crypt password hash',
      prefix,
      String.raw`(?:rounds=\d{1,9}\$)?[A-Za-z0-9./]{1,16}\$[A-Za-z0-9./]{43,86}`,
      HASH,
    ),
  ),
  ...['$argon2id$', '$argon2i$'].map((prefix) =>
    token(
      'password_hash',
      'Argon2 password hash',
      prefix,
      String.raw`v=\d{1,3}\$m=\d{1,8},t=\d{1,3},p=\d{1,3}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,128}`,
      HASH,
    ),
  ),
  anchored('kubernetes_secret_data', 'Kubernetes client key', String.raw`client-key-data: {0,4}([A-Za-z0-9+/]{100,900}={0,2})`, {
    anchors: ['client-key-data:'],
    severity: 'critical',
  }),
  anchored(
    'docker_registry_auth',
    'container registry login',
    String.raw`"auth"\s{0,8}:\s{0,8}"([A-Za-z0-9+/]{12,400}={0,2})"?`,
    {
      anchors: ['"auth"'],
      score: 0.9,
    },
  ),
];

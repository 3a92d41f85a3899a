// Wire shapes of API keys.

import { Type, type Static } from 'typebox';
import { Line, Nullable, Time, isoTime } from '../http/schemas.ts';
import { KEY_TYPES, SCOPES } from '../access/scopes.ts';
import type { ApiKey } from './store.ts';

export const CreateApiKey = Type.Object(
  {
    name: Line(200, 'What the key is for.'),
    type: Type.Enum([...KEY_TYPES], {
      description: '`live` for production, `test` for CI and development, `admin` for management.',
    }),
    description: Type.Optional(Nullable(Line(1_000, 'Anything worth knowing about it.', { minLength: 0 }))),
    expires_at: Type.Optional(Nullable(Time('When it stops working; at most ten years ahead. Absent or null: never.'))),
    permissions: Type.Optional(
      Type.Array(Type.Enum([...SCOPES]), {
        minItems: 1,
        maxItems: SCOPES.length,
        uniqueItems: true,
        description: 'Scopes in place of those that its type holds by default. Nobody grants what they do not hold.',
      }),
    ),
  },
  { additionalProperties: false, title: 'CreateApiKey' },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

const API_KEY = {
  id: Type.String({ examples: ['key_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
  name: Type.String(),
  type: Type.Enum([...KEY_TYPES]),
  description: Nullable(Type.String()),
  permissions: Type.Array(Type.Enum([...SCOPES])),
  service_account_id: Nullable(Type.String({ description: 'The service account it belongs to, whose permissions it has.' })),
  created_at: Time('When it was made.'),
  expires_at: Nullable(Time('When it stops working.')),
  last_used_at: Nullable(Time('When it was last used; written every few seconds.')),
  revoked_at: Nullable(Time('Since when it is refused.')),
  rotation_due: Type.Boolean({ description: 'It is older than 90 days and still in use: make another and revoke this one.' }),
  last4: Type.String({ description: 'The last four characters of the key, to tell keys apart.' }),
};

export const ApiKeyBody = Type.Object(API_KEY, { title: 'ApiKey' });

export const CreatedApiKey = Type.Object(
  {
    ...API_KEY,
    key: Type.Optional(Type.String({ description: 'The key itself. Only in this answer, and not when it is repeated.' })),
  },
  { title: 'CreatedApiKey' },
);

const ROTATION_MS = 90 * 86_400_000;

/** A key as the API shows it. */
export function presentApiKey(key: ApiKey): Static<typeof ApiKeyBody> {
  return {
    id: key.id,
    name: key.name,
    type: key.type,
    description: key.description,
    permissions: [...key.permissions],
    service_account_id: key.serviceAccountId,
    created_at: isoTime(key.createdAtMs),
    expires_at: key.expiresAtMs === null ? null : isoTime(key.expiresAtMs),
    last_used_at: key.lastUsedAtMs === null ? null : isoTime(key.lastUsedAtMs),
    revoked_at: key.revokedAtMs === null ? null : isoTime(key.revokedAtMs),
    rotation_due: key.revokedAtMs === null && Date.now() - key.createdAtMs > ROTATION_MS,
    last4: key.last4,
  };
}

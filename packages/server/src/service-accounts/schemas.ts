// Wire shapes of service accounts.

import { Type, type Static } from 'typebox';
import { SCOPES } from '../access/scopes.ts';
import { isoTime, Line, Nullable, Time } from '../http/schemas.ts';
import type { ServiceAccount } from './store.ts';

const RANGES_MAX = 100;

const Permissions = Type.Array(Type.Enum([...SCOPES]), {
  minItems: 1,
  maxItems: SCOPES.length,
  uniqueItems: true,
  description: 'Scopes of the account and of all its keys. Nobody grants what they do not hold.',
});
const IpAllowlist = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: RANGES_MAX,
  description: 'CIDR ranges, IPv4 or IPv6, from which its keys may be used. Empty: from anywhere.',
  examples: [['203.0.113.0/24', '2001:db8::/32']],
});
const ExpiresAt = Type.Optional(Nullable(Time('When the key stops working; at most ten years ahead. Absent or null: never.')));

export const CreateServiceAccount = Type.Object(
  {
    name: Line(200, 'What the account is for.'),
    permissions: Permissions,
    ip_allowlist: Type.Optional(IpAllowlist),
    type: Type.Optional(
      Type.Enum(['live', 'test'], {
        default: 'live',
        description: 'Of its keys. With `admin:*` or `policy:write` a live account gets admin keys.',
      }),
    ),
  },
  { additionalProperties: false, title: 'CreateServiceAccount' },
);
export type CreateServiceAccount = Static<typeof CreateServiceAccount>;

export const PatchServiceAccount = Type.Object(
  {
    name: Type.Optional(Line(200, 'What the account is for.')),
    permissions: Type.Optional(Permissions),
    ip_allowlist: Type.Optional(IpAllowlist),
  },
  { additionalProperties: false, minProperties: 1, title: 'PatchServiceAccount' },
);
export type PatchServiceAccount = Static<typeof PatchServiceAccount>;

export const CreateServiceAccountKey = Type.Object(
  { expires_at: ExpiresAt },
  { additionalProperties: false, title: 'CreateServiceAccountKey' },
);
export type CreateServiceAccountKey = Static<typeof CreateServiceAccountKey>;

const SERVICE_ACCOUNT = {
  id: Type.String({ examples: ['sa_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
  name: Type.String(),
  permissions: Type.Array(Type.Enum([...SCOPES])),
  ip_allowlist: Type.Array(Type.String()),
  type: Type.Enum(['live', 'test']),
  created_at: Time('When it was made.'),
  updated_at: Time('When it was last changed.'),
  deleted_at: Nullable(Time('When it was deleted.')),
};

export const ServiceAccountBody = Type.Object(SERVICE_ACCOUNT, { title: 'ServiceAccount' });
export const CreatedServiceAccount = Type.Object(
  {
    ...SERVICE_ACCOUNT,
    key_id: Nullable(Type.String({ description: 'Its first key.' })),
    key: Type.Optional(Type.String({ description: 'The key itself. Only in this answer, and not when it is repeated.' })),
  },
  { title: 'CreatedServiceAccount' },
);

/** A service account as the API shows it. */
export function presentServiceAccount(account: ServiceAccount): Static<typeof ServiceAccountBody> {
  return {
    id: account.id,
    name: account.name,
    permissions: [...account.permissions],
    ip_allowlist: [...account.ipAllowlist],
    type: account.keyType === 'test' ? 'test' : 'live',
    created_at: isoTime(account.createdAtMs),
    updated_at: isoTime(account.updatedAtMs),
    deleted_at: account.deletedAtMs === null ? null : isoTime(account.deletedAtMs),
  };
}

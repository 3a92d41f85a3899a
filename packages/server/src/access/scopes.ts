// Permission scopes, and what each type of key holds.

export const SCOPES = [
  'assess:create',
  'events:read',
  'policy:read',
  'policy:write',
  'probes:read',
  'probes:write',
  'webhooks:read',
  'webhooks:write',
  'reports:read',
  'admin:*',
] as const;
export type Scope = (typeof SCOPES)[number];

export const KEY_TYPES = ['live', 'test', 'admin'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

/** What a key of each type holds when its creator does not say. */
export const KEY_SCOPES: Readonly<Record<KeyType, readonly Scope[]>> = {
  live: SCOPES.filter((scope) => scope !== 'policy:write' && scope !== 'admin:*'),
  test: ['assess:create', 'policy:read', 'webhooks:read', 'webhooks:write'],
  admin: ['admin:*'],
};

/** What a key of each type may be given: only admin keys write the policy or manage the organization. */
export const GRANTABLE_SCOPES: Readonly<Record<KeyType, readonly Scope[]>> = {
  live: KEY_SCOPES.live,
  test: KEY_SCOPES.live,
  admin: SCOPES,
};

/** `admin:*` holds every other scope. */
export function holds(held: readonly string[], scope: Scope): boolean {
  return held.includes(scope) || held.includes('admin:*');
}

export const ROLES = ['viewer', 'operator', 'policy_editor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

const VIEWER = SCOPES.filter((scope) => scope.endsWith(':read'));
const OPERATOR = [...VIEWER, 'probes:write', 'webhooks:write', 'assess:create'] as const;

/** What a user of each role holds; each role holds what those before it hold. */
export const ROLE_SCOPES: Readonly<Record<Role, readonly Scope[]>> = {
  viewer: VIEWER,
  operator: OPERATOR,
  policy_editor: [...OPERATOR, 'policy:write'],
  admin: ['admin:*'],
};

// What credentials may do: the scopes of the API, and what each type of key and each role holds.

import type { CreateServiceAccount, PutSso } from '@svc/client';

export type Scope = CreateServiceAccount['permissions'][number];
export type KeyType = 'live' | 'test' | 'admin';
export type Role = PutSso['roles'][string];

/** Each with what it lets one do. */
export const SCOPE_MEANINGS: Readonly<Record<Scope, string>> = {
  'assess:create': 'Assess texts, and report as a probe.',
  'events:read': 'Read events and assessments, with what they hold.',
  'policy:read': 'Read and lint the policy.',
  'policy:write': 'Change the policy.',
  'probes:read': 'Read probes and drift.',
  'probes:write': 'Change probes, and acknowledge drift.',
  'webhooks:read': 'Read webhooks, integrations and inboxes.',
  'webhooks:write': 'Change them. Who holds it can have all events sent elsewhere.',
  'reports:read': 'Read reports and usage.',
  'admin:*': 'Everything: all other scopes, and keys, accounts, sessions, single sign-on and judges.',
};
export const SCOPES = Object.keys(SCOPE_MEANINGS) as readonly Scope[];

const LIVE = SCOPES.filter((scope) => scope !== 'policy:write' && scope !== 'admin:*');

interface TypeOfKey {
  readonly title: string;
  readonly meaning: string;
  /** What a key of the type holds when nobody says otherwise. */
  readonly holds: readonly Scope[];
  /** What it can be given. */
  readonly grantable: readonly Scope[];
}

export const KEY_TYPES: Readonly<Record<KeyType, TypeOfKey>> = {
  live: {
    title: 'Live',
    meaning: 'For production. Everything but changing the policy and managing the organization.',
    holds: LIVE,
    grantable: LIVE,
  },
  test: {
    title: 'Test',
    meaning: 'For CI and development. What it assesses stays out of the trail.',
    holds: ['assess:create', 'policy:read', 'webhooks:read', 'webhooks:write'],
    grantable: LIVE,
  },
  admin: {
    title: 'Admin',
    meaning: 'For managing keys and the policy, and for signing in here. Holds every scope.',
    holds: ['admin:*'],
    grantable: SCOPES,
  },
};

/** The lowest first: each holds what those before it hold. */
export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'reads everything',
  operator: 'also assesses, and changes webhooks and probes',
  policy_editor: 'also changes the policy',
  admin: 'manages the organization',
};
export const ROLES = Object.keys(ROLE_MEANINGS) as readonly Role[];

export function isSameScopes(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((scope) => b.includes(scope));
}

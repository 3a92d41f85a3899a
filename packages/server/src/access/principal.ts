// On whose behalf a request is made.

import type { CidrList } from '../addresses/cidr.ts';
import type { Actor } from '../journal/journal.ts';
import type { Organization } from '../organizations/organization.ts';
import type { KeyType, Scope } from './scopes.ts';

export interface Principal {
  readonly type: 'api_key' | 'service_account' | 'user';
  /** `key_…`, `sa_…`, or the user as the identity provider names him. */
  readonly id: string;
  readonly name: string;
  /** `test`: sees and makes test objects only, and leaves no trace in the trail. */
  readonly mode: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly organization: Organization;
  /** The key that was presented, or that opened the session; `null` for a user. */
  readonly key: { readonly id: string; readonly type: KeyType } | null;
  /** The session, when the credential is a session token or a cookie. */
  readonly session: { readonly id: string; readonly signedInAtMs: number; readonly expiresAtMs: number } | null;
  /** Empty: requests may come from anywhere. */
  readonly allowlist: CidrList;
}

/** As events name who caused them. */
export function actorOf(principal: Principal, address: string): Actor {
  return { type: principal.type, id: principal.id, ip: address };
}

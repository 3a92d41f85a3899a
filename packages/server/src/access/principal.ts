// On whose behalf a request is made.

import type { Organization } from '../organizations/organization.ts';
import type { Actor } from '../journal/journal.ts';
import type { KeyType, Scope } from './scopes.ts';

export interface Principal {
  readonly type: 'api_key';
  /** `key_…` */
  readonly id: string;
  readonly name: string;
  readonly keyType: KeyType;
  /** `test`: sees and makes test objects only, and leaves no trace in the trail. */
  readonly mode: 'live' | 'test';
  readonly scopes: readonly Scope[];
  readonly organization: Organization;
}

/** As events name who caused them. */
export function actorOf(principal: Principal, address: string): Actor {
  return { type: principal.type, id: principal.id, ip: address };
}

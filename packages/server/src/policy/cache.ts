// The policy in force of each organization, compiled.

import { compilePolicy, type CompiledPolicy } from '@svc/engine';
import { formatId } from '../ids.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import { Remembered } from '../journal/remembered.ts';
import type { Database } from '../storage/database.ts';
import { findCurrentPolicy, findCurrentPolicyVersion, type PolicyVersion } from './store.ts';

// A compiled policy of many patterns takes megabytes.
const ENTRIES_MAX = 500;
const SUBJECT = 'policy of ';

/** The subject of the change feed for an organization's policy. */
export function policySubject(orgId: string): string {
  return SUBJECT + orgId;
}

export class PolicyCache {
  readonly #remembered: Remembered<CompiledPolicy>;

  constructor(db: Database, changes: ChangeFeed) {
    this.#remembered = new Remembered(changes, {
      subject: SUBJECT,
      entriesMax: ENTRIES_MAX,
      async read(_orgId, orgUuid, known) {
        const { version, asOf } = await findCurrentPolicyVersion(db, orgUuid);
        if (known?.version === version) return { value: known, asOf };
        return { value: newest(known, await findCurrentPolicy(db, orgUuid)), asOf };
      },
    });
  }

  /** The policy in force, when it is known without asking the database. */
  peek(orgId: string): CompiledPolicy | undefined {
    return this.#remembered.peek(orgId);
  }

  /** The policy in force. Parallel calls share one read. Throws `unavailable`. */
  get(orgId: string, orgUuid: Buffer): Promise<CompiledPolicy> {
    return this.#remembered.get(orgId, orgUuid);
  }

  /** Puts a version in force on this node at once. An older one than that in force is ignored. */
  put(orgUuid: Buffer, policy: PolicyVersion): CompiledPolicy {
    const orgId = formatId('org', orgUuid);
    const compiled = newest(this.#remembered.last(orgId), policy);
    this.#remembered.put(orgId, compiled);
    return compiled;
  }
}

function newest(known: CompiledPolicy | undefined, policy: PolicyVersion): CompiledPolicy {
  return known !== undefined && known.version >= policy.version ? known : compilePolicy(policy.document, policy.version);
}

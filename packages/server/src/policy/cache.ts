// The policy in force of each organization, compiled.

import { compilePolicy, type CompiledPolicy } from '@svc/engine';
import { formatId, parseId } from '../ids.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import type { Database } from '../storage/database.ts';
import { findCurrentPolicy, findCurrentPolicyVersion, type PolicyVersion } from './store.ts';

// A compiled policy of many patterns takes megabytes.
const ENTRIES_MAX = 500;

interface Entry {
  readonly compiled: CompiledPolicy;
  /** False when there may be a newer version. */
  isCurrent: boolean;
}

/** The subject of the change feed for an organization's policy. */
export function policySubject(orgId: string): string {
  return `policy of ${orgId}`;
}

export class PolicyCache {
  readonly #db: Database;
  readonly #changes: ChangeFeed;
  /** The least recently read one first. */
  readonly #entries = new Map<string, Entry>();
  readonly #reading = new Map<string, Promise<CompiledPolicy>>();

  constructor(db: Database, changes: ChangeFeed) {
    this.#db = db;
    this.#changes = changes;
    changes.onChange((subject) => this.#doubt(subject));
  }

  /** The policy in force, when it is known without asking the database. */
  peek(orgId: string): CompiledPolicy | undefined {
    const entry = this.#entries.get(orgId);
    return entry?.isCurrent === true && this.#changes.isCurrent ? entry.compiled : undefined;
  }

  /** The policy in force. Parallel calls share one read. Throws `unavailable`. */
  async get(orgId: string, orgUuid: Buffer): Promise<CompiledPolicy> {
    await this.#changes.sync();
    const known = this.peek(orgId);
    if (known !== undefined) return known;
    let reading = this.#reading.get(orgId);
    if (reading === undefined) {
      reading = this.#read(orgId, orgUuid).finally(() => this.#reading.delete(orgId));
      this.#reading.set(orgId, reading);
    }
    return reading;
  }

  /** Puts a version in force on this node at once. An older one than that in force is ignored. */
  put(orgUuid: Buffer, policy: PolicyVersion): CompiledPolicy {
    const orgId = formatId('org', orgUuid);
    const known = this.#entries.get(orgId);
    const isKnown = known !== undefined && known.compiled.version >= policy.version;
    const compiled = isKnown ? known.compiled : compilePolicy(policy.document, policy.version);
    this.#keep(orgId, compiled);
    return compiled;
  }

  async #read(orgId: string, orgUuid: Buffer): Promise<CompiledPolicy> {
    const known = this.#entries.get(orgId)?.compiled;
    const { version, asOf } = await findCurrentPolicyVersion(this.#db, orgUuid);
    const policy = known?.version === version ? null : await findCurrentPolicy(this.#db, orgUuid);
    // Stored in the meantime, and told of already: what was read may be the version before.
    if (this.#changes.isOutdated([policySubject(orgId)], asOf)) return this.#read(orgId, orgUuid);
    if (policy !== null) return this.put(orgUuid, policy);
    this.#keep(orgId, known!);
    return known!;
  }

  #doubt(subject: string | null): void {
    // A database that was set back has older versions in force.
    if (subject === null) this.#entries.clear();
    else if (subject.startsWith('policy of ')) {
      const orgId = subject.slice('policy of '.length);
      const entry = this.#entries.get(orgId);
      if (entry === undefined) return;
      entry.isCurrent = false;
      // Read and compiled ahead, so that no assessment waits for it. Where that fails, the next one reads it.
      this.get(orgId, parseId('org', orgId)!).catch(() => {});
    }
  }

  #keep(orgId: string, compiled: CompiledPolicy): void {
    this.#entries.delete(orgId);
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(orgId, { compiled, isCurrent: true });
  }
}

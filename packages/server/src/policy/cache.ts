// The policy in force of each organization, compiled.

import { compilePolicy, type CompiledPolicy } from '@svc/engine';
import type { Database } from '../storage/database.ts';
import { findCurrentPolicy, findCurrentPolicyVersion, type PolicyVersion } from './store.ts';

// A version stored on another node is in force here within this time: it is looked for in the background while requests go on.
const FRESH_MS = 1_000;
const REFRESH_MS = 400;

// A compiled policy of many patterns takes megabytes.
const ENTRIES_MAX = 500;

interface Entry {
  readonly compiled: CompiledPolicy;
  /** Of the monotonic clock. */
  readAt: number;
}

export class PolicyCache {
  readonly #db: Database;
  /** The least recently read one first. */
  readonly #entries = new Map<string, Entry>();
  readonly #reading = new Map<string, Promise<CompiledPolicy>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The policy in force, when it is known without asking the database. */
  peek(orgId: string, orgUuid: Buffer): CompiledPolicy | undefined {
    const entry = this.#entries.get(orgId);
    const ageMs = entry === undefined ? Infinity : performance.now() - entry.readAt;
    if (ageMs >= FRESH_MS) return undefined;
    if (ageMs >= REFRESH_MS) this.get(orgId, orgUuid).catch(() => {}); // the next request that must wait for it hears of a fault
    return entry!.compiled;
  }

  /** The policy in force. Parallel calls share one read. */
  get(orgId: string, orgUuid: Buffer): Promise<CompiledPolicy> {
    let reading = this.#reading.get(orgId);
    if (reading === undefined) {
      reading = this.#read(orgId, orgUuid).finally(() => this.#reading.delete(orgId));
      this.#reading.set(orgId, reading);
    }
    return reading;
  }

  /** Puts a version in force on this node at once. An older one than that in force is ignored. */
  put(orgId: string, policy: PolicyVersion, readAt = performance.now()): CompiledPolicy {
    const known = this.#entries.get(orgId);
    const isKnown = known !== undefined && known.compiled.version >= policy.version;
    const compiled = isKnown ? known.compiled : compilePolicy(policy.document, policy.version);
    this.#keep(orgId, compiled, readAt);
    return compiled;
  }

  async #read(orgId: string, orgUuid: Buffer): Promise<CompiledPolicy> {
    const readAt = performance.now();
    const known = this.#entries.get(orgId)?.compiled;
    if (known === undefined || (await findCurrentPolicyVersion(this.#db, orgUuid)) !== known.version) {
      return this.put(orgId, await findCurrentPolicy(this.#db, orgUuid), readAt);
    }
    this.#keep(orgId, known, readAt);
    return known;
  }

  #keep(orgId: string, compiled: CompiledPolicy, readAt: number): void {
    this.#entries.delete(orgId);
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(orgId, { compiled, readAt });
  }
}

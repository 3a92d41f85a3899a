// The policy in force of each organization, compiled.

import { compilePolicy, type CompiledPolicy } from '@svc/engine';
import type { Database } from '../storage/database.ts';
import { findCurrentPolicy, findCurrentPolicyVersion, type PolicyVersion } from './store.ts';

// A version stored on another node is in force here within this time: it is looked for in the background while requests go on.
const FRESH_MS = 1_000;
const REFRESH_MS = 400;
const ENTRIES_MAX = 10_000;

interface Entry {
  readonly compiled: CompiledPolicy;
  readAtMs: number;
}

export class PolicyCache {
  readonly #db: Database;
  readonly #entries = new Map<string, Entry>();
  readonly #reading = new Map<string, Promise<CompiledPolicy>>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The policy in force, when it is known without asking the database. */
  peek(orgId: string, orgUuid: Buffer, nowMs: number): CompiledPolicy | undefined {
    const entry = this.#entries.get(orgId);
    const ageMs = entry === undefined ? Infinity : nowMs - entry.readAtMs;
    if (ageMs >= FRESH_MS) return undefined;
    if (ageMs >= REFRESH_MS) this.get(orgId, orgUuid, nowMs).catch(() => {}); // the next request that must wait for it hears of a fault
    return entry!.compiled;
  }

  /** The policy in force. Parallel calls share one read. */
  get(orgId: string, orgUuid: Buffer, nowMs: number): Promise<CompiledPolicy> {
    let reading = this.#reading.get(orgId);
    if (reading === undefined) {
      reading = this.#read(orgId, orgUuid, nowMs).finally(() => this.#reading.delete(orgId));
      this.#reading.set(orgId, reading);
    }
    return reading;
  }

  /** Puts a version in force on this node at once. An older one than that in force is ignored. */
  put(orgId: string, policy: PolicyVersion, nowMs: number): CompiledPolicy {
    const entry = this.#entries.get(orgId);
    if (entry !== undefined && entry.compiled.version >= policy.version) {
      entry.readAtMs = Math.max(entry.readAtMs, nowMs);
      return entry.compiled;
    }
    if (this.#entries.size >= ENTRIES_MAX) this.#entries.delete(this.#entries.keys().next().value!);
    const compiled = compilePolicy(policy.document, policy.version);
    this.#entries.set(orgId, { compiled, readAtMs: nowMs });
    return compiled;
  }

  async #read(orgId: string, orgUuid: Buffer, nowMs: number): Promise<CompiledPolicy> {
    const entry = this.#entries.get(orgId);
    if (entry !== undefined && (await findCurrentPolicyVersion(this.#db, orgUuid)) === entry.compiled.version) {
      entry.readAtMs = nowMs;
      return entry.compiled;
    }
    return this.put(orgId, await findCurrentPolicy(this.#db, orgUuid), nowMs);
  }
}

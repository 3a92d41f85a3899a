// The candidate of each organization, compiled, as this node remembers it.

import { compilePolicy, type CompiledPolicy } from '@svc/engine';
import { parseId } from '../../ids.ts';
import type { ChangeFeed } from '../../journal/change-feed.ts';
import type { Database } from '../../storage/database.ts';
import { findShadow, type ShadowRecord } from './store.ts';

/** As many as of policies in force. */
const ENTRIES_MAX = 500;
const SUBJECT = 'shadow of ';

/** A candidate that is ready to decide. */
export interface Shadow {
  readonly digest: string;
  /** `null`: today's lint refuses what was taken earlier. */
  readonly policy: CompiledPolicy | null;
  readonly sampleRate: number;
  readonly expiresAtMs: number;
}

/** The subject of the change feed for an organization's candidate. */
export function shadowSubject(orgId: string): string {
  return SUBJECT + orgId;
}

export class ShadowCache {
  readonly #db: Database;
  readonly #changes: ChangeFeed;
  readonly #onLoad: () => void;
  /** The one read longest ago first; `null`: there is none. */
  readonly #known = new Map<string, Shadow | null>();
  readonly #reading = new Map<string, Promise<Shadow | null>>();

  /** `onLoad` hears when this node comes to hold a candidate. */
  constructor(db: Database, changes: ChangeFeed, onLoad: () => void) {
    this.#db = db;
    this.#changes = changes;
    this.#onLoad = onLoad;
    changes.onChange((subject) => {
      if (subject === null) this.#known.clear();
      else if (subject.startsWith(SUBJECT)) this.#forget(subject.slice(SUBJECT.length));
    });
  }

  /** The candidate, `null` where there is none, when that is known without asking the database. */
  peek(orgId: string): Shadow | null | undefined {
    return this.#changes.isCurrent ? this.#known.get(orgId) : undefined;
  }

  /** The candidate as it is now. Parallel calls share one read. Throws `unavailable`. */
  async get(orgId: string, orgUuid: Buffer): Promise<Shadow | null> {
    await this.#changes.sync();
    const known = this.#known.get(orgId);
    if (known !== undefined) return known;
    let reading = this.#reading.get(orgId);
    if (reading === undefined) {
      reading = this.#read(orgId, orgUuid).finally(() => this.#reading.delete(orgId));
      this.#reading.set(orgId, reading);
    }
    return reading;
  }

  #forget(orgId: string): void {
    // Read and compiled ahead, so that no assessment waits for it. Where that fails, the next one reads it.
    if (this.#known.delete(orgId)) this.get(orgId, parseId('org', orgId)!).catch(() => {});
  }

  async #read(orgId: string, orgUuid: Buffer): Promise<Shadow | null> {
    const { shadow, asOf } = await findShadow(this.#db, orgUuid);
    // Changed in the meantime, and told of already: what was read may be the state before.
    if (this.#changes.isOutdated([shadowSubject(orgId)], asOf)) return this.#read(orgId, orgUuid);
    const loaded = shadow === null ? null : ready(shadow);
    if (this.#known.size >= ENTRIES_MAX) this.#known.delete(this.#known.keys().next().value!);
    this.#known.set(orgId, loaded);
    if (loaded !== null) this.#onLoad();
    return loaded;
  }
}

function ready({ digest, document, sampleRate, expiresAtMs }: ShadowRecord): Shadow {
  return { digest, policy: compiledOrNull(document), sampleRate, expiresAtMs };
}

function compiledOrNull(document: ShadowRecord['document']): CompiledPolicy | null {
  try {
    return compilePolicy(document, 0);
  } catch {
    return null;
  }
}

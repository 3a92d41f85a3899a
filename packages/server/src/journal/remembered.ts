// What this node remembers of each organization, so that requests need not ask the database: true for as long as the change feed is heard.

import { parseId } from '../ids.ts';
import type { ChangeFeed } from './change-feed.ts';

interface Entry<T> {
  readonly value: T;
  /** False when it may be otherwise by now. */
  isCurrent: boolean;
}

/** What was read, and as of which change. */
interface Read<T> {
  readonly value: T;
  readonly asOf: number;
}

interface Options<T> {
  /** The subject of the change feed is this and the organization's id, e.g. `policy of `. */
  readonly subject: string;
  /** Of organizations; beyond that the one kept longest ago is forgotten. */
  readonly entriesMax: number;
  /** Reads from the database. `known`: what was remembered, which may still be true. */
  readonly read: (orgId: string, orgUuid: Buffer, known: T | undefined) => Promise<Read<T>>;
}

export class Remembered<T> {
  readonly #changes: ChangeFeed;
  readonly #options: Options<T>;
  readonly #entries = new Map<string, Entry<T>>();
  readonly #reading = new Map<string, Promise<T>>();

  constructor(changes: ChangeFeed, options: Options<T>) {
    this.#changes = changes;
    this.#options = options;
    changes.onChange((subject) => {
      // A database that was set back has older things in force.
      if (subject === null) this.#entries.clear();
      else if (subject.startsWith(options.subject)) this.#doubt(subject.slice(options.subject.length));
    });
  }

  /** The value, when it is known without asking the database. */
  peek(orgId: string): T | undefined {
    const entry = this.#entries.get(orgId);
    return entry?.isCurrent === true && this.#changes.isCurrent ? entry.value : undefined;
  }

  /** What is remembered, be it true or not by now. */
  last(orgId: string): T | undefined {
    return this.#entries.get(orgId)?.value;
  }

  /** The value as it is now. Parallel calls share one read. Throws `unavailable`. */
  async get(orgId: string, orgUuid: Buffer): Promise<T> {
    await this.#changes.sync();
    const entry = this.#entries.get(orgId);
    if (entry?.isCurrent === true && this.#changes.isCurrent) return entry.value;
    let reading = this.#reading.get(orgId);
    if (reading === undefined) {
      reading = this.#read(orgId, orgUuid).finally(() => this.#reading.delete(orgId));
      this.#reading.set(orgId, reading);
    }
    return reading;
  }

  /** Remembers what is known to be true. */
  put(orgId: string, value: T): void {
    this.#entries.delete(orgId);
    if (this.#entries.size >= this.#options.entriesMax) this.#entries.delete(this.#entries.keys().next().value!);
    this.#entries.set(orgId, { value, isCurrent: true });
  }

  #doubt(orgId: string): void {
    const entry = this.#entries.get(orgId);
    if (entry === undefined) return;
    entry.isCurrent = false;
    // Read ahead, so that no request waits for it. Where that fails, the next one reads it.
    this.get(orgId, parseId('org', orgId)!).catch(() => {});
  }

  async #read(orgId: string, orgUuid: Buffer): Promise<T> {
    const { subject, read } = this.#options;
    const { value, asOf } = await read(orgId, orgUuid, this.last(orgId));
    // Changed in the meantime, and told of already: what was read may be the state before.
    if (this.#changes.isOutdated([subject + orgId], asOf)) return this.#read(orgId, orgUuid);
    this.put(orgId, value);
    return value;
  }
}

// Under what keys are stored: HMAC-SHA-256 with a named pepper, so that who can write to the database still cannot plant a key he knows.

import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Queryable } from '../storage/database.ts';
import { deriveKey } from './master-key.ts';

/** The subject of the change feed that tells of a rotation. */
export const PEPPER_SUBJECT = 'pepper';

/** A key as it is stored. */
export interface StoredDigest {
  readonly pepper: string;
  readonly digest: Buffer;
}

/** Peppers are named `pepper-1`, `pepper-2` … and derived from the master key. */
export class Peppers {
  readonly #master: Buffer;
  // Key objects, made once: from bytes Node makes a new one for each HMAC, which takes ten times as long as the HMAC itself.
  readonly #secrets: KeyObject[] = [];
  #current: number;

  constructor(master: Buffer, current: string) {
    this.#master = master;
    this.#current = numberOf(current);
  }

  /** Reads which pepper is the current one. */
  static async load(db: Queryable, master: Buffer): Promise<Peppers> {
    return new Peppers(master, await findPepper(db));
  }

  async reload(db: Queryable): Promise<void> {
    this.#current = numberOf(await findPepper(db));
  }

  get current(): string {
    return nameOf(this.#current);
  }

  /** The pepper after this one, for a rotation. */
  get next(): string {
    return nameOf(this.#current + 1);
  }

  /** How a new key is stored. */
  digest(key: string): StoredDigest {
    return { pepper: this.current, digest: this.#digestUnder(this.#current, key) };
  }

  /**
   * Every form under which a key may be stored: it was last used before a rotation, or made under a pepper that another node knows of a moment
   * before this one.
   */
  digests(key: string): Buffer[] {
    return Array.from({ length: this.#current + 1 }, (_, i) => this.#digestUnder(this.#current + 1 - i, key));
  }

  #digestUnder(number: number, key: string): Buffer {
    const secret = (this.#secrets[number] ??= createSecretKey(deriveKey(this.#master, nameOf(number))));
    return createHmac('sha256', secret).update(key).digest();
  }
}

async function findPepper(db: Queryable): Promise<string> {
  const { rows } = await db.query<{ pepper: string }>('SELECT pepper FROM instance WHERE id = 1');
  return rows[0]!.pepper;
}

const nameOf = (number: number) => `pepper-${number}`;
const numberOf = (name: string) => Number(name.slice('pepper-'.length));

// Bundles on their way to those who asked for them: how many at once, what they take of the database, and how long a client is waited for.

import { Readable } from 'node:stream';
import { Slots } from '../egress/slots.ts';
import { AppError } from '../http/errors.ts';
import type { Queryable } from '../storage/database.ts';

/** Of an organization, on this node. */
const UNDER_WAY_MAX = 8;
/** At once, on this node: of the connections for lists one is left for lists, however many download. */
const READS_MAX = 2;
const IDLE_MS = 60_000;
/** Who takes less within that time takes nothing. */
const PIECE_BYTES = 65_536;
const RETRY_S = 5;
/** Who has gone waits with the others: his place is free after it. */
const NEVER = new AbortController().signal;

export class Downloads {
  readonly #idleMs: number;
  /** By organization. */
  readonly #underWay = new Map<string, number>();
  readonly #reads = new Slots(READS_MAX);

  constructor({ idleMs = IDLE_MS } = {}) {
    this.#idleMs = idleMs;
  }

  /**
   * What `read` reads from `db`, a piece at a time, each when the one before has gone out. Ends with an error when the client takes none for a minute.
   * Throws `rate_limited` when too many of the organization are under way.
   */
  open(orgId: Buffer, db: Queryable, read: (db: Queryable) => AsyncIterable<Buffer>): Readable {
    const org = orgId.toString('hex');
    const underWay = this.#underWay.get(org) ?? 0;
    if (underWay >= UNDER_WAY_MAX)
      throw new AppError('rate_limited', `${UNDER_WAY_MAX} downloads are under way. Wait for one of them.`, {
        details: [{ pointer: '', message: `limit: downloads, ${UNDER_WAY_MAX}` }],
        headers: { 'retry-after': String(RETRY_S) },
      });
    this.#underWay.set(org, underWay + 1);
    const waitForClient = () => setTimeout(() => stream.destroy(new Error('a client took nothing')), this.#idleMs).unref();
    let timer = waitForClient();
    const pieces = async function* (bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
      clearTimeout(timer);
      for await (const some of bytes)
        for (let at = 0; at < some.length; at += PIECE_BYTES) {
          timer = waitForClient();
          yield some.subarray(at, at + PIECE_BYTES);
          clearTimeout(timer);
        }
      // For the last of it.
      timer = waitForClient();
    };
    const inTurn: Queryable = { query: (text, values) => this.#inTurn(() => db.query(text, values)) };
    const stream = Readable.from(pieces(read(inTurn)), { objectMode: false, highWaterMark: PIECE_BYTES });
    stream.once('close', () => {
      clearTimeout(timer);
      this.#leave(org);
    });
    return stream;
  }

  #leave(org: string): void {
    const left = this.#underWay.get(org)! - 1;
    if (left === 0) this.#underWay.delete(org);
    else this.#underWay.set(org, left);
  }

  async #inTurn<T>(read: () => Promise<T>): Promise<T> {
    await this.#reads.take(NEVER);
    try {
      return await read();
    } finally {
      this.#reads.give();
    }
  }
}

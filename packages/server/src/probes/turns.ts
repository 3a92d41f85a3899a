// Who may go on now: commits of telemetry, a few at a time, and texts of a probe, one request after another.

import { createHash } from 'node:crypto';
import type pg from 'pg';
import { AppError } from '../http/errors.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';

interface Waiting {
  readonly weight: number;
  readonly start: () => void;
}

/** A few things at a time, of each holder in turn: whoever sends much makes the others wait for one of his, not for all of them. */
export class FairTurns {
  readonly #atOnceMax: number;
  readonly #weightMax: number;
  #running = 0;
  /** Of all that waits. */
  #weight = 0;
  /** By holder, the one whose turn is next first. */
  readonly #queues = new Map<string, Waiting[]>();

  /** `weightMax`: of all that waits, of all holders together; what would be more is refused. */
  constructor(atOnceMax: number, weightMax: number) {
    this.#atOnceMax = atOnceMax;
    this.#weightMax = weightMax;
  }

  /** Runs `work` when it is `holder`'s turn. `weight`: what waiting for that costs. Throws `unavailable` when too much waits. */
  async run<T>(holder: string, weight: number, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#atOnceMax) await this.#turnOf(holder, weight);
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      this.#next();
    }
  }

  #turnOf(holder: string, weight: number): Promise<void> {
    if (this.#weight + weight > this.#weightMax) return Promise.reject(busy('Too much telemetry waits to be written.'));
    this.#weight += weight;
    return new Promise((start) => {
      const queue = this.#queues.get(holder);
      if (queue === undefined) this.#queues.set(holder, [{ weight, start }]);
      else queue.push({ weight, start });
    });
  }

  #next(): void {
    const [first] = this.#queues;
    if (first === undefined) return;
    const [holder, queue] = first;
    const { weight, start } = queue.shift()!;
    this.#weight -= weight;
    this.#queues.delete(holder);
    if (queue.length > 0) this.#queues.set(holder, queue);
    start();
  }
}

// Of one probe, on this node. A probe that sends its events one request after another never has any waiting.
const WAITING_PER_PROBE_MAX = 16;
/** Of all probes, on this node: each holds a body of texts. */
const WAITING_MAX = 64;
const ASK_AGAIN_MS = 25;
// A batch of the longest texts, on another node.
const WAIT_MS_MAX = 20_000;

/**
 * Texts of a probe are assessed by one request at a time, on whichever node: the same event that comes by two at once, as it does when a probe
 * has given up waiting for the first, would be assessed, and paid for, twice. PostgreSQL keeps the locks, on a connection of their own, and lets
 * them go when that is lost.
 */
export class ProbeLocks {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #queues = new Map<string, { there: number; last: Promise<unknown> }>();
  #waiting = 0;
  #asked: Promise<unknown> = Promise.resolve();
  #client: Promise<pg.Client> | null = null;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Runs `work` while nobody else holds `name`. Throws `unavailable` when too many wait, or for too long. */
  async hold<T>(name: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { there: 0, last: Promise.resolve() };
    const isFirst = queue.there === 0;
    if (queue.there > WAITING_PER_PROBE_MAX || (!isFirst && this.#waiting >= WAITING_MAX))
      throw busy('Too many requests with texts wait for each other.');
    this.#queues.set(name, queue);
    queue.there++;
    if (!isFirst) this.#waiting++;
    const turn = queue.last.then(() => {
      if (!isFirst) this.#waiting--;
      return this.#holdAmongNodes(name, work);
    });
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      queue.there--;
      if (queue.there === 0) this.#queues.delete(name);
    }
  }

  async close(): Promise<void> {
    await this.#client?.then((client) => client.end()).catch(() => undefined);
  }

  async #holdAmongNodes<T>(name: string, work: () => Promise<T>): Promise<T> {
    const key = keyOf(name);
    const untilMs = performance.now() + WAIT_MS_MAX;
    while (!(await this.#ask('SELECT pg_try_advisory_lock($1) AS done', key))) {
      if (performance.now() > untilMs) throw busy('Another request of this probe takes long.');
      await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    }
    try {
      return await work();
    } finally {
      // Where the connection was lost, so is the lock.
      await this.#ask('SELECT pg_advisory_unlock($1) AS done', key).catch((err: unknown) =>
        this.#log.warn({ err }, 'the lock of a probe could not be given back'),
      );
    }
  }

  /** One question after the other: the connection takes no more. */
  #ask(sql: string, key: string): Promise<boolean> {
    const asked = this.#asked.then(() => this.#query(sql, key));
    this.#asked = asked.catch(() => undefined);
    return asked;
  }

  async #query(sql: string, key: string): Promise<boolean> {
    const client = await (this.#client ??= this.#connect());
    const { rows } = await client.query<{ done: boolean }>(sql, [key]);
    return rows[0]!.done;
  }

  async #connect(): Promise<pg.Client> {
    const forget = () => {
      this.#client = null;
    };
    try {
      const client = await this.#db.connect('svc probes');
      client.on('error', (err) => {
        this.#log.warn({ err }, 'the locks of probes lost their connection');
        forget();
      });
      client.on('end', forget);
      return client;
    } catch (err) {
      forget();
      throw err;
    }
  }
}

/** A name as one of PostgreSQL's lock numbers: two names that meet in 64 bits would wait for each other, and that is all. */
function keyOf(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE(0).toString();
}

function busy(message: string): AppError {
  return new AppError('unavailable', `${message} Send the events again.`, { headers: { 'retry-after': '1' } });
}

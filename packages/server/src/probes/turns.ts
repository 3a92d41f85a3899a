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
  readonly #weights: Weights;
  #running = 0;
  /** By holder, the one whose turn is next first. */
  readonly #queues = new Map<string, Waiting[]>();

  /** `weightMax`: of all that waits, of all holders together; `weightEachMax`: of one. What would be more is refused. */
  constructor(atOnceMax: number, weightMax: number, weightEachMax: number) {
    this.#atOnceMax = atOnceMax;
    this.#weights = new Weights(weightMax, weightEachMax);
  }

  /** Throws `unavailable` where `run` would. */
  check(holder: string, weight: number): void {
    if (this.#running >= this.#atOnceMax && !this.#weights.isRoom(holder, weight)) throw tooMuch();
  }

  /** Runs `work` when it is `holder`'s turn. `weight`: what waiting for that costs. Throws `unavailable` when too much waits. */
  async run<T>(holder: string, weight: number, work: () => Promise<T>): Promise<T> {
    if (this.#running < this.#atOnceMax) this.#running++;
    else await this.#turnOf(holder, weight);
    try {
      return await work();
    } finally {
      this.#next();
    }
  }

  #turnOf(holder: string, weight: number): Promise<void> {
    if (!this.#weights.isRoom(holder, weight)) return Promise.reject(tooMuch());
    this.#weights.add(holder, weight);
    return new Promise((start) => {
      const queue = this.#queues.get(holder);
      if (queue === undefined) this.#queues.set(holder, [{ weight, start }]);
      else queue.push({ weight, start });
    });
  }

  /** Hands the place on: were it given up first, somebody who comes just now could take it as well. */
  #next(): void {
    const [first] = this.#queues;
    if (first === undefined) {
      this.#running--;
      return;
    }
    const [holder, queue] = first;
    const { weight, start } = queue.shift()!;
    this.#weights.add(holder, -weight);
    this.#queues.delete(holder);
    if (queue.length > 0) this.#queues.set(holder, queue);
    start();
  }
}

/** What holders have, with a bound for all and one for each. */
class Weights {
  readonly #max: number;
  readonly #eachMax: number;
  #sum = 0;
  readonly #each = new Map<string, number>();

  constructor(max: number, eachMax: number) {
    this.#max = max;
    this.#eachMax = eachMax;
  }

  isRoom(holder: string, weight: number): boolean {
    return this.#sum + weight <= this.#max && (this.#each.get(holder) ?? 0) + weight <= this.#eachMax;
  }

  /** `weight`: below 0 to take it away. */
  add(holder: string, weight: number): void {
    this.#sum += weight;
    const own = (this.#each.get(holder) ?? 0) + weight;
    if (own === 0) this.#each.delete(holder);
    else this.#each.set(holder, own);
  }
}

// Of one probe, on this node. A probe that sends its events one request after another never has more than one.
const REQUESTS_PER_PROBE_MAX = 16;
/** Of all requests with texts that are here, as long as their bodies are; of one organization a quarter. */
export const TEXT_BYTES_MAX = 134_217_728;
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
  readonly #weights = new Weights(TEXT_BYTES_MAX, TEXT_BYTES_MAX / 4);
  #asked: Promise<unknown> = Promise.resolve();
  #client: Promise<pg.Client> | null = null;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /**
   * Runs `work` while nobody else holds `name`. `bytes`: what `holder`, who may have many names, keeps in memory for it. Throws `unavailable` when
   * too many are there, or one waits for too long.
   */
  async hold<T>(name: string, holder: string, bytes: number, work: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(name) ?? { there: 0, last: Promise.resolve() };
    if (queue.there >= REQUESTS_PER_PROBE_MAX || !this.#weights.isRoom(holder, bytes))
      throw busy('Too many requests with texts wait for each other.');
    this.#queues.set(name, queue);
    queue.there++;
    this.#weights.add(holder, bytes);
    const turn = queue.last.then(() => this.#holdAmongNodes(name, work));
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } finally {
      this.#weights.add(holder, -bytes);
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

function tooMuch(): AppError {
  return busy('Too much telemetry waits to be written.');
}

function busy(message: string): AppError {
  return new AppError('unavailable', `${message} Send the events again.`, { headers: { 'retry-after': '1' } });
}

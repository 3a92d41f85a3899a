// The shared store of limits: Valkey or Redis, asked by one script per question, so that an answer is one step for every node.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Valkey } from 'iovalkey';

/** One budget of a question: where it is kept, its limit a minute, and what is to be taken (0: only look). */
export interface BudgetQuestion {
  readonly key: string;
  readonly limit: number;
  readonly cost: number;
}

/** What is in use of a budget, by all nodes together. `reset`: Unix second of the server. */
interface BudgetState {
  readonly remaining: number;
  readonly reset: number;
  readonly used60: number;
  readonly used300: number;
}

/** `refused`: the index of the budget that refuses longest, -1 for none; nothing was taken when there is one. */
export interface BudgetsAnswer {
  readonly refused: number;
  /** Whole seconds; `Infinity`: it never fits. */
  readonly waitSeconds: number;
  readonly states: readonly BudgetState[];
}

/** `waitSeconds` 0: the call was taken. `reset`: Unix second of the server. */
export interface WindowAnswer {
  readonly waitSeconds: number;
  readonly remaining: number;
  readonly reset: number;
}

// A healthy store answers in a millisecond; a request must not wait long for one that is not.
const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 1_000;
const RECONNECT_DELAY_MS_MAX = 2_000;
/** Lets the server tell the time. */
const SERVER_TIME = -1;

const BUDGET_SCRIPT = readScript('budget.lua');
const WINDOW_SCRIPT = readScript('window.lua');

/** A connection to the store. Its methods throw when the store does not answer in time; they never wait for a connection. */
export class LimitStore {
  readonly #client: Valkey;

  /** Connects in the background, and again whenever the connection is lost, which `onLost` hears of: the store may come back empty. */
  constructor(url: string, onLost: (err: Error) => void = () => {}) {
    this.#client = new Valkey(url, {
      commandTimeout: COMMAND_TIMEOUT_MS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      connectionName: 'svc',
      enableOfflineQueue: false,
      autoResendUnfulfilledCommands: false,
      maxRetriesPerRequest: 0,
      retryStrategy: (attempt) => Math.min(50 * 2 ** Math.min(attempt, 10), RECONNECT_DELAY_MS_MAX),
    });
    let cause: unknown;
    this.#client.on('error', (err: unknown) => {
      cause = err;
    });
    this.#client.on('close', () => onLost(new Error('the connection to the store was lost', { cause })));
  }

  /** Resolves when there is a connection, or when the first attempt failed. */
  async settled(): Promise<void> {
    if (this.#client.status === 'ready') return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const events = ['ready', 'close', 'end'] as const;
    for (const event of events) this.#client.once(event, resolve);
    await promise;
    for (const event of events) this.#client.off(event, resolve);
  }

  /** Takes from all of the budgets or from none. `nowUs`: Unix microseconds, for tests. */
  async takeBudgets(questions: readonly BudgetQuestion[], nowUs = SERVER_TIME): Promise<BudgetsAnswer> {
    const values = [nowUs, ...questions.flatMap(({ limit, cost }) => [limit, cost])];
    const [refused = 0, wait = 0, ...numbers] = await this.#run(
      BUDGET_SCRIPT,
      questions.map(({ key }) => key),
      values,
    );
    const states = questions.map((_, i) => {
      const [remaining = 0, reset = 0, used60 = 0, used300 = 0] = numbers.slice(4 * i);
      return { remaining, reset, used60, used300 };
    });
    return { refused: refused - 1, waitSeconds: wait === -1 ? Infinity : wait, states };
  }

  /** Takes one call from a sliding window. `nowUs`: Unix microseconds, for tests. */
  async takeWindow(key: string, limit: number, windowSeconds: number, nowUs = SERVER_TIME): Promise<WindowAnswer> {
    const [waitSeconds = 0, remaining = 0, reset = 0] = await this.#run(WINDOW_SCRIPT, [key], [nowUs, limit, windowSeconds]);
    return { waitSeconds, remaining, reset };
  }

  /** Replaces a connection that does not answer. */
  reconnect(): void {
    if (this.#client.status === 'ready') this.#client.disconnect(true);
  }

  close(): void {
    this.#client.disconnect();
  }

  async #run(script: Script, keys: readonly string[], values: readonly number[]): Promise<number[]> {
    try {
      return (await this.#client.evalsha(script.sha1, keys.length, ...keys, ...values)) as number[];
    } catch (err) {
      if (!(err instanceof Error) || !err.message.startsWith('NOSCRIPT')) throw err;
    }
    return (await this.#client.eval(script.source, keys.length, ...keys, ...values)) as number[];
  }
}

interface Script {
  readonly source: string;
  readonly sha1: string;
}

function readScript(file: string): Script {
  const source = readFileSync(join(import.meta.dirname, file), 'utf8');
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

// The audit thread, as the rest of the service knows it.

import { Worker } from 'node:worker_threads';
import type { Config, WitnessAddress } from '../config.ts';
import type { ConnectionOptions } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import type { RestoredReason } from './restored.ts';

/** What the thread is started with. */
export interface ThreadSettings {
  readonly connection: ConnectionOptions;
  /** The master key. */
  readonly master: Uint8Array;
  readonly dataDir: string;
  readonly logLevel: Config['logLevel'];
  readonly witnesses: readonly WitnessAddress[];
}

/** What the thread is told. `call` comes back with its answer. */
export type ToThread =
  | { readonly type: 'wake' }
  | { readonly type: 'catch up'; readonly call: number }
  | { readonly type: 'close' };

/** What the thread tells. `fault`: why it could not be done. */
export type FromThread =
  | { readonly type: 'ready' }
  | { readonly type: 'caught up'; readonly call: number; readonly fault: string | null }
  | { readonly type: 'set back'; readonly reason: RestoredReason; readonly seenEpoch: number; readonly usedEpoch: number };

export interface AuditThreadParts extends ThreadSettings {
  readonly log: Logger;
  /** Hears that the database was set back: a new origin has to begin. The arguments are those of `declareRestored`. */
  readonly onSetBack: (reason: RestoredReason, seenEpoch: number, usedEpoch: number) => void;
}

// Under load many commits are taken together; the log is to be at most a second behind.
const GATHER_MS = 200;
const RESTART_MS = 1_000;
const RESTART_MS_MAX = 30_000;
/** One that ran this long was well: its end is a new story. */
const HEALTHY_MS = 60_000;
// A transaction, and what anchors and exports have under way.
const CLOSE_MS_MAX = 8_000;
/** A thread that needs more is broken; Node ends it instead of the whole process. */
const THREAD_HEAP_MB_MAX = 512;
/** A third of the usual. The memory above rest that an export needs is half of what it is without it (bench/export.ts). */
const THREAD_YOUNG_MB_MAX = 16;
const SCRIPT = new URL('./thread.ts', import.meta.url);

interface Call {
  readonly resolve: () => void;
  readonly reject: (err: Error) => void;
}

export class AuditThread {
  readonly #parts: AuditThreadParts;
  readonly #calls = new Map<number, Call>();
  #lastCall = 0;
  /** `null`: it has died, and is started again soon. */
  #worker: Worker | null = null;
  #isReady = false;
  #startedAtMs = 0;
  #restartMs = RESTART_MS;
  #restart: NodeJS.Timeout | null = null;
  #gather: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(parts: AuditThreadParts) {
    this.#parts = parts;
  }

  /** Starts the thread. It does not keep the process alive. */
  start(): void {
    const { connection, master, dataDir, logLevel, witnesses } = this.#parts;
    const settings: ThreadSettings = { connection, master, dataDir, logLevel, witnesses };
    const worker = new Worker(SCRIPT, {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB_MAX, maxYoungGenerationSizeMb: THREAD_YOUNG_MB_MAX },
    });
    worker.unref();
    worker.on('message', (message: FromThread) => this.#hear(message));
    worker.on('error', (err) => this.#parts.log.error({ err }, 'the audit thread failed'));
    worker.on('exit', () => this.#onExit(worker));
    this.#worker = worker;
    this.#isReady = false;
    this.#startedAtMs = performance.now();
    for (const call of this.#calls.keys()) this.#tell({ type: 'catch up', call });
  }

  /** Something was committed: it is in the log within a second. Cheap, however often it is called. */
  wake(): void {
    if (this.#gather !== null || this.#isClosed) return;
    this.#gather = setTimeout(() => {
      this.#gather = null;
      this.#tell({ type: 'wake' });
    }, GATHER_MS).unref();
  }

  /**
   * Resolves when every log has what is committed now, and its checkpoint is signed; logs in which events are missing are left out. Outlives the end of
   * a thread. Rejects where the database does not answer, and when it is closed.
   */
  catchUp(): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('the audit thread is closed'));
    const call = ++this.#lastCall;
    return new Promise((resolve, reject) => {
      this.#calls.set(call, { resolve, reject });
      this.#tell({ type: 'catch up', call });
    });
  }

  /** Ends the thread after what it has under way, or stops it: nothing is lost by that. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#gather !== null) clearTimeout(this.#gather);
    if (this.#restart !== null) clearTimeout(this.#restart);
    const worker = this.#worker;
    if (worker !== null) {
      worker.ref();
      const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
      const timer = this.#isReady ? setTimeout(() => void worker.terminate(), CLOSE_MS_MAX) : null;
      if (this.#isReady) this.#tell({ type: 'close' });
      else void worker.terminate();
      await ended;
      if (timer !== null) clearTimeout(timer);
    }
    for (const { reject } of this.#calls.values()) reject(new Error('the audit thread was closed'));
    this.#calls.clear();
  }

  #hear(message: FromThread): void {
    switch (message.type) {
      case 'ready':
        this.#isReady = true;
        return;
      case 'caught up': {
        const call = this.#calls.get(message.call);
        this.#calls.delete(message.call);
        if (message.fault === null) call?.resolve();
        else call?.reject(new Error(message.fault));
        return;
      }
      case 'set back':
        this.#parts.onSetBack(message.reason, message.seenEpoch, message.usedEpoch);
    }
  }

  #onExit(worker: Worker): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    if (this.#isClosed) return;
    if (performance.now() - this.#startedAtMs > HEALTHY_MS) this.#restartMs = RESTART_MS;
    this.#parts.log.error({ restart_ms: this.#restartMs }, 'the audit thread has ended; it is started again');
    this.#restart = setTimeout(() => this.start(), this.#restartMs).unref();
    this.#restartMs = Math.min(this.#restartMs * 2, RESTART_MS_MAX);
  }

  #tell(message: ToThread): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin; the rule is for browser windows.
    this.#worker?.postMessage(message);
  }
}

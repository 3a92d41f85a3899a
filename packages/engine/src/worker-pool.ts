// Assesses long texts on threads of their own, and stops a thread that does not keep to its deadline.

import { Worker } from 'node:worker_threads';
import { unreadEvaluation, type Evaluation } from './assess.ts';
import type { Inference } from './inference.ts';
import { createPolicyCache } from './policy/cache.ts';
import type { PolicyDocument } from './policy/document.ts';
import type { GivenPlaceholders } from './redact.ts';
import type { FailureStatus } from './scan.ts';

/** Detectors look at the clock often; a thread that is this late is stuck inside one. */
const GRACE_MS = 100;
/** Inferences that may wait. Each holds up to a body's size of text. */
const QUEUE_MAX = 64;
const SIZE_MAX = 64;
/** Warming up takes some 300 ms, on a machine that is just starting several times that; a thread that needs more is broken. */
const WARM_UP_MS_MAX = 3_000;
/** A thread that needs more is broken; Node ends it instead of the whole process. */
const THREAD_HEAP_MB_MAX = 512;

export interface WorkerPoolOptions {
  /** Threads, 1–64. */
  readonly size: number;
  /** Inferences that may wait for a thread. Default: 64. */
  readonly queueMax?: number;
}

export interface WorkerPool {
  /**
   * Assesses as `assess` does. Waiting counts towards the deadline, but for the time, 3 s at most, in which the thread that
   * has the inference is still warming up: the deadline counts from then on. Resolves at most about 100 ms after it: with every detector timed out when the thread had to be stopped or
   * never came to it, in error when the thread died. Rejects with
   * a `WorkerPoolBusyError` when the queue is full, with an Error when the pool is closed or the policy does not compile. `nowMs`: as for `assess`.
   */
  assess(
    inference: Inference,
    document: PolicyDocument,
    version: number,
    digest: string,
    deadlineMs: number,
    nowMs: number,
    placeholders?: GivenPlaceholders,
  ): Promise<Evaluation>;
  /** Resolves once every thread has warmed up or failed to start, after 3 s at most. Jobs may be given before: they wait. */
  ready(): Promise<void>;
  /** Ends the threads. What is still waiting or running is answered as timed out. */
  close(): Promise<void>;
}

/** Too many long texts are waiting: the caller should send again later. */
export class WorkerPoolBusyError extends Error {
  override readonly name = 'WorkerPoolBusyError';
}

/** What a thread is sent. */
export interface WorkerJob {
  readonly inference: Inference;
  readonly document: PolicyDocument;
  readonly version: number;
  readonly digest: string;
  readonly deadlineMs: number;
  readonly nowMs: number;
  /** Those that were shown before. */
  readonly placeholders: GivenPlaceholders | undefined;
}

/** What a thread answers. */
export type WorkerAnswer = Evaluation;

/** What a thread says once it is warm, before its first answer. */
export const READY = 'ready';

/** A job with the promise it settles and the time it has. */
class Task {
  readonly job: WorkerJob;
  readonly settle: (evaluation: Evaluation | FailureStatus) => void;
  readonly #giveUp: () => void;
  #dueAt = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(job: WorkerJob, settle: Task['settle'], giveUp: () => void) {
    this.job = job;
    this.settle = settle;
    this.#giveUp = giveUp;
    this.startClock(0);
  }

  get leftMs(): number {
    return this.#dueAt - performance.now();
  }

  /** Counts the deadline from now, or from `delayMs` later. */
  startClock(delayMs: number): void {
    clearTimeout(this.#timer);
    const timeMs = this.job.deadlineMs + delayMs;
    this.#dueAt = performance.now() + timeMs;
    this.#timer = setTimeout(this.#giveUp, timeMs + GRACE_MS);
  }

  finish(result: Evaluation | FailureStatus): void {
    clearTimeout(this.#timer);
    this.settle(result);
  }
}

/** Starts the threads. They do not keep the process alive. `script` is for tests: another thread than worker.ts. */
export function createWorkerPool(options: WorkerPoolOptions, script: URL = new URL('./worker.ts', import.meta.url)): WorkerPool {
  if (!Number.isInteger(options.size) || options.size < 1 || options.size > SIZE_MAX)
    throw new RangeError(`size must be 1 to ${SIZE_MAX}`);
  return new Pool(options.size, options.queueMax ?? QUEUE_MAX, script);
}

class Pool implements WorkerPool {
  private readonly threads: Thread[];
  private readonly queue: Task[] = [];
  private readonly queueMax: number;
  /** Only for answers that no thread can give any more. */
  private readonly policies = createPolicyCache();
  private isClosed = false;

  constructor(size: number, queueMax: number, script: URL) {
    this.queueMax = queueMax;
    this.threads = Array.from({ length: size }, () => new Thread(script, () => this.next()));
  }

  async assess(
    inference: Inference,
    document: PolicyDocument,
    version: number,
    digest: string,
    deadlineMs: number,
    nowMs: number,
    placeholders?: GivenPlaceholders,
  ): Promise<Evaluation> {
    if (this.isClosed) throw new Error('the worker pool is closed');
    if (this.queue.length >= this.queueMax) throw new WorkerPoolBusyError('too many long texts are waiting');
    const job: WorkerJob = { inference, document, version, digest, deadlineMs, nowMs, placeholders };
    const result = await new Promise<Evaluation | FailureStatus>((settle) => {
      const task = new Task(job, settle, () => this.giveUp(task));
      this.queue.push(task);
      this.next();
    });
    if (typeof result !== 'string') return result;
    return unreadEvaluation(inference, this.policies.get(document, version, digest), result, nowMs);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const task of this.queue.splice(0)) task.finish('timed_out');
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  async ready(): Promise<void> {
    const bound = Promise.withResolvers<void>();
    // Not unreferenced: the threads do not keep the process alive, and whoever waits for them has to be answered.
    const timer = setTimeout(bound.resolve, WARM_UP_MS_MAX);
    await Promise.race([Promise.all(this.threads.map(({ started }) => started)), bound.promise]);
    clearTimeout(timer);
  }

  /** Gives waiting tasks to idle threads, to those that are warm first. */
  private next(): void {
    for (const isReady of [true, false]) {
      for (const thread of this.threads) {
        if (this.isClosed || this.queue.length === 0) return;
        if (thread.isIdle && thread.isReady === isReady) thread.take(this.queue.shift()!);
      }
    }
  }

  private giveUp(task: Task): void {
    const waiting = this.queue.indexOf(task);
    if (waiting >= 0) this.queue.splice(waiting, 1);
    else this.threads.find((thread) => thread.isBusyWith(task))?.restart();
    task.finish('timed_out');
  }
}

/** One thread, replaced when it hangs or dies. */
class Thread {
  private readonly script: URL;
  private readonly onIdle: () => void;
  /** `null` after it died: the next task starts another, so that a thread that cannot start is not started over and over. */
  private worker: Worker | null = null;
  /** Until the thread before has ended: Node may crash when one starts while another ends (github.com/nodejs/node/issues/56312). */
  private ending: Promise<void> | null = null;
  private task: Task | null = null;
  private isClosed = false;
  /** True once the thread has warmed up; a job that it gets before has to wait for that. */
  isReady = false;
  readonly #started = Promise.withResolvers<void>();

  constructor(script: URL, onIdle: () => void) {
    this.script = script;
    this.onIdle = onIdle;
    this.start();
  }

  /** Settled when the first thread has warmed up, or died on the way. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  get isIdle(): boolean {
    return this.task === null && !this.isClosed;
  }

  isBusyWith(task: Task): boolean {
    return this.task === task;
  }

  /** Begins with a task as soon as the thread is warm, and lets its deadline count from then on. */
  take(task: Task): void {
    this.task = task;
    if (this.worker === null) this.start();
    if (this.isReady) this.send(task);
    else task.startClock(WARM_UP_MS_MAX);
  }

  private send(task: Task): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin; the rule is for browser windows.
    this.worker?.postMessage({ ...task.job, deadlineMs: task.leftMs });
  }

  /** Ends the thread at once, even inside a loop, and starts another. */
  restart(): void {
    this.end();
    this.start();
    this.done('timed_out');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.done('timed_out');
    this.end();
    await this.ending;
  }

  private end(): void {
    const { worker } = this;
    this.worker = null;
    this.isReady = false;
    if (worker === null) return;
    this.ending = worker.terminate().then(() => {
      this.ending = null;
    });
  }

  /** Starts a thread, as soon as the one before has ended. */
  private start(): void {
    if (this.ending === null) this.worker = this.startNow();
    else void this.ending.then(() => this.worker === null && !this.isClosed && this.start());
  }

  private startNow(): Worker {
    const worker = new Worker(this.script, { resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB_MAX } });
    worker.unref();
    worker.on('message', (answer: WorkerAnswer | typeof READY) => {
      if (worker !== this.worker) return;
      if (answer === READY) this.begin();
      else this.done(answer);
    });
    // Memory run out, or an exception that `assess` does not catch.
    worker.on('error', () => {
      if (worker !== this.worker) return;
      this.end();
      this.#started.resolve();
      this.done('error');
    });
    return worker;
  }

  /** The thread is warm: what it was given meanwhile starts now. */
  private begin(): void {
    this.isReady = true;
    this.#started.resolve();
    const { task } = this;
    if (task === null) return;
    task.startClock(0);
    this.send(task);
  }

  private done(result: Evaluation | FailureStatus): void {
    const { task } = this;
    this.task = null;
    task?.finish(result);
    if (!this.isClosed) this.onIdle();
  }
}

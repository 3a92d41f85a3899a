// One thread for policies on trial, apart from those that decide: what it does, or how long it takes, holds up no assessment.

import type { CompiledPolicy, Evaluation, Inference } from '@svc/engine';
import { createWorkerPool, type WorkerPool } from '@svc/engine/worker-pool';

/** A long text of a candidate, and what a simulation is at. */
const QUEUE_MAX = 8;

export class TrialThread {
  #pool: WorkerPool | null = null;
  #isWarm = false;
  #isClosed = false;
  /** Calls of `assessIfFree` under way. */
  #taken = 0;

  /** Starts the thread, which takes some tenths of a second, if it has not been started. */
  start(): WorkerPool {
    if (this.#pool !== null) return this.#pool;
    if (this.#isClosed) throw new Error('the trial thread is closed');
    const pool = createWorkerPool({ size: 1, queueMax: QUEUE_MAX });
    this.#pool = pool;
    void pool.ready().then(() => (this.#isWarm = true));
    return pool;
  }

  /** Assesses as `assess` does, when its turn comes. Rejects when the thread is closed. */
  async assess(inference: Inference, policy: CompiledPolicy, deadlineMs: number, nowMs: number): Promise<Evaluation> {
    return this.start().assess(inference, policy.document, policy.version, policy.digest, deadlineMs, nowMs);
  }

  /** The same for who cannot wait: `null` when the thread is not warm yet or has another text of this kind. */
  assessIfFree(inference: Inference, policy: CompiledPolicy, deadlineMs: number, nowMs: number): Promise<Evaluation> | null {
    if (!this.#isWarm || this.#taken > 0) {
      if (!this.#isClosed) this.start();
      return null;
    }
    this.#taken++;
    return this.assess(inference, policy, deadlineMs, nowMs).finally(() => this.#taken--);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#pool?.close();
  }
}

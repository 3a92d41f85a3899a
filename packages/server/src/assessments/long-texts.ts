// Long texts are assessed on another thread, one after another for each organization, so that none keeps the thread from the others.

import { inferenceChars, type CompiledPolicy, type Evaluation, type GivenPlaceholders, type Inference } from '@svc/engine';
import { WorkerPoolBusyError, type WorkerPool } from '@svc/engine/worker-pool';
import { AppError } from '../http/errors.ts';

// Longer texts are assessed on another thread, which is stopped at its deadline: this one must stay free to answer others.
const CHARS_ON_THIS_THREAD_MAX = 65_536;
// Each holds up to a body of text. A batch keeps fewer waiting than this.
const WAITING_PER_ORGANIZATION_MAX = 64;

/** True for an inference that is assessed on another thread. */
export function isLong(inference: Inference): boolean {
  return inferenceChars(inference) > CHARS_ON_THIS_THREAD_MAX;
}

interface Queue {
  waiting: number;
  last: Promise<unknown>;
}

interface LongTextOptions {
  readonly deadlineMs: number;
  /** As for `assess`. */
  readonly nowMs: number;
  readonly onTurn?: () => void;
  /** Those that were shown before. */
  readonly placeholders?: GivenPlaceholders | undefined;
}

export class LongTexts {
  readonly #workers: WorkerPool;
  readonly #queues = new Map<string, Queue>();

  constructor(workers: WorkerPool) {
    this.#workers = workers;
  }

  /**
   * Assesses after the organization's earlier long texts. Its time runs from when its turn comes, of which `onTurn` hears: waiting decides
   * nothing. Throws `unavailable` when too many wait.
   */
  async assess(
    orgId: string,
    inference: Inference,
    policy: CompiledPolicy,
    { deadlineMs, nowMs, onTurn, placeholders }: LongTextOptions,
  ): Promise<Evaluation> {
    const queue = this.#queues.get(orgId) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= WAITING_PER_ORGANIZATION_MAX) throw busy();
    this.#queues.set(orgId, queue);
    queue.waiting++;
    const turn = queue.last.then(() => {
      onTurn?.();
      return this.#workers.assess(inference, policy.document, policy.version, policy.digest, deadlineMs, nowMs, placeholders);
    });
    queue.last = turn.catch(() => undefined);
    try {
      return await turn;
    } catch (err) {
      throw err instanceof WorkerPoolBusyError ? busy(err) : err;
    } finally {
      queue.waiting--;
      if (queue.waiting === 0) this.#queues.delete(orgId);
    }
  }
}

function busy(cause?: unknown): AppError {
  return new AppError('unavailable', 'Too many long texts are waiting to be assessed. Repeat the request.', {
    headers: { 'retry-after': '1' },
    cause,
  });
}

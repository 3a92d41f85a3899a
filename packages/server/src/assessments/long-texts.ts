// Long texts are assessed on another thread, one after another for each organization, so that none keeps the thread from the others.

import type { CompiledPolicy, Evaluation, Inference } from '@svc/engine';
import { WorkerPoolBusyError, type WorkerPool } from '@svc/engine/worker-pool';
import { AppError } from '../http/errors.ts';

// Each holds up to a body of text. A batch keeps fewer waiting than this.
const WAITING_PER_ORGANIZATION_MAX = 64;

interface Queue {
  waiting: number;
  last: Promise<unknown>;
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
    deadlineMs: number,
    onTurn: () => void = () => {},
  ): Promise<Evaluation> {
    const queue = this.#queues.get(orgId) ?? { waiting: 0, last: Promise.resolve() };
    if (queue.waiting >= WAITING_PER_ORGANIZATION_MAX) throw busy();
    this.#queues.set(orgId, queue);
    queue.waiting++;
    const turn = queue.last.then(() => {
      onTurn();
      return this.#workers.assess(inference, policy.document, policy.version, policy.digest, deadlineMs);
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

// Decides about inferences on this machine, by the policy in force. Nothing is sent anywhere.

import {
  assess,
  effectiveDeadlineMs,
  inferenceChars,
  questionsFor,
  unreadEvaluation,
  withJudgements,
  type CompiledPolicy,
  type Evaluation,
  type Inference,
  type JudgeRun,
  type Placeholders,
} from '@svc/engine';
import type { WorkerPool } from '@svc/engine/worker-pool';
import type { PolicyInForce } from './policy/holder.ts';

/** Longer texts are assessed on another thread, which is stopped at its deadline: this one must stay free for others. */
const CHARS_ON_THIS_THREAD_MAX = 65_536;

/** What is done about the judges of a policy, which only the service can ask: as about any that fails (`on_error`), or nothing. */
export type Judges = 'on_error' | 'skip';

/** By what is decided. The same for all of an exchange, however long it takes. */
export interface Deciding {
  readonly policy: PolicyInForce;
  /** Unix milliseconds as of which exceptions have expired or have not. */
  readonly nowMs: number;
}

export interface DecideOptions {
  /** Those that were shown before; new ones are added. */
  readonly placeholders?: Placeholders;
  /** Of the usual time. */
  readonly deadlineFactor?: number;
}

export class Decider {
  readonly #workers: () => WorkerPool;
  readonly #judges: Judges;

  /** `workers` is asked for when the first long text comes. */
  constructor(workers: () => WorkerPool, judges: Judges) {
    this.#workers = workers;
    this.#judges = judges;
  }

  /** As the engine's `assess`. A long text that finds no thread in time is answered as unread, and the policy's `on_error` decides. */
  async decide(
    inference: Inference,
    { policy: { compiled: policy, isRefusal }, nowMs }: Deciding,
    { placeholders, deadlineFactor = 1 }: DecideOptions = {},
  ): Promise<Evaluation> {
    if (isRefusal) return unreadEvaluation(inference, policy, 'error', nowMs);
    const deadlineMs = effectiveDeadlineMs(inference, policy) * deadlineFactor;
    const evaluation = await this.#evaluate(inference, policy, nowMs, deadlineMs, placeholders);
    return policy.judges.length === 0 ? evaluation : this.#withJudges(evaluation, inference, policy, nowMs);
  }

  /** The policy for text that is still being written: judges that are not asked hold nothing back. */
  streamPolicy(policy: CompiledPolicy): CompiledPolicy {
    return this.#judges === 'skip' && policy.judges.length > 0 ? { ...policy, judges: [] } : policy;
  }

  async #evaluate(
    inference: Inference,
    policy: CompiledPolicy,
    nowMs: number,
    deadlineMs: number,
    placeholders: Placeholders | undefined,
  ): Promise<Evaluation> {
    if (inferenceChars(inference) <= CHARS_ON_THIS_THREAD_MAX) {
      const clock = () => performance.now();
      return assess(inference, policy, { clock, nowMs, deadlineMs, ...(placeholders === undefined ? {} : { placeholders }) });
    }
    try {
      const { document, version, digest } = policy;
      return await this.#workers().assess(inference, document, version, digest, deadlineMs, nowMs, placeholders?.given);
    } catch {
      // Too many wait, or the probe is about to end.
      return unreadEvaluation(inference, policy, 'timed_out', nowMs);
    }
  }

  #withJudges(evaluation: Evaluation, inference: Inference, policy: CompiledPolicy, nowMs: number): Evaluation {
    const isAsked = this.#judges === 'on_error';
    const runs = isAsked ? policy.judges.map((judge) => unasked(judge, inference)) : [];
    const judged = withJudgements(evaluation, inference, policy, runs, { clock: () => performance.now(), nowMs });
    if (isAsked || judged.coverage.status !== 'complete') return judged;
    return { ...judged, coverage: { ...judged.coverage, status: 'partial' } };
  }
}

function unasked(judge: JudgeRun['judge'], inference: Inference): JudgeRun {
  const answers = questionsFor(inference, judge).map((question) => ({
    question,
    status: 'error' as const,
    explanation: 'A probe decides without the service, which alone can ask this judge.',
  }));
  return { judge, version: '0', latencyMs: 0, answers };
}

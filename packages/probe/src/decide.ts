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
import { availableParallelism } from 'node:os';
import { BusyError } from './errors.ts';
import type { PolicyInForce } from './policy/holder.ts';
import { Turns } from './turns.ts';

/** Longer texts are assessed on another thread, which is stopped at its deadline: this one must stay free for others. */
const CHARS_ON_THIS_THREAD_MAX = 65_536;

/** Threads for long texts: one core is left for all the rest, and each thread holds models of its own. */
export const LONG_TEXT_THREADS = Math.min(4, Math.max(1, availableParallelism() - 1));
/** A long text takes some 50 ms for each 65 536 characters: who has to wait longer had better ask again. */
const WAIT_MS_MAX = 10_000;

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
  readonly #turns: Turns;

  /** `workers` is asked for when the first long text comes; `threads`: how many it has. A long text waits up to `waitMsMax` for one. */
  constructor(workers: () => WorkerPool, judges: Judges, threads = 1, waitMsMax = WAIT_MS_MAX) {
    this.#workers = workers;
    this.#judges = judges;
    this.#turns = new Turns(threads, waitMsMax);
  }

  /**
   * As the engine's `assess`. The time that a long text has runs from when a thread is free for it. Where none is in time, a policy that enforces
   * has decided nothing: throws a `BusyError`; one that watches is answered that the text is unread. A text that a thread does not come through
   * with in its time is unread too, and the policy's `on_error` decides.
   */
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
    const isTurn = await this.#turns.take();
    if (!isTurn && policy.mode === 'enforce') throw new BusyError();
    if (!isTurn) return unreadEvaluation(inference, policy, 'timed_out', nowMs);
    try {
      const { document, version, digest } = policy;
      return await this.#workers().assess(inference, document, version, digest, deadlineMs, nowMs, placeholders?.given);
    } catch {
      // No thread can be had, or the probe is about to end.
      return unreadEvaluation(inference, policy, 'timed_out', nowMs);
    } finally {
      this.#turns.give();
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

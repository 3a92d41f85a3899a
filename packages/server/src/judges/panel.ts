// The judges of a policy, asked in parallel about one inference once the engine has decided.

import {
  questionsFor,
  withJudgements,
  type CompiledPolicy,
  type Evaluation,
  type Inference,
  type JudgeAnswer,
  type JudgeQuestion,
  type JudgeRun,
  type PolicyJudge,
} from '@svc/engine';
import type { Organization } from '../organizations/organization.ts';
import type { Opinion, CallTime, JudgeCaller } from './caller.ts';
import type { JudgeDirectory } from './directory.ts';
import type { Judge } from './store.ts';

/** A policy cannot name a judge that is not there, nor can one be deleted that it names; yet what cannot be is no reason to let a text pass. */
const MISSING: Opinion = { status: 'error', explanation: 'There is no such judge any more.' };

export class JudgePanel {
  readonly #directory: JudgeDirectory;
  readonly #caller: JudgeCaller;

  constructor(directory: JudgeDirectory, caller: JudgeCaller) {
    this.#directory = directory;
    this.#caller = caller;
  }

  /**
   * The evaluation with what the policy's judges think of the inference, and what came of asking them. `deadlineAt`: of the monotonic clock; who has not answered by then has
   * timed out. `nowMs`: as for `assess`. Throws `unavailable` when the database does not tell what judges there are.
   */
  async judge(
    { id, uuid }: Pick<Organization, 'id' | 'uuid'>,
    inference: Inference,
    policy: CompiledPolicy,
    evaluation: Evaluation,
    deadlineAt: number,
    nowMs: number,
  ): Promise<{ readonly evaluation: Evaluation; readonly runs: readonly JudgeRun[] }> {
    if (policy.judges.length === 0) return { evaluation, runs: [] };
    const judges = await this.#directory.get(id, uuid);
    const asked = policy.judges.map((named) =>
      this.#run(id, judges.get(named.judgeId), named, questionsFor(inference, named), policy.deadlineMs, deadlineAt),
    );
    const runs = await Promise.all(asked);
    return { evaluation: withJudgements(evaluation, inference, policy, runs, { clock: () => performance.now(), nowMs }), runs };
  }

  async #run(
    orgId: string,
    judge: Judge | undefined,
    named: PolicyJudge,
    questions: readonly JudgeQuestion[],
    policyMs: number,
    deadlineAt: number,
  ): Promise<JudgeRun> {
    const startedAt = performance.now();
    const answers = questions.map(async (question): Promise<JudgeAnswer> => {
      const opinion =
        judge === undefined ? MISSING : await this.#caller.ask(orgId, judge, question, timeFor(judge, policyMs, deadlineAt));
      return { question, ...opinion };
    });
    return {
      judge: named,
      version: String(judge?.version ?? 0),
      answers: await Promise.all(answers),
      latencyMs: performance.now() - startedAt,
    };
  }
}

function timeFor({ timeoutMs }: Judge, policyMs: number, deadlineAt: number): CallTime {
  return { leftMs: Math.min(timeoutMs, deadlineAt - performance.now()), usualMs: Math.min(timeoutMs, policyMs) };
}

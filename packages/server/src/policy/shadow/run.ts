// Lets the candidate decide beside the policy in force, once that has decided. Whatever becomes of the candidate, the decision stands.

import {
  assess,
  effectiveDeadlineMs,
  withJudgements,
  type CompiledPolicy,
  type Evaluation,
  type Inference,
  type JudgeRun,
} from '@svc/engine';
import { hash } from 'node:crypto';
import { isLong } from '../../assessments/long-texts.ts';
import type { Organization } from '../../organizations/organization.ts';
import type { Services } from '../../services.ts';
import { compareDecisions } from '../difference.ts';
import type { Shadow } from './cache.ts';
import type { ShadowVerdict } from './schemas.ts';

type Parts = Pick<Services, 'shadows' | 'trials' | 'clock' | 'log'>;

/** What the policy in force has made of an inference. */
export interface Live {
  readonly evaluation: Evaluation;
  /** What came of asking its judges. */
  readonly runs: readonly JudgeRun[];
}

// The answer waits for the candidate, and on this thread so do all others: it gets no more than this. A text that is assessed here takes less.
const DEADLINE_MS_MAX = 50;
// On the other thread a long text keeps its own answer waiting alone.
const LONG_DEADLINE_MS_MAX = 250;
const SAMPLE_BITS = 48;

/** True for the share `rate` of all assessments, always the same ones: the first bits of the SHA-256 of their ids decide. */
export function isSampled(id: Buffer, rate: number): boolean {
  return hash('sha256', id, 'buffer').readUIntBE(0, SAMPLE_BITS / 8) < rate * 2 ** SAMPLE_BITS;
}

/**
 * What the candidate makes of an assessment, as JSON; `null` without a candidate or where the assessment is not one of its sample. Never
 * throws. A promise only where something has to be waited for.
 */
export function runShadow(
  services: Parts,
  organization: Organization,
  inference: Inference,
  live: Live,
  id: Buffer,
): string | Promise<string> {
  const shadow = services.shadows.peek(organization.id);
  if (shadow !== undefined) return runKnown(services, shadow, inference, live, id);
  // Where the database does not tell, the assessment fails at its commit or has no shadow.
  return services.shadows.get(organization.id, organization.uuid).then(
    (read) => runKnown(services, read, inference, live, id),
    () => 'null',
  );
}

function runKnown(
  services: Parts,
  shadow: Shadow | null,
  inference: Inference,
  live: Live,
  id: Buffer,
): string | Promise<string> {
  if (shadow === null || shadow.expiresAtMs <= services.clock() || !isSampled(id, shadow.sampleRate)) return 'null';
  const failed = (err: unknown): string => {
    services.log.warn({ err, digest: shadow.digest }, 'a candidate policy failed; the decision of the policy in force stands');
    return JSON.stringify(withoutOutcome(shadow, 'failed'));
  };
  try {
    const verdict = decide(services, shadow, inference, live);
    return verdict instanceof Promise ? verdict.then(JSON.stringify, failed) : JSON.stringify(verdict);
  } catch (err) {
    return failed(err);
  }
}

function decide(services: Parts, shadow: Shadow, inference: Inference, live: Live): ShadowVerdict | Promise<ShadowVerdict> {
  const { policy } = shadow;
  if (policy === null) return withoutOutcome(shadow, 'failed');
  const nowMs = services.clock();
  const usualMs = effectiveDeadlineMs(inference, policy);
  const startedAt = performance.now();
  const conclude = (evaluation: Evaluation, deadlineMs: number) => {
    const isLate = performance.now() - startedAt >= deadlineMs;
    if (isLate && evaluation.coverage.detectors.some(({ status }) => status === 'timed_out'))
      return withoutOutcome(shadow, 'timed_out');
    return verdictOf(shadow, policy, inference, live, evaluation, nowMs);
  };
  if (!isLong(inference)) {
    const deadlineMs = Math.min(usualMs, DEADLINE_MS_MAX);
    return conclude(assess(inference, policy, { clock: () => performance.now(), deadlineMs, nowMs }), deadlineMs);
  }
  const deadlineMs = Math.min(usualMs, LONG_DEADLINE_MS_MAX);
  const evaluating = services.trials.assessIfFree(inference, policy, deadlineMs, nowMs);
  if (evaluating === null) return withoutOutcome(shadow, 'skipped');
  return evaluating.then((evaluation) => conclude(evaluation, deadlineMs));
}

function verdictOf(
  { digest }: Shadow,
  policy: CompiledPolicy,
  inference: Inference,
  live: Live,
  evaluation: Evaluation,
  nowMs: number,
): ShadowVerdict {
  const known = runsFor(policy, live.runs);
  const judged =
    policy.judges.length === 0
      ? evaluation
      : withJudgements(evaluation, inference, policy, known, { clock: () => performance.now(), nowMs });
  const { changed, added, removed } = compareDecisions(live.evaluation, judged);
  return {
    policy: { digest },
    outcome: judged.outcome,
    changed,
    added: [...added],
    removed: [...removed],
    judges_not_asked: policy.judges.length - known.length,
    error: null,
  };
}

/**
 * Opinions that the policy in force has asked for, as the candidate sees them: with its thresholds, where it has the judge read the same
 * texts. A judge that only the candidate names is not asked: it would cost money, and time of the answer.
 */
function runsFor(candidate: CompiledPolicy, runs: readonly JudgeRun[]): JudgeRun[] {
  return candidate.judges.flatMap((judge) => {
    const run = runs.find(
      (asked) =>
        asked.judge.judgeId === judge.judgeId && JSON.stringify(asked.judge.appliesTo) === JSON.stringify(judge.appliesTo),
    );
    return run === undefined ? [] : [{ ...run, judge }];
  });
}

function withoutOutcome({ digest }: Shadow, error: NonNullable<ShadowVerdict['error']>): ShadowVerdict {
  return { policy: { digest }, outcome: null, changed: null, added: [], removed: [], judges_not_asked: 0, error };
}

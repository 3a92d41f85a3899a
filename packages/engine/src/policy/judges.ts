// What a policy says about judges: models outside that give their opinion on a text.

import type { Problem } from '../inference.ts';
import { TARGETS, type Action, type Target } from '../types.ts';
import type { PolicyDocument } from './document.ts';

/** A judge with what the policy says about it. */
export interface PolicyJudge {
  /** `jdg_…` */
  readonly judgeId: string;
  readonly appliesTo: Readonly<Record<Target, boolean>>;
  readonly flagAt: number;
  readonly blockAt: number | null;
}

/** What a document leaves out. Blocking on a model's opinion is for an organization to decide. */
const DEFAULTS = { applies_to: ['input', 'output'], flag_at: 0.5, block_at: null } as const;

type JudgesDocument = NonNullable<PolicyDocument['judges']>;

/** The judges of a document that has been linted. */
export function compileJudges(judges: JudgesDocument = []): PolicyJudge[] {
  return judges.map((judge) => {
    const targets: readonly Target[] = judge.applies_to ?? DEFAULTS.applies_to;
    return {
      judgeId: judge.judge_id,
      appliesTo: Object.fromEntries(TARGETS.map((target) => [target, targets.includes(target)])) as Record<Target, boolean>,
      flagAt: judge.flag_at ?? DEFAULTS.flag_at,
      blockAt: judge.block_at ?? DEFAULTS.block_at,
    };
  });
}

/** What the policy does about a judge's opinion of this score. A judge sees whole texts, so there is nothing to redact. */
export function judgedAction({ flagAt, blockAt }: PolicyJudge, score: number): Extract<Action, 'ignore' | 'flag' | 'block'> {
  if (score < flagAt) return 'ignore';
  return blockAt !== null && score >= blockAt ? 'block' : 'flag';
}

/** What the schema cannot say. Whether there is such a judge is known to the service alone. */
export function judgeErrors({ judges = [] }: PolicyDocument): Problem[] {
  const errors: Problem[] = [];
  judges.forEach((judge, i) => {
    const pointer = `/judges/${i}`;
    if (judges.findIndex(({ judge_id: id }) => id === judge.judge_id) < i)
      errors.push({ pointer: `${pointer}/judge_id`, message: 'is named by an earlier entry' });
    const { flagAt, blockAt } = compileJudges([judge])[0]!;
    if (blockAt !== null && blockAt < flagAt) {
      errors.push({ pointer: `${pointer}/block_at`, message: `block_at (${blockAt}) must not be below flag_at (${flagAt})` });
    }
  });
  return errors;
}

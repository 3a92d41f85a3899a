// Adds the opinions of judges, models outside that the service has asked, to what the engine has found. They add findings and raise the
// outcome; nothing that a detector found is taken away.

import { withAdded, withRuns, type Addition, type Draft } from './added.ts';
import type { Coverage, DetectorRun, Evaluation } from './answer.ts';
import type { AssessOptions } from './assess.ts';
import type { Inference } from './inference.ts';
import { partsOf } from './parts.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { judgedAction, type PolicyJudge } from './policy/judges.ts';
import { withRules } from './ruled.ts';
import type { FailureStatus } from './scan.ts';
import { frameworksOf } from './taxonomy.ts';
import type { Category, Part, Severity } from './types.ts';

/** One call of a judge: what it is sent, and which of that it is to judge. */
export interface JudgeQuestion {
  /** `input`: what goes to the model, context and tools included. `output`: what comes from it. */
  readonly direction: 'input' | 'output';
  /** In the order of the inference, without those that are blank. Never one that the policy does not name for this judge. */
  readonly texts: readonly Part[];
  /** Those of `texts` that are judged; never empty. The others are what was said before. */
  readonly judged: readonly Part[];
}

/** A violation that a judge sees. */
export interface JudgeVerdict {
  readonly category: Category;
  readonly type: string;
  /** 0–1, three decimals at most. */
  readonly score: number;
  readonly severity: Exclude<Severity, 'none'>;
  /** One sentence of ours: nothing that a model wrote is kept. */
  readonly explanation: string;
}

/** What came of a question. */
export type JudgeAnswer =
  | { readonly question: JudgeQuestion; readonly status: 'ok'; readonly verdicts: readonly JudgeVerdict[] }
  | { readonly question: JudgeQuestion; readonly status: FailureStatus; readonly explanation: string };

/** What came of asking one judge. */
export interface JudgeRun {
  readonly judge: PolicyJudge;
  /** Of its settings. */
  readonly version: string;
  readonly latencyMs: number;
  /** Empty: there was nothing for it to read. */
  readonly answers: readonly JudgeAnswer[];
}

/** What to ask a judge about an inference: at most one question for each direction. */
export function questionsFor(inference: Inference, { appliesTo }: PolicyJudge): JudgeQuestion[] {
  const texts = partsOf(inference).texts.filter(({ target, text }) => appliesTo[target] && text.trim() !== '');
  const input = texts.filter(({ target }) => target !== 'output');
  const output = texts.filter(({ target }) => target === 'output');
  const questions: JudgeQuestion[] = [];
  if (input.length > 0) questions.push({ direction: 'input', texts: input, judged: input });
  if (output.length > 0) questions.push({ direction: 'output', texts: [...input, ...output], judged: output });
  return questions;
}

/**
 * The evaluation with the judges' findings and runs, and then with what the policy's rules find. The judges' findings are always listed; where
 * the list is full, the least of the detectors' make room. `chars_scanned` counts no text that a judge should have read and has not: where a
 * detector failed too, it may be less than what all have read. To be called once for each evaluation by a policy that names judges, without
 * runs where none were asked; of other policies it leaves the evaluation as it is.
 */
export function withJudgements(
  evaluation: Evaluation,
  inference: Inference,
  policy: CompiledPolicy,
  runs: readonly JudgeRun[],
  options: Pick<AssessOptions, 'clock' | 'nowMs'>,
): Evaluation {
  if (policy.judges.length === 0) return evaluation;
  const additions = runs.flatMap((run) => additionsOf(run, policy));
  const judged = withAdded(evaluation, inference, policy, additions, options.nowMs);
  return withRules({ ...judged, coverage: coverageOf(judged.coverage, runs) }, inference, policy, options);
}

function additionsOf(run: JudgeRun, policy: CompiledPolicy): Addition[] {
  return run.answers.flatMap((answer) => {
    const verdicts = answer.status === 'ok' ? answer.verdicts : [failureVerdict(answer.status, answer.explanation)];
    return verdicts.flatMap((verdict): Addition[] => {
      const action =
        answer.status === 'ok' ? judgedAction(run.judge, verdict.score) : onErrorAction(policy, answer.question.direction);
      return action === 'ignore' ? [] : [{ action, draft: draftOf(run, answer.question, verdict) }];
    });
  });
}

function onErrorAction({ onError }: CompiledPolicy, direction: JudgeQuestion['direction']): Addition['action'] | 'ignore' {
  const action = onError[direction];
  return action === 'allow' ? 'ignore' : action;
}

/** It says nothing about the text, so it must not raise the assessment's score. */
function failureVerdict(status: FailureStatus, explanation: string): JudgeVerdict {
  const type = status === 'error' ? 'judge_error' : 'judge_timed_out';
  return { category: 'system.coverage', type, score: 0, severity: 'medium', explanation };
}

function draftOf(run: JudgeRun, { direction, judged }: JudgeQuestion, verdict: JudgeVerdict): Draft {
  // A judge says nothing of the place: what was said last is what the conversation is judged for.
  const place = judged.findLast(({ target }) => target === direction) ?? judged.at(-1)!;
  return {
    category: verdict.category,
    type: verdict.type,
    location: { pointer: place.pointer, start: 0, end: place.text.length },
    score: verdict.score,
    severity: verdict.severity,
    rule_id: null,
    detector: { id: detectorIdOf(run), version: run.version, method: verdict.category === 'system.coverage' ? 'limit' : 'judge' },
    preview: null,
    frameworks: [...frameworksOf(verdict.category)],
    explanation: verdict.explanation,
  };
}

function detectorIdOf({ judge }: JudgeRun): string {
  return `judge:${judge.judgeId}`;
}

function coverageOf(coverage: Coverage, runs: readonly JudgeRun[]): Coverage {
  const unread = new Map<string, number>();
  for (const { answers } of runs) {
    for (const { status, question } of answers) {
      if (status !== 'ok') question.judged.forEach(({ pointer, text }) => unread.set(pointer, text.length));
    }
  }
  const charsUnread = [...unread.values()].reduce((sum, chars) => sum + chars, 0);
  const read = { ...coverage, chars_scanned: Math.max(0, coverage.chars_scanned - charsUnread) };
  return withRuns(read, runs.map(runOf), unread.size > 0);
}

function runOf(run: JudgeRun): DetectorRun {
  const latency_ms = Math.round(run.latencyMs * 1_000) / 1_000;
  return { id: detectorIdOf(run), version: run.version, status: statusOf(run), latency_ms };
}

/** The worst of its answers, as with detectors: an error says more than a want of time. */
function statusOf({ answers }: JudgeRun): DetectorRun['status'] {
  const found = new Set(answers.map(({ status }) => status));
  return (['error', 'timed_out', 'ok'] as const).find((status) => found.has(status)) ?? 'skipped';
}

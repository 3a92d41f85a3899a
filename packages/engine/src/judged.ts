// Adds the opinions of judges, models outside that the service has asked, to what the engine has found. They add findings and raise the
// outcome; nothing that a detector found is taken away.

import { FINDINGS_MAX, type Coverage, type DetectorRun, type Evaluation, type Finding } from './answer.ts';
import { enforcementFrom } from './assess.ts';
import type { Inference } from './inference.ts';
import { partsOf } from './parts.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { judgedAction, type PolicyJudge } from './policy/judges.ts';
import type { FailureStatus } from './scan.ts';
import { frameworksOf, severityRank } from './taxonomy.ts';
import type { Action, Category, Part, Severity } from './types.ts';

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

/** A finding before it has its number. */
interface Opinion {
  readonly action: Extract<Action, 'flag' | 'block'>;
  readonly finding: Finding;
}

/**
 * The evaluation with the judges' findings and runs. Their findings are always listed; where the list is full, the least of the detectors'
 * make room. `chars_scanned` counts no text that a judge should have read and has not: where a detector failed too, it may be less than
 * what all have read.
 */
export function withJudgements(
  evaluation: Evaluation,
  inference: Inference,
  policy: CompiledPolicy,
  runs: readonly JudgeRun[],
): Evaluation {
  if (runs.length === 0) return evaluation;
  const isEnforced = policy.mode === 'enforce';
  const opinions = runs.flatMap((run) => opinionsOf(run, policy, isEnforced));
  const added = opinions.map(({ finding }) => finding);
  const kept = worst(evaluation.findings, FINDINGS_MAX - added.length);
  const coverage = coverageOf(evaluation.coverage, runs);
  return {
    outcome: outcomeOf(evaluation.outcome, opinions, isEnforced),
    enforcement: enforcementOf(evaluation, opinions, isEnforced),
    score: added.reduce((score, finding) => Math.max(score, finding.score), evaluation.score),
    severity: added.reduce(worseSeverity, evaluation.severity),
    findings: inDocumentOrder(inference, [...kept, ...added]).map(numbered),
    findings_total: evaluation.findings_total + added.length,
    redacted: evaluation.redacted,
    coverage,
  };
}

function opinionsOf(run: JudgeRun, policy: CompiledPolicy, isEnforced: boolean): Opinion[] {
  return run.answers.flatMap((answer) => {
    const verdicts = answer.status === 'ok' ? answer.verdicts : [failureVerdict(answer.status, answer.explanation)];
    return verdicts.flatMap((verdict) => {
      const action =
        answer.status === 'ok' ? judgedAction(run.judge, verdict.score) : onErrorAction(policy, answer.question.direction);
      if (action === 'ignore') return [];
      return [{ action, finding: findingOf(run, answer.question, verdict, action, isEnforced) }];
    });
  });
}

function onErrorAction({ onError }: CompiledPolicy, direction: JudgeQuestion['direction']): Opinion['action'] | 'ignore' {
  const action = onError[direction];
  return action === 'allow' ? 'ignore' : action;
}

/** It says nothing about the text, so it must not raise the assessment's score. */
function failureVerdict(status: FailureStatus, explanation: string): JudgeVerdict {
  const type = status === 'error' ? 'judge_error' : 'judge_timed_out';
  return { category: 'system.coverage', type, score: 0, severity: 'medium', explanation };
}

function findingOf(
  run: JudgeRun,
  { direction, judged }: JudgeQuestion,
  verdict: JudgeVerdict,
  action: Opinion['action'],
  isEnforced: boolean,
): Finding {
  // A judge says nothing of the place: what was said last is what the conversation is judged for.
  const place = judged.findLast(({ target }) => target === direction) ?? judged.at(-1)!;
  return {
    id: '',
    category: verdict.category,
    type: verdict.type,
    location: { pointer: place.pointer, start: 0, end: place.text.length },
    score: verdict.score,
    severity: verdict.severity,
    outcome: isEnforced && action === 'block' ? 'blocked' : 'flagged',
    action: isEnforced ? action : 'flag',
    rule_id: null,
    exception_id: null,
    detector: { id: detectorIdOf(run), version: run.version, method: verdict.category === 'system.coverage' ? 'limit' : 'judge' },
    preview: null,
    frameworks: [...frameworksOf(verdict.category)],
    explanation: verdict.explanation,
  };
}

function detectorIdOf({ judge }: JudgeRun): string {
  return `judge:${judge.judgeId}`;
}

function outcomeOf(outcome: Evaluation['outcome'], opinions: readonly Opinion[], isEnforced: boolean): Evaluation['outcome'] {
  if (opinions.length === 0 || outcome === 'blocked') return outcome;
  return isEnforced && opinions.some(({ action }) => action === 'block') ? 'blocked' : 'flagged';
}

function enforcementOf(evaluation: Evaluation, opinions: readonly Opinion[], isEnforced: boolean): Evaluation['enforcement'] {
  const blocking = opinions.filter(({ action }) => action === 'block');
  if (blocking.length === 0) return evaluation.enforcement;
  const before = evaluation.findings.filter(({ action }) => action === 'block').map(({ category }) => category);
  return enforcementFrom('block', [...before, ...blocking.map(({ finding }) => finding.category)], isEnforced);
}

function worseSeverity(worstYet: Severity, { severity }: Finding): Severity {
  return severityRank(severity) > severityRank(worstYet) ? severity : worstYet;
}

const STRENGTH = { flag: 0, redact: 1, block: 2 } as const;

function worst(findings: readonly Finding[], count: number): readonly Finding[] {
  if (findings.length <= count) return findings;
  return findings
    .toSorted(
      (a, b) =>
        STRENGTH[b.action] - STRENGTH[a.action] || b.score - a.score || severityRank(b.severity) - severityRank(a.severity),
    )
    .slice(0, count);
}

function numbered(finding: Finding, index: number): Finding {
  return { ...finding, id: `fnd_${index + 1}` };
}

/** By the text, then by the place in it; those of one place in the order given. */
function inDocumentOrder(inference: Inference, findings: readonly Finding[]): Finding[] {
  const order = new Map(partsOf(inference).texts.map(({ pointer }, i) => [pointer, i]));
  const orderOf = ({ location }: Finding) => order.get(location.pointer) ?? order.size;
  return findings.toSorted(
    (a, b) => orderOf(a) - orderOf(b) || a.location.start - b.location.start || a.location.end - b.location.end,
  );
}

function coverageOf(coverage: Coverage, runs: readonly JudgeRun[]): Coverage {
  const unread = new Map<string, number>();
  for (const { answers } of runs) {
    for (const { status, question } of answers) {
      if (status !== 'ok') question.judged.forEach(({ pointer, text }) => unread.set(pointer, text.length));
    }
  }
  const charsUnread = [...unread.values()].reduce((sum, chars) => sum + chars, 0);
  return {
    status: unread.size > 0 && coverage.status === 'complete' ? 'partial' : coverage.status,
    chars_total: coverage.chars_total,
    chars_scanned: Math.max(0, coverage.chars_scanned - charsUnread),
    detectors: [...coverage.detectors, ...runs.map(runOf)],
  };
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

// How findings become part of an evaluation: what each comes to, and those that judges and rules add to what detectors found.

import { FINDINGS_MAX, type Coverage, type DetectorRun, type Enforcement, type Evaluation, type Finding } from './answer.ts';
import type { Inference } from './inference.ts';
import { partsOf, type Parts } from './parts.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { activeExceptions, exceptionFor } from './policy/exceptions.ts';
import { severityRank } from './taxonomy.ts';
import type { Action, Severity } from './types.ts';

/** A finding before the policy has said what it comes to, and before it has its number. */
export type Draft = Omit<Finding, 'id' | 'outcome' | 'action' | 'exception_id'>;

/** A finding to add, with what the policy does about it unless it is excused. */
export interface Addition {
  readonly draft: Draft;
  readonly action: Extract<Action, 'flag' | 'block'>;
}

/** The finding that a draft comes to. `exceptionId`: the exception that excuses it, or `null`. `id`: its number comes later where it is left out. */
export function decided(
  draft: Draft,
  action: Exclude<Action, 'ignore'>,
  exceptionId: string | null,
  isEnforced: boolean,
  id = '',
): Finding {
  const excused = exceptionId !== null;
  return {
    id,
    category: draft.category,
    type: draft.type,
    location: draft.location,
    score: draft.score,
    severity: draft.severity,
    outcome: excused ? 'allowed' : isEnforced && action === 'block' ? 'blocked' : 'flagged',
    action: excused ? 'ignore' : isEnforced ? action : 'flag',
    rule_id: draft.rule_id,
    exception_id: exceptionId,
    detector: draft.detector,
    preview: draft.preview,
    frameworks: draft.frameworks,
    explanation: draft.explanation,
  };
}

/**
 * The evaluation with findings added. They are always listed, as far as there is room at all; the least of the others make it. Nothing that was
 * found is taken away.
 */
export function withAdded(
  evaluation: Evaluation,
  inference: Inference,
  policy: CompiledPolicy,
  additions: readonly Addition[],
  nowMs: number,
): Evaluation {
  if (additions.length === 0) return evaluation;
  const isEnforced = policy.mode === 'enforce';
  const parts = partsOf(inference);
  const exceptionIds = additions.map(({ draft }) => excuseOf(draft, inference, parts, policy, nowMs));
  const findings = additions.map(({ draft, action }, i) => decided(draft, action, exceptionIds[i]!, isEnforced));
  const counting = additions.filter((_addition, i) => exceptionIds[i] === null);
  const added = worst(findings, FINDINGS_MAX);
  const listed = [...worst(evaluation.findings, FINDINGS_MAX - added.length), ...added];
  return {
    outcome: outcomeOf(evaluation.outcome, counting, isEnforced),
    enforcement: enforcementOf(evaluation, counting, isEnforced),
    score: counting.reduce((score, { draft }) => Math.max(score, draft.score), evaluation.score),
    severity: counting.reduce(worseSeverity, evaluation.severity),
    findings: inDocumentOrder(parts, listed).map(numbered),
    findings_total: evaluation.findings_total + findings.length,
    redacted: evaluation.redacted,
    coverage: evaluation.coverage,
  };
}

/** Coverage with the runs of what came after the detectors. `isPartial`: not all of it could be done. */
export function withRuns(coverage: Coverage, runs: readonly DetectorRun[], isPartial: boolean): Coverage {
  return {
    ...coverage,
    status: isPartial && coverage.status === 'complete' ? 'partial' : coverage.status,
    detectors: [...coverage.detectors, ...runs],
  };
}

function excuseOf(
  draft: Draft,
  { subject }: Inference,
  { texts }: Parts,
  { exceptions }: CompiledPolicy,
  nowMs: number,
): string | null {
  const active = activeExceptions(exceptions, nowMs);
  if (active.length === 0) return null;
  const { pointer, start, end } = draft.location;
  const part = texts.find((one) => one.pointer === pointer);
  const finding = {
    category: draft.category,
    type: draft.type,
    detectorId: draft.detector.id,
    ruleId: draft.rule_id,
    pointer,
    target: part?.target ?? null,
    text: part?.text ?? '',
    start,
    end,
  };
  return exceptionFor(active, finding, subject);
}

function outcomeOf(outcome: Evaluation['outcome'], additions: readonly Addition[], isEnforced: boolean): Evaluation['outcome'] {
  if (additions.length === 0 || outcome === 'blocked') return outcome;
  return isEnforced && additions.some(({ action }) => action === 'block') ? 'blocked' : 'flagged';
}

function enforcementOf(evaluation: Evaluation, additions: readonly Addition[], isEnforced: boolean): Enforcement {
  const blocking = additions.filter(({ action }) => action === 'block');
  if (blocking.length === 0) return evaluation.enforcement;
  const before = evaluation.findings.filter(({ action }) => action === 'block').map(({ category }) => category);
  return enforcementFrom('block', [...before, ...blocking.map(({ draft }) => draft.category)], isEnforced);
}

/** What is done, or in monitor mode would be. `categories`: those of the findings that ask for `action`. */
export function enforcementFrom(action: Enforcement['action'], categories: readonly string[], isEnforced: boolean): Enforcement {
  if (isEnforced) return { mode: 'enforce', action, would: null, message: messageOf(action, categories) };
  const would = action === 'none' ? null : action;
  return {
    mode: 'monitor',
    action: 'none',
    would,
    message: would === null ? null : `Monitor mode: nothing was done; the policy would ${would}.`,
  };
}

function messageOf(action: Enforcement['action'], categories: readonly string[]): string | null {
  if (action === 'none') return null;
  const named = [...new Set(categories)].sort().join(', ');
  return action === 'block' ? `Blocked by policy: ${named}.` : `Redacted by policy: ${named}.`;
}

function worseSeverity(worstYet: Severity, { draft }: Addition): Severity {
  return severityRank(draft.severity) > severityRank(worstYet) ? draft.severity : worstYet;
}

const STRENGTH: Readonly<Record<Action, number>> = { ignore: 0, flag: 1, redact: 2, block: 3 };

/** At most `count` findings, those with the strongest actions first to stay. What is excused is the first to go. */
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

/** By the text, then by the place in it; those of one place in the order given, those of no text at the end. */
function inDocumentOrder({ texts }: Parts, findings: readonly Finding[]): Finding[] {
  const order = new Map(texts.map(({ pointer }, i) => [pointer, i]));
  const orderOf = ({ location }: Finding) => order.get(location.pointer) ?? order.size;
  return findings.toSorted(
    (a, b) => orderOf(a) - orderOf(b) || a.location.start - b.location.start || a.location.end - b.location.end,
  );
}

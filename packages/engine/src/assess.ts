// Assesses an inference by a policy: the one function that server, probe and simulations share.

import { decided, enforcementFrom, type Draft } from './added.ts';
import { FINDINGS_MAX, type Coverage, type Enforcement, type Evaluation, type Finding } from './answer.ts';
import type { Inference } from './inference.ts';
import { compareInDocument, compareWorst, mergeHits } from './merge.ts';
import { partsOf, type Parts } from './parts.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { activeExceptions, exceptionFor, type Excusable } from './policy/exceptions.ts';
import { redactInference, type Placeholders } from './redact.ts';
import { withRules } from './ruled.ts';
import { scanParts, unreadScan, type Clock, type Failure, type FailureStatus, type Hit, type Scan } from './scan.ts';
import { frameworksOf, severityRank } from './taxonomy.ts';
import type { Candidate, Severity } from './types.ts';

export type { Evaluation } from './answer.ts';

export interface AssessOptions {
  /** Milliseconds from any start, monotonic. Used for the deadline and latencies only, never for the decision. */
  readonly clock: Clock;
  /** Unix milliseconds as of which exceptions have expired or have not. */
  readonly nowMs: number;
  /** Default: `effectiveDeadlineMs`. */
  readonly deadlineMs?: number;
  /** Those that were shown before; new ones are added. Default: none. */
  readonly placeholders?: Placeholders;
}

/**
 * Assesses an inference that fits `InferenceSchema` and has no `inferenceProblems`. Never throws for what a text holds; a
 * detector that fails or is late shows in the coverage, and the policy's `on_error` decides. Pure but for the clock. Where the policy names
 * judges, rules are still to be decided: they see what judges say. `withJudgements` ends such an evaluation, whether any were asked or not.
 */
export function assess(inference: Inference, policy: CompiledPolicy, options: AssessOptions): Evaluation {
  const { clock, nowMs, deadlineMs } = options;
  const parts = partsOf(inference);
  const deadlineAt = clock() + (deadlineMs ?? effectiveDeadlineMs(inference, policy));
  const scan = scanParts(parts.texts, policy, clock, deadlineAt);
  const evaluation = conclude(inference, policy, parts, scan, nowMs, options.placeholders);
  return policy.judges.length === 0 ? withRules(evaluation, inference, policy, options) : evaluation;
}

/** Time that every assessment may take when the policy grants it: enough for 100 000 characters of nearly any kind. */
const DEADLINE_MS_MIN = 50;

/**
 * Milliseconds an assessment may take: what the inference asks for, else the policy's deadline. An inference gets at least
 * 50 ms of the policy's time, whatever it asks for: a deadline that no detector can keep would turn a block into `on_error`.
 */
export function effectiveDeadlineMs({ deadline_ms }: Pick<Inference, 'deadline_ms'>, policy: CompiledPolicy): number {
  return Math.max(deadline_ms ?? policy.deadlineMs, Math.min(policy.deadlineMs, DEADLINE_MS_MIN));
}

/** What follows when an inference could not be read at all: its thread hung (`timed_out`) or died (`error`). `nowMs`: as for `assess`. */
export function unreadEvaluation(inference: Inference, policy: CompiledPolicy, status: FailureStatus, nowMs: number): Evaluation {
  const parts = partsOf(inference);
  const evaluation = conclude(inference, policy, parts, unreadScan(parts.texts, policy, status), nowMs);
  return policy.judges.length === 0 ? withRules(evaluation, inference, policy, { clock: () => 0, nowMs }) : evaluation;
}

/** A hit, and the exception that excuses it, or `null`. */
export interface Listed {
  readonly hit: Hit;
  readonly exceptionId: string | null;
}

function conclude(
  inference: Inference,
  policy: CompiledPolicy,
  parts: Parts,
  scan: Scan,
  nowMs: number,
  placeholders?: Placeholders,
): Evaluation {
  const { counting, excused } = excuse(scan.hits, inference, policy, nowMs);
  const merged = mergeHits(counting);
  const hits = scan.failures.length === 0 ? merged : [...merged, ...coverageHits(scan.failures, policy)].sort(compareInDocument);
  const isEnforced = policy.mode === 'enforce';
  return {
    outcome: outcomeOf(hits, isEnforced),
    enforcement: enforcementOf(hits, isEnforced),
    score: hits.reduce((score, { candidate }) => Math.max(score, candidate.score), 0),
    severity: hits.reduce(worseSeverity, 'none'),
    findings: listedOf(hits, excused).map(({ hit, exceptionId }, i) => findingOf(hit, exceptionId, i, isEnforced)),
    findings_total: hits.length + excused.length,
    redacted: isEnforced ? redactionOf(inference, hits, placeholders) : null,
    coverage: coverageOf(parts, scan),
  };
}

/**
 * Parts the hits that count from those that an exception excuses. Before hits are merged: of two that overlap one may be excused and the other
 * not, and then the other stands as if it were alone.
 */
export function excuse(
  hits: readonly Hit[],
  { subject }: Pick<Inference, 'subject'>,
  { exceptions }: CompiledPolicy,
  nowMs: number,
): { counting: readonly Hit[]; excused: readonly Listed[] } {
  const active = activeExceptions(exceptions, nowMs);
  if (active.length === 0) return { counting: hits, excused: [] };
  const byException = Map.groupBy(hits, (hit) => exceptionFor(active, excusableOf(hit), subject));
  const counting = byException.get(null) ?? [];
  byException.delete(null);
  const excused = [...byException].flatMap(([exceptionId, those]) => mergeHits(those).map((hit) => ({ hit, exceptionId })));
  return { counting, excused };
}

function excusableOf({ candidate, detector, part, start, end }: Hit): Excusable {
  const { category, type, ruleId = null } = candidate;
  const { pointer, target, text } = part;
  return { category, type, detectorId: detector.id, ruleId, pointer, target, text, start, end };
}

/** At most `FINDINGS_MAX`, in document order: first the worst of those that count, then what is excused as far as there is room. */
function listedOf(hits: readonly Hit[], excused: readonly Listed[]): readonly Listed[] {
  const counting = keepWorst(hits).map((hit): Listed => ({ hit, exceptionId: null }));
  if (excused.length === 0) return counting;
  const byPlace = (a: Listed, b: Listed) => compareInDocument(a.hit, b.hit);
  return [...counting, ...excused.toSorted(byPlace).slice(0, FINDINGS_MAX - counting.length)].sort(byPlace);
}

/** Failures as findings, where the policy's `on_error` makes them one. */
function coverageHits(failures: readonly Failure[], { onError }: CompiledPolicy): Hit[] {
  return failures.flatMap(({ owner, part, order, status }) => {
    const action = onError[part.target === 'output' ? 'output' : 'input'];
    if (action === 'allow') return [];
    const candidate = coverageCandidate(owner.detector.id, status, part.text.length);
    return [{ candidate, detector: owner.detector, part, order, start: 0, end: part.text.length, action }];
  });
}

function coverageCandidate(id: string, status: FailureStatus, end: number): Candidate {
  return {
    category: 'system.coverage',
    type: status === 'error' ? 'detector_error' : 'detector_timed_out',
    start: 0,
    end,
    // It says nothing about the text, so it must not raise the assessment's score.
    score: 0,
    severity: 'medium',
    method: 'limit',
    explanation:
      status === 'error'
        ? `The detector ${id} failed on this text.`
        : `The detector ${id} has not read all of this text: time or a bound ran out.`,
    preview: null,
  };
}

/** At most `FINDINGS_MAX` hits in document order: the worst of each category, so that none hides another, then the worst of all. */
function keepWorst(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length <= FINDINGS_MAX) return hits;
  const sorted = hits.toSorted(compareWorst);
  const first = new Map<string, Hit>();
  for (const hit of sorted) if (!first.has(hit.candidate.category)) first.set(hit.candidate.category, hit);
  const kept = new Set([...first.values(), ...sorted].slice(0, FINDINGS_MAX + first.size));
  return [...kept].slice(0, FINDINGS_MAX).sort(compareInDocument);
}

/** `index`: from 0, what its id counts. */
export function findingOf(
  { candidate, detector, part, start, end, action }: Hit,
  exceptionId: string | null,
  index: number,
  isEnforced: boolean,
): Finding {
  const draft: Draft = {
    category: candidate.category,
    type: candidate.type,
    location: { pointer: part.pointer, start, end },
    score: candidate.score,
    severity: candidate.severity,
    rule_id: candidate.ruleId ?? null,
    detector: { id: detector.id, version: detector.version, method: candidate.method },
    preview: printable(candidate.preview),
    frameworks: frameworksOf(candidate.category) as string[],
    explanation: candidate.explanation,
  };
  return decided(draft, action, exceptionId, isEnforced, `fnd_${index + 1}`);
}

/** Characters that no terminal, log or database should get: control characters, and halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}]/gu;

function printable(preview: string | null): string | null {
  return preview === null ? null : preview.replaceAll(UNPRINTABLE, '·');
}

function outcomeOf(hits: readonly Hit[], isEnforced: boolean): Evaluation['outcome'] {
  if (hits.length === 0) return 'allowed';
  return isEnforced && hits.some(({ action }) => action === 'block') ? 'blocked' : 'flagged';
}

function worseSeverity(worst: Severity, { candidate }: Hit): Severity {
  return severityRank(candidate.severity) > severityRank(worst) ? candidate.severity : worst;
}

function enforcementOf(hits: readonly Hit[], isEnforced: boolean): Enforcement {
  const action = strongestAction(hits);
  const categories = hits.filter((hit) => hit.action === action).map(({ candidate }) => candidate.category);
  return enforcementFrom(action, categories, isEnforced);
}

function strongestAction(hits: readonly Hit[]): 'none' | 'redact' | 'block' {
  if (hits.some(({ action }) => action === 'block')) return 'block';
  return hits.some(({ action }) => action === 'redact') ? 'redact' : 'none';
}

/** All hits count here, also those beyond what the answer lists. */
function redactionOf(inference: Inference, hits: readonly Hit[], placeholders?: Placeholders): Evaluation['redacted'] {
  if (!hits.some(({ action }) => action === 'redact')) return null;
  const spans = hits.map(({ candidate, part, start, end, action }) => ({
    type: candidate.type,
    location: { pointer: part.pointer, start, end },
    action,
  }));
  return redactInference(inference, spans, placeholders);
}

function coverageOf({ chars, unread }: Parts, { runs, charsScanned, failures }: Scan): Coverage {
  return {
    status: coverageStatus(chars, unread, charsScanned, failures),
    chars_total: chars,
    chars_scanned: charsScanned,
    detectors: runs,
  };
}

function coverageStatus(chars: number, unread: number, charsScanned: number, failures: readonly Failure[]): Coverage['status'] {
  // A detector that met a bound of its own has read most of the text; one that was late or broke may have read none.
  if (charsScanned === 0 && failures.some(({ isTruncation }) => !isTruncation)) return 'failed';
  return failures.length > 0 || unread > 0 || charsScanned < chars ? 'partial' : 'complete';
}

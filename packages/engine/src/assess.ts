// Assesses an inference by a policy: the one function that server, probe and simulations share.

import { FINDINGS_MAX, type Coverage, type Enforcement, type Evaluation, type Finding } from './answer.ts';
import type { Inference } from './inference.ts';
import { compareInDocument, compareWorst, mergeHits } from './merge.ts';
import { partsOf, type Parts } from './parts.ts';
import type { CompiledPolicy } from './policy/compile.ts';
import { redactInference } from './redact.ts';
import { scanParts, unreadScan, type Clock, type Failure, type FailureStatus, type Hit, type Scan } from './scan.ts';
import { frameworksOf, severityRank } from './taxonomy.ts';
import type { Candidate, Severity } from './types.ts';

export type { Evaluation } from './answer.ts';

export interface AssessOptions {
  /** Milliseconds from any start, monotonic. Used for the deadline and latencies only, never for the decision. */
  readonly clock: Clock;
  /** Default: `effectiveDeadlineMs`. */
  readonly deadlineMs?: number;
}

/**
 * Assesses an inference that fits `InferenceSchema` and has no `inferenceProblems`. Never throws for what a text holds; a
 * detector that fails or is late shows in the coverage, and the policy's `on_error` decides. Pure but for the clock.
 */
export function assess(inference: Inference, policy: CompiledPolicy, { clock, deadlineMs }: AssessOptions): Evaluation {
  const parts = partsOf(inference);
  const deadlineAt = clock() + (deadlineMs ?? effectiveDeadlineMs(inference, policy));
  return conclude(inference, policy, parts, scanParts(parts.texts, policy, clock, deadlineAt));
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

/** What follows when an inference could not be read at all: its thread hung (`timed_out`) or died (`error`). */
export function unreadEvaluation(inference: Inference, policy: CompiledPolicy, status: FailureStatus): Evaluation {
  const parts = partsOf(inference);
  return conclude(inference, policy, parts, unreadScan(parts.texts, policy, status));
}

function conclude(inference: Inference, policy: CompiledPolicy, parts: Parts, scan: Scan): Evaluation {
  const merged = mergeHits(scan.hits);
  const hits = scan.failures.length === 0 ? merged : [...merged, ...coverageHits(scan.failures, policy)].sort(compareInDocument);
  const isEnforced = policy.mode === 'enforce';
  const findings = keepWorst(hits).map((hit, i) => findingOf(hit, i, isEnforced));
  return {
    outcome: outcomeOf(hits, isEnforced),
    enforcement: enforcementOf(hits, isEnforced),
    score: hits.reduce((score, { candidate }) => Math.max(score, candidate.score), 0),
    severity: hits.reduce(worseSeverity, 'none'),
    findings,
    findings_total: hits.length,
    redacted: isEnforced ? redactionOf(inference, hits) : null,
    coverage: coverageOf(parts, scan),
  };
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

/** At most `FINDINGS_MAX` hits, the worst ones, in document order. */
function keepWorst(hits: readonly Hit[]): readonly Hit[] {
  if (hits.length <= FINDINGS_MAX) return hits;
  return hits.toSorted(compareWorst).slice(0, FINDINGS_MAX).sort(compareInDocument);
}

function findingOf({ candidate, detector, part, start, end, action }: Hit, index: number, isEnforced: boolean): Finding {
  return {
    id: `fnd_${index + 1}`,
    category: candidate.category,
    type: candidate.type,
    location: { pointer: part.pointer, start, end },
    score: candidate.score,
    severity: candidate.severity,
    outcome: isEnforced && action === 'block' ? 'blocked' : 'flagged',
    action: isEnforced ? action : 'flag',
    rule_id: candidate.ruleId ?? null,
    exception_id: null,
    detector: { id: detector.id, version: detector.version, method: candidate.method },
    preview: candidate.preview,
    frameworks: frameworksOf(candidate.category) as string[],
    explanation: candidate.explanation,
  };
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

function strongestAction(hits: readonly Hit[]): 'none' | 'redact' | 'block' {
  if (hits.some(({ action }) => action === 'block')) return 'block';
  return hits.some(({ action }) => action === 'redact') ? 'redact' : 'none';
}

function messageOf(action: Enforcement['action'], categories: readonly string[]): string | null {
  if (action === 'none') return null;
  const named = [...new Set(categories)].sort().join(', ');
  return action === 'block' ? `Blocked by policy: ${named}.` : `Redacted by policy: ${named}.`;
}

/** All hits count here, also those beyond what the answer lists. */
function redactionOf(inference: Inference, hits: readonly Hit[]): Evaluation['redacted'] {
  if (!hits.some(({ action }) => action === 'redact')) return null;
  const spans = hits.map(({ candidate, part, start, end, action }) => ({
    type: candidate.type,
    location: { pointer: part.pointer, start, end },
    action,
  }));
  return redactInference(inference, spans);
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

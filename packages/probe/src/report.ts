// What the service is told of a decision: outcome, findings and measures, and nothing of what was said.

import type { Evaluation, Inference, Outcome } from '@svc/engine';
import type { TelemetryEvent } from '@svc/telemetry';
import type { Deciding } from './decide.ts';
import { label } from './label.ts';

/** What is known of an inference beside what was said. All optional; labels that are too long are cut. */
export interface About {
  readonly provider?: string | null;
  /** `gen_ai.operation.name`, such as `chat`. */
  readonly operation?: string | null;
  /** The model that was asked for. Default: that of the inference. */
  readonly model?: string | null;
  /** The model that says it has answered. */
  readonly modelVersion?: string | null;
  readonly inputTokens?: number | null;
  readonly outputTokens?: number | null;
  readonly latencyMs?: number | null;
  readonly timeToFirstTokenMs?: number | null;
  readonly finishReason?: string | null;
  /** Why there is no answer, or not all of it: a short name. */
  readonly error?: string | null;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

const NAME_CHARS_MAX = 200;
const SHORT_NAME_CHARS_MAX = 100;
const FINDINGS_MAX = 200;

/** What was decided about all of an exchange. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly score: number;
  readonly findings: Evaluation['findings'];
  readonly coverage: Evaluation['coverage']['status'];
}

const OUTCOME_RANK: Readonly<Record<Outcome, number>> = { allowed: 0, flagged: 1, blocked: 2 };
const COVERAGE_RANK: Readonly<Record<Verdict['coverage'], number>> = { complete: 0, partial: 1, failed: 2 };

function worse<Value extends string>(rank: Readonly<Record<Value, number>>, a: Value, b: Value): Value {
  return rank[a] >= rank[b] ? a : b;
}

/** The worst of all evaluations of one exchange. Those of its answers see the question too, whose findings count once. */
export function verdictOf(evaluations: readonly Evaluation[]): Verdict {
  const findings = new Map<string, Evaluation['findings'][number]>();
  for (const finding of evaluations.flatMap((evaluation) => evaluation.findings)) {
    const { category, type, rule_id: rule, location, detector } = finding;
    const place = [category, type, rule, detector.id, location.pointer, location.start, location.end].join(' ');
    if (!findings.has(place)) findings.set(place, finding);
  }
  return {
    outcome: evaluations.reduce<Outcome>((worst, { outcome }) => worse(OUTCOME_RANK, worst, outcome), 'allowed'),
    score: evaluations.reduce((highest, { score }) => Math.max(highest, score), 0),
    findings: [...findings.values()].sort((a, b) => OUTCOME_RANK[b.outcome] - OUTCOME_RANK[a.outcome] || b.score - a.score),
    coverage: evaluations.reduce<Verdict['coverage']>(
      (worst, { coverage }) => worse(COVERAGE_RANK, worst, coverage.status),
      'complete',
    ),
  };
}

/** The event that reports a verdict. `null`: nothing was decided, only measured. */
export function eventOf(
  id: string,
  occurredAtMs: number,
  { model, subject }: Pick<Inference, 'model' | 'subject'>,
  verdict: Verdict | null,
  { policy: { bundle } }: Deciding,
  about: About,
): TelemetryEvent {
  const named = typeof model === 'string' ? { name: model } : (model ?? {});
  return compact({
    id,
    occurred_at: new Date(occurredAtMs).toISOString(),
    model: label(about.model ?? named.name, NAME_CHARS_MAX),
    model_version: label(about.modelVersion ?? named.version, NAME_CHARS_MAX),
    provider: label(about.provider ?? named.provider, SHORT_NAME_CHARS_MAX),
    operation: label(about.operation, SHORT_NAME_CHARS_MAX),
    input_tokens: count(about.inputTokens),
    output_tokens: count(about.outputTokens),
    latency_ms: duration(about.latencyMs),
    time_to_first_token_ms: duration(about.timeToFirstTokenMs),
    finish_reason: label(about.finishReason, SHORT_NAME_CHARS_MAX),
    error: label(about.error, NAME_CHARS_MAX),
    ...(verdict === null ? {} : decisionOf(verdict)),
    ...(verdict === null || bundle === null || bundle.version < 1
      ? {}
      : { policy_version: bundle.version, policy_digest: bundle.digest }),
    subject: subject === undefined || Object.keys(subject).length === 0 ? undefined : subject,
    attributes: about.attributes,
  }) as TelemetryEvent;
}

function decisionOf({ outcome, score, findings, coverage }: Verdict) {
  return {
    outcome,
    score,
    coverage,
    findings: findings
      // What an exception excuses counts for nothing.
      .filter(({ exception_id: exceptionId }) => exceptionId === null)
      .slice(0, FINDINGS_MAX)
      .map((finding) => ({
        category: finding.category,
        type: label(finding.type, SHORT_NAME_CHARS_MAX) ?? 'unnamed',
        score: finding.score,
        severity: finding.severity,
        action: finding.action,
        outcome: finding.outcome,
      })),
  };
}

const QUANTITY_MAX = 1_000_000_000;

function count(value: number | null | undefined): number | undefined {
  return Number.isInteger(value) && value! >= 0 && value! <= QUANTITY_MAX ? value! : undefined;
}

function duration(value: number | null | undefined): number | undefined {
  if (value === null || value === undefined || !(value >= 0 && value <= QUANTITY_MAX)) return undefined;
  return Math.round(value * 1_000) / 1_000;
}

function compact(members: object): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}

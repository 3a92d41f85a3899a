// What is kept of telemetry: one row for each event that was accepted.

import { createHash } from 'node:crypto';
import type { Coverage, Outcome } from '@svc/engine';
import type { TelemetryEvent } from '@svc/telemetry';
import type { ReadEvent } from './read.ts';

/** What was decided about an inference, by the service or by the probe. */
export interface Decision {
  readonly outcome: Outcome | null;
  readonly score: number | null;
  /** Each once. */
  readonly categories: readonly string[];
  readonly policyVersion: number | null;
  readonly coverage: Coverage['status'] | null;
}

/** An event that is to be stored. */
export interface TelemetryRow {
  /** Its index in the batch. */
  readonly position: number;
  readonly event: TelemetryEvent;
  readonly occurredAtMs: number;
  readonly decision: Decision;
  /** Serialized; `null`: none. */
  readonly attributes: string | null;
}

export function rowOf({ position, event, occurredAtMs }: ReadEvent, decision: Decision): TelemetryRow {
  const attributes = event.attributes == null ? null : JSON.stringify(event.attributes);
  return { position, event, occurredAtMs, decision, attributes };
}

/** As the column `categories` has them: ' a b '; `null`: none. */
export function categoriesText({ categories }: Decision): string | null {
  return categories.length === 0 ? null : ` ${categories.join(' ')} `;
}

/** What the probe decided. */
export function decisionOf(event: TelemetryEvent): Decision {
  const { outcome, score, findings, policy_version: policyVersion, coverage } = event;
  return {
    outcome: outcome ?? null,
    score: score ?? null,
    categories: findings == null || findings.length === 0 ? NONE : [...new Set(findings.map(({ category }) => category))],
    policyVersion: policyVersion ?? null,
    coverage: coverage ?? null,
  };
}
const NONE: readonly string[] = [];

/**
 * The row as the batch's digest has it: an array of its columns, from position on in the order of the table without the time of receipt, as
 * canonical JSON (RFC 8785), and a line feed. `occurred_at` in Unix milliseconds.
 */
function canonicalRow({ position, event, occurredAtMs, decision, attributes }: TelemetryRow): string {
  const { subject } = event;
  const columns = [
    position,
    event.id,
    occurredAtMs,
    event.model ?? null,
    event.model_version ?? null,
    event.provider ?? null,
    event.operation ?? null,
    event.input_tokens ?? null,
    event.output_tokens ?? null,
    event.latency_ms ?? null,
    event.time_to_first_token_ms ?? null,
    event.finish_reason ?? null,
    event.error ?? null,
    decision.outcome,
    decision.score,
    categoriesText(decision),
    decision.policyVersion,
    decision.coverage,
    subject?.user ?? null,
    subject?.session ?? null,
    subject?.agent ?? null,
    attributes,
  ];
  // What JSON.stringify writes of numbers, texts and null is their canonical form.
  return `${JSON.stringify(columns)}\n`;
}

/** `sha256:` and the digest of the rows, which are in the order of their positions. */
export function digestOf(rows: readonly TelemetryRow[]): string {
  const lines: string[] = [];
  for (const row of rows) lines.push(canonicalRow(row));
  return `sha256:${createHash('sha256').update(lines.join('')).digest('hex')}`;
}

// What the trail holds of telemetry: that a batch came, and each inference of it that was flagged or blocked.

import { SEVERITIES, type Outcome, type Severity } from '@svc/engine';
import { inferenceOf, type TelemetryEvent, type TelemetryFinding } from '@svc/telemetry';
import { serializeAssessment } from '../assessments/serialize.ts';
import { sealText } from '../assessments/texts.ts';
import type { Vault } from '../access/vault.ts';
import { isoTime } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import type { Actor, NewEvent } from '../journal/journal.ts';
import type { Assessed } from './assess.ts';
import { digestOf, type TelemetryRow } from './rows.ts';
import type { ProbeKey } from './store.ts';

/** A batch that is being recorded. */
export interface Batch {
  readonly key: ProbeKey;
  readonly group: string;
  readonly actor: Actor;
  /** Of the event that tells of it. */
  readonly id: Buffer;
  readonly receivedAtMs: number;
  /** What the service decided, by position. */
  readonly assessed: ReadonlyMap<number, Assessed>;
}

/** `telemetry.received`. `rows`: those that were stored, in the order of their positions; `counts`: of the others. */
export function receivedEvent(
  { key: { orgId, probeId }, group, actor, id, receivedAtMs, assessed }: Batch,
  rows: readonly TelemetryRow[],
  counts: { readonly duplicates: number; readonly rejected: number },
): NewEvent {
  const outcomes = { allowed: 0, flagged: 0, blocked: 0, none: 0 };
  const decidedHere = { allowed: 0, flagged: 0, blocked: 0 };
  const named = modelsNamed(rows);
  const models = new Map<string, number>();
  let modelsOther = 0;
  const policyVersions = new Map<string, number>();
  const excused = new Map<string, number>();
  for (const { position, event, decision } of rows) {
    outcomes[decision.outcome ?? 'none']++;
    if (event.model != null && named.has(event.model)) count(models, event.model);
    else if (event.model != null) modelsOther++;
    if (decision.policyVersion !== null) countName(policyVersions, String(decision.policyVersion));
    const here = assessed.get(position);
    if (here === undefined) continue;
    decidedHere[here.evaluation.outcome]++;
    for (const { exception_id: exceptionId } of here.evaluation.findings) if (exceptionId !== null) count(excused, exceptionId);
  }
  const data = {
    assessed: decidedHere, // first: see ASSESSED_IN_DATA in trail-marks.ts
    excused: Object.fromEntries(excused),
    probe_id: probeId,
    group,
    accepted: rows.length,
    ...counts,
    outcomes,
    models: Object.fromEntries(models),
    ...(modelsOther === 0 ? {} : { models_other: modelsOther }),
    policy_versions: Object.fromEntries(policyVersions),
    digest: digestOf(rows),
  };
  return {
    orgId,
    id,
    kind: 'telemetry.received',
    occurredAtMs: receivedAtMs,
    actor,
    model: null,
    subjectUser: null,
    subjectSession: null,
    subjectAgent: null,
    externalId: null,
    probeId,
    categories: [],
    data: JSON.stringify(data),
  };
}

/** Names beyond the bound are counted together: an event is to fit into the body of a webhook. */
const NAMES_MAX = 50;

/** The models that the event of a batch of these rows counts by name. */
export function modelsNamed(rows: readonly TelemetryRow[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (const { event } of rows) {
    if (event.model != null) named.add(event.model);
    if (named.size === NAMES_MAX) break;
  }
  return named;
}

function countName(counts: Map<string, number>, name: string): void {
  const isRoom = counts.has(name) || counts.size < NAMES_MAX;
  count(counts, isRoom ? name : 'other');
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** True for a row of which the trail has an event of its own. */
export function hasEvent({ decision }: TelemetryRow): boolean {
  return decision.outcome === 'flagged' || decision.outcome === 'blocked';
}

/**
 * `inference.flagged` or `inference.blocked`, with what the policy says is kept of its texts. `named`: models that the batch's own event counts by name;
 * of another one it says that it is counted among the others, so that whoever counts by model can find it there.
 */
export function inferenceEvent(vault: Vault, batch: Batch, row: TelemetryRow, named: ReadonlySet<string>): NewEvent {
  const { event, decision, occurredAtMs } = row;
  const { orgId, probeId } = batch.key;
  const id = idAt(batch.id, row.position);
  const assessed = batch.assessed.get(row.position);
  return {
    orgId,
    id,
    kind: `inference.${decision.outcome}`,
    occurredAtMs,
    actor: batch.actor,
    model: event.model ?? null,
    subjectUser: event.subject?.user ?? null,
    subjectSession: event.subject?.session ?? null,
    subjectAgent: event.subject?.agent ?? null,
    externalId: null,
    probeId,
    categories: decision.categories,
    data: dataOf(batch, row, id, event.model != null && !named.has(event.model)),
    sealedText: assessed === undefined ? null : sealText(vault, assessed.policy, orgId, id, assessed.inference),
  };
}

/** The id of the event of a row: the batch's own with the position and one added to its last 32 bits. */
export function idAt(batchId: Buffer, position: number): Buffer {
  const id = Buffer.from(batchId);
  id.writeUInt32BE((id.readUInt32BE(12) + position + 1) >>> 0, 12);
  return id;
}

/** An assessment, with the probe that it comes from. */
export function dataOf(batch: Batch, row: TelemetryRow, id: Buffer, isAmongOthers = false): string {
  const { key, receivedAtMs } = batch;
  const { event } = row;
  const assessed = batch.assessed.get(row.position);
  const isOverruled = assessed !== undefined && event.outcome != null;
  const more = {
    probe: {
      id: key.probeId,
      event_id: event.id,
      decided_by: assessed === undefined ? 'probe' : 'service',
      ...(isAmongOthers ? { model_counted_as: 'other' } : {}),
    },
    ...(isOverruled ? { probe_outcome: event.outcome } : {}),
  };
  const identity = { id: formatId('asm', id), eventId: key.mode === 'live' ? formatId('evt', id) : null, mode: key.mode };
  const text =
    assessed === undefined
      ? JSON.stringify(probeAssessment(event, identity, key.probeId, receivedAtMs))
      : serializeAssessment(assessed.inference, assessed.policy, assessed.evaluation, {
          ...identity,
          createdAtMs: receivedAtMs,
          latencyMs: assessed.latencyMs,
        });
  return `${text.slice(0, -1)},${JSON.stringify(more).slice(1)}`;
}

// Each is written out as an assessment has it, which is ten times as long as a probe says it.
const FINDINGS_LISTED_MAX = 50;

/**
 * What a probe decided, in the shape of an assessment. What it did not say is left open: a finding stands nowhere, coverage is partial, the
 * policy has no version.
 */
function probeAssessment(
  event: TelemetryEvent,
  identity: { readonly id: string; readonly eventId: string | null; readonly mode: 'live' | 'test' },
  probeId: string,
  receivedAtMs: number,
) {
  const outcome = event.outcome!;
  const found = event.findings ?? [];
  const findings = found.slice(0, FINDINGS_LISTED_MAX).map((finding, i) => findingOf(finding, i, outcome, probeId));
  const { metadata, model, subject } = inferenceOf(event);
  const { provider, name, version } = typeof model === 'object' ? model : {};
  return {
    id: identity.id,
    external_id: null,
    created_at: isoTime(receivedAtMs),
    mode: identity.mode,
    outcome,
    enforcement: { mode: 'enforce', action: actionOf(outcome, findings), would: null, message: null },
    score: event.score ?? found.reduce((highest, { score }) => Math.max(highest, score), 0),
    severity: worstOf(findings.map(({ severity }) => severity)),
    findings,
    findings_total: found.length,
    coverage: { status: event.coverage ?? 'partial', chars_total: 0, chars_scanned: 0, detectors: [] },
    policy: { version: event.policy_version ?? null, digest: event.policy_digest ?? null },
    shadow: null,
    model: model === undefined ? null : { provider: provider ?? null, name: name ?? null, version: version ?? null },
    subject:
      subject === undefined
        ? null
        : { user: subject.user ?? null, session: subject.session ?? null, agent: subject.agent ?? null },
    metadata: metadata ?? {},
    event_id: identity.eventId,
    latency_ms: 0,
  };
}

function findingOf(finding: TelemetryFinding, i: number, outcome: Outcome, probeId: string) {
  const own = finding.outcome ?? (finding.action === 'block' ? 'blocked' : finding.action == null ? outcome : 'flagged');
  return {
    id: `fnd_${i + 1}`,
    category: finding.category,
    type: finding.type,
    location: { pointer: '', start: 0, end: 0 },
    score: finding.score,
    severity: finding.severity ?? (own === 'blocked' ? 'high' : 'medium'),
    outcome: own,
    action: finding.action ?? (own === 'blocked' ? 'block' : 'flag'),
    rule_id: null,
    exception_id: null,
    detector: { id: 'probe', version: '1', method: 'probe' },
    preview: null,
    frameworks: [],
    explanation: `The probe ${probeId} has found it.`,
  } as const;
}

function actionOf(outcome: Outcome, findings: readonly { readonly action: string }[]): 'none' | 'redact' | 'block' {
  if (outcome === 'blocked') return 'block';
  return findings.some(({ action }) => action === 'redact') ? 'redact' : 'none';
}

function worstOf(severities: readonly Severity[]): Severity {
  return severities.reduce<Severity>((worst, one) => (SEVERITIES.indexOf(one) > SEVERITIES.indexOf(worst) ? one : worst), 'none');
}

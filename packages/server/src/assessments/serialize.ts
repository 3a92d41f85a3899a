// Writes an assessment as JSON. By hand, because it is done for every request: what varies is small, and the names, ids and enumerations around
// it need no escaping. Half the time of JSON.stringify on the whole.

import type { CompiledPolicy, Coverage, Evaluation, Inference } from '@svc/engine';
import { isoTime } from '../http/schemas.ts';

/** What an assessment has beside what the engine decided. */
export interface Identity {
  /** `asm_…` */
  readonly id: string;
  /** `evt_…`; `null` in test mode. */
  readonly eventId: string | null;
  readonly mode: 'live' | 'test';
  readonly createdAtMs: number;
  readonly latencyMs: number;
  /** What a candidate policy made of it, as JSON; absent: `null`. */
  readonly shadow?: string;
}

/** The assessment without `redacted`, which holds what the customer sent. Every text that is not ours goes through `JSON.stringify`. */
export function serializeAssessment(
  inference: Inference,
  policy: CompiledPolicy,
  evaluation: Evaluation,
  identity: Identity,
): string {
  const { findings } = evaluation;
  return (
    `{"id":"${identity.id}","external_id":${textOrNull(inference.external_id)},"created_at":"${isoTime(identity.createdAtMs)}","mode":"${identity.mode}"` +
    `,"outcome":"${evaluation.outcome}","enforcement":${JSON.stringify(evaluation.enforcement)},"score":${evaluation.score},"severity":"${evaluation.severity}"` +
    `,"findings":${findings.length === 0 ? '[]' : JSON.stringify(findings)},"findings_total":${evaluation.findings_total}` +
    `,"coverage":${serializeCoverage(evaluation.coverage)},"policy":{"version":${policy.version},"digest":"${policy.digest}"},"shadow":${identity.shadow ?? 'null'}` +
    `,"model":${serializeModel(inference.model)},"subject":${serializeSubject(inference.subject)}` +
    `,"metadata":${inference.metadata === undefined ? '{}' : JSON.stringify(inference.metadata)}` +
    `,"event_id":${identity.eventId === null ? 'null' : `"${identity.eventId}"`},"latency_ms":${Math.round(identity.latencyMs * 1_000) / 1_000}}`
  );
}

function textOrNull(text: string | undefined): string {
  return text === undefined ? 'null' : JSON.stringify(text);
}

function serializeCoverage({ status, chars_total: total, chars_scanned: scanned, detectors }: Coverage): string {
  let runs = '';
  for (const { id, version, status: ran, latency_ms: latencyMs } of detectors) {
    runs += `${runs === '' ? '' : ','}{"id":"${id}","version":"${version}","status":"${ran}","latency_ms":${latencyMs}}`;
  }
  return `{"status":"${status}","chars_total":${total},"chars_scanned":${scanned},"detectors":[${runs}]}`;
}

function serializeModel(model: Inference['model']): string {
  if (model === undefined) return 'null';
  const { provider, name, version } =
    typeof model === 'string' ? { name: model, provider: undefined, version: undefined } : model;
  return `{"provider":${textOrNull(provider)},"name":${textOrNull(name)},"version":${textOrNull(version)}}`;
}

function serializeSubject(subject: Inference['subject']): string {
  if (subject === undefined) return 'null';
  return `{"user":${textOrNull(subject.user)},"session":${textOrNull(subject.session)},"agent":${textOrNull(subject.agent)}}`;
}

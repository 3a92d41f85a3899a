// From an inference to a recorded assessment: the engine decides, the journal commits, then the caller hears of it.

import {
  assess,
  effectiveDeadlineMs,
  type CompiledPolicy,
  type Evaluation,
  type Inference,
  type Placeholders,
} from '@svc/engine';
import { actorOf, type Principal } from '../access/principal.ts';
import { queueTestEvent } from '../delivery/store.ts';
import { formatId, uuidText, withPrefix } from '../ids.ts';
import type { Actor, NewEvent, RecordEvent } from '../journal/journal.ts';
import type { Organization } from '../organizations/organization.ts';
import { runShadow, type Live } from '../policy/shadow/run.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { isLong } from './long-texts.ts';
import { serializeAssessment } from './serialize.ts';
import { insertTestAssessment } from './store.ts';
import { sealText } from './texts.ts';

/** An assessment that is committed. */
export interface Assessed {
  /** `asm_…` */
  readonly id: string;
  readonly outcome: Evaluation['outcome'];
  /** What the engine decided. `redacted` holds what the customer sent: it may be answered, and is kept nowhere. */
  readonly evaluation: Evaluation;
  readonly policy: CompiledPolicy;
  /** The whole answer, serialized. */
  readonly text: string;
}

const monotonicMs = () => performance.now();

/** On whose behalf something is assessed. */
export interface Assessee {
  readonly organization: Organization;
  readonly mode: 'live' | 'test';
  readonly actor: Actor;
}

/** What is recorded of an assessment. */
interface Recording {
  readonly inference: Inference;
  readonly policy: CompiledPolicy;
  readonly evaluation: Evaluation;
  readonly id: Buffer;
  readonly nowMs: number;
  /** Serialized, without what was redacted. */
  readonly data: string;
}

/** Assesses one inference for `principal` and records it under `id`. Throws `unavailable` when it could not be recorded. */
export async function assessInference(
  services: Services,
  principal: Principal,
  address: string,
  inference: Inference,
  id: Buffer,
): Promise<Assessed> {
  const startedAt = performance.now();
  const nowMs = services.clock();
  const { organization, mode } = principal;
  const policy = services.policies.peek(organization.id) ?? (await services.policies.get(organization.id, organization.uuid));
  const live = await decide(services, organization, inference, policy, nowMs);
  const { evaluation } = live;
  const assessee: Assessee = { organization, mode, actor: actorOf(principal, address) };
  const identity = { id, nowMs, latencyMs: performance.now() - startedAt, isRecorded: true };
  const serialized = assessmentData(services, assessee, inference, live, policy, identity);
  const data = typeof serialized === 'string' ? serialized : await serialized;
  const recording = { inference, policy, evaluation, id, nowMs, data };
  if (mode === 'live') await services.journal.append(eventOf(services, assessee, recording));
  else if (await services.db.transaction((tx) => insertTest(tx, assessee, recording))) wake(services, assessee);
  return { id: formatId('asm', id), outcome: evaluation.outcome, evaluation, policy, text: withRedacted(data, evaluation) };
}

/**
 * Decides, on this thread or for a long text on another; then the policy's judges say what they think, in what is left of the time.
 * `placeholders`: those that were shown before. `deadlineFactor`: of the usual time.
 */
export function decide(
  services: Services,
  organization: Organization,
  inference: Inference,
  policy: CompiledPolicy,
  nowMs: number,
  { placeholders, deadlineFactor = 1 }: { placeholders?: Placeholders; deadlineFactor?: number } = {},
): Live | Promise<Live> {
  const deadlineMs = effectiveDeadlineMs(inference, policy) * deadlineFactor;
  let startedAt = performance.now();
  const judged = (evaluation: Evaluation) =>
    services.judges.judge(organization, inference, policy, evaluation, startedAt + deadlineMs, nowMs);
  if (!isLong(inference)) {
    const shown = placeholders === undefined ? {} : { placeholders };
    const evaluation = assess(inference, policy, { clock: monotonicMs, nowMs, deadlineMs, ...shown });
    return policy.judges.length === 0 ? { evaluation, runs: [] } : judged(evaluation);
  }
  const onTurn = () => (startedAt = performance.now());
  return services.longTexts
    .assess(organization.id, inference, policy, { deadlineMs, nowMs, onTurn, placeholders: placeholders?.given })
    .then(judged);
}

/** The assessment as it is recorded, with what a candidate policy makes of it. `isRecorded`: whether there will be an event of it. */
export function assessmentData(
  services: Services,
  { organization, mode }: Assessee,
  inference: Inference,
  live: Live,
  policy: CompiledPolicy,
  { id, nowMs, latencyMs, isRecorded }: { id: Buffer; nowMs: number; latencyMs: number; isRecorded: boolean },
): string | Promise<string> {
  const assessmentId = formatId('asm', id);
  const eventId = isRecorded && mode === 'live' ? withPrefix('asm', 'evt', assessmentId) : null;
  const serialized = (shadow: string) =>
    serializeAssessment(inference, policy, live.evaluation, {
      id: assessmentId,
      eventId,
      mode,
      createdAtMs: nowMs,
      latencyMs,
      shadow,
    });
  const shadow = isRecorded ? runShadow(services, organization, inference, live, id) : 'null';
  return typeof shadow === 'string' ? serialized(shadow) : shadow.then(serialized);
}

/** The answer: what is recorded and `redacted`, which holds what the customer sent, and is added here and kept nowhere. */
export function withRedacted(data: string, { redacted }: Evaluation): string {
  return `${data.slice(0, -1)},"redacted":${JSON.stringify(redacted)}}`;
}

/** Records an assessment in a transaction of the journal. True: once that is committed, `wake` is due. */
export async function recordAssessment(
  services: Services,
  tx: Transaction,
  record: RecordEvent,
  assessee: Assessee,
  recording: Recording,
): Promise<boolean> {
  if (assessee.mode === 'test') return insertTest(tx, assessee, recording);
  record(eventOf(services, assessee, recording));
  return false;
}

/** Lets webhooks of test mode be sent. */
export function wake({ dispatcher }: Services, { organization }: Pick<Assessee, 'organization'>): void {
  dispatcher.wake([uuidText(organization.uuid)]);
}

/** True when there is something to send of it. */
async function insertTest(
  tx: Transaction,
  { organization: { uuid: orgId } }: Assessee,
  { inference, evaluation, id, nowMs, data }: Recording,
): Promise<boolean> {
  const { outcome } = evaluation;
  const external = inference.external_id ?? null;
  const categories = categoriesOf(evaluation);
  await insertTestAssessment(tx, {
    orgId,
    id,
    createdAtMs: nowMs,
    outcome,
    model: modelOf(inference),
    externalId: external,
    categories,
    data,
  });
  return queueTestEvent(tx, orgId, id, `inference.${outcome}`, nowMs);
}

function eventOf(
  { vault }: Services,
  { organization: { uuid: orgId }, actor }: Assessee,
  { inference, policy, evaluation, id, nowMs, data }: Recording,
): NewEvent {
  return {
    orgId,
    id,
    kind: `inference.${evaluation.outcome}`,
    occurredAtMs: inference.occurred_at === undefined ? nowMs : Date.parse(inference.occurred_at),
    actor,
    model: modelOf(inference),
    subjectUser: inference.subject?.user ?? null,
    subjectSession: inference.subject?.session ?? null,
    subjectAgent: inference.subject?.agent ?? null,
    externalId: inference.external_id ?? null,
    categories: categoriesOf(evaluation),
    data,
    sealedText: sealText(vault, policy, orgId, id, inference),
  };
}

function modelOf({ model }: Inference): string | null {
  return (typeof model === 'string' ? model : model?.name) ?? null;
}

function categoriesOf({ findings }: Evaluation): readonly string[] {
  if (findings.length === 0) return [];
  return findings.length === 1 ? [findings[0]!.category] : [...new Set(findings.map(({ category }) => category))];
}

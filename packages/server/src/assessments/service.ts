// From an inference to a recorded assessment: the engine decides, the journal commits, then the caller hears of it.

import { assess, effectiveDeadlineMs, inferenceChars, type CompiledPolicy, type Evaluation, type Inference } from '@svc/engine';
import { actorOf, type Principal } from '../access/principal.ts';
import { queueTestEvent } from '../delivery/store.ts';
import { formatId, uuidText, withPrefix } from '../ids.ts';
import type { Organization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import { serializeAssessment } from './serialize.ts';
import { insertTestAssessment } from './store.ts';

// Longer texts are assessed on another thread, which is stopped at its deadline: this one must stay free to answer others.
const CHARS_ON_THIS_THREAD_MAX = 65_536;

/** An assessment that is committed. */
export interface Assessed {
  readonly outcome: Evaluation['outcome'];
  /** The whole answer, serialized. */
  readonly text: string;
}

const monotonicMs = () => performance.now();

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
  const evaluation = await evaluate(services, organization, inference, policy);
  const assessmentId = formatId('asm', id);
  const eventId = mode === 'live' ? withPrefix('asm', 'evt', assessmentId) : null;
  const latencyMs = performance.now() - startedAt;
  const data = serializeAssessment(inference, policy, evaluation, {
    id: assessmentId,
    eventId,
    mode,
    createdAtMs: nowMs,
    latencyMs,
  });
  await record(services, principal, address, inference, evaluation, id, nowMs, data);
  // The stored text is the answer but for `redacted`, which holds what the customer sent: it is added here and kept nowhere.
  return { outcome: evaluation.outcome, text: `${data.slice(0, -1)},"redacted":${JSON.stringify(evaluation.redacted)}}` };
}

/** True for an inference that is assessed on another thread. */
export function isLong(inference: Inference): boolean {
  return inferenceChars(inference) > CHARS_ON_THIS_THREAD_MAX;
}

/** Decides, on this thread or for a long text on another; then the policy's judges say what they think, in what is left of the time. */
function evaluate(
  services: Services,
  organization: Organization,
  inference: Inference,
  policy: CompiledPolicy,
): Evaluation | Promise<Evaluation> {
  const deadlineMs = effectiveDeadlineMs(inference, policy);
  let startedAt = performance.now();
  const judged = (evaluation: Evaluation) =>
    services.judges.judge(organization, inference, policy, evaluation, startedAt + deadlineMs);
  if (!isLong(inference)) {
    const evaluation = assess(inference, policy, { clock: monotonicMs, deadlineMs });
    return policy.judges.length === 0 ? evaluation : judged(evaluation);
  }
  const onTurn = () => (startedAt = performance.now());
  return services.longTexts.assess(organization.id, inference, policy, deadlineMs, onTurn).then(judged);
}

async function record(
  services: Services,
  principal: Principal,
  address: string,
  inference: Inference,
  evaluation: Evaluation,
  id: Buffer,
  nowMs: number,
  data: string,
): Promise<void> {
  const model = (typeof inference.model === 'string' ? inference.model : inference.model?.name) ?? null;
  const externalId = inference.external_id ?? null;
  const categories = categoriesOf(evaluation);
  const orgId = principal.organization.uuid;
  if (principal.mode === 'test') {
    const { outcome } = evaluation;
    const isQueued = await services.db.transaction(async (tx) => {
      await insertTestAssessment(tx, { orgId, id, createdAtMs: nowMs, outcome, model, externalId, categories, data });
      return queueTestEvent(tx, orgId, id, `inference.${outcome}`, nowMs);
    });
    if (isQueued) services.dispatcher.wake([uuidText(orgId)]);
    return;
  }
  await services.journal.append({
    orgId,
    id,
    kind: `inference.${evaluation.outcome}`,
    occurredAtMs: inference.occurred_at === undefined ? nowMs : Date.parse(inference.occurred_at),
    actor: actorOf(principal, address),
    model,
    subjectUser: inference.subject?.user ?? null,
    subjectSession: inference.subject?.session ?? null,
    subjectAgent: inference.subject?.agent ?? null,
    externalId,
    categories,
    data,
  });
}

function categoriesOf({ findings }: Evaluation): readonly string[] {
  if (findings.length === 0) return [];
  return findings.length === 1 ? [findings[0]!.category] : [...new Set(findings.map(({ category }) => category))];
}

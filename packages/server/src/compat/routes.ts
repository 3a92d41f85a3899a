// What existing gateways and clients call unchanged: their requests read as inferences, assessed and recorded as any other, and answered in
// their shapes.

import { createSchemaChecker, type Inference } from '@svc/engine';
import { Type, type Static, type TSchema } from 'typebox';
import { assessBatch } from '../assessments/batch.ts';
import { assessInference, type Assessed } from '../assessments/service.ts';
import { takeAssessments } from '../http/access-check.ts';
import { AppError, type ErrorDetail } from '../http/errors.ts';
import { route, SerializedJson, type Call, type Route } from '../http/route.ts';
import { formatId, uuidText } from '../ids.ts';
import type { Services } from '../services.ts';
import { jsonText, refuseUnreadable, type Place } from './exchange.ts';
import { answerLakera, LakeraAnswer, LakeraQuery, LakeraRequest, readLakera } from './lakera.ts';
import { answerLiteLlm, LiteLlmAnswer, LiteLlmRequest, readLiteLlm } from './litellm.ts';
import {
  ModerationAnswer,
  moderationOf,
  moderationProblems,
  ModerationRequest,
  readModeration,
  type Judgement,
} from './openai.ts';
import { answerPortkey, PortkeyAnswer, portkeyProblems, PortkeyRequest, readPortkey } from './portkey.ts';

const tag = 'Gateways';
const text = Type.String();

const OpenAiError = Type.Object(
  { error: Type.Object({ message: text, type: text, param: Type.Union([text, Type.Null()]), code: text }) },
  { title: 'OpenAiError' },
);
const details = Type.Array(Type.Object({ pointer: text, message: text }));
const LakeraError = Type.Object(
  { flagged: Type.Literal(true), error: text, code: text, request_id: text, details },
  { title: 'LakeraError', description: 'Says `flagged`, so that who does not look at the status does not take it for a pass.' },
);
const PortkeyError = Type.Object(
  {
    verdict: Type.Literal(false),
    data: Type.Object({ error: Type.Object({ code: text, message: text, request_id: text, details }) }),
  },
  { title: 'PortkeyError' },
);

// The gateway waits for 3 s unless it is told otherwise; the rest is for the way and the commit.
const PORTKEY_DEADLINE_MS_MAX = 2_000;

export const compatRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/compat/litellm/beta/litellm_basic_guardrail_api',
    operationId: 'guardLiteLlm',
    tag,
    summary: 'Guard a LiteLLM proxy',
    description:
      'LiteLLM’s Generic Guardrail API, called by a proxy whose `api_base` is `/compat/litellm` of this service. The key may come as `X-Api-Key`, which is what the proxy makes of its `api_key`.',
    access: 'assess:create',
    limit: 'assessments',
    keyHeader: 'x-api-key',
    body: LiteLlmRequest,
    refusal: OpenAiError,
    responses: { 200: { description: 'What the proxy is to do.', schema: LiteLlmAnswer } },
    async handle(services, call) {
      const read = readLiteLlm(call.body);
      return answerLiteLlm(read, await assess(services, call, read.inference, []));
    },
  }),
  route({
    method: 'POST',
    path: '/compat/portkey',
    operationId: 'guardPortkey',
    tag,
    summary: 'Guard a Portkey gateway',
    description:
      'The webhook check of Portkey’s gateway. Answers within its usual 3 seconds: at most 2 of them are taken to decide.',
    access: 'assess:create',
    limit: 'assessments',
    body: PortkeyRequest,
    checkBody: checked(PortkeyRequest, portkeyProblems),
    refusal: PortkeyError,
    responses: { 200: { description: 'The verdict.', schema: PortkeyAnswer } },
    async handle(services, call) {
      const { organization } = call.principal;
      const read = readPortkey(call.body);
      const { deadlineMs } = await services.policies.get(organization.id, organization.uuid);
      const inference =
        deadlineMs > PORTKEY_DEADLINE_MS_MAX ? { ...read.inference, deadline_ms: PORTKEY_DEADLINE_MS_MAX } : read.inference;
      const answer = answerPortkey(read, await assess(services, call, inference, [read.assessed, 'json']));
      return new SerializedJson(jsonText(answer, [read.assessed, 'json']));
    },
  }),
  route({
    method: 'POST',
    path: '/compat/lakera/v2/guard',
    operationId: 'guardLakera',
    tag,
    summary: 'Screen a conversation as Lakera Guard does',
    description: 'For gateways that have a setting for the address of Lakera Guard: give them `/compat/lakera` of this service.',
    access: 'assess:create',
    limit: 'assessments',
    query: LakeraQuery,
    body: LakeraRequest,
    refusal: LakeraError,
    responses: { 200: { description: 'Whether the conversation is flagged, and why.', schema: LakeraAnswer } },
    async handle(services, call) {
      const id = call.newResourceId();
      const read = readLakera(call.body, uuidText(id));
      const assessed = await assess(services, call, read.inference, ['messages'], id);
      return answerLakera(read, assessed, call.body, call.query.flagged_when);
    },
  }),
  route({
    method: 'POST',
    path: '/compat/openai/v1/moderations',
    operationId: 'createModeration',
    tag,
    summary: 'Moderate texts as OpenAI does',
    description:
      'For OpenAI’s clients with `/compat/openai/v1` of this service as their base URL. Each text costs one assessment.',
    access: 'assess:create',
    limit: 'batch',
    body: ModerationRequest,
    checkBody: checked(ModerationRequest, moderationProblems),
    refusal: OpenAiError,
    responses: { 200: { description: 'A result for each text.', schema: ModerationAnswer } },
    async handle(services, call) {
      const id = call.newResourceId();
      const moderationId = `modr-${formatId('asm', id).slice('asm_'.length)}`;
      const inferences = readModeration(call.body, moderationId);
      const { batch_size: most } = call.principal.organization.limits;
      if (inferences.length > most)
        throw new AppError('payload_too_large', `The plan takes ${most} texts at once, these are ${inferences.length}.`);
      await takeAssessments(services, call.principal, inferences.length, call.setHeader);
      const assessments = await assessAll(services, call, inferences, id);
      return {
        id: moderationId,
        model: 'svc',
        results: assessments.map((assessment, i) => moderationOf(inferences[i]!, assessment)),
      };
    },
  }),
];

/** `place`: of what is read, in the body. Throws `invalid_request` for what cannot be assessed as a whole. */
function assess(
  services: Services,
  call: Call,
  inference: Inference,
  place: Place,
  id: Buffer = call.newResourceId(),
): Promise<Assessed> {
  refuseUnreadable(inference, place);
  return assessInference(services, call.principal, call.address, inference, id);
}

/** Assesses them as a batch. There is no place in the answer for one that failed, so it fails the request. */
async function assessAll(services: Services, call: Call, inferences: readonly Inference[], id: Buffer): Promise<Judgement[]> {
  const { data } = JSON.parse(await assessBatch(services, call, inferences, id)) as {
    data: readonly { assessment?: Judgement; error?: Pick<AppError, 'code' | 'message' | 'details'> }[];
  };
  return data.map(({ assessment, error }) => {
    if (assessment !== undefined) return assessment;
    const { code, message, details } = error!;
    throw new AppError(code, message, { details, ...(code === 'unavailable' ? { headers: { 'retry-after': '1' } } : {}) });
  });
}

/** The check of a schema, and of what it cannot say. */
function checked<Schema extends TSchema>(schema: Schema, problems: (body: Static<Schema>) => readonly ErrorDetail[]) {
  const check = createSchemaChecker(schema);
  return (body: unknown): readonly ErrorDetail[] => {
    const details = check(body);
    return details.length > 0 ? details : problems(body as Static<Schema>);
  };
}

// LiteLLM's Generic Guardrail API: the proxy takes the texts out of a request or an answer, and puts those back that it is given
// (https://docs.litellm.ai/docs/adding_provider/generic_guardrail_api).

import type { Inference } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Assessed } from '../assessments/service.ts';
import { Nullable } from '../http/schemas.ts';
import {
  compact,
  definitionsOf,
  isObject,
  label,
  messagesOf,
  pairsOf,
  replacedTexts,
  toolCallsOf,
  turnOf,
  withReplacements,
  type PlacedCall,
  type Said,
} from './exchange.ts';

/** Detectors look no further than this around any place: what stands before it in an unfinished text stays as it was judged. */
const STREAM_HOLDBACK_CHARS = 1_024;

/** Gateways send the whole conversation each time, so more than a request of the API's own holds. */
export const MESSAGES_MAX = 2_000;

const many = (description: string) =>
  Type.Optional(Nullable(Type.Array(Type.Unknown(), { description, maxItems: MESSAGES_MAX })));
const text = (description: string) => Type.Optional(Nullable(Type.String({ description })));

export const LiteLlmRequest = Type.Object(
  {
    input_type: Type.Enum(['request', 'response'], { description: 'What goes to the model, or what came from it.' }),
    texts: Type.Optional(Nullable(Type.Array(Type.String(), { description: 'What is assessed.', maxItems: MESSAGES_MAX }))),
    structured_messages: many('The messages that the texts were taken from: who said what.'),
    images: many('Not assessed; they make the coverage partial.'),
    tools: many('Definitions of tools, assessed as documents.'),
    tool_calls: many('Calls of tools, their arguments assessed.'),
    model: text('The model.'),
    litellm_call_id: text('Becomes the assessment’s `external_id`.'),
    litellm_trace_id: text('Becomes the subject’s `session`.'),
    request_data: Type.Optional(Nullable(Type.Object({}, { description: 'On whose behalf; the hash of the key is not kept.' }))),
  },
  { title: 'LiteLlmGuardrailRequest', description: 'What else a proxy sends is ignored.' },
);
type LiteLlmRequest = Static<typeof LiteLlmRequest>;

export const LiteLlmAnswer = Type.Object(
  {
    action: Type.Enum(['NONE', 'GUARDRAIL_INTERVENED', 'BLOCKED']),
    blocked_reason: Type.Optional(Type.String({ description: 'With `BLOCKED`: one sentence, and the assessment’s id.' })),
    texts: Type.Optional(
      Type.Array(Type.String(), {
        description: 'With `GUARDRAIL_INTERVENED`: all texts in their order, what the policy redacts replaced.',
      }),
    ),
    stream_holdback_chars: Type.Optional(
      Type.Array(Type.Integer(), {
        description:
          'Of an answer: how much of each text’s end a stream must not release yet, for it may be the begin of a finding.',
      }),
    ),
  },
  { title: 'LiteLlmGuardrailAnswer' },
);
type LiteLlmAnswer = Static<typeof LiteLlmAnswer>;

/** A request of the proxy, read. */
export interface LiteLlmCall {
  readonly inference: Inference;
  /** Those of `texts` first, then what has none. */
  readonly said: readonly Said[];
  readonly texts: readonly string[];
}

export function readLiteLlm(body: LiteLlmRequest): LiteLlmCall {
  const isAnswer = body.input_type === 'response';
  const texts = body.texts ?? [];
  const ownCalls = (body.tool_calls ?? []).flatMap((call, i) => toolCallsOf(call, ['tool_calls', i]));
  // Without texts or calls of its own the messages are all there is; none of them can be put back.
  const rows = texts.length + ownCalls.length === 0 ? turnsOfRows(body, isAnswer) : { said: [], calls: [] };
  const said = [...saidIn(body, texts, isAnswer), ...rows.said, ...imagesIn(body, isAnswer)];
  const calls = [...ownCalls, ...rows.calls];
  const inference: Inference = {
    [isAnswer ? 'output' : 'input']: messagesOf(said),
    ...compact({
      context: definitionsOf(body.tools),
      tool_calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
      model: label(body.model),
      subject: compact({ user: userOf(body.request_data), session: label(body.litellm_trace_id) }),
      external_id: label(body.litellm_call_id),
      metadata: metadataOf(body.request_data),
    }),
  };
  return { inference, said, texts };
}

function turnsOfRows({ structured_messages: rows }: LiteLlmRequest, isAnswer: boolean): { said: Said[]; calls: PlacedCall[] } {
  const turns = (rows ?? []).map((row, i) =>
    turnOf(row, ['structured_messages', i], ...(isAnswer ? ['assistant' as const] : [])),
  );
  return { said: turns.flatMap((turn) => turn.said), calls: turns.flatMap((turn) => turn.calls) };
}

/** The texts with the roles of the messages they were taken from, where it is sure that these are the same. */
function saidIn({ structured_messages: rows }: LiteLlmRequest, texts: readonly string[], isAnswer: boolean): Said[] {
  const role = isAnswer ? 'assistant' : 'user';
  const plain = texts.map((each, i) => ({ role, texts: [{ text: each, place: ['texts', i] }], isPartial: false }) as const);
  if (isAnswer || texts.length === 0 || rows === null || rows === undefined) return plain;
  let next = 0;
  // The proxy takes strings and text parts in their order, so the places are those of the flat list.
  const said = rows
    .flatMap((row) => turnOf(isObject(row) ? { role: row['role'], content: row['content'] } : row, []).said)
    .map(({ role, texts: own, isPartial }) => ({
      role,
      isPartial,
      texts: own.map(({ text }) => ({ text, place: ['texts', next++] })),
    }));
  const found = said.flatMap((each) => each.texts.map(({ text }) => text));
  return found.length === texts.length && found.every((each, i) => each === texts[i]) ? said : plain;
}

function imagesIn({ images }: LiteLlmRequest, isAnswer: boolean): Said[] {
  if (images === null || images === undefined || images.length === 0) return [];
  return [{ role: isAnswer ? 'assistant' : 'user', texts: [], isPartial: true }];
}

type Caller = LiteLlmRequest['request_data'];

/** The end user, else the user of the proxy's key. */
function userOf(caller: Caller): string | undefined {
  const { user_api_key_end_user_id: endUser, user_api_key_user_id: user } = namesOf(caller);
  return endUser ?? user;
}

function metadataOf(caller: Caller): Record<string, string> | undefined {
  const {
    user_api_key_alias: key,
    user_api_key_team_id: teamId,
    user_api_key_team_alias: team,
    user_api_key_org_id: org,
  } = namesOf(caller);
  return compact({ litellm_key: key, litellm_team_id: teamId, litellm_team: team, litellm_org_id: org });
}

/** Without what is, or looks like, a key or its hash: a proxy without names of its own puts these in their place. */
function namesOf(caller: Caller): Record<string, string | undefined> {
  const names = pairsOf(caller);
  const isName = ([, value]: [string, string]) => !/^sk-|^[0-9a-f]{32,}$/i.test(value);
  return Object.fromEntries(Object.entries(names).filter(isName));
}

/**
 * What the proxy is to do. It can put back texts alone: where the policy redacts in anything else, the call is blocked, because passing it on
 * would leak what the policy takes out.
 */
export function answerLiteLlm({ inference, said, texts }: LiteLlmCall, { id, evaluation }: Assessed): LiteLlmAnswer {
  const { enforcement, redacted } = evaluation;
  if (enforcement.action === 'block') return { action: 'BLOCKED', blocked_reason: `${enforcement.message} (${id})` };
  const isAnswer = inference.output !== undefined;
  const replacements = replacedTexts(said, isAnswer ? redacted?.output : redacted?.input);
  const isElsewhere = replacements.some(({ place }) => place[0] !== 'texts');
  if (redacted?.context !== undefined || redacted?.tool_calls !== undefined || isElsewhere) {
    const where = isElsewhere ? 'messages without texts' : 'tools or their calls';
    return {
      action: 'BLOCKED',
      blocked_reason: `The policy redacts data in ${where}, which the gateway cannot replace. (${id})`,
    };
  }
  const holdback =
    isAnswer && enforcement.mode === 'enforce' ? { stream_holdback_chars: texts.map(() => STREAM_HOLDBACK_CHARS) } : {};
  if (redacted === null) return { action: 'NONE', ...holdback };
  const { texts: replaced } = withReplacements({ texts }, replacements) as { texts: string[] };
  return { action: 'GUARDRAIL_INTERVENED', texts: replaced, ...holdback };
}

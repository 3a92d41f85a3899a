// The webhook check of Portkey's gateway: it sends the whole request, or the whole answer, and takes them back changed
// (https://portkey.ai/docs/integrations/guardrails/bring-your-own-guardrails).

import type { Finding, Inference } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Assessed } from '../assessments/service.ts';
import { Nullable } from '../http/schemas.ts';
import {
  compact,
  countingFindings,
  definitionsOf,
  isObject,
  label,
  messagesOf,
  pairsOf,
  replacedArguments,
  replacedTexts,
  turnOf,
  withReplacements,
  type Place,
  type PlacedCall,
  type Replacement,
  type Said,
  type Turn,
} from './exchange.ts';
import { MESSAGES_MAX } from './litellm.ts';

const exchanged = (description: string) =>
  Type.Object({ json: Type.Optional(Nullable(Type.Object({}, { description }))) }, { description });

export const PortkeyRequest = Type.Object(
  {
    eventType: Type.Enum(['beforeRequestHook', 'afterRequestHook'], {
      description: 'Before: the request is assessed, as input. After: the answer, as output.',
    }),
    request: exchanged('The request to the model, as the client sent it.'),
    response: Type.Optional(
      Nullable(exchanged('The answer of the model. Without `json` (a stream) there is nothing to assess.')),
    ),
    provider: Type.Optional(Nullable(Type.String({ description: 'Who serves the model.' }))),
    requestType: Type.Optional(
      Nullable(Type.String({ description: 'chatComplete, complete, embed or messages: what is read follows from the members.' })),
    ),
    metadata: Type.Optional(
      Nullable(Type.Object({}, { description: 'Becomes metadata; `_user` becomes the subject’s `user`.' })),
    ),
  },
  { title: 'PortkeyWebhookRequest', description: 'What else the gateway sends is ignored.' },
);
type PortkeyRequest = Static<typeof PortkeyRequest>;

export const PortkeyAnswer = Type.Object(
  {
    verdict: Type.Boolean({ description: 'False: blocked by the policy.' }),
    data: Type.Object(
      {
        assessment_id: Type.String(),
        outcome: Type.Enum(['allowed', 'flagged', 'blocked']),
        action: Type.Enum(['none', 'redact', 'block']),
        message: Nullable(Type.String()),
        coverage: Type.Enum(['complete', 'partial', 'failed']),
        findings: Type.Array(
          Type.Object({
            category: Type.String(),
            type: Type.String(),
            severity: Type.String(),
            score: Type.Number(),
            action: Type.String(),
            explanation: Type.String(),
          }),
        ),
      },
      { description: 'Why, without matched text.' },
    ),
    transformedData: Type.Optional(
      Type.Object(
        {
          request: Type.Optional(Type.Object({ json: Type.Unknown() })),
          response: Type.Optional(Type.Object({ json: Type.Unknown() })),
        },
        { description: 'Where the policy redacts: the whole request or answer, with that replaced.' },
      ),
    ),
  },
  { title: 'PortkeyWebhookAnswer' },
);
type PortkeyAnswer = Static<typeof PortkeyAnswer>;

/** A request of the gateway, read. */
export interface PortkeyCall {
  readonly inference: Inference;
  readonly said: readonly Said[];
  readonly calls: readonly PlacedCall[];
  /** Which of the two is assessed, and as what it was sent. */
  readonly assessed: 'request' | 'response';
  readonly json: unknown;
}

type Json = Readonly<Record<string, unknown>>;

/** What is wrong with a body that fits its schema; empty: nothing. */
export function portkeyProblems({ eventType, request: { json } }: PortkeyRequest): { pointer: string; message: string }[] {
  if (eventType === 'beforeRequestHook' && !isObject(json)) return [{ pointer: '/request/json', message: 'must be an object' }];
  if (!isObject(json)) return [];
  return ['messages', 'prompt', 'input'].flatMap((name) => {
    const list = json[name];
    // Of numbers there may be any amount: they are the tokens of one text.
    const isTooLong = Array.isArray(list) && list.length > MESSAGES_MAX && typeof list[0] !== 'number';
    return isTooLong ? [{ pointer: `/request/json/${name}`, message: `must not have more than ${MESSAGES_MAX} items` }] : [];
  });
}

export function readPortkey(body: PortkeyRequest): PortkeyCall {
  const assessed = body.eventType === 'beforeRequestHook' ? 'request' : 'response';
  const asked: Json = isObject(body.request.json) ? body.request.json : {};
  const json = assessed === 'request' ? asked : (body.response?.json ?? null);
  const turns = assessed === 'request' ? turnsOfRequest(asked) : turnsOfResponse(json);
  const said = turns.flatMap((turn) => turn.said);
  const calls = turns.flatMap((turn) => turn.calls);
  const { _user: user, ...metadata } = pairsOf(body.metadata);
  const inference: Inference = {
    [assessed === 'request' ? 'input' : 'output']: messagesOf(said),
    ...compact({
      tool_calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
      context: assessed === 'request' ? definitionsOf(asked['tools']) : [],
      model: compact({ provider: label(body.provider), name: label(asked['model']) }),
      subject: compact({ user: label(user) }),
      external_id: assessed === 'response' && isObject(json) ? label(json['id']) : undefined,
      metadata,
    }),
  };
  return { inference, said, calls, assessed, json };
}

/** Chats in OpenAI's and Anthropic's shape, completions and embeddings, each told by the members it has. */
function turnsOfRequest(json: Json): Turn[] {
  const system = json['system'] === undefined ? [] : [turnOf({ content: json['system'] }, [], 'system')].map(fromSystem);
  return [...system, ...turnsIn(json['messages'], ['messages']), ...promptsIn(json, 'prompt'), ...promptsIn(json, 'input')];
}

/** Anthropic's system prompt stands beside the messages: its places lack the member `content` that it was read by. */
function fromSystem({ said, calls }: Turn): Turn {
  const moved = said.map((each) => ({
    ...each,
    texts: each.texts.map(({ text, place }) => ({ text, place: ['system', ...place.slice(1)] })),
  }));
  return { said: moved, calls };
}

function turnsIn(messages: unknown, place: Place): Turn[] {
  return Array.isArray(messages) ? messages.map((message, i) => turnOf(message, [...place, i])) : [];
}

function promptsIn(json: Json, name: string): Turn[] {
  const value = json[name];
  if (value === undefined || value === null) return [];
  if (typeof value === 'string') return [textTurn(value, [name], 'user')];
  if (!Array.isArray(value) || typeof value[0] === 'number') return [UNREAD_USER];
  return value.map((item: unknown, i) => {
    if (typeof item === 'string') return textTurn(item, [name, i], 'user');
    return isObject(item) ? turnOf(item, [name, i]) : UNREAD_USER;
  });
}

function textTurn(text: string, place: Place, role: Said['role']): Turn {
  return { said: [{ role, texts: [{ text, place }], isPartial: false }], calls: [] };
}

const UNREAD_USER: Turn = { said: [{ role: 'user', texts: [], isPartial: true }], calls: [] };
const UNREAD_ANSWER: Turn = { said: [{ role: 'assistant', texts: [], isPartial: true }], calls: [] };

function turnsOfResponse(json: unknown): Turn[] {
  if (!isObject(json)) return [UNREAD_ANSWER];
  if (!Array.isArray(json['choices'])) return [turnOf({ content: json['content'] }, [], 'assistant')];
  return json['choices'].map((choice: unknown, i) => {
    if (!isObject(choice)) return UNREAD_ANSWER;
    if (typeof choice['text'] === 'string') return textTurn(choice['text'], ['choices', i, 'text'], 'assistant');
    return turnOf(choice['message'], ['choices', i, 'message'], 'assistant');
  });
}

/** What the gateway is to do. */
export function answerPortkey({ said, calls, assessed, json }: PortkeyCall, { id, evaluation }: Assessed): PortkeyAnswer {
  const { outcome, enforcement, redacted, coverage } = evaluation;
  const { action, message } = enforcement;
  const data = {
    assessment_id: id,
    outcome,
    action,
    message,
    coverage: coverage.status,
    findings: countingFindings(evaluation).map(summaryOf),
  };
  if (action !== 'redact' || redacted === null) return { verdict: action !== 'block', data };
  // Definitions of tools are read as one document, so nothing in them can be replaced.
  if (redacted.context !== undefined) return { verdict: false, data };
  const replacements: Replacement[] = [
    ...replacedTexts(said, assessed === 'request' ? redacted.input : redacted.output),
    ...replacedArguments(calls, redacted.tool_calls),
  ];
  return { verdict: true, data, transformedData: { [assessed]: { json: withReplacements(json, replacements) } } };
}

function summaryOf({ category, type, severity, score, action, explanation }: Finding) {
  return { category, type, severity, score, action, explanation };
}

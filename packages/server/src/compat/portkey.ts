// The webhook check of Portkey's gateway: it sends the whole request, or the whole answer, and takes them back changed
// (https://portkey.ai/docs/integrations/guardrails/bring-your-own-guardrails).

import type { Finding, Inference } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Assessed } from '../assessments/service.ts';
import { Nullable } from '../http/schemas.ts';
import {
  callOf,
  compact,
  contentTurn,
  countingFindings,
  definitionsOf,
  isObject,
  label,
  messagesOf,
  pairsOf,
  placedStrings,
  replacedArguments,
  replacedTexts,
  turnOf,
  withReplacements,
  type Place,
  type PlacedCall,
  type Said,
  type Turn,
} from './exchange.ts';
import { hasExactNumbers } from './json-text.ts';
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
      Nullable(
        Type.String({
          description: 'chatComplete, createModelResponse, embed and so on: what is read follows from the members.',
        }),
      ),
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
  return ['messages', 'prompt', 'input', 'contents', 'documents'].flatMap((name) => {
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
  const turns = turnsIn(json, assessed === 'request' ? REQUEST : RESPONSE, assessed === 'request' ? 'user' : 'assistant');
  const said = turns.flatMap((turn) => turn.said);
  const calls = turns.flatMap((turn) => turn.calls);
  const { _user: user, ...metadata } = pairsOf(body.metadata);
  const inference: Inference = {
    [assessed === 'request' ? 'input' : 'output']: messagesOf(said),
    ...compact({
      tool_calls: calls.map(({ name, arguments: given }) => ({ name, arguments: given })),
      context: assessed === 'request' ? definitionsOf([asked['tools'], asked['functions']]) : [],
      model: compact({ provider: label(body.provider), name: label(asked['model']) }),
      subject: compact({ user: label(user) }),
      external_id: assessed === 'response' && isObject(json) ? label(json['id']) : undefined,
      metadata,
    }),
  };
  return { inference, said, calls, assessed, json };
}

type Role = Said['role'];
type Reader = (value: unknown, place: Place) => Turn[];

/** What a request says, by the member that holds it: OpenAI's shapes, Anthropic's and Gemini's, completions, embeddings and rankings. */
const REQUEST: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['system', (value, place) => [contentTurn(value, place, 'system')]],
  ['instructions', (value, place) => itemsIn(value, place, 'system')],
  ['systemInstruction', (value, place) => [geminiTurn(value, place, 'system')]],
  ['system_instruction', (value, place) => [geminiTurn(value, place, 'system')]],
  ['messages', (value, place) => itemsIn(value, place, 'user')],
  ['prompt', (value, place) => itemsIn(value, place, 'user')],
  ['input', (value, place) => itemsIn(value, place, 'user')],
  ['contents', (value, place) => listed(value, place, 'user', (each, at) => [geminiTurn(each, at)])],
  ['query', (value, place) => itemsIn(value, place, 'user')],
  ['documents', (value, place) => listed(value, place, 'tool', (each, at) => [stringsTurn(each, at)])],
]);

const RESPONSE: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['choices', (value, place) => listed(value, place, 'assistant', choiceTurns)],
  ['content', (value, place) => [contentTurn(value, place, 'assistant')]],
  ['message', (value, place) => itemsIn(value, place, 'assistant')],
  ['output', (value, place) => itemsIn(value, place, 'assistant')],
  ['candidates', (value, place) => listed(value, place, 'assistant', candidateTurns)],
]);

/** All that the members hold; where that is nothing, something that is not read. */
function turnsIn(json: unknown, readers: ReadonlyMap<string, Reader>, role: Role): Turn[] {
  const members = isObject(json) ? json : {};
  const turns = [...readers].flatMap(([name, read]) => {
    const value = members[name];
    return value === undefined || value === null ? [] : read(value, [name]);
  });
  const isEmpty = turns.every(
    ({ said, calls }) => calls.length === 0 && said.every((each) => each.texts.length === 0 && !each.isPartial),
  );
  return isEmpty ? [...turns, unreadTurn(role)] : turns;
}

/** The items of a list, each by `read`, texts as they are; one item may stand without a list. */
function listed(value: unknown, place: Place, role: Role, read: Reader): Turn[] {
  if (typeof value === 'string') return [textTurn(value, place, role)];
  if (isObject(value)) return read(value, place);
  // Numbers are the tokens of one text.
  if (!Array.isArray(value) || (value.length > 0 && value.every((each) => typeof each === 'number'))) return [unreadTurn(role)];
  return value.flatMap((item: unknown, i) => {
    if (typeof item === 'string') return [textTurn(item, [...place, i], role)];
    return isObject(item) ? read(item, [...place, i]) : [unreadTurn(role)];
  });
}

/** Messages, and the other items of OpenAI's responses. */
function itemsIn(value: unknown, place: Place, role: Role): Turn[] {
  return listed(value, place, role, (item, at) => [itemTurn(item as Json, at, role)]);
}

/** All that an item holds, whatever it says to be: who reads it next may go by another of its members. */
function itemTurn(item: Json, place: Place, role: Role): Turn {
  const { content, role: speaker, tool_calls: calls, summary, text } = item;
  const isMessage = content !== undefined || calls !== undefined;
  const turns = [
    ...(isMessage ? [speaker === undefined ? turnOf(item, place, role) : turnOf(item, place)] : []),
    ...(summary === undefined ? [] : [contentTurn(summary, [...place, 'summary'], role)]),
    ...(typeof text === 'string' ? [textTurn(text, [...place, 'text'], role)] : []),
    ...toolTurns(item, place),
  ];
  if (turns.length > 0) return merged(turns);
  return speaker === undefined ? turnOf(item, place, role) : turnOf(item, place);
}

/** A call of a tool, and what a tool brought. */
function toolTurns(item: Json, place: Place): Turn[] {
  const has = (name: string) => item[name] !== undefined && item[name] !== null;
  return [
    ...['arguments', 'input', 'action']
      .filter(has)
      .map((name) => ({ said: [], calls: callOf(item['name'], item[name], [...place, name]) })),
    ...['output', 'result'].filter(has).map((name) => contentTurn(item[name], [...place, name], 'tool')),
  ];
}

/** What Gemini calls a content: parts, and who speaks. */
function geminiTurn(content: unknown, place: Place, role?: Role): Turn {
  if (typeof content === 'string') return textTurn(content, place, role ?? 'user');
  if (!isObject(content) || !Array.isArray(content['parts'])) return unreadTurn(role ?? 'user');
  const { parts } = content;
  const speaks = role ?? (content['role'] === 'model' ? 'assistant' : 'user');
  return merged(parts.map((part: unknown, i) => geminiPart(part, [...place, 'parts', i], speaks)));
}

function geminiPart(part: unknown, place: Place, role: Role): Turn {
  if (!isObject(part)) return unreadTurn(role);
  const { text, functionCall: call, functionResponse: response } = part;
  const turns = [
    ...(typeof text === 'string' ? [textTurn(text, [...place, 'text'], role)] : []),
    ...(isObject(call) ? [{ said: [], calls: callOf(call['name'], call['args'], [...place, 'functionCall', 'args']) }] : []),
    ...(response === undefined ? [] : [stringsTurn(response, [...place, 'functionResponse'])]),
  ];
  return turns.length === 0 ? unreadTurn(role) : merged(turns);
}

function choiceTurns(choice: unknown, place: Place): Turn[] {
  const { text, message } = choice as Json;
  const turns = [
    ...(typeof text === 'string' ? [textTurn(text, [...place, 'text'], 'assistant')] : []),
    ...(message === undefined || message === null ? [] : itemsIn(message, [...place, 'message'], 'assistant')),
  ];
  return turns.length === 0 ? [unreadTurn('assistant')] : turns;
}

function candidateTurns(candidate: unknown, place: Place): Turn[] {
  return [geminiTurn((candidate as Json)['content'], [...place, 'content'], 'assistant')];
}

/** All strings of a document, or of what a tool brought. */
function stringsTurn(value: unknown, place: Place): Turn {
  return { said: [{ role: 'tool', ...placedStrings(value, place) }], calls: [] };
}

function textTurn(text: string, place: Place, role: Role): Turn {
  return { said: [{ role, texts: [{ text, place }], isPartial: false }], calls: [] };
}

function unreadTurn(role: Role): Turn {
  return { said: [{ role, texts: [], isPartial: true }], calls: [] };
}

function merged(turns: readonly Turn[]): Turn {
  return { said: turns.flatMap(({ said }) => said), calls: turns.flatMap(({ calls }) => calls) };
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
  const inCalls = redacted.context === undefined ? replacedArguments(calls, redacted.tool_calls) : null;
  if (inCalls === null) return { verdict: false, data };
  const inTexts = replacedTexts(said, assessed === 'request' ? redacted.input : redacted.output);
  const replaced = withReplacements(json, [...inTexts, ...inCalls]);
  // The gateway takes back the whole, so a number that was rounded as it was read would be changed by it.
  if (!hasExactNumbers(replaced)) return { verdict: false, data };
  return { verdict: true, data, transformedData: { [assessed]: { json: replaced } } };
}

function summaryOf({ category, type, severity, score, action, explanation }: Finding) {
  return { category, type, severity, score, action, explanation };
}

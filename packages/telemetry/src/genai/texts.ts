// What was said in a GenAI span, in the members of an inference that the engine assesses.
//
// Instrumentations have written it in four ways: as attributes that hold all messages; as one span event of the operation with those attributes; before
// version 1.37 of the conventions (https://github.com/open-telemetry/semantic-conventions-genai) as one span event a message; and before there were
// conventions as attributes with the number of the message in their name.

import { inferenceProblems } from '@svc/engine';
import type { TelemetryEvent } from '../event.ts';
import type { Attributes, AttributeValue, Span, SpanEvent } from '../otlp/span.ts';
import { labelOf } from './attributes.ts';
import {
  callOf,
  isObject,
  parsed,
  plainTurn,
  textOf,
  turnOf,
  UNPARSED,
  unreadTurn,
  type Json,
  type Messages,
  type Role,
  type Said,
  type ToolCall,
  type Turn,
} from './messages.ts';

/** The members of an event that come from what was said. */
export interface SpanTexts extends Pick<TelemetryEvent, 'input' | 'output' | 'context' | 'tool_calls'> {
  readonly finishReason: string | null;
}

/** Texts of a span of a model or an agent. Without any there are no members but the reason why the model ended. */
export function conversationOf(span: Span): SpanTexts {
  const attributes = withDetails(span);
  const before = [...instructionsIn(attributes), ...askedIn(attributes, span.events)].flatMap(({ said }) => said);
  const turns = answeredIn(attributes, span.events);
  const after = turns.flatMap(({ said }) => said);
  // Calls of earlier turns stand in the input; they were assessed when they were made.
  const { calls, isPartial } = withinBounds(turns.flatMap((turn) => turn.calls));
  return {
    ...(before.length === 0 ? {} : { input: messagesOf(before, 'user', false) }),
    ...(after.length === 0 && calls.length === 0 ? {} : { output: messagesOf(after, 'assistant', isPartial) }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
    finishReason: turns.find(({ finishReason }) => finishReason !== null)?.finishReason ?? null,
  };
}

/** Texts of a span of a tool: the call with its arguments, and what it brought. Nothing where the span tells neither. */
export function toolTextsOf({ attributes }: Span): SpanTexts {
  const given = attributes.get('gen_ai.tool.call.arguments') ?? null;
  const result = attributes.get('gen_ai.tool.call.result') ?? null;
  if (given === null && result === null) return { finishReason: null };
  const { calls, isPartial } = withinBounds([callOf(attributes.get('gen_ai.tool.name'), given)]);
  const content = result === null ? null : textOf(result);
  const id = labelOf(attributes, ['gen_ai.tool.call.id']);
  return {
    // Nobody says anything here, and an inference needs an input or an output.
    input: messagesOf([], 'tool', isPartial),
    tool_calls: calls,
    ...(content === null ? {} : { context: [{ ...(id === null ? {} : { id }), content, source: 'tool' as const }] }),
    finishReason: null,
  };
}

/** The event that carries the operation's attributes where the span does not. */
const DETAILS_EVENT = 'gen_ai.client.inference.operation.details';
/** The oldest events: `gen_ai.content.prompt` with the attribute `gen_ai.prompt`, and the same for the completion. */
const CONTENT_EVENTS = 'gen_ai.content.';

function withDetails({ attributes, events }: Span): Attributes {
  const details = events.filter(({ name }) => name === DETAILS_EVENT || name.startsWith(CONTENT_EVENTS));
  if (details.length === 0) return attributes;
  const all = new Map<string, AttributeValue>();
  for (const source of [...details.map((event) => event.attributes), attributes])
    for (const [name, value] of source) all.set(name, value);
  return all;
}

function instructionsIn(attributes: Attributes): Turn[] {
  const instructions = parsed(attributes.get('gen_ai.system_instructions') ?? null);
  if (instructions === null) return [];
  // They are the parts of one message.
  return Array.isArray(instructions) ? [turnOf({ parts: instructions }, 'system')] : turnsFrom(instructions, 'system');
}

function askedIn(attributes: Attributes, events: readonly SpanEvent[]): Turn[] {
  const messages = attributes.get('gen_ai.input.messages') ?? attributes.get('gen_ai.prompt') ?? null;
  if (messages !== null) return turnsFrom(messages, 'user');
  const turns = events.flatMap((event) => {
    const role = MESSAGE_EVENTS.get(event.name);
    return role === undefined ? [] : [turnOf(bodyOf(event), role)];
  });
  return turns.length > 0 ? turns : numberedTurns(attributes, 'gen_ai.prompt.', 'user');
}

function answeredIn(attributes: Attributes, events: readonly SpanEvent[]): Turn[] {
  const messages = attributes.get('gen_ai.output.messages') ?? attributes.get('gen_ai.completion') ?? null;
  if (messages !== null) return turnsFrom(messages, 'assistant');
  const turns = events.filter(({ name }) => name === CHOICE_EVENT).map(choiceOf);
  return turns.length > 0 ? turns : numberedTurns(attributes, 'gen_ai.completion.', 'assistant');
}

/** Messages in any form: structured, as JSON, or a plain text, which JSON becomes when an exporter cuts it to a length. */
function turnsFrom(value: AttributeValue, role: Role): Turn[] {
  const messages = parsed(value);
  if (Array.isArray(messages)) return newestTurns(messages, role);
  // A prompt may be JSON, and be no message: then it is what is written.
  return [turnFrom(isMessage(messages) ? messages : value, role)];
}

/** More than can be among the newest that are read, also where many of them only make calls; a request has room for millions. */
const MESSAGES_READ_MAX = 1_000;

function newestTurns(messages: readonly AttributeValue[], role: Role): Turn[] {
  const turns = messages.slice(-MESSAGES_READ_MAX).map((message) => turnFrom(message, role));
  return messages.length > MESSAGES_READ_MAX ? [unreadTurn(role), ...turns] : turns;
}

function turnFrom(message: AttributeValue, role: Role): Turn {
  return isMessage(message) ? turnOf(message, role) : plainTurn(message, role);
}

function isMessage(value: AttributeValue): value is Json {
  return isObject(value) && ['role', 'parts', 'content'].some((name) => Object.hasOwn(value, name));
}

/** Span events of one message each, and who speaks where the event does not say it. */
const MESSAGE_EVENTS: ReadonlyMap<string, Role> = new Map([
  ['gen_ai.system.message', 'system'],
  ['gen_ai.user.message', 'user'],
  ['gen_ai.assistant.message', 'assistant'],
  ['gen_ai.tool.message', 'tool'],
]);
const CHOICE_EVENT = 'gen_ai.choice';

/** The choice tells why it ended, the message inside of it what was said; some write all in one. */
function choiceOf(event: SpanEvent): Turn {
  const body = bodyOf(event);
  const message = parsed(body['message'] ?? null);
  return turnOf(isObject(message) ? { ...body, ...message } : { ...body, content: body['content'] ?? message }, 'assistant');
}

/** An event's members: its attributes, and those of the JSON that some put into one of them. */
function bodyOf({ attributes }: SpanEvent): Json {
  const content = parsed(attributes.get('gen_ai.event.content') ?? null);
  return { ...Object.fromEntries(attributes), ...(isObject(content) ? content : {}) };
}

const NUMBERED = /^(\d{1,4})\.(role|content|finish_reason|tool_calls\.(\d{1,3})\.(name|arguments))$/;

/** Messages of which each member is an attribute: `gen_ai.prompt.0.content`, `gen_ai.completion.0.tool_calls.0.name`. */
function numberedTurns(attributes: Attributes, prefix: string, role: Role): Turn[] {
  const messages: { members: Record<string, AttributeValue>; calls: Record<string, AttributeValue>[] }[] = [];
  for (const [name, value] of attributes) {
    const [, number, member, callNumber, callMember] =
      (name.startsWith(prefix) && NUMBERED.exec(name.slice(prefix.length))) || [];
    if (number === undefined || member === undefined) continue;
    const message = (messages[Number(number)] ??= { members: {}, calls: [] });
    if (callMember === undefined) message.members[member] = value;
    else (message.calls[Number(callNumber)] ??= {})[callMember] = value;
  }
  return messages
    .filter((message) => message !== undefined)
    .map(({ members, calls }) => turnOf({ ...members, tool_calls: calls.filter((call) => call !== undefined) }, role));
}

const TOOL_CALLS_MAX = 100;

/** The calls within the bounds of an inference: arguments beyond them are one text. `isPartial`: some are left out. */
function withinBounds(calls: readonly ToolCall[]): { calls: ToolCall[]; isPartial: boolean } {
  const some = calls.slice(0, TOOL_CALLS_MAX);
  if (inferenceProblems({ input: '', tool_calls: some }).length === 0)
    return { calls: some, isPartial: some.length < calls.length };
  const texts = some.map(({ arguments: given }) => (given === undefined ? undefined : textOf(given)));
  return {
    calls: some.map(({ name }, i) => (typeof texts[i] === 'string' ? { name, arguments: { [UNPARSED]: texts[i] } } : { name })),
    isPartial: some.length < calls.length || texts.includes(null),
  };
}

const MESSAGES_MAX = 200;
const PARTS_MAX = 200;

/** Stands for what is not read, and makes the coverage partial. */
const UNREAD = { type: 'unread' } as const;

/**
 * Messages within the bounds of an inference: of a longer conversation the newest, for the others were in the spans before. `isPartial`: something
 * beside them is not read, which a message by `role` then stands for.
 */
function messagesOf(said: readonly Said[], role: Role, isPartial: boolean): Messages {
  const room = MESSAGES_MAX - Number(isPartial || said.length > MESSAGES_MAX);
  const newest = said.slice(-room).map(messageOf);
  return room < MESSAGES_MAX ? [{ role, content: [UNREAD] }, ...newest] : newest;
}

function messageOf({ role, texts, isPartial }: Said): Messages[number] {
  if (texts.length === 1 && !isPartial) return { role, content: texts[0]! };
  const room = PARTS_MAX - Number(isPartial || texts.length > PARTS_MAX);
  const parts = texts.slice(0, room).map((text) => ({ type: 'text', text }));
  return { role, content: room < PARTS_MAX ? [...parts, UNREAD] : parts };
}

// A message as instrumentations write it, taken apart into texts, results of tools, and calls.

import type { Inference } from '@svc/engine';
import { SHORT_NAME_CHARS_MAX } from '../event.ts';
import type { AttributeValue } from '../otlp/span.ts';
import { asLabel } from './attributes.ts';

export type Messages = Exclude<NonNullable<Inference['output']>, string>;
export type Role = Messages[number]['role'];
export type ToolCall = NonNullable<Inference['tool_calls']>[number];

/** What one message says. `isPartial`: it also holds what cannot be read, such as an image. */
export interface Said {
  readonly role: Role;
  readonly texts: readonly string[];
  readonly isPartial: boolean;
}

/** One message: what it says, results of tools each for itself, and the calls it makes. */
export interface Turn {
  readonly said: readonly Said[];
  readonly calls: readonly ToolCall[];
  readonly finishReason: string | null;
}

export type Json = Readonly<Record<string, AttributeValue>>;

export function isObject(value: AttributeValue | undefined): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value that a text of JSON says; other texts, and what is no text, as they are. */
export function parsed(value: AttributeValue): AttributeValue {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  try {
    return JSON.parse(value) as AttributeValue;
  } catch {
    return value;
  }
}

const ROLES: ReadonlyMap<unknown, Role> = new Map<unknown, Role>([
  ['system', 'system'],
  ['developer', 'developer'],
  ['user', 'user'],
  ['human', 'user'],
  ['assistant', 'assistant'],
  ['model', 'assistant'],
  ['ai', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** Reads one message. `role`: who speaks where it does not say so. An unknown role counts as the user's, whom nobody trusts. */
export function turnOf(message: Json, role: Role): Turn {
  const speaker = typeof message['role'] === 'string' ? (ROLES.get(message['role']) ?? 'user') : role;
  const found: Found = { texts: [], results: [], calls: [], isPartial: false };
  for (const name of ['parts', 'content']) {
    const content = message[name] ?? null;
    // A text is what it says, also where it looks like the JSON of parts.
    for (const part of Array.isArray(content) ? content : [content]) addPart(found, part as AttributeValue, speaker);
  }
  const calls = parsed(message['tool_calls'] ?? null);
  // Not spread into arguments: there may be millions.
  if (Array.isArray(calls)) for (const call of calls as readonly AttributeValue[]) found.calls.push(openAiCall(call));
  const { texts, results, isPartial } = found;
  return {
    // Where a message brings results of tools, they were there before what it says about them.
    said: texts.length > 0 || isPartial ? [...results, { role: speaker, texts, isPartial }] : results,
    calls: found.calls,
    finishReason: asLabel(message['finish_reason'], SHORT_NAME_CHARS_MAX),
  };
}

/** A message that says one text, or whatever else stands where a text should. */
export function plainTurn(content: AttributeValue, role: Role): Turn {
  return turnOf({ parts: [isObject(content) ? (textOf(content) ?? UNREADABLE) : content] }, role);
}

/** A part without a text. */
const UNREADABLE: Json = {};

/** Stands for messages that are not read. */
export function unreadTurn(role: Role): Turn {
  return turnOf({ parts: [UNREADABLE] }, role);
}

interface Found {
  readonly texts: string[];
  readonly results: Said[];
  readonly calls: ToolCall[];
  isPartial: boolean;
}

/** Parts whose content is a file: in place, by id or by address. */
const FILE_TYPES: ReadonlySet<unknown> = new Set(['blob', 'file', 'uri']);

function addPart(found: Found, part: AttributeValue, speaker: Role): void {
  if (part === null) return;
  if (typeof part === 'string') found.texts.push(part);
  else if (!isObject(part) || FILE_TYPES.has(part['type'])) found.isPartial = true;
  else if (part['type'] === 'tool_call') found.calls.push(callOf(part['name'], part['arguments'] ?? null));
  else if (part['type'] === 'tool_call_response') addResult(found, part['response'] ?? part['result'] ?? part['content'] ?? null);
  else addText(found, part['content'] ?? part['text'] ?? null, speaker);
}

function addResult(found: Found, result: AttributeValue): void {
  if (result === null) return;
  const text = textOf(result);
  found.results.push({ role: 'tool', texts: text === null ? [] : [text], isPartial: text === null });
}

/** Texts, reasoning, and parts of kinds that the conventions do not name: what holds a text is read. Tools answer in any form. */
function addText(found: Found, content: AttributeValue, speaker: Role): void {
  const text = typeof content === 'string' || (speaker === 'tool' && content !== null) ? textOf(content) : null;
  if (text === null) found.isPartial = true;
  else found.texts.push(text);
}

/** A call as OpenAI writes it, or flat. */
function openAiCall(call: AttributeValue): ToolCall {
  if (!isObject(call)) return callOf(null, call);
  const made = isObject(call['function']) ? call['function'] : call;
  return callOf(made['name'], made['arguments'] ?? null);
}

/** The member that holds arguments as they were written, where they are no JSON object. */
export const UNPARSED = '';

/** A call of a tool; its arguments may be structured, JSON, or whatever a model has written. */
export function callOf(name: AttributeValue | undefined, given: AttributeValue): ToolCall {
  const named = asLabel(name) ?? 'unnamed';
  const values = parsed(given);
  if (values === null || values === '') return { name: named };
  return { name: named, arguments: isObject(values) ? { ...values } : { [UNPARSED]: given } };
}

/** A value as a text: its JSON where it is none. `null`: nested as deep as only what is made to do harm is. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

// An inference as the form has it, and as the API takes it.

import type { ContextItem, Inference, Message } from '@svc/client';
import { notFiniteIn, partOf } from './numbers.ts';

/** Bounds of the API. */
export const MESSAGES_MAX = 200;
export const CONTEXT_MAX = 100;
export const CALLS_MAX = 100;

export const ROLES = ['user', 'assistant', 'system', 'developer', 'tool'] as const;
export const SOURCES = ['retrieval', 'tool', 'memory'] as const;

/** `key` tells apart what may hold the same. */
export interface DraftMessage {
  readonly key: number;
  readonly role: Message['role'];
  readonly content: string;
}

export interface DraftContext {
  readonly key: number;
  readonly id: string;
  readonly source: NonNullable<ContextItem['source']>;
  readonly content: string;
}

export interface DraftCall {
  readonly key: number;
  readonly name: string;
  /** JSON. */
  readonly args: string;
}

export interface Draft {
  /** `null`: the form does not ask for it. */
  readonly system: string | null;
  /** Before the input. */
  readonly messages: readonly DraftMessage[];
  readonly input: string;
  readonly output: string;
  readonly context: readonly DraftContext[];
  readonly calls: readonly DraftCall[];
  /** What only the JSON shows: model, subject and the like. */
  readonly rest: Readonly<Partial<Record<(typeof REST)[number], unknown>>>;
}

export type Read<Value> = { readonly value: Value } | { readonly problem: string };

const REST = ['model', 'subject', 'external_id', 'deadline_ms', 'occurred_at', 'metadata'] as const;

export const EMPTY_DRAFT: Draft = { system: null, messages: [], input: '', output: '', context: [], calls: [], rest: {} };

let keys = 0;
export const nextKey = (): number => ++keys;

/** The request that the form stands for. */
export function inferenceOf(draft: Draft): Read<Inference> {
  const input = inputOf(draft);
  if (input === undefined && draft.output === '')
    return { problem: 'There is nothing to assess yet: type an input or an output.' };
  const calls = draft.calls.map(callOf);
  const broken = calls.find((call) => 'problem' in call);
  if (broken !== undefined && 'problem' in broken) return broken;
  return {
    value: {
      ...(input === undefined ? {} : { input }),
      ...(draft.output === '' ? {} : { output: draft.output }),
      ...(draft.context.length === 0 ? {} : { context: draft.context.map(itemOf) }),
      ...(calls.length === 0 ? {} : { tool_calls: calls.flatMap((call) => ('value' in call ? [call.value] : [])) }),
      ...(draft.rest as Partial<Inference>),
    },
  };
}

/** A text alone, or messages where there is more than it. */
function inputOf({ system, messages, input }: Draft): Inference['input'] {
  const all: Message[] = [
    ...(system === null || system === '' ? [] : [{ role: 'system' as const, content: system }]),
    ...messages.map(({ role, content }) => ({ role, content })),
    ...(input === '' ? [] : [{ role: 'user' as const, content: input }]),
  ];
  if (all.length === 0) return undefined;
  return all.length === 1 && input !== '' ? input : all;
}

function itemOf({ id, source, content }: DraftContext): ContextItem {
  return { ...(id === '' ? {} : { id }), content, ...(source === 'retrieval' ? {} : { source }) };
}

function callOf({ name, args }: DraftCall, i: number): Read<{ name: string; arguments: Record<string, unknown> }> {
  try {
    const value: unknown = JSON.parse(args === '' ? '{}' : args);
    const pointer = notFiniteIn(value);
    if (pointer !== null) return { problem: `The number at ${pointer} in the arguments of tool call ${i + 1} is too large.` };
    if (isObject(value)) return { value: { name, arguments: value } };
    return { problem: `The arguments of tool call ${i + 1} must be a JSON object.` };
  } catch {
    return { problem: `The arguments of tool call ${i + 1} are not JSON.` };
  }
}

/** What is typed as JSON. The API says what else is wrong with it. */
export function parseInference(json: string): Read<Inference> {
  try {
    const value: unknown = JSON.parse(json);
    const pointer = notFiniteIn(value);
    if (pointer !== null) return { problem: `The number at ${pointer} is too large.` };
    return isObject(value) ? { value } : { problem: 'The request must be a JSON object.' };
  } catch (err) {
    return { problem: `This is not JSON: ${(err as Error).message}` };
  }
}

/** The form for a request, or why there is none: the form shows all of it, and sends the same again but for what is empty. */
export function draftOf(inference: Inference): Read<Draft> {
  const problem = problemOf({ ...inference });
  if (problem !== null) return { problem: `The form ${problem}.` };
  const { input, output, context = [], tool_calls: calls = [], ...rest } = inference;
  return {
    value: {
      ...conversationOf(input as string | TextMessage[] | undefined),
      output: (output ?? '') as string,
      context: context.map(({ id = '', source = 'retrieval', content }) => ({ key: nextKey(), id, source, content })),
      calls: calls.map(({ name, arguments: args = {} }) => ({ key: nextKey(), name, args: JSON.stringify(args, null, 2) })),
      rest,
    },
  };
}

type TextMessage = Pick<DraftMessage, 'role' | 'content'>;

const KNOWN = ['input', 'output', 'context', 'tool_calls', ...REST];
const OF_MESSAGE = ['role', 'content'];
const OF_DOCUMENT = ['id', 'source', 'content'];
const OF_CALL = ['name', 'arguments'];

/** Why a request, which may be anything, has no form; `null`: it has one. */
function problemOf(inference: Readonly<Record<string, unknown>>): string | null {
  const { input, output, context = [], tool_calls: calls = [] } = inference;
  const unknown = unknownIn(inference, KNOWN, '');
  if (unknown !== null) return unknown;
  if (input !== undefined && typeof input !== 'string') {
    const problem = eachOf(input, '/input', messageProblem);
    if (problem !== null) return problem;
  }
  if (typeof (output ?? '') !== 'string') return 'shows an output that is one text';
  return eachOf(context, '/context', documentProblem) ?? eachOf(calls, '/tool_calls', callProblem);
}

function eachOf(
  list: unknown,
  pointer: string,
  problemOfItem: (item: Readonly<Record<string, unknown>>, pointer: string) => string | null,
): string | null {
  if (!Array.isArray(list)) return `shows no ${pointer} that is not a list`;
  for (const [i, item] of list.entries()) {
    const problem = isObject(item) ? problemOfItem(item, `${pointer}/${i}`) : `shows no ${pointer}/${i} that is not an object`;
    if (problem !== null) return problem;
  }
  return null;
}

function messageProblem(message: Readonly<Record<string, unknown>>, pointer: string): string | null {
  const { role, content } = message;
  if (!(ROLES as readonly unknown[]).includes(role)) return `does not know the role at ${pointer}/role`;
  if (typeof content !== 'string') return `shows messages whose content is a text; ${pointer}/content is none`;
  return unknownIn(message, OF_MESSAGE, pointer);
}

function documentProblem(item: Readonly<Record<string, unknown>>, pointer: string): string | null {
  const { id = 'a name', source = 'retrieval', content } = item;
  if (typeof content !== 'string') return `shows documents whose content is a text; ${pointer}/content is none`;
  if (!(SOURCES as readonly unknown[]).includes(source)) return `does not know the source at ${pointer}/source`;
  if (typeof id !== 'string' || id === '') return `shows no ${pointer}/id that is no name`;
  return unknownIn(item, OF_DOCUMENT, pointer);
}

function callProblem(call: Readonly<Record<string, unknown>>, pointer: string): string | null {
  const { name, arguments: args = {} } = call;
  if (typeof name !== 'string') return `shows no ${pointer}/name that is not a text`;
  if (!isObject(args)) return `shows tool calls whose arguments are an object; ${pointer}/arguments is none`;
  return unknownIn(call, OF_CALL, pointer);
}

/** A member that the form would drop. The API refuses most of them, and says so. */
function unknownIn(value: Readonly<Record<string, unknown>>, known: readonly string[], pointer: string): string | null {
  const name = Object.keys(value).find((each) => !known.includes(each));
  return name === undefined ? null : `does not know ${pointer}/${partOf(name)}`;
}

/** What begins as a system prompt, and ends as a user's input. Messages without a text stay messages: an empty field would drop them. */
function conversationOf(input: string | readonly TextMessage[] | undefined): Pick<Draft, 'system' | 'messages' | 'input'> {
  if (input === undefined || typeof input === 'string') return { system: null, messages: [], input: input ?? '' };
  const all = input.map(({ role, content }) => ({ key: nextKey(), role, content }));
  const system = all[0]?.role === 'system' && all[0].content !== '' ? all[0].content : null;
  const last = all.at(-1);
  const isAsked = last?.role === 'user' && last.content !== '';
  return { system, messages: all.slice(system === null ? 0 : 1, isAsked ? -1 : undefined), input: isAsked ? last.content : '' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// An inference as the form has it, and as the API takes it.

import type { ContextItem, Inference, Message } from '@svc/client';

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
    return isObject(value) ? { value } : { problem: 'The request must be a JSON object.' };
  } catch (err) {
    return { problem: `This is not JSON: ${(err as Error).message}` };
  }
}

/** The form for a request, or why there is none. */
export function draftOf(inference: Inference): Read<Draft> {
  const { input, output, context = [], tool_calls: calls = [], ...rest } = inference;
  const unknown = Object.keys(rest).find((name) => !(REST as readonly string[]).includes(name));
  if (unknown !== undefined) return { problem: `The form does not know ${unknown}.` };
  const conversation = conversationOf(input);
  if (conversation === null) return { problem: 'The form shows messages whose content is a text.' };
  if (typeof (output ?? '') !== 'string') return { problem: 'The form shows an output that is one text.' };
  if (!Array.isArray(context) || !context.every((item) => isObject(item) && typeof item.content === 'string'))
    return { problem: 'The form shows documents whose content is a text.' };
  if (!Array.isArray(calls) || !calls.every((call) => isObject(call) && isObject(call.arguments ?? {})))
    return { problem: 'The form shows tool calls whose arguments are an object.' };
  return {
    value: {
      ...conversation,
      output: (output ?? '') as string,
      context: context.map(({ id = '', source = 'retrieval', content }) => ({ key: nextKey(), id, source, content })),
      calls: calls.map(({ name, arguments: args = {} }) => ({ key: nextKey(), name, args: JSON.stringify(args, null, 2) })),
      rest,
    },
  };
}

function conversationOf(input: Inference['input']): Pick<Draft, 'system' | 'messages' | 'input'> | null {
  if (input === undefined || typeof input === 'string') return { system: null, messages: [], input: input ?? '' };
  if (!Array.isArray(input)) return null;
  const all = input.map((message) => ({ key: nextKey(), role: message?.role, content: message?.content }));
  if (!all.every((message): message is DraftMessage => typeof message.content === 'string')) return null;
  const system = all[0]?.role === 'system' ? all[0].content : null;
  const last = all.at(-1);
  const isAsked = last?.role === 'user' && all.length > 0;
  return { system, messages: all.slice(system === null ? 0 : 1, isAsked ? -1 : undefined), input: isAsked ? last.content : '' };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

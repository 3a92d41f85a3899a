// OpenAI's chat completions: where their texts stand.

import type { Api } from './openai.ts';
import type { AnsweredCall } from './exchange.ts';
import { ALL, type Dialect, type Piece } from './held.ts';
import {
  isObject,
  objectsIn,
  saying,
  textIn,
  textOr,
  textsOfJson,
  textsOfPart,
  type Json,
  type Said,
  type Text,
} from './said.ts';

/** Texts that a model writes. Some servers tell what it thinks in members of their own. */
const CHANNELS = ['reasoning_content', 'reasoning', 'refusal', 'content'] as const;

export const chat: Api = {
  of: (openai) => openai.chat.completions,

  refusal({ n, stream, modalities, audio }) {
    if (stream === true && typeof n === 'number' && n > 1)
      return 'A guarded stream has one answer: leave out n, or ask without stream.';
    if (audio || (Array.isArray(modalities) && modalities.includes('audio')))
      return 'Spoken answers cannot be guarded: ask for text alone.';
    return null;
  },

  asked: ({ messages }) => objectsIn(messages).flatMap(saidIn),

  answer(answer) {
    const { choices } = answer;
    leaveOnly(answer, KNOWN_OF_ANSWER);
    for (const choice of objectsIn(choices)) leaveOnly(choice, KNOWN_OF_CHOICE);
    const messages = messagesIn(choices);
    messages.forEach(leaveKnown);
    return { said: messages.flatMap((message) => saying('assistant', spokenIn(message))), calls: messages.flatMap(callsIn) };
  },

  tidy(answer) {
    for (const choice of objectsIn(answer['choices'])) if (choice['logprobs']) choice['logprobs'] = null;
  },

  block(answer, text) {
    const message = { role: 'assistant', content: text, refusal: null };
    for (const choice of objectsIn(answer['choices']))
      Object.assign(choice, { message: { ...message }, logprobs: null, finish_reason: 'content_filter' });
  },

  empty: (model) => ({ ...frameOf(model), object: 'chat.completion', choices: [{ index: 0 }] }),

  dialect: (model) => new ChatDialect(model),
};

function frameOf(model: string): Json {
  return { id: 'chatcmpl-blocked', object: 'chat.completion.chunk', created: Math.floor(Date.now() / 1_000), model };
}

function messagesIn(choices: unknown): Json[] {
  return objectsIn(choices).flatMap(({ message }) => (isObject(message) ? [message] : []));
}

const ROLES: ReadonlyMap<unknown, Said['role']> = new Map([
  ['system', 'system'],
  ['developer', 'developer'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
]);

/** What a message of the conversation says, and the calls in it. */
function saidIn(message: Json): Said[] {
  const parts = objectsIn(message['content']);
  const texts = [...nameOf(message), ...spokenIn(message), ...parts.flatMap(textsOfPart)];
  const unread = parts.filter((part) => textsOfPart(part).length === 0).map(({ type }) => textOr(type, 'unknown'));
  const role = ROLES.get(message['role']) ?? 'user';
  return [
    ...saying(role, texts, unread),
    ...saying(
      'tool',
      callsHolders(message).flatMap(([holder, name]) => textsOfJson(holder, name)),
    ),
  ];
}

/** A name has few characters to choose from, so that a placeholder in it loses its brackets. */
function nameOf(message: Json): Text[] {
  return textIn(message, 'name').map(({ text }) => ({
    text,
    put: (left) => void (message['name'] = left.replaceAll(/[^\w-]/g, '')),
  }));
}

function spokenIn(message: Json): Text[] {
  return CHANNELS.flatMap((channel) => textIn(message, channel));
}

const KNOWN: ReadonlySet<string> = new Set(['role', 'tool_calls', 'function_call', ...CHANNELS]);

const KNOWN_OF_ANSWER: ReadonlySet<string> = new Set([
  'id',
  'object',
  'created',
  'model',
  'choices',
  'usage',
  'service_tier',
  'system_fingerprint',
]);
const KNOWN_OF_CHOICE: ReadonlySet<string> = new Set(['index', 'message', 'finish_reason', 'logprobs']);

function leaveOnly(holder: Json, known: ReadonlySet<string>): void {
  for (const name of Object.keys(holder)) if (!known.has(name)) delete holder[name];
}

/** What else an answer holds is not read, and left out of streams too. */
function leaveKnown(message: Json): void {
  leaveOnly(message, KNOWN);
  if (Array.isArray(message['content']))
    message['content'] = objectsIn(message['content'])
      .map(({ text }) => textOr(text, ''))
      .join('');
}

/** Where the arguments of a message's calls stand: the object, and the name of the member. */
function callsHolders({ tool_calls, function_call }: Json): (readonly [Json, 'arguments' | 'input'])[] {
  const holders: (readonly [Json, 'arguments' | 'input'])[] = [];
  for (const { function: called, custom } of objectsIn(tool_calls)) {
    if (isObject(called)) holders.push([called, 'arguments']);
    if (isObject(custom)) holders.push([custom, 'input']);
  }
  if (isObject(function_call)) holders.push([function_call, 'arguments']);
  return holders;
}

function callsIn(message: Json): AnsweredCall[] {
  return callsHolders(message).map(([holder, name]) => ({
    name: textOr(holder['name'], 'unnamed'),
    written: textOr(holder[name], ''),
    put: (written) => void (holder[name] = written),
  }));
}

interface StreamedCall {
  readonly key: string;
  id: unknown;
  type: 'function' | 'custom' | 'legacy';
  name: string;
  written: string;
}

class ChatDialect implements Dialect<Json> {
  /** What all chunks of an answer share. */
  #frame: Json;
  #hasRole = false;
  #calls: StreamedCall[] = [];
  #callsShown = 0;

  constructor(model: string) {
    this.#frame = frameOf(model);
  }

  read(chunk: Json): Piece<Json>[] {
    const { choices } = chunk;
    leaveOnly(chunk, KNOWN_OF_ANSWER);
    const { choices: _choices, usage: _usage, ...frame } = chunk;
    this.#frame = frame;
    const choice = objectsIn(choices).find(({ index }) => (index ?? 0) === 0);
    if (choice === undefined) return Array.isArray(choices) && choices.length > 0 ? [] : [{ kind: 'part', show: () => [chunk] }];
    const delta = isObject(choice['delta']) ? choice['delta'] : {};
    const finish = choice['finish_reason'] ?? null;
    const pieces: Piece<Json>[] = CHANNELS.flatMap((key) =>
      textIn(delta, key).map(({ text }) => ({ kind: 'text', channel: key, key, text })),
    );
    this.#takeCalls(delta);
    if (finish !== null) pieces.push(...this.end());
    // What else a delta holds nobody has assessed.
    const rest = this.#hasRole || delta['role'] === undefined ? {} : { role: delta['role'] };
    if ('role' in rest) this.#hasRole = true;
    else if (finish === null && (chunk['usage'] ?? null) === null) return pieces;
    const shown = { ...chunk, choices: [{ index: 0, delta: rest, logprobs: null, finish_reason: finish }] };
    const show = () => [shown];
    // Who speaks is told first, why it ends last.
    return finish === null ? [{ kind: 'part', show }, ...pieces] : [...pieces, { kind: 'part', after: ALL, show }];
  }

  end(): Piece<Json>[] {
    const calls = this.#calls;
    this.#calls = [];
    return calls.map((call) => ({ kind: 'call', call, show: (written) => [this.#callShown(call, written)] }));
  }

  showText(key: string, text: string): Json[] {
    return [this.#chunk({ [key]: text }, null)];
  }

  showBlocked(text: string | null): Json[] {
    const said = text === null ? [] : [this.#chunk({ role: 'assistant', content: text }, null)];
    return [...said, this.#chunk({}, 'content_filter')];
  }

  #chunk(delta: Json, finish_reason: string | null): Json {
    return { ...this.#frame, choices: [{ index: 0, delta, logprobs: null, finish_reason }] };
  }

  #callShown({ id, type, name, written: _written }: StreamedCall, written: string): Json {
    if (type === 'legacy') return this.#chunk({ function_call: { name, arguments: written } }, null);
    const made = type === 'custom' ? { custom: { name, input: written } } : { function: { name, arguments: written } };
    return this.#chunk({ tool_calls: [{ index: this.#callsShown++, id, type, ...made }] }, null);
  }

  #takeCalls({ tool_calls, function_call }: Json): void {
    for (const piece of objectsIn(tool_calls)) {
      const { index, id, function: called, custom } = piece;
      const type = isObject(custom) ? 'custom' : 'function';
      const made = isObject(custom) ? custom : isObject(called) ? called : {};
      this.#takeCall(`${Number(index ?? 0)}`, type, id, made['name'], made[type === 'custom' ? 'input' : 'arguments']);
    }
    if (isObject(function_call)) this.#takeCall('legacy', 'legacy', undefined, function_call['name'], function_call['arguments']);
  }

  #takeCall(key: string, type: StreamedCall['type'], id: unknown, name: unknown, written: unknown): void {
    let call = this.#calls.find((each) => each.key === key);
    if (call === undefined) this.#calls.push((call = { key, id, type, name: '', written: '' }));
    call.id ??= id;
    if (typeof name === 'string') call.name += name;
    if (typeof written === 'string') call.written += written;
  }
}

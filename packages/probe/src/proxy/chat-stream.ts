// Streams of chat completions and of completions: each choice is held by itself until it is safe.

import type { ReleasedToolCall } from '@svc/engine';
import type { Exchange } from '../exchange.ts';
import type { StreamGuard } from '../guard.ts';
import { sentenceFor } from './answers.ts';
import { fixedOfCall, isObject, readCall, wholeObject, type Json } from './exchange.ts';
import type { Measures } from './measures.ts';
import { errorBody, finishOf, frameOf, isIdOfCall, isRole, usageOf } from './shapes.ts';
import { DONE, writeEvent, type SseEvent } from './sse.ts';

/** Members of a delta that are text a model writes. What else a delta holds is left out: nobody has assessed it. */
const CHANNELS = ['content', 'refusal', 'reasoning_content', 'reasoning'] as const;
type Channel = (typeof CHANNELS)[number] | 'text';

/** What a stream becomes. */
export interface StreamStep {
  /** To be sent now. */
  readonly text: string;
  /** Nothing more will come: the model may as well stop. */
  readonly isOver: boolean;
}

/** Follows one stream. `push` and `end` one after another. */
export interface StreamFilter {
  push(event: SseEvent): Promise<StreamStep>;
  /** The stream has ended without saying so; `isBroken`: in the middle. */
  end(isBroken: boolean): Promise<string>;
}

interface ToolCall {
  readonly key: string;
  readonly kind: 'function' | 'custom' | 'legacy';
  id: unknown;
  name: string;
  arguments: string;
}

interface Choice {
  readonly index: number;
  readonly guards: Map<Channel, StreamGuard>;
  readonly calls: ToolCall[];
  hasShown: boolean;
  isOver: boolean;
}

export class ChatStream implements StreamFilter {
  readonly #exchange: Exchange;
  readonly #measures: Measures;
  readonly #choices = new Map<number, Choice>();
  /** Members that all chunks of a stream share. */
  #frame: Json = {};
  readonly #expected: number;
  #isOver = false;

  /** `expected`: how many choices were asked for. */
  constructor(exchange: Exchange, measures: Measures, expected: number) {
    this.#exchange = exchange;
    this.#measures = measures;
    this.#expected = expected;
  }

  async push({ data }: SseEvent): Promise<StreamStep> {
    if (data === DONE) return { text: await this.end(false), isOver: true };
    const chunk = chunkFrom(data);
    if (chunk === null || this.#isOver) return { text: '', isOver: this.#isOver };
    // An error of the server's own is for the client, and the end.
    if (chunk['error'] !== undefined && chunk['choices'] === undefined) {
      await this.end(true);
      return { text: writeEvent(await errorBody(this.#exchange, chunk)), isOver: true };
    }
    this.#measures.see(chunk);
    const { choices } = chunk;
    const usage = usageOf(chunk);
    this.#frame = frameOf(chunk);
    let text = '';
    for (const choice of Array.isArray(choices) ? (choices as unknown[]).filter(isObject) : [])
      text += await this.#choice(choice);
    // What a chunk says of tokens must not be lost with a text that is held.
    if (usage !== null) text += writeEvent({ ...this.#frame, choices: [], usage });
    const isStopped = this.#choices.size >= this.#expected && [...this.#choices.values()].every(isBlocked);
    return { text: isStopped ? text + (await this.end(false)) : text, isOver: isStopped };
  }

  async end(isBroken: boolean): Promise<string> {
    if (this.#isOver) return '';
    this.#isOver = true;
    const rest = await this.#finishAll(isBroken);
    return isBroken ? '' : rest + writeEvent(DONE);
  }

  async #finishAll(isBroken: boolean): Promise<string> {
    let text = '';
    for (const choice of this.#choices.values()) if (!choice.isOver) text += await this.#finish(choice, null);
    return isBroken ? '' : text;
  }

  async #choice(written: Json): Promise<string> {
    const choice = this.#choiceOf(written['index']);
    // More than were asked for are nobody's, and each would be held.
    if (choice === null) return '';
    const delta = isObject(written['delta']) ? written['delta'] : written;
    const finish = finishOf(written['finish_reason']);
    if (choice.isOver) return '';
    const shown: Json = isRole(delta['role']) ? { role: delta['role'] } : {};
    for (const [channel, piece] of piecesOf(written, delta)) {
      this.#measures.firstToken();
      const released = await this.#guardOf(choice, channel).push(piece);
      if (released !== '') shown[channel] = `${(shown[channel] as string | undefined) ?? ''}${released}`;
    }
    this.#takeCalls(choice, delta);
    const isStopped = [...choice.guards.values()].some((guard) => guard.isBlocked);
    const text = Object.keys(shown).length > 0 ? this.#show(choice, shown) : '';
    return finish === null && !isStopped ? text : text + (await this.#finish(choice, finish));
  }

  #choiceOf(index: unknown): Choice | null {
    const number = typeof index === 'number' ? index : 0;
    if (!this.#choices.has(number) && this.#choices.size >= this.#expected) return null;
    const choice = this.#choices.get(number) ?? { index: number, guards: new Map(), calls: [], hasShown: false, isOver: false };
    this.#choices.set(number, choice);
    return choice;
  }

  #guardOf({ guards }: Choice, channel: Channel): StreamGuard {
    const guard = guards.get(channel) ?? this.#exchange.guard();
    guards.set(channel, guard);
    return guard;
  }

  /** Calls are kept until the choice ends: clients make them no sooner. */
  #takeCalls({ calls }: Choice, delta: Json): void {
    const { tool_calls: pieces, function_call: legacy } = delta;
    if (Array.isArray(pieces)) pieces.filter(isObject).forEach((piece, i) => takeCall(calls, piece, i));
    if (isObject(legacy)) take(calls, 'legacy', 'legacy', undefined, legacy['name'], legacy['arguments']);
    if (calls.length > 0) this.#measures.firstToken();
  }

  /** Decides about all of a choice, and shows the rest of it. `finish`: what the model says of its end. */
  async #finish(choice: Choice, finish: unknown): Promise<string> {
    choice.isOver = true;
    const shown: Json = {};
    let sentence: string | null = null;
    // Calls go with what was said to them.
    const main = channelsIn(choice).at(-1) ?? 'content';
    for (const channel of new Set<Channel>([...choice.guards.keys(), main])) {
      const calls = channel === main ? choice.calls.map(writtenCall) : [];
      const { released, toolCalls, evaluation } = await this.#guardOf(choice, channel).end(calls);
      const fixed = new Set(channel === main ? choice.calls.flatMap((call) => [...fixedOfCall(call.name, call.arguments)]) : []);
      sentence ??= await sentenceFor(this.#exchange, { fixed, isExcessive: false }, evaluation);
      if (released !== '') shown[channel] = released;
      if (toolCalls.length > 0) Object.assign(shown, callsShown(choice.calls, toolCalls));
    }
    if (sentence !== null) return this.#refuse(choice, sentence);
    const rest = Object.keys(shown).length > 0 ? this.#show(choice, shown) : '';
    return finish === null ? rest : rest + this.#chunk(choice, {}, finish);
  }

  /** The end of a choice that is blocked: the policy's sentence, where nothing stands before it. */
  #refuse(choice: Choice, sentence: string): string {
    const said = choice.hasShown ? '' : this.#chunk(choice, { [choice.guards.has('text') ? 'text' : 'content']: sentence }, null);
    return said + this.#chunk(choice, {}, 'content_filter');
  }

  #show(choice: Choice, delta: Json): string {
    if (Object.keys(delta).some((name) => name !== 'role')) choice.hasShown = true;
    return this.#chunk(choice, delta, null);
  }

  #chunk({ index, guards }: Choice, delta: Json, finish: unknown): string {
    const isPlain = guards.has('text') || this.#frame['object'] === 'text_completion';
    const said = isPlain ? { text: delta['text'] ?? '' } : { delta };
    return writeEvent({ ...this.#frame, choices: [{ index, ...said, logprobs: null, finish_reason: finish }] });
  }
}

function chunkFrom(data: string): Json | null {
  try {
    const chunk: unknown = JSON.parse(data);
    return isObject(chunk) ? chunk : null;
  } catch {
    return null;
  }
}

function isBlocked({ isOver, guards }: Choice): boolean {
  return isOver && [...guards.values()].some((guard) => guard.isBlocked);
}

/** What a piece of a choice says, by channel. */
function piecesOf(written: Json, delta: Json): [Channel, string][] {
  const channels: readonly Channel[] = isObject(written['delta']) ? CHANNELS : ['text'];
  return channels.flatMap((channel) => textsOf(channel, delta[channel])).filter(([, text]) => text !== '');
}

/** Some servers send parts, of which those that think stand apart. */
function textsOf(channel: Channel, value: unknown): [Channel, string][] {
  if (typeof value === 'string') return [[channel, value]];
  const parts = Array.isArray(value) ? (value as unknown[]) : [];
  return parts.flatMap((part): [Channel, string][] => {
    const { text, thinking } = isObject(part) ? part : { text: part };
    return [
      [channel, textOf(text)],
      ['reasoning_content', Array.isArray(thinking) ? thinking.map(textOf).join('') : textOf(thinking)],
    ];
  });
}

function textOf(part: unknown): string {
  const text = isObject(part) ? part['text'] : part;
  return typeof text === 'string' ? text : '';
}

/** Those that speak to the reader last. */
function channelsIn({ guards }: Choice): Channel[] {
  return (['text', 'content'] as const).filter((channel) => guards.has(channel));
}

function takeCall(calls: ToolCall[], piece: Json, at: number): void {
  const { function: made, custom, id, index } = piece;
  // Some servers number no calls: then a name begins the next.
  const last = calls.at(-1);
  const isNext = isObject(made) && typeof made['name'] === 'string' && made['name'] !== '' && last !== undefined;
  const key = typeof index === 'number' ? String(index) : isNext || last === undefined ? `${calls.length} ${at}` : last.key;
  if (isObject(custom)) take(calls, key, 'custom', id, custom['name'], custom['input']);
  else if (isObject(made)) take(calls, key, 'function', id, made['name'], made['arguments']);
  else take(calls, key, 'function', id, undefined, undefined);
}

function take(calls: ToolCall[], key: string, kind: ToolCall['kind'], id: unknown, name: unknown, written: unknown): void {
  // Nor do all number them right: another id is another call.
  const isSame = (each: ToolCall) => each.key === key && (!isId(id) || !isId(each.id) || each.id === id);
  let call = calls.findLast(isSame);
  if (call === undefined) calls.push((call = { key, kind, id, name: '', arguments: '' }));
  call.id ??= id;
  if (typeof name === 'string') call.name += name;
  if (typeof written === 'string') call.arguments += written;
}

function isId(id: unknown): boolean {
  return typeof id === 'string' && id !== '';
}

/** A call as it is assessed. Arguments that a reader might read otherwise stand in a list, and so are read as the text they are. */
function writtenCall({ name, arguments: written }: Pick<ToolCall, 'name' | 'arguments'>): {
  name: string;
  arguments: string;
} {
  const named = name === '' ? 'unnamed' : name;
  return { name: named, arguments: isReadAlike(written) ? written : `[${written}]` };
}

function isReadAlike(written: string): boolean {
  if (written.trim() === '') return true;
  const json = wholeObject(written);
  // The engine keeps what it reads as a text under the empty name.
  return json !== null && !('' in (json.value as Json));
}

/** The arguments of a call as they may be made: as the model wrote them, but for what is redacted. */
function releasedArguments(written: string, { arguments: values }: ReleasedToolCall): string {
  if (typeof values === 'string') return values.replace(/^\[/, '').replace(/\]$/, '');
  if (written.trim() === '') return written;
  const call = readCall('', written);
  return JSON.stringify(values) === JSON.stringify(call.arguments) ? written : call.write({ ...values });
}

function callsShown(calls: readonly ToolCall[], released: readonly ReleasedToolCall[]): Json {
  const shown: Json = {};
  const list: Json[] = [];
  for (const each of released) {
    const { kind, id, name, arguments: written } = calls[each.index]!;
    const made = releasedArguments(written, each);
    if (kind === 'legacy') shown['function_call'] = { name, arguments: made };
    else {
      const called = kind === 'custom' ? { custom: { name, input: made } } : { function: { name, arguments: made } };
      // An id that is none could say anything.
      const known = id === undefined || id === null ? {} : { id: isIdOfCall(id) ? id : `call_${each.index}` };
      list.push({ index: list.length, ...known, type: kind, ...called });
    }
  }
  return list.length === 0 ? shown : { ...shown, tool_calls: list };
}

// Streams of OpenAI's responses: each text of each item is held by itself, calls and all else until their item is complete.
//
// What comes out is a stream of the same kind with fewer events: those that carry what nobody has assessed are left out, and the last one tells
// the response as it was shown.

import type { Evaluation } from '@svc/engine';
import type { Exchange } from '../exchange.ts';
import type { StreamGuard } from '../guard.ts';
import { blockedResponse, sentenceFor } from './answers.ts';
import type { StreamFilter, StreamStep } from './chat-stream.ts';
import { answerOf, isObject, putAnswer, readAnswer, type Json } from './exchange.ts';
import type { Measures } from './measures.ts';
import { errorShown, isIdOfCall, isRole, pruneResponse } from './shapes.ts';
import { DONE, writeEvent, type SseEvent } from './sse.ts';

/** Events that bring the next piece of a text, and where it stands in the event. */
const DELTAS: ReadonlySet<string> = new Set([
  'response.output_text.delta',
  'response.refusal.delta',
  'response.reasoning_text.delta',
  'response.reasoning_summary_text.delta',
]);

/** Events that end such a text, by the member that holds the whole of it. */
const DONES: ReadonlyMap<string, string> = new Map([
  ['response.output_text.done', 'text'],
  ['response.refusal.done', 'refusal'],
  ['response.reasoning_text.done', 'text'],
  ['response.reasoning_summary_text.done', 'text'],
]);

/** Events about a part of an item, of which the text is told elsewhere. */
const PARTS: ReadonlySet<string> = new Set([
  'response.content_part.added',
  'response.content_part.done',
  'response.reasoning_summary_part.added',
  'response.reasoning_summary_part.done',
]);

const STARTS: ReadonlySet<string> = new Set(['response.created', 'response.in_progress', 'response.queued']);
const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/** Items whose texts come in pieces, and are shown as they come. */
const WRITTEN_IN_PIECES: ReadonlySet<unknown> = new Set(['message', 'reasoning']);

interface Text {
  readonly guard: StreamGuard;
  /** What its events share: their type without its end, and where it stands. */
  readonly kind: string;
  readonly place: Json;
  shown: string;
  isOver: boolean;
}

export class ResponsesStream implements StreamFilter {
  readonly #exchange: Exchange;
  readonly #measures: Measures;
  readonly #texts = new Map<string, Text>();
  /** Items as they were shown, by their place in the response. */
  readonly #items = new Map<number, Json>();
  #response: Json = {};
  #sequence = 0;
  #isOver = false;

  constructor(exchange: Exchange, measures: Measures) {
    this.#exchange = exchange;
    this.#measures = measures;
  }

  async push({ data }: SseEvent): Promise<StreamStep> {
    if (data === DONE) return { text: await this.#endOfStream(), isOver: true };
    const event = eventFrom(data);
    if (event === null || this.#isOver) return { text: '', isOver: this.#isOver };
    const text = await this.#take(event, event['type'] as string);
    return { text, isOver: this.#isOver };
  }

  /** Responses say when they end: one that does not is broken, and what is held stays so. */
  async end(): Promise<string> {
    if (this.#isOver) return '';
    this.#isOver = true;
    for (const text of this.#texts.values()) if (!text.isOver) await this.#endGuard(text);
    return '';
  }

  /** Some servers end the stream, and not the response. */
  async #endOfStream(): Promise<string> {
    const rest = this.#isOver ? '' : await this.#finishTexts(() => true);
    this.#isOver = true;
    return rest + writeEvent(DONE);
  }

  async #take(event: Json, type: string): Promise<string> {
    if (STARTS.has(type)) return this.#start(event);
    if (DELTAS.has(type)) return this.#delta(event);
    if (DONES.has(type)) return this.#done(event, DONES.get(type)!);
    if (PARTS.has(type)) return this.#part(event, type.endsWith('.done'));
    if (type === 'response.output_item.added') return this.#added(event);
    if (type === 'response.output_item.done') return this.#itemDone(event);
    if (ENDS.has(type)) return this.#end(event);
    if (type !== 'error') return '';
    // An error of the server's own is for the client, and the end.
    await this.end();
    return this.#write({ type, ...(await errorShown(this.#exchange, isObject(event['error']) ? event['error'] : event)) });
  }

  async #start(event: Json): Promise<string> {
    this.#measures.see(event);
    if (isObject(event['response'])) this.#response = event['response'];
    if (this.#exchange.isEnforced) await pruneResponse(this.#exchange, this.#response);
    return this.#write({ type: event['type'], response: { ...this.#response, output: [] } });
  }

  /** Items that come in pieces are begun empty; others wait until they are complete. */
  #added(event: Json): string {
    const item = isObject(event['item']) ? event['item'] : {};
    if (!WRITTEN_IN_PIECES.has(item['type'])) return '';
    return this.#write({ type: event['type'], ...placesIn(event), item: emptied(item) });
  }

  /** A part is begun empty, and ends as it was shown. */
  async #part(event: Json, isDone: boolean): Promise<string> {
    const part = isObject(event['part']) ? event['part'] : {};
    const name = part['type'] === 'refusal' ? 'refusal' : 'text';
    if (!['output_text', 'refusal', 'summary_text', 'reasoning_text'].includes(String(part['type']))) return '';
    const key = keyOf(event);
    const before = isDone ? await this.#finishTexts((each) => each === key) : '';
    if (this.#isOver) return before;
    const shown = isDone ? (this.#texts.get(key)?.shown ?? '') : '';
    const rest = part['type'] === 'output_text' ? { annotations: [], logprobs: [] } : {};
    const told = { type: part['type'], [name]: shown, ...rest };
    return before + this.#write({ type: event['type'], ...placesIn(event), part: told });
  }

  async #delta(event: Json): Promise<string> {
    if (typeof event['delta'] !== 'string') return '';
    this.#measures.firstToken();
    const text = this.#textOf(event);
    if (text.isOver) return '';
    const released = await text.guard.push(event['delta']);
    const shown = this.#writeDelta(text, released);
    if (!text.guard.isBlocked) return shown;
    const { sentence } = await this.#endGuard(text);
    return shown + (await this.#refuse(sentence));
  }

  async #done(event: Json, name: string): Promise<string> {
    const text = this.#textOf(event);
    if (text.isOver) return '';
    // Some servers send a text in one piece, at its end.
    const missing = text.guard.chars === 0 && typeof event[name] === 'string' ? event[name] : '';
    const early = missing === '' ? '' : this.#writeDelta(text, await text.guard.push(missing));
    return early + (await this.#finishText(text));
  }

  /** Ends texts that are still held, by their keys. */
  async #finishTexts(isMeant: (key: string) => boolean): Promise<string> {
    let shown = '';
    for (const [key, text] of this.#texts)
      if (!this.#isOver && !text.isOver && isMeant(key)) shown += await this.#finishText(text);
    return shown;
  }

  /** Decides about a text that is whole, and shows the rest of it. */
  async #finishText(text: Text): Promise<string> {
    const { released, sentence } = await this.#endGuard(text);
    if (sentence !== null) return this.#refuse(sentence);
    const rest = this.#writeDelta(text, released);
    const name = DONES.get(`${text.kind}.done`)!;
    return rest + this.#write({ type: `${text.kind}.done`, ...text.place, ...tokensOf(text.kind), [name]: text.shown });
  }

  async #endGuard(text: Text): Promise<{ released: string; sentence: string | null }> {
    text.isOver = true;
    const { released, evaluation } = await text.guard.end();
    return { released, sentence: await sentenceFor(this.#exchange, NOTHING_FIXED, evaluation) };
  }

  #writeDelta(text: Text, released: string): string {
    text.shown += released;
    if (released === '') return '';
    return this.#write({ type: `${text.kind}.delta`, ...text.place, ...tokensOf(text.kind), delta: released });
  }

  async #itemDone(event: Json): Promise<string> {
    const item = isObject(event['item']) ? event['item'] : {};
    const place = placeOf(event);
    const rest = await this.#finishTexts((key) => key.startsWith(`${place} `));
    if (this.#isOver) return rest;
    const { shown, sentence } = await this.#itemShown(item, place);
    if (sentence !== null) return rest + (await this.#refuse(sentence));
    this.#items.set(place, shown);
    const done = { type: event['type'], output_index: place, item: shown };
    if (WRITTEN_IN_PIECES.has(item['type'])) return rest + this.#write(done);
    this.#measures.firstToken();
    const added = { type: 'response.output_item.added', output_index: place, item: { ...emptied(shown), status: 'in_progress' } };
    return rest + this.#write(added) + this.#pieces(place, shown) + this.#write(done);
  }

  /** An item that is whole, as it may be shown: what was said in pieces as it was shown, all else assessed now. `sentence`: it is blocked. */
  async #itemShown(item: Json, place: number): Promise<{ shown: Json; sentence: string | null }> {
    const told: Json = {};
    const fresh: Json = { ...item };
    for (const list of ['content', 'summary'] as const) {
      const parts = item[list];
      if (!Array.isArray(parts) || !WRITTEN_IN_PIECES.has(item['type'])) continue;
      told[list] = (parts as unknown[]).map((part, at) => (isObject(part) ? this.#partTold(place, list, at, part) : null));
      fresh[list] = (parts as unknown[]).filter((part, at) => isObject(part) && (told[list] as unknown[])[at] === null);
    }
    const turn = readAnswer([fresh]);
    const sentence = await sentenceFor(this.#exchange, turn, await this.#decide(turn));
    if (sentence !== null) return { shown: {}, sentence };
    const lists = Object.entries(told).map(([list, parts]) => {
      const rest = (fresh[list] as Json[]).values();
      return [list, (parts as (Json | null)[]).map((part) => part ?? rest.next().value).filter((part) => part !== undefined)];
    });
    return { shown: { ...fresh, ...Object.fromEntries(lists) }, sentence: null };
  }

  /** Assesses an answer and redacts it where it stands. */
  async #decide(turn: ReturnType<typeof readAnswer>): Promise<Evaluation> {
    const { said, calls, fixed } = turn;
    // Nothing but what was assessed before.
    if (said.length === 0 && calls.length === 0 && fixed.size === 0) return this.#exchange.question;
    const evaluation = await this.#exchange.decide(answerOf(turn));
    if (evaluation.outcome !== 'blocked') putAnswer(turn, evaluation.redacted);
    return evaluation;
  }

  /** A part that came in pieces, as it was shown. */
  #partTold(place: number, list: 'content' | 'summary', at: number, { type }: Json): Json | null {
    const text = this.#texts.get(`${place} ${list} ${at}`);
    if (text === undefined) return null;
    const name = type === 'refusal' ? 'refusal' : 'text';
    return { type, [name]: text.shown, ...(type === 'output_text' ? { annotations: [] } : {}) };
  }

  /** The pieces of a call that is complete, in one. */
  #pieces(index: number, item: Json): string {
    const place = { item_id: item['id'], output_index: index };
    const [kind, name] =
      item['type'] === 'function_call'
        ? (['function_call_arguments', 'arguments'] as const)
        : item['type'] === 'custom_tool_call'
          ? (['custom_tool_call_input', 'input'] as const)
          : ([null, ''] as const);
    if (kind === null || typeof item[name] !== 'string') return '';
    return (
      this.#write({ type: `response.${kind}.delta`, ...place, delta: item[name] }) +
      this.#write({ type: `response.${kind}.done`, ...place, [name]: item[name] })
    );
  }

  /** The end: the response, with its items as they were shown. */
  async #end(event: Json): Promise<string> {
    this.#measures.see(event);
    const rest = await this.#finishTexts(() => true);
    if (this.#isOver) return rest;
    const response = isObject(event['response']) ? event['response'] : this.#response;
    if (this.#exchange.isEnforced) await pruneResponse(this.#exchange, response);
    // Some servers tell of an item at the end alone.
    const told = Array.isArray(response['output']) ? (response['output'] as unknown[]) : [];
    for (const [place, item] of told.entries()) {
      if (this.#items.has(place) || !isObject(item)) continue;
      const { shown, sentence } = await this.#itemShown(item, place);
      if (sentence !== null) return rest + (await this.#refuse(sentence));
      this.#items.set(place, shown);
    }
    this.#addUntold();
    this.#isOver = true;
    return rest + this.#write({ type: event['type'], response: { ...response, output: this.#shownItems() } });
  }

  /** Texts of which no item tells stand in one of their own. */
  #addUntold(): void {
    for (const { place, kind, shown } of this.#texts.values()) {
      const index = typeof place['output_index'] === 'number' ? place['output_index'] : 0;
      if (this.#items.has(index) || kind !== 'response.output_text') continue;
      const content = [{ type: 'output_text', text: shown, annotations: [] }];
      const id = place['item_id'] ?? `msg_${index}`;
      this.#items.set(index, { id, type: 'message', role: 'assistant', status: 'completed', content });
    }
  }

  async #refuse(sentence: string | null): Promise<string> {
    this.#isOver = true;
    for (const text of this.#texts.values()) if (!text.isOver) await this.#endGuard(text);
    const { output, ...blocked } = blockedResponse(sentence ?? 'Blocked by policy.');
    const items = [...this.#shownItems(), ...(output as Json[])];
    return this.#write({ type: 'response.incomplete', response: { ...this.#response, ...blocked, output: items } });
  }

  #shownItems(): Json[] {
    return [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  #textOf(event: Json): Text {
    const key = keyOf(event);
    const kind = String(event['type']).replace(/\.(?:delta|done)$/, '');
    const text = this.#texts.get(key) ?? {
      guard: this.#exchange.guard(),
      kind,
      place: placesIn(event),
      shown: '',
      isOver: false,
    };
    this.#texts.set(key, text);
    return text;
  }

  /** Numbered anew, because events were left out. */
  #write(event: Json): string {
    const type = String(event['type']);
    return writeEvent({ ...event, type, sequence_number: this.#sequence++ }, type);
  }
}

function eventFrom(data: string): Json | null {
  try {
    const event: unknown = JSON.parse(data);
    return isObject(event) && typeof event['type'] === 'string' ? event : null;
  } catch {
    return null;
  }
}

function placeOf(event: Json): number {
  return typeof event['output_index'] === 'number' ? event['output_index'] : 0;
}

/** Where a text stands: the item, and the part in it. */
function keyOf(event: Json): string {
  const isSummary = String(event['type']).startsWith('response.reasoning_summary');
  const index = event[isSummary ? 'summary_index' : 'content_index'];
  return `${placeOf(event)} ${isSummary ? 'summary' : 'content'} ${typeof index === 'number' ? index : 0}`;
}

/** Where an event stands. */
function placesIn(event: Json): Json {
  const indices = ['output_index', 'content_index', 'summary_index'].filter((name) => typeof event[name] === 'number');
  return {
    ...(isIdOfCall(event['item_id']) ? { item_id: event['item_id'] } : {}),
    ...Object.fromEntries(indices.map((name) => [name, event[name]])),
  };
}

/** The tokens of a text are the text once more: none are told. */
function tokensOf(kind: string): Json {
  return kind === 'response.output_text' ? { logprobs: [] } : {};
}

const NOTHING_FIXED = { fixed: new Set<string>(), isExcessive: false };

/** What tells of an item without what it says. Names have been read where their item is whole, as those of calls are. */
function emptied(item: Json): Json {
  const { id, type, status, role, name, call_id: callId } = item;
  const isCall = !WRITTEN_IN_PIECES.has(type);
  const own = {
    id: isIdOfCall(id) ? id : undefined,
    type,
    status: isIdOfCall(status) ? status : undefined,
    role: isRole(role) ? role : undefined,
    name: isCall ? name : undefined,
    call_id: isIdOfCall(callId) ? callId : undefined,
  };
  const empty: Json =
    type === 'message'
      ? { content: [] }
      : type === 'reasoning'
        ? { summary: [] }
        : type === 'function_call'
          ? { arguments: '' }
          : type === 'custom_tool_call'
            ? { input: '' }
            : {};
  return { ...Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined)), ...empty };
}

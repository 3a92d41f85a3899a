// Streams of OpenAI's responses: each text of each item is held by itself, calls and all else until their item is complete.
//
// What comes out is a stream of the same kind with fewer events: those that carry what nobody has assessed are left out, and the last one tells
// the response as it was shown.

import type { Evaluation } from '@svc/engine';
import type { Exchange } from '../exchange.ts';
import type { StreamGuard } from '../guard.ts';
import { assessAnswers, blockedResponse, sentenceOf } from './answers.ts';
import type { StreamFilter, StreamStep } from './chat-stream.ts';
import { answerOf, isObject, putAnswer, readAnswer, type Json } from './exchange.ts';
import type { Measures } from './measures.ts';
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
  shown: string;
  isOver: boolean;
}

export class ResponsesStream implements StreamFilter {
  readonly #exchange: Exchange;
  readonly #measures: Measures;
  readonly #texts = new Map<string, Text>();
  /** Items as they were shown, by their place in the response. */
  readonly #items = new Map<number, Json>();
  /** Items of which nothing was shown yet. */
  readonly #waiting = new Map<number, Json>();
  #response: Json = {};
  #sequence = 0;
  #isOver = false;

  constructor(exchange: Exchange, measures: Measures) {
    this.#exchange = exchange;
    this.#measures = measures;
  }

  async push({ data }: SseEvent): Promise<StreamStep> {
    if (data === DONE) return { text: writeEvent(DONE), isOver: true };
    const event = eventFrom(data);
    if (event === null || this.#isOver) return { text: '', isOver: this.#isOver };
    const text = await this.#take(event, event['type'] as string);
    return { text, isOver: this.#isOver };
  }

  /** Responses say when they end: one that does not is broken, and what is held stays so. */
  async end(): Promise<string> {
    if (this.#isOver) return '';
    this.#isOver = true;
    for (const text of this.#texts.values()) if (!text.isOver) await text.guard.end();
    return '';
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
    return this.#write(event);
  }

  #start(event: Json): string {
    this.#measures.see(event);
    if (isObject(event['response'])) this.#response = event['response'];
    return this.#write({ ...event, response: { ...this.#response, output: [] } });
  }

  /** Items that come in pieces are begun empty; others wait until they are complete. */
  #added(event: Json): string {
    const item = isObject(event['item']) ? event['item'] : {};
    if (WRITTEN_IN_PIECES.has(item['type'])) return this.#write({ ...event, item: emptied(item) });
    this.#waiting.set(placeOf(event), event);
    return '';
  }

  /** A part is begun empty, and ends as it was shown. */
  #part(event: Json, isDone: boolean): string {
    const part = isObject(event['part']) ? event['part'] : {};
    const name = part['type'] === 'refusal' ? 'refusal' : 'text';
    if (!['output_text', 'refusal', 'summary_text', 'reasoning_text'].includes(String(part['type']))) return '';
    const shown = isDone ? (this.#texts.get(keyOf(event))?.shown ?? '') : '';
    const rest = part['type'] === 'output_text' ? { annotations: [], logprobs: [] } : {};
    return this.#write({ ...event, part: { type: part['type'], [name]: shown, ...rest } });
  }

  async #delta(event: Json): Promise<string> {
    if (typeof event['delta'] !== 'string') return '';
    this.#measures.firstToken();
    const text = this.#textOf(event);
    if (text.isOver) return '';
    const released = await text.guard.push(event['delta']);
    text.shown += released;
    const shown = released === '' ? '' : this.#write(withoutTokens({ ...event, delta: released }));
    if (!text.guard.isBlocked) return shown;
    const { evaluation } = await text.guard.end();
    text.isOver = true;
    return shown + (await this.#refuse(evaluation));
  }

  async #done(event: Json, name: string): Promise<string> {
    const text = this.#textOf(event);
    // Some servers send a text in one piece, at its end.
    const missing = text.guard.chars === 0 && typeof event[name] === 'string' ? event[name] : '';
    if (text.isOver) return '';
    text.isOver = true;
    const early = missing === '' ? '' : await text.guard.push(missing);
    const { released, evaluation } = await text.guard.end();
    if (evaluation.outcome === 'blocked') return this.#refuse(evaluation);
    const rest = early + released;
    text.shown += rest;
    const delta: Json = { ...event, type: String(event['type']).replace(/done$/, 'delta'), delta: rest };
    const { [name]: _whole, ...place } = delta;
    const shown = rest === '' ? '' : this.#write(withoutTokens(place));
    return shown + this.#write(withoutTokens({ ...event, [name]: text.shown }));
  }

  async #itemDone(event: Json): Promise<string> {
    const item = isObject(event['item']) ? event['item'] : {};
    const place = placeOf(event);
    if (WRITTEN_IN_PIECES.has(item['type'])) return this.#writtenItemDone(event, item, place);
    this.#measures.firstToken();
    const turn = readAnswer([item]);
    const evaluation = await this.#exchange.decide(answerOf(turn));
    if (evaluation.outcome === 'blocked') return this.#refuse(evaluation);
    putAnswer(turn, evaluation.redacted);
    this.#items.set(place, item);
    const added = this.#waiting.get(place) ?? { ...event, type: 'response.output_item.added' };
    return (
      this.#write({ ...added, item: { ...emptied(item), status: 'in_progress' } }) +
      this.#pieces(event, item) +
      this.#write({ ...event, item })
    );
  }

  /** What was said in pieces is told as it was shown; what came in no piece is assessed now. */
  async #writtenItemDone(event: Json, item: Json, place: number): Promise<string> {
    const shown = emptied(item);
    for (const list of ['content', 'summary'] as const) {
      const parts = item[list];
      if (!Array.isArray(parts)) continue;
      const kept: Json[] = [];
      for (const [at, part] of parts.entries()) {
        if (!isObject(part)) continue;
        const told = this.#partTold(event, list, at, part);
        const blocked = told === null ? await this.#blockingOf(part) : null;
        if (blocked !== null) return this.#refuse(blocked);
        kept.push(told ?? part);
      }
      shown[list] = kept;
    }
    this.#items.set(place, shown);
    return this.#write({ ...event, item: shown });
  }

  /** A part that came in pieces, as it was shown. */
  #partTold(event: Json, list: 'content' | 'summary', at: number, { type }: Json): Json | null {
    const text = this.#texts.get(`${placeOf(event)} ${list} ${at}`);
    if (text === undefined) return null;
    const name = type === 'refusal' ? 'refusal' : 'text';
    return { type, [name]: text.shown, ...(type === 'output_text' ? { annotations: [] } : {}) };
  }

  /** Assesses a part that is told now for the first time, and redacts it where it stands. Not `null`: it is blocked, by this. */
  async #blockingOf(part: Json): Promise<Evaluation | null> {
    const turn = readAnswer([{ role: 'assistant', content: [part] }]);
    const evaluation = await this.#exchange.decide(answerOf(turn));
    if (evaluation.outcome === 'blocked') return evaluation;
    putAnswer(turn, evaluation.redacted);
    return null;
  }

  /** The pieces of a call that is complete, in one. */
  #pieces(event: Json, item: Json): string {
    const place = { item_id: item['id'], output_index: placeOf(event) };
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
    this.#isOver = true;
    const response = isObject(event['response']) ? event['response'] : this.#response;
    // What was begun and did not end is not shown either.
    for (const text of this.#texts.values()) if (!text.isOver) await text.guard.end();
    if (this.#items.size > 0 || !Array.isArray(response['output']))
      return this.#write({ ...event, response: { ...response, output: this.#shownItems() } });
    // A server that tells of its items at the end alone.
    await assessAnswers(this.#exchange, response);
    const isBlocked = this.#exchange.verdict.outcome === 'blocked';
    return this.#write({ ...event, type: isBlocked ? 'response.incomplete' : event['type'], response });
  }

  async #refuse({ enforcement }: Evaluation): Promise<string> {
    this.#isOver = true;
    for (const text of this.#texts.values()) if (!text.isOver) await text.guard.end();
    const { output, ...blocked } = blockedResponse(sentenceOf(enforcement.message));
    const items = [...this.#shownItems(), ...(output as Json[])];
    return this.#write({ type: 'response.incomplete', response: { ...this.#response, ...blocked, output: items } });
  }

  #shownItems(): Json[] {
    return [...this.#items].sort(([a], [b]) => a - b).map(([, item]) => item);
  }

  #textOf(event: Json): Text {
    const key = keyOf(event);
    const text = this.#texts.get(key) ?? { guard: this.#exchange.guard(), shown: '', isOver: false };
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

/** The tokens of a text are the text once more. */
function withoutTokens(event: Json): Json {
  return 'logprobs' in event ? { ...event, logprobs: [] } : event;
}

/** What tells of an item without what it says. */
function emptied(item: Json): Json {
  const { id, type, status, role, name, call_id: callId, encrypted_content: encrypted, phase } = item;
  const own = { id, type, status, role, name, call_id: callId, encrypted_content: encrypted, phase };
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

// OpenAI's responses: where their texts stand.

import type { Api } from './openai.ts';
import type { AnsweredCall } from './exchange.ts';
import { ALL, type Dialect, type Piece } from './held.ts';
import {
  asOne,
  isObject,
  objectsIn,
  saying,
  textIn,
  textOr,
  textsBesides,
  textsOfJson,
  textsOfPart,
  textsWithin,
  type Json,
  type Said,
  type Text,
} from './said.ts';

export const responses: Api = {
  of: (openai) => openai.responses,

  refusal({ background }) {
    return background === true ? 'Answers that are made in the background cannot be guarded: leave out background.' : null;
  },

  asked(body) {
    const { input, prompt } = body;
    const items = Array.isArray(input) ? objectsIn(input).flatMap(saidIn) : saying('user', textIn(body, 'input'));
    const variables = isObject(prompt) ? saying('user', textsWithin(prompt, 'variables')) : [];
    return [...saying('system', textIn(body, 'instructions')), ...variables, ...items];
  },

  answer({ output }) {
    const items = objectsIn(output);
    return {
      said: saying('assistant', togetherIn(items.filter(isSpoken))),
      calls: items.flatMap(callIn),
    };
  },

  tidy(answer) {
    const parts = objectsIn(answer['output']).flatMap(({ content }) => objectsIn(content));
    for (const part of parts) if ('logprobs' in part) part['logprobs'] = [];
    if ('output_text' in answer) answer['output_text'] = outputText(answer);
  },

  block: (answer, text) => void Object.assign(answer, blockedMembers([messageOf(text)]), { output_text: text }),

  empty: (model) => emptyResponse(model),

  dialect: (model) => new ResponsesDialect(model),
};

function emptyResponse(model: string): Json {
  return {
    id: 'resp_blocked',
    object: 'response',
    created_at: Math.floor(Date.now() / 1_000),
    model,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: null,
    output: [],
    parallel_tool_calls: true,
    temperature: null,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
  };
}

function blockedMembers(output: readonly Json[]): Json {
  return { status: 'incomplete', incomplete_details: { reason: 'content_filter' }, output };
}

function messageOf(text: string): Json {
  const content = [{ type: 'output_text', text, annotations: [], logprobs: [] }];
  return { id: 'msg_blocked', type: 'message', role: 'assistant', status: 'incomplete', content };
}

function outputText({ output }: Json): string {
  const parts = objectsIn(output).flatMap(({ type, content }) => (type === 'message' ? objectsIn(content) : []));
  return parts.map(({ type, text }) => (type === 'output_text' && typeof text === 'string' ? text : '')).join('');
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'developer', 'assistant']);
/** Items of a conversation that come from tools of the application, and the member that is read, which may be JSON. */
const MADE: ReadonlyMap<unknown, string> = new Map([
  ['function_call', 'arguments'],
  ['custom_tool_call', 'input'],
  ['function_call_output', 'output'],
  ['custom_tool_call_output', 'output'],
]);

/** Items that hold no text, or nothing but what the vendor's side made for itself. */
const UNREAD: ReadonlySet<unknown> = new Set([
  'item_reference',
  'computer_call_output',
  'image_generation_call',
  'compaction',
  'compaction_trigger',
  'additional_tools',
  'mcp_list_tools',
  'configuration_update',
]);
/** Members of an item that are for machines alone. */
const LABELS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'status',
  'call_id',
  'approval_request_id',
  'container_id',
  'fingerprint',
  'encrypted_content',
  'caller',
  'environment',
]);

/** What an item of the conversation says. */
function saidIn(item: Json): Said[] {
  const { type, role, content } = item;
  const member = MADE.get(type);
  if (member !== undefined) {
    const parts = objectsIn(item[member]);
    if (parts.length === 0) return saying('tool', textsOfJson(item, member));
    return saying('tool', parts.flatMap(textsOfPart), unreadOf(parts));
  }
  if (type === 'reasoning') return saying('assistant', spokenIn(item));
  if (role === undefined) {
    if (UNREAD.has(type)) return saying('user', [], [textOr(type, 'unknown')]);
    return saying('tool', textsBesides(item, LABELS));
  }
  const parts = objectsIn(content);
  const texts = [...textIn(item, 'content'), ...parts.flatMap(textsOfPart)];
  return saying(ROLES.has(role) ? (role as Said['role']) : 'user', texts, unreadOf(parts));
}

function unreadOf(parts: readonly Json[]): string[] {
  return parts.filter((part) => textsOfPart(part).length === 0).map(({ type }) => textOr(type, 'unknown'));
}

function isSpoken({ type }: Json): boolean {
  return type === 'message' || type === 'reasoning';
}

function spokenIn({ summary, content }: Json): Text[] {
  return [...objectsIn(summary), ...objectsIn(content)].flatMap(textsOfPart);
}

/** Texts of an answer; those that are put together to be shown, as one. */
function togetherIn(items: readonly Json[]): Text[] {
  const parts = items.flatMap(({ summary, content }) => [...objectsIn(summary), ...objectsIn(content)]);
  const kinds = [...new Set(parts.map(({ type }) => type))];
  return kinds.flatMap((kind) => asOne(parts.filter(({ type }) => type === kind).flatMap(textsOfPart)));
}

/** Items of tools that the vendor runs by itself. */
const VENDORS: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'image_generation_call',
  'mcp_call',
  'mcp_list_tools',
  'tool_search_call',
  'tool_search_output',
  'additional_tools',
  'program',
  'program_output',
  'compaction',
]);

/** Whether an item is a call, or may be one: whatever the application could act on is assessed before it sees it. */
function isCall(item: Json): boolean {
  return !isSpoken(item) && !VENDORS.has(item['type']);
}

function callMember({ type }: Json): 'arguments' | 'input' | null {
  return type === 'function_call' ? 'arguments' : type === 'custom_tool_call' ? 'input' : null;
}

function callIn(item: Json): AnsweredCall[] {
  if (!isCall(item)) return [];
  const member = callMember(item);
  if (member === null) {
    // A shell command, a patch, a click: what it wants is all that it says.
    const wanted = Object.fromEntries(Object.entries(item).filter(([name]) => !LABELS.has(name)));
    return [
      {
        name: textOr(item['type'], 'unknown'),
        written: JSON.stringify(wanted),
        put: (written) => void Object.assign(item, JSON.parse(written)),
      },
    ];
  }
  return [
    { name: textOr(item['name'], 'unnamed'), written: textOr(item[member], ''), put: (written) => void (item[member] = written) },
  ];
}

/** Texts that come in pieces: the type of their events without its end, and the member that has the whole at the end. */
const STREAMED: ReadonlyMap<string, 'text' | 'refusal'> = new Map([
  ['response.output_text', 'text'],
  ['response.refusal', 'refusal'],
  ['response.reasoning_text', 'text'],
  ['response.reasoning_summary_text', 'text'],
]);
const PARTS = /^response\.(?:content|reasoning_summary)_part\.(?:added|done)$/;
/** Of tools that the vendor runs; and what goes with a text, or tells of an error. */
const PASSED =
  /^(?:error|response\.(?:output_text\.annotation\.added|(?:web_search_call|file_search_call|code_interpreter_call|code_interpreter_call_code|image_generation_call|mcp_call|mcp_call_arguments|mcp_list_tools|compaction)\.\w+))$/;
const SPOKEN_PARTS: ReadonlySet<unknown> = new Set(['output_text', 'refusal', 'reasoning_text', 'summary_text']);
const LAST = /^response\.(?:completed|incomplete|failed)$/;
const WITH_RESPONSE = /^response\.(?:queued|created|in_progress|completed|incomplete|failed)$/;

interface StreamedText {
  readonly kind: string;
  readonly place: Json;
  shown: string;
  /** Whether any of it has come. */
  hasCome: boolean;
}

class ResponsesDialect implements Dialect<Json> {
  #response: Json;
  readonly #texts = new Map<string, StreamedText>();
  /** Items that have begun, without what they say, by their place. */
  readonly #begun = new Map<number, Json>();
  /** Items that have ended, as they came, by their place. */
  readonly #items = new Map<number, Json>();
  /** Arguments of calls as they may be made, by the place of their items. */
  readonly #calls = new Map<number, string>();
  #sequence = 0;

  constructor(model: string) {
    this.#response = emptyResponse(model);
  }

  read(event: Json): Piece<Json>[] {
    const type = textOr(event['type'], '');
    const [, kind = '', end] = /^(.*)\.(delta|done)$/.exec(type) ?? [];
    const member = STREAMED.get(kind);
    if (member !== undefined) {
      const key = this.#textOf(event, kind);
      return end === 'delta' ? this.#piece(key, event['delta']) : this.#textDone(event, key, member);
    }
    if (PARTS.test(type)) return this.#part(event, type.endsWith('.done'));
    if (type === 'response.output_item.added') return this.#itemAdded(event);
    if (type === 'response.output_item.done') return this.#itemDone(event);
    if (WITH_RESPONSE.test(type)) return this.#responseTold(event);
    // What is not known may hold what nobody has read. Pieces of a call are told again when it is whole and may be made.
    return PASSED.test(type) ? [this.#later(() => event)] : [];
  }

  end(): Piece<Json>[] {
    return [];
  }

  showText(key: string, delta: string): Json[] {
    const text = this.#texts.get(key)!;
    text.shown += delta;
    const tokens = text.kind === 'response.output_text' ? { logprobs: [] } : {};
    return [this.#numbered({ type: `${text.kind}.delta`, ...text.place, delta, ...tokens })];
  }

  showBlocked(text: string | null): Json[] {
    const places = [...this.#items.keys(), ...[...this.#texts.values()].map(({ place }) => Number(place['output_index']))];
    const output_index = Math.max(-1, ...places) + 1;
    const shown = [...this.#outputShown([...this.#items].sort(([a], [b]) => a - b)), ...this.#unfinished()];
    const events: Json[] = [];
    if (text !== null) {
      const item = messageOf(text);
      const place = { item_id: item['id'], output_index, content_index: 0 };
      const [part] = item['content'] as Json[];
      events.push(
        ...(output_index === 0 ? [{ type: 'response.created', response: { ...this.#response, output: [] } }] : []),
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress', content: [] } },
        { type: 'response.content_part.added', ...place, part: { ...part, text: '' } },
        { type: 'response.output_text.delta', ...place, delta: text, logprobs: [] },
        { type: 'response.output_text.done', ...place, text, logprobs: [] },
        { type: 'response.content_part.done', ...place, part },
        { type: 'response.output_item.done', output_index, item },
      );
      shown.push(item);
    }
    const response = { ...this.#response, ...blockedMembers(shown) };
    return [...events, { type: 'response.incomplete', response }].map((event) => this.#numbered(event));
  }

  /** Messages that were cut off, as far as they were shown. */
  #unfinished(): Json[] {
    const isCutOff = ([place, { type }]: readonly [number, Json]) => type === 'message' && !this.#items.has(place);
    return [...this.#begun].filter(isCutOff).flatMap(([index, item]) => {
      const texts = [...this.#texts.values()].filter(({ place, shown }) => place['output_index'] === index && shown !== '');
      const content = texts.map(({ kind, shown }) =>
        kind === 'response.refusal'
          ? { type: 'refusal', refusal: shown }
          : { type: 'output_text', text: shown, annotations: [], logprobs: [] },
      );
      return content.length === 0 ? [] : [{ ...item, status: 'incomplete', content }];
    });
  }

  /** `after`: as of a piece. */
  #later(event: () => Json, after: readonly string[] | typeof ALL = []): Piece<Json> {
    return { kind: 'part', after, show: () => [this.#numbered(event())] };
  }

  #part(event: Json, isDone: boolean): Piece<Json>[] {
    const part = isObject(event['part']) ? event['part'] : {};
    const key = keyOf(event);
    if (!SPOKEN_PARTS.has(part['type'])) return [];
    const kind = isDone ? this.#texts.get(key)?.kind : undefined;
    return [
      this.#later(
        () => ({ ...event, part: shownPart(part, isDone ? this.#shownOf(key) : '') }),
        kind === undefined ? [] : [kind],
      ),
    ];
  }

  #shownOf(key: string): string {
    return this.#texts.get(key)?.shown ?? '';
  }

  /** Numbered anew, because some are left out and others come together. */
  #numbered(event: Json): Json {
    return { ...event, sequence_number: this.#sequence++ };
  }

  #textOf(event: Json, kind: string): string {
    const { item_id, output_index, content_index, summary_index } = event;
    const key = keyOf(event);
    if (!this.#texts.has(key)) {
      const at = content_index === undefined ? { summary_index } : { content_index };
      this.#texts.set(key, { kind, place: { item_id, output_index, ...at }, shown: '', hasCome: false });
    }
    return key;
  }

  #piece(key: string, text: unknown): Piece<Json>[] {
    if (typeof text !== 'string' || text === '') return [];
    this.#texts.get(key)!.hasCome = true;
    return [{ kind: 'text', channel: this.#texts.get(key)!.kind, key, text }];
  }

  #textDone(event: Json, key: string, member: 'text' | 'refusal'): Piece<Json>[] {
    // Some servers tell a text in one piece, at its end.
    const pieces = this.#texts.get(key)!.hasCome ? [] : this.#piece(key, event[member]);
    const tokens = 'logprobs' in event ? { logprobs: [] } : {};
    return [...pieces, this.#later(() => ({ ...event, ...tokens, [member]: this.#shownOf(key) }), [this.#texts.get(key)!.kind])];
  }

  #itemAdded(event: Json): Piece<Json>[] {
    const item = isObject(event['item']) ? event['item'] : {};
    if (isCall(item)) return [];
    const emptied = isSpoken(item) ? { ...item, ...emptyLists(item) } : item;
    this.#begun.set(Number(event['output_index'] ?? 0), emptied);
    return [this.#later(() => ({ ...event, item: emptied }))];
  }

  #itemDone(event: Json): Piece<Json>[] {
    const item = isObject(event['item']) ? event['item'] : {};
    const place = Number(event['output_index'] ?? 0);
    this.#items.set(place, item);
    const pieces = this.#unheard(item, place);
    if (isCall(item)) return pieces;
    const show = () => this.#itemShown(item, place).map((shown) => this.#numbered(Object.assign({}, event, { item: shown })));
    return [...pieces, { kind: 'part', after: this.#channelsOf(place), show }];
  }

  /** Where all that an item says comes. */
  #channelsOf(output_index: number): string[] {
    const texts = [...this.#texts.values()].filter(({ place }) => Number(place['output_index'] ?? 0) === output_index);
    return [...new Set(texts.map(({ kind }) => kind))];
  }

  /** What of an item has not come in pieces before. */
  #unheard(item: Json, output_index: number): Piece<Json>[] {
    const [call] = callIn(item);
    if (call !== undefined) return [{ kind: 'call', call, show: (written) => this.#callShown(item, output_index, written) }];
    if (!isSpoken(item)) return [];
    const place = { item_id: item['id'], output_index };
    const ofSummary = objectsIn(item['summary']).flatMap((part, summary_index) =>
      this.#unheardPart({ ...place, summary_index }, part, 'response.reasoning_summary_text'),
    );
    const kind = item['type'] === 'reasoning' ? 'response.reasoning_text' : null;
    const ofContent = objectsIn(item['content']).flatMap((part, content_index) =>
      this.#unheardPart(
        { ...place, content_index },
        part,
        kind ?? (part['type'] === 'refusal' ? 'response.refusal' : 'response.output_text'),
      ),
    );
    return [...ofSummary, ...ofContent];
  }

  #unheardPart(place: Json, part: Json, kind: string): Piece<Json>[] {
    const key = this.#textOf(place, kind);
    return this.#texts.get(key)!.hasCome ? [] : textsOfPart(part).flatMap(({ text }) => this.#piece(key, text));
  }

  #callShown(item: Json, output_index: number, written: string): Json[] {
    this.#calls.set(output_index, written);
    const [shown] = this.#itemShown(item, output_index) as [Json];
    const member = callMember(item);
    const done = { type: 'response.output_item.done', output_index, item: shown };
    if (member === null) return [{ ...done, type: 'response.output_item.added' }, done].map((event) => this.#numbered(event));
    const kind = member === 'arguments' ? 'response.function_call_arguments' : 'response.custom_tool_call_input';
    const place = { item_id: item['id'], output_index };
    return [
      { type: 'response.output_item.added', output_index, item: { ...item, [member]: '', status: 'in_progress' } },
      { type: `${kind}.delta`, ...place, delta: written },
      { type: `${kind}.done`, ...place, ...(member === 'arguments' ? { name: item['name'] } : {}), [member]: written },
      done,
    ].map((event) => this.#numbered(event));
  }

  #responseTold(event: Json): Piece<Json>[] {
    const response = isObject(event['response']) ? event['response'] : {};
    const items = [...objectsIn(response['output']).entries()];
    // Some servers tell of an item at the end alone.
    const pieces = items.filter(([place]) => !this.#items.has(place)).flatMap(([place, item]) => this.#unheard(item, place));
    const { output_text: _text, ...rest } = response;
    this.#response = rest;
    const shown = () => ({ ...event, response: { ...rest, output: this.#outputShown(items) } });
    return [...pieces, this.#later(shown, items.length === 0 && !LAST.test(textOr(event['type'], '')) ? [] : ALL)];
  }

  #outputShown(items: readonly (readonly [number, Json])[]): Json[] {
    return items.flatMap(([place, item]) => this.#itemShown(item, place));
  }

  /** An item with what was shown of it; none for a call that may not be made. */
  #itemShown(item: Json, output_index: number): Json[] {
    if (isCall(item)) {
      const written = this.#calls.get(output_index);
      if (written === undefined) return [];
      const member = callMember(item);
      return [{ ...item, ...(member === null ? (JSON.parse(written) as Json) : { [member]: written }) }];
    }
    if (!isSpoken(item)) return [item];
    const shownOf = (place: Json) => this.#shownOf(keyOf({ output_index, ...place }));
    const lists: Json = {};
    if (Array.isArray(item['summary']))
      lists['summary'] = objectsIn(item['summary']).map((part, summary_index) => shownPart(part, shownOf({ summary_index })));
    if (Array.isArray(item['content']))
      lists['content'] = objectsIn(item['content']).map((part, content_index) => shownPart(part, shownOf({ content_index })));
    return [{ ...item, ...lists }];
  }
}

/** Where a text stands: the item, and the part in it. */
function keyOf({ output_index, content_index, summary_index }: Json): string {
  const list = content_index === undefined ? 'summary' : 'content';
  return `${Number(output_index ?? 0)} ${list} ${Number(content_index ?? summary_index ?? 0)}`;
}

function emptyLists(item: Json): Json {
  return Object.fromEntries(['summary', 'content'].filter((name) => Array.isArray(item[name])).map((name) => [name, []]));
}

/** A part with `text` in the place of its own. What points into the text is left out where that is another. */
function shownPart(part: Json, text: string): Json {
  // What is not known was read by nobody.
  if (!SPOKEN_PARTS.has(part['type'])) return { type: part['type'] };
  const member = 'refusal' in part ? 'refusal' : 'text';
  if (part[member] === text) return 'logprobs' in part ? { ...part, logprobs: [] } : part;
  const lists = Object.fromEntries(['annotations', 'logprobs'].filter((name) => name in part).map((name) => [name, []]));
  return { ...part, ...lists, [member]: text };
}

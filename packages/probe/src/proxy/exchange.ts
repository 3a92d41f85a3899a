// What is said in OpenAI's shapes, and those of who follows them: each text with the way to put another in its place.
//
// All that a request or an answer holds is read, whatever it says to be: the server behind may go by another of its members. What is known to
// hold no text, such as an image, makes the coverage partial.

import { inferenceProblems, type Evaluation, type Inference } from '@svc/engine';
import { label } from '../label.ts';
import { readJson, rewritten, type WrittenJson } from './json.ts';

type Messages = Exclude<Inference['input'], string | undefined>;
type Role = Messages[number]['role'];
type ToolCalls = NonNullable<Inference['tool_calls']>;
export type Json = Record<string, unknown>;

/** A text where it stands. */
interface Slot {
  readonly text: string;
  readonly put: (text: string) => void;
}

/** One message. `isPartial`: it also holds what is no text. */
export interface Said {
  readonly role: Role;
  readonly slots: readonly Slot[];
  readonly isPartial: boolean;
}

/** A call of a tool where it stands. */
interface PlacedCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly put: (values: Record<string, unknown>) => void;
}

/** What a stretch of JSON holds. */
export interface Turn {
  readonly said: Said[];
  readonly calls: PlacedCall[];
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ROLES: Readonly<Record<string, Role>> = {
  system: 'system',
  developer: 'developer',
  user: 'user',
  assistant: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** Who speaks: an unknown role counts as the user's, whom nobody trusts. */
function roleOf(role: unknown, otherwise: Role): Role {
  if (role === undefined) return otherwise;
  return (typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? 'user';
}

/** Nesting of what is read; real requests stay below 10. */
const DEPTH_MAX = 32;
/** The shortest numbers that identify anyone have so many digits; shorter ones are no texts. */
const NUMBER_MIN = 1_000_000;

/** Members that name things, and no model reads or writes as text. */
const NAMES_OF_THINGS: ReadonlySet<string> = new Set([
  'id',
  'type',
  'object',
  'role',
  'status',
  'index',
  'call_id',
  'tool_call_id',
  'item_id',
  'encrypted_content',
  'signature',
  'phase',
]);

/** Members that hold pictures, sounds and files. */
const MEDIA: ReadonlySet<string> = new Set([
  'image_url',
  'input_audio',
  'file',
  'file_data',
  'video_url',
  'image',
  'data',
  'b64_json',
  'partial_image_b64',
  'result',
]);

class Reader {
  readonly said: Said[] = [];
  readonly calls: PlacedCall[] = [];

  /** A message or another item of a conversation. */
  item(item: Json, otherwise: Role): void {
    const type = typeof item['type'] === 'string' ? item['type'] : '';
    const role = type.endsWith('_output') ? 'tool' : roleOf(item['role'], otherwise);
    const own = new Content(role);
    for (const [name, value] of Object.entries(item)) {
      if (value === null || NAMES_OF_THINGS.has(name)) continue;
      if (name === 'tool_calls') this.#toolCalls(value);
      else if (name === 'function_call' && isObject(value)) this.#call(value, 'arguments', value['name']);
      else if (name === 'arguments') this.#call(item, name, item['name']);
      else if (name === 'input' && type.endsWith('_call')) this.#call(item, name, item['name']);
      else if (name === 'name' && ('arguments' in item || 'input' in item)) continue;
      else if (name === 'audio' && isObject(value)) own.audio(value);
      else if (MEDIA.has(name)) own.isPartial = true;
      else own.member(item, name, DEPTH_MAX);
    }
    this.#add(own);
  }

  /** A text, or content that is nothing but itself. */
  content(holder: Json, name: string, role: Role): void {
    const own = new Content(role);
    own.member(holder, name, DEPTH_MAX);
    this.#add(own);
  }

  /** A list of messages or texts, or one of them. */
  list(holder: Json, name: string, role: Role): void {
    const value = holder[name];
    if (isObject(value)) this.item(value, role);
    else if (!Array.isArray(value)) this.content(holder, name, role);
    else if (hasTokens(value)) this.said.push({ role, slots: [], isPartial: true });
    else
      value.forEach((each: unknown, i) => {
        if (isObject(each)) this.item(each, role);
        else if (hasTokens(each)) this.said.push({ role, slots: [], isPartial: true });
        else this.content(value as unknown as Json, String(i), role);
      });
  }

  #add({ role, slots, isPartial }: Content): void {
    if (slots.length > 0 || isPartial) this.said.push({ role, slots, isPartial });
  }

  #toolCalls(calls: unknown): void {
    for (const call of Array.isArray(calls) ? (calls as unknown[]) : [calls]) {
      if (!isObject(call)) continue;
      const { function: made, custom } = call;
      if (isObject(made)) this.#call(made, 'arguments', made['name']);
      if (isObject(custom)) this.#call(custom, 'input', custom['name']);
      for (const name of ['arguments', 'input']) if (name in call) this.#call(call, name, call['name']);
    }
  }

  #call(holder: Json, key: string, name: unknown): void {
    const value = holder[key] ?? '';
    if (isObject(value)) {
      this.calls.push({ name: nameOf(name), arguments: value, put: (values) => void (holder[key] = values) });
      return;
    }
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    const call = readCall(nameOf(name), written);
    this.calls.push({ ...call, put: (values) => void (holder[key] = call.write(values)) });
  }
}

/** Whether a list is the tokens of a text. */
function hasTokens(list: unknown): boolean {
  return Array.isArray(list) && list.some((each) => typeof each === 'number');
}

class Content {
  readonly role: Role;
  readonly slots: Slot[] = [];
  isPartial = false;
  readonly #hasMedia: boolean;

  /** `hasMedia`: members may hold what is no text. */
  constructor(role: Role, hasMedia = true) {
    this.role = role;
    this.#hasMedia = hasMedia;
  }

  /** All texts inside of a member, its parts' and theirs. */
  member(holder: Json, name: string, levels: number): void {
    const value = holder[name];
    if (typeof value === 'string' || (Number.isInteger(value) && Math.abs(value as number) >= NUMBER_MIN)) {
      this.slots.push({ text: String(value), put: (text) => void (holder[name] = text) });
    } else if (Array.isArray(value)) {
      if (levels === 0) this.isPartial = true;
      else value.forEach((_item, i) => this.member(value as unknown as Json, String(i), levels - 1));
    } else if (isObject(value)) {
      if (levels === 0) this.isPartial = true;
      else this.#members(value, levels - 1);
    }
  }

  audio(value: Json): void {
    this.isPartial = true;
    this.member(value, 'transcript', DEPTH_MAX);
  }

  #members(value: Json, levels: number): void {
    for (const [name, inner] of Object.entries(value)) {
      // The parameters of a tool may have any name.
      if (NAMES_OF_THINGS.has(name) && typeof inner !== 'object') continue;
      if (this.#hasMedia && MEDIA.has(name) && inner !== null) this.isPartial = true;
      else this.member(value, name, levels);
    }
  }
}

/** A call as models write them: its arguments are a text, which most often is JSON. */
export interface WrittenCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  /** The text with other values in it. */
  readonly write: (values: Record<string, unknown>) => string;
}

/** Under which arguments stand that are no object, or of which a parser does not see all: they are read as the text they are. */
const AS_TEXT = '';

/** Reads the arguments of a call. */
export function readCall(name: string, written: string): WrittenCall {
  const json = wholeObject(written);
  if (json === null) return { name, arguments: { [AS_TEXT]: written }, write: (values) => String(values[AS_TEXT]) };
  return { name, arguments: json.value as Json, write: (values) => rewritten(json, values) };
}

/** The JSON of an object that everybody reads alike, within the bounds of an inference; else `null`. */
export function wholeObject(written: string): WrittenJson | null {
  const json = readJson(written);
  if (json === null || !isObject(json.value) || json.hasDuplicates || !json.isExact) return null;
  const call = { name: 'any', arguments: json.value };
  return inferenceProblems({ input: '', tool_calls: [call] }).length === 0 ? json : null;
}

function nameOf(name: unknown): string {
  return label(name) ?? 'unnamed';
}

/** Members of a request that hold what is said, and who says it where they do not tell. */
const SAYING: ReadonlyMap<string, Role> = new Map<string, Role>([
  ['system', 'system'],
  ['instructions', 'system'],
  ['messages', 'user'],
  ['prompt', 'user'],
  ['suffix', 'user'],
  ['input', 'user'],
  ['query', 'user'],
  ['prediction', 'assistant'],
]);

/** Members of a request that a model never sees. */
const SETTINGS: ReadonlySet<string> = new Set([
  'model',
  'user',
  'safety_identifier',
  'prompt_cache_key',
  'previous_response_id',
  'conversation',
  'metadata',
  'stop',
  'stream',
  'stream_options',
  'service_tier',
  'reasoning_effort',
  'modalities',
  'include',
  'encoding_format',
  'voice',
  'size',
]);

/** A request, read. */
export interface ReadRequest {
  readonly said: readonly Said[];
  /** Definitions of tools and all else that a model may see. */
  readonly definitions: readonly Slot[];
  /** As it is assessed. */
  readonly inference: Inference;
}

/** All that a request says. Calls of tools that the conversation remembers are texts that came before, not calls to be made. */
export function readRequest(body: Json): ReadRequest {
  const said: Said[] = [];
  const definitions = new Content('tool', false);
  for (const [name, value] of Object.entries(body)) {
    if (value === null || SETTINGS.has(name)) continue;
    const role = SAYING.get(name);
    if (role === undefined) {
      definitions.member(body, name, DEPTH_MAX);
      continue;
    }
    const reader = new Reader();
    if (name === 'prompt' && isObject(value)) reader.content(body, name, role);
    else reader.list(body, name, role);
    said.push(...reader.said, ...reader.calls.map(asSaid));
  }
  const joined = definitions.slots.map(({ text }) => text).join('\n');
  const isPartial = definitions.isPartial ? [{ role: 'tool' as const, slots: [], isPartial: true }] : [];
  const inference = {
    input: messagesOf([...said, ...isPartial]),
    ...(joined === '' ? {} : { context: [{ id: 'definitions', source: 'tool' as const, content: joined }] }),
  };
  return { said, definitions: definitions.slots, inference };
}

/** A call that was made before, as texts: the values of its arguments. */
function asSaid(call: PlacedCall): Said {
  const values = structuredClone(call.arguments);
  const own = new Content('tool');
  for (const name of Object.keys(values)) own.member(values, name, DEPTH_MAX);
  const slots = own.slots.map(({ text, put }) => ({
    text,
    put(replaced: string) {
      put(replaced);
      call.put(values);
    },
  }));
  return { role: 'tool', slots, isPartial: own.isPartial };
}

/** One answer of a model: all that an item or a list of items says. */
export function readAnswer(items: readonly Json[]): Turn {
  const reader = new Reader();
  for (const item of items) reader.item(item, 'assistant');
  return reader;
}

/** The texts of an answer that is no message: completions. */
export function readPlainAnswer(choice: Json): Turn {
  const reader = new Reader();
  reader.content(choice, 'text', 'assistant');
  return reader;
}

/** The members of an inference that an answer makes. */
export function answerOf({ said, calls }: Turn): Pick<Inference, 'output' | 'tool_calls'> {
  const [only] = said;
  const isPlain = said.length === 1 && only!.slots.length === 1 && !only!.isPartial && only!.role === 'assistant';
  return {
    output: said.length === 0 ? '' : isPlain ? only!.slots[0]!.text : messagesOf(said),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map(({ name, arguments: values }) => ({ name, arguments: values })) }),
  };
}

/** The messages of an inference. What is no text stands in them as a part without one, which makes the coverage partial. */
function messagesOf(said: readonly Said[]): Messages {
  return said.map(({ role, slots, isPartial }) => {
    if (slots.length === 1 && !isPartial) return { role, content: slots[0]!.text };
    const parts = slots.map(({ text }) => ({ type: 'text', text }));
    return { role, content: isPartial ? [...parts, { type: 'unread' }] : parts };
  });
}

/** Puts what a policy redacts in its places. True: something has changed. */
export function putTexts(said: readonly Said[], redacted: unknown): boolean {
  if (redacted === undefined) return false;
  let hasChanged = false;
  said.forEach(({ slots }, i) => {
    const content = typeof redacted === 'string' ? redacted : (redacted as Messages)[i]!.content;
    slots.forEach(({ text, put }, j) => {
      const value = typeof content === 'string' ? content : content?.[j]?.text;
      if (value === undefined || value === text) return;
      put(value);
      hasChanged = true;
    });
  });
  return hasChanged;
}

/** The same for an answer, with the arguments of its calls. */
export function putAnswer({ said, calls }: Turn, redacted: Evaluation['redacted']): boolean {
  let hasChanged = putTexts(said, redacted?.output);
  ((redacted?.tool_calls ?? []) as ToolCalls).forEach(({ arguments: values = {} }, i) => {
    const call = calls[i]!;
    if (JSON.stringify(values) === JSON.stringify(call.arguments)) return;
    call.put(values);
    hasChanged = true;
  });
  return hasChanged;
}

// What is said in OpenAI's shapes, and those of who follows them: each text with the way to put another in its place.
//
// Every string that a request or an answer holds is read, names of members included, whatever it says to be: the server behind may go by another
// of its members. Only the API's own words and ids stand unread, and only where they fit the pattern of theirs (`words.ts`). What is known to hold
// no text, such as an image, makes the coverage partial.

import { inferenceProblems, type Evaluation, type Inference } from '@svc/engine';
import { label } from '../label.ts';
import { readJson, rewritten, type WrittenJson } from './json.ts';
import { isBlob, isKnownName, isSetting, isWordOfItem, isWordOfSchema, MEDIA } from './words.ts';

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
  /** To be called once after other texts were put. */
  readonly write?: () => void;
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
  /** Texts that are as they are, or cannot go on: names above all. */
  readonly fixed: ReadonlySet<string>;
  /** Not all could be read: it is nested too deep, or there are too many texts. */
  readonly isExcessive: boolean;
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
/** Texts of one request or answer that are assessed each by itself: one takes some 100 µs of a thread, however short. */
const TEXTS_MAX = 5_000;
/** Those that are assessed as one: definitions and names. */
const JOINED_TEXTS_MAX = 20_000;
/** The shortest numbers that identify anyone have so many digits; shorter ones are no texts. */
const NUMBER_MIN = 1_000_000;

/** What is shared by all that is read of one request or answer. */
class Reading {
  readonly fixed = new Set<string>();
  isExcessive = false;
  #texts = 0;
  #joined = 0;

  /** Counts a text. False: there are too many. */
  count(isJoined: boolean): boolean {
    const isWithin = isJoined ? ++this.#joined <= JOINED_TEXTS_MAX : ++this.#texts <= TEXTS_MAX;
    if (!isWithin) this.isExcessive = true;
    return isWithin;
  }

  name(name: string): void {
    if (!isKnownName(name)) this.fix(name);
  }

  fix(text: string): void {
    if (text !== '' && !this.fixed.has(text) && this.count(true)) this.fixed.add(text);
  }
}

class Reader implements Turn {
  readonly said: Said[] = [];
  readonly calls: PlacedCall[] = [];
  readonly reading: Reading;

  constructor(reading = new Reading()) {
    this.reading = reading;
  }

  get fixed(): ReadonlySet<string> {
    return this.reading.fixed;
  }

  get isExcessive(): boolean {
    return this.reading.isExcessive;
  }

  /** A message or another item of a conversation. */
  item(item: Json, otherwise: Role): void {
    const type = typeof item['type'] === 'string' ? item['type'] : '';
    const role = type.endsWith('_output') ? 'tool' : roleOf(item['role'], otherwise);
    const own = new Content(role, this.reading, 'item');
    const ofCalls = new Content('tool', this.reading, 'item');
    for (const [name, value] of Object.entries(item)) {
      this.reading.name(name);
      if (name === 'tool_calls') this.#toolCalls(item, name, ofCalls);
      else if (name === 'function_call' && isObject(value)) this.#call(value, ofCalls);
      else if (!this.#callMember(item, name, own, type.endsWith('_call'))) own.member(item, name, DEPTH_MAX);
    }
    this.#add(own);
    this.#add(ofCalls);
  }

  /** A text, or content that is nothing but itself. */
  content(holder: Json, name: string, role: Role): void {
    const own = new Content(role, this.reading, 'item');
    own.member(holder, name, DEPTH_MAX);
    this.#add(own);
  }

  /** A list of messages or texts, or one of them. Numbers among them are tokens, which nobody reads. */
  list(holder: Json, name: string, role: Role, levels = DEPTH_MAX): void {
    const value = holder[name];
    if (isObject(value)) this.item(value, role);
    else if (!Array.isArray(value)) this.content(holder, name, role);
    else if (levels === 0) this.reading.isExcessive = true;
    else {
      if (value.some((each) => typeof each === 'number')) this.said.push({ role, slots: [], isPartial: true });
      value.forEach((each: unknown, i) => {
        if (typeof each !== 'number') this.list(value as unknown as Json, String(i), role, levels - 1);
      });
    }
  }

  #add({ role, slots, isPartial }: Content): void {
    if (slots.length > 0 || isPartial) this.said.push({ role, slots, isPartial });
  }

  #toolCalls(holder: Json, name: string, own: Content): void {
    const calls = holder[name];
    if (isObject(calls)) return this.#call(calls, own);
    if (!Array.isArray(calls)) return own.member(holder, name, DEPTH_MAX);
    calls.forEach((call: unknown, i) => {
      if (isObject(call)) this.#call(call, own);
      else own.member(calls as unknown as Json, String(i), DEPTH_MAX);
    });
  }

  /** A call, which may stand in a `function` or a `custom`. */
  #call(call: Json, own: Content): void {
    for (const [name, value] of Object.entries(call)) {
      this.reading.name(name);
      if ((name === 'function' || name === 'custom') && isObject(value)) this.#call(value, own);
      else if (!this.#callMember(call, name, own, true)) own.member(call, name, DEPTH_MAX);
    }
  }

  /** What makes a call of its holder: arguments, and the name. False: it is another member. */
  #callMember(holder: Json, name: string, own: Content, takesInput: boolean): boolean {
    if (name === 'arguments' || (name === 'input' && takesInput)) {
      this.#arguments(holder, name);
      return true;
    }
    const isNameOfCall = name === 'name' && ('arguments' in holder || (takesInput && 'input' in holder));
    if (isNameOfCall && typeof holder[name] === 'string') this.reading.fix(holder[name]);
    else if (isNameOfCall) own.member(holder, name, DEPTH_MAX);
    return isNameOfCall;
  }

  #arguments(holder: Json, key: string): void {
    const value = holder[key] ?? '';
    const name = nameOf(holder['name']);
    if (isObject(value) && !isCallTooLarge(value)) {
      fixNames(value, this.reading);
      this.calls.push({ name, arguments: value, put: (values) => void (holder[key] = values) });
      return;
    }
    const written = typeof value === 'string' ? value : JSON.stringify(value);
    fixHidden(written, this.reading);
    const call = readCall(name, written);
    this.calls.push({ ...call, put: (values) => void (holder[key] = call.write(values)) });
  }
}

/** Names of members inside of arguments. */
function fixNames(value: unknown, reading: Reading): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) reading.name(name);
    fixNames(inner, reading);
  }
}

/** What the text of arguments does not show as it is: names, and texts that are written with escapes while the whole is read as a text. */
function fixHidden(written: string, reading: Reading): void {
  const json = readJson(written);
  // Of members that are named twice a parser keeps one, and of what is no JSON none: their escapes are read by themselves.
  if ((json === null || json.hasDuplicates) && written.includes('\\')) reading.fix(withoutEscapes(written));
  if (json === null) return;
  fixNames(json.value, reading);
  if (wholeObject(written) !== null) return;
  const fixStrings = (value: unknown): void => {
    if (typeof value === 'string' && !written.includes(value)) reading.fix(value);
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(fixStrings);
  };
  fixStrings(json.value);
}

function withoutEscapes(written: string): string {
  const plain = written.replaceAll(/\\u([0-9a-fA-F]{4})/g, (_all, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return plain.replaceAll(/\\(["\\/])/g, '$1');
}

/** The texts of a call that go on as they are or not at all: its name, names in its arguments, and what is hidden in them. */
export function fixedOfCall(name: string, written: string): ReadonlySet<string> {
  const reading = new Reading();
  reading.fix(name);
  fixHidden(written, reading);
  return reading.fixed;
}

/** All strings inside of a value, names of members that are not the API's own included. */
export function stringsIn(value: unknown): ReadonlySet<string> {
  const reading = new Reading();
  const holder: Json = { value };
  const own = new Content('tool', reading, 'definitions');
  own.member(holder, 'value', STRINGS_DEPTH_MAX);
  return new Set([...reading.fixed, ...own.slots.map(({ text }) => text)]);
}

/** As deep as any JSON that is read. */
const STRINGS_DEPTH_MAX = 500;

/** What a text stands in: messages and their parts, or arguments and definitions, in which any member may be named anything. */
type Kind = 'item' | 'arguments' | 'definitions';

class Content {
  readonly role: Role;
  readonly slots: Slot[] = [];
  isPartial = false;
  readonly #reading: Reading;
  readonly #kind: Kind;

  constructor(role: Role, reading: Reading, kind: Kind) {
    this.role = role;
    this.#reading = reading;
    this.#kind = kind;
  }

  /** All texts inside of a member, its parts' and theirs. */
  member(holder: Json, name: string, levels: number, isMedia = false): void {
    const value = holder[name];
    const isPlace = Array.isArray(holder);
    const holdsMedia = isMedia || (!isPlace && this.#kind === 'item' && MEDIA.has(name) && value !== null);
    if (holdsMedia) this.isPartial = true;
    if (typeof value === 'string') {
      const isWord = this.#kind === 'item' ? isWordOfItem(name, value) : isWordOfSchema(name, value);
      if (!isWord && !(holdsMedia && isBlob(value))) this.#text(holder, name, value);
    } else if (Number.isInteger(value) && Math.abs(value as number) >= NUMBER_MIN) {
      this.#text(holder, name, String(value));
    } else if (typeof value === 'object' && value !== null) {
      if (levels === 0) {
        this.isPartial = true;
        this.#reading.isExcessive = true;
      } else for (const inner of Object.keys(value)) this.#inner(value as Json, inner, levels - 1, holdsMedia);
    }
  }

  #inner(value: Json, name: string, levels: number, isMedia: boolean): void {
    if (!Array.isArray(value)) this.#reading.name(name);
    this.member(value, name, levels, isMedia);
  }

  #text(holder: Json, name: string, text: string): void {
    if (this.#reading.count(this.#kind === 'definitions'))
      this.slots.push({ text, put: (replaced) => void (holder[name] = replaced) });
    else this.isPartial = true;
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
  return isCallTooLarge(json.value) ? null : json;
}

function isCallTooLarge(values: Json): boolean {
  return inferenceProblems({ input: '', tool_calls: [{ name: 'any', arguments: values }] }).length > 0;
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

/** A request, read. */
export interface ReadRequest {
  readonly said: readonly Said[];
  /** Definitions of tools and all else that a model may see. */
  readonly definitions: readonly Slot[];
  /** Names of members and all else that cannot be replaced. */
  readonly fixed: readonly string[];
  /** As it is assessed. */
  readonly inference: Inference;
  /** Not all could be read: it is nested too deep, or there are too many texts. */
  readonly isExcessive: boolean;
}

/** All that a request says. Calls of tools that the conversation remembers are texts that came before, not calls to be made. */
export function readRequest(body: Json): ReadRequest {
  const said: Said[] = [];
  const reading = new Reading();
  const definitions = new Content('tool', reading, 'definitions');
  for (const [name, value] of Object.entries(body)) {
    reading.name(name);
    if (value === null || isSetting(name, value)) continue;
    const role = SAYING.get(name);
    if (role === undefined) {
      definitions.member(body, name, DEPTH_MAX);
      continue;
    }
    const reader = new Reader(reading);
    if (name === 'prompt' && isObject(value)) reader.content(body, name, role);
    else reader.list(body, name, role);
    said.push(...reader.said, ...reader.calls.map((call) => asSaid(call, reading)));
  }
  const fixed = [...reading.fixed];
  const isPartial = definitions.isPartial || reading.isExcessive;
  const unread: Said[] = isPartial ? [{ role: 'tool', slots: [], isPartial: true }] : [];
  const context = [
    ['definitions', definitions.slots.map(({ text }) => text).join('\n')] as const,
    ['names', fixed.join('\n')] as const,
  ]
    .filter(([, content]) => content !== '')
    .map(([id, content]) => ({ id, source: 'tool' as const, content }));
  const inference = { input: messagesOf([...said, ...unread]), ...(context.length === 0 ? {} : { context }) };
  return { said, definitions: definitions.slots, fixed, inference, isExcessive: reading.isExcessive };
}

/** A call that was made before, as texts: the values of its arguments. However many are replaced, the call is written once. */
function asSaid(call: PlacedCall, reading: Reading): Said {
  const values = structuredClone(call.arguments);
  const own = new Content('tool', reading, 'arguments');
  for (const name of Object.keys(values)) own.member(values, name, DEPTH_MAX);
  return { role: 'tool', slots: own.slots, isPartial: own.isPartial, write: () => call.put(values) };
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
  return said
    .map((each, i) => putInto(each, typeof redacted === 'string' ? redacted : (redacted as Messages)[i]!.content))
    .includes(true);
}

function putInto({ slots, write }: Said, content: Messages[number]['content']): boolean {
  let hasChanged = false;
  slots.forEach(({ text, put }, j) => {
    const value = typeof content === 'string' ? content : content?.[j]?.text;
    if (value === undefined || value === text) return;
    put(value);
    hasChanged = true;
  });
  if (hasChanged) write?.();
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

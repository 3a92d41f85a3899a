// What is said in a vendor's JSON, with the place of each text there: taken out to be assessed, put back where a policy redacts.

import type { Evaluation, Finding, Inference } from '@svc/engine';
import { AppError } from '../http/errors.ts';

type Messages = Exclude<Inference['input'], string | undefined>;
type Message = Messages[number];
export type Role = Message['role'];

/** Member names and indexes, from the root of a vendor's JSON. */
export type Place = readonly (string | number)[];

/** A text, and where it stands. */
interface PlacedText {
  readonly text: string;
  readonly place: Place;
}

/** One message. `isPartial`: it also holds what is no text, such as an image. */
export interface Said {
  readonly role: Role;
  readonly texts: readonly PlacedText[];
  readonly isPartial: boolean;
}

/** A tool call. `form`: how the arguments stand at `place`; `unread` are kept as the one text they are. */
export interface PlacedCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly form: 'object' | 'json' | 'unread';
  readonly place: Place;
}

/** What one message holds: its texts, results of tools apart, and the calls it makes. */
export interface Turn {
  readonly said: readonly Said[];
  readonly calls: readonly PlacedCall[];
}

/** A new value for a place. */
export interface Replacement {
  readonly place: Place;
  readonly value: unknown;
}

type Json = Readonly<Record<string, unknown>>;

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
function roleOf(role: unknown): Role {
  return (typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined) ?? 'user';
}

/** Texts that a message of a model may hold beside its content. */
const OTHER_TEXTS = ['refusal', 'reasoning_content'] as const;

/** Reads a message as OpenAI, Anthropic and those who follow them write it. `role`: who speaks, where the message need not say it. */
export function turnOf(message: unknown, place: Place, role: Role = roleOf(isObject(message) ? message['role'] : null)): Turn {
  if (!isObject(message)) return { said: [{ role, texts: [], isPartial: true }], calls: [] };
  const content = contentOf(message['content'], [...place, 'content'], CONTENT_DEPTH_MAX);
  const others = OTHER_TEXTS.flatMap((name) => placedText(message[name], [...place, name]));
  const isPartial = content.isPartial || isObject(message['audio']);
  const own: Said = { role, texts: [...content.texts, ...others], isPartial };
  // Where a turn of a user brings results of tools, they stand first.
  return { said: [...content.results, own], calls: [...content.calls, ...callsOf(message, place)] };
}

/** Anthropic's results of tools hold documents, and those parts; nothing real goes further. */
const CONTENT_DEPTH_MAX = 4;

interface Content {
  readonly texts: PlacedText[];
  readonly results: Said[];
  readonly calls: PlacedCall[];
  isPartial: boolean;
}

function contentOf(content: unknown, place: Place, levels: number): Content {
  const found: Content = { texts: placedText(content, place), results: [], calls: [], isPartial: false };
  if (Array.isArray(content)) content.forEach((part: unknown, i) => addPart(found, part, [...place, i], levels));
  else if (typeof content !== 'string' && content !== null && content !== undefined) found.isPartial = true;
  return found;
}

function addPart(found: Content, part: unknown, place: Place, levels: number): void {
  if (typeof part === 'string') found.texts.push({ text: part, place });
  else if (!isObject(part)) found.isPartial = true;
  else if (typeof part['text'] === 'string') found.texts.push({ text: part['text'], place: [...place, 'text'] });
  else if (part['type'] === 'refusal') found.texts.push(...placedText(part['refusal'], [...place, 'refusal']));
  else if (part['type'] === 'tool_use') found.calls.push(callOf(part['name'], part['input'], [...place, 'input']));
  else if (part['type'] === 'tool_result' || part['type'] === 'search_result')
    addResult(found, part['content'], [...place, 'content'], levels);
  else if (part['type'] === 'document' && isObject(part['source']))
    addDocument(found, part['source'], [...place, 'source'], levels);
  else found.isPartial = true;
}

/** What a tool brought, or a search. */
function addResult(found: Content, content: unknown, place: Place, levels: number): void {
  if (levels === 0) {
    found.isPartial = true;
    return;
  }
  const { texts, results, isPartial } = contentOf(content, place, levels - 1);
  found.results.push({ role: 'tool', texts, isPartial }, ...results);
}

/** A document of plain text, or of parts; files are not read. */
function addDocument(found: Content, source: Json, place: Place, levels: number): void {
  if (source['type'] === 'text') addResult(found, source['data'], [...place, 'data'], levels);
  else if (source['type'] === 'content') addResult(found, source['content'], [...place, 'content'], levels);
  else found.isPartial = true;
}

function placedText(text: unknown, place: Place): PlacedText[] {
  return typeof text === 'string' ? [{ text, place }] : [];
}

function callsOf(message: Json, place: Place): PlacedCall[] {
  const list = Array.isArray(message['tool_calls']) ? message['tool_calls'] : [];
  const calls = list.flatMap((call: unknown, i) => toolCallsOf(call, [...place, 'tool_calls', i]));
  const legacy = message['function_call'];
  return isObject(legacy)
    ? [...calls, callOf(legacy['name'], legacy['arguments'], [...place, 'function_call', 'arguments'])]
    : calls;
}

/** A tool call as OpenAI writes it. */
export function toolCallsOf(call: unknown, place: Place): PlacedCall[] {
  if (!isObject(call)) return [];
  const { function: made, custom } = call;
  if (isObject(made)) return [callOf(made['name'], made['arguments'], [...place, 'function', 'arguments'])];
  return isObject(custom) ? [callOf(custom['name'], custom['input'], [...place, 'custom', 'input'])] : [];
}

function callOf(name: unknown, value: unknown, place: Place): PlacedCall {
  const isText = typeof value === 'string';
  const parsed = isText ? parsedJson(value) : (value ?? {});
  const named = label(name) ?? 'unnamed';
  if (isObject(parsed) && !isDeeperThan(parsed, ARGUMENT_DEPTH_MAX))
    return { name: named, arguments: parsed, form: isText ? 'json' : 'object', place };
  return { name: named, arguments: { text: isText ? value : jsonText(value, place) }, form: 'unread', place };
}

/** As deep as the engine goes into arguments; what lies deeper is read as a text. */
const ARGUMENT_DEPTH_MAX = 32;

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((member) => isDeeperThan(member, levels - 1));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // a model's arguments need not be JSON
  }
}

/** `value` as JSON. Throws `invalid_request` for what is nested thousands of levels deep. `place`: where it stands in the body. */
export function jsonText(value: unknown, place: Place): string {
  try {
    return JSON.stringify(value);
  } catch {
    throw new AppError('invalid_request', 'The request is not valid.', {
      details: [{ pointer: place.map((token) => `/${token}`).join(''), message: 'is nested too deep' }],
    });
  }
}

/** All texts of tool definitions, as a document that a tool brought: who writes them may be anyone. */
export function definitionsOf(tools: unknown): NonNullable<Inference['context']> {
  const texts = stringsIn(tools, ARGUMENT_DEPTH_MAX);
  return texts.length === 0 ? [] : [{ id: 'tools', source: 'tool', content: texts.join('\n') }];
}

function stringsIn(value: unknown, levels: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (levels === 0) return [jsonText(value, ['tools'])];
  return Object.values(value).flatMap((member) => stringsIn(member, levels - 1));
}

/** The messages of an inference. What is no text stands in them as a part without one, which makes the coverage partial. */
export function messagesOf(said: readonly Said[]): Messages {
  return said.map(({ role, texts, isPartial }) => {
    if (texts.length === 1 && !isPartial) return { role, content: texts[0]!.text };
    const parts = texts.map(({ text }) => ({ type: 'text', text }));
    return { role, content: isPartial ? [...parts, { type: 'unread' }] : parts };
  });
}

/** New texts for all places that `redacted`, the messages of the same inference, changes. */
export function replacedTexts(said: readonly Said[], redacted: unknown): Replacement[] {
  if (redacted === undefined) return [];
  return said.flatMap(({ texts }, i) =>
    texts.flatMap(({ text, place }, j) => {
      const { content } = (redacted as Messages)[i]!;
      const value = typeof content === 'string' ? content : content?.[j]?.text;
      return value === undefined || value === text ? [] : [{ place, value }];
    }),
  );
}

/** The same for tool calls, whose arguments are replaced as a whole. */
export function replacedArguments(calls: readonly PlacedCall[], redacted: unknown): Replacement[] {
  if (redacted === undefined) return [];
  return (redacted as PlacedCall[]).flatMap(({ arguments: value }, i) => {
    const { form, place, arguments: before } = calls[i]!;
    if (JSON.stringify(value) === JSON.stringify(before)) return [];
    if (form === 'unread') return [{ place, value: value['text'] }];
    return [{ place, value: form === 'json' ? JSON.stringify(value) : value }];
  });
}

/** A copy of `json` with the values replaced. */
export function withReplacements(json: unknown, replacements: readonly Replacement[]): unknown {
  return replacements.reduce((copy, { place, value }) => withValue(copy, place, value), json);
}

function withValue(json: unknown, [token, ...rest]: Place, value: unknown): unknown {
  if (token === undefined) return value;
  const next = withValue((json as Json)[token], rest, value);
  if (Array.isArray(json)) return json.with(Number(token), next);
  // fromEntries defines members, so one named `__proto__` stays a member.
  return Object.fromEntries(Object.entries(json as Json).map(([name, member]) => [name, name === token ? next : member]));
}

const LABEL_CHARS_MAX = 200;

/** A one-line label of an inference from whatever a vendor sends; `undefined` for none. */
export function label(value: unknown, max = LABEL_CHARS_MAX): string | undefined {
  if (typeof value !== 'string') return undefined;
  // oxlint-disable-next-line no-control-regex -- these are what a label may not hold
  const line = value.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim();
  return line === '' ? undefined : line.slice(0, max).toWellFormed();
}

const PAIRS_MAX = 50;
const PAIR_CHARS_MAX = 500;

/** Metadata of an inference: the first pairs of a vendor's map that hold one value each, within the bounds. */
export function pairsOf(map: unknown): Record<string, string> {
  if (!isObject(map)) return {};
  const pairs = Object.entries(map).flatMap(([name, value]) => {
    const key = label(name);
    const text = label(typeof value === 'number' || typeof value === 'boolean' ? String(value) : value, PAIR_CHARS_MAX);
    return key === undefined || text === undefined ? [] : [[key, text] as const];
  });
  return Object.fromEntries(pairs.slice(0, PAIRS_MAX));
}

/** The members that hold something. */
export function compact<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && !isEmpty(value))) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The findings of an evaluation but for those that an exception of the policy excuses: vendors' shapes know no such thing. */
export function countingFindings({ findings }: Pick<Evaluation, 'findings'>): readonly Finding[] {
  return findings.filter(({ exception_id: exceptionId }) => exceptionId === null);
}

// What is said in a vendor's JSON, with the place of each text there: taken out to be assessed, put back where a policy redacts.

import { inferenceProblems, type Evaluation, type Finding, type Inference } from '@svc/engine';
import { AppError } from '../http/errors.ts';
import { readWrittenJson, rewritten, type WrittenJson } from './json-text.ts';

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

/**
 * A tool call. `form`: how the arguments stand at `place`. `text` are the one text they are; what is `fixed` is assessed and cannot be put back
 * exactly.
 */
export interface PlacedCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly form: 'object' | 'text' | 'fixed' | WrittenJson;
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

/** What a message of a model may hold beside its content, in the same forms. */
const OTHER_CONTENTS = ['refusal', 'reasoning_content', 'reasoning', 'reasoning_details', 'content_blocks'] as const;

/** Reads a message as OpenAI, Anthropic and those who follow them write it. `role`: who speaks, where the message need not say it. */
export function turnOf(message: unknown, place: Place, role: Role = roleOf(isObject(message) ? message['role'] : null)): Turn {
  if (!isObject(message)) return { said: [{ role, texts: [], isPartial: true }], calls: [] };
  const contents = ['content', ...OTHER_CONTENTS]
    .filter((name) => message[name] !== undefined)
    .map((name) => contentOf(message[name], [...place, name], CONTENT_DEPTH_MAX));
  const { audio } = message;
  const spoken = isObject(audio) ? placedText(audio['transcript'], [...place, 'audio', 'transcript']) : [];
  const calls = callsOf(message, place);
  const own: Said = {
    role,
    texts: [...contents.flatMap(({ texts }) => texts), ...spoken],
    // A message of a form that nobody has told us of holds we do not know what.
    isPartial: contents.some((each) => each.isPartial) || isObject(audio) || (contents.length === 0 && calls.length === 0),
  };
  // Where a turn of a user brings results of tools, they stand first.
  return {
    said: [...contents.flatMap(({ results }) => results), own],
    calls: [...contents.flatMap((each) => each.calls), ...calls],
  };
}

/** A turn that is nothing but content: a text or parts. */
export function contentTurn(content: unknown, place: Place, role: Role): Turn {
  const { texts, results, calls, isPartial } = contentOf(content, place, CONTENT_DEPTH_MAX);
  return { said: [...results, { role, texts, isPartial }], calls };
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

/** Vendors' names for a part that is its `text`. */
const TEXT_TYPES: ReadonlySet<unknown> = new Set([
  undefined,
  'text',
  'input_text',
  'output_text',
  'summary_text',
  'reasoning_text',
  'reasoning.text',
]);

/** Whether a part of a content is a text, and nothing else. */
export function isTextPart(part: unknown): boolean {
  return typeof part === 'string' || (isObject(part) && TEXT_TYPES.has(part['type']) && typeof part['text'] === 'string');
}

function addPart(found: Content, part: unknown, place: Place, levels: number): void {
  if (typeof part === 'string') {
    found.texts.push({ text: part, place });
    return;
  }
  if (!isObject(part)) {
    found.isPartial = true;
    return;
  }
  // A text is read whatever the part says to be, and what the type promises is read beside it.
  found.texts.push(...placedText(part['text'], [...place, 'text']));
  if (isTextPart(part)) return;
  const { type, source } = part;
  if (type === 'refusal' || type === 'thinking') addText(found, part[type], [...place, type]);
  else if (type === 'tool_use' || type === 'server_tool_use' || type === 'mcp_tool_use')
    found.calls.push(...callOf(part['name'], part['input'], [...place, 'input']));
  else if (type === 'search_result' || (typeof type === 'string' && type.endsWith('tool_result')))
    addResult(found, part['content'], [...place, 'content'], levels);
  else if (type === 'document' && isObject(source)) {
    const about = ['title', 'context'].flatMap((name) => placedText(part[name], [...place, name]));
    if (about.length > 0) found.results.push({ role: 'tool', texts: about, isPartial: false });
    addDocument(found, source, [...place, 'source'], levels);
  } else found.isPartial = true;
}

function addText(found: Content, text: unknown, place: Place): void {
  if (typeof text === 'string') found.texts.push({ text, place });
  else found.isPartial = true;
}

/** What a tool brought, or a search. */
function addResult(found: Content, content: unknown, place: Place, levels: number): void {
  if (levels === 0) {
    found.isPartial = true;
    return;
  }
  const { texts, results, calls, isPartial } = contentOf(content, place, levels - 1);
  found.results.push({ role: 'tool', texts, isPartial }, ...results);
  found.calls.push(...calls);
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

/** All strings inside of `value`, as far down as the engine goes into arguments; what lies deeper stays unread. */
export function placedStrings(value: unknown, place: Place, levels = ARGUMENT_DEPTH_MAX): Pick<Said, 'texts' | 'isPartial'> {
  if (typeof value === 'string') return { texts: [{ text: value, place }], isPartial: false };
  if (typeof value !== 'object' || value === null) return { texts: [], isPartial: false };
  if (levels === 0) return { texts: [], isPartial: true };
  const tokens = Array.isArray(value) ? value.keys() : Object.keys(value);
  const inner = [...tokens].map((token) => placedStrings((value as Json)[token], [...place, token], levels - 1));
  return { texts: inner.flatMap(({ texts }) => texts), isPartial: inner.some(({ isPartial }) => isPartial) };
}

function callsOf(message: Json, place: Place): PlacedCall[] {
  const { tool_calls: made, function_call: legacy } = message;
  const calls = Array.isArray(made)
    ? made.flatMap((call: unknown, i) => toolCallsOf(call, [...place, 'tool_calls', i]))
    : toolCallsOf(made, [...place, 'tool_calls']);
  return isObject(legacy)
    ? [...calls, ...callOf(legacy['name'], legacy['arguments'], [...place, 'function_call', 'arguments'])]
    : calls;
}

/** A tool call as OpenAI writes it, or flat; one of another form is read as a whole. */
export function toolCallsOf(call: unknown, place: Place): PlacedCall[] {
  if (call === null || call === undefined) return [];
  if (!isObject(call)) return callOf(null, call, place);
  const { function: made, custom, name } = call;
  const calls = [
    ...(isObject(made) ? callOf(made['name'], made['arguments'], [...place, 'function', 'arguments']) : []),
    ...(isObject(custom) ? callOf(custom['name'], custom['input'], [...place, 'custom', 'input']) : []),
    ...['arguments', 'input'].flatMap((each) => (call[each] === undefined ? [] : callOf(name, call[each], [...place, each]))),
  ];
  return calls.length === 0 ? callOf(name, call, place) : calls;
}

/** One call; two where a parser does not see all that its JSON says. */
export function callOf(name: unknown, value: unknown, place: Place): PlacedCall[] {
  const isText = typeof value === 'string';
  const parsed = isText ? parsedJson(value) : (value ?? {});
  const named = label(name) ?? 'unnamed';
  if (!isObject(parsed) || isDeeperThan(parsed, ARGUMENT_DEPTH_MAX)) {
    const text = isText ? value : jsonText(value, place);
    return [{ name: named, arguments: { text }, form: isText ? 'text' : 'fixed', place }];
  }
  if (!isText) return [{ name: named, arguments: parsed, form: 'object', place }];
  const form = readWrittenJson(value);
  if (form.isWhole) return [{ name: named, arguments: parsed, form, place }];
  // The tool gets the text, and its parser may take the first of equal members.
  return [parsed, { text: value }].map((each) => ({ name: named, arguments: each, form: 'fixed', place }));
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

/** The same for tool calls, whose arguments are replaced as a whole; `null` where that cannot be done exactly. */
export function replacedArguments(calls: readonly PlacedCall[], redacted: unknown): Replacement[] | null {
  const changed = ((redacted ?? []) as PlacedCall[])
    .map(({ arguments: after }, i) => ({ after, call: calls[i]! }))
    .filter(({ after, call }) => JSON.stringify(after) !== JSON.stringify(call.arguments));
  if (changed.some(({ call }) => call.form === 'fixed')) return null;
  return changed.map(({ after, call: { form, place, arguments: before } }) => {
    if (form === 'object') return { place, value: after };
    return { place, value: typeof form === 'string' ? after['text'] : rewritten(form, before, after) };
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

/** Each text takes its time, however short: of more, detectors would not get through with any. */
const TEXTS_MAX = 2_000;

/** Refuses what cannot be assessed as a whole. `place`: of what is read, in the body. Throws `invalid_request`. */
export function refuseUnreadable(inference: Inference, place: Place): void {
  const texts = textsIn(inference);
  const [problem] = texts > TEXTS_MAX ? [] : inferenceProblems(inference);
  const message =
    texts > TEXTS_MAX
      ? `must not hold more than ${TEXTS_MAX} texts: messages, their parts and strings in arguments of calls`
      : problem?.message;
  if (message === undefined) return;
  const pointer = place.map((token) => `/${token}`).join('');
  throw new AppError('invalid_request', 'The request is not valid.', { details: [{ pointer, message }] });
}

/** Messages without a text count as one: they too take time. */
function textsIn({ input, output, context = [], tool_calls: calls = [] }: Inference): number {
  const messages = [input, output].flatMap((said) => (Array.isArray(said) ? said : []));
  const counts = [
    ...messages.map(({ content }) => (Array.isArray(content) ? content.filter(({ text }) => text !== undefined).length : 1)),
    ...calls.map(({ arguments: given }) => stringCount(given)),
  ];
  return counts.reduce((sum, count) => sum + Math.max(1, count), context.length);
}

function stringCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? 1 : 0;
  return Object.values(value).reduce<number>((sum, member) => sum + stringCount(member), 0);
}

/** The findings of an evaluation but for those that an exception of the policy excuses: vendors' shapes know no such thing. */
export function countingFindings({ findings }: Pick<Evaluation, 'findings'>): readonly Finding[] {
  return findings.filter(({ exception_id: exceptionId }) => exceptionId === null);
}

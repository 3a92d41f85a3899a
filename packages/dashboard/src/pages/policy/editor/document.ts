// A policy as text, in YAML or JSON: read, with the place of each member, and written.

import type { Policy } from '@svc/client';
import {
  isAlias,
  isCollection,
  isMap,
  isScalar,
  parseDocument,
  stringify,
  visit,
  type Alias,
  type Document,
  type Range,
  type YAMLError,
} from 'yaml';
import { jsonFault } from './json-fault.ts';

export type Format = 'yaml' | 'json';

/** Something wrong at a place of the text. `from`, `to`: UTF-16 offsets, end exclusive. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly severity: 'error' | 'warning';
  /** JSON Pointer; `null`: the text cannot be read. */
  readonly pointer: string | null;
  readonly message: string;
}

export interface Readable {
  readonly isReadable: true;
  /** What the text says, as it is sent. */
  readonly policy: Policy;
  /** The same, as the service gets it. */
  readonly json: string;
  readonly document: Document.Parsed;
  /** Names of anchors that aliases refer to. */
  readonly shared: ReadonlySet<string>;
}

/** What a text says; or why it cannot be read. */
export type Reading = Readable | { readonly isReadable: false; readonly marks: readonly Mark[] };

/** The last readings: a text is read by many at once, and its reading is known after an edit. */
const KNOWN_MAX = 4;
const known: { readonly text: string; readonly format: Format; readonly reading: Reading }[] = [];

/** The same object for the same text, while it is one of the last. */
export function read(text: string, format: Format): Reading {
  const before = recall(text, format);
  if (before !== null) return before;
  const reading = readAnew(text, format);
  known.unshift({ text, format, reading });
  known.splice(KNOWN_MAX);
  return reading;
}

/** `null`: it has to be read first. */
export function recall(text: string, format: Format): Reading | null {
  return known.find((each) => each.text === text && each.format === format)?.reading ?? null;
}

const PARSING = { prettyErrors: false, logLevel: 'error' } as const;

/** Never throws, whatever the text. */
function readAnew(text: string, format: Format): Reading {
  try {
    return format === 'json' ? readJson(text) : readYaml(text);
  } catch (error) {
    return unreadable(text, [{ from: 0, to: text.length, message: messageOf(error) }]);
  }
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError) return 'This is nested too deeply.';
  if (error instanceof ReferenceError) return 'Aliases make this many times longer than it looks. Write out what they stand for.';
  return error instanceof Error ? error.message : String(error);
}

interface Fault {
  readonly from: number;
  readonly to: number;
  readonly message: string;
}

function unreadable(text: string, faults: readonly Fault[]): Reading {
  return { isReadable: false, marks: faults.map((fault) => markOf(text, fault)) };
}

function markOf(text: string, { from, to, message }: Fault): Mark {
  const end = Math.min(text.length, Math.max(to, from + 1));
  return { from: Math.min(from, end), to: end, severity: 'error', pointer: null, message };
}

function readYaml(text: string): Reading {
  const document = parseDocument(text, PARSING);
  const faults = document.errors.map(faultOf);
  if (faults.length > 0) return unreadable(text, faults);
  const { unsendable, shared } = look(document);
  return unsendable.length > 0 ? unreadable(text, unsendable) : readable(document, shared, document.toJS());
}

/** JSON is nearly all YAML, whose parser knows where everything stands; what it says is read as JSON. */
function readJson(given: string): Reading {
  // Programs put a mark of byte order before it. It means nothing here.
  const text = given.replace(/^\uFEFF/, ' ');
  const fault = text.trim() === '' ? null : jsonFault(text);
  if (fault !== null) return unreadable(text, [fault]);
  // Tabs may stand wherever blanks do. Within texts there are none by now.
  const document = parseDocument(text.replaceAll('\t', ' '), PARSING);
  const twice = document.errors.filter(({ code }) => code === 'DUPLICATE_KEY').map(faultOf);
  const { unsendable } = look(document);
  const faults = [...twice, ...unsendable];
  if (faults.length > 0) return unreadable(text, faults);
  return readable(document, new Set(), text.trim() === '' ? null : JSON.parse(text));
}

/** A text of comments alone says nothing, as the empty document does. */
function readable(document: Document.Parsed, shared: ReadonlySet<string>, value: unknown): Reading {
  const json = JSON.stringify(value ?? {});
  return { isReadable: true, policy: JSON.parse(json) as Policy, json, document, shared };
}

const PLAIN: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'This name stands here a second time.',
  MULTIPLE_DOCS: 'A policy is one document. Here another one begins.',
};

function faultOf({ code, pos: [from, to], message }: YAMLError): Fault {
  return { from, to, message: PLAIN[code] ?? message };
}

/** What can be written and yet not be sent; and the anchors that are referred to. */
function look(document: Document.Parsed): { readonly unsendable: Fault[]; readonly shared: ReadonlySet<string> } {
  const unsendable: Fault[] = [];
  const shared = new Set<string>();
  const tell = (range: Range | null | undefined, message: string) =>
    void unsendable.push({ from: range?.[0] ?? 0, to: range?.[1] ?? 0, message });
  visit(document, {
    Alias(_key, alias, path) {
      shared.add(alias.source);
      if (isWithin(alias, path, document)) tell(alias.range, 'This alias stands within what it stands for: that has no end.');
    },
    Value(_key, node) {
      const { tag, range } = node;
      if (tag !== undefined && !SENDABLE.has(tag)) tell(range, `A policy has no values of the type ${tag}.`);
      else if (isScalar(node) && typeof node.value === 'number' && !Number.isFinite(node.value))
        tell(range, 'A number has to be finite: this one cannot be sent.');
    },
  });
  return { unsendable, shared };
}

const SENDABLE = new Set(['map', 'seq', 'str', 'null', 'bool', 'int', 'float'].map((type) => `tag:yaml.org,2002:${type}`));

/** Aliases refer to what stands before them, so only what they stand in can hold them. */
function isWithin(alias: Alias, path: readonly unknown[], document: Document.Parsed): boolean {
  const meant = alias.resolve(document);
  return meant !== undefined && path.includes(meant);
}

/** The text of a document that has no comments of its own. */
export function write(policy: Policy, format: Format): string {
  if (format === 'json') return `${JSON.stringify(policy, null, 2)}\n`;
  return Object.keys(policy).length === 0 ? '' : stringify(policy, { lineWidth: 0 });
}

/** The same document in the other format. Comments are lost in JSON, which has none. */
export function convert(text: string, from: Format, to: Format): string | null {
  const reading = read(text, from);
  return reading.isReadable ? write(reading.policy, to) : null;
}

/** Where a problem of the API stands in the text: its value, the name of what is a list or an object, or what it is missing from. */
export function placeOf(reading: Reading, pointer: string, textLength: number): { readonly from: number; readonly to: number } {
  const whole = { from: 0, to: Math.min(1, textLength) };
  if (!reading.isReadable) return whole;
  const path = pathOf(pointer);
  for (let end = path.length; end > 0; end--) {
    const range = rangeAt(reading.document, path.slice(0, end));
    if (range !== null) return range;
  }
  return whole;
}

function rangeAt(document: Document.Parsed, path: readonly string[]): { from: number; to: number } | null {
  const above = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  const last = path.at(-1)!;
  const node = isCollection(above) ? (above.get(isMap(above) ? last : Number(last), true) as unknown) : undefined;
  if ((isScalar(node) || isAlias(node)) && node.range) return spanOf(node.range);
  const pair = isMap(above) ? above.items.find(({ key }) => isScalar(key) && String(key.value) === last) : undefined;
  if (pair !== undefined && isScalar(pair.key) && pair.key.range) return spanOf(pair.key.range);
  if (!isCollection(node) || !node.range) return null;
  // An entry of a list: its first line would be marked whole, its beginning is enough.
  const first = isMap(node) ? node.items[0]?.key : undefined;
  return isScalar(first) && first.range ? spanOf(first.range) : { from: node.range[0], to: node.range[0] + 1 };
}

function spanOf([from, to]: Range): { from: number; to: number } {
  return { from, to: Math.max(to, from + 1) };
}

/** The parts of a JSON Pointer (RFC 6901). */
export function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

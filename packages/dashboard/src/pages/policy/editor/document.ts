// A policy as text, in YAML or JSON: read, with the place of each member, changed without losing its comments, and written.

import type { Policy } from '@svc/client';
import { isCollection, isMap, isScalar, parseDocument, stringify, type Document, type Range } from 'yaml';

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

/** What a text says; or why it cannot be read. */
export type Reading =
  | { readonly isReadable: true; readonly policy: Policy; readonly document: Document.Parsed }
  | { readonly isReadable: false; readonly marks: readonly Mark[] };

/** JSON is nearly all YAML, so both are parsed by one parser, which knows where everything stands. */
export function read(text: string, format: Format): Reading {
  const document = parseDocument(text, { prettyErrors: false });
  const faults = document.errors.map(({ pos: [from, to], message }) => markOf(text, from, to, message));
  // What only YAML allows is none.
  if (format === 'json' && faults.length === 0 && text.trim() !== '') {
    const fault = jsonFault(text);
    if (fault !== null) faults.push(fault);
  }
  if (faults.length > 0) return { isReadable: false, marks: faults };
  let value: Policy | null;
  try {
    value = document.toJS() as Policy | null;
  } catch (error) {
    return { isReadable: false, marks: [markOf(text, 0, text.length, messageOf(error))] };
  }
  // A text of comments alone says nothing, as the empty document does.
  return { isReadable: true, policy: value ?? {}, document };
}

function jsonFault(text: string): Mark | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    const message = messageOf(error);
    const at = Number(/at position (\d+)/.exec(message)?.[1] ?? text.length);
    return markOf(text, at, at + 1, message.replace(/ in JSON at position.*$/, ''));
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function markOf(text: string, from: number, to: number, message: string): Mark {
  const end = Math.min(text.length, Math.max(to, from + 1));
  return { from: Math.min(from, end), to: end, severity: 'error', pointer: null, message };
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

type Path = readonly (string | number)[];

/**
 * The text with a member set, or taken out (`undefined`) together with what then holds nothing. Comments, and the order of what is there, stay.
 * `null`: the text cannot be read.
 */
export function edit(text: string, format: Format, path: Path, value: unknown): string | null {
  const reading = read(text, format);
  if (!reading.isReadable) return null;
  const { document } = reading;
  if (!isMap(document.contents)) document.contents = document.createNode({}) as unknown as typeof document.contents;
  if (value === undefined) remove(document, path);
  else set(document, path, value);
  if (format === 'json') return write(document.toJS() as Policy, 'json');
  if (isMap(document.contents) && document.contents.items.length === 0 && !document.commentBefore && !document.comment) return '';
  return document.toString({ lineWidth: 0 });
}

function set(document: Document.Parsed, path: Path, value: unknown): void {
  const node = document.getIn(path, true);
  // A number keeps how it was written, and what is said beside it, where only its value changes.
  if (isScalar(node) && (typeof value !== 'object' || value === null)) {
    node.value = value;
    if (typeof value === 'string') delete node.type;
    delete node.source;
    return;
  }
  // What is empty, or written in one line, gets lines of its own.
  for (let i = 0; i < path.length; i++) {
    const above = i === 0 ? document.contents : document.getIn(path.slice(0, i), true);
    if (isCollection(above) && above.items.length === 0) above.flow = false;
    if (above === undefined || (isScalar(above) && above.value === null)) {
      document.setIn(path.slice(0, i), document.createNode(typeof path[i] === 'number' ? [] : {}));
    }
  }
  document.setIn(path, document.createNode(value));
}

function remove(document: Document.Parsed, path: Path): void {
  if (!document.hasIn(path)) return;
  document.deleteIn(path);
  for (let end = path.length - 1; end > 0; end--) {
    const above = document.getIn(path.slice(0, end), true);
    if (!isCollection(above) || above.items.length > 0) return;
    document.deleteIn(path.slice(0, end));
  }
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
  if (isScalar(node) && node.range) return spanOf(node.range);
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
function pathOf(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

// A policy as a person writes it: YAML or JSON, with the places of what a lint says, and the difference of two documents.

import { isMap, isNode, isPair, isScalar, isSeq, LineCounter, parseDocument, stringify, type Document, type Node } from 'yaml';

/** A file that was read. `value` is `null` where the text is no YAML; `faults` then say why. */
export interface PolicyFile {
  /** As people name it: the path, or `stdin`. */
  readonly name: string;
  readonly value: Readonly<Record<string, unknown>> | null;
  readonly faults: readonly PlacedProblem[];
  /** The place of a JSON Pointer, or of the nearest thing around it that is there. */
  placeOf(pointer: string): Place;
}

/** From 1, as editors count. */
interface Place {
  readonly line: number;
  readonly column: number;
}

export interface PlacedProblem extends Place {
  /** `''`: of the whole text. */
  readonly pointer: string;
  readonly message: string;
}

/** One step from one document to another. */
export interface Change {
  readonly op: 'add' | 'remove' | 'replace';
  /** JSON Pointer; of an entry of a list with ids its place in the document that has it. */
  readonly path: string;
  readonly id?: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Reads YAML 1.2, of which JSON is a part. Never throws: what is wrong with the text is in `faults`. */
export function readPolicyText(name: string, text: string): PolicyFile {
  const lines = new LineCounter();
  // Without merging and with unique keys: a key that is there twice is a slip, and JSON has neither.
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return line === 0 ? { line: 1, column: offset + 1 } : { line, column: col };
  };
  const faults = document.errors.map(({ message, pos }) => ({ pointer: '', message: sentence(message), ...placeAt(pos[0]) }));
  const value = faults.length === 0 ? plainValueOf(document, faults) : null;
  return { name, value, faults, placeOf: (pointer) => placeAt(offsetOf(document, pointer)) };
}

function plainValueOf(document: Document, faults: PlacedProblem[]): Readonly<Record<string, unknown>> | null {
  try {
    const value = document.toJS() as unknown;
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
    faults.push({ pointer: '', message: 'A policy is an object: mode, detectors, rules and so on.', line: 1, column: 1 });
  } catch (err) {
    // Such as too many aliases.
    faults.push({ pointer: '', message: sentence((err as Error).message), line: 1, column: 1 });
  }
  return null;
}

/** YAML for people. A document that the service answered has no comments; neither has this. */
export function policyYaml(policy: unknown): string {
  return stringify(policy, { lineWidth: 110 });
}

/** Where in the text a pointer leads, as an offset. Of a member its key, of an entry of a list its beginning. */
function offsetOf(document: Document, pointer: string): number {
  let node: unknown = document.contents;
  let offset = startOf(node) ?? 0;
  for (const token of tokensOf(pointer)) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === token);
      if (pair === undefined) return offset;
      node = pair.value;
      // The value of a word is what is wrong with it; of anything longer the key is where one looks.
      offset = (isScalar(node) ? startOf(node) : null) ?? startOf(pair.key) ?? offset;
    } else if (isSeq(node)) {
      const item = node.items[Number(token)];
      if (item === undefined) return offset;
      node = item;
      offset = startOf(isPair(item) ? item.key : item) ?? offset;
    } else return offset;
  }
  return offset;
}

function startOf(node: unknown): number | null {
  return isNode(node) ? ((node as Node).range?.[0] ?? null) : null;
}

function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function sentence(message: string): string {
  const first = message.split('\n', 1)[0]!.trim();
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** What has to be done to `from` to get `to`, in the order of `to`. Lists whose entries all have an id are compared by it. */
export function differenceOf(from: unknown, to: unknown): Change[] {
  const changes: Change[] = [];
  compare('', from, to, changes);
  return changes;
}

function compare(path: string, from: unknown, to: unknown, changes: Change[]): void {
  if (isObject(from) && isObject(to)) {
    for (const [key, value] of Object.entries(from))
      if (!Object.hasOwn(to, key)) changes.push({ op: 'remove', path: join(path, key), from: value });
    for (const [key, value] of Object.entries(to)) {
      if (Object.hasOwn(from, key)) compare(join(path, key), from[key], value, changes);
      else changes.push({ op: 'add', path: join(path, key), to: value });
    }
  } else if (hasIds(from) && hasIds(to)) compareById(path, from, to, changes);
  else if (JSON.stringify(sorted(from)) !== JSON.stringify(sorted(to))) changes.push({ op: 'replace', path, from, to });
}

interface Entry {
  readonly id: string;
}

function compareById(path: string, from: readonly Entry[], to: readonly Entry[], changes: Change[]): void {
  for (const [i, entry] of from.entries())
    if (!to.some(({ id }) => id === entry.id)) changes.push({ op: 'remove', path: join(path, i), id: entry.id, from: entry });
  for (const [i, entry] of to.entries()) {
    const before = from.find(({ id }) => id === entry.id);
    if (before === undefined) changes.push({ op: 'add', path: join(path, i), id: entry.id, to: entry });
    else compare(join(path, i), before, entry, changes);
  }
  // The order of rules decides which finding is told first.
  const kept = (list: readonly Entry[], other: readonly Entry[]) =>
    list.map(({ id }) => id).filter((id) => other.some((entry) => entry.id === id));
  const [before, after] = [kept(from, to), kept(to, from)];
  if (before.join('\n') !== after.join('\n')) changes.push({ op: 'replace', path: `${path} (order)`, from: before, to: after });
}

function hasIds(value: unknown): value is readonly Entry[] {
  if (!Array.isArray(value)) return false;
  const ids = value.map((entry: unknown) => (isObject(entry) ? entry['id'] : undefined));
  return ids.every((id) => typeof id === 'string') && new Set(ids).size === ids.length;
}

function join(path: string, token: string | number): string {
  return `${path}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** With the members of objects in one order, so that the order in a file is no change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => [key, sorted(member)]),
  );
}

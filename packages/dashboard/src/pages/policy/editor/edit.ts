// A member of a policy changed in its text. Only the lines of that member are touched: comments, blanks and the order of all else stay as they are.

import type { Policy } from '@svc/client';
import { isAlias, isCollection, isMap, isScalar, isSeq, stringify, type Pair, type YAMLMap, type YAMLSeq } from 'yaml';
import { read, type Format, type Readable } from './document.ts';

export type Path = readonly (string | number)[];

/** Why a member cannot be changed here, in a sentence; `null`: it can. */
export function obstacleAt({ document, shared }: Readable, path: Path, isRemoval = false): string | null {
  let node: unknown = document.contents;
  for (const [i, part] of path.entries()) {
    if (isNothing(node)) return null;
    if (!isCollection(node) || isSeq(node) !== (typeof part === 'number')) {
      const where = i === 0 ? 'The document' : path.slice(0, i).join('.');
      return `${where} has another shape in the text. Mend it there.`;
    }
    node = childOf(node, part)?.value;
    if (node === undefined) return null;
    const alias = sharedBy(node, shared);
    if (alias !== null) return `The text shares this by ${alias}. Change it there.`;
  }
  if (isRemoval || !isCollection(node) || node.items.length === 0) return null;
  return `${path.join('.')} has another shape in the text. Mend it there.`;
}

function sharedBy(node: unknown, shared: ReadonlySet<string>): string | null {
  if (isAlias(node)) return `the alias *${node.source}`;
  const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
  return anchor !== undefined && shared.has(anchor) ? `the anchor &${anchor}` : null;
}

/** The text with a member set, or taken out (`undefined`) together with what then holds nothing. `null`: it has to be done by hand. */
export function edit(text: string, format: Format, path: Path, value: unknown): string | null {
  const reading = read(text, format);
  if (!reading.isReadable || obstacleAt(reading, path, value === undefined) !== null) return null;
  const edits =
    value === undefined ? new Editor(text, format, reading).remove(path) : new Editor(text, format, reading).set(path, value);
  if (edits === null) return null;
  const edited = apply(text, edits);
  const after = read(edited, format);
  // What is written has to say what was meant, whatever was there.
  return after.isReadable && isSame(after.policy, meant(reading.policy, path, value)) ? edited : null;
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly insert: string;
}

function apply(text: string, edits: readonly Edit[]): string {
  let edited = text;
  for (const { from, to, insert } of edits.toSorted((a, b) => a.from - b.from).toReversed()) {
    edited = edited.slice(0, from) + insert + edited.slice(to);
  }
  return edited.trim() === '' ? '' : edited;
}

interface Child {
  readonly value: unknown;
  readonly pair: Pair | null;
  readonly index: number;
}

function childOf(node: unknown, part: string | number): Child | null {
  if (isSeq(node)) {
    const index = Number(part);
    return index < node.items.length ? { value: node.items[index], pair: null, index } : null;
  }
  if (!isMap(node)) return null;
  const index = node.items.findIndex(({ key }) => isScalar(key) && String(key.value) === String(part));
  const pair = node.items[index];
  return pair === undefined ? null : { value: pair.value, pair, index };
}

/** An empty value, such as behind a name and a colon alone. */
function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && node.value === null);
}

class Editor {
  readonly #text: string;
  readonly #format: Format;
  readonly #reading: Readable;
  readonly #newline: string;
  #step = 0;

  constructor(text: string, format: Format, reading: Readable) {
    this.#text = text;
    this.#format = format;
    this.#reading = reading;
    this.#newline = text.includes('\r\n') ? '\r\n' : '\n';
  }

  set(path: Path, value: unknown): Edit[] | null {
    let node: unknown = this.#reading.document.contents;
    let holder: Child | null = null;
    let depth = 0;
    for (; depth < path.length; depth++) {
      const child = childOf(node, path[depth]!);
      if (child === null) break;
      holder = child;
      node = child.value;
    }
    const rest = path.slice(depth);
    const wrapped = rest.reduceRight((inner: unknown, part) => (typeof part === 'number' ? [inner] : { [part]: inner }), value);
    if (depth === path.length || !isCollection(node) || node.items.length === 0) return this.#fill(holder, node, wrapped);
    return node.flow === true ? this.#addInFlow(node, wrapped) : this.#addLines(node, wrapped);
  }

  remove(path: Path): Edit[] | null {
    const above: Child[] = [];
    const holders: unknown[] = [];
    let node: unknown = this.#reading.document.contents;
    for (const part of path) {
      const child = childOf(node, part);
      if (child === null) return [];
      holders.push(node);
      above.push(child);
      node = child.value;
    }
    // What would hold nothing goes too, unless somebody wrote something beside it.
    let depth = path.length - 1;
    while (depth > 0 && typeof path[depth - 1] === 'string' && (holders[depth] as YAMLMap).items.length === 1) {
      if (this.#hasComments(above[depth - 1]!, holders[depth], above[depth]!)) break;
      depth--;
    }
    const holder = holders[depth] as YAMLMap | YAMLSeq;
    const child = above[depth]!;
    if (holder.flow === true) return this.#removeInFlow(holder, child.index);
    const lines = this.#linesOf(holder, child);
    if (lines === null) return null;
    const edits = [{ ...lines, insert: '' }];
    const pair = depth === 0 ? null : above[depth - 1]!.pair;
    if (holder.items.length > 1 || depth === 0) return edits;
    const colon = pair === null ? null : this.#colonOf(pair);
    return colon === null ? null : [...edits, { from: colon, to: colon, insert: isSeq(holder) ? ' []' : ' {}' }];
  }

  /** Puts a value where there is another single one, or nothing. */
  #fill(holder: Child | null, node: unknown, value: unknown): Edit[] | null {
    const range = isScalar(node) || isCollection(node) ? node.range : null;
    const isWritten = range !== null && range !== undefined && range[1] > range[0];
    if (holder === null && this.#format === 'yaml') return this.#fillRoot(isWritten ? range : null, value);
    if (typeof value !== 'object' || value === null || this.#format === 'json' || holder?.pair == null) {
      const written = this.#inline(value, isWritten ? this.#indentAt(range[0]) : '');
      if (isWritten) return [{ from: range[0], to: range[1], insert: written + this.#newlineOf(range[1]) }];
      if (holder === null) return [{ from: 0, to: this.#text.length, insert: `${written}${this.#newline}` }];
      const at = holder.pair === null ? null : this.#colonOf(holder.pair);
      return at === null ? null : [{ from: at, to: at, insert: ` ${written}` }];
    }
    const colon = this.#colonOf(holder.pair);
    const column = this.#columnOf(holder.pair);
    if (colon === null || column === null) return null;
    // Between braces there is no room for lines.
    if (this.#isInFlow(colon))
      return [
        {
          from: isWritten ? range[0] : colon,
          to: isWritten ? range[1] : colon,
          insert: `${isWritten ? '' : ' '}${this.#inline(value, '')}`,
        },
      ];
    const taken = isWritten ? [{ from: range[0] - (this.#text[range[0] - 1] === ' ' ? 1 : 0), to: range[1], insert: '' }] : [];
    const end = this.#lineEnd(isWritten ? range[1] : colon);
    return [...taken, { from: end, to: end, insert: this.#newline + this.#lines(value, column + this.#stepOf()) }];
  }

  #fillRoot(range: readonly [number, number, number] | null, value: unknown): Edit[] {
    const lines = this.#lines(value, 0) + this.#newline;
    const taken = range === null ? [] : [{ from: range[0], to: this.#afterLine(range[1]), insert: '' }];
    const end = this.#text.length;
    const lead =
      this.#text === '' || this.#text.endsWith('\n') || (range !== null && this.#afterLine(range[1]) === end)
        ? ''
        : this.#newline;
    return [...taken, { from: end, to: end, insert: lead + lines }];
  }

  /** A member behind the last one of a block. */
  #addLines(holder: YAMLMap | YAMLSeq, value: unknown): Edit[] | null {
    const first = holder.items[0];
    const column = isSeq(holder) ? this.#column(holder.range![0]) : this.#columnOf(first as Pair);
    if (column === null) return null;
    const end = this.#endOf(holder);
    if (end === null) return null;
    const lines = this.#lines(value, column);
    if (this.#text[end - 1] === '\n') return [{ from: end, to: end, insert: lines + this.#newline }];
    const at = this.#lineEnd(end);
    return [{ from: at, to: at, insert: this.#newline + lines }];
  }

  /** A member behind the last one between braces. */
  #addInFlow(holder: YAMLMap | YAMLSeq, value: unknown): Edit[] | null {
    const last = holder.items.at(-1);
    const [start, end] = [this.#startOf(last), this.#endOf(last)];
    if (start === null || end === null) return null;
    const comma = this.#commaAfter(end, holder.range![1]);
    const isOnOwnLine = this.#text.slice(this.#lineStart(start), start).trim() === '';
    const indent = isOnOwnLine ? this.#indentAt(start) : '';
    const inner = isSeq(holder) ? this.#inline((value as readonly unknown[])[0], indent) : this.#inner(value, indent);
    const edits: Edit[] = comma === null ? [{ from: end, to: end, insert: ',' }] : [];
    const behind = comma === null ? end : comma + 1;
    const line = this.#lineEnd(behind);
    if (isOnOwnLine && line < holder.range![1]) {
      return [...edits, { from: line, to: line, insert: this.#newline + indent + inner }];
    }
    if (comma !== null) return [{ from: behind, to: behind, insert: ` ${inner}` }];
    return [{ from: end, to: end, insert: `, ${inner}` }];
  }

  #removeInFlow(holder: YAMLMap | YAMLSeq, index: number): Edit[] | null {
    const item = holder.items[index];
    const [start, end] = [this.#startOf(item), this.#endOf(item)];
    if (start === null || end === null) return null;
    const comma = this.#commaAfter(end, holder.range![1]);
    const before = index === 0 ? null : this.#endOf(holder.items[index - 1]);
    const former = comma === null && before !== null ? this.#commaAfter(before, start) : null;
    const edits: Edit[] = former === null ? [] : [{ from: former, to: former + 1, insert: '' }];
    const behind = comma === null ? end : comma + 1;
    const lineStart = this.#lineStart(start);
    const rest = this.#text.slice(behind, this.#lineEnd(behind)).trim();
    if (this.#text.slice(lineStart, start).trim() === '' && (rest === '' || rest.startsWith('#'))) {
      return [...edits, { from: lineStart, to: this.#afterLine(behind), insert: '' }];
    }
    const blanks = /^[ \t]*/.exec(this.#text.slice(behind))![0].length;
    if (former !== null) return [{ from: former, to: end, insert: '' }];
    return [...edits, { from: start, to: behind + (comma === null ? 0 : blanks), insert: '' }];
  }

  /** The whole lines of a member of a block; where it begins behind a dash, what is before the next member. */
  #linesOf(holder: YAMLMap | YAMLSeq, { value, pair, index }: Child): { from: number; to: number } | null {
    const start = pair === null ? this.#dashOf(holder, value) : this.#startOf(pair);
    const end = this.#endOf(pair ?? value);
    if (start === null || end === null) return null;
    const to = this.#text[end - 1] === '\n' ? end : this.#afterLine(end);
    const lineStart = this.#lineStart(start);
    if (this.#text.slice(lineStart, start).trim() === '') return { from: lineStart, to };
    const next = this.#startOf(holder.items[index + 1]);
    return next === null || /(?:^|\s)#/.test(this.#text.slice(end, next)) ? null : { from: start, to: next };
  }

  /** Of an entry of a list, its dash: in the column of the list. */
  #dashOf(holder: YAMLMap | YAMLSeq, value: unknown): number | null {
    const start = this.#startOf(value);
    const column = this.#column(holder.range![0]);
    for (let line = start === null ? -1 : this.#lineStart(start); line >= 0; line = line === 0 ? -1 : this.#lineStart(line - 1)) {
      if (this.#text[line + column] === '-' && this.#text.slice(line, line + column).trim() === '') return line + column;
    }
    return null;
  }

  /** Whether there are comments in what would be taken out, beside what was asked for. */
  #hasComments({ pair, value }: Child, inner: unknown, { pair: innerPair, value: innerValue }: Child): boolean {
    const [start, end] = [this.#startOf(pair ?? value), this.#endOf(inner)];
    const [from, to] = [this.#startOf(innerPair ?? innerValue), this.#endOf(innerPair ?? innerValue)];
    if (start === null || end === null || from === null || to === null) return true;
    const around = this.#text.slice(start, this.#lineStart(from) > start ? this.#lineStart(from) : from);
    return this.#format === 'yaml' && /(?:^|\s)#/.test(around);
  }

  #startOf(item: unknown): number | null {
    const node = (item as Pair | undefined)?.key ?? item;
    return isScalar(node) || isAlias(node) || isCollection(node) ? (node.range?.[0] ?? null) : null;
  }

  /** Where what is written of it ends: comments below it are not of it. */
  #endOf(item: unknown): number | null {
    if (isScalar(item) || isAlias(item)) return item.range?.[1] ?? null;
    if (isCollection(item))
      return item.flow === true || item.items.length === 0 ? (item.range?.[1] ?? null) : this.#endOf(item.items.at(-1));
    const pair = item as Pair | undefined;
    if (pair === undefined) return null;
    const value = pair.value as { range?: readonly number[] } | null;
    const isEmpty = value === null || (isScalar(value) && value.range?.[0] === value.range?.[1]);
    return isEmpty ? this.#colonOf(pair) : this.#endOf(value);
  }

  /** Just behind the colon of a name. */
  #colonOf({ key }: Pair): number | null {
    const end = isScalar(key) ? key.range?.[1] : undefined;
    if (end === undefined) return null;
    const blanks = /^[ \t]*:/.exec(this.#text.slice(end, end + 200))?.[0];
    return blanks === undefined ? null : end + blanks.length;
  }

  #columnOf(pair: Pair): number | null {
    const start = this.#startOf(pair);
    return start === null ? null : this.#column(start);
  }

  #column(at: number): number {
    return at - this.#lineStart(at);
  }

  #lineStart(at: number): number {
    return this.#text.lastIndexOf('\n', at - 1) + 1;
  }

  /** Before its line break. */
  #lineEnd(at: number): number {
    const end = this.#text.indexOf('\n', at);
    if (end < 0) return this.#text.length;
    return end > at && this.#text[end - 1] === '\r' ? end - 1 : end;
  }

  #afterLine(at: number): number {
    const end = this.#text.indexOf('\n', at);
    return end < 0 ? this.#text.length : end + 1;
  }

  #indentAt(at: number): string {
    return /^[ \t]*/.exec(this.#text.slice(this.#lineStart(at), at))![0];
  }

  #newlineOf(end: number): string {
    return this.#text[end - 1] === '\n' ? this.#newline : '';
  }

  #commaAfter(from: number, to: number): number | null {
    for (let at = from; at < to; at++) {
      const char = this.#text[at];
      if (char === ',') return at;
      if (char === '#') at = this.#lineEnd(at);
      else if (char !== undefined && !/\s/.test(char)) return null;
    }
    return null;
  }

  #isInFlow(at: number): boolean {
    const isIn = (node: unknown): boolean => {
      if (!isCollection(node)) return false;
      const [from, to] = node.range ?? [0, 0];
      if (node.flow === true) return from < at && at < to;
      return node.items.some((item) => isIn((item as Pair).value ?? item));
    };
    return isIn(this.#reading.document.contents);
  }

  /** Blanks by which one level stands further in than the one around it, as the text has it. */
  #stepOf(): number {
    if (this.#step > 0) return this.#step;
    const json = /\n([ \t]+)\S/.exec(this.#text)?.[1]?.length;
    this.#step =
      this.#format === 'json' ? (json ?? 2) : (stepWithin(this.#reading.document.contents, (at) => this.#column(at)) ?? 2);
    return this.#step;
  }

  #lines(value: unknown, column: number): string {
    const lead = ' '.repeat(column);
    return stringify(value, { lineWidth: 0, indent: this.#stepOf() })
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : lead + line))
      .join(this.#newline);
  }

  /** On one line in YAML. In JSON in lines that go on from `indent`. */
  #inline(value: unknown, indent: string): string {
    if (this.#format === 'json') {
      const unit = indent.includes('\t') ? '\t' : this.#stepOf();
      return JSON.stringify(value, null, unit).replaceAll('\n', this.#newline + indent);
    }
    if (typeof value === 'string' && value.includes('\n')) return JSON.stringify(value);
    return stringify(value, { lineWidth: 0, collectionStyle: 'flow' }).trimEnd().replaceAll(/\n\s*/g, ' ');
  }

  /** Members without the braces around them. */
  #inner(value: unknown, indent: string): string {
    if (this.#format === 'yaml') return this.#inline(value, '').slice(1, -1).trim();
    return Object.entries(value as object)
      .map(([name, inner]) => `${JSON.stringify(name)}: ${this.#inline(inner, indent)}`)
      .join(', ');
  }
}

function stepWithin(node: unknown, columnOf: (at: number) => number): number | null {
  if (!isMap(node) || node.flow === true) return null;
  for (const { key, value } of node.items) {
    const inner = isMap(value) && value.flow !== true ? value.items[0]?.key : undefined;
    if (isScalar(key) && isScalar(inner) && key.range && inner.range) {
      const step = columnOf(inner.range[0]) - columnOf(key.range[0]);
      if (step > 0) return step;
    }
  }
  return null;
}

/** The policy as it is to be. */
function meant(policy: Policy, path: Path, value: unknown): unknown {
  const copy: unknown = structuredClone(policy);
  let node = copy as Record<string | number, unknown>;
  for (const [i, part] of path.slice(0, -1).entries()) {
    if (typeof node[part] !== 'object' || node[part] === null) {
      if (value === undefined) return copy;
      node[part] = typeof path[i + 1] === 'number' ? [] : {};
    }
    node = node[part] as Record<string | number, unknown>;
  }
  const last = path.at(-1)!;
  if (value !== undefined) node[last] = value;
  else if (Array.isArray(node)) node.splice(Number(last), 1);
  else delete node[last];
  return copy;
}

/** Whether two values say the same: what is empty says nothing. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b || (isEmpty(a) && isEmpty(b));
  if (Array.isArray(a) !== Array.isArray(b)) return isEmpty(a) && isEmpty(b);
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((each, i) => isSame(each, b[i]));
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => isSame(left[name], right[name]));
}

function isEmpty(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === 'object' && value !== null && Object.values(value).every(isEmpty);
}

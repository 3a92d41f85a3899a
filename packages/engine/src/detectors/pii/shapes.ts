// Shapes of numbers: how many digits stand in each group and what separates the groups, as in `3-2-4`.
// All shapes stand in one tree, so a place in a text costs a few steps whatever the number of shapes, and a text such as
// 1-1-1-… none beyond the first.

/** The groups of digits of one run: `starts[i]`, `ends[i]`, and `gaps[i]`, the kind of what separates group i from i − 1. */
export interface Groups {
  readonly starts: number[];
  readonly ends: number[];
  readonly gaps: number[];
}

/** Kinds of gaps: an index into this; 0 is none or a mixture no shape has. `)` stands for `)`, `) ` and `)-`, `(` for ` (`. */
const GAPS = ['', ' ', '-', '.', '/', ':', ')', '('];
const NO_GAP = 0;
export const SPACE_GAP = 1;

/** Longer groups of digits are nothing we know. */
const GROUP_LENGTH_MAX = 24;

interface Node<T> {
  readonly values: T[];
  readonly next: (Node<T> | undefined)[];
}

/** A tree of shapes, each leading to one or more values. */
export class ShapeTree<T> {
  readonly #root: Node<T> = { values: [], next: [] };

  /** Adds a shape such as `16`, `4 4 4 4`, `3)3-4`. */
  add(shape: string, value: T): void {
    let node = this.#root;
    for (const [, gap, length] of shape.matchAll(/(\D?)(\d+)/g)) {
      const edge = edgeOf(GAPS.indexOf(gap!), Number(length));
      node = node.next[edge] ??= { values: [], next: [] };
    }
    node.values.push(value);
  }

  /** Calls `visit` for each value whose shape the groups from `first` on have; `last` is the last group of it. */
  walk(groups: Groups, first: number, visit: (value: T, last: number) => void): void {
    let node: Node<T> | undefined = this.#root;
    for (let i = first; i < groups.starts.length; i++) {
      const length = groups.ends[i]! - groups.starts[i]!;
      const gap = groups.gaps[i]!;
      if (length > GROUP_LENGTH_MAX || (i > first && gap === NO_GAP)) return;
      node = node.next[edgeOf(i === first ? NO_GAP : gap, length)];
      if (node === undefined) return;
      for (const value of node.values) visit(value, i);
    }
  }
}

function edgeOf(gap: number, length: number): number {
  return gap * (GROUP_LENGTH_MAX + 1) + length;
}

/** Splits the run `[start, end)` of a text into its groups of digits. Linear in its length. */
export function groupsOf(text: string, start: number, end: number): Groups {
  const groups: Groups = { starts: [], ends: [], gaps: [] };
  let at = start;
  let gap = NO_GAP;
  while (at < end) {
    const from = at;
    while (at < end && isDigitAt(text, at)) at++;
    groups.starts.push(from);
    groups.ends.push(at);
    groups.gaps.push(gap);
    const gapStart = at;
    while (at < end && !isDigitAt(text, at)) at++;
    gap = gapKind(text, gapStart, at);
  }
  return groups;
}

function isDigitAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

function gapKind(text: string, start: number, end: number): number {
  const first = text[start] ?? '';
  if (end - start === 1) return GAPS.indexOf(first);
  const second = text[start + 1];
  if (first === ')' && (second === ' ' || second === '-')) return GAPS.indexOf(')');
  return first === ' ' && second === '(' ? GAPS.indexOf('(') : NO_GAP;
}

/** The digits of the groups `first` to `last`, without what separates them. */
export function digitsOf(text: string, groups: Groups, first: number, last: number): string {
  let digits = '';
  for (let i = first; i <= last; i++) digits += text.slice(groups.starts[i], groups.ends[i]);
  return digits;
}

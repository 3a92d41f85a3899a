// Values that are digits in a known shape: cards, social security numbers, national ids. Each run of digits of the survey is
// split into groups, and at each group that can begin a value the tree of shapes tells which recognisers to ask.

import type { AnchorHits } from '../../types.ts';
import { isAlphanumeric, isAsciiLetter, isDigit, isLetter, isWord } from './chars.ts';
import { cuesNear, type Near } from './cues.ts';
import type { Find } from './finds.ts';
import { digitsOf, type Groups, ShapeTree } from './shapes.ts';

/** A number in one of a recogniser's shapes. */
export interface NumberValue {
  readonly digits: string;
  /** The shape it has, such as `3-2-4`. */
  readonly shape: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** The words around it; looked up when first asked for. */
  readonly near: Near;
}

/** What a number is, without its place; `null` when it is not. */
export type Verdict = Omit<Find, 'start' | 'end'> | null;

/** A family of numbers of fixed shapes. */
export interface NumberRecogniser {
  readonly shapes: readonly string[];
  recognise(value: NumberValue): Verdict;
}

interface Entry {
  readonly shape: string;
  readonly recogniser: NumberRecogniser;
}

/** Puts the shapes of all recognisers into one tree. */
export function shapeTreeOf(recognisers: readonly NumberRecogniser[]): ShapeTree<Entry> {
  const tree = new ShapeTree<Entry>();
  for (const recogniser of recognisers) for (const shape of recogniser.shapes) tree.add(shape, { shape, recogniser });
  return tree;
}

/** Finds numbers that begin at group `first` and stand alone; `report` gets each. */
export function findNumbers(
  tree: ShapeTree<Entry>,
  text: string,
  groups: Groups,
  first: number,
  hits: AnchorHits,
  report: (find: Find) => void,
): void {
  tree.walk(groups, first, ({ shape, recogniser }, last) => {
    if (!canEnd(text, groups, last)) return;
    const value = new FoundNumber(text, groups, first, last, shape, hits);
    const verdict = recogniser.recognise(value);
    if (verdict !== null) report({ ...verdict, start: value.start, end: value.end });
  });
}

/** Most numbers fail their checksum, so their surroundings are never looked at. */
class FoundNumber implements NumberValue {
  readonly digits: string;
  readonly shape: string;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly #hits: AnchorHits;
  #near: Near | null = null;

  constructor(text: string, groups: Groups, first: number, last: number, shape: string, hits: AnchorHits) {
    this.text = text;
    this.shape = shape;
    this.digits = digitsOf(text, groups, first, last);
    this.start = groups.starts[first]!;
    this.end = groups.ends[last]!;
    this.#hits = hits;
  }

  get near(): Near {
    this.#near ??= cuesNear(this.text, this.#hits, this.start, this.end);
    return this.#near;
  }
}

/** True when a value can begin at group `i`: nothing of a longer number or word is just before it. */
export function canBegin(text: string, groups: Groups, i: number): boolean {
  const start = groups.starts[i]!;
  const before = text.charCodeAt(start - 1);
  if (i > 0) return isOpeningGap(before) && !isFraction(text, start);
  if (isWord(before) || MONEY.includes(text[start - 1] ?? ' ')) return false;
  if (before === COMMA) return !(isDigit(text.charCodeAt(start - 2)) && groups.ends[i]! - start === 3);
  return !(JOINERS.includes(text[start - 1] ?? ' ') && isAlphanumeric(text.charCodeAt(start - 2)));
}

/** True when a value can end with group `i`. */
export function canEnd(text: string, groups: Groups, i: number): boolean {
  const end = groups.ends[i]!;
  const after = text.charCodeAt(end);
  if (i < groups.starts.length - 1) return isClosingGap(text, end);
  if (isWord(after) || after === PERCENT) return false;
  const next = text.charCodeAt(end + 1);
  if (after === FULL_STOP) return !isAsciiLetter(next) || (next & 32) === 0;
  return !(after === HYPHEN && isLetter(next));
}

const MONEY = '$£€¥₹+#';
const JOINERS = '-./\\';
const COMMA = 44;
const FULL_STOP = 46;
const HYPHEN = 45;
const PERCENT = 37;
const SPACE = 32;

/** Within a run, a value begins after a space, a colon or a bracket. */
function isOpeningGap(before: number): boolean {
  return before === SPACE || before === 58 || before === 40;
}

function isClosingGap(text: string, end: number): boolean {
  const code = text.charCodeAt(end);
  return code === SPACE || code === 58 || code === 41 || text.charCodeAt(end + 1) === SPACE;
}

/** `3 .5`: a space before a decimal sign is rare, but a run may hold it. */
function isFraction(text: string, start: number): boolean {
  return text.charCodeAt(start - 1) === FULL_STOP && isDigit(text.charCodeAt(start - 2));
}

// Reads a text with the statistical model: a convolution over word embeddings, pooled over overlapping windows.
//
// The first layer of a convolution over embeddings is a sum of one vector per word and place, so each word's vectors are worked out
// when it is first met and then only added up: a word costs three look-ups and some additions.

import type { View } from '../text/view.ts';
import { TEXT_MODEL, UNIT, WIDTH, type Head, type TextModel } from './model.ts';
import { tokenise, type Tokens } from './tokens.ts';

/** Tokens that are pooled first. Windows are two neighbouring blocks, so that each place stands well inside of one. */
const BLOCK = 32;
/** Passages end with sections of so many blocks: those of several outputs would else overlap each other all along a text. */
const SECTION_BLOCKS = 8;
/** How far, in characters, the first token of a block may be from its last, and tokens from each other to be neighbours. */
export interface Bounds {
  readonly block: number;
  readonly neighbour: number;
}

/** Texts are read as in training, which knew no bounds. */
const UNBOUNDED: Bounds = { block: Infinity, neighbour: Infinity };
/** What one window says of an answer must not depend on text far behind it. Words take 5 characters each, those of the learned 7. */
const BOUNDED: Bounds = { block: 300, neighbour: 64 };

/** A text as the model has read it. */
export interface TextReading {
  readonly tokens: Tokens;
  readonly bounds: Bounds;
  /** Windows of the text: one for up to 64 tokens, and one more for each 32 tokens or part of it. */
  readonly windows: number;
  /** Per window: its first token, and the first behind it. */
  readonly firsts: Int32Array;
  readonly lasts: Int32Array;
  /** Per window: the token at which a section begins inside of it, or −1. */
  readonly splits: Int32Array;
  /** Per window: the highest value of each feature, then its mean. */
  readonly pooled: Float32Array;
}

const readings = new WeakMap<View, TextReading>();

/**
 * The engine's model's reading of a view, which all detectors share; `null` when time ran out before the end. `isAnswer`: of a text that may
 * still be growing.
 */
export function readingOf(view: View, isAnswer: boolean, expired: () => boolean): TextReading | null {
  const known = readings.get(view);
  if (known !== undefined) return known;
  const reading = readText(view.text, TEXT_MODEL, expired, isAnswer ? BOUNDED : UNBOUNDED);
  if (reading !== null) readings.set(view, reading);
  return reading;
}

const BLOCKS_PER_CLOCK_READ = 32; // A fraction of a millisecond.

/** Reads `text` with `model`. About 0.1 ms for 2 000 characters of words met before. `null` once `expired` says so. */
export function readText(
  text: string,
  model: TextModel,
  expired: () => boolean = () => false,
  bounds: Bounds = UNBOUNDED,
): TextReading | null {
  const tokens = tokenise(text, model.vocabulary);
  const { features, rows, bias } = model;
  const { values } = rows;
  const { ids, cases, length } = tokens;
  const starts = blocksOf(tokens, bounds);
  const blocks = starts.length - 1;
  const highest = new Int32Array(blocks * features);
  const sums = new Int32Array(blocks * features);
  for (let block = 0; block < blocks; block++) {
    if (block % BLOCKS_PER_CLOCK_READ === BLOCKS_PER_CLOCK_READ - 1 && expired()) return null;
    const first = starts[block]!;
    const count = starts[block + 1]! - first;
    rows.makeRoom(BLOCK + 2);
    // Place 0 is that of the token before the block.
    for (let i = 0; i < count + 2; i++) {
      const at = first + i - 1;
      OFFSETS[i] = at < 0 || at >= length ? NOTHING : rows.offsetOf(ids[at]!, cases[at]!);
    }
    if (!areNeighbours(tokens, first - 1, bounds)) OFFSETS[0] = NOTHING;
    if (!areNeighbours(tokens, first + count - 1, bounds)) OFFSETS[count + 1] = NOTHING;
    for (let f = 0; f < features; f += 4) poolFour(values, bias, f, features, count, block * features + f, highest, sums);
  }
  return { tokens, bounds, ...pooledWindows(tokens, bounds, starts, highest, sums, features) };
}

/** First token of each block, and the number of tokens. At least one block. */
function blocksOf({ starts, length }: Tokens, bounds: Bounds): number[] {
  const blocks = [0];
  for (let first = 0; first < length; blocks.push(first)) {
    const last = Math.min(length, first + BLOCK);
    if (starts[last - 1]! - starts[first]! <= bounds.block) first = last;
    else for (const limit = starts[first]! + bounds.block; starts[first]! <= limit;) first++;
  }
  if (length === 0) blocks.push(0);
  return blocks;
}

/** Whether the token at `at` and the next one stand together. */
function areNeighbours({ starts, length }: Tokens, at: number, bounds: Bounds): boolean {
  return at >= 0 && at + 1 < length && starts[at + 1]! - starts[at]! <= bounds.neighbour;
}

/** Where the rows of a block's tokens begin, with those of the tokens before and after it. */
const OFFSETS = new Int32Array(BLOCK + 2);

/**
 * The highest value and the sum of four features over a block. Four at a time share the look-ups of rows, and without branches,
 * half of which a processor would guess wrongly: `x & ~(x >> 31)` is x where it is above 0, else 0.
 */
function poolFour(
  values: Int16Array,
  bias: Int32Array,
  feature: number,
  features: number,
  count: number,
  into: number,
  highest: Int32Array,
  sums: Int32Array,
): void {
  const biasA = bias[feature]!;
  const biasB = bias[feature + 1]!;
  const biasC = bias[feature + 2]!;
  const biasD = bias[feature + 3]!;
  let highA = 0;
  let highB = 0;
  let highC = 0;
  let highD = 0;
  let sumA = 0;
  let sumB = 0;
  let sumC = 0;
  let sumD = 0;
  for (let i = 0; i < count; i++) {
    const before = OFFSETS[i]! + feature;
    const here = OFFSETS[i + 1]! + features + feature;
    const after = OFFSETS[i + 2]! + 2 * features + feature;
    const a = (biasA + values[before]! + values[here]! + values[after]!) | 0;
    const b = (biasB + values[before + 1]! + values[here + 1]! + values[after + 1]!) | 0;
    const c = (biasC + values[before + 2]! + values[here + 2]! + values[after + 2]!) | 0;
    const d = (biasD + values[before + 3]! + values[here + 3]! + values[after + 3]!) | 0;
    const keptA = a & ~(a >> 31);
    const keptB = b & ~(b >> 31);
    const keptC = c & ~(c >> 31);
    const keptD = d & ~(d >> 31);
    sumA = (sumA + keptA) | 0;
    sumB = (sumB + keptB) | 0;
    sumC = (sumC + keptC) | 0;
    sumD = (sumD + keptD) | 0;
    highA += (keptA - highA) & ~((keptA - highA) >> 31);
    highB += (keptB - highB) & ~((keptB - highB) >> 31);
    highC += (keptC - highC) & ~((keptC - highC) >> 31);
    highD += (keptD - highD) & ~((keptD - highD) >> 31);
  }
  highest[into] = highA;
  highest[into + 1] = highB;
  highest[into + 2] = highC;
  highest[into + 3] = highD;
  sums[into] = sumA;
  sums[into + 1] = sumB;
  sums[into + 2] = sumC;
  sums[into + 3] = sumD;
}

/** The row of nothing, see `RowCache`. */
const NOTHING = 0;

function pooledWindows(
  tokens: Tokens,
  bounds: Bounds,
  starts: readonly number[],
  highest: Int32Array,
  sums: Int32Array,
  features: number,
): Omit<TextReading, 'tokens' | 'bounds'> {
  const blocks = starts.length - 1;
  const hasNext = (block: number): boolean => block + 1 < blocks && areNeighbours(tokens, starts[block + 1]! - 1, bounds);
  // The last of neighbouring blocks is in the window of the one before it.
  const opening: number[] = [];
  for (let block = 0; block < blocks; block++) if (block === 0 || hasNext(block) || !hasNext(block - 1)) opening.push(block);
  const windows = opening.length;
  const firsts = new Int32Array(windows);
  const lasts = new Int32Array(windows);
  const splits = new Int32Array(windows);
  const pooled = new Float32Array(windows * 2 * features);
  opening.forEach((block, window) => {
    const second = hasNext(block) ? block + 1 : block;
    const first = starts[block]!;
    const last = starts[second + 1]!;
    firsts[window] = first;
    lasts[window] = last;
    splits[window] = second > block && second % SECTION_BLOCKS === 0 ? starts[second]! : -1;
    const share = UNIT / Math.max(last - first, 1);
    const one = block * features;
    const other = second * features;
    const into = window * 2 * features;
    for (let f = 0; f < features; f++) {
      pooled[into + f] = Math.max(highest[one + f]!, highest[other + f]!) * UNIT;
      const sum = one === other ? sums[one + f]! : sums[one + f]! + sums[other + f]!;
      pooled[into + features + f] = sum * share;
    }
  });
  return { windows, firsts, lasts, splits, pooled };
}

/** The features at a token; those at or below zero do not count. Overwritten by the next call. */
export function valuesAt({ tokens, bounds }: TextReading, at: number, { rows, bias, features }: TextModel): Float32Array {
  const { ids, cases } = tokens;
  rows.makeRoom(WIDTH);
  const { values } = rows;
  const before = areNeighbours(tokens, at - 1, bounds) ? rows.offsetOf(ids[at - 1]!, cases[at - 1]!) : NOTHING;
  const here = rows.offsetOf(ids[at]!, cases[at]!) + features;
  const after = (areNeighbours(tokens, at, bounds) ? rows.offsetOf(ids[at + 1]!, cases[at + 1]!) : NOTHING) + 2 * features;
  for (let f = 0; f < features; f++) VALUES[f] = (bias[f]! + values[before + f]! + values[here + f]! + values[after + f]!) * UNIT;
  return VALUES;
}

const VALUES = new Float32Array(1024);

/** A head's logits, `outputs` of them per window. */
export function logitsOf({ pooled, windows }: TextReading, head: Head, features: number): Float32Array {
  const inputs = 2 * features;
  const width = head.hiddenBias.length;
  const outputs = head.outputs.length;
  const logits = new Float32Array(windows * outputs);
  const hidden = HIDDEN.subarray(0, width);
  const weights = head.hidden;
  for (let window = 0; window < windows; window++) {
    hidden.set(head.hiddenBias);
    for (let i = 0; i < inputs; i += 4) {
      const from = window * inputs + i;
      const a = pooled[from]!;
      const b = pooled[from + 1]!;
      const c = pooled[from + 2]!;
      const d = pooled[from + 3]!;
      const row = i * width;
      for (let h = 0; h < width; h++) {
        const at = row + h;
        hidden[h]! += a * weights[at]! + b * weights[at + width]! + c * weights[at + 2 * width]! + d * weights[at + 3 * width]!;
      }
    }
    const into = window * outputs;
    for (let o = 0; o < outputs; o++) logits[into + o] = head.outBias[o]!;
    for (let h = 0; h < width; h++) {
      const value = hidden[h]!;
      if (value <= 0) continue;
      for (let o = 0; o < outputs; o++) logits[into + o]! += value * head.out[h * outputs + o]!;
    }
  }
  return logits;
}

const HIDDEN = new Float64Array(256);

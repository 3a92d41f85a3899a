// Reads a text with the statistical model: a convolution over word embeddings, pooled over overlapping windows.
//
// The first layer of a convolution over embeddings is a sum of one vector per word and place, so each word's vectors are worked out
// when it is first met and then only added up: a word costs three look-ups and some additions.

import type { View } from '../text/view.ts';
import { TEXT_MODEL, UNIT, WIDTH, type Head, type TextModel } from './model.ts';
import { tokenise, type Tokens } from './tokens.ts';

/** Tokens that are pooled first. Windows are two neighbouring blocks, so that each place stands well inside of one. */
export const BLOCK = 32; // 2 to the power of BLOCK_BITS.
const WINDOW_BLOCKS = 2;

/** A text as the model has read it. */
export interface TextReading {
  readonly tokens: Tokens;
  /** Windows of the text: one for up to 64 tokens, and one more for each 32 tokens or part of it. */
  readonly windows: number;
  /** Per window: the highest value of each feature, then its mean. */
  readonly pooled: Float32Array;
}

const readings = new WeakMap<View, TextReading>();

/** The engine's model's reading of a view, which all detectors share; `null` when time ran out before the end. */
export function readingOf(view: View, expired: () => boolean): TextReading | null {
  const known = readings.get(view);
  if (known !== undefined) return known;
  const reading = readText(view.text, TEXT_MODEL, expired);
  if (reading !== null) readings.set(view, reading);
  return reading;
}

/** Tokens between two looks at the clock: a fraction of a millisecond. Fewer than the rows that are kept at a time. */
const TOKENS_PER_CLOCK_READ = 1_024;

/** Reads `text` with `model`. About 0.1 ms for 2 000 characters of words met before. `null` once `expired` says so. */
export function readText(text: string, model: TextModel, expired: () => boolean = () => false): TextReading | null {
  const tokens = tokenise(text, model.vocabulary);
  const { features, rows, bias } = model;
  const { values } = rows;
  const { ids, cases, length } = tokens;
  const blocks = Math.max(1, Math.ceil(length / BLOCK));
  const highest = new Int32Array(blocks * features);
  const sums = new Int32Array(blocks * features);
  let before = NOTHING;
  let here = NOTHING;
  let after = NOTHING;
  for (let at = 0; at < length; at++) {
    if (at % TOKENS_PER_CLOCK_READ === 0) {
      if (at > 0 && expired()) return null;
      rows.makeRoom(TOKENS_PER_CLOCK_READ + 2);
      before = at > 0 ? rows.offsetOf(ids[at - 1]!, cases[at - 1]!) : NOTHING;
      here = rows.offsetOf(ids[at]!, cases[at]!);
    } else {
      before = here;
      here = after;
    }
    after = at + 1 < length ? rows.offsetOf(ids[at + 1]!, cases[at + 1]!) : NOTHING;
    const block = (at >> BLOCK_BITS) * features;
    const middle = here + features;
    const last = after + 2 * features;
    for (let f = 0; f < features; f++) {
      // Without branches, half of which a processor would guess wrongly: `x & ~(x >> 31)` is x where it is above 0, else 0.
      const sum = (bias[f]! + values[before + f]! + values[middle + f]! + values[last + f]!) | 0;
      const value = sum & ~(sum >> 31);
      const i = block + f;
      const known = highest[i]!;
      const more = (value - known) | 0;
      sums[i] = (sums[i]! + value) | 0;
      highest[i] = known + (more & ~(more >> 31));
    }
  }
  return { tokens, ...pooledWindows(length, blocks, highest, sums, features) };
}

const BLOCK_BITS = 5;
/** The row of nothing, see `RowCache`. */
const NOTHING = 0;

function pooledWindows(
  tokens: number,
  blocks: number,
  highest: Int32Array,
  sums: Int32Array,
  features: number,
): Pick<TextReading, 'windows' | 'pooled'> {
  const windows = Math.max(1, blocks - WINDOW_BLOCKS + 1);
  const pooled = new Float32Array(windows * 2 * features);
  for (let window = 0; window < windows; window++) {
    const length = Math.min(tokens, (window + WINDOW_BLOCKS) * BLOCK) - window * BLOCK;
    const share = UNIT / Math.max(length, 1);
    const first = window * features;
    const second = window + 1 < blocks ? first + features : first;
    const into = window * 2 * features;
    for (let f = 0; f < features; f++) {
      pooled[into + f] = Math.max(highest[first + f]!, highest[second + f]!) * UNIT;
      const sum = second === first ? sums[first + f]! : sums[first + f]! + sums[second + f]!;
      pooled[into + features + f] = sum * share;
    }
  }
  return { windows, pooled };
}

/** The features at a token; those at or below zero do not count. Overwritten by the next call. */
export function valuesAt({ ids, cases, length }: Tokens, at: number, { rows, bias, features }: TextModel): Float32Array {
  rows.makeRoom(WIDTH);
  const { values } = rows;
  const before = at > 0 ? rows.offsetOf(ids[at - 1]!, cases[at - 1]!) : NOTHING;
  const here = rows.offsetOf(ids[at]!, cases[at]!) + features;
  const after = (at + 1 < length ? rows.offsetOf(ids[at + 1]!, cases[at + 1]!) : NOTHING) + 2 * features;
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
    for (let i = 0; i < inputs; i++) {
      const value = pooled[window * inputs + i]!;
      if (value === 0) continue;
      const row = i * width;
      for (let h = 0; h < width; h++) hidden[h]! += value * weights[row + h]!;
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

// The weights of the text model, read once. How they were made: training/README.md; what they are good for: models/text/CARD.md.

import { readModelFile } from '../model-files.ts';
import { CASES, SPECIAL_TOKENS, vocabularyOf, type Vocabulary } from './tokens.ts';

/** Words that the convolution sees at once: the one before, the word itself, the one after. */
export const WIDTH = 3;

/** What model.json tells of the weights. */
interface Description {
  readonly entries: number;
  readonly dimensions: number;
  readonly features: number;
  readonly hidden: number;
  /** Outputs by head, in the order of the weights. */
  readonly heads: Readonly<Record<string, readonly string[]>>;
  /** Per output: logits and the scores that they mean, both ascending. */
  readonly calibration: Readonly<Record<string, { readonly logits: readonly number[]; readonly scores: readonly number[] }>>;
  /** Kinds of words, for explanations. */
  readonly kinds: readonly string[];
}

/** A small network on top of the pooled features. Matrices are row by row, a row per input; doubles spare their conversion. */
export interface Head {
  readonly outputs: readonly string[];
  readonly hidden: Float64Array;
  readonly hiddenBias: Float64Array;
  readonly out: Float64Array;
  readonly outBias: Float64Array;
}

/** The text model. */
export interface TextModel {
  readonly vocabulary: Vocabulary;
  readonly features: number;
  /** In units. */
  readonly bias: Int32Array;
  readonly rows: RowCache;
  readonly heads: Readonly<Record<string, Head>>;
  readonly calibration: Description['calibration'];
  readonly kinds: readonly string[];
  /** By word: its kind's index in `kinds`, or 255. */
  readonly kindOfWord: Uint8Array;
}

/** Rows kept at a time: the words of much text. Together 12 MB, taken from the system as they fill. */
const ROWS_MAX = 32_768;
/** Features are counted in whole numbers of this part of 1: sums of whole numbers need no branches. */
export const UNIT = 1 / 1024;

const VALUE_MIN = -32_768;
const VALUE_MAX = 32_767;

/**
 * What each word, in each way of writing it, adds to the features at the three places of the convolution. Worked out when a word is
 * first met and kept while there is room, so that the words in use lie close together.
 */
class RowCache {
  /** The rows, one after another: by place, then by feature, in units. The first is zero: what stands beyond the ends of a text. */
  readonly values: Int16Array;
  private readonly slots: Int32Array;
  private used = 1;
  private readonly embeddings: Int8Array;
  private readonly scales: Float32Array;
  private readonly cases: Float32Array;
  private readonly convolution: Float32Array;
  private readonly stride: number;
  private readonly sums: Float32Array;

  constructor(embeddings: Int8Array, scales: Float32Array, cases: Float32Array, convolution: Float32Array) {
    this.embeddings = embeddings;
    this.scales = scales;
    this.cases = cases;
    this.convolution = convolution;
    this.stride = convolution.length / scales.length;
    this.values = new Int16Array(ROWS_MAX * this.stride);
    this.sums = new Float32Array(this.stride);
    this.slots = new Int32Array((embeddings.length / scales.length) * CASES);
  }

  /** Where in `values` the row of a word begins. Valid until `makeRoom`. */
  offsetOf(word: number, wordCase: number): number {
    const slot = this.slots[word * CASES + wordCase]!;
    return (slot === 0 ? this.add(word, wordCase) : slot) * this.stride;
  }

  /** Sees to it that the rows of `tokens` tokens can be kept together. */
  makeRoom(tokens: number): void {
    if (this.used + tokens <= ROWS_MAX) return;
    this.slots.fill(0);
    this.used = 1;
  }

  private add(word: number, wordCase: number): number {
    const slot = this.used++;
    this.slots[word * CASES + wordCase] = slot;
    const { embeddings, scales, cases, convolution, stride } = this;
    const dimensions = scales.length;
    const sums = this.sums.fill(0);
    for (let d = 0; d < dimensions; d++) {
      const value = embeddings[word * dimensions + d]! * scales[d]! + cases[wordCase * dimensions + d]!;
      const weights = d * stride;
      for (let i = 0; i < stride; i++) sums[i]! += value * convolution[weights + i]!;
    }
    const row = slot * stride;
    for (let i = 0; i < stride; i++) this.values[row + i] = Math.max(VALUE_MIN, Math.min(VALUE_MAX, Math.round(sums[i]! / UNIT)));
    return slot;
  }
}

/** Reads the text model of the engine, or the one called `name` in another `folder`. Throws when its files do not fit each other. */
export function loadTextModel(name = 'text', folder?: string): TextModel {
  const description = JSON.parse(readModelFile(name, 'model.json', folder).toString()) as Description;
  const { entries, dimensions, features, hidden } = description;
  const bytes = readModelFile(name, 'weights.bin', folder);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  let offset = 0;
  const take = (size: number): number => {
    const start = offset;
    offset += Math.ceil(size / 4) * 4;
    return start;
  };
  const floats = (length: number): Float32Array => new Float32Array(buffer, take(length * 4), length);

  const doubles = (length: number): Float64Array => Float64Array.from(floats(length));

  const words = entries + SPECIAL_TOKENS;
  const vocabulary = vocabularyOf(new Uint32Array(buffer, take(entries * 4), entries));
  const scales = floats(dimensions);
  const embeddings = new Int8Array(buffer, take(words * dimensions), words * dimensions);
  const kindOfWord = new Uint8Array(buffer, take(words), words);
  const convolution = floats(dimensions * WIDTH * features);
  const bias = Int32Array.from(floats(features), (value) => Math.round(value / UNIT));
  const cases = floats(CASES * dimensions);
  const heads: Record<string, Head> = {};
  for (const [name, outputs] of Object.entries(description.heads)) {
    heads[name] = {
      outputs,
      hidden: doubles(2 * features * hidden),
      hiddenBias: doubles(hidden),
      out: doubles(hidden * outputs.length),
      outBias: doubles(outputs.length),
    };
  }
  if (offset !== buffer.byteLength) throw new Error(`the weights of ${name} are not those of its model.json`);

  const rows = new RowCache(embeddings, scales, cases, convolution);
  const { calibration, kinds } = description;
  return { vocabulary, features, bias, rows, heads, calibration, kinds, kindOfWord };
}

/** The text model of the engine. */
export let TEXT_MODEL = loadTextModel();

/** Puts another model in its place, to measure it. */
export function replaceTextModel(name: string, folder: string): void {
  TEXT_MODEL = loadTextModel(name, folder);
}

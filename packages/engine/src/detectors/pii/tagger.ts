// Names of people, places and organizations, addresses, nations and jobs in running text: a linear-chain conditional random
// field over hashed features, as in Lafferty, McCallum, Pereira (2001), which looks only at words that may be part of a name.
// `training/pii/tokens.py` computes the same features; `models/pii-names/parity.json` proves it.

import type { Find } from './finds.ts';
import { LABEL_COUNT, LABELS, type NamesModel } from './names-model.ts';
import { EDGES, hashOf, KIND, KNOWN, Tokens } from './tokens.ts';

/** Texts up to so many UTF-16 units are read into arrays that are kept; beyond that a text gets its own. */
const KEPT_CHARS_MAX = 32_768;
/** A run of candidates is cut at so many, which bounds what one run costs. Longer ones are lists and headings. */
const RUN_MAX = 256;
/** The same in UTF-16 units, so that no name depends on text far behind it. */
const RUN_CHARS_MAX = 384;

const L = LABEL_COUNT;
const FEATURES = 36;
const SEEDS = Int32Array.from({ length: FEATURES }, (_, k) => Math.imul(k + 1, 0x9e3779b1));

/** Tags texts with one model. Not to be used by two callers at once. */
export class Tagger {
  readonly #model: NamesModel;
  readonly #kept: Tokens = new Tokens(KEPT_CHARS_MAX);
  readonly #sums = new Int32Array(L);
  /** How the text around the run is written, see `Tokens.caseAt`. */
  #textCase = 0;
  readonly #forward = new Float64Array(RUN_MAX * L);
  readonly #backward = new Float64Array(RUN_MAX * L);
  /** Of the run just tagged: `chances[i * LABEL_COUNT + label]` of its token `i`. */
  readonly chances = new Float64Array(RUN_MAX * L);

  constructor(model: NamesModel) {
    this.#model = model;
  }

  /** The tokens of `text`, good until the next call. */
  read(text: string): Tokens {
    const tokens = text.length <= KEPT_CHARS_MAX ? this.#kept : new Tokens(text.length);
    tokens.read(text, this.#model.lexicon);
    return tokens;
  }

  /** Reports the names among the tokens of `text`. `isLate` is asked for each run of candidates; once it is true, the rest is left. */
  tag(text: string, tokens: Tokens, report: (find: Find) => void, isLate: () => boolean): void {
    this.eachRun(text, tokens, isLate, (start, end) => this.#report(tokens, start, end, report));
  }

  /** Calls `visit` with the first and the last + 1 token of each run of candidates, its `chances` set. */
  eachRun(text: string, tokens: Tokens, isLate: () => boolean, visit: (start: number, end: number) => void): void {
    const last = tokens.count + EDGES;
    for (let start = EDGES; start < last;) {
      if (tokens.candidates[start] === 0) {
        start++;
        continue;
      }
      const end = runEnd(tokens, start);
      if (isLate()) return;
      this.#textCase = tokens.caseAt(start);
      for (let i = start; i < end; i++) this.#score(text, tokens, i, start, end - 1);
      this.#infer(end - start);
      visit(start, end);
      start = end;
    }
  }

  /** Sums the weights of the features of token `i` into `chances`, as factors. `s`, `e`: first and last token of its run. */
  #score(text: string, tokens: Tokens, i: number, s: number, e: number): void {
    const { hashes, kinds, known: bits, starts, ends } = tokens;
    const sums = this.#sums.fill(0);
    const { weights, rows } = this.#model;
    const word = hashes[i]!;
    const kind = kinds[i]!;
    const known = bits[i]!;
    const start = starts[i]!;
    const end = ends[i]!;
    const isBreak = kind === KIND.newline;
    const w1 = hashes[i - 1]!;
    const w2 = hashes[i - 2]!;
    const v1 = hashes[i + 1]!;
    const v2 = hashes[i + 2]!;
    const k1 = kinds[i - 1]!;
    const n1 = kinds[i + 1]!;
    const b1 = bits[i - 1]!;
    const c1 = bits[i + 1]!;
    const before = hashes[s - 1]!;
    const after = hashes[e + 1]!;
    const beforeThat = kinds[s - 1] === KIND.edge ? before : hashes[s - 2]!;
    const isOpening = k1 === KIND.newline || k1 === KIND.stop || k1 === KIND.sign || k1 === KIND.edge ? 1 : 0;
    // A line break stands for all the space around it.
    const prefix3 = isBreak ? word : hashOf(text, start, Math.min(end, start + 3));
    const suffix2 = isBreak ? word : hashOf(text, Math.max(start, end - 2), end);
    const suffix3 = isBreak ? word : hashOf(text, Math.max(start, end - 3), end);
    const suffix4 = isBreak ? word : hashOf(text, Math.max(start, end - 4), end);
    addRow(sums, weights, rows, 0, word, 0, 0);
    addRow(sums, weights, rows, 1, word, kind, 0);
    addRow(sums, weights, rows, 2, w1, 0, 0);
    addRow(sums, weights, rows, 3, v1, 0, 0);
    addRow(sums, weights, rows, 4, w2, 0, 0);
    addRow(sums, weights, rows, 5, v2, 0, 0);
    addRow(sums, weights, rows, 6, w1, word, 0);
    addRow(sums, weights, rows, 7, word, v1, 0);
    addRow(sums, weights, rows, 8, k1, kind, n1);
    addRow(sums, weights, rows, 9, kinds[i - 2]!, k1, kind);
    addRow(sums, weights, rows, 10, kind, n1, kinds[i + 2]!);
    addRow(sums, weights, rows, 11, prefix3, kind, 0);
    addRow(sums, weights, rows, 12, suffix3, kind, 0);
    addRow(sums, weights, rows, 13, suffix4, 0, 0);
    addRow(sums, weights, rows, 14, suffix2, kind, 0);
    addRow(sums, weights, rows, 15, known, kind, 0);
    addRow(sums, weights, rows, 16, b1, known, 0);
    addRow(sums, weights, rows, 17, known, c1, 0);
    addRow(sums, weights, rows, 18, b1, known, c1);
    addRow(sums, weights, rows, 19, w2, w1, 0);
    addRow(sums, weights, rows, 20, v1, v2, 0);
    addRow(sums, weights, rows, 21, w1, kind, known);
    addRow(sums, weights, rows, 22, v1, kind, known);
    addRow(sums, weights, rows, 23, before, kind, i === s ? 1 : 0);
    addRow(sums, weights, rows, 24, after, kind, 0);
    addRow(sums, weights, rows, 25, hashes[s]!, 0, 0);
    addRow(sums, weights, rows, 26, hashes[e]!, 0, 0);
    addRow(sums, weights, rows, 27, Math.min(e - s, 6), Math.min(i - s, 5), 0);
    addRow(sums, weights, rows, 28, before, beforeThat, 0);
    addRow(sums, weights, rows, 29, bits[s]!, bits[e]!, 0);
    addRow(sums, weights, rows, 30, isOpening, kind, known);
    addRow(sums, weights, rows, 31, before, after, 0);
    addRow(sums, weights, rows, 32, this.#textCase, kind, 0);
    addRow(sums, weights, rows, 33, hashes[i - 3]!, 0, 0);
    addRow(sums, weights, rows, 34, hashes[i + 3]!, 0, 0);
    addRow(sums, weights, rows, 35, known, 0, 0);
    this.#keep(i - s);
  }

  /** Factors instead of sums, the highest 1. */
  #keep(at: number): void {
    const sums = this.#sums;
    const { scale } = this.#model;
    let highest = sums[0]!;
    for (let label = 1; label < L; label++) highest = Math.max(highest, sums[label]!);
    for (let label = 0; label < L; label++) this.chances[at * L + label] = Math.exp((sums[label]! - highest) * scale);
  }

  /** Turns the factors of a run into probabilities by its labels before and after; beyond its ends is `O`. */
  #infer(length: number): void {
    const { moves } = this.#model;
    const [factors, forward, backward] = [this.chances, this.#forward, this.#backward];
    for (let label = 0; label < L; label++) {
      forward[label] = factors[label]! * moves[label]!;
      backward[(length - 1) * L + label] = moves[label * L]!;
    }
    normalise(forward, 0);
    for (let at = L; at < length * L; at += L) {
      for (let to = 0; to < L; to++) {
        let sum = 0;
        for (let from = 0; from < L; from++) sum += forward[at - L + from]! * moves[from * L + to]!;
        forward[at + to] = sum * factors[at + to]!;
      }
      normalise(forward, at);
    }
    for (let at = (length - 2) * L; at >= 0; at -= L) {
      for (let from = 0; from < L; from++) {
        let sum = 0;
        for (let to = 0; to < L; to++) sum += moves[from * L + to]! * factors[at + L + to]! * backward[at + L + to]!;
        backward[at + from] = sum;
      }
      normalise(backward, at);
    }
    for (let at = 0; at < length * L; at += L) {
      for (let label = 0; label < L; label++) factors[at + label] = forward[at + label]! * backward[at + label]!;
      normalise(factors, at);
    }
  }

  /** Neighbours that are of one type are one name. */
  #report(tokens: Tokens, start: number, end: number, report: (find: Find) => void): void {
    for (let i = start; i < end;) {
      const label = this.#labelAt(tokens, i, start);
      const next = label === 0 ? i + 1 : this.#nameEnd(tokens, i, start, end, label);
      if (label > 0) this.#reportName(tokens, start, i, next, label, report);
      i = next;
    }
  }

  /** The token after the name of type `label` that begins with token `i`, in the run from `start` to `end`. */
  #nameEnd(tokens: Tokens, i: number, start: number, end: number, label: number): number {
    let next = i + 1;
    while (next < end && this.#labelAt(tokens, next, start) === label && !isEnd(tokens, next, label)) next++;
    return next;
  }

  #reportName(tokens: Tokens, run: number, start: number, end: number, label: number, report: (find: Find) => void): void {
    let [first, last] = [start, end - 1];
    while (first < last && isJoint(tokens, first)) first++;
    while (last > first && isJoint(tokens, last)) last--;
    if (!isName(tokens, first, last, label)) return;
    let sum = 0;
    for (let i = start; i < end; i++) sum += this.chances[(i - run) * L + label]!;
    const limit = this.#model.limits[label]!;
    // The limit is where finding more costs more than it gains: 0.5 for whoever reads the score.
    const score = Math.max(0.5, 0.5 + (0.5 * (sum / (end - start) - limit)) / (1 - limit));
    const kind = LABELS[label] as Find['kind'];
    report({ kind, start: tokens.starts[first]!, end: tokens.ends[last]!, score, method: 'heuristic', isGuess: true });
  }

  /** The likeliest type of token `i` of the run from `start` on when it is likely enough, else 0. */
  #labelAt(tokens: Tokens, i: number, start: number): number {
    const at = (i - start) * L;
    let best = 1;
    for (let label = 2; label < L; label++) if (this.chances[at + label]! > this.chances[at + best]!) best = label;
    return this.chances[at + best]! >= Math.max(this.#model.limits[best]!, neededAt(tokens, i, best, this.#textCase)) ? best : 0;
  }
}

/** The token after the run of candidates that begins at `start`. One that is too long ends behind a comma or a line. */
function runEnd({ candidates, kinds, starts }: Tokens, start: number): number {
  let end = start;
  while (end < start + RUN_MAX && candidates[end] === 1 && starts[end]! - starts[start]! <= RUN_CHARS_MAX) end++;
  if (candidates[end] === 0) return end;
  for (let at = end; at > start + 1; at--) if (kinds[at - 1] === KIND.comma || kinds[at - 1] === KIND.newline) return at;
  return end;
}

/** What a word needs that no capital marks as a name, where names have capitals or where there are none to tell. */
const DOUBTFUL_LIMIT = 0.8;
/** The same for scripts that have no capitals. */
const UNCASED_LIMIT = 0.93;

function neededAt(tokens: Tokens, i: number, label: number, textCase: number): number {
  const kind = tokens.kinds[i]!;
  if (label > ADDRESS) return 0;
  if (kind >= KIND.uncased && kind <= KIND.katakana) return UNCASED_LIMIT;
  const isSmall = kind === KIND.lower || kind === KIND.lowerMixed;
  return isSmall && textCase === 0 && (tokens.known[i]! & KNOWN.connector) === 0 ? DOUBTFUL_LIMIT : 0;
}

/** Adds the weights of feature `index` with these values. The mixing is that of `mix` in `training/pii/tokens.py`. */
function addRow(sums: Int32Array, weights: Int8Array, rows: number, index: number, a: number, b: number, c: number): void {
  let hash = SEEDS[index]! ^ a;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35) ^ c;
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f);
  const row = (((hash ^ (hash >>> 15)) >>> 0) % rows) * (L - 1) - 1;
  for (let label = 1; label < L; label++) sums[label]! += weights[row + label]!;
}

function normalise(values: Float64Array, at: number): void {
  let sum = 0;
  for (let label = 0; label < L; label++) sum += values[at + label]!;
  for (let label = 0; label < L; label++) values[at + label]! /= sum;
}

/** Signs and small words between names, which begin and end none. */
function isJoint(tokens: Tokens, i: number): boolean {
  const kind = tokens.kinds[i]!;
  return kind >= KIND.newline || (kind === KIND.lower && (tokens.known[i]! & KNOWN.connector) !== 0);
}

/** Only addresses go on in the next line, and no person beyond a stop but that of an initial or a title. */
function isEnd(tokens: Tokens, i: number, label: number): boolean {
  const kind = tokens.kinds[i];
  if (kind === KIND.newline) return label !== ADDRESS;
  const isShort = tokens.kinds[i - 1] === KIND.initial || (tokens.known[i - 1]! & KNOWN.honorific) !== 0;
  return kind === KIND.stop && label === PERSON && !isShort;
}

const PERSON = LABELS.indexOf('person');
const ADDRESS = LABELS.indexOf('address');
/** Longer ones are lists, where what is one address and what the next is guesswork. UTF-16 units. */
const NAME_MAX = 200;

/** Names hold a letter, addresses a number too. */
function isName(tokens: Tokens, first: number, last: number, label: number): boolean {
  if (tokens.ends[last]! - tokens.starts[first]! > NAME_MAX) return false;
  let hasWord = false;
  let hasNumber = false;
  for (let i = first; i <= last; i++) {
    const kind = tokens.kinds[i]!;
    hasWord ||= kind < KIND.digits2 && tokens.ends[i]! - tokens.starts[i]! > (kind === KIND.han ? 0 : 1);
    hasNumber ||= kind >= KIND.digits2 && kind <= KIND.wordWithDigit;
  }
  return hasWord && (hasNumber || label !== ADDRESS);
}

// A text as tokens: words as hashes of their stems, numbers as values, pairs of characters where a script has no spaces, and sentences.

import { BREAK, classOf, DIGIT, foldedUnit, LETTER, PAIRED, SILENT } from './characters.ts';
import { beginningOf, hashOf, stemLength, WORD_UNITS_MAX } from './stem.ts';

/** Starts with a capital and does not open its sentence. */
export const CAPITAL = 1;
/** A number in digits; its value is in `values`. */
export const NUMBER = 2;
/** A pair of characters of a script without spaces. */
export const PAIR = 4;
/** Opens its sentence. */
export const OPENING = 8;
/** Followed by `n't`, or a pair that begins with a sign for "not". */
export const NEGATED = 16;
/** The sign after a number says percent. */
export const PERCENT = 32;

/** Joined to the next word by a hyphen: the `non` of `non-profit`. */
export const PREFIX = 64;

/** A text taken apart. All arrays have `count` entries in use; offsets are UTF-16, end exclusive. */
export interface Tokens {
  readonly count: number;
  /** Hash of the folded word as it stands. */
  readonly exacts: Int32Array;
  readonly stems: Int32Array;
  /** Hash of the first letters, 0 for short words. */
  readonly beginnings: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  /** Values of numbers in digits, `NaN` elsewhere. */
  readonly values: Float64Array;
  readonly sentences: readonly Sentence[];
  /** True when the bound left part of the text unread. */
  readonly isCut: boolean;
}

/** `first`, `last`: its tokens, `last` exclusive. A sentence holds at least one token. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly first: number;
  readonly last: number;
  readonly isQuestion: boolean;
}

/** Takes `texts` apart in order, as if one after the other; offsets are those of each text. Reads at most `tokensMax` tokens. */
export function tokensOf(texts: readonly string[], tokensMax: number): Tokens {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  const tokenizer = new Tokenizer(Math.min(tokensMax, units + 1));
  for (const text of texts) tokenizer.read(text);
  return tokenizer;
}

const WORD = new Uint16Array(WORD_UNITS_MAX);
const STOP = 0x2e;
const QUESTION_MARKS = new Set([...'?？؟'].map((mark) => mark.charCodeAt(0)));
/** Marks that end a sentence wherever they stand; `.`, `?` and `!` do only before a blank. */
const FULL_STOPS = new Set([...'。！？؟।॥۔\n'].map((mark) => mark.charCodeAt(0)));
const NOT_SIGNS = new Set([...'不没沒未無无'].map((sign) => sign.charCodeAt(0)));
const APOSTROPHES = new Set([0x27, 0x2019]);
const LETTERS_AFTER_APOSTROPHE_MAX = 2;

class Tokenizer implements Tokens {
  count = 0;
  readonly exacts: Int32Array;
  readonly stems: Int32Array;
  readonly beginnings: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly flags: Uint8Array;
  readonly values: Float64Array;
  readonly sentences: Sentence[] = [];
  isCut = false;
  private readonly max: number;
  private text = '';
  private sentenceFirst = 0;

  constructor(max: number) {
    this.max = max;
    this.exacts = new Int32Array(max);
    this.stems = new Int32Array(max);
    this.beginnings = new Int32Array(max);
    this.starts = new Int32Array(max);
    this.ends = new Int32Array(max);
    this.flags = new Uint8Array(max);
    this.values = new Float64Array(max);
  }

  read(text: string): void {
    this.text = text;
    const { length } = text;
    for (let i = 0; i < length && this.count < this.max;) {
      const unit = text.charCodeAt(i);
      switch (classOf(unit)) {
        case LETTER:
          i = this.readWord(i);
          break;
        case DIGIT:
          i = this.readNumber(i);
          break;
        case PAIRED:
          i = this.readPair(i);
          break;
        default:
          i++;
          if (isSentenceEnd(text, i, unit)) this.endSentence(i, QUESTION_MARKS.has(unit));
      }
    }
    if (this.count >= this.max) this.isCut = true;
    this.endSentence(this.isCut ? this.ends[this.count - 1]! : length, false);
  }

  private add(exact: number, stem: number, beginning: number, start: number, end: number, flags: number, value: number): void {
    const at = this.count++;
    this.exacts[at] = exact;
    this.stems[at] = stem;
    this.beginnings[at] = beginning;
    this.starts[at] = start;
    this.ends[at] = end;
    this.flags[at] = flags | (at === this.sentenceFirst ? OPENING : 0);
    this.values[at] = value;
  }

  private readWord(start: number): number {
    const { text } = this;
    let length = 0;
    let end = start;
    for (; end < text.length; end++) {
      const unit = text.charCodeAt(end);
      const kind = classOf(unit);
      if (kind === SILENT) continue;
      // Digits inside belong to the word: `Q2`, `B2B`.
      if (kind !== LETTER && kind !== DIGIT) break;
      if (length < WORD_UNITS_MAX) WORD[length++] = foldedUnit(unit);
    }
    const after = this.isAfterApostrophe(start, end);
    if (after) {
      if (this.count > 0 && WORD[length - 1] === 0x74) this.flags[this.count - 1]! |= NEGATED;
      return end;
    }
    const unit = text.charCodeAt(start);
    const isCapital = foldedUnit(unit) !== unit && text[start] !== text[start]!.toLowerCase();
    const beginning = beginningOf(WORD, length);
    const exact = hashOf(WORD, length);
    const stem = hashOf(WORD, stemLength(WORD, length));
    const isPrefix = text[end] === '-' && classOf(text.charCodeAt(end + 1)) === LETTER;
    const flags = (isCapital && this.count > this.sentenceFirst ? CAPITAL : 0) | (isPrefix ? PREFIX : 0);
    this.add(exact, stem, beginning, start, end, flags, Number.NaN);
    return end;
  }

  /** The `s`, `t`, `ll` of `it's`, `don't`, `we'll`, whole or split off as in `do n't`. */
  private isAfterApostrophe(start: number, end: number): boolean {
    const { text } = this;
    if (end - start > LETTERS_AFTER_APOSTROPHE_MAX || start === 0) return false;
    if (!APOSTROPHES.has(text.charCodeAt(start - 1))) return false;
    return /^(?:s|t|re|ve|ll|d|m)$/i.test(text.slice(start, end));
  }

  private readNumber(start: number): number {
    const { text } = this;
    let end = start;
    for (; end < text.length; end++) {
      const kind = classOf(text.charCodeAt(end));
      if (kind === DIGIT) continue;
      const isInside = /[.,]/.test(text[end]!) && end + 1 < text.length && classOf(text.charCodeAt(end + 1)) === DIGIT;
      if (!isInside) break;
    }
    const value = valueOf(text, start, end);
    // `19th`, `1990s`: the letters say nothing more.
    const suffix = /^(?:st|nd|rd|th|s|º|ª)(?![\p{L}\p{N}])/iu.exec(text.slice(end, end + 4))?.[0].length ?? 0;
    const stem = stemOfValue(value);
    const isPercent = /^\s?[%٪％]/.test(text.slice(end, end + 2));
    this.add(stem, stem, 0, start, end + suffix, NUMBER | (isPercent ? PERCENT : 0), value);
    return end + suffix;
  }

  private readPair(start: number): number {
    const { text } = this;
    const next = start + 1 < text.length ? text.charCodeAt(start + 1) : 0;
    const isPair = classOf(next) === PAIRED;
    // A character after a pair is in that pair already; one that stands alone is a token by itself.
    const isTail = start > 0 && classOf(text.charCodeAt(start - 1)) === PAIRED;
    if (!isPair && isTail) return start + 1;
    WORD[0] = foldedUnit(text.charCodeAt(start));
    WORD[1] = foldedUnit(next);
    const flags = PAIR | (NOT_SIGNS.has(WORD[0]) ? NEGATED : 0);
    const hash = hashOf(WORD, isPair ? 2 : 1);
    this.add(hash, hash, 0, start, isPair ? start + 2 : start + 1, flags, Number.NaN);
    return start + 1;
  }

  private endSentence(end: number, isQuestion: boolean): void {
    if (this.count > this.sentenceFirst) {
      this.sentences.push({
        start: this.starts[this.sentenceFirst]!,
        end,
        first: this.sentenceFirst,
        last: this.count,
        isQuestion,
      });
    }
    this.sentenceFirst = this.count;
  }
}

/** The stem of a number is its value, so that `1,000` and `1000` are one. */
export function stemOfValue(value: number): number {
  const key = Math.round(value * 1_000);
  return (Math.imul(key | 0, 0x9e3779b1) ^ Math.imul(Math.floor(key / 2 ** 32) | 0, 0x85ebca6b)) | 1;
}

/** `1,000.5`, `1.000,5`, `1,5`, `1,000`: the last separator is a decimal one unless exactly three digits follow a comma, or it repeats. */
function valueOf(text: string, start: number, end: number): number {
  let digits = '';
  let separators = '';
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (classOf(unit) === DIGIT) digits += String.fromCharCode(foldedUnit(unit));
    else {
      separators += text[i];
      digits += text[i];
    }
  }
  if (separators === '') return Number(digits);
  const last = separators.at(-1)!;
  const decimals = digits.length - digits.lastIndexOf(last) - 1;
  const isRepeated = separators.indexOf(last) < separators.length - 1;
  const isGrouping = isRepeated || (decimals === 3 && last === ',' && separators.length === 1);
  const at = isGrouping ? digits.length : digits.lastIndexOf(last);
  return Number(`${digits.slice(0, at).replaceAll(/[.,]/g, '')}.${digits.slice(at + 1).replaceAll(/[.,]/g, '')}`);
}

/** Whether a sentence ends just before `after`, where `unit` stands. */
function isSentenceEnd(text: string, after: number, unit: number): boolean {
  if (FULL_STOPS.has(unit)) return true;
  if (unit !== STOP && unit !== 0x3f && unit !== 0x21) return false;
  const next = after < text.length ? text.charCodeAt(after) : 0x20;
  if (next > 0x20 && next !== 0x22 && next !== 0x29 && next !== 0x201d) return false;
  return unit !== STOP || !isAbbreviation(text, after - 1);
}

/** `Dr.`, `U.S.`, `e.g.`, `No. 5`: a short word with a capital or inner stops, or one that is always cut short. */
function isAbbreviation(text: string, stop: number): boolean {
  if (classOf(text.charCodeAt(stop - 1)) === BREAK) return false;
  const word = /[\p{L}.]{1,8}$/u.exec(text.slice(Math.max(0, stop - 8), stop))?.[0];
  if (word === undefined) return false;
  if (word.includes('.') || (word.length === 1 && word !== 'I')) return true;
  return ABBREVIATIONS.has(word.toLowerCase());
}

const ABBREVIATIONS = new Set(
  'mr mrs ms dr prof st no vs etc inc ltd co corp jr sr approx dept est fig gen rep sen gov bzw ca nr str usw vgl sra sres av jan feb mar apr jun jul aug sep sept oct nov dec'.split(
    ' ',
  ),
);

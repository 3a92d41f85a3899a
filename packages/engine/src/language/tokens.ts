// Cuts a text into the tokens that the statistical models read: words and pieces of words of a fixed vocabulary.

import { CLASSES, DIGIT, FOLDED, LETTER, NEWLINE, NOTHING, SPACE, SURROGATE } from './characters.ts';

/** Tokens that stand for kinds of text. Vocabularies give their words the ids after these. */
export const UNKNOWN = 0;
export const LINE_BREAK = 1;
export const PARAGRAPH_BREAK = 2;
export const NUMBER = 3;
export const LONG_WORD = 4;
export const EMOJI = 5;
export const SPECIAL_TOKENS = 6;

/** How a word is written. Added to each of its tokens. */
export const LOWER = 0;
export const TITLE = 1;
export const UPPER = 2;
export const CASES = 3;

/** Tokens of a text, in order; `length` of them are in use. Offsets are UTF-16 units of the text, ends exclusive. */
export interface Tokens {
  readonly length: number;
  /** Indices into the vocabulary. */
  readonly ids: Uint16Array;
  readonly cases: Uint8Array;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

/** The words and pieces that have an id of their own, by the hash of their folded letters. */
export interface Vocabulary {
  readonly size: number;
  /** Open addressing, a power of two of slots: hash and id; an id of 0 marks a free one. */
  readonly hashes: Uint32Array;
  readonly ids: Uint16Array;
}

const WORD_SEED = 0x811c_9dc5;
/** Pieces that go on a word have hashes of their own. */
const PIECE_SEED = 0x2f0b_4a27;
const WORD_LENGTH_MAX = 32;
/** Of a longer word or line break the rest is not looked at: what a token is must not depend on text far behind its start. */
const LOOK_MAX = 64;
const DIGITS_READ_MAX = 2; // `10` is read as it is; longer numbers are only numbers.

/** Makes a vocabulary of the hashes of its entries, the first having the id `SPECIAL_TOKENS`. */
export function vocabularyOf(entries: Uint32Array): Vocabulary {
  let slots = 1024;
  while (slots < entries.length * 2) slots *= 2;
  const hashes = new Uint32Array(slots);
  const ids = new Uint16Array(slots);
  entries.forEach((hash, i) => {
    let slot = hash & (slots - 1);
    while (ids[slot] !== 0) slot = (slot + 1) & (slots - 1);
    hashes[slot] = hash;
    ids[slot] = i + SPECIAL_TOKENS;
  });
  return { size: entries.length + SPECIAL_TOKENS, hashes, ids };
}

/** The hash of a whole word or, with `continues`, of a piece that goes on a word. `letters` are folded. */
export function hashOf(letters: string, continues: boolean): number {
  let hash = continues ? PIECE_SEED : WORD_SEED;
  for (let i = 0; i < letters.length; i++) hash = Math.imul(hash ^ letters.charCodeAt(i), 0x0100_0193);
  return finished(hash);
}

// The low bits pick the slot, and those of a product depend on low bits only.
function finished(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b);
  return (mixed ^ (mixed >>> 13)) >>> 0;
}

let capacity = 4096;
let ids = new Uint16Array(capacity);
let cases = new Uint8Array(capacity);
let starts = new Uint32Array(capacity);
let ends = new Uint32Array(capacity);
let count = 0;

/** Tokens of `text`. Linear in its length, about 15 ns a character; what it returns is the caller's own. */
export function tokenise(text: string, vocabulary: Vocabulary): Tokens {
  count = 0;
  const { length } = text;
  let at = 0;
  while (at < length) {
    const kind = CLASSES[text.charCodeAt(at)]!;
    if (kind === LETTER) at = readWord(text, at, vocabulary);
    else if (kind === SPACE || kind === NOTHING) at++;
    else if (kind === NEWLINE) at = readBreak(text, at);
    else if (kind === DIGIT) at = readNumber(text, at, vocabulary);
    else if (kind === SURROGATE) at = readPair(text, at);
    else {
      push(idOf(hashOne(FOLDED[text.charCodeAt(at)]!), vocabulary), LOWER, at, at + 1);
      at++;
    }
  }
  return {
    length: count,
    ids: ids.slice(0, count),
    cases: cases.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
  };
}

function push(id: number, wordCase: number, start: number, end: number): void {
  if (count === capacity) grow();
  ids[count] = id;
  cases[count] = wordCase;
  starts[count] = start;
  ends[count] = end;
  count++;
}

function grow(): void {
  capacity *= 2;
  const old = { ids, cases, starts, ends };
  ids = new Uint16Array(capacity);
  cases = new Uint8Array(capacity);
  starts = new Uint32Array(capacity);
  ends = new Uint32Array(capacity);
  ids.set(old.ids);
  cases.set(old.cases);
  starts.set(old.starts);
  ends.set(old.ends);
}

function idOf(hash: number, { hashes, ids: slotIds }: Vocabulary): number {
  const mask = hashes.length - 1;
  for (let slot = hash & mask; slotIds[slot] !== 0; slot = (slot + 1) & mask) if (hashes[slot] === hash) return slotIds[slot]!;
  return UNKNOWN;
}

function hashOne(unit: number): number {
  return finished(Math.imul(WORD_SEED ^ unit, 0x0100_0193));
}

/** A run of letters, marks and digits that starts with a letter. */
function readWord(text: string, start: number, vocabulary: Vocabulary): number {
  let hash = WORD_SEED;
  let uppers = 0;
  let letters = 0;
  let end = start;
  for (; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    const kind = CLASSES[unit]!;
    if (kind === NOTHING) continue;
    if (kind !== LETTER && kind !== DIGIT) break;
    const folded = FOLDED[unit]!;
    if (letters < LOOK_MAX && isUpper(unit, folded)) uppers++;
    letters++;
    hash = Math.imul(hash ^ folded, 0x0100_0193);
  }
  const wordCase = uppers === 0 ? LOWER : uppers > 1 && uppers * 2 > Math.min(letters, LOOK_MAX) ? UPPER : TITLE;
  const id = idOf(finished(hash), vocabulary);
  if (id !== UNKNOWN) push(id, wordCase, start, end);
  else if (letters > WORD_LENGTH_MAX) push(LONG_WORD, wordCase, start, end);
  else readPieces(text, start, end, wordCase, vocabulary);
  return end;
}

function isUpper(unit: number, folded: number): boolean {
  if (unit < 128) return unit >= 65 && unit <= 90;
  return unit !== folded && String.fromCharCode(unit).toLowerCase() !== String.fromCharCode(unit);
}

/** The longest pieces first, from the left. A word with a part that is no piece is unknown as a whole. */
function readPieces(text: string, start: number, end: number, wordCase: number, vocabulary: Vocabulary): void {
  const before = count;
  for (let from = start; from < end;) {
    let hash = from === start ? WORD_SEED : PIECE_SEED;
    let id = UNKNOWN;
    let to = from;
    for (let i = from; i < end; i++) {
      const unit = text.charCodeAt(i);
      if (CLASSES[unit] === NOTHING) continue;
      hash = Math.imul(hash ^ FOLDED[unit]!, 0x0100_0193);
      const found = idOf(finished(hash), vocabulary);
      if (found === UNKNOWN) continue;
      id = found;
      to = i + 1;
    }
    if (id === UNKNOWN) {
      count = before;
      push(UNKNOWN, wordCase, start, end);
      return;
    }
    push(id, wordCase, from, to);
    from = to;
    while (from < end && CLASSES[text.charCodeAt(from)] === NOTHING) from++;
  }
}

function readNumber(text: string, start: number, vocabulary: Vocabulary): number {
  let hash = WORD_SEED;
  let end = start;
  while (end < text.length && CLASSES[text.charCodeAt(end)] === DIGIT)
    hash = Math.imul(hash ^ FOLDED[text.charCodeAt(end++)]!, 0x0100_0193);
  push(end - start <= DIGITS_READ_MAX ? idOf(finished(hash), vocabulary) || NUMBER : NUMBER, LOWER, start, end);
  return end;
}

/** Line breaks and the blanks between them: one token, whether a line or a paragraph ends. */
function readBreak(text: string, start: number): number {
  let breaks = 0;
  let end = start;
  for (let i = start; i < text.length && i < start + LOOK_MAX; i++) {
    const unit = text.charCodeAt(i);
    const kind = CLASSES[unit]!;
    if (kind === NEWLINE) {
      if (unit === 10 || text.charCodeAt(i + 1) !== 10) breaks++;
      end = i + 1;
    } else if (kind !== SPACE) break;
  }
  push(breaks > 1 ? PARAGRAPH_BREAK : LINE_BREAK, LOWER, start, end);
  return end;
}

/** Characters beyond the basic plane: emoji and rare letters. */
function readPair(text: string, start: number): number {
  const end = text.codePointAt(start)! > 0xffff ? start + 2 : start + 1;
  push(EMOJI, LOWER, start, end);
  return end;
}

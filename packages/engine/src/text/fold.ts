// The folded reading: words as a reader takes them, with look-alike letters, leet digits, spaced-out letters and decoration undone.
// It is for finding words only, and made only when some word is disguised.

import { kindOf, MARK } from './characters.ts';
import { latinLookAlike, leetLetter } from './confusables.ts';
import { Draft } from './draft.ts';
import { foldSpacedWords, SPACED_GAP_MAX, SPACED_LETTERS_MIN } from './spaced-words.ts';
import type { Reading } from './view.ts';

const WORD_LENGTH_MAX = 40; // Longer runs are identifiers and encodings, not disguised words.
const LEET_LENGTH_MAX = 20;
const ACCENTED_LENGTH_MIN = 4;
const NEIGHBOUR_GAP_MAX = 3;

// Short words of attacks that the rule for leet spelling would take for a number with a unit.
const SHORT_LEET = new Set(['a11', '4ll', 'a1l', 'al1', '4l1', 'th3', 'y0u']);

const LETTER = 1;
const LEET = 2;
const KINDS = new Uint8Array(128);
for (let code = 0; code < 128; code++)
  KINDS[code] = /[a-z]/i.test(String.fromCharCode(code)) ? LETTER : leetLetter(code) === 0 ? 0 : LEET;

/** The folded reading of a visible one; `null` when no word is disguised. Linear, about 2 ns a character when there is none. */
export function fold(source: Reading): Reading | null {
  const { text } = source;
  const { length } = text;
  const draft = new Draft(text);
  let start = -1;
  let lastEnd = 0;
  let isOdd = false; // The word holds something beside ASCII letters.
  let singles = 0; // Single letters in a row.
  let singlesStart = 0;
  const spaced: number[] = [];
  for (let i = 0; i <= length; i++) {
    const code = i < length ? text.charCodeAt(i) : 0;
    const kind = code < 128 ? KINDS[code]! : code >= 0xc0 ? LEET : 0;
    if (kind !== 0) {
      if (start < 0) start = i;
      if (kind === LEET) isOdd = true;
    } else if (start >= 0) {
      if (singles > 0 && (i - start > 1 || start - lastEnd > SPACED_GAP_MAX)) {
        if (singles >= SPACED_LETTERS_MIN) spaced.push(singlesStart, lastEnd);
        singles = 0;
      }
      if (i - start === 1) {
        if (singles++ === 0) singlesStart = start;
      } else {
        if (isOdd && i - start >= 3 && i - start <= WORD_LENGTH_MAX) foldWord(draft, start, i);
      }
      lastEnd = i;
      start = -1;
      isOdd = false;
    }
  }
  if (singles >= SPACED_LETTERS_MIN) spaced.push(singlesStart, lastEnd);
  for (let i = 0; i < spaced.length; i += 2) foldSpacedWords(draft, spaced[i]!, spaced[i + 1]!);
  return draft.reading(source, 'folded', 'disguised_letters');
}

/** How many of each kind of character a word is made of. */
export interface Makeup {
  ascii: number;
  leet: number;
  /** Leet signs with a letter on both sides, or at the start of a word of letters. */
  leetInside: number;
  lookAlikes: number;
  accented: number;
  marks: number;
  others: number;
}

function foldWord(draft: Draft, start: number, end: number): void {
  const { text } = draft;
  const makeup = makeupOf(text, start, end);
  if (!isDisguised(makeup, text, start, end)) return;
  for (let i = start; i < end; i++) {
    const codePoint = text.codePointAt(i)!;
    const letter = letterFor(codePoint, text, i);
    if (codePoint < 0x10000) draft.set(i, letter);
    else if (letter < 128) {
      draft.set(i, letter);
      draft.drop(++i);
    } else i++;
  }
}

/** Counts what `[start, end)` is made of, up to the first letter that cannot be Latin. */
export function makeupOf(text: string, start: number, end: number): Makeup {
  const makeup: Makeup = { ascii: 0, leet: 0, leetInside: 0, lookAlikes: 0, accented: 0, marks: 0, others: 0 };
  for (let i = start; i < end; i++) {
    const codePoint = text.codePointAt(i)!;
    if (codePoint > 0xffff) i++;
    if (codePoint < 128) {
      if (KINDS[codePoint] === LETTER) makeup.ascii++;
      else {
        makeup.leet++;
        if (i + 1 < end && KINDS[text.charCodeAt(i + 1)] === LETTER && (i === start || KINDS[text.charCodeAt(i - 1)] === LETTER))
          makeup.leetInside++;
      }
    } else if (latinLookAlike(codePoint) !== 0) makeup.lookAlikes++;
    else if (kindOf(codePoint) === MARK) makeup.marks++;
    else if (isAccented(codePoint)) makeup.accented++;
    else {
      makeup.others++;
      break; // A letter that cannot be Latin: the rest does not matter.
    }
  }
  return makeup;
}

function isDisguised(word: Makeup, text: string, start: number, end: number): boolean {
  if (word.others > 0) return false;
  if (word.lookAlikes > 0) return word.ascii > 0 || (word.accented === 0 && isAmongLatin(text, start, end));
  const length = word.ascii + word.accented;
  if (word.marks > 0) return word.ascii > 0 && word.marks * 3 >= length;
  if (word.accented > 0) return length >= ACCENTED_LENGTH_MIN && word.accented * 5 >= length * 2;
  return isLeet(word, text, start, end);
}

/** `1gn0re`, `pr3v10us`; not `100km`, `user@example.com`, escapes, versions or hexadecimal numbers. */
function isLeet(word: Makeup, text: string, start: number, end: number): boolean {
  if (end - start === 3 && SHORT_LEET.has(text.slice(start, end).toLowerCase())) return true;
  if (word.leetInside === 0 || word.ascii < 3 || word.leet > word.ascii || end - start > LEET_LENGTH_MAX) return false;
  if ('%#\\.&='.includes(text.charAt(start - 1) || ' ')) return false;
  const slice = text.slice(start, end);
  return !(slice.includes('@') && text[end] === '.') && !/^[0-9a-f]+$/i.test(slice);
}

/** True when the nearest letters before and after, with at most three other characters between, are Latin; an edge of the text counts as Latin once. */
function isAmongLatin(text: string, start: number, end: number): boolean {
  return end - start >= 3 && isLatinNear(text, start, -1) && isLatinNear(text, end - 1, 1) && end - start < text.length;
}

function isLatinNear(text: string, index: number, step: number): boolean {
  for (let at = index + step, gap = 0; gap <= NEIGHBOUR_GAP_MAX; at += step, gap++) {
    if (at < 0 || at >= text.length) return true;
    const code = text.charCodeAt(at);
    if (code >= 0xc0) return false;
    if (KINDS[code] === LETTER) return true;
  }
  return false;
}

function letterFor(codePoint: number, text: string, index: number): number {
  if (codePoint === 49 && text.charCodeAt(index + 1) === 49) return 108; // `a11`: all.
  if (codePoint === 49 && text.charCodeAt(index - 1) === 49) return 108;
  if (codePoint < 128) return leetLetter(codePoint) || codePoint;
  if (kindOf(codePoint) === MARK) return 0; // Dropped.
  return latinLookAlike(codePoint) || baseLetter(codePoint) || codePoint;
}

function isAccented(codePoint: number): boolean {
  return (codePoint <= 0x24f || (codePoint >= 0x1e00 && codePoint <= 0x1eff)) && baseLetter(codePoint) !== 0;
}

// By code point: the base letter plus one, 0 while unknown. Filled as letters are met; Latin letters end before U+1F00.
const BASE_LETTERS = new Uint8Array(0x1f00);

/** The ASCII letter under the accents of a Latin letter; 0 when there is none. */
function baseLetter(codePoint: number): number {
  if (codePoint >= BASE_LETTERS.length) return 0;
  if (BASE_LETTERS[codePoint] === 0) {
    const base = String.fromCodePoint(codePoint).normalize('NFD').charCodeAt(0);
    BASE_LETTERS[codePoint] = base < 128 && KINDS[base] === LETTER ? base + 1 : 1;
  }
  return BASE_LETTERS[codePoint]! - 1;
}

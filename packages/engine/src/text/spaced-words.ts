// Words whose letters were set apart: `i g n o r e`, `i.g.n.o.r.e`, `i - g - n - o - r - e`.

import type { Draft } from './draft.ts';

/** Fewer letters are initials, such as `J. R. R. T.` */
export const SPACED_LETTERS_MIN = 5;
/** Units between two letters of one word, at most. */
export const SPACED_GAP_MAX = 3;
const RUN_LETTERS_MAX = 500; // Longer runs are read in parts.
const JOINED_LENGTH_MIN = 8; // Shorter joined words are looked up as they are.

const LETTER = 1;
const GAP = 2;
const KINDS = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  KINDS[code] = /[a-z0-9]/i.test(char) ? LETTER : /[ \t.,_*|/~+:;'"-]/.test(char) ? GAP : 0;
}

// Where all gaps are equal, word ends are lost. These words of attacks are found again, longest first.
const KNOWN_WORDS = (
  'instructions instruction disregard previous everything guidelines directives restrictions original override developer ' +
  'password earlier reveal system prompt ignore forget bypass secret above rules prior print show tell hate that your what ' +
  'with this from have and all the you are any me my no of do to say in is it a i'
).split(' ');

// By first letter, longest first.
const WORDS_BY_LETTER = Map.groupBy(KNOWN_WORDS, (word) => word[0]!);

/** Joins the set-apart letters of a text that begin in `[start, end)`. Linear. */
export function foldSpacedWords(draft: Draft, start: number, end: number): void {
  const { text } = draft;
  for (let i = start; i < end; i++) {
    if (!isLetter(text, i)) continue;
    if (isLetter(text, i + 1)) {
      while (isLetter(text, i + 1)) i++;
      continue;
    }
    const letters = lettersFrom(text, i);
    if (letters.length >= SPACED_LETTERS_MIN) join(draft, letters);
    i = letters.at(-1)!;
  }
}

/** Offsets of single letters from `start` on, each at most 3 gap characters after the one before. */
function lettersFrom(text: string, start: number): number[] {
  const letters = [start];
  for (let at = start; ;) {
    let next = at + 1;
    while (next - at <= SPACED_GAP_MAX && KINDS[text.charCodeAt(next)] === GAP) next++;
    if (next === at + 1 || !isLetter(text, next) || isLetter(text, next + 1)) return letters;
    if (letters.length >= RUN_LETTERS_MAX) return letters;
    letters.push(next);
    at = next;
  }
}

function join(draft: Draft, letters: readonly number[]): void {
  const ends = new Set(wordEnds(draft.text, letters));
  for (let i = 0; i + 1 < letters.length; i++) {
    for (let gap = letters[i]! + 1; gap < letters[i + 1]!; gap++) draft.drop(gap);
    if (ends.has(letters[i]!)) draft.set(letters[i]! + 1, 32);
  }
}

/** The first letters of a run tell whether gaps of different width part its words. */
const TELLING_LETTERS = 24;

/** Offsets of the letters that end a word, but the last: where the gap is wider than the narrowest, or known words meet. */
function wordEnds(text: string, letters: readonly number[]): number[] {
  let narrowest = SPACED_GAP_MAX;
  for (let i = 1; i < letters.length && i < TELLING_LETTERS; i++)
    narrowest = Math.min(narrowest, letters[i]! - letters[i - 1]! - 1);
  const isEnd = (i: number): boolean => i + 1 < letters.length && letters[i + 1]! - letters[i]! - 1 > narrowest;
  const ends = letters.filter((_at, i) => isEnd(i));
  if (letters.length < JOINED_LENGTH_MIN || letters.slice(0, TELLING_LETTERS - 1).some((_at, i) => isEnd(i))) return ends;
  const joined = letters
    .map((at) => text[at])
    .join('')
    .toLowerCase();
  return [...ends, ...knownWordEnds(joined).map((index) => letters[index]!)];
}

/** Indexes of the letters of `joined` before which or after which a known word ends or starts. */
function knownWordEnds(joined: string): number[] {
  const ends: number[] = [];
  for (let at = 0; at < joined.length;) {
    const word = WORDS_BY_LETTER.get(joined[at]!)?.find((known) => joined.startsWith(known, at));
    const next = at + (word?.length ?? 1);
    if (next >= joined.length) break;
    if (word !== undefined) {
      if (at > 0 && ends.at(-1) !== at - 1) ends.push(at - 1);
      ends.push(next - 1);
    }
    at = next;
  }
  return ends;
}

function isLetter(text: string, index: number): boolean {
  return index < text.length && KINDS[text.charCodeAt(index)] === LETTER;
}

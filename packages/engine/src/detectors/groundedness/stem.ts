// Words as they are compared: the hash of a rough stem. Wrong for a grammarian, alike for forms of one word, and without a string.

/** Longest word read; what follows is left out of the comparison. */
export const WORD_UNITS_MAX = 64;
/** Words of this length share a beginning with their relatives: `verify`, `verification`. */
const BEGINNING_UNITS = 5;
const RELATED_LENGTH_MIN = 6;

const FNV_START = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** FNV-1a over the first `length` units of `word`, 32 bits, never 0. */
export function hashOf(word: Uint16Array, length: number): number {
  let hash = FNV_START;
  for (let i = 0; i < length; i++) hash = Math.imul(hash ^ word[i]!, FNV_PRIME);
  // FNV leaves the high bits of short words poorly mixed, and tables are indexed by them.
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  return hash | 1;
}

/** Mixes two hashes in order. */
export function pairHash(first: number, second: number): number {
  let hash = Math.imul(first ^ (second >>> 7), 0x9e3779b1) ^ second;
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x85ebca6b) | 1;
}

/** Hash of the first letters of a folded word; 0 for words too short to tell relatives by. */
export function beginningOf(word: Uint16Array, length: number): number {
  return length < RELATED_LENGTH_MIN ? 0 : hashOf(word, BEGINNING_UNITS);
}

/** Length of the stem of a folded word; may change its units (`y` to `i`, doubled letters). */
export function stemLength(word: Uint16Array, length: number): number {
  if (word[0]! >= 0x250) return foreignStemLength(word, length);
  return undoubled(word, bareLength(word, length));
}

/** Other alphabets: endings of one or two letters carry case, number and gender in nearly all of them. */
function foreignStemLength(word: Uint16Array, length: number): number {
  if (word[0]! >= 0x600 && word[0]! < 0x700) return arabicStemLength(word, length);
  if (length >= 6) return length - 2;
  return length === 5 ? 4 : length;
}

const ALEF = 0x627;
const LAM = 0x644;
/** And, with, for, like, then: written on to the article. */
const ARABIC_PROCLITICS = new Set([0x648, 0x628, 0x644, 0x643, 0x641]);

function arabicStemLength(word: Uint16Array, length: number): number {
  let from = 0;
  if (length >= 5 && ARABIC_PROCLITICS.has(word[0]!) && word[1] === ALEF && word[2] === LAM) from = 3;
  else if (length >= 5 && word[0] === ALEF && word[1] === LAM) from = 2;
  else if (length >= 5 && (word[0] === 0x648 || word[0] === 0x628 || word[0] === 0x644)) from = 1;
  if (from > 0) word.copyWithin(0, from, length);
  const rest = length - from;
  return rest >= 6 ? rest - 2 : rest === 5 ? 4 : rest;
}

const [A, D, E, G, I, L, M, N, O, R, S, T, U, Y] = [...'adegilmnorstuy'].map((letter) => letter.charCodeAt(0));

function bareLength(word: Uint16Array, length: number): number {
  let end = length;
  if (end > 3 && word[end - 1] === S && word[end - 2] !== S && word[end - 2] !== U && word[end - 2] !== I) end--;
  if (end >= 6 && endsWith(word, end, I!, N!, G!)) end -= 3;
  else if (end >= 5 && word[end - 1] === D && word[end - 2] === E) end -= 2;
  else if (end >= 6 && word[end - 1] === Y && word[end - 2] === L) end -= 2;
  else if (end >= 6 && word[end - 2] === E && (word[end - 1] === R || word[end - 1] === N || word[end - 1] === M)) end -= 2;
  else if (end >= 6 && endsWith(word, end, E!, S!, T!)) end -= 3;
  const last = word[end - 1];
  if (end > 3 && (last === E || last === A || last === O)) end--;
  if (end > 3 && word[end - 1] === Y) word[end - 1] = I!;
  return end;
}

function endsWith(word: Uint16Array, end: number, first: number, second: number, third: number): boolean {
  return word[end - 3] === first && word[end - 2] === second && word[end - 1] === third;
}

/** `running`, `run`: a doubled letter at the end of a stem counts once, in all words alike. */
function undoubled(word: Uint16Array, end: number): number {
  return end > 3 && word[end - 1] === word[end - 2] && word[end - 1] !== L && word[end - 1] !== S ? end - 1 : end;
}

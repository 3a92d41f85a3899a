// How much a string looks drawn by lot rather than written by a person: the measures behind every entropy floor.

// Letters that often follow a letter in English words and in names of code: 235 of 676 pairs, which hold 95 % of the pairs
// of running text and a third of those of random letters.
const FOLLOWERS: readonly (readonly [string, string])[] = [
  ['a', 'bcdgiklmnprstuvy'],
  ['b', 'aeiloru'],
  ['c', 'acehiklortu'],
  ['d', 'adeiorsu'],
  ['e', 'acdefgilmnpqrstvwxy'],
  ['f', 'aefiortu'],
  ['g', 'aehioru'],
  ['h', 'aeiort'],
  ['i', 'abcdefglmnoprstvxz'],
  ['j', 'aeou'],
  ['k', 'ei'],
  ['l', 'adefilostuy'],
  ['m', 'abeimopu'],
  ['n', 'acdefgilnopstuvy'],
  ['o', 'bcdgilmnoprstuvw'],
  ['p', 'aehiloprstuy'],
  ['q', 'u'],
  ['r', 'acdegiklmnorstuy'],
  ['s', 'acehiopstuw'],
  ['t', 'aehiloprstuwy'],
  ['u', 'abcdefgilmnprst'],
  ['v', 'aei'],
  ['w', 'aehior'],
  ['x', 'pt'],
  ['y', 'ost'],
  ['z', 'e'],
];

const COMMON = new Uint8Array(26 * 26);
for (const [letter, followers] of FOLLOWERS) for (const next of followers) COMMON[pairOf(letter, next)] = 1;

function pairOf(letter: string, next: string): number {
  return (letter.charCodeAt(0) - 97) * 26 + next.charCodeAt(0) - 97;
}

const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
const OTHER = 4;

function kindOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 48 && code <= 57 ? DIGIT : OTHER;
}

/**
 * The share, 0–1, of neighbouring characters that words and names do not put side by side: rare letter pairs, a letter beside a
 * digit, a capital after which lower case goes on strangely. Words are below 0.2, random letters and digits above 0.45.
 */
export function strangeness(text: string): number {
  let strange = 0;
  for (let i = 1; i < text.length; i++) strange += strangePair(text.charCodeAt(i - 1), text.charCodeAt(i));
  return text.length < 2 ? 0 : strange / (text.length - 1);
}

function strangePair(a: number, b: number): number {
  const left = kindOf(a);
  const right = kindOf(b);
  if (left === OTHER || right === OTHER) return 0;
  if (left === DIGIT || right === DIGIT) return left === right ? 0.5 : 1;
  // A capital after a small letter starts the next word of a camel-case name.
  if (left === LOWER && right === UPPER) return 0.25;
  return COMMON[((a | 32) - 97) * 26 + (b | 32) - 97] === 1 ? 0 : 1;
}

// Counters for `entropy`, all zero between calls; functions of this file run to the end before another starts.
const counts = new Uint16Array(128);

/** Shannon entropy of the characters of `text`, in bits a character; 0 for the empty string. Characters beyond ASCII count as one. */
export function entropy(text: string): number {
  const { length } = text;
  for (let i = 0; i < length; i++) counts[Math.min(text.charCodeAt(i), 127)]!++;
  let sum = 0;
  for (let i = 0; i < length; i++) {
    const code = Math.min(text.charCodeAt(i), 127);
    const count = counts[code]!;
    counts[code] = 0;
    if (count > 1) sum += count * Math.log2(count);
  }
  return length === 0 ? 0 : Math.log2(length) - sum / length;
}

/** How many different characters `text` has. */
export function distinctCount(text: string): number {
  let distinct = 0;
  for (let i = 0; i < text.length; i++) if (counts[Math.min(text.charCodeAt(i), 127)]!++ === 0) distinct++;
  for (let i = 0; i < text.length; i++) counts[Math.min(text.charCodeAt(i), 127)] = 0;
  return distinct;
}

/** How many of lower case, upper case, digits and other characters `text` uses, 0–4. */
export function classCount(text: string): number {
  let seen = 0;
  for (let i = 0; i < text.length; i++) seen |= 1 << kindOf(text.charCodeAt(i));
  return ((seen >> LOWER) & 1) + ((seen >> UPPER) & 1) + ((seen >> DIGIT) & 1) + ((seen >> OTHER) & 1);
}

/** True when any of the characters 0–9 is in `text`. */
export function hasDigit(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (kindOf(text.charCodeAt(i)) === DIGIT) return true;
  return false;
}

/** True when half of `text` goes up by one from character to character (`abcdef`, `123456`) or repeats the one before. */
export function isSequence(text: string): boolean {
  let steps = 0;
  for (let i = 1; i < text.length; i++) {
    const step = text.charCodeAt(i) - text.charCodeAt(i - 1);
    if (step === 0 || step === 1) steps++;
  }
  return steps * 2 >= text.length;
}

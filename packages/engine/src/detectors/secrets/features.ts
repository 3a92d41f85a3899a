// What the model of values looks at: properties of a clue as words, hashed into a fixed number of slots.

import type { Clue } from './clue.ts';
import { hasPlaceholderWord, isCode, isPlaceholder, isReference } from './placeholder.ts';
import { classCount, distinctCount, entropy, hasDigit, isSequence, strangeness } from './strangeness.ts';
import { judge } from './value.ts';

/** Number of slots; a power of two. */
export const SLOTS = 16_384;

/** The slots of a clue, each named once. The bias is not among them. */
export function featuresOf(clue: Clue): number[] {
  const slots = new Set<number>();
  const add = (name: string) => slots.add(slotOf(name));
  addValue(clue, add);
  addShape(clue, add);
  addPlace(clue, add);
  return [...slots];
}

/** FNV-1a over the UTF-16 units, folded to the number of slots. */
function slotOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return ((hash >>> 16) ^ hash) & (SLOTS - 1);
}

type Add = (name: string) => void;

const CHARS_MAX = 24;
const WORDS_MAX = 6;

/** Letters and words of the value: what kind of thing people write there. */
function addValue({ value, kind }: Clue, add: Add): void {
  const small = value.toLowerCase();
  const padded = `^${small.length > CHARS_MAX ? small.slice(0, CHARS_MAX) : `${small}$`}`;
  for (let i = 0; i + 3 <= padded.length; i++) add(`3${padded.slice(i, i + 3)}`);
  const words = wordsOf(value);
  for (const word of words) add(`w${word}`);
  add(`W${Math.min(words.length, WORDS_MAX)}${kind}`);
  if (small.length <= 16) add(`v${small}`);
}

/** The words of a name or phrase, lower case: parted at capitals, digits and marks. At most 6. */
function wordsOf(text: string): string[] {
  const words: string[] = [];
  let start = 0;
  for (let i = 0; i <= text.length && words.length < WORDS_MAX; i++) {
    const goesOn = i < text.length && isLetter(text.charCodeAt(i)) && !(i > start && startsCapital(text, i));
    if (goesOn) continue;
    if (i - start > 1) words.push(text.slice(start, i).toLowerCase());
    start = i < text.length && isLetter(text.charCodeAt(i)) ? i : i + 1;
  }
  return words;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 127;
}

function startsCapital(text: string, i: number): boolean {
  const code = text.charCodeAt(i);
  const before = text.charCodeAt(i - 1);
  return code >= 65 && code <= 90 && before >= 97 && before <= 122;
}

const HEX = /^(?:0x)?[0-9a-f]+$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Length, classes of characters, randomness, and what placeholders and code look like; each beside the kind of the name. */
function addShape(clue: Clue, add: Add): void {
  const { value, kind, quoted } = clue;
  const length = lengthBucket(value.length);
  const strange = Math.min(9, Math.floor(strangeness(value) * 10));
  const bits = Math.floor(entropy(value) * 2);
  const classes = classesOf(value);
  const quote = quoted ? 'q' : 'u';
  add(`l${length}`);
  add(`l${length}${kind}${quote}`);
  add(`c${classes}`);
  add(`c${classes}${kind}${quote}`);
  add(`c${classes}l${length}`);
  add(`s${strange}`);
  add(`s${strange}${kind}${quote}`);
  add(`s${strange}l${length}`);
  add(`s${strange}c${classes}`);
  add(`e${bits}l${length}`);
  add(`n${classCount(value)}${kind}`);
  add(`r${runsOf(value)}`);
  add(`f${formOf(value)}${kind}`);
  add(`f${formOf(value)}${value.length}`);
  add(`j${Math.round(judge({ text: value, quoted }, kind === 'salt' ? 'key' : kind) * 20)}${kind}`);
  add(`d${Math.floor((distinctCount(value) * 8) / value.length)}l${length}`);
  for (const sign of signsOf(clue)) {
    add(`g${sign}`);
    add(`g${sign}${kind}`);
    add(`g${sign}${quote}${clue.place}`);
  }
}

function lengthBucket(length: number): number {
  return length < 12 ? length : length < 16 ? 12 : length < 20 ? 13 : length < 28 ? 14 : length < 40 ? 15 : length < 64 ? 16 : 17;
}

/** Which of lower case, upper case, digits, blanks, `-_.`, other marks and letters beyond ASCII occur, as letters. */
function classesOf(value: string): string {
  let seen = 0;
  for (let i = 0; i < value.length; i++) seen |= 1 << classOf(value.charCodeAt(i));
  return String.fromCharCode(48 + seen);
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return 0;
  if (code >= 65 && code <= 90) return 1;
  if (code >= 48 && code <= 57) return 2;
  if (code === 32) return 3;
  if (code === 45 || code === 95 || code === 46) return 4;
  return code > 127 ? 6 : 5;
}

const RUN_LETTERS = 'aA9 _#u';
const RUNS_MAX = 7;

/** The runs of classes, `Aa9#` for `Sommer2021!`. */
function runsOf(value: string): string {
  let runs = '';
  let before = -1;
  for (let i = 0; i < value.length && runs.length < RUNS_MAX; i++) {
    const kind = classOf(value.charCodeAt(i));
    if (kind !== before) runs += RUN_LETTERS[kind]!;
    before = kind;
  }
  return runs;
}

function formOf(value: string): string {
  if (UUID.test(value)) return 'uuid';
  if (HEX.test(value)) return hasDigit(value) ? 'hex' : 'hexword';
  if (value.startsWith('eyJ')) return 'jwt';
  if (value.startsWith('$2') || value.startsWith('$1$') || value.startsWith('$6$')) return 'crypt';
  if (BASE64.test(value)) return value.endsWith('=') ? 'base64=' : 'base64';
  return value.includes('://') ? 'url' : 'other';
}

/** Signs that a value is a credential or only stands for one. */
function signsOf({ value, word, head, tail }: Clue): string[] {
  const signs: string[] = [];
  const small = value.toLowerCase();
  if (isPlaceholder(value)) signs.push('placeholder');
  if (hasPlaceholderWord(value)) signs.push('exampleword');
  if (isReference(value)) signs.push('reference');
  if (isCode(value)) signs.push('code');
  if (isSequence(value)) signs.push('sequence');
  if (small.includes(word)) signs.push('saysname');
  if (squeeze(small) === squeeze(head + word + tail)) signs.push('isname');
  if (small === word) signs.push('isword');
  if (hasDigit(value) && hasMark(value)) signs.push('digitmark');
  if (value.includes(' ') && /[.:?!]$/.test(value)) signs.push('sentence');
  if (/^[A-Z][a-z]+ /.test(value)) signs.push('title');
  if (/^[a-z]+(?:[-_.][a-z]+)+$/.test(small)) signs.push('joinedwords');
  if (/\.[a-z]{2,4}$/.test(small)) signs.push('file');
  if (/[{}<>$%]/.test(value)) signs.push('template');
  if (value.startsWith('/') || value.startsWith('.')) signs.push('path');
  return signs.length === 0 ? ['none'] : signs;
}

function squeeze(text: string): string {
  return text.replaceAll(/[-_. :]/g, '');
}

function hasMark(text: string): boolean {
  return /[^A-Za-z0-9 ]/.test(text);
}

const BEFORE_MAX = 48;

/** The name, how the value is tied to it, and the characters around both. */
function addPlace(clue: Clue, add: Add): void {
  const { kind, place, word, head, tail, quoted, text, nameStart, start, end } = clue;
  const quote = quoted ? 'q' : 'u';
  add(`k${kind}${quote}`);
  add(`p${place}${quote}`);
  add(`p${place}${kind}${quote}`);
  add(`o${word}`);
  add(`o${word}${quote}${place}`);
  for (const part of wordsOf(head)) add(`h${part}`);
  for (const part of wordsOf(tail)) add(`t${part}`);
  add(`H${head === '' ? 0 : 1}${tail === '' ? 0 : 1}${kind}`);
  const next = text.slice(end, end + (quoted ? 2 : 1));
  add(`x${next}`);
  add(`x${next}${quote}${place}`);
  add(`y${text.slice(Math.max(0, start - 3), start)}`);
  const written = text.slice(nameStart, nameStart + 40);
  add(`u${written === written.toUpperCase() ? 'A' : 'a'}${kind}`);
  const before = text.slice(Math.max(0, nameStart - BEFORE_MAX), nameStart);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  for (const part of wordsOf(line.length > 24 ? line.slice(-24) : line)) add(`b${part}`);
  add(`z${before.slice(-1)}${quote}`);
  add(`i${line.trim() === '' ? 'start' : 'inside'}${place}${quote}`);
}

// One pass over a text: anchors, digit runs, long tokens, at-signs, and whether anything is beyond ASCII.
// Detectors look only where the survey points, so their cost follows what is there, not the length of the text.

import type { AnchorHits } from '../types.ts';
import { HAS_OUTPUT, type Automaton } from './anchors.ts';
import { leetLetter } from './confusables.ts';
import { SPACED_LETTERS_MIN } from './spaced-words.ts';

/** Flat pairs of offsets: `[start0, end0, start1, end1, …]`, ends exclusive. */
type Spans = number[];

/** What one pass over a text found. All offsets are UTF-16 units of that text. */
export interface Survey {
  /** True when any character is above U+007F. */
  readonly nonAscii: boolean;
  /** False when `fold` would find no disguised word: ASCII, no digit or leet sign within a word, fewer than 5 single letters. */
  readonly mayBeDisguised: boolean;
  /** Offsets of `@`. */
  readonly ats: number[];
  /**
   * Runs that start and end with a digit, hold at least 4 digits, and have at most two of ` -./:()` in a row between digits:
   * cards, phones, dates, IPv4 addresses and such are inside one.
   */
  readonly digitRuns: Spans;
  /** Maximal runs of at least 16 of `A–Z a–z 0–9 _ - + / = .`: credentials, encodings, long words. */
  readonly tokens: Spans;
  /** Anchor hits by detector, in the order given to `compileAnchors`. */
  readonly hits: readonly AnchorHits[];
  /** Signs of encodings: hits of `HINTS`. */
  readonly hints: AnchorHits;
}

const DIGIT = 1;
const SEPARATOR = 2;
const TOKEN = 4;
const AT = 8;
const KINDS = new Uint8Array(128);
for (const char of '0123456789') KINDS[char.charCodeAt(0)]! |= DIGIT;
for (const char of ' -./:()') KINDS[char.charCodeAt(0)]! |= SEPARATOR;
for (let code = 0; code < 128; code++) if (/[A-Za-z0-9_\-+/=.]/.test(String.fromCharCode(code))) KINDS[code]! |= TOKEN;
KINDS['@'.charCodeAt(0)]! |= AT;

const LETTER = 16;
const LEET = 32;
for (let code = 0; code < 128; code++) {
  if (/[a-z]/i.test(String.fromCharCode(code))) KINDS[code]! |= LETTER;
  else if (leetLetter(code) !== 0) KINDS[code]! |= LEET;
}

const TOKEN_LENGTH_MIN = 16;
const RUN_DIGITS_MIN = 4;
const RUN_GAP_MAX = 2;

/** Surveys `text`. Linear in its length, about 5 ns a character. */
export function survey(text: string, automaton: Automaton): Survey {
  const { classes, width, next, outputs } = automaton;
  const hits = Array.from({ length: automaton.detectors + 1 }, (): AnchorHits => ({ rules: [], ends: [] }));
  const ats: number[] = [];
  const digitRuns: Spans = [];
  const tokens: Spans = [];
  const { length } = text;
  let nonAscii = false;
  let state = 0;
  let tokenStart = -1;
  let runStart = -1;
  let runEnd = 0; // just after the last digit of the run
  let runDigits = 0;
  let kindBefore = 0;
  let neighbours = 0; // Bits LEET: a leet sign before a letter, as in `1gnore`; DIGIT: a digit after one, as in `th3`.
  let words = 0; // A bit for each of the last characters, set for those of words.
  let singles = 0;

  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    state = next[state * width + classes[code]!]!;
    if ((state & HAS_OUTPUT) !== 0) {
      state ^= HAS_OUTPUT;
      for (const { detector, rule } of outputs[state]!) {
        const found = hits[detector]!;
        found.rules.push(rule);
        found.ends.push(i + 1);
      }
    }
    let kind = 0;
    if (code < 128) kind = KINDS[code]!;
    else nonAscii = true;

    neighbours |= ((kind << 1) & kindBefore) | ((kindBefore >> 4) & kind);
    kindBefore = kind;
    words = ((words << 1) | ((kind & (LETTER | LEET)) === 0 ? 0 : 1)) & 7;
    if (words === 2) singles++;

    if ((kind & TOKEN) !== 0) {
      if (tokenStart < 0) tokenStart = i;
    } else if (tokenStart >= 0) {
      if (i - tokenStart >= TOKEN_LENGTH_MIN) tokens.push(tokenStart, i);
      tokenStart = -1;
    }
    if ((kind & DIGIT) !== 0) {
      if (runStart < 0) {
        runStart = i;
        runDigits = 0;
      }
      runDigits++;
      runEnd = i + 1;
    } else if (runStart >= 0 && ((kind & SEPARATOR) === 0 || i - runEnd >= RUN_GAP_MAX)) {
      if (runDigits >= RUN_DIGITS_MIN) digitRuns.push(runStart, runEnd);
      runStart = -1;
    }
    if ((kind & AT) !== 0) ats.push(i);
  }
  if (tokenStart >= 0 && length - tokenStart >= TOKEN_LENGTH_MIN) tokens.push(tokenStart, length);
  if (runStart >= 0 && runDigits >= RUN_DIGITS_MIN) digitRuns.push(runStart, runEnd);
  if ((words & 3) === 1) singles++;
  const hints = hits.pop()!;
  const mayBeDisguised = nonAscii || (neighbours & (LEET | DIGIT)) !== 0 || singles >= SPACED_LETTERS_MIN;
  return { nonAscii, mayBeDisguised, ats, digitRuns, tokens, hits, hints };
}

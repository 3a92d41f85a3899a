// Finds stretches of characters that hide or disguise text. Each finder is one pass.

import {
  BIDI_CONTROL,
  BIDI_MARK,
  isRightToLeft,
  JOINER,
  kindOf,
  MARK,
  TAG,
  tagFlagLength,
  VARIATION,
  ZERO_WIDTH,
} from '../../text/characters.ts';
import { latinLookAlike } from '../../text/confusables.ts';
import { makeupOf } from '../../text/fold.ts';
import { isKept } from '../../text/normalise.ts';

/** The signs that are told apart. */
export type Sign = 'invisible_text' | 'tag_characters' | 'bidi_override' | 'combining_flood' | 'private_use' | 'mixed_script';

/** A stretch of the text with signs of one kind. `start`, `end`: UTF-16 offsets, end exclusive. */
export interface Stretch {
  readonly sign: Sign;
  readonly start: number;
  end: number;
  /** Characters of the sign in it. */
  count: number;
  /** The most of them in a row. */
  longest: number;
  /** How many stand between two Latin letters. */
  insideWords: number;
}

const JOIN_GAP_MAX = 24; // Signs this close belong to one attempt: a hidden character between the letters of a sentence.
/** A longer stretch is told as several, so that nothing about its start depends on what comes long after it. */
const STRETCH_CHARS_MAX = 480;
const MARKS_MAX = 4;
const SOFT_HYPHEN = 0xad;
const WORD_LENGTH_MIN = 4;
const WORD_LENGTH_MAX = 64;

/** All stretches of a text in order of their start, without mixed words. Linear. */
export function findStretches(text: string): Stretch[] {
  const open = new Map<Sign, Stretch>();
  const stretches: Stretch[] = [];
  let marks = 0;
  let run = 0;
  let runSign: Sign | null = null;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xa0) {
      marks = run = 0;
      continue;
    }
    const codePoint = text.codePointAt(i)!;
    const width = codePoint > 0xffff ? 2 : 1;
    const kind = kindOf(codePoint);
    marks = kind === MARK ? marks + 1 : 0;
    const sign = signOf(text, i, codePoint, kind, marks);
    run = sign !== null && sign === runSign ? run + 1 : 1;
    runSign = sign;
    if (sign !== null) {
      const isNew = add(open, sign, i, i + width, run, isInsideWord(text, i, i + width));
      if (isNew) stretches.push(open.get(sign)!);
    }
    i += codePoint === 0x1f3f4 ? Math.max(2, tagFlagLength(text, i)) - 1 : width - 1;
  }
  return stretches;
}

function signOf(text: string, index: number, codePoint: number, kind: number, marks: number): Sign | null {
  switch (kind) {
    case ZERO_WIDTH:
      return index === 0 && codePoint === 0xfeff ? null : 'invisible_text';
    case JOINER:
    case BIDI_MARK:
    case VARIATION:
      return isKept(text, index, kind) ? null : 'invisible_text';
    case TAG:
      return 'tag_characters';
    case BIDI_CONTROL:
      return isMisleading(text, index, codePoint) ? 'bidi_override' : null;
    case MARK:
      return marks > MARKS_MAX ? 'combining_flood' : null;
    default:
      return isPrivate(codePoint) ? 'private_use' : null;
  }
}

/** Overrides always; right-to-left embeddings and isolates where nothing near is written from right to left. */
function isMisleading(text: string, index: number, codePoint: number): boolean {
  if (codePoint === 0x202d || codePoint === 0x202e) return true;
  if (codePoint !== 0x202b && codePoint !== 0x2067) return false;
  const end = Math.min(text.length, index + 40);
  for (let i = Math.max(0, index - 10); i < end; i++) if (isRightToLeft(text.charCodeAt(i))) return false;
  return true;
}

function isPrivate(codePoint: number): boolean {
  return (codePoint >= 0xe000 && codePoint <= 0xf8ff) || codePoint >= 0xf0000;
}

function isInsideWord(text: string, start: number, end: number): boolean {
  if (text.charCodeAt(start) === SOFT_HYPHEN) return false; // Hyphenation of published text.
  return isLatinLetter(text.charCodeAt(start - 1)) && isLatinLetter(text.charCodeAt(end));
}

function isLatinLetter(code: number): boolean {
  return (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

/** Adds a character to the open stretch of its sign; true when that starts a new one. */
function add(open: Map<Sign, Stretch>, sign: Sign, start: number, end: number, run: number, isInside: boolean): boolean {
  const last = open.get(sign);
  const insideWords = isInside ? 1 : 0;
  if (last === undefined || start - last.end > JOIN_GAP_MAX || end - last.start > STRETCH_CHARS_MAX) {
    open.set(sign, { sign, start, end, count: 1, longest: run, insideWords });
    return true;
  }
  last.end = end;
  last.count++;
  last.longest = Math.max(last.longest, run);
  last.insideWords += insideWords;
  return false;
}

/** Words in which look-alikes of another script stand among Latin letters, as flat pairs of offsets. */
export function findMixedWords(text: string): number[] {
  const spans: number[] = [];
  let start = -1;
  let hasForeign = false;
  for (let i = 0; i <= text.length; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    if (isLatinLetter(code) || code >= 0x250) {
      if (start < 0) start = i;
      hasForeign ||= code >= 0x250;
      continue;
    }
    const length = i - start;
    if (hasForeign && length >= WORD_LENGTH_MIN && length <= WORD_LENGTH_MAX && isMixed(text, start, i)) spans.push(start, i);
    start = -1;
    hasForeign = false;
  }
  return spans;
}

/** `раssword`; not `βcell`, `µmol` or a Russian name beside a Latin one. */
function isMixed(text: string, start: number, end: number): boolean {
  const { ascii, lookAlikes, others, marks } = makeupOf(text, start, end);
  if (ascii < 2 || lookAlikes === 0 || others > 0 || marks > 0) return false;
  const first = text.charCodeAt(start);
  const startsGreek = first >= 0x370 && first <= 0x3ff && latinLookAlike(first) !== 0;
  return !(startsGreek && lookAlikes === 1);
}

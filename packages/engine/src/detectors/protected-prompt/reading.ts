// A text as sentences, each with the words of the lexicon in it.

import { BREAK, classOf, DIGIT, foldedUnit, LETTER, PAIRED } from '../groundedness/characters.ts';
import { beginsWord, CUE, visitWords, type Word } from './lexicon.ts';

/** A word of the lexicon in a text. Offsets are UTF-16, end exclusive. */
export interface Hit {
  readonly word: Word;
  readonly start: number;
  readonly end: number;
}

/** A sentence, or a line. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly hits: readonly Hit[];
  /** Bits of the cues and kinds in it. */
  readonly cues: number;
  readonly kinds: number;
  /** Those of the kinds that a word names by itself. */
  readonly clearKinds: number;
  /** True when it names the person that prompts tell of, not by a pronoun. */
  readonly namesPerson: boolean;
  readonly isQuestion: boolean;
}

const QUESTION_MARKS = '?？؟\u037e';
const FULL_STOPS = new Set([...'。！？؟।॥\n'].map((mark) => mark.charCodeAt(0)));
const STOPS = new Set([...'.!?'].map((mark) => mark.charCodeAt(0)));
/** What may follow the stop that ends a sentence, beside a blank. */
const CLOSING = new Set([...'"\')]}”’»」』'].map((mark) => mark.charCodeAt(0)));

/** The sentences of `text` that hold a letter or a digit, in order. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const { length } = text;
  let hits: Hit[] = [];
  let cues = 0;
  let kinds = 0;
  let clearKinds = 0;
  let namesPerson = false;
  let start = 0;
  const visit = (word: Word, from: number, to: number): void => {
    hits.push({ word, start: from, end: to });
    cues |= word.cues;
    kinds |= word.kinds;
    if ((word.cues & CUE.vague) !== 0) return;
    clearKinds |= word.kinds;
    namesPerson ||= (word.cues & CUE.person) !== 0;
  };
  let before = BREAK;
  for (let i = 0; i < length; i++) {
    const unit = text.charCodeAt(i);
    const kind = classOf(unit);
    if (beginsWord(text, i, kind, before)) visitWords(text, i, visit);
    before = kind;
    if (i + 1 < length && !endsSentence(text, i, unit)) continue;
    if (hits.length > 0 || /[\p{L}\p{N}]/u.test(text.slice(start, i + 1)))
      sentences.push({
        start,
        end: i + 1,
        hits,
        cues,
        kinds,
        clearKinds,
        namesPerson,
        isQuestion: QUESTION_MARKS.includes(text[i]!),
      });
    start = i + 1;
    hits = [];
    cues = 0;
    kinds = 0;
    clearKinds = 0;
    namesPerson = false;
  }
  return sentences;
}

function endsSentence(text: string, at: number, unit: number): boolean {
  if (unit > QUESTION_MARK && unit < DANDA) return false;
  if (FULL_STOPS.has(unit)) return true;
  if (!STOPS.has(unit)) return false;
  const next = text.charCodeAt(at + 1);
  return next <= SPACE || CLOSING.has(next);
}

const SPACE = 0x20;
const QUESTION_MARK = 0x3f;
/** The least of the full stops of other scripts. */
const DANDA = 0x61f;
const WORD_MIN = 4;
const STEM_MAX = 6;
const HIRAGANA_END = 0x3100;
const HIRAGANA = 0x3040;
const THAI = 0x0e00;
const THAI_END = 0x0e80;
/** Words of these meanings belong to the wording of a request or a ban, not to its subject. */
const WORDING =
  CUE.no |
  CUE.reveal |
  CUE.discuss |
  CUE.only |
  CUE.other |
  CUE.because |
  CUE.ask |
  CUE.yours |
  CUE.person |
  CUE.filler |
  CUE.keep |
  CUE.discard |
  CUE.orders;

/** Hashes of the stems of the words in `[start, end)` that say something of a subject. */
export function stemsOf(text: string, { hits }: Pick<Sentence, 'hits'>, start: number, end: number): Set<number> {
  const stems = new Set<number>();
  const wording = new Set<number>();
  for (const hit of hits) if ((hit.word.cues & WORDING) !== 0) wording.add(hit.start);
  for (let i = start; i < end;) {
    const kind = classOf(text.charCodeAt(i));
    if (kind === PAIRED) {
      if (!wording.has(i)) addPair(stems, text, i);
      i++;
    } else if (kind === LETTER || kind === DIGIT) {
      const from = i;
      while (i < end && (classOf(text.charCodeAt(i)) === LETTER || classOf(text.charCodeAt(i)) === DIGIT)) i++;
      if (i - from >= WORD_MIN && !wording.has(from)) stems.add(stemHash(text, from, i));
    } else i++;
  }
  return stems;
}

/** Two signs next to each other. Hiragana and Thai letters carry no meaning by the pair. */
function addPair(stems: Set<number>, text: string, at: number): void {
  const first = text.charCodeAt(at);
  const second = text.charCodeAt(at + 1);
  const isMute = (unit: number): boolean =>
    (unit >= HIRAGANA && unit < 0x30a0 && unit < HIRAGANA_END) || (unit >= THAI && unit < THAI_END);
  if (classOf(second) !== PAIRED || isMute(first) || isMute(second)) return;
  stems.add((first << 16) | second);
}

/** Hash of the stem of the word at `[start, end)`: short words whole but for a last `s`, longer ones without their ending, at most six letters. */
export function stemHash(text: string, start: number, end: number): number {
  const length = end - start;
  const last = foldedUnit(text.charCodeAt(end - 1));
  let kept = length;
  if (length >= 8) kept = STEM_MAX;
  else if (length >= 6) kept = length - 2;
  else if (length >= 4 && (last === 0x73 || last === 0x65)) kept = length - 1;
  let hash = 0x811c9dc5 | 0;
  for (let i = start; i < start + Math.min(kept, STEM_MAX); i++)
    hash = Math.imul(hash ^ foldedUnit(text.charCodeAt(i)), 0x01000193);
  return hash;
}

// How much a text asks for what a system prompt protects.

import { classOf, LETTER } from '../groundedness/characters.ts';
import { decodingsOf } from './decoding.ts';
import { CUE, KIND, TOPIC } from './lexicon.ts';
import { CREDENTIALS, foldText, PERSONAL, WEAK_TOPICS, type Protection, type Subject } from './protection.ts';
import { sentencesOf, stemHash, stemsOf, type Sentence } from './reading.ts';

/** What a text asks for. */
export type Reason =
  | 'secret'
  | 'secret_value'
  | 'personal_data'
  | 'prompt'
  | 'forbidden_subject'
  | 'off_subject'
  | 'override'
  | 'flood';

/** A request. `score`: 0–1; `start`, `end`: UTF-16 offsets of the sentence that asks, end exclusive. */
export interface Request {
  readonly score: number;
  readonly start: number;
  readonly end: number;
  readonly reason: Reason;
  /** True when the text had to be decoded to be understood. */
  readonly isEncoded: boolean;
}

/** The strongest request in `userText` for something that `protection` is about; `null` when there is none. */
export function requestScore(protection: Protection, userText: string): Request | null {
  let best = requestIn(protection, userText);
  for (const said of decodingsOf(userText)) {
    const request = requestIn(protection, said);
    if (request === null) continue;
    // A question that is hidden in a code is not asked in passing.
    const score = Math.min(SCORE_MAX, request.score + 0.15);
    best = better(best, { ...request, score, start: 0, end: userText.length, isEncoded: true });
  }
  return best;
}

const SCORE_MAX = 0.99;

function better(a: Request | null, b: Request | null): Request | null {
  return a === null || (b !== null && b.score > a.score) ? b : a;
}

interface Asking {
  readonly text: string;
  readonly protection: Protection;
  /** Bits of the cues of the whole text. */
  readonly cues: number;
  readonly isOverride: boolean;
  /** Whether the text speaks of a person or a value that the prompt names. */
  readonly isNamed: boolean;
}

function requestIn(protection: Protection, text: string): Request | null {
  const sentences = sentencesOf(text);
  const cues = sentences.reduce((all, sentence) => all | sentence.cues, 0);
  const isNamed = protection.names.size > 0 && namesIn(protection.names, text);
  const asking: Asking = {
    text,
    protection,
    cues,
    isNamed,
    isOverride: sentences.some((sentence) => isOverride(sentence)),
  };
  let best: Request | null = null;
  const add = (reason: Reason, score: number, { start, end }: { start: number; end: number }): void => {
    if (score > 0) best = better(best, { score: Math.min(SCORE_MAX, score), start, end, reason, isEncoded: false });
  };
  const whole = { start: 0, end: text.length };
  for (const sentence of sentences) {
    const span = trimmed(text, sentence);
    add('secret', secretScore(sentence, asking), span);
    add('personal_data', personalScore(sentence, asking), span);
    add('prompt', promptScore(sentence, asking), span);
    add('forbidden_subject', subjectScore(sentence, asking), span);
  }
  if (protection.isNarrow)
    for (const sentence of sentences) add('off_subject', offSubjectScore(sentence, asking), trimmed(text, sentence));
  if (asking.isOverride) add('override', 0.45 + (has(cues, CUE.frame) ? 0.1 : 0), whole);
  add('secret_value', valueScore(asking), whole);
  if (isFlood(text)) add('flood', 0.55, whole);
  return best;
}

function trimmed(text: string, { start, end }: Sentence): { start: number; end: number } {
  const said = text.slice(start, end);
  return { start: start + (said.length - said.trimStart().length), end: start + said.trimEnd().length };
}

/** Orders to put the instructions aside, the two words near each other. */
function isOverride({ hits }: Sentence): boolean {
  const orders = hits.filter(({ word }) => (word.cues & CUE.orders) !== 0);
  if (orders.length === 0) return false;
  return hits.some(
    ({ word, start }) =>
      (word.cues & CUE.discard) !== 0 && orders.some((order) => order.start !== start && Math.abs(order.start - start) <= 48),
  );
}

/** A sentence that hardly asks for anything does not do so because it is urgent. */
const WORTH_PRESSING = 0.35;

const has = (cues: number, cue: number): boolean => (cues & cue) !== 0;

function isAsking({ cues, isQuestion }: Sentence): boolean {
  return isQuestion || has(cues, CUE.ask);
}

/** Urging or disguise anywhere in the text counts for its request. */
function pressure({ cues, isOverride: overrides }: Asking): number {
  return (overrides ? 0.2 : 0) + (has(cues, CUE.frame) ? 0.1 : 0) + (has(cues, CUE.form) ? 0.1 : 0);
}

function secretScore(sentence: Sentence, asking: Asking): number {
  const { kinds } = asking.protection;
  if ((kinds & CREDENTIALS) === 0) return 0;
  // People call what a prompt keeps by several names: a password is a key, a code or a secret.
  const asked = sentence.kinds & CREDENTIALS;
  if (asked === 0) return 0;
  const isClear = (sentence.clearKinds & CREDENTIALS) !== 0;
  const isSame = (asked & kinds) !== 0;
  const isOwn = has(sentence.cues, CUE.own);
  const isYours = has(sentence.cues, CUE.yours);
  let score =
    (isSame ? 0.4 : 0.3) + (isAsking(sentence) || has(sentence.cues, CUE.form) ? 0.15 : has(asking.cues, CUE.ask) ? 0.05 : 0);
  score += isYours ? 0.15 : 0;
  score += has(sentence.cues, CUE.reveal) ? 0.05 : 0;
  // Where the prompt states a code, "the code" is likely to be that one.
  if (!isClear) score -= !isSame ? 0.3 : asking.protection.values.size > 0 ? 0.1 : isYours ? 0.15 : 0.2;
  if (isOwn) score -= isYours ? 0.2 : 0.3;
  if (isProgramming(sentence, asking)) score -= 0.25;
  return score < WORTH_PRESSING ? score : score + pressure(asking) * (isOwn && !isYours ? 0.5 : 1);
}

function personalScore(sentence: Sentence, asking: Asking): number {
  const { kinds } = asking.protection;
  if ((kinds & (PERSONAL | KIND.records | KIND.personal)) === 0) return 0;
  const asked = sentence.kinds & (PERSONAL | KIND.records | KIND.personal);
  const isPerson = has(sentence.cues, CUE.person);
  if (asked === 0 && !asking.isNamed && !isPerson) return 0;
  const isSame = (asked & kinds) !== 0;
  const isClear = (sentence.clearKinds & asked & kinds) !== 0;
  let score = isSame ? 0.3 : asked === 0 ? 0.1 : 0.2;
  score += isClear ? 0.05 : -0.05;
  if (asking.isNamed) score += 0.25;
  else if (isPerson) score += sentence.namesPerson ? 0.2 : 0.1;
  if (isAsking(sentence)) score += 0.1;
  if (has(sentence.cues, CUE.own) && !asking.isNamed) score -= 0.1;
  if (isProgramming(sentence, asking)) score -= 0.25;
  return score < WORTH_PRESSING ? score : score + pressure(asking);
}

/** Calls, assignments, members: signs of a line of code. */
const CODE = /\w\(\)?['"\w]*\)?;|\w\.\w+\(|[=!]=|=>|::|\w = \w|[{}]\s*$|_\w+_/;

/** Programs are full of users, names, keys and codes. */
function isProgramming({ hits, start: from, end: to }: Sentence, { text }: Asking): boolean {
  if (CODE.test(text.slice(from, to))) return true;
  const secrets = new Set(hits.filter(({ word }) => word.kinds !== 0).map(({ start }) => start));
  return hits.some(({ word, start }) => word.topics.includes(TOPIC.programming) && !secrets.has(start));
}

function promptScore(sentence: Sentence, asking: Asking): number {
  if (!has(sentence.kinds, KIND.prompt)) return 0;
  if (!isAsking(sentence) && !has(sentence.cues, CUE.reveal)) return 0;
  const score = (asking.protection.kinds !== 0 ? 0.6 : 0.4) - (isProgramming(sentence, asking) ? 0.25 : 0);
  return score < WORTH_PRESSING ? score : score + pressure(asking);
}

function subjectScore(sentence: Sentence, asking: Asking): number {
  const { protection, text } = asking;
  if (protection.subjects.length === 0) return 0;
  const stems = stemsOf(text, sentence, sentence.start, sentence.end);
  if (stems.size === 0 && sentence.hits.length === 0) return 0;
  const isAllowed = sentence.hits.some(({ word }) => word.topics.some((topic) => protection.allowedTopics.has(topic)));
  let best = 0;
  for (const subject of protection.subjects) best = Math.max(best, likeness(sentence, stems, subject, asking, isAllowed));
  if (best === 0) return 0;
  if (isAsking(sentence)) return best + pressure(asking);
  return best * (has(asking.cues, CUE.ask) ? 0.9 : 0.7) + pressure(asking) * 0.5;
}

/** How far a sentence is about a subject, before it is asked how it says so. */
function likeness(sentence: Sentence, stems: ReadonlySet<number>, subject: Subject, asking: Asking, isAllowed: boolean): number {
  const { protection, text } = asking;
  const words = new Set<number>();
  let base = 0;
  for (const { word, start, end } of sentence.hits) {
    for (const topic of word.topics) {
      if (!subject.topics.has(topic)) continue;
      const isShared = protection.allowedTopics.has(topic) && !subject.isQuoted;
      // "Translate only into Italian": the word that is allowed is not the forbidden rest.
      if (isShared && protection.allowedStems.has(stemHash(text, start, end))) continue;
      words.add(start);
      base = Math.max(
        base,
        isShared
          ? subject.isAbout || subject.isRest
            ? SHARED_SUBJECT
            : SHARED_STYLE
          : WEAK_TOPICS.has(topic)
            ? WEAK_SUBJECT
            : CLEAR_SUBJECT,
      );
    }
  }
  let shared = 0;
  for (const stem of stems) if (subject.stems.has(stem) && !protection.allowedStems.has(stem)) shared++;
  const more = base === SHARED_STYLE ? 0.02 : 0.06;
  const byTopic = words.size === 0 ? 0 : base + more * Math.min(3, words.size - 1);
  const share = shared / Math.min(Math.max(subject.stems.size, 1), 3);
  const byWords = shared === 0 ? 0 : Math.min(0.15 + 0.4 * Math.min(1, share), wordsCap(subject, shared, base));
  const score = Math.max(byTopic, byWords) + (byTopic > 0 && byWords > 0 && base !== SHARED_STYLE ? 0.1 : 0);
  return isAllowed && base !== SHARED_SUBJECT && base !== SHARED_STYLE && byWords < 0.35 ? score - 0.12 : score;
}

/** A word alone says little where the ban may be on a way of writing: "do not write comments in the code". */
function wordsCap({ topics, isAbout, isQuoted }: Subject, shared: number, base: number): number {
  if (base === SHARED_STYLE) return 0.2;
  return topics.size === 0 && !isAbout && !isQuoted && shared < 2 ? 0.45 : 1;
}

/** How sure one word makes: of a subject that the prompt forbids, of a vague one, of one that it also allows in part. */
const CLEAR_SUBJECT = 0.52;
const WEAK_SUBJECT = 0.38;
const SHARED_SUBJECT = 0.42;
/** A coding assistant that is not to write comments may be asked for code. */
const SHARED_STYLE = 0.3;

/** A prompt that allows its own subject only, and a question about another one. */
function offSubjectScore(sentence: Sentence, asking: Asking): number {
  const { protection, text } = asking;
  if (!isAsking(sentence)) return 0;
  const topics = sentence.hits.flatMap(({ word }) => word.topics);
  if (topics.length === 0 || topics.some((topic) => protection.allowedTopics.has(topic))) return 0;
  for (const stem of stemsOf(text, sentence, sentence.start, sentence.end)) if (protection.allowedStems.has(stem)) return 0;
  return 0.33 + (has(asking.cues, CUE.discard) ? 0.15 : 0) + pressure(asking) * 0.5;
}

/** The text holds what the prompt keeps: whoever writes it is guessing, or has it from an answer. */
function valueScore({ text, protection }: Asking): number {
  if (protection.values.size === 0) return 0;
  const folded = foldText(text);
  for (const value of protection.values) if (folded.includes(value)) return 0.7;
  return 0;
}

/** Whether a name stands in the text as a word, or as the beginning of one, as in "Jessica's". */
function namesIn(names: ReadonlySet<string>, text: string): boolean {
  const folded = foldText(text);
  for (const name of names) {
    for (let at = folded.indexOf(name); at >= 0; at = folded.indexOf(name, at + 1)) {
      const isStart = at === 0 || classOf(folded.charCodeAt(at - 1)) !== LETTER;
      // A case ending or an apostrophe may follow, another word may not.
      if (isStart && !isWithin(folded, at + name.length)) return true;
    }
  }
  return false;
}

function isWithin(text: string, end: number): boolean {
  return [0, 1, 2].every((i) => end + i < text.length && classOf(text.charCodeAt(end + i)) === LETTER);
}

const FLOOD_WORDS = 50;
const FLOOD_DISTINCT_MAX = 4;

/** A handful of tokens over and over: they are meant to push the instructions out of the model's attention. */
function isFlood(text: string): boolean {
  const seen = new Set<string>();
  let count = 0;
  for (let start = 0; count < FLOOD_WORDS; count++) {
    const end = text.indexOf(' ', start);
    if (end < 0) return false;
    seen.add(text.slice(start, end));
    if (seen.size > FLOOD_DISTINCT_MAX) return false;
    start = end + 1;
  }
  return true;
}

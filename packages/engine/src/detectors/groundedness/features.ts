// What a sentence of an answer and its evidence have in common and what not, as numbers for the model.

import type { Evidence } from './evidence.ts';
import { ASKS_NUMBER, ASKS_PERSON, CHAT, entryOf, GREETING, HEDGE, meaningsOf, SELF, SOURCE, UNKNOWN } from './lexicon.ts';
import { isSameUnit, quantityAt } from './numbers.ts';
import type { Question } from './question.ts';
import { pairHash } from './stem.ts';
import { CAPITAL, NUMBER, OPENING, PAIR, type Sentence, type Tokens } from './tokens.ts';
import { weightOf, WEIGHT_MAX } from './weights.ts';
import { isDenial, lookAt, type Span } from './look.ts';
import { bestWindow } from './window.ts';

/** Names of the features, in the order of the vector. All are about 0–1. */
export const FEATURES = [
  'novelty',
  'novelty_soft',
  'unmatched_mass',
  'unmatched_heaviest',
  'pair_novelty',
  'longest_run',
  'window_uncovered',
  'sentence_uncovered',
  'scattered',
  'number_missing',
  'number_word_missing',
  'number_rounded',
  'number_misplaced',
  'unit_mismatch',
  'name_missing',
  'name_misplaced',
  'negation_flip',
  'negation_added',
  'negation_dropped',
  'opposite',
  'quantifier',
  'disorder',
  'substituted',
  'inserted',
  'short',
  'short_novelty',
  'self',
  'chat',
  'asks',
  'hedge',
  'claims_nothing',
  'paired_script',
  'question',
  'question_nowhere',
  'question_elsewhere',
  'question_far',
  'question_uncovered',
  'answer_number_unasked',
  'answer_number_wanted',
  'answer_person_wanted',
] as const;
export type Feature = (typeof FEATURES)[number];

/** A word of the sentence that says something, and how the evidence knows it. */
interface Word {
  readonly token: number;
  readonly weight: number;
  /** `same`: the stem; `akin`: a relative or a word of the same meaning. */
  readonly match: 'same' | 'akin' | 'none';
  readonly isInQuestion: boolean;
}

/** The features of one sentence, by name. `question`: what was asked, where that is known. */
export function featuresOf(
  tokens: Tokens,
  sentence: Sentence,
  evidence: Evidence,
  question: Question | null,
): Record<Feature, number> {
  const words = wordsOf(tokens, sentence, evidence, question);
  const own = question === null ? words : words.filter(({ isInQuestion }) => !isInQuestion);
  const judged = own.length > 0 ? own : words;
  const window = bestWindow(tokens, words, evidence);
  const size = sentence.last - sentence.first;
  return {
    ...noveltyOf(judged),
    ...orderOf(tokens, sentence, evidence),
    ...coverageOf(tokens, judged, evidence, window),
    ...numberFeatures(tokens, sentence, evidence, window),
    ...nameFeatures(tokens, judged, evidence, window),
    ...contradictionFeatures(tokens, sentence, words, evidence, window),
    ...toneOf(tokens, sentence, judged),
    short: 1 / (1 + judged.length),
    short_novelty: judged.length <= 3 ? share(judged, ({ match }) => match === 'none') : 0,
    paired_script: size > 0 && (tokens.flags[sentence.first]! & PAIR) !== 0 ? 1 : 0,
    ...questionFeatures(tokens, sentence, judged, question),
  };
}

function wordsOf(tokens: Tokens, { first, last }: Sentence, evidence: Evidence, question: Question | null): Word[] {
  const words: Word[] = [];
  for (let token = first; token < last; token++) {
    const weight = weightOf(tokens, token);
    if (weight <= 0) continue;
    const isInQuestion = question !== null && question.stems.has(tokens.stems[token]!);
    words.push({ token, weight, match: matchOf(tokens, token, evidence), isInQuestion });
  }
  return words;
}

function matchOf(tokens: Tokens, token: number, evidence: Evidence): Word['match'] {
  const stem = tokens.stems[token]!;
  if (evidence.places.first(stem) >= 0) return 'same';
  const quantity = quantityAt(tokens, token);
  if (quantity !== null) {
    if (evidence.numbers.matches(quantity).length > 0) return 'same';
    return evidence.numbers.hasRounded(quantity) ? 'akin' : 'none';
  }
  const beginning = tokens.beginnings[token]!;
  if (beginning !== 0 && evidence.beginnings.has(beginning)) return 'akin';
  return meaningsOf(stem).some((meaning) => evidence.meanings[meaning] === 1) ? 'akin' : 'none';
}

/** The share of the weight of `words` that `test` holds for; 0 without words. */
function share(words: readonly Word[], test: (word: Word) => boolean): number {
  let part = 0;
  let total = 0;
  for (const word of words) {
    total += word.weight;
    if (test(word)) part += word.weight;
  }
  return total === 0 ? 0 : part / total;
}

const MASS_SCALE = 4;

function noveltyOf(words: readonly Word[]) {
  let mass = 0;
  let heaviest = 0;
  for (const { weight, match } of words) {
    if (match !== 'none') continue;
    mass += weight;
    heaviest = Math.max(heaviest, weight);
  }
  return {
    novelty: share(words, ({ match }) => match !== 'same'),
    novelty_soft: share(words, ({ match }) => match === 'none'),
    unmatched_mass: Math.log1p(mass) / MASS_SCALE,
    unmatched_heaviest: heaviest / WEIGHT_MAX,
  };
}

/** Pairs of neighbours, and what stands between neighbours of the evidence. */
function orderOf({ stems }: Tokens, { first, last }: Sentence, { pairs, gaps, places }: Evidence) {
  let missing = 0;
  let run = 0;
  let longest = 0;
  let substituted = 0;
  let inserted = 0;
  for (let i = first; i + 1 < last; i++) {
    if (pairs.has(pairHash(stems[i]!, stems[i + 1]!))) longest = Math.max(longest, ++run);
    else {
      missing++;
      run = 0;
    }
    if (i + 2 < last && places.first(stems[i + 1]!) < 0) {
      const around = pairHash(stems[i]!, stems[i + 2]!);
      if (gaps.has(around)) substituted++;
      if (pairs.has(around)) inserted++;
    }
  }
  const count = last - first - 1;
  return {
    pair_novelty: count > 0 ? missing / count : places.first(stems[first]!) < 0 ? 1 : 0,
    longest_run: count > 0 ? longest / count : 0,
    substituted: Math.min(2, substituted) / 2,
    inserted: Math.min(2, inserted) / 2,
  };
}

function coverageOf(tokens: Tokens, words: readonly Word[], evidence: Evidence, window: Span | null) {
  const inWindow = (word: Word) => isWithin(tokens, word, evidence, window, 1);
  const uncovered = share(words, (word) => word.match === 'none' || (word.match === 'same' && !inWindow(word)));
  return {
    window_uncovered: uncovered,
    sentence_uncovered: share(words, (word) => word.match === 'none' || !isWithin(tokens, word, evidence, window, 0)),
    scattered: share(words, (word) => word.match === 'same' && !inWindow(word)),
    disorder: disorderOf(tokens, words, evidence, window),
  };
}

/** Whether the word's stem stands in the window's sentence or at most `around` sentences from it. */
function isWithin({ stems }: Tokens, { token }: Word, evidence: Evidence, window: Span | null, around: number): boolean {
  if (window === null) return false;
  const { places, sentenceOf } = evidence;
  let tries = 0;
  for (let at = places.first(stems[token]!); at >= 0 && tries < TRIES_MAX; at = places.after(at), tries++) {
    const sentence = sentenceOf[at]!;
    if (Math.abs(sentence - window.sentence) <= around) return true;
    if (sentence > window.sentence + around) return false;
  }
  return false;
}

/** Places of one word that are looked at; a word that stands in more is no help in telling them apart. */
const TRIES_MAX = 64;

/** The share of neighbouring words whose order the evidence has the other way round. */
function disorderOf({ stems }: Tokens, words: readonly Word[], { places, sentenceOf }: Evidence, window: Span | null): number {
  if (window === null) return 0;
  let before = -1;
  let steps = 0;
  let descents = 0;
  for (const { token, match } of words) {
    if (match !== 'same') continue;
    let at = places.first(stems[token]!);
    for (let tries = 0; at >= 0 && sentenceOf[at]! < window.sentence && tries < TRIES_MAX; tries++) at = places.after(at);
    if (at < 0 || sentenceOf[at] !== window.sentence) continue;
    if (before >= 0) {
      steps++;
      if (at < before) descents++;
    }
    before = at;
  }
  return steps === 0 ? 0 : descents / steps;
}

function numberFeatures(tokens: Tokens, { first, last }: Sentence, { numbers, sentenceOf }: Evidence, window: Span | null) {
  let missing = 0;
  let missingWords = 0;
  let rounded = 0;
  let misplaced = 0;
  let mismatched = 0;
  for (let token = first; token < last; token++) {
    const quantity = quantityAt(tokens, token);
    if (quantity === null) continue;
    const found = numbers.matches(quantity);
    // "One" and "first" are mostly no numbers.
    if (found.length === 0 && quantity.value === 1) continue;
    if (found.length === 0) {
      if (numbers.hasRounded(quantity)) rounded++;
      else if ((tokens.flags[token]! & NUMBER) !== 0) missing++;
      else missingWords++;
      continue;
    }
    if (window !== null && !found.some(({ token }) => Math.abs(sentenceOf[token]! - window.sentence) <= 1)) misplaced++;
    if (quantity.unit !== 0 && !found.some((other) => isSameUnit(quantity, other))) mismatched++;
  }
  return {
    number_missing: Math.min(2, missing) / 2,
    number_word_missing: Math.min(2, missingWords) / 2,
    number_rounded: Math.min(1, rounded),
    number_misplaced: Math.min(2, misplaced) / 2,
    unit_mismatch: Math.min(1, mismatched),
  };
}

/** Weight from which a capital word is taken for a name: common words get capitals in titles. */
const NAME_WEIGHT_MIN = 2.5;
const NAMES_COUNTED = 3;

function nameFeatures(tokens: Tokens, words: readonly Word[], evidence: Evidence, window: Span | null) {
  let missing = 0;
  let misplaced = 0;
  for (const word of words) {
    if ((tokens.flags[word.token]! & CAPITAL) === 0 || word.weight < NAME_WEIGHT_MIN) continue;
    if (word.match === 'none') missing++;
    else if (word.match === 'same' && !isWithin(tokens, word, evidence, window, 1)) misplaced++;
  }
  return {
    name_missing: Math.min(NAMES_COUNTED, missing) / NAMES_COUNTED,
    name_misplaced: Math.min(NAMES_COUNTED, misplaced) / NAMES_COUNTED,
  };
}

/** A denial counts as one about the same matter only where this share of the sentence stands in the window. */
const SAME_MATTER_MIN = 0.4;

function contradictionFeatures(
  tokens: Tokens,
  { first, last }: Sentence,
  words: readonly Word[],
  evidence: Evidence,
  window: Span | null,
) {
  const none = { negation_flip: 0, negation_added: 0, negation_dropped: 0, opposite: 0, quantifier: 0 };
  if (window === null) return none;
  const said = lookAt(tokens, first, last);
  const shown = evidence.look(window);
  const isSameMatter = share(words, (word) => isWithin(tokens, word, evidence, window, 0)) >= SAME_MATTER_MIN;
  let flips = 0;
  for (const stem of said.denied) if (shown.stems.has(stem) && !shown.denied.has(stem)) flips++;
  for (const stem of shown.denied) if (said.stems.has(stem) && !said.denied.has(stem)) flips++;
  let opposites = 0;
  for (const { token } of words) {
    const stem = tokens.stems[token]!;
    if (shown.stems.has(stem)) continue;
    const meanings = meaningsOf(stem);
    const isAgreed = meanings.some((meaning) => shown.meanings.has(meaning));
    if (!isAgreed && meanings.some((meaning) => shown.meanings.has(meaning ^ 1))) opposites++;
  }
  let differing = 0;
  for (const [stem, quantifiers] of said.quantified) {
    const others = shown.quantified.get(stem) ?? quantifiers;
    if ((others & quantifiers) === 0) differing++;
  }
  return {
    negation_flip: Math.min(1, flips),
    negation_added: isSameMatter && said.denied.size > 0 && shown.denied.size === 0 ? 1 : 0,
    negation_dropped: isSameMatter && said.denied.size === 0 && shown.denied.size > 0 ? 1 : 0,
    opposite: Math.min(2, opposites) / 2,
    quantifier: Math.min(1, differing),
  };
}

/** "I do not know when it opens": longer sentences go on with what is known. */
const ABSTENTION_WORDS_MAX = 8;
/** "Thanks for your message", "Kind regards, Ada": longer sentences that begin so go on to say something. */
const GREETING_WORDS_MAX = 6;
/** Words that weigh less are in every other passage: a sentence of them alone is talk. */
const CLAIM_WEIGHT_MIN = 1.7;

/** How the sentence speaks: of the speaker, in small talk, with doubt. Nothing is claimed by talk, or by not knowing. */
function toneOf(tokens: Tokens, { first, last, isQuestion }: Sentence, words: readonly Word[]) {
  const { exacts } = tokens;
  let self = 0;
  let hedges = 0;
  let unknown = 0;
  let isDenied = false;
  let hasSource = false;
  let chat = 0;
  for (let token = first; token < last; token++) {
    const classes = entryOf(exacts[token]!)?.classes ?? 0;
    if ((classes & SELF) !== 0) self++;
    if ((classes & HEDGE) !== 0) hedges++;
    if ((classes & UNKNOWN) !== 0) unknown++;
    if ((classes & SOURCE) !== 0) hasSource = true;
    if (isDenial(tokens, token)) isDenied = true;
    if ((classes & CHAT) !== 0) chat++;
  }
  const size = last - first;
  const abstains = isDenied && unknown > 0 && (hasSource || (self > 0 && size <= ABSTENTION_WORDS_MAX));
  const greets = size <= GREETING_WORDS_MAX && ((entryOf(exacts[first]!)?.classes ?? 0) & GREETING) !== 0;
  const claims = words.filter(
    ({ token, weight }) => weight >= CLAIM_WEIGHT_MIN && ((entryOf(exacts[token]!)?.classes ?? 0) & (CHAT | SELF | HEDGE)) === 0,
  );
  return {
    self: Math.min(1, self / 2),
    chat: chat / size,
    asks: isQuestion ? 1 : 0,
    hedge: Math.min(1, hedges),
    claims_nothing: abstains || greets || (claims.length === 0 && (size > 1 || chat > 0)) ? 1 : 0,
  };
}

/** Longer sentences say more than what was asked, so their distance to the question tells nothing. */
const ANSWER_WORDS_MAX = 10;
const ANSWER_SENTENCES_MAX = 2;

function questionFeatures(tokens: Tokens, { first, last }: Sentence, words: readonly Word[], question: Question | null) {
  const none = {
    question: 0,
    question_nowhere: 0,
    question_elsewhere: 0,
    question_far: 0,
    question_uncovered: 0,
    answer_number_unasked: 0,
    answer_number_wanted: 0,
    answer_person_wanted: 0,
  };
  if (question === null || words.length > ANSWER_WORDS_MAX || tokens.sentences.length > ANSWER_SENTENCES_MAX) return none;
  const known = words.filter(({ match }) => match === 'same').map(({ token }) => token);
  if (known.length === 0) return { ...none, question_nowhere: 1 };
  let hasNumber = false;
  let hasName = false;
  for (let token = first; token < last; token++) {
    if ((tokens.flags[token]! & NUMBER) !== 0 || quantityAt(tokens, token) !== null) hasNumber = true;
    if ((tokens.flags[token]! & (CAPITAL | OPENING)) !== 0) hasName = true;
  }
  const isShort = words.length <= 4;
  const wantsNumber = (question.classes & ASKS_NUMBER) !== 0;
  const wantsPerson = (question.classes & ASKS_PERSON) !== 0;
  const near = question.nearness(tokens, known);
  return {
    question: 1,
    question_nowhere: 0,
    question_elsewhere: near.elsewhere,
    question_far: near.far,
    question_uncovered: near.uncovered,
    answer_number_unasked: hasNumber && isShort && !wantsNumber ? 1 : 0,
    answer_number_wanted: !hasNumber && isShort && wantsNumber ? 1 : 0,
    answer_person_wanted: wantsPerson && isShort && (!hasName || hasNumber) ? 1 : 0,
  };
}

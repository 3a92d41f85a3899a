// Judges an answer by its evidence, sentence by sentence.

import { evidenceOf } from './evidence.ts';
import { featuresOf, type Feature } from './features.ts';
import { probabilityOf } from './model.ts';
import { Question } from './question.ts';
import { tokensOf } from './tokens.ts';

/** Why a sentence is doubted. */
type Reason =
  | 'words_not_in_evidence'
  | 'number_not_in_evidence'
  | 'name_not_in_evidence'
  | 'negated'
  | 'opposite_meaning'
  | 'other_quantity'
  | 'other_unit'
  | 'from_other_passages'
  | 'not_what_was_asked';

/** One sentence of the answer. `start`, `end`: UTF-16 offsets in the answer, end exclusive. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  /** 0–1: the probability that the evidence does not support it. */
  readonly score: number;
  readonly reasons: readonly Reason[];
}

/** `score`: 0–1, the probability that the evidence does not support the answer; that of its least supported sentence. */
export interface Judgement {
  readonly score: number;
  readonly segments: readonly Segment[];
  /** True when a bound left part of the answer or the evidence unread. */
  readonly isTruncated: boolean;
}

/** Words of an answer that are read: some 150 000 characters of English. */
export const ANSWER_TOKENS_MAX = 30_000;

const NOTHING: Judgement = { score: 0, segments: [], isTruncated: false };

/**
 * Judges whether `evidence` (any number of texts) supports `answer`. `question`: what was asked, where known; an answer in the
 * form `Q: … A: …` brings its own. Without evidence, or without a word in the answer, the score is 0. Pure, linear in the length
 * of the texts, never throws.
 */
export function judge(answer: string, evidence: readonly string[], question?: string): Judgement {
  const sources = evidence.filter((text) => text.trim() !== '');
  if (sources.length === 0) return NOTHING;
  const known = evidenceOf(sources);
  if (known.tokens.count === 0) return NOTHING;
  const { asked, from } = withoutQuestion(answer, question);
  const tokens = tokensOf([answer.slice(from)], ANSWER_TOKENS_MAX);
  const query = asked === undefined ? null : new Question(asked, known);
  const segments = tokens.sentences.map((sentence) => {
    const features = featuresOf(tokens, sentence, known, query);
    return {
      start: from + sentence.start,
      end: from + sentence.end,
      score: probabilityOf(features),
      reasons: reasonsOf(features),
    };
  });
  return {
    score: segments.reduce((highest, { score }) => Math.max(highest, score), 0),
    segments,
    isTruncated: tokens.isCut || known.tokens.isCut,
  };
}

/** Questions are short; what is longer is a text that happens to begin like one. */
const QUESTION_CHARS_MAX = 1_000;

/** An answer that repeats its question, as in `Q: …` and `A: …` on lines of their own. */
export function withoutQuestion(
  answer: string,
  question?: string,
): { readonly asked: string | undefined; readonly from: number } {
  const own = /^\s*(?:Q|Question)\s*:([^\n]*)\n\s*(?:A|Answer)\s*:/i.exec(answer.slice(0, QUESTION_CHARS_MAX));
  return own === null ? { asked: question, from: 0 } : { asked: own[1], from: own[0].length };
}

/** From here on a feature counts as a reason. */
const REASONS: readonly (readonly [Reason, Feature, number])[] = [
  ['words_not_in_evidence', 'novelty_soft', 0.3],
  ['number_not_in_evidence', 'number_missing', 0.5],
  ['number_not_in_evidence', 'number_word_missing', 0.5],
  ['name_not_in_evidence', 'name_missing', 0.3],
  ['negated', 'negation_flip', 1],
  ['opposite_meaning', 'opposite', 0.5],
  ['other_quantity', 'quantifier', 1],
  ['other_unit', 'unit_mismatch', 1],
  ['from_other_passages', 'scattered', 0.5],
  ['not_what_was_asked', 'question_far', 0.9],
];

function reasonsOf(features: Readonly<Record<Feature, number>>): Reason[] {
  return [...new Set(REASONS.filter(([, feature, least]) => features[feature] >= least).map(([reason]) => reason))];
}

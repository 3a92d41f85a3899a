// What was asked: its words, the kind of answer it wants, and how near the answer stands to them in the evidence.

import type { Evidence } from './evidence.ts';
import { entryOf } from './lexicon.ts';
import { type Tokens, tokensOf } from './tokens.ts';
import { weightOf } from './weights.ts';

/** The first tokens and of them the heaviest words are compared: what nearness costs is the product of these bounds. */
const QUESTION_TOKENS_MAX = 200;
const WORDS_MAX = 24;
const PLACES_MAX = 12;
/** Words at which nearness has fallen to a third. */
const REACH = 10;

/** How the evidence sets the answer against the question; all 0–1. */
export interface Nearness {
  /** The question's words stand better together in a sentence without the answer. */
  readonly elsewhere: number;
  /** The answer stands far from the question's words. */
  readonly far: number;
  /** The question's words are not in the answer's sentence. */
  readonly uncovered: number;
}

/** Of a question without a word that tells. */
const NO_QUESTION: Nearness = { elsewhere: 0, far: 0, uncovered: 0 };

/** A question taken apart. */
export class Question {
  readonly stems: ReadonlySet<number>;
  /** Classes of the lexicon that its words have. */
  readonly classes: number;
  private readonly weights: ReadonlyMap<number, number>;
  private readonly total: number;
  private readonly evidence: Evidence;
  /** Weight of the question's words by sentence of the evidence. */
  private readonly covered: ReadonlyMap<number, number>;
  private readonly best: number;

  constructor(text: string, evidence: Evidence) {
    const tokens = tokensOf([text], QUESTION_TOKENS_MAX);
    const weights = new Map<number, number>();
    let classes = 0;
    for (let i = 0; i < tokens.count; i++) {
      classes |= entryOf(tokens.exacts[i]!)?.classes ?? 0;
      const weight = weightOf(tokens, i);
      if (weight > 0) weights.set(tokens.stems[i]!, weight);
    }
    this.classes = classes;
    this.stems = new Set(tokens.stems.subarray(0, tokens.count));
    this.weights = new Map([...weights].sort(([, a], [, b]) => b - a).slice(0, WORDS_MAX));
    this.total = [...this.weights.values()].reduce((sum, weight) => sum + weight, 0);
    this.evidence = evidence;
    this.covered = coverageOf(this.weights, evidence);
    this.best = Math.max(0, ...this.covered.values());
  }

  /** `answer`: those of its words, by token, that the evidence has; at least one. */
  nearness(tokens: Tokens, answer: readonly number[]): Nearness {
    if (this.total === 0) return NO_QUESTION;
    const { covered, evidence } = this;
    const anchor = rarest(tokens, answer, evidence);
    let here = 0;
    let near = 0;
    let place = evidence.places.first(tokens.stems[anchor]!);
    for (let tries = 0; place >= 0 && tries < PLACES_MAX; tries++, place = evidence.places.after(place)) {
      const sentence = evidence.sentenceOf[place]!;
      const around = Math.max(covered.get(sentence - 1) ?? 0, covered.get(sentence + 1) ?? 0);
      here = Math.max(here, Math.max(covered.get(sentence) ?? 0, around / 2));
      near = Math.max(near, this.nearAt(place));
    }
    return {
      elsewhere: (this.best - here) / this.total,
      far: 1 - near / this.total,
      uncovered: 1 - here / this.total,
    };
  }

  /** Weight of the question's words around `anchor`, less the farther they are. */
  private nearAt(anchor: number): number {
    const { places } = this.evidence;
    let sum = 0;
    for (const [stem, weight] of this.weights) {
      let nearest = Infinity;
      let place = places.first(stem);
      for (let tries = 0; place >= 0 && tries < PLACES_MAX; tries++, place = places.after(place))
        nearest = Math.min(nearest, Math.abs(place - anchor));
      sum += weight * Math.exp(-nearest / REACH);
    }
    return sum;
  }
}

function coverageOf(weights: ReadonlyMap<number, number>, { places, sentenceOf }: Evidence): Map<number, number> {
  const covered = new Map<number, number>();
  for (const [stem, weight] of weights) {
    let before = -1;
    let place = places.first(stem);
    for (let tries = 0; place >= 0 && tries < PLACES_MAX; tries++, place = places.after(place)) {
      const sentence = sentenceOf[place]!;
      if (sentence !== before) covered.set(sentence, (covered.get(sentence) ?? 0) + weight);
      before = sentence;
    }
  }
  return covered;
}

/** Of the answer's words the one that the evidence has in the fewest places. */
function rarest({ stems }: Tokens, answer: readonly number[], { places }: Evidence): number {
  let best = answer[0]!;
  let fewest = Infinity;
  for (const token of answer) {
    let count = 0;
    for (let place = places.first(stems[token]!); place >= 0 && count < Math.min(fewest, PLACES_MAX); place = places.after(place))
      count++;
    if (count < fewest) {
      fewest = count;
      best = token;
    }
  }
  return best;
}

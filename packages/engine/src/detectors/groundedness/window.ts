// The sentence of the evidence that a sentence of the answer speaks of.

import type { Evidence } from './evidence.ts';
import type { Span } from './look.ts';
import type { Tokens } from './tokens.ts';

/** Longer sentences are lists and tables: words far apart in them say nothing about each other. */
const WINDOW_TOKENS_MAX = 120;
/** Places of one word that vote. Together with the bound above this keeps the cost of a sentence linear in its words. */
const VOTES_MAX = 24;

/** The sentence that shares the most weight with `words`; `null` when none shares any. */
export function bestWindow(
  { stems }: Tokens,
  words: readonly { readonly token: number; readonly weight: number }[],
  { places, sentenceOf, tokens }: Evidence,
): Span | null {
  const votes = new Map<number, number>();
  let best = -1;
  let most = 0;
  for (const { token, weight } of words) {
    let before = -1;
    let place = places.first(stems[token]!);
    for (let count = 0; place >= 0 && count < VOTES_MAX; count++, place = places.after(place)) {
      const sentence = sentenceOf[place]!;
      if (sentence === before) continue;
      before = sentence;
      const sum = (votes.get(sentence) ?? 0) + weight;
      votes.set(sentence, sum);
      if (sum > most) {
        most = sum;
        best = sentence;
      }
    }
  }
  if (best < 0) return null;
  const { first, last } = tokens.sentences[best]!;
  return { sentence: best, first, last: Math.min(last, first + WINDOW_TOKENS_MAX) };
}

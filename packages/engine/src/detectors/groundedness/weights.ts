// How much a word tells: its inverse document frequency, looked up by hash.

import { entryOf, GRAMMAR } from './lexicon.ts';
import { NUMBER, type Tokens } from './tokens.ts';
import model from '../../../models/groundedness/model.json' with { type: 'json' };

const BUCKET_BITS = 17;
const LEVELS = 15;
/** The weight of words that no text of the sample holds. */
export const WEIGHT_MAX = 5;
const NUMBER_WEIGHT = 3;
/** Grammar that the evidence does not have says little, though a sentence that needs other grammar is seldom a copy. */
const GRAMMAR_SHARE = 0.4;

const TABLE = Buffer.from(model.frequencies, 'base64');

/**
 * Where the table keeps the level of a stem, half a byte each: in two places, as in a Bloom filter. The lower of the two counts, so
 * that a rare word is seldom taken for the common one it shares a place with.
 */
export function bucketsOf(stem: number): readonly [number, number] {
  return [stem >>> (32 - BUCKET_BITS), Math.imul(stem, 0x9e3779b1) >>> (32 - BUCKET_BITS)];
}

/** 0 for grammar, about 2 for common words, 5 for rare ones. */
export function weightOf({ exacts, stems, flags }: Tokens, token: number): number {
  if ((flags[token]! & NUMBER) !== 0) return NUMBER_WEIGHT;
  const [first, second] = bucketsOf(stems[token]!);
  const weight = WEIGHT_MAX * (1 - Math.min(levelAt(first), levelAt(second)) / LEVELS);
  return ((entryOf(exacts[token]!)?.classes ?? 0) & GRAMMAR) === 0 ? weight : weight * GRAMMAR_SHARE;
}

function levelAt(bucket: number): number {
  return (TABLE[bucket >> 1]! >> ((bucket & 1) * 4)) & LEVELS;
}

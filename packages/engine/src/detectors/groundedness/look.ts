// What a stretch of text says and denies.

import { entryOf, meaningsOf, NEGATION } from './lexicon.ts';
import { NEGATED, PREFIX, type Tokens } from './tokens.ts';
import { weightOf } from './weights.ts';

/** One sentence of the evidence. */
export interface Span {
  readonly sentence: number;
  /** Its tokens, `last` exclusive; at most 120. */
  readonly first: number;
  readonly last: number;
}

/** What a stretch of text says. */
export interface Look {
  readonly stems: ReadonlySet<number>;
  /** Stems that are denied. */
  readonly denied: ReadonlySet<number>;
  readonly meanings: ReadonlySet<number>;
  /** By stem, bits by line of the quantifiers before it. */
  readonly quantified: ReadonlyMap<number, number>;
}

/** A denial or a quantifier reaches this many words: "not a very large house", "all of the new houses". */
const REACH = 3;

/** Whether the word denies what follows. */
export function isDenial({ exacts, flags }: Tokens, token: number): boolean {
  if ((flags[token]! & NEGATED) !== 0) return true;
  return ((entryOf(exacts[token]!)?.classes ?? 0) & NEGATION) !== 0 && (flags[token]! & PREFIX) === 0;
}

/** Reads the tokens `[first, last)`. */
export function lookAt(tokens: Tokens, first: number, last: number): Look {
  const stems = new Set<number>();
  const denied = new Set<number>();
  const meanings = new Set<number>();
  const quantified = new Map<number, number>();
  let denialEnd = -1;
  let quantifiers = 0;
  let quantifierEnd = -1;
  for (let token = first; token < last; token++) {
    const stem = tokens.stems[token]!;
    const entry = entryOf(tokens.exacts[token]!);
    stems.add(stem);
    for (const meaning of meaningsOf(stem)) meanings.add(meaning);
    if (entry !== undefined && entry.quantifiers !== 0) {
      quantifiers = entry.quantifiers;
      quantifierEnd = token + REACH;
    } else if (token <= quantifierEnd && weightOf(tokens, token) > 0) {
      quantified.set(stem, quantifiers);
      quantifierEnd = -1;
    }
    if (isDenial(tokens, token)) denialEnd = token + REACH;
    else if (token <= denialEnd && weightOf(tokens, token) > 0) {
      denied.add(stem);
      denialEnd = -1;
    }
  }
  return { stems, denied, meanings, quantified };
}

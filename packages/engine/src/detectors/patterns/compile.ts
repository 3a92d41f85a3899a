// Compiles a policy's regular expressions and refuses those that would cost too much.

import { RE2JS, RE2JSSyntaxException, RE2Set } from 're2js';
import { requiredLiteral } from './literal.ts';

/**
 * Instructions of a compiled pattern. Up to 60, a set of 32 reads 4 kB in 0.05 ms once warm; beyond that the set's automaton
 * grows faster than it helps (256 patterns like `[a-z].{0,100}NAME` took 3 s on 2 kB as sets, 6 ms singly).
 */
export const SET_SIZE_MAX = 60;
const SET_PATTERNS_MAX = 32;
/** A pattern of 500 instructions reads 4 kB in at most about 10 ms, so that the deadline is noticed in time. */
export const PATTERN_SIZE_MAX = 500;
/** A literal shorter than this is in almost every text and spares nothing. */
const LITERAL_CHARS_MIN = 3;
/** Memory of one set's automaton. Eight sets are the most a policy can have. */
const SET_BYTES_MAX = 2_097_152;

/** A pattern ready to run. */
export interface CompiledPattern {
  readonly re: RE2JS;
  /** True when what follows a match can decide about it (`$`, `\b`, …). */
  readonly looksAround: boolean;
  /** For patterns too large for a set: lower-case literal without which nothing matches; '' otherwise. */
  readonly literal: string;
}

/** Patterns that one pass tells apart. `members[i]` is the pattern at index `i` of the set. */
export interface PatternSet<Member> {
  readonly set: RE2Set;
  readonly members: readonly Member[];
}

/** Compiles one expression. Throws an Error with a sentence for the policy's author when it is refused. */
export function compilePattern(regex: string): CompiledPattern {
  const re = compileSyntax(regex);
  if (re.matcher('').find()) throw new Error('matches the empty text, and so everything');
  const size = re.programSize();
  if (size > PATTERN_SIZE_MAX)
    throw new Error(`compiles to ${size} instructions, at most ${PATTERN_SIZE_MAX} are allowed; shorten its repetitions`);
  const literal = size > SET_SIZE_MAX ? requiredLiteral(regex).toLowerCase() : '';
  if (size > SET_SIZE_MAX && literal.length < LITERAL_CHARS_MIN) {
    throw new Error(
      `compiles to ${size} instructions; above ${SET_SIZE_MAX} it must hold a fixed text of at least ${LITERAL_CHARS_MIN} characters outside of groups`,
    );
  }
  return { re, literal, looksAround: /\$|\\[bBzZ]/.test(regex) };
}

function compileSyntax(regex: string): RE2JS {
  try {
    return RE2JS.compile(regex);
  } catch (error) {
    // Its `message` repeats the expression; the author knows it, and logs need not.
    const reason = error instanceof RE2JSSyntaxException ? error.error : 'it is too large';
    throw new Error(`does not compile as RE2 syntax: ${reason}`, { cause: error });
  }
}

/** Puts the small patterns into sets, in their order. */
export function buildSets<Member extends { readonly regex: string; readonly compiled: CompiledPattern }>(
  members: readonly Member[],
): PatternSet<Member>[] {
  const small = members.filter(({ compiled }) => compiled.literal === '');
  const sets: PatternSet<Member>[] = [];
  for (let first = 0; first < small.length; first += SET_PATTERNS_MAX) {
    const chosen = small.slice(first, first + SET_PATTERNS_MAX);
    const set = new RE2Set(RE2Set.UNANCHORED, 0, SET_BYTES_MAX);
    for (const { regex } of chosen) set.add(regex);
    set.compile();
    sets.push({ set, members: chosen });
  }
  return sets;
}

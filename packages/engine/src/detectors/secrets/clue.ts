// A place where a text may give a credential, before anything has judged it.

import type { Tie } from './assignment.ts';

/** What a place promises of its value. `weak`: little (`key`, `auth`); `salt`: salts, seeds, nonces. */
export type Kind = 'password' | 'key' | 'weak' | 'salt';

/** How a value stands at its place. */
type Place = Tie | 'call' | 'option' | 'column';

/** A value, its place and what surrounds it. Offsets are UTF-16 units of `text`; quotes are not part of the value. */
export interface Clue {
  readonly kind: Kind;
  readonly place: Place;
  /** The word that promises a credential, lower case: `password`, `login(`. */
  readonly word: string;
  /** The rest of the name in snake_case, before and after the word. */
  readonly head: string;
  readonly tail: string;
  readonly value: string;
  readonly quoted: boolean;
  readonly text: string;
  /** Where the name starts. */
  readonly nameStart: number;
  readonly start: number;
  readonly end: number;
}

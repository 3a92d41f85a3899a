// The shape of a rule for a published token format, and the helper that makes one from a line of data.

import type { Severity } from '../../types.ts';

/** One token format. */
export interface Rule {
  /** snake_case, e.g. `github_personal_access_token`. */
  readonly type: string;
  /** What a person calls it, e.g. `GitHub personal access token`. */
  readonly label: string;
  /** Lower-case literals that every token of this kind holds. */
  readonly anchors: readonly string[];
  /** Sticky and bounded. When it has a group, the secret is that group, and it ends the match. */
  readonly pattern: RegExp;
  /** How many characters of the token stand before the anchor; 0 when the anchor starts it. */
  readonly offset: number;
  /** For tokens whose `offset` varies: how many characters of `A–Z a–z 0–9 _ -` may stand before the anchor at most. */
  readonly back: number;
  /** The public characters a preview may show; empty for none. */
  readonly prefix: string;
  /** Least Shannon entropy, in bits a character, of what follows the prefix. */
  readonly entropyMin: number;
  readonly score: number;
  readonly severity: Exclude<Severity, 'none'>;
  /** A checksum or structure. `required`: a token that fails is none; otherwise it scores `UNCHECKED_SCORE`. */
  readonly check: ((token: string) => boolean) | null;
  readonly checkRequired: boolean;
}

/** The score of a token in the right format whose checksum does not hold: mistyped, cut short or made up. */
export const UNCHECKED_SCORE = 0.75;

type Options = Partial<Omit<Rule, 'type' | 'label' | 'pattern'>>;

// Random hexadecimal digits have 3.2 bits or more from 24 characters on; repetitions and counters stay below 2.6.
const ENTROPY_MIN = 2.6;

const OPEN_LENGTH = 40;

/** A rule for tokens that start with the literal `prefix`, its anchor, followed by `body`, the source of a bounded pattern. */
export function token(type: string, label: string, prefix: string, body: string, options: Options = {}): Rule {
  return anchored(type, label, `${escape(prefix)}${body}${endOf(body)}`, { anchors: [prefix.toLowerCase()], prefix, ...options });
}

/** A rule for tokens with an anchor that is not a plain prefix. `source` is matched where the token starts: `offset` or at most `back` characters before the anchor. */
export function anchored(type: string, label: string, source: string, options: Options & { anchors: readonly string[] }): Rule {
  return {
    type,
    label,
    pattern: new RegExp(source, 'y'),
    offset: 0,
    back: 0,
    prefix: '',
    entropyMin: ENTROPY_MIN,
    score: 0.95,
    severity: 'high',
    check: null,
    checkRequired: false,
    ...options,
  };
}

/**
 * A token of fixed length ends where its alphabet does; `-` and `_` count only when they are part of it. One of open length is
 * cut at its maximum instead: looking for an end there would read back through all of it.
 */
function endOf(body: string): string {
  const [, min, max] = /\{(\d+),(\d+)\}[^{}]*$/.exec(body) ?? [];
  if (Number(max) - Number(min) >= OPEN_LENGTH) return '';
  return /_[^\]]*-\]/.test(body) ? '(?![A-Za-z0-9_-])' : '(?![A-Za-z0-9])';
}

function escape(literal: string): string {
  return literal.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

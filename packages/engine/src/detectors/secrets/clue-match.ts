// Judges clues: makes a match of one whose value is likely a credential.

import type { Clue } from './clue.ts';
import { RANK } from './match.ts';
import type { Match } from './match.ts';
import { credibility } from './model.ts';
import { isPlaceholder, isReference } from './placeholder.ts';
import { distinctCount } from './strangeness.ts';

/** Below this nothing is reported, so that policies with low thresholds still see what is worth a look. */
const SCORE_MIN = 0.2;
const LENGTH_MIN = 4;
const PHRASE_WORDS_MAX = 24;

/** A match of `type` for the clue, or `null` when its value is hardly a credential. `label`: what stands there, `a password`. */
export function matchClue(clue: Clue, type: string, label: string): Match | null {
  if (isHopeless(clue)) return null;
  const score = credibility(clue);
  if (score < SCORE_MIN) return null;
  return {
    type,
    start: clue.start,
    end: clue.end,
    score,
    severity: clue.kind === 'salt' ? 'low' : score >= 0.8 ? 'high' : 'medium',
    method: 'pattern+entropy',
    explanation: `Stands where ${label} is given, and looks like one.`,
    preview: null,
    rank: RANK.generic,
  };
}

/** True for what no credential looks like, whatever the place: too short, masked, references, variables, paragraphs. */
export function isHopeless({ value, quoted, word, place }: Clue): boolean {
  if (value.length < LENGTH_MIN || distinctCount(value) < 2 || value.toLowerCase() === word) return true;
  if (isPlaceholder(value) || isReference(value)) return true;
  if (value.split(' ', PHRASE_WORDS_MAX + 1).length > PHRASE_WORDS_MAX) return true;
  // In prose only what cannot be a word counts.
  return place === 'prose' && !quoted && !/\d/.test(value);
}

// What a probe found, and which of two overlapping finds stays.

import type { Candidate } from '../../types.ts';
import type { Near } from './near.ts';

/** How specific a find is: a format says more than a vendor's name beside it, and that more than a name such as `password`. */
export const RANK = { generic: 1, vendor: 2, place: 3, format: 4, checked: 5 } as const;

/** A find of a probe. `start`, `end`: UTF-16 offsets of the secret in the view, end exclusive. */
export interface Match {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly score: number;
  readonly severity: Candidate['severity'];
  readonly method: Candidate['method'];
  readonly explanation: string;
  readonly preview: string | null;
  readonly rank: number;
}

/** Looks near an anchor, `text.slice(start, end)`; answers the secret there or `null`. */
export type Probe = (text: string, start: number, end: number) => Match | null;

/** A probe that reads or notes what the scan has seen so far. */
export type NearProbe = (text: string, start: number, end: number, near: Near) => Match | null;

/** One match per secret: of those that overlap, the most specific, then the surest, then the first. Answers them in text order. */
export function withoutOverlaps(matches: readonly Match[]): Match[] {
  const kept: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const before = kept.at(-1);
    if (before === undefined || before.end <= match.start) kept.push(match);
    else if (match.rank > before.rank || (match.rank === before.rank && match.score > before.score))
      kept[kept.length - 1] = match;
  }
  return kept;
}

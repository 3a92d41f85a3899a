// Counts of what another policy would have changed.

import type { Outcome } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Comparison } from './difference.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const Samples = (what: string) => Type.Array(Type.String(), { description: `Assessments that are ${what}.` });

/** Members of a tally, as it is answered. */
export const TALLY_PROPERTIES = {
  assessed: Count('Assessments that were compared: the sum of the four below.'),
  unchanged: Count('The outcome is the same.'),
  newly_blocked: Count('The candidate blocks what was not blocked.'),
  newly_flagged: Count('The candidate flags what was allowed, or what was blocked.'),
  newly_allowed: Count('The candidate allows what was flagged or blocked.'),
  by_category: Type.Record(
    Type.String(),
    Type.Object({ added: Count('Findings that only the candidate has.'), removed: Count('Findings that it has not.') }),
    { description: 'Findings that differ, by category; beyond 200 categories in `other`.' },
  ),
  samples: Type.Object(
    {
      newly_blocked: Samples('newly blocked'),
      newly_flagged: Samples('newly flagged'),
      newly_allowed: Samples('newly allowed'),
    },
    { description: 'Ids of some assessments for each change, to look at.' },
  ),
};

const TallySchema = Type.Object(TALLY_PROPERTIES);
export type Tally = Static<typeof TallySchema>;

const CATEGORIES_MAX = 200;

export function emptyTally(): Tally {
  return {
    assessed: 0,
    unchanged: 0,
    newly_blocked: 0,
    newly_flagged: 0,
    newly_allowed: 0,
    by_category: {},
    samples: { newly_blocked: [], newly_flagged: [], newly_allowed: [] },
  };
}

const CHANGE_TO = { blocked: 'newly_blocked', flagged: 'newly_flagged', allowed: 'newly_allowed' } as const satisfies Record<
  Outcome,
  keyof Tally['samples']
>;

/**
 * Adds an assessment to `tally`. `after`: the candidate's outcome. `isNewest`: assessments come in the order of time, so that later samples
 * stand in place of earlier ones; else those that come first are kept. `id` is kept as a sample, of at most `samplesMax`.
 */
export function addToTally(
  tally: Tally,
  { changed, added, removed }: Comparison,
  after: Outcome,
  id: string,
  samplesMax: number,
  isNewest: boolean,
): void {
  tally.assessed++;
  for (const { category } of added) categoryOf(tally, category).added++;
  for (const { category } of removed) categoryOf(tally, category).removed++;
  if (!changed) {
    tally.unchanged++;
    return;
  }
  const change = CHANGE_TO[after];
  tally[change]++;
  const samples = tally.samples[change];
  if (samples.length < samplesMax) samples.push(id);
  else if (isNewest) {
    samples.shift();
    samples.push(id);
  }
}

function categoryOf({ by_category: known }: Tally, category: string): { added: number; removed: number } {
  const isRoom = Object.hasOwn(known, category) || Object.keys(known).length < CATEGORIES_MAX;
  return (known[isRoom ? category : 'other'] ??= { added: 0, removed: 0 });
}

// The shadow's tally, counted from what assessments of the trail say of it.

import { addToTally, emptyTally, type Tally } from '../tally.ts';
import type { ShadowVerdict } from './schemas.ts';

const SAMPLES_MAX = 20;

export interface ShadowTally extends Tally {
  errors: number;
  skipped: number;
  judges_not_asked: number;
}

export function emptyShadowTally(): ShadowTally {
  return { ...emptyTally(), errors: 0, skipped: 0, judges_not_asked: 0 };
}

/** Adds what an assessment says of the candidate. Assessments come in the order of the trail: the newest are the samples. */
export function addVerdict(tally: ShadowTally, verdict: ShadowVerdict, assessmentId: string): void {
  if (verdict.error === 'skipped') tally.skipped++;
  else if (verdict.outcome === null || verdict.changed === null) tally.errors++;
  else {
    if (verdict.judges_not_asked > 0) tally.judges_not_asked++;
    const { changed, added, removed } = verdict;
    addToTally(tally, { changed, added, removed }, verdict.outcome, assessmentId, SAMPLES_MAX, true);
  }
}

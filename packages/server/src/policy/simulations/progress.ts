// What a simulation has found so far.

import type { OpenQuestion, Outcome } from '@svc/engine';
import type { Comparison } from '../difference.ts';
import { addToTally, emptyTally, type Tally } from '../tally.ts';
import type { SimulationResult } from './schemas.ts';

const SAMPLES_MAX = 50;

/** As it is kept from turn to turn. */
export interface SimulationProgress extends Tally {
  readonly answered: { texts: number; findings: number; partly: number };
  /** By question. */
  readonly unanswered: Record<string, { count: number; explanation: string }>;
}

/** What became of one assessment. */
export interface Simulated {
  /** `asm_…`, or the place of an item. */
  readonly id: string;
  readonly outcome: Outcome;
  readonly comparison: Comparison;
  readonly from: 'texts' | 'findings';
  /** What could not be known. */
  readonly open: readonly OpenQuestion[];
}

export function emptyProgress(): SimulationProgress {
  return { ...emptyTally(), answered: { texts: 0, findings: 0, partly: 0 }, unanswered: {} };
}

/** Adds one assessment. Those that come first, the newest, are the samples. */
export function addSimulated(progress: SimulationProgress, { id, outcome, comparison, from, open }: Simulated): void {
  addToTally(progress, comparison, outcome, id, SAMPLES_MAX, false);
  progress.answered[open.length === 0 ? from : 'partly']++;
  for (const { question, explanation } of open) (progress.unanswered[question] ??= { count: 0, explanation }).count++;
}

/** As it is answered: what concerns most assessments first. */
export function resultOf({ unanswered, ...counts }: SimulationProgress): SimulationResult {
  return {
    ...counts,
    unanswered: Object.entries(unanswered)
      .map(([question, { count, explanation }]) => ({ question, count, explanation }))
      .toSorted((a, b) => b.count - a.count || (a.question < b.question ? -1 : 1)),
  };
}

// What a chunk says: the factors of all bets, the sums of all features, and what these were expected to be.

import { type Bets, BETS_PER_FEATURE, CHUNK } from './bets.ts';
import type { Chunk } from './chunk.ts';
import { TOP_LABELS } from './features.ts';
import type { Season } from './season.ts';

const FEATURES_MAX = TOP_LABELS + 1;

/** Shared by all monitors: it is filled anew for every chunk and nothing of it outlives that. */
export const judgement = {
  factors: new Float64Array(FEATURES_MAX * BETS_PER_FEATURE),
  sums: new Float64Array(FEATURES_MAX),
  expected: new Float64Array(FEATURES_MAX),
};

const run = {
  factors: new Float64Array(FEATURES_MAX * BETS_PER_FEATURE),
  sums: new Float64Array(FEATURES_MAX),
};

/** Judges a whole chunk by the same bets. */
export function judgeChunk(bets: Bets, chunk: Chunk): void {
  bets.judge(chunk.cells, 0, CHUNK, judgement.factors, judgement.sums);
  for (let feature = 0; feature < bets.expected.length; feature++) judgement.expected[feature] = CHUNK * bets.expected[feature]!;
}

/**
 * Judges each run of observations of one slot by that slot's bets. `enter` is called before the first run of another slot and
 * answers with the bets for it.
 */
export function judgeBySlot(bets: Bets, chunk: Chunk, season: Season, enter: (slot: number, atMs: number) => Bets): void {
  judgement.factors.fill(1);
  judgement.sums.fill(0);
  judgement.expected.fill(0);
  let current = bets;
  for (let from = 0; from < CHUNK;) {
    const slot = season.slotOf(chunk.timesMs[from]!);
    let to = from + 1;
    while (to < CHUNK && season.slotOf(chunk.timesMs[to]!) === slot) to++;
    if (slot !== season.slot) current = enter(slot, chunk.timesMs[from]!);
    judgeRun(current, chunk, season, from, to - from);
    from = to;
  }
}

function judgeRun(bets: Bets, chunk: Chunk, season: Season, from: number, n: number): void {
  bets.judge(chunk.cells, from, n, run.factors, run.sums);
  season.add(n, run.sums);
  // A slot hardly seen before says nothing yet.
  const isJudged = !season.isActive || season.isKnown;
  if (isJudged) for (let bet = 0; bet < bets.count; bet++) judgement.factors[bet]! *= run.factors[bet]!;
  for (let feature = 0; feature < bets.expected.length; feature++) {
    const sum = run.sums[feature]!;
    judgement.sums[feature]! += sum;
    judgement.expected[feature]! += isJudged ? n * bets.expected[feature]! : sum;
  }
}

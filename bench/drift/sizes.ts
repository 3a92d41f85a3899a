// How much the benchmark measures.

export interface Sizes {
  /** Observations without a change, for each stream, and in how many series they come, each with a baseline of its own. */
  readonly nulls: number;
  readonly nullSeries: number;
  /** Of these, how many River's detectors see. */
  readonly riverNulls: number;
  readonly kswinNulls: number;
  readonly seasonObservations: number;
  readonly seasonRuns: number;
  /** Streams for each change. */
  readonly runs: number;
  readonly riverRuns: number;
  readonly kswinRuns: number;
  readonly burstRuns: number;
  readonly costObservations: number;
  readonly replayObservations: number;
  readonly simulatedDays: number;
  readonly simulatedSeeds: number;
}

/** 10⁷ observations without a change, so that a rate of 10⁻⁶ can be told from none. */
export const FULL: Sizes = {
  nulls: 10_000_000,
  nullSeries: 40,
  riverNulls: 2_000_000,
  kswinNulls: 50_000,
  seasonObservations: 5_400_000,
  seasonRuns: 20,
  runs: 100,
  riverRuns: 100,
  kswinRuns: 10,
  burstRuns: 10,
  costObservations: 2_000_000,
  replayObservations: 200_000,
  simulatedDays: 14,
  simulatedSeeds: 3,
};

/** Half a minute: that everything runs, not what it finds. */
export const QUICK: Sizes = {
  nulls: 100_000,
  nullSeries: 2,
  riverNulls: 50_000,
  kswinNulls: 2_000,
  seasonObservations: 350_000,
  seasonRuns: 1,
  runs: 4,
  riverRuns: 4,
  kswinRuns: 0,
  burstRuns: 1,
  costObservations: 150_000,
  replayObservations: 40_000,
  simulatedDays: 2,
  simulatedSeeds: 1,
};

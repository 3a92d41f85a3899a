// How far a mean measured at baseline may be from the true one.

import { betaQuantile } from './beta.ts';

/** Standard deviations on each side; a true mean lies beyond one side with probability 0.00135. */
export const Z = 3;

/** Φ(−3). */
const BEYOND = 0.0013498980316300946;

/** From this many on both sides the score interval differs from the exact one by less than the bisection is worth. */
const EXACT_UNTIL = 1000;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/**
 * Bounds on a probability of which `hits` of `n` independent trials came true: Clopper–Pearson's, or Wilson's where both sides
 * are plenty. Counts may be fractions (trials divided by how many depend on each other). Each side holds with 99.865 %.
 */
export function shareInterval(hits: number, n: number): Interval {
  const misses = n - hits;
  if (hits > EXACT_UNTIL && misses > EXACT_UNTIL) return scoreInterval(hits / n, n, Z);
  return {
    low: hits <= 0 ? 0 : betaQuantile(BEYOND, hits, misses + 1),
    high: misses <= 0 ? 1 : betaQuantile(1 - BEYOND, hits + 1, misses),
  };
}

/** Wilson's score interval of a share at `z` standard deviations. */
export function scoreInterval(share: number, n: number, z: number): Interval {
  const shrink = 1 + (z * z) / n;
  const middle = (share + (z * z) / (2 * n)) / shrink;
  const half = (z / shrink) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * Bounds on the mean of a variable in [0, 1] measured as `mean` with `variance` over `n` independent values. The variance is
 * itself an estimate, zero for a baseline of equal values: z²/n on top of it makes the bound of such a baseline about that of a
 * share of which none was seen.
 */
export function meanInterval(mean: number, variance: number, n: number): Interval {
  const half = Z * Math.sqrt((variance + (Z * Z) / n) / n);
  return { low: Math.max(0, mean - half), high: Math.min(1, mean + half) };
}

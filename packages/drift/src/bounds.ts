// Which means of a feature count as unchanged.

import type { Measured } from './baseline.ts';
import type { Expected } from './bets.ts';
import type { SignalKind } from './types.ts';

/**
 * What may be a season: numeric one standard deviation, a share a factor of three or a tenth of all.
 */
const SEASON_DEVIATIONS = 1;
const SEASON_FACTOR = 3;
const SEASON_SHARE = 0.1;

/**
 * The interval in which a feature's true mean lies as far as the baseline can tell, and where `tolerance` is above 0 at least
 * that far on each side: numeric in standard deviations of the feature, otherwise relative to its mean, or to what is left of 1
 * where that is less.
 *
 * Suspicion is judged without tolerance, confirmation with it: so a change is noticed and dated as early as the baseline allows,
 * and none within the tolerance is ever reported.
 */
export function expectedOf(measured: readonly Measured[], kind: SignalKind, tolerance: number): readonly Expected[] {
  return measured.map(({ mean, variance, interval }) => {
    const least = tolerance * (kind === 'numeric' ? Math.sqrt(variance) : Math.min(mean, 1 - mean));
    return {
      mean,
      low: Math.max(0, Math.min(interval.low, mean - least)),
      high: Math.min(1, Math.max(interval.high, mean + least)),
    };
  });
}

/** The same while a season is not known yet: nothing counts as changed that an ordinary day may bring. */
export function expectedBeforeSeason(measured: readonly Measured[], kind: SignalKind): readonly Expected[] {
  if (kind === 'numeric') return expectedOf(measured, kind, SEASON_DEVIATIONS);
  return expectedOf(measured, kind, 0).map(({ mean, low, high }) => ({
    mean,
    low: Math.max(0, Math.min(low, mean / SEASON_FACTOR, mean - SEASON_SHARE)),
    high: Math.min(1, Math.max(high, mean * SEASON_FACTOR, mean + SEASON_SHARE)),
  }));
}

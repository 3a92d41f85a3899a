// How strong the evidence must be for an organization's budget of false alarms.

/** A confirmed drift needs confirmation evidence of this much; under no change it is reached with probability at most 1 / NEED. */
export const NEED = 256;

/** Below this a suspicion would come every few thousand observations; it costs only ln 10⁵ = 11.5 nats of delay. */
export const THRESHOLD_MIN = 1e5;

const YEAR_SECONDS = 365.25 * 24 * 3600;

/**
 * The threshold at which an organization with `seriesCount` series of `observationsPerSecond` each expects at most
 * `falseAlarmsPerYear` false reports a year: suspicions come at most once in c observations, and at most one in 256 of them
 * is confirmed. Never below 10⁵.
 *
 * @throws RangeError on a number that is negative or not finite, or a budget of 0.
 */
export function thresholdFor(options: {
  readonly seriesCount: number;
  readonly observationsPerSecond: number;
  readonly falseAlarmsPerYear: number;
}): number {
  const { seriesCount, observationsPerSecond, falseAlarmsPerYear } = options;
  if (!(seriesCount >= 0 && observationsPerSecond >= 0 && falseAlarmsPerYear > 0)) {
    throw new RangeError('thresholdFor: seriesCount and observationsPerSecond must be 0 or more, falseAlarmsPerYear above 0');
  }
  const secondsBetween = YEAR_SECONDS / falseAlarmsPerYear;
  const threshold = Math.max(THRESHOLD_MIN, (seriesCount * observationsPerSecond * secondsBetween) / NEED);
  if (!Number.isFinite(threshold)) throw new RangeError('thresholdFor: the budget cannot be met with finite evidence');
  return threshold;
}

// Puts a change into numbers: which feature tells it best, by how much, and since when.

import type { Baseline, Measured } from './baseline.ts';
import type { Expected } from './bets.ts';
import type { Confirmation } from './confirmation.ts';
import { contributorsOf } from './contributors.ts';
import { momentsOf } from './features.ts';
import { scoreInterval } from './interval.ts';
import type { Direction, DriftReport, Effect, FeatureName } from './types.ts';

/** Standard deviations of a 95 % interval. */
const Z95 = 1.959964;

/** The report of a change that has just counted as sustained. */
export function driftReport(options: {
  readonly baseline: Baseline;
  readonly digest: string;
  readonly bounds: readonly Expected[];
  readonly confirmation: Confirmation;
  readonly sustainedAtMs: number;
}): DriftReport {
  const { baseline, confirmation, bounds } = options;
  const { suspicion, totals } = confirmation;
  const contributors = contributorsOf(confirmation.logTotals);
  const { feature, direction } = contributors[0]!;
  const measured = baseline.measured[feature]!;
  const value = totals.sums[feature]! / totals.n;
  const expected = totals.expected[feature]! / totals.n;
  const variance = momentsOf(baseline.valuesOf(feature), totals.counts).variance;
  const atBaseline = baseline.percentiles();
  const now = baseline.percentiles(totals.counts);
  return {
    direction,
    feature: measured.feature.name,
    ...(measured.feature.label !== undefined && { label: measured.feature.label }),
    baseline: {
      n: baseline.n,
      from: baseline.fromMs,
      to: baseline.toMs,
      value: expected,
      sha256: options.digest,
      ...(atBaseline && { percentiles: atBaseline }),
    },
    current: {
      n: totals.n,
      value,
      ci95: confidence(measured, value, variance, totals.n),
      ...(now && { percentiles: now }),
    },
    effect: effectOf(measured, direction, value, expected, bounds[feature]!),
    onset: suspicion.onsetMs,
    suspected_at: suspicion.atMs,
    sustained_at: options.sustainedAtMs,
    blocks: confirmation.blocks,
    evidence: { log10_e: confirmation.log10Evidence },
    contributors: contributors.map((one) => ({
      feature: baseline.features[one.feature]!.name,
      direction: one.direction,
      weight: one.weight,
    })),
    sample_ids: confirmation.samples,
    provisional: suspicion.isProvisional,
  };
}

/** A 95 % interval of a feature's mean, with as many observations as are independent of each other. */
export function confidence(measured: Measured, value: number, variance: number, n: number): readonly [number, number] {
  const independent = Math.max(1, n / measured.dependence);
  if (measured.feature.kind === 'share') {
    const { low, high } = scoreInterval(value, independent, Z95);
    return [low, high];
  }
  const half = Z95 * Math.sqrt(variance / independent);
  return [Math.max(0, value - half), Math.min(1, value + half)];
}

/** `expected`: the feature's mean at baseline, over the same hours where these differ. */
export function effectOf(measured: Measured, direction: Direction, value: number, expected: number, bounds: Expected): Effect {
  const difference = value - expected;
  const deviation = Math.sqrt(measured.variance);
  const bound = direction === 'up' ? bounds.high - bounds.mean : bounds.low - bounds.mean;
  return {
    ...(measured.feature.kind === 'share' && expected > 0 && { ratio: value / expected }),
    difference,
    ...(deviation > 0 && { standardized: difference / deviation }),
    tolerance: expected + bound,
  };
}

/** The unit in which changes of a feature are compared: its standard deviation, or 1 where the baseline was constant. */
export function deviationOf({ variance }: Measured): number {
  return variance > 0 ? Math.sqrt(variance) : 1;
}

/** The feature of this name in a baseline, −1 where there is none. */
export function featureIndex(baseline: Baseline, name: FeatureName, label: string | undefined): number {
  return baseline.features.findIndex((feature) => feature.name === name && feature.label === label);
}

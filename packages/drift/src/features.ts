// What is watched about a series: functions of an observation's cell with values in [0, 1].

import type { Cells } from './quantiles.ts';
import type { FeatureName } from './types.ts';

/** An indicator of some neighbouring cells (`from` inclusive, `to` exclusive), or a level of each cell. */
export type Feature = { readonly name: FeatureName; readonly label?: string } & (
  | { readonly kind: 'share'; readonly from: number; readonly to: number }
  | { readonly kind: 'level'; readonly levels: (counts: Float64Array) => Float64Array }
);

/** Labels that get a feature of their own. */
export const TOP_LABELS = 16;

export const RATE_FEATURES: readonly Feature[] = [{ name: 'rate', kind: 'share', from: 1, to: 2 }];

/** Ranks only, so that units, outliers and monotone transforms do not matter. */
export function numericFeatures(cells: Cells): readonly Feature[] {
  const cellCount = cells.edges.length + 1;
  return [
    { name: 'location', kind: 'level', levels: midRanks },
    { name: 'spread', kind: 'level', levels: (counts) => midRanks(counts).map((rank) => Math.abs(2 * rank - 1)) },
    { name: 'share above p90', kind: 'share', from: cells.aboveP90, to: cellCount },
    { name: 'share below p10', kind: 'share', from: 0, to: cells.notBelowP10 },
    { name: 'share above p99', kind: 'share', from: cells.aboveP99, to: cellCount },
    { name: 'share below p1', kind: 'share', from: 0, to: cells.notBelowP1 },
  ];
}

/** One feature a label, and one for all the others. */
export function labelFeatures(labels: readonly string[]): readonly Feature[] {
  const shares = labels.map((label, cell): Feature => ({
    name: `share of ${label}`,
    label,
    kind: 'share',
    from: cell,
    to: cell + 1,
  }));
  return [...shares, { name: 'share of other labels', kind: 'share', from: labels.length, to: labels.length + 1 }];
}

/** (F(x−) + F(x)) / 2 of each cell; its mean over the counts is exactly ½, however many values are equal. */
export function midRanks(counts: Float64Array): Float64Array {
  const total = counts.reduce((sum, count) => sum + count, 0);
  let below = 0;
  return counts.map((count) => {
    const rank = (below + count / 2) / total;
    below += count;
    return rank;
  });
}

/** A feature's value in every cell. */
export function valuesOf(feature: Feature, counts: Float64Array): Float64Array {
  if (feature.kind === 'level') return feature.levels(counts);
  return counts.map((_, cell) => (cell >= feature.from && cell < feature.to ? 1 : 0));
}

/** Mean and variance of values by cell. */
export function momentsOf(values: Float64Array, counts: ArrayLike<number>): { n: number; mean: number; variance: number } {
  let n = 0;
  let sum = 0;
  for (let cell = 0; cell < values.length; cell++) {
    n += counts[cell]!;
    sum += counts[cell]! * values[cell]!;
  }
  const mean = sum / n;
  let squares = 0;
  for (let cell = 0; cell < values.length; cell++) squares += counts[cell]! * (values[cell]! - mean) ** 2;
  return { n, mean, variance: squares / n };
}

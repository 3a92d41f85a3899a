// Latencies in buckets whose bounds grow by a tenth, so that a quantile is told within 5 % by a few numbers that can be added.

import type { Group } from './sheet.ts';

const GROWTH = 1.1;
const LOG_GROWTH = Math.log(GROWTH);
// Latencies are told in thousandths of a millisecond; what is shorter is taken for one.
const LEAST_MS = 0.001;
// No assessment takes a hundred seconds. With it there are 194 buckets, fewer than a sheet has names for (NAMES_MAX).
const MOST_MS = 100_000;

/** The bucket of a latency: that with `1.1^(i-1) < ms <= 1.1^i`. */
export function bucketOf(ms: number): number {
  return Math.ceil(Math.log(Math.min(MOST_MS, Math.max(LEAST_MS, ms))) / LOG_GROWTH);
}

/** A value that differs from each of the bucket's by at most 1 part in 21 (4.8 %) of it. */
function middleOf(bucket: number): number {
  return (2 * GROWTH ** bucket) / (GROWTH + 1);
}

/** Quantiles `shares` (0 to 1) of latencies in milliseconds, by nearest rank, each within 5 %; `null`: there are none. */
export function latencyQuantiles(buckets: Group, shares: readonly number[]): (number | null)[] {
  const sorted = Array.from(buckets, ([bucket, { total }]) => ({ bucket: Number(bucket), total })).sort(
    (a, b) => a.bucket - b.bucket,
  );
  const count = sorted.reduce((sum, { total }) => sum + total, 0);
  return shares.map((share) => {
    let left = Math.max(1, Math.ceil(share * count));
    const found = sorted.find(({ total }) => (left -= total) <= 0);
    return found === undefined ? null : Number(middleOf(found.bucket).toPrecision(4));
  });
}

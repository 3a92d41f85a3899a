// The figures of merit for scores and shares. Where a figure is not defined, such as a ranking of one class, it is `null`.

/** A score with the truth about its row. */
export interface Judged {
  readonly score: number;
  readonly isPositive: boolean;
}

/**
 * Area under the ROC curve, 0–1: the chance that a positive scores higher than a negative, ties counting half. By the sum of
 * midranks (Mann and Whitney 1947, https://doi.org/10.1214/aoms/1177730491). `null` without rows of both classes.
 */
export function auroc(rows: readonly Judged[]): number | null {
  const positives = rows.filter(({ isPositive }) => isPositive).length;
  const negatives = rows.length - positives;
  if (positives === 0 || negatives === 0) return null;
  let ranked = 0;
  let rankSum = 0;
  for (const group of tiesOf(rows).toReversed()) {
    const midrank = ranked + (group.rows + 1) / 2;
    rankSum += midrank * group.positives;
    ranked += group.rows;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

/**
 * Average precision, 0–1: the precision at each threshold, weighted by the recall it adds; rows that tie come in together, and
 * nothing is interpolated. `null` without rows of both classes.
 */
export function averagePrecision(rows: readonly Judged[]): number | null {
  const positives = rows.filter(({ isPositive }) => isPositive).length;
  if (positives === 0 || positives === rows.length) return null;
  let seen = 0;
  let found = 0;
  let sum = 0;
  for (const group of tiesOf(rows)) {
    seen += group.rows;
    found += group.positives;
    sum += (group.positives / positives) * (found / seen);
  }
  return sum;
}

/** Rows of one score, counted, from the highest score down. */
function tiesOf(rows: readonly Judged[]): { score: number; rows: number; positives: number }[] {
  const groups: { score: number; rows: number; positives: number }[] = [];
  for (const { score, isPositive } of rows.toSorted((a, b) => b.score - a.score)) {
    let group = groups.at(-1);
    if (group?.score !== score) groups.push((group = { score, rows: 0, positives: 0 }));
    group.rows++;
    if (isPositive) group.positives++;
  }
  return groups;
}

/**
 * The operating point for a rate of false positives (0 up to, not including, 1): the lowest limit such that at most that share of
 * `negatives` scores above it. Alarm means strictly above, so that a tie never breaks the rate. `null` without negatives.
 */
export function limitAt(negatives: readonly number[], rate: number): number | null {
  const sorted = negatives.toSorted((a, b) => b - a);
  return sorted[Math.floor(rate * sorted.length)] ?? null;
}

/** The share of `scores` strictly above `limit`; `null` without scores or without a limit. */
export function shareAbove(scores: readonly number[], limit: number | null): number | null {
  if (scores.length === 0 || limit === null) return null;
  return scores.filter((score) => score > limit).length / scores.length;
}

/** Standard deviations that hold 95 % of a normal distribution. */
const Z = 1.959964;

/** The 95 % interval for a share of which `hits` of `total` were seen (Wilson 1927, https://doi.org/10.2307/2276774). All of 0–1 without any. */
export function wilsonInterval(hits: number, total: number): { low: number; high: number } {
  if (total === 0) return { low: 0, high: 1 };
  const share = hits / total;
  const scale = 1 + Z ** 2 / total;
  const middle = (share + Z ** 2 / (2 * total)) / scale;
  const half = (Z * Math.sqrt((share * (1 - share)) / total + Z ** 2 / (4 * total ** 2))) / scale;
  // Exactly at the ends: rounding would leave a hair.
  return { low: hits === 0 ? 0 : middle - half, high: hits === total ? 1 : middle + half };
}

/** The value below which `share` (0–1) of `values` lie, by nearest rank; `null` without values. */
export function quantile(values: readonly number[], share: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

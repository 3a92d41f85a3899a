// Numbers as ordered keys, and a baseline's quantiles as cells between edges.

/** Edges a baseline may have; a search over 127 takes exactly seven steps. */
export const EDGES_MAX = 127;

/**
 * Every percentile, and the far tails. All tail features are cut at one of these, so that a cell never lies on both sides
 * of a cut.
 */
const CUTS: readonly number[] = [
  0.001,
  0.002,
  0.005,
  ...Array.from({ length: 99 }, (_, index) => (index + 1) / 100),
  0.995,
  0.998,
  0.999,
];

const scratch = new Float64Array(1);
const words = new Int32Array(scratch.buffer);
scratch[0] = -2;
const HIGH_WORD = words[1] === 0 ? 0 : 1;

/**
 * The upper half of a double as an integer that sorts as the number does: sign, exponent and 20 bits of fraction. Numbers that
 * agree to a millionth share a key, ±1e308 and subnormal ones keep theirs, -0 is 0. Four bytes an observation instead of eight.
 */
export function orderedKey(value: number): number {
  scratch[0] = value + 0;
  const high = words[HIGH_WORD]!;
  return high >= 0 ? high : high ^ 0x7fffffff;
}

/** The number nearest zero that has this key, to five digits. */
export function keyValue(key: number): number {
  words[1 - HIGH_WORD] = 0;
  words[HIGH_WORD] = key >= 0 ? key : key ^ 0x7fffffff;
  const value = scratch[0]!;
  return Number.isFinite(value) ? Number(value.toPrecision(5)) : Math.sign(value) * Number.MAX_VALUE;
}

/** Cells of a numeric baseline: cell b holds the keys above edge b − 1 and not above edge b. */
export interface Cells {
  /** Ascending, at most 127. */
  readonly edges: Int32Array;
  /** The first cell not below, and the first above, the baseline's percentile. */
  readonly notBelowP1: number;
  readonly notBelowP10: number;
  readonly aboveP90: number;
  readonly aboveP99: number;
}

/**
 * Cuts sorted keys into cells. Below the median a cut lies just under its quantile, above it just over, so that "below p10" and
 * "above p90" hold a tenth at most, however many values are equal; a value that fills more than one cut gets a cell of its own.
 */
export function cellsOf(sorted: Int32Array): Cells {
  const picks = CUTS.map((share) => pick(sorted, share));
  const repeated = new Set(picks.filter((key, index) => index > 0 && picks[index - 1] === key));
  const edges = new Set<number>();
  for (const [index, key] of picks.entries()) {
    const isLower = CUTS[index]! <= 0.5;
    if (isLower || repeated.has(key)) edges.add(key - 1);
    if (!isLower || repeated.has(key)) edges.add(key);
  }
  const found = Int32Array.from(edges).sort();
  return {
    edges: found,
    notBelowP1: found.indexOf(pick(sorted, 0.01) - 1) + 1,
    notBelowP10: found.indexOf(pick(sorted, 0.1) - 1) + 1,
    aboveP90: found.indexOf(pick(sorted, 0.9)) + 1,
    aboveP99: found.indexOf(pick(sorted, 0.99)) + 1,
  };
}

function pick(sorted: Int32Array, share: number): number {
  const index = share <= 0.5 ? Math.floor(share * sorted.length) : Math.ceil(share * sorted.length) - 1;
  return sorted[Math.min(Math.max(index, 0), sorted.length - 1)]!;
}

/** Edges filled up to 127 with the greatest integer, as `cellOf` wants them. */
export function searchable(edges: Int32Array): Int32Array {
  const padded = new Int32Array(EDGES_MAX).fill(0x7fffffff);
  padded.set(edges);
  return padded;
}

/** The cell a key falls into: how many edges lie below it. `padded` comes from `searchable`. */
export function cellOf(padded: Int32Array, key: number): number {
  let cell = (padded[63]! < key ? 1 : 0) << 6;
  cell += (padded[cell + 31]! < key ? 1 : 0) << 5;
  cell += (padded[cell + 15]! < key ? 1 : 0) << 4;
  cell += (padded[cell + 7]! < key ? 1 : 0) << 3;
  cell += (padded[cell + 3]! < key ? 1 : 0) << 2;
  cell += (padded[cell + 1]! < key ? 1 : 0) << 1;
  return cell + (padded[cell]! < key ? 1 : 0);
}

/** A percentile read off the cells' counts, to the resolution of a cell. NaN where nothing was counted. */
export function percentile(edges: Int32Array, counts: ArrayLike<number>, share: number): number {
  let total = 0;
  for (let cell = 0; cell < counts.length; cell++) total += counts[cell]!;
  if (total === 0) return Number.NaN;
  let below = 0;
  for (let cell = 0; cell < edges.length; cell++) {
    below += counts[cell]!;
    if (below >= share * total) return keyValue(edges[cell]!);
  }
  return keyValue(edges.at(-1)! + 1);
}

// How many observations depend on each other, told from how much more the means of blocks vary than independence allows.

import type { StateReader, StateWriter } from './state-format.ts';

/**
 * Observations of the blocks: small ones are many and show early that there is dependence at all, long ones see what lasts.
 * Each a multiple of the one before.
 */
export const BLOCK_SIZES = [10, 50, 500] as const;

/** The longest block. */
export const LONG_BLOCK = 500;

/** With fewer blocks their variance is noise. */
const BLOCKS_MIN = 8;

/** Beyond this a series has too little to say to be watched this way. */
const FACTOR_MAX = 50;

/** An excess within this many standard errors is chance; taken for dependence it would only delay. */
const ERRORS = 2.5;

/** Sums over the blocks of a baseline, per feature. In one array: a monitor has several of these. */
export class Dependence {
  readonly #featureCount: number;
  /** For each size of block: their number, then for each feature the sum of their means and of its squares. */
  readonly #sums: Float64Array;

  constructor(featureCount: number) {
    this.#featureCount = featureCount;
    this.#sums = new Float64Array(BLOCK_SIZES.length * (1 + 2 * featureCount));
  }

  static read(reader: StateReader, featureCount: number): Dependence {
    const dependence = new Dependence(featureCount);
    dependence.#sums.set(reader.doubles(dependence.#sums.length));
    return dependence;
  }

  write(writer: StateWriter): void {
    writer.doubles(this.#sums);
  }

  /** Takes in a block of size `BLOCK_SIZES[size]`, given the sums of its features. */
  addBlock(size: number, sums: Float64Array): void {
    const at = this.#start(size);
    this.#sums[at]!++;
    for (let feature = 0; feature < this.#featureCount; feature++) {
      const mean = sums[feature]! / BLOCK_SIZES[size]!;
      this.#sums[at + 1 + 2 * feature]! += mean;
      this.#sums[at + 2 + 2 * feature]! += mean * mean;
    }
  }

  merge(other: Dependence): void {
    for (let index = 0; index < this.#sums.length; index++) this.#sums[index]! += other.#sums[index]!;
  }

  clear(): void {
    this.#sums.fill(0);
  }

  /** Whether there are blocks enough to tell. */
  get isKnown(): boolean {
    return this.#sums[this.#start(1)]! >= BLOCKS_MIN;
  }

  /**
   * The dependence factor of one feature with this variance, from 1 (independent) to 50: the greatest, over all sizes, of
   * size × variance of block means ÷ variance, where that is more than chance, and then with its standard error on top.
   * `fourth`: the feature's fourth central moment.
   */
  factor(feature: number, variance: number, fourth: number): number {
    if (variance <= 0) return 1;
    let greatest = 1;
    for (let size = 0; size < BLOCK_SIZES.length; size++)
      greatest = Math.max(greatest, this.#factorOf(size, feature, variance, fourth));
    return Math.min(FACTOR_MAX, greatest);
  }

  #start(size: number): number {
    return size * (1 + 2 * this.#featureCount);
  }

  #factorOf(size: number, feature: number, variance: number, fourth: number): number {
    const at = this.#start(size);
    const count = this.#sums[at]!;
    if (count < BLOCKS_MIN) return 1;
    const mean = this.#sums[at + 1 + 2 * feature]! / count;
    const between = Math.max(0, this.#sums[at + 2 + 2 * feature]! / count - mean * mean) * (count / (count - 1));
    const factor = (BLOCK_SIZES[size]! * between) / variance;
    // The variance of a variance: sums of rare events are far from normal, so their kurtosis counts.
    const kurtosis = (fourth / (variance * variance) - 3) / BLOCK_SIZES[size]!;
    const error = Math.sqrt((2 + Math.max(0, kurtosis)) / count);
    return factor > 1 + ERRORS * error ? factor * (1 + error) : 1;
  }
}

// Bets against "unchanged": for each feature, direction and size of change a factor whose mean is at most 1 while nothing changed.

import type { Measured } from './baseline.ts';
import type { Interval } from './interval.ts';
import type { Direction } from './types.ts';

/** Observations that are judged together; short and long blocks are multiples of it. */
export const CHUNK = 5;

/** Changes bet on, for shares: the odds multiplied or divided by. */
const ODDS = [1.25, 1.6, 2.5, 5];

/** Changes bet on, for levels: in standard deviations. */
const DEVIATIONS = [0.1, 0.3, 0.6, 1.2];

const SIZES = 4;
export const BETS_PER_FEATURE = 2 * SIZES;

/** A level's bet never loses more than this share of its stake in one observation. */
const STAKE_MAX = 0.95;

/**
 * A bet that would gain less than this in an observation, were it right, is not made: it would take 200 000 observations to tell,
 * and meanwhile its process would do nothing but add up starts.
 */
const GAIN_MIN = 5e-5;

/** What is expected of one feature: its mean, and the interval of means that count as unchanged. */
export interface Expected extends Interval {
  readonly mean: number;
}

/** Weight of the bets on a series' first level, where most changes of a number show, against the others' 1. */
const LOCATION_WEIGHT = 2;

/** The bets of a series, over all features. Bet j is on feature ⌊j / 8⌋; the first four of eight on a rise, the others on a fall. */
export class Bets {
  readonly count: number;
  /** What each bet starts with; 0 for a bet that is not made; their sum is 1, or 0 if none is. */
  readonly weights: Float64Array;
  /** What is expected of each feature. */
  readonly expected: Float64Array;
  readonly #measured: readonly Measured[];
  /**
   * Four numbers a bet. On a share: the factor of an observation within it and outside, the first ÷ the second, and the factor of a
   * whole chunk outside. On a level: slope and offset of the factor.
   */
  readonly #terms: Float64Array;
  /** By feature, 1 ÷ dependence. */
  readonly #powers: Float64Array;

  /** `stretch` ≥ 1: by how much the dependence between observations is to be taken greater than measured. */
  constructor(measured: readonly Measured[], expected: readonly Expected[], stretch: number) {
    this.#measured = measured;
    this.count = measured.length * BETS_PER_FEATURE;
    this.expected = Float64Array.from(expected, ({ mean }) => mean);
    this.weights = new Float64Array(this.count);
    this.#terms = new Float64Array(4 * this.count);
    this.#powers = Float64Array.from(measured, ({ dependence }) => 1 / (dependence * stretch));
    for (let bet = 0; bet < this.count; bet++) this.#place(bet, measured[featureOf(bet)]!, expected[featureOf(bet)]!);
    const total = this.weights.reduce((sum, weight) => sum + weight, 0);
    if (total > 0) for (let bet = 0; bet < this.count; bet++) this.weights[bet]! /= total;
  }

  /**
   * The factors of `n` ≤ CHUNK observations by bet into `factors`, and the sums of the features into `sums`.
   * `cells`: where they fell, from index `from`.
   */
  judge(cells: Int32Array, from: number, n: number, factors: Float64Array, sums: Float64Array): void {
    for (let feature = 0; feature < this.#measured.length; feature++) {
      const { feature: watched, values } = this.#measured[feature]!;
      sums[feature] =
        watched.kind === 'share'
          ? this.#judgeShare(feature, countWithin(cells, from, n, watched.from, watched.to), n, factors)
          : this.#judgeLevel(feature, values, cells, from, n, factors);
    }
  }

  /** The greatest mean of ln factor of one observation, over the bets on the first feature, were it a share of `share`. */
  growthOfShare(share: number): number {
    let best = 0;
    for (let bet = 0; bet < BETS_PER_FEATURE; bet++)
      if (this.weights[bet]! > 0)
        best = Math.max(best, share * Math.log(this.#terms[4 * bet]!) + (1 - share) * Math.log(this.#terms[4 * bet + 1]!));
    return best;
  }

  #place(bet: number, measured: Measured, expected: Expected): void {
    const isUp = directionOf(bet) === 'up';
    const m0 = isUp ? expected.high : expected.low;
    this.#terms.set(isLevel(measured) ? [0, 1] : [1, 1, 1, 1], 4 * bet);
    if (m0 <= 0 || m0 >= 1) return;
    if (isLevel(measured)) this.#placeOnLevel(bet, m0, isUp, Math.sqrt(measured.variance));
    else this.#placeOnShare(bet, m0, isUp);
  }

  /** The likelihood ratio of a share of m1 against one of m0, the nearest that counts as unchanged. */
  #placeOnShare(bet: number, m0: number, isUp: boolean): void {
    const odds = isUp ? ODDS[bet % SIZES]! : 1 / ODDS[bet % SIZES]!;
    const m1 = (odds * m0) / (1 - m0 + odds * m0);
    const power = this.#powers[featureOf(bet)]!;
    if (power * divergence(m1, m0) < GAIN_MIN) return;
    this.weights[bet] = 1;
    const hit = (m1 / m0) ** power;
    const miss = ((1 - m1) / (1 - m0)) ** power;
    this.#terms.set([hit, miss, hit / miss, miss ** CHUNK], 4 * bet);
  }

  /** 1 + λ(u − m0), to the power 1 ÷ dependence, with the λ that is best for a change of so many standard deviations. */
  #placeOnLevel(bet: number, m0: number, isUp: boolean, deviation: number): void {
    const wanted = DEVIATIONS[bet % SIZES]! / deviation;
    const lambda = isUp ? Math.min(wanted, STAKE_MAX / m0) : -Math.min(wanted, STAKE_MAX / (1 - m0));
    this.weights[bet] = featureOf(bet) === 0 ? LOCATION_WEIGHT : 1;
    this.#terms.set([lambda, 1 - lambda * m0], 4 * bet);
  }

  #judgeShare(feature: number, hits: number, n: number, factors: Float64Array): number {
    const terms = this.#terms;
    const start = feature * BETS_PER_FEATURE;
    for (let bet = start, at = 4 * start; bet < start + BETS_PER_FEATURE; bet++, at += 4) {
      let factor = n === CHUNK ? terms[at + 3]! : 1;
      if (n === CHUNK) {
        for (let count = 0; count < hits; count++) factor *= terms[at + 2]!;
      } else {
        for (let count = 0; count < hits; count++) factor *= terms[at]!;
        for (let count = hits; count < n; count++) factor *= terms[at + 1]!;
      }
      factors[bet] = factor;
    }
    return hits;
  }

  #judgeLevel(feature: number, values: Float64Array, cells: Int32Array, from: number, n: number, factors: Float64Array): number {
    const terms = this.#terms;
    const power = this.#powers[feature]!;
    const start = feature * BETS_PER_FEATURE;
    const end = start + BETS_PER_FEATURE;
    let sum = 0;
    for (let bet = start; bet < end; bet++) factors[bet] = 1;
    for (let index = from; index < from + n; index++) {
      const value = values[cells[index]!]!;
      sum += value;
      for (let bet = start, at = 4 * start; bet < end; bet++, at += 4) factors[bet]! *= terms[at + 1]! + terms[at]! * value;
    }
    if (power !== 1) for (let bet = start; bet < end; bet++) factors[bet] = Math.exp(power * Math.log(factors[bet]!));
    return sum;
  }
}

function isLevel({ feature }: Measured): boolean {
  return feature.kind === 'level';
}

export function directionOf(bet: number): Direction {
  return bet % BETS_PER_FEATURE < SIZES ? 'up' : 'down';
}

export function featureOf(bet: number): number {
  return Math.floor(bet / BETS_PER_FEATURE);
}

function countWithin(cells: Int32Array, start: number, n: number, from: number, to: number): number {
  let count = 0;
  for (let index = start; index < start + n; index++) count += cells[index]! >= from && cells[index]! < to ? 1 : 0;
  return count;
}

/** The mean of ln(likelihood ratio) of a share of `p` against one of `q`. */
function divergence(p: number, q: number): number {
  return p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
}

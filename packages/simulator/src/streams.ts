// Streams of numbers whose distribution is known: what tests and benchmarks of the drift detector measure it with.

import { type Random, weightedPicker } from './random.ts';

/** The next number of a stream. */
export type Source = () => number;

const DAY_S = 86_400;
const WEEK_S = 604_800;

/** Mean 0, standard deviation 1. */
export function normal(random: Random): Source {
  return () => random.normal();
}

/** Of a normal logarithm with mean 0 and that standard deviation. */
export function lognormal(random: Random, sigma = 1): Source {
  return () => Math.exp(sigma * random.normal());
}

/** Student's t with 3 degrees of freedom: variance 3, and no third moment. */
export function t3(random: Random): Source {
  return () => {
    const [x, y, z] = [random.normal(), random.normal(), random.normal()];
    return random.normal() / Math.sqrt((x * x + y * y + z * z) / 3);
  };
}

/** Few values and many ties, as rounded scores are: 0 in 60 % and then .1 to 1 ever more seldom. */
export function ties(random: Random): Source {
  const pick = weightedPicker([60, 13, 8, 5, 4, 3, 2.5, 1.5, 1.2, 1, 0.8]);
  return () => pick(random.uniform()) / 10;
}

/** 1 with that probability, else 0. */
export function bernoulli(random: Random, probability: number): Source {
  return () => (random.uniform() < probability ? 1 : 0);
}

/** The weights of Zipf's law: 1, 1/2, 1/3, … */
export function zipfWeights(classes: number): readonly number[] {
  return Array.from({ length: classes }, (_, i) => 1 / (i + 1));
}

/** The index of a category, in proportion to the weights. */
export function categories(random: Random, weights: readonly number[] = zipfWeights(13)): Source {
  const pick = weightedPicker(weights);
  return () => pick(random.uniform());
}

/** Mean 0, standard deviation 1, each number correlated by `rho` with the one before it. */
export function ar1(random: Random, rho: number): Source {
  const noise = Math.sqrt(1 - rho * rho);
  let value = random.normal();
  return () => {
    const current = value;
    value = rho * value + noise * random.normal();
    return current;
  };
}

/** Mean 0, standard deviation 1, in clusters of `smallest` to `largest` numbers that correlate by `within` with each other. */
export function clustered(random: Random, { smallest = 5, largest = 20, within = 0.3 } = {}): Source {
  const [shared, own] = [Math.sqrt(within), Math.sqrt(1 - within)];
  let left = 0;
  let center = 0;
  return () => {
    if (left === 0) {
      left = smallest + random.below(largest - smallest + 1);
      center = shared * random.normal();
    }
    left--;
    return center + own * random.normal();
  };
}

/** 1 with that probability, else 0, in clusters: one in ten clusters has all the ones, independently of each other within it. */
export function clusteredBernoulli(random: Random, probability: number, { smallest = 5, largest = 20 } = {}): Source {
  const affected = 0.1;
  let left = 0;
  let current = 0;
  return () => {
    if (left === 0) {
      left = smallest + random.below(largest - smallest + 1);
      current = random.uniform() < affected ? probability / affected : 0;
    }
    left--;
    return random.uniform() < current ? 1 : 0;
  };
}

/**
 * The level of a series that goes up and down with the day, and lies elsewhere at the weekend. `seconds`: since Monday, midnight.
 * `day`: the amplitude of a sine over 24 hours; `weekend`: what Saturday and Sunday add.
 */
export function rhythm(seconds: number, { day = 0.5, weekend = 0 } = {}): number {
  const isWeekend = seconds % WEEK_S >= 5 * DAY_S;
  return day * Math.sin((2 * Math.PI * (seconds % DAY_S)) / DAY_S) + (isWeekend ? weekend : 0);
}

/** A source of which the numbers from index `at` on are changed. */
export function changedAt(source: Source, at: number, change: (value: number) => number): Source {
  let index = 0;
  return () => (index++ < at ? source() : change(source()));
}

/** A source that turns into another at index `at`. */
export function switchedAt(before: Source, at: number, after: Source): Source {
  let index = 0;
  return () => (index++ < at ? before() : after());
}

export function take(source: Source, count: number): Float64Array {
  const values = new Float64Array(count);
  for (let i = 0; i < count; i++) values[i] = source();
  return values;
}

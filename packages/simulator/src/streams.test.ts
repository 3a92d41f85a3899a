import { describe, expect, test } from 'vitest';
import { Random } from './random.ts';
import {
  ar1,
  bernoulli,
  categories,
  changedAt,
  clustered,
  clusteredBernoulli,
  lognormal,
  normal,
  rhythm,
  switchedAt,
  t3,
  take,
  ties,
  zipfWeights,
  type Source,
} from './streams.ts';

const COUNT = 200_000;
const drawn = (make: (random: Random) => Source) => take(make(new Random('streams')), COUNT);

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

function quantile(values: Float64Array, share: number): number {
  return values.toSorted()[Math.floor(values.length * share)]!;
}

function autocorrelation(values: Float64Array, lag: number): number {
  const center = mean(values);
  let [products, squares] = [0, 0];
  for (let i = lag; i < values.length; i++) {
    products += (values[i]! - center) * (values[i - lag]! - center);
    squares += (values[i]! - center) ** 2;
  }
  return products / squares;
}

describe('the quantiles are those of the distribution', () => {
  test.each<[name: string, make: (random: Random) => Source, share: number, expected: number]>([
    ['normal', normal, 0.975, 1.96],
    ['lognormal', (random) => lognormal(random), 0.9, 3.602],
    ['lognormal with sigma 0.5', (random) => lognormal(random, 0.5), 0.1, 0.527],
    ['t3, median', t3, 0.5, 0],
    ['t3, tail', t3, 0.975, 3.182],
    ['ties, median', ties, 0.5, 0],
    ['ties, tail', ties, 0.985, 0.8],
    ['AR(1), marginal', (random) => ar1(random, 0.8), 0.975, 1.96],
    ['clusters, marginal', (random) => clustered(random), 0.025, -1.96],
  ])('%s', (_, make, share, expected) => {
    expect(Math.abs(quantile(drawn(make), share) - expected)).toBeLessThan(0.1);
  });
});

test.each([0.05, 0.005, 0.0005])('a rate of %d has that mean', (rate) => {
  const error = 4 * Math.sqrt((rate * (1 - rate)) / COUNT);
  expect(Math.abs(mean(drawn((random) => bernoulli(random, rate))) - rate)).toBeLessThan(error);
});

test('categories come by their weights', () => {
  const values = drawn((random) => categories(random));
  const weights = zipfWeights(13);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  for (const [i, weight] of weights.entries())
    expect(values.filter((value) => value === i).length / COUNT).toBeCloseTo(weight / sum, 2);
});

test.each([0.5, 0.8])('AR(1) with rho %d is correlated by its powers', (rho) => {
  const values = drawn((random) => ar1(random, rho));
  for (const lag of [1, 2, 5]) expect(Math.abs(autocorrelation(values, lag) - rho ** lag)).toBeLessThan(0.02);
});

test('clusters correlate within and not beyond', () => {
  const values = drawn((random) => clustered(random));
  // Neighbours are of one cluster in all but one of 12.5 places.
  expect(autocorrelation(values, 1)).toBeCloseTo(0.3 * (1 - 1 / 12.5), 1);
  expect(Math.abs(autocorrelation(values, 20))).toBeLessThan(0.02);
});

test('clusters of ones keep their rate and vary more than independent ones', () => {
  const values = drawn((random) => clusteredBernoulli(random, 0.02));
  expect(Math.abs(mean(values) - 0.02)).toBeLessThan(0.002);
  expect(autocorrelation(values, 1)).toBeGreaterThan(0.1);
});

test('the rhythm is a sine of the day and a step at the weekend', () => {
  const hour = 3_600;
  expect(rhythm(6 * hour)).toBeCloseTo(0.5);
  expect(rhythm(18 * hour)).toBeCloseTo(-0.5);
  expect(rhythm((4 * 24 + 12) * hour, { day: 0, weekend: 1 })).toBeCloseTo(0);
  expect(rhythm((5 * 24 + 12) * hour, { day: 0, weekend: 1 })).toBeCloseTo(1);
  expect(rhythm((7 * 24 + 6) * hour)).toBeCloseTo(0.5);
});

test('a changed stream is the same up to the change', () => {
  const seeded = () => normal(new Random(9));
  const [plain, changed] = [
    take(seeded(), 20),
    take(
      changedAt(seeded(), 10, (value) => value + 5),
      20,
    ),
  ];
  expect(changed.slice(0, 10)).toEqual(plain.slice(0, 10));
  expect(changed.slice(10)).toEqual(plain.slice(10).map((value) => value + 5));
  const switched = take(
    switchedAt(
      () => 1,
      3,
      () => 2,
    ),
    5,
  );
  expect([...switched]).toEqual([1, 1, 1, 2, 2]);
});

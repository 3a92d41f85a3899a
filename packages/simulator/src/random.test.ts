import { expect, test } from 'vitest';
import { Random, weightedPicker } from './random.ts';

const COUNT = 200_000;
const draw = (next: () => number) => Array.from({ length: COUNT }, next);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

test('a seed repeats its numbers, and another seed or another name has others', () => {
  const numbersOf = (random: Random) => Array.from({ length: 5 }, () => random.uniform());
  expect(numbersOf(new Random('a'))).toEqual(numbersOf(new Random('a')));
  expect(numbersOf(new Random('a'))).not.toEqual(numbersOf(new Random('b')));
  expect(numbersOf(new Random('a').fork('x'))).not.toEqual(numbersOf(new Random('a').fork('y')));
});

test('a fork does not depend on what was drawn before', () => {
  const used = new Random(7);
  used.normal();
  expect(used.fork('x').uniform()).toBe(new Random(7).fork('x').uniform());
});

test('the numbers do not change from release to release', () => {
  const random = new Random('constant');
  expect([random.uint32(), random.uint32(), random.uint32()]).toMatchInlineSnapshot(`
    [
      493675028,
      4786270,
      2004860117,
    ]
  `);
});

test('uniform numbers fill [0, 1) evenly and without correlation', () => {
  const random = new Random(1);
  const values = draw(() => random.uniform());
  const bins = new Float64Array(64);
  for (const value of values) bins[Math.floor(value * 64)]!++;
  const chiSquare = bins.reduce((sum, bin) => sum + (bin - COUNT / 64) ** 2 / (COUNT / 64), 0);
  // The 0.1 % and 99.9 % quantiles of chi-square with 63 degrees of freedom.
  expect(chiSquare).toBeGreaterThan(33.9);
  expect(chiSquare).toBeLessThan(103.4);
  const lagged = mean(values.slice(1).map((value, i) => (value - 0.5) * (values[i]! - 0.5))) * 12;
  expect(Math.abs(lagged)).toBeLessThan(4 / Math.sqrt(COUNT));
});

test('forks of neighbouring names do not correlate', () => {
  const root = new Random(1);
  const pairs = Array.from({ length: 20_000 }, (_, i) => [root.fork(i).uniform(), root.fork(i + 1).uniform()] as const);
  expect(Math.abs(mean(pairs.map(([a, b]) => (a - 0.5) * (b - 0.5))) * 12)).toBeLessThan(0.03);
  expect(mean(pairs.map(([a]) => a))).toBeCloseTo(0.5, 1);
});

test('normal, Poisson and geometric numbers have their means and variances', () => {
  const random = new Random(2);
  const normals = draw(() => random.normal());
  expect(Math.abs(mean(normals))).toBeLessThan(0.01);
  expect(mean(normals.map((value) => value * value))).toBeCloseTo(1, 1);
  expect(normals.filter((value) => value > 3).length / COUNT).toBeCloseTo(0.00135, 3);
  const counts = draw(() => random.poisson(2.5));
  expect(mean(counts)).toBeCloseTo(2.5, 1);
  expect(mean(counts.map((count) => (count - 2.5) ** 2))).toBeCloseTo(2.5, 1);
  expect(random.poisson(0)).toBe(0);
  expect(mean(draw(() => random.geometric(0.25)))).toBeCloseTo(3, 1);
});

test('weights give their shares', () => {
  const random = new Random(3);
  const pick = weightedPicker([1, 0, 3]);
  const counts = [0, 0, 0];
  for (let i = 0; i < 40_000; i++) counts[pick(random.uniform())]!++;
  expect(counts[1]).toBe(0);
  expect(counts[2]! / 40_000).toBeCloseTo(0.75, 1);
  expect(pick(1)).toBe(2);
});

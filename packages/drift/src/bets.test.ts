import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Baseline } from './baseline.ts';
import { Bets, CHUNK, directionOf, featureOf } from './bets.ts';
import { expectedOf } from './bounds.ts';
import { Evidence } from './evidence.ts';
import { orderedKey } from './quantiles.ts';
import { Sample } from './sample.ts';
import { ar1, randomFrom } from './testing/streams.ts';
import type { SignalKind } from './types.ts';

function learn(kind: SignalKind, codes: readonly number[]): Baseline {
  const sample = new Sample(kind);
  for (const code of codes) sample.add(code, 0);
  return Baseline.learn(sample);
}

function rates(seed: number, rate: number): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: 2000 }, () => (random.uniform() < rate ? 1 : 0));
}

function normals(seed: number): number[] {
  const random = randomFrom(seed);
  return Array.from({ length: 2000 }, () => orderedKey(random.normal()));
}

function factorsOf(bets: Bets, cells: readonly number[]): Float64Array {
  const factors = new Float64Array(bets.count);
  bets.judge(Int32Array.from(cells), 0, cells.length, factors, new Float64Array(17));
  return factors;
}

describe('a bet', () => {
  it('on a share has a mean of at most 1 wherever the share is unchanged', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.double({ min: 0.001, max: 0.999, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (seed, rate, where) => {
          const baseline = learn('rate', rates(seed, rate));
          const [expected] = expectedOf(baseline.measured, 'rate', 0);
          const bets = new Bets(baseline.measured, [expected!], 1);
          const p = expected!.low + where * (expected!.high - expected!.low);
          const [miss, hit] = [factorsOf(bets, [0]), factorsOf(bets, [1])];
          for (let bet = 0; bet < bets.count; bet++) expect(p * hit[bet]! + (1 - p) * miss[bet]!).toBeLessThanOrEqual(1 + 1e-12);
        },
      ),
    );
  });

  it('on a level has a mean of at most 1 under any distribution whose mean is unchanged', () => {
    const baseline = learn('numeric', normals(1));
    const expected = expectedOf(baseline.measured, 'numeric', 0);
    const bets = new Bets(baseline.measured, expected, 1);
    const byCell = Array.from({ length: baseline.cellCount }, (_, cell) => factorsOf(bets, [cell]));
    const mass = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
      minLength: baseline.cellCount,
      maxLength: baseline.cellCount,
    });
    fc.assert(
      fc.property(mass, fc.integer({ min: 0, max: 127 }), (raw, peak) => {
        raw[peak % raw.length]! += 20;
        const total = raw.reduce((sum, one) => sum + one, 0);
        for (let bet = 0; bet < bets.count; bet++) {
          const feature = featureOf(bet);
          const values = baseline.valuesOf(feature);
          const mean = raw.reduce((sum, one, cell) => sum + (one / total) * values[cell]!, 0);
          const factor = raw.reduce((sum, one, cell) => sum + (one / total) * byCell[cell]![bet]!, 0);
          const isUnchanged = directionOf(bet) === 'up' ? mean <= expected[feature]!.high : mean >= expected[feature]!.low;
          if (isUnchanged) expect(factor).toBeLessThanOrEqual(1 + 1e-12);
        }
      }),
    );
  });

  it('is worth the same whether a chunk is judged whole or in parts', () => {
    const baseline = learn('numeric', normals(2));
    const bets = new Bets(baseline.measured, expectedOf(baseline.measured, 'numeric', 0), 1.5);
    const cells = [0, 50, 100, 104, 3];
    const whole = factorsOf(bets, cells);
    const parts = cells.map((cell) => factorsOf(bets, [cell]));
    for (let bet = 0; bet < bets.count; bet++)
      expect(parts.reduce((product, part) => product * part[bet]!, 1)).toBeCloseTo(whole[bet]!, 12);
  });

  it('is not made on a fall of what never happened, nor where it could not tell in 200 000 observations', () => {
    const { weights } = new Bets(
      learn('rate', rates(1, 0)).measured,
      expectedOf(learn('rate', rates(1, 0)).measured, 'rate', 0),
      1,
    );
    expect([...weights.subarray(4)]).toEqual([0, 0, 0, 0]);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
  });
});

describe('the evidence', () => {
  /** The process by its definition, chunk after chunk, on logarithms. */
  function reference(bets: Bets, chunks: readonly (readonly number[])[]): number {
    const logs = Array.from({ length: bets.count }, () => Number.NEGATIVE_INFINITY);
    for (const chunk of chunks) {
      const factors = chunk.map((cell) => factorsOf(bets, [cell]));
      for (let bet = 0; bet < bets.count; bet++) {
        const started = Math.exp(logs[bet]!) + chunk.length * bets.weights[bet]!;
        logs[bet] = Math.log(started) + factors.reduce((sum, factor) => sum + Math.log(factor[bet]!), 0);
      }
    }
    return Math.log(logs.reduce((sum, log) => sum + Math.exp(log), 0));
  }

  it.each(['rate', 'numeric'] as const)('equals a naive reference to 1e-9 (%s)', (kind) => {
    const baseline = learn(kind, kind === 'rate' ? rates(3, 0.05) : normals(3));
    const bets = new Bets(baseline.measured, expectedOf(baseline.measured, kind, 0), 1);
    const evidence = new Evidence(bets.count);
    const random = randomFrom(4);
    const chunks = Array.from({ length: 200 }, () =>
      Array.from({ length: CHUNK }, () =>
        kind === 'rate' ? Number(random.uniform() < 0.08) : baseline.cellOfNumber(orderedKey(0.4 + random.normal())),
      ),
    );
    for (const [index, chunk] of chunks.entries())
      evidence.advance(CHUNK, bets.weights, factorsOf(bets, chunk), CHUNK * index, 0);
    expect(Math.abs(Math.log(evidence.total) - reference(bets, chunks))).toBeLessThan(1e-9);
  });
});

describe('the dependence factor', () => {
  it.each([
    [0, 1, 1.4],
    [0.5, 2.3, 4],
    [0.8, 6, 13],
  ])('of a series correlated by %d lies between %d and %d', (rho, least, most) => {
    const next = ar1(randomFrom(9), rho);
    const sample = new Sample('numeric');
    for (let index = 0; index < 20_000; index++) sample.add(orderedKey(next()), 0);
    const [location] = Baseline.learn(sample).measured;
    expect(location!.dependence).toBeGreaterThanOrEqual(least);
    expect(location!.dependence).toBeLessThanOrEqual(most);
  });
});

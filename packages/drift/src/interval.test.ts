import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteBeta, logGamma } from './beta.ts';
import { meanInterval, scoreInterval, shareInterval } from './interval.ts';

const BEYOND = 0.0013498980316300946;

/** P(at most `hits` of `n`), summed term by term. */
function atMost(hits: number, n: number, p: number): number {
  let sum = 0;
  for (let k = 0; k <= hits; k++) {
    const logTerm = logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1) + k * Math.log(p) + (n - k) * Math.log1p(-p);
    sum += Math.exp(logTerm);
  }
  return sum;
}

describe('the bounds of a share', () => {
  it.each([
    [0, 2000],
    [1, 2000],
    [7, 50],
    [100, 2000],
    [199, 200],
    [1000, 2000],
    [25, 50_000],
  ])('leave exactly 0.135 %% beyond each side for %i of %i', (hits, n) => {
    const { low, high } = shareInterval(hits, n);
    if (hits > 0) expect(1 - atMost(hits - 1, n, low)).toBeCloseTo(BEYOND, 9);
    expect(atMost(hits, n, high)).toBeCloseTo(BEYOND, 9);
    expect(low).toBeLessThanOrEqual(hits / n);
    expect(high).toBeGreaterThan(hits / n);
  });

  it('are 0 and 1 where nothing, or nothing else, was seen', () => {
    expect(shareInterval(0, 100).low).toBe(0);
    expect(shareInterval(100, 100).high).toBe(1);
  });

  it('hardly differ where the exact ones give way to the score interval', () => {
    const exact = shareInterval(1000, 20_000);
    const score = shareInterval(1001, 20_000);
    expect(score.low).toBeCloseTo(exact.low, 3);
    expect(score.high).toBeCloseTo(exact.high, 3);
  });

  it('hold for counts that are not whole, between those of the neighbours', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 500 }), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (hits, part) => {
        const high = shareInterval(hits + part, 2000).high;
        expect(high).toBeGreaterThan(shareInterval(hits, 2000).high);
        expect(high).toBeLessThan(shareInterval(hits + 1, 2000).high);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the bounds of a mean', () => {
  it('are not of width 0 for a baseline of equal values, and about those of a share never seen', () => {
    const { low, high } = meanInterval(0.5, 0, 2000);
    expect(high - 0.5).toBeCloseTo(0.0045, 4);
    expect(0.5 - low).toBeCloseTo(0.0045, 4);
    expect(shareInterval(0, 2000).high).toBeCloseTo(0.0033, 4);
  });

  it('stay within 0 and 1', () => {
    expect(meanInterval(0.01, 0.25, 60)).toEqual({ low: 0, high: expect.any(Number) });
    expect(scoreInterval(1, 10, 2).high).toBe(1);
  });
});

describe('the incomplete beta function', () => {
  it('is the binomial tail it stands for', () => {
    expect(incompleteBeta(0.3, 4, 7)).toBeCloseTo(1 - atMost(3, 10, 0.3), 12);
    expect(incompleteBeta(0.001, 2, 4999)).toBeCloseTo(1 - atMost(1, 5000, 0.001), 12);
  });
});

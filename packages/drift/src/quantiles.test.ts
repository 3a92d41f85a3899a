import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { midRanks, momentsOf } from './features.ts';
import { cellOf, cellsOf, EDGES_MAX, keyValue, orderedKey, percentile, searchable } from './quantiles.ts';

const number = fc.double({ noNaN: true, noDefaultInfinity: true });

describe('ordered keys', () => {
  it('sort as the numbers do, to a millionth', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        expect(orderedKey(low)).toBeLessThanOrEqual(orderedKey(high));
        if (high - low > 2e-6 * Math.max(Math.abs(low), Math.abs(high)) && Math.abs(high - low) > 1e-300)
          expect(orderedKey(low)).toBeLessThan(orderedKey(high));
      }),
    );
  });

  it('do not tell -0 from 0, and take the greatest numbers', () => {
    expect(orderedKey(-0)).toBe(orderedKey(0));
    expect(orderedKey(-1e308)).toBeLessThan(orderedKey(-1));
    expect(orderedKey(1e308)).toBeLessThan(orderedKey(Number.MAX_VALUE));
  });

  it.each([0, 1, -1, 0.3, 1234.5, -0.001, 1e9])('give %d back', (value) => {
    expect(keyValue(orderedKey(value))).toBeCloseTo(value, 3);
  });
});

describe('cells', () => {
  const values = fc.array(fc.oneof(number, fc.integer({ min: -3, max: 3 })), { minLength: 50, maxLength: 400 });

  it('are found by the search as by counting edges', () => {
    fc.assert(
      fc.property(values, fc.array(number, { maxLength: 20 }), (sample, others) => {
        const cells = cellsOf(Int32Array.from(sample, orderedKey).sort());
        expect(cells.edges.length).toBeLessThanOrEqual(EDGES_MAX);
        const search = searchable(cells.edges);
        for (const key of [...sample, ...others].map(orderedKey))
          expect(cellOf(search, key)).toBe(cells.edges.filter((edge) => edge < key).length);
      }),
    );
  });

  it('hold at most a tenth below p10 and above p90, and a hundredth beyond p1 and p99, whatever the ties', () => {
    fc.assert(
      fc.property(values, (sample) => {
        const cells = cellsOf(Int32Array.from(sample, orderedKey).sort());
        const found = sample.map((value) => cellOf(searchable(cells.edges), orderedKey(value)));
        const share = (isIn: (cell: number) => boolean): number => found.filter(isIn).length / sample.length;
        expect(share((cell) => cell < cells.notBelowP10)).toBeLessThanOrEqual(0.1);
        expect(share((cell) => cell >= cells.aboveP90)).toBeLessThanOrEqual(0.1);
        expect(share((cell) => cell < cells.notBelowP1)).toBeLessThanOrEqual(0.01);
        expect(share((cell) => cell >= cells.aboveP99)).toBeLessThanOrEqual(0.01);
      }),
    );
  });

  it('have mid-ranks whose mean is one half, whatever the ties', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 1000 }), { minLength: 1, maxLength: 128 }), (raw) => {
        const counts = Float64Array.from([...raw, 1]);
        expect(momentsOf(midRanks(counts), counts).mean).toBeCloseTo(0.5, 12);
      }),
    );
  });

  it('leave room on both sides of a baseline of one value', () => {
    const cells = cellsOf(new Int32Array(2000).fill(orderedKey(7)));
    const search = searchable(cells.edges);
    expect([6.9, 7, 7.1].map((value) => cellOf(search, orderedKey(value)))).toEqual([0, 1, 2]);
  });

  it('give percentiles back in the unit of the values', () => {
    const sorted = Int32Array.from({ length: 10_000 }, (_, index) => orderedKey(index)).sort();
    const cells = cellsOf(sorted);
    const counts = new Float64Array(cells.edges.length + 1);
    for (const key of sorted) counts[cellOf(searchable(cells.edges), key)]!++;
    expect(percentile(cells.edges, counts, 0.5)).toBeCloseTo(5000, -2);
    expect(percentile(cells.edges, counts, 0.99)).toBeCloseTo(9900, -2);
  });
});

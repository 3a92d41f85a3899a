// The figures of merit, on cases worked out by hand and against definitions that try every pair or every threshold.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { auroc, averagePrecision, limitAt, quantile, shareAbove, wilsonInterval, type Judged } from './metrics.ts';

const judged = (positives: number[], negatives: number[]): Judged[] => [
  ...positives.map((score) => ({ score, isPositive: true })),
  ...negatives.map((score) => ({ score, isPositive: false })),
];

// Few different scores, so that ties are common.
const scores = fc.array(
  fc.integer({ min: 0, max: 6 }).map((n) => n / 6),
  { minLength: 1, maxLength: 25 },
);

describe('auroc', () => {
  test.each([
    ['perfect', [0.9, 0.8], [0.2, 0.1], 1],
    ['upside down', [0.1, 0.2], [0.8, 0.9], 0],
    ['all the same', [0, 0, 0], [0, 0], 0.5],
    ['three of four pairs', [0.9, 0.4], [0.5, 0.1], 0.75],
    ['a tie counts half', [0.9, 0.5], [0.5, 0.1], 0.875],
  ])('%s', (_, positives, negatives, expected) => {
    expect(auroc(judged(positives, negatives))).toBeCloseTo(expected, 12);
  });

  test('is not defined for one class', () => {
    expect([auroc([]), auroc(judged([1], [])), auroc(judged([], [1]))]).toEqual([null, null, null]);
  });

  test('is the share of pairs in the right order, whatever the order of the rows', () => {
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        let right = 0;
        for (const high of positives) for (const low of negatives) right += high > low ? 1 : high === low ? 0.5 : 0;
        const expected = right / (positives.length * negatives.length);
        expect(auroc(judged(positives, negatives))).toBeCloseTo(expected, 9);
        expect(auroc(judged(positives, negatives).toReversed())).toBeCloseTo(expected, 9);
      }),
    );
  });
});

describe('averagePrecision', () => {
  test.each([
    ['perfect', [0.9, 0.8], [0.2, 0.1], 1],
    ['half the recall at precision 1, half at 2/3', [0.9, 0.4], [0.5, 0.1], 0.5 + 0.5 * (2 / 3)],
    ['all the same: the share of positives', [0, 0], [0, 0, 0], 0.4],
    ['a tie comes in together', [0.9, 0.5], [0.5], 0.5 + 0.5 * (2 / 3)],
  ])('%s', (_, positives, negatives, expected) => {
    expect(averagePrecision(judged(positives, negatives))).toBeCloseTo(expected, 12);
  });

  test('is not defined for one class', () => {
    expect([averagePrecision([]), averagePrecision(judged([1], [])), averagePrecision(judged([], [1]))]).toEqual([
      null,
      null,
      null,
    ]);
  });

  test('is the sum over all thresholds of precision times the recall gained, whatever the order of the rows', () => {
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        let expected = 0;
        let recallBefore = 0;
        for (const threshold of [...new Set([...positives, ...negatives])].toSorted((a, b) => b - a)) {
          const found = positives.filter((score) => score >= threshold).length;
          const alarms = negatives.filter((score) => score >= threshold).length;
          const recall = found / positives.length;
          expected += (recall - recallBefore) * (found / (found + alarms));
          recallBefore = recall;
        }
        expect(averagePrecision(judged(positives, negatives))).toBeCloseTo(expected, 9);
        expect(averagePrecision(judged(positives, negatives).toReversed())).toBeCloseTo(expected, 9);
      }),
    );
  });
});

describe('limitAt', () => {
  test.each([
    ['one of ten', [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], 0.1, 0.8],
    ['none may pass', [0.2, 0.7], 0, 0.7],
    ['a tie at the limit does not pass', [0.5, 0.5, 0.5, 0.1], 0.5, 0.5],
    ['hardly any scores at all', [0, 0, 0, 0.6], 0.25, 0],
  ])('%s', (_, negatives, rate, expected) => {
    expect(limitAt(negatives, rate)).toBe(expected);
  });

  test('keeps the rate, and no lower score would', () => {
    fc.assert(
      fc.property(scores, fc.double({ min: 0, max: 0.99, noNaN: true }), (negatives, rate) => {
        const limit = limitAt(negatives, rate)!;
        expect(shareAbove(negatives, limit)).toBeLessThanOrEqual(rate);
        for (const lower of negatives.filter((score) => score < limit))
          expect(shareAbove(negatives, lower)).toBeGreaterThan(rate);
      }),
    );
  });

  test('is not defined without negatives, nor is a share', () => {
    expect([limitAt([], 0.01), shareAbove([], 0.5), shareAbove([1], null)]).toEqual([null, null, null]);
  });
});

describe('wilsonInterval', () => {
  // Expected: Wilson's formula with z = 1.96, as published tables have it.
  test.each([
    [0, 10, 0, 0.2775],
    [1, 10, 0.0179, 0.4042],
    [5, 10, 0.2366, 0.7634],
    [10, 10, 0.7225, 1],
    [0, 0, 0, 1],
  ])('%i of %i', (hits, total, low, high) => {
    const interval = wilsonInterval(hits, total);
    expect(interval.low).toBeCloseTo(low, 4);
    expect(interval.high).toBeCloseTo(high, 4);
  });

  test('its ends are the shares from which what was seen is just 1.96 deviations away', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5_000 }), fc.nat(), (total, n) => {
        const hits = n % (total + 1);
        const { low, high } = wilsonInterval(hits, total);
        for (const end of [low, high]) {
          if (end <= 0 || end >= 1) continue;
          expect(Math.abs(hits / total - end) / Math.sqrt((end * (1 - end)) / total)).toBeCloseTo(1.96, 3);
        }
      }),
    );
  });
});

test('quantile is the nearest rank', () => {
  expect([
    quantile([3, 1, 2], 0.5),
    quantile([4, 3, 2, 1], 0.5),
    quantile([1, 2, 3], 0.99),
    quantile([7], 0),
    quantile([], 0.5),
  ]).toEqual([2, 2, 3, 7, null]);
});

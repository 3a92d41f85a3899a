import { expect, it } from 'vitest';
import { NEED, THRESHOLD_MIN, thresholdFor } from './threshold.ts';

it('is never below what one series needs', () => {
  expect(thresholdFor({ seriesCount: 10, observationsPerSecond: 0.01, falseAlarmsPerYear: 1 })).toBe(THRESHOLD_MIN);
});

it('grows with series, rate and the time between false alarms', () => {
  const one = { seriesCount: 100, observationsPerSecond: 50, falseAlarmsPerYear: 1 };
  expect(thresholdFor(one)).toBeCloseTo((100 * 50 * 365.25 * 86_400) / NEED, 0);
  expect(thresholdFor({ ...one, falseAlarmsPerYear: 0.5 })).toBeCloseTo(2 * thresholdFor(one), 0);
});

it.each([{ falseAlarmsPerYear: 0 }, { seriesCount: -1 }, { observationsPerSecond: Number.NaN }, { seriesCount: Infinity }])(
  'refuses %o',
  (wrong) => {
    const right = { seriesCount: 1, observationsPerSecond: 1, falseAlarmsPerYear: 1 };
    expect(() => thresholdFor({ ...right, ...wrong })).toThrow(RangeError);
  },
);

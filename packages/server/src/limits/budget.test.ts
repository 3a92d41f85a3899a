import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from './budget.ts';

const START = 1_790_000_000;

interface Taken {
  readonly at: number;
  readonly cost: number;
}

/** The rule in its plainest form: a log of what was taken, in whole seconds, summed anew for each question. */
function oracleAllows(log: readonly Taken[], now: number, cost: number, limit: number): boolean {
  const within = (window: number) =>
    log.filter(({ at }) => Math.floor(now) - Math.floor(at) <= window).reduce((sum, { cost: c }) => sum + c, 0);
  return within(60) + cost <= 2 * limit && within(300) + cost <= 5 * limit + Math.ceil(limit / 60);
}

function worstWindow(log: readonly Taken[], seconds: number): number {
  let worst = 0;
  for (const [i, first] of log.entries()) {
    let sum = 0;
    for (let j = i; j < log.length && log[j]!.at - first.at < seconds; j++) sum += log[j]!.cost;
    worst = Math.max(worst, sum);
  }
  return worst;
}

const requests = fc.array(
  fc.record({
    gap: fc.oneof(fc.double({ min: 0, max: 2, noNaN: true }), fc.double({ min: 0, max: 420, noNaN: true })),
    cost: fc.integer({ min: 1, max: 9 }),
  }),
  {
    maxLength: 400,
  },
);

test('decides exactly as the rule summed over a log, and keeps both windows', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), requests, (limit, steps) => {
      const budget = new Budget(limit);
      const log: Taken[] = [];
      let now = START;
      for (const { gap, cost } of steps) {
        now += gap;
        const allowed = oracleAllows(log, now, cost, limit);
        const wait = budget.take(now, cost);
        expect(wait === 0).toBe(allowed);
        if (allowed) log.push({ at: now, cost });
        else if (wait !== Infinity) {
          expect(oracleAllows(log, now + wait, cost, limit)).toBe(true);
          if (wait > 1) expect(oracleAllows(log, now + wait - 1, cost, limit)).toBe(false);
        } else expect(cost).toBeGreaterThan(budget.costMax);
      }
      expect(worstWindow(log, 60)).toBeLessThanOrEqual(2 * limit);
      expect(worstWindow(log, 300)).toBeLessThanOrEqual(5 * limit + Math.ceil(limit / 60));
    }),
  );
});

test.each([1, 7, 60, 100, 1_000])('steady traffic at %i a minute is never refused', (limit) => {
  const budget = new Budget(limit);
  for (let i = 0; i < limit * 20; i++) expect(budget.take(START + (i * 60) / limit, 1)).toBe(0);
});

test('a burst may take twice the limit, and says when the next request fits', () => {
  const budget = new Budget(60);
  const taken = Array.from({ length: 130 }, () => budget.take(START, 1)).filter((wait) => wait === 0);
  expect(taken).toHaveLength(120);
  expect(budget.take(START, 1)).toBe(61);
  expect(budget.view(START)).toEqual({ limit: 60, remaining: 0, reset: START + 61 });
});

test('a clock that goes back hands out nothing twice', () => {
  const budget = new Budget(1);
  expect(budget.take(START, 2)).toBe(0);
  expect(budget.take(START - 500, 1)).toBeGreaterThan(0);
  expect(budget.take(START + 1, 1)).toBeGreaterThan(0);
});

test('a lower plan takes effect at once', () => {
  const budget = new Budget(10);
  for (let i = 0; i < 10; i++) expect(budget.take(START, 1)).toBe(0);
  budget.limit = 5;
  expect(budget.take(START, 1)).toBeGreaterThan(0);
  expect(budget.view(START)).toMatchObject({ limit: 5, remaining: 0 });
});

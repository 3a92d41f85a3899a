import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Budget } from './budget.ts';
import { adversarialSteps, oracleAllows, worstWindow, type Taken } from './test-kit.ts';

const START = 1_790_000_000;

const limits = fc.integer({ min: 1, max: 40 });

test('decides exactly as the rule summed over a log, and keeps both windows', () => {
  fc.assert(
    fc.property(limits, adversarialSteps(60), (limit, steps) => {
      const budget = new Budget(limit);
      const log: Taken[] = [];
      let nowUs = START * 1e6;
      let told = 0;
      for (const { gapUs, cost, times } of steps) {
        nowUs += gapUs === 'as told' ? told * 1e6 : gapUs;
        const now = nowUs / 1e6;
        for (let i = 0; i < times; i++) {
          const allowed = oracleAllows(log, now, cost, limit);
          const wait = budget.take(now, cost);
          expect(wait === 0).toBe(allowed);
          if (allowed) log.push({ at: now, cost });
          else if (wait !== Infinity) {
            expect(oracleAllows(log, now + wait, cost, limit)).toBe(true);
            if (wait > 1) expect(oracleAllows(log, now + wait - 1, cost, limit)).toBe(false);
          } else expect(cost).toBeGreaterThan(budget.costMax);
          if (wait !== Infinity) told = wait;
        }
      }
      expect(worstWindow(log, 60)).toBeLessThanOrEqual(2 * limit);
      expect(worstWindow(log, 300)).toBeLessThanOrEqual(5 * limit + Math.ceil(limit / 60));
    }),
  );
});

test('the view says what is left, and when all of it would be', () => {
  fc.assert(
    fc.property(limits, adversarialSteps(40), (limit, steps) => {
      const budget = new Budget(limit);
      const log: Taken[] = [];
      let now = START;
      const remainingAt = (second: number) => {
        const used = (window: number) => log.filter(({ at }) => second - at <= window).reduce((sum, { cost }) => sum + cost, 0);
        return Math.max(0, Math.min(limit - used(60), 5 * limit - used(300)));
      };
      for (const { gapUs, cost, times } of steps) {
        now += gapUs === 'as told' ? 1 : Math.floor(gapUs / 1e6);
        for (let i = 0; i < times; i++) if (budget.take(now, cost) === 0) log.push({ at: now, cost });
        const view = budget.view(now);
        expect(view).toMatchObject({ limit, remaining: remainingAt(now), windowSeconds: 60 });
        expect(remainingAt(view.reset)).toBe(limit);
        if (view.reset > now) expect(remainingAt(view.reset - 1)).toBeLessThan(limit);
      }
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
  expect(budget.view(START)).toEqual({ limit: 60, remaining: 0, reset: START + 61, windowSeconds: 60 });
});

test('a batch takes its whole cost or nothing', () => {
  const budget = new Budget(60);
  expect(budget.take(START, 100)).toBe(0);
  expect(budget.take(START, 21)).toBeGreaterThan(0);
  expect(budget.take(START, 20)).toBe(0);
  expect(budget.take(START + 1_000, 121)).toBe(Infinity);
});

test('a clock that goes back hands out nothing twice', () => {
  const budget = new Budget(1);
  expect(budget.take(START, 2)).toBe(0);
  expect(budget.take(START - 500, 1)).toBeGreaterThan(0);
  expect(budget.take(START + 1, 1)).toBeGreaterThan(0);
});

test('a plan that changes in mid-window takes effect at once, in both directions', () => {
  const budget = new Budget(10);
  for (let i = 0; i < 10; i++) expect(budget.take(START, 1)).toBe(0);
  budget.limit = 5;
  expect(budget.take(START, 1)).toBeGreaterThan(0);
  expect(budget.view(START)).toMatchObject({ limit: 5, remaining: 0 });
  budget.limit = 20;
  expect(budget.view(START)).toMatchObject({ limit: 20, remaining: 10 });
  for (let i = 0; i < 30; i++) expect(budget.take(START, 1)).toBe(0);
  expect(budget.take(START, 1)).toBeGreaterThan(0);
});

test('what is given back can be taken again, and no more than that', () => {
  const budget = new Budget(10);
  expect(budget.take(START, 20)).toBe(0);
  budget.add(START + 3, 3, -5);
  expect(budget.take(START + 3, 6)).toBeGreaterThan(0);
  expect(budget.take(START + 3, 5)).toBe(0);
  budget.add(START + 900, 900, -5);
  expect(budget.isIdle(START + 900)).toBe(true);
});

test('raising counts what others use, once, and never less than was known', () => {
  const budget = new Budget(10);
  budget.take(START, 4);
  budget.raise(START, 12, 40);
  budget.raise(START, 12, 40);
  budget.raise(START, 0, 0);
  expect(budget.take(START, 9)).toBeGreaterThan(0);
  expect(budget.take(START, 8)).toBe(0);
  expect(budget.take(START + 61, 4)).toBeGreaterThan(0);
  expect(budget.take(START + 61, 3)).toBe(0);
});

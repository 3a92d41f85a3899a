import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adversarialSteps, worstWindow, type Taken } from './test-kit.ts';
import { SlidingWindow } from './window.ts';

const START = 1_790_000_000;
const shapes = fc.record({ limit: fc.integer({ min: 1, max: 12 }), windowSeconds: fc.constantFrom(1, 60) });

test('lets through exactly what fits into every window, and says when the next fits', () => {
  fc.assert(
    fc.property(shapes, adversarialSteps(80), ({ limit, windowSeconds }, steps) => {
      const window = new SlidingWindow(limit, windowSeconds);
      const log: Taken[] = [];
      let now = START;
      let told = 0;
      const usedAt = (at: number) => log.filter((taken) => at - taken.at < windowSeconds).length;
      for (const { gapUs, times } of steps) {
        // Eighths of a second are exact, so that the oracle rounds nothing.
        now += gapUs === 'as told' ? told : Math.round(gapUs / 125_000) / 8;
        for (let i = 0; i < times; i++) {
          const allowed = usedAt(now) < limit;
          told = window.take(now, limit);
          expect(told === 0).toBe(allowed);
          if (allowed) log.push({ at: now, cost: 1 });
          else {
            expect(usedAt(now + told)).toBeLessThan(limit);
            if (told > 1) expect(usedAt(now + told - 1)).toBe(limit);
          }
        }
        const view = window.view(now, limit);
        expect(view).toMatchObject({ limit, remaining: limit - usedAt(now), windowSeconds });
        expect(usedAt(view.reset)).toBe(0);
        expect(window.isIdle(now)).toBe(usedAt(now) === 0);
      }
      expect(worstWindow(log, windowSeconds)).toBeLessThanOrEqual(limit);
    }),
  );
});

test('a clock that goes back hands out nothing twice', () => {
  const window = new SlidingWindow(2, 60);
  expect(window.take(START, 2)).toBe(0);
  expect(window.take(START - 500, 2)).toBe(0);
  expect(window.take(START - 500, 2)).toBeGreaterThan(0);
  expect(window.take(START + 59, 2)).toBe(1);
  expect(window.take(START + 60, 2)).toBe(0);
});

test('a lower limit holds at once, and calls that were counted elsewhere count', () => {
  const window = new SlidingWindow(10, 60);
  for (let i = 0; i < 25; i++) window.record(START + i);
  expect(window.take(START + 25, 10)).toBe(50);
  expect(window.take(START + 25, 5)).toBe(55);
  expect(window.view(START + 25, 5)).toMatchObject({ limit: 5, remaining: 0 });
  window.giveBack();
  expect(window.take(START + 25, 10)).toBe(0);
});

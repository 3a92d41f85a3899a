import { expect, test } from 'vitest';
import { trailClockAt } from './clock.ts';
import type { TrailClock } from './store.ts';

test('the clock of a trail never goes back, goes on while it is ahead, and is right again in the end', () => {
  let clock: TrailClock | null = null;
  const shown: number[] = [];
  for (const recordedAtMs of [1_000, 2_000, 12_000, 3_000, 5_000, 15_000, 30_000]) {
    clock = trailClockAt(clock, recordedAtMs);
    shown.push(clock.atMs);
  }
  expect(shown).toEqual([1_000, 2_000, 12_000, 12_000, 13_000, 18_000, 30_000]);
});

// Promises about the time by which retention deletes.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seeClock, type RetentionClock } from './retention-clock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW_MS = Date.UTC(2026, 0, 1);
const BEGUN: RetentionClock = { believedMs: NOW_MS, seenMs: NOW_MS, waitedMs: 0 };

/** Hours after the first of these times, an hour apart, at which one is believed; `null`: none. */
function hoursUntilBelieved(clock: RetentionClock, atMs: (hour: number) => number, hours = 48): number | null {
  let seen = clock;
  for (let hour = 0; hour < hours; hour++) {
    seen = seeClock(seen, atMs(hour));
    if (seen.believedMs === atMs(hour)) return hour;
  }
  return null;
}

test('a clock that goes on is believed, also over two days without a pass, and one that is set back', () => {
  for (const ms of [0, 1, HOUR_MS, 2 * DAY_MS, -1, -HOUR_MS, -800 * DAY_MS])
    expect(hoursUntilBelieved(BEGUN, () => NOW_MS + ms, 1)).toBe(0);
});

test('a clock that leapt is believed after a day of passes, as one is that was off for a year', () => {
  for (const days of [3, 365, 800, 36_500]) {
    const leapt = NOW_MS + days * DAY_MS;
    expect(hoursUntilBelieved(BEGUN, (hour) => leapt + hour * HOUR_MS)).toBe(24);
    // Passes a minute apart make it no shorter.
    expect(hoursUntilBelieved(BEGUN, (minute) => leapt + minute * 60_000, 24 * 60)).toBeNull();
  }
});

test('neither more leaps, nor nodes that are started again and again, nor a clock that goes to and fro, make the day shorter', () => {
  const leaps = fc.array(fc.integer({ min: 2 * DAY_MS + 1, max: 1_000 * DAY_MS }), { minLength: 1, maxLength: 11 });
  fc.assert(
    fc.property(leaps, (steps) => {
      let [clock, now] = [BEGUN, NOW_MS];
      for (const step of steps) {
        now += step;
        clock = seeClock(clock, now);
        expect(clock.believedMs).toBe(NOW_MS);
      }
    }),
  );
  let clock = BEGUN;
  for (let i = 0; i < 1_000; i++) {
    clock = seeClock(clock, NOW_MS + (i % 2 === 0 ? 800 * DAY_MS : i));
    expect(clock.believedMs).toBeLessThan(NOW_MS + HOUR_MS);
  }
});

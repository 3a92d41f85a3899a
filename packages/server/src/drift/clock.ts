// The time of a trail. Nodes that record it may have clocks that differ, or that were wrong for a while.

import type { TrailClock } from './store.ts';

/**
 * The clock at the next event, which was recorded at `recordedAtMs`. It never goes back: else all that comes after a clock that was ahead would be
 * too late to be counted. Until it is right again it goes at half the speed, so that what has to last for some time still can.
 */
export function trailClockAt(before: TrailClock | null, recordedAtMs: number): TrailClock {
  if (before === null) return { atMs: recordedAtMs, recordedAtMs };
  const passedMs = Math.max(0, recordedAtMs - before.recordedAtMs);
  return { atMs: Math.max(recordedAtMs, before.atMs + Math.floor(passedMs / 2)), recordedAtMs };
}

// The clock that budgets run on: monotonic, with the seconds of the wall clock as they were when the process began.

/**
 * Unix seconds that never go back nor jump: a wall clock that is set back would freeze budgets, one set forward empty them. Its seconds begin
 * when those of the wall clock do, so that usage of an earlier process falls into the same slots.
 */
export function budgetSeconds(): number {
  return (performance.timeOrigin + performance.now()) / 1_000;
}

/** Whole seconds by which the wall clock was set since the process began; 0 when nobody did. */
export function wallClockShift(): number {
  return Math.round(Date.now() / 1_000 - budgetSeconds());
}

/** `seconds` of the budgets' clock as the wall clock has them, rounded up. */
export function toWallClock(seconds: number): number {
  return Math.ceil(seconds + wallClockShift());
}

// When a delivery is tried again, and when an endpoint is left alone.

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The wait after each failure. After the last one the delivery has failed. */
const WAITS_MS = [5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 8 * HOUR_MS] as const;

/** How long after its `failures`th failure a delivery is due again, exactly; `null`: it has failed. */
export function waitAfter(failures: number): number | null {
  return WAITS_MS[failures - 1] ?? null;
}

/** An endpoint without success for this long is paused. */
export const PAUSE_AFTER_MS = 24 * HOUR_MS;

/** How often a paused endpoint is tried with one of the deliveries that wait for it. */
export const PROBE_INTERVAL_MS = 5 * MINUTE_MS;

/** Longer than an attempt with its answer can take: a delivery that is claimed for longer was claimed by a worker that died. */
export const LEASE_MS = 30_000;

/** One deadline over DNS, connect, TLS, headers: the receiver's five seconds. */
export const ATTEMPT_MS_MAX = 5_000;

/** How long deliveries, and what became of them, are kept. */
export const KEPT_DAYS = 30;

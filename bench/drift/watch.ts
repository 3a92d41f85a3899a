// A monitor over a stream that is already there.

import { Monitor, type MonitorSettings, type Transition } from '@svc/drift';

export type Values = Float64Array | readonly string[];

export interface WatchOptions {
  /** Observations of one delivery. */
  readonly perBatch?: number;
  readonly msPerObservation?: number;
  /** Ends the watching after this transition. */
  readonly until?: (transition: Transition) => boolean;
  /** What to watch with: a new monitor, unless another is given. */
  readonly monitor?: Monitor;
}

/** A Monday at midnight. */
export const START_MS = Date.UTC(2026, 0, 5);

/**
 * No time has to pass and no second delivery to come until a drift counts as sustained, and each is told: only the numbers decide, which is the
 * hardest case for false alarms.
 */
export const AT_ONCE = { blockMs: 0, cooldownMs: 0 } as const;

/** The transitions of a monitor over the values, delivered 500 at a time and one a second. */
export function watch(settings: MonitorSettings, values: Values, options: WatchOptions = {}): Transition[] {
  const { perBatch = 500, msPerObservation = 1_000, until = () => false, monitor = new Monitor(settings) } = options;
  const transitions: Transition[] = [];
  for (let from = 0, batch = 1; from < values.length; from += perBatch, batch++) {
    const to = Math.min(values.length, from + perBatch);
    const part = values instanceof Float64Array ? values.subarray(from, to) : values.slice(from, to);
    const happened = monitor.observe({ batch, values: part, timesMs: times(from, to, msPerObservation) });
    transitions.push(...happened);
    if (happened.some(until)) break;
  }
  return transitions;
}

/** When the observations `from` to `to` are made. */
export function times(from: number, to: number, msPerObservation: number): Float64Array {
  const timesMs = new Float64Array(to - from);
  for (let i = 0; i < timesMs.length; i++) timesMs[i] = START_MS + (from + i) * msPerObservation;
  return timesMs;
}

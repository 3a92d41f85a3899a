// Seeded streams and a feeder, for the detector's tests.

import type { Monitor } from '../monitor.ts';
import type { Transition } from '../types.ts';

export interface Random {
  /** In [0, 1). */
  uniform(): number;
  normal(): number;
}

/** sfc32 (Chris Doty-Humphrey), seeded by one number. */
export function randomFrom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, 0x9e3779b9 | 0, 0x243f6a88, 1];
  const uniform = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let warmUp = 0; warmUp < 20; warmUp++) uniform();
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
  return { uniform, normal };
}

/** Mean 0, standard deviation 1, each value correlated by `rho` with the one before it. */
export function ar1(random: Random, rho: number): () => number {
  let value = random.normal();
  return () => (value = rho * value + Math.sqrt(1 - rho * rho) * random.normal());
}

/** Normal values in clusters of 5 to 20 that share half of their variance. */
export function clustered(random: Random): () => number {
  let left = 0;
  let shared = 0;
  return () => {
    if (left-- <= 0) {
      left = 4 + Math.floor(16 * random.uniform());
      shared = Math.SQRT1_2 * random.normal();
    }
    return shared + Math.SQRT1_2 * random.normal();
  };
}

/** One of thirteen labels, each half, a third, … as frequent as the first. */
export function zipf(random: Random): () => string {
  const weights = Array.from({ length: 13 }, (_, index) => 1 / (index + 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return () => {
    let rest = random.uniform() * total;
    let index = 0;
    while (index < 12 && rest >= weights[index]!) rest -= weights[index++]!;
    return `label ${index + 1}`;
  };
}

/** Feeds a monitor, `stepMs` apart and in deliveries of 500, and goes on where it left off. */
export class Feeder {
  readonly monitor: Monitor;
  nowMs = Date.UTC(2026, 0, 5);
  batch = 0;
  readonly #stepMs: number;
  readonly #perBatch: number;

  constructor(monitor: Monitor, stepMs = 1000, perBatch = 500) {
    this.monitor = monitor;
    this.#stepMs = stepMs;
    this.#perBatch = perBatch;
  }

  feed(count: number, next: () => number | string): Transition[] {
    const transitions: Transition[] = [];
    for (let at = 0; at < count; at += this.#perBatch) {
      const values = Array.from({ length: Math.min(this.#perBatch, count - at) }, next);
      const timesMs = Float64Array.from(values, () => (this.nowMs += this.#stepMs));
      const ids = values.map((_, index) => `evt_${this.batch}_${index}`);
      transitions.push(...this.monitor.observe({ batch: ++this.batch, values: packed(values), timesMs, ids }));
    }
    return transitions;
  }
}

export function packed(values: readonly (number | string)[]): Float64Array | readonly string[] {
  return typeof values[0] === 'string' ? (values as readonly string[]) : Float64Array.from(values as readonly number[]);
}

export function kindsOf(transitions: readonly Transition[]): string[] {
  return transitions.map(({ kind }) => kind);
}

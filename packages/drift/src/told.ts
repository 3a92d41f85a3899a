// What was reported of a series lately, so that nothing is told twice in its quiet time.

import type { StateReader, StateWriter } from './state-format.ts';
import type { Direction } from './types.ts';

/** A larger effect is news even in the quiet time after a report. */
export const GROWTH = 1.5;

/** A change of one feature, as it is compared with others of the same. */
export interface Move {
  readonly feature: number;
  readonly direction: Direction;
  /** In standard deviations at baseline, or in the feature's own unit where it had none. */
  readonly size: number;
}

/** For each feature and direction when a change was last told, and how large it was. */
export class Told {
  readonly #atMs: Float64Array;
  readonly #sizes: Float64Array;

  constructor(featureCount: number) {
    this.#atMs = new Float64Array(2 * featureCount).fill(Number.NEGATIVE_INFINITY);
    this.#sizes = new Float64Array(2 * featureCount);
  }

  /** Whether a change was not told in the quiet time, or is half as large again as what was. */
  isNews(move: Move, atMs: number, cooldownMs: number): boolean {
    const at = placeOf(move);
    return atMs - this.#atMs[at]! >= cooldownMs || move.size >= GROWTH * this.#sizes[at]!;
  }

  /** Tells of a change, and of what else moved with it: that is no news either. */
  tell(lead: Move, others: readonly Move[], atMs: number, cooldownMs: number): void {
    for (const other of others) {
      const at = placeOf(other);
      if (atMs - this.#atMs[at]! >= cooldownMs || other.size > this.#sizes[at]!) this.#set(at, atMs, other.size);
    }
    this.#set(placeOf(lead), atMs, lead.size);
  }

  /** What was told turned out to be larger. */
  revise(move: Move): void {
    const at = placeOf(move);
    this.#sizes[at] = Math.max(this.#sizes[at]!, move.size);
  }

  write(writer: StateWriter): void {
    for (let at = 0; at < this.#atMs.length; at++) {
      const isTold = this.#atMs[at]! > Number.NEGATIVE_INFINITY;
      writer.flag(isTold);
      if (!isTold) continue;
      writer.double(this.#atMs[at]!);
      writer.double(this.#sizes[at]!);
    }
  }

  static read(reader: StateReader, featureCount: number): Told {
    const told = new Told(featureCount);
    for (let at = 0; at < 2 * featureCount; at++) if (reader.flag()) told.#set(at, reader.double(), reader.double());
    return told;
  }

  #set(at: number, atMs: number, size: number): void {
    this.#atMs[at] = atMs;
    this.#sizes[at] = size;
  }
}

function placeOf({ feature, direction }: Move): number {
  return 2 * feature + (direction === 'up' ? 0 : 1);
}

// A drift that is on: when it is reported, and when it has ended.

import { BlockClock, type ChunkSpan } from './blocks.ts';
import type { StateReader, StateWriter } from './state-format.ts';
import { StateError } from './state-format.ts';
import type { Direction, DriftReport } from './types.ts';

/** Blocks in a row that must be back before a drift has ended. */
const BLOCKS_BACK = 6;

/** So much of the way back counts as back: a block's mean is too uncertain to ask for all of it. */
const WAY_BACK = 0.75;

/** A larger effect is news even in the quiet time after a report. */
const GROWTH = 1.5;

/** Code units of a report as JSON that a state may hold; labels and ids of the longest kind make a fifth of it. */
const REPORT_UNITS_MAX = 100_000;

/** What was last reported of a series. */
export interface LastReport {
  readonly atMs: number;
  readonly direction: Direction;
  /** Size of the effect in standard deviations, or in the feature's own unit where it had none. */
  readonly size: number;
}

export function sizeOf(report: DriftReport): number {
  return Math.abs(report.effect.standardized ?? report.effect.difference ?? 0);
}

/** Whether a drift is to be reported, given what was last. */
export function isNews(last: LastReport | null, atMs: number, direction: Direction, size: number, cooldownMs: number): boolean {
  return last === null || atMs - last.atMs >= cooldownMs || direction !== last.direction || size >= GROWTH * last.size;
}

/** What a chunk's end means for a drift that is on. */
export type BlockEnd = { readonly kind: 'going-on'; readonly difference: number } | { readonly kind: 'ended' };

/** The drift since it counted as sustained, followed in the feature that told it best. */
export class Episode {
  readonly report: DriftReport;
  readonly feature: number;
  /** Whether it was reported; in the quiet time after another it may go on unreported. */
  isReported: boolean;
  readonly #blockObservations: number;
  readonly #clock = new BlockClock();
  #sum = 0;
  #expected = 0;
  #blocksBack = 0;
  /** Sums over the blocks that were back, for the report of the end. */
  #backN = 0;
  #backSum = 0;
  #backExpected = 0;

  constructor(report: DriftReport, feature: number, blockObservations: number, isReported: boolean) {
    this.report = report;
    this.feature = feature;
    this.#blockObservations = blockObservations;
    this.isReported = isReported;
  }

  /** Mean and expected mean over the blocks that were back. */
  get back(): { readonly n: number; readonly value: number; readonly expected: number } {
    return { n: this.#backN, value: this.#backSum / this.#backN, expected: this.#backExpected / this.#backN };
  }

  /** Takes a chunk in; answers at the end of a block. */
  add(span: ChunkSpan, sum: number, expected: number, blockMs: number): BlockEnd | null {
    this.#clock.add(span);
    this.#sum += sum;
    this.#expected += expected;
    if (!this.#clock.isFull(this.#blockObservations, blockMs, span.lastMs)) return null;
    return this.#closeBlock();
  }

  write(writer: StateWriter): void {
    writer.text(JSON.stringify(this.report));
    writer.count(this.feature);
    writer.count(this.#blockObservations);
    writer.flag(this.isReported);
    this.#clock.write(writer);
    writer.count(this.#blocksBack);
    for (const value of [this.#sum, this.#expected, this.#backN, this.#backSum, this.#backExpected]) writer.double(value);
  }

  static read(reader: StateReader, featureCount: number): Episode {
    const report = readReport(reader.text(REPORT_UNITS_MAX));
    const episode = new Episode(report, reader.count(featureCount - 1), reader.count(), reader.flag());
    episode.#clock.read(reader);
    episode.#blocksBack = reader.count(BLOCKS_BACK);
    episode.#sum = reader.double();
    episode.#expected = reader.double();
    episode.#backN = reader.double();
    episode.#backSum = reader.double();
    episode.#backExpected = reader.double();
    return episode;
  }

  #closeBlock(): BlockEnd {
    const n = this.#clock.n;
    const difference = (this.#sum - this.#expected) / n;
    if (this.#isBack(difference)) {
      this.#blocksBack++;
      this.#backN += n;
      this.#backSum += this.#sum;
      this.#backExpected += this.#expected;
    } else {
      this.#blocksBack = 0;
      this.#backN = this.#backSum = this.#backExpected = 0;
    }
    this.#clock.restart();
    this.#sum = 0;
    this.#expected = 0;
    return this.#blocksBack >= BLOCKS_BACK ? { kind: 'ended' } : { kind: 'going-on', difference };
  }

  /** Inside the tolerance, most of the way back, or beyond on the other side: that would be another drift. */
  #isBack(difference: number): boolean {
    const sign = this.report.direction === 'up' ? 1 : -1;
    const { effect, baseline } = this.report;
    const tolerance = sign * (effect.tolerance - baseline.value);
    return sign * difference <= Math.max(tolerance, (1 - WAY_BACK) * sign * (effect.difference ?? 0));
  }
}

function readReport(text: string): DriftReport {
  try {
    return JSON.parse(text) as DriftReport;
  } catch (cause) {
    throw new StateError(`its report cannot be read (${String(cause)})`);
  }
}

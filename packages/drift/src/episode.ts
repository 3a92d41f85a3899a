// A drift that is on: when it is reported, and when it has ended.

import { BlockClock, type ChunkSpan } from './blocks.ts';
import type { StateReader, StateWriter } from './state-format.ts';
import { StateError } from './state-format.ts';
import type { DriftReport } from './types.ts';

/** Blocks in a row that must be back before a drift has ended. */
const BLOCKS_BACK = 6;

/** So much of the way back counts as back: a block's mean is too uncertain to ask for all of it. */
const WAY_BACK = 0.75;

/** Bytes of a report as JSON that a state may hold; labels and ids of the longest kind make less than half of it. */
const REPORT_BYTES_MAX = 100_000;

/** Observations together: how many, a feature's mean over them, and what was expected of it. */
export interface Level {
  readonly n: number;
  readonly value: number;
  readonly expected: number;
}

/** The drift since it counted as sustained, followed in the feature that told it best. */
export class Episode {
  report: DriftReport;
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
  /** Sums over all whole blocks. */
  #allN = 0;
  #allSum = 0;
  #allExpected = 0;

  constructor(report: DriftReport, feature: number, blockObservations: number, isReported: boolean) {
    this.report = report;
    this.feature = feature;
    this.#blockObservations = blockObservations;
    this.isReported = isReported;
  }

  /** Over the blocks that were back. */
  get back(): Level {
    return { n: this.#backN, value: this.#backSum / this.#backN, expected: this.#backExpected / this.#backN };
  }

  /** Over all blocks: one alone may be large by chance. */
  get whole(): Level {
    return { n: this.#allN, value: this.#allSum / this.#allN, expected: this.#allExpected / this.#allN };
  }

  /** Takes a chunk in; answers at the end of a block. */
  add(span: ChunkSpan, sum: number, expected: number, blockMs: number): 'going-on' | 'ended' | null {
    this.#clock.add(span);
    this.#sum += sum;
    this.#expected += expected;
    if (!this.#clock.isFull(this.#blockObservations, blockMs, span.lastMs)) return null;
    return this.#closeBlock();
  }

  write(writer: StateWriter): void {
    // Well-formed: JSON.stringify escapes lone surrogates.
    writer.utf8(JSON.stringify(this.report));
    writer.count(this.feature);
    writer.count(this.#blockObservations);
    writer.flag(this.isReported);
    this.#clock.write(writer);
    writer.count(this.#blocksBack);
    for (const value of [this.#sum, this.#expected, this.#backN, this.#backSum, this.#backExpected]) writer.double(value);
    for (const value of [this.#allN, this.#allSum, this.#allExpected]) writer.double(value);
  }

  static read(reader: StateReader, featureCount: number): Episode {
    const report = readReport(reader.utf8(REPORT_BYTES_MAX));
    const episode = new Episode(report, reader.count(featureCount - 1), reader.count(), reader.flag());
    episode.#clock.read(reader);
    episode.#blocksBack = reader.count(BLOCKS_BACK);
    episode.#sum = reader.double();
    episode.#expected = reader.double();
    episode.#backN = reader.double();
    episode.#backSum = reader.double();
    episode.#backExpected = reader.double();
    episode.#allN = reader.double();
    episode.#allSum = reader.double();
    episode.#allExpected = reader.double();
    return episode;
  }

  #closeBlock(): 'going-on' | 'ended' {
    const n = this.#clock.n;
    this.#allN += n;
    this.#allSum += this.#sum;
    this.#allExpected += this.#expected;
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
    return this.#blocksBack >= BLOCKS_BACK ? 'ended' : 'going-on';
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

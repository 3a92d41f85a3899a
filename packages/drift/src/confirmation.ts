// Whether a suspected change lasts: blocks of what came after the suspicion, judged by what raised it.

import { BlockClock, type ChunkSpan } from './blocks.ts';
import { type Contributor, contributorsOf } from './contributors.ts';
import type { StateReader, StateWriter } from './state-format.ts';
import { NEED } from './threshold.ts';

/** One block counts for no more than this, so that no burst confirms itself: it takes four blocks that are strongly out. */
const BLOCK_MAX = 4;

/** Below this the suspicion is dropped, and after so many blocks. */
const CLEAR_AT = 1 / 16;
const BLOCKS_MAX = 50;

const BLOCK_OBSERVATIONS_MIN = 100;
const BLOCK_OBSERVATIONS_MAX = 5000;

/** Share of the stake spread over all bets, so that a change of another kind than the first hint is confirmed too. */
const SPREAD = 0.1;

/** Ids kept as samples. */
const SAMPLES_MAX = 5;

const ID_UNITS_MAX = 256;

/** What was known when a change became suspect. */
export interface Suspicion {
  readonly atMs: number;
  readonly observation: number;
  readonly onsetMs: number;
  readonly onsetObservation: number;
  /** log10 of the detector's value. */
  readonly log10Evidence: number;
  readonly isProvisional: boolean;
}

/** Sums over all observations since the suspicion. */
export interface Totals {
  n: number;
  readonly sums: Float64Array;
  readonly expected: Float64Array;
  readonly counts: Float64Array;
}

export class Confirmation {
  readonly suspicion: Suspicion;
  readonly totals: Totals;
  /** ln of each bet's product over all whole blocks, what it weighed at the suspicion included. */
  readonly logTotals: Float64Array;
  /** The feature and direction that weighed most at the suspicion. */
  readonly lead: Contributor;
  samples: string[] = [];
  blocks = 0;
  /** The product of the blocks' e-values; while nothing changed it ever reaches 256 with probability 1/256 at most. */
  product = 1;
  readonly #weights: Float64Array;
  readonly #logs: Float64Array;
  readonly #clock = new BlockClock();

  constructor(suspicion: Suspicion, weights: Float64Array, featureCount: number, cellCount: number) {
    this.suspicion = suspicion;
    this.#weights = weights;
    this.#logs = new Float64Array(weights.length);
    this.logTotals = weights.map((weight) => Math.log(weight));
    this.lead = contributorsOf(this.logTotals)[0]!;
    this.totals = {
      n: 0,
      sums: new Float64Array(featureCount),
      expected: new Float64Array(featureCount),
      counts: new Float64Array(cellCount),
    };
  }

  /** Shares of the evidence at the suspicion, with a part spread over all bets that can win. */
  static weigh(shares: Float64Array, open: Float64Array): Float64Array {
    return shares.map((share, bet) => (1 - SPREAD) * share + SPREAD * open[bet]!);
  }

  /** Half as many as it took to suspect the change: as a block, enough to see it again. */
  get blockObservations(): number {
    const { observation, onsetObservation } = this.suspicion;
    const half = Math.ceil((observation - onsetObservation) / 2);
    return Math.min(Math.max(half, BLOCK_OBSERVATIONS_MIN), BLOCK_OBSERVATIONS_MAX);
  }

  get log10Evidence(): number {
    return this.suspicion.log10Evidence + Math.log10(this.product);
  }

  /** Takes a chunk in, and answers once the blocks have decided. */
  add(span: ChunkSpan, factors: Float64Array, blockMs: number): 'undecided' | 'sustained' | 'cleared' {
    for (let bet = 0; bet < this.#logs.length; bet++) this.#logs[bet]! += Math.log(factors[bet]!);
    this.#clock.add(span);
    return this.#clock.isFull(this.blockObservations, blockMs, span.lastMs) ? this.#closeBlock() : 'undecided';
  }

  addToTotals(cells: Int32Array, sums: Float64Array, expected: Float64Array): void {
    const { totals } = this;
    totals.n += cells.length;
    for (const cell of cells) totals.counts[cell]!++;
    for (let feature = 0; feature < totals.sums.length; feature++) {
      totals.sums[feature]! += sums[feature]!;
      totals.expected[feature]! += expected[feature]!;
    }
  }

  keepSample(id: string): void {
    this.samples.push(id);
    if (this.samples.length > SAMPLES_MAX) this.samples.shift();
  }

  write(writer: StateWriter): void {
    const { atMs, observation, onsetMs, onsetObservation, log10Evidence, isProvisional } = this.suspicion;
    for (const value of [atMs, observation, onsetMs, onsetObservation, log10Evidence]) writer.double(value);
    writer.flag(isProvisional);
    for (const values of [this.#weights, this.#logs, this.logTotals, this.totals.sums, this.totals.expected])
      writer.doubles(values);
    writer.count(this.totals.n);
    writer.counts(this.totals.counts);
    writer.texts(this.samples);
    writer.count(this.blocks);
    writer.double(this.product);
    this.#clock.write(writer);
  }

  static read(reader: StateReader, betCount: number, featureCount: number, cellCount: number): Confirmation {
    const suspicion = {
      atMs: reader.double(),
      observation: reader.double(),
      onsetMs: reader.double(),
      onsetObservation: reader.double(),
      log10Evidence: reader.double(),
      isProvisional: reader.flag(),
    };
    const confirmation = new Confirmation(suspicion, reader.doubles(betCount), featureCount, cellCount);
    confirmation.#logs.set(reader.doubles(betCount));
    confirmation.logTotals.set(reader.doubles(betCount));
    confirmation.totals.sums.set(reader.doubles(featureCount));
    confirmation.totals.expected.set(reader.doubles(featureCount));
    confirmation.totals.n = reader.count();
    confirmation.totals.counts.set(reader.counts(cellCount));
    confirmation.samples = reader.texts(SAMPLES_MAX, ID_UNITS_MAX);
    confirmation.blocks = reader.count(BLOCKS_MAX);
    const product = reader.double();
    // What cannot be decided is dropped at the end of the block, and watched for anew.
    confirmation.product = Number.isNaN(product) ? 0 : product;
    confirmation.#clock.read(reader);
    return confirmation;
  }

  #closeBlock(): 'undecided' | 'sustained' | 'cleared' {
    let evidence = 0;
    for (let bet = 0; bet < this.#logs.length; bet++) {
      // A bet not made at the suspicion has no stake, whatever it would have won since: 0 × ∞ is not a number.
      if (this.#weights[bet]! > 0) evidence += Math.exp(Math.log(this.#weights[bet]!) + this.#logs[bet]!);
      this.logTotals[bet]! += this.#logs[bet]!;
    }
    this.#logs.fill(0);
    this.#clock.restart();
    this.product *= Math.min(BLOCK_MAX, evidence);
    this.blocks++;
    if (this.product >= NEED) return 'sustained';
    return this.product <= CLEAR_AT || this.blocks >= BLOCKS_MAX ? 'cleared' : 'undecided';
  }
}

// How a baseline grows: in blocks, some time after they came, and only while nothing hints at a change.

import type { Addition } from './baseline.ts';
import { CHUNK } from './bets.ts';
import { BLOCK_SIZES, Dependence, LONG_BLOCK } from './dependence.ts';
import type { StateReader, StateWriter } from './state-format.ts';

/** Blocks that wait: a change that is noticed within 2 000 observations leaves no trace in the baseline. */
const LAG_BLOCKS = 4;

/** A baseline is measured anew when so much was added; each time costs some 50 µs. */
const STEP = 0.03;

const RING_BLOCKS = LAG_BLOCKS + 1;

/** The blocks that wait, the one that fills, and those that were let in since the baseline was last measured. */
export class Growth {
  readonly #cellCount: number;
  readonly #featureCount: number;
  /** A ring of the waiting blocks and the filling one: its counts by cell, and each block's sums and end. */
  readonly #counts: Uint16Array;
  readonly #dependences: readonly Dependence[];
  readonly #endsMs: Float64Array;
  #filling = 0;
  #waiting = 0;
  /** Observations in the filling block, and sums of the features over its current blocks of each size. */
  #filled = 0;
  readonly #sums: readonly Float64Array[];
  #admitted: Addition | null = null;
  #admittedCount = 0;

  constructor(cellCount: number, featureCount: number) {
    this.#cellCount = cellCount;
    this.#featureCount = featureCount;
    this.#counts = new Uint16Array(RING_BLOCKS * cellCount);
    this.#dependences = Array.from({ length: RING_BLOCKS }, () => new Dependence(featureCount));
    this.#endsMs = new Float64Array(RING_BLOCKS);
    this.#sums = BLOCK_SIZES.map(() => new Float64Array(featureCount));
  }

  /** Observations let in since the baseline was last measured. */
  get admitted(): number {
    return this.#admittedCount;
  }

  /**
   * Takes a chunk in. `sums`: of the features; `expected`: what of them the season explains, null without one. `isQuiet`: whether
   * nothing hints at a change; a block whose turn comes while something does is dropped.
   */
  addChunk(cells: Int32Array, sums: Float64Array, expected: Float64Array | null, atMs: number, isQuiet: boolean): void {
    const from = this.#filling * this.#cellCount;
    for (let index = 0; index < CHUNK; index++) this.#counts[from + cells[index]!]!++;
    const smallest = this.#sums[0]!;
    for (let feature = 0; feature < this.#featureCount; feature++)
      smallest[feature]! += sums[feature]! - (expected ? expected[feature]! : 0);
    this.#filled += CHUNK;
    for (const [index, size] of BLOCK_SIZES.entries()) {
      if (this.#filled % size !== 0) break;
      this.#closeBlock(index);
    }
    if (this.#filled === LONG_BLOCK) this.#rotate(atMs, isQuiet);
  }

  /** What was let in, once it is worth measuring a baseline of `n` anew. */
  takeAdmitted(n: number): Addition | null {
    const admitted = this.#admittedCount >= STEP * n ? this.#admitted : null;
    if (admitted === null) return null;
    this.#admitted = null;
    this.#admittedCount = 0;
    return admitted;
  }

  /** Lets all whole blocks in that wait. */
  admitWaiting(): void {
    for (let age = this.#waiting; age >= 1; age--) this.#admit(this.#blockOfAge(age));
    this.dropWaiting();
  }

  /** Forgets the blocks that wait: they may belong to the change that is suspected. */
  dropWaiting(): void {
    this.#counts.fill(0);
    for (const dependence of this.#dependences) dependence.clear();
    this.#endsMs.fill(0);
    this.#filling = 0;
    this.#waiting = 0;
    this.#filled = 0;
    for (const sums of this.#sums) sums.fill(0);
  }

  write(writer: StateWriter): void {
    writer.byte(this.#filling);
    writer.byte(this.#waiting);
    for (let age = this.#waiting; age >= 0; age--) {
      const block = this.#blockOfAge(age);
      writer.counts(this.#countsOf(block));
      this.#dependences[block]!.write(writer);
      writer.double(this.#endsMs[block]!);
    }
    writer.count(this.#filled);
    for (const sums of this.#sums) writer.sums(sums);
    writer.flag(this.#admitted !== null);
    if (this.#admitted === null) return;
    writer.counts(this.#admitted.counts);
    this.#admitted.dependence.write(writer);
    writer.double(this.#admitted.toMs);
  }

  static read(reader: StateReader, cellCount: number, featureCount: number): Growth {
    const growth = new Growth(cellCount, featureCount);
    growth.#filling = reader.count(LAG_BLOCKS);
    growth.#waiting = reader.count(LAG_BLOCKS);
    for (let age = growth.#waiting; age >= 0; age--) {
      const block = growth.#blockOfAge(age);
      growth.#countsOf(block).set(reader.counts(cellCount, LONG_BLOCK));
      growth.#dependences[block]!.merge(Dependence.read(reader, featureCount));
      growth.#endsMs[block] = reader.double();
    }
    growth.#filled = reader.count(LONG_BLOCK);
    for (const sums of growth.#sums) sums.set(reader.sums(featureCount));
    if (!reader.flag()) return growth;
    const counts = reader.counts(cellCount);
    growth.#admitted = { counts, dependence: Dependence.read(reader, featureCount), toMs: reader.double() };
    growth.#admittedCount = counts.reduce((sum, count) => sum + count, 0);
    return growth;
  }

  /** Adds a full block of this size, and its sums to the next larger one's. */
  #closeBlock(size: number): void {
    const sums = this.#sums[size]!;
    this.#dependences[this.#filling]!.addBlock(size, sums);
    const larger = this.#sums[size + 1];
    if (larger) for (let feature = 0; feature < this.#featureCount; feature++) larger[feature]! += sums[feature]!;
    sums.fill(0);
  }

  /** Goes on to the next block of the ring; the one whose turn it is, is let in. */
  #rotate(atMs: number, isQuiet: boolean): void {
    this.#endsMs[this.#filling] = atMs;
    this.#filled = 0;
    const oldest = this.#blockOfAge(LAG_BLOCKS);
    if (this.#waiting === LAG_BLOCKS) {
      if (isQuiet) this.#admit(oldest);
    } else {
      this.#waiting++;
    }
    this.#filling = (this.#filling + 1) % RING_BLOCKS;
    this.#countsOf(this.#filling).fill(0);
    this.#dependences[this.#filling]!.clear();
    this.#endsMs[this.#filling] = 0;
  }

  #admit(block: number): void {
    const before = this.#admitted;
    const counts = before?.counts ?? new Float64Array(this.#cellCount);
    const dependence = before?.dependence ?? new Dependence(this.#featureCount);
    const added = this.#countsOf(block);
    for (let cell = 0; cell < counts.length; cell++) counts[cell]! += added[cell]!;
    dependence.merge(this.#dependences[block]!);
    this.#admitted = { counts, dependence, toMs: this.#endsMs[block]! };
    this.#admittedCount += LONG_BLOCK;
  }

  /** Where the block is that came so many blocks before the filling one. */
  #blockOfAge(age: number): number {
    return (this.#filling + RING_BLOCKS - age) % RING_BLOCKS;
  }

  #countsOf(block: number): Uint16Array {
    return this.#counts.subarray(block * this.#cellCount, (block + 1) * this.#cellCount);
  }
}

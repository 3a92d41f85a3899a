// Observations that wait for their chunk to fill.

import { CHUNK } from './bets.ts';
import type { ChunkSpan } from './blocks.ts';
import { StateError, type StateReader, type StateWriter } from './state-format.ts';

/** Code units an id may have in a state. */
const ID_UNITS_MAX = 256;

/** Up to five observations, each as the cell it fell into. */
export class Chunk {
  readonly cells = new Int32Array(CHUNK);
  readonly timesMs = new Float64Array(CHUNK);
  readonly #batches = new Float64Array(CHUNK);
  #ids: (string | undefined)[] = [];
  #n = 0;

  /** Adds an observation; answers whether the chunk is full. An id that is too long for a sample is not kept. */
  add(cell: number, atMs: number, batch: number, id: string | undefined): boolean {
    const at = this.#n++;
    this.cells[at] = cell;
    this.timesMs[at] = atMs;
    this.#batches[at] = batch;
    if (id !== undefined && id.length <= ID_UNITS_MAX) this.#ids[at] = id;
    return this.#n === CHUNK;
  }

  get span(): ChunkSpan {
    return {
      n: CHUNK,
      firstMs: this.timesMs[0]!,
      lastMs: this.timesMs[CHUNK - 1]!,
      firstBatch: this.#batches[0]!,
      lastBatch: this.#batches[CHUNK - 1]!,
    };
  }

  /** The id of the first observation that has one and of which `isWanted` is true, given its cell. */
  idWhere(isWanted: (cell: number) => boolean): string | undefined {
    return this.#ids.find((id, index) => id !== undefined && isWanted(this.cells[index]!));
  }

  clear(): void {
    this.#n = 0;
    if (this.#ids.length > 0) this.#ids = [];
  }

  write(writer: StateWriter): void {
    writer.count(this.#n);
    for (let index = 0; index < this.#n; index++) {
      writer.count(this.cells[index]!);
      writer.double(this.timesMs[index]!);
      writer.double(this.#batches[index]!);
      const id = this.#ids[index];
      writer.flag(id !== undefined);
      if (id !== undefined) writer.text(id);
    }
  }

  read(reader: StateReader, cellCount: number): void {
    const n = reader.count(CHUNK - 1);
    for (let index = 0; index < n; index++) {
      const cell = reader.count();
      if (cell >= cellCount) throw new StateError('an observation lies in no cell');
      const atMs = reader.double();
      const batch = reader.double();
      this.add(cell, atMs, batch, reader.flag() ? reader.text(ID_UNITS_MAX) : undefined);
    }
  }
}

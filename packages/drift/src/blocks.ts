// When a block of observations is complete: enough of them, over enough time, from more than one delivery.

import type { StateReader, StateWriter } from './state-format.ts';

/** Deliveries and times of the observations of one chunk. */
export interface ChunkSpan {
  readonly n: number;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly firstBatch: number;
  readonly lastBatch: number;
}

/**
 * One burst that arrives together must not look like evidence that lasts, so a block covers time and deliveries as well as
 * observations. With no time asked for, one delivery is enough.
 */
export class BlockClock {
  n = 0;
  #startMs = 0;
  #firstBatch = 0;
  #isOneBatch = true;

  add(span: ChunkSpan): void {
    if (this.n === 0) {
      this.#startMs = span.firstMs;
      this.#firstBatch = span.firstBatch;
      this.#isOneBatch = true;
    }
    this.n += span.n;
    if (span.firstBatch !== this.#firstBatch || span.lastBatch !== this.#firstBatch) this.#isOneBatch = false;
  }

  isFull(observations: number, blockMs: number, lastMs: number): boolean {
    if (this.n < observations || lastMs - this.#startMs < blockMs) return false;
    return blockMs === 0 || !this.#isOneBatch;
  }

  restart(): void {
    this.n = 0;
  }

  write(writer: StateWriter): void {
    writer.count(this.n);
    writer.double(this.#startMs);
    writer.double(this.#firstBatch);
    writer.flag(this.#isOneBatch);
  }

  read(reader: StateReader): void {
    this.n = reader.count();
    this.#startMs = reader.double();
    this.#firstBatch = reader.double();
    this.#isOneBatch = reader.flag();
  }
}

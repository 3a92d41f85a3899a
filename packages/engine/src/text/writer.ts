// Writes a reading of a text character by character, each with the place it came from.

import type { Reading, ViewKind } from './view.ts';

/** A growing text with its origins. `start`, `end` are offsets in the original text, end exclusive. */
export class ReadingWriter {
  length = 0;
  #codes: Uint16Array;
  #origins: Int32Array;

  constructor(capacity: number) {
    this.#codes = new Uint16Array(capacity + 16);
    this.#origins = new Int32Array(2 * (capacity + 16));
  }

  /** Appends one UTF-16 unit. */
  push(code: number, start: number, end: number): void {
    if (this.length === this.#codes.length) this.#grow();
    this.#codes[this.length] = code;
    this.#origins[2 * this.length] = start;
    this.#origins[2 * this.length + 1] = end;
    this.length++;
  }

  /** Appends a text that stands for `[start, end)` as a whole. */
  pushText(text: string, start: number, end: number): void {
    for (let i = 0; i < text.length; i++) this.push(text.charCodeAt(i), start, end);
  }

  /** What was written. */
  reading(kind: ViewKind, layer: string | null): Reading {
    // Not TextDecoder: it would replace lone surrogates.
    const text = Buffer.from(this.#codes.buffer, 0, 2 * this.length).toString('utf16le');
    return { kind, layer, text, origins: this.#origins.subarray(0, 2 * this.length) };
  }

  #grow(): void {
    const codes = new Uint16Array(2 * this.#codes.length);
    const origins = new Int32Array(2 * this.#origins.length);
    codes.set(this.#codes);
    origins.set(this.#origins);
    this.#codes = codes;
    this.#origins = origins;
  }
}

/** Start, in the original, of what character `index` of a reading came from. */
export function originStart(reading: Pick<Reading, 'origins'>, index: number): number {
  return reading.origins === null ? index : reading.origins[2 * index]!;
}

/** End, in the original, of what character `index` of a reading came from. */
export function originEnd(reading: Pick<Reading, 'origins'>, index: number): number {
  return reading.origins === null ? index + 1 : reading.origins[2 * index + 1]!;
}

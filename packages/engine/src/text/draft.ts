// A text being changed unit by unit, its length kept until the end.

import type { Reading, ViewKind } from './view.ts';
import { originEnd, originStart, ReadingWriter } from './writer.ts';

/** Collects changes to a text. Nothing is allocated before the first one. */
export class Draft {
  readonly text: string;
  #codes: Uint16Array | null = null;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads the unit at `index` as `code`; 0 drops it. */
  set(index: number, code: number): void {
    this.#codes ??= codesOf(this.text);
    this.#codes[index] = code;
  }

  drop(index: number): void {
    this.set(index, 0);
  }

  /** The changed text as a reading of what `source` reads; `null` when nothing was changed. */
  reading(source: Reading, kind: ViewKind, layer: string): Reading | null {
    const codes = this.#codes;
    if (codes === null) return null;
    const writer = new ReadingWriter(codes.length);
    codes.forEach((code, i) => {
      if (code !== 0) writer.push(code, originStart(source, i), originEnd(source, i));
    });
    return writer.reading(kind, layer);
  }
}

function codesOf(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}

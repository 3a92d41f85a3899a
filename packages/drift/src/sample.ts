// Observations kept as they came: those a baseline is learnt from, and the latest of a drift in case it is accepted.

import { StateError, type StateReader, type StateWriter } from './state-format.ts';
import type { SignalKind } from './types.ts';

/** Labels kept apart in a sample; the rarest makes room for a new one. */
const LABELS_MAX = 64;

/** Code units of a label that count. */
export const LABEL_UNITS_MAX = 256;

/** The code of a label that had to make room. */
export const OTHER = -1;

/** The most a sample may hold. */
export const SAMPLE_MAX = 20_000;

/** Observations in order, each an integer: an ordered key, 0 or 1, or the code of a label. */
export class Sample {
  readonly kind: SignalKind;
  /** Labels by code; of a categorical series only. */
  labels: string[] = [];
  size = 0;
  firstMs = 0;
  lastMs = 0;
  #codes = new Int32Array(256);
  #codeOf = new Map<string, number>();
  #labelCounts: number[] = [];
  /** When the second half begins, once it has. */
  #secondHalfMs = 0;
  /** Only every so many-th observation is kept, and how many came since the last. */
  #stride = 1;
  #skipped = 0;

  constructor(kind: SignalKind) {
    this.kind = kind;
  }

  /** A view of the observations; valid until the next one is added. */
  get codes(): Int32Array {
    return this.#codes.subarray(0, this.size);
  }

  addLabel(label: string, atMs: number): void {
    const known = this.#codeOf.get(label);
    const code = known ?? this.#newCode(label);
    this.#labelCounts[code]!++;
    this.add(code, atMs);
  }

  add(code: number, atMs: number): void {
    if (this.size === this.#codes.length) {
      const grown = new Int32Array(2 * this.#codes.length);
      grown.set(this.#codes);
      this.#codes = grown;
    }
    if (this.size === 0) this.firstMs = atMs;
    this.lastMs = atMs;
    this.#codes[this.size++] = code;
  }

  /** Adds while keeping only the latest: when `max` are held, the older half goes. */
  makeRoom(max: number, atMs: number): void {
    const half = max / 2;
    if (this.size >= max) {
      this.#codes.copyWithin(0, half, this.size);
      this.size -= half;
      this.firstMs = this.#secondHalfMs;
    }
    if (this.size === half) this.#secondHalfMs = atMs;
  }

  /** Whether the next observation is to be kept so that at most `max` are, evenly over all that came. */
  thin(max: number): boolean {
    if (this.size >= max) {
      for (let index = 0; 2 * index < this.size; index++) this.#codes[index] = this.#codes[2 * index]!;
      this.size = Math.ceil(this.size / 2);
      this.#stride *= 2;
    }
    this.#skipped = (this.#skipped + 1) % this.#stride;
    return this.#skipped === 0;
  }

  get isThinned(): boolean {
    return this.#stride > 1;
  }

  /** Labels with how often they are held, most frequent first, and first seen first among equals. */
  frequentLabels(): string[] {
    const counts = new Float64Array(this.labels.length);
    for (const code of this.codes) if (code !== OTHER) counts[code]!++;
    return this.labels
      .map((label, code) => ({ label, code, count: counts[code]! }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || a.code - b.code)
      .map(({ label }) => label);
  }

  write(writer: StateWriter): void {
    writer.count(this.size);
    writer.double(this.firstMs);
    writer.double(this.lastMs);
    writer.double(this.#secondHalfMs);
    writer.count(this.#stride);
    writer.count(this.#skipped);
    writer.texts(this.labels);
    writer.counts(this.#labelCounts);
    for (const code of this.codes) this.#writeCode(writer, code);
  }

  static read(reader: StateReader, kind: SignalKind): Sample {
    const sample = new Sample(kind);
    const size = reader.count(SAMPLE_MAX);
    sample.#codes = new Int32Array(Math.max(256, size));
    sample.firstMs = reader.double();
    sample.lastMs = reader.double();
    sample.#secondHalfMs = reader.double();
    sample.#stride = reader.count();
    sample.#skipped = reader.count();
    sample.labels = reader.texts(LABELS_MAX, LABEL_UNITS_MAX);
    sample.#labelCounts = [...reader.counts(sample.labels.length)];
    sample.#codeOf = new Map(sample.labels.map((label, code) => [label, code]));
    for (; sample.size < size; sample.size++) sample.#codes[sample.size] = sample.#readCode(reader);
    return sample;
  }

  #newCode(label: string): number {
    const free = this.labels.length;
    if (free < LABELS_MAX) return this.#assign(free, label);
    let rarest = 0;
    for (let code = 1; code < LABELS_MAX; code++) if (this.#labelCounts[code]! < this.#labelCounts[rarest]!) rarest = code;
    for (let index = 0; index < this.size; index++) if (this.#codes[index] === rarest) this.#codes[index] = OTHER;
    this.#codeOf.delete(this.labels[rarest]!);
    return this.#assign(rarest, label);
  }

  #assign(code: number, label: string): number {
    this.labels[code] = label;
    this.#labelCounts[code] = 0;
    this.#codeOf.set(label, code);
    return code;
  }

  #writeCode(writer: StateWriter, code: number): void {
    if (this.kind === 'numeric') writer.integer(code);
    else writer.byte(code + 1);
  }

  #readCode(reader: StateReader): number {
    if (this.kind === 'numeric') return reader.integer();
    const code = reader.byte() - 1;
    if (code >= (this.kind === 'rate' ? 2 : this.labels.length)) throw new StateError('an observation is not one of its kind');
    return code;
  }
}

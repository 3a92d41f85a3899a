// The latest means of all features, for those who look.

import type { Feature } from './features.ts';
import type { StateReader, StateWriter } from './state-format.ts';
import type { CurrentReport } from './types.ts';

/** Observations whose means are shown together. */
const SPAN = 500;

/** Sums over the span that fills, and those of the last one that was full. */
export class CurrentMeans {
  readonly #sums: Float64Array;
  #n = 0;
  #shown: Float64Array | null = null;

  constructor(featureCount: number) {
    this.#sums = new Float64Array(featureCount);
  }

  add(n: number, sums: Float64Array): void {
    for (let feature = 0; feature < this.#sums.length; feature++) this.#sums[feature]! += sums[feature]!;
    this.#n += n;
    if (this.#n < SPAN) return;
    this.#shown ??= new Float64Array(this.#sums.length);
    this.#shown.set(this.#sums);
    this.#sums.fill(0);
    this.#n = 0;
  }

  report(features: readonly Feature[]): CurrentReport | null {
    const shown = this.#shown;
    if (shown === null) return null;
    const means = features.map(({ name, label }, index) => ({
      feature: name,
      ...(label !== undefined && { label }),
      value: shown[index]! / SPAN,
    }));
    return { n: SPAN, value: means[0]!.value, features: means };
  }

  write(writer: StateWriter): void {
    writer.count(this.#n);
    writer.sums(this.#sums);
    writer.flag(this.#shown !== null);
    if (this.#shown) writer.sums(this.#shown);
  }

  read(reader: StateReader): void {
    this.#n = reader.count(SPAN);
    this.#sums.set(reader.sums(this.#sums.length));
    this.#shown = reader.flag() ? reader.sums(this.#sums.length) : null;
  }
}

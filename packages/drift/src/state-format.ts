// A monitor's state as bytes: little-endian, exact, read back with every bound checked.

const START_BYTES = 1024;

/** Counts from here on would take as many bytes as any other number. */
const COUNT_SUM_MAX = 2 ** 40;

/** Writes values one after the other. */
export class StateWriter {
  #bytes = new Uint8Array(START_BYTES);
  #view = new DataView(this.#bytes.buffer);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  flag(value: boolean): void {
    this.byte(value ? 1 : 0);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#view.setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  doubles(values: Float64Array): void {
    for (const value of values) this.double(value);
  }

  /** Numbers many of which are counts: those take a few bytes, others nine. */
  sums(values: Float64Array): void {
    for (const value of values) {
      const isCount = Number.isInteger(value) && value >= 0 && value < COUNT_SUM_MAX && !Object.is(value, -0);
      this.count(isCount ? value + 1 : 0);
      if (!isCount) this.double(value);
    }
  }

  /** An integer of at least 0, seven bits a byte. */
  count(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.byte((rest % 0x80) + 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  counts(values: ArrayLike<number>): void {
    for (let index = 0; index < values.length; index++) this.count(values[index]!);
  }

  integer(value: number): void {
    this.#reserve(4);
    this.#view.setInt32(this.#length, value, true);
    this.#length += 4;
  }

  /** UTF-16 code units as they are, lone surrogates included. */
  text(value: string): void {
    this.count(value.length);
    this.#reserve(2 * value.length);
    for (let index = 0; index < value.length; index++) {
      this.#view.setUint16(this.#length, value.charCodeAt(index), true);
      this.#length += 2;
    }
  }

  /** Well-formed text, mostly ASCII, in half the bytes. */
  utf8(value: string): void {
    const bytes = new TextEncoder().encode(value);
    this.count(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  texts(values: readonly string[]): void {
    this.count(values.length);
    for (const value of values) this.text(value);
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + bytes));
    grown.set(this.#bytes);
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

/** What a state that is not ours is refused with. */
export class StateError extends Error {
  constructor(detail: string) {
    super(`This is not the state of such a monitor: ${detail}`);
    this.name = 'StateError';
  }
}

/** Reads what `StateWriter` wrote; throws `StateError` on anything else. */
export class StateReader {
  readonly #view: DataView;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    return this.#view.getUint8(this.#take(1));
  }

  flag(): boolean {
    const value = this.byte();
    if (value > 1) throw new StateError('a flag is neither set nor unset');
    return value === 1;
  }

  double(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  sums(length: number): Float64Array {
    return Float64Array.from({ length }, () => {
      const count = this.count(COUNT_SUM_MAX);
      return count > 0 ? count - 1 : this.double();
    });
  }

  doubles(length: number): Float64Array {
    return Float64Array.from({ length }, () => this.double());
  }

  count(max: number = Number.MAX_SAFE_INTEGER): number {
    let value = 0;
    let scale = 1;
    for (let digit = this.byte(); ; digit = this.byte()) {
      value += (digit % 0x80) * scale;
      scale *= 0x80;
      if (value > max) throw new StateError('a count is above its bound');
      if (digit < 0x80) return value;
      if (scale > Number.MAX_SAFE_INTEGER) throw new StateError('a count never ends');
    }
  }

  counts(length: number, max?: number): Float64Array {
    return Float64Array.from({ length }, () => this.count(max));
  }

  integer(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  text(lengthMax: number): string {
    const units = Array.from({ length: this.count(lengthMax) }, () => this.#view.getUint16(this.#take(2), true));
    return String.fromCharCode(...units);
  }

  utf8(bytesMax: number): string {
    const bytes = Uint8Array.from({ length: this.count(bytesMax) }, () => this.byte());
    return new TextDecoder().decode(bytes);
  }

  texts(countMax: number, lengthMax: number): string[] {
    return Array.from({ length: this.count(countMax) }, () => this.text(lengthMax));
  }

  /** Throws unless all was read. */
  finish(): void {
    if (this.#at !== this.#view.byteLength) throw new StateError('it goes on after its end');
  }

  #take(bytes: number): number {
    const at = this.#at;
    if (at + bytes > this.#view.byteLength) throw new StateError('it ends early');
    this.#at = at + bytes;
    return at;
  }
}

// Numbers of a text by value: digits and number words, with the scale that follows them, and the unit they count.

import { entryOf } from './lexicon.ts';
import { NUMBER, PERCENT, stemOfValue, type Tokens } from './tokens.ts';

/** A number at a token. */
export interface Quantity {
  readonly token: number;
  readonly value: number;
  /** With `million` and the like that follow counted in. */
  readonly scaled: number;
  /** Line of units in the lexicon, 0 without. */
  readonly unit: number;
}

/** Lines of the units that multiply. */
const PERCENT_UNIT = 1;
const SCALES: readonly number[] = [1, 1, 1e2, 1e3, 1e6, 1e9, 1e12];
/** Rounding to two digits changes a value by up to this share: 1.7 for 1.653, 20 for 19.8; 1996 is no rounding of 1995. */
const ROUNDING = 0.06;

/** The number at `token`, `null` where there is none. */
export function quantityAt({ flags, values, exacts, count }: Tokens, token: number): Quantity | null {
  const isDigits = (flags[token]! & NUMBER) !== 0;
  const value = isDigits ? values[token]! : (entryOf(exacts[token]!)?.value ?? Number.NaN);
  if (Number.isNaN(value)) return null;
  const follower = token + 1 < count ? entryOf(exacts[token + 1]!) : undefined;
  const unit = (flags[token]! & PERCENT) === 0 ? (follower?.unit ?? 0) : PERCENT_UNIT;
  return { token, value, scaled: value * (SCALES[unit] ?? 1), unit };
}

/** Whether two numbers of one value may count the same: one has no unit, both have the same, or they differ in scale alone. */
export function isSameUnit(one: Quantity, other: Quantity): boolean {
  if (one.unit === 0 || other.unit === 0 || one.unit === other.unit) return true;
  return isScale(one.unit) && isScale(other.unit) && one.scaled === other.scaled;
}

function isScale(unit: number): boolean {
  return unit !== PERCENT_UNIT && unit < SCALES.length;
}

/** The numbers of the evidence. */
export class Numbers {
  private readonly all: readonly Quantity[];
  private readonly byValue = new Map<number, Quantity[]>();
  private readonly sorted: Float64Array;

  constructor(quantities: readonly Quantity[]) {
    this.all = quantities;
    const values: number[] = [];
    for (const quantity of quantities) {
      const { value, scaled } = quantity;
      this.put(value, quantity);
      if (scaled !== value) this.put(scaled, quantity);
      values.push(scaled);
    }
    this.sorted = Float64Array.from(values).sort();
  }

  private put(value: number, quantity: Quantity): void {
    const key = stemOfValue(value);
    const known = this.byValue.get(key);
    if (known === undefined) this.byValue.set(key, [quantity]);
    else known.push(quantity);
  }

  get isEmpty(): boolean {
    return this.all.length === 0;
  }

  /** Where the evidence says the same number, in either form; empty when it does not. */
  matches({ value, scaled }: Quantity): readonly Quantity[] {
    return this.byValue.get(stemOfValue(scaled)) ?? this.byValue.get(stemOfValue(value)) ?? [];
  }

  /** Whether the evidence holds a longer number that rounds to this one. */
  hasRounded({ scaled }: Quantity): boolean {
    if (scaled === 0) return false;
    const { sorted } = this;
    const margin = Math.abs(scaled) * ROUNDING;
    const step = stepOf(scaled);
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sorted[middle]! < scaled - margin) low = middle + 1;
      else high = middle;
    }
    for (; low < sorted.length && sorted[low]! <= scaled + margin; low++) {
      const exact = sorted[low]!;
      if (stepOf(exact) < step && Math.abs(exact - scaled) <= step / 2 + 1e-9) return true;
    }
    return false;
  }
}

/** The value of the last digit that is not a zero: 0.01 for 1.65, 10 for 1990, 1e6 for 3 million. */
function stepOf(value: number): number {
  const [digits = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const decimals = digits.includes('.') ? digits.length - digits.indexOf('.') - 1 : 0;
  return 10 ** (Number(exponent) - decimals);
}

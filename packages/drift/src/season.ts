// What each hour of the day or of the week is like, as the mean of every feature in it.

import type { Measured } from './baseline.ts';
import type { Expected } from './bets.ts';
import type { Feature } from './features.ts';
import type { StateReader, StateWriter } from './state-format.ts';

const HOUR_MS = 3_600_000;

/** A slot is judged from its own mean only when it was seen so often. */
const KNOWN_FROM = 20;

/**
 * A slot's interval is wider by so much of the standard error of its mean. The error as such is in `stretch`; this is for slots seen
 * once only. Measured: with all of it a doubled rate took up to 1.7 times as long to be sustained, with none clustered rates were suspected
 * more often without a change.
 */
const ERROR_SHARE = 0.5;

/**
 * Periods to be seen, after the one in which ranks are learnt, before hours are told apart, and before the baseline may stop
 * growing.
 */
export const PERIODS_TO_KNOW = 1;
export const PERIODS_TO_FREEZE = 2;

const SLOTS = { day: 24, week: 168 };

export function periodMsOf(kind: 'day' | 'week'): number {
  return SLOTS[kind] * HOUR_MS;
}

/**
 * Means of the features by slot (UTC hours). Ranks and shares are compared with the slot's own mean, which follows location,
 * spread, tails and mixes alike, and needs no values kept. What was seen in a slot counts when the slot is left, so that
 * nothing is judged by itself.
 */
export class Season {
  readonly periodMs: number;
  startMs: number;
  /** Whether two periods are known. */
  isActive = false;
  /** The slot that is on, −1 before the first. */
  slot = -1;
  readonly #slots: number;
  readonly #features: readonly Feature[];
  readonly #featureCount: number;
  readonly #n: Float64Array;
  readonly #sums: Float64Array;
  #visitN = 0;
  readonly #visitSums: Float64Array;
  /** Time from the start to the last slot that was taken in. */
  #knownMs = 0;

  constructor(kind: 'day' | 'week', features: readonly Feature[], startMs: number) {
    const featureCount = features.length;
    this.#features = features;
    this.#slots = SLOTS[kind];
    this.periodMs = periodMsOf(kind);
    this.startMs = startMs;
    this.#featureCount = featureCount;
    this.#n = new Float64Array(this.#slots);
    this.#sums = new Float64Array(this.#slots * featureCount);
    this.#visitSums = new Float64Array(featureCount);
  }

  slotOf(atMs: number): number {
    const hour = Math.floor(atMs / HOUR_MS) % this.#slots;
    return hour < 0 ? hour + this.#slots : hour;
  }

  /** Goes on to another slot. `isKept`: whether what was seen in the one before is to count. */
  enter(slot: number, atMs: number, isKept: boolean): void {
    if (this.slot >= 0 && isKept) {
      this.#n[this.slot]! += this.#visitN;
      for (let feature = 0; feature < this.#featureCount; feature++)
        this.#sums[this.slot * this.#featureCount + feature]! += this.#visitSums[feature]!;
      this.#knownMs = Math.max(this.#knownMs, atMs - this.startMs);
    }
    this.#visitN = 0;
    this.#visitSums.fill(0);
    this.slot = slot;
  }

  add(n: number, sums: Float64Array): void {
    this.#visitN += n;
    for (let feature = 0; feature < this.#featureCount; feature++) this.#visitSums[feature]! += sums[feature]!;
  }

  /** Whether the slot that is on has been seen often enough to be judged. */
  get isKnown(): boolean {
    return this.#n[this.slot]! >= KNOWN_FROM;
  }

  /**
   * By how much dependence is to be taken greater: the error of a slot's mean is shared by all observations of the slot, which
   * with K periods known adds 1/K to the variance of their sum.
   */
  get stretch(): number {
    return 1 + 1 / Math.max(1, Math.floor(this.#knownMs / this.periodMs));
  }

  /** What is expected in the slot that is on, where `overall` is expected of the series. */
  expected(overall: readonly Expected[], measured: readonly Measured[]): readonly Expected[] {
    return overall.map((whole, feature) => this.#expectedOf(feature, whole, measured[feature]!));
  }

  #expectedOf(feature: number, whole: Expected, measured: Measured): Expected {
    const { center, between, variance } = this.#acrossSlots(feature, whole.mean, measured);
    const n = this.#n[this.slot]!;
    const own = n > 0 ? this.#sums[this.slot * this.#featureCount + feature]! / n : center;
    const chance = Math.max(variance, varianceOf(own, measured)) / Math.max(1, n);
    const weight = between > 0 ? between / (between + chance) : 0;
    const mean = center + weight * (own - center);
    const error = ERROR_SHARE * Math.sqrt(weight * chance);
    // As wide on each side as it takes to hold the whole series' interval where no slot differs. The interval of a share grows
    // with it, and shrinks with its root.
    const up = Math.max(whole.high - whole.mean, whole.high - center);
    const down = Math.max(whole.mean - whole.low, center - whole.low);
    const ratio = measured.feature.kind === 'share' && center > 0 ? mean / center : 1;
    const scale = Math.max(ratio, Math.sqrt(ratio));
    return { mean, low: Math.max(0, mean - down * scale - error), high: Math.min(1, mean + up * scale + error) };
  }

  /**
   * The mean over all slots, and how much the slots' true means vary about it: what their measured means vary beyond chance
   * (DerSimonian and Laird 1986), with a standard error on top. So slots that differ have means of their own, and a rare event that
   * was by chance not seen in some hour is not taken for one that never happens then.
   */
  #acrossSlots(
    feature: number,
    overall: number,
    measured: Measured,
  ): { readonly center: number; readonly between: number; readonly variance: number } {
    let [seen, slots, squares, sum] = [0, 0, 0, 0];
    for (let slot = 0; slot < this.#slots; slot++) {
      const n = this.#n[slot]!;
      seen += n;
      squares += n * n;
      slots += n > 0 ? 1 : 0;
      sum += this.#sums[slot * this.#featureCount + feature]!;
    }
    const center = (sum + overall) / (seen + 1);
    const variance = varianceOf(center, measured);
    if (slots < 2 || variance === 0) return { center, between: 0, variance };
    let spread = 0;
    for (let slot = 0; slot < this.#slots; slot++) {
      const n = this.#n[slot]!;
      if (n > 0) spread += n * (this.#sums[slot * this.#featureCount + feature]! / n - center) ** 2;
    }
    const excess = spread / variance - (slots - 1) + Math.sqrt(2 * (slots - 1));
    return { center, between: (Math.max(0, excess) * variance) / (seen - squares / seen), variance };
  }

  /** All that decides, for the baseline's digest. */
  canonical(): readonly unknown[] {
    return [this.#slots, [...this.#n], [...this.#sums]];
  }

  write(writer: StateWriter): void {
    writer.double(this.startMs);
    writer.flag(this.isActive);
    writer.count(this.slot + 1);
    writer.counts(this.#n);
    // Sums of shares are counts and take a byte or two.
    for (const [index, sum] of this.#sums.entries())
      if (this.#isShare(index)) writer.count(sum);
      else writer.double(sum);
    writer.count(this.#visitN);
    writer.sums(this.#visitSums);
    writer.double(this.#knownMs);
  }

  static read(reader: StateReader, kind: 'day' | 'week', features: readonly Feature[]): Season {
    const season = new Season(kind, features, reader.double());
    season.isActive = reader.flag();
    season.slot = reader.count(season.#slots) - 1;
    season.#n.set(reader.counts(season.#slots));
    for (let index = 0; index < season.#sums.length; index++)
      season.#sums[index] = season.#isShare(index) ? reader.count() : reader.double();
    season.#visitN = reader.count();
    season.#visitSums.set(reader.sums(features.length));
    season.#knownMs = reader.double();
    return season;
  }

  #isShare(index: number): boolean {
    return this.#features[index % this.#featureCount]!.kind === 'share';
  }
}

function varianceOf(mean: number, measured: Measured): number {
  return measured.feature.kind === 'share' ? mean * (1 - mean) : measured.variance;
}

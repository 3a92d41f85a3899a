// The e-detector: a mixture of Shiryaev–Roberts processes, one a bet (Shin, Ramdas and Rinaldo, arXiv 2203.03532).

import type { StateReader, StateWriter } from './state-format.ts';

/**
 * For each bet M ← (M + n·w)·L over every chunk of n observations. While nothing changed, the sum of all M has a mean of at
 * most the number of observations at any stopping time, so that it reaches c at most once in c observations.
 *
 * Products need no logarithms: n·w is added before each multiplication, so that no M vanishes, and the sum is cut at the
 * threshold, so that none overflows.
 */
export class Evidence {
  /** The sum of all M: the detector itself. */
  total = 0;
  /** The weighted mean of the bets' CUSUMs: how much a change that began at the best moment would explain. */
  hint = 1;
  readonly #betCount: number;
  /** Four numbers a bet: M, its CUSUM, and the observation and time at which that last rose from 1: the onset the bet tells. */
  readonly #state: Float64Array;

  constructor(betCount: number) {
    this.#betCount = betCount;
    this.#state = new Float64Array(4 * betCount);
    this.reset();
  }

  /** Takes `n` observations with their factors in; `observation` and `atMs` are the first one's. Returns the detector's value. */
  advance(n: number, weights: Float64Array, factors: Float64Array, observation: number, atMs: number): number {
    const state = this.#state;
    let total = 0;
    let hint = 0;
    for (let bet = 0, at = 0; bet < this.#betCount; bet++, at += 4) {
      const factor = factors[bet]!;
      const weight = weights[bet]!;
      const value = (state[at]! + n * weight) * factor;
      state[at] = value;
      total += value;
      if (state[at + 1]! <= 1) {
        state[at + 1] = factor;
        state[at + 2] = observation;
        state[at + 3] = atMs;
      } else {
        state[at + 1]! *= factor;
      }
      hint += weight * state[at + 1]!;
    }
    this.total = total;
    this.hint = hint;
    return total;
  }

  /** Each bet's share of the total. */
  shares(): Float64Array {
    return Float64Array.from({ length: this.#betCount }, (_, bet) => this.#state[4 * bet]! / this.total);
  }

  /** Where the strongest bet says the change began. */
  onset(): { readonly observation: number; readonly atMs: number } {
    let strongest = 0;
    for (let at = 4; at < this.#state.length; at += 4) if (this.#state[at]! > this.#state[strongest]!) strongest = at;
    return { observation: this.#state[strongest + 2]!, atMs: this.#state[strongest + 3]! };
  }

  reset(): void {
    this.#state.fill(0);
    for (let at = 0; at < this.#state.length; at += 4) this.#state[at + 1] = 1;
    this.total = 0;
    this.hint = 1;
  }

  /** `isOn`: whether the processes run; once a change is suspected only their sum is still shown. */
  write(writer: StateWriter, isOn: boolean): void {
    writer.double(this.total);
    writer.double(this.hint);
    if (isOn) this.#writeState(writer);
  }

  static read(reader: StateReader, betCount: number, isOn: boolean): Evidence {
    const evidence = new Evidence(betCount);
    evidence.total = reader.double();
    evidence.hint = reader.double();
    if (isOn) evidence.#readState(reader);
    return evidence;
  }

  /** Onsets are kept as how far they lie before the latest: a few bytes instead of sixteen, where times are whole milliseconds. */
  #writeState(writer: StateWriter): void {
    const state = this.#state;
    const latest = this.#greatest(2);
    const latestMs = this.#greatest(3);
    let isWhole = true;
    for (let at = 3; at < state.length; at += 4)
      isWhole &&= Number.isSafeInteger(state[at]) && Number.isSafeInteger(latestMs - state[at]!);
    writer.count(latest);
    writer.flag(isWhole);
    if (isWhole) writer.double(latestMs);
    for (let at = 0; at < state.length; at += 4) {
      writer.double(state[at]!);
      writer.double(state[at + 1]!);
      writer.count(latest - state[at + 2]!);
      if (isWhole) writer.count(latestMs - state[at + 3]!);
      else writer.double(state[at + 3]!);
    }
  }

  #readState(reader: StateReader): void {
    const state = this.#state;
    const latest = reader.count();
    const isWhole = reader.flag();
    const latestMs = isWhole ? reader.double() : 0;
    for (let at = 0; at < state.length; at += 4) {
      state[at] = reader.double();
      state[at + 1] = reader.double();
      state[at + 2] = latest - reader.count(latest);
      state[at + 3] = isWhole ? latestMs - reader.count() : reader.double();
    }
  }

  /** The greatest of one of the four numbers, over all bets. */
  #greatest(which: number): number {
    let greatest = this.#state[which] ?? 0;
    for (let at = which + 4; at < this.#state.length; at += 4) greatest = Math.max(greatest, this.#state[at]!);
    return greatest;
  }
}

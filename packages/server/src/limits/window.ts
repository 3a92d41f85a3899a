// A sliding window without burst: at most so many calls in any stretch of so many seconds.

import type { BudgetView } from './budget.ts';

/** The window of one holder, in memory: the times of its last calls. All times are seconds; a clock that goes back stands still. */
export class SlidingWindow {
  readonly #windowSeconds: number;
  /** A ring; the call number n is at n modulo its length. */
  readonly #times: Float64Array;
  #oldest = 0;
  #next = 0;

  /** `limitMax`: the most that `limit` will ever be. */
  constructor(limitMax: number, windowSeconds: number) {
    this.#times = new Float64Array(limitMax);
    this.#windowSeconds = windowSeconds;
  }

  /** Takes one call; answers 0, or, having taken nothing, the whole seconds (≥ 1) until it would fit. */
  take(now: number, limit: number): number {
    const at = this.#advance(now);
    if (this.#next - this.#oldest < limit) {
      this.record(at);
      return 0;
    }
    const leaves = this.#times[(this.#next - limit) % this.#times.length]! + this.#windowSeconds;
    return Math.max(1, Math.ceil(leaves - now));
  }

  /** Counts a call whether it fits or not. */
  record(now: number): void {
    const at = this.#advance(now);
    this.#times[this.#next % this.#times.length] = at;
    this.#next++;
    this.#oldest = Math.max(this.#oldest, this.#next - this.#times.length);
  }

  /** Gives back the last call. */
  giveBack(): void {
    if (this.#next > this.#oldest) this.#next--;
  }

  view(now: number, limit: number): BudgetView {
    const at = this.#advance(now);
    const used = this.#next - this.#oldest;
    const reset = used === 0 ? at : this.#last + this.#windowSeconds;
    return { limit, remaining: Math.max(0, limit - used), reset, windowSeconds: this.#windowSeconds };
  }

  /** True when nothing is in use: the window need not be kept. */
  isIdle(now: number): boolean {
    this.#advance(now);
    return this.#next === this.#oldest;
  }

  get #last(): number {
    return this.#times[(this.#next - 1) % this.#times.length]!;
  }

  /** Forgets calls as old as the window; answers the time, which is never before the last call. */
  #advance(now: number): number {
    const at = this.#next === this.#oldest ? now : Math.max(now, this.#last);
    while (this.#oldest < this.#next && at - this.#times[this.#oldest % this.#times.length]! >= this.#windowSeconds)
      this.#oldest++;
    return at;
  }
}

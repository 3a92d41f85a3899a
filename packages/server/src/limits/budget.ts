// The rate rule: at most 2 L in any 60 s and 5 L + ceil(L / 60) in any 300 s, while steady traffic at L a minute always passes.
// A token bucket whose tokens return a fixed time after they were taken. Two nested drip buckets do not keep this rule.

/** The age in whole seconds up to which what was taken counts. */
export const AGE_SECONDS_MAX = 300;
const SLOTS = AGE_SECONDS_MAX + 1;

/** What the four rate-limit headers say. */
export interface BudgetView {
  readonly limit: number;
  readonly remaining: number;
  /** Unix second at which `remaining` would be `limit` again. */
  readonly reset: number;
  /** The seconds that `limit` is meant for. */
  readonly windowSeconds: number;
}

/**
 * The budget of one holder, in memory, in slots of a second. A slot counts until its last moment is older than the window, so tokens
 * return up to a second late, never early; the extra ceil(L / 60) over 300 s keeps steady traffic at L a minute from ever being refused.
 * All times are Unix seconds; a clock that goes back stands still until it has caught up.
 */
export class Budget {
  #limit: number;
  readonly #slots = new Float64Array(SLOTS);
  #second = 0;
  #used60 = 0;
  #used300 = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Takes effect at once; what was used stays used. */
  set limit(limit: number) {
    this.#limit = limit;
  }

  get #caps() {
    return { cap60: 2 * this.#limit, cap300: 5 * this.#limit + Math.ceil(this.#limit / 60) };
  }

  /** The most that one request can ever take. */
  get costMax(): number {
    return 2 * this.#limit;
  }

  /** Takes `cost`; answers 0, or, having taken nothing, the whole seconds (≥ 1) until it would fit. `Infinity`: it never fits. */
  take(now: number, cost: number): number {
    const wait = this.wait(now, cost);
    if (wait === 0) this.add(now, 0, cost);
    return wait;
  }

  /** Counts `amount` as taken `ageSeconds` ago, whether it fits or not. Negative: gives back what was taken in that second. */
  add(now: number, ageSeconds: number, amount: number): void {
    this.#advance(now);
    if (ageSeconds > AGE_SECONDS_MAX) return;
    this.#slots[(this.#second - ageSeconds + SLOTS) % SLOTS]! += amount;
    this.#used300 += amount;
    if (ageSeconds <= 60) this.#used60 += amount;
  }

  /** Counts at least `used60` in the last 60 s and `used300` in the last 300 s, as if what is new were taken as late as it can have been. */
  raise(now: number, used60: number, used300: number): void {
    this.#advance(now);
    this.add(now, 0, Math.max(0, used60 - this.#used60));
    this.add(now, 61, Math.max(0, used300 - this.#used300));
  }

  /** What `take` would answer, taking nothing. */
  wait(now: number, cost: number): number {
    this.#advance(now);
    const { cap60, cap300 } = this.#caps;
    const over60 = this.#used60 + cost - cap60;
    const over300 = this.#used300 + cost - cap300;
    if (over60 <= 0 && over300 <= 0) return 0;
    if (cost > cap60) return Infinity;
    const seconds = Math.max(this.#secondsUntilFree(over60, 60), this.#secondsUntilFree(over300, 300));
    return Math.max(1, Math.ceil(this.#second + seconds - now));
  }

  /** `weight`: what each unit of cost takes; `remaining` is in units of cost, `limit` is the whole limit. */
  view(now: number, weight = 1): BudgetView {
    this.#advance(now);
    const limit = this.#limit;
    const remaining = Math.max(0, Math.min(limit - this.#used60, 5 * limit - this.#used300));
    const wait = Math.max(this.#secondsUntilFree(this.#used60, 60), this.#secondsUntilFree(this.#used300 - 4 * limit, 300));
    return {
      limit,
      remaining: Math.floor(remaining / weight),
      reset: this.#second + wait,
      windowSeconds: 60,
    };
  }

  /** True when nothing is in use: the budget need not be kept. */
  isIdle(now: number): boolean {
    this.#advance(now);
    return this.#used300 === 0;
  }

  /** Seconds from the start of this second until `amount` of what is in use is older than `window`. */
  #secondsUntilFree(amount: number, window: number): number {
    if (amount <= 0) return 0;
    let freed = 0;
    for (let age = window; age >= 0; age--) {
      freed += this.#slots[(this.#second - age + SLOTS) % SLOTS]!;
      if (freed >= amount) return window + 1 - age;
    }
    return window + 1;
  }

  #advance(now: number): void {
    const second = Math.floor(now);
    if (second - this.#second > AGE_SECONDS_MAX) {
      this.#slots.fill(0);
      this.#used60 = 0;
      this.#used300 = 0;
      this.#second = second;
    }
    while (this.#second < second) {
      this.#second++;
      const entering = this.#second % SLOTS;
      this.#used300 -= this.#slots[entering]!; // the slot of age 301
      this.#slots[entering] = 0;
      this.#used60 -= this.#slots[(this.#second - 61 + SLOTS) % SLOTS]!;
    }
  }
}

// Stops asking a judge that does not answer, so that assessments do not wait for it one after another.

const FAILURES_MAX = 5;
const OPEN_MS = 30_000;

/** What became of a call. `unsaid`: it tells nothing of the judge. */
export type CallResult = 'success' | 'failure' | 'unsaid';

/** A call that was let through. */
export interface Admission {
  readonly isTrial: boolean;
}

/** Opens after five failures in a row, for 30 s; then one call at a time tries. */
export class Breaker {
  readonly #clock: () => number;
  #failures = 0;
  #openUntilMs = -Infinity;
  #isTrying = false;

  /** `clock`: milliseconds from any start, never going back. */
  constructor(clock: () => number) {
    this.#clock = clock;
  }

  /** True: no call is let through now. */
  get isOpen(): boolean {
    return this.#hasOpened && (this.#isTrying || this.#clock() < this.#openUntilMs);
  }

  get #hasOpened(): boolean {
    return this.#failures >= FAILURES_MAX;
  }

  /** The call may be made, and `end` is to be told what became of it; `null`: it may not. */
  begin(): Admission | null {
    if (this.isOpen) return null;
    this.#isTrying = this.#hasOpened;
    return { isTrial: this.#isTrying };
  }

  /** Answers whether it is open because of this call. Those that began before it opened do not count any more. */
  end({ isTrial }: Admission, result: CallResult): boolean {
    if (isTrial) this.#isTrying = false;
    else if (this.#hasOpened) return false;
    if (result === 'unsaid') return false;
    this.#failures = result === 'success' ? 0 : this.#failures + 1;
    if (this.#hasOpened) this.#openUntilMs = this.#clock() + OPEN_MS;
    return this.#hasOpened;
  }
}

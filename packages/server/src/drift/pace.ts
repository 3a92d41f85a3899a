// Keeps work on this thread to its share, so that requests do not wait for it.

// As long as a request has to wait for this thread, and how long the thread is left to others after that: three fifths of the time.
const SLICE_MS = 4;
const PAUSE_MS = 6;

export class Pace {
  #busyMs = 0;

  /** Does what takes the thread. */
  spend<Result>(work: () => Result): Result {
    const startedAt = performance.now();
    try {
      return work();
    } finally {
      this.#busyMs += performance.now() - startedAt;
    }
  }

  /** True when the share is used up. */
  get isSpent(): boolean {
    return this.#busyMs >= SLICE_MS;
  }

  /** Waits, if the share is used up. */
  async rest(): Promise<void> {
    if (!this.isSpent) return;
    this.#busyMs = 0;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

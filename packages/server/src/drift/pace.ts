// Keeps work on this thread to its share, so that requests do not wait for it.

// As long as a request has to wait for this thread, and how long the thread is left to others after that: two thirds of the time.
const SLICE_MS = 4;
const PAUSE_MS = 8;

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

  /** Waits, if the share is used up. */
  async rest(): Promise<void> {
    if (this.#busyMs < SLICE_MS) return;
    this.#busyMs = 0;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

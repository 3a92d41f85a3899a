// Long work in one request, cut into turns: between two of them other requests are served.

// Other requests get their turn at least this often.
const TURN_MS = 5;

/** A turn of long work, which begins when it is made: `if (turn.isOver) await turn.next()` after each piece. */
export class Turn {
  #endsAt = performance.now() + TURN_MS;

  get isOver(): boolean {
    return performance.now() >= this.#endsAt;
  }

  /** Lets others have theirs, then begins anew. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#endsAt = performance.now() + TURN_MS;
  }
}

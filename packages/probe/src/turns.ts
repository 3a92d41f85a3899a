// Turns at something of which there is little: in order, and for no longer than one may wait.

interface Waiting {
  readonly go: (isTurn: boolean) => void;
  readonly timer: NodeJS.Timeout;
}

export class Turns {
  #free: number;
  readonly #waitMsMax: number;
  readonly #waiting = new Set<Waiting>();

  /** `places`: how many may have their turn at a time. */
  constructor(places: number, waitMsMax: number) {
    this.#free = places;
    this.#waitMsMax = waitMsMax;
  }

  /** Resolves to true when it is the caller's turn, to be followed by `give`; to false when it did not come in time. */
  take(): Promise<boolean> {
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve(true);
    }
    return new Promise((go) => {
      const giveUp = () => {
        this.#waiting.delete(waiting);
        go(false);
      };
      const waiting: Waiting = { go, timer: setTimeout(giveUp, this.#waitMsMax) };
      this.#waiting.add(waiting);
    });
  }

  /** Ends a turn. */
  give(): void {
    const [next] = this.#waiting;
    if (next === undefined) return void this.#free++;
    this.#waiting.delete(next);
    clearTimeout(next.timer);
    next.go(true);
  }
}

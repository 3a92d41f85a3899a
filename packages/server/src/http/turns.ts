// One thing at a time: for work that must not crowd out other work.

import { AppError } from './errors.ts';

export class Turns {
  readonly #waitingMax: number;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** `waitingMax`: more than this are refused. */
  constructor(waitingMax: number) {
    this.#waitingMax = waitingMax;
  }

  /** Runs `work` once all that came before has ended. Throws `unavailable` when too many wait. */
  run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#waiting >= this.#waitingMax)
      return Promise.reject(new AppError('unavailable', 'Too many wait for their turn.', { headers: { 'retry-after': '1' } }));
    this.#waiting++;
    const turn = this.#last.then(work).finally(() => this.#waiting--);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

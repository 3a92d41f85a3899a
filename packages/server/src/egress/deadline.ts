// One signal for everything that may end a call before its answer.

import { EgressError } from './error.ts';

/** Aborts after a time, with the caller's signal, or by hand. The reason is an `EgressError`. `end` it when the call is over. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#timer = setTimeout(() => {
      this.#controller.abort(new EgressError('timeout', `The host did not answer within ${timeoutMs} milliseconds.`));
    }, timeoutMs);
    if (caller?.aborted === true) this.abort();
    else caller?.addEventListener('abort', this.abort, { once: true });
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  readonly abort = (): void => {
    this.#controller.abort(new EgressError('aborted', 'The call was given up.', this.#caller?.reason));
  };

  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.abort);
  }
}

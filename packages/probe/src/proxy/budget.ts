// Memory for bodies: one bound for all that are under way.

import { Refusal } from './refusal.ts';

export class Budget {
  readonly #bytesMax: number;
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** For one request and its answer. */
  open(): Account {
    let own = 0;
    return {
      add: (bytes) => {
        if (this.#bytes + bytes > this.#bytesMax) {
          const headers = { 'retry-after': '1', connection: 'close' };
          throw new Refusal(503, 'The bodies under way need all the memory there is for them.', { code: 'busy', headers });
        }
        this.#bytes += bytes;
        own += bytes;
      },
      close: () => {
        this.#bytes -= own;
        own = 0;
      },
    };
  }
}

export interface Account {
  /** Throws a `Refusal` where there is no room for so many more. */
  readonly add: (bytes: number) => void;
  /** Gives back all. Safe to call twice. */
  readonly close: () => void;
}

// Time as the probe sees it, so that tests can let an hour pass without waiting for it.

import { setTimeout as delay } from 'node:timers/promises';

export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Resolves after `ms`, or as soon as `signal` aborts; never rejects. Does not keep the process alive. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    await delay(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) }).catch(() => {});
  },
};

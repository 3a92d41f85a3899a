// The client of the library, set up for a command: Ctrl-C ends its requests and its waits.

import { Svc, TimeoutError } from '@svc/client';
import { setTimeout as wait } from 'node:timers/promises';
import { placed } from './explain.ts';

export interface Connection {
  readonly baseUrl: string;
  readonly orgId: string | null;
  readonly apiKey: string;
  readonly signal: AbortSignal;
  /** Default: that of the library. */
  readonly maxRetries?: number;
  /** Told once, before the first wait for a rate limit. */
  readonly onRateLimit?: (seconds: number) => void;
}

/** A client for `connection`. What it throws is known to be of this service. */
export function openClient({ baseUrl, orgId, apiKey, signal, maxRetries, onRateLimit }: Connection): Svc {
  let status = 0;
  let isTold = false;
  // A try that ran out of its time is not repeated: who waits in front of it hears of it after half a minute, not after two.
  let isHanging = false;
  return new Svc({
    baseUrl,
    apiKey,
    ...(orgId === null ? {} : { orgId }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    // A person waits in front of it: a service that is not there is said to be so within two seconds, not ten.
    retryBackoffMs: 250,
    fetch: async (url, init) => {
      const given = init?.signal;
      // Aborted by the time-out alone, or by who asked, who then waits no more.
      given?.addEventListener('abort', () => (isHanging = true), { once: true });
      status = 0;
      try {
        const res = await fetch(url, {
          ...init,
          signal: given === null || given === undefined ? signal : AbortSignal.any([given, signal]),
        });
        ({ status } = res);
        isHanging = false;
        return res;
      } catch (err) {
        if (err instanceof Error) placed(err, baseUrl);
        throw err;
      }
    },
    wait: async (ms, given) => {
      if (isHanging) {
        const err = new TimeoutError('The service did not answer in time.');
        placed(err, baseUrl);
        throw err;
      }
      if (status === 429 && !isTold) {
        isTold = true;
        onRateLimit?.(Math.ceil(ms / 1_000));
      }
      await wait(ms, undefined, { signal: given === undefined ? signal : AbortSignal.any([given, signal]) });
    },
  });
}

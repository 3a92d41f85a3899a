// The client of the library, set up for a command: Ctrl-C ends its requests and its waits.

import { Svc } from '@svc/client';
import { setTimeout as wait } from 'node:timers/promises';
import { placed } from './explain.ts';

export interface Connection {
  readonly baseUrl: string;
  readonly orgId: string | null;
  readonly apiKey: string;
  readonly signal: AbortSignal;
  /** Default: that of the library. */
  readonly maxRetries?: number;
}

/** A client for `connection`. What it throws is known to be of this service. */
export function openClient({ baseUrl, orgId, apiKey, signal, maxRetries }: Connection): Svc {
  return new Svc({
    baseUrl,
    apiKey,
    ...(orgId === null ? {} : { orgId }),
    ...(maxRetries === undefined ? {} : { maxRetries }),
    // A person waits in front of it: a service that is not there is said to be so within two seconds, not ten.
    retryBackoffMs: 250,
    fetch: async (url, init) => {
      const given = init?.signal;
      try {
        return await fetch(url, {
          ...init,
          signal: given === null || given === undefined ? signal : AbortSignal.any([given, signal]),
        });
      } catch (err) {
        if (err instanceof Error) placed(err, baseUrl);
        throw err;
      }
    },
    wait: async (ms, given) => {
      await wait(ms, undefined, { signal: given === undefined ? signal : AbortSignal.any([given, signal]) });
    },
  });
}

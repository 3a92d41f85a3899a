// Events as they come, for as long as it takes: `svc listen` and `svc events tail`.

import { setTimeout as wait } from 'node:timers/promises';
import { ApiError, ConnectionError, RateLimitError, ServerError, type Event, type Svc } from '@svc/client';
import type { Context } from '../command.ts';
import { CommandError, EXIT } from '../faults.ts';

const PAGE = 200;
/** How long one request waits for the first event; below the time that proxies allow. */
const WAIT_S = 20;
const TIMEOUT_MS = 45_000;
const PAUSE_MS_MIN = 1_000;
const PAUSE_MS_MAX = 30_000;

interface FeedOptions {
  /** The first event to be given is the one after it. Absent: the newest there is. */
  readonly after?: number | undefined;
  /** Of the API's filters. */
  readonly filter?: { readonly kind?: string; readonly outcome?: string };
}

/** Throws where the credential sees no trail, which would wait for ever. */
export async function requireTrail(svc: Svc): Promise<void> {
  const { credential } = await svc.organization.get();
  if (credential.mode === 'test')
    throw new CommandError(
      'A test key sees no trail: what it does is not recorded there. Use a live key: svc login, or --profile.',
      EXIT.refused,
    );
}

/** The sequence of the newest event; 0: there is none. */
export async function newestSequence(svc: Svc): Promise<number> {
  const page = await svc.events.list({ limit: 1 });
  return page.data[0]?.sequence ?? 0;
}

/**
 * Pages of events in their order, until `signal` aborts; empty ones while nothing happens. Where the service is not reached it is told once on stderr,
 * and asked again. Throws what asking again does not mend.
 */
export async function* feed(
  { svc, output, signal }: Pick<Context, 'svc' | 'output' | 'signal'>,
  options: FeedOptions,
): AsyncGenerator<readonly Event[]> {
  let pauseMs = PAUSE_MS_MIN;
  let isTroubled = false;
  let after = options.after;
  while (!signal.aborted) {
    try {
      after ??= await newestSequence(svc());
      const begun = performance.now();
      const query = { ...options.filter, after_sequence: after, wait_s: WAIT_S, limit: PAGE } as Parameters<
        Svc['events']['list']
      >[0];
      const { data } = await svc().events.list(query, { timeoutMs: TIMEOUT_MS, maxRetries: 0 });
      if (isTroubled) output.note('The service is there again.');
      isTroubled = false;
      pauseMs = PAUSE_MS_MIN;
      yield data;
      after = data.at(-1)?.sequence ?? after;
      // It answers at once where too many wait, and when it stops.
      if (data.length === 0 && performance.now() - begun < PAUSE_MS_MIN) await wait(PAUSE_MS_MIN, undefined, { signal });
    } catch (err) {
      if (signal.aborted) return;
      if (!(err instanceof ConnectionError || err instanceof ServerError || err instanceof RateLimitError)) throw err;
      if (!isTroubled) output.note(`${err instanceof ApiError ? err.message : 'The service is not reached.'} Asking again …`);
      isTroubled = true;
      const waitMs = err instanceof RateLimitError && err.retryAfter !== null ? err.retryAfter * 1_000 : pauseMs;
      pauseMs = Math.min(PAUSE_MS_MAX, pauseMs * 2);
      try {
        await wait(waitMs, undefined, { signal });
      } catch {
        return;
      }
    }
  }
}

// Ends streams of which nothing was heard for too long, and forgets those that have ended.

import type { Services } from '../services.ts';
import { IDLE_SECONDS } from './schemas.ts';
import { endIdleStream } from './service.ts';
import { listIdleStreams, purgeStreams, type Stream } from './store.ts';

const INTERVAL_MS = 5_000;
/** Each may hold a megabyte. */
const STREAMS_AT_ONCE = 10;
/** As long as this the last chunk may be sent again. */
const KEPT_MS = 5 * 60_000;

/** Ends idle streams; any number of nodes may do so at once. Answers how many it has ended. */
export async function endIdleStreams(services: Services): Promise<number> {
  const { db, log } = services;
  const beforeMs = services.clock() - IDLE_SECONDS * 1_000;
  let ended = 0;
  for (let last: Stream | null = null; ;) {
    const idle: Stream[] = await listIdleStreams(db, beforeMs, last, STREAMS_AT_ONCE);
    for (const stream of idle) {
      // One that cannot be ended keeps none of the others open.
      const isEnded = await endIdleStream(services, stream).catch((err: unknown) =>
        log.warn({ err }, 'an idle stream could not be ended; it is tried again'),
      );
      if (isEnded === true) ended++;
    }
    if (idle.length < STREAMS_AT_ONCE) return ended;
    last = idle.at(-1)!;
  }
}

/** Starts the loop. Returns how to stop it. */
export function startClosingStreams(services: Services): () => Promise<void> {
  let running: Promise<unknown> | null = null;
  const run = async () => {
    await endIdleStreams(services);
    await purgeStreams(services.db, services.clock() - KEPT_MS);
  };
  const timer = setInterval(() => {
    running ??= run()
      .catch((err: unknown) => services.log.warn({ err }, 'idle streams could not be looked for; it is tried again'))
      .finally(() => (running = null));
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

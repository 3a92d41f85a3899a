// Ends streams of which nothing was heard for too long, and forgets those that have ended.

import type { Services } from '../services.ts';
import { IDLE_SECONDS } from './schemas.ts';
import { endIdleStream } from './service.ts';
import { listIdleStreams, purgeStreams } from './store.ts';

const INTERVAL_MS = 5_000;
const STREAMS_AT_ONCE = 100;
/** As long as this the last chunk may be sent again. */
const KEPT_MS = 5 * 60_000;

/** Ends idle streams; any number of nodes may do so at once. Answers how many it has ended. */
export async function endIdleStreams(services: Services): Promise<number> {
  const { db, log } = services;
  let ended = 0;
  for (const stream of await listIdleStreams(db, services.clock() - IDLE_SECONDS * 1_000, STREAMS_AT_ONCE)) {
    // One that cannot be ended keeps none of the others open.
    const isEnded = await endIdleStream(services, stream).catch((err: unknown) =>
      log.warn({ err }, 'an idle stream could not be ended'),
    );
    if (isEnded === true) ended++;
  }
  return ended;
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

// Deletes what is kept for a limited time only.

import { purgeTestAssessments } from '../assessments/store.ts';
import { purgeKeys } from '../http/idempotency.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';

const INTERVAL_MS = 600_000;

/** Starts the loop; any number of nodes may run it. Returns how to stop it. */
export function startHousekeeping(db: Database, log: Logger): () => Promise<void> {
  let running = Promise.resolve();
  const run = async () => {
    try {
      await purgeTestAssessments(db);
      await purgeKeys(db);
    } catch (err) {
      log.warn({ err }, 'housekeeping failed; it is tried again later');
    }
  };
  const timer = setInterval(() => {
    running = run();
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

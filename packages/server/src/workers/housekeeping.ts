// Counts what was used, and deletes what is kept for a limited time only.

import { purgeTestAssessments } from '../assessments/store.ts';
import { purgeKeys } from '../http/idempotency.ts';
import type { SigningKeys } from '../sessions/signing-keys.ts';
import { purgeSessions } from '../sessions/store.ts';
import type { Database } from '../storage/database.ts';
import { purgeOlderThan } from '../storage/purge.ts';
import type { Logger } from '../telemetry/log.ts';
import { countAllUsage } from '../usage/store.ts';

const INTERVAL_MS = 60_000;
// An ID token is refused when it is eleven minutes old.
const USED_ID_TOKENS_HOURS = 1;
// A node that was away for longer forgets everything it held.
const CHANGES_HOURS = 1;

/** Starts the loop; any number of nodes may run it. Returns how to stop it. */
export function startHousekeeping(db: Database, signingKeys: SigningKeys, log: Logger): () => Promise<void> {
  let running = Promise.resolve();
  const run = async () => {
    try {
      await countAllUsage(db);
      await purgeTestAssessments(db);
      await purgeKeys(db);
      await purgeSessions(db);
      await purgeOlderThan(db, 'used_id_tokens', USED_ID_TOKENS_HOURS);
      await purgeOlderThan(db, 'changes', CHANGES_HOURS);
      // Without those that have been retired for long enough.
      await signingKeys.load();
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

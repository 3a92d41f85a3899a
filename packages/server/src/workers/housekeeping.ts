// Counts what was used, and deletes what is kept for a limited time only.

import { purgeTestAssessments } from '../assessments/store.ts';
import { earlierTime } from '../audit/retention-clock.ts';
import { pruneTrails } from '../audit/retention.ts';
import { purgeKeys } from '../http/idempotency.ts';
import { purgeDrift } from '../drift/store.ts';
import { purgeExports } from '../exports/store.ts';
import { KEPT_DAYS } from '../delivery/schedule.ts';
import { purgeDeliveries, purgeEndpoints } from '../delivery/store.ts';
import { countAllExceptionHits } from '../policy/exceptions/store.ts';
import { stopExpiredShadows } from '../policy/shadow/service.ts';
import { countAllShadows } from '../policy/shadow/store.ts';
import { purgeSimulations } from '../policy/simulations/store.ts';
import { purgeProbes } from '../probes/store.ts';
import { purgeTestTelemetry } from '../probes/telemetry-store.ts';
import { purgeReports } from '../reports/store.ts';
import type { Services } from '../services.ts';
import { purgeSessions } from '../sessions/store.ts';
import { dropEmptyPartitions, makePartitions } from '../storage/partitions.ts';
import { purgeOlderThan } from '../storage/purge.ts';
import { countAllUsage } from '../usage/store.ts';

const INTERVAL_MS = 60_000;
const HOUR_MS = 3_600_000;
// An ID token is refused when it is eleven minutes old.
const USED_ID_TOKENS_HOURS = 1;
// A week is enough to look at what arrived.
const INBOX_HOURS = 168;
// A node that was away for longer forgets everything it held.
const CHANGES_HOURS = 1;
const SIMULATIONS_DAYS = 30;

type Parts = Pick<Services, 'db' | 'journal' | 'vault' | 'signingKeys' | 'clock' | 'log'>;

/** Starts the loop; any number of nodes may run it. Returns how to stop it. */
export function startHousekeeping(parts: Parts): () => Promise<void> {
  const { db, signingKeys, clock, log } = parts;
  const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
    'counting usage': () => countAllUsage(db),
    'counting what candidate policies would have changed': () => countAllShadows(db),
    'ending candidate policies': () => stopExpiredShadows(parts),
    'counting what exceptions excused': () => countAllExceptionHits(db),
    'deleting old counts of reports': () => purgeReports(db),
    'deleting old simulations': () => purgeSimulations(db, SIMULATIONS_DAYS),
    'deleting old test assessments': () => purgeTestAssessments(db),
    'deleting old telemetry of test keys': () => purgeTestTelemetry(db, clock()),
    'deleting old probes of test keys': () => purgeProbes(db, clock()),
    'deleting old idempotency keys': () => purgeKeys(db),
    'deleting old points of drift': () => purgeDrift(db, clock()),
    'deleting old exports': () => purgeExports(db),
    'deleting old sessions': () => purgeSessions(db),
    'deleting used ID tokens': () => purgeOlderThan(db, 'used_id_tokens', USED_ID_TOKENS_HOURS),
    'deleting old changes': () => purgeOlderThan(db, 'changes', CHANGES_HOURS),
    'deleting old deliveries': () => purgeDeliveries(db, KEPT_DAYS),
    'deleting old endpoints': () => purgeEndpoints(db, KEPT_DAYS + 1),
    'deleting old messages of inboxes': () => purgeOlderThan(db, 'inbox_messages', INBOX_HOURS),
    // Ids, by which the trail is parted, go by the clock of the machine.
    'making partitions ahead': async () => makePartitions(db, await earlierTime(db, Date.now()), log),
    'dropping empty partitions': async () => dropEmptyPartitions(db, await earlierTime(db, Date.now())),
    'deleting what policies keep no longer': hourly(() => pruneTrails(parts)),
    'reading the signing keys': () => signingKeys.load(), // without those that have been retired for long enough
  };
  let running: Promise<void> | null = null;
  const run = async () => {
    // One that fails keeps none of the others from being done.
    for (const [task, work] of Object.entries(tasks))
      await work().catch((err: unknown) => log.warn({ err, task }, 'housekeeping failed; it is tried again later'));
  };
  const timer = setInterval(() => {
    running ??= run().finally(() => (running = null));
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Does `work` at most once an hour, but again at the next opportunity where it says that there is more, or fails. */
function hourly(work: () => Promise<boolean>): () => Promise<void> {
  let dueAtMs = 0;
  return async () => {
    // Also where the machine's clock is set.
    const nowMs = performance.now();
    if (nowMs < dueAtMs) return;
    if (await work()) dueAtMs = nowMs + HOUR_MS;
  };
}

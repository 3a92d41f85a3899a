// Keeps what was used across a restart: read when the process begins, written every 5 s and at its orderly end.

import { randomUUID } from 'node:crypto';
import { idFromUuidText, parseId, uuidText } from '../ids.ts';
import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { AGE_SECONDS_MAX } from './budget.ts';
import { wallClockShift } from './clock.ts';
import type { LocalLimits } from './local.ts';
import { deleteUsageOutside, insertUsage, moveUsage, readUsageSince } from './store.ts';
import { UsageRecord } from './usage-record.ts';

// What `kill -9` forgives at most.
const FLUSH_INTERVAL_MS = 5_000;
// What is older counts no more.
const KEPT_MS = (AGE_SECONDS_MAX + 1) * 1_000;

/** Adds what all nodes wrote in the last five minutes to the budgets. */
export async function restoreUsage(db: Database, local: LocalLimits): Promise<void> {
  const shift = wallClockShift();
  for await (const { orgId, seconds, requests, assessments } of readUsageSince(db, Date.now() - KEPT_MS)) {
    const id = idFromUuidText('org', orgId);
    for (const [i, second] of seconds.entries()) {
      local.restore(id, second - shift, { requests: requests[i]!, assessments: assessments[i]! });
    }
  }
}

/** Starts the loop. Returns how to end it: what is used by then is written. */
export function startUsageKeeper(db: Database, local: LocalLimits, log: Logger): () => Promise<void> {
  const keeper = new UsageKeeper(db, local, log);
  let running = Promise.resolve();
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    running = keeper.flush().finally(() => {
      isRunning = false;
    });
  }, FLUSH_INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
    await keeper.flush();
  };
}

class UsageKeeper {
  readonly #db: Database;
  readonly #local: LocalLimits;
  readonly #log: Logger;
  readonly #node = randomUUID();
  /** How far the wall clock was set when the rows of this node were last in step with it. */
  #shift = wallClockShift();

  constructor(db: Database, local: LocalLimits, log: Logger) {
    this.#db = db;
    this.#local = local;
    this.#log = log;
  }

  /** Writes what was used since the last time. Never throws: what cannot be written is tried again the next time. */
  async flush(): Promise<void> {
    const records = this.#local.takeUnwritten();
    try {
      await this.#followWallClock();
      if (records.size > 0) await insertUsage(this.#db, this.#node, Date.now(), this.#rowsOf(records));
    } catch (err) {
      this.#local.putBack(records);
      this.#log.warn({ err }, 'the usage of limits could not be written; it is tried again');
      return;
    }
    try {
      await deleteUsageOutside(this.#db, Date.now() - KEPT_MS, Date.now() + KEPT_MS);
    } catch (err) {
      this.#log.warn({ err }, 'old usage of limits could not be deleted; it is tried again');
    }
  }

  /** A wall clock that was set would make the rows look older or younger than they are. */
  async #followWallClock(): Promise<void> {
    const shift = wallClockShift();
    if (shift === this.#shift) return;
    await moveUsage(this.#db, this.#node, shift - this.#shift);
    this.#shift = shift;
  }

  /** By UUID, with seconds of the wall clock. */
  #rowsOf(records: ReadonlyMap<string, UsageRecord>): Map<string, UsageRecord> {
    const rows = new Map<string, UsageRecord>();
    for (const [orgId, { seconds, requests, assessments }] of records) {
      const row = new UsageRecord();
      for (const [i, second] of seconds.entries()) row.add(second + this.#shift, requests[i]!, assessments[i]!);
      rows.set(uuidText(parseId('org', orgId)!), row);
    }
    return rows;
  }
}

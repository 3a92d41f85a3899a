// The time by which retention deletes. A clock that is wrong deletes for good what nobody can bring back, so one that leaps is not believed at once.

import type { Database } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';

const HOUR_MS = 3_600_000;
/** What the clocks of a node and of the database may differ by. */
const SLACK_MS = 300_000;
/** How far a clock may go on between two passes and be believed. */
const LEAP_MS = 48 * HOUR_MS;
/** Through how much time, pass by pass, a clock that leapt has to go on steadily until it is. */
const WAIT_MS = 24 * HOUR_MS;
/** What counts of the time between two passes: they are an hour apart, and a clock that leaps again does not make it shorter. */
const STEP_MS_MAX = 2 * HOUR_MS;

/** Milliseconds since 1970. */
export interface RetentionClock {
  /** By the last pass that was believed. */
  readonly believedMs: number;
  /** By the last pass. */
  readonly seenMs: number;
  /** For how long passes have gone on with a clock that leapt. */
  readonly waitedMs: number;
}

/** What a pass makes of it that finds a clock at `nowMs`, which is believed where it is `believedMs` afterwards. */
export function seeClock({ believedMs, seenMs, waitedMs }: RetentionClock, nowMs: number): RetentionClock {
  const waited = waitedMs + Math.min(Math.max(nowMs - seenMs, 0), STEP_MS_MAX);
  // Behind what was believed less is deleted than might be, which harms nobody.
  if (nowMs <= believedMs + LEAP_MS || (waitedMs > 0 && waited >= WAIT_MS))
    return { believedMs: nowMs, seenMs: nowMs, waitedMs: 0 };
  // The leap itself is no time that was waited. A millisecond says that one is waited for.
  return { believedMs, seenMs: nowMs, waitedMs: waitedMs === 0 ? 1 : waited };
}

/**
 * The earlier of the clocks of this node, `nodeMs`, and of the database, for a pass of retention; `null`: it is not to be believed now, which is logged.
 * Nodes share what was seen.
 */
export async function believedTime(db: Database, nodeMs: number, log: Logger): Promise<number | null> {
  return db.transaction(async (tx) => {
    const { rows } = await tx.query<{ believed_at: Date; seen_at: Date; waited_ms: number; now: Date }>(
      'SELECT believed_at, seen_at, waited_ms, now() AS now FROM retention_clock FOR UPDATE',
    );
    const { believed_at: believed, seen_at: seen, waited_ms: waitedMs, now } = rows[0]!;
    if (Math.abs(nodeMs - now.getTime()) > SLACK_MS) {
      log.error(
        { node: new Date(nodeMs), database: now },
        'the clocks of this node and of the database differ by minutes: the node deletes nothing that policies keep no longer',
      );
      return null;
    }
    const nowMs = Math.min(nodeMs, now.getTime());
    const clock = seeClock({ believedMs: believed.getTime(), seenMs: seen.getTime(), waitedMs }, nowMs);
    await tx.query('UPDATE retention_clock SET believed_at = $1, seen_at = $2, waited_ms = $3', [
      new Date(clock.believedMs),
      new Date(clock.seenMs),
      clock.waitedMs,
    ]);
    if (clock.believedMs === nowMs) return nowMs;
    log.warn(
      { now: new Date(nowMs), before: believed, waited_ms: clock.waitedMs },
      'the clock went on by days since retention last ran: nothing that policies keep no longer is deleted until it has run on for a day',
    );
    return null;
  });
}

/** The earlier of the clocks of this node and of the database. */
export async function earlierTime(db: Database, nodeMs: number): Promise<number> {
  const { rows } = await db.query<{ now: Date }>('SELECT now() AS now');
  return Math.min(nodeMs, rows[0]!.now.getTime());
}

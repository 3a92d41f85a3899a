// The pull feed: events after a sequence, waiting for the first one where there is none yet.

import { findTree } from '../audit/log-store.ts';
import { AppError } from '../http/errors.ts';
import type { Services } from '../services.ts';
import type { Queryable } from '../storage/database.ts';
import { findLastSequence, pullEvents, type EventFilter, type RecordedEvent } from './store.ts';

// Commits made on other nodes are not announced here; they are found by asking again.
const ASK_AGAIN_MS = 1_000;
const READ_AGAIN_MS = 100;
// A waiting request holds memory only; more of one organization than this are answered at once.
const WAITING_PER_ORGANIZATION_MAX = 100;
const waiting = new Map<string, number>();

/**
 * Events after `after`, oldest first, at most `limit`. Waits up to `waitMs` for the first; ends early when `signal` aborts, and with what `recheck`
 * throws once the caller may not read any more. Throws `not_found` where events after `after` are not kept any more; 0 is the beginning of what is kept.
 */
export async function pullFeed(
  services: Services,
  orgId: Buffer,
  filter: EventFilter,
  after: number,
  limit: number,
  waitMs: number,
  signal: AbortSignal,
  recheck: () => Promise<void>,
): Promise<RecordedEvent[]> {
  const untilMs = services.clock() + waitMs;
  const org = orgId.toString('hex');
  const mayWait = (waiting.get(org) ?? 0) < WAITING_PER_ORGANIZATION_MAX;
  let from = after;
  let committed = false;
  let wake: () => void = () => {};
  const stopListening = services.journal.onCommit((id) => {
    if (id !== org) return;
    committed = true;
    wake();
  });
  const sleep = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  waiting.set(org, (waiting.get(org) ?? 0) + 1);
  try {
    for (;;) {
      await recheck();
      committed = false;
      const readAt = performance.now();
      // What is committed up to here is read below: if none of it matches, the next read begins after it.
      const last = await findLastSequence(services.db.reader, orgId);
      const events = await pullEvents(services.db.reader, orgId, filter, from, limit);
      if (from === after && after > 0 && events[0]?.sequence !== after + 1) await refuseGap(services.db.reader, orgId, after);
      from = Math.max(from, last);
      const leftMs = untilMs - services.clock();
      if (events.length > 0 || leftMs <= 0 || !mayWait || signal.aborted) return events;
      if (!committed) await sleep(Math.min(leftMs, ASK_AGAIN_MS));
      // Under load many commits share one read.
      const soonestMs = readAt + READ_AGAIN_MS - performance.now();
      if (soonestMs > 0) await new Promise((resolve) => setTimeout(resolve, soonestMs));
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', onAbort);
    const left = waiting.get(org)! - 1;
    if (left === 0) waiting.delete(org);
    else waiting.set(org, left);
  }
}

/**
 * Who goes on from a place that retention has passed must not take what follows for all there was. Asked after the events were read: an event is deleted only
 * once the tree says so.
 */
async function refuseGap(db: Queryable, orgId: Buffer, after: number): Promise<void> {
  const keptFrom = (await findTree(db, orgId))?.keptFrom ?? 1;
  if (after >= keptFrom - 1) return;
  throw new AppError(
    'not_found',
    `Events ${after + 1} to ${keptFrom - 1} are not kept any more: the policy's retention has passed them. Go on with after_sequence=${keptFrom - 1}.`,
    { details: [{ pointer: '/query/after_sequence', message: `is before ${keptFrom - 1}, after which the trail begins` }] },
  );
}

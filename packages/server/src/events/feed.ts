// The pull feed: events after a sequence, waiting for the first one where there is none yet.

import type { Services } from '../services.ts';
import { pullEvents, type EventFilter, type RecordedEvent } from './store.ts';

// Commits made on other nodes are not announced here; they are found by asking again.
const ASK_AGAIN_MS = 1_000;
// A waiting request holds memory only; more of one organization than this are answered at once.
const WAITING_PER_ORGANIZATION_MAX = 100;
const waiting = new Map<string, number>();

/** Events after `after`, oldest first, at most `limit`. Waits up to `waitMs` for the first; ends early when `signal` aborts. */
export async function pullFeed(
  services: Services,
  orgId: Buffer,
  filter: EventFilter,
  after: number,
  limit: number,
  waitMs: number,
  signal: AbortSignal,
): Promise<RecordedEvent[]> {
  const untilMs = services.clock() + waitMs;
  const org = orgId.toString('hex');
  const mayWait = (waiting.get(org) ?? 0) < WAITING_PER_ORGANIZATION_MAX;
  let committed = false;
  let wake: () => void = () => {};
  const stopListening = services.journal.onCommit((id) => {
    if (id !== org) return;
    committed = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener('abort', onAbort);
  waiting.set(org, (waiting.get(org) ?? 0) + 1);
  try {
    for (;;) {
      committed = false;
      const events = await pullEvents(services.db, orgId, filter, after, limit);
      const leftMs = untilMs - services.clock();
      if (events.length > 0 || leftMs <= 0 || !mayWait || signal.aborted) return events;
      if (committed) continue; // between the read and now
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(leftMs, ASK_AGAIN_MS));
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  } finally {
    stopListening();
    signal.removeEventListener('abort', onAbort);
    const left = waiting.get(org)! - 1;
    if (left === 0) waiting.delete(org);
    else waiting.set(org, left);
  }
}

// Ends drifts of which nothing more will be heard: of models, groups and signals that nobody has reported for as long as charts reach.

import type { Actor } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import { recordEnd } from './recordings.ts';
import { Series } from './series.ts';
import { CHART_DAYS, findMonitorById, listForsaken, putMonitors, seizeCursor } from './store.ts';

const DAY_MS = 86_400_000;
const SYSTEM: Actor = { type: 'system', id: null, ip: null };

/** Tells of each that it has ended, some at a time. Their monitors are deleted after that. Safe to run on several nodes at once. */
export async function endForsaken({
  db,
  journal,
  clock,
  log,
}: Pick<Services, 'db' | 'journal' | 'clock' | 'log'>): Promise<void> {
  const nowMs = clock();
  const beforeMs = nowMs - CHART_DAYS * DAY_MS;
  for (const { orgId, id } of await listForsaken(db, nowMs)) {
    await journal.transaction(async (tx, record) => {
      await seizeCursor(tx, orgId);
      const stored = await findMonitorById(tx, orgId, id);
      // Meanwhile it was heard of again, or ended by another node.
      if (stored === null || stored.memory.episode === null || stored.updatedAtMs >= beforeMs) return;
      const series = Series.restore(stored, (err) =>
        log.warn({ err, monitor_id: stored.id }, 'what a drift monitor knew cannot be read; it learns anew'),
      );
      for (const news of series.forsake(nowMs)) {
        if (news.type === 'ended') await recordEnd(tx, record, orgId, series, news, SYSTEM);
      }
      await putMonitors(tx, orgId, [{ ...series.stored(nowMs), updatedAtMs: stored.updatedAtMs }]);
    });
  }
}

// What people do about drift: look at it, say that somebody cares for it, and take the level of now for the usual one.

import { thresholdFor } from '@svc/drift';
import { actorOf, type Principal } from '../access/principal.ts';
import { findEventById } from '../events/store.ts';
import { AppError, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import type { RecordEvent } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { acknowledgedData, baselinedData } from './events.ts';
import { eventOf, recordEnd } from './recordings.ts';
import { Series, type News } from './series.ts';
import {
  acknowledgeEpisode,
  addPoints,
  findMonitorById,
  lockOpenEpisode,
  putMonitors,
  seizeCursor,
  type KeptBaseline,
  type StoredMonitor,
} from './store.ts';

/** A monitor, or `not_found`. Test credentials see test objects only, and nothing of theirs is watched. */
export async function getMonitor(
  services: Services,
  { organization, mode }: Principal,
  id: Buffer | null,
): Promise<StoredMonitor> {
  const monitor = id === null || mode === 'test' ? null : await findMonitorById(services.db, organization.uuid, id);
  if (monitor === null) throw notFound('drift monitor');
  return monitor;
}

/**
 * Gives up the baseline of a monitor for the level of now, with its events. Whichever node reads the organization's trail is stopped for it and
 * goes on from what was kept, so that everything recorded since is counted against the new baseline. Throws `not_found`.
 */
export async function rebaselineMonitor(services: Services, call: Call, id: Buffer | null, note: string | null): Promise<void> {
  const { uuid: orgId } = call.principal.organization;
  const nowMs = services.clock();
  await services.journal.transaction(async (tx, record) => {
    const cursor = await seizeCursor(tx, orgId);
    const stored = id === null || call.principal.mode === 'test' ? null : await findMonitorById(tx, orgId, id);
    if (stored === null) throw notFound('drift monitor');
    if (stored.state === 'learning') throw new AppError('conflict', 'A baseline is being learned already.');
    const series = Series.restore(stored, (err) =>
      services.log.warn({ err, monitor_id: stored.id }, 'what a drift monitor knew cannot be read; it learns anew'),
    );
    series.setThreshold(cursor?.state?.threshold ?? usualThreshold());
    // The time of what it has seen last, which what it sees next comes after.
    const replaces = series.baseline;
    const news = series.rebaseline(series.memory.clockMs ?? nowMs);
    await recordRebaseline(tx, record, call, series, news, replaces, note, nowMs);
    await putMonitors(tx, orgId, [series.stored(nowMs)]);
    await addPoints(tx, orgId, series.points());
  });
}

async function recordRebaseline(
  tx: Transaction,
  record: RecordEvent,
  { principal, address, newResourceId }: Call,
  series: Series,
  news: readonly News[],
  replaces: KeptBaseline | null,
  note: string | null,
  nowMs: number,
): Promise<void> {
  const { uuid: orgId } = principal.organization;
  const actor = actorOf(principal, address);
  for (const one of news) if (one.type === 'ended') await recordEnd(tx, record, orgId, series, one, actor);
  // Where there is enough of the new level the baseline is there at once; else the trail tells when it is.
  const learned = news.find((one) => one.type === 'baselined') ?? null;
  const data = baselinedData(series.id, series.name, learned?.baseline ?? null, 'rebaselined', replaces, note);
  record({ ...eventOf(orgId, series, 'drift.baselined', nowMs, data), actor, id: newResourceId() });
}

function usualThreshold(): number {
  return thresholdFor({ seriesCount: 0, observationsPerSecond: 0, falseAlarmsPerYear: 1 });
}

/** Says that somebody cares for the drift that persists, with its event. Throws `not_found`, and `conflict` where there is nothing to say it of. */
export async function acknowledgeMonitor(services: Services, call: Call, id: Buffer | null, note: string | null): Promise<void> {
  const { principal, address, newResourceId } = call;
  const { uuid: orgId } = principal.organization;
  const nowMs = services.clock();
  await services.journal.transaction(async (tx, record) => {
    const stored = id === null || principal.mode === 'test' ? null : await findMonitorById(tx, orgId, id);
    if (stored === null) throw notFound('drift monitor');
    const episode = await lockOpenEpisode(tx, orgId, stored.uuid);
    if (episode === null) throw new AppError('conflict', noEpisodeMessage(stored));
    if (episode.acknowledgment !== null) throw new AppError('conflict', 'This drift has been acknowledged already.');
    await acknowledgeEpisode(tx, orgId, episode.uuid, { atMs: nowMs, by: principal.id, note });
    const data = acknowledgedData(stored.id, stored, episode.uuid, note);
    const event = eventOf(orgId, { name: stored }, 'drift.acknowledged', nowMs, data);
    record({ ...event, actor: actorOf(principal, address), id: newResourceId() });
  });
}

function noEpisodeMessage({ state }: StoredMonitor): string {
  // In the quiet time after another, or switched off.
  if (state === 'sustained') return 'This drift has not been told of, so there is nothing to acknowledge yet.';
  return 'Nothing drifts here at the moment.';
}

/** Whether a request whose event has this id was carried out. */
export async function isDone(services: Services, { organization }: Principal, eventId: Buffer): Promise<boolean> {
  return (await findEventById(services.db, organization.uuid, eventId)) !== null;
}

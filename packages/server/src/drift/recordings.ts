// Writes down what was found: events for the trail and for who listens, and the episodes that monitors remember.

import { changeEvent, type Actor, type RecordEvent } from '../journal/journal.ts';
import type { Database, Transaction } from '../storage/database.ts';
import { baselinedData, recoveredData, sustainedData } from './events.ts';
import { sampleRowOf } from './samples.ts';
import type { Series, News } from './series.ts';
import type { Found } from './organization.ts';
import { endEpisode, findEpisodeById, findSampleIds, insertEpisode } from './store.ts';

const SYSTEM: Actor = { type: 'system', id: null, ip: null };

/** Writes within the transaction that keeps the monitors, after they are written. */
export type Recording = (tx: Transaction, record: RecordEvent) => Promise<void>;

/** What is to be written of something that was found. Looks up beforehand what takes time. */
export async function recordingOf(db: Database, orgId: Buffer, found: Found): Promise<Recording> {
  const { series, news, coincidesWith, falseAlarmsPerYear } = found;
  switch (news.type) {
    case 'suspected':
    case 'cleared':
      // For the monitor alone: what is suspected is no news yet.
      return async () => {};
    case 'baselined':
      return async (_tx, record) => {
        const data = baselinedData(series.id, series.name, news.baseline, news.reason, news.replaces, null);
        record(eventOf(orgId, series, 'drift.baselined', news.atMs, data));
      };
    case 'sustained': {
      const sampleEventIds = await findSampleIds(db.reader, orgId, news.report.sample_ids.map(sampleRowOf));
      const known = { baseline: news.baseline, falseAlarmsPerYear, coincidesWith, sampleEventIds };
      const data = sustainedData(series.id, series.name, news.report, known);
      return async (tx, record) => {
        const { onset: onsetMs } = news.report;
        const episode = { uuid: news.eventId, monitorId: series.uuid, onsetMs, sustainedAtMs: news.atMs };
        await insertEpisode(tx, orgId, { ...episode, report: JSON.stringify(data) });
        record({ ...eventOf(orgId, series, 'drift.sustained', news.atMs, data), id: news.eventId });
      };
    }
    case 'ended':
      return (tx, record) => recordEnd(tx, record, orgId, series, news, SYSTEM);
  }
}

/** Writes the end of an episode, with its event. `actor`: who ended it. */
export async function recordEnd(
  tx: Transaction,
  record: RecordEvent,
  orgId: Buffer,
  series: Series,
  news: News & { readonly type: 'ended' },
  actor: Actor,
): Promise<void> {
  const { episodeId, atMs, resolution, report, baseline } = news;
  const episode = await findEpisodeById(tx, orgId, episodeId);
  if (episode === null) return;
  await endEpisode(tx, orgId, episodeId, atMs, resolution);
  // What takes its place tells of it.
  if (resolution === 'superseded') return;
  const ended = { eventId: episodeId, atMs, resolution, report, baseline };
  const data = recoveredData(series.id, series.name, episode.report, ended);
  record({ ...eventOf(orgId, series, 'drift.recovered', atMs, data), actor });
}

/** An event of a series, by the service itself. */
export function eventOf(orgId: Buffer, { name }: Pick<Series, 'name'>, kind: string, atMs: number, data: object) {
  return { ...changeEvent(orgId, kind, SYSTEM, atMs, data), model: name.model };
}

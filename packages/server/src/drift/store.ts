// SQL over cursors, monitors, points and episodes of drift.

import type { MonitorDescription } from '@svc/drift';
import type { DriftSignal } from '@svc/engine';
import { idFromUuidText, parseId, uuidText } from '../ids.ts';
import { bigintArray, byteaArray, textArray, timestampArray, uuidArray } from '../journal/arrays.ts';
import type { Queryable, Transaction } from '../storage/database.ts';

/** What a series is called. */
export interface SeriesName {
  readonly model: string;
  readonly group: string;
  readonly signal: DriftSignal;
}

type MonitorState = 'learning' | 'watching' | 'suspect' | 'sustained';

/** With which settings a detector was made. */
export interface DetectorSettings {
  readonly tolerance: number;
  readonly season: 'none' | 'day' | 'week';
  /** False: nothing is counted for the time being. */
  readonly enabled: boolean;
}

/** A baseline as the trail has it. */
export interface KeptBaseline {
  /** `bl_…` */
  readonly id: string;
  readonly sha256: string;
  readonly n: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly value: number | null;
}

/** What is known of a series beside its detector. Kept as JSON. */
export interface SeriesMemory {
  /** The latest time of an observation; `null`: there was none. */
  clockMs: number | null;
  baseline: KeptBaseline | null;
  /** The first observation that the next baseline is learned from; `null`: nothing is being learned, or nothing has come. */
  learningSinceMs: number | null;
  /** That the next baseline is the answer to somebody's wish. */
  isRebaselining: boolean;
  /** While something may be going on; `null`: nothing. */
  suspicion: { readonly atMs: number; readonly onsetMs: number } | null;
  /** The drift that persists, by its event's id in hex; `null`: none. */
  episode: { readonly id: string; readonly onsetMs: number; readonly sustainedAtMs: number } | null;
  /** When the trail last told of it; absent: before that was kept. */
  heardAtMs?: number;
  /** Of a mix: the names that charts show. */
  labels: string[];
  /** Of the mix of versions: those that were met last, and when first. */
  versions: { readonly name: string; readonly sinceMs: number }[];
}

/** What a detector says of itself; the drift that persists is an episode. */
type Description = Omit<MonitorDescription, 'episode'>;

/** A monitor as it is kept. */
export interface StoredMonitor extends SeriesName {
  /** `mon_…` */
  readonly id: string;
  readonly uuid: Buffer;
  readonly state: MonitorState;
  readonly settings: DetectorSettings;
  readonly detector: Buffer;
  /** How the detector stood when it was kept. */
  readonly description: Description;
  readonly memory: SeriesMemory;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface MonitorRow {
  readonly id: string;
  readonly model: string;
  readonly group_name: string;
  readonly signal: string;
  readonly state: MonitorState;
  readonly settings: DetectorSettings;
  readonly detector: Buffer;
  readonly description: string;
  readonly memory: string;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const MONITOR_COLUMNS =
  'id, model, group_name, signal, state, settings, detector, description, memory, episode_id, created_at, updated_at';

function monitorOf(row: MonitorRow): StoredMonitor {
  const id = idFromUuidText('mon', row.id);
  return {
    id,
    uuid: parseId('mon', id)!,
    model: row.model,
    group: row.group_name,
    signal: row.signal as DriftSignal,
    state: row.state,
    settings: row.settings,
    detector: row.detector,
    description: JSON.parse(row.description) as Description,
    memory: JSON.parse(row.memory) as SeriesMemory,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

/** What holds for all monitors of an organization, as of its cursor. Kept as JSON. */
export interface OrganizationState {
  /** In force at the cursor; 0: before the first one. */
  policyVersion: number;
  /** Evidence from which on something is suspected. */
  threshold: number;
  /** Observations by hour of their recording, the last 24 hours in which there were any, oldest first. */
  hours: { readonly atMs: number; observations: number }[];
  /** The last ones, oldest first. */
  policyChanges: { readonly version: number; readonly atMs: number }[];
  /** Up to which event the threshold has taken the hour that is on into account; absent: not yet. */
  rethoughtAt?: number;
  /** Absent: nothing has been read since it is kept. */
  clock?: TrailClock;
  /** Models and groups that are watched among the others, and how much was heard of them lately; absent: none. */
  candidates?: readonly Candidate[];
}

/** A model and group that may get a place of its own. */
export interface Candidate extends Pick<SeriesName, 'model' | 'group'> {
  readonly n: number;
}

/** A clock that never goes back, though those that recorded the trail may. */
export interface TrailClock {
  /** What it shows. */
  readonly atMs: number;
  /** What the recording clock showed last. */
  readonly recordedAtMs: number;
}

export interface Cursor {
  readonly sequence: number;
  readonly state: OrganizationState | null;
}

/** An organization whose trail has not been read to its end. */
export interface Unread {
  readonly orgId: Buffer;
  /** The newest event. */
  readonly last: number;
}

const ORGANIZATIONS_AT_ONCE = 1_000;
/** A node that does not renew it in time is taken for dead. */
const LEASE_SECONDS = 15;

const bytesOf = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex');

/** What one that reads has read, kept or not. */
export interface Reading {
  readonly owner: Buffer;
  readonly sequence: number;
}

/**
 * Those whose trail goes on behind what was read of it, and that nobody reads but one of `readings`; without those `resting`. In the order of
 * their ids, beginning behind `after` and going round, so that with more than `limit` each has its turn.
 */
export async function listUnread(
  db: Queryable,
  readings: readonly Reading[],
  resting: readonly Buffer[],
  after: Buffer,
  limit: number = ORGANIZATIONS_AT_ONCE,
): Promise<Unread[]> {
  const { rows } = await db.query<{ org_id: string; last_sequence: string }>({
    name: 'drift_list_unread',
    text: `SELECT c.org_id, c.last_sequence FROM event_counters c LEFT JOIN drift_cursors d USING (org_id)
             LEFT JOIN unnest($1::uuid[], $2::int8[]) AS r (owner, sequence) ON r.owner = d.owner
            WHERE c.last_sequence > coalesce(r.sequence, d.sequence, 0)
              AND (d.owner IS NULL OR d.lease_until IS NULL OR d.lease_until < clock_timestamp() OR r.owner IS NOT NULL)
              AND c.org_id <> ALL ($3::uuid[])
            ORDER BY c.org_id > $4 DESC, c.org_id LIMIT $5`,
    values: [
      uuidArray(readings.map(({ owner }) => owner)),
      bigintArray(readings.map(({ sequence }) => sequence)),
      uuidArray(resting),
      uuidText(after),
      limit,
    ],
  });
  return rows.map((row) => ({ orgId: bytesOf(row.org_id), last: Number(row.last_sequence) }));
}

/** Makes `owner` the one that reads, where nobody does; `null`: somebody does. */
export async function claimCursor(db: Queryable, orgId: Buffer, owner: Buffer): Promise<Cursor | null> {
  const { rows } = await db.query<{ sequence: string; state: OrganizationState | null }>(
    `INSERT INTO drift_cursors AS d (org_id, sequence, owner, lease_until)
     VALUES ($1, 0, $2, clock_timestamp() + interval '${LEASE_SECONDS} seconds')
     ON CONFLICT (org_id) DO UPDATE SET owner = excluded.owner, lease_until = excluded.lease_until
        WHERE d.owner IS NULL OR d.lease_until IS NULL OR d.lease_until < clock_timestamp()
     RETURNING sequence, state`,
    [uuidText(orgId), uuidText(owner)],
  );
  return rows[0] === undefined ? null : { sequence: Number(rows[0].sequence), state: rows[0].state };
}

/** Goes on being the one that reads, wherever one of `owners` still is. */
export async function renewLeases(db: Queryable, owners: readonly Buffer[]): Promise<void> {
  // What is locked is being kept at the moment, which renews it too; nothing else waits for it.
  await db.query(
    `UPDATE drift_cursors SET lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
      WHERE org_id IN (SELECT org_id FROM drift_cursors WHERE owner = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED)`,
    [uuidArray(owners)],
  );
}

/** Lets another one read at once. */
export async function releaseLease(db: Queryable, orgId: Buffer, owner: Buffer): Promise<void> {
  await db.query('UPDATE drift_cursors SET owner = NULL, lease_until = NULL WHERE org_id = $1 AND owner = $2', [
    uuidText(orgId),
    uuidText(owner),
  ]);
}

/**
 * Writes how far the trail was read, if `owner` still is the one that reads. False: it is not, and nothing of what it found may be written.
 * The row stays locked until the transaction ends, so that nobody takes over in the middle.
 */
export async function advanceCursor(
  tx: Transaction,
  orgId: Buffer,
  owner: Buffer,
  { sequence, state }: Cursor,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE drift_cursors
        SET sequence = $3, state = $4, lease_until = clock_timestamp() + interval '${LEASE_SECONDS} seconds'
      WHERE org_id = $1 AND owner = $2`,
    [uuidText(orgId), uuidText(owner), sequence, JSON.stringify(state)],
  );
  return rowCount === 1;
}

/**
 * Ends what any node knows of the organization's monitors in memory, and answers how far the trail was read. Until the transaction ends nobody
 * else reads or changes them; whoever reads next goes on from there.
 */
export async function seizeCursor(tx: Transaction, orgId: Buffer): Promise<Cursor | null> {
  const { rows } = await tx.query<{ sequence: string; state: OrganizationState | null }>(
    'UPDATE drift_cursors SET owner = NULL, lease_until = NULL WHERE org_id = $1 RETURNING sequence, state',
    [uuidText(orgId)],
  );
  return rows[0] === undefined ? null : { sequence: Number(rows[0].sequence), state: rows[0].state };
}

/** A model and group that is watched, and whether it could make room for another. */
export interface Standing {
  /** When the trail last told of it. */
  readonly heardAtMs: number;
  /** That there is, or was, a baseline. */
  readonly hasBaseline: boolean;
  readonly isDrifting: boolean;
}

/** The models and groups that are watched. */
export async function listPairs(
  db: Queryable,
  orgId: Buffer,
): Promise<(Pick<SeriesName, 'model' | 'group'> & { readonly standing: Standing })[]> {
  const { rows } = await db.query<{
    model: string;
    group_name: string;
    heard_at_ms: number;
    has_baseline: boolean;
    is_drifting: boolean;
  }>(
    `SELECT model, group_name,
            max(coalesce((memory::json->>'heardAtMs')::float8, extract(epoch FROM updated_at)::float8 * 1000)) AS heard_at_ms,
            bool_or(memory::json->>'baseline' IS NOT NULL) AS has_baseline, bool_or(episode_id IS NOT NULL) AS is_drifting
       FROM drift_monitors WHERE org_id = $1 GROUP BY model, group_name`,
    [uuidText(orgId)],
  );
  return rows.map((row) => ({
    model: row.model,
    group: row.group_name,
    standing: { heardAtMs: row.heard_at_ms, hasBaseline: row.has_baseline, isDrifting: row.is_drifting },
  }));
}

/** Deletes all that is known of models and groups. */
export async function deletePairs(
  tx: Transaction,
  orgId: Buffer,
  pairs: readonly Pick<SeriesName, 'model' | 'group'>[],
): Promise<void> {
  if (pairs.length === 0) return;
  await tx.query(
    `DELETE FROM drift_monitors m USING unnest($2::text[], $3::text[]) AS p (model, group_name)
      WHERE m.org_id = $1 AND m.model = p.model AND m.group_name = p.group_name`,
    [uuidText(orgId), textArray(pairs.map(({ model }) => model)), textArray(pairs.map(({ group }) => group))],
  );
}

/** The monitors of a model and group. */
export async function findMonitorsOfPair(
  db: Queryable,
  orgId: Buffer,
  { model, group }: Pick<SeriesName, 'model' | 'group'>,
): Promise<StoredMonitor[]> {
  const { rows } = await db.query<MonitorRow>(
    `SELECT ${MONITOR_COLUMNS} FROM drift_monitors WHERE org_id = $1 AND model = $2 AND group_name = $3`,
    [uuidText(orgId), model, group],
  );
  return rows.map(monitorOf);
}

/** Models and groups of which something persists or is suspected. */
export async function listRestlessPairs(db: Queryable, orgId: Buffer): Promise<Pick<SeriesName, 'model' | 'group'>[]> {
  const { rows } = await db.query<{ model: string; group_name: string }>(
    `SELECT DISTINCT model, group_name FROM drift_monitors
      WHERE org_id = $1 AND (state IN ('suspect', 'sustained') OR episode_id IS NOT NULL)`,
    [uuidText(orgId)],
  );
  return rows.map(({ model, group_name: group }) => ({ model, group }));
}

export async function findMonitorById(db: Queryable, orgId: Buffer, id: Buffer): Promise<StoredMonitor | null> {
  const { rows } = await db.query<MonitorRow>(`SELECT ${MONITOR_COLUMNS} FROM drift_monitors WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : monitorOf(rows[0]);
}

/** What a list may ask for; absent: anything. */
export interface MonitorFilter {
  readonly state?: MonitorState | undefined;
  readonly model?: string | undefined;
  readonly group?: string | undefined;
  readonly signal?: string | undefined;
}

/** Newest first; ids are ascending in time. */
export async function listMonitors(
  db: Queryable,
  orgId: Buffer,
  filter: MonitorFilter,
  before: Buffer | null,
  limit: number,
): Promise<StoredMonitor[]> {
  const { rows } = await db.query<MonitorRow>(
    `SELECT ${MONITOR_COLUMNS} FROM drift_monitors
      WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR state = $3) AND ($4::text IS NULL OR model = $4)
        AND ($5::text IS NULL OR group_name = $5) AND ($6::text IS NULL OR signal = $6)
      ORDER BY id DESC LIMIT $7`,
    [
      uuidText(orgId),
      before === null ? null : uuidText(before),
      filter.state ?? null,
      filter.model ?? null,
      filter.group ?? null,
      filter.signal ?? null,
      limit,
    ],
  );
  return rows.map(monitorOf);
}

// Some kilobytes each.
const MONITORS_AT_ONCE = 500;

/** Writes monitors as they are now, those that are new too. */
export async function putMonitors(tx: Transaction, orgId: Buffer, monitors: readonly StoredMonitor[]): Promise<void> {
  for (let i = 0; i < monitors.length; i += MONITORS_AT_ONCE) await putSome(tx, orgId, monitors.slice(i, i + MONITORS_AT_ONCE));
}

async function putSome(tx: Transaction, orgId: Buffer, monitors: readonly StoredMonitor[]): Promise<void> {
  await tx.query({
    name: 'drift_put_monitors',
    text: `INSERT INTO drift_monitors (org_id, ${MONITOR_COLUMNS})
           SELECT $1, m.id, m.model, m.group_name, m.signal, m.state, m.settings::json, m.detector, m.description, m.memory, m.episode_id, m.created_at, m.updated_at
             FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bytea[], $9::text[],
                         $10::text[], $11::uuid[], $12::timestamptz[], $13::timestamptz[])
               AS m (id, model, group_name, signal, state, settings, detector, description, memory, episode_id, created_at, updated_at)
           ON CONFLICT (org_id, id) DO UPDATE
              SET state = excluded.state, settings = excluded.settings, detector = excluded.detector,
                  description = excluded.description, memory = excluded.memory,
                  episode_id = excluded.episode_id, updated_at = excluded.updated_at`,
    values: [
      uuidText(orgId),
      uuidArray(monitors.map(({ uuid }) => uuid)),
      textArray(monitors.map(({ model }) => model)),
      textArray(monitors.map(({ group }) => group)),
      textArray(monitors.map(({ signal }) => signal)),
      textArray(monitors.map(({ state }) => state)),
      textArray(monitors.map(({ settings }) => JSON.stringify(settings))),
      byteaArray(monitors.map(({ detector }) => detector)),
      textArray(monitors.map(({ description }) => JSON.stringify(description))),
      textArray(monitors.map(({ memory }) => JSON.stringify(memory))),
      monitors.map(({ memory: { episode } }) => (episode === null ? null : uuidText(Buffer.from(episode.id, 'hex')))),
      timestampArray(monitors.map(({ createdAtMs }) => createdAtMs)),
      timestampArray(monitors.map(({ updatedAtMs }) => updatedAtMs)),
    ],
  });
}

/** What was seen within an hour. */
export interface Point {
  /** When the hour begins. */
  readonly hourMs: number;
  readonly n: number;
  readonly sum: number;
  readonly sumSquares: number;
  /** Of a mix, by index of the monitor's labels; those beyond the last are 0. */
  readonly counts: readonly number[] | null;
}

/** Adds what was seen to what is kept of the hours. */
export async function addPoints(
  tx: Transaction,
  orgId: Buffer,
  points: readonly (Point & { readonly monitorId: Buffer })[],
): Promise<void> {
  if (points.length === 0) return;
  await tx.query({
    name: 'drift_add_points',
    text: `INSERT INTO drift_points AS p (org_id, monitor_id, hour, n, sum, sum_squares, counts)
           SELECT $1, a.monitor_id, a.hour, a.n, a.sum, a.sum_squares, a.counts::bigint[]
             FROM unnest($2::uuid[], $3::timestamptz[], $4::int8[], $5::float8[], $6::float8[], $7::text[])
               AS a (monitor_id, hour, n, sum, sum_squares, counts)
           ON CONFLICT (org_id, monitor_id, hour) DO UPDATE
              SET n = p.n + excluded.n, sum = p.sum + excluded.sum, sum_squares = p.sum_squares + excluded.sum_squares,
                  counts = CASE WHEN excluded.counts IS NULL THEN p.counts ELSE
                    (SELECT array_agg(coalesce(c.a, 0) + coalesce(c.b, 0) ORDER BY c.i)
                       FROM unnest(p.counts, excluded.counts) WITH ORDINALITY AS c (a, b, i)) END`,
    values: [
      uuidText(orgId),
      uuidArray(points.map(({ monitorId }) => monitorId)),
      timestampArray(points.map(({ hourMs }) => hourMs)),
      bigintArray(points.map(({ n }) => n)),
      points.map(({ sum }) => sum),
      points.map(({ sumSquares }) => sumSquares),
      textArray(points.map(({ counts }) => (counts === null ? null : `{${counts.join(',')}}`))),
    ],
  });
}

/** Oldest first, from `sinceMs` on. */
export async function listPoints(db: Queryable, orgId: Buffer, monitorId: Buffer, sinceMs: number): Promise<Point[]> {
  const { rows } = await db.query<{ hour: Date; n: string; sum: number; sum_squares: number; counts: string[] | null }>(
    `SELECT hour, n, sum, sum_squares, counts FROM drift_points WHERE org_id = $1 AND monitor_id = $2 AND hour >= $3 ORDER BY hour`,
    [uuidText(orgId), uuidText(monitorId), new Date(sinceMs)],
  );
  return rows.map((row) => ({
    hourMs: row.hour.getTime(),
    n: Number(row.n),
    sum: row.sum,
    sumSquares: row.sum_squares,
    counts: row.counts?.map(Number) ?? null,
  }));
}

export type Resolution = 'recovered' | 'rebaselined' | 'disabled' | 'superseded';

/** A drift that persisted. */
export interface Episode {
  /** Of its `drift.sustained` event. */
  readonly uuid: Buffer;
  readonly monitorId: Buffer;
  readonly onsetMs: number;
  readonly sustainedAtMs: number;
  readonly endedAtMs: number | null;
  readonly resolution: Resolution | null;
  /** The event's data. */
  readonly report: Readonly<Record<string, unknown>>;
  readonly acknowledgment: Acknowledgment | null;
}

export interface Acknowledgment {
  readonly atMs: number;
  readonly by: string | null;
  readonly note: string | null;
}

interface EpisodeRow {
  readonly id: string;
  readonly monitor_id: string;
  readonly onset_at: Date;
  readonly sustained_at: Date;
  readonly ended_at: Date | null;
  readonly resolution: Resolution | null;
  readonly report: string;
  readonly acknowledged_at: Date | null;
  readonly acknowledged_by: string | null;
  readonly acknowledgment_note: string | null;
}

const EPISODE_COLUMNS =
  'id, monitor_id, onset_at, sustained_at, ended_at, resolution, report, acknowledged_at, acknowledged_by, acknowledgment_note';

function episodeOf(row: EpisodeRow): Episode {
  const { acknowledged_at: at, acknowledged_by: by, acknowledgment_note: note } = row;
  return {
    uuid: bytesOf(row.id),
    monitorId: bytesOf(row.monitor_id),
    onsetMs: row.onset_at.getTime(),
    sustainedAtMs: row.sustained_at.getTime(),
    endedAtMs: row.ended_at?.getTime() ?? null,
    resolution: row.resolution,
    report: JSON.parse(row.report) as Record<string, unknown>,
    acknowledgment: at === null ? null : { atMs: at.getTime(), by, note },
  };
}

export async function insertEpisode(
  tx: Transaction,
  orgId: Buffer,
  {
    uuid,
    monitorId,
    onsetMs,
    sustainedAtMs,
    report,
  }: Omit<Episode, 'endedAtMs' | 'resolution' | 'acknowledgment' | 'report'> & {
    readonly report: string;
  },
): Promise<void> {
  await tx.query(
    `INSERT INTO drift_episodes (org_id, id, monitor_id, onset_at, sustained_at, report) VALUES ($1, $2, $3, $4, $5, $6)`,
    [uuidText(orgId), uuidText(uuid), uuidText(monitorId), new Date(onsetMs), new Date(sustainedAtMs), report],
  );
}

export async function endEpisode(
  tx: Transaction,
  orgId: Buffer,
  uuid: Buffer,
  endedAtMs: number,
  resolution: Resolution,
): Promise<void> {
  await tx.query('UPDATE drift_episodes SET ended_at = $3, resolution = $4 WHERE org_id = $1 AND id = $2 AND ended_at IS NULL', [
    uuidText(orgId),
    uuidText(uuid),
    new Date(endedAtMs),
    resolution,
  ]);
}

export async function findEpisodeById(db: Queryable, orgId: Buffer, uuid: Buffer): Promise<Episode | null> {
  const { rows } = await db.query<EpisodeRow>(`SELECT ${EPISODE_COLUMNS} FROM drift_episodes WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(uuid),
  ]);
  return rows[0] === undefined ? null : episodeOf(rows[0]);
}

/** Newest first. */
export async function listEpisodes(db: Queryable, orgId: Buffer, monitorId: Buffer, limit: number): Promise<Episode[]> {
  const { rows } = await db.query<EpisodeRow>(
    `SELECT ${EPISODE_COLUMNS} FROM drift_episodes WHERE org_id = $1 AND monitor_id = $2 ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), uuidText(monitorId), limit],
  );
  return rows.map(episodeOf);
}

/** The drift of each monitor that has not ended, by the monitor's id in hex. */
export async function findOpenEpisodes(
  db: Queryable,
  orgId: Buffer,
  monitorIds: readonly Buffer[],
): Promise<ReadonlyMap<string, Episode>> {
  const { rows } = await db.query<EpisodeRow>(
    `SELECT ${EPISODE_COLUMNS} FROM drift_episodes WHERE org_id = $1 AND monitor_id = ANY ($2::uuid[]) AND ended_at IS NULL`,
    [uuidText(orgId), monitorIds.map(uuidText)],
  );
  return new Map(rows.map(episodeOf).map((episode) => [episode.monitorId.toString('hex'), episode]));
}

/** The drift of a monitor that has not ended, which nobody else changes until the transaction ends. */
export async function lockOpenEpisode(tx: Transaction, orgId: Buffer, monitorId: Buffer): Promise<Episode | null> {
  const { rows } = await tx.query<EpisodeRow>(
    `SELECT ${EPISODE_COLUMNS} FROM drift_episodes WHERE org_id = $1 AND monitor_id = $2 AND ended_at IS NULL
      ORDER BY id DESC LIMIT 1 FOR UPDATE`,
    [uuidText(orgId), uuidText(monitorId)],
  );
  return rows[0] === undefined ? null : episodeOf(rows[0]);
}

export async function acknowledgeEpisode(
  tx: Transaction,
  orgId: Buffer,
  uuid: Buffer,
  { atMs, by, note }: Acknowledgment,
): Promise<void> {
  await tx.query(
    `UPDATE drift_episodes SET acknowledged_at = $3, acknowledged_by = $4, acknowledgment_note = $5 WHERE org_id = $1 AND id = $2`,
    [uuidText(orgId), uuidText(uuid), new Date(atMs), by, note],
  );
}

/** An inference by which an observation is found again: an event of the trail, or a row of what a probe reported. */
export interface SampleRow {
  readonly sequence: number;
  readonly position: number | null;
}

/**
 * The ids by which people find inferences: of each the event that tells of it (`evt_…`), else the probe's own id; in the order that was asked.
 * Those that are not kept any more are left out.
 */
export async function findSampleIds(db: Queryable, orgId: Buffer, samples: readonly SampleRow[]): Promise<string[]> {
  if (samples.length === 0) return [];
  const { rows } = await db.query<{ i: string; event: string | null; name: string | null }>(
    // The events of a batch's inferences follow it in the same commit; what they hold is looked at as text, which is what it is kept as.
    `SELECT s.i, CASE WHEN s.position IS NULL THEN b.id ELSE e.id END AS event, t.event_id AS name
       FROM unnest($2::int8[], $3::int4[]) WITH ORDINALITY AS s (sequence, position, i)
       JOIN events b ON b.org_id = $1 AND b.sequence = s.sequence
       LEFT JOIN telemetry t ON t.org_id = $1 AND t.batch_id = b.id AND t.position = s.position
       LEFT JOIN LATERAL (
         SELECT id FROM events o
          WHERE t.outcome IN ('flagged', 'blocked') AND o.org_id = $1 AND o.probe_id = t.probe_id
            AND o.sequence > s.sequence AND o.sequence <= s.sequence + ${BATCH_EVENTS_MAX}
            AND o.kind IN ('inference.flagged', 'inference.blocked')
            AND strpos(o.data, '"event_id":' || to_json(t.event_id)::text) > 0
          ORDER BY o.sequence LIMIT 1) AS e ON true
      ORDER BY s.i`,
    [uuidText(orgId), samples.map(({ sequence }) => sequence), samples.map(({ position }) => position)],
  );
  return rows.flatMap(({ event, name }) => (event === null ? (name === null ? [] : [name]) : [idFromUuidText('evt', event)]));
}

// A batch holds 500 inferences, each with one event at most.
const BATCH_EVENTS_MAX = 500;

/**
 * Deletes points that are older than charts reach, and monitors that have heard nothing for as long; but not those that are switched off, nor
 * those with a drift that persists, which is to end first (`listForsaken`).
 */
export async function purgeDrift(db: Queryable, nowMs: number): Promise<void> {
  const before = new Date(nowMs - CHART_DAYS * DAY_MS);
  for (;;) {
    const { rowCount } = await db.query(
      `DELETE FROM drift_points WHERE ctid = ANY (ARRAY(SELECT ctid FROM drift_points WHERE hour < $1 LIMIT ${ROWS_AT_ONCE}))`,
      [before],
    );
    if ((rowCount ?? 0) < ROWS_AT_ONCE) break;
  }
  await db.query(`DELETE FROM drift_monitors WHERE updated_at < $1 AND episode_id IS NULL AND (settings->>'enabled')::boolean`, [
    before,
  ]);
}

const FORSAKEN_AT_ONCE = 100;

/** Monitors with a drift that persists, which have heard nothing for as long as charts reach. */
export async function listForsaken(db: Queryable, nowMs: number): Promise<{ readonly orgId: Buffer; readonly id: Buffer }[]> {
  const { rows } = await db.query<{ org_id: string; id: string }>(
    `SELECT org_id, id FROM drift_monitors WHERE updated_at < $1 AND episode_id IS NOT NULL ORDER BY updated_at LIMIT ${FORSAKEN_AT_ONCE}`,
    [new Date(nowMs - CHART_DAYS * DAY_MS)],
  );
  return rows.map(({ org_id: orgId, id }) => ({ orgId: bytesOf(orgId), id: bytesOf(id) }));
}

/** How far charts reach. */
export const CHART_DAYS = 90;
const DAY_MS = 86_400_000;

const ROWS_AT_ONCE = 5_000;

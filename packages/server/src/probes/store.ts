// SQL over probes.

import { uuidText } from '../ids.ts';
import { uuidArray } from '../journal/arrays.ts';
import { AS_OF } from '../journal/change-feed.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import { int8Column, textColumn, timestampColumn } from './columns.ts';
import { INTERVAL_DEFAULT_S, LATE_MS, OFFLINE_INTERVALS } from './health.ts';
import type { TelemetrySource } from './telemetry-store.ts';

export type Mode = 'live' | 'test';
export type Labels = Readonly<Record<string, string>>;

/** Which probe. */
export type ProbeKey = TelemetrySource;

/** What a heartbeat says; `null`: it does not. */
export interface ProbeReport {
  readonly version: string | null;
  readonly startedAtMs: number | null;
  readonly policyVersion: number | null;
  readonly queue: { readonly depth: number; readonly dropped: number } | null;
  /** It decides by a policy whose time is up. */
  readonly saysStale: boolean;
}

export interface Probe extends ProbeReport {
  readonly id: string;
  readonly mode: Mode;
  readonly group: string;
  readonly reportedLabels: Labels;
  /** These stand over those. */
  readonly setLabels: Labels;
  /** `null`: the usual. */
  readonly expectedIntervalS: number | null;
  /** The interval that its last heartbeat was answered with; `null`: it never sent one. */
  readonly toldIntervalS: number | null;
  readonly registeredAtMs: number;
  readonly lastSeenAtMs: number;
  /** `null`: it never sent one. */
  readonly lastHeartbeatAtMs: number | null;
  /** Heartbeats in a row whose policy was behind. */
  readonly behindHeartbeats: number;
  /** Since when the trail says that it is offline; `null`: it does not. */
  readonly offlineSinceMs: number | null;
}

interface ProbeRow {
  readonly mode: Mode;
  readonly id: string;
  readonly group_name: string;
  readonly reported_labels: Labels;
  readonly set_labels: Labels;
  readonly expected_interval_s: number | null;
  readonly told_interval_s: number | null;
  readonly registered_at: Date;
  readonly last_seen_at: Date;
  readonly last_heartbeat_at: Date | null;
  readonly version: string | null;
  readonly started_at: Date | null;
  readonly policy_version: number | null;
  readonly queue_depth: string | null;
  readonly queue_dropped: string | null;
  readonly says_stale: boolean;
  readonly behind_heartbeats: number;
  readonly offline_since: Date | null;
}

const COLUMNS = `mode, id, group_name, reported_labels, set_labels, expected_interval_s, told_interval_s, registered_at, last_seen_at, last_heartbeat_at,
  version, started_at, policy_version, queue_depth, queue_dropped, says_stale, behind_heartbeats, offline_since`;

function probeOf(row: ProbeRow): Probe {
  return {
    id: row.id,
    mode: row.mode,
    group: row.group_name,
    reportedLabels: row.reported_labels,
    setLabels: row.set_labels,
    expectedIntervalS: row.expected_interval_s,
    toldIntervalS: row.told_interval_s,
    registeredAtMs: row.registered_at.getTime(),
    lastSeenAtMs: row.last_seen_at.getTime(),
    lastHeartbeatAtMs: row.last_heartbeat_at?.getTime() ?? null,
    version: row.version,
    startedAtMs: row.started_at?.getTime() ?? null,
    policyVersion: row.policy_version,
    queue: row.queue_depth === null ? null : { depth: Number(row.queue_depth), dropped: Number(row.queue_dropped) },
    saysStale: row.says_stale,
    behindHeartbeats: row.behind_heartbeats,
    offlineSinceMs: row.offline_since?.getTime() ?? null,
  };
}

const keyValues = ({ orgId, mode, probeId }: ProbeKey) => [uuidText(orgId), mode, probeId];

export async function findProbe(db: Queryable, key: ProbeKey): Promise<Probe | null> {
  const { rows } = await db.query<ProbeRow>(
    `SELECT ${COLUMNS} FROM probes WHERE org_id = $1 AND mode = $2 AND id = $3`,
    keyValues(key),
  );
  return rows[0] === undefined ? null : probeOf(rows[0]);
}

/** The probe, which nobody else changes until the transaction ends. */
export async function lockProbe(tx: Transaction, key: ProbeKey): Promise<Probe | null> {
  const { rows } = await tx.query<ProbeRow>(
    `SELECT ${COLUMNS} FROM probes WHERE org_id = $1 AND mode = $2 AND id = $3 FOR UPDATE`,
    keyValues(key),
  );
  return rows[0] === undefined ? null : probeOf(rows[0]);
}

/** All of the organization's probes of a mode, the newest first. There is a bound on them. */
export async function listProbes(db: Queryable, orgId: Buffer, mode: Mode): Promise<Probe[]> {
  const { rows } = await db.query<ProbeRow>(
    `SELECT ${COLUMNS} FROM probes WHERE org_id = $1 AND mode = $2 ORDER BY registered_at DESC, id`,
    [uuidText(orgId), mode],
  );
  return rows.map(probeOf);
}

/** The groups of the organization's probes by `nameOf` each, and the change up to which that is true. */
export async function findGroups(db: Queryable, orgId: Buffer): Promise<{ groups: Map<string, string>; asOf: number }> {
  const { rows } = await db.query<{ as_of: string; mode: Mode | null; id: string; group_name: string }>({
    name: 'find_probe_groups',
    text: `SELECT ${AS_OF}, p.mode, p.id, p.group_name FROM (SELECT 1) AS one LEFT JOIN probes p ON p.org_id = $1`,
    values: [uuidText(orgId)],
  });
  const probes = rows.filter(({ mode }) => mode !== null);
  return {
    groups: new Map(probes.map(({ mode, id, group_name: group }) => [`${mode} ${id}`, group])),
    asOf: Number(rows[0]!.as_of),
  };
}

/** How many the organization has of the mode. */
export async function countProbes(db: Queryable, { orgId, mode }: Omit<ProbeKey, 'probeId'>): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM probes WHERE org_id = $1 AND mode = $2',
    [uuidText(orgId), mode],
  );
  return rows[0]!.count;
}

/** Deletes the probe of the mode that was not seen for longest. */
export async function deleteLongestUnseen(tx: Transaction, { orgId, mode }: Omit<ProbeKey, 'probeId'>): Promise<void> {
  await tx.query(
    `DELETE FROM probes WHERE org_id = $1 AND mode = $2
        AND id = (SELECT id FROM probes WHERE org_id = $1 AND mode = $2 ORDER BY last_seen_at, id LIMIT 1)`,
    [uuidText(orgId), mode],
  );
}

export async function insertProbe(tx: Transaction, key: ProbeKey, nowMs: number): Promise<void> {
  await tx.query('INSERT INTO probes (org_id, mode, id, registered_at, last_seen_at) VALUES ($1, $2, $3, $4, $4)', [
    ...keyValues(key),
    new Date(nowMs),
  ]);
}

// A probe keeps to the interval that it was last told until it hears of another; `greatest` passes nulls over.
const EXPECTED_S = `coalesce(expected_interval_s, ${INTERVAL_DEFAULT_S})`;
const INTERVAL_S = `greatest(${EXPECTED_S}, told_interval_s)`;

// When a probe is taken for offline: some intervals after its last heartbeat. One that never sent any, after it was last seen, and only where
// somebody has set how often it is to be heard.
const OFFLINE_AT = `CASE
  WHEN last_heartbeat_at IS NOT NULL
    THEN last_heartbeat_at + make_interval(secs => ${OFFLINE_INTERVALS} * ${INTERVAL_S})
  WHEN expected_interval_s IS NOT NULL
    THEN last_seen_at + make_interval(secs => ${OFFLINE_INTERVALS} * expected_interval_s + ${LATE_MS / 1_000})
END`;

/** What a heartbeat changes. The probe is locked. */
export async function updateReported(
  tx: Transaction,
  key: ProbeKey,
  report: ProbeReport & { readonly labels: Labels; readonly group: string; readonly behindHeartbeats: number },
  nowMs: number,
): Promise<void> {
  await tx.query(
    `UPDATE probes SET last_seen_at = greatest(last_seen_at, $4), last_heartbeat_at = $4, version = $5, started_at = $6, policy_version = $7,
            queue_depth = $8, queue_dropped = $9, says_stale = $10, reported_labels = $11, group_name = $12, behind_heartbeats = $13,
            offline_since = NULL, told_interval_s = ${EXPECTED_S},
            offline_at = $4::timestamptz + make_interval(secs => ${OFFLINE_INTERVALS} * ${EXPECTED_S})
      WHERE org_id = $1 AND mode = $2 AND id = $3`,
    [
      ...keyValues(key),
      new Date(nowMs),
      report.version,
      report.startedAtMs === null ? null : new Date(report.startedAtMs),
      report.policyVersion,
      report.queue?.depth ?? null,
      report.queue?.dropped ?? null,
      report.saysStale,
      JSON.stringify(report.labels),
      report.group,
      report.behindHeartbeats,
    ],
  );
}

/** What is set by hand. The probe is locked. */
export async function updateSettings(
  tx: Transaction,
  key: ProbeKey,
  { setLabels, group, expectedIntervalS }: Pick<Probe, 'setLabels' | 'group' | 'expectedIntervalS'>,
): Promise<void> {
  await tx.query(
    'UPDATE probes SET set_labels = $4, group_name = $5, expected_interval_s = $6 WHERE org_id = $1 AND mode = $2 AND id = $3',
    [...keyValues(key), JSON.stringify(setLabels), group, expectedIntervalS],
  );
  await tx.query(`UPDATE probes SET offline_at = ${OFFLINE_AT} WHERE org_id = $1 AND mode = $2 AND id = $3`, keyValues(key));
}

export async function deleteProbe(tx: Transaction, key: ProbeKey): Promise<void> {
  await tx.query('DELETE FROM probes WHERE org_id = $1 AND mode = $2 AND id = $3', keyValues(key));
  await tx.query('DELETE FROM probe_minutes WHERE org_id = $1 AND mode = $2 AND probe_id = $3', keyValues(key));
}

/** What was seen of a probe since the last time that was written down. */
export interface Touch extends ProbeKey {
  readonly lastSeenAtMs: number;
}

/** What became of its telemetry within a minute. */
export interface MinuteCounts extends ProbeKey {
  readonly minuteMs: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/*
 * Rows are locked in the order of their key, as the watch does, so that two nodes do not wait for each other in a circle. A probe that has been
 * deleted meanwhile is not there to be touched.
 */
const TOUCH = `
WITH seen AS (
  SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[]) AS s (org_id, mode, id, at)
), locked AS MATERIALIZED (
  SELECT p.org_id, p.mode, p.id, s.at FROM probes p JOIN seen s USING (org_id, mode, id)
   ORDER BY p.org_id, p.mode, p.id FOR UPDATE OF p
)
UPDATE probes p SET last_seen_at = greatest(p.last_seen_at, l.at)
  FROM locked l WHERE (p.org_id, p.mode, p.id) = (l.org_id, l.mode, l.id)`;

/** Few have no heartbeats and are yet to be heard. */
const RENEW = `
UPDATE probes SET offline_at = ${OFFLINE_AT}
 WHERE last_heartbeat_at IS NULL AND expected_interval_s IS NOT NULL
   AND (org_id, mode, id) IN (SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[]))`;

export async function touchProbes(db: Queryable, touches: readonly Touch[]): Promise<void> {
  if (touches.length === 0) return;
  const keys = [
    uuidArray(touches.map(({ orgId }) => orgId)),
    textColumn(touches, ({ mode }) => mode),
    textColumn(touches, ({ probeId }) => probeId),
  ];
  await db.query(TOUCH, [...keys, timestampColumn(touches, ({ lastSeenAtMs }) => lastSeenAtMs)]);
  await db.query(RENEW, keys);
}

/** Adds to what is counted of each probe and minute. */
export async function addMinutes(db: Queryable, counts: readonly MinuteCounts[]): Promise<void> {
  if (counts.length === 0) return;
  await db.query(
    `INSERT INTO probe_minutes AS m (org_id, mode, probe_id, minute, accepted, duplicates, rejected)
     SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int8[], $6::int8[], $7::int8[]) AS n (a, b, c, d, e, f, g)
      ORDER BY 1, 2, 3, 4
     ON CONFLICT (org_id, mode, probe_id, minute) DO UPDATE
        SET accepted = m.accepted + excluded.accepted, duplicates = m.duplicates + excluded.duplicates,
            rejected = m.rejected + excluded.rejected`,
    [
      uuidArray(counts.map(({ orgId }) => orgId)),
      textColumn(counts, ({ mode }) => mode),
      textColumn(counts, ({ probeId }) => probeId),
      timestampColumn(counts, ({ minuteMs }) => minuteMs),
      int8Column(counts, ({ accepted }) => accepted),
      int8Column(counts, ({ duplicates }) => duplicates),
      int8Column(counts, ({ rejected }) => rejected),
    ],
  );
}

/** Events a minute, over the last minutes. */
export interface Rates {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
}

/** What the named probes reported since `sinceMs`, by probe; those that reported nothing are left out. */
export async function findCounts(
  db: Queryable,
  orgId: Buffer,
  mode: Mode,
  probeIds: readonly string[],
  sinceMs: number,
): Promise<ReadonlyMap<string, Rates>> {
  const { rows } = await db.query<{ probe_id: string; accepted: string; duplicates: string; rejected: string }>(
    `SELECT probe_id, sum(accepted) AS accepted, sum(duplicates) AS duplicates, sum(rejected) AS rejected FROM probe_minutes
      WHERE org_id = $1 AND mode = $2 AND probe_id = ANY ($3::text[]) AND minute >= $4 GROUP BY probe_id`,
    [uuidText(orgId), mode, probeIds, new Date(sinceMs)],
  );
  return new Map(
    rows.map(({ probe_id: id, accepted, duplicates, rejected }) => [
      id,
      { accepted: Number(accepted), duplicates: Number(duplicates), rejected: Number(rejected) },
    ]),
  );
}

/*
 * A node judges a probe only once it could have heard it: after the service was away, all probes would else be taken for offline. `$2` is since
 * when it listens.
 */
const HAS_GONE = `offline_since IS NULL AND offline_at <= $1
  AND $1 >= $2::timestamptz + make_interval(secs => ${OFFLINE_INTERVALS} * ${INTERVAL_S})`;
const HAS_COME_BACK = 'offline_since IS NOT NULL AND (offline_at IS NULL OR offline_at > $1)';

/** Organizations with live probes that have gone, or have come back, without the trail saying so. */
export async function listChanged(db: Queryable, nowMs: number, listeningSinceMs: number, limit: number): Promise<Buffer[]> {
  const { rows } = await db.query<{ org_id: string }>(
    `(SELECT DISTINCT org_id FROM probes WHERE mode = 'live' AND ${HAS_GONE} LIMIT $3)
     UNION (SELECT DISTINCT org_id FROM probes WHERE mode = 'live' AND ${HAS_COME_BACK} LIMIT $3)`,
    [new Date(nowMs), new Date(listeningSinceMs), limit],
  );
  return rows.map(({ org_id: id }) => Buffer.from(id.replaceAll('-', ''), 'hex'));
}

/** A probe whose state the trail does not have yet. */
export interface Changed {
  readonly id: string;
  readonly group: string;
  readonly isOffline: boolean;
  /** When it was last heard: its last heartbeat, or for one without any its last call. */
  readonly lastHeardAtMs: number;
  readonly offlineSinceMs: number | null;
}

/**
 * Marks them, and answers those that were changed: each by one transaction alone. The rows are locked, and what is looked for is looked at again
 * once they are.
 */
export async function markChanged(
  tx: Transaction,
  orgId: Buffer,
  nowMs: number,
  listeningSinceMs: number,
  limit: number,
): Promise<Changed[]> {
  const { rows } = await tx.query<{ id: string; group_name: string; offline_since: Date | null; heard_at: Date }>(
    `SELECT id, group_name, offline_since, coalesce(last_heartbeat_at, last_seen_at) AS heard_at FROM probes
      WHERE org_id = $3 AND mode = 'live' AND (${HAS_GONE} OR ${HAS_COME_BACK}) ORDER BY id LIMIT $4 FOR UPDATE`,
    [new Date(nowMs), new Date(listeningSinceMs), uuidText(orgId), limit],
  );
  if (rows.length === 0) return [];
  await tx.query(
    `UPDATE probes SET offline_since = CASE WHEN offline_since IS NULL THEN $3::timestamptz END
      WHERE org_id = $1 AND mode = 'live' AND id = ANY ($2::text[])`,
    [uuidText(orgId), rows.map(({ id }) => id), new Date(nowMs)],
  );
  return rows.map((row) => ({
    id: row.id,
    group: row.group_name,
    isOffline: row.offline_since === null,
    lastHeardAtMs: row.heard_at.getTime(),
    offlineSinceMs: row.offline_since?.getTime() ?? null,
  }));
}

const ROWS_AT_ONCE = 5_000;
const HOUR_MS = 3_600_000;
/** Objects of test keys. */
const TEST_RETENTION_HOURS = 24;

/** Deletes counts of an hour ago, and probes of test keys that were not seen for a day. */
export async function purgeProbes(db: Queryable, nowMs: number): Promise<void> {
  await deleteInTurns(db, 'probe_minutes', 'minute < $1', new Date(nowMs - HOUR_MS));
  await deleteInTurns(db, 'probes', `mode = 'test' AND last_seen_at < $1`, new Date(nowMs - TEST_RETENTION_HOURS * HOUR_MS));
}

async function deleteInTurns(db: Queryable, table: 'probe_minutes' | 'probes', where: string, before: Date): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query(
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE ${where} LIMIT ${ROWS_AT_ONCE}))`,
      [before],
    );
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
  }
}

/** A key that signs policies, sealed. */
export interface SigningKeyRecord {
  readonly keyId: string;
  readonly sealed: Buffer;
}

/** The organization's key; where it has none yet, `made` becomes it. However many nodes make one at once, all get the same. */
export async function findOrInsertSigningKey(
  db: Queryable,
  orgId: Buffer,
  make: () => SigningKeyRecord,
  nowMs: number,
): Promise<SigningKeyRecord> {
  const known = await findSigningKey(db, orgId);
  if (known !== null) return known;
  const made = make();
  await db.query(
    'INSERT INTO policy_signing_keys (org_id, key_id, created_at, sealed) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
    [uuidText(orgId), made.keyId, new Date(nowMs), made.sealed],
  );
  return (await findSigningKey(db, orgId))!;
}

async function findSigningKey(db: Queryable, orgId: Buffer): Promise<SigningKeyRecord | null> {
  const { rows } = await db.query<{ key_id: string; sealed: Buffer }>(
    'SELECT key_id, sealed FROM policy_signing_keys WHERE org_id = $1',
    [uuidText(orgId)],
  );
  return rows[0] === undefined ? null : { keyId: rows[0].key_id, sealed: rows[0].sealed };
}

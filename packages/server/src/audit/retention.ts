// Retention of the trail: from each organization's the oldest events are deleted, as many in a row as are older than its policy keeps them, with what is
// kept beside them. Their hashes stay in the tree, so every proof stays as good as it was.

import { DEFAULT_POLICY } from '@svc/engine';
import { forgetBlocksUpTo } from '../events/block-indexer.ts';
import { formatId, uuidText } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import { forEachOrganization } from '../organizations/each.ts';
import { findCurrentPolicy } from '../policy/store.ts';
import type { Services } from '../services.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import { firstUuidAt } from '../storage/partitions.ts';
import { findBeginning } from './beginning.ts';
import { believedTime } from './retention-clock.ts';

type Parts = Pick<Services, 'db' | 'journal' | 'vault' | 'log'>;

const DAY_MS = 86_400_000;
/** No policy keeps events for a shorter time. */
const RETENTION_DAYS_MIN = 183;
// Ids are made by the clocks of nodes, times of recording by the database's.
const CLOCK_SLACK_MS = DAY_MS;
/** For how long an event that something has yet to count is kept beyond its time. What is stuck must not keep personal data for ever. */
export const UNREAD_DAYS = 7;
const WINDOW = 20_000;
// A million events, told of as one.
const WINDOWS_MAX = 50;
const EVENTS_AT_ONCE = 1_000;
// Of up to 500 rows each.
const BATCHES_AT_ONCE = 20;
// Other work of housekeeping waits meanwhile.
const PASS_MS = 20_000;
// Any number that is ours alone: one node at a time deletes of an organization.
const PRUNING_LOCK = 7_381_011;

/** Deletes what policies keep no longer, as `pruneTrailsAt` does, where the clocks are to be believed. */
export async function pruneTrails(parts: Parts & Pick<Services, 'clock'>): Promise<boolean> {
  const nowMs = await believedTime(parts.db, parts.clock(), parts.log);
  return nowMs === null || pruneTrailsAt(parts, nowMs);
}

/**
 * Deletes what policies keep no longer at a time, for some seconds at most; false: there was more to do. Safe on many nodes, and to kill at any moment.
 * What goes is told by an `audit.pruned` in the trail, whose commit is that from which on `trees.kept_from` says so: events are deleted by a later call,
 * once a signed checkpoint covers it. Throws at the end for organizations that failed.
 */
export async function pruneTrailsAt(parts: Parts, nowMs: number): Promise<boolean> {
  const endsAt = performance.now() + PASS_MS;
  const isTimeUp = () => performance.now() > endsAt;
  let isAll = true;
  await forEachOrganization(await listOldest(parts.db, nowMs), async (orgId) => {
    if (!(await prune(parts, orgId, nowMs, isTimeUp))) isAll = false;
  });
  return isAll && !isTimeUp();
}

/** Organizations whose oldest event is told to be deleted, or may be by some policy; in no order, so that each has its turn. */
async function listOldest(db: Queryable, nowMs: number): Promise<Buffer[]> {
  const before = nowMs - RETENTION_DAYS_MIN * DAY_MS;
  const { rows } = await db.query<{ org_id: string }>(
    // The id leaves out the partitions of the last half year, of which nothing can be due.
    `SELECT t.org_id FROM trees t CROSS JOIN LATERAL (
        SELECT e.sequence, e.recorded_at FROM events e WHERE e.org_id = t.org_id AND e.id < $1 ORDER BY e.sequence LIMIT 1) oldest
      WHERE oldest.sequence < t.kept_from OR oldest.recorded_at < $2 ORDER BY random()`,
    [firstUuidAt(before + CLOCK_SLACK_MS), new Date(before)],
  );
  return rows.map(({ org_id: id }) => Buffer.from(id.replaceAll('-', ''), 'hex'));
}

/** False: there is more to do. */
async function prune(parts: Parts, orgId: Buffer, nowMs: number, isTimeUp: () => boolean): Promise<boolean> {
  const beginning = await findBeginning(parts.db, parts.vault, orgId);
  if (beginning === null) return true;
  const { keptFrom, explained, isPending } = beginning;
  if (isPending) return false;
  if (keptFrom !== explained) {
    parts.log.error(
      { ...named(orgId), kept_from: keptFrom, explained },
      'the trail is said to begin where no audit.pruned in the log says so: it was changed by hand, and nothing of it is deleted',
    );
    return true;
  }
  // First what an earlier pass told of and did not come to.
  await deletePruned(parts, orgId, keptFrom, isTimeUp);
  return !isTimeUp() && !(await advance(parts, orgId, keptFrom, nowMs));
}

function named(orgId: Buffer): { readonly org_id: string } {
  return { org_id: formatId('org', orgId) };
}

/** Says that the trail begins later than at `keptFrom` now; false: it does not. */
async function advance({ db, journal, log }: Parts, orgId: Buffer, keptFrom: number, nowMs: number): Promise<boolean> {
  // The policy is read here: PostgreSQL's own JSON operators fail at texts that may well be in one, such as an escaped NUL.
  const { document } = await findCurrentPolicy(db, orgId);
  const days = document.data?.retention_days ?? DEFAULT_POLICY.data.retention_days;
  // Whole days (UTC), so that a trail is told once a day that it begins later.
  const beforeMs = (Math.floor(nowMs / DAY_MS) - days) * DAY_MS;
  const trail = await findTrail(db, orgId);
  if (trail === null) return false;
  const { signed, read } = trail;
  const due = await findStaying(db, orgId, keptFrom, Math.min(signed, read), beforeMs);
  const isHeld = due.from > read && due.from <= signed;
  const overdue = isHeld
    ? await findStaying(db, orgId, due.from, signed, beforeMs - UNREAD_DAYS * DAY_MS)
    : { from: due.from, passed: 0, isGap: false };
  if (overdue.from > due.from)
    log.warn(
      { ...named(orgId), from: due.from, to: overdue.from - 1 },
      'events are deleted that usage, drift, exceptions or a candidate policy have not counted in time',
    );
  if (due.isGap || overdue.isGap)
    log.error(
      { ...named(orgId), sequence: overdue.from },
      'an event is missing that was not to be deleted yet: the trail was changed by hand, and nothing from there on is deleted',
    );
  if (overdue.from === keptFrom) return false;
  const pruned = {
    from: keptFrom,
    to: overdue.from - 1,
    before: new Date(beforeMs).toISOString(),
    events: due.passed + overdue.passed,
    checkpoint_size: signed,
  };
  return journal.transaction(async (tx, record) => {
    const told = changeEvent(orgId, 'audit.pruned', { type: 'system', id: null, ip: null }, nowMs, pruned);
    const { rowCount } = await tx.query('UPDATE trees SET kept_from = $3, pruned_by = $4 WHERE org_id = $1 AND kept_from = $2', [
      uuidText(orgId),
      keptFrom,
      overdue.from,
      uuidText(told.id),
    ]);
    // Another node has said so.
    if (rowCount === 0) return true;
    record(told);
    return true;
  });
}

interface Trail {
  /** Up to which event a signed checkpoint covers the trail. */
  readonly signed: number;
  /** Up to which event everything that counts from the trail has done so. */
  readonly read: number;
}

async function findTrail(db: Queryable, orgId: Buffer): Promise<Trail | null> {
  const { rows } = await db.query<{ signed: string; read: string }>(
    // Exceptions and candidates are counted where there are any.
    `SELECT least(t.size, t.signed_size) AS signed,
            least(coalesce(u.sequence, 0), coalesce(d.sequence, 0), coalesce(x.counted_to, t.size), coalesce(s.counted_to, t.size)) AS read
       FROM trees t LEFT JOIN usage_cursors u USING (org_id) LEFT JOIN drift_cursors d USING (org_id)
       LEFT JOIN policy_exception_cursors x USING (org_id) LEFT JOIN policy_shadows s USING (org_id)
      WHERE t.org_id = $1`,
    [uuidText(orgId)],
  );
  const row = rows[0];
  return row === undefined ? null : { signed: Number(row.signed), read: Number(row.read) };
}

interface Staying {
  readonly from: number;
  /** How many events are before it. */
  readonly passed: number;
  /** Whether there is no event at `from`. */
  readonly isGap: boolean;
}

/**
 * The first event of `[from, to]` that was recorded at `beforeMs` or later, or is not there, or the place behind `to`. Times do not always ascend where a
 * clock was set back: what is behind an event that stays, stays. An event that is missing was deleted by somebody else, who is not to be covered up.
 */
async function findStaying(db: Queryable, orgId: Buffer, from: number, to: number, beforeMs: number): Promise<Staying> {
  let [at, passed] = [from, 0];
  for (let window = 0; window < WINDOWS_MAX && at <= to; window++) {
    const upto = Math.min(to, at + WINDOW - 1);
    const { rows } = await db.query<{ staying: string; missing: string }>(
      `WITH looked_at AS MATERIALIZED (
              SELECT sequence, max(recorded_at) AS recorded_at FROM events WHERE org_id = $1 AND sequence >= $2 AND sequence <= $3 GROUP BY sequence),
            placed AS (SELECT sequence, $2::int8 - 1 + row_number() OVER (ORDER BY sequence) AS place FROM looked_at)
       SELECT (SELECT coalesce(min(sequence), $3::int8 + 1) FROM looked_at WHERE recorded_at >= $4) AS staying,
              (SELECT coalesce(min(place), $2::int8 + (SELECT count(*) FROM looked_at)) FROM placed WHERE sequence <> place) AS missing`,
      [uuidText(orgId), at, upto, new Date(beforeMs)],
    );
    const [staying, missing] = [Number(rows[0]!.staying), Number(rows[0]!.missing)];
    const end = Math.min(staying, missing);
    passed += end - at;
    at = end;
    if (at <= upto) return { from: at, passed, isGap: missing < staying };
  }
  return { from: at, passed, isGap: false };
}

/** Deletes what is before `keptFrom`. */
async function deletePruned({ db }: Parts, orgId: Buffer, keptFrom: number, isTimeUp: () => boolean): Promise<void> {
  let after: number | null = 0;
  do after = await db.transaction((tx) => deleteSome(tx, orgId, after!, keptFrom));
  while (after !== null && !isTimeUp());
}

/** Answers the last that was deleted; `null`: there is nothing, or another node is at it. */
async function deleteSome(tx: Transaction, orgId: Buffer, after: number, keptFrom: number): Promise<number | null> {
  const id = uuidText(orgId);
  const { rows: locked } = await tx.query<{ mine: boolean }>('SELECT pg_try_advisory_xact_lock($1, hashtext($2)) AS mine', [
    PRUNING_LOCK,
    id,
  ]);
  if (!locked[0]!.mine) return null;
  const { rows } = await tx.query<{ sequence: string; id: string; kind: string }>(
    `SELECT sequence, id, kind FROM events WHERE org_id = $1 AND sequence > $2 AND sequence < $3 ORDER BY sequence LIMIT ${EVENTS_AT_ONCE}`,
    [id, after, keptFrom],
  );
  const batches = rows.filter(({ kind }) => kind === 'telemetry.received').slice(0, BATCHES_AT_ONCE + 1);
  const gone = batches.length > BATCHES_AT_ONCE ? rows.slice(0, rows.indexOf(batches.at(-1)!)) : rows;
  if (gone.length === 0) return null;
  const ids = gone.map((event) => event.id);
  await tx.query('DELETE FROM telemetry WHERE org_id = $1 AND batch_id = ANY ($2::uuid[])', [
    id,
    batches.slice(0, BATCHES_AT_ONCE).map((batch) => batch.id),
  ]);
  await tx.query('DELETE FROM assessment_texts WHERE org_id = $1 AND id = ANY ($2::uuid[])', [id, ids]);
  // By sequence: for a thousand ids PostgreSQL may take it into its head to read the whole trail.
  await tx.query('DELETE FROM events WHERE org_id = $1 AND sequence >= $2 AND sequence <= $3', [
    id,
    gone[0]!.sequence,
    gone.at(-1)!.sequence,
  ]);
  const last = Number(gone.at(-1)!.sequence);
  await forgetBlocksUpTo(tx, orgId, last);
  return last;
}

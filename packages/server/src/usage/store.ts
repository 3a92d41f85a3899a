// Counts of assessments by day, made from the trail.

import { uuidText } from '../ids.ts';
import { ASSESSED_IN_DATA } from '../probes/trail-marks.ts';
import type { Database, Queryable } from '../storage/database.ts';

/** Assessments of one day (UTC). */
export interface UsageDay {
  /** `YYYY-MM-DD` */
  readonly day: string;
  readonly allowed: number;
  readonly flagged: number;
  readonly blocked: number;
}

// Some 50 ms of work, during which the organization's cursor is locked.
const EVENTS_AT_ONCE = 50_000;
const ORGANIZATIONS_AT_ONCE = 1_000;

/*
 * The cursor's row is locked first, so that no event is counted twice however many nodes count. Events up to the cursor's new place are all
 * committed: a sequence is given inside the commit. What a probe sent is counted from the event of its batch, which tells how many texts were
 * assessed; an inference with an event of its own is among these, or was decided by the probe and has cost nothing.
 */
const COUNT = `
WITH cursor AS MATERIALIZED (
  SELECT u.sequence, least(c.last_sequence, u.sequence + ${EVENTS_AT_ONCE}) AS upto
    FROM usage_cursors u JOIN event_counters c USING (org_id) WHERE u.org_id = $1
), counted AS (
  INSERT INTO usage_days AS d (org_id, day, kind, count)
  SELECT $1, day, kind, sum(number) FROM (
    SELECT (e.recorded_at AT TIME ZONE 'UTC')::date AS day, e.kind, 1 AS number
      FROM events e, cursor
     WHERE e.org_id = $1 AND e.sequence > cursor.sequence AND e.sequence <= cursor.upto AND e.kind LIKE 'inference.%' AND e.probe_id IS NULL
    UNION ALL
    SELECT (e.recorded_at AT TIME ZONE 'UTC')::date, 'inference.' || o.outcome, o.number::int
      FROM events e, cursor, regexp_match(e.data, '${ASSESSED_IN_DATA}') AS m,
           LATERAL (VALUES ('allowed', m[1]), ('flagged', m[2]), ('blocked', m[3])) AS o (outcome, number)
     WHERE e.org_id = $1 AND e.sequence > cursor.sequence AND e.sequence <= cursor.upto AND e.kind = 'telemetry.received' AND m IS NOT NULL
  ) AS counted GROUP BY day, kind HAVING sum(number) > 0
  ON CONFLICT (org_id, day, kind) DO UPDATE SET count = d.count + excluded.count
)
UPDATE usage_cursors u SET sequence = cursor.upto FROM cursor WHERE u.org_id = $1 RETURNING cursor.upto - cursor.sequence AS events`;

/** Counts what was recorded since the last time. Safe to run on many nodes at once. */
export async function countUsage(db: Database, orgId: Buffer): Promise<void> {
  const id = uuidText(orgId);
  await db.query('INSERT INTO usage_cursors (org_id, sequence) VALUES ($1, 0) ON CONFLICT DO NOTHING', [id]);
  for (;;) {
    const events = await db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM usage_cursors WHERE org_id = $1 FOR UPDATE', [id]);
      const { rows } = await tx.query<{ events: string }>(COUNT, [id]);
      return Number(rows[0]!.events);
    });
    if (events < EVENTS_AT_ONCE) return;
  }
}

/** Counts for every organization that has uncounted events. */
export async function countAllUsage(db: Database): Promise<void> {
  const { rows } = await db.query<{ org_id: string }>(
    `SELECT org_id FROM event_counters c LEFT JOIN usage_cursors u USING (org_id)
      WHERE c.last_sequence > coalesce(u.sequence, 0) LIMIT ${ORGANIZATIONS_AT_ONCE}`,
  );
  for (const { org_id: id } of rows) await countUsage(db, Buffer.from(id.replaceAll('-', ''), 'hex'));
}

/** The days from `since` to `until` (both included, `YYYY-MM-DD`) on which there were assessments, oldest first. */
export async function listUsageDays(db: Queryable, orgId: Buffer, since: string, until: string): Promise<UsageDay[]> {
  const { rows } = await db.query<{ day: string; allowed: string; flagged: string; blocked: string }>(
    `SELECT day::text AS day,
            coalesce(sum(count) FILTER (WHERE kind = 'inference.allowed'), 0) AS allowed,
            coalesce(sum(count) FILTER (WHERE kind = 'inference.flagged'), 0) AS flagged,
            coalesce(sum(count) FILTER (WHERE kind = 'inference.blocked'), 0) AS blocked
       FROM usage_days WHERE org_id = $1 AND day BETWEEN $2::date AND $3::date GROUP BY day ORDER BY day`,
    [uuidText(orgId), since, until],
  );
  return rows.map(({ day, allowed, flagged, blocked }) => ({
    day,
    allowed: Number(allowed),
    flagged: Number(flagged),
    blocked: Number(blocked),
  }));
}

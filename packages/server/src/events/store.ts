// SQL over the trail.

import { redactionOf } from '../audit/envelope.ts';
import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { firstUuidAt } from '../storage/partitions.ts';

/** An event as it was recorded. */
export interface RecordedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly kind: string;
  readonly occurredAtMs: number;
  readonly recordedAtMs: number;
  readonly actor: { readonly type: string; readonly id: string | null; readonly ip: string | null };
  readonly data: Readonly<Record<string, unknown>>;
  /** Names of what was erased of it. */
  readonly erased: readonly string[];
}

/** What a list may ask for; absent: anything. */
export interface EventFilter {
  readonly kinds?: readonly string[];
  /** A whole category (`data.pii`) or a family (`data`). */
  readonly category?: string | undefined;
  readonly model?: string | undefined;
  readonly actor?: string | undefined;
  /** User, session or agent. */
  readonly subject?: string | undefined;
  readonly externalId?: string | undefined;
  readonly probeId?: string | undefined;
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
  /** Part of an id, kind, category, model, subject or actor; case ignored. */
  readonly text?: string | undefined;
}

interface EventRow {
  readonly id: string;
  readonly sequence: string;
  readonly kind: string;
  readonly occurred_at: Date;
  readonly recorded_at: Date;
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly actor_ip: string | null;
  readonly data: string;
  readonly redaction: string | null;
}

const COLUMNS = 'id, sequence, kind, occurred_at, recorded_at, actor_type, actor_id, actor_ip, data, redaction';

function eventOf(row: EventRow): RecordedEvent {
  return {
    id: idFromUuidText('evt', row.id),
    sequence: Number(row.sequence),
    kind: row.kind,
    occurredAtMs: row.occurred_at.getTime(),
    recordedAtMs: row.recorded_at.getTime(),
    actor: { type: row.actor_type, id: row.actor_id, ip: row.actor_ip },
    data: JSON.parse(row.data) as Record<string, unknown>,
    erased: row.redaction === null ? [] : Object.keys(redactionOf(row.redaction, row.kind).erased),
  };
}

/** A statement that grows by conditions, each value a parameter, from the second on. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #clauses: string[] = [];

  /** `clause` has `?` where the value stands, as often as it likes. */
  add(clause: string, value: unknown): void {
    if (value === undefined) return;
    this.values.push(value);
    this.#clauses.push(clause.replaceAll('?', `$${this.values.length + 1}`));
  }

  get where(): string {
    return this.#clauses.join(' AND ');
  }
}

function conditionsOf(orgId: Buffer, filter: EventFilter): Conditions {
  const conditions = new Conditions();
  conditions.add('org_id = ?', uuidText(orgId));
  conditions.add('kind = ANY (?)', filter.kinds);
  conditions.add(
    filter.category?.includes('.') === true
      ? "strpos(categories, ' ' || ? || ' ') > 0"
      : "strpos(categories, ' ' || ? || '.') > 0",
    filter.category,
  );
  conditions.add('model = ?', filter.model);
  conditions.add('actor_id = ?', filter.actor);
  conditions.add('? IN (subject_user, subject_session, subject_agent)', filter.subject);
  conditions.add('external_id = ?', filter.externalId);
  conditions.add('probe_id = ?', filter.probeId);
  conditions.add('recorded_at >= ?', filter.sinceMs === undefined ? undefined : new Date(filter.sinceMs));
  conditions.add('id >= ?', filter.sinceMs === undefined ? undefined : firstUuidAt(filter.sinceMs - CLOCK_SLACK_MS));
  conditions.add('recorded_at < ?', filter.untilMs === undefined ? undefined : new Date(filter.untilMs));
  conditions.add(
    `strpos(lower(concat_ws(' ', kind, external_id, model, subject_user, subject_session, subject_agent, actor_id, categories)), ?) > 0`,
    filter.text?.toLowerCase(),
  );
  return conditions;
}

/*
 * A list reads the trail in windows of sequences, the nearest first and each four times as long as the one before, and stops when it has enough. A
 * partition has no order among others by sequence: read at once, each would be searched for its first match, and what one was found in lately only would
 * be looked for in the whole past. Windows come one after another because nothing but a loop can join them to what is read for each; the nearest bounds are
 * relative to where the list begins, e.g. (0, 10000), (10000, 50000).
 */
const WINDOWS = (() => {
  const windows: string[] = [];
  for (let [near, length] = [0, 10_000]; near < Number.MAX_SAFE_INTEGER; near += length, length *= 4)
    windows.push(`(${near}::int8, ${Math.min(near + length, Number.MAX_SAFE_INTEGER)}::int8)`);
  return `(VALUES ${windows.join(', ')}) AS w (near, far)`;
})();

// Ids, by which the trail is parted, are made before the commit, by clocks of nodes and not by the database's.
const CLOCK_SLACK_MS = 7 * 86_400_000;

/** Newest first, before sequence `before`. */
export async function listEvents(
  db: Queryable,
  orgId: Buffer,
  filter: EventFilter,
  before: number | null,
  limit: number,
): Promise<RecordedEvent[]> {
  const conditions = conditionsOf(orgId, filter);
  const most = Math.trunc(limit);
  const { rows } = await db.query<EventRow>(
    `SELECT * FROM (
       SELECT e.* FROM (SELECT least(last_sequence + 1, $1::int8) AS before FROM event_counters WHERE org_id = $2) t
         JOIN ${WINDOWS} ON w.near < t.before
         CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM events WHERE ${conditions.where} AND sequence < t.before - w.near AND sequence >= t.before - w.far
                              ORDER BY sequence DESC LIMIT ${most}) e
        LIMIT ${most}) page ORDER BY sequence DESC`,
    [before, ...conditions.values],
  );
  return rows.map(eventOf);
}

/** Oldest first, after sequence `after`. */
export async function pullEvents(
  db: Queryable,
  orgId: Buffer,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<RecordedEvent[]> {
  const conditions = conditionsOf(orgId, filter);
  const most = Math.trunc(limit);
  const { rows } = await db.query<EventRow>(
    `SELECT * FROM (
       SELECT e.* FROM (SELECT last_sequence FROM event_counters WHERE org_id = $2) t
         JOIN ${WINDOWS} ON w.near < t.last_sequence - $1::int8
         CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM events WHERE ${conditions.where} AND sequence > $1::int8 + w.near AND sequence <= $1::int8 + w.far
                              ORDER BY sequence LIMIT ${most}) e
        LIMIT ${most}) page ORDER BY sequence`,
    [after, ...conditions.values],
  );
  return rows.map(eventOf);
}

/** The sequence of the newest event. */
export async function findLastSequence(db: Queryable, orgId: Buffer): Promise<number> {
  const { rows } = await db.query<{ last_sequence: string }>('SELECT last_sequence FROM event_counters WHERE org_id = $1', [
    uuidText(orgId),
  ]);
  return Number(rows[0]!.last_sequence);
}

export async function findEventById(db: Queryable, orgId: Buffer, id: Buffer): Promise<RecordedEvent | null> {
  const { rows } = await db.query<EventRow>(`SELECT ${COLUMNS} FROM events WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : eventOf(rows[0]);
}

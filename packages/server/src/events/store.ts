// SQL over the trail.

import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

/** An event as it was recorded. */
export interface RecordedEvent {
  readonly id: string;
  readonly sequence: number;
  readonly kind: string;
  readonly occurredAtMs: number;
  readonly recordedAtMs: number;
  readonly actor: { readonly type: string; readonly id: string | null; readonly ip: string | null };
  readonly data: Readonly<Record<string, unknown>>;
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
}

const COLUMNS = 'id, sequence, kind, occurred_at, recorded_at, actor_type, actor_id, actor_ip, data';

function eventOf(row: EventRow): RecordedEvent {
  return {
    id: idFromUuidText('evt', row.id),
    sequence: Number(row.sequence),
    kind: row.kind,
    occurredAtMs: row.occurred_at.getTime(),
    recordedAtMs: row.recorded_at.getTime(),
    actor: { type: row.actor_type, id: row.actor_id, ip: row.actor_ip },
    data: JSON.parse(row.data) as Record<string, unknown>,
  };
}

/** A statement that grows by conditions, each value a parameter. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #clauses: string[] = [];

  /** `clause` has `?` where the value stands, as often as it likes. */
  add(clause: string, value: unknown): void {
    if (value === undefined) return;
    this.values.push(value);
    this.#clauses.push(clause.replaceAll('?', `$${this.values.length}`));
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
  conditions.add('recorded_at < ?', filter.untilMs === undefined ? undefined : new Date(filter.untilMs));
  conditions.add(
    `strpos(lower(concat_ws(' ', kind, external_id, model, subject_user, subject_session, subject_agent, actor_id, categories)), ?) > 0`,
    filter.text?.toLowerCase(),
  );
  return conditions;
}

/** Newest first, before sequence `before`. */
export async function listEvents(
  db: Queryable,
  orgId: Buffer,
  filter: EventFilter,
  before: number | null,
  limit: number,
): Promise<RecordedEvent[]> {
  const conditions = conditionsOf(orgId, filter);
  conditions.add('sequence < ?', before ?? undefined);
  const { rows } = await db.query<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE ${conditions.where} ORDER BY sequence DESC LIMIT ${Math.trunc(limit)}`,
    conditions.values,
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
  conditions.add('sequence > ?', after);
  const { rows } = await db.query<EventRow>(
    `SELECT ${COLUMNS} FROM events WHERE ${conditions.where} ORDER BY sequence LIMIT ${Math.trunc(limit)}`,
    conditions.values,
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

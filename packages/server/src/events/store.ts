// SQL over the trail.

import { redactionOf } from '../audit/envelope.ts';
import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { firstUuidAt } from '../storage/partitions.ts';
import { BLOCK_EVENTS, mayHave, maySay, type TermName } from './blocks.ts';

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

/** A statement that grows by conditions, each value a parameter, from the third on. */
class Conditions {
  readonly values: unknown[] = [];
  readonly #ofEvents: string[] = [];
  readonly #ofBlocks: string[] = [];

  /** `clause` has `?` where the value stands, as often as it likes; `ofBlock` is false only for a block `b` in which nothing meets it. */
  add(clause: string, value: unknown, ofBlock?: string): void {
    if (value === undefined) return;
    this.values.push(value);
    const insert = (text: string) => text.replaceAll('?', `$${this.values.length + 2}`);
    this.#ofEvents.push(insert(clause));
    if (ofBlock !== undefined) this.#ofBlocks.push(insert(ofBlock));
  }

  get ofEvents(): string {
    return this.#ofEvents.map((clause) => `AND ${clause}`).join(' ');
  }

  /** A block that nothing is known of is read. */
  get ofBlocks(): string {
    return this.#ofBlocks.length === 0 ? 'true' : `(b.terms IS NULL OR (${this.#ofBlocks.join(' AND ')}))`;
  }
}

/** What `q` is looked for in. */
export const SEARCHED =
  "lower(concat_ws(' ', kind, external_id, model, subject_user, subject_session, subject_agent, actor_id, categories))";

function conditionsOf(filter: EventFilter): Conditions {
  const { kinds, category, model, actor, subject, probeId, sinceMs, untilMs } = filter;
  const text = filter.text?.toLowerCase();
  const conditions = new Conditions();
  const one = (name: TermName, value: string | undefined) => (value === undefined ? undefined : mayHave(name, [value]));
  conditions.add('kind = ANY (?)', kinds, kinds && mayHave('kind', kinds));
  conditions.add(
    category?.includes('.') === true ? "strpos(categories, ' ' || ? || ' ') > 0" : "strpos(categories, ' ' || ? || '.') > 0",
    category,
    one('category', category),
  );
  conditions.add('model = ?', model, one('model', model));
  conditions.add('actor_id = ?', actor, one('actor', actor));
  conditions.add('? IN (subject_user, subject_session, subject_agent)', subject, one('subject', subject));
  conditions.add('external_id = ?', filter.externalId);
  conditions.add('probe_id = ?', probeId, one('probe', probeId));
  conditions.add('recorded_at >= ?', sinceMs === undefined ? undefined : new Date(sinceMs), 'b.recorded_to >= ?');
  conditions.add('id >= ?', sinceMs === undefined ? undefined : firstUuidAt(sinceMs - CLOCK_SLACK_MS));
  conditions.add('recorded_at < ?', untilMs === undefined ? undefined : new Date(untilMs), 'b.recorded_from < ?');
  conditions.add(`strpos(${SEARCHED}, ?) > 0`, text, text && maySay(text));
  return conditions;
}

// Ids, by which the trail is parted, are made before the commit, by clocks of nodes and not by the database's.
const CLOCK_SLACK_MS = 7 * 86_400_000;
const UUID_MIN = '00000000-0000-0000-0000-000000000000';
const UUID_MAX = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Newest first, before sequence `before`. */
export async function listEvents(
  db: Queryable,
  orgId: Buffer,
  filter: EventFilter,
  before: number | null,
  limit: number,
): Promise<RecordedEvent[]> {
  const to = 'least(c.last_sequence, $2::int8 - 1)';
  return readBlocks(db, orgId, filter, before, limit, { from: 'coalesce(t.kept_from, 1)', to, order: 'DESC' });
}

/** Oldest first, after sequence `after`. */
export async function pullEvents(
  db: Queryable,
  orgId: Buffer,
  filter: EventFilter,
  after: number,
  limit: number,
): Promise<RecordedEvent[]> {
  const from = 'greatest(coalesce(t.kept_from, 1), $2::int8 + 1)';
  return readBlocks(db, orgId, filter, after, limit, { from, to: 'c.last_sequence', order: 'ASC' });
}

/*
 * A list reads the trail block by block, in its order, passes over those of which it is known that nothing in them matches, and stops when it has enough.
 * A partition has no order among others by sequence: read at once, each would be searched for its first match, and what one was found in lately only would
 * be looked for in the whole past. The order of the blocks is that of the result because nothing but a loop can join them to what is read for each. Names
 * of requests have an index of their own, and are looked up in all blocks at once.
 */
async function readBlocks(
  db: Queryable,
  orgId: Buffer,
  filter: EventFilter,
  place: number | null,
  limit: number,
  { from, to, order }: { readonly from: string; readonly to: string; readonly order: 'ASC' | 'DESC' },
): Promise<RecordedEvent[]> {
  const conditions = conditionsOf(filter);
  const most = Math.trunc(limit);
  const [first, last] = [`r.first / ${BLOCK_EVENTS}`, `r.last / ${BLOCK_EVENTS}`];
  const blocks = order === 'ASC' ? `generate_series(${first}, ${last})` : `generate_series(${last}, ${first}, -1)`;
  const [read, condition] =
    filter.externalId === undefined
      ? [
          `CROSS JOIN LATERAL (SELECT n, n * ${BLOCK_EVENTS} AS near, (n + 1) * ${BLOCK_EVENTS} AS far FROM ${blocks} n) w
           LEFT JOIN LATERAL (SELECT * FROM event_blocks WHERE org_id = $1 AND block = w.n LIMIT 1) b ON true`,
          conditions.ofBlocks,
        ]
      : [
          `CROSS JOIN LATERAL (SELECT r.first AS near, r.last + 1 AS far) w
           CROSS JOIN (SELECT NULL::uuid AS first_id, NULL::uuid AS last_id) b`,
          'true',
        ];
  const { rows } = await db.query<EventRow>(
    `SELECT * FROM (
       SELECT e.* FROM (SELECT ${from} AS first, ${to} AS last FROM event_counters c LEFT JOIN trees t USING (org_id) WHERE c.org_id = $1) r
         ${read}
         CROSS JOIN LATERAL (SELECT coalesce(b.first_id, '${UUID_MIN}') AS first_id, coalesce(b.last_id, '${UUID_MAX}') AS last_id) i
         CROSS JOIN LATERAL (SELECT ${COLUMNS} FROM events
                              WHERE org_id = $1 AND sequence >= greatest(w.near, r.first) AND sequence < least(w.far, r.last + 1)
                                AND id >= i.first_id AND id <= i.last_id ${conditions.ofEvents}
                              ORDER BY sequence ${order} LIMIT ${most}) e
        WHERE ${condition}
        LIMIT ${most}) page ORDER BY sequence ${order}`,
    [uuidText(orgId), place, ...conditions.values],
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

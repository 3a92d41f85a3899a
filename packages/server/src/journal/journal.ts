// The journal: the only way an event comes to be. Callers that wait together are committed together, in one statement and one fsync.

import type pg from 'pg';
import { AppError } from '../http/errors.ts';
import { newUuid } from '../ids.ts';
import { isConnectionFault, type Database, type Queryable, type Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { writeChanges, type ChangeFeed } from './change-feed.ts';
import { deliveryIdOf, listens } from './queue.ts';
import { WaitingEvents } from './waiting.ts';
import { bigintArray, byteaArray, textArray, timestampArray, uuidArray } from './arrays.ts';

/** Who caused an event. */
export interface Actor {
  readonly type: 'api_key' | 'service_account' | 'user' | 'system';
  /** `key_…`, `sa_…`, or the user as the identity provider names him; `null` for the system. */
  readonly id: string | null;
  readonly ip: string | null;
}

/** An event before it is recorded. Sequence and time of recording are given inside the commit. */
export interface NewEvent {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly kind: string;
  readonly occurredAtMs: number;
  readonly actor: Actor;
  /** What lists filter by. */
  readonly model: string | null;
  readonly subjectUser: string | null;
  readonly subjectSession: string | null;
  readonly subjectAgent: string | null;
  readonly externalId: string | null;
  /** The probe that it tells of; `null` or absent: none. */
  readonly probeId?: string | null;
  readonly categories: readonly string[];
  /** Serialized JSON, kept as it is. */
  readonly data: string;
  /** What was assessed, encrypted, to be kept in the same commit; `null` or absent: it is not kept. */
  readonly sealedText?: Buffer | null;
}

export interface Journal {
  /**
   * Resolves when the event is committed and flushed to disk. Rejects with `unavailable` when the database cannot be reached (the event
   * may then have been committed or not) or too many callers wait.
   */
  append(event: NewEvent): Promise<void>;
  /**
   * Runs a change and records the events that it causes in the same transaction. `record` collects them, and `expire` the names of what nodes
   * may remember and must not any more; both are written last, so that the locks on their counters are short.
   */
  transaction<T>(work: Work<T>): Promise<T>;
  /** Calls `listener` with an organization's id, in hex, after each commit made here. Returns how to stop. */
  onCommit(listener: (orgIdHex: string) => void): () => void;
  /** Calls `listener` with the organizations (PostgreSQL's text form of their ids) for which a commit made here queued deliveries. */
  onQueued(listener: (orgIds: readonly string[]) => void): void;
  /** Commits what waits, then refuses what comes. */
  close(): Promise<void>;
}

/** Collects an event of the transaction. */
export type RecordEvent = (event: NewEvent) => void;
/** Collects a subject of the change feed: see `ChangeFeed`. */
export type ExpireSubject = (subject: string) => void;
type Work<T> = (tx: Transaction, record: RecordEvent, expire: ExpireSubject) => Promise<T>;

// At 10 000 rows/s two seconds of callers; beyond that it is better to be told so than to wait.
const WAITING_MAX = 20_000;
const RECONNECT_DELAY_MS = 100;

/*
 * Rows of the counters are locked in the order of org_id, so that two nodes whose batches share organizations never wait for each other
 * in a circle. The lock lasts until the commit: an organization's commits, and so its sequence, are in one order without gaps.
 */
const appendWith = (more: string) => `
WITH batch AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[], $16::int8[])
    AS b (org_id, id, kind, occurred_at, actor_type, actor_id, actor_ip, model,
          subject_user, subject_session, subject_agent, external_id, probe_id, categories, data, position)
), counted AS (
  SELECT org_id, count(*) AS events FROM batch GROUP BY org_id
), locked AS MATERIALIZED (
  SELECT org_id FROM event_counters WHERE org_id IN (SELECT org_id FROM counted) ORDER BY org_id FOR UPDATE
), advanced AS (
  UPDATE event_counters AS c SET last_sequence = c.last_sequence + counted.events
    FROM counted JOIN locked USING (org_id) WHERE c.org_id = counted.org_id
    RETURNING c.org_id, c.last_sequence - counted.events AS before
), inserted AS (
  INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, actor_id, actor_ip, model,
                      subject_user, subject_session, subject_agent, external_id, probe_id, categories, data)
  SELECT b.org_id, a.before + row_number() OVER (PARTITION BY b.org_id ORDER BY b.position), b.id, b.kind, b.occurred_at,
         date_trunc('milliseconds', clock_timestamp()), b.actor_type, b.actor_id, b.actor_ip, b.model,
         b.subject_user, b.subject_session, b.subject_agent, b.external_id, b.probe_id, b.categories, b.data
    FROM batch b JOIN advanced a USING (org_id)
  RETURNING org_id, sequence, id, kind, recorded_at
), queued AS (
  INSERT INTO deliveries (org_id, id, endpoint_id, event_id, sequence, kind, state, due_at, created_at)
  SELECT i.org_id, ${deliveryIdOf('i.id', 'e.id')}, e.id, i.id, i.sequence, i.kind,
         CASE WHEN e.status = 'paused' THEN 'parked' ELSE 'pending' END, $17, i.recorded_at
    FROM inserted i
    JOIN endpoints e ON e.org_id = i.org_id AND e.mode = 'live' AND e.deleted_at IS NULL AND ${listens('i.kind', 'e.events')}
  RETURNING org_id
)${more}
SELECT (SELECT count(*)::int FROM inserted) AS inserted,
       (SELECT json_object_agg(org_id, deliveries) FROM (SELECT org_id, count(*) AS deliveries FROM queued GROUP BY org_id) o) AS queued`;

const APPEND = appendWith('');

/** The same with the texts that are kept. A statement of its own, so that those who keep none pay nothing for it. */
const APPEND_WITH_TEXTS = appendWith(`, kept AS (
  INSERT INTO assessment_texts (org_id, id, created_at, sealed)
  SELECT t.org_id, t.id, i.recorded_at, t.sealed
    FROM unnest($18::uuid[], $19::uuid[], $20::bytea[]) AS t (org_id, id, sealed) JOIN inserted i USING (org_id, id)
)`);

function appendStatement(events: readonly NewEvent[], dueAtMs: number): pg.QueryConfig {
  const texts = events.flatMap(({ orgId, id, sealedText }) =>
    sealedText === null || sealedText === undefined ? [] : [{ orgId, id, sealedText }],
  );
  return {
    name: texts.length === 0 ? 'journal_append' : 'journal_append_with_texts',
    text: texts.length === 0 ? APPEND : APPEND_WITH_TEXTS,
    values: [
      uuidArray(events.map((event) => event.orgId)),
      uuidArray(events.map((event) => event.id)),
      textArray(events.map((event) => event.kind)),
      timestampArray(events.map((event) => event.occurredAtMs)),
      textArray(events.map((event) => event.actor.type)),
      textArray(events.map((event) => event.actor.id)),
      textArray(events.map((event) => event.actor.ip)),
      textArray(events.map((event) => event.model)),
      textArray(events.map((event) => event.subjectUser)),
      textArray(events.map((event) => event.subjectSession)),
      textArray(events.map((event) => event.subjectAgent)),
      textArray(events.map((event) => event.externalId)),
      textArray(events.map((event) => event.probeId ?? null)),
      textArray(events.map((event) => (event.categories.length === 0 ? null : ` ${event.categories.join(' ')} `))),
      textArray(events.map((event) => event.data)),
      bigintArray(events.map((_, position) => position)),
      new Date(dueAtMs),
      ...(texts.length === 0
        ? []
        : [
            uuidArray(texts.map(({ orgId }) => orgId)),
            uuidArray(texts.map(({ id }) => id)),
            byteaArray(texts.map(({ sealedText }) => sealedText)),
          ]),
    ],
  };
}

/** Deliveries that were queued, by PostgreSQL's text form of the organization's id. */
type Queued = Readonly<Record<string, number>>;

/** Writes events and what is to be sent of them. */
async function write(db: Queryable, events: readonly NewEvent[], dueAtMs: number): Promise<Queued> {
  const { rows } = await db.query<{ inserted: number; queued: Queued | null }>(appendStatement(events, dueAtMs));
  const { inserted, queued } = rows[0]!;
  if (inserted !== events.length)
    throw new Error(`the journal wrote ${inserted} of ${events.length} events: an organization has no counter`);
  return queued ?? {};
}

/** An event of a change to the organization itself, which no list filters by anything but kind and actor. */
export function changeEvent(orgId: Buffer, kind: string, actor: Actor, atMs: number, data: object): NewEvent {
  return {
    orgId,
    id: newUuid(),
    kind,
    occurredAtMs: atMs,
    actor,
    model: null,
    subjectUser: null,
    subjectSession: null,
    subjectAgent: null,
    externalId: null,
    categories: [],
    data: JSON.stringify(data),
  };
}

interface Waiting {
  readonly event: NewEvent;
  readonly resolve: () => void;
  readonly reject: (err: unknown) => void;
}

/** Opens the journal on a connection of its own. `clock`: Unix milliseconds, from which deliveries are due. */
export async function openJournal(db: Database, changes: ChangeFeed, clock: () => number, log: Logger): Promise<Journal> {
  const journal = new GroupCommitJournal(db, changes, clock, log);
  await journal.connect();
  return journal;
}

class GroupCommitJournal implements Journal {
  readonly #db: Database;
  readonly #changes: ChangeFeed;
  readonly #clock: () => number;
  readonly #log: Logger;
  #client: pg.Client | null = null;
  readonly #waiting = new WaitingEvents<Waiting>();
  #isWriting = false;
  #isClosed = false;
  readonly #listeners = new Set<(orgIdHex: string) => void>();
  readonly #queuedListeners = new Set<(orgIds: readonly string[]) => void>();
  #drained: (() => void) | null = null;

  constructor(db: Database, changes: ChangeFeed, clock: () => number, log: Logger) {
    this.#db = db;
    this.#changes = changes;
    this.#clock = clock;
    this.#log = log;
  }

  async connect(): Promise<pg.Client> {
    const client = await this.#db.connect('svc journal');
    client.on('error', (err) => {
      this.#log.warn({ err }, 'the journal lost its connection');
      if (this.#client === client) this.#client = null;
    });
    client.on('end', () => {
      if (this.#client === client) this.#client = null;
    });
    this.#client = client;
    return client;
  }

  append(event: NewEvent): Promise<void> {
    if (this.#isClosed || this.#waiting.size >= WAITING_MAX) return Promise.reject(unavailable());
    return new Promise((resolve, reject) => {
      this.#waiting.add({ event, resolve, reject });
      if (this.#isWriting) return;
      this.#isWriting = true;
      // After the events that arrive in the same turn of the loop, so that they share the commit.
      setImmediate(() => void this.#writeAll());
    });
  }

  async transaction<T>(work: Work<T>): Promise<T> {
    const events: NewEvent[] = [];
    const subjects = new Set<string>();
    const { result, queued, changes } = await this.#db.transaction(async (tx) => {
      const result = await work(
        tx,
        (event) => events.push(event),
        (subject) => subjects.add(subject),
      );
      const queued = events.length > 0 ? await write(tx, events, this.#clock()) : {};
      return { result, queued, changes: subjects.size > 0 ? await writeChanges(tx, [...subjects]) : [] };
    });
    for (const applied of changes) this.#changes.apply(applied);
    this.#announce(events, queued);
    return result;
  }

  onQueued(listener: (orgIds: readonly string[]) => void): void {
    this.#queuedListeners.add(listener);
  }

  onCommit(listener: (orgIdHex: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#isWriting) await new Promise<void>((resolve) => (this.#drained = resolve));
    await this.#client?.end();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.size > 0) await this.#writeBatch(this.#waiting.take());
    this.#isWriting = false;
    this.#drained?.();
  }

  async #writeBatch(batch: readonly Waiting[]): Promise<void> {
    const events = batch.map(({ event }) => event);
    let queued: Queued;
    try {
      const client = this.#client ?? (await this.connect());
      queued = await write(client, events, this.#clock());
    } catch (err) {
      await this.#settleFailure(batch, err);
      return;
    }
    for (const { resolve } of batch) resolve();
    this.#waiting.learn(batch, new Map(Object.entries(queued).map(([org, count]) => [org.replaceAll('-', ''), count])));
    this.#announce(events, queued);
  }

  /** A fault of the connection fails the whole batch; a row that cannot be written fails alone. */
  async #settleFailure(batch: readonly Waiting[], err: unknown): Promise<void> {
    this.#log.error({ err, events: batch.length }, 'the journal could not commit');
    if (isConnectionFault(err)) {
      for (const { reject } of batch) reject(unavailable(err));
      this.#dropConnection();
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAY_MS));
    } else if (batch.length === 1) {
      // The same id again: a repetition of a request whose first run was taken for dead while it committed.
      if (isAlreadyRecorded(err)) batch[0]!.resolve();
      else batch[0]!.reject(err);
    } else {
      for (const waiting of batch) await this.#writeBatch([waiting]);
    }
  }

  /** It may be hanging with a statement on it: the next batch gets another. */
  #dropConnection(): void {
    const client = this.#client;
    this.#client = null;
    client?.end().catch((err: unknown) => this.#log.warn({ err }, 'a connection of the journal did not end in order'));
  }

  #announce(events: readonly NewEvent[], queued: Queued): void {
    const orgIds = Object.keys(queued);
    if (orgIds.length > 0) for (const listener of this.#queuedListeners) listener(orgIds);
    if (this.#listeners.size === 0) return;
    for (const orgId of new Set(events.map((event) => event.orgId.toString('hex')))) {
      for (const listener of this.#listeners) listener(orgId);
    }
  }
}

// Each partition of the trail has a primary key of its own, named after it.
const KEY_OF_EVENTS = /^events_(first|default|\d{4}_\d{2})_pkey$/;

function isAlreadyRecorded(err: unknown): boolean {
  return err instanceof Error && 'constraint' in err && typeof err.constraint === 'string' && KEY_OF_EVENTS.test(err.constraint);
}

function unavailable(cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    'The event could not be recorded. Repeat the request; with an Idempotency-Key it is recorded once.',
    {
      headers: { 'retry-after': '1' },
      cause,
    },
  );
}

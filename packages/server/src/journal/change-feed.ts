// What changed on any node, so that no node goes on with what it remembers: credentials, policies, plans, signing keys.

import type pg from 'pg';
import { AppError } from '../http/errors.ts';
import type { Database, Queryable } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';

/** Changes of one transaction, to be applied here once it is committed. */
export interface Change {
  readonly sequence: number;
  readonly subject: string;
}

/** Hears of a subject that is no longer as it was; `null`: any may have changed. */
export type ChangeListener = (subject: string | null) => void;

// The promise: what was changed anywhere is known everywhere within this time, or the node stops answering from memory.
const CURRENT_MS = 1_000;
// Notifications bring changes at once; asking is what proves that none was missed. Four chances within the promised time.
const ASK_INTERVAL_MS = 250;
// How long a request waits for the database to say what changed before it is answered 503.
const SYNC_MS_MAX = 1_000;
// Longer than any read of the database takes: a read that began before a change must not bring the old state back.
const REMEMBER_MS = 60_000;
const CHANGES_AT_ONCE_MAX = 10_000;
const CHANNEL = 'svc_changes';
/** By its connections the feed counts the nodes of one database. */
const APPLICATION_NAME = 'svc changes';

/*
 * Numbers of changes are given as the last thing in their transaction: the counter's row is locked for as long as the commit takes, and no
 * transaction waits for anything else while it holds it.
 */
const WRITE = `
WITH counter AS (
  UPDATE change_counter SET last_sequence = last_sequence + $2 WHERE id = 1 RETURNING last_sequence
)
INSERT INTO changes (sequence, subject, created_at)
SELECT counter.last_sequence - $2 + position, subject, clock_timestamp()
  FROM counter, unnest($1::text[]) WITH ORDINALITY AS s (subject, position)
RETURNING sequence, subject`;

/** One snapshot: the counter, and every change after `$1` up to it. */
const READ = `
SELECT counter.last_sequence, changes.sequence, changes.subject,
       (SELECT count(*)::int FROM pg_stat_activity WHERE application_name = '${APPLICATION_NAME}' AND datname = current_database()) AS nodes
  FROM change_counter AS counter LEFT JOIN changes ON changes.sequence > $1
 WHERE counter.id = 1 ORDER BY changes.sequence LIMIT ${CHANGES_AT_ONCE_MAX}`;

interface ReadRow {
  readonly last_sequence: string;
  readonly sequence: string | null;
  readonly subject: string | null;
  readonly nodes: number;
}

/** Writes what a transaction changed and wakes every node when it commits. Last in the transaction. */
export async function writeChanges(tx: Queryable, subjects: readonly string[]): Promise<Change[]> {
  const { rows } = await tx.query<{ sequence: string; subject: string }>(WRITE, [subjects, subjects.length]);
  await tx.query(`NOTIFY ${CHANNEL}`);
  return rows.map(({ sequence, subject }) => ({ sequence: Number(sequence), subject }));
}

/** What a statement names to learn as of which change its snapshot is. */
export const AS_OF = '(SELECT last_sequence FROM change_counter WHERE id = 1) AS as_of';

export class ChangeFeed {
  readonly #db: Database;
  readonly #log: Logger;
  readonly #listeners = new Set<ChangeListener>();
  /** When each subject last changed, for reads that are on their way. Oldest first. */
  readonly #recent = new Map<string, { sequence: number; appliedAtMs: number }>();
  #client: pg.Client | null = null;
  #asking: Promise<void> | null = null;
  #askAgain = false;
  #timer: NodeJS.Timeout | null = null;
  /** All changes up to this number are applied. */
  #applied = 0;
  /** States read as of an earlier change are out of date, whatever they are of. */
  #allChangedAt = 0;
  #seen = 0;
  /** Of the monotonic clock: all that was committed before it is applied. */
  #currentAsOfMs = -Infinity;
  #nodes = 1;
  #isClosed = false;

  constructor(db: Database, log: Logger) {
    this.#db = db;
    this.#log = log;
  }

  /** Connects and begins to listen. Nothing may be remembered from before. */
  async open(): Promise<void> {
    const { rows } = await this.#db.query<{ last_sequence: string }>('SELECT last_sequence FROM change_counter WHERE id = 1');
    this.#applied = Number(rows[0]!.last_sequence);
    await this.#ask();
    this.#timer = setInterval(() => void this.#askQuietly(), ASK_INTERVAL_MS).unref();
  }

  /** True when everything that was changed anywhere more than a second ago is known here. On the path of every request. */
  get isCurrent(): boolean {
    return performance.now() - this.#currentAsOfMs < CURRENT_MS;
  }

  /** Grows with every change: what was decided at a lower number may be decided otherwise now. */
  get seen(): number {
    return this.#seen;
  }

  /** How many nodes share the database, this one included. */
  get nodes(): number {
    return this.#nodes;
  }

  /** Learns what changed. Throws `unavailable` when the database does not tell within a second. Calls share one question. */
  async sync(): Promise<void> {
    if (this.isCurrent) return;
    const giveUp = new Promise<void>((resolve) => setTimeout(resolve, SYNC_MS_MAX).unref());
    await Promise.race([this.#askQuietly(), giveUp]);
    if (!this.isCurrent) throw new AppError('unavailable', 'The database does not answer.', { headers: { 'retry-after': '1' } });
  }

  /** Calls `listener` for each change, on this node and on others. */
  onChange(listener: ChangeListener): void {
    this.#listeners.add(listener);
  }

  /** Applies a change: once when it was committed here, and again when it is read. */
  apply({ subject, sequence }: Change): void {
    const nowMs = performance.now();
    this.#seen++;
    // The same change may be read again from an older snapshot than one that was committed here since.
    const latest = Math.max(sequence, this.#recent.get(subject)?.sequence ?? 0);
    this.#recent.delete(subject);
    this.#recent.set(subject, { sequence: latest, appliedAtMs: nowMs });
    for (const [name, { appliedAtMs }] of this.#recent) {
      if (nowMs - appliedAtMs < REMEMBER_MS) break;
      this.#recent.delete(name);
    }
    for (const listener of this.#listeners) listener(subject);
  }

  /** True when a state of `subjects`, read as of change `asOf`, is known to be out of date by now: it must be read again. */
  isOutdated(subjects: readonly string[], asOf: number): boolean {
    return asOf < this.#allChangedAt || subjects.some((subject) => (this.#recent.get(subject)?.sequence ?? 0) > asOf);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#asking?.catch(() => {});
    await this.#client?.end().catch(() => {});
  }

  async #askQuietly(): Promise<void> {
    await this.#ask().catch((err: unknown) => {
      if (!this.#isClosed) this.#log.warn({ err }, 'this node cannot learn what changed on others');
    });
  }

  /** One question at a time; whoever asks during one is answered by it, except a notification, which may be newer than its snapshot. */
  #ask(): Promise<void> {
    this.#asking ??= this.#readChanges().finally(() => {
      this.#asking = null;
      if (this.#askAgain && !this.#isClosed) void this.#askQuietly();
    });
    return this.#asking;
  }

  async #readChanges(): Promise<void> {
    this.#askAgain = false;
    const client = this.#client ?? (await this.#connect());
    const askedAtMs = performance.now();
    let rows: ReadRow[];
    try {
      ({ rows } = await client.query<ReadRow>({ name: 'read_changes', text: READ, values: [this.#applied] }));
    } catch (err) {
      this.#drop(client);
      throw err;
    }
    this.#nodes = Math.max(1, rows[0]!.nodes);
    this.#applyAll(rows);
    if (this.#applied < Number(rows[0]!.last_sequence)) this.#askAgain = true;
    else this.#currentAsOfMs = askedAtMs;
  }

  #applyAll(rows: readonly ReadRow[]): void {
    const last = Number(rows[0]!.last_sequence);
    const changes = rows.flatMap(({ sequence, subject }) =>
      sequence === null || subject === null ? [] : [{ sequence: Number(sequence), subject }],
    );
    const next = changes[0]?.sequence ?? last + 1;
    // Away for longer than changes are kept, or the database was set back to a backup.
    if (next > this.#applied + 1 || last < this.#applied) this.#applyUnknown(last);
    for (const change of changes) this.apply(change);
    this.#applied = changes.at(-1)?.sequence ?? last;
  }

  #applyUnknown(last: number): void {
    this.#seen++;
    this.#recent.clear();
    this.#allChangedAt = last;
    for (const listener of this.#listeners) listener(null);
  }

  async #connect(): Promise<pg.Client> {
    const client = await this.#db.connect(APPLICATION_NAME);
    client.on('error', () => this.#drop(client));
    client.on('end', () => this.#drop(client));
    client.on('notification', () => {
      this.#askAgain = true;
      void this.#askQuietly();
    });
    await client.query(`LISTEN ${CHANNEL}`).catch(async (err: unknown) => {
      await client.end().catch(() => {});
      throw err;
    });
    if (this.#isClosed) await client.end();
    this.#client = client;
    return client;
  }

  #drop(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = null;
    client.end().catch(() => {});
  }
}

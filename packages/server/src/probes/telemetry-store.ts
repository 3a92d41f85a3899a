// SQL over telemetry.

import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { float8Column, int4Column, int8Column, textColumn, timestampColumn } from './columns.ts';
import { categoriesText, type TelemetryRow } from './rows.ts';

/** Whose telemetry it is. */
export interface TelemetrySource {
  readonly orgId: Buffer;
  readonly mode: 'live' | 'test';
  readonly probeId: string;
}

/** The columns of a row that differ within a batch, as an array each. */
const COLUMNS: readonly {
  readonly name: string;
  readonly type: string;
  readonly write: (rows: readonly TelemetryRow[]) => Buffer;
}[] = [
  { name: 'position', type: 'int4', write: (rows) => int4Column(rows, ({ position }) => position) },
  { name: 'event_id', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.id) },
  { name: 'occurred_at', type: 'timestamptz', write: (rows) => timestampColumn(rows, ({ occurredAtMs }) => occurredAtMs) },
  { name: 'model', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.model) },
  { name: 'model_version', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.model_version) },
  { name: 'provider', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.provider) },
  { name: 'operation', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.operation) },
  { name: 'input_tokens', type: 'int8', write: (rows) => int8Column(rows, ({ event }) => event.input_tokens) },
  { name: 'output_tokens', type: 'int8', write: (rows) => int8Column(rows, ({ event }) => event.output_tokens) },
  { name: 'latency_ms', type: 'float8', write: (rows) => float8Column(rows, ({ event }) => event.latency_ms) },
  {
    name: 'time_to_first_token_ms',
    type: 'float8',
    write: (rows) => float8Column(rows, ({ event }) => event.time_to_first_token_ms),
  },
  { name: 'finish_reason', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.finish_reason) },
  { name: 'error', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.error) },
  { name: 'outcome', type: 'text', write: (rows) => textColumn(rows, ({ decision }) => decision.outcome) },
  { name: 'score', type: 'float8', write: (rows) => float8Column(rows, ({ decision }) => decision.score) },
  { name: 'categories', type: 'text', write: (rows) => textColumn(rows, ({ decision }) => categoriesText(decision)) },
  { name: 'policy_version', type: 'int4', write: (rows) => int4Column(rows, ({ decision }) => decision.policyVersion) },
  { name: 'coverage', type: 'text', write: (rows) => textColumn(rows, ({ decision }) => decision.coverage) },
  { name: 'subject_user', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.subject?.user) },
  { name: 'subject_session', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.subject?.session) },
  { name: 'subject_agent', type: 'text', write: (rows) => textColumn(rows, ({ event }) => event.subject?.agent) },
  { name: 'attributes', type: 'text', write: (rows) => textColumn(rows, ({ attributes }) => attributes) },
];

const names = COLUMNS.map(({ name }) => name).join(', ');
// What is the same for the whole batch comes before the arrays.
const SHARED = 5;
const arrays = COLUMNS.map(({ type }, i) => `$${SHARED + 1 + i}::${type}[]`).join(', ');

const INSERT = `
INSERT INTO telemetry (org_id, batch_id, mode, probe_id, received_at, ${names})
SELECT $1, $2, $3, $4, $5, b.* FROM unnest(${arrays}) AS b (${names})`;

/*
 * An event that is stored already is passed over. One that another transaction is about to store is waited for, and then passed over too, or
 * stored here where that one was undone.
 */
const INSERT_NEW = `${INSERT} ON CONFLICT ON CONSTRAINT telemetry_by_event DO NOTHING RETURNING position`;

/** True for what `insertTelemetry` throws where an event of the rows is stored already. */
export function isStoredAlready(err: unknown): boolean {
  return err instanceof Error && 'constraint' in err && err.constraint === 'telemetry_by_event';
}

/**
 * Stores rows of a batch, all of them: where one is stored already it throws, and the transaction is over. That nearly always all are new is
 * worth a third of the database's time. No row stands for the same event as another.
 */
export async function insertTelemetry(tx: Queryable, batch: StoredBatch, rows: readonly TelemetryRow[]): Promise<void> {
  await tx.query({ name: 'insert_telemetry', text: INSERT, values: valuesOf(batch, rows) });
}

/** Stores those rows of a batch that are new, and answers them, in the order they were given. */
export async function insertNewTelemetry(
  tx: Queryable,
  batch: StoredBatch,
  rows: readonly TelemetryRow[],
): Promise<readonly TelemetryRow[]> {
  const values = valuesOf(batch, rows);
  const { rows: stored } = await tx.query<{ position: number }>({ name: 'insert_new_telemetry', text: INSERT_NEW, values });
  const positions = new Set(stored.map(({ position }) => position));
  return rows.filter(({ position }) => positions.has(position));
}

/** What is the same for all rows of a batch. */
export interface StoredBatch {
  readonly key: TelemetrySource;
  readonly id: Buffer;
  readonly receivedAtMs: number;
}

function valuesOf({ key: { orgId, mode, probeId }, id, receivedAtMs }: StoredBatch, rows: readonly TelemetryRow[]): unknown[] {
  // In the order of the events: two batches that share some wait for each other in one direction only.
  const sorted = rows.toSorted((a, b) => (a.event.id < b.event.id ? -1 : 1));
  return [uuidText(orgId), uuidText(id), mode, probeId, new Date(receivedAtMs), ...COLUMNS.map(({ write }) => write(sorted))];
}

/** Those of `eventIds` that are stored already. */
export async function findStoredEvents(
  db: Queryable,
  { orgId, mode, probeId }: TelemetrySource,
  eventIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ event_id: string }>({
    name: 'find_stored_telemetry',
    text: 'SELECT event_id FROM telemetry WHERE org_id = $1 AND mode = $2 AND probe_id = $3 AND event_id = ANY ($4::text[])',
    values: [uuidText(orgId), mode, probeId, textColumn(eventIds, (id) => id)],
  });
  return new Set(rows.map(({ event_id: id }) => id));
}

const ROWS_AT_ONCE = 5_000;
const TEST_RETENTION_MS = 86_400_000;

/** Deletes rows of test keys, a day after they came. Those of live keys go with their event: audit/retention.ts. */
export async function purgeTestTelemetry(db: Queryable, nowMs: number): Promise<void> {
  for (;;) {
    const { rowCount } = await db.query(
      `DELETE FROM telemetry WHERE ctid = ANY (ARRAY(SELECT ctid FROM telemetry WHERE mode = 'test' AND received_at < $1 LIMIT ${ROWS_AT_ONCE}))`,
      [new Date(nowMs - TEST_RETENTION_MS)],
    );
    if ((rowCount ?? 0) < ROWS_AT_ONCE) return;
  }
}

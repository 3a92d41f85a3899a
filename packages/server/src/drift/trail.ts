// Reads what the trail tells of inferences, in its order: assessments that were asked for, and what probes reported.

import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { readFloats, readIntegers, readTexts, readTimes } from './columns.ts';
import { sampleIdOf } from './samples.ts';
import { numbersAt, refusalOf, type Inferences } from './signals.ts';

/** An assessment that was asked for over the API. */
export interface AssessmentSeen {
  readonly type: 'assessment';
  readonly sequence: number;
  readonly recordedAtMs: number;
  readonly occurredAtMs: number;
  readonly model: string | null;
  readonly modelVersion: string | null;
  readonly outcome: string;
  readonly score: number;
  readonly categories: string | null;
  readonly refusal: number;
}

/** What a probe reported at once, by model, each in the order of time. */
export interface BatchSeen {
  readonly type: 'batch';
  readonly sequence: number;
  readonly recordedAtMs: number;
  readonly group: string;
  /** Reads it, which takes its time. */
  readonly models: () => ReadonlyMap<string | null, Inferences>;
}

interface PolicySeen {
  readonly type: 'policy';
  readonly sequence: number;
  readonly recordedAtMs: number;
  readonly version: number;
}

export type Seen = AssessmentSeen | BatchSeen | PolicySeen;

export interface Slice {
  readonly seen: readonly Seen[];
  /** Up to which event of the trail that is all. */
  readonly upto: number;
}

interface EventRow {
  readonly sequence: string;
  readonly id: string;
  readonly kind: string;
  readonly occurred_at: Date;
  readonly recorded_at: Date;
  readonly model: string | null;
  readonly categories: string | null;
  readonly data: string;
}

// An assessment is up to some 100 kB long, most of them two.
const EVENTS_AT_ONCE = 500;
// Inferences of probes: a megabyte or two.
const ROWS_AT_ONCE = 5_000;
const BATCH_ROWS_MAX = 500;
// Also where nothing of it is of interest the question must be answered in time.
const SEQUENCES_AT_ONCE = 20_000;

/**
 * What is in the trail after `after`, as much as is worked on at once. `isWatched` false: only what changes the policy. `warn` hears of events
 * that cannot be read; they are passed over.
 */
export async function readSlice(
  db: Queryable,
  orgId: Buffer,
  after: number,
  last: number,
  isWatched: boolean,
  warn: (err: unknown, sequence: number) => void,
): Promise<Slice> {
  const limit = Math.min(last, after + SEQUENCES_AT_ONCE);
  const { rows } = await db.query<EventRow>({
    name: 'drift_read_events',
    text: `SELECT sequence, id, kind, occurred_at, recorded_at, model, categories, data FROM events
            WHERE org_id = $1 AND sequence > $2 AND sequence <= $3
              AND (kind = 'policy.updated' OR $4 AND (kind = 'telemetry.received' OR kind LIKE 'inference.%' AND probe_id IS NULL))
            ORDER BY sequence LIMIT ${EVENTS_AT_ONCE}`,
    values: [uuidText(orgId), after, limit, isWatched],
  });
  const taken = rows.slice(0, indexAfterRows(rows));
  const isAll = taken.length === rows.length && rows.length < EVENTS_AT_ONCE;
  const batches = await readBatches(db, orgId, taken);
  const seen = taken.flatMap((row): readonly Seen[] => {
    try {
      const one = seenIn(row, batches);
      return one === null ? [] : [one];
    } catch (err) {
      warn(err, Number(row.sequence));
      return [];
    }
  });
  return { seen, upto: isAll ? limit : Number(taken.at(-1)!.sequence) };
}

/** Where enough inferences of probes are together; the number of those of a batch is in its event. */
function indexAfterRows(rows: readonly EventRow[]): number {
  let inferences = 0;
  const index = rows.findIndex(({ kind, data }) => {
    if (kind !== 'telemetry.received') return false;
    inferences += Number(/"accepted":(\d{1,6})/.exec(data)?.[1] ?? BATCH_ROWS_MAX);
    return inferences >= ROWS_AT_ONCE;
  });
  return index === -1 ? rows.length : index + 1;
}

function seenIn(row: EventRow, batches: ReadonlyMap<string, BatchRow>): Seen | null {
  const sequence = Number(row.sequence);
  const recordedAtMs = row.recorded_at.getTime();
  const data = JSON.parse(row.data) as Readonly<Record<string, unknown>>;
  if (row.kind === 'policy.updated') {
    const { version } = data;
    if (typeof version !== 'number' || !(version >= 1 && version <= VERSION_MAX)) throw new Error('a policy without its version');
    return { type: 'policy', sequence, recordedAtMs, version };
  }
  if (row.kind === 'telemetry.received') {
    const batch = batches.get(row.id);
    const group = typeof data['group'] === 'string' ? data['group'].toWellFormed().replaceAll('\0', '\ufffd') : DEFAULT_GROUP;
    // Its rows may have been deleted since.
    if (batch === undefined) return null;
    return { type: 'batch', sequence, recordedAtMs, group, models: () => modelsOf(columnsOf(batch, recordedAtMs), sequence) };
  }
  return assessmentIn(row, data, sequence, recordedAtMs);
}

const DEFAULT_GROUP = 'default';
/** PostgreSQL's `integer`. */
const VERSION_MAX = 2_147_483_647;

function assessmentIn(row: EventRow, data: Readonly<Record<string, unknown>>, sequence: number, recordedAtMs: number): Seen {
  const { score, coverage, model } = data as {
    readonly score: unknown;
    readonly coverage?: { readonly detectors?: readonly { readonly id: string; readonly status: string }[] } | null;
    readonly model?: { readonly version?: unknown } | null;
  };
  const isLookedFor = coverage?.detectors?.some(({ id, status }) => id === 'refusal' && status === 'ok') === true;
  return {
    type: 'assessment',
    sequence,
    recordedAtMs,
    occurredAtMs: Math.min(row.occurred_at.getTime(), recordedAtMs),
    model: row.model,
    modelVersion: typeof model?.version === 'string' ? model.version : null,
    outcome: row.kind.slice('inference.'.length),
    score: typeof score === 'number' ? score : Number.NaN,
    categories: row.categories,
    refusal: refusalOf(isLookedFor, null, row.categories),
  };
}

interface BatchRow {
  readonly batch_id: string;
  readonly positions: Buffer;
  readonly times: Buffer;
  readonly models: Buffer;
  readonly versions: Buffer;
  readonly finish_reasons: Buffer;
  readonly outcomes: Buffer;
  readonly categories: Buffer;
  readonly errors: Buffer;
  readonly scores: Buffer;
  readonly latencies: Buffer;
  readonly first_tokens: Buffer;
  readonly input_tokens: Buffer;
  readonly output_tokens: Buffer;
}

async function readBatches(db: Queryable, orgId: Buffer, rows: readonly EventRow[]): Promise<ReadonlyMap<string, BatchRow>> {
  const ids = rows.flatMap(({ id, kind }) => (kind === 'telemetry.received' ? [id] : []));
  if (ids.length === 0) return new Map();
  const batches = await db.query<BatchRow>({
    name: 'drift_read_batches',
    text: `SELECT batch_id, array_send(array_agg(position)) AS positions, array_send(array_agg(occurred_at)) AS times,
                  array_send(array_agg(model)) AS models, array_send(array_agg(model_version)) AS versions,
                  array_send(array_agg(finish_reason)) AS finish_reasons, array_send(array_agg(outcome)) AS outcomes,
                  array_send(array_agg(categories)) AS categories,
                  array_send(array_agg((error IS NOT NULL)::int)) AS errors,
                  array_send(array_agg(score)) AS scores, array_send(array_agg(latency_ms)) AS latencies,
                  array_send(array_agg(time_to_first_token_ms)) AS first_tokens,
                  array_send(array_agg(input_tokens::float8)) AS input_tokens,
                  array_send(array_agg(output_tokens::float8)) AS output_tokens
             FROM telemetry WHERE org_id = $1 AND batch_id = ANY ($2) AND mode = 'live' GROUP BY batch_id`,
    values: [uuidText(orgId), ids],
  });
  return new Map(batches.rows.map((batch) => [batch.batch_id, batch]));
}

type Columns = ReturnType<typeof columnsOf>;

function columnsOf(batch: BatchRow, recordedAtMs: number) {
  return {
    positions: readIntegers(batch.positions),
    // Of a clock that is ahead nothing is believed.
    times: readTimes(batch.times).map((ms) => Math.min(ms, recordedAtMs)),
    models: readTexts(batch.models),
    versions: readTexts(batch.versions),
    finishReasons: readTexts(batch.finish_reasons),
    outcomes: readTexts(batch.outcomes),
    categories: readTexts(batch.categories),
    errors: readIntegers(batch.errors),
    scores: readFloats(batch.scores),
    latencies: readFloats(batch.latencies),
    firstTokens: readFloats(batch.first_tokens),
    inputTokens: readFloats(batch.input_tokens),
    outputTokens: readFloats(batch.output_tokens),
  };
}

/** The rows of a batch by model, in the order of time; what happened at once in the order in which it was reported. */
function modelsOf(columns: Columns, sequence: number): ReadonlyMap<string | null, Inferences> {
  const { models, times, positions } = columns;
  const rows = new Map<string | null, number[]>();
  for (let i = 0; i < models.length; i++) {
    const known = rows.get(models[i]!);
    if (known === undefined) rows.set(models[i]!, [i]);
    else known.push(i);
  }
  const byFirst = [...rows].sort(([, a], [, b]) => lowest(positions, a) - lowest(positions, b));
  return new Map(
    byFirst.map(([model, is]) => {
      is.sort((a, b) => times[a]! - times[b]! || positions[a]! - positions[b]!);
      return [model, inferencesAt(columns, is, sequence)] as const;
    }),
  );
}

function inferencesAt(columns: Columns, is: readonly number[], sequence: number): Inferences {
  const { positions, outcomes, categories, finishReasons } = columns;
  return {
    timesMs: numbersAt(columns.times, is),
    ids: is.map((i) => sampleIdOf(sequence, positions[i]!)),
    outcomes: textsAt(outcomes, is),
    categories: textsAt(categories, is),
    errors: numbersAt(columns.errors, is),
    refusals: is.map((i) => refusalOf(outcomes[i] !== null, finishReasons[i]!, categories[i]!)),
    scores: numbersAt(columns.scores, is),
    latenciesMs: numbersAt(columns.latencies, is),
    timesToFirstTokenMs: numbersAt(columns.firstTokens, is),
    inputTokens: numbersAt(columns.inputTokens, is),
    outputTokens: numbersAt(columns.outputTokens, is),
    finishReasons: textsAt(finishReasons, is),
    modelVersions: textsAt(columns.versions, is),
  };
}

function textsAt(column: readonly (string | null)[], is: readonly number[]): (string | null)[] {
  return is.map((i) => column[i]!);
}

/** Models in the order in which they come first: however the rows were read, a new one is met in the same order. */
function lowest(positions: Int32Array, is: readonly number[]): number {
  return is.reduce((least, i) => Math.min(least, positions[i]!), Number.POSITIVE_INFINITY);
}

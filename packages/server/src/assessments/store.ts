// SQL over assessments: live ones are events of the trail, test ones have a table of their own.

import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';
import { purgeOlderThan } from '../storage/purge.ts';

/** Assessments of test keys are kept this long. */
const TEST_RETENTION_HOURS = 24;

export interface NewTestAssessment {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly createdAtMs: number;
  readonly outcome: string;
  readonly model: string | null;
  readonly externalId: string | null;
  /** The probe that reported it; absent: it came over the API. */
  readonly probeId?: string;
  readonly categories: readonly string[];
  readonly data: string;
}

export function insertTestAssessment(db: Queryable, assessment: NewTestAssessment): Promise<void> {
  return insertTestAssessments(db, [assessment]);
}

/** Inserts those that are not there, by one statement. */
export async function insertTestAssessments(db: Queryable, assessments: readonly NewTestAssessment[]): Promise<void> {
  if (assessments.length === 0) return;
  const each = <Value>(get: (assessment: NewTestAssessment) => Value) => assessments.map(get);
  await db.query({
    name: 'insert_test_assessments',
    text: `INSERT INTO test_assessments (org_id, id, created_at, outcome, model, external_id, categories, data, probe_id)
           SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
           ON CONFLICT DO NOTHING`,
    values: [
      each(({ orgId }) => uuidText(orgId)),
      each(({ id }) => uuidText(id)),
      each(({ createdAtMs }) => new Date(createdAtMs)),
      each(({ outcome }) => outcome),
      each(({ model }) => model),
      each(({ externalId }) => externalId),
      each(({ categories }) => (categories.length === 0 ? null : ` ${categories.join(' ')} `)),
      each(({ data }) => data),
      each(({ probeId }) => probeId ?? null),
    ],
  });
}

export async function findTestAssessmentById(db: Queryable, orgId: Buffer, id: Buffer): Promise<Record<string, unknown> | null> {
  const { rows } = await db.query<{ data: string }>(
    `SELECT data FROM test_assessments WHERE org_id = $1 AND id = $2 AND created_at > now() - interval '${TEST_RETENTION_HOURS} hours'`,
    [uuidText(orgId), uuidText(id)],
  );
  return rows[0] === undefined ? null : (JSON.parse(rows[0].data) as Record<string, unknown>);
}

export interface TestAssessmentFilter {
  readonly outcome?: string | undefined;
  readonly externalId?: string | undefined;
}

/** Newest first, before id `before`. */
export async function listTestAssessments(
  db: Queryable,
  orgId: Buffer,
  filter: TestAssessmentFilter,
  before: Buffer | null,
  limit: number,
): Promise<Record<string, unknown>[]> {
  const { rows } = await db.query<{ data: string }>(
    `SELECT data FROM test_assessments
      WHERE org_id = $1 AND created_at > now() - interval '${TEST_RETENTION_HOURS} hours' AND ($2::uuid IS NULL OR id < $2)
        AND ($3::text IS NULL OR outcome = $3) AND ($4::text IS NULL OR external_id = $4)
      ORDER BY id DESC LIMIT $5`,
    [uuidText(orgId), before === null ? null : uuidText(before), filter.outcome ?? null, filter.externalId ?? null, limit],
  );
  return rows.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

/** Deletes test assessments that are no longer kept. */
export function purgeTestAssessments(db: Queryable): Promise<void> {
  return purgeOlderThan(db, 'test_assessments', TEST_RETENTION_HOURS);
}

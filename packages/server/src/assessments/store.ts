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

export async function insertTestAssessment(db: Queryable, assessment: NewTestAssessment): Promise<void> {
  await db.query({
    name: 'insert_test_assessment',
    text: `INSERT INTO test_assessments (org_id, id, created_at, outcome, model, external_id, categories, data, probe_id)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING`,
    values: [
      uuidText(assessment.orgId),
      uuidText(assessment.id),
      new Date(assessment.createdAtMs),
      assessment.outcome,
      assessment.model,
      assessment.externalId,
      assessment.categories.length === 0 ? null : ` ${assessment.categories.join(' ')} `,
      assessment.data,
      assessment.probeId ?? null,
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

// SQL over judges.

import { uuidText, idFromUuidText, parseId } from '../ids.ts';
import { AS_OF } from '../journal/change-feed.ts';
import type { Queryable } from '../storage/database.ts';

/** By which protocol a judge is asked and understood. */
export const JUDGE_KINDS = ['chat', 'gpt_oss_safeguard', 'llama_guard'] as const;
export type JudgeKind = (typeof JUDGE_KINDS)[number];

/** A model outside that gives its opinion on texts. */
export interface Judge {
  /** `jdg_…` */
  readonly id: string;
  readonly uuid: Buffer;
  /** From 1, one more with each change. */
  readonly version: number;
  readonly name: string;
  readonly kind: JudgeKind;
  /** Of the API: `/chat/completions` is added to it. */
  readonly url: string;
  readonly model: string;
  readonly timeoutMs: number;
  readonly instructions: string | null;
  readonly sealedKey: Buffer | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface JudgeRow {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly kind: JudgeKind;
  readonly url: string;
  readonly model: string;
  readonly timeout_ms: number;
  readonly instructions: string | null;
  readonly sealed_key: Buffer | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = 'id, version, name, kind, url, model, timeout_ms, instructions, sealed_key, created_at, updated_at';

function judgeOf(row: JudgeRow): Judge {
  const id = idFromUuidText('jdg', row.id);
  return {
    id,
    uuid: parseId('jdg', id)!,
    version: row.version,
    name: row.name,
    kind: row.kind,
    url: row.url,
    model: row.model,
    timeoutMs: row.timeout_ms,
    instructions: row.instructions,
    sealedKey: row.sealed_key,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

export async function insertJudge(db: Queryable, orgId: Buffer, judge: Judge): Promise<void> {
  await db.query(
    `INSERT INTO judges (org_id, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    valuesOf(orgId, judge),
  );
}

/** Writes a judge that is there. */
export async function updateJudge(db: Queryable, orgId: Buffer, judge: Judge): Promise<void> {
  await db.query(
    `UPDATE judges SET (${COLUMNS}) = ($2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) WHERE org_id = $1 AND id = $2`,
    valuesOf(orgId, judge),
  );
}

function valuesOf(orgId: Buffer, judge: Judge): unknown[] {
  return [
    uuidText(orgId),
    uuidText(judge.uuid),
    judge.version,
    judge.name,
    judge.kind,
    judge.url,
    judge.model,
    judge.timeoutMs,
    judge.instructions,
    judge.sealedKey,
    new Date(judge.createdAtMs),
    new Date(judge.updatedAtMs),
  ];
}

export async function deleteJudgeById(db: Queryable, orgId: Buffer, id: Buffer): Promise<void> {
  await db.query('DELETE FROM judges WHERE org_id = $1 AND id = $2', [uuidText(orgId), uuidText(id)]);
}

export async function findJudgeById(db: Queryable, orgId: Buffer, id: Buffer): Promise<Judge | null> {
  const { rows } = await db.query<JudgeRow>(`SELECT ${COLUMNS} FROM judges WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : judgeOf(rows[0]);
}

/** Newest first; ids are ascending in time. */
export async function listJudges(db: Queryable, orgId: Buffer, before: Buffer | null, limit: number): Promise<Judge[]> {
  const { rows } = await db.query<JudgeRow>(
    `SELECT ${COLUMNS} FROM judges WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), before === null ? null : uuidText(before), limit],
  );
  return rows.map(judgeOf);
}

/** All judges of an organization, and the change up to which that is true. */
export async function findAllJudges(db: Queryable, orgId: Buffer): Promise<{ judges: Judge[]; asOf: number }> {
  // Joined to the change counter's row, so that the number comes also where there is no judge, and from the same snapshot.
  const { rows } = await db.query<{ as_of: string } & { [Name in keyof JudgeRow]: JudgeRow[Name] | null }>(
    `SELECT c.as_of, ${COLUMNS.replaceAll(/\w+/g, 'j.$&')} FROM (SELECT ${AS_OF}) AS c LEFT JOIN judges AS j ON j.org_id = $1`,
    [uuidText(orgId)],
  );
  return { judges: rows.filter(isRow).map(judgeOf), asOf: Number(rows[0]!.as_of) };
}

function isRow<Row extends { readonly id: string | null }>(row: Row): row is Row & JudgeRow {
  return row.id !== null;
}

export async function countJudges(db: Queryable, orgId: Buffer): Promise<number> {
  const { rows } = await db.query<{ count: number }>('SELECT count(*)::int AS count FROM judges WHERE org_id = $1', [
    uuidText(orgId),
  ]);
  return rows[0]!.count;
}

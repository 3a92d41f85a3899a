// SQL over policy_versions.

import type { PolicyDocument } from '@svc/engine';
import { uuidText } from '../ids.ts';
import { AS_OF } from '../journal/change-feed.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Queryable, Transaction } from '../storage/database.ts';

export interface PolicyVersion {
  readonly version: number;
  readonly digest: string;
  readonly document: PolicyDocument;
  readonly createdAtMs: number;
  /** `key_…` or `system`. */
  readonly createdBy: string;
}

interface PolicyRow {
  readonly version: number;
  readonly digest: string;
  readonly document: PolicyDocument;
  readonly created_at: Date;
  readonly created_by: string;
}

const COLUMNS = 'version, digest, document, created_at, created_by';

function policyVersionOf(row: PolicyRow): PolicyVersion {
  return {
    version: row.version,
    digest: row.digest,
    document: row.document,
    createdAtMs: row.created_at.getTime(),
    createdBy: row.created_by,
  };
}

export async function findCurrentPolicy(db: Queryable, orgId: Buffer): Promise<PolicyVersion> {
  const { rows } = await db.query<PolicyRow>(
    `SELECT ${COLUMNS} FROM policy_versions WHERE org_id = $1 ORDER BY version DESC LIMIT 1`,
    [uuidText(orgId)],
  );
  if (rows[0] === undefined) throw new Error('an organization has no policy');
  return policyVersionOf(rows[0]);
}

/** The number of the version in force, and the change up to which that is true. */
export async function findCurrentPolicyVersion(db: Queryable, orgId: Buffer): Promise<{ version: number; asOf: number }> {
  const { rows } = await db.query<{ version: number; as_of: string }>({
    name: 'find_current_policy_version',
    text: `SELECT max(version) AS version, ${AS_OF} FROM policy_versions WHERE org_id = $1`,
    values: [uuidText(orgId)],
  });
  return { version: rows[0]!.version, asOf: Number(rows[0]!.as_of) };
}

/** The current version, no other writer of this organization's policy beside until the transaction ends. */
export async function lockCurrentPolicy(db: Transaction, orgId: Buffer): Promise<PolicyVersion> {
  await lockOrganization(db, orgId);
  return findCurrentPolicy(db, orgId);
}

export async function findPolicyByVersion(db: Queryable, orgId: Buffer, version: number): Promise<PolicyVersion | null> {
  const { rows } = await db.query<PolicyRow>(`SELECT ${COLUMNS} FROM policy_versions WHERE org_id = $1 AND version = $2`, [
    uuidText(orgId),
    version,
  ]);
  return rows[0] === undefined ? null : policyVersionOf(rows[0]);
}

/** Newest first, before `before`. */
export async function listPolicyVersions(
  db: Queryable,
  orgId: Buffer,
  before: number | null,
  limit: number,
): Promise<PolicyVersion[]> {
  const { rows } = await db.query<PolicyRow>(
    `SELECT ${COLUMNS} FROM policy_versions WHERE org_id = $1 AND ($2::int IS NULL OR version < $2) ORDER BY version DESC LIMIT $3`,
    [uuidText(orgId), before, limit],
  );
  return rows.map(policyVersionOf);
}

export async function insertPolicyVersion(db: Queryable, orgId: Buffer, policy: PolicyVersion): Promise<void> {
  await db.query(
    'INSERT INTO policy_versions (org_id, version, digest, document, created_at, created_by) VALUES ($1, $2, $3, $4, $5, $6)',
    [
      uuidText(orgId),
      policy.version,
      policy.digest,
      JSON.stringify(policy.document),
      new Date(policy.createdAtMs),
      policy.createdBy,
    ],
  );
}

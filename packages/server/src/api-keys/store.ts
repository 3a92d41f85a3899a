// SQL over api_keys.

import type { StoredDigest } from '../access/peppers.ts';
import { uuidText, idFromUuidText } from '../ids.ts';
import type { KeyType, Scope } from '../access/scopes.ts';
import type { Queryable } from '../storage/database.ts';

/** A key as the API shows it; the secret is not among what is kept. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly description: string | null;
  /** Those of its service account, where it has one. */
  readonly permissions: readonly Scope[];
  /** `sa_…` */
  readonly serviceAccountId: string | null;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly lastUsedAtMs: number | null;
  readonly revokedAtMs: number | null;
}

interface ApiKeyRow {
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly description: string | null;
  readonly permissions: Scope[];
  readonly service_account_id: string | null;
  readonly last4: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

const KEYS = `(
  SELECT k.org_id, k.id, k.name, k.type, k.description, coalesce(a.permissions, k.permissions) AS permissions, k.service_account_id,
         k.last4, k.created_at, k.expires_at, k.last_used_at, k.revoked_at
    FROM api_keys k LEFT JOIN service_accounts a ON a.org_id = k.org_id AND a.id = k.service_account_id) AS keys`;

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: idFromUuidText('key', row.id),
    name: row.name,
    type: row.type,
    description: row.description,
    permissions: row.permissions,
    serviceAccountId: row.service_account_id === null ? null : idFromUuidText('sa', row.service_account_id),
    last4: row.last4,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at?.getTime() ?? null,
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    revokedAtMs: row.revoked_at?.getTime() ?? null,
  };
}

export interface NewApiKey {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly name: string;
  readonly type: KeyType;
  readonly description: string | null;
  readonly permissions: readonly Scope[];
  readonly serviceAccountId: Buffer | null;
  readonly stored: StoredDigest;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<void> {
  await db.query(
    `INSERT INTO api_keys (org_id, id, name, type, description, permissions, service_account_id, pepper, digest, last4, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      uuidText(key.orgId),
      uuidText(key.id),
      key.name,
      key.type,
      key.description,
      key.permissions,
      key.serviceAccountId === null ? null : uuidText(key.serviceAccountId),
      key.stored.pepper,
      key.stored.digest,
      key.last4,
      new Date(key.createdAtMs),
      key.expiresAtMs === null ? null : new Date(key.expiresAtMs),
    ],
  );
}

export async function findApiKeyById(db: Queryable, orgId: Buffer, id: Buffer): Promise<ApiKey | null> {
  const { rows } = await db.query<ApiKeyRow>(`SELECT * FROM ${KEYS} WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : apiKeyOf(rows[0]);
}

/** Newest first; ids are ascending in time. */
export async function listApiKeys(db: Queryable, orgId: Buffer, before: Buffer | null, limit: number): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(
    `SELECT * FROM ${KEYS} WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), before === null ? null : uuidText(before), limit],
  );
  return rows.map(apiKeyOf);
}

/** Counts the keys that are neither revoked nor expired. */
export async function countApiKeys(db: Queryable, orgId: Buffer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
    [uuidText(orgId)],
  );
  return rows[0]!.count;
}

/** How many keys that are neither revoked nor expired may manage the organization. */
export async function countAdminKeys(db: Queryable, orgId: Buffer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${KEYS}
      WHERE org_id = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND 'admin:*' = ANY (permissions)`,
    [uuidText(orgId)],
  );
  return rows[0]!.count;
}

/** Revokes; false when it was revoked before, which keeps its first time, or does not exist. */
export async function revokeApiKey(db: Queryable, orgId: Buffer, id: Buffer, atMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    'UPDATE api_keys SET revoked_at = $3 WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL',
    [uuidText(orgId), uuidText(id), new Date(atMs)],
  );
  return rowCount === 1;
}

/** The key that was made with a service account. */
export async function findFirstKeyOfAccount(db: Queryable, orgId: Buffer, accountId: Buffer): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    'SELECT id FROM api_keys WHERE org_id = $1 AND service_account_id = $2 ORDER BY id LIMIT 1',
    [uuidText(orgId), uuidText(accountId)],
  );
  return rows[0] === undefined ? null : idFromUuidText('key', rows[0].id);
}

/** The keys of a service account that are not revoked, oldest first. */
export async function listKeysOfAccount(db: Queryable, orgId: Buffer, accountId: Buffer): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(
    `SELECT * FROM ${KEYS} WHERE org_id = $1 AND service_account_id = $2 AND revoked_at IS NULL ORDER BY id`,
    [uuidText(orgId), uuidText(accountId)],
  );
  return rows.map(apiKeyOf);
}

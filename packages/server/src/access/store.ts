// SQL over api_keys.

import { uuidText, idFromUuidText } from '../ids.ts';
import { ORGANIZATION_COLUMNS, organizationOf, type OrganizationRow } from '../organizations/organization.ts';
import type { Queryable } from '../storage/database.ts';
import type { Principal } from './principal.ts';
import type { KeyType, Scope } from './scopes.ts';

/** A key as the API shows it; the secret is not among what is kept. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly type: KeyType;
  readonly description: string | null;
  readonly permissions: readonly Scope[];
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
  readonly last4: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

const COLUMNS = 'id, name, type, description, permissions, last4, created_at, expires_at, last_used_at, revoked_at';

function apiKeyOf(row: ApiKeyRow): ApiKey {
  return {
    id: idFromUuidText('key', row.id),
    name: row.name,
    type: row.type,
    description: row.description,
    permissions: row.permissions,
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
  readonly pepper: string;
  readonly digest: Buffer;
  readonly last4: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
}

export async function insertApiKey(db: Queryable, key: NewApiKey): Promise<ApiKey> {
  const { rows } = await db.query<ApiKeyRow>(
    `INSERT INTO api_keys (org_id, id, name, type, description, permissions, pepper, digest, last4, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING ${COLUMNS}`,
    [
      uuidText(key.orgId),
      uuidText(key.id),
      key.name,
      key.type,
      key.description,
      key.permissions,
      key.pepper,
      key.digest,
      key.last4,
      new Date(key.createdAtMs),
      key.expiresAtMs === null ? null : new Date(key.expiresAtMs),
    ],
  );
  return apiKeyOf(rows[0]!);
}

export async function findApiKeyById(db: Queryable, orgId: Buffer, id: Buffer): Promise<ApiKey | null> {
  const { rows } = await db.query<ApiKeyRow>(`SELECT ${COLUMNS} FROM api_keys WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : apiKeyOf(rows[0]);
}

/** Newest first; ids are ascending in time. */
export async function listApiKeys(db: Queryable, orgId: Buffer, before: Buffer | null, limit: number): Promise<ApiKey[]> {
  const { rows } = await db.query<ApiKeyRow>(
    `SELECT ${COLUMNS} FROM api_keys WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), before === null ? null : uuidText(before), limit],
  );
  return rows.map(apiKeyOf);
}

/** Until the transaction ends no other one changes the organization's keys. */
export async function lockKeys(db: Queryable, orgId: Buffer): Promise<void> {
  await db.query('SELECT 1 FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [uuidText(orgId)]);
}

/** Counts the keys that are not revoked, so that no two requests pass the bound together. */
export async function countApiKeysLocked(db: Queryable, orgId: Buffer): Promise<number> {
  await lockKeys(db, orgId);
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL',
    [uuidText(orgId)],
  );
  return rows[0]!.count;
}

/** How many keys that are neither revoked nor expired may manage the organization, `except` aside. */
export async function countAdminKeysExcept(db: Queryable, orgId: Buffer, except: Buffer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM api_keys
      WHERE org_id = $1 AND id <> $2 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now()) AND 'admin:*' = ANY (permissions)`,
    [uuidText(orgId), uuidText(except)],
  );
  return rows[0]!.count;
}

/** Revokes; `isNew` is false when it was revoked before, which keeps its first time. `null`: no such key. */
export async function revokeApiKey(
  db: Queryable,
  orgId: Buffer,
  id: Buffer,
  atMs: number,
): Promise<{ key: ApiKey; isNew: boolean } | null> {
  const ids = [uuidText(orgId), uuidText(id)];
  const { rows } = await db.query<ApiKeyRow>(
    `UPDATE api_keys SET revoked_at = $3 WHERE org_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING ${COLUMNS}`,
    [...ids, new Date(atMs)],
  );
  if (rows[0] !== undefined) return { key: apiKeyOf(rows[0]), isNew: true };
  const key = await findApiKeyById(db, orgId, id);
  return key === null ? null : { key, isNew: false };
}

/** A credential as it is checked on every request. */
export interface Credential {
  readonly principal: Principal;
  readonly keyId: Buffer;
  /** `Infinity`: never. */
  readonly expiresAtMs: number;
}

interface CredentialRow extends OrganizationRow {
  readonly key_id: string;
  readonly key_name: string;
  readonly key_type: KeyType;
  readonly permissions: Scope[];
  readonly expires_at: Date | null;
}

/** The key with this digest, with its organization, unless it is revoked. */
export async function findCredentialByDigest(db: Queryable, digest: Buffer): Promise<Credential | null> {
  const { rows } = await db.query<CredentialRow>({
    name: 'find_credential_by_digest',
    text: `SELECT k.id AS key_id, k.name AS key_name, k.type AS key_type, k.permissions, k.expires_at, ${ORGANIZATION_COLUMNS}
             FROM api_keys k JOIN organizations o ON o.id = k.org_id
            WHERE k.digest = $1 AND k.revoked_at IS NULL`,
    values: [digest],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    keyId: Buffer.from(row.key_id.replaceAll('-', ''), 'hex'),
    expiresAtMs: row.expires_at?.getTime() ?? Infinity,
    principal: {
      type: 'api_key',
      id: idFromUuidText('key', row.key_id),
      name: row.key_name,
      keyType: row.key_type,
      mode: row.key_type === 'test' ? 'test' : 'live',
      scopes: row.permissions,
      organization: organizationOf(row),
    },
  };
}

/** Moves the time of last use forward, never back. */
export async function touchApiKeys(
  db: Queryable,
  uses: readonly { orgId: Buffer; keyId: Buffer; atMs: number }[],
): Promise<void> {
  await db.query(
    `UPDATE api_keys k SET last_used_at = u.at FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u (org_id, id, at)
      WHERE k.org_id = u.org_id AND k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
    [uses.map(({ orgId }) => uuidText(orgId)), uses.map(({ keyId }) => uuidText(keyId)), uses.map(({ atMs }) => new Date(atMs))],
  );
}

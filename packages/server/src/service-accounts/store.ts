// SQL over service_accounts.

import type { KeyType, Scope } from '../access/scopes.ts';
import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

/** A service account as the API shows it. */
export interface ServiceAccount {
  readonly id: string;
  readonly name: string;
  /** Of its keys. */
  readonly keyType: KeyType;
  readonly permissions: readonly Scope[];
  /** CIDR ranges; empty: any address. */
  readonly ipAllowlist: readonly string[];
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly deletedAtMs: number | null;
}

interface ServiceAccountRow {
  readonly id: string;
  readonly name: string;
  readonly key_type: KeyType;
  readonly permissions: Scope[];
  readonly ip_allowlist: string[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
}

const COLUMNS = 'id, name, key_type, permissions, ip_allowlist, created_at, updated_at, deleted_at';

function accountOf(row: ServiceAccountRow): ServiceAccount {
  return {
    id: idFromUuidText('sa', row.id),
    name: row.name,
    keyType: row.key_type,
    permissions: row.permissions,
    ipAllowlist: row.ip_allowlist,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
    deletedAtMs: row.deleted_at?.getTime() ?? null,
  };
}

export interface NewServiceAccount {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly name: string;
  readonly keyType: KeyType;
  readonly permissions: readonly Scope[];
  readonly ipAllowlist: readonly string[];
  readonly createdAtMs: number;
}

export async function insertServiceAccount(db: Queryable, account: NewServiceAccount): Promise<ServiceAccount> {
  const { rows } = await db.query<ServiceAccountRow>(
    `INSERT INTO service_accounts (org_id, id, name, key_type, permissions, ip_allowlist, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $7) RETURNING ${COLUMNS}`,
    [
      uuidText(account.orgId),
      uuidText(account.id),
      account.name,
      account.keyType,
      account.permissions,
      account.ipAllowlist,
      new Date(account.createdAtMs),
    ],
  );
  return accountOf(rows[0]!);
}

/** Deleted ones included, so that who acted can still be told. */
export async function findServiceAccountById(db: Queryable, orgId: Buffer, id: Buffer): Promise<ServiceAccount | null> {
  const { rows } = await db.query<ServiceAccountRow>(`SELECT ${COLUMNS} FROM service_accounts WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : accountOf(rows[0]);
}

/** Newest first, without deleted ones; ids are ascending in time. */
export async function listServiceAccounts(
  db: Queryable,
  orgId: Buffer,
  before: Buffer | null,
  limit: number,
): Promise<ServiceAccount[]> {
  const { rows } = await db.query<ServiceAccountRow>(
    `SELECT ${COLUMNS} FROM service_accounts
      WHERE org_id = $1 AND deleted_at IS NULL AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), before === null ? null : uuidText(before), limit],
  );
  return rows.map(accountOf);
}

export async function countServiceAccounts(db: Queryable, orgId: Buffer): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM service_accounts WHERE org_id = $1 AND deleted_at IS NULL',
    [uuidText(orgId)],
  );
  return rows[0]!.count;
}

export async function updateServiceAccount(
  db: Queryable,
  orgId: Buffer,
  id: Buffer,
  { name, permissions, ipAllowlist }: Pick<ServiceAccount, 'name' | 'permissions' | 'ipAllowlist'>,
  atMs: number,
): Promise<void> {
  await db.query(
    'UPDATE service_accounts SET name = $3, permissions = $4, ip_allowlist = $5, updated_at = $6 WHERE org_id = $1 AND id = $2',
    [uuidText(orgId), uuidText(id), name, permissions, ipAllowlist, new Date(atMs)],
  );
}

export async function deleteServiceAccountById(db: Queryable, orgId: Buffer, id: Buffer, atMs: number): Promise<void> {
  await db.query('UPDATE service_accounts SET deleted_at = $3, updated_at = $3 WHERE org_id = $1 AND id = $2', [
    uuidText(orgId),
    uuidText(id),
    new Date(atMs),
  ]);
}

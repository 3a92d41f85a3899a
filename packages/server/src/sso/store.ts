// SQL over sso_settings.

import type { Role } from '../access/scopes.ts';
import { uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

/** How an organization's users sign in. */
export interface SsoSettings {
  readonly orgId: Buffer;
  readonly issuer: string;
  readonly clientId: string;
  /** `null`: a public client. */
  readonly sealedClientSecret: Buffer | null;
  readonly groupsClaim: string;
  readonly roles: Readonly<Record<string, Role>>;
  readonly defaultRole: Role | null;
  readonly require: Readonly<Record<string, string | number | boolean>>;
  readonly updatedAtMs: number;
  readonly updatedBy: string;
}

interface SsoRow {
  readonly org_id: string;
  readonly issuer: string;
  readonly client_id: string;
  readonly sealed_client_secret: Buffer | null;
  readonly groups_claim: string;
  readonly roles: Record<string, Role>;
  readonly default_role: Role | null;
  readonly require: Record<string, string | number | boolean>;
  readonly updated_at: Date;
  readonly updated_by: string;
}

const COLUMNS =
  'org_id, issuer, client_id, sealed_client_secret, groups_claim, roles, default_role, require, updated_at, updated_by';

function settingsOf(row: SsoRow): SsoSettings {
  return {
    orgId: Buffer.from(row.org_id.replaceAll('-', ''), 'hex'),
    issuer: row.issuer,
    clientId: row.client_id,
    sealedClientSecret: row.sealed_client_secret,
    groupsClaim: row.groups_claim,
    roles: row.roles,
    defaultRole: row.default_role,
    require: row.require,
    updatedAtMs: row.updated_at.getTime(),
    updatedBy: row.updated_by,
  };
}

export async function findSsoByOrganization(db: Queryable, orgId: Buffer): Promise<SsoSettings | null> {
  const { rows } = await db.query<SsoRow>(`SELECT ${COLUMNS} FROM sso_settings WHERE org_id = $1`, [uuidText(orgId)]);
  return rows[0] === undefined ? null : settingsOf(rows[0]);
}

/** The settings that a token of `issuer` for one of `clientIds` may be meant for: of one organization, or at most two of any. */
export async function listSsoByClient(
  db: Queryable,
  issuer: string,
  clientIds: readonly string[],
  orgId: Buffer | null,
): Promise<SsoSettings[]> {
  const { rows } = await db.query<SsoRow>(
    `SELECT ${COLUMNS} FROM sso_settings
      WHERE issuer = $1 AND client_id = ANY ($2) AND ($3::uuid IS NULL OR org_id = $3) LIMIT 2`,
    [issuer, clientIds, orgId === null ? null : uuidText(orgId)],
  );
  return rows.map(settingsOf);
}

/** The settings of the only organization that has any; `null` when there is none, or more than one. */
export async function findOnlySso(db: Queryable): Promise<SsoSettings | null> {
  const { rows } = await db.query<SsoRow>(`SELECT ${COLUMNS} FROM sso_settings LIMIT 2`);
  return rows.length === 1 ? settingsOf(rows[0]!) : null;
}

export async function upsertSso(db: Queryable, settings: SsoSettings): Promise<void> {
  await db.query(
    `INSERT INTO sso_settings (${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (org_id) DO UPDATE SET issuer = excluded.issuer, client_id = excluded.client_id,
       sealed_client_secret = excluded.sealed_client_secret, groups_claim = excluded.groups_claim, roles = excluded.roles,
       default_role = excluded.default_role, require = excluded.require, updated_at = excluded.updated_at, updated_by = excluded.updated_by`,
    [
      uuidText(settings.orgId),
      settings.issuer,
      settings.clientId,
      settings.sealedClientSecret,
      settings.groupsClaim,
      JSON.stringify(settings.roles),
      settings.defaultRole,
      JSON.stringify(settings.require),
      new Date(settings.updatedAtMs),
      settings.updatedBy,
    ],
  );
}

/** True when there was something to delete. */
export async function deleteSso(db: Queryable, orgId: Buffer): Promise<boolean> {
  const { rowCount } = await db.query('DELETE FROM sso_settings WHERE org_id = $1', [uuidText(orgId)]);
  return rowCount === 1;
}

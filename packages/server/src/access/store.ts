// SQL of the access check: who is it that presents this key, or this session.

import { parseCidr, CidrList } from '../addresses/cidr.ts';
import { idFromUuidText, uuidText } from '../ids.ts';
import { AS_OF } from '../journal/change-feed.ts';
import { ORGANIZATION_COLUMNS, organizationOf, type OrganizationRow } from '../organizations/organization.ts';
import type { Queryable } from '../storage/database.ts';
import type { StoredDigest } from './peppers.ts';
import type { Principal } from './principal.ts';
import type { KeyType, Scope } from './scopes.ts';

/** A credential as it is checked on every request. */
export interface Credential {
  readonly principal: Principal;
  /** `Infinity`: never. */
  readonly expiresAtMs: number;
  /** Of the key, for its time of last use; `null` for a user's session. */
  readonly keyUuid: Buffer | null;
  /** The pepper under which the key is stored. */
  readonly pepper: string | null;
  /** What it hangs on: a change of any of these ends what is remembered of it. */
  readonly subjects: readonly string[];
  /** The change up to which it is true. */
  readonly asOf: number;
}

interface CredentialRow extends OrganizationRow {
  readonly as_of: string;
  readonly key_id: string | null;
  readonly key_name: string | null;
  readonly key_type: KeyType | null;
  readonly key_permissions: Scope[] | null;
  readonly key_expires_at: Date | null;
  readonly pepper: string | null;
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly account_permissions: Scope[] | null;
  readonly ip_allowlist: string[] | null;
}

const KEY_COLUMNS = `k.id AS key_id, k.name AS key_name, k.type AS key_type, k.permissions AS key_permissions, k.expires_at AS key_expires_at, k.pepper,
  a.id AS account_id, a.name AS account_name, a.permissions AS account_permissions, a.ip_allowlist`;

/** The key with one of these digests, unless it or its account has ended. */
export async function findKeyCredential(db: Queryable, digests: readonly Buffer[]): Promise<Credential | null> {
  const { rows } = await db.query<CredentialRow>({
    name: 'find_key_credential',
    text: `SELECT ${KEY_COLUMNS}, ${ORGANIZATION_COLUMNS}, ${AS_OF}
             FROM api_keys k JOIN organizations o ON o.id = k.org_id
             LEFT JOIN service_accounts a ON a.org_id = k.org_id AND a.id = k.service_account_id
            WHERE k.digest = ANY ($1) AND k.revoked_at IS NULL AND a.deleted_at IS NULL`,
    values: [digests],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const principal = keyPrincipalOf(row, null);
  return {
    principal,
    expiresAtMs: row.key_expires_at?.getTime() ?? Infinity,
    keyUuid: uuidOf(row.key_id!),
    pepper: row.pepper,
    subjects: subjectsOf(principal),
    asOf: Number(row.as_of),
  };
}

interface SessionRow extends CredentialRow {
  readonly session_id: string;
  readonly subject: string | null;
  readonly session_name: string;
  readonly scopes: Scope[];
  readonly signed_in_at: Date;
  readonly session_expires_at: Date;
}

/** The session, unless it, or the key that opened it, has ended. `expiresAtMs` is the end of the session. */
export async function findSessionCredential(db: Queryable, orgId: Buffer, sessionId: Buffer): Promise<Credential | null> {
  const { rows } = await db.query<SessionRow>({
    name: 'find_session_credential',
    text: `SELECT s.id AS session_id, s.subject, s.name AS session_name, s.scopes, s.signed_in_at, s.expires_at AS session_expires_at,
                  ${KEY_COLUMNS}, ${ORGANIZATION_COLUMNS}, ${AS_OF}
             FROM sessions s JOIN organizations o ON o.id = s.org_id
             LEFT JOIN api_keys k ON k.org_id = s.org_id AND k.id = s.key_id
             LEFT JOIN service_accounts a ON a.org_id = k.org_id AND a.id = k.service_account_id
            WHERE s.org_id = $1 AND s.id = $2 AND s.ended_at IS NULL AND k.revoked_at IS NULL AND a.deleted_at IS NULL`,
    values: [uuidText(orgId), uuidText(sessionId)],
  });
  const row = rows[0];
  if (row === undefined) return null;
  const session = {
    id: idFromUuidText('ses', row.session_id),
    signedInAtMs: row.signed_in_at.getTime(),
    expiresAtMs: row.session_expires_at.getTime(),
  };
  const principal = row.key_id === null ? userPrincipalOf(row, session) : keyPrincipalOf(row, session);
  return {
    principal,
    expiresAtMs: Math.min(session.expiresAtMs, row.key_expires_at?.getTime() ?? Infinity),
    keyUuid: row.key_id === null ? null : uuidOf(row.key_id),
    pepper: row.pepper,
    subjects: subjectsOf(principal),
    asOf: Number(row.as_of),
  };
}

function keyPrincipalOf(row: CredentialRow, session: Principal['session']): Principal {
  const isAccount = row.account_id !== null;
  const type = row.key_type!;
  return {
    type: isAccount ? 'service_account' : 'api_key',
    id: isAccount ? idFromUuidText('sa', row.account_id) : idFromUuidText('key', row.key_id!),
    name: isAccount ? row.account_name! : row.key_name!,
    mode: type === 'test' ? 'test' : 'live',
    scopes: isAccount ? row.account_permissions! : row.key_permissions!,
    organization: organizationOf(row),
    key: { id: idFromUuidText('key', row.key_id!), type },
    session,
    allowlist: allowlistOf(row.ip_allowlist),
  };
}

function userPrincipalOf(row: SessionRow, session: Principal['session']): Principal {
  return {
    type: 'user',
    id: row.subject!,
    name: row.session_name,
    mode: 'live',
    scopes: row.scopes,
    organization: organizationOf(row),
    key: null,
    session,
    allowlist: EVERYWHERE,
  };
}

const EVERYWHERE = new CidrList([]);

function allowlistOf(ranges: readonly string[] | null): CidrList {
  if (ranges === null || ranges.length === 0) return EVERYWHERE;
  return new CidrList(
    ranges.map((range) => {
      const cidr = parseCidr(range);
      if ('fault' in cidr) throw new Error('a stored allowlist cannot be read');
      return cidr;
    }),
  );
}

function subjectsOf({ type, id, organization, key, session }: Principal): string[] {
  const subjects = [organization.id];
  if (key !== null) subjects.push(key.id);
  if (type === 'service_account') subjects.push(id);
  if (session !== null) subjects.push(session.id);
  return subjects;
}

function uuidOf(text: string): Buffer {
  return Buffer.from(text.replaceAll('-', ''), 'hex');
}

/** Stores a key that was found under an older pepper under the current one. */
export async function rekeyApiKey(db: Queryable, orgId: Buffer, keyId: Buffer, stored: StoredDigest): Promise<void> {
  await db.query('UPDATE api_keys SET pepper = $3, digest = $4 WHERE org_id = $1 AND id = $2 AND pepper <> $3', [
    uuidText(orgId),
    uuidText(keyId),
    stored.pepper,
    stored.digest,
  ]);
}

/** Moves the time of last use forward, never back. */
export async function touchApiKeys(
  db: Queryable,
  uses: readonly { orgId: Buffer; keyId: Buffer; atMs: number }[],
): Promise<void> {
  await db.query(
    // Locked in one order; what another holds is left to the next time.
    `WITH used AS (SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS u (org_id, id, at)
     ), free AS MATERIALIZED (
       SELECT k.org_id, k.id, used.at FROM api_keys k JOIN used ON k.org_id = used.org_id AND k.id = used.id
        WHERE k.last_used_at IS NULL OR k.last_used_at < used.at ORDER BY k.org_id, k.id FOR NO KEY UPDATE OF k SKIP LOCKED
     )
     UPDATE api_keys k SET last_used_at = free.at FROM free WHERE k.org_id = free.org_id AND k.id = free.id`,
    [uses.map(({ orgId }) => uuidText(orgId)), uses.map(({ keyId }) => uuidText(keyId)), uses.map(({ atMs }) => new Date(atMs))],
  );
}

// SQL over sessions.

import type { Scope } from '../access/scopes.ts';
import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

/** A session as the API shows it. */
export interface Session {
  readonly id: string;
  /** `null`: it was opened with a key. */
  readonly subject: string | null;
  readonly name: string;
  readonly role: string | null;
  readonly scopes: readonly Scope[];
  /** `key_…`; `null`: a user's. */
  readonly keyId: string | null;
  readonly address: string;
  readonly signedInAtMs: number;
  readonly expiresAtMs: number;
  readonly endedAtMs: number | null;
}

interface SessionRow {
  readonly id: string;
  readonly subject: string | null;
  readonly name: string;
  readonly role: string | null;
  readonly scopes: Scope[];
  readonly key_id: string | null;
  readonly address: string;
  readonly signed_in_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
}

const COLUMNS = 'id, subject, name, role, scopes, key_id, address, signed_in_at, expires_at, ended_at';

function sessionOf(row: SessionRow): Session {
  return {
    id: idFromUuidText('ses', row.id),
    subject: row.subject,
    name: row.name,
    role: row.role,
    scopes: row.scopes,
    keyId: row.key_id === null ? null : idFromUuidText('key', row.key_id),
    address: row.address,
    signedInAtMs: row.signed_in_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    endedAtMs: row.ended_at?.getTime() ?? null,
  };
}

export interface NewSession {
  readonly orgId: Buffer;
  readonly id: Buffer;
  readonly subject: string | null;
  readonly name: string;
  readonly role: string | null;
  readonly scopes: readonly Scope[];
  readonly keyId: Buffer | null;
  readonly address: string;
  readonly signedInAtMs: number;
  readonly expiresAtMs: number;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<Session> {
  const { rows } = await db.query<SessionRow>(
    `INSERT INTO sessions (org_id, id, subject, name, role, scopes, key_id, address, signed_in_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING ${COLUMNS}`,
    [
      uuidText(session.orgId),
      uuidText(session.id),
      session.subject,
      session.name,
      session.role,
      session.scopes,
      session.keyId === null ? null : uuidText(session.keyId),
      session.address,
      new Date(session.signedInAtMs),
      new Date(session.expiresAtMs),
    ],
  );
  return sessionOf(rows[0]!);
}

/** Newest first, ended ones included; ids are ascending in time. */
export async function listSessions(db: Queryable, orgId: Buffer, before: Buffer | null, limit: number): Promise<Session[]> {
  const { rows } = await db.query<SessionRow>(
    `SELECT ${COLUMNS} FROM sessions WHERE org_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    [uuidText(orgId), before === null ? null : uuidText(before), limit],
  );
  return rows.map(sessionOf);
}

export async function findSessionById(db: Queryable, orgId: Buffer, id: Buffer): Promise<Session | null> {
  const { rows } = await db.query<SessionRow>(`SELECT ${COLUMNS} FROM sessions WHERE org_id = $1 AND id = $2`, [
    uuidText(orgId),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : sessionOf(rows[0]);
}

/** Ends a session; `null` when it does not exist or has ended before. */
export async function endSessionById(db: Queryable, orgId: Buffer, id: Buffer, atMs: number): Promise<Session | null> {
  const { rows } = await db.query<SessionRow>(
    `UPDATE sessions SET ended_at = $3 WHERE org_id = $1 AND id = $2 AND ended_at IS NULL RETURNING ${COLUMNS}`,
    [uuidText(orgId), uuidText(id), new Date(atMs)],
  );
  return rows[0] === undefined ? null : sessionOf(rows[0]);
}

/** Ends up to `limit` of the organization's sessions that could still be used: all, those of users, or those of a key; answers them. */
export async function endSessions(
  db: Queryable,
  orgId: Buffer,
  whose: 'all' | 'users' | Buffer,
  atMs: number,
  limit: number,
): Promise<Session[]> {
  const ofKey = typeof whose === 'string' ? null : uuidText(whose);
  const { rows } = await db.query<SessionRow>(
    // A token is good for an hour from its issue, which may be the last moment of the session.
    `UPDATE sessions SET ended_at = $3
      WHERE org_id = $1 AND id IN (
        SELECT id FROM sessions
         WHERE org_id = $1 AND ended_at IS NULL AND expires_at > $3::timestamptz - interval '1 hour'
           AND (($2 AND key_id IS NULL) OR ($4::uuid IS NULL AND NOT $2) OR key_id = $4)
         ORDER BY id LIMIT $5)
      RETURNING ${COLUMNS}`,
    [uuidText(orgId), whose === 'users', new Date(atMs), ofKey, limit],
  );
  return rows.map(sessionOf);
}

/** Notes that an ID token was exchanged; false when it had been before. */
export async function useIdToken(db: Queryable, digest: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(
    'INSERT INTO used_id_tokens (digest, created_at) VALUES ($1, now()) ON CONFLICT DO NOTHING',
    [digest],
  );
  return rowCount === 1;
}

/** Deletes sessions that ended or expired a month ago: the trail tells of them for longer. */
export async function purgeSessions(db: Queryable): Promise<void> {
  await db.query("DELETE FROM sessions WHERE expires_at < now() - interval '30 days'");
}

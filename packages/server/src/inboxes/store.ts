// SQL over inboxes and what arrived in them.

import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

export interface Inbox {
  readonly id: string;
  readonly token: string;
  readonly createdAtMs: number;
}

interface InboxRow {
  readonly id: string;
  readonly token: string;
  readonly created_at: Date;
}

const inboxOf = (row: InboxRow): Inbox => ({
  id: idFromUuidText('inb', row.id),
  token: row.token,
  createdAtMs: row.created_at.getTime(),
});

/** Whose inboxes: those of test keys alone where `isTest`. */
export interface InboxScope {
  readonly orgId: Buffer;
  readonly isTest: boolean;
}

const IN_SCOPE = "org_id = $1 AND (NOT $2 OR mode = 'test')";

export async function insertInbox(
  db: Queryable,
  { orgId, isTest }: InboxScope,
  id: Buffer,
  token: string,
  atMs: number,
): Promise<Inbox> {
  const { rows } = await db.query<InboxRow>(
    'INSERT INTO inboxes (org_id, id, token, created_at, mode) VALUES ($1, $2, $3, $4, $5) RETURNING id, token, created_at',
    [uuidText(orgId), uuidText(id), token, new Date(atMs), isTest ? 'test' : 'live'],
  );
  return inboxOf(rows[0]!);
}

/** Newest first. */
export async function listInboxes(db: Queryable, { orgId, isTest }: InboxScope): Promise<Inbox[]> {
  const { rows } = await db.query<InboxRow>(`SELECT id, token, created_at FROM inboxes WHERE ${IN_SCOPE} ORDER BY id DESC`, [
    uuidText(orgId),
    isTest,
  ]);
  return rows.map(inboxOf);
}

export async function findInboxById(db: Queryable, { orgId, isTest }: InboxScope, id: Buffer): Promise<Inbox | null> {
  const { rows } = await db.query<InboxRow>(`SELECT id, token, created_at FROM inboxes WHERE ${IN_SCOPE} AND id = $3`, [
    uuidText(orgId),
    isTest,
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : inboxOf(rows[0]);
}

/** False when it is not there. */
export async function deleteInbox(db: Queryable, { orgId, isTest }: InboxScope, id: Buffer): Promise<boolean> {
  const { rowCount } = await db.query(`DELETE FROM inboxes WHERE ${IN_SCOPE} AND id = $3`, [
    uuidText(orgId),
    isTest,
    uuidText(id),
  ]);
  return rowCount === 1;
}

/** What arrived. */
export interface InboxMessage {
  readonly id: Buffer;
  readonly receivedAtMs: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Keeps a message in the inbox with this token, and the newest `kept` in all; false: there is no such inbox. */
export async function receiveMessage(db: Queryable, token: string, message: InboxMessage, kept: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `WITH inbox AS (SELECT org_id, id FROM inboxes WHERE token = $1),
          old AS (DELETE FROM inbox_messages m USING inbox
                   WHERE m.org_id = inbox.org_id AND m.inbox_id = inbox.id
                     AND m.id IN (SELECT n.id FROM inbox_messages n WHERE n.org_id = inbox.org_id AND n.inbox_id = inbox.id ORDER BY n.id DESC OFFSET $6))
     INSERT INTO inbox_messages (org_id, inbox_id, id, created_at, headers, body) SELECT org_id, id, $2, $3, $4, $5 FROM inbox`,
    [token, uuidText(message.id), new Date(message.receivedAtMs), JSON.stringify(message.headers), message.body, kept - 1],
  );
  return rowCount === 1;
}

/** Newest first. */
export async function listMessages(db: Queryable, orgId: Buffer, inboxId: Buffer): Promise<InboxMessage[]> {
  const { rows } = await db.query<{ id: string; created_at: Date; headers: Record<string, string>; body: string }>(
    'SELECT id, created_at, headers, body FROM inbox_messages WHERE org_id = $1 AND inbox_id = $2 ORDER BY id DESC',
    [uuidText(orgId), uuidText(inboxId)],
  );
  return rows.map((row) => ({
    id: Buffer.from(row.id.replaceAll('-', ''), 'hex'),
    receivedAtMs: row.created_at.getTime(),
    headers: row.headers,
    body: row.body,
  }));
}

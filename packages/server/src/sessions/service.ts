// Rules of sessions: how they begin, go on and end.

import { actorOf, type Principal } from '../access/principal.ts';
import { ROLE_SCOPES, type Role } from '../access/scopes.ts';
import { AppError, notFound, unauthorized } from '../http/errors.ts';
import { newUuid, parseId } from '../ids.ts';
import { changeEvent, type Actor, type ExpireSubject, type RecordEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { endSessionById, endSessions, findSessionById, insertSession, useIdToken, type Session } from './store.ts';

/** A session ends at the latest this long after the sign-in, however often its token is refreshed. */
const SESSIONS_AT_ONCE = 500;
const SESSION_MS_MAX = 12 * 3_600_000;

/** A user who has proved to the identity provider who he is. */
export interface SignedInUser {
  readonly orgId: Buffer;
  readonly subject: string;
  readonly name: string;
  readonly role: Role;
  readonly issuer: string;
  /** Of the ID token, which is good for one sign-in. */
  readonly idTokenDigest: Buffer;
}

/**
 * Opens a user's session, with its `session.started` event. `null`: the ID token was used before, or `mayStart`, which is asked while no one can
 * change the organization, says no.
 */
export async function startUserSession(
  services: Services,
  user: SignedInUser,
  address: string,
  mayStart: (tx: Transaction) => Promise<boolean>,
): Promise<Session | null> {
  const nowMs = services.clock();
  const { orgId, subject, name, role, issuer, idTokenDigest } = user;
  return services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, orgId);
    if (!(await mayStart(tx)) || !(await useIdToken(tx, idTokenDigest))) return null;
    const session = await insertSession(tx, {
      orgId,
      id: newUuid(),
      subject,
      name,
      role,
      scopes: ROLE_SCOPES[role],
      keyId: null,
      address,
      signedInAtMs: nowMs,
      expiresAtMs: nowMs + SESSION_MS_MAX,
    });
    const actor: Actor = { type: 'user', id: subject, ip: address };
    record(changeEvent(orgId, 'session.started', actor, nowMs, { session_id: session.id, subject, issuer, role }));
    return session;
  });
}

/** The dashboard's session: a new one for an admin key, the one of a session token for that. */
export async function startBrowserSession(
  services: Services,
  principal: Principal,
  address: string,
): Promise<{ id: string; expiresAtMs: number }> {
  if (principal.session !== null) return principal.session;
  const { key, organization } = principal;
  if (key?.type !== 'admin')
    throw new AppError('insufficient_permissions', 'A session is opened with an admin key or a session token.');
  const nowMs = services.clock();
  return services.journal.transaction(async (tx, record) => {
    const session = await insertSession(tx, {
      orgId: organization.uuid,
      id: newUuid(),
      subject: null,
      name: principal.name,
      role: null,
      scopes: principal.scopes,
      keyId: parseId('key', key.id),
      address,
      signedInAtMs: nowMs,
      expiresAtMs: nowMs + SESSION_MS_MAX,
    });
    const actor = actorOf(principal, address);
    record(changeEvent(organization.uuid, 'session.started', actor, nowMs, { session_id: session.id, key_id: key.id }));
    return session;
  });
}

/** The cookie that stands for a session until it ends. */
export function sessionCookie({ cookies, clock }: Services, orgId: Buffer, sessionId: string, expiresAtMs: number): string {
  const seconds = Math.max(0, Math.floor((expiresAtMs - clock()) / 1_000));
  return cookies.set('session', cookies.seal(orgId, parseId('ses', sessionId)!), seconds);
}

/** A new token for a session. */
export function issueToken(
  { tokens, clock }: Services,
  orgId: string,
  session: { id: string; subject: string; scopes: readonly string[]; signedInAtMs: number },
): Promise<{ token: string; expiresAtMs: number }> {
  const claims = {
    sub: session.subject,
    org: orgId,
    scope: session.scopes.join(' '),
    sid: session.id,
    auth_time: Math.floor(session.signedInAtMs / 1_000),
  };
  return tokens.issue(claims, clock());
}

/** A new token in place of the one presented. Throws `unauthorized` from twelve hours after the sign-in on. */
export async function refreshToken(services: Services, principal: Principal): Promise<{ token: string; expiresAtMs: number }> {
  const session = principal.session!;
  if (session.expiresAtMs <= services.clock()) throw unauthorized();
  return issueToken(services, principal.organization.id, { ...session, subject: principal.id, scopes: principal.scopes });
}

/** Ends a session, with its `session.ended` event, on every node within a second. Again changes nothing. Throws `not_found`. */
export async function endSession(services: Services, principal: Principal, actor: Actor, id: Buffer | null): Promise<Session> {
  const orgId = principal.organization.uuid;
  if (id === null) throw notFound('session');
  const ended = await services.journal.transaction(async (tx, record, expire) => {
    const session = await endSessionById(tx, orgId, id, services.clock());
    if (session !== null) tellEnd(orgId, session, actor, services.clock(), record, expire);
    return session;
  });
  const session = ended ?? (await findSessionById(services.db, orgId, id));
  if (session === null) throw notFound('session');
  return session;
}

/** Ends every session of the organization, some hundred at once; answers how many there were. */
export async function endAllSessions(services: Services, principal: Principal, actor: Actor): Promise<number> {
  let ended = 0;
  for (;;) {
    const count = await services.journal.transaction((tx, record, expire) =>
      endSessionsWithin(services, tx, principal.organization.uuid, 'all', actor, record, expire, SESSIONS_AT_ONCE),
    );
    ended += count;
    if (count < SESSIONS_AT_ONCE) return ended;
  }
}

/** Ends sessions as a part of another change, such as other rules of sign-in, or the end of the key (its UUID) that opened them. */
export async function endSessionsWithin(
  { clock }: Services,
  tx: Transaction,
  orgId: Buffer,
  whose: 'all' | 'users' | Buffer,
  actor: Actor,
  record: RecordEvent,
  expire: ExpireSubject,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<number> {
  const nowMs = clock();
  const ended = await endSessions(tx, orgId, whose, nowMs, limit);
  for (const session of ended) tellEnd(orgId, session, actor, nowMs, record, expire);
  return ended.length;
}

function tellEnd(orgId: Buffer, session: Session, actor: Actor, nowMs: number, record: RecordEvent, expire: ExpireSubject): void {
  const { id, subject, keyId } = session;
  expire(id);
  record(changeEvent(orgId, 'session.ended', actor, nowMs, { session_id: id, subject, key_id: keyId }));
}

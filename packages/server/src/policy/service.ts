// Rules of the governance policy: linted, versioned, in force at once.

import { lintPolicy, policyDigest, type PolicyDocument } from '@svc/engine';
import { actorOf, type Principal } from '../access/principal.ts';
import { findEventById } from '../events/store.ts';
import { AppError, type ErrorDetail } from '../http/errors.ts';
import { matchesTag } from '../http/etag.ts';
import type { Call } from '../http/route.ts';
import { lintJudges } from '../judges/policy-check.ts';
import { changeEvent, type ExpireSubject, type RecordEvent } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import { policySubject } from './cache.ts';
import { startCountingExceptions } from './exceptions/store.ts';
import { findPolicyByVersion, insertPolicyVersion, lockCurrentPolicy, type PolicyVersion } from './store.ts';

/** `"<digest>"`, as RFC 9110 §8.8.3 writes it. */
export function etagOf(policy: Pick<PolicyVersion, 'digest'>): string {
  return `"${policy.digest}"`;
}

/** True when a list of entity tags, or `*`, names this policy. */
export function matchesEtag(header: string, policy: Pick<PolicyVersion, 'digest'>): boolean {
  return matchesTag(header, etagOf(policy));
}

/**
 * Stores a linted document as the next version, with its `policy.updated` event, and puts it in force. The document in force stored again
 * changes nothing. Throws `precondition_failed` when `If-Match` names another version than the current one, and `invalid_request` for judges
 * that the organization does not have.
 */
export async function storePolicy(services: Services, call: Call, document: PolicyDocument): Promise<PolicyVersion> {
  const { uuid } = call.principal.organization;
  const stored = await services.journal.transaction(async (tx, record, expire) => {
    const current = await lockCurrentPolicy(tx, uuid);
    refuseStale(call, current);
    if (current.digest === policyDigest(document)) return current;
    refuseProblems((await lintJudges(tx, uuid, document)).errors);
    return storeNextVersion(services, tx, record, expire, call, current, document, {});
  });
  services.policies.put(uuid, stored);
  return stored;
}

/**
 * Makes the document of an earlier version the next version. Throws `not_found`, `precondition_failed` as `storePolicy` does, and
 * `invalid_request` with the problems of a document that would not be taken today.
 */
export async function restorePolicy(services: Services, call: Call, version: number | null): Promise<PolicyVersion> {
  const { uuid } = call.principal.organization;
  const earlier = await getPolicyVersion(services.db, uuid, version);
  const stored = await services.journal.transaction(async (tx, record, expire) => {
    const current = await lockCurrentPolicy(tx, uuid);
    refuseStale(call, current);
    if (current.digest === earlier.digest) return current;
    refuseProblems(await problemsOf(tx, uuid, earlier.document), `Version ${earlier.version} would not be taken today.`);
    const origin = { restored_from: earlier.version };
    return storeNextVersion(services, tx, record, expire, call, current, earlier.document, origin);
  });
  services.policies.put(uuid, stored);
  return stored;
}

/** The version that a request put in force, or promoted when it was in force, by the event it reserved its id for; `null`: it did neither. */
export async function findVersionMadeBy(db: Queryable, orgId: Buffer, eventId: Buffer): Promise<PolicyVersion | null> {
  const event = await findEventById(db, orgId, eventId);
  const isOfVersion = event?.kind === 'policy.updated' || event?.kind === 'policy.shadow_promoted';
  const version = isOfVersion ? event.data['version'] : null;
  return typeof version === 'number' ? findPolicyByVersion(db, orgId, version) : null;
}

/** A version, or `not_found`. */
export async function getPolicyVersion(db: Queryable, orgId: Buffer, version: number | null): Promise<PolicyVersion> {
  const policy = version === null ? null : await findPolicyByVersion(db, orgId, version);
  if (policy === null) throw new AppError('not_found', 'No such policy version in this organization.');
  return policy;
}

/** What is wrong with a document today, its judges included. */
export async function problemsOf(db: Queryable, orgId: Buffer, document: PolicyDocument): Promise<ErrorDetail[]> {
  const { errors } = lintPolicy(document);
  // The judges of a document that has another fault are not looked up: storing it would not come so far either.
  return errors.length > 0 ? errors : (await lintJudges(db, orgId, document)).errors;
}

/** Problems of a policy that stands in a body, as its `policy`. */
export function atPolicy(problems: readonly ErrorDetail[]): ErrorDetail[] {
  return problems.map(({ pointer, message }) => ({ pointer: `/policy${pointer}`, message }));
}

const PROBLEMS_MAX = 20;

/** Throws `invalid_request` where there are problems. */
export function refuseProblems(problems: readonly ErrorDetail[], message = 'The request is not valid.'): void {
  if (problems.length > 0) throw new AppError('invalid_request', message, { details: problems.slice(0, PROBLEMS_MAX) });
}

/** Throws `precondition_failed` when `If-Match` does not name the version in force. */
export function refuseStale(call: Pick<Call, 'header'>, current: PolicyVersion): void {
  const ifMatch = call.header('if-match');
  if (ifMatch === undefined || matchesEtag(ifMatch, current)) return;
  throw new AppError('precondition_failed', `The policy is at version ${current.version} by now. Read it again, then repeat.`);
}

/**
 * Within a transaction that holds the organization's lock: stores the next version with its event, whose id is the one that the request
 * reserved. `origin`: members that the event has beside the usual ones.
 */
export async function storeNextVersion(
  { clock }: Pick<Services, 'clock'>,
  tx: Transaction,
  record: RecordEvent,
  expire: ExpireSubject,
  { principal, address, newResourceId }: Pick<Call, 'address' | 'newResourceId'> & { readonly principal: Principal },
  current: PolicyVersion,
  document: PolicyDocument,
  origin: object,
): Promise<PolicyVersion> {
  const { uuid, id } = principal.organization;
  const nowMs = clock();
  const digest = policyDigest(document);
  const next: PolicyVersion = { version: current.version + 1, digest, document, createdAtMs: nowMs, createdBy: principal.id };
  await insertPolicyVersion(tx, uuid, next);
  await startCountingExceptions(tx, uuid, document);
  expire(policySubject(id));
  const data = {
    version: next.version,
    digest,
    previous: { version: current.version, digest: current.digest },
    ...origin,
  };
  record({ ...changeEvent(uuid, 'policy.updated', actorOf(principal, address), nowMs, data), id: newResourceId() });
  return next;
}

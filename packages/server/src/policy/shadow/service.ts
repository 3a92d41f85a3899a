// Rules of the shadow: how a candidate begins, ends and comes into force.

import { policyDigest } from '@svc/engine';
import { actorOf } from '../../access/principal.ts';
import { AppError, invalid, notFound } from '../../http/errors.ts';
import type { Call } from '../../http/route.ts';
import { isoTime } from '../../http/schemas.ts';
import { lintJudges } from '../../judges/policy-check.ts';
import { changeEvent, type Actor, type RecordEvent } from '../../journal/journal.ts';
import { forEachOrganization } from '../../organizations/each.ts';
import { lockOrganization } from '../../organizations/organization.ts';
import type { Services } from '../../services.ts';
import type { Transaction } from '../../storage/database.ts';
import { atPolicy, problemsOf, refuseProblems, refuseStale, storeNextVersion } from '../service.ts';
import { lockCurrentPolicy, type PolicyVersion } from '../store.ts';
import { shadowSubject } from './cache.ts';
import type { PromoteShadow, PutShadow } from './schemas.ts';
import {
  countLockedShadow,
  countShadow,
  deleteShadow,
  findShadow,
  listExpiredShadows,
  lockShadow,
  updateShadowSettings,
  upsertShadow,
  type ShadowRecord,
} from './store.ts';
import { emptyShadowTally } from './tally.ts';

const LIFETIME_MS_MAX = 90 * 86_400_000;
const SYSTEM: Actor = { type: 'system', id: null, ip: null };

type StopReason = 'deleted' | 'replaced' | 'expired';

/**
 * Begins to run a linted candidate, in the place of the one before, with its events. The same document again goes on with its tally, and with
 * the same rate and end changes nothing. Throws `invalid_request` for judges that the organization does not have and for an end that is none.
 */
export async function putShadow(services: Services, call: Call, input: PutShadow): Promise<ShadowRecord> {
  const { uuid, id } = call.principal.organization;
  const nowMs = services.clock();
  const expiresAtMs = endOf(input.expires_at, nowMs);
  const digest = policyDigest(input.policy);
  const actor = actorOf(call.principal, call.address);
  // Counted before the lock, so that little is left to count under it.
  await countShadow(services.db, uuid);
  return services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, uuid);
    const former = await lockShadow(tx, uuid);
    const goesOn = former !== null && former.digest === digest && former.expiresAtMs > nowMs;
    if (goesOn && former.sampleRate === input.sample_rate && former.expiresAtMs === expiresAtMs) return former;
    refuseProblems(atPolicy((await lintJudges(tx, uuid, input.policy)).errors));
    const shadow: ShadowRecord = {
      digest,
      document: input.policy,
      sampleRate: input.sample_rate,
      createdAtMs: goesOn ? former.createdAtMs : nowMs,
      createdBy: goesOn ? former.createdBy : call.principal.id,
      expiresAtMs,
      tally: goesOn ? former.tally : emptyShadowTally(),
    };
    if (former !== null && !goesOn) await tellFormerStopped(tx, record, uuid, actor, nowMs, former);
    await (goesOn ? updateShadowSettings(tx, uuid, shadow) : upsertShadow(tx, uuid, shadow));
    expire(shadowSubject(id));
    const settings = { digest, sample_rate: shadow.sampleRate, expires_at: isoTime(expiresAtMs), goes_on: goesOn };
    record(changeEvent(uuid, 'policy.shadow_started', actor, nowMs, settings));
    return shadow;
  });
}

/** The candidate with its tally of what is recorded, or `not_found`. */
export async function getShadow({ db, clock }: Services, orgId: Buffer): Promise<ShadowRecord> {
  const tally = await countShadow(db, orgId);
  const { shadow } = await findShadow(db, orgId);
  if (shadow === null || tally === null || shadow.expiresAtMs <= clock()) throw notFound('shadow policy');
  return shadow;
}

/** Ends the candidate, with its event. Answers it as it was, or throws `not_found`. */
export async function stopShadow(services: Services, call: Call): Promise<ShadowRecord> {
  const { uuid, id } = call.principal.organization;
  await countShadow(services.db, uuid);
  return services.journal.transaction(async (tx, record, expire) => {
    const nowMs = services.clock();
    const shadow = await lockRunning(tx, uuid, nowMs);
    const tally = await tellStopped(tx, record, uuid, actorOf(call.principal, call.address), nowMs, shadow, 'deleted');
    await deleteShadow(tx, uuid);
    expire(shadowSubject(id));
    return { ...shadow, tally };
  });
}

/**
 * Makes the candidate the next version, which ends it, with both events. Throws `not_found`, `precondition_failed` when `meant` or `If-Match`
 * name another candidate or version than there is, and `invalid_request` with the problems of a document that would not be taken today.
 */
export async function promoteShadow(services: Services, call: Call, meant: PromoteShadow): Promise<PolicyVersion> {
  const { uuid, id } = call.principal.organization;
  await countShadow(services.db, uuid);
  const stored = await services.journal.transaction(async (tx, record, expire) => {
    const nowMs = services.clock();
    const current = await lockCurrentPolicy(tx, uuid);
    const shadow = await lockRunning(tx, uuid, nowMs);
    refuseStale(call, current);
    if (meant.digest !== undefined && meant.digest !== shadow.digest)
      throw new AppError('precondition_failed', 'Another candidate runs by now. Look at it, then repeat.');
    refuseProblems(await problemsOf(tx, uuid, shadow.document), 'The candidate would not be taken today.');
    const tally = await countLockedShadow(tx, uuid);
    await deleteShadow(tx, uuid);
    expire(shadowSubject(id));
    const isInForce = current.digest === shadow.digest;
    const next = isInForce
      ? current
      : await storeNextVersion(services, tx, record, expire, call, current, shadow.document, { promoted: true });
    const data = { version: next.version, digest: shadow.digest, tally };
    const promoted = changeEvent(uuid, 'policy.shadow_promoted', actorOf(call.principal, call.address), nowMs, data);
    // A repetition finds the version by the event that has the id which the request reserved.
    record(isInForce ? { ...promoted, id: call.newResourceId() } : promoted);
    return next;
  });
  services.policies.put(uuid, stored);
  return stored;
}

/** Ends candidates whose time is up, with their events. Safe to run on many nodes at once. Throws at the end for organizations that failed. */
export async function stopExpiredShadows({ db, journal, clock }: Pick<Services, 'db' | 'journal' | 'clock'>): Promise<void> {
  await forEachOrganization(await listExpiredShadows(db, clock()), async ({ orgId, orgUuid }) => {
    await countShadow(db, orgUuid);
    await journal.transaction(async (tx, record, expire) => {
      await lockOrganization(tx, orgUuid);
      const shadow = await lockShadow(tx, orgUuid);
      // Another node was first, or it has been given more time.
      if (shadow === null || shadow.expiresAtMs > clock()) return;
      await tellStopped(tx, record, orgUuid, SYSTEM, clock(), shadow, 'expired');
      await deleteShadow(tx, orgUuid);
      expire(shadowSubject(orgId));
    });
  });
}

/** One whose time was up had ended by itself, whoever puts another in its place. */
async function tellFormerStopped(
  tx: Transaction,
  record: RecordEvent,
  orgId: Buffer,
  actor: Actor,
  nowMs: number,
  former: ShadowRecord,
): Promise<void> {
  const isExpired = former.expiresAtMs <= nowMs;
  await tellStopped(tx, record, orgId, isExpired ? SYSTEM : actor, nowMs, former, isExpired ? 'expired' : 'replaced');
}

async function lockRunning(tx: Transaction, orgId: Buffer, nowMs: number): Promise<ShadowRecord> {
  await lockOrganization(tx, orgId);
  const shadow = await lockShadow(tx, orgId);
  if (shadow === null || shadow.expiresAtMs <= nowMs) throw notFound('shadow policy');
  return shadow;
}

/** Records the end, with the tally as of now. Assessments that are under way at that moment are not in it. */
async function tellStopped(
  tx: Transaction,
  record: RecordEvent,
  orgId: Buffer,
  actor: Actor,
  nowMs: number,
  { digest }: ShadowRecord,
  reason: StopReason,
) {
  const tally = await countLockedShadow(tx, orgId);
  record(changeEvent(orgId, 'policy.shadow_stopped', actor, nowMs, { digest, reason, tally }));
  return tally;
}

function endOf(text: string, nowMs: number): number {
  const ms = Date.parse(text);
  if (!(ms > nowMs)) throw invalid('/expires_at', 'must be in the future');
  if (ms - nowMs > LIFETIME_MS_MAX) throw invalid('/expires_at', 'must be within 90 days');
  return ms;
}

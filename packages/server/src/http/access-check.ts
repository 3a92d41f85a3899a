// What every request passes before its body is read: credential, organization header, source address, limit, scope, in this order.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { presentedBy, type Presented, type Refusal, type Verdict } from '../access/authenticator.ts';
import type { Principal } from '../access/principal.ts';
import { holds, type Scope } from '../access/scopes.ts';
import { isProbeKind } from '../limits/decision.ts';
import type { LimitDecision } from '../limits/limits.ts';
import type { Services } from '../services.ts';
import { AppError, tokenExpired, unauthorized } from './errors.ts';
import { limitedProbe, PROBE_HEADER, probeNameOf } from './probe-name.ts';
import type { LimitClass, Route } from './route.ts';

/** What `checkAccess` needs to know of a route; unknown paths are checked too, before they are answered `not_found`. */
export type AccessRule = Pick<Route, 'access' | 'alsoAccess' | 'limit' | 'keyHeader'>;
export const UNKNOWN_PATH: AccessRule = { access: 'any', limit: 'requests' };

/** How long what was found out about a request is taken for true without looking again: the time within which every revocation holds. */
const FRESH_MS = 1_000;

/** What was presented, and as of which change it was let in. */
export interface Checked {
  readonly presented: Presented;
  readonly seen: number;
  /** Of the monotonic clock. */
  readonly atMs: number;
}

type Done = (err?: Error) => void;
type SetHeader = (name: string, value: string) => void;

/** Calls `done` with the refusal, if any; sets `req.principal` and the rate-limit headers. */
export function checkAccess(services: Services, rule: AccessRule, req: FastifyRequest, reply: FastifyReply, done: Done): void {
  const setHeader: SetHeader = (name, value) => void reply.header(name, value);
  if (rule.access === 'anonymous') {
    const { limits } = services;
    const decision = rule.limit === 'address' ? limits.takeCall(req.address) : limits.takeFailure(req.address, 0);
    setLimitHeaders(setHeader, decision);
    return done(decision.refusedBy === null ? undefined : rateLimited(decision));
  }
  const presented = presentedBy(authorizationOf(rule, req), services.cookies.find('session', req.headers.cookie));
  const finish = (verdict: Verdict) => decide(services, rule, presented, verdict, req, setHeader, done);
  const nowMs = services.clock();
  const verdict = services.authenticator.lookUp(presented, nowMs);
  if (verdict !== undefined) return finish(verdict);
  const fail: Done = (err) => {
    setLimitHeaders(setHeader, services.limits.takeFailure(req.address, 0));
    done(err);
  };
  if (!services.limits.hasFailedTooOften(req.address)) services.authenticator.resolve(presented!, nowMs).then(finish, fail);
  // Who has guessed too often gets his guesses looked up one at a time: the database is for the others.
  else services.guesses.run(() => services.authenticator.resolve(presented!, nowMs)).then(finish, fail);
}

function authorizationOf({ keyHeader }: AccessRule, { headers }: FastifyRequest): string | undefined {
  if (keyHeader === undefined || headers.authorization !== undefined) return headers.authorization;
  const key = headers[keyHeader];
  return typeof key === 'string' ? `Bearer ${key}` : undefined;
}

/**
 * Looks again at who asks, where that may be otherwise by now: a body that was long in coming, or an answer that was waited for, must not outlive
 * a revocation. Throws what the request is refused with.
 */
export function recheckAccess(services: Services, rule: AccessRule, req: FastifyRequest): void | Promise<void> {
  const { checked } = req;
  if (checked === null) return undefined;
  const isFresh = checked.seen === services.changes.seen && performance.now() - checked.atMs < FRESH_MS;
  return isFresh ? undefined : lookAgain(services, rule, req, checked.presented);
}

async function lookAgain(services: Services, rule: AccessRule, req: FastifyRequest, presented: Presented): Promise<void> {
  const nowMs = services.clock();
  const seen = services.changes.seen;
  const verdict = services.authenticator.lookUp(presented, nowMs) ?? (await services.authenticator.resolve(presented, nowMs));
  if (typeof verdict === 'string') throw refusalOf(verdict);
  const refusal = refusalOfSource(services, presented, verdict, req) ?? refusalOfScope(rule, presented, verdict);
  if (refusal !== undefined) throw refusal;
  req.principal = verdict;
  req.checked = { presented, seen, atMs: performance.now() };
}

function decide(
  services: Services,
  rule: AccessRule,
  presented: Presented | null,
  verdict: Verdict,
  req: FastifyRequest,
  setHeader: SetHeader,
  done: Done,
): void {
  if (typeof verdict === 'string') return done(refuseCredential(services, req.address, verdict, setHeader));
  req.principal = verdict;
  req.checked = { presented: presented!, seen: services.changes.seen, atMs: performance.now() };
  const refusal = refusalOfSource(services, presented!, verdict, req);
  const probeRefusal = refusalOfProbe(services, rule, verdict, req);
  const finish = (decision: LimitDecision) => {
    setLimitHeaders(setHeader, decision);
    if (refusal !== undefined) return done(refusal);
    if (decision.refusedBy !== null) return done(rateLimited(decision));
    return done(refusalOfScope(rule, presented!, verdict) ?? probeRefusal);
  };
  const decision =
    probeRefusal === undefined
      ? takeLimit(services, rule.limit ?? 'requests', verdict, req, refusal !== undefined)
      : services.limits.viewProbe(verdict.organization.id, verdict.mode, 'registration');
  if (decision instanceof Promise) decision.then(finish, done);
  else finish(decision);
}

/** A write by cookie from a foreign page, another organization, an address outside of the allowlist. */
function refusalOfSource(
  { cookies }: Services,
  presented: Presented,
  { session, organization, allowlist }: Principal,
  req: FastifyRequest,
): AppError | undefined {
  const { 'x-svc-org-id': orgId, 'x-svc-csrf': csrf, origin } = req.headers;
  const isWriteByCookie = presented.by === 'cookie' && req.method !== 'GET';
  if (isWriteByCookie && !cookies.isOwnWrite(session!.id, origin, req.headers.host, typeof csrf === 'string' ? csrf : undefined))
    return new AppError(
      'insufficient_permissions',
      `A write by cookie must come from a page of ${cookies.origin}, with X-Svc-CSRF. Behind a proxy set SVC_PUBLIC_URL.`,
    );
  if (
    orgId !== undefined &&
    String(orgId)
      .split(',')
      .some((id) => id.trim() !== organization.id && id.trim() !== '')
  )
    return new AppError('insufficient_permissions', 'X-Svc-Org-Id names another organization than the credential belongs to.');
  if (!allowlist.isEmpty && !allowlist.contains(req.address))
    return new AppError('ip_not_allowed', `Requests from ${req.address} are not in the allowlist of this service account.`);
  return undefined;
}

/** A probe that is new, where none is taken for now: before its body is read. */
function refusalOfProbe({ probes }: Services, { limit }: AccessRule, principal: Principal, req: FastifyRequest) {
  const header = req.headers[PROBE_HEADER];
  // Keys are no names that anybody makes up.
  if (header === undefined || !isProbeKind(limit ?? 'requests')) return undefined;
  const name = probeNameOf(header, principal);
  return (name !== null && probes.registry.refusalOf(principal.organization, principal.mode, name)) || undefined;
}

function refusalOfScope(
  { access, alsoAccess }: AccessRule,
  presented: Presented,
  { scopes, session }: Principal,
): AppError | undefined {
  if (access === 'any' || access === 'public' || access === 'anonymous') return undefined;
  if (access === 'session') {
    if (session !== null && presented.by === 'bearer') return undefined;
    return new AppError('insufficient_permissions', 'This operation needs a session token as Authorization: Bearer.');
  }
  const missing = [access, alsoAccess].find((scope) => scope !== undefined && !holds(scopes, scope));
  return missing === undefined ? undefined : insufficientScope(missing);
}

function insufficientScope(scope: Scope): AppError {
  return new AppError(
    'insufficient_permissions',
    `This operation needs the scope ${scope}, which the credential does not hold.`,
    {
      headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
    },
  );
}

/** Counts a failed credential against the address it came from. Answers why it is refused, `rate_limited` when there were too many. */
export function refuseCredential(services: Services, address: string, refusal: Refusal, setHeader: SetHeader): AppError {
  const decision = services.limits.takeFailure(address);
  setLimitHeaders(setHeader, decision);
  if (decision.refusedBy !== null) return rateLimited(decision);
  return refusalOf(refusal);
}

function refusalOf(refusal: Refusal): AppError {
  return refusal === 'token_expired' ? tokenExpired() : unauthorized();
}

/** Takes what a request of `limit` costs; nothing when it `isFree`, only to learn what the headers say. */
function takeLimit(services: Services, limit: LimitClass, principal: Principal, req: FastifyRequest, isFree: boolean) {
  if (isProbeKind(limit)) {
    const probe = limitedProbe(req.headers[PROBE_HEADER], principal);
    return services.limits[isFree ? 'viewProbe' : 'takeProbe'](principal.organization.id, probe, limit);
  }
  const cost =
    isFree || limit === 'chunks'
      ? { requests: 0, assessments: 0 }
      : { requests: 1, assessments: limit === 'assessments' ? 1 : 0 };
  return services.limits.take(principal.organization, cost, limit === 'requests' ? 'requests' : 'assessments');
}

/** Takes `count` assessments for a batch and renews the headers. Throws `rate_limited`; `payload_too_large` when it can never fit. */
export async function takeAssessments(
  services: Services,
  principal: Principal,
  count: number,
  setHeader: SetHeader,
): Promise<void> {
  const decision = await services.limits.take(principal.organization, { requests: 0, assessments: count }, 'assessments');
  setLimitHeaders(setHeader, decision);
  if (decision.waitSeconds === Infinity) {
    throw new AppError(
      'payload_too_large',
      `A batch of ${count} can never fit into the plan’s ${decision.view.limit} assessments a minute.`,
    );
  }
  if (decision.refusedBy !== null) throw rateLimited(decision);
}

function setLimitHeaders(setHeader: SetHeader, { view }: LimitDecision): void {
  setHeader('x-svc-ratelimit-limit', String(view.limit));
  setHeader('x-svc-ratelimit-remaining', String(view.remaining));
  setHeader('x-svc-ratelimit-reset', String(view.reset));
  setHeader('x-svc-ratelimit-window', String(view.windowSeconds));
}

function rateLimited({ refusedBy, waitSeconds, view }: LimitDecision): AppError {
  return new AppError('rate_limited', `The limit of ${refusedBy} is used up. Repeat in ${waitSeconds} s.`, {
    details: [{ pointer: '', message: `limit: ${refusedBy}, ${view.limit}` }],
    headers: { 'retry-after': String(waitSeconds) },
  });
}

// What every request passes before its body is read: credential, organization header, limit, scope, in this order.

import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../access/principal.ts';
import { holds } from '../access/scopes.ts';
import type { LimitDecision } from '../limits/limits.ts';
import { WINDOW_SECONDS } from '../limits/limits.ts';
import type { Services } from '../services.ts';
import { AppError } from './errors.ts';
import type { LimitClass, Route } from './route.ts';

/** What `checkAccess` needs to know of a route; unknown paths are checked too, before they are answered `not_found`. */
export type AccessRule = Pick<Route, 'access' | 'limit'>;
export const UNKNOWN_PATH: AccessRule = { access: 'any', limit: 'requests' };

/** Calls `done` with the refusal, if any; sets `req.principal` and the rate-limit headers. */
export function checkAccess(
  services: Services,
  rule: AccessRule,
  req: FastifyRequest,
  reply: FastifyReply,
  done: (err?: Error) => void,
): void {
  const { authorization } = req.headers;
  const finish = (principal: Principal | null) => done(refusalOf(services, rule, principal, req, reply));
  const nowMs = services.clock();
  const principal = services.authenticator.lookUp(authorization, nowMs);
  if (principal !== undefined) finish(principal);
  else services.authenticator.resolve(authorization!, nowMs).then(finish, done);
}

function refusalOf(
  services: Services,
  rule: AccessRule,
  principal: Principal | null,
  req: FastifyRequest,
  reply: FastifyReply,
): AppError | undefined {
  if (principal === null) return failedCredential(services, req, reply);
  req.principal = principal;
  const orgId = req.headers['x-svc-org-id'];
  const isForeign = orgId !== undefined && orgId !== principal.organization.id;
  const decision = takeLimit(services, rule.limit ?? 'requests', principal, isForeign);
  setLimitHeaders(reply, decision);
  if (isForeign)
    return new AppError('insufficient_permissions', 'X-Svc-Org-Id names another organization than the credential belongs to.');
  if (decision.refusedBy !== null) return rateLimited(decision);
  if (rule.access === 'any' || rule.access === 'public' || holds(principal.scopes, rule.access)) return undefined;
  return new AppError(
    'insufficient_permissions',
    `This operation needs the scope ${rule.access}, which the credential does not hold.`,
  );
}

function failedCredential(services: Services, req: FastifyRequest, reply: FastifyReply): AppError {
  const decision = services.limits.takeFailure(req.address);
  setLimitHeaders(reply, decision);
  if (decision.refusedBy !== null) return rateLimited(decision);
  return new AppError('unauthorized', 'A valid credential is needed: Authorization: Bearer <API key>.', {
    headers: { 'www-authenticate': 'Bearer' },
  });
}

/** Takes what a request of `limit` costs; nothing when it `isFree`, only to learn what the headers say. */
function takeLimit(services: Services, limit: LimitClass, principal: Principal, isFree: boolean): LimitDecision {
  const cost = isFree ? { requests: 0, assessments: 0 } : { requests: 1, assessments: limit === 'assessments' ? 1 : 0 };
  return services.limits.take(principal.organization, cost, limit === 'requests' ? 'requests' : 'assessments');
}

/** Takes `count` assessments for a batch and renews the headers. Throws `rate_limited`; `payload_too_large` when it can never fit. */
export function takeAssessments(
  services: Services,
  principal: Principal,
  count: number,
  setHeader: (name: string, value: string) => void,
): void {
  const decision = services.limits.take(principal.organization, { requests: 0, assessments: count }, 'assessments');
  for (const [name, value] of limitHeaders(decision)) setHeader(name, value);
  if (decision.waitSeconds === Infinity) {
    throw new AppError(
      'payload_too_large',
      `A batch of ${count} can never fit into the plan’s ${decision.view.limit} assessments a minute.`,
    );
  }
  if (decision.refusedBy !== null) throw rateLimited(decision);
}

function limitHeaders({ view }: LimitDecision): [string, string][] {
  return [
    ['x-svc-ratelimit-limit', String(view.limit)],
    ['x-svc-ratelimit-remaining', String(view.remaining)],
    ['x-svc-ratelimit-reset', String(view.reset)],
    ['x-svc-ratelimit-window', String(WINDOW_SECONDS)],
  ];
}

function setLimitHeaders(reply: FastifyReply, decision: LimitDecision): void {
  for (const [name, value] of limitHeaders(decision)) reply.header(name, value);
}

function rateLimited({ refusedBy, waitSeconds, view }: LimitDecision): AppError {
  return new AppError('rate_limited', `The limit of ${refusedBy} is used up. Repeat in ${waitSeconds} s.`, {
    details: [{ pointer: '', message: `limit: ${refusedBy}, ${view.limit}` }],
    headers: { 'retry-after': String(waitSeconds) },
  });
}

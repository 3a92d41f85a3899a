// The shadow: a candidate policy beside the one in force.

import { createSchemaChecker, lintPolicy } from '@svc/engine';
import type { Principal } from '../../access/principal.ts';
import type { ErrorDetail } from '../../http/errors.ts';
import { route, SerializedJson, type Route } from '../../http/route.ts';
import { isoTime } from '../../http/schemas.ts';
import { PolicyVersionBody, presentPolicy } from '../schemas.ts';
import { atPolicy, etagOf, findVersionMadeBy } from '../service.ts';
import { PromoteShadow, PutShadow, ShadowBody, ShadowEnvelope } from './schemas.ts';
import { getShadow, promoteShadow, putShadow, stopShadow } from './service.ts';
import type { ShadowRecord } from './store.ts';
import { emptyShadowTally } from './tally.ts';

const tag = 'Policy';
const checkEnvelope = createSchemaChecker(ShadowEnvelope);

function checkPutShadow(body: unknown): readonly ErrorDetail[] {
  const details = checkEnvelope(body);
  return details.length > 0 ? details : atPolicy(lintPolicy((body as PutShadow).policy).errors);
}

/** Serialized here, so that the document is answered exactly as it was sent and its digest can be recomputed. */
function present(shadow: ShadowRecord, { mode }: Principal) {
  // Test keys see test objects only, and those do not count.
  const tally = mode === 'test' ? emptyShadowTally() : shadow.tally;
  return new SerializedJson(
    JSON.stringify({
      digest: shadow.digest,
      sample_rate: shadow.sampleRate,
      started_at: isoTime(shadow.createdAtMs),
      started_by: shadow.createdBy,
      expires_at: isoTime(shadow.expiresAtMs),
      tally: { ...tally, since: isoTime(shadow.createdAtMs) },
      policy: shadow.document,
    }),
  );
}

export const shadowRoutes: readonly Route[] = [
  route({
    method: 'PUT',
    path: '/v1/policy/shadow',
    operationId: 'putPolicyShadow',
    tag,
    summary: 'Run a candidate beside the policy in force',
    description:
      'The candidate decides a sample of assessments too, after the policy in force has decided them, and changes nothing about them. It stands in the place of the candidate before; the same document again goes on with its tally.',
    access: 'policy:write',
    limit: 'requests',
    body: PutShadow,
    checkBody: checkPutShadow,
    responses: { 200: { description: 'The candidate.', schema: ShadowBody } },
    async handle(services, call) {
      return present(await putShadow(services, call, call.body), call.principal);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/policy/shadow',
    operationId: 'getPolicyShadow',
    tag,
    summary: 'Read the candidate and what it would have changed',
    description: 'The tally is counted from the trail: it holds every assessment that was recorded before this answer.',
    access: 'policy:read',
    limit: 'requests',
    responses: { 200: { description: 'The candidate with its tally.', schema: ShadowBody } },
    async handle(services, { principal }) {
      return present(await getShadow(services, principal.organization.uuid), principal);
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/policy/shadow',
    operationId: 'deletePolicyShadow',
    tag,
    summary: 'End the candidate',
    access: 'policy:write',
    limit: 'requests',
    responses: { 200: { description: 'The candidate as it ended.', schema: ShadowBody } },
    async handle(services, call) {
      return present(await stopShadow(services, call), call.principal);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/policy/shadow/promote',
    operationId: 'promotePolicyShadow',
    tag,
    summary: 'Put the candidate in force',
    description:
      'Stores it as the next version and ends the shadow. With `digest` only if that candidate still runs, with `If-Match` only if the version that it names is still in force.',
    access: 'policy:write',
    limit: 'requests',
    body: PromoteShadow,
    isBodyOptional: true,
    responses: { 200: { description: 'The version now in force.', schema: PolicyVersionBody, headers: { etag: 'The digest.' } } },
    async handle(services, call) {
      const policy = await promoteShadow(services, call, call.body);
      call.setHeader('etag', etagOf(policy));
      return presentPolicy(policy);
    },
    async replay(services, call, resourceId) {
      const policy = await findVersionMadeBy(services.db, call.principal.organization.uuid, resourceId);
      if (policy === null) return null;
      call.setHeader('etag', etagOf(policy));
      return presentPolicy(policy);
    },
  }),
];

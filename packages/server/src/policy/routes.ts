// The governance policy: read, replace, lint, and its versions.

import { lintPolicy, policyDigest, PolicySchema } from '@svc/engine';
import { Type } from 'typebox';
import { actorOf } from '../access/principal.ts';
import { notFound } from '../http/errors.ts';
import { decodeCursor, pageOf } from '../http/pagination.ts';
import { route, SerializedJson, type Route } from '../http/route.ts';
import { isoTime, ListOf, Nullable, PAGE_LIMIT_DEFAULT, PAGE_QUERY, Time } from '../http/schemas.ts';
import { lintJudges } from '../judges/policy-check.ts';
import { etagOf, matchesEtag, storePolicy } from './service.ts';
import { findCurrentPolicy, findPolicyByVersion, listPolicyVersions, type PolicyVersion } from './store.ts';

const tag = 'Policy';

const VERSION = {
  version: Type.Integer({ description: 'From 1. A version never changes.' }),
  digest: Type.String({ description: '`sha256:` and the hex SHA-256 of the document in canonical JSON (RFC 8785).' }),
  updated_at: Time('When it was stored.'),
  updated_by: Type.String({ description: 'The credential that stored it, or `system`.' }),
};
const PolicyVersionBody = Type.Object({ ...VERSION, policy: PolicySchema }, { title: 'PolicyVersion' });
const PolicyVersionSummary = Type.Object(VERSION, { title: 'PolicyVersionSummary' });
const Problem = Type.Object(
  { pointer: Type.String({ description: 'JSON Pointer into the document.' }), message: Type.String() },
  { title: 'PolicyProblem' },
);
const LintResult = Type.Object(
  {
    valid: Type.Boolean(),
    errors: Type.Array(Problem),
    warnings: Type.Array(Problem),
    digest: Nullable(Type.String({ description: 'The digest it would have; null where it is not valid.' })),
  },
  { title: 'PolicyLintResult' },
);

function presentSummary(policy: PolicyVersion) {
  return {
    version: policy.version,
    digest: policy.digest,
    updated_at: isoTime(policy.createdAtMs),
    updated_by: policy.createdBy,
  };
}

/** Serialized here, so that the document is answered exactly as it was sent and its digest can be recomputed. */
function presentPolicy(policy: PolicyVersion) {
  return new SerializedJson(JSON.stringify({ ...presentSummary(policy), policy: policy.document }));
}

export const policyRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/policy',
    operationId: 'getPolicy',
    tag,
    summary: 'Read the policy in force',
    access: 'policy:read',
    limit: 'requests',
    responses: {
      200: {
        description: 'The policy.',
        schema: PolicyVersionBody,
        headers: { etag: 'The digest, for `If-Match` and `If-None-Match`.' },
      },
      304: { description: '`If-None-Match` names this version.', schema: null },
    },
    async handle(services, call) {
      const policy = await findCurrentPolicy(services.db, call.principal.organization.uuid);
      call.setHeader('etag', etagOf(policy));
      const known = call.header('if-none-match');
      if (known === undefined || !matchesEtag(known, policy)) return presentPolicy(policy);
      call.setStatus(304);
      return undefined;
    },
  }),
  route({
    method: 'PUT',
    path: '/v1/policy',
    operationId: 'putPolicy',
    tag,
    summary: 'Replace the policy',
    description:
      'Stores the document as the next version and puts it in force. With `If-Match` only if that version is still the current one. The document in force sent again changes nothing.',
    access: 'policy:write',
    limit: 'requests',
    body: PolicySchema,
    checkBody: (body) => [...lintPolicy(body).errors],
    responses: { 200: { description: 'The version now in force.', schema: PolicyVersionBody, headers: { etag: 'The digest.' } } },
    async handle(services, call) {
      const actor = actorOf(call.principal, call.address);
      const policy = await storePolicy(services, call.principal, actor, call.body, call.header('if-match'));
      call.setHeader('etag', etagOf(policy));
      return presentPolicy(policy);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/policy/lint',
    operationId: 'lintPolicy',
    tag,
    summary: 'Check a policy without storing it',
    access: 'policy:read',
    limit: 'requests',
    body: PolicySchema,
    checkBody: () => [],
    responses: { 200: { description: 'What is wrong with it, and what may be unintended.', schema: LintResult } },
    async handle(services, { body, principal }) {
      const linted = lintPolicy(body);
      // The judges of a document that has another fault are not looked up: storing it would not come so far either.
      const judged =
        linted.errors.length > 0
          ? { errors: [], warnings: [] }
          : await lintJudges(services.db, principal.organization.uuid, body);
      const errors = [...linted.errors, ...judged.errors];
      const warnings = [...linted.warnings, ...judged.warnings];
      const isValid = errors.length === 0;
      return { valid: isValid, errors, warnings, digest: isValid ? policyDigest(body) : null };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/policy/versions',
    operationId: 'listPolicyVersions',
    tag,
    summary: 'List the versions of the policy',
    access: 'policy:read',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: {
      200: { description: 'A page of versions, newest first.', schema: ListOf(PolicyVersionSummary, 'PolicyVersionList') },
    },
    async handle(services, { principal, query }) {
      const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
      const before = decodeCursor('pol', query.cursor, (key) => /^[1-9]\d{0,8}$/.test(key));
      const versions = await listPolicyVersions(
        services.db,
        principal.organization.uuid,
        before === null ? null : Number(before),
        limit + 1,
      );
      return pageOf('pol', versions, limit, ({ version }) => String(version), presentSummary);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/policy/versions/{version}',
    operationId: 'getPolicyVersion',
    tag,
    summary: 'Read a version of the policy',
    access: 'policy:read',
    limit: 'requests',
    params: Type.Object({ version: Type.String({ maxLength: 9, description: 'Its number.' }) }),
    responses: { 200: { description: 'The version.', schema: PolicyVersionBody } },
    async handle(services, { principal, params }) {
      const version = /^[1-9]\d{0,8}$/.test(params.version) ? Number(params.version) : null;
      const policy = version === null ? null : await findPolicyByVersion(services.db, principal.organization.uuid, version);
      if (policy === null) throw notFound('policy version');
      return presentPolicy(policy);
    },
  }),
];

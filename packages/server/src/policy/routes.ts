// The governance policy: read, replace, lint, and its versions.

import { diffPolicies, lintPolicy, policyDigest, PolicySchema } from '@svc/engine';
import { Type } from 'typebox';
import { decodeCursor, pageOf } from '../http/pagination.ts';
import { route, type Route, type SerializedJson } from '../http/route.ts';
import { ListOf, PAGE_LIMIT_DEFAULT, PAGE_QUERY } from '../http/schemas.ts';
import { lintJudges } from '../judges/policy-check.ts';
import { exceptionRoutes } from './exceptions/routes.ts';
import { LintResult, PolicyDiff, PolicyVersionBody, PolicyVersionSummary, presentPolicy, presentSummary } from './schemas.ts';
import { etagOf, findVersionMadeBy, getPolicyVersion, matchesEtag, restorePolicy, storePolicy } from './service.ts';
import { shadowRoutes } from './shadow/routes.ts';
import { simulationRoutes } from './simulations/routes.ts';
import { findCurrentPolicy, findPolicyByVersion, listPolicyVersions } from './store.ts';

const tag = 'Policy';
const VersionParams = Type.Object({ version: Type.String({ maxLength: 9, description: 'Its number.' }) });
const VersionNumber = (description: string) => Type.Integer({ minimum: 1, maximum: 999_999_999, description });

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
      const policy = await storePolicy(services, call, call.body);
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
      const linted = lintPolicy(body, services.clock());
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
    params: VersionParams,
    responses: { 200: { description: 'The version.', schema: PolicyVersionBody } },
    async handle(services, { principal, params }) {
      return presentPolicy(await getPolicyVersion(services.db, principal.organization.uuid, versionOf(params.version)));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/policy/versions/{version}/restore',
    operationId: 'restorePolicyVersion',
    tag,
    summary: 'Make an earlier version the next one',
    description:
      'Stores its document as the next version and puts it in force. With `If-Match` only if the version that it names is still in force. A document that would not be taken today is refused with its problems; one that is in force changes nothing.',
    access: 'policy:write',
    limit: 'requests',
    params: VersionParams,
    responses: { 200: { description: 'The version now in force.', schema: PolicyVersionBody, headers: { etag: 'The digest.' } } },
    async handle(services, call) {
      const policy = await restorePolicy(services, call, versionOf(call.params.version));
      call.setHeader('etag', etagOf(policy));
      return presentPolicy(policy);
    },
    // Where the document was in force already nothing was made, and another version may be in force by now.
    keep: (answer) => ({ version: (JSON.parse((answer as SerializedJson).text) as { version: number }).version }),
    async replay(services, call, resourceId, _hasSucceeded, kept) {
      const { uuid } = call.principal.organization;
      const made = await findVersionMadeBy(services.db, uuid, resourceId);
      const answered = (kept as { version: number } | null)?.version;
      const policy = made ?? (answered === undefined ? null : await findPolicyByVersion(services.db, uuid, answered));
      if (policy === null) return null;
      call.setHeader('etag', etagOf(policy));
      return presentPolicy(policy);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/policy/diff',
    operationId: 'diffPolicyVersions',
    tag,
    summary: 'Compare two versions of the policy',
    description:
      'What has to be done to the document of `from` to get that of `to`. Lists whose entries have an id are compared by it.',
    access: 'policy:read',
    limit: 'requests',
    query: Type.Object(
      {
        from: Type.Optional(VersionNumber('The version to begin with. Default: the one before `to`.')),
        to: Type.Optional(VersionNumber('The version to end with. Default: the one in force.')),
      },
      { additionalProperties: false },
    ),
    responses: { 200: { description: 'The changes.', schema: PolicyDiff } },
    async handle(services, { principal, query }) {
      const { uuid } = principal.organization;
      const to =
        query.to === undefined ? await findCurrentPolicy(services.db, uuid) : await getPolicyVersion(services.db, uuid, query.to);
      const from = await getPolicyVersion(services.db, uuid, query.from ?? Math.max(1, to.version - 1));
      return {
        from: { version: from.version, digest: from.digest },
        to: { version: to.version, digest: to.digest },
        changes: diffPolicies(from.document, to.document),
      };
    },
  }),
  ...shadowRoutes,
  ...simulationRoutes,
  ...exceptionRoutes,
];

function versionOf(text: string): number | null {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
}

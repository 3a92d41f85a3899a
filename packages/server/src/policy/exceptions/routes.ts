// The exceptions of the policy in force, and what each has excused.

import type { PolicyDocument } from '@svc/engine';
import { Type } from 'typebox';
import { decodeCursor, pageOf } from '../../http/pagination.ts';
import { route, type Route } from '../../http/route.ts';
import { isoTime, ListOf, Nullable, PAGE_LIMIT_DEFAULT, PAGE_QUERY, Time } from '../../http/schemas.ts';
import { findCurrentPolicy } from '../store.ts';
import { countExceptionHits, listExceptionHits, type ExceptionHits } from './store.ts';

type ExceptionDocument = NonNullable<PolicyDocument['exceptions']>[number];

const ExceptionState = Type.Object(
  {
    id: Type.String({ description: 'Of the exception, as the policy names it.' }),
    reason: Type.String(),
    owner: Type.String(),
    expires_at: Time('When it stops excusing.'),
    state: Type.Enum(['active', 'expired'], { description: 'An expired one excuses nothing.' }),
    hits: Type.Integer({
      minimum: 0,
      description: 'Findings that it has excused, of those that assessments list; those of test keys do not count.',
    }),
    last_hit_at: Nullable(Time('When it last excused one; null: never.')),
  },
  { title: 'PolicyExceptionState' },
);

export const exceptionRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/policy/exceptions',
    operationId: 'listPolicyExceptions',
    tag: 'Policy',
    summary: 'List the exceptions of the policy in force, with what they have excused',
    description:
      'In the order of the document. Counted from the trail, under the id of the exception, whatever the version of the policy.',
    access: 'policy:read',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of exceptions.', schema: ListOf(ExceptionState, 'PolicyExceptionList') } },
    async handle(services, { principal: { organization, mode }, query }) {
      const { exceptions = [] } = (await findCurrentPolicy(services.db, organization.uuid)).document;
      const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
      const after = decodeCursor('exc', query.cursor, (key) => /^\d{1,4}$/.test(key));
      const first = after === null ? 0 : Number(after) + 1;
      // Test keys see test objects only, and those do not count.
      const hits = mode === 'test' || exceptions.length === 0 ? null : await hitsOf(services, organization.uuid);
      const rows = exceptions.map((exception, index) => ({ exception, index })).slice(first, first + limit + 1);
      const nowMs = services.clock();
      return pageOf(
        'exc',
        rows,
        limit,
        ({ index }) => String(index),
        ({ exception }) => present(exception, hits?.get(exception.id), nowMs),
      );
    },
  }),
];

async function hitsOf({ db }: Parameters<Route['handle']>[0], orgId: Buffer): Promise<ReadonlyMap<string, ExceptionHits>> {
  await countExceptionHits(db, orgId);
  return listExceptionHits(db.reader, orgId);
}

function present(exception: ExceptionDocument, hits: ExceptionHits | undefined, nowMs: number) {
  const expiresAtMs = Date.parse(exception.expires_at);
  return {
    id: exception.id,
    reason: exception.reason,
    owner: exception.owner,
    expires_at: isoTime(expiresAtMs),
    state: expiresAtMs > nowMs ? ('active' as const) : ('expired' as const),
    hits: hits?.hits ?? 0,
    last_hit_at: hits === undefined ? null : isoTime(hits.lastHitAtMs),
  };
}

// Who am I: the organization, its plan, and the credential that asks.

import { Type } from 'typebox';
import { SCOPES } from '../access/scopes.ts';
import { route, type Route } from '../http/route.ts';
import { isoTime, Time } from '../http/schemas.ts';
import { PLANS } from './plans.ts';

const OrganizationBody = Type.Object(
  {
    id: Type.String({ examples: ['org_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    name: Type.String(),
    plan: Type.Enum([...PLANS]),
    limits: Type.Object({
      assessments_per_minute: Type.Integer(),
      requests_per_minute: Type.Integer(),
      batch_size: Type.Integer({ description: 'Items in a batch.' }),
    }),
    created_at: Time('When it was made.'),
    credential: Type.Object({
      type: Type.Enum(['api_key', 'service_account', 'user']),
      id: Type.String(),
      name: Type.String(),
      mode: Type.Enum(['live', 'test']),
      scopes: Type.Array(Type.Enum([...SCOPES])),
    }),
  },
  { title: 'Organization' },
);

export const organizationRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/v1/organization',
    operationId: 'getOrganization',
    tag: 'Organization',
    summary: 'Read the organization and the credential in use',
    access: 'any',
    limit: 'requests',
    responses: { 200: { description: 'The organization, and who asks.', schema: OrganizationBody } },
    handle(_services, { principal }) {
      const { organization } = principal;
      return {
        id: organization.id,
        name: organization.name,
        plan: organization.plan,
        limits: organization.limits,
        created_at: isoTime(organization.createdAtMs),
        credential: {
          type: principal.type,
          id: principal.id,
          name: principal.name,
          mode: principal.mode,
          scopes: principal.scopes,
        },
      };
    },
  }),
];

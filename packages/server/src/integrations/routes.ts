// Integrations: create, list, read, change, delete, test; their deliveries are those of webhooks.

import { createSchemaChecker } from '@svc/engine';
import { Type } from 'typebox';
import { pageById } from '../http/pagination.ts';
import { route, type Route } from '../http/route.ts';
import { ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { formatId, parseId } from '../ids.ts';
import { deliveryRoutes, endpointExists } from '../webhooks/routes.ts';
import { getEndpoint, removeEndpoint, scopeOf } from '../webhooks/service.ts';
import { findEndpoint, listEndpoints } from '../webhooks/store.ts';
import {
  CreateIntegration,
  CreateIntegrationEnvelope,
  IntegrationBody,
  PatchIntegration,
  PatchIntegrationEnvelope,
  presentIntegration,
} from './schemas.ts';
import { createIntegration, patchIntegration } from './service.ts';

const tag = 'Integrations';
const Params = Type.Object({ integration_id: Type.String({ maxLength: 64, description: 'The integration’s id, `int_…`.' }) });

export const integrationRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/integrations',
    operationId: 'createIntegration',
    tag,
    summary: 'Create an integration',
    description: 'Sends events to a chat, incident or monitoring tool in the form it takes, by the same deliveries as webhooks.',
    access: 'webhooks:write',
    limit: 'requests',
    body: CreateIntegration,
    checkBody: createSchemaChecker(CreateIntegrationEnvelope),
    responses: { 201: { description: 'The integration, without its secrets.', schema: IntegrationBody } },
    handle: async (services, call) => presentIntegration(await createIntegration(services, call, call.body)),
    async replay(services, { principal }, resourceId) {
      const endpoint = await findEndpoint(services.db, scopeOf(principal, 'integration'), resourceId);
      return endpoint === null ? null : presentIntegration(endpoint);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/integrations',
    operationId: 'listIntegrations',
    tag,
    summary: 'List integrations',
    description: 'Newest first.',
    access: 'webhooks:read',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of integrations.', schema: ListOf(IntegrationBody, 'IntegrationList') } },
    handle: ({ db }, { principal, query }) =>
      pageById(
        'int',
        query,
        (before, limit) => listEndpoints(db, scopeOf(principal, 'integration'), before, limit),
        presentIntegration,
        ({ uuid }) => formatId('int', uuid),
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/integrations/{integration_id}',
    operationId: 'getIntegration',
    tag,
    summary: 'Read an integration',
    access: 'webhooks:read',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The integration, without its secrets.', schema: IntegrationBody } },
    handle: async (services, { principal, params }) =>
      presentIntegration(await getEndpoint(services, scopeOf(principal, 'integration'), parseId('int', params.integration_id))),
  }),
  route({
    method: 'PATCH',
    path: '/v1/integrations/{integration_id}',
    operationId: 'updateIntegration',
    tag,
    summary: 'Change name, events or config',
    description:
      'What is absent stays as it is, in the config too; but a config with another address needs its secrets again, which are not sent to a place they were not given for.',
    access: 'webhooks:write',
    limit: 'requests',
    params: Params,
    exists: endpointExists('integration', 'int'),
    body: PatchIntegration,
    checkBody: createSchemaChecker(PatchIntegrationEnvelope),
    responses: { 200: { description: 'The integration, without its secrets.', schema: IntegrationBody } },
    handle: async (services, call) =>
      presentIntegration(await patchIntegration(services, call, parseId('int', call.params.integration_id), call.body)),
  }),
  ...deliveryRoutes('integration', 'int'),
  route({
    method: 'DELETE',
    path: '/v1/integrations/{integration_id}',
    operationId: 'deleteIntegration',
    tag,
    summary: 'Delete an integration',
    description: 'Cancels what is queued for it.',
    access: 'webhooks:write',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The integration as it was.', schema: IntegrationBody } },
    handle: async (services, call) =>
      presentIntegration(
        await removeEndpoint(services, call, scopeOf(call.principal, 'integration'), parseId('int', call.params.integration_id)),
      ),
  }),
];

// API keys: create, list, read, revoke.

import { Type } from 'typebox';
import { actorOf } from '../access/principal.ts';
import { notFound } from '../http/errors.ts';
import { pageById } from '../http/pagination.ts';
import { route, type Route } from '../http/route.ts';
import { ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import { ApiKeyBody, CreateApiKey, CreatedApiKey, presentApiKey } from './schemas.ts';
import { createApiKey, revokeKey } from './service.ts';
import { findApiKeyById, listApiKeys } from './store.ts';

const KeyParams = Type.Object({ key_id: Type.String({ maxLength: 64, description: 'The key’s id, `key_…`.' }) });
const tag = 'API keys';

export const apiKeyRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/api-keys',
    operationId: 'createApiKey',
    tag,
    summary: 'Create an API key',
    description: 'The key itself is in this answer only. Without `permissions` it holds what its type holds.',
    access: 'admin:*',
    limit: 'requests',
    body: CreateApiKey,
    responses: { 201: { description: 'The key.', schema: CreatedApiKey } },
    async handle(services, call) {
      const { apiKey, key } = await createApiKey(
        services,
        call.principal,
        actorOf(call.principal, call.address),
        call.newResourceId(),
        call.body,
      );
      return { ...presentApiKey(apiKey), key };
    },
    async replay(services, call, resourceId) {
      const apiKey = await findApiKeyById(services.db, call.principal.organization.uuid, resourceId);
      return apiKey === null ? null : presentApiKey(apiKey);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/api-keys',
    operationId: 'listApiKeys',
    tag,
    summary: 'List API keys',
    description: 'Newest first, revoked ones included.',
    access: 'admin:*',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of keys.', schema: ListOf(ApiKeyBody, 'ApiKeyList') } },
    handle: ({ db }, { principal: { organization }, query }) =>
      pageById(
        'key',
        query,
        (before, limit) => listApiKeys(db, organization.uuid, before, limit),
        presentApiKey,
        ({ id }) => id,
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/api-keys/{key_id}',
    operationId: 'getApiKey',
    tag,
    summary: 'Read an API key',
    access: 'admin:*',
    limit: 'requests',
    params: KeyParams,
    responses: { 200: { description: 'The key, without its secret.', schema: ApiKeyBody } },
    async handle(services, { principal, params }) {
      const id = parseId('key', params.key_id);
      const key = id === null ? null : await findApiKeyById(services.db, principal.organization.uuid, id);
      if (key === null) throw notFound('API key');
      return presentApiKey(key);
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/api-keys/{key_id}',
    operationId: 'revokeApiKey',
    tag,
    summary: 'Revoke an API key',
    description: 'It is refused from this answer on. Revoking it again answers the same.',
    access: 'admin:*',
    limit: 'requests',
    params: KeyParams,
    responses: { 200: { description: 'The key, with `revoked_at`.', schema: ApiKeyBody } },
    async handle(services, call) {
      const key = await revokeKey(
        services,
        call.principal,
        actorOf(call.principal, call.address),
        parseId('key', call.params.key_id),
      );
      return presentApiKey(key);
    },
  }),
];

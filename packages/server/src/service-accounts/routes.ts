// Service accounts: create, list, read, change, delete, and keys for rotation.

import { Type } from 'typebox';
import type { Principal } from '../access/principal.ts';
import { CreatedApiKey, presentApiKey } from '../api-keys/schemas.ts';
import { findApiKeyById, findFirstKeyOfAccount } from '../api-keys/store.ts';
import { notFound } from '../http/errors.ts';
import { pageById } from '../http/pagination.ts';
import { route, type Route } from '../http/route.ts';
import { ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { parseId } from '../ids.ts';
import type { Services } from '../services.ts';
import {
  CreatedServiceAccount,
  CreateServiceAccount,
  CreateServiceAccountKey,
  PatchServiceAccount,
  presentServiceAccount,
  ServiceAccountBody,
} from './schemas.ts';
import { createServiceAccount, createServiceAccountKey, deleteServiceAccount, patchServiceAccount } from './service.ts';
import { findServiceAccountById, listServiceAccounts, type ServiceAccount } from './store.ts';

const tag = 'Service accounts';

/** The account that a path names. */
async function getServiceAccount(
  { db }: Services,
  { organization }: Principal,
  params: { service_account_id: string },
): Promise<ServiceAccount> {
  const id = parseId('sa', params.service_account_id);
  const account = id === null ? null : await findServiceAccountById(db, organization.uuid, id);
  if (account === null) throw notFound('service account');
  return account;
}

const Params = Type.Object({
  service_account_id: Type.String({ maxLength: 64, description: 'The account’s id, `sa_…`.' }),
});

export const serviceAccountRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/service-accounts',
    operationId: 'createServiceAccount',
    tag,
    summary: 'Create a service account, with its first key',
    description:
      'Its credential is an API key that has the account’s permissions and may be used from the addresses of its allowlist alone. The key itself is in this answer only.',
    access: 'admin:*',
    limit: 'requests',
    body: CreateServiceAccount,
    responses: { 201: { description: 'The account and its key.', schema: CreatedServiceAccount } },
    async handle(services, call) {
      const { account, keyId, key } = await createServiceAccount(services, call, call.body);
      return { ...presentServiceAccount(account), key_id: keyId, key };
    },
    async replay(services, { principal }, resourceId) {
      const orgId = principal.organization.uuid;
      const account = await findServiceAccountById(services.db, orgId, resourceId);
      if (account === null) return null;
      return { ...presentServiceAccount(account), key_id: await findFirstKeyOfAccount(services.db, orgId, resourceId) };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/service-accounts',
    operationId: 'listServiceAccounts',
    tag,
    summary: 'List service accounts',
    description: 'Newest first, without deleted ones.',
    access: 'admin:*',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of accounts.', schema: ListOf(ServiceAccountBody, 'ServiceAccountList') } },
    handle: ({ db }, { principal: { organization }, query }) =>
      pageById(
        'sa',
        query,
        (before, limit) => listServiceAccounts(db, organization.uuid, before, limit),
        presentServiceAccount,
        ({ id }) => id,
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/service-accounts/{service_account_id}',
    operationId: 'getServiceAccount',
    tag,
    summary: 'Read a service account',
    description: 'Deleted ones too, so that an actor in the trail can always be looked up.',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The account.', schema: ServiceAccountBody } },
    handle: async (services, { principal, params }) =>
      presentServiceAccount(await getServiceAccount(services, principal, params)),
  }),
  route({
    method: 'PATCH',
    path: '/v1/service-accounts/{service_account_id}',
    operationId: 'updateServiceAccount',
    tag,
    summary: 'Change name, permissions or allowlist',
    description: 'All its keys follow, on every node within a second. What is absent stays as it is.',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    exists: getServiceAccount,
    body: PatchServiceAccount,
    responses: { 200: { description: 'The account.', schema: ServiceAccountBody } },
    async handle(services, call) {
      const id = parseId('sa', call.params.service_account_id);
      return presentServiceAccount(await patchServiceAccount(services, call, id, call.body));
    },
  }),
  route({
    method: 'POST',
    path: '/v1/service-accounts/{service_account_id}/keys',
    operationId: 'createServiceAccountKey',
    tag,
    summary: 'Create another key of a service account',
    description: 'For rotation: deploy it, then revoke the old one with `DELETE /v1/api-keys/{key_id}`.',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    exists: getServiceAccount,
    body: CreateServiceAccountKey,
    responses: { 201: { description: 'The key.', schema: CreatedApiKey } },
    async handle(services, call) {
      const id = parseId('sa', call.params.service_account_id);
      const { apiKey, key } = await createServiceAccountKey(services, call, id, call.body);
      return { ...presentApiKey(apiKey), key };
    },
    async replay(services, { principal }, resourceId) {
      const apiKey = await findApiKeyById(services.db, principal.organization.uuid, resourceId);
      return apiKey === null ? null : presentApiKey(apiKey);
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/service-accounts/{service_account_id}',
    operationId: 'deleteServiceAccount',
    tag,
    summary: 'Delete a service account and revoke its keys',
    description: 'Deleting it again answers the same.',
    access: 'admin:*',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'The account, with `deleted_at`.', schema: ServiceAccountBody } },
    handle: async (services, call) =>
      presentServiceAccount(await deleteServiceAccount(services, call, parseId('sa', call.params.service_account_id))),
  }),
];

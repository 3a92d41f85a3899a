// Inboxes: addresses of the service's own that take webhooks and show what arrived, for who has no receiver yet.

import { randomBytes } from 'node:crypto';
import { Type } from 'typebox';
import type { Principal } from '../access/principal.ts';
import { holds } from '../access/scopes.ts';
import { AppError, notFound } from '../http/errors.ts';
import { route, type Route } from '../http/route.ts';
import { isoTime, ListOf, Time } from '../http/schemas.ts';
import { formatId, parseId } from '../ids.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import { deleteInbox, findInboxById, insertInbox, listInboxes, listMessages, type Inbox, type InboxScope } from './store.ts';

const tag = 'Inboxes';
const INBOXES_MAX = 20;
const TOKEN_BYTES = 24;
const Params = Type.Object({ inbox_id: Type.String({ maxLength: 64, description: 'The inbox’s id, `inb_…`.' }) });

const InboxBody = Type.Object(
  {
    id: Type.String({ examples: ['inb_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    url: Type.String({ description: 'Takes POST. Whoever knows it may write, so it is a secret.' }),
    created_at: Time('When it was made.'),
  },
  { title: 'Inbox' },
);
const MessageBody = Type.Object(
  {
    id: Type.String(),
    received_at: Time('When it arrived.'),
    headers: Type.Record(Type.String(), Type.String(), { description: 'Signatures, and what else tells of the delivery.' }),
    body: Type.String({ description: 'As it arrived: the bytes that were signed.' }),
  },
  { title: 'InboxMessage' },
);

/** Test keys have inboxes of their own, and see no others. */
function scopeOf({ organization, mode }: Principal): InboxScope {
  return { orgId: organization.uuid, isTest: mode === 'test' };
}

function present({ baseUrl }: Services, { id, token, createdAtMs }: Inbox) {
  return { id, url: `${baseUrl()}/inbox/${token}`, created_at: isoTime(createdAtMs) };
}

export const inboxRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/inboxes',
    operationId: 'createInbox',
    tag,
    summary: 'Create an inbox',
    description: 'Use its `url` as that of a webhook and see what arrives.',
    access: 'webhooks:write',
    limit: 'requests',
    responses: { 201: { description: 'The inbox.', schema: InboxBody } },
    async handle(services, { principal, newResourceId }) {
      const scope = scopeOf(principal);
      const inbox = await services.db.transaction(async (tx) => {
        await lockOrganization(tx, scope.orgId);
        if ((await listInboxes(tx, { ...scope, isTest: false })).length >= INBOXES_MAX)
          throw new AppError('conflict', `An organization can have ${INBOXES_MAX} inboxes. Delete some first.`);
        return insertInbox(tx, scope, newResourceId(), randomBytes(TOKEN_BYTES).toString('base64url'), services.clock());
      });
      return present(services, inbox);
    },
    async replay(services, { principal }, resourceId) {
      const inbox = await findInboxById(services.db, scopeOf(principal), resourceId);
      return inbox === null ? null : present(services, inbox);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/inboxes',
    operationId: 'listInboxes',
    tag,
    summary: 'List inboxes',
    access: 'webhooks:read',
    limit: 'requests',
    responses: { 200: { description: 'All inboxes, newest first.', schema: ListOf(InboxBody, 'InboxList') } },
    async handle(services, { principal }) {
      const inboxes = await listInboxes(services.db, scopeOf(principal));
      return { data: inboxes.map((inbox) => present(services, inbox)), has_more: false, next_cursor: null };
    },
  }),
  route({
    method: 'GET',
    path: '/v1/inboxes/{inbox_id}/messages',
    operationId: 'listInboxMessages',
    tag,
    summary: 'See what arrived in an inbox',
    description: 'The last 100, newest first. Those of live events need `events:read` too.',
    access: 'webhooks:read',
    limit: 'requests',
    params: Params,
    responses: { 200: { description: 'Messages.', schema: ListOf(MessageBody, 'InboxMessageList') } },
    async handle(services, { principal, params }) {
      const scope = scopeOf(principal);
      const id = parseId('inb', params.inbox_id);
      if (id === null || (await findInboxById(services.db, scope, id)) === null) throw notFound('inbox');
      if (!scope.isTest && !holds(principal.scopes, 'events:read'))
        throw new AppError('insufficient_permissions', 'What arrived are events: reading it needs the scope events:read too.');
      const messages = await listMessages(services.db, scope.orgId, id);
      const data = messages.map((message) => ({
        id: formatId('inb', message.id),
        received_at: isoTime(message.receivedAtMs),
        headers: { ...message.headers },
        body: message.body,
      }));
      return { data, has_more: false, next_cursor: null };
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/inboxes/{inbox_id}',
    operationId: 'deleteInbox',
    tag,
    summary: 'Delete an inbox and what arrived in it',
    access: 'webhooks:write',
    limit: 'requests',
    params: Params,
    responses: {
      200: { description: 'It is gone.', schema: Type.Object({ deleted: Type.Literal(true) }, { title: 'DeletedInbox' }) },
    },
    async handle(services, { principal, params }) {
      const id = parseId('inb', params.inbox_id);
      if (id === null || !(await deleteInbox(services.db, scopeOf(principal), id))) throw notFound('inbox');
      return { deleted: true as const };
    },
  }),
];

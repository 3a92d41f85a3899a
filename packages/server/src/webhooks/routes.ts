// Webhooks: create, list, read, change, delete, test, rotate the secret; their deliveries: list, read, retry, recover.

import { Type } from 'typebox';
import type { Principal } from '../access/principal.ts';
import { holds } from '../access/scopes.ts';
import { bodyOf } from '../delivery/body.ts';
import { notFound } from '../http/errors.ts';
import { pageById } from '../http/pagination.ts';
import { route, type Call, type Route } from '../http/route.ts';
import { ListOf, PAGE_QUERY } from '../http/schemas.ts';
import { formatId, parseId, type IdPrefix } from '../ids.ts';
import type { Services } from '../services.ts';
import {
  CreateWebhook,
  DeliveryBody,
  DeliveryDetail,
  DeliveryQuery,
  PatchWebhook,
  presentAttempt,
  presentDelivery,
  presentWebhook,
  Recover,
  Recovered,
  RotateSecret,
  TestEvent,
  TestResult,
  WebhookBody,
  WebhookWithSecret,
} from './schemas.ts';
import {
  changeEndpoint,
  checkUrl,
  createWebhook,
  finishRotation,
  getEndpoint,
  recover,
  removeEndpoint,
  retry,
  rotateSecret,
  scopeOf,
  testEndpoint,
  type TestOutcome,
} from './service.ts';
import { findDeliveredEvent, findDelivery, findEndpoint, listAttempts, listDeliveries, listEndpoints } from './store.ts';

const tag = 'Webhooks';
const WebhookId = Type.String({ maxLength: 64, description: 'The webhook’s id, `wh_…`.' });
const WebhookParams = Type.Object({ webhook_id: WebhookId });

/** The endpoint that a path names must be there. */
export const endpointExists =
  (what: 'webhook' | 'integration', prefix: IdPrefix) => (services: Services, principal: Principal, params: unknown) =>
    getEndpoint(services, scopeOf(principal, what), parseId(prefix, (params as Record<string, string>)[`${what}_id`]!));

function presentTest(outcome: TestOutcome) {
  const { latencyMs, ...rest } = outcome;
  return { ...rest, latency_ms: latencyMs };
}

/** The operations on deliveries, the same under webhooks and integrations. */
export function deliveryRoutes(what: 'webhook' | 'integration', prefix: IdPrefix): readonly Route[] {
  const base = `/v1/${what}s/{${what}_id}`;
  const Name = what === 'webhook' ? 'Webhook' : 'Integration';
  const EndpointId = Type.String({ maxLength: 64, description: `The ${what}’s id, \`${prefix}_…\`.` });
  const DeliveryId = Type.String({ maxLength: 64, description: 'The delivery’s id, `dlv_…`.' });
  const params = Type.Object({ [`${what}_id`]: EndpointId });
  const deliveryParams = Type.Object({ [`${what}_id`]: EndpointId, delivery_id: DeliveryId });
  const idOf = (call: Call) => parseId(prefix, (call.params as Record<string, string>)[`${what}_id`]!);
  const deliveryIdOf = (call: Call) => parseId('dlv', (call.params as Record<string, string>)['delivery_id']!);
  return [
    route({
      method: 'GET',
      path: `${base}/deliveries`,
      operationId: `list${Name}Deliveries`,
      tag: `${Name}s`,
      summary: 'List deliveries',
      description: 'Newest event first. Kept for 30 days.',
      access: 'webhooks:read',
      limit: 'requests',
      params,
      query: DeliveryQuery,
      responses: { 200: { description: 'A page of deliveries.', schema: ListOf(DeliveryBody, 'DeliveryList') } },
      async handle(services, call) {
        const { query, principal } = call;
        const { state, kind } = query;
        const { uuid } = await getEndpoint(services, scopeOf(principal, what), idOf(call));
        const read = (before: Buffer | null, limit: number) =>
          listDeliveries(services.db.reader, principal.organization.uuid, uuid, { state, kind }, before, limit);
        return pageById('dlv', query, read, presentDelivery, (delivery) => formatId('dlv', delivery.uuid));
      },
    }),
    route({
      method: 'GET',
      path: `${base}/deliveries/{delivery_id}`,
      operationId: `get${Name}Delivery`,
      tag: `${Name}s`,
      summary: 'Read a delivery, with its body and its attempts',
      access: 'webhooks:read',
      limit: 'requests',
      params: deliveryParams,
      responses: { 200: { description: 'The delivery.', schema: DeliveryDetail } },
      handle: (services, call) => readDelivery(services, call, what, idOf(call), deliveryIdOf(call)),
    }),
    route({
      method: 'POST',
      path: `${base}/deliveries/{delivery_id}/retry`,
      operationId: `retry${Name}Delivery`,
      tag: `${Name}s`,
      summary: 'Send a delivery again, now',
      description: 'One more attempt, whatever came of the others. If it fails, the delivery is what it was before.',
      access: 'webhooks:write',
      limit: 'requests',
      params: deliveryParams,
      responses: { 200: { description: 'The delivery.', schema: DeliveryDetail } },
      async handle(services, call) {
        await retry(services, scopeOf(call.principal, what), idOf(call), deliveryIdOf(call));
        return readDelivery(services, call, what, idOf(call), deliveryIdOf(call));
      },
      replay: (services, call, _resourceId, hasSucceeded) =>
        hasSucceeded ? readDelivery(services, call, what, idOf(call), deliveryIdOf(call)) : Promise.resolve(null),
    }),
    route({
      method: 'POST',
      path: `${base}/recover`,
      operationId: `recover${Name}`,
      tag: `${Name}s`,
      summary: 'Send again what has failed since a time',
      description: 'Each delivery gets the whole schedule again, with the same event id and the same body.',
      access: 'webhooks:write',
      limit: 'requests',
      params,
      exists: endpointExists(what, prefix),
      body: Recover,
      keep: (answer) => answer,
      responses: { 200: { description: 'How many are sent again.', schema: Recovered } },
      handle: async (services, call) => ({
        recovered: await recover(services, scopeOf(call.principal, what), idOf(call), call.body.since),
      }),
    }),
    route({
      method: 'POST',
      path: `${base}/test`,
      operationId: `test${Name}`,
      tag: `${Name}s`,
      summary: 'Send a sample event, once',
      description: 'One real attempt, signed like any other. It is kept nowhere; the answer tells how it went.',
      access: 'webhooks:write',
      limit: 'requests',
      params,
      exists: endpointExists(what, prefix),
      body: TestEvent,
      isBodyOptional: true,
      // The receiver's words are kept nowhere.
      keep: (answer) => ({ ...(answer as object), answer: null }),
      responses: { 200: { description: 'How it went.', schema: TestResult } },
      handle: async (services, call) =>
        presentTest(await testEndpoint(services, call, scopeOf(call.principal, what), idOf(call), call.body.event)),
    }),
  ];
}

async function readDelivery(
  services: Services,
  { principal }: Call,
  what: 'webhook' | 'integration',
  id: Buffer | null,
  deliveryId: Buffer | null,
) {
  const orgId = principal.organization.uuid;
  const endpoint = await getEndpoint(services, scopeOf(principal, what), id);
  const delivery = deliveryId === null ? null : await findDelivery(services.db, orgId, endpoint.uuid, deliveryId);
  if (delivery === null) throw notFound('delivery');
  const mayRead = principal.mode === 'test' || holds(principal.scopes, 'events:read');
  const event = mayRead ? await findDeliveredEvent(services.db, orgId, delivery) : null;
  const body =
    event === null
      ? null
      : bodyOf({
          ...event,
          id: formatId('evt', delivery.eventId),
          sequence: delivery.sequence,
          mode: endpoint.mode,
          orgId: principal.organization.id,
          actor: { type: event.actorType, id: event.actorId },
        });
  const attempts = await listAttempts(services.db, orgId, delivery.uuid);
  return { ...presentDelivery(delivery), body, attempt_log: attempts.map(presentAttempt) };
}

export const webhookRoutes: readonly Route[] = [
  route({
    method: 'POST',
    path: '/v1/webhooks',
    operationId: 'createWebhook',
    tag,
    summary: 'Create a webhook',
    description: 'The signing secret is in this answer only. A webhook made with a test key hears of test assessments alone.',
    access: 'webhooks:write',
    limit: 'requests',
    body: CreateWebhook,
    responses: { 201: { description: 'The webhook and its secret.', schema: WebhookWithSecret } },
    async handle(services, call) {
      const { endpoint, secret } = await createWebhook(services, call, call.body);
      return { ...presentWebhook(endpoint), signing_secret: secret };
    },
    async replay(services, { principal }, resourceId) {
      const endpoint = await findEndpoint(services.db, scopeOf(principal, 'webhook'), resourceId);
      return endpoint === null ? null : presentWebhook(endpoint);
    },
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks',
    operationId: 'listWebhooks',
    tag,
    summary: 'List webhooks',
    description: 'Newest first.',
    access: 'webhooks:read',
    limit: 'requests',
    query: Type.Object(PAGE_QUERY, { additionalProperties: false }),
    responses: { 200: { description: 'A page of webhooks.', schema: ListOf(WebhookBody, 'WebhookList') } },
    handle: ({ db }, { principal, query }) =>
      pageById(
        'wh',
        query,
        (before, limit) => listEndpoints(db, scopeOf(principal, 'webhook'), before, limit),
        presentWebhook,
        ({ uuid }) => formatId('wh', uuid),
      ),
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'getWebhook',
    tag,
    summary: 'Read a webhook',
    access: 'webhooks:read',
    limit: 'requests',
    params: WebhookParams,
    responses: { 200: { description: 'The webhook, without its secret.', schema: WebhookBody } },
    handle: async (services, { principal, params }) =>
      presentWebhook(await getEndpoint(services, scopeOf(principal, 'webhook'), parseId('wh', params.webhook_id))),
  }),
  route({
    method: 'PATCH',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'updateWebhook',
    tag,
    summary: 'Change url, events or description',
    description: 'What is absent stays as it is. What is queued goes to the new url.',
    access: 'webhooks:write',
    limit: 'requests',
    params: WebhookParams,
    exists: endpointExists('webhook', 'wh'),
    body: PatchWebhook,
    responses: { 200: { description: 'The webhook.', schema: WebhookBody } },
    async handle(services, call) {
      const { url, events, description } = call.body;
      const scope = scopeOf(call.principal, 'webhook');
      const id = parseId('wh', call.params.webhook_id);
      await getEndpoint(services, scope, id);
      if (url !== undefined) await checkUrl(services, url, '/url');
      const changed = await changeEndpoint(services, call, scope, id, (before) => ({
        ...before,
        url: url ?? before.url,
        events: events ?? before.events,
        description: description === undefined ? before.description : description,
      }));
      return presentWebhook(changed);
    },
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate-secret',
    operationId: 'rotateWebhookSecret',
    tag,
    summary: 'Give a webhook a new signing secret',
    description:
      'During the grace `X-Svc-Signature-256` is still the old secret’s, the new one’s is in `X-Svc-Signature-256-Next`, and `webhook-signature` carries both.',
    access: 'webhooks:write',
    limit: 'requests',
    params: WebhookParams,
    exists: endpointExists('webhook', 'wh'),
    body: RotateSecret,
    isBodyOptional: true,
    responses: { 200: { description: 'The webhook and its new secret.', schema: WebhookWithSecret } },
    async handle(services, call) {
      const id = parseId('wh', call.params.webhook_id);
      const { endpoint, secret } = await rotateSecret(services, call, id, call.body.grace_s);
      return { ...presentWebhook(endpoint), signing_secret: secret };
    },
    async replay(services, { principal, params }, resourceId, hasSucceeded) {
      const endpoint = await getEndpoint(services, scopeOf(principal, 'webhook'), parseId('wh', params.webhook_id));
      return hasSucceeded || endpoint.rotationId?.equals(resourceId) === true ? presentWebhook(endpoint) : null;
    },
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/{webhook_id}/rotate-secret/finish',
    operationId: 'finishWebhookRotation',
    tag,
    summary: 'End the grace of a rotation',
    description: 'From here on the new secret alone signs. Doing it again changes nothing.',
    access: 'webhooks:write',
    limit: 'requests',
    params: WebhookParams,
    responses: { 200: { description: 'The webhook.', schema: WebhookBody } },
    handle: async (services, call) => presentWebhook(await finishRotation(services, call, parseId('wh', call.params.webhook_id))),
  }),
  ...deliveryRoutes('webhook', 'wh'),
  route({
    method: 'DELETE',
    path: '/v1/webhooks/{webhook_id}',
    operationId: 'deleteWebhook',
    tag,
    summary: 'Delete a webhook',
    description: 'Cancels what is queued for it.',
    access: 'webhooks:write',
    limit: 'requests',
    params: WebhookParams,
    responses: { 200: { description: 'The webhook as it was.', schema: WebhookBody } },
    handle: async (services, call) =>
      presentWebhook(
        await removeEndpoint(services, call, scopeOf(call.principal, 'webhook'), parseId('wh', call.params.webhook_id)),
      ),
  }),
];

// Rules of endpoints: webhooks, and integrations, which differ in what they are made of.

import { actorOf, type Principal } from '../access/principal.ts';
import { attempt, isOwnInbox, secretPurpose } from '../delivery/attempt.ts';
import { newSigningSecret } from '../delivery/signatures.ts';
import type { Sendable } from '../delivery/store.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { newUuid, uuidText } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { sampleData } from './samples.ts';
import {
  countEndpoints,
  deleteEndpoint,
  endpointId,
  findDelivery,
  findEndpoint,
  insertEndpoint,
  recoverDeliveries,
  retryDelivery,
  updateEndpoint,
  type Endpoint,
  type EndpointScope,
} from './store.ts';

const ENDPOINTS_MAX = { webhook: 100, integration: 50 } as const;
const GRACE_SECONDS_DEFAULT = 86_400;
// A transaction of some 100 ms; recovering goes on until none is left.
const RECOVERED_AT_ONCE = 5_000;

/** The endpoints that a principal may see: those of test keys alone where it is one. */
export function scopeOf({ organization, mode }: Principal, what: 'webhook' | 'integration'): EndpointScope {
  return { orgId: organization.uuid, isWebhook: what === 'webhook', isTest: mode === 'test' };
}

const nameOf = ({ isWebhook }: EndpointScope) => (isWebhook ? 'webhook' : 'integration');

/** Throws `invalid_request` for an address that the guard would not let through. */
export async function checkUrl({ sender, baseUrl }: Services, url: string, pointer: string): Promise<void> {
  if (isOwnInbox(url, baseUrl())) return;
  const fault = await sender.egress.refusalOf(url);
  if (fault !== null) throw invalid(pointer, fault);
}

/** What is made of what a caller sent. `secret`: what is encrypted. */
export interface EndpointPlan {
  readonly kind: string;
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly events: readonly string[];
  readonly secret: string;
}

/** Makes an endpoint, with its event. Throws `conflict` when there are too many. */
export async function createEndpoint(services: Services, call: Call, plan: EndpointPlan): Promise<Endpoint> {
  const { principal } = call;
  const what = plan.kind === 'webhook' ? 'webhook' : 'integration';
  const scope = scopeOf(principal, what);
  const nowMs = services.clock();
  return services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, scope.orgId);
    if ((await countEndpoints(tx, scope)) >= ENDPOINTS_MAX[what])
      throw new AppError('conflict', `An organization can have ${ENDPOINTS_MAX[what]} ${what}s. Delete some first.`);
    const uuid = call.newResourceId();
    const { secret, ...rest } = plan;
    const sealedSecret = services.vault.seal(secretPurpose(uuidText(uuid)), secret);
    const { mode } = principal;
    const endpoint = await insertEndpoint(tx, { ...rest, orgId: scope.orgId, uuid, mode, sealedSecret, createdAtMs: nowMs });
    tell(services, call, record, endpoint, 'created');
    return endpoint;
  });
}

/** Makes a webhook. Its secret in clear is in this answer only. */
export async function createWebhook(
  services: Services,
  call: Call,
  input: { url: string; events: readonly string[]; description?: string | null },
): Promise<{ endpoint: Endpoint; secret: string }> {
  await checkUrl(services, input.url, '/url');
  const secret = newSigningSecret();
  const { url, events, description = null } = input;
  const endpoint = await createEndpoint(services, call, {
    kind: 'webhook',
    name: null,
    description,
    url,
    config: null,
    events,
    secret,
  });
  return { endpoint, secret };
}

/** The endpoint, or `not_found`. */
export async function getEndpoint(services: Services, scope: EndpointScope, id: Buffer | null): Promise<Endpoint> {
  const endpoint = id === null ? null : await findEndpoint(services.db, scope, id);
  if (endpoint === null) throw notFound(nameOf(scope));
  return endpoint;
}

/** Changes an endpoint, with its event; what changes nothing makes none. Throws `not_found`. */
export async function changeEndpoint(
  services: Services,
  call: Call,
  scope: EndpointScope,
  id: Buffer | null,
  change: (endpoint: Endpoint) => Endpoint,
): Promise<Endpoint> {
  return services.journal.transaction(async (tx, record) => {
    const endpoint = await lockEndpoint(tx, scope, id);
    const changed = change(endpoint);
    if (JSON.stringify(changed) === JSON.stringify(endpoint)) return endpoint;
    const stored = await updateEndpoint(tx, scope, { ...changed, updatedAtMs: services.clock() });
    tell(services, call, record, stored!, 'updated');
    return stored!;
  });
}

/** Deletes an endpoint and cancels what is queued for it, with its event. Throws `not_found`. */
export async function removeEndpoint(services: Services, call: Call, scope: EndpointScope, id: Buffer | null): Promise<Endpoint> {
  return services.journal.transaction(async (tx, record) => {
    const endpoint = await lockEndpoint(tx, scope, id);
    await deleteEndpoint(tx, scope, endpoint.uuid, services.clock());
    tell(services, call, record, endpoint, 'deleted');
    return endpoint;
  });
}

/**
 * Gives a webhook a new secret; the old one signs beside it for `graceSeconds`. The new one in clear is in this answer only. Throws `conflict` while
 * the grace of the last rotation lasts.
 */
export async function rotateSecret(
  services: Services,
  call: Call,
  id: Buffer | null,
  graceSeconds = GRACE_SECONDS_DEFAULT,
): Promise<{ endpoint: Endpoint; secret: string }> {
  const secret = newSigningSecret();
  const nowMs = services.clock();
  const endpoint = await changeEndpoint(services, call, scopeOf(call.principal, 'webhook'), id, (before) => {
    if (before.oldSecretUntilMs !== null && before.oldSecretUntilMs > nowMs)
      throw new AppError('conflict', 'The grace of the last rotation lasts still. Finish it first: POST …/rotate-secret/finish.');
    return {
      ...before,
      sealedSecret: services.vault.seal(secretPurpose(uuidText(before.uuid)), secret),
      sealedOldSecret: graceSeconds === 0 ? null : before.sealedSecret,
      oldSecretUntilMs: graceSeconds === 0 ? null : nowMs + graceSeconds * 1_000,
      rotationId: call.newResourceId(),
    };
  });
  return { endpoint, secret };
}

/** Ends the grace of a rotation: from here on the new secret alone signs. */
export function finishRotation(services: Services, call: Call, id: Buffer | null): Promise<Endpoint> {
  return changeEndpoint(services, call, scopeOf(call.principal, 'webhook'), id, (before) => ({
    ...before,
    sealedOldSecret: null,
    oldSecretUntilMs: null,
  }));
}

/** What came of a test. */
export interface TestOutcome {
  readonly delivered: boolean;
  readonly event: string;
  readonly status: number | null;
  readonly latencyMs: number;
  readonly error: string | null;
  readonly answer: string | null;
}

/** Sends one sample event, signed like any other, once. It is kept nowhere. */
export async function testEndpoint(
  services: Services,
  call: Call,
  scope: EndpointScope,
  id: Buffer | null,
  kind = 'webhook.test',
): Promise<TestOutcome> {
  const endpoint = await getEndpoint(services, scope, id);
  const made = await attempt(services.sender, [sampleOf(services, call.principal, endpoint, kind)]);
  const judgement = made.judgements[0]!;
  if (judgement.outcome === 'ok' && endpoint.status === 'paused')
    await services.dispatcher.noteAnswer(uuidText(scope.orgId), uuidText(endpoint.uuid));
  return {
    delivered: judgement.outcome === 'ok',
    event: kind,
    status: made.status,
    latencyMs: Math.round(made.latencyMs * 10) / 10,
    error: judgement.outcome === 'ok' ? null : judgement.error,
    answer: made.answer,
  };
}

function sampleOf({ clock }: Services, { organization, type, id }: Principal, endpoint: Endpoint, kind: string): Sendable {
  const nowMs = clock();
  return {
    orgId: uuidText(organization.uuid),
    id: uuidText(newUuid()),
    claim: '',
    endpointId: uuidText(endpoint.uuid),
    attempt: 1,
    failures: 0,
    trigger: 'manual',
    eventId: uuidText(newUuid()),
    sequence: null,
    kind,
    mode: endpoint.mode,
    endpoint,
    event: { occurredAtMs: nowMs, recordedAtMs: nowMs, actorType: type, actorId: id, data: sampleData(kind, nowMs) },
  };
}

/** Makes a delivery due now. Throws `not_found`, and `conflict` while it is being sent or after it was cancelled. */
export async function retry(
  services: Services,
  scope: EndpointScope,
  id: Buffer | null,
  deliveryId: Buffer | null,
): Promise<void> {
  const endpoint = await getEndpoint(services, scope, id);
  const delivery = deliveryId === null ? null : await findDelivery(services.db, scope.orgId, endpoint.uuid, deliveryId);
  if (delivery === null) throw notFound('delivery');
  if (!(await retryDelivery(services.db, scope.orgId, delivery.uuid, services.clock())))
    throw new AppError('conflict', 'The delivery is being sent right now. Look at it again in a moment.');
  services.dispatcher.wake([uuidText(scope.orgId)]);
}

/** Sends again what failed since a time, by the whole schedule. Answers how much that is. */
export async function recover(services: Services, scope: EndpointScope, id: Buffer | null, since: string): Promise<number> {
  const endpoint = await getEndpoint(services, scope, id);
  const nowMs = services.clock();
  let recovered = 0;
  for (;;) {
    const count = await recoverDeliveries(services.db, scope.orgId, endpoint.uuid, Date.parse(since), nowMs, RECOVERED_AT_ONCE);
    recovered += count;
    services.dispatcher.wake([uuidText(scope.orgId)]);
    if (count < RECOVERED_AT_ONCE) return recovered;
  }
}

async function lockEndpoint(tx: Transaction, scope: EndpointScope, id: Buffer | null): Promise<Endpoint> {
  await lockOrganization(tx, scope.orgId);
  const endpoint = id === null ? null : await findEndpoint(tx, scope, id);
  if (endpoint === null) throw notFound(nameOf(scope));
  return endpoint;
}

/** Records what became of an endpoint: neither its address, which may be a secret of a vendor's, nor its config. */
function tell(
  { clock }: Services,
  { principal, address }: Call,
  record: Parameters<Parameters<Services['journal']['transaction']>[0]>[1],
  endpoint: Endpoint,
  what: 'created' | 'updated' | 'deleted',
): void {
  if (endpoint.mode === 'test') return; // nothing of a test key is in the trail
  const isWebhook = endpoint.kind === 'webhook';
  const id = endpointId(endpoint.kind, endpoint.uuid);
  const data = {
    // The host alone: an address may be a secret.
    ...(isWebhook
      ? { webhook_id: id, host: new URL(endpoint.url!).host }
      : { integration_id: id, kind: endpoint.kind, name: endpoint.name }),
    events: endpoint.events,
  };
  const kind = `${isWebhook ? 'webhook' : 'integration'}.${what}`;
  record(changeEvent(principal.organization.uuid, kind, actorOf(principal, address), clock(), data));
}

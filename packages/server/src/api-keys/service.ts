// Rules of API keys.

import { newKey } from '../access/key-format.ts';
import type { Principal } from '../access/principal.ts';
import { GRANTABLE_SCOPES, holds, KEY_SCOPES, type KeyType, type Scope } from '../access/scopes.ts';
import { AppError, invalid, notFound } from '../http/errors.ts';
import { formatId } from '../ids.ts';
import { changeEvent, type Actor, type ExpireSubject, type RecordEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import { endSessionsWithin } from '../sessions/service.ts';
import type { Transaction } from '../storage/database.ts';
import type { CreateApiKey } from './schemas.ts';
import { countAdminKeys, countApiKeys, findApiKeyById, insertApiKey, revokeApiKey, type ApiKey } from './store.ts';

const KEYS_MAX = 1_000;
const LIFETIME_MS_MAX = 10 * 366 * 86_400_000;

/** Throws `invalid_request` for a scope that keys of `type` never hold. */
export function checkGrantable(type: KeyType, permissions: readonly Scope[]): void {
  permissions.forEach((scope, i) => {
    if (GRANTABLE_SCOPES[type].includes(scope)) return;
    throw invalid(`/permissions/${i}`, `a ${type} key cannot hold ${scope}; it can hold ${GRANTABLE_SCOPES[type].join(', ')}`);
  });
}

/** Nobody grants what they do not hold. */
export function refuseEscalation(creator: Principal, permissions: readonly Scope[]): void {
  const missing = permissions.find((scope) => !holds(creator.scopes, scope));
  if (missing === undefined) return;
  throw new AppError('insufficient_permissions', `A credential without ${missing} cannot grant ${missing}.`);
}

/** The time of expiry of a new key. Throws `invalid_request`. */
export function expiryOf(text: string | null | undefined, nowMs: number): number | null {
  if (text === null || text === undefined) return null;
  const ms = Date.parse(text);
  if (!(ms > nowMs)) throw invalid('/expires_at', 'must be in the future');
  if (ms - nowMs > LIFETIME_MS_MAX) throw invalid('/expires_at', 'must be within ten years');
  return ms;
}

/** What a new key is to be. */
export interface KeyPlan {
  readonly id: Buffer;
  readonly name: string;
  readonly type: KeyType;
  readonly description: string | null;
  readonly permissions: readonly Scope[];
  readonly serviceAccountId: Buffer | null;
  readonly expiresAtMs: number | null;
}

/**
 * Makes a key within a transaction that holds the organization's lock, with its `api_key.created` event. Answers the key in clear. Throws
 * `conflict` when there are too many.
 */
export async function makeKey(
  { peppers, clock }: Pick<Services, 'peppers' | 'clock'>,
  tx: Transaction,
  record: RecordEvent,
  orgId: Buffer,
  actor: Actor,
  plan: KeyPlan,
): Promise<string> {
  const { id, name, type, permissions, serviceAccountId, expiresAtMs } = plan;
  if ((await countApiKeys(tx, orgId)) >= KEYS_MAX)
    throw new AppError('conflict', `An organization can have ${KEYS_MAX} keys that are not revoked. Revoke some first.`);
  const key = newKey(type);
  const nowMs = clock();
  await insertApiKey(tx, { ...plan, orgId, stored: peppers.digest(key), last4: key.slice(-4), createdAtMs: nowMs });
  record(
    changeEvent(orgId, 'api_key.created', actor, nowMs, {
      key_id: formatId('key', id),
      name,
      type,
      permissions,
      service_account_id: serviceAccountId === null ? null : formatId('sa', serviceAccountId),
      expires_at: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
    }),
  );
  return key;
}

/** Makes a key, with its `api_key.created` event. The key in clear is in this answer only. */
export async function createApiKey(
  services: Services,
  creator: Principal,
  actor: Actor,
  id: Buffer,
  input: CreateApiKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  const permissions = input.permissions ?? KEY_SCOPES[input.type];
  checkGrantable(input.type, permissions);
  refuseEscalation(creator, permissions);
  const expiresAtMs = expiryOf(input.expires_at, services.clock());
  const orgId = creator.organization.uuid;
  const { name, type, description = null } = input;
  return services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, orgId);
    const plan = { id, name, type, description, permissions, serviceAccountId: null, expiresAtMs };
    const key = await makeKey(services, tx, record, orgId, actor, plan);
    return { apiKey: (await findApiKeyById(tx, orgId, id))!, key };
  });
}

/**
 * Revokes a key, with its `api_key.revoked` event: it, and sessions it opened, are refused here from the answer on and on every node within a
 * second. Doing it again changes nothing. Throws `not_found`, and `conflict` for the last key that can manage the organization.
 */
export async function revokeKey(services: Services, principal: Principal, actor: Actor, keyId: Buffer | null): Promise<ApiKey> {
  const orgId = principal.organization.uuid;
  if (keyId === null) throw notFound('API key');
  const key = await services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    await refuseLosingControl(tx, orgId, () => revokeWithin(services, tx, orgId, keyId, actor, record, expire));
    return findApiKeyById(tx, orgId, keyId);
  });
  if (key === null) throw notFound('API key');
  return key;
}

/** Revokes a key, and ends the sessions it opened, as a part of a transaction. */
export async function revokeWithin(
  services: Services,
  tx: Transaction,
  orgId: Buffer,
  keyId: Buffer,
  actor: Actor,
  record: RecordEvent,
  expire: ExpireSubject,
): Promise<void> {
  const nowMs = services.clock();
  if (!(await revokeApiKey(tx, orgId, keyId, nowMs))) return;
  const id = formatId('key', keyId);
  expire(id);
  await endSessionsWithin(services, tx, orgId, keyId, actor, record, expire);
  const key = await findApiKeyById(tx, orgId, keyId);
  record(changeEvent(orgId, 'api_key.revoked', actor, nowMs, { key_id: id, name: key!.name }));
}

/** Makes a change, and throws `conflict` when it takes the last key that can manage the organization. */
export async function refuseLosingControl(tx: Transaction, orgId: Buffer, change: () => Promise<void>): Promise<void> {
  const before = await countAdminKeys(tx, orgId);
  await change();
  if (before === 0 || (await countAdminKeys(tx, orgId)) > 0) return;
  throw new AppError(
    'conflict',
    'This would take the last key that can manage the organization. Create another admin key first.',
  );
}

// Rules of API keys.

import { AppError, invalid, notFound } from '../http/errors.ts';
import { formatId } from '../ids.ts';
import { changeEvent, type Actor } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import type { Principal } from './principal.ts';
import { newKey } from './key-format.ts';
import { GRANTABLE_SCOPES, holds, KEY_SCOPES, type KeyType, type Scope } from './scopes.ts';
import { countAdminKeysExcept, countApiKeysLocked, insertApiKey, lockKeys, revokeApiKey, type ApiKey } from './store.ts';
import type { CreateApiKey } from './schemas.ts';

const KEYS_MAX = 1_000;
const LIFETIME_MS_MAX = 10 * 366 * 86_400_000;

/** The permissions of a new key. Throws `invalid_request` for one that its type never holds. */
function permissionsOf(type: KeyType, asked: readonly Scope[] | undefined): readonly Scope[] {
  if (asked === undefined) return KEY_SCOPES[type];
  asked.forEach((scope, i) => {
    if (GRANTABLE_SCOPES[type].includes(scope)) return;
    throw invalid(`/permissions/${i}`, `a ${type} key cannot hold ${scope}; it can hold ${GRANTABLE_SCOPES[type].join(', ')}`);
  });
  return asked;
}

/** Nobody grants what they do not hold. */
function refuseEscalation(creator: Principal, permissions: readonly Scope[]): void {
  const missing = permissions.find((scope) => !holds(creator.scopes, scope));
  if (missing === undefined) return;
  throw new AppError('insufficient_permissions', `A credential without ${missing} cannot grant ${missing}.`);
}

function expiryOf(text: string | null | undefined, nowMs: number): number | null {
  if (text === null || text === undefined) return null;
  const ms = Date.parse(text);
  if (!(ms > nowMs)) throw invalid('/expires_at', 'must be in the future');
  if (ms - nowMs > LIFETIME_MS_MAX) throw invalid('/expires_at', 'must be within ten years');
  return ms;
}

/** Makes a key, with its `api_key.created` event. The key in clear is in this answer only. */
export async function createApiKey(
  services: Services,
  creator: Principal,
  actor: Actor,
  id: Buffer,
  input: CreateApiKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  const nowMs = services.clock();
  const permissions = permissionsOf(input.type, input.permissions);
  refuseEscalation(creator, permissions);
  const expiresAtMs = expiryOf(input.expires_at, nowMs);
  const key = newKey(input.type);
  const orgId = creator.organization.uuid;
  const apiKey = await services.journal.transaction(async (tx, record) => {
    if ((await countApiKeysLocked(tx, orgId)) >= KEYS_MAX) {
      throw new AppError('conflict', `An organization can have ${KEYS_MAX} keys that are not revoked. Revoke some first.`);
    }
    const made = await insertApiKey(tx, {
      orgId,
      id,
      name: input.name,
      type: input.type,
      description: input.description ?? null,
      permissions,
      pepper: services.pepperName,
      digest: services.authenticator.digest(key),
      last4: key.slice(-4),
      createdAtMs: nowMs,
      expiresAtMs,
    });
    record(
      changeEvent(orgId, 'api_key.created', actor, nowMs, {
        key_id: made.id,
        name: made.name,
        type: made.type,
        permissions,
        expires_at: input.expires_at ?? null,
      }),
    );
    return made;
  });
  return { apiKey, key };
}

/**
 * Revokes a key, with its `api_key.revoked` event. Doing it again changes nothing. Throws `not_found`, and `conflict` for the last key that can
 * manage the organization.
 */
export async function revokeKey(services: Services, principal: Principal, actor: Actor, keyId: Buffer | null): Promise<ApiKey> {
  const nowMs = services.clock();
  const orgId = principal.organization.uuid;
  if (keyId === null) throw notFound('API key');
  const revoked = await services.journal.transaction(async (tx, record) => {
    await lockKeys(tx, orgId);
    const result = await revokeApiKey(tx, orgId, keyId, nowMs);
    if (
      result?.isNew === true &&
      holds(result.key.permissions, 'admin:*') &&
      (await countAdminKeysExcept(tx, orgId, keyId)) === 0
    ) {
      throw new AppError('conflict', 'This is the last key that can manage the organization. Create another admin key first.');
    }
    if (result?.isNew === true)
      record(changeEvent(orgId, 'api_key.revoked', actor, nowMs, { key_id: formatId('key', keyId), name: result.key.name }));
    return result;
  });
  if (revoked === null) throw notFound('API key');
  services.authenticator.forget(keyId);
  return revoked.key;
}

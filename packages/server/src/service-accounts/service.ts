// Rules of service accounts: credentials of automated systems, which are keys bound to an account.

import { actorOf } from '../access/principal.ts';
import type { KeyType, Scope } from '../access/scopes.ts';
import { parseCidr } from '../addresses/cidr.ts';
import { checkGrantable, expiryOf, makeKey, refuseEscalation, refuseLosingControl, revokeWithin } from '../api-keys/service.ts';
import { findApiKeyById, listKeysOfAccount, type ApiKey } from '../api-keys/store.ts';
import { AppError, notFound } from '../http/errors.ts';
import type { Call } from '../http/route.ts';
import { formatId, newUuid, parseId } from '../ids.ts';
import { changeEvent } from '../journal/journal.ts';
import { lockOrganization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import type { CreateServiceAccount, CreateServiceAccountKey, PatchServiceAccount } from './schemas.ts';
import {
  countServiceAccounts,
  deleteServiceAccountById,
  findServiceAccountById,
  insertServiceAccount,
  updateServiceAccount,
  type ServiceAccount,
} from './store.ts';

// As many as there can be keys.
const ACCOUNTS_MAX = 1_000;

/** Makes an account with its first key, and their events. The key in clear is in this answer only. */
export async function createServiceAccount(
  services: Services,
  call: Call,
  input: CreateServiceAccount,
): Promise<{ account: ServiceAccount; keyId: string; key: string }> {
  const { principal, address } = call;
  const orgId = principal.organization.uuid;
  const keyType = keyTypeOf(input.type ?? 'live', input.permissions);
  checkGrantable(keyType, input.permissions);
  refuseEscalation(principal, input.permissions);
  const ipAllowlist = canonicalRanges(input.ip_allowlist ?? []);
  const nowMs = services.clock();
  const actor = actorOf(principal, address);
  return services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, orgId);
    if ((await countServiceAccounts(tx, orgId)) >= ACCOUNTS_MAX)
      throw new AppError('conflict', `An organization can have ${ACCOUNTS_MAX} service accounts. Delete some first.`);
    const { name, permissions } = input;
    const id = call.newResourceId();
    const account = await insertServiceAccount(tx, { orgId, id, name, keyType, permissions, ipAllowlist, createdAtMs: nowMs });
    record(
      changeEvent(orgId, 'service_account.created', actor, nowMs, { service_account_id: account.id, ...contentOf(account) }),
    );
    const plan = keyPlan(account, id, newUuid(), null);
    const key = await makeKey(services, tx, record, orgId, actor, plan);
    return { account, keyId: formatId('key', plan.id), key };
  });
}

/** Makes another key of an account, for rotation. The key in clear is in this answer only. Throws `not_found`. */
export async function createServiceAccountKey(
  services: Services,
  call: Call,
  accountId: Buffer | null,
  input: CreateServiceAccountKey,
): Promise<{ apiKey: ApiKey; key: string }> {
  const { principal, address } = call;
  const orgId = principal.organization.uuid;
  const expiresAtMs = expiryOf(input.expires_at, services.clock());
  return services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, orgId);
    const account = await findLiving(tx, orgId, accountId);
    refuseEscalation(principal, account.permissions);
    const plan = keyPlan(account, accountId!, call.newResourceId(), expiresAtMs);
    const key = await makeKey(services, tx, record, orgId, actorOf(principal, address), plan);
    return { apiKey: (await findApiKeyById(tx, orgId, plan.id))!, key };
  });
}

/**
 * Changes an account, with its `service_account.updated` event; its keys follow on every node within a second. What changes nothing makes no
 * event. Throws `not_found`, and `conflict` when the organization would lose its last admin key.
 */
export async function patchServiceAccount(
  services: Services,
  call: Call,
  id: Buffer | null,
  input: PatchServiceAccount,
): Promise<ServiceAccount> {
  const { principal, address } = call;
  const orgId = principal.organization.uuid;
  const nowMs = services.clock();
  return services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    const account = await findLiving(tx, orgId, id);
    const permissions = input.permissions ?? account.permissions;
    checkGrantable(account.keyType, permissions);
    refuseEscalation(principal, permissions);
    const ipAllowlist = input.ip_allowlist === undefined ? account.ipAllowlist : canonicalRanges(input.ip_allowlist);
    const changed = { name: input.name ?? account.name, permissions, ipAllowlist };
    if (JSON.stringify(contentOf(changed)) === JSON.stringify(contentOf(account))) return account;
    await refuseLosingControl(tx, orgId, () => updateServiceAccount(tx, orgId, id!, changed, nowMs));
    expire(account.id);
    record(
      changeEvent(orgId, 'service_account.updated', actorOf(principal, address), nowMs, {
        service_account_id: account.id,
        ...contentOf(changed),
        previous: contentOf(account),
      }),
    );
    return (await findServiceAccountById(tx, orgId, id!))!;
  });
}

/**
 * Deletes an account and revokes its keys, with their events. Again changes nothing. Throws `not_found`, and `conflict` when the organization
 * would lose its last admin key.
 */
export async function deleteServiceAccount(services: Services, call: Call, id: Buffer | null): Promise<ServiceAccount> {
  const { principal, address } = call;
  const orgId = principal.organization.uuid;
  const nowMs = services.clock();
  const actor = actorOf(principal, address);
  return services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    const account = id === null ? null : await findServiceAccountById(tx, orgId, id);
    if (account === null || id === null) throw notFound('service account');
    if (account.deletedAtMs !== null) return account;
    await refuseLosingControl(tx, orgId, async () => {
      for (const key of await listKeysOfAccount(tx, orgId, id))
        await revokeWithin(services, tx, orgId, parseId('key', key.id)!, actor, record, expire);
      await deleteServiceAccountById(tx, orgId, id, nowMs);
    });
    expire(account.id);
    record(changeEvent(orgId, 'service_account.deleted', actor, nowMs, { service_account_id: account.id, name: account.name }));
    return (await findServiceAccountById(tx, orgId, id))!;
  });
}

async function findLiving(tx: Transaction, orgId: Buffer, id: Buffer | null): Promise<ServiceAccount> {
  const account = id === null ? null : await findServiceAccountById(tx, orgId, id);
  if (account === null || account.deletedAtMs !== null) throw notFound('service account');
  return account;
}

/** Keys that manage the organization or write its policy are told by their prefix. */
function keyTypeOf(type: 'live' | 'test', permissions: readonly Scope[]): KeyType {
  const isAdmin = permissions.includes('admin:*') || permissions.includes('policy:write');
  return type === 'live' && isAdmin ? 'admin' : type;
}

function keyPlan({ name, keyType, permissions }: ServiceAccount, accountId: Buffer, id: Buffer, expiresAtMs: number | null) {
  return { id, name, type: keyType, description: null, permissions, serviceAccountId: accountId, expiresAtMs };
}

/** Ranges in canonical form, each once. Throws `invalid_request` with every fault. */
function canonicalRanges(ranges: readonly string[]): string[] {
  const parsed = ranges.map(parseCidr);
  const details = parsed.flatMap((cidr, i) => ('fault' in cidr ? [{ pointer: `/ip_allowlist/${i}`, message: cidr.fault }] : []));
  if (details.length > 0) throw new AppError('invalid_request', 'The request is not valid.', { details });
  return [...new Set(parsed.flatMap((cidr) => ('fault' in cidr ? [] : [cidr.text])))];
}

/** What of an account events tell. */
function contentOf({ name, permissions, ipAllowlist }: Pick<ServiceAccount, 'name' | 'permissions' | 'ipAllowlist'>) {
  return { name, permissions, ip_allowlist: ipAllowlist };
}

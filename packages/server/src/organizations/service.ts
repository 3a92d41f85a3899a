// Makes organizations. An operator's act, not part of the API.

import { DEFAULT_POLICY, policyDigest } from '@svc/engine';
import { KEY_SCOPES, KEY_TYPES, type KeyType } from '../access/scopes.ts';
import { makeKey } from '../api-keys/service.ts';
import { formatId, newUuid, uuidText } from '../ids.ts';
import { changeEvent, type Actor, type RecordEvent } from '../journal/journal.ts';
import { insertPolicyVersion } from '../policy/store.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { lockOrganization } from './organization.ts';
import type { Plan, PlanLimits } from './plans.ts';

/** What a new organization is handed: its keys in clear, this once. */
export interface NewOrganization {
  readonly id: string;
  readonly uuid: Buffer;
  readonly keys: Readonly<Record<KeyType, string>>;
}

type Makers = Pick<Services, 'journal' | 'peppers' | 'clock'>;

// Two nodes that start on an empty database at once must not both make the first organization.
const BOOTSTRAP_LOCK = 7_381_004;
/** Acts of the operator, and of the service itself. */
export const SYSTEM: Actor = { type: 'system', id: null, ip: null };

/** Makes an organization with the default policy and a key of each type, and records it. */
export async function createOrganization(services: Makers, name: string, plan: Plan): Promise<NewOrganization> {
  return services.journal.transaction((tx, record) => insertOrganization(services, tx, record, name, plan));
}

/** The first organization of an empty database; `null` when there is one already. */
export async function createFirstOrganization(services: Makers, name: string, plan: Plan): Promise<NewOrganization | null> {
  return services.journal.transaction(async (tx, record) => {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [BOOTSTRAP_LOCK]);
    const { rows } = await tx.query('SELECT 1 FROM organizations LIMIT 1');
    return rows.length > 0 ? null : insertOrganization(services, tx, record, name, plan);
  });
}

async function insertOrganization(
  services: Makers,
  tx: Transaction,
  record: RecordEvent,
  name: string,
  plan: Plan,
): Promise<NewOrganization> {
  const uuid = newUuid();
  const nowMs = services.clock();
  await tx.query('INSERT INTO organizations (id, name, plan, created_at) VALUES ($1, $2, $3, $4)', [
    uuidText(uuid),
    name,
    plan,
    new Date(nowMs),
  ]);
  await tx.query('INSERT INTO event_counters (org_id, last_sequence) VALUES ($1, 0)', [uuidText(uuid)]);
  await tx.query('INSERT INTO trees (org_id) VALUES ($1)', [uuidText(uuid)]);
  const digest = policyDigest(DEFAULT_POLICY);
  await insertPolicyVersion(tx, uuid, { version: 1, digest, document: DEFAULT_POLICY, createdAtMs: nowMs, createdBy: 'system' });
  record(changeEvent(uuid, 'organization.created', SYSTEM, nowMs, { name, plan }));
  record(changeEvent(uuid, 'policy.updated', SYSTEM, nowMs, { version: 1, digest, previous: null }));
  const keys = {} as Record<KeyType, string>;
  for (const type of KEY_TYPES) keys[type] = await makeOrganizationKey(services, tx, record, uuid, type, `First ${type} key`);
  return { id: formatId('org', uuid), uuid, keys };
}

/** A key of `type` with what it holds by default, made by the operator. */
function makeOrganizationKey(
  services: Makers,
  tx: Transaction,
  record: RecordEvent,
  orgId: Buffer,
  type: KeyType,
  name: string,
): Promise<string> {
  return makeKey(services, tx, record, orgId, SYSTEM, {
    id: newUuid(),
    name,
    type,
    description: null,
    permissions: KEY_SCOPES[type],
    serviceAccountId: null,
    expiresAtMs: null,
  });
}

/** Makes an admin key for who has lost the last one. `null`: there is no such organization. */
export async function mintAdminKey(services: Makers, orgId: Buffer, name: string): Promise<string | null> {
  return services.journal.transaction(async (tx, record) => {
    await lockOrganization(tx, orgId);
    if ((await findPlan(tx, orgId)) === null) return null;
    return makeOrganizationKey(services, tx, record, orgId, 'admin', name);
  });
}

/**
 * Sets the plan and numbers of its own over those of the plan (`null`: none), with its `organization.updated` event. It holds on every node within
 * a second. False: there is no such organization.
 */
export async function setPlan(services: Makers, orgId: Buffer, plan: Plan, limits: Partial<PlanLimits> | null): Promise<boolean> {
  return services.journal.transaction(async (tx, record, expire) => {
    await lockOrganization(tx, orgId);
    const previous = await findPlan(tx, orgId);
    if (previous === null) return false;
    const custom = limits === null ? null : JSON.stringify(limits);
    await tx.query('UPDATE organizations SET plan = $2, limits = $3 WHERE id = $1', [uuidText(orgId), plan, custom]);
    expire(formatId('org', orgId));
    record(changeEvent(orgId, 'organization.updated', SYSTEM, services.clock(), { plan, limits, previous }));
    return true;
  });
}

async function findPlan(tx: Transaction, orgId: Buffer): Promise<{ plan: Plan; limits: Partial<PlanLimits> | null } | null> {
  const { rows } = await tx.query<{ plan: Plan; limits: Partial<PlanLimits> | null }>(
    'SELECT plan, limits FROM organizations WHERE id = $1',
    [uuidText(orgId)],
  );
  return rows[0] ?? null;
}

// Makes organizations. An operator's act, not part of the API.

import { DEFAULT_POLICY, policyDigest } from '@svc/engine';
import { newKey } from '../access/key-format.ts';
import { KEY_SCOPES, KEY_TYPES, type KeyType } from '../access/scopes.ts';
import { insertApiKey } from '../access/store.ts';
import { formatId, newUuid, uuidText } from '../ids.ts';
import { changeEvent, type Actor } from '../journal/journal.ts';
import { insertPolicyVersion } from '../policy/store.ts';
import type { Services } from '../services.ts';
import type { Queryable, Transaction } from '../storage/database.ts';
import type { Plan } from './plans.ts';

/** What a new organization is handed: its keys in clear, this once. */
export interface NewOrganization {
  readonly id: string;
  readonly uuid: Buffer;
  readonly keys: Readonly<Record<KeyType, string>>;
}

type Makers = Pick<Services, 'journal' | 'authenticator' | 'pepperName' | 'clock'>;

// Two nodes that start on an empty database at once must not both make the first organization.
const BOOTSTRAP_LOCK = 7_381_004;
const SYSTEM: Actor = { type: 'system', id: null, ip: null };

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
  record: Parameters<Parameters<Services['journal']['transaction']>[0]>[1],
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
  const digest = policyDigest(DEFAULT_POLICY);
  await insertPolicyVersion(tx, uuid, { version: 1, digest, document: DEFAULT_POLICY, createdAtMs: nowMs, createdBy: 'system' });
  record(changeEvent(uuid, 'organization.created', SYSTEM, nowMs, { name, plan }));
  record(changeEvent(uuid, 'policy.updated', SYSTEM, nowMs, { version: 1, digest, previous: null }));
  const keys = {} as Record<KeyType, string>;
  for (const type of KEY_TYPES) {
    const id = newUuid();
    keys[type] = await insertFirstKey(services, tx, uuid, id, type, nowMs);
    record(
      changeEvent(uuid, 'api_key.created', SYSTEM, nowMs, {
        key_id: formatId('key', id),
        name: `First ${type} key`,
        type,
        permissions: KEY_SCOPES[type],
        expires_at: null,
      }),
    );
  }
  return { id: formatId('org', uuid), uuid, keys };
}

async function insertFirstKey(
  services: Makers,
  tx: Queryable,
  orgId: Buffer,
  id: Buffer,
  type: KeyType,
  nowMs: number,
): Promise<string> {
  const key = newKey(type);
  await insertApiKey(tx, {
    orgId,
    id,
    name: `First ${type} key`,
    type,
    description: null,
    permissions: KEY_SCOPES[type],
    pepper: services.pepperName,
    digest: services.authenticator.digest(key),
    last4: key.slice(-4),
    createdAtMs: nowMs,
    expiresAtMs: null,
  });
  return key;
}

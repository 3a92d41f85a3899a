// Rotations of what the whole installation shares.

import { PEPPER_SUBJECT } from '../access/peppers.ts';
import { rotateTrailKeys, TRAIL_KEYS_SUBJECT, vkeyOf } from '../audit/keys.ts';
import { listLogs } from '../audit/log-store.ts';
import { findDeployment, lockDeployment, originOf, type Deployment } from '../audit/origin.ts';
import { declareRestoredByHand } from '../audit/restored.ts';
import { changeEvent, type Actor } from '../journal/journal.ts';
import { rotateSigningKeys, SIGNING_KEYS_SUBJECT } from '../sessions/signing-keys.ts';
import type { Queryable } from '../storage/database.ts';
import { CommandError } from './faults.ts';
import type { Operator } from './operator.ts';
import { hasOrganizations, replacePepper } from './store.ts';

/** Makes a new key sign session tokens; `areCompromised`: the old ones verify nothing any more. Returns the new key's id. */
export function rotateSigningKey({ journal, vault }: Operator, areCompromised: boolean): Promise<string> {
  return journal.transaction(async (tx, _record, expire) => {
    await refuseEmptyDatabase(tx);
    expire(SIGNING_KEYS_SUBJECT);
    return rotateSigningKeys(tx, vault, areCompromised);
  });
}

/**
 * Makes the next pepper that of new keys. Nodes forget the credentials they remember, so that each key is read, and then stored under the new
 * pepper, when it is next used. Returns the pepper's name.
 */
export function rotatePepper({ journal, peppers }: Operator): Promise<string> {
  const { current, next } = peppers;
  return journal.transaction(async (tx, _record, expire) => {
    await refuseEmptyDatabase(tx);
    if (!(await replacePepper(tx, current, next)))
      throw new CommandError(`Another command rotated ${current} in this moment. Nothing more was changed.`);
    expire(PEPPER_SUBJECT);
    return next;
  });
}

const SYSTEM: Actor = { type: 'system', id: null, ip: null };

/** What signs the logs from now on. */
export interface RotatedTrailKey {
  readonly id: string;
  readonly oldIds: readonly string[];
}

/**
 * Makes a new key sign the checkpoints of all logs, and tells each organization by `audit.key_rotated` in its trail. The old ones sign too for the time of
 * overlap; when they are compromised, nothing is signed by them once this has returned.
 */
export function rotateTrailKey({ journal, vault, clock }: Operator, areCompromised: boolean): Promise<RotatedTrailKey> {
  return journal.transaction(async (tx, record, expire) => {
    await refuseEmptyDatabase(tx);
    await lockDeployment(tx);
    const deployment = await findDeployment(tx);
    if (deployment === null) throw unnamed();
    const { newKey, oldKeys } = await rotateTrailKeys(tx, vault, areCompromised);
    for (const orgId of await listLogs(tx)) {
      const origin = originOf(deployment, orgId);
      const old = oldKeys.map(({ publicKey }) => vkeyOf(origin, publicKey));
      const data = { old, new: vkeyOf(origin, newKey.publicKey), compromised: areCompromised };
      record(changeEvent(orgId, 'audit.key_rotated', SYSTEM, clock(), data));
    }
    expire(TRAIL_KEYS_SUBJECT);
    return { id: newKey.id, oldIds: oldKeys.map(({ id }) => id) };
  });
}

/** Says that a backup was restored: all logs go on under a new origin. Returns the deployment with it. */
export async function declareRestoredBackup(operator: Operator): Promise<Deployment> {
  await refuseEmptyDatabase(operator.db);
  const deployment = await declareRestoredByHand(operator);
  if (deployment === null) throw unnamed();
  return deployment;
}

function unnamed(): CommandError {
  return new CommandError('No service was started on this database yet, so its logs have no name. Start the service first.');
}

/** A rotation of a database that nobody uses, because a setting is missing, would only look as if all were safe again. */
async function refuseEmptyDatabase(db: Queryable): Promise<void> {
  if (await hasOrganizations(db)) return;
  throw new CommandError(
    'There is no organization in this database, so nothing was rotated. Are SVC_DATA_DIR and SVC_DATABASE_URL those of the service?',
  );
}

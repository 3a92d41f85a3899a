// Rotations of what the whole installation shares.

import { PEPPER_SUBJECT } from '../access/peppers.ts';
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

/** A rotation of a database that nobody uses, because a setting is missing, would only look as if all were safe again. */
async function refuseEmptyDatabase(db: Queryable): Promise<void> {
  if (await hasOrganizations(db)) return;
  throw new CommandError(
    'There is no organization in this database, so nothing was rotated. Are SVC_DATA_DIR and SVC_DATABASE_URL those of the service?',
  );
}

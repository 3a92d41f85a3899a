// The master key and what is derived from it.

import { createHmac, hkdfSync, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../storage/database.ts';

/** The master key cannot be used with this database. The message says what to do. */
export class MasterKeyError extends Error {}

/** The configured key, else the one in `<dataDir>/master.key`, which the first start makes (mode 0600). */
export async function loadMasterKey(configured: Buffer | null, dataDir: string): Promise<Buffer> {
  if (configured !== null) return configured;
  const path = join(dataDir, 'master.key');
  try {
    const key = Buffer.from((await readFile(path, 'utf8')).trim(), 'base64');
    if (key.length !== 32)
      throw new MasterKeyError(`${path} does not hold the base64 form of 32 bytes. Restore it from a backup.`);
    return key;
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT')) throw err;
  }
  const key = randomBytes(32);
  // wx: of two first starts on one folder only one makes the key, the other fails and is started again.
  await writeFile(path, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  return key;
}

/** Refuses to go on with another master key than the one this database was first used with. */
export async function checkMasterKey(db: Database, master: Buffer): Promise<void> {
  const check = createHmac('sha256', master).update('svc master key check').digest();
  const { rows } = await db.query<{ master_key_check: Buffer }>(
    `INSERT INTO instance (id, master_key_check) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET id = instance.id RETURNING master_key_check`,
    [check],
  );
  if (rows[0]!.master_key_check.equals(check)) return;
  throw new MasterKeyError(
    'This database was first used with another master key. Set SVC_MASTER_KEY to that key, or restore master.key in the data folder.',
  );
}

/** 32 bytes for one purpose (RFC 5869). Different purposes give independent keys. */
export function deriveKey(master: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `svc ${purpose}`, 32));
}

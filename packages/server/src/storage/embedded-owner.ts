// Ownership of a data folder: one svc at a time, known by an advisory lock that dies with its connection.

import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';
import { SecondInstanceError } from './embedded-error.ts';
import { isAlive } from './embedded-process.ts';

/** Any pair that is ours alone in the database `postgres`, which holds nothing else. */
const OWNER_LOCK = [7_381, 2] as const;

/** The server notices the end of a killed process within milliseconds, a large one within a second. */
const RELEASE_MS_MAX = 2_000;
const POLL_MS = 25;

/**
 * Takes the folder for this process, for as long as the connection lives. Throws `SecondInstanceError` when a living svc has it;
 * one that has just died is waited for.
 */
export async function takeOwnership(admin: Client, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + RELEASE_MS_MAX;
  while (!(await tryLock(admin))) {
    const owner = await ownerOf(admin);
    // In containers the dead owner and we may both be number 1: then only time tells.
    const isDying = owner === undefined || owner === process.pid || !(await isAlive(owner));
    if (!isDying || performance.now() > giveUpAt) throw secondInstance(dataDir, owner);
    await delay(POLL_MS);
  }
}

async function tryLock(admin: Client): Promise<boolean> {
  const { rows } = await admin.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1, $2) AS taken', [...OWNER_LOCK]);
  return rows[0]!.taken;
}

/** The process number in the owner's application name; `undefined` when it let go in this moment. */
async function ownerOf(admin: Client): Promise<number | undefined> {
  const { rows } = await admin.query<{ application_name: string }>(
    `SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
     WHERE locktype = 'advisory' AND classid = $1 AND objid = $2 AND granted`,
    [...OWNER_LOCK],
  );
  return Number(/\d+$/.exec(rows[0]?.application_name ?? '')?.[0]) || undefined;
}

function secondInstance(dataDir: string, owner: number | undefined): SecondInstanceError {
  const who = owner === undefined ? '' : ` (pid ${owner})`;
  return new SecondInstanceError(`Another svc is running on ${dataDir}${who}. Stop it, or set SVC_DATA_DIR to another folder.`);
}

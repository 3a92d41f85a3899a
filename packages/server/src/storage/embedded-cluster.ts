// Makes the database files of a first start, whole or not at all.

import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Binaries } from './embedded-binaries.ts';
import { codeOf, diagnose, EmbeddedPostgresError, explainFileError } from './embedded-error.ts';
import { hasCluster } from './embedded-folder.ts';
import type { EmbeddedFolder } from './embedded-folder.ts';
import { explainSpawnError, giveTo, isAlive, runToEnd } from './embedded-process.ts';
import type { RunAs } from './embedded-process.ts';

/** The role that owns the server. svc itself works as a role that is no superuser. */
export const ADMIN_USER = 'postgres';

const DRAFT = 'postgres.new-';

/**
 * Runs initdb beside the final place and renames, so that an interrupted first start leaves nothing half made. Does nothing when
 * the files exist. Safe when two processes do it at once: one of them wins.
 */
export async function ensureCluster(folder: EmbeddedFolder, binaries: Binaries, runAs: RunAs): Promise<void> {
  if (hasCluster(folder)) return;
  await refuseStrangeFiles(folder);
  await removeAbandonedDrafts(folder);
  const draft = join(folder.dataDir, DRAFT + process.pid);
  try {
    await mkdir(draft, { mode: 0o700 });
    await giveTo(runAs, draft);
    await giveTo(runAs, folder.passwordFile);
    await initialise(draft, folder, binaries, runAs);
    await rename(draft, folder.pgData);
  } catch (err) {
    await rm(draft, { recursive: true, force: true });
    if (!isLostRace(err, folder)) throw explainFileError(err, folder.dataDir);
  }
}

async function initialise(draft: string, folder: EmbeddedFolder, binaries: Binaries, runAs: RunAs): Promise<void> {
  const args = [
    `--pgdata=${draft}`,
    `--username=${ADMIN_USER}`,
    `--pwfile=${folder.passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // PostgreSQL's own collation: the same order on every system, and indexes survive an update of the C library.
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
  ];
  const { code, output } = await runToEnd(runAs, binaries.initdb, args, draft).catch((err: unknown) => {
    throw err instanceof EmbeddedPostgresError ? err : explainSpawnError(err as Error, binaries.initdb);
  });
  if (code !== 0) throw new EmbeddedPostgresError(diagnose(output, folder.dataDir).sentence);
}

function isLostRace(err: unknown, folder: EmbeddedFolder): boolean {
  return ['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(codeOf(err) ?? '') && hasCluster(folder);
}

async function refuseStrangeFiles(folder: EmbeddedFolder): Promise<void> {
  if (!existsSync(folder.pgData) || (await readdir(folder.pgData)).length === 0) return;
  throw new EmbeddedPostgresError(
    `${folder.pgData} holds files but no PostgreSQL database. Move them away, or set SVC_DATA_DIR to another folder.`,
  );
}

async function removeAbandonedDrafts(folder: EmbeddedFolder): Promise<void> {
  for (const name of await readdir(folder.dataDir)) {
    if (!name.startsWith(DRAFT)) continue;
    const maker = Number(name.slice(DRAFT.length));
    if (maker !== process.pid && (await isAlive(maker))) continue;
    await rm(join(folder.dataDir, name), { recursive: true, force: true });
  }
}

// The data folder of the embedded database: who owns it, its password, its port, its log.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, link, mkdir, open, readFile, realpath, rm, stat, truncate, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { codeOf, EmbeddedPostgresError, explainFileError } from './embedded-error.ts';

/** The log is cut to nothing beyond this size: about 60 000 lines, more than anyone reads back. */
const LOG_BYTES_MAX = 10 * 1024 * 1024;

/** Ports are taken from below the range systems give to outgoing connections (32768 and up), which would collide now and then. */
const PORT_MIN = 20_000;
const PORT_MAX = 29_999;
const PORT_ATTEMPTS_MAX = 50;

/** Absolute paths inside the data folder. */
export interface EmbeddedFolder {
  readonly dataDir: string;
  readonly pgData: string;
  readonly logFile: string;
  readonly passwordFile: string;
  readonly portFile: string;
}

/** Makes the folder (0700) when it is missing. Throws `EmbeddedPostgresError` when this user cannot own a database in it. */
export async function openFolder(path: string): Promise<EmbeddedFolder> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (err) {
    throw explainFileError(err, path);
  }
  const dataDir = await realpath(path);
  const folder = {
    dataDir,
    pgData: join(dataDir, 'postgres'),
    logFile: join(dataDir, 'postgres.log'),
    passwordFile: join(dataDir, 'postgres.password'),
    portFile: join(dataDir, 'postgres.port'),
  };
  await refuseForeignOwner(folder);
  await tighten(folder.pgData, 0o700);
  await tighten(folder.passwordFile, 0o600);
  return folder;
}

/** PostgreSQL refuses data of another owner. Typical: first started as root, later as an ordinary user. */
async function refuseForeignOwner(folder: EmbeddedFolder): Promise<void> {
  const uid = process.getuid?.();
  if (uid === undefined || uid === 0 || !existsSync(folder.pgData)) return;
  const owner = (await stat(folder.pgData)).uid;
  if (owner === uid) return;
  throw new EmbeddedPostgresError(
    `${folder.pgData} belongs to user ${owner === 0 ? 'root' : owner}, but svc runs as user ${uid}. ` +
      `Run svc as before, or give the folder over: sudo chown -R ${uid} ${folder.dataDir}`,
  );
}

/** Backups restored by copying, and volumes with a group, come with rights for others, which PostgreSQL refuses. */
async function tighten(path: string, mode: number): Promise<void> {
  if (existsSync(path) && ((await stat(path)).mode & 0o077) !== 0) await chmod(path, mode);
}

/** Whether initdb has finished in this folder. It is made beside and renamed, so there is no half of it. */
export function hasCluster(folder: EmbeddedFolder): boolean {
  return existsSync(join(folder.pgData, 'PG_VERSION'));
}

/** Reads the password of the database, or makes one (32 random bytes, base64url, file 0600) when there is no database yet. */
export async function readOrMakePassword(folder: EmbeddedFolder): Promise<string> {
  const known = await readWord(folder.passwordFile);
  if (known !== undefined) return known;
  if (hasCluster(folder)) {
    throw new EmbeddedPostgresError(
      `${folder.passwordFile} is missing or empty, and the database in ${folder.pgData} cannot be opened without it. Restore the file from a backup.`,
    );
  }
  await makePassword(folder.passwordFile).catch((err: unknown) => {
    throw explainFileError(err, folder.dataDir);
  });
  return (await readWord(folder.passwordFile))!;
}

/** A hard link appears whole or not at all, so two first starts at once end up with the same password. */
async function makePassword(path: string): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  try {
    await link(draft, path);
  } catch (err) {
    if (codeOf(err) !== 'EEXIST') throw err;
  } finally {
    await rm(draft, { force: true });
  }
}

async function readWord(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim() || undefined;
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return undefined;
    throw explainFileError(err, path);
  }
}

/** The port of the last start when it is free on 127.0.0.1, else another free one. */
export async function choosePort(folder: EmbeddedFolder, log: (message: string) => void): Promise<number> {
  const remembered = Number((await readWord(folder.portFile)) ?? Number.NaN);
  if (Number.isInteger(remembered) && remembered > 1023 && remembered < 65_536) {
    if (await isPortFree(remembered)) return remembered;
    log(`Port ${remembered} of the embedded database is taken by another program; using another one.`);
  }
  for (let attempt = 0; attempt < PORT_ATTEMPTS_MAX; attempt++) {
    const port = PORT_MIN + Math.floor(Math.random() * (PORT_MAX - PORT_MIN + 1));
    if (await isPortFree(port)) return port;
  }
  throw new EmbeddedPostgresError(`No free port between ${PORT_MIN} and ${PORT_MAX} on 127.0.0.1 for the embedded database.`);
}

/** Keeps the port for the next start, so that a person's notes and tools stay right. */
export async function rememberPort(folder: EmbeddedFolder, port: number): Promise<void> {
  if ((await readWord(folder.portFile)) === String(port)) return;
  await writeFile(folder.portFile, `${port}\n`, { mode: 0o600 });
}

/** Whether a server could listen on this port of 127.0.0.1 now. */
function isPortFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Opens the log for appending. The caller closes it. */
export async function openLog(folder: EmbeddedFolder): Promise<FileHandle> {
  await boundLog(folder);
  return open(folder.logFile, 'a', 0o600).catch((err: unknown) => {
    throw explainFileError(err, folder.logFile);
  });
}

/** Empties the log when it has grown beyond its bound. Safe while the server writes, because it appends. */
export async function boundLog(folder: EmbeddedFolder): Promise<void> {
  const size = await stat(folder.logFile).then(
    (file) => file.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await truncate(folder.logFile, 0);
}

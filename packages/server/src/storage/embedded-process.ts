// Runs PostgreSQL's programs as the right user, and tells living processes from dead ones.

import { execFile, spawn } from 'node:child_process';
import type { ChildProcess, StdioOptions } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, chown, readdir, readFile, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Binaries } from './embedded-binaries.ts';
import { codeOf, EmbeddedPostgresError, OWN_SERVER } from './embedded-error.ts';
import type { EmbeddedFolder } from './embedded-folder.ts';

const execFileAsync = promisify(execFile);

const ROOT = { uid: 0, gid: 0 } as const;

/** The user and group "nobody" of Linux. */
const NOBODY = { uid: 65_534, gid: 65_534 } as const;

/** Maps our own user to nobody in a namespace of its own: PostgreSQL sees no root, and no files change hands. */
const UNSHARE = ['unshare', '--user', `--map-user=${NOBODY.uid}`, `--map-group=${NOBODY.gid}`, '--'] as const;

const PROBE_TIMEOUT_MS = 5_000;
const OUTPUT_BYTES_MAX = 64 * 1024;

/** How to run PostgreSQL, which refuses to run as root. */
export type RunAs =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace' }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

/**
 * Chooses how to run PostgreSQL. An ordinary user runs it directly. As root: data of another user is served as that user; data of root in a user namespace, or as
 * nobody where the system has none. Throws `EmbeddedPostgresError` when that user cannot reach the data folder or the programs.
 */
export async function chooseRunAs(folder: EmbeddedFolder, binaries: Binaries): Promise<RunAs> {
  if (process.getuid?.() !== 0) return { kind: hasName() || !(await canMapUsers()) ? 'self' : 'namespace' };
  const { uid, gid } = await stat(existsSync(folder.pgData) ? folder.pgData : folder.dataDir);
  // In its namespace root is an ordinary user: it passes only where root's own rights let it.
  const isRootsOwn = uid === ROOT.uid && (await closedFolderOnWay(ROOT, folder, binaries)) === undefined;
  if (isRootsOwn && (await canMapUsers())) return { kind: 'namespace' };
  const user = uid === ROOT.uid ? NOBODY : { uid, gid };
  await openWayFor(user, folder, binaries);
  if (uid === ROOT.uid && existsSync(folder.pgData)) await chownTree(folder.pgData, user);
  return { kind: 'user', ...user };
}

/** Containers often run under a number that /etc/passwd does not know. initdb insists on a name, and nobody has one. */
function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** Some kernels, containers and older util-linux refuse it: only trying tells. About 3 ms. */
async function canMapUsers(): Promise<boolean> {
  const [command, ...args] = UNSHARE;
  return execFileAsync(command, [...args, 'true'], { timeout: PROBE_TIMEOUT_MS }).then(
    () => true,
    () => false,
  );
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** Lets `user` pass through the data folder (others may pass, not list), and checks the folders above it and above the programs. */
async function openWayFor(user: User, folder: EmbeddedFolder, binaries: Binaries): Promise<void> {
  const closed = await closedFolderOnWay(user, folder, binaries);
  if (closed !== undefined) {
    throw new EmbeddedPostgresError(
      `PostgreSQL does not run as root, this system offers no user namespaces, and user ${user.uid} may not enter ${closed}. ` +
        `Run svc as an ordinary user, move it out of ${closed}, or ${OWN_SERVER}.`,
    );
  }
  if (!(await mayEnter(user, folder.dataDir))) await chmod(folder.dataDir, ((await stat(folder.dataDir)).mode & 0o777) | 0o001);
}

async function closedFolderOnWay(user: User, folder: EmbeddedFolder, binaries: Binaries): Promise<string | undefined> {
  return (await closedFolder(user, dirname(folder.dataDir))) ?? closedFolder(user, dirname(binaries.postgres));
}

/** The nearest folder on the way down to `path` that `user` may not pass. */
async function closedFolder(user: User, path: string): Promise<string | undefined> {
  if (!(await mayEnter(user, path))) return path;
  const parent = dirname(path);
  return parent === path ? undefined : closedFolder(user, parent);
}

async function mayEnter(user: User, path: string): Promise<boolean> {
  const { uid, gid, mode } = await stat(path);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}

async function chownTree(path: string, user: User): Promise<void> {
  await chown(path, user.uid, user.gid);
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await chownTree(child, user);
    else if (!entry.isSymbolicLink()) await chown(child, user.uid, user.gid);
  }
}

/** Gives a file or an empty folder to the user PostgreSQL runs as, so that it can be read there. */
export async function giveTo(runAs: RunAs, path: string): Promise<void> {
  if (runAs.kind === 'user') await chown(path, runAs.uid, runAs.gid);
}

/** Starts a program in a session of its own, so that a terminal's Ctrl-C does not reach it. */
export function spawnAs(runAs: RunAs, command: string, args: readonly string[], cwd: string, stdio: StdioOptions): ChildProcess {
  const words = runAs.kind === 'namespace' ? [...UNSHARE, command, ...args] : [command, ...args];
  return spawn(words[0]!, words.slice(1), {
    cwd,
    stdio,
    detached: true,
    windowsHide: true,
    env: plainEnvironment(),
    ...(runAs.kind === 'user' && { uid: runAs.uid, gid: runAs.gid }),
  });
}

/** PG* variables would change what the programs do, and svc's secrets are none of their business. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'ComSpec', 'USERPROFILE', 'APPDATA'];
  // oxlint-disable-next-line node/no-process-env -- handed on to another program, not read as a setting
  const ours = process.env;
  return Object.fromEntries([['LC_ALL', 'C'], ...kept.filter((name) => name in ours).map((name) => [name, ours[name]])]);
}

/** Runs a program to its end. Returns its exit code (-1 when a signal ended it) and what it printed, at most 64 kB. */
export async function runToEnd(
  runAs: RunAs,
  command: string,
  args: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const child = spawnAs(runAs, command, args, cwd, ['ignore', 'pipe', 'pipe']);
  let output = '';
  const collect = (chunk: Buffer) => {
    if (output.length < OUTPUT_BYTES_MAX) output += chunk.toString();
  };
  child.stdout!.on('data', collect);
  child.stderr!.on('data', collect);
  return new Promise((resolve, reject) => {
    child.once('error', (err) => reject(explainSpawnError(err, command)));
    child.once('close', (code) => resolve({ code: code ?? -1, output }));
  });
}

/** A program that is there but "not found" lacks its loader: a system built on musl, such as Alpine. */
export function explainSpawnError(err: Error, command: string): Error {
  if (codeOf(err) === 'ENOENT') {
    return new EmbeddedPostgresError(
      `${command} does not run here. It needs a system with glibc (Alpine has none): ${OWN_SERVER}.`,
      { cause: err },
    );
  }
  return new EmbeddedPostgresError(`${command} could not be started (${err.message}). Check its permissions, or ${OWN_SERVER}.`, {
    cause: err,
  });
}

/** Whether a process runs. A zombie does not: it holds nothing any more, though signals still find it. */
export async function isAlive(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (err) {
    return codeOf(err) === 'EPERM';
  }
  if (process.platform !== 'linux') return true;
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return !/\) [ZX]/.test(status.slice(status.lastIndexOf(')')));
}

/** Whether `pid` is a PostgreSQL server on this data: numbers are reused, and then name something else. */
export async function isPostmaster(pid: number, pgData: string): Promise<boolean> {
  if (pid <= 0 || pid === process.pid || !(await isAlive(pid))) return false;
  if (process.platform === 'win32') return true;
  if (process.platform !== 'linux') return (await processName(pid)).includes('postgres');
  try {
    // A server's working directory is its data. Compared by inode, because a copied folder brings its old pid file along.
    return await isSameFile(`/proc/${pid}/cwd`, pgData);
  } catch (err) {
    if (codeOf(err) !== 'EACCES' && codeOf(err) !== 'EPERM') return false;
    return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')).trim() === 'postgres';
  }
}

/** Whether two paths name the same file or folder. Throws when either is missing. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([stat(one), stat(other)]);
  return a.dev === b.dev && a.ino === b.ino;
}

async function processName(pid: number): Promise<string> {
  return execFileAsync('ps', ['-o', 'comm=', '-p', String(pid)], { timeout: PROBE_TIMEOUT_MS }).then(
    ({ stdout }) => stdout,
    () => '',
  );
}

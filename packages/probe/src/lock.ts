// One process for each data folder: two would send each other's decisions, and cut each other's files.
//
// On Linux a name that the kernel gives to one process alone, and takes back when it ends, decides. A mark in the folder tells who it is, and keeps
// away those whom the kernel does not see: other containers, and other machines that share the folder.

import { randomUUID } from 'node:crypto';
import { link, readFile, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { codeOf, StartError } from './errors.ts';

/** Who holds a folder. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the system counts it; `null` where it does not say. Numbers of processes are given again. */
  readonly startedAt: string | null;
  readonly token: string;
}

const RENEW_MS = 3_000;
/** On another host nobody can ask whether a process lives: one that has not renewed its mark for so long is taken for dead. */
const LEASE_MS = 15_000;
const ATTEMPTS_MAX = 5;

export interface FolderLock {
  release(): Promise<void>;
}

/** Takes `folder` for this process. Throws `StartError` when another one has it. */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const path = join(folder, 'lock');
  const name = await takeName(folder, path);
  try {
    return await takeMark(folder, path, name);
  } catch (err) {
    name?.close();
    throw err;
  }
}

async function takeMark(folder: string, path: string, name: Server | null): Promise<FolderLock> {
  const own: Holder = { pid: process.pid, host: hostname(), startedAt: await startOf(process.pid), token: randomUUID() };
  const draft = `${path}.${own.token}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    await take(path, draft, folder);
  } finally {
    await unlink(draft);
  }
  const renewal = setInterval(() => void touch(path), RENEW_MS);
  renewal.unref();
  return {
    async release() {
      clearInterval(renewal);
      if ((await readHolder(path))?.token === own.token) await unlink(path);
      name?.close();
    },
  };
}

/** Takes the folder's name among the abstract sockets of Linux, which are in no folder and leave nothing behind (unix(7)). `null`: another system. */
async function takeName(folder: string, path: string): Promise<Server | null> {
  if (process.platform !== 'linux') return null;
  const { dev, ino } = await stat(folder, { bigint: true });
  const server = createServer((socket) => void socket.destroy());
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(`\0svc-probe-${dev}-${ino}`, resolve);
    });
  } catch (err) {
    if (codeOf(err) === 'EADDRINUSE') throw inUse(folder, await readHolder(path));
    throw err;
  }
  return server.unref();
}

async function take(path: string, draft: string, folder: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    // A link is made by one process alone, and with its content.
    if (await tryLink(draft, path)) return;
    const holder = await readHolder(path);
    if (holder !== null && (await isAlive(path, holder))) throw inUse(folder, holder);
    await removeStale(path, `${draft}.stale`, holder);
  }
  throw inUse(folder, null);
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (err) {
    if (codeOf(err) === 'EEXIST') return false;
    throw err;
  }
}

/** Takes the mark of a dead process away. Should another process have taken the folder since, it gets its mark back. */
async function removeStale(path: string, aside: string, dead: Holder | null): Promise<void> {
  try {
    await rename(path, aside);
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return;
    throw err;
  }
  if ((await readHolder(aside))?.token !== dead?.token) await tryLink(aside, path);
  await unlink(aside);
}

/** `null`: there is none, or it cannot be read, which is what a crash while it was written leaves. */
async function readHolder(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null;
  }
}

async function isAlive(path: string, { pid, host, startedAt }: Holder): Promise<boolean> {
  if (host !== hostname()) return Date.now() - (await renewedAt(path)) < LEASE_MS;
  try {
    process.kill(pid, 0);
  } catch (err) {
    return codeOf(err) === 'EPERM';
  }
  return startedAt === (await startOf(pid));
}

async function renewedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}

/** Field 22 of the process's line, after its name in parentheses, and which start of the machine that counts from. */
async function startOf(pid: number): Promise<string | null> {
  try {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8');
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${boot.trim()} ${line.slice(line.lastIndexOf(')') + 2).split(' ')[19]}`;
  } catch {
    return null;
  }
}

async function touch(path: string): Promise<void> {
  const now = new Date();
  await utimes(path, now, now).catch(() => {});
}

function inUse(folder: string, holder: Holder | null): StartError {
  const who = holder === null ? '' : ` (pid ${holder.pid} on ${holder.host})`;
  return new StartError(`Another probe is running on ${folder}${who}. Stop it, or set SVC_PROBE_DATA_DIR to another folder.`);
}

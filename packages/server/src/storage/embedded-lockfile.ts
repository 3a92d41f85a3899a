// The files by which a PostgreSQL server marks its data as in use.

import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from './embedded-error.ts';

/** What a server wrote into `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number;
  /** `undefined` until the server has got so far. */
  readonly port: number | undefined;
  /** The folder of its Unix socket, or `undefined`. */
  readonly socketDir: string | undefined;
  readonly isReady: boolean;
}

/** Reads `postmaster.pid`; `undefined` when there is none. An empty one (the disk was full) has pid 0. */
export async function readPostmasterFile(pgData: string): Promise<PostmasterFile | undefined> {
  const text = await readFile(join(pgData, 'postmaster.pid'), 'utf8').catch((err: unknown) => {
    if (codeOf(err) === 'ENOENT') return undefined;
    throw err;
  });
  if (text === undefined) return undefined;
  // pid, data directory, start time, port, socket directory, address, shared memory key, status
  const lines = text.split('\n');
  return {
    pid: Math.abs(Number.parseInt(lines[0] ?? '', 10)) || 0,
    port: Number.parseInt(lines[3] ?? '', 10) || undefined,
    socketDir: lines[4] || undefined,
    isReady: lines[7]?.trim() === 'ready',
  };
}

/**
 * Lets the next server start although a dead one, `stalePid`, left its marks. PostgreSQL believes a mark as long as any process
 * has that number; it disbelieves one that names its own parent, so we write our own pid there. Deleting the file instead would
 * also delete the shared memory key in it, by which PostgreSQL finds children of the dead server that still write.
 */
export async function disownLockFiles(pgData: string, stalePid: number): Promise<void> {
  const names = (await readdir(pgData)).filter((name) => name === 'postmaster.pid' || /^\.s\.PGSQL\.\d+\.lock$/.test(name));
  for (const name of names) await replacePid(join(pgData, name), stalePid);
}

/**
 * Checks and writes through one file handle. Should another process start a server meanwhile, that server unlinks this file and
 * makes its own, and what is written here reaches nobody.
 */
async function replacePid(path: string, stalePid: number): Promise<void> {
  const file = await open(path, 'r+').catch((err: unknown) => {
    if (codeOf(err) === 'ENOENT') return undefined;
    throw err;
  });
  if (file === undefined) return;
  try {
    const [first = '', ...rest] = (await file.readFile('utf8')).split('\n');
    if ((Math.abs(Number.parseInt(first, 10)) || 0) !== stalePid) return;
    const text = Buffer.from([process.pid, ...(rest.length > 0 ? rest : [''])].join('\n'));
    await file.write(text, 0, text.length, 0);
    await file.truncate(text.length);
  } finally {
    await file.close();
  }
}

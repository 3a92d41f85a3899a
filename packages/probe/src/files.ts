// Small files that are replaced as a whole: after a crash there is the old one or the new one, never half of either.

import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './errors.ts';

/** Writes `text` to `path`, flushed, or leaves what is there. Mode 0600. Not to be called twice at a time for one path. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Makes names in a folder durable: a rename is a change to the folder. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its renames are durable by themselves.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** The text of a file, or `null` where there is none. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (err) {
    if (codeOf(err) === 'ENOENT') return null;
    throw err;
  }
}

/// <reference types="node" />
// What only a platform with files has.

import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import type { CheckpointStore } from './checkpoints.ts';

/**
 * Keeps a checkpoint memory in a file of its owner alone (mode 0600), replaced as a whole: a crash leaves the old text or the new one. Several
 * processes may share it, one check at a time.
 */
export class FileStore implements CheckpointStore {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  async load(): Promise<string | null> {
    try {
      return await readFile(this.#path, 'utf8');
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw err;
    }
  }

  async save(text: string): Promise<void> {
    // Beside it: a file is moved in one piece only within its file system.
    const next = `${this.#path}.${randomUUID()}.tmp`;
    try {
      const file = await open(next, 'wx', 0o600);
      try {
        await file.writeFile(text);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(next, this.#path);
    } catch (err) {
      await rm(next, { force: true });
      throw err;
    }
  }
}

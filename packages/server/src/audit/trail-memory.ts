// What this node signed last, in a file of its own beside the database: by it a database that was set back to a backup is known.

import { readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { formatId, parseId, uuidText } from '../ids.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Deployment } from './origin.ts';

/** A log as it was signed. */
export interface SignedLog {
  readonly epoch: number;
  readonly size: number;
  readonly root: Buffer;
}

const FILE = 'trail-memory.json';
const WRITE_INTERVAL_MS = 1_000;
// Some 130 kB. Of a database that was set back the logs that were signed last are set back most.
const LOGS_MAX = 1_000;

export class TrailMemory {
  readonly #path: string;
  readonly #deploymentId: string;
  readonly #log: Logger;
  /** By the organization's id in hex; the one signed last comes last. */
  readonly #logs = new Map<string, SignedLog>();
  #timer: NodeJS.Timeout | null = null;
  #writing: Promise<void> = Promise.resolve();

  private constructor(dataDir: string, deployment: Deployment, log: Logger) {
    this.#path = join(dataDir, FILE);
    this.#deploymentId = uuidText(deployment.id);
    this.#log = log;
  }

  /** As the file has it; empty where it is of another deployment, or cannot be read. */
  static async open(dataDir: string, deployment: Deployment, log: Logger): Promise<TrailMemory> {
    const memory = new TrailMemory(dataDir, deployment, log);
    await memory.#read();
    return memory;
  }

  get logs(): ReadonlyMap<string, SignedLog> {
    return this.#logs;
  }

  find(orgId: Buffer): SignedLog | undefined {
    return this.#logs.get(orgId.toString('hex'));
  }

  /** To be called once it is committed. Written within a second. */
  remember(orgId: Buffer, signed: SignedLog): void {
    const key = orgId.toString('hex');
    this.#logs.delete(key);
    this.#logs.set(key, signed);
    if (this.#logs.size > LOGS_MAX) this.#logs.delete(this.#logs.keys().next().value!);
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_INTERVAL_MS).unref();
  }

  /** Writes now what is not written yet. */
  async flush(): Promise<void> {
    if (this.#timer !== null) {
      clearTimeout(this.#timer);
      this.#timer = null;
      this.#writing = this.#writing.then(() => this.#write());
    }
    await this.#writing;
  }

  async #write(): Promise<void> {
    const logs = Object.fromEntries(
      Array.from(this.#logs, ([hex, { epoch, size, root }]) => [
        formatId('org', Buffer.from(hex, 'hex')),
        { epoch, size, root: root.toString('base64') },
      ]),
    );
    // Two nodes may share the folder.
    const draft = `${this.#path}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, `${JSON.stringify({ deployment: this.#deploymentId, logs })}\n`, { mode: 0o600 });
      await rename(draft, this.#path);
    } catch (err) {
      await unlink(draft).catch(() => {});
      this.#log.warn({ err }, 'what was signed last could not be written to the data folder');
    }
  }

  async #read(): Promise<void> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (err) {
      if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT'))
        this.#log.warn({ err }, 'what was signed last could not be read from the data folder');
      return;
    }
    const { deployment, logs } = parsed(text);
    if (deployment !== this.#deploymentId) return;
    for (const [id, { epoch, size, root }] of Object.entries(logs)) {
      const orgId = parseId('org', id);
      if (orgId !== null) this.#logs.set(orgId.toString('hex'), { epoch, size, root: Buffer.from(root, 'base64') });
    }
  }
}

interface MemoryFile {
  readonly deployment: string | null;
  readonly logs: Readonly<Record<string, { readonly epoch: number; readonly size: number; readonly root: string }>>;
}

/** Our own file, written in one piece; cut off by a full disk it tells nothing. */
function parsed(text: string): MemoryFile {
  try {
    return JSON.parse(text) as MemoryFile;
  } catch {
    return { deployment: null, logs: {} };
  }
}

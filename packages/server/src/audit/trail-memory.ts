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
const FILE_LOGS_MAX = 1_000;
// Some 10 MB. The checkpoint of a log that is not among them has to be read and verified before the next one is signed.
const LOGS_MAX = 50_000;

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
    memory.#adopt(await memory.#read());
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
    // Two nodes may share the folder: what the other has signed since is kept, and known here as well.
    this.#adopt(await this.#read());
    const logs = Object.fromEntries(
      Array.from(this.#logs, ([hex, { epoch, size, root }]) => [
        formatId('org', Buffer.from(hex, 'hex')),
        { epoch, size, root: root.toString('base64') },
      ]).slice(-FILE_LOGS_MAX),
    );
    const draft = `${this.#path}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, `${JSON.stringify({ deployment: this.#deploymentId, logs })}\n`, { mode: 0o600 });
      await rename(draft, this.#path);
    } catch (err) {
      await unlink(draft).catch(() => {});
      this.#log.warn({ err }, 'what was signed last could not be written to the data folder');
    }
  }

  /** Of each log what was signed later. Those that only the file has were signed longer ago than the others. */
  #adopt(read: ReadonlyMap<string, SignedLog>): void {
    const own = new Map(this.#logs);
    this.#logs.clear();
    for (const [key, signed] of read) if (!own.has(key)) this.#logs.set(key, signed);
    for (const [key, signed] of own) {
      const other = read.get(key);
      this.#logs.set(key, other !== undefined && isLater(other, signed) ? other : signed);
    }
  }

  /** What the file has of this deployment, by the organization's id in hex. */
  async #read(): Promise<ReadonlyMap<string, SignedLog>> {
    const read = new Map<string, SignedLog>();
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (err) {
      if (!(err instanceof Error && 'code' in err && err.code === 'ENOENT'))
        this.#log.warn({ err }, 'what was signed last could not be read from the data folder');
      return read;
    }
    const { deployment, logs } = parsed(text);
    if (deployment !== this.#deploymentId) return read;
    for (const [id, { epoch, size, root }] of Object.entries(logs)) {
      const orgId = parseId('org', id);
      if (orgId !== null) read.set(orgId.toString('hex'), { epoch, size, root: Buffer.from(root, 'base64') });
    }
    return read;
  }
}

function isLater(a: SignedLog, b: SignedLog): boolean {
  return a.epoch > b.epoch || (a.epoch === b.epoch && a.size > b.size);
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

// Nodes of a deployment: processes of the service on one database.

import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from './postgres.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const UP_MS_MAX = 30_000;

/** The first organization of the database, as the first node printed it. */
interface Keys {
  readonly admin: string;
  readonly live: string;
  readonly test: string;
}

export interface Nodes {
  readonly baseUrls: readonly string[];
  readonly keys: Keys;
  /** Ends the nodes and removes the database. */
  close(): Promise<void>;
}

/** Starts `count` processes on one fresh database; `env` goes to all of them. */
export async function startNodes(count: number, env: Readonly<Record<string, string>> = {}): Promise<Nodes> {
  const database = await createTestDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'svc-nodes-'));
  const shared = {
    PATH: process.env['PATH'],
    SVC_DATABASE_URL: database.url,
    SVC_MASTER_KEY: randomBytes(32).toString('base64'),
    SVC_DATA_DIR: folder,
    SVC_BOOTSTRAP_PLAN: 'enterprise',
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'error',
    ...env,
  };
  const nodes: { process: ChildProcess; output: string }[] = [];
  try {
    // One after the other: the first one makes the organization and prints its keys.
    for (let i = 0; i < count; i++) nodes.push(await startNode(shared));
    const keyOf = (type: string) => new RegExp(`svc_${type}_[0-9A-Za-z]{38}`).exec(nodes[0]!.output)![0];
    return {
      baseUrls: nodes.map(({ output }) => /svc is running at (\S+)/.exec(output)![1]!),
      keys: { admin: keyOf('admin'), live: keyOf('live'), test: keyOf('test') },
      close,
    };
  } catch (err) {
    await close();
    throw err;
  }

  async function close(): Promise<void> {
    await Promise.all(nodes.map(({ process: node }) => end(node)));
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
}

function startNode(env: Readonly<Record<string, string | undefined>>): Promise<{ process: ChildProcess; output: string }> {
  const node = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    let output = '';
    const timer = setTimeout(() => reject(new Error(`a node did not come up: ${output}`)), UP_MS_MAX);
    node.once('exit', (code) => reject(new Error(`a node ended with ${code}: ${output}`)));
    node.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      // The keys are the last thing that the first start prints.
      if (!/svc is running at \S+[^]*\n\n/.test(output)) return;
      clearTimeout(timer);
      resolve({ process: node, output });
    });
  });
}

async function end(node: ChildProcess): Promise<void> {
  if (node.exitCode !== null || node.signalCode !== null) return;
  const ended = new Promise((resolve) => node.once('exit', resolve));
  node.kill('SIGTERM');
  await ended;
}

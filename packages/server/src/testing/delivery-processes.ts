// The processes of the delivery drill: whole nodes, and workers that only deliver. Each may be killed, frozen and started again.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const NODE = fileURLToPath(new URL('../main.ts', import.meta.url));
const WORKER = fileURLToPath(new URL('./delivery-worker.ts', import.meta.url));
const UP_MS_MAX = 30_000;

/** Where all of them work. `masterKey`: base64. */
export interface Ground {
  readonly databaseUrl: string;
  readonly masterKey: string;
  /** A folder for data of the nodes. */
  readonly dataDir: string;
}

/** A process that is up. */
export interface Running {
  /** What it printed until it was up. */
  readonly output: string;
  readonly process: ChildProcess;
  /** `kill -9`; resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM; resolves with its exit code. */
  end(): Promise<number | null>;
}

/** Starts a node. Rejects when it does not come up, as while the database is down. */
export function startNode({ databaseUrl, masterKey, dataDir }: Ground): Promise<Running> {
  const env = {
    SVC_DATABASE_URL: databaseUrl,
    SVC_MASTER_KEY: masterKey,
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
    SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
  };
  return startProcess(NODE, dataDir, env, /svc is running at \S+/);
}

/** Starts a worker. Rejects like `startNode`. */
export function startWorker({ databaseUrl, masterKey, dataDir }: Ground): Promise<Running> {
  return startProcess(WORKER, dataDir, { DRILL_DATABASE_URL: databaseUrl, DRILL_MASTER_KEY: masterKey }, /ready/);
}

/** What was compiled is kept in `cacheDir`: it halves the time of a start. */
async function startProcess(
  path: string,
  cacheDir: string,
  env: Readonly<Record<string, string>>,
  isUp: RegExp,
): Promise<Running> {
  const child = spawn(process.execPath, [path], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: cacheDir, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const gone = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`${path} did not come up`)), UP_MS_MAX);
    child.once('exit', (code) => reject(new Error(`${path} ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (isUp.test(output)) resolve();
    });
    child.once('error', reject);
    void gone.finally(() => clearTimeout(timer));
  }).catch((err: unknown) => {
    child.kill('SIGKILL');
    throw err;
  });
  return {
    output,
    process: child,
    async kill() {
      child.kill('SIGKILL');
      await gone;
    },
    async end() {
      child.kill('SIGTERM');
      await gone;
      return child.exitCode;
    },
  };
}

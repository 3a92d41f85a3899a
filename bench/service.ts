// The service as a process of its own, with a database and keys that are gone afterwards.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface BenchService {
  readonly baseUrl: string;
  /** The live key. */
  readonly key: string;
  readonly adminKey: string;
  /** Where its database is. */
  readonly dataDir: string;
  /** Of the process that runs now. The database is another. */
  readonly pid: number;
  /** Ends the process and starts another on the same database and port: what the first one held in memory is gone. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startBenchService(): Promise<BenchService> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const file = join(folder, 'bootstrap.json');
  const port = await freePort();
  const start = () =>
    spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
      env: {
        PATH: process.env['PATH'],
        SVC_PORT: String(port),
        SVC_DATA_DIR: join(folder, 'data'),
        SVC_BOOTSTRAP_PLAN: 'enterprise',
        SVC_BOOTSTRAP_FILE: file,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
  let service = start();
  const end = async () => {
    service.kill('SIGTERM');
    await once(service, 'exit');
  };
  const { base_url: baseUrl, live_key: key, admin_key: adminKey } = await readWhenThere(file);
  return {
    baseUrl,
    key,
    adminKey,
    dataDir: join(folder, 'data'),
    get pid() {
      return service.pid!;
    },
    async restart() {
      await end();
      service = start();
      await answers(baseUrl);
    },
    async stop() {
      await end();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readWhenThere(file: string): Promise<Record<'base_url' | 'live_key' | 'admin_key', string>> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as Record<'base_url' | 'live_key' | 'admin_key', string>;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function answers(baseUrl: string): Promise<void> {
  while ((await fetch(`${baseUrl}/healthz`).catch(() => null))?.ok !== true)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

// The service as a process of its own, with a database and keys that are gone afterwards.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
  readonly pid: number;
  stop(): Promise<void>;
}

export async function startBenchService(): Promise<BenchService> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const file = join(folder, 'bootstrap.json');
  const service = spawn(process.execPath, [join(root, 'packages/server/src/main.ts')], {
    env: {
      PATH: process.env['PATH'],
      SVC_PORT: '0',
      SVC_DATA_DIR: join(folder, 'data'),
      SVC_BOOTSTRAP_PLAN: 'enterprise',
      SVC_BOOTSTRAP_FILE: file,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { base_url: baseUrl, live_key: key, admin_key: adminKey } = await readWhenThere(file);
  return {
    baseUrl,
    key,
    adminKey,
    dataDir: join(folder, 'data'),
    pid: service.pid!,
    async stop() {
      service.kill('SIGTERM');
      await new Promise((resolve) => service.once('exit', resolve));
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

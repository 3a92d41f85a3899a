// A Valkey or Redis server for tests, from what is installed on this machine.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';

/** A server of one's own, which keeps nothing on disk. */
export interface TestValkey {
  readonly url: string;
  /** Ends it as `kill -9` does. */
  kill(): Promise<void>;
  /** Starts it again, empty, under the same address. */
  restart(): Promise<void>;
  /** Safe to call twice. */
  stop(): Promise<void>;
}

const PROGRAMS = ['valkey-server', 'redis-server'];

/** Starts a server on a free port of 127.0.0.1. `null`: no such program is on the PATH, which is said on the console. */
export async function startTestValkey(): Promise<TestValkey | null> {
  const program = PROGRAMS.find((name) => spawnSync(name, ['--version']).error === undefined);
  if (program === undefined) {
    console.log('Valkey/Redis tests are skipped: no valkey-server or redis-server on the PATH');
    return null;
  }
  const port = await freePort();
  let server: ChildProcess | null = await start(program, port);
  const kill = async () => {
    if (server === null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    server = null;
    await ended;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    kill,
    async restart() {
      await kill();
      server = await start(program, port);
    },
    stop: kill,
  };
}

/** Resolves when it accepts connections. */
async function start(program: string, port: number): Promise<ChildProcess> {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const server = spawn(program, settings, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const chunk of server.stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (!output.includes('eady to accept connections')) continue;
    server.stdout.resume();
    return server;
  }
  throw new Error(`${program} did not start:\n${output}`);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

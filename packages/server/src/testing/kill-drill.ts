// Kills the service, and its database with it, in the middle of load, again and again, and checks that nothing that was answered is lost.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseId, uuidText } from '../ids.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
const CONNECTIONS = 32;
const UP_MS_MAX = 30_000;

export interface DrillResult {
  /** Assessments that were answered 200. */
  readonly answered: number;
  /** Of these, how many are not in the trail. */
  readonly lost: number;
  /** Events of the organization, and its last sequence: equal when there is no gap. */
  readonly events: number;
  readonly lastSequence: number;
  readonly kills: number;
}

interface Bootstrap {
  readonly live_key: string;
  readonly base_url: string;
}

/** Runs until `assessments` were answered 200, killing everything each time another `assessments / (kills + 1)` were. */
export async function killDrill(options: { assessments: number; kills: number }): Promise<DrillResult> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-drill-'));
  const dataDir = join(folder, 'data');
  const bootstrapFile = join(folder, 'bootstrap.json');
  const port = await freePort();
  const env = {
    PATH: process.env['PATH'],
    SVC_PORT: String(port),
    SVC_DATA_DIR: dataDir,
    SVC_BOOTSTRAP_FILE: bootstrapFile,
    SVC_BOOTSTRAP_PLAN: 'enterprise',
    SVC_LOG_LEVEL: 'error',
  };
  let service = await start(env, port);
  try {
    const { live_key: key, base_url: baseUrl } = JSON.parse(await readFile(bootstrapFile, 'utf8')) as Bootstrap;
    const answered = new Set<string>();
    let kills = 0;
    while (answered.size < options.assessments) {
      const share = Math.ceil((options.assessments * (kills + 1)) / (options.kills + 1));
      await loadUntil(baseUrl, key, answered, Math.min(share, options.assessments), async () => {
        if (kills >= options.kills) return;
        // Now and then the database lives on and is adopted; mostly everything goes.
        await killAll(service, dataDir, kills % 3 !== 2);
        kills++;
      });
      if (service.exitCode !== null || service.signalCode !== null) service = await start(env, port);
    }
    return { ...(await check(baseUrl, key, answered)), kills };
  } finally {
    if (service.exitCode === null && service.signalCode === null) {
      service.kill('SIGTERM');
      await new Promise((resolve) => service.once('exit', resolve));
    }
    await rm(folder, { recursive: true, force: true });
  }
}

/** Posts on many connections; once `target` ids are in `answered`, calls `kill` while the requests go on, and ends with them. */
async function loadUntil(
  baseUrl: string,
  key: string,
  answered: Set<string>,
  target: number,
  kill: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  let killing: Promise<void> | null = null;
  const drive = async () => {
    while (!isOver) {
      try {
        const res = await fetch(`${baseUrl}/v1/assessments`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: '{"input":"What is the capital of France?"}',
        });
        const { id } = (await res.json()) as { id: string };
        if (res.status === 200) answered.add(id);
      } catch {
        isOver = true; // cut off by the kill: not answered
      }
      if (answered.size >= target) {
        killing ??= kill().finally(() => (isOver = true));
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, drive));
  await (killing ?? Promise.resolve());
}

async function start(env: Record<string, string | undefined>, port: number): Promise<ChildProcess> {
  // Detached: a process group of its own, so that the whole group can be killed.
  const service = spawn(process.execPath, [MAIN], { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] });
  const giveUpAt = Date.now() + UP_MS_MAX;
  for (;;) {
    const isReady = await fetch(`http://127.0.0.1:${port}/readyz`).then(
      (res) => res.ok,
      () => false,
    );
    if (isReady && (await readFile(env['SVC_BOOTSTRAP_FILE']!, 'utf8').catch(() => '')) !== '') return service;
    if (service.exitCode !== null || Date.now() > giveUpAt)
      throw new Error(`the service did not come up (exit code ${service.exitCode})`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function killAll(service: ChildProcess, dataDir: string, withDatabase: boolean): Promise<void> {
  const gone = new Promise((resolve) => service.once('exit', resolve));
  process.kill(-service.pid!, 'SIGKILL');
  if (withDatabase) {
    const pid = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n', 1)[0]);
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      process.kill(pid, 'SIGKILL'); // not the leader of a group, as inside a user namespace
    }
  }
  await gone;
}

/** Reads the whole trail through the API's own feed and compares. */
async function check(baseUrl: string, key: string, answered: ReadonlySet<string>): Promise<Omit<DrillResult, 'kills'>> {
  const kept = new Set<string>();
  let lastSequence = 0;
  let events = 0;
  for (;;) {
    const res = await fetch(`${baseUrl}/v1/events?after_sequence=${lastSequence}&limit=200`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const page = (await res.json()) as { data: { id: string; sequence: number }[]; has_more: boolean };
    for (const event of page.data) kept.add(uuidText(parseId('evt', event.id)!));
    events += page.data.length;
    lastSequence = page.data.at(-1)?.sequence ?? lastSequence;
    if (!page.has_more) break;
  }
  const lost = [...answered].filter((id) => !kept.has(uuidText(parseId('asm', id)!))).length;
  return { answered: answered.size, lost, events, lastSequence };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

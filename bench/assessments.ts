// Durable assessments a second over HTTP, beside a bare Fastify route that returns the same answer, turn by turn in the same run.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeEngine } from './engine.ts';
import { load, type LoadResult } from './load.ts';
import { ordinaryText } from './texts.ts';

const ROUNDS = 6;
const SECONDS = 3;
const CONNECTIONS = 64;
const root = join(import.meta.dirname, '..');

interface Bootstrap {
  readonly base_url: string;
  readonly live_key: string;
}

/** Prints the table. */
export async function benchAssessments(): Promise<void> {
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
  let bare: ChildProcess | undefined;
  try {
    const { base_url: baseUrl, live_key: key } = await readWhenThere(file);
    const body = JSON.stringify({ input: ordinaryText(300) });
    const headers = { authorization: `Bearer ${key}` };
    const sample = await fetch(`${baseUrl}/v1/assessments`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body,
    });
    bare = spawn(process.execPath, [join(import.meta.dirname, 'bare-server.ts'), await sample.text()], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const barePort = await new Promise<number>((resolve) =>
      bare!.stdout!.once('data', (data: Buffer) => resolve(Number(data.toString()))),
    );
    const ours = {
      port: Number(new URL(baseUrl).port),
      path: '/v1/assessments',
      headers,
      body,
      connections: CONNECTIONS,
      seconds: SECONDS,
    };
    const theirs = { ...ours, port: barePort };
    await load({ ...ours, seconds: 3 });
    await load({ ...theirs, seconds: 2 });
    const rounds: { svc: LoadResult; bare: LoadResult }[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push({ bare: await load(theirs), svc: await load(ours) });
    print(rounds);
  } finally {
    bare?.kill();
    service.kill('SIGTERM');
    await new Promise((resolve) => service.once('exit', resolve));
    await rm(folder, { recursive: true, force: true });
  }
}

function print(rounds: readonly { svc: LoadResult; bare: LoadResult }[]): void {
  const text = { input: ordinaryText(300) };
  timeEngine(text, 50_000);
  const engineUs = timeEngine(text, 50_000).meanUs;
  const svc = median(rounds.map((round) => round.svc.requestsPerSecond));
  const bare = median(rounds.map((round) => round.bare.requestsPerSecond));
  const withoutEngine = 1 / (1 / svc - engineUs / 1_000_000);
  console.log(
    `\nDurable assessments over HTTP, ${CONNECTIONS} connections, 300 characters, median of ${ROUNDS} turns of ${SECONDS} s\n`,
  );
  console.log('| | requests/s | p50 ms | p99 ms | of the bare route | bar |\n| --- | ---: | ---: | ---: | ---: | ---: |');
  const latency = (side: 'svc' | 'bare') => [
    median(rounds.map((round) => round[side].p50Ms)).toFixed(2),
    median(rounds.map((round) => round[side].p99Ms)).toFixed(2),
  ];
  console.log(`| bare route, same answer | ${bare.toFixed(0)} | ${latency('bare').join(' | ')} | 1 | |`);
  console.log(
    `| svc, committed with fsync | ${svc.toFixed(0)} | ${latency('svc').join(' | ')} | ${(svc / bare).toFixed(2)} | 0.30 |`,
  );
  console.log(
    `| svc less ${engineUs.toFixed(1)} µs of engine | ${withoutEngine.toFixed(0)} | | | ${(withoutEngine / bare).toFixed(2)} | 0.50 |`,
  );
  const statuses = new Map<string, number>();
  for (const [status, count] of rounds.flatMap((round) => Object.entries(round.svc.statuses)))
    statuses.set(status, (statuses.get(status) ?? 0) + count);
  console.log(`\nAnswers of svc by status: ${[...statuses].map(([status, count]) => `${status}: ${count}`).join(', ')}`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

async function readWhenThere(file: string): Promise<Bootstrap> {
  for (;;) {
    const text = await readFile(file, 'utf8').catch(() => '');
    if (text !== '') return JSON.parse(text) as Bootstrap;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

if (import.meta.main) await benchAssessments();

// Durable assessments a second over HTTP, beside a bare Fastify route that returns the same answer, turn by turn in the same run.

import { spawn, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { timeEngine } from './engine.ts';
import { load, type LoadResult } from './load.ts';
import { startBenchService } from './service.ts';
import { ordinaryText } from './texts.ts';

const ROUNDS = 6;
const SECONDS = 3;
const CONNECTIONS = 64;

/** Prints the table. */
export async function benchAssessments(): Promise<void> {
  const service = await startBenchService();
  let bare: ChildProcess | undefined;
  try {
    const { baseUrl, key } = service;
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
    await service.stop();
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

if (import.meta.main) await benchAssessments();

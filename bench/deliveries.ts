// Deliveries a second through the real service, beside a bare loop that posts the same bodies; how long they take from commit to receiver; and
// what dead endpoints do to the others.

import { fork, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { postToEach } from '../packages/server/src/testing/delivery-yardstick.ts';
import type { Commits, CreateCommand, RecordCommand } from './delivery-node.ts';
import type { Arrivals, Ports } from './delivery-receivers.ts';

const ENDPOINTS = 50;
// A fifth, and half.
const DEAD = 10;
const FAILING = 25;
const EVENTS = 20_000;
const ROUNDS = 3;
// Half of the throughput that is promised.
const HALF_LOAD_PER_SECOND = 1_500;
const HALF_LOAD_SECONDS = 10;
// What an endpoint may have in flight.
const IN_FLIGHT = 8;
const ARRIVED_MS_MAX = 120_000;
const POLL_MS = 20;

/** Prints the tables. */
export async function benchDeliveries(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const receivers = fork(join(import.meta.dirname, 'delivery-receivers.ts'), [
    JSON.stringify({ healthy: ENDPOINTS, dead: DEAD, failing: FAILING } satisfies Record<keyof Ports, number>),
  ]);
  const node = fork(join(import.meta.dirname, 'delivery-node.ts'), {
    env: {
      PATH: process.env['PATH'],
      SVC_PORT: '0',
      SVC_DATA_DIR: join(folder, 'data'),
      SVC_LOG_LEVEL: 'error',
      SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    },
  });
  try {
    const [ports] = await Promise.all([answerOf<Ports>(receivers), answerOf(node)]);
    const bench = { node, receivers };
    const organizations = await ask<string[]>(node, { do: 'create', urls: ports.healthy.map(urlOf) });
    const rates = await compareRates(bench, organizations, ports.healthy);
    const among = async (bad: readonly number[]) => {
      const urls = [...ports.healthy.slice(bad.length), ...bad].map(urlOf);
      const made = await ask<string[]>(node, { do: 'create', urls });
      return measureLatency(bench, made, ENDPOINTS - bad.length);
    };
    printRates(rates);
    printLatencies(await among([]), await among(ports.dead), await among(ports.failing));
  } finally {
    const ended = new Promise((resolve) => node.once('exit', resolve));
    node.disconnect();
    await ended;
    receivers.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Bench {
  readonly node: ChildProcess;
  readonly receivers: ChildProcess;
}

interface Rates {
  readonly svc: number;
  readonly bare: number;
}

interface Latency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Deliveries a second: from the first event that is recorded to the last that arrives, and of the bare loop, turn by turn. */
async function compareRates(bench: Bench, organizations: readonly string[], ports: readonly number[]): Promise<Rates[]> {
  const command = { do: 'record', organizations, count: EVENTS, perSecond: null } as const;
  await measureRate(bench, { ...command, count: EVENTS / 4 });
  await postBare(bench, ports, EVENTS / 4);
  const rounds: Rates[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    rounds.push({ bare: await postBare(bench, ports, EVENTS), svc: await measureRate(bench, command) });
  }
  return rounds;
}

async function measureRate(bench: Bench, command: RecordCommand): Promise<number> {
  const [{ beganAtMs }, { atMs }] = await Promise.all([ask<Commits>(bench.node, command), collect(bench, command.count)]);
  return (command.count * 1_000) / (Math.max(...atMs.slice(-1_000)) - beganAtMs);
}

/** Posts bodies of the same size to the same receivers with as many in flight; answers how many a second. */
async function postBare(bench: Bench, ports: readonly number[], count: number): Promise<number> {
  const body = JSON.stringify({ data: 'x'.repeat(1_300) });
  const headers = { 'content-type': 'application/json', 'webhook-id': `evt_${'0'.repeat(26)}` };
  const beganAt = performance.now();
  await postToEach(ports.map(urlOf), { headers, body }, count, IN_FLIGHT);
  const rate = (count * 1_000) / (performance.now() - beganAt);
  await collect(bench, count);
  return rate;
}

/** From commit to first byte, at half load, of the first `healthy` organizations. */
async function measureLatency(bench: Bench, organizations: readonly string[], healthy: number): Promise<Latency> {
  const count = HALF_LOAD_PER_SECOND * HALF_LOAD_SECONDS;
  const command = { do: 'record', organizations, count, perSecond: HALF_LOAD_PER_SECOND } as const;
  const [commits, arrivals] = await Promise.all([
    ask<Commits>(bench.node, command),
    collect(bench, (count * healthy) / organizations.length),
  ]);
  const arrivedAtMs = new Map(arrivals.ids.map((id, i) => [id, arrivals.atMs[i]!]));
  const times = commits.ids
    .flatMap((id, i) => (commits.at[i]! < healthy ? [arrivedAtMs.get(id)! - commits.atMs[i]!] : []))
    .toSorted((a, b) => a - b);
  return { p50Ms: times[Math.floor(times.length * 0.5)]!, p99Ms: times[Math.floor(times.length * 0.99)]! };
}

/** Waits for so many arrivals. */
async function collect({ receivers }: Bench, count: number): Promise<Arrivals> {
  const all: Arrivals = { ids: [], atMs: [] };
  const giveUpAt = performance.now() + ARRIVED_MS_MAX;
  while (all.ids.length < count) {
    const { ids, atMs } = await ask<Arrivals>(receivers, 'arrivals');
    for (const id of ids) all.ids.push(id);
    for (const at of atMs) all.atMs.push(at);
    if (performance.now() > giveUpAt) throw new Error(`only ${all.ids.length} of ${count} deliveries arrived`);
    if (all.ids.length < count) await delay(POLL_MS);
  }
  return all;
}

function ask<T>(child: ChildProcess, command: CreateCommand | RecordCommand | 'arrivals'): Promise<T> {
  const answer = answerOf<T>(child);
  child.send(command);
  return answer;
}

function answerOf<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null) => reject(new Error(`a process of the benchmark ended with ${code}`));
    child.once('exit', onExit);
    child.once('message', (message) => {
      child.removeListener('exit', onExit);
      resolve(message as T);
    });
  });
}

function printRates(rounds: readonly Rates[]): void {
  const svc = median(rounds.map((round) => round.svc));
  const bare = median(rounds.map((round) => round.bare));
  console.log(`\nDeliveries of ${EVENTS} events to ${ENDPOINTS} endpoints, with fsync, median of ${ROUNDS} turns\n`);
  console.log('| | deliveries/s | of the bare loop | bar |\n| --- | ---: | ---: | ---: |');
  console.log(`| bare undici loop, bodies of the same size, nothing recorded | ${bare.toFixed(0)} | 1 | |`);
  console.log(`| svc: recorded, claimed, signed, sent, recorded | ${svc.toFixed(0)} | ${(svc / bare).toFixed(2)} | 3000 |`);
}

function printLatencies(healthy: Latency, besideDead: Latency, besideFailing: Latency): void {
  console.log(`\nFrom commit to the receiver's first byte, ${HALF_LOAD_PER_SECOND} events a second for ${HALF_LOAD_SECONDS} s\n`);
  console.log('| | p50 ms | p99 ms | of the first | bar |\n| --- | ---: | ---: | ---: | ---: |');
  const row = (name: string, { p50Ms, p99Ms }: Latency, bar: string) =>
    console.log(`| ${name} | ${p50Ms.toFixed(1)} | ${p99Ms.toFixed(1)} | ${(p99Ms / healthy.p99Ms).toFixed(2)} | ${bar} |`);
  row(`all of ${ENDPOINTS} endpoints answer`, healthy, '50 ms, 500 ms');
  row(`${DEAD} of them never answer: the others`, besideDead, '2');
  row(`${FAILING} of them answer 500: the others`, besideFailing, '2');
}

function urlOf(port: number): string {
  return `http://127.0.0.1:${port}/`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

if (import.meta.main) await benchDeliveries();

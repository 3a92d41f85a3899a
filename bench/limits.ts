// How long a decision of the limiter takes, in memory and on a shared store (bar in memory: 5 µs).

import { once } from 'node:events';
import { connect } from 'node:net';
import { budgetSeconds } from '../packages/server/src/limits/clock.ts';
import { LocalLimits } from '../packages/server/src/limits/local.ts';
import { LimitStore } from '../packages/server/src/limits/valkey.ts';
import { formatId, newUuid } from '../packages/server/src/ids.ts';
import type { Organization } from '../packages/server/src/organizations/organization.ts';
import { startTestValkey } from '../packages/server/src/testing/valkey.ts';

const COST = { requests: 1, assessments: 1 };
const IN_MEMORY = 500_000;
const ON_STORE = 10_000;
const IN_FLIGHT = 64;

function organizations(count: number, limit: number): Organization[] {
  return Array.from({ length: count }, () => {
    const uuid = newUuid();
    const limits = { requests_per_minute: 2 * limit, assessments_per_minute: limit, batch_size: 1 };
    return { id: formatId('org', uuid), uuid, name: '', plan: 'enterprise', limits, createdAtMs: 0 };
  });
}

/** Mean microseconds of one of `count` calls, after a tenth of them to warm up. */
function meanUs(count: number, call: (i: number) => unknown): number {
  for (let i = 0; i < count / 10; i++) call(i);
  const startedAt = performance.now();
  for (let i = 0; i < count; i++) call(i);
  return ((performance.now() - startedAt) * 1_000) / count;
}

function takeIn(holders: readonly Organization[]): (i: number) => unknown {
  const local = new LocalLimits(() => 1, budgetSeconds);
  return (i) => local.take(holders[i % holders.length]!, COST, 'assessments');
}

function countIn(holders: readonly Organization[]): (i: number) => unknown {
  const counts = new Map<string, number>();
  return (i) => {
    const { id } = holders[i % holders.length]!;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  };
}

function takeFromProbe(): (i: number) => unknown {
  const local = new LocalLimits(() => 1, budgetSeconds);
  return () => local.takeProbe('org_1', 'a probe', 'telemetry');
}

function printMemory(): void {
  console.log('\nLimits in memory (yardstick: a counter in a Map)\n');
  console.log('| what | µs per decision | decisions/s |\n| --- | ---: | ---: |');
  const [one, refused, many] = [organizations(1, 1_000_000), organizations(1, 100), organizations(10_000, 10_000)];
  const rows: [string, (i: number) => unknown][] = [
    ['two budgets of one hot organization', takeIn(one)],
    ['the same, refused', takeIn(refused)],
    ['two budgets, 10 000 organizations in turn', takeIn(many)],
    ['window of a probe', takeFromProbe()],
    ['counter, one organization', countIn(one)],
    ['counter, 10 000 organizations in turn', countIn(many)],
  ];
  for (const [name, call] of rows) {
    const us = meanUs(IN_MEMORY, call);
    console.log(`| ${name} | ${us.toFixed(2)} | ${Math.round(1e6 / us)} |`);
  }
}

/** One after the other: microseconds. */
async function latencies(call: () => Promise<unknown>): Promise<{ p50Us: number; p99Us: number }> {
  const times = new Float64Array(ON_STORE);
  for (let i = 0; i < ON_STORE / 10; i++) await call();
  for (let i = 0; i < ON_STORE; i++) {
    const startedAt = performance.now();
    await call();
    times[i] = (performance.now() - startedAt) * 1_000;
  }
  times.sort();
  return { p50Us: times[ON_STORE / 2]!, p99Us: times[Math.floor(ON_STORE * 0.99)]! };
}

/** Calls a second with so many in flight. */
async function throughput(call: () => Promise<unknown>): Promise<number> {
  let left = 5 * ON_STORE;
  const startedAt = performance.now();
  const worker = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  return (5 * ON_STORE * 1_000) / (performance.now() - startedAt);
}

/** PING over a bare socket. */
async function connectPing(url: string): Promise<{ ping: () => Promise<unknown>; close: () => void }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, 'connect');
  const waiting: ((answer: string) => void)[] = [];
  let received = 0;
  socket.on('data', (chunk) => {
    for (received += chunk.length; received >= '+PONG\r\n'.length; received -= '+PONG\r\n'.length) waiting.shift()!('PONG');
  });
  const ping = () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      socket.write('PING\r\n');
    });
  return { ping, close: () => socket.destroy() };
}

async function printStore(url: string): Promise<void> {
  const store = new LimitStore(url);
  await store.settled();
  const { ping, close } = await connectPing(url);
  const question = (id: string, name: string) => ({ key: `svc:limit:{${id}}:${name}`, limit: 1_000_000, cost: 1 });
  const hot = [question('org_1', 'requests'), question('org_1', 'assessments')];
  const many = organizations(1_000, 1).map(({ id }) => [question(id, 'requests'), question(id, 'assessments')]);
  let turn = 0;
  console.log(`\nLimits on a Valkey or Redis server of this machine (yardstick: PING over a bare socket)\n`);
  console.log(`| what | p50 µs | p99 µs | a second with ${IN_FLIGHT} in flight |\n| --- | ---: | ---: | ---: |`);
  const rows: [string, () => Promise<unknown>][] = [
    ['two budgets of one hot organization', () => store.takeBudgets(hot)],
    ['two budgets, 1 000 organizations in turn', () => store.takeBudgets(many[turn++ % many.length]!)],
    ['window of a probe', () => store.takeWindow('svc:limit:{org_1}:probe:a:telemetry', 100, 1)],
    ['PING', ping],
  ];
  for (const [name, call] of rows) {
    const { p50Us, p99Us } = await latencies(call);
    console.log(`| ${name} | ${p50Us.toFixed(0)} | ${p99Us.toFixed(0)} | ${Math.round(await throughput(call))} |`);
  }
  store.close();
  close();
}

/** Prints both tables; the second only where a server is installed. */
export async function benchLimits(): Promise<void> {
  printMemory();
  const server = await startTestValkey();
  if (server === null) return;
  await printStore(server.url);
  await server.stop();
}

if (import.meta.main) await benchLimits();

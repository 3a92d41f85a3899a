// Durable telemetry events a second over HTTP, in batches of 500, beside what PostgreSQL takes of the same rows at best: raw COPY, and the
// insert of the service without the service. Turn by turn in the same run, on the same server, into tables with the same indexes.

import { connect } from 'node:net';
import { once } from 'node:events';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { newUuid } from '../packages/server/src/ids.ts';
import { readBatch } from '../packages/server/src/probes/read.ts';
import { decisionOf, rowOf } from '../packages/server/src/probes/rows.ts';
import { insertTelemetry } from '../packages/server/src/probes/telemetry-store.ts';
import { startDatabase } from '../packages/server/src/start-database.ts';
import type { Database, Queryable } from '../packages/server/src/storage/database.ts';
import { startBenchService, type BenchService } from './service.ts';

const BATCH = 500;
const ROUNDS = 5;
const SECONDS = 4;
// Each names itself as a probe; at 30 000 events a second each sends 8 batches, of the 100 that it may.
const CONNECTIONS = 8;
// On two cores more are slower: they wait for each other's locks.
const WRITERS = 2;
const BAR_PER_SECOND = 30_000;
const ID_DIGITS = 16;

/** Prints the table. */
export async function benchTelemetry(): Promise<void> {
  const service = await startBenchService();
  const quiet = { say: () => undefined, onIdleError: () => undefined, onLost: () => undefined };
  const { db, close } = await startDatabase({ dataDir: service.dataDir, databaseUrl: null }, quiet, { mayJoin: true });
  try {
    for (const table of ['telemetry_by_copy', 'telemetry_by_insert'])
      await db.query(`CREATE TABLE ${table} (LIKE telemetry INCLUDING ALL)`);
    const sides = {
      copy: () => copyBatches(db),
      insert: () => insertBatches(db),
      svc: () => sendBatches(service),
    };
    await sides.svc();
    await waitForDrift(db);
    const rounds: Round[] = [];
    for (let i = 0; i < ROUNDS; i++) {
      const [copy, insert, svc] = [await sides.copy(), await sides.insert(), await sides.svc()];
      rounds.push({ copy, insert, svc, behindMs: await waitForDrift(db) });
    }
    print(rounds);
  } finally {
    await close();
    await service.stop();
  }
}

interface Round {
  readonly copy: number;
  readonly insert: number;
  readonly svc: Sent;
  /** How long drift detection, which reads what was stored, took to get there. */
  readonly behindMs: number;
}

interface Sent {
  readonly eventsPerSecond: number;
  readonly latenciesMs: readonly number[];
}

/** Until drift detection has read all there is: it would take its part of the next turn, which is another's. */
async function waitForDrift(db: Database): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await db.query(
      'SELECT 1 FROM event_counters c JOIN drift_cursors d USING (org_id) WHERE d.sequence < c.last_sequence',
    );
    if (rows.length === 0) return performance.now() - startedAt;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let counter = 0;
const nextId = () => String(++counter).padStart(ID_DIGITS, '0');

/** An event as an agent sends it: some 340 bytes. */
function eventOf(id: string, i: number) {
  return {
    id,
    occurred_at: new Date(Date.now() - i).toISOString(),
    model: i % 3 === 0 ? 'gpt-x-mini' : 'gpt-x',
    model_version: 'gpt-x-2026-02-14',
    provider: 'openai',
    operation: 'chat',
    input_tokens: 200 + ((i * 37) % 1_000),
    output_tokens: 50 + ((i * 91) % 500),
    latency_ms: 400 + ((i * 7_919) % 100_000) / 100,
    time_to_first_token_ms: 120 + ((i * 104_729) % 10_000) / 100,
    finish_reason: 'stop',
    outcome: 'allowed',
    score: ((i * 31) % 100) / 1_000,
    policy_version: 1,
    coverage: 'complete',
  };
}

const eventsOf = (count: number) => Array.from({ length: count }, (_, i) => eventOf(nextId(), i));

/** What every side does for so many seconds; answers events a second. */
async function perSecond(workers: number, work: (worker: number) => Promise<number>): Promise<number> {
  const startedAt = performance.now();
  const endsAt = startedAt + SECONDS * 1_000;
  let events = 0;
  const run = async (worker: number) => {
    while (performance.now() < endsAt) events += await work(worker);
  };
  await Promise.all(Array.from({ length: workers }, (_, worker) => run(worker)));
  return (events * 1_000) / (performance.now() - startedAt);
}

/** COPY of text, one batch a commit. The rows are ready before; only their ids are new. */
async function copyBatches(db: Database): Promise<number> {
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => db.connect('bench')));
  const columns =
    'org_id, batch_id, position, mode, probe_id, event_id, occurred_at, received_at, model, model_version, provider, operation, input_tokens, output_tokens, latency_ms, time_to_first_token_ms, finish_reason, outcome, score, policy_version, coverage';
  const [org, batch] = [newUuid().toString('hex'), 'B'.repeat(32)];
  const lines = eventsOf(BATCH).map((event, i) => {
    const [, at, ...rest] = Object.values(event);
    return [org, batch, i, 'live', 'bench', '#'.repeat(ID_DIGITS), at, at, ...rest].join('\t');
  });
  const template = `${lines.join('\n')}\n`;
  const rate = await perSecond(WRITERS, async (worker) => {
    const data = template
      .replaceAll('bench', `bench-${worker}`)
      .replaceAll(batch, newUuid().toString('hex'))
      .replaceAll('#'.repeat(ID_DIGITS), nextId);
    await copy(clients[worker]!, `COPY telemetry_by_copy (${columns}) FROM STDIN`, data);
    return BATCH;
  });
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

async function copy(client: pg.Client, sql: string, data: string): Promise<void> {
  const stream = client.query(copyFrom(sql));
  const done = once(stream, 'finish');
  stream.end(data);
  await done;
}

/** The insert of the service: its encoding, its statement, a commit each; no HTTP, no event in the trail. */
async function insertBatches(db: Database): Promise<number> {
  const clients = await Promise.all(Array.from({ length: WRITERS }, () => db.connect('bench')));
  const orgId = newUuid();
  const rate = await perSecond(WRITERS, async (worker) => {
    const key = { orgId, mode: 'live', probeId: `bench-${worker}` } as const;
    const { events } = await readBatch(eventsOf(BATCH), Date.now());
    const rows = events.map((read) => rowOf(read, decisionOf(read.event)));
    await insertTelemetry(into(clients[worker]!), { key, id: newUuid(), receivedAtMs: Date.now() }, rows);
    return BATCH;
  });
  await Promise.all(clients.map((client) => client.end()));
  return rate;
}

/** The statement is that of the service, on another table. */
function into(client: pg.Client): Queryable {
  return {
    query: (query) => {
      const config = query as pg.QueryConfig;
      return client.query({ ...config, text: config.text.replace('INTO telemetry', 'INTO telemetry_by_insert') });
    },
  };
}

/** Over HTTP: raw sockets, each with one request in flight. New ids are written into the bytes of the last request. */
async function sendBatches({ baseUrl, key }: BenchService): Promise<Sent> {
  const port = Number(new URL(baseUrl).port);
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + SECONDS * 1_000;
  const counts = await Promise.all(
    Array.from({ length: CONNECTIONS }, (_, i) => drive(port, key, `bench-${i}`, endsAt, latenciesMs)),
  );
  const events = counts.reduce((sum, count) => sum + count, 0);
  return { eventsPerSecond: (events * 1_000) / (performance.now() - startedAt), latenciesMs };
}

/** Answers how many events were accepted. Throws for any other answer than that all were. */
function drive(port: number, key: string, probe: string, endsAt: number, latenciesMs: number[]): Promise<number> {
  const body = Buffer.from(JSON.stringify({ events: eventsOf(BATCH) }));
  const head = `POST /api/svc/probe/telemetry HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${key}\r\nX-Svc-Probe-Id: ${probe}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(head), body]);
  const places: number[] = [];
  for (let at = request.indexOf('"id":"'); at >= 0; at = request.indexOf('"id":"', at + 1)) places.push(at + 6);
  let accepted = 0;
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sentAt = 0;
    let answer = '';
    const send = () => {
      for (const place of places) request.write(nextId(), place, 'latin1');
      sentAt = performance.now();
      answer = '';
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('connect', send);
    socket.on('error', reject);
    socket.on('data', (chunk: string) => {
      answer += chunk;
      if (!answer.endsWith('}')) return;
      if (!answer.includes(`"accepted":${BATCH},`)) {
        reject(new Error(answer));
        return;
      }
      latenciesMs.push(performance.now() - sentAt);
      accepted += BATCH;
      if (performance.now() < endsAt) return send();
      socket.destroy();
      resolve(accepted);
    });
  });
}

function print(rounds: readonly Round[]): void {
  const copy = median(rounds.map((round) => round.copy));
  const insert = median(rounds.map((round) => round.insert));
  const svc = median(rounds.map((round) => round.svc.eventsPerSecond));
  const latencies = rounds.flatMap((round) => round.svc.latenciesMs).toSorted((a, b) => a - b);
  const quantile = (q: number) => latencies[Math.floor(latencies.length * q)]!.toFixed(0);
  console.log(
    `\nDurable telemetry, batches of ${BATCH}, ${CONNECTIONS} probes, median of ${ROUNDS} turns of ${SECONDS} s, fsync on\n`,
  );
  console.log('| | events/s | p50 ms | p99 ms | of COPY | bar |\n| --- | ---: | ---: | ---: | ---: | ---: |');
  console.log(`| raw COPY, a commit each batch | ${copy.toFixed(0)} | | | 1 | |`);
  console.log(`| the insert of svc alone | ${insert.toFixed(0)} | | | ${(insert / copy).toFixed(2)} | |`);
  console.log(
    `| svc over HTTP, with its events | ${svc.toFixed(0)} | ${quantile(0.5)} | ${quantile(0.99)} | ${(svc / copy).toFixed(2)} | ${BAR_PER_SECOND} |`,
  );
  const behind = median(rounds.map(({ behindMs }) => behindMs)) / 1_000;
  console.log(`\nDrift detection, in the same process, had read all of it ${behind.toFixed(1)} s after the last event.`);
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}

if (import.meta.main) await benchTelemetry();

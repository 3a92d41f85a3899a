// Exports of a large trail: how long one takes until it is ready, how fast it is downloaded, and how much memory both need above what the service
// needs at rest. Each is made by a process of its own that has done nothing before: one that has just written the log of a million events keeps the
// memory that it needed for them, in which an export would hide. The database is a process apart, and not counted.

import { readFile } from 'node:fs/promises';
import { startDatabase } from '../packages/server/src/start-database.ts';
import type { Database } from '../packages/server/src/storage/database.ts';
import { startBenchService, type BenchService } from './service.ts';

const EVENTS = 1_000_000;
const INSERTED_AT_ONCE = 20_000;
const FORMATS = ['jsonl', 'csv', 'parquet'];
const BAR_MB = 200;
const SAMPLE_MS = 50;
const POLL_MS = 100;
const SETTLE_MS = 5_000;

/** Prints the table. `events`: how many are exported. */
export async function benchExport({ events = EVENTS } = {}): Promise<void> {
  const service = await startBenchService();
  const quiet = { say: () => undefined, onIdleError: () => undefined, onLost: () => undefined };
  const { db, close } = await startDatabase({ dataDir: service.dataDir, databaseUrl: null }, quiet, { mayJoin: true });
  try {
    await load(db, events);
    const caughtUpMs = await waitForTree(db);
    await close();
    console.log(`\n### Exports of ${events} events (the log had them ${seconds(caughtUpMs)} s after they were loaded)\n`);
    console.log(
      `| format | ready after | events/s | zip | download | at rest | above it while made (bar ${BAR_MB} MB) | while downloaded |`,
    );
    console.log(
      '| ------ | ----------- | -------- | --- | -------- | ------- | --------------------------------- | ---------------- |',
    );
    for (const format of FORMATS) await exportAs(service, format, events);
  } finally {
    await service.stop();
  }
}

/** Assessments of some 700 bytes, by SQL: what the journal costs is measured elsewhere. */
async function load(db: Database, events: number): Promise<void> {
  for (let done = 0; done < events; done += INSERTED_AT_ONCE)
    await db.query(
      `WITH counter AS (
         UPDATE event_counters SET last_sequence = last_sequence + $1 RETURNING org_id, last_sequence - $1 AS before
       )
       INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, actor_id, actor_ip, model, subject_user, external_id, data)
       SELECT org_id, before + i, gen_random_uuid(), 'inference.allowed', clock_timestamp(), clock_timestamp(), 'api_key', 'key_1', '192.0.2.1',
              'gpt-' || i % 5, 'user-' || md5((before + i)::text), 'request-' || before + i,
              '{"outcome":"allowed","severity":"none","score":0.0' || i || ',"policy":{"version":1,"digest":"sha256:1"},"coverage":{"status":"complete"},'
              || '"findings":[],"metadata":{"trace":"' || md5(i::text) || '"},"note":"' || repeat(md5((before + i)::text), 10) || '"}'
         FROM counter, generate_series(1, $1::int) AS i`,
      [Math.min(INSERTED_AT_ONCE, events - done)],
    );
}

async function waitForTree(db: Database): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const { rows } = await db.query(
      'SELECT 1 FROM event_counters c JOIN trees t USING (org_id) WHERE t.signed_size < c.last_sequence',
    );
    if (rows.length === 0) return performance.now() - startedAt;
    await pause(POLL_MS);
  }
}

async function exportAs(service: BenchService, format: string, events: number): Promise<void> {
  await service.restart();
  // Until the pools and caches of the start are there.
  await pause(SETTLE_MS);
  const rest = await residentMb(service.pid);
  const memory = watchMemory(service.pid);
  const startedAt = performance.now();
  const asked = await request(service, 'POST', '/v1/exports', { format });
  let made = asked;
  while (made.state === 'queued' || made.state === 'running') {
    await pause(POLL_MS);
    made = await request(service, 'GET', `/v1/exports/${asked.id}`);
  }
  if (made.download === null) throw new Error(`the export is ${made.state}: ${made.error}`);
  const readyMs = performance.now() - startedAt;
  const making = await memory.stop();
  const taking = watchMemory(service.pid);
  const downloadAt = performance.now();
  const bytes = await download(service, made.download.url);
  if (bytes !== made.download.bytes) throw new Error(`${bytes} of ${made.download.bytes} bytes came`);
  const downloadMs = performance.now() - downloadAt;
  const downloading = await taking.stop();
  const mb = bytes / 1e6;
  console.log(
    `| ${format} | ${seconds(readyMs)} s | ${Math.round((events * 1_000) / readyMs)} | ${mb.toFixed(1)} MB | ${((mb * 1_000) / downloadMs).toFixed(0)} MB/s | ${rest.toFixed(0)} MB | ${(making - rest).toFixed(0)} MB | ${(downloading - rest).toFixed(0)} MB |`,
  );
}

interface Made {
  readonly id: string;
  readonly state: string;
  readonly error: string | null;
  readonly download: { readonly url: string; readonly bytes: number } | null;
}

async function request({ baseUrl, adminKey }: BenchService, method: string, path: string, body?: object): Promise<Made> {
  const res = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${adminKey}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!res.ok) throw new Error(`${path}: ${res.status} ${await res.text()}`);
  return (await res.json()) as Made;
}

async function download({ adminKey }: BenchService, url: string): Promise<number> {
  const res = await fetch(url, { headers: { authorization: `Bearer ${adminKey}` } });
  let bytes = 0;
  for await (const some of res.body!) bytes += some.length;
  return bytes;
}

/** The most memory that a process has from now on. */
function watchMemory(pid: number) {
  let peak = 0;
  const look = async () => {
    peak = Math.max(peak, await residentMb(pid));
  };
  const timer = setInterval(() => void look(), SAMPLE_MS);
  return {
    async stop(): Promise<number> {
      clearInterval(timer);
      await look();
      return peak;
    },
  };
}

/** Where there is no /proc: not known. */
async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? Number.NaN) / 1_024;
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

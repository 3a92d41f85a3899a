// What the next chunk of a stream costs, by how much came before it: in the engine beside reading all of it anew, and over HTTP beside a bare
// route.

import { assess, compilePolicy, DEFAULT_POLICY, openStream, readStream, type StreamState } from '@svc/engine';
import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';
import { startBenchService } from './service.ts';
import { ordinaryText } from './texts.ts';

const BEFORE = [0, 10_000, 100_000, 900_000] as const;
const STREAMS = 20;
const CHUNKS = 60;
/** What a model writes in a tenth of a second. */
const CHUNK = ordinaryText(20_000).match(/.{20}/gs)!;

const policy = compilePolicy(DEFAULT_POLICY, 1);
const options = { clock: () => performance.now(), nowMs: 0, deadlineMs: 60_000 };

/** Prints both tables. */
export async function benchStreams(): Promise<void> {
  benchEngineChunks();
  await benchHttpChunks();
}

function benchEngineChunks(): void {
  console.log('\nA chunk of 20 characters in the engine (yardstick: assessing all that came so far)\n');
  console.log('| characters before | p50 µs | p99 µs | mean µs | all anew µs |\n| ---: | ---: | ---: | ---: | ---: |');
  for (let i = 0; i < 3; i++) timeChunks(stateAfter(5_000), 1_000);
  for (const before of BEFORE) {
    const times = timeChunks(stateAfter(before), 1_000);
    const inference = { input: 'Tell me more.', output: ordinaryText(Math.max(before, 20)) };
    const anew = median(Array.from({ length: 9 }, () => time(() => void assess(inference, policy, options))));
    console.log(`| ${before} | ${quantile(times, 0.5)} | ${quantile(times, 0.99)} | ${mean(times)} | ${anew.toFixed(1)} |`);
  }
}

function stateAfter(chars: number): StreamState {
  const opened = { input: 'Tell me more.' };
  const state = openStream(opened, assess(opened, policy, options), policy);
  return chars === 0 ? state : readStream(state, { text: ordinaryText(chars), toolCalls: [] }, policy, options).state;
}

function timeChunks(before: StreamState, chunks: number): number[] {
  let state = before;
  return Array.from({ length: chunks }, (_, i) =>
    time(() => (state = readStream(state, { text: CHUNK[i % CHUNK.length]!, toolCalls: [] }, policy, options).state)),
  );
}

async function benchHttpChunks(): Promise<void> {
  const service = await startBenchService();
  const bare = Fastify();
  bare.post('/', () => ({
    seq: 0,
    released: '',
    tool_calls: [],
    held_chars: 0,
    findings: [],
    outcome: 'allowed',
    assessment: null,
  }));
  await bare.listen({ port: 0, host: '127.0.0.1' });
  try {
    const bareUrl = `http://127.0.0.1:${(bare.server.address() as AddressInfo).port}/`;
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const post = async (url: string, body: unknown) => {
      const res = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!res.ok) throw new Error(`${res.status} ${await res.text()}`);
      return (await res.json()) as { id: string };
    };
    console.log(
      `\nA chunk of 20 characters over HTTP, stored with fsync, ${STREAMS} streams in turn (yardstick: a bare route)\n`,
    );
    console.log('| characters before | p50 ms | p99 ms | bare p50 ms |\n| ---: | ---: | ---: | ---: |');
    for (const before of BEFORE) {
      const streams = await Promise.all(
        Array.from({ length: STREAMS }, () => post(`${service.baseUrl}/v1/assessments/streams`, { input: 'Tell me more.' })),
      );
      const urls = streams.map(({ id }) => `${service.baseUrl}/v1/assessments/streams/${id}/chunks`);
      for (const url of urls) await post(url, { seq: 0, delta: ordinaryText(before) });
      const [svc, theirs]: [number[], number[]] = [[], []];
      for (let seq = 1; seq <= CHUNKS; seq++) {
        for (const url of urls) {
          const body = { seq, delta: CHUNK[seq]! };
          svc.push(await timeAsync(() => post(url, body)));
          theirs.push(await timeAsync(() => post(bareUrl, body)));
        }
      }
      for (const url of urls) await post(url, { seq: CHUNKS + 1, final: true });
      console.log(`| ${before} | ${quantile(svc, 0.5, 2)} | ${quantile(svc, 0.99, 2)} | ${quantile(theirs, 0.5, 2)} |`);
    }
  } finally {
    await bare.close();
    await service.stop();
  }
}

/** Microseconds. */
function time(work: () => void): number {
  const startedAt = performance.now();
  work();
  return (performance.now() - startedAt) * 1_000;
}

/** Milliseconds. */
async function timeAsync(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function quantile(values: readonly number[], share: number, digits = 1): string {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)]!.toFixed(digits);
}

function mean(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(1);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}

if (import.meta.main) await benchStreams();

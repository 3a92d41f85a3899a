// How long a simulation over 10 000 stored assessments takes, beside reading the same assessments, and what it costs live traffic.

import { load, type LoadOptions } from './load.ts';
import { startBenchService } from './service.ts';
import { ordinaryText } from './texts.ts';

const ASSESSMENTS = 10_000;
const BATCH = 1_000;
const ROUNDS = 5;
const CONNECTIONS = 4;
const SECONDS = 3;
const CARD = 'My card is 4111 1111 1111 1111.';
const CANDIDATE = {
  detectors: { pii: { entities: { credit_card: 'block' } } },
  rules: [{ id: 'm', when: 'score > 0.9', outcome: 'flagged' }],
};

type Json = ReturnType<typeof JSON.parse>;

/** Prints the table. */
export async function benchSimulate(): Promise<void> {
  const service = await startBenchService();
  try {
    const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
    const send = async (method: string, path: string, body?: unknown): Promise<Json> => {
      const res = await fetch(service.baseUrl + path, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!res.ok) throw new Error(`${method} ${path}: ${res.status} ${await res.text()}`);
      return res.json();
    };
    const items = Array.from({ length: BATCH }, (_, i) => ({ input: `${ordinaryText(300)} ${i % 3 === 0 ? CARD : ''}` }));
    const record = async () => {
      for (let i = 0; i < ASSESSMENTS / BATCH; i++) await send('POST', '/v1/assessments/batch', { items });
    };
    await record();
    const simulate = async (): Promise<number> => {
      const startedAt = performance.now();
      const { id } = await send('POST', '/v1/policy/simulate', { policy: CANDIDATE, sample: { limit: ASSESSMENTS } });
      let body: Json;
      do {
        body = await send('GET', `/v1/policy/simulations/${id}`);
        if (body.state !== 'succeeded') await new Promise((resolve) => setTimeout(resolve, 20));
      } while (body.state !== 'succeeded');
      if (body.progress.done !== ASSESSMENTS) throw new Error(`simulated ${body.progress.done}`);
      return performance.now() - startedAt;
    };
    const read = async (): Promise<number> => {
      const startedAt = performance.now();
      let cursor = '';
      for (let seen = 0; seen < ASSESSMENTS;) {
        const page = await send('GET', `/v1/assessments?limit=200${cursor}`);
        seen += page.data.length;
        cursor = `&cursor=${page.next_cursor}`;
      }
      return performance.now() - startedAt;
    };
    const live: LoadOptions = {
      port: Number(new URL(service.baseUrl).port),
      path: '/v1/assessments',
      headers: { authorization: headers.authorization },
      body: JSON.stringify({ input: ordinaryText(300) }),
      connections: CONNECTIONS,
      seconds: SECONDS,
    };
    await simulate();
    const rounds: { simulateMs: number; readMs: number }[] = [];
    for (let i = 0; i < ROUNDS; i++) rounds.push({ simulateMs: await simulate(), readMs: await read() });
    const alone = await load(live);
    const over = new AbortController();
    const busy = (async () => {
      while (!over.signal.aborted) await simulate();
    })();
    const beside = await load(live);
    over.abort();
    await busy;
    await fetch(`${service.baseUrl}/v1/policy`, {
      method: 'PUT',
      headers: { ...headers, authorization: `Bearer ${service.adminKey}` },
      body: JSON.stringify({ data: { store: 'full' } }),
    });
    await record();
    const textsMs = await simulate();
    const median = (name: 'simulateMs' | 'readMs') => rounds.map((round) => round[name]).toSorted((a, b) => a - b)[ROUNDS >> 1]!;
    console.log(`\nSimulation over ${ASSESSMENTS} stored assessments, 300 characters, median of ${ROUNDS} turns\n`);
    console.log('| what | s |\n| --- | ---: |');
    console.log(`| simulate | ${(median('simulateMs') / 1_000).toFixed(2)} |`);
    console.log(`| simulate, where texts are kept: each is assessed anew (once) | ${(textsMs / 1_000).toFixed(2)} |`);
    console.log(`| read the same through GET /v1/assessments | ${(median('readMs') / 1_000).toFixed(2)} |`);
    console.log(
      `\nLive assessments, ${CONNECTIONS} connections, ${SECONDS} s\n\n| | requests/s | p50 ms | p99 ms |\n| --- | ---: | ---: | ---: |`,
    );
    for (const [name, result] of [
      ['alone', alone],
      ['beside simulations without end', beside],
    ] as const)
      console.log(
        `| ${name} | ${result.requestsPerSecond.toFixed(0)} | ${result.p50Ms.toFixed(2)} | ${result.p99Ms.toFixed(2)} |`,
      );
  } finally {
    await service.stop();
  }
}

if (import.meta.main) await benchSimulate();

// Promises of the worker pool: the same answers as on the main thread, and an answer in time whatever a thread does.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { Evaluation } from './answer.ts';
import { assess } from './assess.ts';
import { compilePolicy } from './policy/compile.ts';
import { policyDigest } from './policy/digest.ts';
import type { PolicyDocument } from './policy/document.ts';
import { createWorkerPool, WorkerPoolBusyError, type WorkerPool, type WorkerPoolOptions } from './worker-pool.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-worker-'));
const pools: WorkerPool[] = [];

afterEach(async () => {
  await Promise.all(pools.splice(0).map((pool) => pool.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A pool whose threads run `code` for every message; without `code`, the real ones. */
function poolOf(options: WorkerPoolOptions, code?: string): WorkerPool {
  const pool = code === undefined ? createWorkerPool(options) : createWorkerPool(options, scriptOf(code));
  pools.push(pool);
  return pool;
}

function scriptOf(code: string): URL {
  const path = join(folder, `${pools.length}-${Date.now()}.mjs`);
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';\nparentPort.on('message', (job) => { ${code} });\nparentPort.postMessage('ready');\n`,
  );
  return pathToFileURL(path);
}

const document: PolicyDocument = {
  custom: { patterns: [{ id: 'ticket', category: 'data.x', regex: 'TCK-[0-9]+', action: 'redact' }] },
};
const digest = policyDigest(document);
const statuses = ({ coverage }: Evaluation) => new Set(coverage.detectors.map(({ status }) => status));
const withoutTimes = (evaluation: Evaluation) => ({ ...evaluation, coverage: { ...evaluation.coverage, detectors: [] } });

test('answers as the main thread does', async () => {
  const inference = { input: `TCK-1 ${'long text '.repeat(10_000)}`, output: 'TCK-2' };
  const answer = await poolOf({ size: 1 }).assess(inference, document, 1, digest, 20_000, 0);
  expect(withoutTimes(answer)).toEqual(withoutTimes(assess(inference, compilePolicy(document, 1), { clock: () => 0, nowMs: 0 })));
  expect(answer.redacted).toMatchObject({ output: '[TICKET_2]' });
});

test('many at once are all answered, each with its own', async () => {
  const pool = poolOf({ size: 2 });
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => pool.assess({ input: `TCK-${i}` }, document, 1, digest, 20_000, 0)),
  );
  expect(answers.map(({ findings }) => findings[0]!.location.end)).toEqual(
    Array.from({ length: 30 }, (_, i) => `TCK-${i}`.length),
  );
});

test('is ready once its threads are warm, and gives no job a deadline that runs while they warm up', async () => {
  const path = join(folder, 'slow-to-warm.mjs');
  const answer = "{ outcome: 'allowed', coverage: { detectors: [] } }";
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads';
    setTimeout(() => parentPort.postMessage('ready'), 300);
    parentPort.on('message', () => parentPort.postMessage(${answer}));`,
  );
  const pool = createWorkerPool({ size: 1 }, pathToFileURL(path));
  pools.push(pool);
  // Deadline and grace together end long before the thread is warm.
  const early = await pool.assess({ input: 'x' }, document, 1, digest, 100, 0);
  expect(early.outcome).toBe('allowed');
  await pool.ready();
});

test('is ready also when its threads cannot start', async () => {
  const pool = createWorkerPool({ size: 1 }, new URL('file:///nowhere/worker.mjs'));
  pools.push(pool);
  await pool.ready();
  expect(statuses(await pool.assess({ input: 'x' }, document, 1, digest, 20_000, 0))).toContain('error');
});

describe('a thread that hangs', () => {
  const hanging =
    "if (job.inference.input === 'hang') for (;;); parentPort.postMessage({ outcome: 'allowed', coverage: { detectors: [] } });";

  test('is stopped at the deadline, and on_error decides', async () => {
    const answer = await poolOf({ size: 1 }, hanging).assess({ input: 'hang' }, document, 1, digest, 50, 0);
    expect(answer).toMatchObject({ outcome: 'flagged', coverage: { status: 'failed', chars_scanned: 0 } });
    expect(statuses(answer)).toEqual(new Set(['timed_out', 'skipped']));
  });

  test('is replaced: the next inference is answered', async () => {
    const pool = poolOf({ size: 1 }, hanging);
    await pool.assess({ input: 'hang' }, document, 1, digest, 20, 0);
    expect(await pool.assess({ input: 'fine' }, document, 1, digest, 20_000, 0)).toMatchObject({ outcome: 'allowed' });
  });

  test('holds up those behind it no longer than their own deadline', async () => {
    const pool = poolOf({ size: 1 }, hanging);
    const [first, second] = await Promise.all([
      pool.assess({ input: 'hang' }, document, 1, digest, 2_000, 0),
      pool.assess({ input: 'fine' }, document, 1, digest, 30, 0),
    ]);
    expect(statuses(second)).toEqual(new Set(['timed_out', 'skipped']));
    expect(statuses(first)).toEqual(new Set(['timed_out', 'skipped']));
  });

  test('lets only so many wait', async () => {
    const pool = poolOf({ size: 1, queueMax: 1 }, hanging);
    const running = pool.assess({ input: 'hang' }, document, 1, digest, 200, 0);
    const waiting = pool.assess({ input: 'fine' }, document, 1, digest, 20_000, 0);
    await expect(pool.assess({ input: 'fine' }, document, 1, digest, 20_000, 0)).rejects.toThrow(WorkerPoolBusyError);
    await running;
    expect(await waiting).toMatchObject({ outcome: 'allowed' });
  });
});

test('a thread that dies is answered for as an error, and replaced', async () => {
  const pool = poolOf(
    { size: 1 },
    "if (job.inference.input === 'die') throw new Error('broken'); parentPort.postMessage({ outcome: 'allowed', coverage: { detectors: [] } });",
  );
  const answer = await pool.assess({ output: 'x', input: 'die' }, document, 1, digest, 20_000, 0);
  expect(answer.outcome).toBe('blocked');
  expect(statuses(answer)).toEqual(new Set(['error', 'skipped']));
  expect(await pool.assess({ input: 'fine' }, document, 1, digest, 20_000, 0)).toMatchObject({ outcome: 'allowed' });
});

test('a closed pool answers what it had, and refuses more', async () => {
  const pool = poolOf({ size: 1 }, 'for (;;);');
  const running = pool.assess({ input: 'x' }, document, 1, digest, 20_000, 0);
  await pool.close();
  expect(statuses(await running)).toEqual(new Set(['timed_out', 'skipped']));
  await expect(pool.assess({ input: 'x' }, document, 1, digest, 20_000, 0)).rejects.toThrow('closed');
});

test('a policy that does not compile is refused', async () => {
  await expect(poolOf({ size: 1 }).assess({ input: 'x' }, { deadline_ms: 0 }, 1, 'sha256:x', 20_000, 0)).rejects.toThrow(
    'policy refused',
  );
});

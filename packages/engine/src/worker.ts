// The thread that assesses long texts, so that they never hold up the others. Started by worker-pool.ts.

import { parentPort } from 'node:worker_threads';
import { assess } from './assess.ts';
import { createPolicyCache } from './policy/cache.ts';
import { Placeholders } from './redact.ts';
import { warmUp } from './warm-up.ts';
import { READY, type WorkerAnswer, type WorkerJob } from './worker-pool.ts';

const policies = createPolicyCache();
const port = parentPort!;
warmUp();

port.on('message', ({ inference, document, version, digest, deadlineMs, nowMs, placeholders }: WorkerJob) => {
  const startedAt = performance.now();
  const policy = policies.get(document, version, digest);
  // Compiling a policy of many patterns takes its share of the caller's time.
  const leftMs = deadlineMs - (performance.now() - startedAt);
  const answer: WorkerAnswer = assess(inference, policy, {
    clock: () => performance.now(),
    nowMs,
    deadlineMs: leftMs,
    placeholders: new Placeholders(placeholders),
  });
  port.postMessage(answer);
});
port.postMessage(READY);

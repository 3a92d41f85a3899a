// The thread of tests: assesses as worker.ts does, with detectors that fail on order.

import { parentPort } from 'node:worker_threads';
import { assess } from './assess.ts';
import { compileFaultyPolicy } from './fault-injector.ts';
import { READY, type WorkerAnswer, type WorkerJob } from './worker-pool.ts';

const port = parentPort!;
// The first assessment of a thread is slow, and deadlines count from when it is ready.
assess({ input: 'Warm up.', output: 'Warm.' }, compileFaultyPolicy({}, 1), { clock: () => 0, nowMs: 0 });

port.on('message', ({ inference, document, version, deadlineMs, nowMs }: WorkerJob) => {
  const policy = compileFaultyPolicy(document, version);
  const answer: WorkerAnswer = assess(inference, policy, { clock: () => performance.now(), nowMs, deadlineMs });
  port.postMessage(answer);
});
port.postMessage(READY);

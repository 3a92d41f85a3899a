// D12: what an observation costs, and a series.

import { Monitor, type MonitorSettings } from '@svc/drift';
import { bernoulli, categories, normal, Random, take } from '@svc/simulator';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ADWIN, KSWIN, PAGE_HINKLEY } from './detectors.ts';
import { whole, type Report } from './report.ts';
import type { River } from './river.ts';
import type { Sizes } from './sizes.ts';
import { quantile } from './statistics.ts';
import { AT_ONCE, times, watch, type Values } from './watch.ts';

const BATCH = 500;
const LEARNED = 60_000;
const ROUNDS = 5;
const MONITORS = 200;
const MEMORY_OBSERVATIONS = 5_000;
const NS_MAX = 300;
const BYTES_MAX = 8_192;
const LABELS = Array.from({ length: 13 }, (_, i) => `category ${i}`);

export async function reportCost(report: Report, sizes: Sizes, river: River | null): Promise<void> {
  report.say('## Cost (D12)\n');
  report.say(
    `Nanoseconds of the processor for an observation, in batches of ${BATCH} (best of ${ROUNDS} rounds over ${whole(sizes.costObservations)} observations); the saved state of ` +
      `a series in bytes, with a full baseline; and the memory that one of ${MONITORS} monitors takes.\n`,
  );
  const rows: string[][] = [];
  const memory = inputs(MEMORY_OBSERVATIONS).map(([, kind, values]) => memoryOf(kind, values));
  for (const [i, [name, kind, values]] of inputs(sizes.costObservations).entries()) {
    const { learningNs, watchingNs } = timeMonitor(kind, values);
    const monitor = new Monitor({ kind, ...AT_ONCE });
    watch({ kind }, values.slice(0, LEARNED), { monitor });
    const bytes = monitor.save().length;
    rows.push([name, learningNs.toFixed(0), watchingNs.toFixed(0), whole(bytes), whole(memory[i]!)]);
    if (kind === 'numeric')
      report.bar('D12', 'ns for a number, in batches', watchingNs.toFixed(0), `≤ ${NS_MAX}`, watchingNs <= NS_MAX);
    report.bar('D12', `bytes saved, ${name}`, whole(bytes), `≤ ${whole(BYTES_MAX)}`, bytes <= BYTES_MAX);
  }
  report.table(['series', '>ns while learning', '>ns while watching', '>bytes saved', '>bytes in memory'], rows);
  if (river !== null) await reportTheirs(report, sizes, river);
}

function inputs(count: number): [name: string, kind: MonitorSettings['kind'], values: Values][] {
  const random = new Random('cost');
  return [
    ['numbers', 'numeric', take(normal(random), count)],
    ['rate 5 %', 'rate', take(bernoulli(random, 0.05), count)],
    ['13 categories', 'categorical', Array.from(take(categories(random), count), (value) => LABELS[value]!)],
  ];
}

function timeMonitor(kind: MonitorSettings['kind'], values: Values): { learningNs: number; watchingNs: number } {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const monitor = new Monitor({ kind, ...AT_ONCE });
    return { learning: nsOf(monitor, values, 0, LEARNED), watching: nsOf(monitor, values, LEARNED, values.length) };
  });
  return {
    learningNs: Math.min(...rounds.map(({ learning }) => learning)),
    watchingNs: Math.min(...rounds.map(({ watching }) => watching)),
  };
}

function nsOf(monitor: Monitor, values: Values, from: number, until: number): number {
  const batches = Array.from({ length: Math.ceil((until - from) / BATCH) }, (_, i) => {
    const [start, end] = [from + i * BATCH, Math.min(until, from + (i + 1) * BATCH)];
    const part = values instanceof Float64Array ? values.subarray(start, end) : values.slice(start, end);
    return { batch: start / BATCH + 1, values: part, timesMs: times(start, end, 1_000) };
  });
  // Of the processor, so that what else runs on the machine counts less.
  const before = process.cpuUsage();
  for (const batch of batches) monitor.observe(batch);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1e3) / (until - from);
}

/** Bytes of the heap and of buffers. */
function memoryOf(kind: MonitorSettings['kind'], values: Values): number {
  const used = () => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const learned = () => {
    const monitor = new Monitor({ kind, ...AT_ONCE });
    watch({ kind }, values, { monitor });
    return monitor;
  };
  learned();
  const before = used();
  const monitors = Array.from({ length: MONITORS }, learned);
  const bytes = (used() - before) / MONITORS;
  if (monitors.length !== MONITORS) throw new Error('the monitors are gone');
  return bytes;
}

/** Thrice, since buffers are freed a round later than what held them. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) collect();
}

async function reportTheirs(report: Report, { costObservations, kswinNulls }: Sizes, river: River): Promise<void> {
  const values = take(normal(new Random('cost')), costObservations / 10);
  const limit = Math.min(kswinNulls, 5_000);
  const seconds: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round++) {
    const answer = await river.run(values, [ADWIN, PAGE_HINKLEY, { ...KSWIN, limit }]);
    for (const [name, { seconds: taken }] of Object.entries(answer)) (seconds[name] ??= []).push(taken);
  }
  const ns = (name: string, count: number) => whole((quantile(seconds[name]!, 0) * 1e9) / count);
  report.say(`River ${river.version}, one number at a time from Python, the best of ${ROUNDS} rounds:\n`);
  report.table(
    ['detector', '>ns'],
    [
      [ADWIN.name, ns(ADWIN.name, values.length)],
      [PAGE_HINKLEY.name, ns(PAGE_HINKLEY.name, values.length)],
      [KSWIN.name, ns(KSWIN.name, limit)],
    ],
  );
}

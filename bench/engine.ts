// How long the engine takes: by length of an ordinary text, and for the worst text of each kind.

import { assess, compilePolicy, DEFAULT_POLICY, type Inference } from '@svc/engine';
import { ordinaryText, worstTexts } from './texts.ts';

const policy = compilePolicy(DEFAULT_POLICY, 1);
const clock = () => performance.now();

/** Median and 99th percentile of one assessment, in microseconds. */
export function timeEngine(inference: Inference, runs: number): { p50Us: number; p99Us: number; meanUs: number } {
  const times = new Float64Array(runs);
  for (let i = 0; i < runs; i++) {
    const startedAt = performance.now();
    assess(inference, policy, { clock, nowMs: 0, deadlineMs: 60_000 });
    times[i] = (performance.now() - startedAt) * 1_000;
  }
  const meanUs = times.reduce((sum, time) => sum + time, 0) / runs;
  times.sort();
  return { p50Us: times[Math.floor(runs / 2)]!, p99Us: times[Math.floor(runs * 0.99)]!, meanUs };
}

function timeParse(text: string, runs: number): number {
  const body = JSON.stringify({ input: text });
  const startedAt = performance.now();
  for (let i = 0; i < runs; i++) JSON.parse(body);
  return ((performance.now() - startedAt) * 1_000) / runs;
}

/** Prints both tables. */
export function benchEngine(): void {
  for (let i = 0; i < 3; i++) timeEngine({ input: ordinaryText(2_000) }, 2_000);
  console.log('\nEngine, ordinary text, default policy (yardstick: JSON.parse of the same body)\n');
  console.log('| characters | p50 µs | p99 µs | JSON.parse µs |\n| ---: | ---: | ---: | ---: |');
  for (const [length, runs] of [
    [100, 20_000],
    [300, 20_000],
    [1_000, 10_000],
    [2_000, 10_000],
    [10_000, 2_000],
    [64_000, 300],
  ] as const) {
    const text = ordinaryText(length);
    timeEngine({ input: text }, Math.ceil(runs / 10));
    const { p50Us, p99Us } = timeEngine({ input: text }, runs);
    console.log(`| ${length} | ${p50Us.toFixed(1)} | ${p99Us.toFixed(1)} | ${timeParse(text, runs).toFixed(1)} |`);
  }
  console.log(
    '\nEngine, worst texts of 100 000 characters (bar: 50 ms)\n\n| text | first ms | best of 5 ms |\n| --- | ---: | ---: |',
  );
  const rows = Object.entries(worstTexts(100_000)).map(([name, text]) => {
    const times = Array.from({ length: 5 }, () => timeEngine({ input: text }, 1).meanUs / 1_000);
    return { name, first: times[0]!, best: Math.min(...times) };
  });
  for (const { name, first, best } of rows.toSorted((a, b) => b.best - a.best))
    console.log(`| ${name} | ${first.toFixed(1)} | ${best.toFixed(1)} |`);
}

if (import.meta.main) benchEngine();

// What the default policy, with all its detectors, does to ordinary traffic, and how long the engine takes.

import { assess, compilePolicy, DEFAULT_POLICY, warmUp, type Evaluation, type Inference } from '@svc/engine';
import { readDataset, type Split } from './datasets.ts';
import { quantile, wilsonInterval } from './metrics.ts';
import type { LabelledRow } from './rows.ts';
import { percent, table } from './tables.ts';
import { STILL } from './tasks.ts';

export const PLACES: Readonly<Record<string, (text: string) => Inference>> = {
  input: (text) => ({ input: text }),
  output: (text) => ({ output: text }),
  context: (text) => ({ input: '', context: [{ content: text }] }),
};

const POLICY = compilePolicy(DEFAULT_POLICY, 0);

/** A table of how much ordinary traffic is flagged or blocked, with what was found in it, for each place a text may stand. */
export async function trafficReport(folder: string, split: Split): Promise<string> {
  const rows = await trafficRows(folder, split);
  return trafficTable(Object.keys(PLACES).map((place) => [place, rows.flatMap((row) => assessedAs(place, row))]));
}

/** Its lines: a place, and what the default policy makes of the texts there. */
export function trafficTable(lines: readonly [string, readonly Evaluation[]][]): string {
  const head = ['as', 'texts', 'flagged or blocked', '95 % interval', 'blocked', '95 % interval', 'texts with a finding of'];
  return table(
    head,
    lines.map(([name, evaluations]) => line(name, evaluations)),
  );
}

/** What the default policy makes of a row of ordinary traffic; nothing where the row does not belong in that place. */
export function assessedAs(place: keyof typeof PLACES, { text, category }: LabelledRow): Evaluation[] {
  // What a user asks of a model is an instruction to it, and would be out of place in a document.
  if (place === 'context' && category.startsWith('prompt:')) return [];
  return [assess(PLACES[place]!(text), POLICY, STILL)];
}

function line(name: string, evaluations: readonly Evaluation[]): string[] {
  const categories = new Map<string, number>();
  for (const { findings } of evaluations) {
    for (const category of new Set(findings.map((finding) => finding.category)))
      categories.set(category, (categories.get(category) ?? 0) + 1);
  }
  const named = [...categories].toSorted(([, a], [, b]) => b - a).map(([category, texts]) => `${category} ${texts}`);
  const alarms = evaluations.filter(({ outcome }) => outcome !== 'allowed').length;
  const blocked = evaluations.filter(({ outcome }) => outcome === 'blocked').length;
  return [
    name,
    String(evaluations.length),
    ...share(alarms, evaluations.length),
    ...share(blocked, evaluations.length),
    named.join(', '),
  ];
}

/** What ordinary traffic may cost is a few in ten thousand, so one decimal would say nothing. */
const DECIMALS = 2;

function share(hits: number, total: number): string[] {
  const { low, high } = wilsonInterval(hits, total);
  return [`${percent(hits / total, DECIMALS)} (${hits})`, `${percent(low, DECIMALS)} to ${percent(high, DECIMALS)}`];
}

const TEXT_CHARS = 2_000;
/** Every text is assessed so often; odd, so that there is one in the middle. */
const ROUNDS = 21;

/**
 * Sentences with the latency of one assessment by the default policy, of ordinary traffic put together to texts of one length.
 * The median of a text's rounds is what the engine takes for it; single rounds also hold what else the machine does.
 */
export async function latencyReport(folder: string): Promise<string> {
  const rows = await trafficRows(folder, 'dev');
  const texts = slices(rows.map(({ text }) => text).join('\n\n'));
  warmUp();
  const timesByText = texts.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) texts.forEach((text, i) => timesByText[i]!.push(timed(text)));
  const medians = timesByText.map((times) => quantile(times, 0.5) ?? 0);
  return `${texts.length} texts of ${TEXT_CHARS} characters, ${ROUNDS} times each. By the median of each text: ${inWords(medians)}. All single times: ${inWords(timesByText.flat())}.`;
}

function timed(input: string): number {
  const clock = () => performance.now();
  const startedAt = clock();
  assess({ input }, POLICY, { clock, nowMs: 0 });
  return clock() - startedAt;
}

function inWords(timesMs: readonly number[]): string {
  const at = (share: number) => (quantile(timesMs, share) ?? 0).toFixed(3);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

function slices(text: string): string[] {
  const count = Math.floor(text.length / TEXT_CHARS);
  return Array.from({ length: count }, (_, i) => text.slice(i * TEXT_CHARS, (i + 1) * TEXT_CHARS));
}

export async function trafficRows(folder: string, split: Split): Promise<LabelledRow[]> {
  const rows: LabelledRow[] = [];
  for await (const row of readDataset(folder, 'benign_traffic', split)) rows.push(row);
  return rows;
}

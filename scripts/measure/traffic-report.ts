// What the default policy, with all its detectors, does to ordinary traffic, and how long the engine takes.

import { assess, compilePolicy, DEFAULT_POLICY, warmUp, type Inference } from '@svc/engine';
import { readDataset, type Split } from './datasets.ts';
import { quantile, wilsonInterval } from './metrics.ts';
import { percent, table } from './tables.ts';
import { STILL } from './tasks.ts';

const PLACES: Readonly<Record<string, (text: string) => Inference>> = {
  input: (text) => ({ input: text }),
  output: (text) => ({ output: text }),
  context: (text) => ({ input: '', context: [{ content: text }] }),
};

const POLICY = compilePolicy(DEFAULT_POLICY, 0);

/** A table of how much ordinary traffic is flagged or blocked, with what was found in it, for each place a text may stand. */
export async function trafficReport(folder: string, split: Split): Promise<string> {
  const texts = await trafficTexts(folder, split);
  const head = ['as', 'texts', 'flagged or blocked', '95 % interval', 'blocked', '95 % interval', 'texts with a finding of'];
  return table(
    head,
    Object.entries(PLACES).map(([name, place]) => line(name, texts.map(place))),
  );
}

function line(name: string, inferences: readonly Inference[]): string[] {
  const evaluations = inferences.map((inference) => assess(inference, POLICY, STILL));
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
    String(inferences.length),
    ...share(alarms, inferences.length),
    ...share(blocked, inferences.length),
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
  const texts = slices((await trafficTexts(folder, 'dev')).join('\n\n'));
  warmUp();
  const timesByText = texts.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) texts.forEach((text, i) => timesByText[i]!.push(timed(text)));
  const medians = timesByText.map((times) => quantile(times, 0.5) ?? 0);
  return `${texts.length} texts of ${TEXT_CHARS} characters, ${ROUNDS} times each. By the median of each text: ${inWords(medians)}. All single times: ${inWords(timesByText.flat())}.`;
}

function timed(input: string): number {
  const clock = () => performance.now();
  const startedAt = clock();
  assess({ input }, POLICY, { clock });
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

async function trafficTexts(folder: string, split: Split): Promise<string[]> {
  const texts: string[] = [];
  for await (const { text } of readDataset(folder, 'benign_traffic', split)) texts.push(text);
  return texts;
}

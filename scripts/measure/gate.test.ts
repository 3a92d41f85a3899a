// The regression gate of detection: figures that no change may make worse. The bounds stand a little below what was measured when they
// were set (docs/reference/detection.md); a better engine raises them.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BESIDE_THE_REPOSITORY, readDataset } from './datasets.ts';
import { auroc, averagePrecision, limitAt, shareAbove, type Judged } from './metrics.ts';
import type { Row } from './rows.ts';
import { addCounts, countSpans, fMeasure, NO_SPANS, overlapQuality } from './spans.ts';
import { createScorer, type Task } from './tasks.ts';
import { assessedAs, trafficRows } from './traffic-report.ts';

const folder = process.env['SVC_TEST_DATASETS'] ?? BESIDE_THE_REPOSITORY;
const isThere = existsSync(join(folder, 'benign_traffic/dev.jsonl.gz'));

async function judged(task: Task, source?: string): Promise<Judged[]> {
  const score = createScorer(task);
  const results: Judged[] = [];
  for await (const row of readDataset(folder, task, 'dev')) {
    if (source === undefined || row.source === source) results.push({ score: score(row).score, isPositive: row.label === 1 });
  }
  return results;
}

async function limitOf(task: Task): Promise<number | null> {
  const score = createScorer(task);
  return limitAt(
    (await trafficRows(folder, 'dev')).map((row) => score(row).score),
    0.01,
  );
}

/** Share of positives above the limit for 1 % of ordinary traffic, and share of negatives at or below it. */
function shares(results: readonly Judged[], limit: number | null): { found: number; right: number } {
  const scores = (isPositive: boolean) => results.filter((one) => one.isPositive === isPositive).map(({ score }) => score);
  return { found: shareAbove(scores(true), limit) ?? 1, right: 1 - (shareAbove(scores(false), limit) ?? 0) };
}

// The labelled texts are not part of the repository; docs/reference/detection.md tells where they come from.
describe.skipIf(!isThere)('on the dev split of the labelled texts', () => {
  test('attacks are found at 1 % of alarms on ordinary traffic, and tempting harmless texts are left alone', async () => {
    const limit = await limitOf('prompt_injection');
    const { found, right } = shares(await judged('prompt_injection'), limit);
    expect(found).toBeGreaterThan(0.93);
    expect(right).toBeGreaterThan(0.97);
  });

  test('harm is found at 1 % of alarms on ordinary traffic, and safe texts with dangerous words are left alone', async () => {
    const results = await judged('harm');
    const { found, right } = shares(results, await limitOf('harm'));
    expect(found).toBeGreaterThan(0.67);
    expect(right).toBeGreaterThan(0.95);
    expect(averagePrecision(results)).toBeGreaterThan(0.96);
  });

  test('personal data of all types is located', async () => {
    const score = createScorer('pii');
    let counts = NO_SPANS;
    for await (const row of readDataset(folder, 'pii', 'dev')) {
      const labelled = new Set(row.spans.map(({ type }) => type));
      for (const type of labelled) {
        const of = (spans: typeof row.spans) => spans.filter((span) => span.type === type);
        counts = addCounts(counts, countSpans(of(row.spans), of(score(row).spans)));
      }
    }
    expect(fMeasure(overlapQuality(counts), 2)).toBeGreaterThan(0.7);
  });

  test('credentials are found, and look-alikes are left alone', async () => {
    const { found, right } = shares(await judged('secrets'), 0.499);
    expect(found).toBeGreaterThan(0.96);
    expect(right).toBeGreaterThan(0.98);
  });

  test.each([
    ['begin', 0.91],
    ['xquad_swap', 0.93],
  ])('answers that leave their evidence are told from those that keep to it: %s', async (source, bound) => {
    expect(auroc(await judged('groundedness', source))).toBeGreaterThan(bound);
  });

  // Over all of ordinary traffic it is less than 1 %, cross-fitted; an article on pharmacy makes this part of it harder than the rest.
  test('the default policy flags at most 1.5 % of ordinary traffic, and blocks at most 0.1 %', async () => {
    const rows = await trafficRows(folder, 'dev');
    for (const place of ['input', 'output', 'context']) {
      const outcomes = rows.flatMap((row) => assessedAs(place, row)).map(({ outcome }) => outcome);
      const share = (of: string) => outcomes.filter((outcome) => outcome === of).length / outcomes.length;
      expect(share('flagged') + share('blocked'), place).toBeLessThanOrEqual(0.015);
      expect(share('blocked'), place).toBeLessThanOrEqual(0.001);
    }
  });
});

describe("on the project's own texts", () => {
  const authored = (name: string): (Row & { label: 0 | 1 })[] =>
    readFileSync(join(import.meta.dirname, '../../training/authored', `${name}.jsonl`), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line, i) => {
        const { text, label } = JSON.parse(line) as { text: string; label: 0 | 1 };
        return { id: String(i), text, label };
      });
  const shareAt = (task: Task, rows: readonly (Row & { label: 0 | 1 })[], label: 0 | 1): number => {
    const score = createScorer(task);
    return shareAbove(
      rows.filter((row) => row.label === label).map((row) => score(row).score),
      0.5,
    )!;
  };

  // They were trained on, so they say that the engine runs the model that was trained, not how good it is.
  test.each([
    ['prompt_injection', 'injection-direct', 0.55, 1],
    ['prompt_injection', 'injection-harmless', 0, 0.03],
    ['harm', 'harm', 0.45, 0.03],
  ] as const)('%s: %s', (task, name, found, alarms) => {
    const rows = authored(name);
    if (rows.some(({ label }) => label === 1)) expect(shareAt(task, rows, 1)).toBeGreaterThan(found);
    if (rows.some(({ label }) => label === 0)) expect(shareAt(task, rows, 0)).toBeLessThan(alarms);
  });
});

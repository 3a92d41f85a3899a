// How well the scores of a task tell its positives from its negatives, and from ordinary traffic, by source.

import { readDataset, type Split } from './datasets.ts';
import { auroc, averagePrecision, limitAt, shareAbove, type Judged } from './metrics.ts';
import { decimal, percent, table } from './tables.ts';
import { createScorer, type Place, type Task } from './tasks.ts';

/** A scored row. */
export interface Result extends Judged {
  readonly source: string;
}

/** The limits that let 1 % and 5 % of ordinary traffic through to an alarm. */
export interface Limits {
  readonly onePercent: number | null;
  readonly fivePercent: number | null;
}

export const HEAD = [
  'source',
  'rows',
  'positives',
  'AUROC',
  'AUPRC',
  'AUROC, traffic',
  'AUPRC, traffic',
  'TPR at 1 %',
  'TPR at 5 %',
  'negatives right at 1 %',
];

/** A table of all sources of a task. `source`: of this one alone. Ordinary traffic is that of `dev`, whichever split is measured. */
export async function rankingReport(
  folder: string,
  task: Task,
  split: Split,
  place: Place = 'usual',
  source?: string,
): Promise<string> {
  const score = createScorer(task, place);
  const results: Result[] = [];
  for await (const row of readDataset(folder, task, split)) {
    if (source === undefined || row.source === source)
      results.push({ source: row.source, isPositive: row.label === 1, score: score(row).score });
  }
  const traffic = await trafficScores(folder, score);
  const limits = limitsOf(traffic);
  const sources = Map.groupBy(results, (result) => result.source);
  const rows = [...sources].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, own]) => line(name, own, traffic, limits));
  if (source === undefined) rows.push(line('all', results, traffic, limits));
  return `${table(HEAD, rows)}\n\n${limitsInWords(traffic, limits)}`;
}

export function line(name: string, results: readonly Result[], traffic: readonly number[], limits: Limits): string[] {
  const positives = results.filter(({ isPositive }) => isPositive);
  const positiveScores = positives.map(({ score }) => score);
  const negativeScores = results.filter(({ isPositive }) => !isPositive).map(({ score }) => score);
  const besideTraffic: Judged[] = [...positives, ...traffic.map((score) => ({ score, isPositive: false }))];
  const alarms = shareAbove(negativeScores, limits.onePercent);
  return [
    name,
    String(results.length),
    String(positives.length),
    decimal(auroc(results)),
    decimal(averagePrecision(results)),
    decimal(auroc(besideTraffic)),
    decimal(averagePrecision(besideTraffic)),
    percent(shareAbove(positiveScores, limits.onePercent)),
    percent(shareAbove(positiveScores, limits.fivePercent)),
    percent(alarms === null ? null : 1 - alarms),
  ];
}

/** The scores of ordinary traffic of `dev`, which no training ever saw. */
export async function trafficScores(folder: string, score: ReturnType<typeof createScorer>): Promise<number[]> {
  const scores: number[] = [];
  for await (const row of readDataset(folder, 'benign_traffic', 'dev')) scores.push(score(row).score);
  return scores;
}

export function limitsOf(traffic: readonly number[]): Limits {
  return { onePercent: limitAt(traffic, 0.01), fivePercent: limitAt(traffic, 0.05) };
}

function limitsInWords(traffic: readonly number[], { onePercent, fivePercent }: Limits): string {
  return `Of ${traffic.length} texts of ordinary traffic ${percent(shareAbove(traffic, onePercent))} score above ${onePercent} (the limit for 1 %), ${percent(shareAbove(traffic, fivePercent))} above ${fivePercent} (for 5 %).`;
}

// How well each source is judged by a text model that was trained without it: the figure for texts that nobody has seen before.

import type { Evaluation } from '@svc/engine';
import { readdirSync } from 'node:fs';
import { replaceTextModel } from '../../packages/engine/src/language/model.ts';
import { DatasetsError, readDataset } from './datasets.ts';
import { HEAD, limitsOf, line, trafficScores, type Result } from './ranking-report.ts';
import { table } from './tables.ts';
import { createScorer, type Task } from './tasks.ts';
import { assessedAs, PLACES, trafficRows, trafficTable } from './traffic-report.ts';

const TASKS: readonly Task[] = ['prompt_injection', 'harm'];

/**
 * Tables for the tasks of the text model, and one of ordinary traffic. `models`: a folder with a folder per model, named by the
 * sources that it was trained without, joined by `+`. Of ordinary traffic of `train`, each model is asked about the part it was
 * trained without: in order of the names, the first, second, … of every `n` texts, where there are `n` models.
 */
export async function leaveOneOutReport(folder: string, models: string): Promise<[string, string][]> {
  const names = readdirSync(models).toSorted();
  if (names.length === 0) throw new DatasetsError(`There is no model in ${models}: npm run train -- --folds makes them.`);
  const lines = new Map<Task, string[][]>(TASKS.map((task) => [task, []]));
  const evaluations = new Map<string, Evaluation[]>(Object.keys(PLACES).map((place) => [place, []]));
  const traffic = await trafficRows(folder, 'train');
  for (const [number, name] of names.entries()) {
    replaceTextModel(name, models);
    for (const task of TASKS) {
      for (const found of await linesOf(folder, task, name.replace(/^\d+-/, '').split('+'))) lines.get(task)!.push(found);
    }
    for (const [i, row] of traffic.entries()) {
      if (i % names.length !== number) continue;
      for (const [place, found] of evaluations) found.push(...assessedAs(place, row));
    }
  }
  return [
    ...TASKS.map((task): [string, string] => [
      task,
      table(
        HEAD,
        lines.get(task)!.toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
      ),
    ]),
    ['ordinary traffic under the default policy, each text by a model that never saw it', trafficTable([...evaluations])],
  ];
}

async function linesOf(folder: string, task: Task, sources: readonly string[]): Promise<string[][]> {
  const score = createScorer(task);
  const results: Result[] = [];
  for (const split of ['dev', 'train'] as const) {
    for await (const row of readDataset(folder, task, split)) {
      if (sources.includes(row.source))
        results.push({ source: row.source, isPositive: row.label === 1, score: score(row).score });
    }
  }
  if (results.length === 0) return [];
  const traffic = await trafficScores(folder, score);
  return [...Map.groupBy(results, ({ source }) => source)].map(([source, own]) => line(source, own, traffic, limitsOf(traffic)));
}

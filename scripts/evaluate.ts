// Measures the engine on labelled data and prints the figures as Markdown: `npm run -s evaluate`. What they mean: docs/reference/detection.md.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { DatasetsError, datasetsFolder, type Split } from './measure/datasets.ts';
import { leaveOneOutReport } from './measure/leave-one-out-report.ts';
import { piiReport } from './measure/pii-report.ts';
import { rankingReport } from './measure/ranking-report.ts';
import { secretsReport } from './measure/secrets-report.ts';
import { TASKS } from './measure/tasks.ts';
import { latencyReport, trafficReport } from './measure/traffic-report.ts';

const USAGE = 'usage: npm run -s evaluate -- [--split dev|train | --leave-one-out <folder of models>] [--datasets <folder>]';

const options = optionsOf(process.argv.slice(2));
if (options === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    const folder = datasetsFolder(options.datasets);
    await (options.models === undefined ? evaluate(folder, options.split) : evaluateUnseen(folder, options.models));
  } catch (error) {
    if (!(error instanceof DatasetsError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

interface Options {
  readonly split: Split;
  readonly datasets: string | undefined;
  /** A folder of models, each trained without the sources that its name lists. */
  readonly models: string | undefined;
}

function optionsOf(args: string[]): Options | null {
  const string = { type: 'string' } as const;
  try {
    const values = parseArgs({ args, options: { split: string, datasets: string, 'leave-one-out': string } }).values;
    const { split, datasets, 'leave-one-out': models } = values;
    return split === undefined || split === 'dev' || split === 'train' ? { split: split ?? 'dev', datasets, models } : null;
  } catch {
    return null;
  }
}

async function evaluate(folder: string, split: Split): Promise<void> {
  heading(`split ${split}`);
  for (const task of TASKS) {
    section(task, await rankingReport(folder, task, split));
    if (task === 'prompt_injection') {
      section('prompt_injection, texts as documents', await rankingReport(folder, task, split, 'document', 'composed_indirect'));
    }
  }
  section('pii, spans at the default threshold', await piiReport(folder, split));
  section('secrets at the default threshold', await secretsReport(folder, split));
  section('ordinary traffic under the default policy', await trafficReport(folder, split));
  section('latency of one assessment', await latencyReport(folder));
  ending();
}

async function evaluateUnseen(folder: string, models: string): Promise<void> {
  heading('each source by a model that never saw it');
  for (const [title, body] of await leaveOneOutReport(folder, models)) section(title, body);
  ending();
}

function heading(what: string): void {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`;
  console.log(`${new Date().toISOString().slice(0, 10)}, ${what}, Node ${process.version}, ${processor}`);
}

function ending(): void {
  const { user, system } = process.cpuUsage();
  console.log(`\nThis run took ${((user + system) / 1e6).toFixed(1)} s of CPU time.`);
}

function section(title: string, body: string): void {
  console.log(`\n## ${title}\n\n${body}`);
}

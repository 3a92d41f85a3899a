// Measures the engine on labelled data and prints the figures as Markdown: `npm run -s evaluate`. What they mean: docs/reference/detection.md.

import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { DatasetsError, datasetsFolder, type Split } from './measure/datasets.ts';
import { piiReport } from './measure/pii-report.ts';
import { rankingReport } from './measure/ranking-report.ts';
import { secretsReport } from './measure/secrets-report.ts';
import { hasDetector, TASKS, type Task } from './measure/tasks.ts';
import { latencyReport, trafficReport } from './measure/traffic-report.ts';

const USAGE = 'usage: npm run -s evaluate -- [--split dev|train] [--datasets <folder>]';

const options = optionsOf(process.argv.slice(2));
if (options === null) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    await evaluate(datasetsFolder(options.datasets), options.split);
  } catch (error) {
    if (!(error instanceof DatasetsError)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}

function optionsOf(args: string[]): { split: Split; datasets: string | undefined } | null {
  try {
    const { split, datasets } = parseArgs({ args, options: { split: { type: 'string' }, datasets: { type: 'string' } } }).values;
    return split === undefined || split === 'dev' || split === 'train' ? { split: split ?? 'dev', datasets } : null;
  } catch {
    return null;
  }
}

async function evaluate(folder: string, split: Split): Promise<void> {
  const processor = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown CPU'}`;
  console.log(`${new Date().toISOString().slice(0, 10)}, split ${split}, Node ${process.version}, ${processor}`);
  for (const task of TASKS) {
    section(task, await taskReport(folder, task, split));
    if (task === 'prompt_injection') {
      section('prompt_injection, texts as documents', await rankingReport(folder, task, split, 'document', 'composed_indirect'));
    }
  }
  section('pii, spans at the default threshold', await piiReport(folder, split));
  section('secrets at the default threshold', await secretsReport(folder, split));
  section('ordinary traffic under the default policy', await trafficReport(folder, split));
  section('latency of one assessment', await latencyReport(folder));
  const { user, system } = process.cpuUsage();
  console.log(`\nThis run took ${((user + system) / 1e6).toFixed(1)} s of CPU time.`);
}

async function taskReport(folder: string, task: Task, split: Split): Promise<string> {
  if (!hasDetector(task)) return 'The engine has no detector for it yet: every score is 0, and there is nothing to measure.';
  return rankingReport(folder, task, split);
}

function section(title: string, body: string): void {
  console.log(`\n## ${title}\n\n${body}`);
}

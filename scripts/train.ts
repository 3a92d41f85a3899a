// Trains the engine's models anew from the labelled texts: `npm run train -- --datasets FOLDER [MODEL…] [--folds]`.
// Python does the work, in an environment of its own under training/; what it needs is in training/requirements.txt.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const USAGE = 'usage: npm run train -- --datasets <folder> [text] [pii] [secrets] [groundedness] [--folds]';
const ROOT = join(import.meta.dirname, '..');
const TRAINING = join(ROOT, 'training');
const ENVIRONMENT = join(TRAINING, '.venv');
const PYTHON = join(ENVIRONMENT, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

/** How each model is trained. */
const MODELS: Readonly<Record<string, (datasets: string, folds: boolean) => void>> = {
  text: (datasets, folds) => run([PYTHON, 'training/text/train.py', '--datasets', datasets, ...(folds ? ['--folds'] : [])]),
  pii: (datasets) => run([PYTHON, 'training/pii/train.py', '--datasets', datasets]),
  secrets: (datasets) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-train-'));
    const clues = join(folder, 'clues.jsonl');
    run([process.execPath, 'training/secrets/extract.ts', datasets], clues);
    run([PYTHON, 'training/secrets/train.py', clues, 'packages/engine/models/secret-values']);
    rmSync(folder, { recursive: true });
  },
  groundedness: (datasets) => run([PYTHON, 'training/groundedness/train.py', datasets, '--report']),
};

main();

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { datasets: { type: 'string' }, folds: { type: 'boolean', default: false } },
  });
  const chosen = positionals.length === 0 ? Object.keys(MODELS) : positionals;
  if (values.datasets === undefined || chosen.some((name) => !Object.hasOwn(MODELS, name))) {
    console.error(USAGE);
    process.exitCode = 2;
    return;
  }
  prepareEnvironment();
  const datasets = resolve(values.datasets);
  for (const name of chosen) MODELS[name]!(datasets, values.folds);
}

function prepareEnvironment(): void {
  if (!existsSync(PYTHON)) run(['python3', '-m', 'venv', ENVIRONMENT]);
  run([PYTHON, '-m', 'pip', 'install', '--quiet', '--requirement', join(TRAINING, 'requirements.txt')]);
}

/** Runs a program to its end, its output into the file `to` where given. Ends this one with its exit code when it fails. */
function run([command = '', ...args]: string[], to?: string): void {
  console.log(`> ${[command, ...args].join(' ')}`);
  const { status, error } = spawnSync(command, args, {
    cwd: ROOT,
    stdio: ['inherit', to === undefined ? 'inherit' : openSync(to, 'w'), 'inherit'],
  });
  if (error !== undefined) console.error(error.message);
  if (status !== 0) process.exit(status ?? 1);
}

// How seldom the drift detector is wrong, how soon it is right, and what it costs: the evaluation D1 to D8 and D11 to D13 of its design, beside
// River's detectors on the same numbers.
//
//   node bench/drift.ts [--quick] [--write] [--elec <electricity.csv>] [--only cost,nulls,seasons,delays,bursts,real,replay,simulated]
//
// SVC_RIVER_PYTHON names a Python that has River; otherwise the full run installs it in a temporary virtual environment, if it can.

import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { reportBursts } from './drift/bursts.ts';
import { reportCost } from './drift/cost.ts';
import { reportDelays } from './drift/delays.ts';
import { reportNulls } from './drift/false-alarms.ts';
import { reportReal } from './drift/real.ts';
import { reportReplays } from './drift/replay.ts';
import { Report } from './drift/report.ts';
import { startRiver, type River } from './drift/river.ts';
import { reportSeasons } from './drift/seasons.ts';
import { reportSimulated } from './drift/simulated.ts';
import { FULL, QUICK, type Sizes } from './drift/sizes.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = join(ROOT, 'docs', 'reference', 'drift-evaluation.md');

type Section = (report: Report, sizes: Sizes, river: River | null, elecPath: string | null) => void | Promise<void>;

/** The cost comes first, while the heap is small. */
const SECTIONS: Readonly<Record<string, Section>> = {
  cost: reportCost,
  nulls: reportNulls,
  seasons: reportSeasons,
  delays: reportDelays,
  bursts: reportBursts,
  real: (report, _, river, elecPath) => reportReal(report, river, elecPath),
  replay: reportReplays,
  simulated: reportSimulated,
};

interface Options {
  /** A small run, without installing anything: half a minute. */
  readonly isQuick: boolean;
  /** Writes the page of the reference. */
  readonly mayWrite?: boolean;
  /** Where Elec2 is. */
  readonly elecPath?: string | null;
  /** Names of sections; null: all. */
  readonly only?: readonly string[] | null;
}

/** Prints the tables and then all bars. */
export async function benchDrift({ isQuick, mayWrite = false, elecPath = null, only = null }: Options): Promise<void> {
  const sizes = isQuick ? QUICK : FULL;
  const startedAt = performance.now();
  const river = await startRiver({ mayInstall: !isQuick });
  const theirs = typeof river === 'string' ? null : river;
  const report = new Report();
  console.log(`\nDrift detection${isQuick ? ', a small run' : ''}\n`);
  if (typeof river === 'string') report.say(`River is left out: ${river}.\n`);
  else report.say(`River ${river.version} sees the same numbers.\n`);
  try {
    for (const [name, section] of Object.entries(SECTIONS))
      if (only === null || only.includes(name)) await section(report, sizes, theirs, elecPath);
  } finally {
    await theirs?.close();
  }
  const bars = report.bars();
  console.log(['## All bars\n', ...bars].join('\n'));
  const verdict = report.missed === 0 ? 'All bars are met' : `${report.missed} bars are missed`;
  console.log(
    `${isQuick ? 'So few streams show that everything runs, and no more' : verdict}; ${minutesSince(startedAt)} minutes.`,
  );
  if (!mayWrite) return;
  writeFileSync(PAGE, pageOf(report, bars, minutesSince(startedAt)));
  // As `npm run format` would; the page is right without it too.
  spawnSync(join(ROOT, 'node_modules', '.bin', 'oxfmt'), [PAGE], { shell: process.platform === 'win32' });
}

function minutesSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 60_000).toFixed(1);
}

function pageOf(report: Report, bars: readonly string[], minutes: string): string {
  return [
    '<!-- Made by `node bench/drift.ts --write`; do not edit. -->',
    '',
    '# How well drift is detected',
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.version} on ${cpus().length} × ${cpus()[0]?.model ?? 'an unknown CPU'}, in ${minutes} minutes.`,
    'What the words mean is in the [guide](../guide/drift.md). All streams come from seeds, so the run can be repeated:',
    '',
    '```sh',
    'node bench/drift.ts            # --quick: half a minute; --write: writes this page',
    '```',
    '',
    'The bars were set before the detector was written. The detector is `@svc/drift` with default settings but where something else is said, at its lowest threshold (10⁵).',
    '',
    '## All bars',
    '',
    ...bars,
    ...report.lines(),
  ].join('\n');
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean' }, write: { type: 'boolean' }, elec: { type: 'string' }, only: { type: 'string' } },
  });
  await benchDrift({
    isQuick: values.quick === true,
    mayWrite: values.write === true,
    elecPath: values.elec ?? null,
    only: values.only?.split(',') ?? null,
  });
}

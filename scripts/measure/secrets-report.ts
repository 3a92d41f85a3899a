// How many credentials are found at the default threshold, and how many look-alikes are taken for one, by source.

import { readDataset, type Split } from './datasets.ts';
import { percent, table } from './tables.ts';
import { createScorer } from './tasks.ts';

interface Tally {
  positives: number;
  found: number;
  negatives: number;
  alarms: number;
}

/** A table of all sources. A row counts as found when a finding is left in it, wherever it stands. */
export async function secretsReport(folder: string, split: Split): Promise<string> {
  const score = createScorer('secrets');
  const tallies = new Map<string, Tally>();
  for await (const row of readDataset(folder, 'secrets', split)) {
    const isAlarm = (score(row).spans ?? []).length > 0;
    for (const name of [row.source, 'all']) {
      const tally = tallies.get(name) ?? { positives: 0, found: 0, negatives: 0, alarms: 0 };
      tallies.set(name, tally);
      count(tally, row.label === 1, isAlarm);
    }
  }
  const head = ['source', 'with a credential', 'found', 'recall', 'without', 'alarms', 'share'];
  return table(
    head,
    [...tallies].toSorted(([a], [b]) => Number(a === 'all') - Number(b === 'all') || (a < b ? -1 : 1)).map(lineOf),
  );
}

function count(tally: Tally, isPositive: boolean, isAlarm: boolean): void {
  if (isPositive) {
    tally.positives++;
    if (isAlarm) tally.found++;
  } else {
    tally.negatives++;
    if (isAlarm) tally.alarms++;
  }
}

function lineOf([name, { positives, found, negatives, alarms }]: [string, Tally]): string[] {
  const share = (part: number, whole: number) => percent(whole === 0 ? null : part / whole);
  return [
    name,
    ...[positives, found].map(String),
    share(found, positives),
    ...[negatives, alarms].map(String),
    share(alarms, negatives),
  ];
}

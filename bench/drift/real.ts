// D11: streams that nobody has made up. What truly changed in them is not known, so alarms are told and not judged.

import type { MonitorSettings } from '@svc/drift';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ADWIN } from './detectors.ts';
import { whole, type Report } from './report.ts';
import type { River } from './river.ts';
import { AT_ONCE, watch } from './watch.ts';

/** Sets of the River package that are series in time, and how many of their observations are the baseline at first. */
const SETS = [
  { file: 'shuttle.csv.gz', learnFrom: 2_000 },
  { file: 'sp500.csv.gz', learnFrom: 250 },
  { file: 'water-flow.csv', learnFrom: 300 },
] as const;

/** Nobody has licensed it for redistribution. */
const ELEC_LEARN_FROM = 2_000;

export async function reportReal(report: Report, river: River | null, elecPath: string | null): Promise<void> {
  report.say('## Streams that nobody has made up (D11)\n');
  if (river === null && elecPath === null) {
    report.say('Left out: the sets come with River, and Elec2 is read from the path of `--elec`.\n');
    return;
  }
  if (elecPath === null)
    report.say('Elec2 is left out: its licence is not stated, so it is read only from the path of `--elec`.\n');
  report.say(
    'Alarms in each numeric column, without a mark: what truly changed is not known, and much in them changes all the time.\n',
  );
  const rows: string[][] = [];
  const add = async (path: string, learnFrom: number) => {
    for (const [column, values] of Object.entries(numericColumns(path))) {
      const settings: MonitorSettings = { kind: 'numeric', learnFrom, ...AT_ONCE };
      const happened = watch(settings, values);
      const count = (kind: string) => whole(happened.filter((transition) => transition.kind === kind).length);
      const alarms = (await river?.run(values, [ADWIN]))?.[ADWIN.name]?.alarms.length ?? NaN;
      rows.push([
        basename(path),
        column,
        whole(values.length),
        count('suspected'),
        count('sustained'),
        count('recovered'),
        whole(alarms),
      ]);
    }
  };
  if (river !== null) for (const { file, learnFrom } of SETS) await add(join(river.folder, file), learnFrom);
  if (elecPath !== null) await add(elecPath, ELEC_LEARN_FROM);
  report.table(['set', 'column', '>observations', '>suspected', '>sustained', '>recovered', '>ADWIN'], rows);
}

/** The columns of a CSV file with a line of titles that hold finite numbers alone, and not only two of them. */
function numericColumns(path: string): Record<string, Float64Array> {
  const bytes = readFileSync(path);
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
  const [titles, ...lines] = text.trim().split(/\r?\n/);
  const cells = lines.map((line) => line.split(','));
  const columns = titles!.split(',').map((title, i): [string, Float64Array] => {
    const values = Float64Array.from(cells, (row) => (row[i] === undefined || row[i] === '' ? NaN : Number(row[i])));
    return [title.replaceAll('"', ''), values];
  });
  return Object.fromEntries(
    columns.filter(([, values]) => values.every(Number.isFinite) && new Set(values.subarray(0, 10_000)).size > 2),
  );
}

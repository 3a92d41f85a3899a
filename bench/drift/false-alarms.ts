// D1 and D2: alarms on streams in which nothing changes.

import type { MonitorSettings } from '@svc/drift';
import {
  ar1,
  bernoulli,
  categories,
  clustered,
  clusteredBernoulli,
  lognormal,
  normal,
  Random,
  t3,
  take,
  ties,
  type Source,
} from '@svc/simulator';
import { ADWIN, KSWIN, PAGE_HINKLEY, sustainedMaxIn, SUSPECTS_PER_MILLION_MAX } from './detectors.ts';
import type { Report } from './report.ts';
import { whole } from './report.ts';
import type { River, RiverAnswer } from './river.ts';
import type { Sizes } from './sizes.ts';
import { countIn } from './statistics.ts';
import { AT_ONCE, watch } from './watch.ts';

interface NullStream {
  readonly test: 'D1' | 'D2';
  readonly name: string;
  readonly kind: MonitorSettings['kind'];
  readonly make: (random: Random) => Source;
}

const STREAMS: readonly NullStream[] = [
  { test: 'D1', name: 'normal', kind: 'numeric', make: normal },
  { test: 'D1', name: 'lognormal', kind: 'numeric', make: (random) => lognormal(random) },
  { test: 'D1', name: 't with 3 degrees of freedom', kind: 'numeric', make: t3 },
  { test: 'D1', name: 'discrete, many ties', kind: 'numeric', make: ties },
  { test: 'D1', name: 'rate 5 %', kind: 'rate', make: (random) => bernoulli(random, 0.05) },
  { test: 'D1', name: 'rate 0.5 %', kind: 'rate', make: (random) => bernoulli(random, 0.005) },
  { test: 'D1', name: 'rate 0.05 %', kind: 'rate', make: (random) => bernoulli(random, 0.0005) },
  { test: 'D1', name: '13 categories, Zipf', kind: 'categorical', make: (random) => categories(random) },
  { test: 'D2', name: 'AR(1) ρ=.5', kind: 'numeric', make: (random) => ar1(random, 0.5) },
  { test: 'D2', name: 'AR(1) ρ=.8', kind: 'numeric', make: (random) => ar1(random, 0.8) },
  { test: 'D2', name: 'clusters of 5–20, correlated .3', kind: 'numeric', make: (random) => clustered(random) },
  { test: 'D2', name: 'rate 5 %, in clusters of 5–20', kind: 'rate', make: (random) => clusteredBernoulli(random, 0.05) },
];

const LABELS = Array.from({ length: 13 }, (_, i) => `category ${i}`);

interface Counted {
  readonly observations: number;
  readonly suspects: number;
  readonly sustained: number;
}

/** D1 and D2. */
export async function reportNulls(report: Report, sizes: Sizes, river: River | null): Promise<void> {
  report.say('## False alarms: nothing changes (D1, D2)\n');
  report.say(
    `${whole(sizes.nulls)} observations of each stream in ${sizes.nullSeries} series, each of which learns a baseline of its own; all are ` +
      `counted, those while learning too. A drift counts as sustained at once here (no time must pass); with the default it takes three minutes a block. ` +
      `"Never" never alarms and "every 20 000" always does. River's detectors: defaults, ${whole(sizes.riverNulls)} observations ` +
      `(KSWIN ${whole(sizes.kswinNulls)}), alarms in 10⁶ observations.\n`,
  );
  const rows: string[][] = [];
  for (const stream of STREAMS) {
    const theirs = river === null || stream.kind === 'categorical' ? null : await riverAlarms(stream, sizes, river);
    const counted = countNull(stream, sizes);
    rows.push(rowOf(stream, counted, theirs, sizes));
    barsOf(report, stream, counted);
  }
  report.table(
    [
      'stream',
      '>suspected',
      '>in 10⁶ (95 %)',
      '>sustained',
      '>in 10⁷ (95 %)',
      '>ADWIN',
      '>Page–Hinkley',
      '>KSWIN',
      '>never',
      '>every 20 000',
    ],
    rows,
  );
}

function countNull({ name, kind, make }: NullStream, { nulls, nullSeries }: Sizes): Counted {
  let [suspects, sustained] = [0, 0];
  const count = nulls / nullSeries;
  for (let series = 0; series < nullSeries; series++) {
    const values = take(make(new Random(`null ${name}`).fork(series)), count);
    const observed = kind === 'categorical' ? Array.from(values, (value) => LABELS[value]!) : values;
    for (const transition of watch({ kind, ...AT_ONCE }, observed)) {
      if (transition.kind === 'suspected') suspects++;
      if (transition.kind === 'sustained') sustained++;
    }
  }
  return { observations: nulls, suspects, sustained };
}

async function riverAlarms({ name, make }: NullStream, sizes: Sizes, river: River): Promise<RiverAnswer> {
  const values = take(make(new Random(`null ${name}`)), sizes.riverNulls);
  return river.run(values, [ADWIN, PAGE_HINKLEY, { ...KSWIN, limit: sizes.kswinNulls }]);
}

function rowOf({ name }: NullStream, counted: Counted, theirs: RiverAnswer | null, sizes: Sizes): string[] {
  const { suspects, sustained, observations } = counted;
  const alarms = (detector: string, count: number) =>
    theirs === null ? '–' : whole(((theirs[detector]?.alarms.length ?? NaN) * 1e6) / count);
  return [
    name,
    whole(suspects),
    countIn(suspects, observations, 1e6),
    whole(sustained),
    countIn(sustained, observations, 1e7),
    alarms(ADWIN.name, sizes.riverNulls),
    alarms(PAGE_HINKLEY.name, sizes.riverNulls),
    alarms(KSWIN.name, sizes.kswinNulls),
    '0',
    '50',
  ];
}

function barsOf(report: Report, { test, name }: NullStream, { suspects, sustained, observations }: Counted): void {
  const perMillion = (suspects * 1e6) / observations;
  const sustainedMax = sustainedMaxIn(observations);
  report.bar(
    test,
    `suspected in 10⁶, ${name}`,
    perMillion.toFixed(2),
    `≤ ${SUSPECTS_PER_MILLION_MAX}`,
    perMillion <= SUSPECTS_PER_MILLION_MAX,
  );
  report.bar(
    test,
    `sustained in ${whole(observations)}, ${name}`,
    whole(sustained),
    `≤ ${sustainedMax}`,
    sustained <= sustainedMax,
  );
}

// D3: the hour of the day and the day of the week are no drift, and do not hide one.

import type { MonitorSettings, Transition } from '@svc/drift';
import { Random, rhythm, take, weightedPicker, type Source } from '@svc/simulator';
import { ADWIN, sustainedMaxIn } from './detectors.ts';
import { percent, whole, type Report } from './report.ts';
import type { River } from './river.ts';
import type { Sizes } from './sizes.ts';
import { countIn, quantile } from './statistics.ts';
import { AT_ONCE, watch } from './watch.ts';

interface SeasonalStream {
  readonly name: string;
  readonly kind: MonitorSettings['kind'];
  readonly season: 'day' | 'week';
  readonly secondsEach: number;
  /** How it changes in the end. */
  readonly change: string;
  /** Of categories: their indices. */
  readonly valueAt: (random: Random, seconds: number, isChanged: boolean) => number;
}

/** Where hours are full of observations, and where there are nine of them in each. */
const OFTEN_S = 20;
const SELDOM_S = 400;

const pickRare = weightedPicker([96.7, 1.2, 0.5, 0.5, 0.5, 0.3, 0.2, 0.1]);
const pickRareChanged = weightedPicker([93.7, 1.2, 0.5, 3.5, 0.5, 0.3, 0.2, 0.1]);
const LABELS = Array.from({ length: 8 }, (_, i) => `category ${i}`);

const STREAMS: readonly SeasonalStream[] = [
  {
    name: 'normal ± .5 sd by day',
    kind: 'numeric',
    season: 'day',
    secondsEach: OFTEN_S,
    change: '+.5 sd',
    valueAt: (random, seconds, isChanged) => rhythm(seconds) + random.normal() + (isChanged ? 0.5 : 0),
  },
  {
    name: 'normal ± .5 sd by day, − .4 sd at weekends',
    kind: 'numeric',
    season: 'week',
    secondsEach: OFTEN_S,
    change: '+.5 sd',
    valueAt: (random, seconds, isChanged) => rhythm(seconds, { weekend: -0.4 }) + random.normal() + (isChanged ? 0.5 : 0),
  },
  {
    name: 'rate 5 %, 3 % to 8 % by day',
    kind: 'rate',
    season: 'day',
    secondsEach: OFTEN_S,
    change: 'twice the rate',
    valueAt: (random, seconds, isChanged) => (random.uniform() < 0.05 * Math.exp(rhythm(seconds)) * (isChanged ? 2 : 1) ? 1 : 0),
  },
  {
    name: 'rate .5 %, no rhythm',
    kind: 'rate',
    season: 'day',
    secondsEach: SELDOM_S,
    change: 'four times the rate',
    valueAt: (random, _, isChanged) => (random.uniform() < 0.005 * (isChanged ? 4 : 1) ? 1 : 0),
  },
  {
    name: 'categories, 7 of 8 rare, no rhythm',
    kind: 'categorical',
    season: 'day',
    secondsEach: SELDOM_S,
    change: 'one from .5 to 3.5 %',
    valueAt: (random, _, isChanged) => (isChanged ? pickRareChanged : pickRare)(random.uniform()),
  },
];

const DAY_S = 86_400;
const PERIOD_S = { day: DAY_S, week: 7 * DAY_S } as const;
/** Full hours: few long series. Nearly empty ones: a fifth of the observations in many short series, since each learns other hours by chance. */
const SERIES = 5;
const SELDOM_SERIES = 40;
const SELDOM_PART = 5;
const PER_MILLION_MAX = 2;
/** Before a change: so many periods and observations at least. */
const PERIODS_BEFORE = 4;
const BEFORE_MIN = 20_000;
const AFTER = 12_000;

export async function reportSeasons(report: Report, sizes: Sizes, river: River | null): Promise<void> {
  report.say('## The hour and the day of the week (D3)\n');
  report.say(
    `${whole(sizes.seasonObservations)} observations, one every ${OFTEN_S} seconds, in ${SERIES} series; of the last two streams ${whole(sizes.seasonObservations / SELDOM_PART)}, one every ${SELDOM_S} seconds, in ` +
      `${SELDOM_SERIES} series. Counted after two periods (days or weeks). The level moves within the hour too. "Found": ${sizes.seasonRuns} other series change after ${PERIODS_BEFORE} periods and ` +
      `${whole(BEFORE_MIN)} observations at least; observations until the suspicion and until the drift is sustained, medians, and how many were not sustained after ${whole(AFTER)}.\n`,
  );
  const rows: string[][] = [];
  for (const stream of STREAMS) rows.push(await measure(report, stream, sizes, river));
  report.table(
    [
      'stream',
      'season',
      '>observations',
      '>suspected in 10⁶ (95 %)',
      '>sustained',
      '>without season, in 10⁶',
      '>ADWIN, in 10⁶',
      'change',
      '>found',
    ],
    rows,
  );
}

async function measure(report: Report, stream: SeasonalStream, sizes: Sizes, river: River | null): Promise<string[]> {
  const { name, kind, season, secondsEach, change } = stream;
  const from = (2 * PERIOD_S[season]) / secondsEach;
  const isSeldom = secondsEach === SELDOM_S;
  const allSeries = isSeldom ? SELDOM_SERIES : SERIES;
  const count = sizes.seasonObservations / (isSeldom ? SELDOM_PART : 1) / allSeries;
  const counts = { suspected: 0, sustained: 0, plain: 0, adwin: 0 };
  for (let series = 0; series < allSeries; series++) {
    const values = take(sourceOf(stream, new Random(`season ${name}`).fork(series)), count);
    const theirs = kind === 'categorical' ? null : river?.run(values, [ADWIN]);
    const adjusted = kindsAfter(from, stream, season, values);
    counts.suspected += adjusted.filter((happened) => happened === 'suspected').length;
    counts.sustained += adjusted.filter((happened) => happened === 'sustained').length;
    counts.plain += kindsAfter(from, stream, 'none', values).filter((happened) => happened === 'suspected').length;
    counts.adwin += ((await theirs)?.[ADWIN.name]?.alarms ?? []).filter((index) => index >= from).length;
  }
  const observations = allSeries * (count - from);
  const perMillion = (alarms: number) => (alarms * 1e6) / observations;
  const found = find(stream, sizes);
  const suspected = perMillion(counts.suspected);
  const sustainedMax = sustainedMaxIn(observations);
  report.bar('D3', `suspected in 10⁶, ${name}`, suspected.toFixed(2), `≤ ${PER_MILLION_MAX}`, suspected <= PER_MILLION_MAX);
  report.bar(
    'D3',
    `sustained in ${whole(observations)}, ${name}`,
    whole(counts.sustained),
    `≤ ${sustainedMax}`,
    counts.sustained <= sustainedMax,
  );
  return [
    name,
    season,
    whole(observations),
    countIn(counts.suspected, observations, 1e6),
    whole(counts.sustained),
    perMillion(counts.plain).toFixed(1),
    river === null || kind === 'categorical' ? '–' : perMillion(counts.adwin).toFixed(1),
    change,
    `${whole(found.suspectedP50)}, ${whole(found.sustainedP50)}, miss ${percent(found.missed)}`,
  ];
}

/** `changeAt`: the index from which on it is changed. */
function sourceOf({ valueAt, secondsEach }: SeasonalStream, random: Random, changeAt = Infinity): Source {
  let index = -1;
  return () => {
    index++;
    return valueAt(random, index * secondsEach, index >= changeAt);
  };
}

/** What happened after the first `from` observations. */
function kindsAfter(from: number, stream: SeasonalStream, season: 'none' | 'day' | 'week', values: Float64Array): string[] {
  return observe(stream, season, values)
    .filter((transition) => transition.kind !== 'baselined' && transition.observation > from)
    .map(({ kind }) => kind);
}

function observe({ kind, secondsEach }: SeasonalStream, season: 'none' | 'day' | 'week', values: Float64Array): Transition[] {
  const observed = kind === 'categorical' ? Array.from(values, (value) => LABELS[value]!) : values;
  return watch({ kind, season, ...AT_ONCE }, observed, { msPerObservation: secondsEach * 1_000 });
}

/** Missed: not sustained in the observations after the change. */
function find(stream: SeasonalStream, { seasonRuns }: Sizes) {
  const { name, season, secondsEach } = stream;
  const changeAt = Math.max(BEFORE_MIN, (PERIODS_BEFORE * PERIOD_S[season]) / secondsEach);
  const delays = { suspected: [] as number[], sustained: [] as number[] };
  for (let run = 0; run < seasonRuns; run++) {
    const source = sourceOf(stream, new Random(`season found ${name}`).fork(run), changeAt);
    const happened = observe(stream, season, take(source, changeAt + AFTER));
    for (const wanted of ['suspected', 'sustained'] as const) {
      const first = happened.find((transition) => transition.kind === wanted && transition.observation > changeAt);
      delays[wanted].push(first !== undefined && 'observation' in first ? first.observation - changeAt : Infinity);
    }
  }
  return {
    suspectedP50: quantile(delays.suspected, 0.5),
    sustainedP50: quantile(delays.sustained, 0.5),
    missed: delays.sustained.filter((delay) => delay === Infinity).length / seasonRuns,
  };
}

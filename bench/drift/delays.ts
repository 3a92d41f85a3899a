// D4, D5, D7 and D8: how soon changes are found, how surely, and how well their beginning is known.

import type { Transition } from '@svc/drift';
import { Random, take } from '@svc/simulator';
import { CASES, type Case } from './cases.ts';
import { ADWIN, KSWIN, matchDetectors, PAGE_HINKLEY, MATCHED_PER_MILLION, type Matched } from './detectors.ts';
import { percent, whole, type Report } from './report.ts';
import type { River, RiverAnswer, RiverDetector } from './river.ts';
import type { Sizes } from './sizes.ts';
import { quantile } from './statistics.ts';
import { AT_ONCE, START_MS, watch } from './watch.ts';

const BEFORE = 20_000;
const AFTER = 20_000;
/** KSWIN is too slow for more. */
const KSWIN_BEFORE = 2_000;
const KSWIN_AFTER = 3_000;
const DUMMY_EVERY = 1_000;
/** What a probe sends at once that reports every half minute, one inference a second. */
const PROBE_BATCH = 30;
const SUSTAINED_MINUTES_MAX = 20;
const ONSET_SHARE_OF_DELAY_MAX = 0.25;

/** What one detector did over all streams of a case. */
class Score {
  /** Observations from the change to the first alarm after it. */
  readonly delays: number[] = [];
  runs = 0;
  /** Alarms before the change, and the streams that had one. */
  falseAlarms = 0;
  runsWithFalse = 0;

  /** `alarms`: how many observations had been seen at each. */
  add(alarms: readonly number[], changeAt: number): void {
    this.runs++;
    const early = alarms.filter((alarm) => alarm <= changeAt).length;
    this.falseAlarms += early;
    if (early > 0) this.runsWithFalse++;
    const found = alarms.find((alarm) => alarm > changeAt);
    if (found !== undefined) this.delays.push(found - changeAt);
  }

  get missed(): number {
    return (this.runs - this.delays.length) / this.runs;
  }

  /** The delay that this share of all streams does not exceed; a stream in which nothing was found counts as the longest. */
  delay(share: number): number {
    const all = [...this.delays, ...Array.from({ length: this.runs - this.delays.length }, () => Infinity)];
    return quantile(all, share);
  }

  toString(): string {
    if (this.runs === 0) return '–';
    const missed = this.missed > 0 ? `, miss ${percent(this.missed)}` : '';
    const early = this.runsWithFalse > 0 ? `, early ${percent(this.runsWithFalse / this.runs)}` : '';
    const p50 = this.delay(0.5);
    return `${Number.isFinite(p50) ? whole(p50) : 'never'}${missed}${early}`;
  }
}

interface CaseScores {
  readonly suspected: Score;
  readonly sustained: Score;
  /** Absolute errors, in observations. */
  readonly onsetErrors: number[];
  /** From the change until it counts as sustained, with the default settings and one inference a second. */
  readonly minutes: number[];
  readonly theirs: ReadonlyMap<string, Score>;
}

/** River's detectors as the table has them. */
const COLUMNS = ['ADWIN', 'ADWIN matched', 'Page–Hinkley', 'Page–Hinkley matched', 'KSWIN'] as const;
const LABELS = Array.from({ length: 14 }, (_, i) => `category ${i}`);

export async function reportDelays(report: Report, sizes: Sizes, river: River | null): Promise<void> {
  const matched = river === null ? null : await matchDetectors(river, sizes.riverNulls);
  report.say('## Delays (D4, D5)\n');
  report.say(
    `Median observations from the change to the first alarm after it, in ${sizes.runs} streams of each kind with ${whole(BEFORE)} observations before and ` +
      `${whole(AFTER)} after the change. "miss": share of the streams without an alarm after it; "early": with one before it. KSWIN sees ` +
      `${whole(KSWIN_BEFORE)} before and ${whole(KSWIN_AFTER)} after of ${sizes.kswinRuns} streams, being slow.\n`,
  );
  report.say(
    '"floor": ln 10⁵ by the information of an observation, below which the mean delay of no detector can lie by much that alarms once in 10⁵ observations, ' +
      'not even of one that knows both distributions (Lorden 1971).\n',
  );
  if (matched !== null)
    report.say(
      `"At our rate": set so that the detector alarms at most ${MATCHED_PER_MILLION} times in 10⁶ independent observations without a change, which is what ours does (D1): ` +
        `for numbers, on a normal stream, ${matched.numeric.adwin.name} and ${matched.numeric.pageHinkley.name}; for rates, at 5 %, ` +
        `${matched.rate.adwin.name} and ${matched.rate.pageHinkley.name}. These two columns alone are compared at the same rate of false alarms, and only in the rows of normal ` +
        'streams and rates: on lognormal ones they alarm far more often, see "early".\n',
    );
  report.say(
    "The bar of a third of ADWIN's delay was set against River 0.21, whose ADWIN left out the newest bucket of each row " +
      '([issue 1539](https://github.com/online-ml/river/issues/1539)) and took some three to eight times as long. River 0.22 mended that. A third of what it takes ' +
      'since then lies below the floor, where no detector with our promise can come.\n',
  );
  const scores = new Map<Case, CaseScores>();
  for (const each of CASES) scores.set(each, await measure(each, sizes, river, matched));
  report.table(
    [
      'change',
      '>suspected',
      '>p95',
      '>floor',
      '>ADWIN',
      '>ADWIN at our rate',
      '>Page–Hinkley',
      '>Page–Hinkley at our rate',
      '>KSWIN',
    ],
    [...scores].map(([{ name, information }, { suspected, theirs }]) =>
      [name, String(suspected), whole(suspected.delay(0.95)), floorText(information)].concat(
        COLUMNS.map((column) => String(theirs.get(column) ?? '–')),
      ),
    ),
  );
  for (const [each, score] of scores) barsOf(report, each, score);
  reportSustained(report, scores);
  reportEpisodes(report, scores);
}

function floorText(information: number | undefined): string {
  return information === undefined ? '–' : whole(Math.log(1e5) / information);
}

async function measure(
  each: Case,
  sizes: Sizes,
  river: River | null,
  matched: Record<'numeric' | 'rate', Matched> | null,
): Promise<CaseScores> {
  const scores: CaseScores = { suspected: new Score(), sustained: new Score(), onsetErrors: [], minutes: [], theirs: new Map() };
  const pending: Promise<void>[] = [];
  const root = new Random(`delay ${each.name}`);
  for (let run = 0; run < sizes.runs; run++) {
    const values = take(each.make(root.fork(run), BEFORE), BEFORE + AFTER);
    if (river !== null && matched !== null && each.kind !== 'categorical')
      pending.push(scoreTheirs(values, each, run, sizes, river, matched[each.kind], scores.theirs as Map<string, Score>));
    scoreOurs(values, each, scores);
    // Python works on the streams of one run while ours works on the next.
    if (pending.length > 1) await pending.shift();
  }
  await Promise.all(pending);
  return scores;
}

function scoreOurs(values: Float64Array, { kind }: Case, { suspected, sustained, onsetErrors, minutes }: CaseScores): void {
  const observed = kind === 'categorical' ? Array.from(values, (value) => LABELS[value]!) : values;
  const isEnd = (transition: Transition) => transition.kind === 'sustained' && transition.observation > BEFORE;
  const happened = watch({ kind, ...AT_ONCE }, observed, { until: isEnd });
  const suspicions = happened.filter((transition) => transition.kind === 'suspected');
  suspected.add(
    suspicions.map(({ observation }) => observation),
    BEFORE,
  );
  sustained.add(
    happened.filter((transition) => transition.kind === 'sustained').map(({ observation }) => observation),
    BEFORE,
  );
  const first = suspicions.find(({ observation }) => observation > BEFORE);
  if (first !== undefined) onsetErrors.push(Math.abs(first.onsetObservation - BEFORE));
  const paced = watch({ kind }, observed, { until: isEnd, perBatch: PROBE_BATCH }).findLast(isEnd);
  minutes.push(paced === undefined ? Infinity : (paced.atMs - (START_MS + BEFORE * 1_000)) / 60_000);
}

async function scoreTheirs(
  values: Float64Array,
  { withKswin }: Case,
  run: number,
  sizes: Sizes,
  river: River,
  { adwin, pageHinkley }: Matched,
  scores: Map<string, Score>,
): Promise<void> {
  if (run >= sizes.riverRuns) return;
  const detectors: RiverDetector[] = [
    ADWIN,
    { ...adwin, name: 'ADWIN matched' },
    PAGE_HINKLEY,
    { ...pageHinkley, name: 'Page–Hinkley matched' },
  ];
  const answer = river.run(values, detectors, BEFORE);
  const isSlow = withKswin === true && run < sizes.kswinRuns;
  const slow = isSlow
    ? river.run(values.subarray(BEFORE - KSWIN_BEFORE, BEFORE + KSWIN_AFTER), [KSWIN], KSWIN_BEFORE)
    : Promise.resolve({});
  addAll(scores, await answer, BEFORE);
  addAll(scores, await slow, KSWIN_BEFORE);
}

function addAll(scores: Map<string, Score>, answer: RiverAnswer, changeAt: number): void {
  for (const [name, { alarms }] of Object.entries(answer)) {
    if (!scores.has(name)) scores.set(name, new Score());
    // After the number at index i, i + 1 have been seen.
    scores.get(name)!.add(
      alarms.map((index) => index + 1),
      changeAt,
    );
  }
}

function barsOf(report: Report, each: Case, { suspected, sustained, onsetErrors, minutes, theirs }: CaseScores): void {
  const { name, kind, delayMax, isThirdOfAdwin, missMax, sustainedMax, onsetMax } = each;
  const p50 = suspected.delay(0.5);
  if (delayMax !== undefined) report.bar('D4', `median delay, ${name}`, whole(p50), `≤ ${whole(delayMax)}`, p50 <= delayMax);
  if (isThirdOfAdwin === true) {
    const adwin = theirs.get(ADWIN.name)?.delay(0.5);
    const isMet = adwin === undefined ? null : p50 <= adwin / 3;
    report.bar(
      'D4',
      `median delay beside ADWIN, ${name}`,
      whole(p50),
      adwin === undefined ? '–' : `≤ ${whole(adwin)} ÷ 3`,
      isMet,
    );
  }
  if (missMax !== undefined)
    report.bar('D5', `missed, ${name}`, percent(suspected.missed), `≤ ${percent(missMax)}`, suspected.missed <= missMax);
  if (sustainedMax !== undefined) {
    const p95 = sustained.delay(0.95);
    report.bar('D7', `sustained p95, ${name}`, whole(p95), `≤ ${whole(sustainedMax)}`, p95 <= sustainedMax);
    const slowest = quantile(minutes, 0.95);
    report.bar(
      'D7',
      `the same, minutes at one a second, default settings`,
      slowest.toFixed(1),
      `≤ ${SUSTAINED_MINUTES_MAX}`,
      slowest <= SUSTAINED_MINUTES_MAX,
    );
  }
  const error = quantile(onsetErrors, 0.5);
  if (onsetMax !== undefined)
    report.bar('D8', `median error of the onset, ${name}`, whole(error), `≤ ${onsetMax}`, error <= onsetMax);
  if (kind === 'rate')
    report.bar(
      'D8',
      `median error of the onset, ${name}`,
      whole(error),
      `≤ ${whole(p50)} ÷ 4`,
      error <= ONSET_SHARE_OF_DELAY_MAX * p50,
    );
}

function reportSustained(report: Report, scores: ReadonlyMap<Case, CaseScores>): void {
  report.say('## From suspicion to certainty, and the onset (D7, D8)\n');
  report.say(
    'Observations from the change until it counts as sustained, as soon as the numbers allow; minutes until then with the default settings and one ' +
      'inference a second, sent every half minute; and how far the reported onset is from the true one, in observations.\n',
  );
  report.table(
    ['change', '>suspected p50', '>sustained p50', '>p95', '>missed', '>minutes p50', '>p95', '>onset error p50', '>p95'],
    [...scores].map(([{ name }, { suspected, sustained, minutes, onsetErrors }]) => [
      name,
      whole(suspected.delay(0.5)),
      whole(sustained.delay(0.5)),
      whole(sustained.delay(0.95)),
      percent(sustained.missed),
      minutesText(quantile(minutes, 0.5)),
      minutesText(quantile(minutes, 0.95)),
      whole(quantile(onsetErrors, 0.5)),
      whole(quantile(onsetErrors, 0.95)),
    ]),
  );
}

function minutesText(minutes: number): string {
  return Number.isFinite(minutes) ? minutes.toFixed(1) : '–';
}

/** Precision over alarms and recall over changes, beside detectors that look at nothing. */
function reportEpisodes(report: Report, scores: ReadonlyMap<Case, CaseScores>): void {
  report.say('## All streams of the delays together, beside detectors that look at nothing\n');
  report.say(
    'An alarm before the change is false; of those after it the first counts, as true. Precision: true of all these alarms; recall: changes found. ' +
      `"Every ${whole(DUMMY_EVERY)}" alarms after so many observations, whatever they are.\n`,
  );
  const rows: string[][] = [];
  for (const [title, kinds] of [
    ['numbers', ['numeric']],
    ['rates', ['rate']],
  ] as const) {
    const all = [...scores].filter(([{ kind }]) => (kinds as readonly string[]).includes(kind)).map(([, each]) => each);
    const dummy = new Score();
    for (const { suspected } of all)
      for (let run = 0; run < suspected.runs; run++)
        dummy.add(
          Array.from({ length: (BEFORE + AFTER) / DUMMY_EVERY }, (_, i) => (i + 1) * DUMMY_EVERY),
          BEFORE,
        );
    const never = new Score();
    for (let run = 0; run < dummy.runs; run++) never.add([], BEFORE);
    const named: [string, Score[]][] = [
      ['ours, suspected', all.map(({ suspected }) => suspected)],
      ['ours, sustained', all.map(({ sustained }) => sustained)],
      ...['ADWIN', 'ADWIN matched', 'Page–Hinkley', 'Page–Hinkley matched'].map((name): [string, Score[]] => [
        name.replace('matched', 'at our rate'),
        all.flatMap(({ theirs }) => theirs.get(name) ?? []),
      ]),
      [`every ${whole(DUMMY_EVERY)}`, [dummy]],
      ['never', [never]],
    ];
    for (const [name, each] of named) if (each.length > 0) rows.push([title, name, ...episodeFigures(each)]);
  }
  report.table(['streams', 'detector', '>precision', '>recall', '>F1', '>false alarms in 10⁶ before the change'], rows);
}

function episodeFigures(scores: readonly Score[]): string[] {
  const sum = (of: (score: Score) => number) => scores.reduce((total, score) => total + of(score), 0);
  const found = sum(({ delays }) => delays.length);
  const early = sum(({ falseAlarms }) => falseAlarms);
  const runs = sum(({ runs }) => runs);
  const precision = found / (found + early);
  const recall = found / runs;
  const f1 = found === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return [percent(precision), percent(recall), f1.toFixed(3), ((early * 1e6) / (runs * BEFORE)).toFixed(1)];
}

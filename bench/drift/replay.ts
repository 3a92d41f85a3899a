// D13 and the restart of D12: the same observations give the same decisions, however they are cut, and across restarts.

import { Monitor, type MonitorSettings, type Transition } from '@svc/drift';
import { bernoulli, categories, normal, Random, take, type Source } from '@svc/simulator';
import { whole, type Report } from './report.ts';
import type { Sizes } from './sizes.ts';
import { AT_ONCE, times, watch, type Values } from './watch.ts';

const LABELS = Array.from({ length: 13 }, (_, i) => `category ${i}`);
const DELIVERY = 500;
/** Deliveries between two savings. */
const FLUSH = 7;
const RESTARTS = 25;

interface Replayed {
  readonly name: string;
  readonly kind: MonitorSettings['kind'];
  readonly values: Values;
}

export function reportReplays(report: Report, { replayObservations }: Sizes): void {
  report.say('## Replay and restart (D12, D13)\n');
  report.say(
    `Streams of ${whole(replayObservations)} observations that change for a while at their middle and again later. "Calls": the same deliveries handed over in ` +
      'calls of other lengths, down to single observations; decisions and the saved state must be the same to the last bit. "Deliveries": of 1 to all ' +
      `observations each; decisions must be the same. "Restarts": stopped at ${RESTARTS} random places, restored from the last saving (every ${FLUSH} deliveries) and fed ` +
      'from there.\n',
  );
  const rows: string[][] = [];
  for (const each of streams(replayObservations)) {
    const expected = replay(each, cutEvery(DELIVERY));
    const [calls, deliveries, restarts] = [
      differingCalls(each, expected),
      differingDeliveries(each),
      differingRestarts(each, expected),
    ];
    const found = expected.transitions.filter(({ kind }) => kind !== 'baselined').length;
    rows.push([
      each.name,
      whole(found),
      `${calls.differing} of ${calls.of}`,
      `${deliveries.differing} of ${deliveries.of}`,
      `${restarts.differing} of ${restarts.of}`,
    ]);
    report.bar(
      'D13',
      `calls that decide otherwise, ${each.name}`,
      `${calls.differing} of ${calls.of}`,
      '0',
      calls.differing === 0,
    );
    report.bar(
      'D13',
      `deliveries that decide otherwise, ${each.name}`,
      `${deliveries.differing} of ${deliveries.of}`,
      '0',
      deliveries.differing === 0,
    );
    report.bar(
      'D12',
      `restarts that decide otherwise, ${each.name}`,
      `${restarts.differing} of ${restarts.of}`,
      '0',
      restarts.differing === 0,
    );
  }
  report.table(['stream', '>transitions', '>calls that differ', '>deliveries that differ', '>restarts that differ'], rows);
}

function streams(count: number): Replayed[] {
  const random = new Random('replay');
  /** Changed in the sixth and the last eighth of the stream. */
  const changing = (plain: Source, changed: Source) =>
    take(plain, count).map((value, i) => (Math.floor((8 * i) / count) === 5 || i >= (7 * count) / 8 ? changed() : value));
  const own = (name: string) => random.fork(name);
  const numbers = normal(own('shifted'));
  return [
    { name: 'numbers', kind: 'numeric', values: changing(normal(own('numbers')), () => numbers() + 0.5) },
    { name: 'rate', kind: 'rate', values: changing(bernoulli(own('rate'), 0.05), bernoulli(own('higher'), 0.12)) },
    {
      name: 'categories',
      kind: 'categorical',
      values: Array.from(
        changing(
          categories(own('categories')),
          categories(
            own('flat'),
            Array.from({ length: 13 }, () => 1),
          ),
        ),
        (value) => LABELS[value]!,
      ),
    },
  ];
}

interface Outcome {
  readonly transitions: readonly Transition[];
  readonly state: Uint8Array;
}

type Cutter = (from: number, count: number) => number;

const cutEvery =
  (length: number): Cutter =>
  () =>
    length;

function cutAtRandom(random: Random): Cutter {
  return () => 1 + random.below(DELIVERY);
}

/** Deliveries of 500, each in calls as long as `cut` says. */
function replay({ kind, values }: Replayed, cut: Cutter): Outcome {
  const monitor = new Monitor({ kind, ...AT_ONCE });
  const transitions = feed(monitor, values, 0, values.length, cut);
  return { transitions, state: monitor.save() };
}

function feed(monitor: Monitor, values: Values, from: number, until: number, cut: Cutter): Transition[] {
  const transitions: Transition[] = [];
  for (let at = from; at < until;) {
    const delivery = Math.floor(at / DELIVERY);
    const to = Math.min(until, (delivery + 1) * DELIVERY, at + cut(at, until));
    const part = values instanceof Float64Array ? values.subarray(at, to) : values.slice(at, to);
    transitions.push(...monitor.observe({ batch: delivery + 1, values: part, timesMs: times(at, to, 1_000) }));
    at = to;
  }
  return transitions;
}

interface Differing {
  readonly differing: number;
  readonly of: number;
}

function differingCalls(each: Replayed, expected: Outcome): Differing {
  const cutters = [1, 2, 16, 17, 100, 499]
    .map(cutEvery)
    .concat(Array.from({ length: 6 }, (_, i) => cutAtRandom(new Random(`calls ${i}`))));
  return countDiffering(cutters, (cut) => {
    const outcome = replay(each, cut);
    return isSame(outcome.transitions, expected.transitions) && Buffer.compare(outcome.state, expected.state) === 0;
  });
}

function differingDeliveries({ kind, values }: Replayed): Differing {
  const decisions = (perBatch: number) => watch({ kind, ...AT_ONCE }, values, { perBatch }).map(placeOf);
  const expected = decisions(DELIVERY);
  return countDiffering([1, 30, 100, 333, 5_000, values.length], (perBatch) => isSame(decisions(perBatch), expected));
}

/** What was decided after which observation. */
function placeOf(transition: Transition): unknown {
  return { kind: transition.kind, at: transition.kind === 'baselined' ? transition.baseline.n : transition.observation };
}

function differingRestarts(each: Replayed, expected: Outcome): Differing {
  const random = new Random(`restarts ${each.name}`);
  const { kind, values } = each;
  const places = Array.from({ length: RESTARTS }, () => random.below(values.length)).sort((a, b) => a - b);
  // One life after another: each ends at its place, and what came after the last saving is fed to the next.
  let monitor = new Monitor({ kind, ...AT_ONCE });
  let transitions: Transition[] = [];
  let [savedAt, savedState, savedTransitions] = [0, monitor.save(), transitions];
  const saved: boolean[] = [];
  for (const place of [...places, values.length]) {
    for (let at = savedAt; at < place;) {
      const to = Math.min(place, (Math.floor(at / (FLUSH * DELIVERY)) + 1) * FLUSH * DELIVERY);
      transitions = transitions.concat(feed(monitor, values, at, to, cutEvery(DELIVERY)));
      at = to;
      if (to % (FLUSH * DELIVERY) === 0) [savedAt, savedState, savedTransitions] = [to, monitor.save(), transitions];
    }
    if (place === values.length) break;
    const before = monitor.save();
    monitor = Monitor.restore({ kind, ...AT_ONCE }, savedState);
    const again = Monitor.restore({ kind, ...AT_ONCE }, savedState);
    feed(again, values, savedAt, place, cutEvery(DELIVERY));
    saved.push(Buffer.compare(again.save(), before) === 0);
    transitions = savedTransitions;
  }
  const isEqual = isSame(transitions, expected.transitions) && Buffer.compare(monitor.save(), expected.state) === 0;
  return { differing: saved.filter((isSame) => !isSame).length + (isEqual ? 0 : 1), of: RESTARTS + 1 };
}

function countDiffering<Item>(items: readonly Item[], isAsExpected: (item: Item) => boolean): Differing {
  return { differing: items.filter((item) => !isAsExpected(item)).length, of: items.length };
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

// River's detectors as they are compared: with their defaults, and set so that they alarm as seldom as ours may.

import { bernoulli, normal, Random, take, type Source } from '@svc/simulator';
import type { River, RiverDetector } from './river.ts';

export const ADWIN: RiverDetector = { name: 'ADWIN', class: 'ADWIN', options: {} };
export const PAGE_HINKLEY: RiverDetector = { name: 'Page–Hinkley', class: 'PageHinkley', options: {} };
export const KSWIN: RiverDetector = { name: 'KSWIN', class: 'KSWIN', options: { seed: 1 } };

/** What our detector may: 10 suspicions in 10⁶ observations at the threshold 10⁵. */
export const SUSPECTS_PER_MILLION_MAX = 10;

/** How often a drift may be sustained that is none: once in 10⁷ observations. */
export function sustainedMaxIn(observations: number): number {
  return Math.ceil(observations / 1e7);
}

/** What it does on independent observations, as D1 finds: the rate at which the others are compared. */
export const MATCHED_PER_MILLION = 2;

const DELTAS = [0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2] as const;
const THRESHOLDS = [50, 75, 100, 150, 200, 300, 500] as const;

export interface Matched {
  /** As eager as that allows. */
  readonly adwin: RiverDetector;
  /** As patient as that demands: its default alarms far more often. */
  readonly pageHinkley: RiverDetector;
}

/** Detectors that alarm at most as often as ours does on streams without a change: normal ones, and a rate of 5 %. */
export async function matchDetectors(river: River, count: number): Promise<Record<'numeric' | 'rate', Matched>> {
  const numeric = await match(river, 'numeric', normal, count);
  return { numeric, rate: await match(river, 'rate', (random) => bernoulli(random, 0.05), count) };
}

async function match(river: River, kind: string, make: (random: Random) => Source, count: number): Promise<Matched> {
  const values = take(make(new Random(`match ${kind}`)), count);
  const adwins = DELTAS.map((delta): RiverDetector => ({ name: `ADWIN δ=${delta}`, class: 'ADWIN', options: { delta } }));
  const others = THRESHOLDS.map((threshold): RiverDetector => ({
    name: `Page–Hinkley ${threshold}`,
    class: 'PageHinkley',
    options: { threshold },
  }));
  const answer = await river.run(values, [...adwins, ...others]);
  const isQuiet = ({ name }: RiverDetector) => answer[name]!.alarms.length <= (MATCHED_PER_MILLION * count) / 1e6;
  return { adwin: adwins.findLast(isQuiet) ?? adwins[0]!, pageHinkley: others.find(isQuiet) ?? others.at(-1)! };
}

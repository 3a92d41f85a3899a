// The changes whose delay is measured, and the bars that the research has set for them.

import type { SignalKind } from '@svc/drift';
import {
  bernoulli,
  categories,
  changedAt,
  lognormal,
  normal,
  switchedAt,
  zipfWeights,
  type Random,
  type Source,
} from '@svc/simulator';

export interface Case {
  readonly name: string;
  readonly kind: SignalKind;
  /** Numbers, indicators, or indices of categories; the change comes at index `at`. */
  readonly make: (random: Random, at: number) => Source;
  /** Kullback and Leibler's information of an observation after the change against the stream before it, in nats, where it is known. */
  readonly information?: number;
  /** Median delay to suspicion, in observations, that may not be exceeded: that of the research's prototype and a fifth more. */
  readonly delayMax?: number;
  /** Half of the streams may alarm later than a third of what ADWIN takes; only where this is asked for. */
  readonly isThirdOfAdwin?: boolean;
  /** D5: share of the streams in which it may be missed. */
  readonly missMax?: number;
  /** D7: 95th percentile of the delay until it counts as sustained, in observations. */
  readonly sustainedMax?: number;
  /** D8: median error of the onset, in observations. */
  readonly onsetMax?: number;
  readonly withKswin?: boolean;
}

const shifted = (by: number) => (random: Random, at: number) => changedAt(normal(random), at, (value) => value + by);
const scaled = (by: number) => (random: Random, at: number) => changedAt(normal(random), at, (value) => value * by);
const grown = (by: number) => (random: Random, at: number) => changedAt(lognormal(random), at, (value) => value * by);
const rate = (from: number, to: number) => (random: Random, at: number) =>
  switchedAt(bernoulli(random, from), at, bernoulli(random, to));
const mix = (change: (weights: readonly number[]) => readonly number[]) => (random: Random, at: number) =>
  switchedAt(categories(random), at, categories(random, change(shares())));

function shares(): number[] {
  const weights = zipfWeights(13);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return weights.map((weight) => weight / sum);
}

/** The shares with one category's set, and the others in their old proportion. */
function withShare(weights: readonly number[], index: number, share: number): number[] {
  const rest = 1 - weights[index]!;
  return weights.map((weight, i) => (i === index ? share : (weight * (1 - share)) / rest));
}

const BEYOND = 1.2;

const ofShift = (by: number) => (by * by) / 2;
const ofScale = (by: number) => (by * by - 1) / 2 - Math.log(by);
const ofGrowth = (by: number) => ofShift(Math.log(by));
const ofRate = (from: number, to: number) => to * Math.log(to / from) + (1 - to) * Math.log((1 - to) / (1 - from));

export const CASES: readonly Case[] = [
  { name: 'mean +.1 sd', kind: 'numeric', make: shifted(0.1), information: ofShift(0.1), delayMax: 2_304 * BEYOND },
  {
    name: 'mean +.25 sd',
    kind: 'numeric',
    make: shifted(0.25),
    information: ofShift(0.25),
    delayMax: 426 * BEYOND,
    isThirdOfAdwin: true,
  },
  {
    name: 'mean +.5 sd',
    kind: 'numeric',
    make: shifted(0.5),
    information: ofShift(0.5),
    delayMax: 105 * BEYOND,
    isThirdOfAdwin: true,
    sustainedMax: 1_000,
    onsetMax: 15,
    withKswin: true,
  },
  {
    name: 'mean +1 sd',
    kind: 'numeric',
    make: shifted(1),
    information: ofShift(1),
    delayMax: 34 * BEYOND,
    isThirdOfAdwin: true,
    onsetMax: 15,
    withKswin: true,
  },
  {
    name: 'mean −.5 sd',
    kind: 'numeric',
    make: shifted(-0.5),
    information: ofShift(-0.5),
    delayMax: 92 * BEYOND,
    missMax: 0.05,
    onsetMax: 15,
    withKswin: true,
  },
  {
    name: 'scale ×1.5',
    kind: 'numeric',
    make: scaled(1.5),
    information: ofScale(1.5),
    delayMax: 128 * BEYOND,
    missMax: 0.05,
    withKswin: true,
  },
  { name: 'scale ×.67', kind: 'numeric', make: scaled(0.67), information: ofScale(0.67), missMax: 0.05 },
  { name: 'lognormal ×1.2', kind: 'numeric', make: grown(1.2), information: ofGrowth(1.2), delayMax: 758 * BEYOND },
  { name: 'lognormal ×1.5', kind: 'numeric', make: grown(1.5), information: ofGrowth(1.5), delayMax: 159 * BEYOND },
  {
    name: 'lognormal, 3 % of values ×20',
    kind: 'numeric',
    make: (random, at) => changedAt(lognormal(random), at, (value) => (random.uniform() < 0.03 ? 20 * value : value)),
    delayMax: 705 * BEYOND,
    missMax: 0.05,
    withKswin: true,
  },
  { name: 'rate 5→6.5 %', kind: 'rate', make: rate(0.05, 0.065), information: ofRate(0.05, 0.065), delayMax: 3_768 * BEYOND },
  { name: 'rate 5→7.5 %', kind: 'rate', make: rate(0.05, 0.075), information: ofRate(0.05, 0.075), delayMax: 1_651 * BEYOND },
  {
    name: 'rate 5→10 %',
    kind: 'rate',
    make: rate(0.05, 0.1),
    information: ofRate(0.05, 0.1),
    delayMax: 443 * BEYOND,
    isThirdOfAdwin: true,
    withKswin: true,
  },
  {
    name: 'rate 5→2.5 %',
    kind: 'rate',
    make: rate(0.05, 0.025),
    information: ofRate(0.05, 0.025),
    delayMax: 905 * BEYOND,
    missMax: 0.05,
  },
  { name: 'rate .5→1 %', kind: 'rate', make: rate(0.005, 0.01), information: ofRate(0.005, 0.01), delayMax: 3_799 * BEYOND },
  { name: 'rate .5→2 %', kind: 'rate', make: rate(0.005, 0.02), information: ofRate(0.005, 0.02), delayMax: 623 * BEYOND },
  {
    name: 'categories: a new one at 1 %',
    kind: 'categorical',
    make: mix((weights) => [...weights.map((weight) => 0.99 * weight), 0.01]),
    missMax: 0.05,
  },
  { name: 'categories: third 10→17 %', kind: 'categorical', make: mix((weights) => withShare(weights, 2, 0.17)), missMax: 0.05 },
  { name: 'categories: first 31→25 %', kind: 'categorical', make: mix((weights) => withShare(weights, 0, 0.25)), missMax: 0.05 },
  {
    name: 'categories: flatter, p^.8',
    kind: 'categorical',
    make: mix((weights) => weights.map((weight) => weight ** 0.8)),
    missMax: 0.05,
  },
];

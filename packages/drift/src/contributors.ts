// Which features carry the evidence.

import { directionOf, featureOf } from './bets.ts';
import type { Direction } from './types.ts';

/** Contributors named at most, and the least share of the evidence worth a name. */
const CONTRIBUTORS_MAX = 5;
const CONTRIBUTOR_MIN = 0.01;

export interface Contributor {
  readonly feature: number;
  readonly direction: Direction;
  readonly weight: number;
}

/** Features by their share of the evidence, strongest first; never empty. */
export function contributorsOf(logTotals: Float64Array): readonly Contributor[] {
  const top = logTotals.reduce((most, log) => Math.max(most, log), Number.NEGATIVE_INFINITY);
  const shares = new Map<string, Contributor>();
  let total = 0;
  for (const [bet, log] of logTotals.entries()) {
    const share = Math.exp(log - top);
    const feature = featureOf(bet);
    const direction = directionOf(bet);
    const key = `${feature}${direction}`;
    shares.set(key, { feature, direction, weight: (shares.get(key)?.weight ?? 0) + share });
    total += share;
  }
  return [...shares.values()]
    .map(({ feature, direction, weight }) => ({ feature, direction, weight: weight / total }))
    .sort((a, b) => b.weight - a.weight)
    .filter(({ weight }, index) => index === 0 || (index < CONTRIBUTORS_MAX && weight >= CONTRIBUTOR_MIN));
}

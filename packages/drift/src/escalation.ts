// Whether a drift that is on becomes another one: half as large again, turned round, or seen in what was as usual before.

import type { Baseline, Measured } from './baseline.ts';
import type { Expected } from './bets.ts';
import type { Confirmation, Totals } from './confirmation.ts';
import { Evidence } from './evidence.ts';
import { momentsOf } from './features.ts';
import { type Interval, meanInterval, scoreInterval, Z } from './interval.ts';
import { deviationOf } from './report.ts';
import type { StateReader, StateWriter } from './state-format.ts';
import { GROWTH, type Move } from './told.ts';

/**
 * Watches for a change as is watched before a drift, but counts as unchanged all from the baseline to one and a half times where
 * each feature was when the drift was confirmed. So the same bound on false alarms holds for a drift's successor.
 */
export class Escalation {
  readonly evidence: Evidence;
  /** While a further change is being confirmed. */
  confirmation: Confirmation | null = null;
  /** Three numbers a feature: how far down and up from the expected mean is known, and what was expected (0 for a level). */
  readonly #reach: Float64Array;

  private constructor(reach: Float64Array, evidence: Evidence) {
    this.#reach = reach;
    this.evidence = evidence;
  }

  /** `totals`: of the observations that confirmed the drift. */
  static from(baseline: Baseline, totals: Totals, betCount: number): Escalation {
    const reach = new Float64Array(3 * baseline.features.length);
    for (const [feature, measured] of baseline.measured.entries()) {
      const expected = totals.expected[feature]! / totals.n;
      const move = GROWTH * (totals.sums[feature]! / totals.n - expected);
      const level = levelOf(baseline, feature, totals);
      const down = Math.min(0, move, level.low - expected);
      const up = Math.max(0, move, level.high - expected);
      reach.set([down, up, measured.feature.kind === 'share' ? expected : 0], 3 * feature);
    }
    return new Escalation(reach, new Evidence(betCount));
  }

  /** What counts as unchanged while the drift is on. Hours that differ may shift a share by as much, or in proportion. */
  widen(expected: readonly Expected[]): readonly Expected[] {
    return expected.map(({ mean, low, high }, feature) => {
      const [down = 0, up = 0, whole = 0] = this.#reach.subarray(3 * feature, 3 * feature + 3);
      const scale = whole > 0 ? Math.max(1, mean / whole) : 1;
      const lowest = mean + scale * down;
      const highest = mean + scale * up;
      return { mean, low: Math.max(0, Math.min(low, lowest)), high: Math.min(1, Math.max(high, highest)) };
    });
  }

  /** The further change did not last, or is no news yet: it is watched for anew. */
  restart(): void {
    this.confirmation = null;
    this.evidence.reset();
  }

  write(writer: StateWriter): void {
    writer.sums(this.#reach);
    writer.flag(this.confirmation !== null);
    this.evidence.write(writer, this.confirmation === null);
    this.confirmation?.write(writer);
  }

  /** `readConfirmation` is called where a further change was being confirmed. */
  static read(reader: StateReader, featureCount: number, betCount: number, readConfirmation: () => Confirmation): Escalation {
    const reach = reader.sums(3 * featureCount);
    const isConfirming = reader.flag();
    const escalation = new Escalation(reach, Evidence.read(reader, betCount, !isConfirming));
    if (isConfirming) escalation.confirmation = readConfirmation();
    return escalation;
  }
}

/** The features whose means are surely outside what counts as unchanged. */
export function movesOf(baseline: Baseline, totals: Totals, bounds: readonly Expected[]): readonly Move[] {
  return baseline.measured.flatMap((measured, feature): readonly Move[] => {
    const expected = totals.expected[feature]! / totals.n;
    const level = levelOf(baseline, feature, totals);
    const { mean, low, high } = bounds[feature]!;
    const size = moveSize(measured, totals.sums[feature]! / totals.n - expected);
    if (level.low - expected > high - mean) return [{ feature, direction: 'up', size }];
    return level.high - expected < low - mean ? [{ feature, direction: 'down', size }] : [];
  });
}

/** The size of a difference from what is expected. */
export function moveSize(measured: Measured, difference: number): number {
  return Math.abs(difference) / deviationOf(measured);
}

/** Where a feature's true mean is during the drift. */
function levelOf(baseline: Baseline, feature: number, totals: Totals): Interval {
  const measured = baseline.measured[feature]!;
  const mean = totals.sums[feature]! / totals.n;
  const independent = Math.max(1, totals.n / measured.dependence);
  if (measured.feature.kind === 'share') return scoreInterval(mean, independent, Z);
  return meanInterval(mean, momentsOf(baseline.valuesOf(feature), totals.counts).variance, independent);
}

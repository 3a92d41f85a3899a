// D6: short bursts are no drift.

import { normal, Random, take } from '@svc/simulator';
import { percent, whole, type Report } from './report.ts';
import type { Sizes } from './sizes.ts';
import { AT_ONCE, watch } from './watch.ts';

const LEARN = 20_000;
const BETWEEN = 5_000;
const BURSTS = 19;

const KINDS = [
  { length: 200, sd: 2, shareMax: 0 },
  { length: 300, sd: 3, shareMax: 0.05 },
  { length: 400, sd: 1, shareMax: null },
] as const;

export function reportBursts(report: Report, { burstRuns }: Sizes): void {
  report.say('## Bursts (D6)\n');
  report.say(
    `${burstRuns} normal streams with ${BURSTS} bursts each, ${whole(BETWEEN)} observations apart. "At once": only the numbers decide; "default": a ` +
      'block of the confirmation takes three minutes at least, with one observation a second, delivered every half minute.\n',
  );
  const rows: string[][] = [];
  for (const { length, sd, shareMax } of KINDS) {
    const counts = { suspected: 0, atOnce: 0, byDefault: 0 };
    for (let run = 0; run < burstRuns; run++) {
      const values = withBursts(new Random(`bursts ${length} ${sd}`).fork(run), length, sd);
      const atOnce = watch({ kind: 'numeric', ...AT_ONCE }, values);
      counts.suspected += atOnce.filter(({ kind }) => kind === 'suspected').length;
      counts.atOnce += atOnce.filter(({ kind }) => kind === 'sustained').length;
      counts.byDefault += watch({ kind: 'numeric', cooldownMs: 0 }, values, { perBatch: 30 }).filter(
        ({ kind }) => kind === 'sustained',
      ).length;
    }
    const bursts = burstRuns * BURSTS;
    const what = `${length} observations, +${sd} sd`;
    rows.push([what, whole(bursts), whole(counts.suspected), whole(counts.atOnce), whole(counts.byDefault)]);
    const share = counts.atOnce / bursts;
    if (shareMax !== null)
      report.bar('D6', `bursts sustained, ${what}`, percent(share), `≤ ${percent(shareMax)}`, share <= shareMax);
  }
  report.table(['burst', '>bursts', '>suspected', '>sustained, at once', '>sustained, default'], rows);
}

function withBursts(random: Random, length: number, sd: number): Float64Array {
  const values = take(normal(random), LEARN + BURSTS * (BETWEEN + length));
  for (let burst = 0; burst < BURSTS; burst++) {
    const from = LEARN + burst * (BETWEEN + length) + BETWEEN;
    for (let i = from; i < from + length; i++) values[i]! += sd;
  }
  return values;
}

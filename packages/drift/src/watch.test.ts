import { describe, expect, it } from 'vitest';
import { Monitor } from './monitor.ts';
import { ar1, clustered, Feeder, kindsOf, randomFrom, zipf } from './testing/streams.ts';
import type { DriftReport, MonitorSettings, SignalKind, Transition } from './types.ts';

const HOUR_MS = 3_600_000;

function reportOf(transitions: readonly Transition[], kind: 'sustained' | 'recovered'): DriftReport {
  const found = transitions.find((transition) => transition.kind === kind);
  if (found?.kind !== kind) throw new Error(`nothing ${kind} among ${kindsOf(transitions).join(', ')}`);
  return found.report;
}

function watching(settings: MonitorSettings, next: () => number | string, count = 20_000): Feeder {
  const feeder = new Feeder(new Monitor(settings));
  feeder.feed(count, next);
  return feeder;
}

describe('without a change', () => {
  const streams: Record<string, (seed: number) => () => number | string> = {
    'normal values': (seed) => {
      const random = randomFrom(seed);
      return () => random.normal();
    },
    'values with many ties': (seed) => {
      const random = randomFrom(seed);
      return () => Math.floor(5 * Math.exp(random.normal() / 2));
    },
    'a rate of 5 %': (seed) => {
      const random = randomFrom(seed);
      return () => Number(random.uniform() < 0.05);
    },
    'a rate of 0.05 %': (seed) => {
      const random = randomFrom(seed);
      return () => Number(random.uniform() < 0.0005);
    },
    'thirteen labels': (seed) => zipf(randomFrom(seed)),
    'values correlated by .5': (seed) => ar1(randomFrom(seed), 0.5),
    'values correlated by .8': (seed) => ar1(randomFrom(seed), 0.8),
    'values in clusters': (seed) => clustered(randomFrom(seed)),
  };

  it.each(Object.entries(streams))('%s: at most ten suspicions in a million, and nothing sustained', (_, streamOf) => {
    const found: string[] = [];
    for (let seed = 1; seed <= 4; seed++) {
      const next = streamOf(seed);
      const kind = typeof next() === 'string' ? 'categorical' : _.startsWith('a rate') ? 'rate' : 'numeric';
      found.push(...kindsOf(new Feeder(new Monitor({ kind, blockMs: 0 }), 1).feed(60_000, next)));
    }
    // 240 000 observations: 2.4 are allowed on average, and more than 7 come with probability 0.4 %.
    expect(found.filter((kind) => kind === 'suspected').length).toBeLessThanOrEqual(7);
    expect(found).not.toContain('sustained');
  });
});

describe('a change is found', () => {
  const random = randomFrom(11);
  const normal = (): number => random.normal();
  const label = zipf(random);

  it.each<[string, SignalKind, () => number | string, () => number | string, string, string]>([
    ['a rise', 'numeric', normal, () => normal() + 0.5, 'location', 'up'],
    ['a fall', 'numeric', normal, () => normal() - 0.5, 'location', 'down'],
    ['a wider spread', 'numeric', normal, () => 1.5 * normal(), 'spread', 'up'],
    ['a narrower spread', 'numeric', normal, () => normal() / 1.5, 'spread', 'down'],
    ['a longer tail', 'numeric', normal, () => (random.uniform() < 0.05 ? 9 : normal()), 'share above p99', 'up'],
    ['a higher rate', 'rate', () => Number(random.uniform() < 0.05), () => Number(random.uniform() < 0.1), 'rate', 'up'],
    ['a lower rate', 'rate', () => Number(random.uniform() < 0.05), () => Number(random.uniform() < 0.02), 'rate', 'down'],
    ['a new label', 'categorical', label, () => (random.uniform() < 0.02 ? 'new' : label()), 'share of other labels', 'up'],
    ['a label that grows', 'categorical', label, () => (random.uniform() < 0.1 ? 'label 3' : label()), 'share of label 3', 'up'],
  ])('%s', (_, kind, before, after, feature, direction) => {
    const feeder = watching({ kind, blockMs: 0 }, before);
    const changedMs = feeder.nowMs;
    const report = reportOf(feeder.feed(15_000, after), 'sustained');
    expect(report).toMatchObject({ feature, direction });
    expect(Math.abs(report.onset - changedMs)).toBeLessThan(1_500_000);
    expect(report.evidence.log10_e).toBeGreaterThan(7);
  });

  it('and reported with what was measured after the suspicion', () => {
    const feeder = watching({ kind: 'rate', blockMs: 0 }, () => Number(random.uniform() < 0.05));
    const transitions = feeder.feed(4000, () => Number(random.uniform() < 0.15));
    const report = reportOf(transitions, 'sustained');
    expect(report.baseline.value).toBeCloseTo(0.05, 2);
    expect(report.current.ci95[0]).toBeLessThan(0.15);
    expect(report.current.ci95[1]).toBeGreaterThan(0.15);
    expect(report.effect.ratio).toBeCloseTo(report.current.value / report.baseline.value, 9);
    expect(report.effect.tolerance).toBeGreaterThan(1.09 * report.baseline.value);
    expect(report.blocks).toBeGreaterThanOrEqual(4);
    expect(report.sample_ids.length).toBe(5);
    expect(report.contributors[0]).toMatchObject({ feature: 'rate', direction: 'up' });
    expect(report.onset).toBeLessThanOrEqual(report.suspected_at);
    expect(report.suspected_at).toBeLessThan(report.sustained_at);
    expect(feeder.monitor.describe().episode).toEqual(report);
  });

  it('not reported where it lies within the tolerance', () => {
    const feeder = watching({ kind: 'rate', blockMs: 0, tolerance: 0.6 }, () => Number(random.uniform() < 0.1), 60_000);
    expect(kindsOf(feeder.feed(40_000, () => Number(random.uniform() < 0.14)))).not.toContain('sustained');
  });
});

describe('a burst', () => {
  it('of 200 observations, two standard deviations up, is never sustained', () => {
    const random = randomFrom(21);
    const feeder = watching({ kind: 'numeric', blockMs: 0 }, () => random.normal());
    const found: string[] = [];
    for (let burst = 0; burst < 20; burst++) {
      found.push(...kindsOf(feeder.feed(200, () => 2 + random.normal())));
      found.push(...kindsOf(feeder.feed(5000, () => random.normal())));
    }
    expect(found.filter((kind) => kind === 'suspected').length).toBeGreaterThanOrEqual(18);
    expect(found).not.toContain('sustained');
  });

  it('of one delivery, or of less than the time of four blocks, is not sustained, however large', () => {
    const random = randomFrom(22);
    const feeder = watching({ kind: 'numeric' }, () => random.normal());
    const { monitor, nowMs } = feeder;
    const values = Float64Array.from({ length: 5000 }, () => 3 + random.normal());
    const oneDelivery = monitor.observe({ batch: 1e6, values, timesMs: values.map((_, index) => nowMs + 1000 * index) });
    expect(kindsOf(oneDelivery)).toEqual(['suspected']);
    const restarted = watching({ kind: 'numeric' }, () => random.normal());
    const fast = new Feeder(restarted.monitor, 1);
    fast.nowMs = restarted.nowMs;
    fast.batch = restarted.batch;
    expect(kindsOf(fast.feed(100_000, () => 3 + random.normal()))).toEqual(['suspected']);
  });
});

describe('a drift that is on', () => {
  const settings: MonitorSettings = { kind: 'numeric', blockMs: 0 };

  it('ends when the series is back, and its end is reported against the same baseline', () => {
    const random = randomFrom(31);
    const feeder = watching(settings, () => random.normal());
    const started = reportOf(
      feeder.feed(3000, () => 0.5 + random.normal()),
      'sustained',
    );
    expect(feeder.monitor.state).toBe('sustained');
    const ended = reportOf(
      feeder.feed(20_000, () => random.normal()),
      'recovered',
    );
    expect(feeder.monitor.state).toBe('watching');
    expect(ended.baseline.sha256).toBe(started.baseline.sha256);
    expect(ended.recovered_at).toBeGreaterThan(ended.sustained_at);
    expect(ended.current.value).toBeLessThan(started.current.value);
  });

  it('does not end while the change stays', () => {
    const random = randomFrom(32);
    const feeder = watching(settings, () => random.normal());
    feeder.feed(3000, () => 0.3 + random.normal());
    expect(kindsOf(feeder.feed(50_000, () => 0.3 + random.normal()))).toEqual([]);
  });

  it('is reported once a day, unless the direction flips or the effect grows by half', () => {
    const random = randomFrom(33);
    const feeder = watching(settings, () => random.normal());
    const episode = (shift: number): string[] => [
      ...kindsOf(feeder.feed(4000, () => shift + random.normal())),
      ...kindsOf(feeder.feed(8000, () => random.normal())),
    ];
    const loud = ['suspected', 'sustained', 'recovered'];
    expect(episode(0.5)).toEqual(loud);
    expect(episode(0.5)).toEqual(['suspected']);
    expect(episode(1.2)).toEqual(loud);
    expect(episode(-0.5)).toEqual(loud);
    feeder.nowMs += 24 * HOUR_MS;
    expect(episode(-0.5)).toEqual(loud);
  });

  it('that came in the quiet time is reported when that is over', () => {
    const random = randomFrom(34);
    const feeder = watching(settings, () => random.normal());
    feeder.feed(4000, () => 0.5 + random.normal());
    feeder.feed(8000, () => random.normal());
    expect(kindsOf(feeder.feed(4000, () => 0.5 + random.normal()))).toEqual(['suspected']);
    feeder.nowMs += 24 * HOUR_MS;
    expect(kindsOf(feeder.feed(1000, () => 0.5 + random.normal()))).toEqual(['sustained']);
  });
});

describe('a drift that is followed by another while it is on', () => {
  const random = randomFrom(35);
  const rate = (share: number) => (): number => Number(random.uniform() < share);
  const mix = (toxic: number, attack: number) => (): string => {
    const place = random.uniform();
    if (place < toxic) return 'toxic';
    return place < toxic + attack ? 'attack' : 'none';
  };

  it('is told anew when it grows, and ends as the larger one', () => {
    const feeder = watching({ kind: 'rate', blockMs: 0 }, rate(0.05));
    expect(kindsOf(feeder.feed(10_000, rate(0.12)))).toEqual(['suspected', 'sustained']);
    const larger = feeder.feed(10_000, rate(0.9));
    expect(kindsOf(larger)).toEqual(['sustained']);
    expect(reportOf(larger, 'sustained').current.value).toBeCloseTo(0.9, 1);
    expect(kindsOf(feeder.feed(10_000, rate(0.05)))).toEqual(['recovered']);
  });

  it('is told anew when another label changes', () => {
    const feeder = watching({ kind: 'categorical', blockMs: 0 }, mix(0.02, 0.01));
    expect(reportOf(feeder.feed(20_000, mix(0.06, 0.01)), 'sustained').label).toBe('toxic');
    const other = feeder.feed(10_000, mix(0.06, 0.5));
    expect(kindsOf(other)).toEqual(['sustained']);
    expect(reportOf(other, 'sustained').label).toBe('attack');
  });

  it('is told anew when it turns round', () => {
    const feeder = watching({ kind: 'numeric', blockMs: 0 }, () => random.normal());
    feeder.feed(5000, () => 0.5 + random.normal());
    const turned = feeder.feed(5000, () => random.normal() - 1);
    expect(kindsOf(turned)).toEqual(['sustained']);
    expect(reportOf(turned, 'sustained').current.percentiles!.p50).toBeLessThan(0);
  });

  it.each(['numeric', 'rate', 'categorical'] as const)('is told once while it stays as it is (%s)', (kind) => {
    const next = { numeric: () => 0.6 + random.normal(), rate: rate(0.12), categorical: mix(0.06, 0.01) }[kind];
    const before = { numeric: () => random.normal(), rate: rate(0.05), categorical: mix(0.02, 0.01) }[kind];
    const feeder = watching({ kind, blockMs: 0 }, before);
    expect(kindsOf(feeder.feed(60_000, next))).toEqual(['suspected', 'sustained']);
  });

  it('goes on exactly after it was saved and restored, within 8 KB', () => {
    const settings: MonitorSettings = { kind: 'numeric', season: 'none', blockMs: 0 };
    const values = Array.from(
      { length: 40_000 },
      (_, index) => random.normal() + (index > 36_000 ? 2 : index > 25_000 ? 0.4 : 0),
    );
    const feedAll = (every: number): { found: Transition[]; state: Uint8Array; bytesMax: number } => {
      let monitor = new Monitor(settings);
      const found: Transition[] = [];
      let bytesMax = 0;
      for (let from = 0; from < values.length; from += every) {
        const part = Float64Array.from(values.slice(from, from + every));
        found.push(...monitor.observe({ batch: 1, values: part, timesMs: part.map((_, index) => 1000 * (from + index)) }));
        const state = monitor.save();
        bytesMax = Math.max(bytesMax, state.length);
        monitor = Monitor.restore(settings, state);
      }
      return { found, state: monitor.save(), bytesMax };
    };
    const rare = feedAll(20_000);
    const often = feedAll(37);
    expect(kindsOf(rare.found).filter((kind) => kind === 'sustained').length).toBe(2);
    expect(often.found).toEqual(rare.found);
    expect(often.state).toEqual(rare.state);
    expect(often.bytesMax).toBeLessThanOrEqual(8192);
  });
});

describe('the quiet time', () => {
  it('of one label does not silence another', () => {
    const random = randomFrom(36);
    const mix = (toxic: number, attack: number) => (): string => {
      const place = random.uniform();
      if (place < toxic) return 'toxic';
      return place < toxic + attack ? 'attack' : 'none';
    };
    const feeder = watching({ kind: 'categorical', blockMs: 0 }, mix(0.02, 0.05));
    const loud = ['suspected', 'sustained', 'recovered'];
    const episode = (toxic: number, attack: number): string[] => [
      ...kindsOf(feeder.feed(6000, mix(toxic, attack))),
      ...kindsOf(feeder.feed(8000, mix(0.02, 0.05))),
    ];
    expect(episode(0.08, 0.05)).toEqual(loud);
    expect(episode(0.02, 0.11)).toEqual(loud);
    expect(episode(0.08, 0.05)).toEqual(['suspected']);
  });

  it('is kept by a change of the same size, whatever one block of it says', () => {
    for (let seed = 1; seed <= 10; seed++) {
      const random = randomFrom(100 + seed);
      const rate = (share: number) => (): number => Number(random.uniform() < share);
      const feeder = watching({ kind: 'rate', blockMs: 0 }, rate(0.05), 10_000);
      feeder.feed(4000, rate(0.1));
      feeder.feed(8000, rate(0.05));
      expect(kindsOf(feeder.feed(30_000, rate(0.1)))).not.toContain('sustained');
    }
  });
});

describe('a new baseline', () => {
  it('holds the level that was accepted, and takes what is held of it', () => {
    const random = randomFrom(41);
    const feeder = watching({ kind: 'numeric', blockMs: 0 }, () => random.normal());
    feeder.feed(5000, () => 2 + random.normal());
    expect(feeder.monitor.rebaseline(feeder.nowMs)).toEqual([]);
    expect(feeder.monitor.state).toBe('learning');
    expect(feeder.monitor.describe().baselineNeeds).toBeLessThanOrEqual(1500);
    const transitions = feeder.feed(30_000, () => 2 + random.normal());
    expect(kindsOf(transitions)).toEqual(['baselined']);
    const { baseline } = feeder.monitor.describe();
    expect(baseline!.percentiles!.p50).toBeCloseTo(2, 0);
    expect(kindsOf(feeder.feed(3000, () => random.normal()))).toEqual(['suspected', 'sustained']);
  });

  it('is there at once where enough is held', () => {
    const random = randomFrom(42);
    const feeder = watching({ kind: 'rate', blockMs: 0, learnFrom: 400 }, () => Number(random.uniform() < 0.1));
    feeder.feed(5000, () => Number(random.uniform() < 0.3));
    const [baselined] = feeder.monitor.rebaseline(feeder.nowMs);
    expect(baselined).toMatchObject({ kind: 'baselined', baseline: { n: expect.any(Number) } });
    expect(feeder.monitor.describe().baseline!.value).toBeCloseTo(0.3, 1);
  });

  it('is said when it is first there and when it stops growing, with a digest of what decides', () => {
    const random = randomFrom(43);
    const transitions = new Feeder(new Monitor({ kind: 'numeric' })).feed(60_000, () => random.normal());
    const reports = transitions.map((transition) => (transition.kind === 'baselined' ? transition.baseline : null));
    expect(reports).toMatchObject([
      { n: 2000, frozen: false, value: 0.5 },
      { n: 50_000, frozen: true },
    ]);
    expect(reports.every((report) => /^[0-9a-f]{64}$/u.test(report!.sha256))).toBe(true);
    expect(reports[0]!.sha256).not.toBe(reports[1]!.sha256);
  });

  it('stops growing after a week even where little came', () => {
    const random = randomFrom(44);
    const transitions = new Feeder(new Monitor({ kind: 'numeric' }), 0.1 * HOUR_MS).feed(4000, () => random.normal());
    expect(transitions.at(-1)).toMatchObject({ kind: 'baselined', baseline: { frozen: true } });
  });
});

describe('what a monitor says of itself', () => {
  it('is how much is missing, how strong the evidence is, and how many observations would show a doubling', () => {
    const random = randomFrom(51);
    const monitor = new Monitor({ kind: 'rate' });
    const feeder = new Feeder(monitor);
    feeder.feed(500, () => Number(random.uniform() < 0.05));
    expect(monitor.describe()).toMatchObject({ state: 'learning', baselineNeeds: 1500, baseline: null, current: null });
    feeder.feed(30_000, () => Number(random.uniform() < 0.05));
    const { baseline, current, evidence, doublingNeeds, dependence } = monitor.describe();
    expect(baseline!.value).toBeCloseTo(0.05, 2);
    expect(current!.value).toBeCloseTo(0.05, 1);
    expect(evidence.log10_c).toBe(5);
    expect(evidence.log10_m).toBeLessThan(5);
    expect(doublingNeeds).toBeGreaterThan(300);
    expect(doublingNeeds).toBeLessThan(1500);
    expect(dependence).toBeLessThan(2);
  });

  it('is a threshold that may be set', () => {
    const monitor = new Monitor({ kind: 'rate' });
    monitor.setThreshold(1e9);
    expect(Monitor.restore({ kind: 'rate' }, monitor.save()).describe().evidence.log10_c).toBeCloseTo(9, 12);
  });
});

describe('hours that differ', () => {
  const DAY_S = 86_400;
  const STEP_MS = 20_000;
  const wave = (atMs: number): number => 0.5 * Math.sin((2 * Math.PI * atMs) / (1000 * DAY_S));

  function daily(kind: SignalKind, seed: number): { feeder: Feeder; feedDays: (days: number, shift?: number) => Transition[] } {
    const random = randomFrom(seed);
    const feeder = new Feeder(new Monitor({ kind, season: 'day', blockMs: 0 }), STEP_MS);
    const next = (shift: number): number => {
      const level = wave(feeder.nowMs) + shift;
      return kind === 'numeric' ? random.normal() + level : Number(random.uniform() < 0.05 * Math.exp(level));
    };
    return { feeder, feedDays: (days, shift = 0) => feeder.feed((days * DAY_S * 1000) / STEP_MS, () => next(shift)) };
  }

  it.each(['numeric', 'rate'] as const)('raise no alarm once two days are known (%s)', (kind) => {
    for (let seed = 61; seed < 64; seed++) {
      const { feeder, feedDays } = daily(kind, seed);
      feedDays(1.5);
      expect(feeder.monitor.describe().provisional).toBe(true);
      feedDays(1);
      expect(feeder.monitor.describe()).toMatchObject({ provisional: false, baseline: { seasonal: true } });
      expect(kindsOf(feedDays(12)).filter((found) => found !== 'baselined')).toEqual([]);
    }
  });

  it.each(['numeric', 'rate'] as const)('do not hide a change (%s)', (kind) => {
    const { feedDays } = daily(kind, 65);
    feedDays(8);
    const report = reportOf(feedDays(4, kind === 'numeric' ? 0.4 : 0.8), 'sustained');
    expect(report.direction).toBe('up');
    expect(report.provisional).toBe(false);
  });

  it('of which some saw a rare event and others not by chance raise none', () => {
    for (let seed = 71; seed < 77; seed++) {
      const random = randomFrom(seed);
      const rare = (): string => (random.uniform() < 0.005 ? 'rare' : random.uniform() < 0.01 ? 'seldom' : 'usual');
      const feeder = new Feeder(new Monitor({ kind: 'categorical', season: 'day', blockMs: 0 }), 20 * STEP_MS);
      expect(kindsOf(feeder.feed(30_000, rare))).not.toContain('suspected');
    }
  });

  it('do raise one where they are not told apart', () => {
    const random = randomFrom(66);
    const feeder = new Feeder(new Monitor({ kind: 'numeric', blockMs: 0 }), STEP_MS);
    expect(kindsOf(feeder.feed(40_000, () => random.normal() + wave(feeder.nowMs)))).toContain('suspected');
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Monitor } from './monitor.ts';
import { StateError } from './state-format.ts';
import { Feeder, kindsOf, packed, randomFrom, zipf } from './testing/streams.ts';
import type { MonitorSettings, SignalKind, Transition } from './types.ts';

const HOUR_MS = 3_600_000;

/** A stream with a change in its second half, of each kind. */
function streamOf(kind: SignalKind, seed: number, length: number): (number | string)[] {
  const random = randomFrom(seed);
  const label = zipf(random);
  return Array.from({ length }, (_, index) => {
    const isChanged = index > 0.5 * length && index < 0.8 * length;
    if (kind === 'numeric') return random.normal() + (isChanged ? 1 : 0);
    if (kind === 'rate') return random.uniform() < (isChanged ? 0.3 : 0.1) ? 1 : 0;
    return isChanged && random.uniform() < 0.2 ? '__proto__' : label();
  });
}

/** Feeds what is given in calls that end at these indexes, all of one delivery where `isOneDelivery`. */
function feed(monitor: Monitor, values: readonly (number | string)[], ends: readonly number[], stepMs: number): Transition[] {
  const transitions: Transition[] = [];
  let from = 0;
  for (const to of [...ends.toSorted((a, b) => a - b), values.length]) {
    const timesMs = Float64Array.from({ length: to - from }, (_, index) => (from + index) * stepMs);
    const ids = Array.from({ length: to - from }, (_, index) => `evt_${from + index}`);
    transitions.push(...monitor.observe({ batch: 1, values: packed(values.slice(from, to)), timesMs, ids }));
    from = to;
  }
  return transitions;
}

const KINDS: readonly SignalKind[] = ['numeric', 'rate', 'categorical'];
const LENGTH = 6000;

describe.each(KINDS)('a %s monitor', (kind) => {
  const settings: MonitorSettings = { kind, blockMs: 0, learnFrom: 500, learnUntil: 1500 };
  const seasonal: MonitorSettings = { ...settings, season: 'day' };
  const ends = fc.array(fc.integer({ min: 0, max: LENGTH }), { maxLength: 12 });
  const stream = streamOf(kind, 7, LENGTH);
  const whole = new Monitor(settings);
  const expected = feed(whole, stream, [], 1000);

  it('finds, follows and ends a change', () => {
    expect(kindsOf(expected)).toEqual(['baselined', 'suspected', 'sustained', 'recovered']);
  });

  it('decides the same, to the last byte of its state, however the stream is cut into calls', () => {
    fc.assert(
      fc.property(ends, (cuts) => {
        const monitor = new Monitor(settings);
        expect(feed(monitor, stream, cuts, 1000)).toEqual(expected);
        expect(monitor.save()).toEqual(whole.save());
      }),
      { numRuns: 15 },
    );
  });

  it.each([
    ['without a season', settings, 1000],
    ['with one', seasonal, 60_000],
  ])('goes on as if nothing had been after it was saved and restored anywhere, %s', (_, chosen, stepMs) => {
    const uninterrupted = new Monitor(chosen);
    const transitions = feed(uninterrupted, stream, [], stepMs);
    fc.assert(
      fc.property(ends, (cuts) => {
        let monitor = new Monitor(chosen);
        const found: Transition[] = [];
        let from = 0;
        for (const to of [...cuts.toSorted((a, b) => a - b), LENGTH]) {
          const timesMs = Float64Array.from({ length: to - from }, (__, index) => (from + index) * stepMs);
          const ids = Array.from({ length: to - from }, (__, index) => `evt_${from + index}`);
          found.push(...monitor.observe({ batch: 1, values: packed(stream.slice(from, to)), timesMs, ids }));
          const state = monitor.save();
          monitor = Monitor.restore(chosen, state);
          expect(monitor.save()).toEqual(state);
          from = to;
        }
        expect(found).toEqual(transitions);
        expect(monitor.save()).toEqual(uninterrupted.save());
        expect(monitor.describe()).toEqual(uninterrupted.describe());
      }),
      { numRuns: 15 },
    );
  });

  it('has the same baseline after it was restored while that grew, hours told apart or not', () => {
    for (const [chosen, stepMs] of [
      [{ kind, learnFrom: 500 }, 1000],
      [{ kind, season: 'day', learnFrom: 500 }, 30_000],
    ] as const) {
      const steady = streamOf(kind, 9, 40_000).slice(0, 20_000);
      const uninterrupted = new Monitor(chosen);
      feed(uninterrupted, steady, [], stepMs);
      let monitor = new Monitor(chosen);
      for (let from = 0; from < steady.length; from += 2500) {
        const timesMs = Float64Array.from({ length: 2500 }, (_, index) => (from + index) * stepMs);
        const ids = Array.from({ length: 2500 }, (_, index) => `evt_${from + index}`);
        monitor.observe({ batch: 1, values: packed(steady.slice(from, from + 2500)), timesMs, ids });
        monitor = Monitor.restore(chosen, monitor.save());
      }
      expect(monitor.describe().baseline!.n).toBeGreaterThan(5000);
      expect(monitor.save()).toEqual(uninterrupted.save());
    }
  });

  it('refuses a state that is cut short, of another kind, or not a state at all', () => {
    const state = whole.save();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: state.length - 1 }), (length) => {
        expect(() => Monitor.restore(settings, state.subarray(0, length))).toThrow(StateError);
      }),
      { numRuns: 50 },
    );
    const other = kind === 'rate' ? 'numeric' : 'rate';
    expect(() => Monitor.restore({ ...settings, kind: other }, state)).toThrow(StateError);
    expect(() => Monitor.restore(seasonal, state)).toThrow(StateError);
    expect(() => Monitor.restore(settings, new TextEncoder().encode('{"state": "watching"}'))).toThrow(StateError);
  });

  it('never breaks on a state whose bytes were changed: it is refused, or it goes on', () => {
    const state = whole.save();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: state.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const changed = state.slice();
        changed[at] = byte;
        let monitor;
        try {
          monitor = Monitor.restore(settings, changed);
        } catch (error) {
          expect(error).toSatisfy((thrown) => thrown instanceof StateError || thrown instanceof RangeError);
          return;
        }
        monitor.describe();
      }),
      { numRuns: 300 },
    );
  });

  it('takes 100 000 observations in one call, and none', () => {
    const monitor = new Monitor({ kind });
    expect(monitor.observe({ batch: 1, values: packed([]), timesMs: new Float64Array(0) })).toEqual([]);
    feed(monitor, streamOf(kind, 3, 100_000), [], 100);
    expect(monitor.observations).toBe(100_000);
  });
});

describe('the size of a saved numeric monitor', () => {
  it('is at most 8 KB in every state, the season of a day included', () => {
    for (const season of ['none', 'day'] as const) {
      const random = randomFrom(1);
      const monitor = new Monitor({ kind: 'numeric', season, blockMs: 0 });
      const feeder = new Feeder(monitor, 40_000);
      const states = new Set<string>();
      for (let hundred = 0; hundred < 200; hundred++) {
        feeder.feed(100, () => 1000 * random.normal() + (hundred > 150 ? 1500 : 0));
        states.add(monitor.state);
        expect(monitor.save().length).toBeLessThanOrEqual(8192);
      }
      expect(states).toContain('sustained');
    }
  });
});

describe('observations', () => {
  const at = Float64Array.of(1);

  it.each([
    ['NaN', 'numeric', Float64Array.of(Number.NaN)],
    ['an infinite number', 'numeric', Float64Array.of(Infinity)],
    ['a label in a numeric series', 'numeric', ['1']],
    ['a rate of one half', 'rate', Float64Array.of(0.5)],
    ['a number in a categorical series', 'categorical', Float64Array.of(1)],
    ['more values than times', 'numeric', Float64Array.of(1, 2)],
  ] as const)('that are %s are refused before any is taken in', (_, kind, values) => {
    const monitor = new Monitor({ kind });
    expect(() => monitor.observe({ batch: 1, values, timesMs: at })).toThrow(RangeError);
    expect(() => monitor.observe({ batch: 1, values: packed([]), timesMs: at })).toThrow(RangeError);
    expect(monitor.observations).toBe(0);
  });

  it('without a time are refused', () => {
    const timesMs = Float64Array.of(Number.NaN);
    expect(() => new Monitor({ kind: 'numeric' }).observe({ batch: 1, values: Float64Array.of(1), timesMs })).toThrow(RangeError);
  });

  it('that are far behind are counted and not used; those a little behind are used', () => {
    const monitor = new Monitor({ kind: 'numeric', lateMs: 60_000 });
    const timesMs = Float64Array.of(0, HOUR_MS, HOUR_MS - 60_000, HOUR_MS - 60_001, HOUR_MS);
    monitor.observe({ batch: 1, values: new Float64Array(5), timesMs });
    expect({ used: monitor.observations, late: monitor.late }).toEqual({ used: 4, late: 1 });
  });
});

describe('a setting out of bounds', () => {
  it.each([
    { tolerance: -1 },
    { learnFrom: 10 },
    { learnFrom: 1e6 },
    { blockMs: Number.NaN },
    { season: 'year' },
    { kind: 'text' },
  ])('is refused: %o', (setting) => {
    expect(() => new Monitor({ kind: 'rate', ...setting } as MonitorSettings)).toThrow(RangeError);
  });

  it('is a threshold below 1 or beyond 1e100', () => {
    const monitor = new Monitor({ kind: 'rate' });
    for (const c of [0, Number.NaN, Infinity, 1e101]) expect(() => monitor.setThreshold(c)).toThrow(RangeError);
  });
});

describe('odd baselines', () => {
  function afterBaseline(kind: SignalKind, baseline: () => number | string, next: () => number | string): Transition[] {
    const feeder = new Feeder(new Monitor({ kind, blockMs: 0 }));
    feeder.feed(3000, baseline);
    return feeder.feed(3000, next);
  }

  it('of one value: the same is no change, another is', () => {
    expect(
      kindsOf(
        afterBaseline(
          'numeric',
          () => 7,
          () => 7,
        ),
      ),
    ).not.toContain('suspected');
    expect(
      kindsOf(
        afterBaseline(
          'numeric',
          () => 7,
          () => 7.1,
        ),
      ),
    ).toContain('sustained');
    expect(
      kindsOf(
        afterBaseline(
          'numeric',
          () => 0,
          () => -1e308,
        ),
      ),
    ).toContain('sustained');
  });

  it('of two values: a third is found', () => {
    const random = randomFrom(3);
    const two = (): number => (random.uniform() < 0.5 ? 0 : 1);
    expect(kindsOf(afterBaseline('numeric', two, two))).not.toContain('suspected');
    expect(kindsOf(afterBaseline('numeric', two, () => 2))).toContain('sustained');
  });

  it('of the greatest numbers there are', () => {
    const random = randomFrom(4);
    const huge = (): number => (random.uniform() < 0.5 ? -1 : 1) * 1e308 * random.uniform();
    expect(kindsOf(afterBaseline('numeric', huge, huge))).not.toContain('suspected');
    expect(kindsOf(afterBaseline('numeric', huge, () => 1.7e308))).toContain('sustained');
  });

  it('of a rate that is never, or always', () => {
    expect(
      kindsOf(
        afterBaseline(
          'rate',
          () => 0,
          () => 0,
        ),
      ),
    ).not.toContain('suspected');
    expect(
      kindsOf(
        afterBaseline(
          'rate',
          () => 1,
          () => 1,
        ),
      ),
    ).not.toContain('suspected');
    const random = randomFrom(5);
    expect(
      kindsOf(
        afterBaseline(
          'rate',
          () => 0,
          () => Number(random.uniform() < 0.05),
        ),
      ),
    ).toContain('sustained');
    expect(
      kindsOf(
        afterBaseline(
          'rate',
          () => 1,
          () => Number(random.uniform() < 0.95),
        ),
      ),
    ).toContain('sustained');
  });

  it('of labels of any kind, each of its own; and none of them known later', () => {
    const odd = ['__proto__', 'constructor', '', '\u{d800}', 'x'.repeat(10_000), '🙂'];
    let index = 0;
    const transitions = afterBaseline(
      'categorical',
      () => odd[index++ % odd.length]!,
      () => `new ${index++}`,
    );
    const sustained = transitions.find(({ kind }) => kind === 'sustained');
    expect(sustained).toMatchObject({ report: { feature: 'share of other labels', direction: 'up', current: { value: 1 } } });
  });

  it('of thousands of labels keeps the frequent ones', () => {
    let index = 0;
    const monitor = new Monitor({ kind: 'categorical' });
    new Feeder(monitor).feed(2000, () => (index++ % 4 === 0 ? 'frequent' : `seen once ${index}`));
    const [top] = monitor.describe().baseline!.features;
    expect(top).toMatchObject({ feature: 'share of frequent', label: 'frequent', value: 0.25 });
  });
});

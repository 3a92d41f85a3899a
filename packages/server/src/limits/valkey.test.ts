import fc from 'fast-check';
import { Valkey } from 'iovalkey';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestValkey } from '../testing/valkey.ts';
import { Budget } from './budget.ts';
import { adversarialSteps, oracleAllows, worstWindow, type Step, type Taken } from './test-kit.ts';
import { LimitStore } from './valkey.ts';
import { SlidingWindow } from './window.ts';

const server = await startTestValkey();
const START_US = 1_790_000_000e6;

let store: LimitStore;
let keys = 0;
const newKey = () => `svc:limit:{org_test}:${++keys}`;

describe.skipIf(server === null)('on a real Valkey or Redis server', () => {
  beforeAll(() => {
    store = new LimitStore(server!.url);
  });
  beforeEach(() => store.settled());
  afterAll(async () => {
    store.close();
    await server!.stop();
  });

  /** Asks the store and a budget in memory the same, and compares all that they say. Answers the log of what was taken. */
  async function compare(limit: number, steps: readonly Step[]): Promise<Taken[]> {
    const key = newKey();
    const budget = new Budget(limit);
    const log: Taken[] = [];
    let nowUs = START_US;
    let told = 0;
    for (const { gapUs, cost, times } of steps) {
      nowUs += gapUs === 'as told' ? told * 1e6 : gapUs;
      for (let i = 0; i < times; i++) {
        const now = nowUs / 1e6;
        const { refused, waitSeconds, states } = await store.takeBudgets([{ key, limit, cost }], nowUs);
        expect(refused === -1).toBe(oracleAllows(log, now, cost, limit));
        expect(waitSeconds).toBe(budget.take(now, cost));
        const { remaining, reset } = budget.view(now);
        expect(states[0]).toMatchObject({ remaining, reset });
        if (refused === -1) log.push({ at: now, cost });
        else if (waitSeconds !== Infinity) told = waitSeconds;
      }
    }
    return log;
  }

  test('decides exactly as the oracle, waits and views are those of memory, and both windows are kept', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 40 }), adversarialSteps(40), async (limit, steps) => {
        const log = await compare(limit, steps);
        expect(worstWindow(log, 60)).toBeLessThanOrEqual(2 * limit);
        expect(worstWindow(log, 300)).toBeLessThanOrEqual(5 * limit + Math.ceil(limit / 60));
      }),
      { numRuns: 150 },
    );
  });

  test.each([1, 7, 60, 200])('steady traffic at %i a minute is never refused', async (limit) => {
    const key = newKey();
    for (let i = 0; i < limit * 7; i++) {
      const { refused } = await store.takeBudgets([{ key, limit, cost: 1 }], Math.round(START_US + (i * 60e6) / limit));
      expect(refused).toBe(-1);
    }
  });

  test('takes from all budgets or from none, and tells of the one that refuses longest', async () => {
    const steps = fc.array(
      fc.record({
        gapUs: fc.oneof(fc.integer({ min: 0, max: 5e6 }), fc.integer({ min: 0, max: 420e6 })),
        costs: fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })),
      }),
      { maxLength: 80 },
    );
    const limits = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 20 }));
    await fc.assert(
      fc.asyncProperty(limits, steps, async (limits, steps) => {
        const names = [newKey(), newKey()];
        const budgets = limits.map((limit) => new Budget(limit));
        let nowUs = START_US;
        for (const { gapUs, costs } of steps) {
          nowUs += gapUs;
          const now = nowUs / 1e6;
          const waits = budgets.map((budget, i) => (costs[i] === 0 ? 0 : budget.wait(now, costs[i]!)));
          const longest = Math.max(...waits);
          if (longest === 0) budgets.forEach((budget, i) => budget.take(now, costs[i]!));
          const questions = names.map((key, i) => ({ key, limit: limits[i]!, cost: costs[i]! }));
          const answer = await store.takeBudgets(questions, nowUs);
          expect(answer).toMatchObject({ refused: longest === 0 ? -1 : waits.indexOf(longest), waitSeconds: longest });
          for (const [i, budget] of budgets.entries()) {
            const { remaining, reset } = budget.view(now);
            expect(answer.states[i]).toMatchObject({ remaining, reset });
          }
        }
      }),
      { numRuns: 100 },
    );
  });

  test('a plan that changes in mid-window takes effect at once, in both directions', async () => {
    const key = newKey();
    const take = (limit: number, cost: number) => store.takeBudgets([{ key, limit, cost }], START_US);
    expect(await take(10, 15)).toMatchObject({ refused: -1, states: [{ remaining: 0, used60: 15, used300: 15 }] });
    expect((await take(5, 1)).refused).toBe(0);
    expect(await take(20, 25)).toMatchObject({ refused: -1, states: [{ remaining: 0, used60: 40 }] });
    expect((await take(20, 1)).waitSeconds).toBe(61);
  });

  test('a clock that goes back hands out nothing twice', async () => {
    const key = newKey();
    const refusedAt = async (us: number) => (await store.takeBudgets([{ key, limit: 1, cost: 2 }], us)).refused === 0;
    expect(await refusedAt(START_US)).toBe(false);
    expect(await refusedAt(START_US - 500e6)).toBe(true);
    expect(await refusedAt(START_US + 1e6)).toBe(true);
    expect(await refusedAt(START_US + 61e6)).toBe(false);
  });

  test('what is taken while the clock is behind returns like all the rest', async () => {
    const key = newKey();
    const take = (cost: number, us: number) => store.takeBudgets([{ key, limit: 1, cost }], us);
    expect((await take(1, START_US)).refused).toBe(-1);
    expect((await take(1, START_US - 100e6)).refused).toBe(-1);
    expect((await take(1, START_US + 60e6)).refused).toBe(0);
    expect(await take(2, START_US + 301e6)).toMatchObject({ refused: -1, states: [{ used60: 2, used300: 2 }] });
  });

  test('callers on several connections get no more than one limit together', async () => {
    const others = Array.from({ length: 3 }, () => new LimitStore(server!.url));
    await Promise.all(others.map((other) => other.settled()));
    const question = { key: newKey(), limit: 50, cost: 1 };
    const answers = await Promise.all(Array.from({ length: 300 }, (_, i) => others[i % 3]!.takeBudgets([question])));
    expect(answers.filter(({ refused }) => refused === -1)).toHaveLength(100);
    expect(answers.at(-1)!.states[0]!.reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 61);
    for (const other of others) other.close();
  });

  test('the windows of probes decide as those of memory', async () => {
    const shapes = fc.record({ limit: fc.integer({ min: 1, max: 12 }), windowSeconds: fc.constantFrom(1, 60) });
    await fc.assert(
      fc.asyncProperty(shapes, adversarialSteps(40), async ({ limit, windowSeconds }, steps) => {
        const key = newKey();
        const window = new SlidingWindow(limit, windowSeconds);
        const log: Taken[] = [];
        let nowUs = START_US;
        for (const { gapUs, times } of steps) {
          // Eighths of a second are exact in both units.
          nowUs += gapUs === 'as told' ? windowSeconds * 1e6 : Math.round(gapUs / 125_000) * 125_000;
          for (let i = 0; i < times; i++) {
            const answer = await store.takeWindow(key, limit, windowSeconds, nowUs);
            expect(answer.waitSeconds).toBe(window.take(nowUs / 1e6, limit));
            const { remaining, reset } = window.view(nowUs / 1e6, limit);
            expect(answer).toMatchObject({ remaining, reset: Math.ceil(reset) });
            if (answer.waitSeconds === 0) log.push({ at: nowUs / 1e6, cost: 1 });
          }
        }
        expect(worstWindow(log, windowSeconds)).toBeLessThanOrEqual(limit);
      }),
      { numRuns: 150 },
    );
  });

  test('keys outlive what counts in them by a second, and refusals write nothing', async () => {
    const [budget, window, untouched] = [newKey(), newKey(), newKey()];
    await store.takeBudgets([{ key: budget, limit: 1, cost: 1 }]);
    await store.takeBudgets([{ key: untouched, limit: 1, cost: 3 }]);
    await store.takeWindow(window, 1, 60);
    const client = new Valkey(server!.url);
    const ttls = await Promise.all([budget, window, untouched].map((key) => client.pttl(key)));
    client.disconnect();
    expect(ttls[0]).toBeGreaterThan(301_000);
    expect(ttls[0]).toBeLessThanOrEqual(302_000);
    expect(ttls[1]).toBeGreaterThan(60_000);
    expect(ttls[1]).toBeLessThanOrEqual(61_000);
    expect(ttls[2]).toBe(-2);
  });

  test('a server that forgot the scripts is told them again', async () => {
    await store.takeBudgets([{ key: newKey(), limit: 1, cost: 1 }]);
    await server!.restart();
    await expect
      .poll(() => store.takeBudgets([{ key: newKey(), limit: 1, cost: 1 }]).catch(() => null), { timeout: 10_000 })
      .toMatchObject({ refused: -1 });
  });
});

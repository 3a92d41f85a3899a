// What the tests of the limits share: the rule in its plainest form, traffic that tries to get round it, organizations. For tests alone.

import fc from 'fast-check';
import { vi } from 'vitest';
import { formatId, newUuid } from '../ids.ts';
import type { Organization } from '../organizations/organization.ts';

/** Times are Unix seconds. */
export interface Taken {
  readonly at: number;
  readonly cost: number;
}

/** A log of what was taken, in whole seconds, summed anew for each question. */
export function oracleAllows(log: readonly Taken[], now: number, cost: number, limit: number): boolean {
  const within = (window: number) =>
    log.filter(({ at }) => Math.floor(now) - Math.floor(at) <= window).reduce((sum, { cost: c }) => sum + c, 0);
  return within(60) + cost <= 2 * limit && within(300) + cost <= 5 * limit + Math.ceil(limit / 60);
}

/** The most that any window of so many seconds holds. `log` is in the order of time. */
export function worstWindow(log: readonly Taken[], seconds: number): number {
  let worst = 0;
  let sum = 0;
  let first = 0;
  for (const { at, cost } of log) {
    sum += cost;
    while (at - log[first]!.at >= seconds) sum -= log[first++]!.cost;
    worst = Math.max(worst, sum);
  }
  return worst;
}

/** One step of a caller: wait (in microseconds, or as long as the last refusal said), then ask so many times. */
export interface Step {
  readonly gapUs: number | 'as told';
  readonly cost: number;
  readonly times: number;
}

/** Where windows and slots begin and end, and a microsecond beside it. */
const EDGES_US = [0.5, 1, 59, 60, 61, 239, 240, 241, 299, 300, 301, 302, 360]
  .map((seconds) => seconds * 1e6)
  .flatMap((us) => [us - 1, us, us + 1]);

/** Callers who burst at the edges of windows, wait exactly as long as told, or go quiet for up to seven minutes. */
export function adversarialSteps(maxLength: number): fc.Arbitrary<Step[]> {
  const gapUs = fc.oneof(
    fc.constant('as told' as const),
    fc.constantFrom(0, ...EDGES_US),
    fc.integer({ min: 0, max: 2e6 }),
    fc.integer({ min: 0, max: 420e6 }),
  );
  const times = fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 4, max: 40 }));
  return fc.array(fc.record({ gapUs, cost: fc.integer({ min: 1, max: 9 }), times }), { maxLength });
}

/** An organization of its own, with these limits a minute. */
export function testOrganization(requests: number, assessments: number): Organization {
  const uuid = newUuid();
  const limits = { requests_per_minute: requests, assessments_per_minute: assessments, batch_size: 50 };
  return { id: formatId('org', uuid), uuid, name: 'an organization', plan: 'enterprise', limits, createdAtMs: 0 };
}

/** The same organization on another plan. */
export function withLimits(organization: Organization, requests: number, assessments: number): Organization {
  return { ...organization, limits: testOrganization(requests, assessments).limits };
}

/** Clocks that a test may set: `wallMs` and `monotonicMs` are added to what they show. `vi.restoreAllMocks` sets them right again. */
export function settableClocks(): { wallMs: number; monotonicMs: number } {
  const added = { wallMs: 0, monotonicMs: 0 };
  const wall = Date.now.bind(Date);
  const monotonic = performance.now.bind(performance);
  vi.spyOn(Date, 'now').mockImplementation(() => wall() + added.wallMs);
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + added.monotonicMs);
  return added;
}

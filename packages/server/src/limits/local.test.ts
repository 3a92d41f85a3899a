import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AddressLimits } from './addresses.ts';
import { LocalLimits } from './local.ts';
import { adversarialSteps, testOrganization, withLimits, worstWindow, type Taken } from './test-kit.ts';

const START = 1_790_000_000;
const REQUEST = { requests: 1, assessments: 0 };
const ASSESSMENT = { requests: 1, assessments: 1 };

function limiter(nodes = 1) {
  const state = { now: START, nodes };
  return {
    state,
    local: new LocalLimits(
      () => state.nodes,
      () => state.now,
    ),
  };
}

test('takes from both budgets or from neither, and names the one that refused', () => {
  const { local } = limiter();
  const organization = testOrganization(100, 10);
  const batch = (assessments: number) => local.take(organization, { requests: 1, assessments }, 'assessments');
  expect(batch(15)).toMatchObject({ refusedBy: null, waitSeconds: 0, view: { limit: 10, remaining: 0, windowSeconds: 60 } });
  const refused = batch(6);
  expect(refused).toMatchObject({ refusedBy: 'assessments of the organization in a minute', view: { limit: 10 } });
  expect(refused.waitSeconds).toBeGreaterThan(50);
  expect(local.take(organization, { requests: 0, assessments: 0 }, 'requests').view.remaining).toBe(99);
  expect(batch(21).waitSeconds).toBe(Infinity);
  expect(batch(5).refusedBy).toBeNull();
});

test('says the longer wait when both budgets refuse', () => {
  const { state, local } = limiter();
  const organization = testOrganization(10, 10);
  expect(local.take(organization, { requests: 20, assessments: 0 }, 'requests').refusedBy).toBeNull();
  state.now += 30;
  expect(local.take(organization, { requests: 0, assessments: 20 }, 'assessments').refusedBy).toBeNull();
  expect(local.take(organization, ASSESSMENT, 'assessments')).toMatchObject({
    refusedBy: 'assessments of the organization in a minute',
    waitSeconds: 61,
  });
});

test('a plan change holds with the next request', () => {
  const { local } = limiter();
  const organization = testOrganization(10, 10);
  for (let i = 0; i < 20; i++) expect(local.take(organization, REQUEST, 'requests').refusedBy).toBeNull();
  expect(local.take(organization, REQUEST, 'requests').refusedBy).not.toBeNull();
  expect(local.take(withLimits(organization, 11, 10), REQUEST, 'requests').refusedBy).toBeNull();
  expect(local.take(withLimits(organization, 5, 10), REQUEST, 'requests').refusedBy).not.toBeNull();
});

test('a limit of zero lets nothing through, on any number of nodes', () => {
  for (const nodes of [0, 1, 3]) {
    expect(limiter(nodes).local.take(testOrganization(0, 0), REQUEST, 'requests').waitSeconds).toBe(Infinity);
  }
});

test.each([
  { limit: 100, nodes: 3, share: 33, burst: 66 },
  { limit: 100, nodes: 4, share: 25, burst: 50 },
  { limit: 2, nodes: 5, share: 1, burst: 2 },
  { limit: 60, nodes: 0, share: 60, burst: 120 },
])(
  'each of $nodes nodes hands out its share of $limit, and the view tells the whole limit and what is left of the share',
  ({ limit, nodes, share, burst }) => {
    const { local } = limiter(nodes);
    const organization = testOrganization(limit, limit);
    const first = local.take(organization, REQUEST, 'requests');
    expect(first).toMatchObject({ refusedBy: null, view: { limit, remaining: share - 1 } });
    for (let i = 1; i < burst; i++) expect(local.take(organization, REQUEST, 'requests').refusedBy).toBeNull();
    expect(local.take(organization, REQUEST, 'requests').refusedBy).not.toBeNull();
  },
);

test('nodes that share keep the bounds together, and pass steady traffic', () => {
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 40 }), fc.integer({ min: 2, max: 6 }), adversarialSteps(40), (limit, nodes, steps) => {
      const state = { now: START };
      const locals = Array.from(
        { length: nodes },
        () =>
          new LocalLimits(
            () => nodes,
            () => state.now,
          ),
      );
      const organization = testOrganization(limit, limit);
      const log: Taken[] = [];
      let told = 0;
      for (const { gapUs, times } of steps) {
        state.now += gapUs === 'as told' ? told : gapUs / 1e6;
        for (let i = 0; i < times * nodes; i++) {
          const { waitSeconds } = locals[i % nodes]!.take(organization, REQUEST, 'requests');
          if (waitSeconds === 0) log.push({ at: state.now, cost: 1 });
          else told = waitSeconds;
        }
      }
      expect(worstWindow(log, 60)).toBeLessThanOrEqual(2 * limit);
      expect(worstWindow(log, 300)).toBeLessThanOrEqual(5 * limit + Math.ceil(limit / 60));
    }),
    { numRuns: 40 },
  );
  const { state, local } = limiter(2);
  for (let i = 0; i < 1_000; i++, state.now += 1)
    expect(local.take(testOrganization(120, 120), REQUEST, 'requests').refusedBy).toBeNull();
});

test('a second node that starts takes its half of what returns, and refuses no steady traffic', () => {
  const state = { now: START, nodes: 1 };
  const make = () =>
    new LocalLimits(
      () => state.nodes,
      () => state.now,
    );
  const first = make();
  const organization = testOrganization(120, 120);
  const rows: [number, number][] = [];
  for (let i = 0; i < 400; i++, state.now += 1) {
    for (let j = 0; j < 2; j++) expect(first.take(organization, REQUEST, 'requests').refusedBy).toBeNull();
    rows.push([state.now, 2]);
  }
  state.nodes = 2;
  const second = make();
  for (const [at, requests] of rows) second.restore(organization.id, at, { requests, assessments: 0 });
  for (let i = 0; i < 400; i++, state.now += 1) {
    expect(first.take(organization, REQUEST, 'requests').refusedBy).toBeNull();
    expect(second.take(organization, REQUEST, 'requests').refusedBy).toBeNull();
  }
});

test.each([
  ['telemetry', 100, 1],
  ['heartbeat', 10, 60],
  ['policy_sync', 10, 60],
] as const)('a probe has %s calls: %i in %i s, apart from other kinds, other probes and the budgets', (kind, limit, seconds) => {
  const { state, local } = limiter();
  const organization = testOrganization(1, 1);
  const take = (probe: string) => local.takeProbe(organization.id, probe, kind);
  expect(take('a')).toMatchObject({ refusedBy: null, view: { limit, remaining: limit - 1, windowSeconds: seconds } });
  for (let i = 1; i < limit; i++) expect(take('a').refusedBy).toBeNull();
  const refused = take('a');
  expect(refused.refusedBy).toContain('of a probe');
  expect(refused.waitSeconds).toBe(seconds);
  expect(take('b').refusedBy).toBeNull();
  expect(local.takeProbe(organization.id, 'a', kind === 'heartbeat' ? 'policy_sync' : 'heartbeat').refusedBy).toBeNull();
  expect(local.take(organization, ASSESSMENT, 'assessments').refusedBy).toBeNull();
  state.now += seconds;
  expect(take('a').refusedBy).toBeNull();
});

test('an organization that names too many probes evicts its own, nobody else’s', () => {
  const { local } = limiter();
  const use = (org: string, probe: string) => local.takeProbe(org, probe, 'heartbeat').view.remaining;
  expect(use('org_1', 'kept')).toBe(9);
  expect(use('org_2', 'evicted')).toBe(9);
  for (let i = 0; i < 4_000; i++) expect(use('org_2', `probe ${i}`)).toBe(9);
  expect(use('org_2', 'evicted')).toBe(9);
  expect(use('org_2', 'probe 3999')).toBe(8);
  expect(use('org_1', 'kept')).toBe(8);
});

test('the sweep forgets what is idle, and nothing else', () => {
  const { state, local } = limiter();
  const busy = testOrganization(10, 10);
  const idle = testOrganization(10, 10);
  local.take(idle, REQUEST, 'requests');
  state.now += 250;
  local.take(busy, { requests: 20, assessments: 0 }, 'requests');
  local.takeProbe(busy.id, 'a', 'heartbeat');
  local.takeUnwritten();
  state.now += 59;
  local.sweep();
  expect(local.take(busy, REQUEST, 'requests').refusedBy).not.toBeNull();
  expect(local.takeProbe(busy.id, 'a', 'heartbeat').view.remaining).toBe(8);
  expect(local.take(idle, REQUEST, 'requests').view.remaining).toBe(9);
});

test('failures are counted by address, an IPv6 subscriber’s /64 as one, and looking takes nothing', () => {
  const failures = new AddressLimits('failure');
  const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'];
  for (let i = 0; i < 60; i++) expect(failures.take(addresses[i % 3]!, 1).refusedBy).toBeNull();
  for (const address of addresses) expect(failures.take(address, 1).refusedBy).not.toBeNull();
  expect(failures.take(addresses[0]!, 0)).toMatchObject({ refusedBy: null, waitSeconds: 0, view: { limit: 60, remaining: 0 } });
  expect(failures.take('2001:db8:1:3::1', 1).view.remaining).toBe(59);
  expect(failures.take('192.0.2.1', 0).view.remaining).toBe(60);
  expect(failures.take('192.0.2.1', 1).view.remaining).toBe(59);
  expect(failures.take('192.0.2.2', 1).view.remaining).toBe(59);
});

// Promises about the limits of plans, as clients meet them.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setPlan } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const assess = (key: string) => service.request('POST', '/v1/assessments', { key, body: { input: 'Hello' } });
const batch = (key: string, count: number) =>
  service.request('POST', '/v1/assessments/batch', {
    key,
    body: { items: Array.from({ length: count }, () => ({ input: 'a' })) },
  });
const limitHeaders = ({ headers }: { headers: Headers }) =>
  ['limit', 'remaining', 'window'].map((name) => Number(headers.get(`x-svc-ratelimit-${name}`)));
async function until429(send: () => ReturnType<typeof assess>) {
  for (let passed = 0; ; passed++) {
    const answer = await send();
    if (answer.status === 429) return { passed, answer };
    expect(answer.status).toBe(200);
  }
}

test('a burst of assessments may be twice the plan; what is refused says when to come back, and costs nothing', async () => {
  const { keys } = await service.createOrganization('starter');
  const first = await assess(keys.live);
  expect(limitHeaders(first)).toEqual([100, 99, 60]);
  expect(Number(first.headers.get('x-svc-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1_000);
  const { passed, answer } = await until429(() => assess(keys.live));
  // 200 requests a minute are twice as many: those of assessments are what runs out.
  expect(passed + 1).toBe(200);
  expect(answer.body.error).toMatchObject({
    code: 'rate_limited',
    details: [{ message: expect.stringContaining('assessments') }],
  });
  expect(limitHeaders(answer)).toEqual([100, 0, 60]);
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBeLessThanOrEqual(61);
  // The other budget goes on, and did not pay for the refusal.
  const read = await service.request('GET', '/v1/policy', { key: keys.live });
  expect(read.status).toBe(200);
  expect(limitHeaders(read)).toEqual([200, 0, 60]);
});

test('all keys of an organization share its budgets, other organizations have their own', async () => {
  const [one, two] = [await service.createOrganization('starter'), await service.createOrganization('starter')];
  await batch(one.keys.live, 50);
  expect(limitHeaders(await assess(one.keys.test))).toEqual([100, 49, 60]);
  expect(limitHeaders(await assess(two.keys.live))).toEqual([100, 99, 60]);
});

describe('a batch', () => {
  test('costs one assessment an item, and is taken whole or not at all', async () => {
    const { keys } = await service.createOrganization('starter');
    for (const left of [50, 0, 0]) expect(limitHeaders(await batch(keys.live, 50))).toEqual([100, left, 60]);
    await batch(keys.live, 20);
    const refused = await batch(keys.live, 31);
    expect(refused.status).toBe(429);
    expect((await batch(keys.live, 30)).status).toBe(200);
  });

  test('over the plan’s size is 413 and costs nothing', async () => {
    const { keys } = await service.createOrganization('starter');
    expect((await batch(keys.live, 51)).status).toBe(413);
    expect(limitHeaders(await assess(keys.live))).toEqual([100, 99, 60]);
  });
});

test('a change of the plan holds from the next request on, and forgives nothing', async () => {
  const { keys, uuid } = await service.createOrganization('starter');
  await until429(() => assess(keys.live));
  await setPlan(service.services, uuid, 'growth', null);
  expect(limitHeaders(await assess(keys.live))).toEqual([1_000, 799, 60]);
  expect((await service.request('GET', '/v1/organization', { key: keys.live })).body.plan).toBe('growth');
  await setPlan(service.services, uuid, 'enterprise', { assessments_per_minute: 10, batch_size: 5_000 });
  const refused = await assess(keys.live);
  expect(refused.status).toBe(429);
  expect(limitHeaders(refused)).toEqual([10, 0, 60]);
  const { body } = await service.request('GET', '/v1/organization', { key: keys.live });
  expect(body).toMatchObject({
    plan: 'enterprise',
    limits: { assessments_per_minute: 10, requests_per_minute: 2_000_000, batch_size: 5_000 },
  });
  const { body: events } = await service.request('GET', '/v1/events?kind=organization.updated', { key: keys.live });
  expect(events.data[0]).toMatchObject({
    actor: { type: 'system' },
    data: {
      plan: 'enterprise',
      limits: { assessments_per_minute: 10, batch_size: 5_000 },
      previous: { plan: 'growth', limits: null },
    },
  });
});

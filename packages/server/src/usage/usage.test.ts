// Promises about what was used.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

const today = () => new Date().toISOString().slice(0, 10);
const usageOf = async (key: string, query = '') => (await service.request('GET', `/v1/usage${query}`, { key })).body;

test('every assessment of a live key is counted once, by outcome, however often and by how many it is asked', async () => {
  const { keys } = await service.createOrganization('growth');
  const assess = (input: string, key = keys.live) => service.request('POST', '/v1/assessments', { key, body: { input } });
  await assess('Hello');
  await service.request('POST', '/v1/assessments/batch', {
    key: keys.live,
    body: { items: [{ input: 'a' }, { input: 'my card is 4111 1111 1111 1111' }, { nonsense: 1 }] },
  });
  await assess('Hello', keys.test);
  const answers = await Promise.all(Array.from({ length: 6 }, () => usageOf(keys.live)));
  const counts = { assessments: 3, allowed: 2, flagged: 1, blocked: 0 };
  for (const body of answers) {
    expect(body).toMatchObject({ plan: 'growth', until: today(), total: counts, days: [{ day: today(), ...counts }] });
  }
  await assess('Hello again');
  expect((await usageOf(keys.live)).total).toMatchObject({ assessments: 4, allowed: 3 });
});

test('what is left of the limits right now is told for both budgets', async () => {
  const { keys } = await service.createOrganization('starter');
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'Hello' } });
  const { now } = await usageOf(keys.live);
  expect(now).toEqual({
    assessments: { limit: 100, remaining: 99, resets_at: expect.any(String) },
    requests: { limit: 200, remaining: 198, resets_at: expect.any(String) },
  });
});

test('another organization’s use is not in it', async () => {
  const [one, two] = [await service.createOrganization(), await service.createOrganization()];
  await service.request('POST', '/v1/assessments', { key: one.keys.live, body: { input: 'Hello' } });
  expect((await usageOf(two.keys.live)).total.assessments).toBe(0);
});

test('only the days that are asked for are in it', async () => {
  const { keys } = await service.createOrganization();
  await service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'Hello' } });
  expect(await usageOf(keys.live, '?since=2020-01-01&until=2020-01-31')).toMatchObject({
    since: '2020-01-01',
    until: '2020-01-31',
    total: { assessments: 0 },
    days: [],
  });
});

test.each([
  ['?since=yesterday', '/query/since'],
  ['?until=2026-13-01', '/query/until'],
  ['?since=2026-02-01&until=2026-01-01', '/query/since'],
  ['?since=2020-01-01&until=2026-01-01', '/query/since'],
])('%s is refused at the place', async (query, pointer) => {
  const { status, body } = await service.request('GET', `/v1/usage${query}`);
  expect({ status, pointer: body.error.details[0].pointer }).toEqual({ status: 400, pointer });
});

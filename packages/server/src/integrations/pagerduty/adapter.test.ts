import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { pagerDutyFaults, startPagerDuty, type PagerDutyMode } from '../../testing/vendors/pagerduty.ts';
import { anyEvent, assessment, CONTEXT, eventOf, finding, paused, post, recovered, sustained } from '../test-kit.ts';
import { pagerduty } from './adapter.ts';

const config = { routing_key: 'secretsecretsecretsecretsecret12' };

async function start() {
  const vendor = await startPagerDuty(config.routing_key);
  onTestFinished(() => vendor.close());
  return vendor;
}

test('a blocked inference triggers an alert of its condition', () => {
  const request = pagerduty.render([eventOf()], config, CONTEXT);
  const link = 'https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd';
  const condition = 'svc:org_01jd4t4ve9e0fs7m4c1ywz3qkd:gpt-x:inference:data.secret';
  expect(request.url).toBe('https://events.pagerduty.com/v2/enqueue');
  expect(JSON.parse(request.body)).toEqual({
    routing_key: config.routing_key,
    dedup_key: condition,
    event_action: 'trigger',
    payload: {
      summary: 'Inference blocked: gpt-x – The policy blocks this inference.',
      source: 'svc/org_01jd4t4ve9e0fs7m4c1ywz3qkd/gpt-x',
      severity: 'critical',
      timestamp: '2026-11-21T10:00:00.123Z',
      component: 'gpt-x',
      group: 'org_01jd4t4ve9e0fs7m4c1ywz3qkd',
      class: 'inference.blocked',
      custom_details: {
        Severity: 'critical',
        Model: 'acme gpt-x 2',
        Policy: 'version 17',
        User: 'u-1',
        Session: 's-1',
        'External id': 'order-7',
        Details:
          'The policy blocks this inference.\ncritical data.secret · aws_access_key_id · AKIA…\nlow data.pii · email · a…@e….com',
        event_id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
        sequence: 42,
        kind: 'inference.blocked',
      },
    },
    client: 'svc',
    client_url: link,
    links: [{ href: link, text: 'Open the event' }],
  });
});

test('an account in Europe is reached in Europe', () => {
  expect(pagerduty.urlsOf({ ...config, region: 'eu' })).toEqual(['https://events.eu.pagerduty.com/v2/enqueue']);
});

test('two hundred long findings, and a very long model, make an event that PagerDuty takes', () => {
  const findings = Array.from({ length: 200 }, () => finding({ type: '漢'.repeat(2_000) }));
  const { body } = pagerduty.render(
    [eventOf({ data: assessment({ findings, model: { name: '👩‍👩‍👧‍👦:'.repeat(500) } }) })],
    config,
    CONTEXT,
  );
  expect(pagerDutyFaults(body)).toEqual([]);
});

test('any event is one that PagerDuty takes', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      expect(pagerDutyFaults(pagerduty.render([event], config, CONTEXT).body)).toEqual([]);
    }),
  );
});

test('an alert is opened once for its condition, whatever is sent again, and closed by its end alone', async () => {
  const vendor = await start();
  const again = { ...sustained, id: 'evt_again' };
  for (const event of [sustained, sustained, again, paused, recovered]) {
    const answer = await post(pagerduty.render([event], config, CONTEXT), vendor.origin);
    expect(pagerduty.judge(answer, 1)).toEqual([{ outcome: 'ok' }]);
  }
  const alerts = [...vendor.alerts.values()];
  expect(alerts.map(({ status, summaries }) => [status, summaries.length])).toEqual([
    ['resolved', 3],
    ['open', 1],
  ]);
  await post(pagerduty.render([{ ...paused, kind: 'webhook.recovered' }], config, CONTEXT), vendor.origin);
  expect([...vendor.alerts.values()].map(({ status }) => status)).toEqual(['resolved', 'resolved']);
});

test('the end of a condition in test mode closes no live alert', async () => {
  const vendor = await start();
  await post(pagerduty.render([sustained], config, CONTEXT), vendor.origin);
  await post(pagerduty.render([{ ...recovered, mode: 'test' }], config, CONTEXT), vendor.origin);
  expect([...vendor.alerts.values()].map(({ status }) => status)).toEqual(['open']);
});

test.each<[PagerDutyMode, string, RegExp]>([
  ['rate_limited', 'retry', /less often/],
  ['unavailable', 'retry', /right now/],
  ['error_in_202', 'retry', /error in the body/],
  ['page_in_200', 'retry', /does not say/],
])('PagerDuty’s answer %s is judged %s', async (mode, outcome, error) => {
  const vendor = await start();
  vendor.mode = mode;
  const judged = pagerduty.judge(await post(pagerduty.render([eventOf()], config, CONTEXT), vendor.origin), 1);
  expect(judged).toEqual([
    { outcome, error: expect.stringMatching(error), ...(mode === 'rate_limited' ? { afterMs: 60_000 } : {}) },
  ]);
});

test('a key that PagerDuty does not know is permanent, and not repeated though PagerDuty does', async () => {
  const vendor = await start();
  const routing_key = 'anothersecretanothersecretanoth3';
  const answer = await post(pagerduty.render([eventOf()], { routing_key }, CONTEXT), vendor.origin);
  expect(answer.body).toContain(routing_key);
  const judged = pagerduty.judge(answer, 1);
  expect(judged).toEqual([{ outcome: 'permanent', error: expect.stringContaining('routing key') }]);
  expect(JSON.stringify(judged)).not.toContain(routing_key);
});

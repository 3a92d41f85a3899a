import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { datadogEventFaults, datadogLogFaults, startDatadog, type DatadogMode } from '../../testing/vendors/datadog.ts';
import { each, OK } from '../judgement.ts';
import { anyEvent, assessment, CONTEXT, eventOf, finding, paused, post, recovered, sustained } from '../test-kit.ts';
import { datadog, type DatadogConfig } from './adapter.ts';

const API_KEY = 'secretsecretsecretsecretsecret12';
const events: DatadogConfig = { api_key: API_KEY, site: 'datadoghq.eu', send: 'events', tags: ['env:production'] };
const logs: DatadogConfig = { ...events, send: 'logs', service: 'governance' };
const TAGS = [
  'service:svc',
  'org:org_01jd4t4ve9e0fs7m4c1ywz3qkd',
  'kind:inference.blocked',
  'mode:live',
  'severity:critical',
  'svc_event:evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
  'subject:gpt-x',
  'env:production',
];

async function start() {
  const vendor = await startDatadog(API_KEY);
  onTestFinished(() => vendor.close());
  return vendor;
}

test('a blocked inference is an event of the event stream', () => {
  const { url, headers, body } = datadog.render([eventOf()], events, CONTEXT);
  expect({ url, headers }).toEqual({
    url: 'https://api.datadoghq.eu/api/v1/events',
    headers: { 'content-type': 'application/json', 'dd-api-key': API_KEY },
  });
  expect(JSON.parse(body)).toEqual({
    title: 'Inference blocked: gpt-x',
    text: [
      'The policy blocks this inference.',
      'critical data.secret · aws_access_key_id · AKIA…',
      'low data.pii · email · a…@e….com',
      '',
      'Severity: critical',
      'Model: acme gpt-x 2',
      'Policy: version 17',
      'User: u-1',
      'Session: s-1',
      'External id: order-7',
      'Event: evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
      'Time: 2026-11-21T10:00:00.123Z',
      'https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    ].join('\n'),
    alert_type: 'error',
    aggregation_key: 'svc:org_01jd4t4ve9e0fs7m4c1ywz3qkd:gpt-x:inference:data.secret',
    source_type_name: 'svc',
    tags: TAGS,
  });
});

test('the end of a condition is a success with the key of its beginning', () => {
  const [begin, end] = [sustained, recovered].map((event) => JSON.parse(datadog.render([event], events, CONTEXT).body) as object);
  expect(begin).toMatchObject({ alert_type: 'warning' });
  expect(end).toMatchObject({ alert_type: 'success', aggregation_key: (begin as { aggregation_key: string }).aggregation_key });
});

test('a log holds the event whole, and its time as an attribute, since Datadog drops old timestamps', () => {
  const { url, body } = datadog.render([eventOf()], logs, CONTEXT);
  expect(url).toBe('https://http-intake.logs.datadoghq.eu/api/v2/logs');
  const [log] = JSON.parse(body) as Record<string, unknown>[];
  expect(log).toEqual({
    ddsource: 'svc',
    ddtags: TAGS.map((tag) => tag.replace('service:svc', 'service:governance')).join(','),
    service: 'governance',
    message:
      'Inference blocked: gpt-x\nThe policy blocks this inference.\ncritical data.secret · aws_access_key_id · AKIA…\nlow data.pii · email · a…@e….com',
    status: 'critical',
    severity: 'critical',
    facts: {
      Severity: 'critical',
      Model: 'acme gpt-x 2',
      Policy: 'version 17',
      User: 'u-1',
      Session: 's-1',
      'External id': 'order-7',
    },
    link: 'https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    event_id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    occurred_at: '2026-11-21T10:00:00.123Z',
    svc: eventOf(),
  });
});

test('logs go in batches, events one by one', () => {
  expect([datadog.batchMax(logs), datadog.batchMax(events)]).toEqual([100, 1]);
});

test('a full batch of the largest events stays within the bounds of Datadog', () => {
  const findings = Array.from({ length: 100 }, () => finding({ explanation: 'é'.repeat(60) }));
  const batch = Array.from({ length: 100 }, (_, i) =>
    eventOf({ id: `evt_${i}`, data: assessment({ findings, findings_total: 100 }) }),
  );
  const whole = batch.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);
  expect(whole).toBeGreaterThan(5_000_000);
  expect(whole).toBeLessThan(5_800_000);
  const { body } = datadog.render(batch, logs, CONTEXT);
  expect(datadogLogFaults(body)).toEqual([]);
  expect((JSON.parse(body) as { event_id: string }[]).map((log) => log.event_id)).toEqual(batch.map(({ id }) => id));
});

test('a name with a comma is one tag', () => {
  const { body } = datadog.render([eventOf({ data: assessment({ model: { name: 'A,env:fake b' } }) })], logs, CONTEXT);
  expect((JSON.parse(body) as { ddtags: string }[])[0]!.ddtags).toContain(',subject:a_env:fake_b,env:production');
});

test('any event is one that Datadog takes, and any events a batch', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), (batch) => {
      const bodies = [datadog.render(batch.slice(0, 1), events, CONTEXT).body, datadog.render(batch, logs, CONTEXT).body];
      expect(datadogEventFaults(bodies[0]!)).toEqual([]);
      expect(datadogLogFaults(bodies[1]!)).toEqual([]);
      for (const body of bodies) expect(body).not.toContain(API_KEY);
    }),
  );
});

test('what Datadog takes arrives there', async () => {
  const vendor = await start();
  const batch = [eventOf(), paused, recovered];
  expect(datadog.judge(await post(datadog.render(batch, logs, CONTEXT), vendor.origin), 3)).toEqual(each(3, OK));
  expect(datadog.judge(await post(datadog.render([paused], events, CONTEXT), vendor.origin), 1)).toEqual([{ outcome: 'ok' }]);
  expect(vendor.accepted).toHaveLength(4);
});

test.each<[DatadogMode, string, RegExp]>([
  ['rate_limited', 'retry', /less often/],
  ['timed_out', 'retry', /right now/],
  ['unavailable', 'retry', /right now/],
  ['error_in_202', 'retry', /error in the body/],
  ['bad_request', 'permanent', /cannot read/],
  ['unauthorized', 'permanent', /misses the API key/],
  ['too_large', 'permanent', /too large/],
])('Datadog’s answer %s is judged %s for each event', async (mode, outcome, error) => {
  const vendor = await start();
  vendor.mode = mode;
  const expected = { outcome, error: expect.stringMatching(error), ...(mode === 'rate_limited' ? { afterMs: 5_000 } : {}) };
  const answer = await post(datadog.render([eventOf(), paused], logs, CONTEXT), vendor.origin);
  expect(datadog.judge(answer, 2)).toEqual([expected, expected]);
});

test('a key that Datadog does not know is permanent, and not repeated though Datadog does', async () => {
  const vendor = await start();
  const api_key = 'anothersecretanothersecretanoth3';
  const answer = await post(datadog.render([eventOf()], { ...events, api_key }, CONTEXT), vendor.origin);
  expect(answer.body).toContain(api_key);
  const judged = datadog.judge(answer, 1);
  expect(judged).toEqual([{ outcome: 'permanent', error: expect.stringContaining('API key') }]);
  expect(JSON.stringify(judged)).not.toContain(api_key);
});

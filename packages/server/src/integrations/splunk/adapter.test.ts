import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { splitObjects, splunkFaults, startSplunk, type SplunkMode, type SplunkOptions } from '../../testing/vendors/splunk.ts';
import type { Answer } from '../adapter.ts';
import { each, OK } from '../judgement.ts';
import { anyEvent, assessment, CONTEXT, eventOf, finding, paused, post, recovered } from '../test-kit.ts';
import { splunk, type SplunkConfig } from './adapter.ts';

const token = '12345678-1234-1234-1234-secretsecret';
const config: SplunkConfig = { url: 'https://splunk.example.com:8088/', token };
const batch = [eventOf({ id: 'evt_0' }), eventOf({ id: 'evt_1' }), eventOf({ id: 'evt_2' })];

async function start(options: Partial<SplunkOptions> = {}) {
  const vendor = await startSplunk({ token, ...options });
  onTestFinished(() => vendor.close());
  const send = (events = batch, change: Partial<SplunkConfig> = {}) =>
    post(splunk.render(events, { ...config, ...change }, CONTEXT), vendor.origin);
  const ids = () => vendor.accepted.map((entry) => (entry['fields'] as { event_id: string }).event_id);
  return { vendor, send, ids };
}

test('a batch is entries one after the other, each with time, fields and the event whole', () => {
  const { url, headers, body } = splunk.render([eventOf(), paused], { ...config, index: 'ai', sourcetype: 'ai:event' }, CONTEXT);
  expect({ url, headers }).toEqual({
    url: 'https://splunk.example.com:8088/services/collector/event',
    headers: { 'content-type': 'application/json', authorization: `Splunk ${token}` },
  });
  const [first, second] = splitObjects(body).map((text) => JSON.parse(text) as unknown);
  expect(first).toEqual({
    time: 1795255200.123,
    host: 'svc',
    source: 'svc:org_01jd4t4ve9e0fs7m4c1ywz3qkd',
    sourcetype: 'ai:event',
    index: 'ai',
    event: {
      ...eventOf(),
      title: 'Inference blocked: gpt-x',
      link: 'https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    },
    fields: { event_id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd', kind: 'inference.blocked', mode: 'live', severity: 'critical' },
  });
  expect(second).toMatchObject({ fields: { kind: 'webhook.paused', severity: 'high' } });
});

test('a full batch of large events stays below 1 MB, and none is left out', () => {
  const findings = Array.from({ length: 100 }, () => finding());
  const full = Array.from({ length: splunk.batchMax(config) }, (_, i) =>
    eventOf({ id: `evt_${i}`, data: assessment({ findings }) }),
  );
  const { body } = splunk.render(full, config, CONTEXT);
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(1_000_000);
  expect(splitObjects(body).map((text) => (JSON.parse(text) as { event: { id: string } }).event.id)).toEqual(
    full.map(({ id }) => id),
  );
});

test('any events are entries that Splunk takes', () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 3 }), (events) => {
      const { body } = splunk.render(events, config, CONTEXT);
      const entries = splitObjects(body);
      expect(entries).toHaveLength(events.length);
      for (const entry of entries) expect(splunkFaults(entry)).toEqual([]);
      expect(body).not.toContain(token);
    }),
  );
});

test.each([
  ['https://splunk.example.com:8088', []],
  ['https://example.com/splunk', []],
  ['https://splunk.example.com/services/collector/event', ['/url']],
  ['https://', ['/url']],
])('the base %s has faults at %j', (url, pointers) => {
  expect(splunk.check({ ...config, url }).map(({ pointer }) => pointer)).toEqual(pointers);
});

test('what Splunk takes is there, and its answer is final', async () => {
  const { send, ids } = await start();
  const answer = await send();
  expect(splunk.judge(answer, 3)).toEqual(each(3, OK));
  expect(splunk.acknowledge!(answer, config)).toBeNull();
  expect(ids()).toEqual(['evt_0', 'evt_1', 'evt_2']);
});

test.each<[SplunkMode, string, RegExp]>([
  ['busy', 'retry', /right now/],
  ['shutting_down', 'retry', /right now/],
  ['internal', 'retry', /right now/],
  ['page_in_200', 'retry', /without saying/],
  ['error_in_200', 'retry', /without saying/],
  ['token_disabled', 'permanent', /disabled/],
  ['not_found', 'permanent', /no HTTP Event Collector/],
])('Splunk’s answer %s is judged %s for each event', async (mode, outcome, error) => {
  const { vendor, send, ids } = await start();
  vendor.mode = mode;
  const judged = splunk.judge(await send(), 3);
  const expected = { outcome, error: expect.stringMatching(error), ...(mode === 'busy' ? { afterMs: 2_000 } : {}) };
  expect(judged).toEqual([expected, expected, expected]);
  expect(JSON.stringify(judged)).not.toContain('secretsecret');
  expect(ids()).toEqual([]);
});

test.each<[string, Partial<SplunkConfig>, RegExp]>([
  ['an unknown token', { token: 'other-secretsecret' }, /does not know the token/],
  ['an index that the token may not write to', { index: 'forbidden' }, /index/],
])('%s is permanent', async (_name, change, error) => {
  const judged = splunk.judge(await (await start()).send(batch, change), 3);
  expect(judged).toEqual(each(3, { outcome: 'permanent', error: expect.stringMatching(error) as string }));
  expect(JSON.stringify(judged)).not.toContain('secretsecret');
});

test('one event that Splunk cannot read is permanent; the others are sent again until all are there', async () => {
  const { vendor, send, ids } = await start();
  vendor.refuses = (entry) => (entry['fields'] as { event_id: string }).event_id === 'evt_1';
  const judged = splunk.judge(await send(), 3);
  expect(judged.map(({ outcome }) => outcome)).toEqual(['retry', 'permanent', 'retry']);
  const again = batch.filter((_, i) => judged[i]!.outcome === 'retry');
  expect(splunk.judge(await send(again), 2)).toEqual(each(2, OK));
  expect(new Set(ids())).toEqual(new Set(['evt_0', 'evt_2']));
  vendor.refuses = () => true;
  expect(splunk.judge(await send([recovered]), 1)).toMatchObject([{ outcome: 'permanent' }]);
});

test.each([
  ['no number', {}],
  ['a number outside of the batch', { 'invalid-event-number': 3 }],
  ['a negative number', { 'invalid-event-number': -1 }],
])('a refusal of one event with %s is permanent for all', (_name, more) => {
  const answer: Answer = { status: 400, headers: {}, body: JSON.stringify({ text: 'Invalid data format', code: 6, ...more }) };
  expect(splunk.judge(answer, 3).map(({ outcome }) => outcome)).toEqual(['permanent', 'permanent', 'permanent']);
});

test('with acknowledgement a batch is done when Splunk says that it is indexed, and not before', async () => {
  const { vendor, send } = await start({ acknowledges: true, pollsUntilIndexed: 2 });
  const acknowledging = { ...config, acknowledge: true };
  const states: string[][] = [];
  for (const events of [batch, [paused]]) {
    const answer = await send(events, acknowledging);
    expect(splunk.judge(answer, events.length).every(({ outcome }) => outcome === 'ok')).toBe(true);
    const question = splunk.acknowledge!(answer, acknowledging)!;
    const { request } = question;
    expect(request.url).toMatch(/^https:\/\/splunk\.example\.com:8088\/services\/collector\/ack\?channel=[0-9a-f-]{36}$/);
    const asked: string[] = [];
    for (let poll = 0; poll < 3; poll++) asked.push(question.judge(await post(request, vendor.origin)));
    states.push(asked);
    vendor.mode = 'busy';
    expect(question.judge(await post(request, vendor.origin))).toBe('pending');
    vendor.mode = 'ok';
  }
  expect(states).toEqual([
    ['pending', 'pending', 'done'],
    ['pending', 'pending', 'done'],
  ]);
});

test('a token that wants acknowledgement, and one that has none, are told apart', async () => {
  const wanting = await start({ acknowledges: true });
  expect(splunk.judge(await wanting.send(), 3)[0]).toMatchObject({
    outcome: 'permanent',
    error: expect.stringContaining('`acknowledge`'),
  });
  const without = await start();
  const answer = await without.send(batch, { acknowledge: true });
  expect(splunk.judge(answer, 3)[0]).toEqual({ outcome: 'ok' });
  expect(splunk.acknowledge!(answer, { ...config, acknowledge: true })).toBeNull();
});

test('the same config has the same channel, another token another', () => {
  const channelOf = (change: Partial<SplunkConfig>) =>
    splunk.render(batch, { ...config, acknowledge: true, ...change }, CONTEXT).headers['x-splunk-request-channel'];
  expect(channelOf({})).toBe(channelOf({}));
  expect(channelOf({})).not.toBe(channelOf({ token: 'other' }));
});

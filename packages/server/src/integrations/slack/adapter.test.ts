import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { slackFaults, startSlack, type SlackMode } from '../../testing/vendors/slack.ts';
import { anyEvent, assessment, CONTEXT, eventOf, finding, paused, post } from '../test-kit.ts';
import { slack } from './adapter.ts';

const config = { url: 'https://hooks.slack.com/services/T000/B000/secretsecretsecret' };

function messageOf(event = eventOf()) {
  const { body } = slack.render([event], config, CONTEXT);
  expect(slackFaults(body)).toEqual([]);
  return JSON.parse(body) as { text: string; blocks: { text?: { text: string } }[] };
}

test('a blocked inference is a message with header, findings, facts and the event', () => {
  expect(slack.render([eventOf()], config, CONTEXT)).toMatchObject({
    url: config.url,
    headers: { 'content-type': 'application/json' },
  });
  const mrkdwn = (text: string) => ({ type: 'mrkdwn', text, verbatim: true });
  expect(messageOf()).toEqual({
    text: '[CRITICAL] Inference blocked: gpt-x',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'Inference blocked: gpt-x', emoji: false } },
      {
        type: 'section',
        text: mrkdwn(
          'The policy blocks this inference.\ncritical data.secret · aws_access_key_id · AKIA…\nlow data.pii · email · a…@e….com\n' +
            '<https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd|Open the event>',
        ),
      },
      {
        type: 'section',
        fields: [
          mrkdwn('*Severity*\ncritical'),
          mrkdwn('*Model*\nacme gpt-x 2'),
          mrkdwn('*Policy*\nversion 17'),
          mrkdwn('*User*\nu-1'),
          mrkdwn('*Session*\ns-1'),
          mrkdwn('*External id*\norder-7'),
        ],
      },
      { type: 'context', elements: [mrkdwn('evt_01jd4t4ve9e0fs7m4c1ywz3qkd · 2026-11-21T10:00:00.123Z')] },
    ],
  });
});

test('names that look like Slack’s own signs stay text', () => {
  const message = messageOf(eventOf({ data: assessment({ model: { name: '<!channel> & <https://evil.example|us>' } }) }));
  expect(message.text).toBe('[CRITICAL] Inference blocked: &lt;!channel&gt; &amp; &lt;https://evil.example|us&gt;');
});

test('a text that is too long is cut before an escape or an emoji that does not fit whole', () => {
  const texts = ['&', '<', '😀', 'a&', 'ab😀'].flatMap((part) => [
    part.repeat(40),
    part.repeat(200),
    `${'x'.repeat(125)}${part.repeat(9)}`,
  ]);
  for (const name of texts) {
    const header = messageOf(eventOf({ data: assessment({ model: { name } }) })).blocks[0]!.text!.text;
    expect(header.length).toBeLessThanOrEqual(150);
    expect(header.isWellFormed()).toBe(true);
    expect(header.replaceAll(/&(?:amp|lt|gt);/g, '')).not.toContain('&');
  }
});

test('two hundred long findings make a message that Slack takes', () => {
  const findings = Array.from({ length: 200 }, () => finding({ type: '&'.repeat(2_000), preview: '"'.repeat(2_000) }));
  messageOf(eventOf({ data: assessment({ findings, findings_total: 900 }) }));
});

test('any event is a message that Slack takes', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const { body } = slack.render([event], config, CONTEXT);
      expect(slackFaults(body)).toEqual([]);
      expect(body).not.toContain('secretsecret');
    }),
  );
});

test.each([
  ['https://hooks.slack.com/services/T0/B0/x', true],
  ['https://hooks.slack-gov.com/services/T0/B0/x', true],
  ['http://hooks.slack.com/services/T0/B0/x', false],
  ['https://hooks.slack.com.evil.example/services/T0/B0/x', false],
  ['https://hooks.slack.com:8443/services/T0/B0/x', false],
  ['https://me@hooks.slack.com/services/T0/B0/x', false],
  ['https://hooks.slack.com/workflows/T0/B0/x', false],
  ['https://hooks.slack.com/services/T0', false],
  ['nonsense', false],
])('the address %s is accepted: %s', (url, isAccepted) => {
  const pointers = slack.check({ url }).map(({ pointer }) => pointer);
  expect(pointers).toEqual(isAccepted ? [] : ['/url']);
});

test('what Slack takes arrives there', async () => {
  const vendor = await startSlack();
  onTestFinished(() => vendor.close());
  for (const event of [eventOf(), paused]) {
    const answer = await post(slack.render([event], { url: vendor.hookUrl }, CONTEXT));
    expect(slack.judge(answer, 1)).toEqual([{ outcome: 'ok' }]);
  }
  expect(vendor.accepted.map((message) => message['text'])).toEqual([
    '[CRITICAL] Inference blocked: gpt-x',
    '[HIGH] Webhook paused, its receiver does not answer: wh_01jd4t4ve9e0fs7m4c1ywz3qkd',
  ]);
});

test.each<[SlackMode, string, RegExp]>([
  ['rate_limited', 'retry', /less often/],
  ['unavailable', 'retry', /right now/],
  ['rollup_error', 'retry', /right now/],
  ['redirect', 'retry', /not followed/],
  ['error_in_200', 'permanent', /cannot read/],
  ['page_in_200', 'permanent', /instead of “ok”/],
  ['no_service', 'permanent', /removed or turned off/],
  ['channel_not_found', 'permanent', /channel/],
  ['channel_is_archived', 'permanent', /archived/],
  ['invalid_payload', 'permanent', /cannot read/],
  ['invalid_token', 'permanent', /does not know/],
  ['action_prohibited', 'permanent', /administrator/],
])('Slack’s answer %s is judged %s', async (mode, outcome, error) => {
  const vendor = await startSlack();
  onTestFinished(() => vendor.close());
  vendor.mode = mode;
  const judged = slack.judge(await post(slack.render([eventOf()], { url: vendor.hookUrl }, CONTEXT)), 1);
  expect(judged).toEqual([
    { outcome, error: expect.stringMatching(error), ...(mode === 'rate_limited' ? { afterMs: 30_000 } : {}) },
  ]);
  expect(JSON.stringify(judged)).not.toContain('secretsecret');
  expect(vendor.accepted).toEqual([]);
});

test('a webhook that Slack does not know is permanent', async () => {
  const vendor = await startSlack();
  onTestFinished(() => vendor.close());
  const answer = await post(slack.render([eventOf()], { url: `${vendor.hookUrl}x` }, CONTEXT));
  expect(slack.judge(answer, 1)).toMatchObject([{ outcome: 'permanent' }]);
});

import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { startTeams, teamsFaults, type TeamsMode } from '../../testing/vendors/teams.ts';
import { anyEvent, assessment, CONTEXT, eventOf, finding, paused, post, recovered } from '../test-kit.ts';
import { teams } from './adapter.ts';

const config = {
  url: 'https://prod-00.westeurope.logic.azure.com/workflows/0/triggers/manual/paths/invoke?sig=signaturesignature',
};

function cardOf(event = eventOf()) {
  const { body } = teams.render([event], config, CONTEXT);
  expect(teamsFaults(body)).toEqual([]);
  const message = JSON.parse(body) as { attachments: { content: { body: Record<string, unknown>[]; actions?: unknown[] } }[] };
  return message.attachments[0]!.content;
}

test('a blocked inference is an adaptive card with findings, facts and a button', () => {
  const { url, headers, body } = teams.render([eventOf()], config, CONTEXT);
  expect({ url, headers }).toEqual({ url: config.url, headers: { 'content-type': 'application/json; charset=utf-8' } });
  expect(JSON.parse(body)).toEqual({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.2',
          msteams: { width: 'full' },
          body: [
            {
              type: 'TextBlock',
              text: 'Inference blocked: gpt-x',
              weight: 'Bolder',
              size: 'Medium',
              wrap: true,
              style: 'heading',
              color: 'Attention',
            },
            {
              type: 'TextBlock',
              text: 'The policy blocks this inference.\n\ncritical data.secret · aws_access_key_id · AKIA…\n\nlow data.pii · email · a…@e….com',
              wrap: true,
            },
            {
              type: 'FactSet',
              facts: [
                { title: 'Severity', value: 'critical' },
                { title: 'Model', value: 'acme gpt-x 2' },
                { title: 'Policy', value: 'version 17' },
                { title: 'User', value: 'u-1' },
                { title: 'Session', value: 's-1' },
                { title: 'External id', value: 'order-7' },
                { title: 'Event', value: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd' },
                { title: 'Time', value: '2026-11-21T10:00:00.123Z' },
              ],
            },
          ],
          actions: [
            {
              type: 'Action.OpenUrl',
              title: 'Open the event',
              url: 'https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
            },
          ],
        },
      },
    ],
  });
});

test('good news is green, and what is not in the trail has no button', () => {
  expect(cardOf(recovered).body[0]).toMatchObject({ text: 'Drift has ended: gpt-x', color: 'Good' });
  expect(cardOf(eventOf({ sequence: null, mode: 'test' }))).not.toHaveProperty('actions');
});

test('a name that is a link in Markdown leads nowhere', () => {
  const card = cardOf(eventOf({ data: assessment({ model: { name: '[Open](https://evil.example)' } }) }));
  expect(card.body[0]).toMatchObject({ text: 'Inference blocked: [Open] (https://evil.example)' });
});

test('two hundred long findings, and long names, make a card below the bound of Teams', () => {
  const findings = Array.from({ length: 200 }, () => finding({ type: ']('.repeat(2_000), preview: '\\'.repeat(2_000) }));
  const long = '"'.repeat(3_000);
  cardOf(eventOf({ data: assessment({ findings, model: { name: long }, subject: { user: long, session: long, agent: long } }) }));
});

test('any event is a card that Teams takes', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const { body } = teams.render([event], config, CONTEXT);
      expect(teamsFaults(body)).toEqual([]);
      expect(body).not.toContain('signaturesignature');
    }),
  );
});

test('what Teams takes arrives there', async () => {
  const vendor = await startTeams();
  onTestFinished(() => vendor.close());
  for (const event of [eventOf(), paused]) {
    const answer = await post(teams.render([event], { url: vendor.hookUrl }, CONTEXT));
    expect(teams.judge(answer, 1)).toEqual([{ outcome: 'ok' }]);
  }
  expect(vendor.accepted).toHaveLength(2);
});

test.each<[TeamsMode, string, RegExp]>([
  ['throttled_in_200', 'retry', /less often/],
  ['failed_in_200', 'retry', /could not deliver/],
  ['rate_limited', 'retry', /less often/],
  ['unavailable', 'retry', /right now/],
  ['too_large_in_200', 'permanent', /too large/],
  ['off', 'permanent', /turned off: turn it on/],
  ['unauthorized', 'permanent', /let anyone trigger/],
  ['forbidden', 'permanent', /owner/],
  ['not_found', 'permanent', /owner/],
])('the answer %s of Teams is judged %s', async (mode, outcome, error) => {
  const vendor = await startTeams();
  onTestFinished(() => vendor.close());
  vendor.mode = mode;
  const judged = teams.judge(await post(teams.render([eventOf()], { url: vendor.hookUrl }, CONTEXT)), 1);
  expect(judged).toEqual([
    { outcome, error: expect.stringMatching(error), ...(mode === 'rate_limited' ? { afterMs: 12_000 } : {}) },
  ]);
  expect(JSON.stringify(judged)).not.toContain('signaturesignature');
});

test('a URL with a wrong signature is permanent', async () => {
  const vendor = await startTeams();
  onTestFinished(() => vendor.close());
  const answer = await post(teams.render([eventOf()], { url: `${vendor.hookUrl}x` }, CONTEXT));
  expect(teams.judge(answer, 1)).toMatchObject([{ outcome: 'permanent', error: expect.stringContaining('copy the URL again') }]);
});

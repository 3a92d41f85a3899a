import fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { expect, test } from 'vitest';
import { AssessmentBody } from '../assessments/schemas.ts';
import { describeEvent, linkOf } from './describe.ts';
import { anyEvent, assessment, eventOf, finding, paused, recovered, sustained } from './test-kit.ts';

test('a blocked inference is told by what was found, the worst first, and by whom it concerns', () => {
  expect(describeEvent(eventOf())).toEqual({
    title: 'Inference blocked: gpt-x',
    text: 'The policy blocks this inference.\ncritical data.secret · aws_access_key_id · AKIA…\nlow data.pii · email · a…@e….com',
    severity: 'critical',
    facts: [
      ['Severity', 'critical'],
      ['Model', 'acme gpt-x 2'],
      ['Policy', 'version 17'],
      ['User', 'u-1'],
      ['Session', 's-1'],
      ['External id', 'order-7'],
    ],
    condition: 'svc:org_01jd4t4ve9e0fs7m4c1ywz3qkd:gpt-x:inference:data.secret',
    resolves: false,
    subject: 'gpt-x',
  });
});

test('the sample that these tests use is what the service records', () => {
  expect(Compile(AssessmentBody).Errors({ ...assessment(), redacted: null })).toEqual([]);
});

test.each([
  [
    'drift',
    sustained,
    'Drift persists: gpt-x',
    'flagged_rate, baseline 0.1, now 0.231, since 2026-11-21T03:12:40.000Z.',
    'medium',
  ],
  [
    'its end',
    recovered,
    'Drift has ended: gpt-x',
    'flagged_rate, baseline 0.1, now 0.231, since 2026-11-21T03:12:40.000Z.',
    'none',
  ],
  [
    'a paused webhook',
    paused,
    'Webhook paused, its receiver does not answer: wh_01jd4t4ve9e0fs7m4c1ywz3qkd',
    'By the service itself.',
    'high',
  ],
  [
    'a new key',
    eventOf({ kind: 'api_key.created', data: { key_id: 'key_1' } }),
    'API key created: key_1',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'low',
  ],
  [
    'a new policy',
    eventOf({ kind: 'policy.updated', data: { version: 18 } }),
    'Policy updated: version 18',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'low',
  ],
  [
    'sign-in',
    eventOf({ kind: 'session.started', data: { session_id: 'ses_1' } }),
    'Session started: ses_1',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'none',
  ],
  [
    'single sign-on',
    eventOf({ kind: 'sso.updated', data: { enabled: true } }),
    'Single sign-on updated',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'medium',
  ],
  [
    'a sample',
    eventOf({ kind: 'policy.updated', data: { test: true, message: 'This is a sample.' } }),
    'Test: Policy updated',
    'This is a sample.',
    'low',
  ],
  [
    'a kind unknown here',
    eventOf({ kind: 'model_card.was_signed', data: {} }),
    'Model card was signed',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'none',
  ],
  [
    'a kind like a built-in',
    eventOf({ kind: 'constructor', data: {} }),
    'Constructor',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'none',
  ],
  [
    'a test',
    eventOf({ kind: 'webhook.test', mode: 'test', data: {} }),
    'Test of this integration',
    'By API key key_01jd4t4ve9e0fs7m4c1ywz3qkd.',
    'none',
  ],
])('%s reads well', (_name, event, title, text, severity) => {
  expect(describeEvent(event)).toMatchObject({ title, text, severity });
});

test('the two sides of a state have one condition; other conditions, organizations and modes have others', () => {
  const condition = (event: Parameters<typeof describeEvent>[0]) => describeEvent(event).condition;
  expect(condition(recovered)).toBe(condition(sustained));
  expect(condition({ ...paused, kind: 'webhook.recovered' })).toBe(condition(paused));
  expect(condition({ ...sustained, id: 'evt_other' })).toBe(condition(sustained));
  const others = [
    sustained,
    paused,
    { ...sustained, org_id: 'org_other' },
    { ...sustained, mode: 'test' as const },
    { ...paused, data: { ...paused.data, test: true } },
    { ...sustained, data: { ...sustained.data, signal: 'latency' } },
    { ...sustained, data: { ...sustained.data, series: { model: 'gpt-x', group: 'eu' } } },
    { ...sustained, data: { ...sustained.data, series: { model: 'gpt-x', group: 'us' } } },
    { ...sustained, data: { ...sustained.data, model: 'gpt-x:drift' } },
    { ...paused, kind: 'webhook.updated' },
    { ...paused, data: { webhook_id: 'wh_other' } },
    eventOf(),
    eventOf({ data: assessment({ findings: [finding({ category: 'attack.injection' })] }) }),
  ];
  expect(new Set(others.map(condition)).size).toBe(others.length);
  expect([sustained, recovered, paused].map((event) => describeEvent(event).resolves)).toEqual([false, true, false]);
});

test('of many findings the worst are told and the others counted', () => {
  const findings = Array.from({ length: 200 }, (_, i) =>
    finding({ severity: i === 199 ? 'critical' : 'low', type: `type_${i}` }),
  );
  const { text } = describeEvent(eventOf({ data: assessment({ findings, findings_total: 512 }) }));
  const lines = text.split('\n');
  expect(lines[1]).toContain('type_199');
  expect(lines).toHaveLength(7);
  expect(lines[6]).toBe('and 507 more');
});

test('addresses and secrets among what changed are not told', () => {
  const data = {
    name: 'CI',
    url: 'https://x.example/t0ken',
    signing_secret: 's3cret',
    api_key: 'k3y',
    key_id: 'key_1',
    last4: 'abcd',
  };
  const told = describeEvent(eventOf({ kind: 'webhook.created', data }));
  expect(told.facts).toEqual([
    ['Name', 'CI'],
    ['Key id', 'key_1'],
    ['Last4', 'abcd'],
  ]);
  expect(JSON.stringify(told)).not.toMatch(/t0ken|s3cret|k3y/);
});

test('what is in the trail has a link, what is not has none', () => {
  expect(linkOf(eventOf(), 'https://svc.example.com')).toBe('https://svc.example.com/#/events/evt_01jd4t4ve9e0fs7m4c1ywz3qkd');
  expect(linkOf(eventOf({ sequence: null }), 'https://svc.example.com')).toBeNull();
});

test('any event has a description within its bounds', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const { title, text, facts, condition } = describeEvent(event);
      expect(title.length).toBeGreaterThan(0);
      expect(title.length).toBeLessThanOrEqual(150);
      const lines = text.split('\n');
      expect(lines.length).toBeLessThanOrEqual(7);
      for (const line of lines) {
        expect(line.length).toBeGreaterThan(0);
        expect(line.length).toBeLessThanOrEqual(250);
      }
      expect(facts.length).toBeLessThanOrEqual(8);
      for (const [name, value] of facts) {
        expect(name.length * value.length).toBeGreaterThan(0);
        expect(name.length).toBeLessThanOrEqual(40);
        expect(value.length).toBeLessThanOrEqual(100);
      }
      for (const told of [title, text, ...facts.flat()]) expect(told.isWellFormed()).toBe(true);
      expect(condition).toMatch(/^svc(?:-test)?(?::[\w.!~*'()%-]*){3,4}$/);
    }),
  );
});

// What the tests of the adapters share: events, also hostile ones, and the way to a vendor over real HTTP. For tests alone.

import fc from 'fast-check';
import { onTestFinished } from 'vitest';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { createEgress } from '../egress/egress.ts';
import type { Answer, OutgoingEvent, OutgoingRequest } from './adapter.ts';

export const CONTEXT = { baseUrl: 'https://svc.example.com' };
const ORG = 'org_01jd4t4ve9e0fs7m4c1ywz3qkd';
const ANSWER_BYTES_MAX = 16_384;
const TIMEOUT_MS = 10_000;
const EVENT_BYTES_MAX = 65_536; // Of a delivered body.

/** A finding as an assessment has it. */
export function finding(change: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    id: 'fnd_1',
    category: 'data.secret',
    type: 'aws_access_key_id',
    location: { pointer: '/output', start: 12, end: 32 },
    score: 0.99,
    severity: 'critical',
    outcome: 'blocked',
    action: 'block',
    rule_id: null,
    exception_id: null,
    detector: { id: 'secrets', version: '1.2.0', method: 'pattern+checksum' },
    preview: 'AKIA…',
    frameworks: ['owasp-llm:LLM02'],
    explanation: 'An access key of AWS.',
    ...change,
  };
}

/** An assessment as it is recorded. */
export function assessment(change: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return {
    id: 'asm_01jd4t4ve9e0fs7m4c1ywz3qkd',
    external_id: 'order-7',
    created_at: '2026-11-21T10:00:00.000Z',
    mode: 'live',
    outcome: 'blocked',
    enforcement: { mode: 'enforce', action: 'block', would: null, message: 'The policy blocks this inference.' },
    score: 0.99,
    severity: 'critical',
    findings: [finding({ category: 'data.pii', type: 'email', severity: 'low', preview: 'a…@e….com' }), finding({ id: 'fnd_2' })],
    findings_total: 2,
    coverage: { status: 'complete', chars_total: 90, chars_scanned: 90, detectors: [] },
    policy: { version: 17, digest: 'sha256:00' },
    shadow: null,
    model: { provider: 'acme', name: 'gpt-x', version: '2' },
    subject: { user: 'u-1', session: 's-1', agent: null },
    metadata: {},
    event_id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    latency_ms: 1.9,
    ...change,
  };
}

/** A blocked inference, unless told otherwise. */
export function eventOf(change: Partial<OutgoingEvent> = {}): OutgoingEvent {
  return {
    id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    sequence: 42,
    kind: 'inference.blocked',
    mode: 'live',
    occurred_at: '2026-11-21T10:00:00.123Z',
    recorded_at: '2026-11-21T10:00:00.125Z',
    org_id: ORG,
    actor: { type: 'api_key', id: 'key_01jd4t4ve9e0fs7m4c1ywz3qkd' },
    data: assessment(),
    ...change,
  };
}

const DRIFT = {
  model: 'gpt-x',
  signal: 'flagged_rate',
  baseline: { value: 0.1 },
  current: { value: 0.231 },
  onset: '2026-11-21T03:12:40.000Z',
};
export const sustained = eventOf({ kind: 'drift.sustained', actor: { type: 'system', id: null }, data: DRIFT });
export const recovered = eventOf({ kind: 'drift.recovered', actor: { type: 'system', id: null }, data: DRIFT, sequence: 50 });
export const paused = eventOf({
  kind: 'webhook.paused',
  actor: { type: 'system', id: null },
  data: { webhook_id: 'wh_01jd4t4ve9e0fs7m4c1ywz3qkd' },
});

const NASTY = [
  '<!channel>',
  '<https://evil.example|Open the event>',
  '[Open](https://evil.example)',
  '&amp;',
  '&',
  '"\\',
  '\ud83d', // half an emoji
  '👩‍👩‍👧‍👦',
  'e\u0301',
  '\u202egnp.exe',
  '\u0000\n\r\u2028',
  '\u200d',
  'ß',
  '漢',
  '${x}',
  '__proto__',
];

/** Any text: of any characters, of what vendors read as theirs, short and very long. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(...NASTY),
  fc.array(fc.constantFrom(...NASTY), { maxLength: 30 }).map((parts) => parts.join('')),
  fc.tuple(fc.constantFrom(...NASTY), fc.integer({ min: 1, max: 1_500 })).map(([part, times]) => part.repeat(times)),
);

const findingOf = (text: fc.Arbitrary<string>) =>
  fc
    .record({ category: text, type: text, preview: fc.option(text), severity: fc.constantFrom('low', 'high', 'critical', 'odd') })
    .map(finding);
const anyFindings = fc.oneof(
  fc.array(findingOf(anyText), { maxLength: 4 }),
  fc.array(findingOf(fc.constantFrom(...NASTY)), { minLength: 200, maxLength: 200, size: 'max' }),
);

const anyAssessment = fc
  .record({
    findings: anyFindings,
    findings_total: fc.nat(1_000),
    severity: fc.constantFrom('none', 'low', 'medium', 'high', 'critical'),
    model: fc.option(fc.record({ provider: fc.option(anyText), name: anyText, version: fc.option(anyText) })),
    subject: fc.option(fc.record({ user: anyText, session: anyText, agent: anyText })),
    external_id: fc.option(anyText),
    enforcement: fc.record({ message: fc.option(anyText) }),
  })
  .map(assessment);

const KINDS = [
  'inference.blocked',
  'inference.allowed',
  'drift.sustained',
  'drift.recovered',
  'webhook.paused',
  'webhook.test',
  'policy.updated',
];

/** Any event that is delivered, of known and unknown kinds, with any data. */
export const anyEvent: fc.Arbitrary<OutgoingEvent> = fc
  .record({
    kind: fc.oneof(fc.constantFrom(...KINDS), fc.stringMatching(/^[a-z_]{1,30}\.[a-z_]{1,30}$/)),
    mode: fc.constantFrom('live' as const, 'test' as const),
    sequence: fc.option(fc.nat()),
    occurred_at: fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }).map((date) => date.toISOString()),
    actor: fc.record({ type: fc.constantFrom('api_key', 'user', 'system'), id: fc.option(anyText) }),
    data: fc.oneof(anyAssessment, fc.dictionary(anyText, fc.oneof(anyText, fc.jsonValue()), { maxKeys: 12 })),
  })
  .map(eventOf)
  .filter((event) => Buffer.byteLength(JSON.stringify(event)) <= EVENT_BYTES_MAX);

/** Sends a request as the service does. `origin`: in the place of the vendor's own. */
export async function post(request: OutgoingRequest, origin = new URL(request.url).origin): Promise<Answer> {
  const egress = createEgress({ allowed: new CidrList([parseCidr('127.0.0.0/8') as Cidr]), allowHttp: false });
  onTestFinished(() => egress.close());
  const { pathname, search } = new URL(request.url);
  const sent = { method: 'POST', ...request, url: `${origin}${pathname}${search}` } as const;
  const { status, headers, body } = await egress.request({ ...sent, timeoutMs: TIMEOUT_MS, bodyBytesMax: ANSWER_BYTES_MAX });
  return { status, headers, body: body.toString() };
}

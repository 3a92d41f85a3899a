// Promises about what is sent.

import { expect, test } from 'vitest';
import { bodyOf, type DeliveredEvent } from './body.ts';

const event = (data: object, changes: Partial<DeliveredEvent> = {}): DeliveredEvent => ({
  id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
  sequence: 7,
  kind: 'inference.flagged',
  mode: 'live',
  occurredAtMs: Date.parse('2026-11-21T10:00:00.000Z'),
  recordedAtMs: Date.parse('2026-11-21T10:00:00.005Z'),
  orgId: 'org_01jd4t4ve9e0fs7m4c1ywz3qkd',
  actor: { type: 'api_key', id: 'key_1' },
  data: JSON.stringify(data),
  ...changes,
});
const finding = (i: number) => ({ id: `fnd_${i}`, category: 'data.pii', preview: 'ü'.repeat(200), explanation: 'x'.repeat(400) });

test('the body is the event as the API shows it, less the address', () => {
  expect(JSON.parse(bodyOf(event({ outcome: 'flagged' })))).toEqual({
    id: 'evt_01jd4t4ve9e0fs7m4c1ywz3qkd',
    sequence: 7,
    kind: 'inference.flagged',
    mode: 'live',
    occurred_at: '2026-11-21T10:00:00.000Z',
    recorded_at: '2026-11-21T10:00:00.005Z',
    org_id: 'org_01jd4t4ve9e0fs7m4c1ywz3qkd',
    actor: { type: 'api_key', id: 'key_1' },
    data: { outcome: 'flagged' },
  });
});

test('a body of more than 64 KiB loses findings from the end, and says how many there were', () => {
  const data = { outcome: 'flagged', findings: Array.from({ length: 200 }, (_, i) => finding(i)), findings_total: 200 };
  const body = bodyOf(event(data));
  expect(Buffer.byteLength(body)).toBeLessThanOrEqual(65_536);
  const sent = JSON.parse(body).data;
  expect(sent.findings_total).toBe(200);
  expect(sent.findings.length).toBeGreaterThan(50);
  expect(sent.findings).toEqual(data.findings.slice(0, sent.findings.length));
  // One more would not have fitted.
  const more = JSON.stringify({ ...sent, findings: data.findings.slice(0, sent.findings.length + 1) });
  expect(Buffer.byteLength(body) - Buffer.byteLength(JSON.stringify(sent)) + Buffer.byteLength(more)).toBeGreaterThan(65_536);
});

test('the same event gives the same bytes', () => {
  const data = { findings: Array.from({ length: 200 }, (_, i) => finding(i)), findings_total: 200 };
  expect(bodyOf(event(data))).toBe(bodyOf(event(data)));
});

test('metadata that is too long goes last', () => {
  const data = { findings: [finding(1)], findings_total: 1, metadata: { k: 'é'.repeat(40_000) } };
  const sent = JSON.parse(bodyOf(event(data))).data;
  expect(sent).toMatchObject({ findings_total: 1, metadata: {} });
});

test('what a candidate policy would have found goes before any finding', () => {
  const place = (i: number) => ({
    category: 'data.pii',
    type: 'email',
    location: { pointer: `/input/${i}/content`, start: i, end: i + 9 },
  });
  const shadow = {
    policy: { digest: 'sha256:0' },
    outcome: 'blocked',
    changed: true,
    added: Array.from({ length: 200 }, (_, i) => place(i)),
    removed: [],
  };
  const findings = Array.from({ length: 40 }, (_, i) => finding(i));
  const sent = JSON.parse(bodyOf(event({ findings, findings_total: 40, shadow, note: 'x'.repeat(15_000) }))).data;
  expect(sent.shadow).toEqual({ ...shadow, added: [] });
  expect(sent.findings).toEqual(findings);
  expect(JSON.parse(bodyOf(event({ findings: [], findings_total: 0, shadow }))).data.shadow).toEqual(shadow);
});

// Promises about the leaf of an event: what it commits to, and what is left of it when something is erased.

import { canonicalJson } from '@svc/engine';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, envelopeOf, type PrivateField, type StoredEvent } from './envelope.ts';
import { erasableFields, withoutFields } from './erasure.ts';

const KINDS = [
  'inference.allowed',
  'inference.blocked',
  'session.started',
  'api_key.created',
  'policy.updated',
  'telemetry.received',
];

const line = fc.string({ unit: 'grapheme', maxLength: 12 });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 2 });
const json = fc.json({ stringUnit: 'grapheme', maxDepth: 3 });
const timeUs = fc.bigInt({ min: -9_223_372_036_854_775_807n, max: 9_223_372_036_854_775_807n });

/** Rows as nobody writes them: the columns have nothing to do with the data. */
const oddEvent: fc.Arbitrary<StoredEvent> = fc.record({
  orgId: line,
  sequence: fc.integer({ min: 1 }),
  id: line,
  kind: fc.oneof(fc.constantFrom(...KINDS), line),
  occurredAtUs: timeUs,
  recordedAtUs: timeUs,
  actorType: fc.oneof(fc.constantFrom('user', 'api_key'), line),
  actorId: optional(line),
  actorIp: optional(line),
  model: optional(line),
  subjectUser: optional(line),
  subjectSession: optional(line),
  subjectAgent: optional(line),
  externalId: optional(line),
  probeId: optional(line),
  categories: optional(fc.oneof(line, fc.constantFrom(' ', '  ', ' a b ', ' a  b ', 'a'))),
  data: fc.oneof(json, line),
  salt: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes)),
  redaction: fc.constant(null),
  text: optional(line),
});

const finding = fc.record({ type: line, score: fc.double({ min: 0, max: 1, noNaN: true }), preview: optional(line) });

/** Rows as the service writes them, of inferences. Each value that can be erased has a mark of its own. */
const inference: fc.Arbitrary<StoredEvent> = fc
  .tuple(
    oddEvent,
    fc.record({
      user: optional(line),
      session: optional(line),
      findings: fc.array(finding, { maxLength: 3 }),
      metadata: fc.dictionary(line, line, { maxKeys: 3, noNullPrototype: true }),
      score: fc.double({ min: 0, max: 1, noNaN: true }),
      isByUser: fc.boolean(),
    }),
  )
  .map(([odd, { user, session, findings, metadata, score, isByUser }]) => {
    const mark = (name: string, value: string | null) => (value === null ? null : `<${name}>${value}`);
    const subject = { user: mark('subject', user), session: mark('subject', session), agent: null };
    const hasSubject = subject.user !== null || subject.session !== null;
    const data = {
      id: 'asm_1',
      external_id: mark('external_id', odd.externalId),
      outcome: 'flagged',
      score,
      findings: findings.map(({ type, score: found, preview }) => ({ type, score: found, preview: mark('previews', preview) })),
      subject: hasSubject ? subject : null,
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name, mark('metadata', value)])),
      policy: { version: 1, digest: 'd' },
      coverage: { status: 'full' },
    };
    return Object.assign({}, odd, {
      kind: 'inference.flagged',
      actorType: isByUser ? 'user' : 'api_key',
      actorId: mark('actor.id', odd.actorId ?? 'x'),
      actorIp: mark('actor.ip', odd.actorIp),
      subjectUser: subject.user,
      subjectSession: subject.session,
      subjectAgent: null,
      externalId: data.external_id,
      data: JSON.stringify(data),
      text: mark('text', odd.text),
    });
  });

const anyEvent = fc.oneof(inference, oddEvent);

/** Of data the value counts, not how it is written; what is not JSON counts as that text. */
function said(row: StoredEvent, column: keyof StoredEvent): string {
  const value = row[column];
  if (typeof value === 'bigint') return String(value);
  if (column !== 'data') return JSON.stringify(value);
  try {
    return JSON.stringify(JSON.parse(row.data));
  } catch {
    return JSON.stringify(row.data);
  }
}

describe('the leaf of an event', () => {
  test('is canonical JSON, whatever the row holds', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const { text } = envelopeOf(event);
        expect(text).toBe(canonicalJson(JSON.parse(text)));
      }),
    );
  });

  test('is the same bytes for the same row', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const copy = { ...event, salt: Buffer.from(event.salt!) };
        expect(envelopeOf(copy)).toEqual(envelopeOf(event));
      }),
    );
  });

  const columns = Object.keys(fc.sample(oddEvent, 1)[0]!).filter((name) => name !== 'redaction') as (keyof StoredEvent)[];
  test.each(columns)('is another when %s is another', (column) => {
    fc.assert(
      fc.property(anyEvent, anyEvent, (event, other) => {
        // Data that is nothing is not committed to, so there is nothing to salt.
        fc.pre(column !== 'salt' || envelopeOf(event).disclosures.length > 0);
        fc.pre(said(event, column) !== said(other, column));
        expect(envelopeOf({ ...event, [column]: other[column] }).text).not.toBe(envelopeOf(event).text);
      }),
      { numRuns: 200 },
    );
  });

  test('has the digest of each disclosure, and of nothing else', () => {
    fc.assert(
      fc.property(anyEvent, (event) => {
        const { text, disclosures } = envelopeOf(event);
        const committed = (JSON.parse(text) as { private: string[] }).private;
        expect(disclosures.map(({ disclosed }) => digestOf(disclosed)).toSorted()).toEqual(committed);
      }),
    );
  });

  test('tells nothing of what it commits to', () => {
    fc.assert(
      fc.property(inference, (event) => {
        const marks = ['<subject>', '<external_id>', '<metadata>', '<previews>', '<text>', '<actor.ip>'];
        const { text } = envelopeOf(event);
        for (const mark of event.actorType === 'user' ? [...marks, '<actor.id>'] : marks) expect(text).not.toContain(mark);
      }),
    );
  });
});

describe('an event of which something is erased', () => {
  /** The fields of the event that can be erased, in portions. */
  const portions = (event: StoredEvent) => {
    const there = new Set(envelopeOf(event).disclosures.map(({ name }) => name));
    const fields = erasableFields(event.kind).filter((name) => there.has(name));
    return fc.tuple(fc.shuffledSubarray([...fields]), fc.infiniteStream(fc.integer({ min: 1, max: 3 }))).map(([all, sizes]) => {
      const cut: PrivateField[][] = [];
      for (let at = 0; at < all.length; at += cut.at(-1)!.length) cut.push(all.slice(at, at + sizes.next().value!));
      return cut;
    });
  };
  const erasing = inference.chain((event) => portions(event).map((cut) => ({ event, cut })));

  test('has the same leaf, in whatever portions and order it is erased', () => {
    fc.assert(
      fc.property(erasing, ({ event, cut }) => {
        const { text } = envelopeOf(event);
        let left = event;
        for (const fields of cut) {
          left = withoutFields(left, fields);
          expect(envelopeOf(left).text).toBe(text);
        }
        expect([...envelopeOf(left).erased].toSorted()).toEqual(cut.flat().toSorted());
      }),
      { numRuns: 300 },
    );
  });

  test('holds neither the values nor the salts by which they could be guessed', () => {
    fc.assert(
      fc.property(erasing, ({ event, cut }) => {
        const gone = cut.flat();
        const before = envelopeOf(event).disclosures.filter(({ name }) => gone.includes(name));
        const left = JSON.stringify(cut.reduce(withoutFields, event), (_, value: unknown) =>
          typeof value === 'bigint' ? String(value) : value,
        );
        for (const name of gone) expect(left).not.toContain(`<${name}>`);
        for (const { disclosed } of before) expect(left).not.toContain((JSON.parse(disclosed) as [string])[0]);
        if (gone.length > 0) expect(JSON.parse(left).salt).toBeNull();
      }),
      { numRuns: 300 },
    );
  });

  test('still discloses what was not erased', () => {
    fc.assert(
      fc.property(erasing, ({ event, cut }) => {
        const left = envelopeOf(cut.reduce(withoutFields, event)).disclosures;
        expect(left).toEqual(envelopeOf(event).disclosures.filter(({ name }) => !cut.flat().includes(name)));
      }),
    );
  });

  test('is another when what was erased of it, or a salt that is left, is another', () => {
    const [event] = fc.sample(
      inference.filter(({ actorIp, subjectUser }) => actorIp !== null && subjectUser !== null),
      1,
    );
    const left = withoutFields(event!, ['subject']);
    const { erased, salts } = JSON.parse(left.redaction!) as Record<'erased' | 'salts', Record<string, string>>;
    const other = Buffer.alloc(32).toString('base64');
    const changed = [
      { erased: { subject: other }, salts },
      { erased: {}, salts },
      { erased: { ...erased, previews: other }, salts },
      { erased, salts: { ...salts, 'actor.ip': other } },
      { erased, salts: {} },
    ];
    for (const redaction of changed)
      expect(envelopeOf({ ...left, redaction: JSON.stringify(redaction) }).text).not.toBe(envelopeOf(event!).text);
    expect(envelopeOf({ ...left, redaction: null }).text).not.toBe(envelopeOf(event!).text);
  });

  test('of a kind whose data may name people says nothing any more', () => {
    for (const kind of ['session.started', 'api_key.revoked', 'sso.updated', 'organization.created', 'probe.online']) {
      const event = { ...fc.sample(oddEvent, 1)[0]!, kind, data: '{"subject":"ann"}' };
      const left = withoutFields(event, ['data']);
      expect({ data: left.data, text: envelopeOf(left).text }).toEqual({ data: '{}', text: envelopeOf(event).text });
    }
  });

  test('keeps the data by which its decision, or the service’s rules, are understood', () => {
    for (const kind of ['policy.updated', 'inference.allowed', 'drift.sustained', 'audit.redacted', 'telemetry.received'])
      expect(erasableFields(kind)).not.toContain('data');
  });
});

test.each([
  [0n, '1970-01-01T00:00:00.000Z'],
  [-1n, '1969-12-31T23:59:59.999999Z'],
  [1_700_000_000_123_000n, '2023-11-14T22:13:20.123Z'],
  [1_700_000_000_123_004n, '2023-11-14T22:13:20.123004Z'],
  [253_402_300_799_999_001n, '9999-12-31T23:59:59.999001Z'],
  [9_223_372_036_854_775_807n, '9223372036854775807'],
])('a time of %s microseconds is %s in the leaf, to the last digit', (us, text) => {
  const [event] = fc.sample(oddEvent, 1);
  expect(JSON.parse(envelopeOf({ ...event!, recordedAtUs: us }).text)).toMatchObject({ recorded_at: text });
});

// Promises about the leaf of an event: what it commits to, and what is left of it when something is erased.

import { canonicalJson } from '@svc/engine';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { digestOf, envelopeOf, shownDisclosures, type PrivateField, type StoredEvent } from './envelope.ts';
import { erasableFields } from './erasable.ts';
import { withoutFields } from './erasure.ts';

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

/** Where a finding stands: by its number, and below the arguments of a tool call by names that its caller has chosen. */
const pointer = fc.oneof(
  fc.constantFrom('', '/input', '/context/0/content', '/tool_calls/1/arguments'),
  line.map((name) => `/tool_calls/12/arguments/<previews>${name}`),
);
const NOBODY = { subjectUser: null, subjectSession: null, subjectAgent: null, externalId: null };

const finding = fc.record({
  type: line,
  score: fc.double({ min: 0, max: 1, noNaN: true }),
  preview: optional(line),
  pointer,
});
const difference = fc.record({ type: line, location: fc.record({ pointer, start: fc.nat(9) }) });
const differences = fc.array(difference, { maxLength: 2 });
const shadow = fc.record({ outcome: line, added: differences, removed: differences });

/** Data that is nearly as the service writes it: members where they are expected, of any kind. */
const oddInference = fc
  .record(
    {
      findings: fc.array(fc.oneof(fc.jsonValue(), fc.record({ preview: fc.jsonValue(), location: fc.record({ pointer }) }))),
      shadow: fc.oneof(shadow, fc.record({ added: fc.jsonValue(), removed: differences }), fc.jsonValue()),
      metadata: fc.jsonValue(),
      subject: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map((data) => JSON.stringify(data));

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
      candidate: optional(shadow),
    }),
  )
  .map(([odd, { user, session, findings, metadata, score, isByUser, candidate }]) => {
    const mark = (name: string, value: string | null) => (value === null ? null : `<${name}>${value}`);
    const subject = { user: mark('subject', user), session: mark('subject', session), agent: null };
    const hasSubject = subject.user !== null || subject.session !== null;
    const data = {
      id: 'asm_1',
      external_id: mark('external_id', odd.externalId),
      outcome: 'flagged',
      score,
      findings: findings.map(({ type, score: found, preview, pointer: at }) => ({
        type,
        location: { pointer: at, start: 0, end: 1 },
        score: found,
        preview: mark('previews', preview),
      })),
      shadow: candidate,
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

const anyEvent = fc.oneof(
  inference,
  oddEvent,
  fc.tuple(oddEvent, oddInference).map(([event, data]) => Object.assign({}, event, { kind: 'inference.flagged', data })),
);

function said(row: StoredEvent, column: keyof StoredEvent): string {
  const value = row[column];
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}

/** An assessment as the service writes it, and members of it in other words. */
const WRITTEN = {
  id: 'asm_1',
  external_id: 'order',
  outcome: 'flagged',
  score: 0.5,
  findings: [{ type: 't', preview: 'p' }],
  subject: { user: 'ann', session: null, agent: null },
  metadata: { team: 'one' },
  shadow: null,
};
const COLUMNS = { subjectUser: 'ann', subjectSession: null, subjectAgent: null, externalId: 'order' };
const without = (name: keyof typeof WRITTEN) => JSON.stringify({ ...WRITTEN, [name]: undefined });
const writtenWith = (more: object) => JSON.stringify({ ...WRITTEN, ...more });
const written = writtenWith({});

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

  test.each([
    ['has no subject, while the columns do', without('subject')],
    ['has no external id, while the column does', without('external_id')],
    ['has a subject of fewer members', writtenWith({ subject: { user: 'ann' } })],
    ['has another subject', writtenWith({ subject: { user: 'bob', session: null, agent: null } })],
    ['has a number that is read as nothing', written.replace('"shadow":null', '"shadow":1e999')],
    ['has a number in other digits', written.replace('0.5', '0.50')],
    ['has a member twice', written.replace('{', '{"score":1,')],
    ['has spaces', written.replace(':', ': ')],
    ['is told as what cannot be read', JSON.stringify({ unparsed: written })],
    ['is a text that holds it', JSON.stringify(written)],
  ])('is another when the data %s', (_, data) => {
    for (const kind of ['inference.flagged', 'session.started']) {
      const event = { ...fc.sample(oddEvent, 1)[0]!, ...COLUMNS, kind, data: written };
      expect(envelopeOf({ ...event, data }).text).not.toBe(envelopeOf(event).text);
    }
  });

  test('tells data that is not JSON from JSON that holds the same text', () => {
    const texts = [
      'hello',
      '"hello"',
      '{"unparsed":"hello"}',
      '{"unparsed":"{\\"unparsed\\":\\"hello\\"}"}',
      ' {"unparsed":"hello"}',
    ];
    for (const kind of ['inference.flagged', 'session.started']) {
      const event = { ...fc.sample(oddEvent, 1)[0]!, ...NOBODY, kind };
      expect(new Set(texts.map((data) => envelopeOf({ ...event, data }).text)).size).toBe(texts.length);
    }
  });

  const nested = fc
    .tuple(fc.integer({ min: 1, max: 40_000 }), fc.constantFrom(['[', ']'], ['{"a":', '}'], ['{"subject":[', ']}']), fc.boolean())
    .map(([depth, [open, close], isWhole]) => open.repeat(depth) + (isWhole ? `1${close.repeat(depth)}` : ''));
  const hostile = fc
    .tuple(anyEvent, fc.record({ data: nested, redaction: optional(nested), text: optional(nested) }))
    .chain(([event, { data, redaction, text }]) =>
      fc.constantFrom(
        { ...event, data },
        { ...event, data: writtenWith({ metadata: { a: data } }) },
        { ...event, data: `{"findings":${data}}` },
        { ...event, redaction, salt: null },
        { ...event, text, salt: Buffer.alloc(0) },
      ),
    );
  test('is made of every row, the same however deep in calls, and canonical', () => {
    const deeper = (calls: number, event: StoredEvent): string =>
      calls === 0 ? envelopeOf(event).text : deeper(calls - 1, event);
    fc.assert(
      fc.property(hostile, (event) => {
        const { text } = envelopeOf(event);
        expect(deeper(1_000, event)).toBe(text);
        expect(text).toBe(canonicalJson(JSON.parse(text)));
      }),
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

test('the texts that were assessed are committed to, and not among what is shown', () => {
  fc.assert(
    fc.property(anyEvent, (event) => {
      const envelope = envelopeOf(event);
      expect(shownDisclosures(envelope)).toEqual(envelope.disclosures.filter(({ name }) => name !== 'text'));
    }),
  );
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

  test('still says of which call of a tool, and where in the text, its findings are', () => {
    const location = (at: string) => ({ pointer: at, start: 3, end: 5 });
    interface Place {
      readonly location: object;
    }
    const places = (data: string) => {
      const { findings, shadow: candidate } = JSON.parse(data) as {
        findings: Place[];
        shadow: Record<'added' | 'removed', Place[]>;
      };
      return [...findings, ...candidate.added, ...candidate.removed].map((place) => place.location);
    };
    const data = {
      findings: [
        { preview: 'p', location: location('/tool_calls/0/arguments/bob@x.example/0') },
        { preview: null, location: location('/context/0/content') },
        { preview: 'q', location: location('/tool_calls/3/arguments') },
      ],
      shadow: {
        added: [{ location: location('/tool_calls/1/arguments/bob@x.example') }],
        removed: [{ location: location('/input') }],
      },
    };
    const event = { ...fc.sample(oddEvent, 1)[0]!, ...NOBODY, kind: 'inference.flagged', data: JSON.stringify(data) };
    const { disclosures } = envelopeOf(event);
    const valueOf = (field: PrivateField) =>
      (JSON.parse(disclosures.find(({ name }) => name === field)!.disclosed) as unknown[])[2];
    expect(valueOf('previews')).toEqual([
      { preview: 'p', pointer: '/tool_calls/0/arguments/bob@x.example/0' },
      { preview: null },
      { preview: 'q' },
      { pointer: '/tool_calls/1/arguments/bob@x.example' },
      {},
    ]);
    const cut = ['/tool_calls/0/arguments', '/context/0/content', '/tool_calls/3/arguments', '/tool_calls/1/arguments', '/input'];
    expect(places(JSON.stringify(valueOf('data')))).toEqual(cut.map(location));
    expect(places(withoutFields(event, ['previews']).data)).toEqual(cut.map(location));
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

  /** As somebody would do it who knows the salts, but may only write to the table: calls erased what he puts something else in the place of. */
  const forged = (event: StoredEvent, name: PrivateField, change: Partial<StoredEvent>): StoredEvent => {
    const erased: Record<string, string> = {};
    const salts: Record<string, string> = {};
    for (const { name: of, disclosed } of envelopeOf(event).disclosures) {
      salts[of] = (JSON.parse(disclosed) as [string])[0];
      if (of === name) erased[of] = digestOf(disclosed);
    }
    return { ...event, ...change, salt: null, redaction: JSON.stringify({ erased, salts }) };
  };
  const ann = () => ({
    ...fc.sample(oddEvent, 1)[0]!,
    ...COLUMNS,
    kind: 'inference.flagged',
    actorType: 'user',
    actorId: 'ann',
    actorIp: '192.0.2.1',
    text: '{"input":"i"}',
    data: written,
  });
  test.each<[PrivateField, Partial<StoredEvent>]>([
    ['actor.id', { actorId: 'bob' }],
    ['actor.ip', { actorIp: '192.0.2.2' }],
    ['subject', { subjectUser: 'bob', data: writtenWith({ subject: { user: 'bob', session: null, agent: null } }) }],
    ['subject', { subjectUser: 'bob', data: writtenWith({ subject: null }) }],
    ['subject', { subjectUser: null, data: writtenWith({ subject: { user: 'bob', session: null, agent: null } }) }],
    ['subject', { subjectUser: null, data: without('subject') }],
    ['external_id', { externalId: 'other', data: writtenWith({ external_id: 'other' }) }],
    ['external_id', { externalId: null, data: writtenWith({ external_id: 'other' }) }],
    ['external_id', { externalId: 'other', data: writtenWith({ external_id: null }) }],
    ['metadata', { data: writtenWith({ metadata: { team: 'two' } }) }],
    ['metadata', { data: writtenWith({ metadata: 'two' }) }],
    ['previews', { data: writtenWith({ findings: [{ type: 't', preview: 'q' }] }) }],
    ['text', { text: '{"input":"j"}' }],
    ['data', { data: writtenWith({ score: 0.9 }) }],
    ['data', { data: '{}' }],
  ])('is another when %s is told to be erased, and something stands in its place: %j', (name, change) => {
    const event = ann();
    expect(envelopeOf(forged(event, name, change)).text).not.toBe(envelopeOf(event).text);
  });

  test('of a kind whose data is never erased is another when its data is told to be', () => {
    const event = { ...ann(), kind: 'policy.updated', data: '{"version":1}' };
    for (const data of ['{"version":2}', '{}'])
      expect(envelopeOf(forged(event, 'data', { data })).text).not.toBe(envelopeOf(event).text);
    expect(envelopeOf(forged({ ...event, kind: 'sso.updated' }, 'data', { data: '{"version":2}' })).text).not.toBe(
      envelopeOf({ ...event, kind: 'sso.updated' }).text,
    );
  });

  test('is another when a redaction stands beside its salt', () => {
    const event = ann();
    for (const redaction of ['{}', 'junk', '{"erased":{},"salts":{"data":"x"}}'])
      expect(envelopeOf({ ...event, redaction }).text).not.toBe(envelopeOf(event).text);
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

// Promises of the reader of OTLP: both encodings say the same, and nothing that arrives does harm.

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readableSpan, Receiver, type SpanSpec } from '../testing/exported.ts';
import type { OtlpEncoding } from './answer.ts';
import { spansOf } from './request.ts';
import { OtlpError, type AttributeValue, type Span } from './span.ts';

let receiver: Receiver;
beforeAll(async () => {
  receiver = await Receiver.start();
});
afterAll(() => receiver.stop());

const ENCODINGS = ['json', 'protobuf'] as const;

const hex = (bytes: number) => fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((id) => Buffer.from(id).toString('hex'));
const text = fc.string({ unit: 'binary', maxLength: 300 });
const number = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Number.isInteger(value)),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    number,
    fc.boolean(),
    fc.uint8Array({ maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
}));
const attributes = fc.dictionary(text, value, { maxKeys: 6 });
const nanoseconds = fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n });
const specs: fc.Arbitrary<SpanSpec> = fc.record({
  traceId: hex(16),
  spanId: hex(8),
  startNs: nanoseconds,
  endNs: nanoseconds,
  attributes,
  events: fc.array(fc.record({ name: text, attributes }), { maxLength: 3 }),
  isError: fc.boolean(),
  // The SDK's own resources know no `__proto__`.
  resource: fc.dictionary(
    fc.string({ minLength: 1 }).filter((name) => name !== '__proto__'),
    fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean()),
    { maxKeys: 3 },
  ),
});

/** What the reader should make of a value: bytes are base64. */
function read(value: unknown): AttributeValue {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(read);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : (value as AttributeValue);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, read(member)]));
}

function expectedSpan(spec: SpanSpec): Span {
  const pairs = (of: Readonly<Record<string, unknown>> | undefined) => new Map(Object.entries(read(of ?? {}) as object));
  return {
    traceId: spec.traceId!,
    spanId: spec.spanId!,
    startNs: spec.startNs!,
    endNs: spec.endNs!,
    attributes: pairs(spec.attributes),
    events: spec.events!.map(({ name, attributes }) => ({ name, attributes: pairs(attributes) })),
    isError: spec.isError!,
    resource: pairs(spec.resource),
  };
}

/** The exporters put spans of one resource together. */
const byId = (spans: readonly Span[]) => spans.toSorted((a, b) => (a.traceId + a.spanId < b.traceId + b.spanId ? -1 : 1));

test.each(ENCODINGS)(
  'what the SDK exports as %s is read as it was',
  async (encoding) => {
    await fc.assert(
      fc.asyncProperty(fc.array(specs, { minLength: 1, maxLength: 5 }), async (spans) => {
        const body = await receiver.exported(encoding, spans.map(readableSpan));
        expect(byId([...spansOf(encoding, body)])).toEqual(byId(spans.map(expectedSpan)));
      }),
      { numRuns: 200 },
    );
  },
  60_000,
);

const SAMPLE: SpanSpec = {
  attributes: {
    'gen_ai.operation.name': 'chat',
    'gen_ai.usage.input_tokens': 812,
    'gen_ai.request.temperature': 0.5,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Grüße, 世界' }] }],
  },
  events: [{ name: 'exception', attributes: { 'exception.type': 'Timeout' } }],
  isError: true,
  resource: { 'service.name': 'shop' },
};

describe.each(ENCODINGS)('hostile %s', (encoding) => {
  const readAll = (body: Uint8Array) => {
    try {
      for (const span of spansOf(encoding, body)) void span;
    } catch (err) {
      expect(err).toBeInstanceOf(OtlpError);
    }
  };

  test('random bytes are read or refused, and never break the reader', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => readAll(bytes)),
      { numRuns: 20_000 },
    );
  });

  test('a request with some bytes changed, cut out or put in is read or refused', async () => {
    const body = await receiver.exported(encoding, [
      readableSpan(SAMPLE),
      readableSpan({ ...SAMPLE, spanId: '00f067aa0ba902b7' }),
    ]);
    const edit = fc.record({
      at: fc.nat(body.length - 1),
      cut: fc.nat(5),
      put: fc.uint8Array({ maxLength: 5 }),
    });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) =>
        readAll(
          edits.reduce<Buffer>(
            (bytes, { at, cut, put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]),
            body,
          ),
        ),
      ),
      { numRuns: 20_000 },
    );
  });

  test('a request that is cut off is refused, wherever it is', async () => {
    const body = await receiver.exported(encoding, [readableSpan(SAMPLE)]);
    for (let end = 1; end < body.length; end++)
      expect(() => [...spansOf(encoding, body.subarray(0, end))], `cut at ${end}`).toThrow(OtlpError);
  });
});

/** Protobuf, by hand. */
const message = (field: number, ...contents: Uint8Array[]): Uint8Array => {
  const writer = new BinaryWriter();
  writer.tag(field, WireType.LengthDelimited).bytes(Buffer.concat(contents));
  return writer.finish();
};
const utf8 = (text: string) => Buffer.from(text);
const spansInProtobuf = (...spans: Uint8Array[]) => message(1, message(2, ...spans.map((span) => message(2, span))));
const inProtobuf = (body: Uint8Array) => [...spansOf('protobuf', body)];
const inJson = (request: unknown) => [...spansOf('json', utf8(JSON.stringify(request)))];
const spansInJson = (...spans: unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] });

describe('Protobuf', () => {
  test('an empty body holds no span', () => {
    expect(inProtobuf(Buffer.alloc(0))).toEqual([]);
  });

  test('a resource belongs to the spans beside it, in whatever order the fields come', () => {
    const pair = message(1, message(1, utf8('service.name')), message(2, message(1, utf8('shop'))));
    const scopeSpans = message(2, message(2, Buffer.alloc(0)));
    for (const contents of [
      [message(1, pair), scopeSpans],
      [scopeSpans, message(1, pair)],
    ])
      expect(inProtobuf(message(1, ...contents))[0]!.resource).toEqual(new Map([['service.name', 'shop']]));
  });

  test('fields that are not known, and known ones of another wire type, are passed over', () => {
    const writer = new BinaryWriter();
    writer.tag(99, WireType.Varint).uint64(7n);
    writer.tag(1, WireType.Varint).uint32(5); // trace_id is bytes
    writer.tag(98, WireType.StartGroup).tag(3, WireType.Bit32).fixed32(1).tag(98, WireType.EndGroup);
    writer.tag(2, WireType.LengthDelimited).bytes(Buffer.from('b7ad6b7169203331', 'hex'));
    const [span] = inProtobuf(spansInProtobuf(writer.finish()));
    expect(span).toMatchObject({ traceId: '', spanId: 'b7ad6b7169203331' });
  });

  test('integers of 64 bits keep all their digits', () => {
    const intValue = (value: bigint) => {
      const writer = new BinaryWriter();
      writer.tag(3, WireType.Varint).int64(value);
      return writer.finish();
    };
    const pairs = [
      ['a', 2n ** 63n - 1n],
      ['b', -(2n ** 63n)],
      ['c', 42n],
    ] as const;
    const [span] = inProtobuf(
      spansInProtobuf(Buffer.concat(pairs.map(([key, value]) => message(9, message(1, utf8(key)), message(2, intValue(value)))))),
    );
    expect([...span!.attributes.values()]).toEqual(['9223372036854775807', '-9223372036854775808', 42]);
  });

  test('what is not UTF-8 is mended', () => {
    const pair = message(9, message(1, utf8('k')), message(2, message(1, Buffer.from([0x61, 0xff, 0x62]))));
    expect(inProtobuf(spansInProtobuf(pair))[0]!.attributes.get('k')).toBe('a\ufffdb');
  });

  test('a message that says to be longer than what is there is refused, and nothing is reserved for it', () => {
    for (const bytes of ['0affffffff0f', '0a7f00', '0a0412020aff'])
      expect(() => inProtobuf(Buffer.from(bytes, 'hex'))).toThrow(/not a valid ExportTraceServiceRequest in Protobuf/);
  });
});

describe('JSON', () => {
  test('ids in any case, integers as texts and numbers, null as not set, members not known ignored', () => {
    const [span] = inJson(
      spansInJson({
        traceId: '0AF7651916CD43DD8448EB211C80319C',
        spanId: 'b7ad6b7169203331',
        startTimeUnixNano: '1772366400000000001',
        endTimeUnixNano: 1_772_366_401_000,
        kind: 3,
        status: { code: 2 },
        events: null,
        attributes: [
          { key: 'a', value: { intValue: '9223372036854775807' } },
          { key: 'b', value: { intValue: 7 } },
          { key: 'c', value: { doubleValue: 'NaN' } },
          { key: 'd', value: { doubleValue: '0.5' } },
          { key: 'e', value: {} },
          { key: 'f', value: { stringValue: null, boolValue: false } },
          { key: 'g' },
          { key: 'h', value: { bytesValue: '-_8=' } },
        ],
        somethingNew: [1],
      }),
    );
    expect(span).toEqual({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      startNs: 1_772_366_400_000_000_001n,
      endNs: 1_772_366_401_000n,
      isError: true,
      events: [],
      resource: new Map(),
      attributes: new Map<string, AttributeValue>([
        ['a', '9223372036854775807'],
        ['b', 7],
        ['c', Number.NaN],
        ['d', 0.5],
        ['e', null],
        ['f', false],
        ['g', null],
        ['h', '+/8='],
      ]),
    });
  });

  test('names in snake_case are not known', () => {
    expect(inJson({ resource_spans: [{ scope_spans: [{ spans: [{}] }] }] })).toEqual([]);
  });

  test.each([
    ['no object', [], 'it must be an object'],
    [
      'spans that are no list',
      { resourceSpans: [{ scopeSpans: [{ spans: {} }] }] },
      '/resourceSpans/0/scopeSpans/0/spans must be an array',
    ],
    ['an id in base64', spansInJson({}, { traceId: 'r3ZRGRbNQ92ESOshHIAxnA==' }), '/spans/1/traceId must be hexadecimal'],
    ['an id that is no text', spansInJson({ spanId: 7 }), '/spans/0/spanId must be a string'],
    ['a time that is none', spansInJson({ startTimeUnixNano: 'soon' }), '/startTimeUnixNano must be an integer'],
    ['a time beyond 64 bits', spansInJson({ endTimeUnixNano: '99999999999999999999' }), 'must be nanoseconds since 1970'],
    ['a code by name', spansInJson({ status: { code: 'STATUS_CODE_ERROR' } }), '/status/code must be an integer'],
    [
      'an integer that is none',
      spansInJson({ attributes: [{ key: 'k', value: { intValue: 1.5 } }] }),
      '/attributes/0/value/intValue must be an integer',
    ],
    [
      'a number that is none',
      spansInJson({ attributes: [{ key: 'k', value: { doubleValue: 'many' } }] }),
      '/doubleValue must be a number',
    ],
    [
      'a truth value that is none',
      spansInJson({ attributes: [{ key: 'k', value: { boolValue: 1 } }] }),
      '/boolValue must be true or false',
    ],
  ])('refuses %s by its place', (_name, request, problem) => {
    expect(() => inJson(request)).toThrow(problem);
  });

  test('refuses what is no JSON and no UTF-8', () => {
    expect(() => spansOf('json', utf8('{'))).toThrow('The body is not valid JSON.');
    expect(() => spansOf('json', Buffer.from([0x22, 0xff, 0x22]))).toThrow('The body is not valid UTF-8.');
  });
});

describe('bounds', () => {
  const nested: Readonly<Record<OtlpEncoding, (levels: number) => Span[]>> = {
    json: (levels) => {
      const value = `${'{"arrayValue":{"values":['.repeat(levels - 1)}{}${']}}'.repeat(levels - 1)}`;
      const span = `{"attributes":[{"key":"k","value":${value}}]}`;
      return [...spansOf('json', utf8(`{"resourceSpans":[{"scopeSpans":[{"spans":[${span}]}]}]}`))];
    },
    protobuf: (levels) => {
      let value = message(1, utf8('x'));
      for (let i = 1; i < levels; i++) value = message(5, message(1, value));
      return inProtobuf(spansInProtobuf(message(9, message(1, utf8('k')), message(2, value))));
    },
  };
  test.each(ENCODINGS)('attributes in %s go 64 levels deep', (encoding) => {
    expect(nested[encoding](64)).toHaveLength(1);
    for (const levels of [65, 5_000]) expect(() => nested[encoding](levels)).toThrow('nested deeper than 64 levels');
  });

  test('a request of nothing but empty messages is refused before it takes long', () => {
    const empty = Buffer.from('0a00'.repeat(4_000_000), 'hex');
    expect(() => inProtobuf(empty)).toThrow('more than 1000000');
    const spans = message(1, message(2, Buffer.from('1200'.repeat(3_000_000), 'hex')));
    expect(() => {
      for (const span of spansOf('protobuf', spans)) void span;
    }).toThrow('more than 1000000');
    const list = utf8(`{"resourceSpans":[${'{},'.repeat(2_000_000)}{}]}`);
    expect(() => {
      for (const span of spansOf('json', list)) void span;
    }).toThrow('more than 1000000');
  });
});

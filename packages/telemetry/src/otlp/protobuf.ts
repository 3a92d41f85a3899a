// Spans out of an `ExportTraceServiceRequest` in the binary encoding of Protocol Buffers.
//
// Field numbers are those of https://github.com/open-telemetry/opentelemetry-proto, `trace/v1/trace.proto` and `common/v1/common.proto`, which may
// add fields and never renumber them. Fields that are not known, or of another wire type, are skipped, as every reader of the format does.

import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import {
  Budget,
  integerValue,
  NO_ATTRIBUTES,
  OtlpError,
  STATUS_CODE_ERROR,
  tooDeep,
  VALUE_DEPTH_MAX,
  type Attributes,
  type AttributeValue,
  type Span,
  type SpanEvent,
} from './span.ts';

/** A tag: the number of a field with its wire type. */
const VARINT = 0;
const FIXED64 = 1;
const LENGTH = 2;
const tag = (field: number, wireType: number) => field * 8 + wireType;

const RESOURCE_SPANS = 1;
const RESOURCE = 1;
const RESOURCE_ATTRIBUTES = 1;
const SCOPE_SPANS = 2;
const SPANS = 2;
const ARRAY_VALUES = 1;
const LIST_PAIRS = 1;

const SPAN_TRACE_ID = tag(1, LENGTH);
const SPAN_SPAN_ID = tag(2, LENGTH);
const SPAN_START = tag(7, FIXED64);
const SPAN_END = tag(8, FIXED64);
const SPAN_ATTRIBUTES = tag(9, LENGTH);
const SPAN_EVENTS = tag(11, LENGTH);
const SPAN_STATUS = tag(15, LENGTH);

const EVENT_NAME = tag(2, LENGTH);
const EVENT_ATTRIBUTES = tag(3, LENGTH);

const STATUS_CODE = tag(3, VARINT);

const PAIR_KEY = tag(1, LENGTH);
const PAIR_VALUE = tag(2, LENGTH);

const VALUE_STRING = tag(1, LENGTH);
const VALUE_BOOL = tag(2, VARINT);
const VALUE_INT = tag(3, VARINT);
const VALUE_DOUBLE = tag(4, FIXED64);
const VALUE_ARRAY = tag(5, LENGTH);
const VALUE_LIST = tag(6, LENGTH);
const VALUE_BYTES = tag(7, LENGTH);

/** The spans of a request, one at a time, so that a reader keeps no more of them than it wants. Throws `OtlpError`, at any of them. */
export function* spansOfProtobuf(bytes: Uint8Array): Generator<Span, void, undefined> {
  try {
    yield* new RequestReader(bytes).spans();
  } catch (err) {
    if (err instanceof OtlpError) throw err;
    // The library throws what it meets, such as a RangeError beyond the end.
    throw new OtlpError('The body is not a valid ExportTraceServiceRequest in Protobuf.', { cause: err });
  }
}

class RequestReader {
  readonly #reader: BinaryReader;
  readonly #budget = new Budget();

  constructor(bytes: Uint8Array) {
    this.#reader = new BinaryReader(bytes);
  }

  *spans(): Generator<Span, void, undefined> {
    for (const end of this.#within(this.#reader.len, RESOURCE_SPANS)) {
      const start = this.#reader.pos;
      // Fields may come in any order, and the resource belongs to all spans beside it.
      const resource = this.#resource(end);
      this.#reader.pos = start;
      for (const scopeEnd of this.#within(end, SCOPE_SPANS))
        for (const spanEnd of this.#within(scopeEnd, SPANS)) yield this.#span(spanEnd, resource);
    }
  }

  #resource(end: number): Attributes {
    const attributes = new Map<string, AttributeValue>();
    for (const resourceEnd of this.#within(end, RESOURCE))
      for (const pairEnd of this.#within(resourceEnd, RESOURCE_ATTRIBUTES)) this.#pair(pairEnd, attributes);
    return attributes;
  }

  #span(end: number, resource: Attributes): Span {
    let traceId = '';
    let spanId = '';
    let startNs = 0n;
    let endNs = 0n;
    let isError = false;
    const attributes = new Map<string, AttributeValue>();
    const events: SpanEvent[] = [];
    this.#fields(end, (tag) => {
      if (tag === SPAN_TRACE_ID) traceId = this.#text('hex');
      else if (tag === SPAN_SPAN_ID) spanId = this.#text('hex');
      else if (tag === SPAN_START) startNs = BigInt(this.#reader.fixed64());
      else if (tag === SPAN_END) endNs = BigInt(this.#reader.fixed64());
      else if (tag === SPAN_ATTRIBUTES) this.#pair(this.#innerEnd(), attributes);
      else if (tag === SPAN_EVENTS) events.push(this.#event(this.#innerEnd()));
      else if (tag === SPAN_STATUS) isError = this.#isError(this.#innerEnd());
      else return false;
      return true;
    });
    return { traceId, spanId, startNs, endNs, attributes, events, isError, resource };
  }

  #event(end: number): SpanEvent {
    let name = '';
    let attributes: Map<string, AttributeValue> | null = null;
    this.#fields(end, (tag) => {
      if (tag === EVENT_NAME) name = this.#reader.string();
      else if (tag === EVENT_ATTRIBUTES) this.#pair(this.#innerEnd(), (attributes ??= new Map()));
      else return false;
      return true;
    });
    return { name, attributes: attributes ?? NO_ATTRIBUTES };
  }

  #isError(end: number): boolean {
    let code = 0;
    this.#fields(end, (tag) => {
      if (tag !== STATUS_CODE) return false;
      code = this.#reader.int32();
      return true;
    });
    return code === STATUS_CODE_ERROR;
  }

  #pair(end: number, into: Map<string, AttributeValue>, levels = VALUE_DEPTH_MAX): void {
    let key = '';
    let value: AttributeValue = null;
    this.#fields(end, (tag) => {
      if (tag === PAIR_KEY) key = this.#reader.string();
      else if (tag === PAIR_VALUE) value = this.#value(this.#innerEnd(), levels);
      else return false;
      return true;
    });
    into.set(key, value);
  }

  #value(end: number, levels: number): AttributeValue {
    if (levels === 0) throw tooDeep();
    let value: AttributeValue = null;
    this.#fields(end, (tag) => {
      // What is not UTF-8 is mended: this reports what has happened, and one broken character must not cost all other spans of the request.
      if (tag === VALUE_STRING) value = this.#reader.string();
      else if (tag === VALUE_BOOL) value = this.#reader.bool();
      else if (tag === VALUE_INT) value = integerValue(BigInt(this.#reader.int64()));
      else if (tag === VALUE_DOUBLE) value = this.#reader.double();
      else if (tag === VALUE_ARRAY) value = this.#array(this.#innerEnd(), levels - 1);
      else if (tag === VALUE_LIST) value = this.#list(this.#innerEnd(), levels - 1);
      else if (tag === VALUE_BYTES) value = this.#text('base64');
      else return false;
      return true;
    });
    return value;
  }

  #array(end: number, levels: number): AttributeValue[] {
    const values: AttributeValue[] = [];
    for (const valueEnd of this.#within(end, ARRAY_VALUES)) values.push(this.#value(valueEnd, levels));
    return values;
  }

  #list(end: number, levels: number): Record<string, AttributeValue> {
    const pairs = new Map<string, AttributeValue>();
    for (const pairEnd of this.#within(end, LIST_PAIRS)) this.#pair(pairEnd, pairs, levels);
    return Object.fromEntries(pairs);
  }

  /** Ends of the messages that are a repeated `field` of the message that ends at `end`, each with the reader at its beginning. */
  *#within(end: number, field: number): Generator<number, void, undefined> {
    while (this.#reader.pos < end) {
      const [fieldNumber, wireType] = this.#reader.tag();
      if (fieldNumber === field && wireType === WireType.LengthDelimited) {
        this.#budget.spend();
        const innerEnd = this.#innerEnd();
        yield innerEnd;
        this.#reader.pos = innerEnd;
      } else this.#reader.skip(wireType, fieldNumber);
    }
    this.#expectAt(end);
  }

  /** Reads the message that ends at `end`. `read` gets each tag with the reader behind it, and answers whether it knows the field. */
  #fields(end: number, read: (tag: number) => boolean): void {
    this.#budget.spend();
    while (this.#reader.pos < end) {
      const [fieldNumber, wireType] = this.#reader.tag();
      if (!read(tag(fieldNumber, wireType))) this.#reader.skip(wireType, fieldNumber);
    }
    this.#expectAt(end);
  }

  #innerEnd(): number {
    const bytes = this.#reader.uint32();
    const end = this.#reader.pos + bytes;
    if (end > this.#reader.len) throw cutOff();
    return end;
  }

  /** What was read must end where it said to. */
  #expectAt(end: number): void {
    if (this.#reader.pos !== end) throw cutOff();
  }

  /** Bytes as a text. */
  #text(encoding: 'hex' | 'base64'): string {
    const { buffer, byteOffset, length } = this.#reader.bytes();
    return Buffer.from(buffer, byteOffset, length).toString(encoding);
  }
}

function cutOff(): OtlpError {
  return new OtlpError('The body is not a valid ExportTraceServiceRequest in Protobuf: a message does not end where it says to.');
}

// Spans out of an `ExportTraceServiceRequest` in JSON, as OTLP has it (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding): names in
// lowerCamelCase, ids in hexadecimal, 64-bit integers as texts or numbers, enumerations as numbers. Members that are not known are ignored.

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

type Json = Readonly<Record<string, unknown>>;

/** The spans of a parsed request, one at a time. Throws `OtlpError`, at any of them, which names the place by JSON Pointer. */
export function* spansOfJson(request: unknown): Generator<Span, void, undefined> {
  const budget = new Budget();
  for (const [resourceSpans, at] of objectsIn(objectAt(request, ''), 'resourceSpans', '', budget)) {
    const resource = attributesIn(memberOf(resourceSpans, 'resource', at), `${at}/resource`, budget);
    for (const [scopeSpans, scopeAt] of objectsIn(resourceSpans, 'scopeSpans', at, budget))
      for (const [span, spanAt] of objectsIn(scopeSpans, 'spans', scopeAt, budget)) yield spanOf(span, resource, spanAt, budget);
  }
}

function spanOf(span: Json, resource: Attributes, at: string, budget: Budget): Span {
  const events: SpanEvent[] = [];
  for (const [event, eventAt] of objectsIn(span, 'events', at, budget))
    events.push({ name: textOf(event, 'name', eventAt), attributes: attributesIn(event, eventAt, budget) });
  return {
    traceId: idOf(span, 'traceId', at),
    spanId: idOf(span, 'spanId', at),
    startNs: nanosecondsOf(span, 'startTimeUnixNano', at),
    endNs: nanosecondsOf(span, 'endTimeUnixNano', at),
    attributes: attributesIn(span, at, budget),
    events,
    isError: codeOf(memberOf(span, 'status', at), `${at}/status`) === STATUS_CODE_ERROR,
    resource,
  };
}

function attributesIn(owner: Json, at: string, budget: Budget): Attributes {
  return isSet(owner['attributes']) ? pairsIn(owner, 'attributes', at, budget, VALUE_DEPTH_MAX) : NO_ATTRIBUTES;
}

function pairsIn(owner: Json, name: string, at: string, budget: Budget, levels: number): Map<string, AttributeValue> {
  const pairs = new Map<string, AttributeValue>();
  for (const [pair, pairAt] of objectsIn(owner, name, at, budget))
    pairs.set(textOf(pair, 'key', pairAt), valueOf(memberOf(pair, 'value', pairAt), `${pairAt}/value`, budget, levels));
  return pairs;
}

/** The one member that says what the value is; `null` where there is none. */
function valueOf(value: Json, at: string, budget: Budget, levels: number): AttributeValue {
  if (levels === 0) throw tooDeep();
  budget.spend();
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue, bytesValue } = value;
  if (isSet(stringValue)) return textOf(value, 'stringValue', at);
  if (isSet(boolValue)) return typeof boolValue === 'boolean' ? boolValue : fail(`${at}/boolValue`, 'must be true or false');
  if (isSet(intValue)) return integerValue(integerAt(intValue, `${at}/intValue`));
  if (isSet(doubleValue)) return doubleAt(doubleValue, `${at}/doubleValue`);
  if (isSet(arrayValue)) {
    const values: AttributeValue[] = [];
    for (const [item, itemAt] of objectsIn(objectAt(arrayValue, `${at}/arrayValue`), 'values', `${at}/arrayValue`, budget))
      values.push(valueOf(item, itemAt, budget, levels - 1));
    return values;
  }
  if (isSet(kvlistValue)) {
    const list = objectAt(kvlistValue, `${at}/kvlistValue`);
    return Object.fromEntries(pairsIn(list, 'values', `${at}/kvlistValue`, budget, levels - 1));
  }
  if (isSet(bytesValue)) return Buffer.from(textOf(value, 'bytesValue', at), 'base64').toString('base64');
  return null;
}

/** In Protobuf's JSON, null is a member that is not set. */
function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** The items of a repeated member, each with its JSON Pointer. */
function* objectsIn(owner: Json, name: string, at: string, budget: Budget): Generator<[Json, string], void, undefined> {
  const list = owner[name];
  if (!isSet(list)) return;
  const listAt = `${at}/${name}`;
  if (!Array.isArray(list)) fail(listAt, 'must be an array');
  for (const [i, item] of list.entries()) {
    budget.spend();
    yield [objectAt(item, `${listAt}/${i}`), `${listAt}/${i}`];
  }
}

/** A member that is a message; an empty one where it is not set. */
function memberOf(owner: Json, name: string, at: string): Json {
  const member = owner[name];
  return isSet(member) ? objectAt(member, `${at}/${name}`) : {};
}

function objectAt(value: unknown, at: string): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : fail(at, 'must be an object');
}

function textOf(owner: Json, name: string, at: string): string {
  const text = owner[name] ?? '';
  return typeof text === 'string' ? text : fail(`${at}/${name}`, 'must be a string');
}

const HEX = /^(?:[0-9a-f]{2})*$/i;

function idOf(owner: Json, name: string, at: string): string {
  const id = textOf(owner, name, at);
  return HEX.test(id) ? id.toLowerCase() : fail(`${at}/${name}`, 'must be hexadecimal');
}

const NANOSECONDS_MAX = 2n ** 64n - 1n;

function nanosecondsOf(owner: Json, name: string, at: string): bigint {
  const value = owner[name];
  if (!isSet(value)) return 0n;
  const ns = integerAt(value, `${at}/${name}`);
  return ns >= 0n && ns <= NANOSECONDS_MAX ? ns : fail(`${at}/${name}`, 'must be nanoseconds since 1970');
}

// No 64-bit integer has more digits; reading longer ones takes time that grows with their square.
const INTEGER = /^-?\d{1,20}$/;

function integerAt(value: unknown, at: string): bigint {
  if (typeof value === 'number' && Number.isInteger(value)) return BigInt(value);
  if (typeof value === 'string' && INTEGER.test(value)) return BigInt(value);
  return fail(at, 'must be an integer, as a number or as a string');
}

const NOT_FINITE: Readonly<Record<string, number>> = { NaN: Number.NaN, Infinity: Infinity, '-Infinity': -Infinity };

function doubleAt(value: unknown, at: string): number {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return fail(at, 'must be a number');
  const number = Object.hasOwn(NOT_FINITE, value) ? NOT_FINITE[value]! : Number(value);
  return Number.isNaN(number) && value !== 'NaN' ? fail(at, 'must be a number') : number;
}

function codeOf(status: Json, at: string): number {
  const { code } = status;
  if (!isSet(code)) return 0;
  return typeof code === 'number' && Number.isInteger(code) ? code : fail(`${at}/code`, 'must be an integer');
}

function fail(at: string, problem: string): never {
  throw new OtlpError(`The body is not a valid ExportTraceServiceRequest in JSON: ${at === '' ? 'it' : at} ${problem}.`);
}

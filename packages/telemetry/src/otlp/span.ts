// A span as OTLP brings it, the same from both encodings, and what both readers have in common.

/**
 * The value of an attribute. 64-bit integers beyond what a number holds exactly are their decimal digits and bytes their base64, as in JSON; a
 * value that is not set is `null`.
 */
export type AttributeValue =
  | string
  | number
  | boolean
  | null
  | readonly AttributeValue[]
  | { readonly [name: string]: AttributeValue };

/** Of equal names the last one holds. */
export type Attributes = ReadonlyMap<string, AttributeValue>;

/** Shared by all that have none: a request may hold a million empty events. */
export const NO_ATTRIBUTES: Attributes = new Map();

export interface SpanEvent {
  readonly name: string;
  readonly attributes: Attributes;
}

/** What is read of a span. Links, flags and counts of what was dropped say nothing about an inference. */
export interface Span {
  /** Lower-case hexadecimal, of any length: whether an id is one is for the reader of spans to say. */
  readonly traceId: string;
  readonly spanId: string;
  /** Nanoseconds since 1970; 0: not told. */
  readonly startNs: bigint;
  readonly endNs: bigint;
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly isError: boolean;
  /** Attributes of who sent it. */
  readonly resource: Attributes;
}

/** The status code by which a span says that it failed. */
export const STATUS_CODE_ERROR = 2;

/** A body that is no `ExportTraceServiceRequest`, or not one within bounds. `message` is a sentence for a person, without the body's own text. */
export class OtlpError extends Error {}

/** Lists in lists in an attribute. Messages with arguments of calls go to 37; parsers of protobuf stop at 100 messages, which are 33 of these. */
export const VALUE_DEPTH_MAX = 64;

/**
 * Spans, events, attributes and values in one request. The smallest useful attribute takes 9 bytes, so what comes to more within 8 MiB was made to
 * be expensive.
 */
const VALUES_MAX = 1_000_000;

/** Counts what is read of one request. */
export class Budget {
  #left = VALUES_MAX;

  /** Throws `OtlpError` when the request holds too much. */
  spend(): void {
    if (this.#left-- === 0) throw new OtlpError(`The request holds more than ${VALUES_MAX} spans, events and attributes.`);
  }
}

export function tooDeep(): OtlpError {
  return new OtlpError(`The request holds an attribute that is nested deeper than ${VALUE_DEPTH_MAX} levels.`);
}

/** A 64-bit integer as an attribute value. */
export function integerValue(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

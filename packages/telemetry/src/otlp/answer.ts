// What a receiver of OTLP/HTTP answers (https://opentelemetry.io/docs/specs/otlp/#otlphttp-response), in the encoding of the request.

import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';

/** How a request is written: `application/json` or `application/x-protobuf`. */
export type OtlpEncoding = 'json' | 'protobuf';

export const OTLP_CONTENT_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

/** Spans that are refused for good. An exporter drops them and logs the message. */
export interface PartialSuccess {
  readonly rejectedSpans: number;
  readonly errorMessage: string;
}

/** The body of a 200: an `ExportTraceServiceResponse`. `null`: everything was taken. */
export function traceResponse(encoding: OtlpEncoding, partial: PartialSuccess | null): Buffer {
  if (encoding === 'json') {
    // In Protobuf's JSON a 64-bit integer is a text.
    const body = partial === null ? {} : { partialSuccess: { ...partial, rejectedSpans: String(partial.rejectedSpans) } };
    return Buffer.from(JSON.stringify(body));
  }
  const writer = new BinaryWriter();
  if (partial !== null) {
    writer.tag(1, WireType.LengthDelimited).fork();
    writer.tag(1, WireType.Varint).int64(partial.rejectedSpans);
    writer.tag(2, WireType.LengthDelimited).string(partial.errorMessage.toWellFormed());
    writer.join();
  }
  return Buffer.from(writer.finish());
}

/** Codes of `google.rpc.Status` (https://github.com/googleapis/googleapis/blob/master/google/rpc/code.proto) by HTTP status. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3, // INVALID_ARGUMENT
  401: 16, // UNAUTHENTICATED
  403: 7, // PERMISSION_DENIED
  404: 5, // NOT_FOUND
  405: 12, // UNIMPLEMENTED
  406: 3,
  409: 10, // ABORTED
  413: 8, // RESOURCE_EXHAUSTED
  415: 3,
  429: 8,
  500: 13, // INTERNAL
  503: 14, // UNAVAILABLE
};
const RPC_UNKNOWN = 2;

/** The body of a refusal with an HTTP status: a `google.rpc.Status`. */
export function rpcStatus(encoding: OtlpEncoding, httpStatus: number, message: string): Buffer {
  const code = RPC_CODES[httpStatus] ?? RPC_UNKNOWN;
  if (encoding === 'json') return Buffer.from(JSON.stringify({ code, message }));
  const writer = new BinaryWriter();
  writer.tag(1, WireType.Varint).int32(code);
  writer.tag(2, WireType.LengthDelimited).string(message.toWellFormed());
  return Buffer.from(writer.finish());
}

// An `ExportTraceServiceRequest` as it arrives.

import { isUtf8 } from 'node:buffer';
import type { OtlpEncoding } from './answer.ts';
import { spansOfJson } from './json.ts';
import { spansOfProtobuf } from './protobuf.ts';
import { OtlpError, type Span } from './span.ts';

/**
 * The spans of a request's body, one at a time, so that a reader keeps no more of them than it wants. Throws `OtlpError` at the first thing wrong,
 * which may come after any number of spans: nothing should be done about a span before all are read.
 */
export function spansOf(encoding: OtlpEncoding, body: Uint8Array): Generator<Span, void, undefined> {
  return encoding === 'protobuf' ? spansOfProtobuf(body) : spansOfJson(parsedBody(body));
}

function parsedBody(body: Uint8Array): unknown {
  if (!isUtf8(body)) throw new OtlpError('The body is not valid UTF-8.');
  try {
    return JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch (err) {
    throw new OtlpError('The body is not valid JSON.', { cause: err });
  }
}

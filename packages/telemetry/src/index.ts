// The package's front door.

export {
  hasTexts,
  inferenceOf,
  TelemetryEventSchema,
  telemetryProblems,
  type TelemetryEvent,
  type TelemetryFinding,
} from './event.ts';
export { eventOfSpan, isInferenceSpan, spanProblem } from './genai/event-of-span.ts';
export { OTLP_CONTENT_TYPES, rpcStatus, traceResponse, type OtlpEncoding, type PartialSuccess } from './otlp/answer.ts';
export { spansOfJson } from './otlp/json.ts';
export { spansOfProtobuf } from './otlp/protobuf.ts';
export { spansOf } from './otlp/request.ts';
export { OtlpError, type Attributes, type AttributeValue, type Span, type SpanEvent } from './otlp/span.ts';
export { timeMs } from './time.ts';

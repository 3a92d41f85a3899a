// A GenAI span as a telemetry event. Names are those of https://github.com/open-telemetry/semantic-conventions-genai and of the versions before.

import { SHORT_NAME_CHARS_MAX, type TelemetryEvent } from '../event.ts';
import type { Attributes, Span } from '../otlp/span.ts';
import { asLabel, countOf, keptAttributes, labelOf, secondsAsMs, withinBounds } from './attributes.ts';
import { conversationOf, toolTextsOf } from './texts.ts';

/** Operations that are an inference, or what an agent does about one. Others, such as the making of an agent, are none. */
const OPERATIONS: ReadonlySet<unknown> = new Set([
  'chat',
  'text_completion',
  'generate_content',
  'embeddings',
  'invoke_agent',
  'execute_tool',
]);

/** Whether a span tells of an inference. */
export function isInferenceSpan({ attributes }: Span): boolean {
  const operation = attributes.get('gen_ai.operation.name');
  if (operation !== undefined) return OPERATIONS.has(operation);
  return attributes.has('gen_ai.request.model') || attributes.has('gen_ai.system') || attributes.has('gen_ai.provider.name');
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** Why a span cannot be taken, in words for who made it; `null`: it can. */
export function spanProblem({ traceId, spanId, startNs }: Span): string | null {
  if (!TRACE_ID.test(traceId)) return 'a span has no valid trace id';
  if (!SPAN_ID.test(spanId)) return 'a span has no valid span id';
  return startNs === 0n ? 'a span has no start time' : null;
}

/** The event of a span that `isInferenceSpan` and has no `spanProblem`. It fits the event's schema, whatever the span holds. */
export function eventOfSpan(span: Span): TelemetryEvent {
  const { attributes, startNs } = span;
  const texts = attributes.get('gen_ai.operation.name') === 'execute_tool' ? toolTextsOf(span) : conversationOf(span);
  const { finishReason, ...said } = texts;
  return {
    id: `${span.traceId}-${span.spanId}`,
    occurred_at: new Date(Number(startNs / NS_PER_MS)).toISOString(),
    model: labelOf(attributes, ['gen_ai.request.model', 'gen_ai.response.model']),
    model_version: labelOf(attributes, ['gen_ai.response.model']),
    provider: labelOf(attributes, ['gen_ai.provider.name', 'gen_ai.system'], SHORT_NAME_CHARS_MAX),
    operation: labelOf(attributes, ['gen_ai.operation.name'], SHORT_NAME_CHARS_MAX),
    input_tokens: countOf(attributes, ['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens']),
    output_tokens: countOf(attributes, ['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens']),
    latency_ms: latencyMs(span),
    time_to_first_token_ms: secondsAsMs(attributes, ['gen_ai.response.time_to_first_chunk', 'gen_ai.server.time_to_first_token']),
    finish_reason: firstFinishReason(attributes) ?? finishReason,
    error: errorOf(span),
    subject: subjectOf(attributes),
    attributes: keptAttributes(attributes, span.resource),
    ...said,
  };
}

const NS_PER_MS = 1_000_000n;

function latencyMs({ startNs, endNs }: Span): number | null {
  return endNs < startNs ? null : withinBounds(Number(endNs - startNs) / 1e6);
}

function firstFinishReason(attributes: Attributes): string | null {
  const reasons = attributes.get('gen_ai.response.finish_reasons');
  return asLabel(Array.isArray(reasons) ? reasons[0] : reasons, SHORT_NAME_CHARS_MAX);
}

/** What the conventions say where nothing more is known. */
const ERROR_OTHER = '_OTHER';

function errorOf({ attributes, events, isError }: Span): string | null {
  const type = labelOf(attributes, ['error.type']);
  if (type !== null || !isError) return type;
  const exception = events.find(({ name }) => name === 'exception');
  return (exception === undefined ? null : labelOf(exception.attributes, ['exception.type'])) ?? ERROR_OTHER;
}

function subjectOf(attributes: Attributes): NonNullable<TelemetryEvent['subject']> | null {
  const user = labelOf(attributes, ['enduser.id', 'user.id']);
  const session = labelOf(attributes, ['gen_ai.conversation.id', 'session.id']);
  const agent = labelOf(attributes, ['gen_ai.agent.id', 'gen_ai.agent.name']);
  return user === null && session === null && agent === null ? null : { user, session, agent };
}

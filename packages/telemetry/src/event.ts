// The telemetry event: one inference that a probe has seen, as `POST /api/svc/probe/telemetry` takes it.

import {
  ACTIONS,
  createSchemaChecker,
  InferenceSchema,
  inferenceProblems,
  LABEL_PATTERN,
  OUTCOMES,
  type Inference,
  type Problem,
} from '@svc/engine';
import { Type, type Static, type TSchema } from 'typebox';
import { TIME_PATTERN, timeMs } from './time.ts';

/** Bounds of one event. They are stated in the API's description, so raising one is a promise, lowering one a break. */
const EVENT_ID_CHARS_MAX = 128;
export const NAME_CHARS_MAX = 200;
export const SHORT_NAME_CHARS_MAX = 100;
const FINDINGS_MAX = 200;
export const ATTRIBUTES_MAX = 50;
export const ATTRIBUTE_CHARS_MAX = 500;
/** Far above any model's context, and any inference's duration in milliseconds (11 days): what is beyond is a fault of the sender. */
export const QUANTITY_MAX = 1_000_000_000;
const CATEGORY_CHARS_MAX = 64;
const POLICY_VERSION_MAX = 2_147_483_647;
const TIME_CHARS_MAX = 40;

const SEVERITIES_FOUND = ['low', 'medium', 'high', 'critical'] as const;
const COVERAGES = ['complete', 'partial', 'failed'] as const;
// Lists of categories are kept separated by spaces.
const CATEGORY = /^[a-z0-9_.-]{1,64}$/;
const LABEL = new RegExp(LABEL_PATTERN);

const label = (maxLength: number, description: string, options: object = {}) =>
  Type.String({ description, maxLength, pattern: LABEL_PATTERN, ...options });

/** A member that may be left out or null, which is the same. */
const optional = <Schema extends TSchema>(schema: Schema) => Type.Optional(Type.Unsafe<Static<Schema> | null>(withNull(schema)));

function withNull(schema: TSchema): TSchema {
  const { anyOf, type, description } = schema as { anyOf?: readonly { type?: string }[]; type?: string; description?: string };
  if (anyOf?.some((alternative) => alternative.type === 'null') === true) return schema;
  if (anyOf !== undefined) return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  if (type !== undefined) return { ...schema, type: [type, 'null'] };
  return { anyOf: [schema, { type: 'null' }], description };
}

/** The schema of a member of an inference, with members that are not known to it ignored, as everywhere below `/api`. */
function opened<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema>>(withoutClosing(schema) as TSchema);
}

function withoutClosing(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutClosing);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(
    ([key, value]) => key !== 'title' && !(key === 'additionalProperties' && value === false),
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutClosing(value)]));
}

const quantity = (description: string) => Type.Number({ description, minimum: 0, maximum: QUANTITY_MAX });
const count = (description: string) => Type.Integer({ description, minimum: 0, maximum: QUANTITY_MAX });
const score = (description: string) => Type.Number({ description, minimum: 0, maximum: 1 });

const TelemetryFindingSchema = Type.Object(
  {
    category: Type.String({
      description: 'What kind of thing was found.',
      maxLength: CATEGORY_CHARS_MAX,
      pattern: CATEGORY.source,
      examples: ['data.secret'],
    }),
    type: label(SHORT_NAME_CHARS_MAX, 'What exactly.', { minLength: 1, examples: ['aws_access_key_id'] }),
    score: score('How sure the detector is.'),
    severity: optional(Type.Enum(SEVERITIES_FOUND, { description: 'How bad it would be.' })),
    action: optional(Type.Enum(ACTIONS, { description: 'What was done about it.' })),
    outcome: optional(Type.Enum(OUTCOMES, { description: 'What the finding alone makes of the inference.' })),
  },
  { title: 'TelemetryFinding', description: 'What the probe found. Never the text it stands in.' },
);

const AttributesSchema = Type.Record(
  Type.String(),
  Type.Union([label(ATTRIBUTE_CHARS_MAX, 'A text.'), Type.Number(), Type.Boolean()]),
  {
    description: 'Your own pairs, kept with the event. Where texts are assessed they are its metadata, which rules can ask for.',
    maxProperties: ATTRIBUTES_MAX,
    propertyNames: { minLength: 1, maxLength: NAME_CHARS_MAX, pattern: LABEL_PATTERN },
  },
);

const { input, output, context, tool_calls: toolCalls } = InferenceSchema.properties;

const SubjectSchema = Type.Object(
  {
    user: optional(label(NAME_CHARS_MAX, 'The person, by your own pseudonym.')),
    session: optional(label(NAME_CHARS_MAX, 'The conversation.')),
    agent: optional(label(NAME_CHARS_MAX, 'The application or agent.')),
  },
  { description: 'On whose behalf the model works.' },
);

/**
 * Schema of a telemetry event. Members that it does not name are ignored, so that newer probes can talk to older services. What it cannot say,
 * `telemetryProblems` checks.
 */
export const TelemetryEventSchema = Type.Object(
  {
    id: label(EVENT_ID_CHARS_MAX, "The probe's own name for the event. One that the probe has sent before counts once.", {
      minLength: 1,
      examples: ['01jd4t4ve9e0fs7m4c1ywz3qkd'],
    }),
    occurred_at: Type.String({
      description: 'When the inference began, ISO 8601 with an offset or Z.',
      maxLength: TIME_CHARS_MAX,
      pattern: TIME_PATTERN,
      examples: ['2026-03-01T12:00:00.000Z'],
    }),
    model: optional(label(NAME_CHARS_MAX, 'The model that was asked for: `gen_ai.request.model`.', { examples: ['gpt-x'] })),
    model_version: optional(
      label(NAME_CHARS_MAX, 'The model that the provider says has answered: `gen_ai.response.model`.', {
        examples: ['gpt-x-2026-02-14'],
      }),
    ),
    provider: optional(label(SHORT_NAME_CHARS_MAX, '`gen_ai.provider.name`.', { examples: ['openai'] })),
    operation: optional(label(SHORT_NAME_CHARS_MAX, '`gen_ai.operation.name`.', { examples: ['chat'] })),
    input_tokens: optional(count('`gen_ai.usage.input_tokens`.')),
    output_tokens: optional(count('`gen_ai.usage.output_tokens`.')),
    latency_ms: optional(quantity('From the request to the end of the answer.')),
    time_to_first_token_ms: optional(quantity('From the request to the first token of the answer.')),
    finish_reason: optional(
      label(SHORT_NAME_CHARS_MAX, 'Why the model ended: `gen_ai.response.finish_reasons`.', { examples: ['stop'] }),
    ),
    error: optional(label(NAME_CHARS_MAX, 'Why there is no answer: `error.type`.', { examples: ['timeout'] })),
    outcome: optional(
      Type.Enum(OUTCOMES, { description: "The probe's own decision. Where texts are sent too, the service's counts." }),
    ),
    score: optional(score('The highest score of a finding; 0 without.')),
    findings: optional(
      Type.Array(TelemetryFindingSchema, { description: 'What the probe found, the worst first.', maxItems: FINDINGS_MAX }),
    ),
    coverage: optional(Type.Enum(COVERAGES, { description: 'How much of the texts the probe has read.' })),
    policy_version: optional(Type.Integer({ description: 'The policy that decided.', minimum: 1, maximum: POLICY_VERSION_MAX })),
    policy_digest: optional(label(SHORT_NAME_CHARS_MAX, 'Its digest.')),
    input: optional(
      opened(Type.Unsafe<Static<typeof input>>({ ...input, description: 'What the model was asked. The service assesses it.' })),
    ),
    output: optional(
      opened(Type.Unsafe<Static<typeof output>>({ ...output, description: 'What it answered. The service assesses it.' })),
    ),
    context: optional(opened(context)),
    tool_calls: optional(opened(toolCalls)),
    subject: optional(SubjectSchema),
    attributes: optional(AttributesSchema),
  },
  { title: 'TelemetryEvent', description: 'One inference that a probe has seen.' },
);

/** An event that fits `TelemetryEventSchema`. */
export type TelemetryEvent = Static<typeof TelemetryEventSchema>;
export type TelemetryFinding = Static<typeof TelemetryFindingSchema>;

/** Beyond this, listing on would help nobody, and 500 events with all that can be wrong would make an answer of many megabytes. */
const PROBLEMS_MAX = 20;

const NONE: readonly Problem[] = [];
const checkSchema = createSchemaChecker(TelemetryEventSchema);

/**
 * What is wrong with a value that should be a telemetry event, at most 20 places; empty: it is one. An event as probes send it costs about a
 * microsecond, one with texts or with something wrong a few.
 */
export function telemetryProblems(value: unknown): readonly Problem[] {
  if (isPlainEvent(value)) return NONE;
  const problems = widthProblems(value) ?? checkSchema(value);
  if (problems.length > 0) return problems.slice(0, PROBLEMS_MAX);
  return beyondSchema(value as TelemetryEvent).slice(0, PROBLEMS_MAX);
}

/** What the schema cannot say of an event that fits it. */
function beyondSchema(event: TelemetryEvent): Problem[] {
  const isInference = hasTexts(event) || isGiven(event.context) || isGiven(event.tool_calls);
  const problems = inferenceProblems(isInference ? inferenceOf(event) : { input: '', occurred_at: event.occurred_at });
  const isTold = problems.some(({ pointer }) => pointer === '/occurred_at');
  if (isTold || !Number.isNaN(timeMs(event.occurred_at))) return problems;
  return [{ pointer: '/occurred_at', message: 'must be in the years 1970 to 9999' }, ...problems];
}

/** Whether there is something to assess: an input, an output or both. */
export function hasTexts(event: TelemetryEvent): boolean {
  return (event.input ?? event.output ?? null) !== null;
}

/** The inference that the event's texts are, for the engine to assess; members that it does not know are left out. */
export function inferenceOf(event: TelemetryEvent): Inference {
  const { subject, attributes } = event;
  return given({
    input: knownMessages(event.input),
    output: knownMessages(event.output),
    context: event.context?.map(({ id, content, source }) => given({ id, content, source })),
    tool_calls: event.tool_calls?.map(({ name, arguments: values }) => given({ name, arguments: values })),
    model: givenOrNone({ provider: event.provider, name: event.model, version: event.model_version }),
    subject: givenOrNone({ user: subject?.user, session: subject?.session, agent: subject?.agent }),
    metadata: isGiven(attributes) ? withTexts(attributes) : null,
    occurred_at: event.occurred_at,
  }) as Inference;
}

type Texts = TelemetryEvent['input'];

function knownMessages(texts: Texts): Texts {
  return Array.isArray(texts) ? texts.map(({ role, content }) => ({ role, content })) : texts;
}

function withTexts(attributes: Readonly<Record<string, string | number | boolean>>): Record<string, string> {
  return Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, String(value)]));
}

type Given<Members> = { [Name in keyof Members]?: NonNullable<Members[Name]> };

/** The members that are there. */
function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isGiven(value))) as Given<Members>;
}

function givenOrNone<Members extends object>(members: Members): Given<Members> | null {
  const some = given(members);
  return Object.keys(some).length > 0 ? some : null;
}

function isGiven<Value>(value: Value): value is NonNullable<Value> {
  return value !== null && value !== undefined;
}

/** An object that is far beyond its bounds is not walked: telling all that is wrong with 80 000 pairs would take half a second. */
function widthProblems(value: unknown): Problem[] | null {
  if (typeof value !== 'object' || value === null) return null;
  const { attributes } = value as { attributes?: unknown };
  const isTooWide = typeof attributes === 'object' && attributes !== null && Object.keys(attributes).length > ATTRIBUTES_MAX;
  return isTooWide ? [{ pointer: '/attributes', message: `must hold at most ${ATTRIBUTES_MAX}` }] : null;
}

/**
 * True for most events that fit, and for none that does not: written by hand because it runs for each of tens of thousands of events a second,
 * which the compiled schema, with its patterns and alternatives, would not. A property test holds it against the schema.
 */
function isPlainEvent(value: unknown): value is TelemetryEvent {
  if (typeof value !== 'object' || value === null) return false;
  const e = value as Readonly<Record<keyof TelemetryEvent, unknown>>;
  if (!isLabel(e.id, EVENT_ID_CHARS_MAX) || e.id === '') return false;
  if (typeof e.occurred_at !== 'string' || e.occurred_at.length > TIME_CHARS_MAX || Number.isNaN(timeMs(e.occurred_at)))
    return false;
  return hasPlainNames(e) && hasPlainNumbers(e) && hasPlainDecision(e) && hasPlainTexts(e) && hasPlainPairs(e);
}

type Unchecked = Readonly<Record<keyof TelemetryEvent, unknown>>;

function hasPlainNames(e: Unchecked): boolean {
  return (
    (e.model == null || isLabel(e.model, NAME_CHARS_MAX)) &&
    (e.model_version == null || isLabel(e.model_version, NAME_CHARS_MAX)) &&
    (e.provider == null || isLabel(e.provider, SHORT_NAME_CHARS_MAX)) &&
    (e.operation == null || isLabel(e.operation, SHORT_NAME_CHARS_MAX)) &&
    (e.finish_reason == null || isLabel(e.finish_reason, SHORT_NAME_CHARS_MAX)) &&
    (e.error == null || isLabel(e.error, NAME_CHARS_MAX)) &&
    (e.policy_digest == null || isLabel(e.policy_digest, SHORT_NAME_CHARS_MAX))
  );
}

function hasPlainNumbers(e: Unchecked): boolean {
  return (
    (e.input_tokens == null || isWithin(e.input_tokens, 0, QUANTITY_MAX, true)) &&
    (e.output_tokens == null || isWithin(e.output_tokens, 0, QUANTITY_MAX, true)) &&
    (e.latency_ms == null || isWithin(e.latency_ms, 0, QUANTITY_MAX, false)) &&
    (e.time_to_first_token_ms == null || isWithin(e.time_to_first_token_ms, 0, QUANTITY_MAX, false)) &&
    (e.score == null || isWithin(e.score, 0, 1, false)) &&
    (e.policy_version == null || isWithin(e.policy_version, 1, POLICY_VERSION_MAX, true))
  );
}

function hasPlainDecision(e: Unchecked): boolean {
  if (!isOneOf(e.outcome, OUTCOMES) || !isOneOf(e.coverage, COVERAGES)) return false;
  const { findings } = e;
  if (findings == null) return true;
  if (!Array.isArray(findings) || findings.length > FINDINGS_MAX) return false;
  for (const finding of findings) if (!isPlainFinding(finding)) return false;
  return true;
}

function isPlainFinding(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const f = value as Readonly<Record<keyof TelemetryFinding, unknown>>;
  return (
    typeof f.category === 'string' &&
    CATEGORY.test(f.category) &&
    isLabel(f.type, SHORT_NAME_CHARS_MAX) &&
    f.type !== '' &&
    isWithin(f.score, 0, 1, false) &&
    isOneOf(f.severity, SEVERITIES_FOUND) &&
    isOneOf(f.action, ACTIONS) &&
    isOneOf(f.outcome, OUTCOMES)
  );
}

/** Plain texts alone. Messages, context and calls are assessed for milliseconds: there the schema may take its time. */
function hasPlainTexts(e: Unchecked): boolean {
  if (e.context != null || e.tool_calls != null) return false;
  return (e.input == null || typeof e.input === 'string') && (e.output == null || typeof e.output === 'string');
}

function hasPlainPairs(e: Unchecked): boolean {
  const { subject, attributes } = e;
  if (subject != null) {
    if (typeof subject !== 'object' || Array.isArray(subject)) return false;
    const { user, session, agent } = subject as Record<string, unknown>;
    if (user != null && !isLabel(user, NAME_CHARS_MAX)) return false;
    if (session != null && !isLabel(session, NAME_CHARS_MAX)) return false;
    if (agent != null && !isLabel(agent, NAME_CHARS_MAX)) return false;
  }
  return attributes == null || hasPlainAttributes(attributes);
}

function hasPlainAttributes(attributes: unknown): boolean {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes)) return false;
  const names = Object.keys(attributes);
  if (names.length > ATTRIBUTES_MAX) return false;
  for (const name of names) {
    if (name === '' || !isLabel(name, NAME_CHARS_MAX)) return false;
    const value = (attributes as Record<string, unknown>)[name];
    if (typeof value === 'string' ? !isLabel(value, ATTRIBUTE_CHARS_MAX) : typeof value !== 'boolean' && !Number.isFinite(value))
      return false;
  }
  return true;
}

function isWithin(value: unknown, min: number, max: number, isWhole: boolean): boolean {
  return typeof value === 'number' && value >= min && value <= max && (!isWhole || Number.isInteger(value));
}

function isOneOf(value: unknown, names: readonly string[]): boolean {
  return value == null || names.includes(value as string);
}

/** Lengths are those of UTF-16 here and of characters in the schema: what is longer here may still fit there. */
function isLabel(value: unknown, charsMax: number): boolean {
  if (typeof value !== 'string' || value.length > charsMax) return false;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit < 0x20 || unit > 0x7e) return LABEL.test(value);
  }
  return true;
}

// Wire shapes of streams.

import { FindingSchema, InferenceSchema, OUTCOMES } from '@svc/engine';
import { Type, type Static } from 'typebox';
import { AssessmentBody } from '../assessments/schemas.ts';
import { Nullable } from '../http/schemas.ts';

/** Chunks of a stream within any second. */
export const CHUNKS_PER_SECOND = 50;
/** UTF-8 bytes of all chunks of a stream. */
export const STREAM_BYTES_MAX = 1_048_576;
/** Of an organization, live and test together. */
export const OPEN_STREAMS_MAX = 100;
/** After this long without a chunk a stream is closed. */
export const IDLE_SECONDS = 60;
const TOOL_CALLS_MAX = 100;
const NAME_CHARS_MAX = 200;

const { input, context, model, subject, external_id, deadline_ms, occurred_at, metadata } = InferenceSchema.properties;

/** What a stream begins with: an inference that has no output yet. */
export const CreateStream = Type.Object(
  {
    input: Type.Unsafe<NonNullable<Static<typeof InferenceSchema>['input']>>({
      ...input,
      description: 'What the model is asked.',
    }),
    context,
    model,
    subject,
    external_id,
    deadline_ms,
    occurred_at,
    metadata,
  },
  { title: 'StreamInference', description: 'What a model is asked, before it answers.', additionalProperties: false },
);

export const StreamBody = Type.Object(
  {
    id: Type.String({ examples: ['str_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    assessment: Type.Object(AssessmentBody.properties, {
      description:
        'Of the input. Its event is recorded when the stream ends, so `event_id` is null; where the input is blocked that is at once.',
    }),
  },
  { title: 'Stream' },
);

const ToolCallDelta = Type.Object(
  {
    index: Type.Integer({
      description: 'Of the call, from 0. A call is complete when the next one begins.',
      minimum: 0,
      maximum: TOOL_CALLS_MAX - 1,
    }),
    function: Type.Optional(
      Type.Object({
        name: Type.Optional(Nullable(Type.String({ maxLength: NAME_CHARS_MAX }))),
        arguments: Type.Optional(Nullable(Type.String({ description: 'The next piece of the arguments’ JSON.' }))),
      }),
    ),
  },
  { title: 'ToolCallDelta' },
);

export const AppendChunk = Type.Object(
  {
    seq: Type.Integer({ description: 'Counts the chunks, from 0 or 1.', minimum: 0, maximum: 2_147_483_647 }),
    delta: Type.Optional(
      Type.Union(
        [
          Type.String(),
          Type.Object({
            content: Type.Optional(Nullable(Type.String())),
            tool_calls: Type.Optional(Nullable(Type.Array(ToolCallDelta, { maxItems: TOOL_CALLS_MAX }))),
          }),
        ],
        {
          description:
            'What the model has written since: a text, or `choices[0].delta` of a chunk of OpenAI’s chat completions, of which `content` and `tool_calls` are read.',
        },
      ),
    ),
    final: Type.Optional(Type.Boolean({ description: 'Nothing follows.', default: false })),
  },
  { title: 'StreamChunk', additionalProperties: false },
);
export type AppendChunk = Static<typeof AppendChunk>;

export const ChunkBody = Type.Object(
  {
    seq: Type.Integer(),
    released: Type.String({ description: 'Text that is safe to show now, with what the policy redacts replaced.' }),
    tool_calls: Type.Array(
      Type.Object({
        index: Type.Integer(),
        name: Type.String(),
        arguments: Type.Unknown({ description: 'An object; the text as it was written where that is no JSON object.' }),
      }),
      { description: 'Complete calls that are safe to make now.' },
    ),
    held_chars: Type.Integer({ description: 'UTF-16 units that have come and are not released.' }),
    findings: Type.Array(FindingSchema, { description: 'Those that are certain since this chunk. At most 200.' }),
    outcome: Type.Enum(OUTCOMES, {
      description: 'Of all that is certain so far. blocked: nothing more will be released; send the last chunk.',
    }),
    assessment: Nullable(
      Type.Object(AssessmentBody.properties, { description: 'Of the whole inference; null before the last chunk.' }),
    ),
  },
  { title: 'StreamChunkResult' },
);

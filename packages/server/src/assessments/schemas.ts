// Wire shapes of assessments.

import { CoverageSchema, EvaluationSchema, InferenceSchema, OUTCOMES } from '@svc/engine';
import { Type, type Static } from 'typebox';
import { ERRORS } from '../http/errors.ts';
import { Nullable, Time } from '../http/schemas.ts';
import { ShadowVerdict } from '../policy/shadow/schemas.ts';

const text = Type.String();

export const AssessmentBody = Type.Object(
  {
    id: Type.String({ examples: ['asm_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    external_id: Nullable(text),
    created_at: Time('When it was made.'),
    mode: Type.Enum(['live', 'test'], { description: 'Of the credential. `test`: not in the trail, kept 24 hours.' }),
    ...EvaluationSchema.properties,
    coverage: CoverageSchema,
    policy: Type.Object(
      { version: Nullable(Type.Integer()), digest: Nullable(text) },
      { description: 'The policy that decided; null where a probe decided and did not say by which.' },
    ),
    shadow: Nullable(ShadowVerdict),
    model: Nullable(Type.Object({ provider: Nullable(text), name: Nullable(text), version: Nullable(text) })),
    subject: Nullable(Type.Object({ user: Nullable(text), session: Nullable(text), agent: Nullable(text) })),
    metadata: Type.Object({}, { additionalProperties: text }),
    event_id: Nullable(Type.String({ description: 'The event in the trail, committed before this answer; null in test mode.' })),
    latency_ms: Type.Number({ description: 'Time the decision took, without the commit; 0 where a probe decided.' }),
    probe: Type.Optional(
      Type.Object(
        {
          id: text,
          event_id: Type.String({ description: 'The probe’s own name for the inference.' }),
          decided_by: Type.Enum(['probe', 'service'], { description: '`service`: the probe sent the texts.' }),
          model_counted_as: Type.Optional(
            Type.Literal('other', {
              description:
                'The batch that it came with named too many models: its `telemetry.received` counts this one in `models_other`.',
            }),
          ),
        },
        { description: 'The probe that reported the inference. Absent: it was assessed over the API.' },
      ),
    ),
    probe_outcome: Type.Optional(
      Type.Enum([...OUTCOMES], { description: 'What the probe had decided, where the service did too.' }),
    ),
  },
  { title: 'Assessment' },
);

export const BatchRequest = Type.Object(
  {
    items: Type.Array(InferenceSchema, {
      minItems: 1,
      description: 'Up to the plan’s batch size. One that is not valid is answered with its error and fails no other.',
    }),
  },
  { additionalProperties: false, title: 'AssessmentBatch' },
);

/** What a batch is checked against: its items are checked one by one. */
export const BatchEnvelope = Type.Object({ items: Type.Array(Type.Unknown(), { minItems: 1 }) }, { additionalProperties: false });
export type BatchEnvelope = Static<typeof BatchEnvelope>;

export const BatchResult = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Of the item, from 0.' }),
        assessment: Type.Optional(AssessmentBody),
        error: Type.Optional(
          Type.Object({
            code: Type.Enum(Object.keys(ERRORS)),
            message: text,
            details: Type.Array(Type.Object({ pointer: text, message: text })),
          }),
        ),
      }),
      { description: 'In the order of the items; each has an `assessment` or an `error`.' },
    ),
    summary: Type.Object({ allowed: Type.Integer(), flagged: Type.Integer(), blocked: Type.Integer(), errors: Type.Integer() }),
  },
  { title: 'AssessmentBatchResult' },
);

// Wire shapes of simulations: what another policy would decide about what was assessed before, or about items that are sent.

import { InferenceSchema, PolicySchema } from '@svc/engine';
import { Type, type Static } from 'typebox';
import { Nullable, Time } from '../../http/schemas.ts';
import { TALLY_PROPERTIES } from '../tally.ts';

const SAMPLE_MAX = 100_000;
export const SAMPLE_DEFAULT = 10_000;

const SampleSchema = Type.Object(
  {
    since: Type.Optional(Time('Recorded at or after. Default: from the beginning.')),
    until: Type.Optional(Time('Recorded before. Default: now.')),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: SAMPLE_MAX, default: SAMPLE_DEFAULT, description: 'At most so many, the newest.' }),
    ),
  },
  {
    additionalProperties: false,
    title: 'SimulationSample',
    description: 'Assessments of the organization, by when they were recorded.',
  },
);

const closed = { additionalProperties: false } as const;

export const SimulateRequest = Type.Object(
  {
    policy: PolicySchema,
    sample: Type.Optional(SampleSchema),
    items: Type.Optional(
      Type.Array(InferenceSchema, {
        minItems: 1,
        description:
          'Inferences, up to the plan’s batch size, in place of `sample`. Each costs one assessment and is recorded nowhere.',
      }),
    ),
  },
  { ...closed, title: 'SimulatePolicy', description: 'With one of `sample` and `items`.' },
);

/** What a body is checked against before its policy is linted and its items are looked at. */
export const SimulateEnvelope = Type.Object(
  {
    policy: Type.Unknown(),
    sample: Type.Optional(SampleSchema),
    items: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1 })),
  },
  closed,
);
export type SimulateInput = Static<typeof SimulateRequest>;

const Count = (description: string) => Type.Integer({ minimum: 0, description });

const SimulationResult = Type.Object(
  {
    ...TALLY_PROPERTIES,
    answered: Type.Object(
      {
        texts: Count('Decided anew from the whole text.'),
        findings: Count('Decided from the findings that were kept, and certain.'),
        partly: Count('Compared as far as could be known; `unanswered` says what could not.'),
      },
      { description: 'By what each assessment could be decided from.' },
    ),
    unanswered: Type.Array(
      Type.Object({
        question: Type.String({ description: 'Such as `detector_added`; more will come.' }),
        count: Count('Assessments whose outcome may be another because of it.'),
        explanation: Type.String(),
      }),
      { description: 'What could not be known of assessments whose texts are not kept, or of judges, which are not asked.' },
    ),
  },
  { title: 'SimulationResult' },
);
export type SimulationResult = Static<typeof SimulationResult>;

export const SimulationBody = Type.Object(
  {
    id: Type.String({ examples: ['sim_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    state: Type.Enum(['queued', 'running', 'succeeded', 'failed']),
    progress: Type.Object({
      done: Count('Assessments looked at.'),
      total: Nullable(Type.Integer({ minimum: 0, description: 'Assessments to look at; null: not counted yet.' })),
    }),
    created_at: Time('When it was asked for.'),
    finished_at: Nullable(Time('When it succeeded or failed.')),
    policy: Type.Object({ digest: Type.String() }, { description: 'The candidate.' }),
    error: Nullable(Type.String({ description: 'Why it failed.' })),
    result: Nullable(SimulationResult),
  },
  { title: 'PolicySimulation' },
);

// Wire shapes of the shadow: a candidate policy that runs beside the one in force.

import { PolicySchema, OUTCOMES, LocationSchema } from '@svc/engine';
import { Type, type Static } from 'typebox';
import { Nullable, Time } from '../../http/schemas.ts';
import { TALLY_PROPERTIES } from '../tally.ts';

const settings = {
  sample_rate: Type.Number({
    minimum: 0.000_001,
    maximum: 1,
    description: 'The share of assessments that it decides too. Which they are follows from their ids alone.',
    examples: [0.25],
  }),
  expires_at: Time('When it ends by itself; at most 90 days ahead.'),
};

export const PutShadow = Type.Object(
  { policy: PolicySchema, ...settings },
  { additionalProperties: false, title: 'PutPolicyShadow' },
);
export type PutShadow = Static<typeof PutShadow>;

/** What a body is checked against before its policy is linted. */
export const ShadowEnvelope = Type.Object({ policy: Type.Unknown(), ...settings }, { additionalProperties: false });

export const PromoteShadow = Type.Object(
  {
    digest: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Of the candidate that is meant. Where another one runs by now, nothing is promoted: 412.',
      }),
    ),
  },
  { additionalProperties: false, title: 'PromotePolicyShadow' },
);
export type PromoteShadow = Static<typeof PromoteShadow>;

const ShadowTally = Type.Object(
  {
    ...TALLY_PROPERTIES,
    errors: Type.Integer({ minimum: 0, description: 'Sampled, and not decided by the candidate: it ran out of time or failed.' }),
    skipped: Type.Integer({ minimum: 0, description: 'Sampled, and not decided by the candidate because the node was busy.' }),
    judges_not_asked: Type.Integer({
      minimum: 0,
      description: 'Compared without the opinion of a judge that the candidate names and the policy in force does not ask.',
    }),
    since: Time('When counting began.'),
  },
  { title: 'PolicyShadowTally' },
);

export const ShadowBody = Type.Object(
  {
    digest: Type.String({ description: 'Of the candidate.' }),
    ...settings,
    started_at: Time('When it began.'),
    started_by: Type.String({ description: 'The credential that began it.' }),
    tally: ShadowTally,
    policy: PolicySchema,
  },
  { title: 'PolicyShadow' },
);

const Differences = (description: string) =>
  Type.Array(Type.Object({ category: Type.String(), type: Type.String(), location: LocationSchema }), {
    maxItems: 200,
    description,
  });

/** What the candidate made of an assessment, as it stands in it. */
export const ShadowVerdict = Type.Object(
  {
    policy: Type.Object({ digest: Type.String() }, { description: 'The candidate.' }),
    outcome: Nullable(Type.Enum([...OUTCOMES], { description: 'What the candidate decided; null: see `error`.' })),
    changed: Nullable(Type.Boolean({ description: 'Whether that is another outcome than the one in force.' })),
    added: Differences('Findings of the candidate that the policy in force has not, of those that both list.'),
    removed: Differences('Findings of the policy in force that the candidate has not, of those that both list.'),
    judges_not_asked: Type.Integer({ minimum: 0, description: 'Judges that only the candidate names, which are not asked.' }),
    error: Nullable(
      Type.Enum(['timed_out', 'failed', 'skipped'], {
        description: 'Why the candidate did not decide: its time ran out, it failed, or the node was busy.',
      }),
    ),
  },
  { title: 'PolicyShadowVerdict' },
);
export type ShadowVerdict = Static<typeof ShadowVerdict>;

// Wire shapes of what probes call, and of probes themselves.

import { LABEL_PATTERN, PolicySchema } from '@svc/engine';
import { TelemetryEventSchema } from '@svc/telemetry';
import { Type, type Static } from 'typebox';
import { ERRORS } from '../http/errors.ts';
import { PROBE_NAME } from '../http/probe-name.ts';
import { Line, ListOf, Nullable, PAGE_QUERY, Time } from '../http/schemas.ts';
import { INTERVAL_DEFAULT_S, STATUSES } from './health.ts';

const EVENTS_MAX = 500;
// A list reads those of all probes of an organization.
const LABELS_MAX = 20;
const LABEL_CHARS_MAX = 100;
const INTERVAL_MIN_S = 10;
const INTERVAL_MAX_S = 3_600;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;

const text = Type.String();
const Count = (description: string) => Type.Integer({ minimum: 0, maximum: COUNT_MAX, description });
/** May be left out or null, which is the same. */
const given = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema) => Type.Optional(Nullable(schema));

const Labels = (description: string) =>
  Type.Object(
    {
      group: Type.Optional(
        Line(LABEL_CHARS_MAX, 'Probes of one group are looked at together for drift. Without it the group is `default`.'),
      ),
    },
    {
      additionalProperties: Type.String({ maxLength: LABEL_CHARS_MAX, pattern: LABEL_PATTERN }),
      propertyNames: { minLength: 1, maxLength: LABEL_CHARS_MAX, pattern: LABEL_PATTERN },
      maxProperties: LABELS_MAX,
      description,
      examples: [{ group: 'checkout', region: 'eu-1' }],
    },
  );

export const TelemetryRequest = Type.Object(
  {
    events: Type.Array(TelemetryEventSchema, {
      minItems: 1,
      maxItems: EVENTS_MAX,
      description: 'One that is not valid is rejected by itself and fails no other.',
    }),
  },
  { title: 'TelemetryBatch' },
);
/** What a body is checked against: its events are checked one by one. */
export const TelemetryEnvelope = Type.Object({
  events: Type.Array(Type.Unknown(), { minItems: 1, maxItems: EVENTS_MAX }),
});
export type TelemetryEnvelope = Static<typeof TelemetryEnvelope>;

export const TelemetryResult = Type.Object(
  {
    accepted: Count('Events that are stored now and were not before.'),
    duplicates: Count('Events that were stored before, or stand in the body twice.'),
    rejected: Type.Array(
      Type.Object({
        index: Type.Integer({ description: 'Of the event, from 0.' }),
        error: Type.Object({
          code: Type.Enum(Object.keys(ERRORS) as (keyof typeof ERRORS)[], {
            description: '`rate_limited` and `unavailable`: send the same event again. `invalid_request`: do not.',
          }),
          message: text,
          details: Type.Array(Type.Object({ pointer: text, message: text })),
          retry_after_s: Type.Optional(Type.Integer({ description: 'With `rate_limited`: when to send it again.' })),
        }),
      }),
      { description: 'Events that are stored nowhere.' },
    ),
  },
  { title: 'TelemetryResult' },
);

export const HeartbeatRequest = Type.Object(
  {
    version: given(Line(LABEL_CHARS_MAX, 'Of the probe’s software.')),
    started_at: given(Time('When the probe was started.')),
    policy_version: given(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'By which it decides.' })),
    queue: given(
      Type.Object(
        { depth: Count('Events that wait to be sent.'), dropped: Count('Events that were given up since the start.') },
        { description: 'What is not sent yet.' },
      ),
    ),
    labels: given(Labels('In place of those that it said before.')),
    stale: given(Type.Boolean({ description: 'The policy by which it decides has expired.' })),
  },
  { title: 'Heartbeat' },
);
export type HeartbeatInput = Static<typeof HeartbeatRequest>;

export const HeartbeatAnswer = Type.Object(
  {
    server_time: Time('Now.'),
    policy: Type.Object({ version: Type.Integer(), digest: text }, { description: 'In force.' }),
    next_heartbeat_s: Type.Integer({ description: 'When the next one is expected.' }),
  },
  { title: 'HeartbeatAnswer' },
);

export const PolicyBundleBody = Type.Object(
  {
    version: Type.Integer({ description: 'Of the policy.' }),
    digest: Type.String({ description: 'Of the policy.' }),
    policy: PolicySchema,
    detector_versions: Type.Record(text, text, { description: 'What the service decides with.' }),
    issued_at: Time('When this bundle became what it is: at midnight UTC, or when the policy was stored.'),
    expires_at: Time('Seven days later. A probe that has no newer one goes on with it, and says that it is stale.'),
    signature: Type.Object(
      {
        algorithm: Type.Literal('ed25519'),
        key_id: Type.String({ description: 'The same for as long as the key is the same.' }),
        public_key: Type.String({ description: 'Its 32 bytes in Base64. Keep it at first contact, and trust no other.' }),
        value: Type.String({
          description:
            'Base64 of the signature over `svc-policy-bundle-v1`, a line feed, and the other members as canonical JSON (RFC 8785).',
        }),
      },
      { title: 'PolicySignature' },
    ),
  },
  { title: 'PolicyBundle' },
);

const Rate = (description: string) => Type.Number({ minimum: 0, description });

export const ProbeBody = Type.Object(
  {
    id: Type.String({ description: 'Its own name.' }),
    mode: Type.Enum(['live', 'test']),
    status: Type.Enum([...STATUSES], {
      description:
        '`offline`: no heartbeat for three intervals. `skewed`: more than two heartbeats in a row told of an older policy than that in force. `stale`: no heartbeat for one and a half intervals, or the policy it has on disk has expired. A probe that never sends heartbeats is `stale` when it was not seen for three intervals, and `offline` only where `expected_interval_s` was set.',
    }),
    group: Type.String({ description: 'The label `group`, else `default`.' }),
    labels: Type.Record(text, text, { description: 'What it says itself, and over that what was set here.' }),
    expected_interval_s: Type.Integer({ description: 'Between heartbeats.' }),
    registered_at: Time('When it called for the first time.'),
    last_seen_at: Time('Its last call, known to some ten seconds.'),
    last_heartbeat_at: Nullable(Time('Its last heartbeat; null: it never sent one.')),
    offline_since: Nullable(Time('Since when the trail says that it is offline.')),
    version: Nullable(text),
    started_at: Nullable(Time('When it was started.')),
    policy_version: Nullable(Type.Integer({ description: 'By which it decides.' })),
    queue: Nullable(Type.Object({ depth: Type.Integer(), dropped: Type.Integer() })),
    rates: Type.Object(
      {
        accepted_per_minute: Rate('Events stored.'),
        duplicates_per_minute: Rate('Events that had been stored before.'),
        rejected_per_minute: Rate('Events refused.'),
      },
      { description: 'Of its telemetry, on average over the last five minutes.' },
    ),
  },
  { title: 'Probe' },
);
export const ProbeList = ListOf(ProbeBody, 'ProbeList');

export const ProbeQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...STATUSES], { description: 'Probes that are so now.' })),
    group: Type.Optional(Line(LABEL_CHARS_MAX, 'Probes of this group.')),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
);

export const ProbeParams = Type.Object({
  probe_id: Type.String({ pattern: PROBE_NAME.source, description: 'The probe’s own name.' }),
});

export const ProbeUpdate = Type.Object(
  {
    labels: Type.Optional(Labels('In place of those that were set before. They stand over what the probe says itself.')),
    expected_interval_s: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: INTERVAL_MIN_S,
          maximum: INTERVAL_MAX_S,
          description: `How often the probe is to be heard. null: the usual ${INTERVAL_DEFAULT_S} s.`,
        }),
      ),
    ),
  },
  { additionalProperties: false, title: 'UpdateProbe' },
);
export type ProbeUpdate = Static<typeof ProbeUpdate>;

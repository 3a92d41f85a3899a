// Wire shapes of webhooks and deliveries.

import { Type, type Static } from 'typebox';
import { EVENT_KINDS } from '../events/kinds.ts';
import { isoTime, Line, Nullable, PAGE_QUERY, Time } from '../http/schemas.ts';
import { formatId } from '../ids.ts';
import { DELIVERY_STATES, endpointId, type Delivery, type Endpoint, type RecordedAttempt } from './store.ts';

const GRACE_SECONDS_MAX = 604_800;

export const Events = Type.Array(Type.Enum(['*', ...EVENT_KINDS]), {
  minItems: 1,
  maxItems: EVENT_KINDS.length + 1,
  uniqueItems: true,
  description: 'Kinds of events. `*`: all but `inference.allowed` and `telemetry.received`, which come with every inference.',
  examples: [['inference.flagged', 'inference.blocked']],
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Where events are sent: an https URL that leads to a public address.',
  examples: ['https://example.com/hooks/svc'],
});
const Description = Nullable(Line(1_000, 'Anything worth knowing about it.', { minLength: 0 }));

export const CreateWebhook = Type.Object(
  { url: Url, events: Events, description: Type.Optional(Description) },
  { additionalProperties: false, title: 'CreateWebhook' },
);
export const PatchWebhook = Type.Object(
  { url: Type.Optional(Url), events: Type.Optional(Events), description: Type.Optional(Description) },
  { additionalProperties: false, minProperties: 1, title: 'PatchWebhook' },
);

const WEBHOOK = {
  webhook_id: Type.String({ examples: ['wh_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
  url: Type.String(),
  events: Type.Array(Type.String()),
  description: Nullable(Type.String()),
  mode: Type.Enum(['live', 'test'], { description: '`test`: of a test key; hears of test assessments alone.' }),
  status: Type.Enum(['active', 'paused'], {
    description: 'Paused after 24 hours without a success: events wait for it and are sent once it answers again.',
  }),
  failing_since: Nullable(Time('When it began to fail, if the last attempt did.')),
  last_success_at: Nullable(Time('When it last answered 2xx; up to ten seconds late.')),
  old_secret_until: Nullable(Time('Until when the secret before the last rotation signs too.')),
  created_at: Time('When it was made.'),
  updated_at: Time('When it was last changed.'),
};
const SigningSecret = Type.Optional(
  Type.String({ description: 'Signs deliveries. Only in this answer, and not when it is repeated.', examples: ['whsec_…'] }),
);
export const WebhookBody = Type.Object(WEBHOOK, { title: 'Webhook' });
export const WebhookWithSecret = Type.Object({ ...WEBHOOK, signing_secret: SigningSecret }, { title: 'WebhookWithSecret' });

export function presentWebhook(endpoint: Endpoint): Static<typeof WebhookBody> {
  return {
    webhook_id: endpointId(endpoint.kind, endpoint.uuid),
    url: endpoint.url!,
    events: [...endpoint.events],
    description: endpoint.description,
    ...presentHealth(endpoint),
  };
}

const timeOf = (ms: number | null) => (ms === null ? null : isoTime(ms));

/** What webhooks and integrations tell alike. */
export function presentHealth(endpoint: Endpoint) {
  const isInGrace = endpoint.oldSecretUntilMs !== null && endpoint.oldSecretUntilMs > Date.now();
  return {
    mode: endpoint.mode,
    status: endpoint.status,
    failing_since: timeOf(endpoint.failingSinceMs),
    last_success_at: timeOf(endpoint.lastSuccessAtMs),
    old_secret_until: isInGrace ? timeOf(endpoint.oldSecretUntilMs) : null,
    created_at: isoTime(endpoint.createdAtMs),
    updated_at: isoTime(endpoint.updatedAtMs),
  };
}

export const RotateSecret = Type.Object(
  {
    grace_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: GRACE_SECONDS_MAX,
        default: 86_400,
        description: 'For how long the old secret signs beside the new one. 0: it ends at once.',
      }),
    ),
  },
  { additionalProperties: false, title: 'RotateSecret' },
);

export const TestEvent = Type.Object(
  {
    event: Type.Optional(
      Type.Enum(['webhook.test', ...EVENT_KINDS], { default: 'webhook.test', description: 'Of which kind a sample is sent.' }),
    ),
  },
  { additionalProperties: false, title: 'TestEvent' },
);
export const TestResult = Type.Object(
  {
    delivered: Type.Boolean({ description: 'Whether the receiver took it.' }),
    event: Type.String({ description: 'The kind that was sent.' }),
    status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null: there was none.' })),
    latency_ms: Type.Number(),
    error: Nullable(Type.String({ description: 'Why it was not delivered.' })),
    answer: Nullable(Type.String({ description: 'The first 4 KiB of the answer.' })),
  },
  { title: 'TestResult' },
);

const DELIVERY = {
  id: Type.String({ examples: ['dlv_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
  event_id: Type.String(),
  sequence: Nullable(Type.Integer({ description: 'Of the event in the trail; null: of a test key.' })),
  kind: Type.String(),
  state: Type.Enum([...DELIVERY_STATES], {
    description:
      '`pending`: due at `next_attempt_at`. `in_flight`: being sent. `parked`: waits for its paused endpoint. `failed`: given up after the last attempt; can be recovered for 30 days.',
  }),
  attempts: Type.Integer({ description: 'Attempts that were begun.' }),
  next_attempt_at: Nullable(Time('When it is due.')),
  created_at: Time('When the event was recorded.'),
  finished_at: Nullable(Time('When it was delivered or given up.')),
};
export const DeliveryBody = Type.Object(DELIVERY, { title: 'Delivery' });

const AttemptBody = Type.Object(
  {
    number: Type.Integer({ description: 'From 1, without gaps.' }),
    trigger: Type.String({
      description: '`event`, `schedule` (a retry), `manual`, `recover` or `probe` (whether a paused endpoint answers again).',
    }),
    started_at: Time('When it began.'),
    latency_ms: Type.Number({ description: 'Until the answer, or the end of the attempt.' }),
    status: Nullable(Type.Integer({ description: 'HTTP status of the answer; null: there was none.' })),
    error: Nullable(Type.String({ description: 'Why it failed; null: it did not.' })),
    answer: Nullable(Type.String({ description: 'The first 4 KiB of the answer.' })),
  },
  { title: 'Attempt' },
);
export const DeliveryDetail = Type.Object(
  {
    ...DELIVERY,
    body: Nullable(
      Type.String({ description: 'The bytes that are signed and sent. Needs `events:read`, and the event still being kept.' }),
    ),
    attempt_log: Type.Array(AttemptBody, { description: 'Attempts that have ended, oldest first; the last 100.' }),
  },
  { title: 'DeliveryDetail' },
);

export function presentDelivery(delivery: Delivery): Static<typeof DeliveryBody> {
  return {
    id: formatId('dlv', delivery.uuid),
    event_id: formatId('evt', delivery.eventId),
    sequence: delivery.sequence,
    kind: delivery.kind,
    state: delivery.state,
    attempts: delivery.attempts,
    next_attempt_at: timeOf(delivery.dueAtMs),
    created_at: isoTime(delivery.createdAtMs),
    finished_at: timeOf(delivery.finishedAtMs),
  };
}

export function presentAttempt(attempt: RecordedAttempt): Static<typeof AttemptBody> {
  return {
    number: attempt.number,
    trigger: attempt.trigger,
    started_at: isoTime(attempt.startedAtMs),
    latency_ms: attempt.latencyMs,
    status: attempt.status,
    error: attempt.error,
    answer: attempt.answer,
  };
}

export const DeliveryQuery = Type.Object(
  {
    state: Type.Optional(Type.Enum([...DELIVERY_STATES], { description: 'Deliveries in this state.' })),
    kind: Type.Optional(Type.Enum([...EVENT_KINDS], { description: 'Of events of this kind.' })),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
);

export const Recover = Type.Object(
  { since: Time('Deliveries of events recorded at or after.') },
  { additionalProperties: false, title: 'Recover' },
);
export const Recovered = Type.Object(
  { recovered: Type.Integer({ description: 'Deliveries that had failed and are sent again.' }) },
  { title: 'Recovered' },
);

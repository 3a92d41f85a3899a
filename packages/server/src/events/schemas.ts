// Wire shapes of events, and the filters that lists of events and of assessments share.

import { Type, type Static } from 'typebox';
import { OUTCOMES } from '@svc/engine';
import { invalid } from '../http/errors.ts';
import { isoTime, Line, Nullable, PAGE_QUERY, Time } from '../http/schemas.ts';
import { EVENT_KINDS } from './kinds.ts';
import type { EventFilter, RecordedEvent } from './store.ts';

export const EventBody = Type.Object(
  {
    id: Type.String({ examples: ['evt_01jd4t4ve9e0fs7m4c1ywz3qkd'] }),
    sequence: Type.Integer({ description: 'Gap-free in the organization, from 1, in the order of the commits.' }),
    kind: Type.String({ description: `One of ${EVENT_KINDS.join(', ')}; more will come.` }),
    mode: Type.Enum(['live', 'test'], { description: 'Events of the trail are `live`.' }),
    occurred_at: Time('When it happened.'),
    recorded_at: Time('When it was committed.'),
    org_id: Type.String(),
    actor: Type.Object({
      type: Type.String({ description: '`api_key`, `service_account`, `user` or `system`.' }),
      id: Nullable(Type.String()),
      ip: Nullable(Type.String({ description: 'The address the request came from.' })),
    }),
    data: Type.Object(
      {},
      { additionalProperties: true, description: 'What happened, by kind. For `inference.*` the assessment without `redacted`.' },
    ),
    leaf_hash: Nullable(
      Type.String({
        description:
          'The hash of its leaf in the log of the organization, in base64; null until the log has it, which takes a second at most.',
      }),
    ),
    erased: Type.Optional(
      Type.Array(Type.String(), { description: 'What was erased of it (`subject`, `data`, …). Absent: nothing was.' }),
    ),
  },
  { title: 'Event' },
);

/** `leafHash`: 32 bytes, or `null` where the log does not have it yet. */
export function presentEvent(orgId: string, event: RecordedEvent, leafHash: Buffer | null): Static<typeof EventBody> {
  return {
    id: event.id,
    sequence: event.sequence,
    kind: event.kind,
    mode: 'live',
    occurred_at: isoTime(event.occurredAtMs),
    recorded_at: isoTime(event.recordedAtMs),
    org_id: orgId,
    actor: { type: event.actor.type, id: event.actor.id, ip: event.actor.ip },
    data: event.data,
    leaf_hash: leafHash?.toString('base64') ?? null,
    ...(event.erased.length === 0 ? {} : { erased: [...event.erased] }),
  };
}

const FILTERS = {
  outcome: Type.Optional(Type.Enum([...OUTCOMES], { description: 'Assessments with this outcome.' })),
  category: Type.Optional(
    Type.String({
      pattern: '^[a-z_]+(\\.[a-z0-9_]+)?$',
      maxLength: 100,
      description: 'With a finding of this category or family: `data.pii`, `data`.',
    }),
  ),
  model: Type.Optional(Line(200, 'The model’s name.')),
  actor: Type.Optional(Line(200, 'Id of the credential that caused it.')),
  subject: Type.Optional(Line(200, 'User, session or agent of the inference.')),
  external_id: Type.Optional(Line(200, 'The caller’s own id of the inference.')),
  probe_id: Type.Optional(Line(128, 'The probe that it is about, or that saw the inference.')),
  since: Type.Optional(Time('Recorded at or after. The time of the commit, which no caller chooses.')),
  until: Type.Optional(Time('Recorded before.')),
  q: Type.Optional(Line(200, 'Part of a kind, category, model, subject, actor or external id.')),
};

export const EventQuery = Type.Object(
  {
    kind: Type.Optional(Type.Enum([...EVENT_KINDS], { description: 'Events of this kind.' })),
    ...FILTERS,
    after_sequence: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Pull feed: events after this one, oldest first; 0: from the oldest that is kept. Not with `cursor`.',
      }),
    ),
    wait_s: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30,
        default: 0,
        description: 'With `after_sequence`: how long to wait for the first.',
      }),
    ),
    ...PAGE_QUERY,
  },
  { additionalProperties: false },
);

export const AssessmentQuery = Type.Object({ ...FILTERS, ...PAGE_QUERY }, { additionalProperties: false });

/** The filter that a query of either list asks for. Throws `invalid_request` for a time that is none. */
export function filterOf(query: Static<typeof AssessmentQuery> & { kind?: string }, kinds?: readonly string[]): EventFilter {
  const asked = [query.kind, query.outcome === undefined ? undefined : `inference.${query.outcome}`].filter(
    (kind) => kind !== undefined,
  );
  const matching = asked.length === 0 ? kinds : asked.every((kind) => kind === asked[0]) ? asked.slice(0, 1) : [];
  return {
    ...(matching === undefined ? {} : { kinds: matching }),
    category: query.category,
    model: query.model,
    actor: query.actor,
    subject: query.subject,
    externalId: query.external_id,
    probeId: query.probe_id,
    sinceMs: timeOf('since', query.since),
    untilMs: timeOf('until', query.until),
    text: query.q,
  };
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw invalid(`/query/${name}`, 'is not a time');
  return ms;
}

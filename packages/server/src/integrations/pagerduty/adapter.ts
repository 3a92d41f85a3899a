// PagerDuty: alerts by the Events API v2 (developer.pagerduty.com/docs/events-api-v2-overview), one for each condition, closed when it ends.

import type { Severity } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Adapter, Answer, Judgement, OutgoingEvent } from '../adapter.ts';
import { describeEvent, linkOf, type Description } from '../describe.ts';
import { bodyOf, each, judgeFailure, OK, retry } from '../judgement.ts';
import { oneLine, shortKey, toJson } from '../text.ts';

const URLS = { us: 'https://events.pagerduty.com/v2/enqueue', eu: 'https://events.eu.pagerduty.com/v2/enqueue' } as const;
const SUMMARY_CHARS_MAX = 1_024; // PagerDuty's; an event has 512 000 bytes, which descriptions are far below.
const DEDUP_KEY_CHARS_MAX = 255; // PagerDuty's.

const SEVERITIES: Readonly<Record<Severity, 'critical' | 'error' | 'warning' | 'info'>> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'info',
  none: 'info',
};

export const PagerDutyConfig = Type.Object(
  {
    routing_key: Type.String({
      pattern: '^[A-Za-z0-9]{32}$',
      description: 'The integration key of an Events API v2 integration. Kept encrypted and never answered.',
      examples: ['0123456789abcdef0123456789abcdef'],
    }),
    region: Type.Optional(Type.Enum(['us', 'eu'], { default: 'us', description: 'Where the PagerDuty account is.' })),
  },
  { additionalProperties: false, title: 'PagerDutyConfig' },
);
export type PagerDutyConfig = Static<typeof PagerDutyConfig>;

export const pagerduty: Adapter<PagerDutyConfig> = {
  kind: 'pagerduty',
  config: PagerDutyConfig,
  secrets: ['routing_key'],
  urlsOf: (config) => [urlOf(config)],
  check: () => [],
  batchMax: () => 1,
  render: ([event], config, { baseUrl }) => ({
    url: urlOf(config),
    headers: { 'content-type': 'application/json' },
    body: toJson(alertOf(event!, config.routing_key, baseUrl)),
  }),
  judge: (answer, count) => each(count, judge(answer)),
};

function urlOf({ region = 'us' }: PagerDutyConfig): string {
  return URLS[region];
}

function alertOf(event: OutgoingEvent, routingKey: string, baseUrl: string): object {
  const described = describeEvent(event);
  const alert = { routing_key: routingKey, dedup_key: shortKey(described.condition, DEDUP_KEY_CHARS_MAX) };
  if (described.resolves) return { ...alert, event_action: 'resolve' };
  const link = linkOf(event, baseUrl);
  return {
    ...alert,
    event_action: 'trigger',
    payload: payloadOf(event, described),
    client: 'svc',
    ...(link === null ? {} : { client_url: link, links: [{ href: link, text: 'Open the event' }] }),
  };
}

function payloadOf(event: OutgoingEvent, { title, text, severity, facts, subject }: Description): object {
  const orgId = oneLine(event.org_id, SUMMARY_CHARS_MAX);
  return {
    summary: oneLine(`${title} – ${text.split('\n', 1)[0]}`, SUMMARY_CHARS_MAX),
    source: `svc/${orgId}${subject === null ? '' : `/${subject}`}`,
    severity: SEVERITIES[severity],
    timestamp: event.occurred_at,
    ...(subject === null ? {} : { component: subject }),
    group: orgId,
    class: event.kind,
    custom_details: {
      ...Object.fromEntries(facts),
      Details: text,
      event_id: event.id,
      sequence: event.sequence,
      kind: event.kind,
    },
  };
}

/** 202 is the only success. PagerDuty's own words are not passed on: they may repeat the routing key. */
function judge(answer: Answer): Judgement {
  const { status = 'success' } = bodyOf(answer);
  if (answer.status !== 202) {
    return judgeFailure('PagerDuty', answer, {
      400: 'PagerDuty refuses the event: check that the routing key is of an Events API v2 integration in this region.',
      403: 'PagerDuty does not accept the routing key.',
      404: 'PagerDuty does not know the routing key.',
      413: 'The event is too large for PagerDuty.',
    });
  }
  return status === 'success' ? OK : retry('PagerDuty answered with status 202 and an error in the body.', answer);
}

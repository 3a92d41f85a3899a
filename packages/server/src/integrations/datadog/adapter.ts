// Datadog: events of the event stream (docs.datadoghq.com/api/latest/events) or logs (docs.datadoghq.com/api/latest/logs).

import type { Severity } from '@svc/engine';
import { Type, type Static } from 'typebox';
import type { Adapter, Answer, Judgement, OutgoingEvent } from '../adapter.ts';
import { writeWithin } from '../bounded.ts';
import { describeEvent, linkOf, type Description } from '../describe.ts';
import { bodyOf, each, judgeFailure, OK, retry } from '../judgement.ts';
import { cut, shortKey, toJson } from '../text.ts';

const LOGS_MAX = 100; // Datadog takes 1 000; a batch should not wait for more.
const LOGS_BYTES_MAX = 5_000_000 - 2; // Datadog's, less the brackets. An event has at most 64 KiB, so a log is far below its 1 MB.
const TITLE_CHARS_MAX = 100; // Datadog's agents cut there.
const TEXT_CHARS_MAX = 4_000; // Datadog's.
const KEY_CHARS_MAX = 100; // Datadog's, of an aggregation key.
const TAG_CHARS_MAX = 200; // Datadog's.
const TAGS_MAX = 20; // Beside ours; more are not of use for one source.

const SITES = [
  'datadoghq.com',
  'us3.datadoghq.com',
  'us5.datadoghq.com',
  'datadoghq.eu',
  'ap1.datadoghq.com',
  'ap2.datadoghq.com',
  'uk1.datadoghq.com',
  'ddog-gov.com',
  'us2.ddog-gov.com',
] as const;

const ALERT_TYPES: Readonly<Record<Severity, 'error' | 'warning' | 'info'>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'info',
  none: 'info',
};
const LOG_STATUSES: Readonly<Record<Severity, 'critical' | 'error' | 'warning' | 'info'>> = {
  ...ALERT_TYPES,
  critical: 'critical',
};

export const DatadogConfig = Type.Object(
  {
    api_key: Type.String({
      pattern: '^[A-Za-z0-9_]{32,100}$',
      description: 'An API key of the Datadog organization. Kept encrypted and never answered.',
      examples: ['0123456789abcdef0123456789abcdef'],
    }),
    site: Type.Enum([...SITES], { description: 'The Datadog site, as in the address of its dashboard.' }),
    send: Type.Enum(['events', 'logs'], {
      description: '`events`: one by one into the event stream. `logs`: in batches, whole.',
    }),
    tags: Type.Optional(
      Type.Array(
        Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_:./-]*$', maxLength: TAG_CHARS_MAX, examples: ['env:production'] }),
        {
          maxItems: TAGS_MAX,
          uniqueItems: true,
          description: 'Added to those of the service.',
        },
      ),
    ),
    service: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z][A-Za-z0-9_.-]*$',
        maxLength: 100,
        default: 'svc',
        description: 'The service that it is shown under.',
      }),
    ),
  },
  { additionalProperties: false, title: 'DatadogConfig' },
);
export type DatadogConfig = Static<typeof DatadogConfig>;

export const datadog: Adapter<DatadogConfig> = {
  kind: 'datadog',
  config: DatadogConfig,
  secrets: ['api_key'],
  urlsOf: (config) => [urlOf(config)],
  check: () => [],
  batchMax: ({ send }) => (send === 'logs' ? LOGS_MAX : 1),
  render: (events, config, { baseUrl }) => ({
    url: urlOf(config),
    headers: { 'content-type': 'application/json', 'dd-api-key': config.api_key },
    body:
      config.send === 'logs'
        ? `[${writeWithin(events, LOGS_BYTES_MAX, (event) => toJson(logOf(event, config, baseUrl))).join(',')}]`
        : toJson(eventOf(events[0]!, config, baseUrl)),
  }),
  judge: (answer, count) => each(count, judge(answer)),
};

function urlOf({ site, send }: DatadogConfig): string {
  return send === 'logs' ? `https://http-intake.logs.${site}/api/v2/logs` : `https://api.${site}/api/v1/events`;
}

/** No `date_happened`: Datadog drops what is older than 18 hours, and a delivery may be later. The time is in the text. */
function eventOf(event: OutgoingEvent, config: DatadogConfig, baseUrl: string): object {
  const described = describeEvent(event);
  const { title, text, severity, facts, condition, resolves } = described;
  const link = linkOf(event, baseUrl);
  const lines = [
    text,
    '',
    ...facts.map(([name, value]) => `${name}: ${value}`),
    `Event: ${event.id}`,
    `Time: ${event.occurred_at}`,
  ];
  return {
    title: cut(title, TITLE_CHARS_MAX),
    text: cut([...lines, ...(link === null ? [] : [link])].join('\n'), TEXT_CHARS_MAX),
    alert_type: resolves ? 'success' : ALERT_TYPES[severity],
    aggregation_key: shortKey(condition, KEY_CHARS_MAX),
    source_type_name: 'svc',
    tags: tagsOf(event, described, config),
  };
}

/** No `timestamp`, for the same reason: `occurred_at` is an attribute, which a date remapper may take. */
function logOf(event: OutgoingEvent, config: DatadogConfig, baseUrl: string): object {
  const described = describeEvent(event);
  const { title, text, severity, facts } = described;
  return {
    ddsource: 'svc',
    ddtags: tagsOf(event, described, config).join(','),
    service: config.service ?? 'svc',
    message: `${title}\n${text}`,
    status: LOG_STATUSES[severity],
    severity,
    facts: Object.fromEntries(facts),
    link: linkOf(event, baseUrl),
    event_id: event.id,
    occurred_at: event.occurred_at,
    svc: event,
  };
}

function tagsOf(
  event: OutgoingEvent,
  { severity, subject }: Description,
  { service = 'svc', tags = [] }: DatadogConfig,
): readonly string[] {
  const own = [
    `service:${service}`,
    `org:${event.org_id}`,
    `kind:${event.kind}`,
    `mode:${event.mode}`,
    `severity:${severity}`,
    `svc_event:${event.id}`,
    ...(subject === null ? [] : [`subject:${subject}`]),
  ];
  return [...own.map(tagOf), ...tags];
}

/** As Datadog itself would write it; a comma would end a tag. */
function tagOf(text: string): string {
  return text
    .toLowerCase()
    .slice(0, TAG_CHARS_MAX)
    .replace(/[^\p{L}\p{N}_:./-]/gu, '_');
}

/** 202 says that it was taken; older sites answer 200. A body with errors says that it was not. */
function judge(answer: Answer): Judgement {
  const isTaken = answer.status === 202 || answer.status === 200;
  const { errors = [] } = bodyOf(answer);
  if (isTaken && Array.isArray(errors) && errors.length === 0) return OK;
  if (isTaken) return retry(`Datadog answered with status ${answer.status} and an error in the body.`, answer);
  return judgeFailure('Datadog', answer, {
    400: 'Datadog cannot read the event.',
    401: 'Datadog misses the API key.',
    403: 'Datadog does not accept the API key: check that it is of this site and not revoked.',
    413: 'The event is too large for Datadog.',
  });
}

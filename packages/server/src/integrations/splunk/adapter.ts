// Splunk: the HTTP Event Collector (docs.splunk.com, "Format events for HTTP Event Collector"), with indexer acknowledgement if asked for.

import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import type { Acknowledgement, Adapter, Answer, OutgoingEvent } from '../adapter.ts';
import { writeWithin } from '../bounded.ts';
import { describeEvent, linkOf } from '../describe.ts';
import { bodyOf } from '../judgement.ts';
import { toJson } from '../text.ts';
import { judge } from './judge.ts';

const EVENTS_MAX = 100; // A batch should not wait for more.
const BYTES_MAX = 1_000_000; // What collectors take without being told to take more.
const CHANNEL = 'x-splunk-request-channel';
const EVENT_PATH = '/services/collector/event';
const ACK_PATH = '/services/collector/ack';

const name = (description: string) => Type.String({ pattern: '^[A-Za-z0-9_:.-]+$', maxLength: 200, description });

export const SplunkConfig = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2_000,
      pattern: '^https?://[^?#\\s]+$',
      description: 'The collector’s base: what stands before `/services/collector`.',
      examples: ['https://http-inputs-acme.splunkcloud.com'],
    }),
    token: Type.String({
      pattern: '^[A-Za-z0-9-]{1,100}$',
      description: 'A token of the HTTP Event Collector. Kept encrypted and never answered.',
      examples: ['12345678-1234-1234-1234-123456789012'],
    }),
    index: Type.Optional(name('The index to write to. Absent: the token’s own.')),
    source: Type.Optional(name('Absent: `svc:` and the organization’s id.')),
    sourcetype: Type.Optional(name('Absent: `svc:event`.')),
    acknowledge: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Take an event for delivered only when it is indexed. The token must have indexer acknowledgement on.',
      }),
    ),
  },
  { additionalProperties: false, title: 'SplunkConfig' },
);
export type SplunkConfig = Static<typeof SplunkConfig>;

export const splunk: Adapter<SplunkConfig> = {
  kind: 'splunk',
  config: SplunkConfig,
  secrets: ['token'],
  urlsOf: ({ url }) => [url],
  check({ url }) {
    const parsed = URL.parse(url);
    if (parsed === null) return [{ pointer: '/url', message: 'is not a valid URL' }];
    return parsed.pathname.includes('/services/collector')
      ? [{ pointer: '/url', message: 'is not the base: leave out /services/collector and what follows' }]
      : [];
  },
  batchMax: () => EVENTS_MAX,
  render(events, config, { baseUrl }) {
    return {
      url: `${baseOf(config)}${EVENT_PATH}`,
      headers: {
        'content-type': 'application/json',
        authorization: `Splunk ${config.token}`,
        ...(config.acknowledge === true ? { [CHANNEL]: channelOf(config) } : {}),
      },
      body: writeWithin(events, BYTES_MAX, (event) => toJson(entryOf(event, config, baseUrl))).join('\n'),
    };
  },
  judge,
  acknowledge,
};

/** Splunk keeps double entries: `event_id` is an indexed field, by which they are found. */
function entryOf(event: OutgoingEvent, config: SplunkConfig, baseUrl: string): object {
  const { title, severity } = describeEvent(event);
  const { index, source = `svc:${event.org_id}`, sourcetype = 'svc:event' } = config;
  return {
    time: Date.parse(event.occurred_at) / 1_000,
    host: 'svc',
    source,
    sourcetype,
    ...(index === undefined ? {} : { index }),
    event: { ...event, title, link: linkOf(event, baseUrl) },
    fields: { event_id: event.id, kind: event.kind, mode: event.mode, severity },
  };
}

function baseOf({ url }: SplunkConfig): string {
  return url.replace(/\/+$/, '');
}

/** A UUIDv8 (RFC 9562 §5.8) made of the config: Splunk wants one channel a client, and the answer about a batch is asked for in its channel. */
function channelOf({ url, token }: SplunkConfig): string {
  const bytes = createHash('sha256').update(`channel\n${url}\n${token}`).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** A token without acknowledgement gives no number: its answer is final. */
function acknowledge(answer: Answer, config: SplunkConfig): Acknowledgement | null {
  const { ackId } = bodyOf(answer);
  if (config.acknowledge !== true || typeof ackId !== 'number') return null;
  const channel = channelOf(config);
  return {
    request: {
      url: `${baseOf(config)}${ACK_PATH}?channel=${channel}`,
      headers: { 'content-type': 'application/json', authorization: `Splunk ${config.token}`, [CHANNEL]: channel },
      body: JSON.stringify({ acks: [ackId] }),
    },
    judge: (answer) => (isIndexed(answer, ackId) ? 'done' : 'pending'),
  };
}

function isIndexed(answer: Answer, ackId: number): boolean {
  const { acks } = bodyOf(answer);
  if (answer.status !== 200 || typeof acks !== 'object' || acks === null) return false;
  return Object.entries(acks).some(([id, isDone]) => id === String(ackId) && isDone === true);
}

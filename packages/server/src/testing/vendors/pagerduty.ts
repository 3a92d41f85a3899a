// PagerDuty for tests: the Events API v2 of one integration, which keeps alerts by their dedup_key
// (github.com/PagerDuty/api-schema, reference/events-v2).

import { asList, asObject, Faults, type Json, objectIn } from './rules.ts';
import { type Reply, startVendor, type Vendor } from './server.ts';

const FAILURES = {
  rate_limited: { status: 429, headers: { 'retry-after': '60' }, body: { status: 'throttle exceeded', message: 'Slow down' } },
  unavailable: { status: 500, body: { status: 'error', message: 'Internal Server Error' } },
  error_in_202: { status: 202, body: { status: 'error', message: 'Event was not processed' } },
  page_in_200: { status: 200, body: '<!doctype html><title>Proxy</title>' },
} as const satisfies Record<string, Reply>;

export type PagerDutyMode = keyof typeof FAILURES | 'ok';

/** What the events with one dedup_key have come to. */
interface Alert {
  readonly status: 'open' | 'resolved';
  readonly summaries: readonly string[];
}

export interface PagerDuty extends Vendor<PagerDutyMode, Json> {
  /** By dedup_key. */
  readonly alerts: ReadonlyMap<string, Alert>;
}

/** Starts PagerDuty for the integration with `routingKey`. */
export async function startPagerDuty(routingKey: string): Promise<PagerDuty> {
  const alerts = new Map<string, Alert>();
  const vendor = await startVendor<PagerDutyMode, Json>(({ method, url, body }, vendor) => {
    if (vendor.mode !== 'ok') return FAILURES[vendor.mode];
    if (method !== 'POST' || url.pathname !== '/v2/enqueue') return { status: 404, body: 'Not Found' };
    const faults = pagerDutyFaults(body);
    const event = objectIn(body) ?? {};
    if (event['routing_key'] !== routingKey) faults.push(`'routing_key' ${String(event['routing_key'])} is not known`);
    if (faults.length > 0) {
      return { status: 400, body: { status: 'invalid event', message: 'Event object is invalid', errors: faults } };
    }
    vendor.accepted.push(event);
    const key = String(event['dedup_key']);
    keep(alerts, key, event);
    return { status: 202, body: { status: 'success', message: 'Event processed', dedup_key: key } };
  });
  return Object.assign(vendor, { alerts });
}

function keep(alerts: Map<string, Alert>, key: string, event: Json): void {
  const alert = alerts.get(key);
  if (event['event_action'] === 'trigger') {
    const summary = String(asObject(event['payload'])!['summary']);
    const summaries = alert?.status === 'open' ? [...alert.summaries, summary] : [summary];
    alerts.set(key, { status: 'open', summaries });
  } else if (alert !== undefined && event['event_action'] === 'resolve') {
    alerts.set(key, { ...alert, status: 'resolved' });
  }
}

const EVENT_MEMBERS = ['routing_key', 'event_action', 'dedup_key', 'payload', 'client', 'client_url', 'links', 'images'];
const PAYLOAD_MEMBERS = ['summary', 'source', 'severity', 'timestamp', 'component', 'group', 'class', 'custom_details'];

/** What is wrong with an event by PagerDuty's published schema and limits. */
export function pagerDutyFaults(body: string): string[] {
  const faults = new Faults();
  const event = objectIn(body);
  if (event === null) return ['the body is not an object'];
  faults.only(event, 'the event', EVENT_MEMBERS);
  faults.text(event['routing_key'], 'routing_key', 32, 32);
  faults.oneOf(event['event_action'], 'event_action', ['trigger', 'acknowledge', 'resolve']);
  faults.text(event['dedup_key'], 'dedup_key', 1, 255);
  if (event['event_action'] === 'trigger') checkPayload(faults, asObject(event['payload']) ?? {});
  for (const link of asList(event['links'])) faults.httpUrl(asObject(link)?.['href'], 'links.href');
  if (event['client_url'] !== undefined) faults.httpUrl(event['client_url'], 'client_url');
  faults.expect(Buffer.byteLength(body) <= 512_000, 'the event has more than 512 000 bytes');
  return faults.found;
}

function checkPayload(faults: Faults, payload: Json): void {
  faults.only(payload, 'payload', PAYLOAD_MEMBERS);
  faults.text(payload['summary'], 'payload.summary', 1, 1_024);
  faults.text(payload['source'], 'payload.source', 1, 1_024);
  faults.oneOf(payload['severity'], 'payload.severity', ['critical', 'error', 'warning', 'info']);
  faults.expect(!Number.isNaN(Date.parse(String(payload['timestamp']))), 'payload.timestamp is not a time');
  for (const name of ['component', 'group', 'class']) {
    if (payload[name] !== undefined) faults.text(payload[name], `payload.${name}`, 1, 1_024);
  }
  faults.expect(asObject(payload['custom_details']) !== null, 'payload.custom_details is not an object');
}

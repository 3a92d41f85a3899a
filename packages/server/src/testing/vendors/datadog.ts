// Datadog for tests: the event stream (API v1) and the intake of logs (API v2) of one organization.

import { asList, asObject, Faults, type Json, objectIn } from './rules.ts';
import { type Received, type Reply, startVendor, type Vendor } from './server.ts';

const FAILURES = {
  rate_limited: { status: 429, headers: { 'retry-after': '5' }, body: { errors: ['Too many requests'] } },
  timed_out: { status: 408, body: { errors: ['Request Timeout'] } },
  unavailable: { status: 503, body: { errors: ['Service Unavailable'] } },
  error_in_202: { status: 202, body: { errors: ['Event was dropped'] } },
  bad_request: { status: 400, body: { errors: ['Bad Request'] } },
  unauthorized: { status: 401, body: { errors: ['Unauthorized'] } },
  too_large: { status: 413, body: { errors: ['Payload too large'] } },
} as const satisfies Record<string, Reply>;

export type DatadogMode = keyof typeof FAILURES | 'ok';

/** Starts Datadog for the organization with `apiKey`. `accepted` has events and logs, one by one. */
export function startDatadog(apiKey: string): Promise<Vendor<DatadogMode, Json>> {
  return startVendor<DatadogMode, Json>((received, vendor) => {
    if (vendor.mode !== 'ok') return FAILURES[vendor.mode];
    const key = received.headers['dd-api-key'];
    if (key !== apiKey) return { status: 403, body: { errors: [`Forbidden: API key ${String(key)} is not valid`] } };
    return received.method === 'POST' ? take(received, vendor) : { status: 404, body: { errors: ['Not found'] } };
  });
}

function take({ url, body }: Received, vendor: Vendor<DatadogMode, Json>): Reply {
  switch (url.pathname) {
    case '/api/v1/events': {
      if (datadogEventFaults(body).length > 0) return FAILURES.bad_request;
      vendor.accepted.push(objectIn(body)!);
      return { status: 202, body: { status: 'ok', event: { id: vendor.accepted.length } } };
    }
    case '/api/v2/logs': {
      if (Buffer.byteLength(body) > 5_000_000) return FAILURES.too_large;
      if (datadogLogFaults(body).length > 0) return FAILURES.bad_request;
      vendor.accepted.push(...(JSON.parse(body) as Json[]));
      return { status: 202, body: {} };
    }
    default:
      return { status: 404, body: { errors: ['Not found'] } };
  }
}

const EVENT_MEMBERS = [
  'title',
  'text',
  'alert_type',
  'aggregation_key',
  'source_type_name',
  'tags',
  'date_happened',
  'host',
  'priority',
];

/** What is wrong with an event by Datadog's documentation. */
export function datadogEventFaults(body: string): readonly string[] {
  const faults = new Faults();
  const event = objectIn(body);
  if (event === null) return ['the body is not an object'];
  faults.only(event, 'the event', EVENT_MEMBERS);
  faults.text(event['title'], 'title', 1, 100);
  faults.text(event['text'], 'text', 1, 4_000);
  faults.oneOf(event['alert_type'], 'alert_type', ['error', 'warning', 'info', 'success']);
  faults.text(event['aggregation_key'], 'aggregation_key', 1, 100);
  checkTags(faults, asList(event['tags']));
  return faults.found;
}

/** What is wrong with a batch of logs by Datadog's documentation. */
export function datadogLogFaults(body: string): readonly string[] {
  const faults = new Faults();
  const logs = asList(JSON.parse(body)).map((log) => asObject(log) ?? {});
  faults.expect(logs.length >= 1 && logs.length <= 1_000, 'logs are not 1 to 1 000');
  faults.expect(Buffer.byteLength(body) <= 5_000_000, 'the batch has more than 5 MB');
  for (const log of logs) {
    faults.text(log['message'], 'message', 1, 1_000_000);
    faults.text(log['event_id'], 'event_id', 1, 1_000);
    checkTags(faults, String(log['ddtags']).split(','));
    faults.expect(Buffer.byteLength(JSON.stringify(log)) <= 1_000_000, 'a log has more than 1 MB');
  }
  return faults.found;
}

/** Tags begin with a letter, have 200 characters at most, and of those only what Datadog does not turn into an underscore. */
function checkTags(faults: Faults, tags: readonly unknown[]): void {
  for (const tag of tags) {
    faults.text(tag, 'tag', 1, 200);
    faults.expect(/^\p{L}[\p{L}\p{N}_:./-]*$/u.test(String(tag)), `the tag ${String(tag)} is not one`);
  }
}

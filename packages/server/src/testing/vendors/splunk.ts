// Splunk for tests: an HTTP Event Collector with one token, which reads concatenated objects, may refuse one of a batch, and acknowledges.

import { asList, asObject, Faults, type Json, objectIn } from './rules.ts';
import { type Received, type Reply, startVendor, type Vendor } from './server.ts';

const FAILURES = {
  busy: { status: 503, headers: { 'retry-after': '2' }, body: { text: 'Server is busy', code: 9 } },
  shutting_down: { status: 503, body: { text: 'Server is shutting down', code: 23 } },
  internal: { status: 500, body: { text: 'Internal server error', code: 8 } },
  token_disabled: { status: 403, body: { text: 'Token disabled', code: 1 } },
  page_in_200: { status: 200, body: '<!doctype html><title>Splunk</title>' },
  error_in_200: { status: 200, body: { text: 'Internal server error', code: 8 } },
  not_found: { status: 404, body: { text: 'The requested URL was not found on this server.', code: 404 } },
} as const satisfies Record<string, Reply>;

export type SplunkMode = keyof typeof FAILURES | 'ok';

export interface SplunkOptions {
  readonly token: string;
  readonly indexes?: readonly string[];
  /** Whether the token has indexer acknowledgement on. */
  readonly acknowledges?: boolean;
  /** How often it is asked in vain before a batch is indexed. */
  readonly pollsUntilIndexed?: number;
}

export interface Splunk extends Vendor<SplunkMode, Json> {
  /** Entries that cannot be read: the first of a batch ends it, those before it stay. */
  refuses: (entry: Json) => boolean;
}

/** Starts Splunk. `accepted` has the entries one by one. */
export async function startSplunk(options: SplunkOptions): Promise<Splunk> {
  const { token, acknowledges = false, pollsUntilIndexed = 2 } = options;
  const channels = new Map<string, number[]>(); // by channel: for each ackId, the polls left
  const vendor = await startVendor<SplunkMode, Json>((received, vendor) => {
    if (vendor.mode !== 'ok') return FAILURES[vendor.mode];
    const { authorization, 'x-splunk-request-channel': channel } = received.headers;
    if (authorization === undefined) return { status: 401, body: { text: 'Token is required', code: 2 } };
    if (authorization !== `Splunk ${token}`) return { status: 403, body: { text: 'Invalid token', code: 4 } };
    if (acknowledges && !isUuid(channel)) return { status: 400, body: { text: 'Data channel is missing', code: 10 } };
    if (received.url.pathname === '/services/collector/ack') return acknowledge(received, channels, acknowledges);
    if (received.url.pathname !== '/services/collector/event') return FAILURES.not_found;
    const reply = take(received.body, options, splunk);
    if (reply !== null || !acknowledges) return reply ?? { status: 200, body: { text: 'Success', code: 0 } };
    const waiting = channels.get(String(channel)) ?? [];
    channels.set(String(channel), [...waiting, pollsUntilIndexed]);
    return { status: 200, body: { text: 'Success', code: 0, ackId: waiting.length } };
  });
  const splunk: Splunk = Object.assign(vendor, { refuses: () => false });
  return splunk;
}

/** Takes the entries of a body; the refusal, or `null`. */
function take(body: string, { indexes = ['main'] }: SplunkOptions, splunk: Splunk): Reply | null {
  const texts = splitObjects(body);
  if (texts.length === 0) return { status: 400, body: { text: 'No data', code: 5 } };
  for (const [i, text] of texts.entries()) {
    const entry = objectIn(text);
    const isRead = entry !== null && splunkFaults(text).length === 0 && !splunk.refuses(entry);
    if (!isRead) return { status: 400, body: { text: 'Invalid data format', code: 6, 'invalid-event-number': i } };
    const { index = 'main' } = entry as { index?: unknown };
    if (!indexes.includes(String(index))) {
      return { status: 400, body: { text: 'Incorrect index', code: 7, 'invalid-event-number': i } };
    }
    splunk.accepted.push(entry);
  }
  return null;
}

/** An id that was answered `true` is forgotten, as Splunk does. */
function acknowledge({ url, body }: Received, channels: Map<string, number[]>, acknowledges: boolean): Reply {
  if (!acknowledges) return { status: 400, body: { text: 'ACK is disabled', code: 14 } };
  const waiting = channels.get(url.searchParams.get('channel') ?? '') ?? [];
  const acks: Record<string, boolean> = {};
  for (const id of asList(objectIn(body)?.['acks']).map(Number)) {
    acks[id] = waiting[id] === 0;
    waiting[id] = (waiting[id] ?? 0) - 1;
  }
  return { status: 200, body: { acks } };
}

function isUuid(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(value);
}

/** The texts of objects that stand one after the other, with or without white space between; what follows a fault is one more text. */
export function splitObjects(body: string): readonly string[] {
  const texts: string[] = [];
  let begin = 0;
  let depth = 0;
  for (let i = 0; i < body.length; i++) {
    if (body[i] === '"') i = endOfString(body, i);
    else if (body[i] === '{') depth++;
    else if (body[i] === '}' && --depth === 0) {
      texts.push(body.slice(begin, i + 1).trim());
      begin = i + 1;
    }
  }
  const rest = body.slice(begin).trim();
  return rest === '' ? texts : [...texts, rest];
}

function endOfString(body: string, begin: number): number {
  let i = begin + 1;
  while (i < body.length && body[i] !== '"') i += body[i] === '\\' ? 2 : 1;
  return i;
}

const ENTRY_MEMBERS = ['time', 'host', 'source', 'sourcetype', 'index', 'event', 'fields'];

/** What is wrong with one entry by Splunk's documentation. */
export function splunkFaults(text: string): readonly string[] {
  const faults = new Faults();
  const entry = objectIn(text);
  if (entry === null) return ['the entry is not an object'];
  faults.only(entry, 'the entry', ENTRY_MEMBERS);
  faults.expect(typeof entry['time'] === 'number', 'time is not a number');
  for (const name of ['host', 'source', 'sourcetype']) faults.text(entry[name], name, 1, 1_000);
  faults.expect(asObject(entry['event']) !== null, 'event is not an object');
  for (const [name, value] of Object.entries(asObject(entry['fields']) ?? {})) faults.text(value, `fields.${name}`, 1, 1_000);
  faults.expect(!/\\ud[89a-f]/i.test(text.replaceAll('\\\\', '')), 'the entry has half a character');
  return faults.found;
}

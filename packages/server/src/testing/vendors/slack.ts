// Slack for tests: one incoming webhook, which checks messages by the documented limits of blocks (docs.slack.dev/reference/block-kit).

import { asList, asObject, Faults, type Json, objectIn } from './rules.ts';
import { type Reply, startVendor, type Vendor } from './server.ts';

const FAILURES = {
  rate_limited: { status: 429, headers: { 'retry-after': '30' }, body: 'rate_limited' },
  error_in_200: { status: 200, body: 'invalid_payload' },
  page_in_200: { status: 200, body: '<!doctype html><title>Maintenance</title>' },
  unavailable: { status: 503, body: 'upstream connect error' },
  rollup_error: { status: 500, body: 'rollup_error' },
  no_service: { status: 404, body: 'no_service' },
  channel_not_found: { status: 404, body: 'channel_not_found' },
  channel_is_archived: { status: 410, body: 'channel_is_archived' },
  invalid_payload: { status: 400, body: 'invalid_payload' },
  invalid_token: { status: 403, body: 'invalid_token' },
  action_prohibited: { status: 403, body: 'action_prohibited' },
  redirect: { status: 302, headers: { location: 'https://slack.com/' } },
} as const satisfies Record<string, Reply>;

export type SlackMode = keyof typeof FAILURES | 'ok';

/** Starts Slack with one webhook, at `hookUrl`. It takes what is valid; every other path has no service. */
export async function startSlack(): Promise<Vendor<SlackMode, Json> & { readonly hookUrl: string }> {
  const path = '/services/T0TEAM/B0HOOK/secretsecretsecretsecret';
  const vendor = await startVendor<SlackMode, Json>(({ method, url, body }, vendor) => {
    if (vendor.mode !== 'ok') return FAILURES[vendor.mode];
    if (method !== 'POST' || url.pathname !== path) return FAILURES.no_service;
    const faults = slackFaults(body);
    if (faults.length > 0) return { status: 400, body: 'invalid_blocks' };
    vendor.accepted.push(objectIn(body)!);
    return { status: 200, body: 'ok' };
  });
  return Object.assign(vendor, { hookUrl: `${vendor.origin}${path}` });
}

// Slack's own words for a group or a person: only an escape keeps them text.
const MENTION = /<[!@#]/;
const LINK = /<https?:\/\/[^<>|]+\|[^<>|]+>/g;

/** What is wrong with a message by Slack's documentation; in all at most 8 000 characters, well below what Slack takes. */
export function slackFaults(body: string): readonly string[] {
  const faults = new Faults();
  const message = objectIn(body);
  if (message === null) return ['the body is not an object'];
  faults.only(message, 'the message', ['text', 'blocks']);
  checkText(faults, message['text'], 'text', 4_000);
  const blocks = asList(message['blocks']);
  faults.expect(blocks.length >= 1 && blocks.length <= 50, 'blocks are not 1 to 50');
  for (const block of blocks) checkBlock(faults, asObject(block) ?? {});
  faults.expect(body.length <= 8_000, `the message has ${body.length} characters`);
  return faults.found;
}

function checkBlock(faults: Faults, block: Json): void {
  switch (block['type']) {
    case 'header':
      return checkTextObject(faults, block['text'], 'header', 150, ['plain_text']);
    case 'context': {
      const elements = asList(block['elements']);
      faults.expect(elements.length >= 1 && elements.length <= 10, 'context elements are not 1 to 10');
      for (const element of elements) checkTextObject(faults, element, 'context', 3_000, ['plain_text', 'mrkdwn']);
      return;
    }
    case 'section': {
      const fields = asList(block['fields']);
      faults.expect(block['text'] !== undefined || fields.length > 0, 'a section has neither text nor fields');
      faults.expect(fields.length <= 10, 'a section has more than 10 fields');
      if (block['text'] !== undefined) checkTextObject(faults, block['text'], 'section', 3_000, ['plain_text', 'mrkdwn']);
      for (const field of fields) checkTextObject(faults, field, 'field', 2_000, ['plain_text', 'mrkdwn']);
      return;
    }
    default:
      faults.expect(false, 'a block has an unknown type');
  }
}

function checkTextObject(faults: Faults, value: unknown, place: string, charsMax: number, types: readonly string[]): void {
  const object = asObject(value) ?? {};
  faults.oneOf(object['type'], `${place}.type`, types);
  faults.only(object, place, object['type'] === 'plain_text' ? ['type', 'text', 'emoji'] : ['type', 'text', 'verbatim']);
  checkText(faults, object['text'], place, charsMax);
}

function checkText(faults: Faults, value: unknown, place: string, charsMax: number): void {
  faults.text(value, place, 1, charsMax);
  if (typeof value !== 'string') return;
  const rest = value.replaceAll(LINK, '');
  faults.expect(!MENTION.test(value) && !/[<>]/.test(rest), `${place} has a control character`);
  faults.expect(!/&(?!amp;|lt;|gt;)/.test(rest), `${place} has an ampersand that is not escaped, or a cut escape`);
}

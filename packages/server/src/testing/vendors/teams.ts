// Teams for tests: one Workflows webhook, which checks cards as Teams shows them (adaptivecards.io/explorer, version 1.2).

import { asList, asObject, Faults, type Json, objectIn } from './rules.ts';
import { type Reply, startVendor, type Vendor } from './server.ts';

const hidden = (status: number) =>
  `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId tcid=1,server=A.`;

const FAILURES = {
  throttled_in_200: { status: 200, body: hidden(429) },
  too_large_in_200: { status: 200, body: hidden(413) },
  failed_in_200: { status: 200, body: 'Webhook message delivery failed with error: unknown.' },
  rate_limited: { status: 429, headers: { 'retry-after': '12' }, body: { error: { code: 'TooManyRequests' } } },
  unavailable: { status: 502, body: { error: { code: 'NoResponse' } } },
  off: { status: 400, body: { error: { code: 'WorkflowTriggerIsNotEnabled', message: 'trigger is not enabled' } } },
  unauthorized: { status: 401, body: { error: { code: 'DirectApiAuthorizationRequired' } } },
  forbidden: { status: 403, body: { error: { code: 'Forbidden' } } },
  not_found: { status: 404, body: { error: { code: 'WorkflowNotFound' } } },
} as const satisfies Record<string, Reply>;

export type TeamsMode = keyof typeof FAILURES | 'ok';

const BYTES_MAX = 28 * 1_024;
const UNIT_BYTES = 2; // Teams counts in UTF-16.

/** Starts Teams with one flow, at `hookUrl`. */
export async function startTeams(): Promise<Vendor<TeamsMode, Json> & { readonly hookUrl: string }> {
  const path = '/workflows/0123456789abcdef/triggers/manual/paths/invoke';
  const signature = 'sig=signaturesignaturesignature';
  const vendor = await startVendor<TeamsMode, Json>(({ method, url, body }, vendor) => {
    if (vendor.mode !== 'ok') return FAILURES[vendor.mode];
    if (method !== 'POST' || url.pathname !== path) return FAILURES.not_found;
    if (url.search !== `?${signature}`) return FAILURES.unauthorized;
    if (body.length * UNIT_BYTES > BYTES_MAX) return { status: 413 };
    if (teamsFaults(body).length > 0) return { status: 400, body: { error: { code: 'InvalidCard' } } };
    vendor.accepted.push(objectIn(body)!);
    return { status: 202 };
  });
  return Object.assign(vendor, { hookUrl: `${vendor.origin}${path}?${signature}` });
}

/** What is wrong with a message by the schema of adaptive cards 1.2 and the bound of Teams. */
export function teamsFaults(body: string): readonly string[] {
  const faults = new Faults();
  const message = objectIn(body);
  if (message === null) return ['the body is not an object'];
  faults.only(message, 'the message', ['type', 'attachments']);
  faults.oneOf(message['type'], 'type', ['message']);
  const [attachment, ...others] = asList(message['attachments']).map((each) => asObject(each) ?? {});
  faults.expect(attachment !== undefined && others.length === 0, 'there is not one attachment');
  faults.oneOf(attachment?.['contentType'], 'contentType', ['application/vnd.microsoft.card.adaptive']);
  checkCard(faults, asObject(attachment?.['content']) ?? {});
  faults.expect(body.length * UNIT_BYTES <= BYTES_MAX, `the message has ${body.length * UNIT_BYTES} bytes`);
  return faults.found;
}

function checkCard(faults: Faults, card: Json): void {
  faults.only(card, 'the card', ['$schema', 'type', 'version', 'msteams', 'body', 'actions']);
  faults.oneOf(card['type'], 'card.type', ['AdaptiveCard']);
  faults.oneOf(card['version'], 'card.version', ['1.0', '1.1', '1.2']);
  for (const element of asList(card['body'])) checkElement(faults, asObject(element) ?? {});
  for (const each of asList(card['actions'])) {
    const action = asObject(each) ?? {};
    faults.oneOf(action['type'], 'action.type', ['Action.OpenUrl']);
    faults.httpUrl(action['url'], 'action.url');
  }
}

function checkElement(faults: Faults, element: Json): void {
  if (element['type'] === 'FactSet') {
    const facts = asList(element['facts']).map((fact) => asObject(fact) ?? {});
    faults.expect(facts.length > 0, 'a FactSet is empty');
    for (const { title, value } of facts as readonly { title?: unknown; value?: unknown }[]) {
      checkText(faults, title, 'fact.title');
      checkText(faults, value, 'fact.value');
    }
    return;
  }
  faults.oneOf(element['type'], 'element.type', ['TextBlock']);
  faults.only(element, 'TextBlock', ['type', 'text', 'weight', 'size', 'wrap', 'style', 'color']);
  checkText(faults, element['text'], 'TextBlock.text');
  if (element['color'] !== undefined) faults.oneOf(element['color'], 'color', ['Default', 'Good', 'Warning', 'Attention']);
}

function checkText(faults: Faults, value: unknown, place: string): void {
  faults.text(value, place, 1, 14_000);
  faults.expect(!/\]\(/.test(String(value)), `${place} has a Markdown link`);
}

// Says which rule a delivery breaks, and tries what usually went wrong on the way. Nothing leaves the page.

import { verifySignature256, verifyWebhook, WebhookVerificationError, type WebhookRule } from '@svc/client';

/** What a person pasted. */
export interface Draft {
  readonly headers: string;
  readonly body: string;
  readonly secret: string;
}

export const EMPTY_DRAFT: Draft = { headers: '', body: '', secret: '' };

export interface Verdict {
  readonly family: 'Standard Webhooks' | 'X-Svc-Signature-256';
  /** `null`: the signature holds. `absent`: the delivery has none of this family. */
  readonly rule: WebhookRule | 'absent' | null;
  readonly message: string;
  /** What went wrong on the way, where it can be told, and what to do. */
  readonly causes: readonly string[];
}

type HeaderMap = Readonly<Record<string, string>>;
type Verify = (headers: HeaderMap, body: string, secret: string) => Promise<unknown>;

/** `Name: value` lines, as servers log them and `curl -v` shows them, or a JSON object. Names in lower case. */
function parseHeaders(text: string): HeaderMap {
  const headers: Record<string, string> = {};
  for (const [name, value] of pairsOf(text.trim())) headers[name.trim().toLowerCase()] = value.trim();
  return headers;
}

function pairsOf(text: string): readonly (readonly [string, string])[] {
  if (text.startsWith('{')) {
    try {
      return Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [name, String(value)]);
    } catch {
      // Read as lines.
    }
  }
  return text.split('\n').flatMap((line) => {
    const found = /^[<>]?\s*["']?([\w-]+)["']?\s*[:=]\s*["']?(.*?)["']?,?\s*$/.exec(line);
    return found === null ? [] : [[found[1]!, found[2]!] as const];
  });
}

/** One verdict for each family of signatures. */
export async function diagnose({ headers: headerText, body, secret }: Draft, nowMs: number): Promise<readonly Verdict[]> {
  const headers = parseHeaders(headerText);
  return Promise.all([diagnoseStandard(headers, body, secret, nowMs), diagnose256(headers, body, secret)]);
}

async function diagnoseStandard(headers: HeaderMap, body: string, secret: string, nowMs: number): Promise<Verdict> {
  const family = 'Standard Webhooks';
  const missing = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].filter((name) => (headers[name] ?? '') === '');
  if (missing.length === 3)
    return { family, rule: 'absent', message: 'These headers have no signature of this family.', causes: [] };
  const sentMs = Number(headers['webhook-timestamp']) * 1_000;
  // The clock is told apart from the rest: at the time it was sent, is the signature right?
  const verifyAt =
    (atMs: number): Verify =>
    (headers, body, secret) =>
      verifyWebhook({ headers, body }, { secret, nowMs: atMs });
  const fault = await faultOf(verifyAt(nowMs)(headers, body, secret));
  if (fault === null) return { family, rule: null, message: 'The signature holds, and the delivery is of now.', causes: [] };
  if (fault.rule === 'signature_missing')
    return {
      family,
      ...fault,
      causes: [`Missing here: ${missing.join(', ')}. Does a proxy in front of the receiver drop them?`],
    };
  if (fault.rule === 'timestamp_too_old' || fault.rule === 'timestamp_too_new') {
    const clock = clockCause(fault.rule, sentMs, nowMs);
    const other = await faultOf(verifyAt(sentMs)(headers, body, secret));
    if (other === null)
      return { family, ...fault, causes: [`The signature itself holds: nothing but the time is wrong. ${clock}`] };
    return { family, ...fault, causes: [clock, ...(await causesOf(other, verifyAt(sentMs), headers, body, secret))] };
  }
  return { family, ...fault, causes: await causesOf(fault, verifyAt(sentMs), headers, body, secret) };
}

async function diagnose256(headers: HeaderMap, body: string, secret: string): Promise<Verdict> {
  const family = 'X-Svc-Signature-256';
  const verify: Verify = (headers, body, secret) => verifySignature256({ headers, body }, { secret });
  const names = ['x-svc-signature-256', 'x-svc-signature-256-next'];
  if (names.every((name) => (headers[name] ?? '') === ''))
    return { family, rule: 'absent', message: 'These headers have no signature of this family.', causes: [] };
  const fault = await faultOf(verify(headers, body, secret));
  if (fault === null)
    return {
      family,
      rule: null,
      message: 'The signature holds. It does not cover the time, so a copy of it holds too.',
      causes: [],
    };
  return { family, ...fault, causes: await causesOf(fault, verify, headers, body, secret) };
}

type Fault = Pick<WebhookVerificationError, 'rule' | 'message'>;

async function faultOf(verified: Promise<unknown>): Promise<{ rule: WebhookRule; message: string } | null> {
  try {
    await verified;
    return null;
  } catch (err) {
    if (err instanceof WebhookVerificationError) return { rule: err.rule, message: err.message };
    throw err;
  }
}

function clockCause(rule: 'timestamp_too_old' | 'timestamp_too_new', sentMs: number, nowMs: number): string {
  const minutes = Math.round(Math.abs(nowMs - sentMs) / 60_000);
  return rule === 'timestamp_too_old'
    ? `It was sent ${minutes} minutes ago by its own clock, and a receiver accepts five. For a stored request that is as it should be; for a fresh one, set the clock of the receiver.`
    : `It was sent ${minutes} minutes from now by its own clock. The clock of this machine is behind, or that of the service ahead.`;
}

/** What makes the signature hold names what went wrong. */
async function causesOf(
  fault: Fault,
  verify: Verify,
  headers: HeaderMap,
  body: string,
  secret: string,
): Promise<readonly string[]> {
  if (fault.rule === 'signature_malformed') return [malformedCause(headers)];
  if (fault.rule === 'timestamp_malformed') return ['A Unix time in whole seconds is expected, such as 1795284292.'];
  if (fault.rule === 'body_malformed') return ['The bytes are what the service signed. What reads them expects something else.'];
  if (fault.rule !== 'signature_mismatch' && fault.rule !== 'secret_malformed') return [];
  for (const [aSecret, secretCause] of secretVariants(secret)) {
    for (const [aBody, bodyCause] of bodyVariants(body)) {
      const causes = [secretCause, bodyCause].filter((cause) => cause !== null);
      const isOther = causes.length > 0;
      if (isOther && (await faultOf(verify(headers, aBody, aSecret))) === null) return causes;
    }
  }
  return fault.rule === 'secret_malformed' ? [secretFormCause(secret)] : MISMATCH_CAUSES;
}

const MISMATCH_CAUSES = [
  'The secret is another webhook’s, or the one before a rotation: each webhook has its own.',
  'Or the body is not what was sent: values were changed, members put in another order, or a proxy changed its encoding. Compare it with the body that the page of the delivery shows.',
];

function malformedCause(headers: HeaderMap): string {
  const isHex = (headers['webhook-signature'] ?? '').startsWith('sha256=');
  const isBase64 = (headers['x-svc-signature-256'] ?? '').startsWith('v1,');
  if (isHex || isBase64)
    return 'The two families are mixed up: webhook-signature is v1, and base64; X-Svc-Signature-256 is sha256= and hexadecimal.';
  return 'The value of the header was cut or changed on its way here.';
}

function secretFormCause(secret: string): string {
  if (secret.trim() === '') return 'No secret was given.';
  if (secret.trim().startsWith('svc_'))
    return 'This is an API key. Deliveries are signed with the webhook’s own secret, whsec_….';
  return 'It is not a signing secret, or not all of one. Copy it whole, whsec_ included; where it is lost, rotate it.';
}

type Variant = readonly [text: string, cause: string | null];

function secretVariants(secret: string): readonly Variant[] {
  const bare = secret.trim().replace(/^["']|["']$/g, '');
  const variants: Variant[] = [[secret, null]];
  if (bare !== secret)
    variants.push([
      bare,
      'The secret has a space, a line end or quotes around it, as from a file or from echo. Without them the signature holds.',
    ]);
  if (!bare.startsWith('whsec_'))
    variants.push([
      `whsec_${bare}`,
      'The secret is without its prefix. Give it whole, whsec_ included: both families take it so.',
    ]);
  return variants;
}

function bodyVariants(body: string): readonly Variant[] {
  const variants: Variant[] = [[body, null]];
  const stripped = body.replace(/[\r\n]+$/, '');
  if (stripped !== body)
    variants.push([
      stripped,
      'The body has a line end that was not sent. Something added it, such as an editor or a log. Sign the bytes as they came.',
    ]);
  else
    variants.push([
      `${body}\n`,
      'A line end at the end of the body is missing. Something trimmed it. Verify the bytes as they came.',
    ]);
  if (body.includes('\n')) variants.push([body.replaceAll(/\r?\n/g, '\r\n'), 'Line ends were changed from CR LF to LF.']);
  const compact = compactJson(body);
  if (compact !== null && compact !== body && compact !== stripped)
    variants.push([
      compact,
      'The body was parsed and written again: what was sent is the same JSON in one line, without spaces. Take the raw bytes, before any parser: express.raw() in Express, request.get_data() in Flask, io.ReadAll(r.Body) in Go.',
    ]);
  return variants;
}

function compactJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

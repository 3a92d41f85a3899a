// Judges whether a URL carries data out: what an image or link would send to its host when it is loaded or followed.

import type { UrlSpan } from './url.ts';

/** Parameters that are long in honest links: signatures, caches, tracking and sizes. */
const ORDINARY_PARAMETER =
  /^(?:utm_\w+|x-amz-[\w-]+|x-goog-[\w-]+|sig|signature|se|sp|sv|sr|st|hash|hmac|integrity|v|ver|version|w|h|width|height|size|format|fm|auto|fit|q|s|t|ts|expires|key-pair-id|policy|fbclid|gclid|etag|cache|cb|label|logo|logocolor|color|style|branch|query|url|chl|tex)$/i;
const VALUE_CHARS_MIN = 12;
const PATH_TOKEN_CHARS_MIN = 40;
const DECODED_CHARS_MIN = 12;

/** How much a URL looks like it carries data: 0 not at all, 1 perhaps, 2 very much. */
export function payloadOf(url: UrlSpan): 0 | 1 | 2 {
  let worst: 0 | 1 | 2 = isPayloadPath(url.path) ? 2 : mayHidePayload(url) ? 1 : 0;
  for (const pair of url.query.split('&')) {
    const split = pair.indexOf('=');
    const weight = weightOf(pair.slice(0, Math.max(0, split)), pair.slice(split + 1));
    if (weight > worst) worst = weight;
  }
  return worst;
}

/** What goes on for longer than is judged may carry anything behind that; signed links of storage do by right. */
function mayHidePayload({ isCut, query }: UrlSpan): boolean {
  return isCut && !/(?:^|&)(?:x-amz-|x-goog-)/i.test(query);
}

function weightOf(name: string, value: string): 0 | 1 | 2 {
  if (value.length < VALUE_CHARS_MIN) return isTemplate(value) ? 2 : 0;
  if (isTemplate(value) || holdsEncodedText(value)) return 2;
  if (ORDINARY_PARAMETER.test(name)) return 0;
  return isSentence(value) || isOpaque(value) ? 1 : 0;
}

/** `[SUMMARY]`, `%7Bsecret%7D`, `$DATA`: a place that the model is meant to fill in. */
function isTemplate(value: string): boolean {
  return /^(?:\[[\w -]+\]|\{+[\w -]+\}*|%7b.{1,60}%7d|%5b.{1,60}%5d|\$\{?[A-Za-z_]{2,}\}?)$/i.test(value);
}

/** Several words in a row, as when a conversation is put into a query. */
function isSentence(value: string): boolean {
  return (value.match(/(?:\+|%20|%0a)[\p{L}\d]{2,}/giu)?.length ?? 0) >= 3;
}

/** A long value of letters and digits mixed that is no word and no number. */
function isOpaque(value: string): boolean {
  return (
    value.length >= 32 && /^[\w+/=%-]+$/.test(value) && /\d/.test(value) && /[a-z]/i.test(value) && !/^[0-9a-f-]+$/i.test(value)
  );
}

function isPayloadPath(path: string): boolean {
  return path.split('/').some((segment) => segment.length >= PATH_TOKEN_CHARS_MIN && holdsEncodedText(segment));
}

/** True when `value` is base64 or hex of readable text. */
function holdsEncodedText(value: string): boolean {
  const token = value.replace(/%3d/gi, '=').replace(/\.\w{2,4}$/, '');
  if (/^(?:[0-9a-f]{2})+$/i.test(token)) return isReadable(token.length >= 2 * DECODED_CHARS_MIN ? fromHex(token) : '');
  if (!/^[\w+/-]{16,}={0,2}$/.test(token)) return false;
  return isReadable(fromBase64(token));
}

function fromHex(token: string): string {
  return token.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16)));
}

function fromBase64(token: string): string {
  const standard = token.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  return standard.length % 4 === 1 ? '' : atob(standard);
}

/** Letters with blanks, or JSON: random bytes hold neither for long. */
function isReadable(text: string): boolean {
  if (text.length < DECODED_CHARS_MIN) return false;
  const printable = text.match(/[\x20-\x7e\n\r\t]/g)?.length ?? 0;
  return printable / text.length > 0.95 && /[a-z]{2}/i.test(text);
}

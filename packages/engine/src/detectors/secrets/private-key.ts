// Private keys in PEM, OpenSSH, PuTTY and PGP armour, on many lines or on one with `\n` escapes.

import { RANK } from './match.ts';
import type { Match } from './match.ts';
import type { Near } from './near.ts';
import { entropy } from './strangeness.ts';

const HEADER = /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?)-----/y;
const PUTTY_HEADER = /PuTTY-User-Key-File-\d: [\w-]{3,40}/y;
/** A 4096-bit RSA key takes 3.3 kB; with headers and escapes 8 kB leaves room. */
const BLOCK_MAX = 8192;
const BODY_MIN = 40;
const BODY_LINE = /[A-Za-z0-9+/=]{16,}/g;

/** Whether a header opens a key is told by so many characters behind it: the key is known while it is being written. */
const TOLD_CHARS = 768;
/** Lines of a body are no farther from each other, nor the closing line from the last of them. */
const LINE_GAP_MAX = 200;

/** The block whose header's `-----BEGIN` starts at `start`, or `null` when no key follows. */
export function probePrivateKey(text: string, start: number): Match | null {
  HEADER.lastIndex = start;
  const header = HEADER.exec(text);
  if (header === null) return null;
  const bodyStart = HEADER.lastIndex;
  const window = text.slice(bodyStart, start + BLOCK_MAX);
  const next = window.indexOf('-----');
  const body = next < 0 ? window : window.slice(0, next);
  if (!holdsKey(body)) return null;
  const closing = `-----END ${header[1]!}-----`;
  const bodyEnd = lastOfBody(body);
  const isClosed = next >= 0 && next - bodyEnd <= LINE_GAP_MAX && window.startsWith(closing, next);
  const end = bodyStart + (isClosed ? next + closing.length : bodyEnd);
  const type = header[1]!.startsWith('PGP') ? 'pgp_private_key' : 'private_key';
  return keyMatch(type, start, end, isClosed ? 0.99 : 0.9);
}

/** A PuTTY key file from its first line on, to its last or as much as there is of it. */
export function probePuttyKey(text: string, start: number, _end: number, near: Near): Match | null {
  PUTTY_HEADER.lastIndex = start;
  if (start < near.puttyEnd || !PUTTY_HEADER.test(text)) return null;
  // Half a window: header after header is then read twice at most, and no key file is longer.
  near.puttyEnd = start + BLOCK_MAX / 2;
  const window = text.slice(start, start + BLOCK_MAX);
  const lines = window.slice(0, TOLD_CHARS).search(/^(?:Public|Private)-Lines: \d/m);
  if (lines < 0 || !holdsKey(window.slice(lines, TOLD_CHARS))) return null;
  const end = lines + lastOfBody(window.slice(lines));
  const mac = PUTTY_MAC.exec(window.slice(0, end));
  return keyMatch('private_key', start, start + (mac === null ? end : mac.index + mac[0].length), mac === null ? 0.9 : 0.99);
}

const PUTTY_MAC = /Private-MAC: [0-9a-f]{40,64}/;

const ENCODED = /LS0tLS1CRUdJTi[A-Za-z0-9+/]{60,11000}={0,2}/y;
/** Of the encoded header. */
const ENCODED_HEADER_CHARS = 72;

/** A private key in armour that is base64 once more, as in the files of Kubernetes: `LS0tLS1CRUdJTi…`. */
export function probeEncodedKey(text: string, start: number): Match | null {
  ENCODED.lastIndex = start;
  const encoded = ENCODED.exec(text)?.[0];
  if (encoded === undefined) return null;
  const said = Buffer.from(encoded.slice(0, ENCODED_HEADER_CHARS), 'base64').toString('latin1');
  if (
    !/^-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY/.test(said) ||
    entropy(encoded.slice(ENCODED_HEADER_CHARS, TOLD_CHARS)) < 3.5
  )
    return null;
  return keyMatch('private_key', start, start + encoded.length, 0.95);
}

/** True when enough base64 stands at the start of `body`, and not one letter over and over. */
function holdsKey(body: string): boolean {
  const lines = body.slice(0, TOLD_CHARS).match(BODY_LINE)?.join('') ?? '';
  return lines.length >= BODY_MIN && entropy(lines) >= 3.5;
}

function lastOfBody(body: string): number {
  let end = 0;
  for (const line of body.matchAll(BODY_LINE)) {
    if (line.index - end > LINE_GAP_MAX) break;
    end = line.index + line[0].length;
  }
  return end;
}

function keyMatch(type: string, start: number, end: number, score: number): Match {
  return {
    type,
    start,
    end,
    score,
    severity: 'critical',
    method: 'pattern',
    explanation: 'A private key in armour.',
    preview: '-----BEGIN…',
    rank: RANK.checked,
  };
}

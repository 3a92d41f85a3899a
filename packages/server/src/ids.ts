// TypeIDs: a prefix, an underscore and a UUIDv7 in 26 base32 characters (github.com/jetify-com/typeid, spec 0.3).

import { randomFillSync } from 'node:crypto';

/** The prefixes of the identifiers the service gives out. */
export type IdPrefix =
  | 'org'
  | 'key'
  | 'sa'
  | 'ses'
  | 'wh'
  | 'int'
  | 'dlv'
  | 'inb'
  | 'jdg'
  | 'sim'
  | 'str'
  | 'mon'
  | 'bl'
  | 'asm'
  | 'evt'
  | 'exp'
  | 'req';

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'; // Crockford's, lower case
const VALUES = new Uint8Array(128).fill(255);
for (let i = 0; i < ALPHABET.length; i++) VALUES[ALPHABET.charCodeAt(i)] = i;

const pool = new Uint8Array(8 * 1024);
let poolOffset = pool.length;
let lastMs = 0;
let counter = 0;

/**
 * A new UUIDv7 (RFC 9562 §5.7) as 16 bytes: 48 bits of milliseconds, a 12-bit counter within the millisecond (method 1 of §6.2), 62
 * random bits. Ascending within this process, also when the clock goes back.
 */
export function newUuid(nowMs: number = Date.now()): Buffer {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  const uuid = Buffer.allocUnsafe(16);
  uuid.writeUIntBE(lastMs, 0, 6);
  uuid.writeUInt16BE(0x7000 | counter, 6);
  for (let i = 8; i < 16; i++) uuid[i] = pool[poolOffset++]!;
  uuid[8] = 0x80 | (uuid[8]! & 0x3f);
  return uuid;
}

/** A new identifier with `prefix`. */
export function newId(prefix: IdPrefix): string {
  return formatId(prefix, newUuid());
}

/** Writes 16 bytes as an identifier with `prefix`. */
export function formatId(prefix: IdPrefix, uuid: Buffer): string {
  let text = '';
  // 26 digits of 5 bits hold 130 bits: the first digit has only the top three bits of the first byte.
  let bits = 0;
  let held = 2;
  for (let i = 0; i < 16; i++) {
    bits = (bits << 8) | uuid[i]!;
    held += 8;
    while (held >= 5) {
      held -= 5;
      text += ALPHABET[(bits >>> held) & 31]!;
    }
    bits &= (1 << held) - 1;
  }
  return `${prefix}_${text}`;
}

/** The 16 bytes of `id`, or `null` when it is not an identifier with `prefix`. */
export function parseId(prefix: IdPrefix, id: string): Buffer | null {
  const start = prefix.length + 1;
  if (id.length !== start + 26 || !id.startsWith(prefix) || id[prefix.length] !== '_') return null;
  const uuid = Buffer.allocUnsafe(16);
  let bits = 0;
  let held = -2;
  let at = 0;
  for (let i = start; i < id.length; i++) {
    const code = id.charCodeAt(i);
    const value = code < 128 ? VALUES[code]! : 255;
    if (value === 255 || (i === start && value > 7)) return null;
    bits = (bits << 5) | value;
    held += 5;
    if (held >= 8) {
      held -= 8;
      uuid[at++] = (bits >>> held) & 255;
      bits &= (1 << held) - 1;
    }
  }
  return uuid;
}

/** The same 16 bytes under another prefix: an assessment and its event share them. */
export function withPrefix(from: IdPrefix, to: IdPrefix, id: string): string {
  return to + id.slice(from.length);
}

/** As PostgreSQL writes and reads a `uuid`. */
export function uuidText(uuid: Buffer): string {
  const hex = uuid.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An identifier from PostgreSQL's text form of a `uuid`. */
export function idFromUuidText(prefix: IdPrefix, text: string): string {
  return formatId(prefix, Buffer.from(text.replaceAll('-', ''), 'hex'));
}

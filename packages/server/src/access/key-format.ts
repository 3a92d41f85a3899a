// `svc_<type>_` + 32 random base62 characters (190 bits) + 6 base62 characters of the CRC-32 of all before them. A typo, or a
// scanner's noise, is refused without a look-up.

import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { KEY_TYPES, type KeyType } from './scopes.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_LENGTH = 32;
const CHECKSUM_LENGTH = 6;

/** A new key of `type`, in clear. It is shown once and kept nowhere. */
export function newKey(type: KeyType): string {
  let key = `svc_${type}_`;
  for (let i = 0; i < RANDOM_LENGTH; i++) key += BASE62[randomInt(62)]!;
  return key + checksum(key);
}

/** The type of a well-formed key with the right checksum, else `null`. */
export function parseKey(key: string): KeyType | null {
  if (key.length < 47 || key.length > 48 || !key.startsWith('svc_')) return null;
  const type = KEY_TYPES.find((name) => key.startsWith(name, 4) && key[4 + name.length] === '_');
  if (type === undefined || key.length !== 5 + type.length + RANDOM_LENGTH + CHECKSUM_LENGTH) return null;
  const body = key.slice(0, -CHECKSUM_LENGTH);
  return key.slice(-CHECKSUM_LENGTH) === checksum(body) && /^[0-9A-Za-z]+$/.test(body.slice(5 + type.length)) ? type : null;
}

function checksum(text: string): string {
  let value = crc32(text);
  let digits = '';
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    digits = BASE62[value % 62]! + digits;
    value = Math.floor(value / 62);
  }
  return digits;
}

// Checksums that token issuers put into their tokens, so that a scanner can tell a real one from noise.

import { crc32 } from 'node:zlib';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** CRC-32 (IEEE) of `text`, in base 62 (0-9A-Za-z), left-padded with `0` to six characters. */
export function crcBase62(text: string): string {
  let rest = crc32(text);
  let digits = '';
  while (rest > 0) {
    digits = BASE62[rest % 62]! + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(6, '0');
}

/** True when the last six characters are the checksum of all before them: keys of svc. */
export function endsWithCrc(token: string): boolean {
  return crcBase62(token.slice(0, -6)) === token.slice(-6);
}

/**
 * True when the last six characters are the checksum of what stands between the first `_` and them: tokens of GitHub and npm.
 * https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
 */
export function bodyEndsWithCrc(token: string): boolean {
  return crcBase62(token.slice(token.indexOf('_') + 1, -6)) === token.slice(-6);
}

/** True when the first part of a JSON Web Token decodes to an object that names its algorithm. RFC 7515, section 4.1.1. */
export function hasJwtHeader(token: string): boolean {
  const header = parseObject(Buffer.from(token.slice(0, token.indexOf('.')), 'base64url').toString('utf8'));
  return header !== null && typeof header['alg'] === 'string';
}

/** The object that `json` holds, or `null` for anything else. */
function parseObject(json: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** True when `value` is the base64 of printable ASCII `user:password` with a password. RFC 7617, section 2. */
export function isBasicCredentials(value: string): boolean {
  return /^[!-9;-~]{1,128}:[ -~]{1,256}$/.test(Buffer.from(value, 'base64').toString('latin1'));
}

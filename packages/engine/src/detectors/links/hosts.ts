// What is wrong with a host: addresses in place of names, and names that imitate others.

import { decodeLabel } from './punycode.ts';

const IPV4 = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/;
/** Loopback, private, link-local and carrier networks: developers write them all day, and nobody outside can answer there. */
const PRIVATE_IPV4 =
  /^(?:0|10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./;
const PRIVATE_IPV6 = /^(?:::1?|f[cd][0-9a-f]{2}:.*|fe[89ab][0-9a-f]:.*)$/;
/** Where cloud machines hand out their credentials. Link-local, but nothing a text should point at. */
const METADATA_ADDRESSES = new Set(['169.254.169.254', '169.254.170.2', '100.100.100.200', 'fd00:ec2::254']);

/** How a host hides behind an address; `null` for names and for private addresses in plain form. */
export function addressKind(host: string): 'metadata' | 'encoded' | 'public' | null {
  if (METADATA_ADDRESSES.has(host)) return 'metadata';
  if (host.includes(':')) return /^[0-9a-f:.]+$/.test(host) && !PRIVATE_IPV6.test(host) ? 'public' : null;
  if (IPV4.test(host)) return isPlainIpv4(host) ? (PRIVATE_IPV4.test(host) ? null : 'public') : encodedKind(host);
  return encodedKind(host);
}

/** `0x7f.1`, `017700000001`, `2130706433`: forms that clients accept and people do not read. */
function encodedKind(host: string): 'encoded' | null {
  const labels = host.split('.');
  if (labels.length > 4 || !labels.every((label) => /^(?:0x[0-9a-f]+|\d+)$/.test(label))) return null;
  // `http://8080` and the like are typos; a whole address in one number has eight digits at least.
  return labels.length > 1 || host.length >= 8 ? 'encoded' : null;
}

function isPlainIpv4(host: string): boolean {
  return host.split('.').every((label) => Number(label) <= 255 && (label === '0' || !label.startsWith('0')));
}

/** Cyrillic and Greek letters that are drawn like Latin ones. */
const LATIN_LOOKALIKES = /^[аеорсухіјѕԁһԛԝвкмнтӏαορνικυτ0-9-]+$/;

/** True when a label of the host is made to be taken for another: scripts mixed, or all of it letters that look Latin. */
export function isLookalike(host: string): boolean {
  const labels = host.split('.');
  const isLatinTop = /^[a-z]+$/.test(labels.at(-1)!);
  return labels.some((label) => {
    const shown = label.startsWith('xn--') ? decodeLabel(label) : label;
    return shown !== null && shown !== '' && isDeceptive(shown, isLatinTop);
  });
}

function isDeceptive(label: string, isLatinTop: boolean): boolean {
  const hasForeign = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}]/u.test(label);
  if (!hasForeign) return false;
  if (/\p{Script=Latin}/u.test(label)) return true;
  // `почта.рф` is honest; `раураl.com`'s cousin `аррӏе.com` is not.
  return isLatinTop && LATIN_LOOKALIKES.test(label.toLowerCase());
}

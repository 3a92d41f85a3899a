// Addresses of machines: IPv4 and IPv6 addresses, MAC addresses.

import type { AnchorHits } from '../../types.ts';
import { isAlphanumeric, isHex } from './chars.ts';
import { cuesNear, isCued, isNoise, type Near } from './cues.ts';
import type { Find } from './finds.ts';
import { canBegin, canEnd } from './numbers.ts';
import type { Groups } from './shapes.ts';

const FULL_STOP_GAP = 3;

/** Finds an IPv4 address whose first octet is group `i`. */
export function findIpv4(text: string, groups: Groups, i: number, hits: AnchorHits): Find | null {
  const { starts, ends, gaps } = groups;
  if (gaps[i + 1] !== FULL_STOP_GAP || gaps[i + 2] !== FULL_STOP_GAP || gaps[i + 3] !== FULL_STOP_GAP) return null;
  const octets: number[] = [];
  for (let g = i; g < i + 4; g++) octets.push(octetOf(text, starts[g]!, ends[g]!));
  if (octets.some(Number.isNaN) || gaps[i + 4] === FULL_STOP_GAP || !isPersonal(octets)) return null;
  if (!canBegin(text, groups, i) && text[starts[i]! - 1] !== '/') return null;
  if (!canEndAddress(text, groups, i + 3)) return null;
  const [start, end] = [starts[i]!, ends[i + 3]!];
  const near = cuesNear(text, hits, start, end);
  if (isVersion(text, start, near) || (octets[3] === 0 && text[end] === '/')) return null;
  return { kind: 'ip_address', start, end, ...scoreOf(octets, near), note: 'IPv4' };
}

/** A port, a prefix length or a path may follow. */
function canEndAddress(text: string, groups: Groups, i: number): boolean {
  return text[groups.ends[i]!] === '/' || canEnd(text, groups, i);
}

function octetOf(text: string, start: number, end: number): number {
  const octet = end - start > 3 ? NaN : Number(text.slice(start, end));
  const hasLeadingZero = end - start > 1 && text[start] === '0';
  return octet > 255 || hasLeadingZero ? NaN : octet;
}

/** No network masks, loopback, unspecified or broadcast addresses, and none of the public resolvers everyone uses. */
function isPersonal(octets: readonly number[]): boolean {
  const [first, ...rest] = octets;
  if (first === 0 || first === 127 || first === 255) return false;
  if (rest.every((octet) => octet === 0)) return false;
  return !RESOLVERS.has(octets.join('.'));
}

const RESOLVERS = new Set(['1.1.1.1', '1.0.0.1', '8.8.8.8', '8.8.4.4', '9.9.9.9', '1.2.3.4']);

function isVersion(text: string, start: number, near: Near): boolean {
  const before = text[start - 1];
  if ((before === 'v' || before === 'V') && !isAlphanumeric(text.charCodeAt(start - 2))) return true;
  return (near.before.includes('version') && near.distance <= 12) || near.after[0] === 'version';
}

/** Four small numbers may be a section or a version: they say less. */
function scoreOf(octets: readonly number[], near: Near): Pick<Find, 'score' | 'method'> {
  if (isCued(near, 'ip') && !isNoise(near)) return { score: 0.95, method: 'pattern+context' };
  if (isNoise(near)) return { score: 0.4, method: 'pattern' };
  return { score: octets.every((octet) => octet < 64) ? 0.6 : 0.85, method: 'pattern' };
}

/** Looks at the colon at `at` as the first of an IPv6 or MAC address. */
export function findAtColon(text: string, at: number): Find | null {
  if (!isHex(text.charCodeAt(at - 1))) return null;
  return findMac(text, at, ':') ?? findIpv6(text, at);
}

/** A MAC address whose first separator is at `at`. */
export function findMac(text: string, at: number, separator: ':' | '-'): Find | null {
  if (text[at + 3] !== separator || text[at + 6] !== separator || text[at + 9] !== separator || text[at + 12] !== separator)
    return null;
  const [start, end] = [at - 2, at + 15];
  if (start < 0 || isAlphanumeric(text.charCodeAt(start - 1)) || isAlphanumeric(text.charCodeAt(end))) return null;
  if (text[start - 1] === separator || text[end] === separator) return null;
  const value = text.slice(start, end);
  const isMac = /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/i.test(value) && !/^(?:00.){5}00$|^(?:ff.){5}ff$/i.test(value);
  return isMac ? { kind: 'mac_address', start, end, score: 0.95, method: 'pattern' } : null;
}

/** Eight groups of four digits and their colons, or six and a dotted quad. */
const IPV6_LENGTH_MAX = 45;

function findIpv6(text: string, at: number): Find | null {
  const next = text.charCodeAt(at + 1);
  if (!isHex(next) && next !== 58) return null;
  let start = at;
  while (start > 0 && at - start < 5 && isHex(text.charCodeAt(start - 1))) start--;
  const before = text.charCodeAt(start - 1);
  if (at - start > 4 || before === 58 || isAlphanumeric(before)) return null;
  let end = at;
  while (end - start <= IPV6_LENGTH_MAX && (isHex(text.charCodeAt(end)) || text[end] === ':')) end++;
  if (isAlphanumeric(text.charCodeAt(end))) return null;
  if (text[end - 1] === ':' && text[end - 2] !== ':') end--;
  const isAddress = end - start <= IPV6_LENGTH_MAX && isIpv6(text.slice(start, end));
  return isAddress ? { kind: 'ip_address', start, end, score: 0.95, method: 'pattern', note: 'IPv6' } : null;
}

/** Eight groups, or `::` once for those left out. Words of code such as `fee::bad` have no digits; times have no long group. */
function isIpv6(value: string): boolean {
  const groups = value.split(':');
  const filled = groups.filter((group) => group !== '');
  if (filled.some((group) => group.length > 4)) return false;
  const doubled = value.indexOf('::');
  const isWhole = doubled < 0 && groups.length === 8 && filled.length === 8;
  const isShort =
    doubled >= 0 && value.indexOf(':::') < 0 && value.indexOf('::', doubled + 1) < 0 && filled.length >= 2 && filled.length < 8;
  return (isWhole || isShort) && /\d/.test(value) && filled.some((group) => group.length >= 3);
}

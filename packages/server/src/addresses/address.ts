// IP addresses as numbers: strict reading, one spelling for each.

const DOT = 46;
const ZERO = 48;
const NO_ADDRESS = -1;
const TEXT_LENGTH_MAX = 45; // Six groups of four digits, and an IPv4 address of fifteen characters for the last two.
const V6_GROUPS = 8;

/** Unsigned 32-bit words, high to low: one is an IPv4 address, four are an IPv6 address. */
export type Address = readonly number[];

/**
 * Reads an address; `null` if it is none. IPv4 has four decimal octets without leading zeros, IPv6 the forms of RFC 4291, 2.2, without
 * a zone id. An IPv4-mapped IPv6 address, in any spelling, is the IPv4 address it stands for.
 */
export function parseAddress(text: string): Address | null {
  if (text.length > TEXT_LENGTH_MAX) return null;
  if (!text.includes(':')) {
    const v4 = readV4(text, 0);
    return v4 === NO_ADDRESS ? null : [v4];
  }
  const groups = readGroups(text);
  if (groups === null) return null;
  const word = (i: number) => ((groups[i]! << 16) | groups[i + 1]!) >>> 0;
  const isMapped = word(0) === 0 && word(2) === 0 && word(4) === 0xffff;
  return isMapped ? [word(6)] : [word(0), word(2), word(4), word(6)];
}

/** Writes an address in its one spelling: dotted decimal, or lower-case and compressed by RFC 5952. */
export function formatAddress(address: Address): string {
  const [first] = address;
  if (address.length === 1) return `${first! >>> 24}.${(first! >>> 16) & 255}.${(first! >>> 8) & 255}.${first! & 255}`;
  const groups = address.flatMap((word) => [word >>> 16, word & 0xffff]);
  const hex = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.toString(16))
      .join(':');
  const { start, length } = longestZeros(groups);
  return length < 2 ? hex(0, V6_GROUPS) : `${hex(0, start)}::${hex(start + length, V6_GROUPS)}`;
}

/** The IPv4 address from `start` to the end of the text. */
function readV4(text: string, start: number): number {
  let address = 0;
  let octet = NO_ADDRESS;
  let dots = 0;
  for (let i = start; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === DOT) {
      if (octet === NO_ADDRESS || ++dots > 3) return NO_ADDRESS;
      address = address * 256 + octet;
      octet = NO_ADDRESS;
      continue;
    }
    const digit = code - ZERO;
    if (digit < 0 || digit > 9 || octet === 0) return NO_ADDRESS; // a digit after a leading zero would be octal to some readers
    octet = octet === NO_ADDRESS ? digit : octet * 10 + digit;
    if (octet > 255) return NO_ADDRESS;
  }
  return dots === 3 && octet !== NO_ADDRESS ? address * 256 + octet : NO_ADDRESS;
}

/** The eight 16-bit groups of an IPv6 address. */
function readGroups(text: string): number[] | null {
  const groups: number[] = [];
  let gap = text.startsWith('::') ? 0 : -1;
  let at = gap === 0 ? 2 : 0;
  while (at < text.length) {
    const colon = text.indexOf(':', at);
    if (colon === -1) {
      if (!readLast(text, at, groups)) return null;
      break;
    }
    const group = readGroup(text, at, colon);
    if (group === NO_ADDRESS) return null;
    groups.push(group);
    at = colon + 1;
    if (text[at] === ':') {
      if (gap !== -1) return null;
      gap = groups.length;
      at++;
    } else if (at === text.length) return null;
  }
  if (gap === -1) return groups.length === V6_GROUPS ? groups : null;
  if (groups.length >= V6_GROUPS) return null;
  groups.splice(gap, 0, ...Array<number>(V6_GROUPS - groups.length).fill(0));
  return groups;
}

/** What follows the last colon: a group, or two in dotted decimal. */
function readLast(text: string, at: number, groups: number[]): boolean {
  if (text.includes('.', at)) {
    const v4 = readV4(text, at);
    if (v4 !== NO_ADDRESS) groups.push(v4 >>> 16, v4 & 0xffff);
    return v4 !== NO_ADDRESS;
  }
  const group = readGroup(text, at, text.length);
  if (group !== NO_ADDRESS) groups.push(group);
  return group !== NO_ADDRESS;
}

/** One to four hexadecimal digits. */
function readGroup(text: string, start: number, end: number): number {
  if (end === start || end - start > 4) return NO_ADDRESS;
  let group = 0;
  for (let i = start; i < end; i++) {
    const digit = hexDigit(text.charCodeAt(i));
    if (digit === NO_ADDRESS) return NO_ADDRESS;
    group = group * 16 + digit;
  }
  return group;
}

function hexDigit(code: number): number {
  if (code >= ZERO && code <= 57) return code - ZERO;
  const letter = code | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : NO_ADDRESS;
}

/** The first of the longest runs of zero groups. */
function longestZeros(groups: readonly number[]): { start: number; length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let length = 0;
    while (groups[start + length] === 0) length++;
    if (length > longest.length) longest = { start, length };
    start += length;
  }
  return longest;
}

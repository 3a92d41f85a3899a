// Ranges of addresses in CIDR notation, and lists of them to ask.

import { type Address, formatAddress, parseAddress } from './address.ts';

const V4_BITS = 32;
const V6_BITS = 128;
const MAPPED_BITS = V6_BITS - V4_BITS;
const PREFIX = /^(?:0|[1-9]\d{0,2})$/;
const NOTATION = 'is not in CIDR notation, e.g. 203.0.113.0/24 or 2001:db8::/32';

/** An IPv4 or IPv6 range. */
export interface Cidr {
  /** Canonical, e.g. `10.0.0.0/8` or `2001:db8::/32`. */
  readonly text: string;
  /** The first address of the range. */
  readonly network: Address;
  /** Bits that all addresses of the range share: 0–32 or 0–128. */
  readonly prefix: number;
}

/**
 * Parses CIDR notation, or answers what is wrong as the rest of a sentence. An IPv4-mapped IPv6 range becomes the IPv4 range it stands
 * for. No other range of IPv6 holds an IPv4 address.
 */
export function parseCidr(text: string): Cidr | { readonly fault: string } {
  const slash = text.indexOf('/');
  const base = slash === -1 ? text : text.slice(0, slash);
  const address = parseAddress(base);
  if (address === null)
    return { fault: base.includes('%') ? 'has a zone id, which means something on one machine only' : NOTATION };
  const isMapped = address.length === 1 && base.includes(':');
  const bits = address.length === 1 && !isMapped ? V4_BITS : V6_BITS;
  if (slash === -1) return { fault: `${NOTATION}; for one address write ${base}/${bits}` };
  const prefixText = text.slice(slash + 1);
  if (!PREFIX.test(prefixText)) return { fault: NOTATION };
  const prefix = Number(prefixText);
  if (prefix > bits) return { fault: `has a prefix longer than the ${bits} bits of the address` };
  if (!isMapped) return rangeOf(address, prefix);
  if (prefix < MAPPED_BITS) return { fault: 'mixes IPv4 and IPv6 addresses; write the IPv4 range by itself, e.g. 10.0.0.0/8' };
  return rangeOf(address, prefix - MAPPED_BITS);
}

/** Ranges to ask whether an address is in one of them. */
export class CidrList {
  readonly #cidrs: readonly Cidr[];

  constructor(cidrs: readonly Cidr[]) {
    this.#cidrs = cidrs;
  }

  get isEmpty(): boolean {
    return this.#cidrs.length === 0;
  }

  /** Whether `address`, IPv4-mapped or not, is in a range; `false` for what is not an address. */
  contains(address: string): boolean {
    if (this.isEmpty) return false;
    const parsed = parseAddress(address);
    return parsed !== null && this.#cidrs.some((cidr) => isWithin(parsed, cidr));
  }
}

function rangeOf(address: Address, prefix: number): Cidr | { readonly fault: string } {
  const network = address.map((word, i) => (word & mask(prefix - i * 32)) >>> 0);
  const text = `${formatAddress(network)}/${prefix}`;
  if (network.some((word, i) => word !== address[i])) return { fault: `has host bits set; did you mean ${text}?` };
  return { text, network, prefix };
}

function isWithin(address: Address, { network, prefix }: Cidr): boolean {
  if (address.length !== network.length) return false;
  for (let i = 0; i < network.length; i++) {
    if (((address[i]! ^ network[i]!) & mask(prefix - i * 32)) !== 0) return false;
  }
  return true;
}

/** A word whose first `bits` bits are set: none below 1, all from 32 on. */
function mask(bits: number): number {
  if (bits <= 0) return 0;
  return bits >= 32 ? -1 : -1 << (32 - bits);
}

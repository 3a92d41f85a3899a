// Which addresses the service may call: public ones, and those the operator named. What a tenant may have us call is a way into the
// operator's network (server-side request forgery).

import { networkInterfaces } from 'node:os';
import { formatAddress, parseAddress } from '../addresses/address.ts';
import { type Cidr, CidrList, parseCidr } from '../addresses/cidr.ts';

const UNASSIGNED = 'not assigned to anyone';
const EMBEDS_V4 = 'a form that hides an IPv4 address';

/**
 * The special-purpose registries of IANA (RFC 6890 and its updates), the clouds' metadata services among them, and every form that
 * embeds an IPv4 address but IPv4-mapped, which is known by its spelling. The last three refuse all that is not global unicast.
 */
const REFUSED: readonly (readonly [range: string, reason: string])[] = [
  ['0.0.0.0/8', 'this host'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared by carriers'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved for protocols'],
  ['192.0.2.0/24', 'for documentation'],
  ['192.88.99.0/24', 'a relay of 6to4'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'for benchmarks'],
  ['198.51.100.0/24', 'for documentation'],
  ['203.0.113.0/24', 'for documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'this host'],
  ['::1/128', 'loopback'],
  ['::/96', EMBEDS_V4],
  ['::ffff:0:0:0/96', EMBEDS_V4],
  ['64:ff9b::/96', EMBEDS_V4],
  ['64:ff9b:1::/48', EMBEDS_V4],
  ['100::/64', 'for discarding'],
  ['2001::/23', 'reserved for protocols'],
  ['2001:db8::/32', 'for documentation'],
  ['2002::/16', EMBEDS_V4],
  ['3fff::/20', 'for documentation'],
  ['5f00::/16', 'for segment routing'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'private'],
  ['ff00::/8', 'multicast'],
  ['::/3', UNASSIGNED],
  ['4000::/2', UNASSIGNED],
  ['8000::/1', UNASSIGNED],
];

const RULES = REFUSED.map(([range, reason]) => ({ list: new CidrList([parseCidr(range) as Cidr]), reason }));

/** Says which addresses may be called. */
export class Guard {
  readonly #allowed: CidrList;
  readonly #own: ReadonlySet<string>;

  /** `allowed`: the operator's exceptions, never a tenant's. `own`: addresses of this machine, also public ones. */
  constructor(allowed: CidrList, own: readonly string[] = ownAddresses()) {
    this.#allowed = allowed;
    this.#own = new Set(own.map(canonical));
  }

  /** Why `address` may not be called, as the rest of a sentence that begins with it; `null`: it may. */
  refusalOf(address: string): string | null {
    if (this.isException(address)) return null;
    const parsed = parseAddress(address);
    if (parsed === null) return 'is not an address';
    if (parsed.length === 1 && address.includes(':')) return `is ${EMBEDS_V4}`;
    if (this.#own.has(formatAddress(parsed))) return 'is an address of this service';
    const rule = RULES.find(({ list }) => list.contains(address));
    return rule === undefined ? null : `is ${rule.reason}`;
  }

  /** Whether the operator allows `address` by name. */
  isException(address: string): boolean {
    return this.#allowed.contains(address);
  }
}

function ownAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((interfaces = []) => interfaces.map(({ address }) => address));
}

function canonical(text: string): string {
  const address = parseAddress(text);
  return address === null ? text : formatAddress(address);
}

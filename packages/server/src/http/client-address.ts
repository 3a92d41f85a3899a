// The address of a client, in one form for allowlists, limits and the trail.

import { formatAddress, parseAddress } from '../addresses/address.ts';
import type { CidrList } from '../addresses/cidr.ts';

/** Proxies one request passes. Real chains have a handful; the bound keeps a long header from costing time. */
const HOPS_MAX = 32;
const UNKNOWN = '0.0.0.0'; // the socket is gone

const PORT_MAX = 65_535;
const PORT = /^\d{1,5}$/;

/**
 * The client's address: the socket's peer, unless it is in `trusted`; then `X-Forwarded-For` is walked from the right past trusted
 * hops, and the first that is not trusted is the client. If all are trusted it is the leftmost; an entry that is no address ends the
 * walk at the hop before it. IPv4-mapped IPv6 is unwrapped, IPv6 is lower-case and compressed: one address has one spelling.
 */
export function clientAddress(remoteAddress: string | undefined, forwardedFor: string | undefined, trusted: CidrList): string {
  let client = peerAddress(remoteAddress);
  if (forwardedFor === undefined || trusted.isEmpty) return client;
  let end = forwardedFor.length;
  for (let hop = 0; hop < HOPS_MAX && end >= 0 && trusted.contains(client); hop++) {
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const address = hopAddress(forwardedFor.slice(comma + 1, end));
    if (address === null) return client;
    client = address;
    end = comma;
  }
  return client;
}

/** The peer as the system names it; only there a zone id (`fe80::1%eth0`) is left out, for the address is beyond doubt. */
function peerAddress(remoteAddress: string | undefined): string {
  return (remoteAddress && canonical(remoteAddress.replace(/%.*$/s, ''))) || UNKNOWN;
}

/** An entry of the header: an address, perhaps with a port (`203.0.113.7:443`, `[2001:db8::1]:443`) and spaces around. */
function hopAddress(entry: string): string | null {
  const text = entry.replace(/^[ \t]+|[ \t]+$/g, '');
  if (text.startsWith('[')) {
    const close = text.indexOf(']');
    const host = text.slice(1, close);
    const rest = text.slice(close + 1);
    const isGood = close !== -1 && host.includes(':') && (rest === '' || (rest.startsWith(':') && isPort(rest.slice(1))));
    return isGood ? canonical(host) : null;
  }
  const colon = text.indexOf(':');
  if (colon === -1 || colon !== text.lastIndexOf(':')) return canonical(text);
  return isPort(text.slice(colon + 1)) ? canonical(text.slice(0, colon)) : null;
}

function isPort(text: string): boolean {
  return PORT.test(text) && Number(text) <= PORT_MAX;
}

function canonical(text: string): string | null {
  const address = parseAddress(text);
  return address === null ? null : formatAddress(address);
}

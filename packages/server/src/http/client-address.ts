// The address of a client, in one form for limits and the trail.

/** `::ffff:192.0.2.1` is the IPv4 address 192.0.2.1. */
export function clientAddress(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return '0.0.0.0'; // the socket is gone
  return remoteAddress.startsWith('::ffff:') && remoteAddress.includes('.') ? remoteAddress.slice(7) : remoteAddress;
}

// Names to addresses, without the system's few threads: two names whose servers never answer would keep all others from being resolved.

import dns, { type LookupAddress } from 'node:dns';

/** What of `dns.lookup` is used. */
export type Lookup = (
  host: string,
  options: { all: true; order: 'verbatim' },
  done: (err: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const TIMEOUT_MS = 2_000;
const TRIES = 2;

const resolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

/**
 * Asks the name servers; what they do not know is asked of the system, which knows its hosts file and its search domains and answers such names
 * at once. A server that is silent is not asked twice.
 */
export const lookUpName: Lookup = (host, options, done) => {
  const addresses: LookupAddress[] = [];
  let silent: NodeJS.ErrnoException | null = null;
  let left = 2;
  const take = (family: number) => (err: NodeJS.ErrnoException | null, found: string[]) => {
    if (err === null) addresses.push(...found.map((address) => ({ address, family })));
    else if (err.code === 'ETIMEOUT') silent = err;
    if (--left > 0) return;
    if (addresses.length > 0) done(null, addresses);
    else if (silent !== null) done(silent, []);
    else dns.lookup(host, options, done);
  };
  resolver.resolve4(host, take(4));
  resolver.resolve6(host, take(6));
};

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

const resolver = new dns.promises.Resolver({ timeout: TIMEOUT_MS, tries: TRIES });

/**
 * Asks the name servers; what they do not know is asked of the system, which knows its hosts file and its search domains and answers such names
 * at once. A server that is silent is not asked twice.
 */
export const lookUpName: Lookup = (host, options, done) => {
  const families = [resolver.resolve4(host).then(addressesOf(4)), resolver.resolve6(host).then(addressesOf(6))];
  void Promise.allSettled(families).then((answers) => {
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return done(null, addresses);
    const faults = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : []));
    const silent = faults.find(({ code }) => code === 'ETIMEOUT');
    if (silent !== undefined) return done(silent, []);
    return dns.lookup(host, options, done);
  });
};

const addressesOf =
  (family: number) =>
  (addresses: string[]): LookupAddress[] =>
    addresses.map((address) => ({ address, family }));

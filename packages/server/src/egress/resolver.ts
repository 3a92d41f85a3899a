// From the host of a URL to the addresses that may be called.

import type { LookupAddress } from 'node:dns';
import { isIP } from 'node:net';
import { blockedName, UrlError } from './error.ts';
import { lookUpName, type Lookup } from './lookup.ts';
import type { Guard } from './guard.ts';

/** Resolves hosts and drops every address that may not be called. */
export class Resolver {
  readonly #guard: Guard;
  readonly #allowHttp: boolean;
  readonly #lookup: Lookup;
  /** Lookups under way by name: a slow name holds one of the few threads of the system's resolver, not one for each call. */
  readonly #running = new Map<string, Promise<LookupAddress[]>>();

  constructor(guard: Guard, allowHttp: boolean, lookup: Lookup = lookUpName) {
    this.#guard = guard;
    this.#allowHttp = allowHttp;
    this.#lookup = lookup;
  }

  /** The addresses of `host` that may be called by `protocol`, at least one; throws `dns`, `blocked` or `invalid_url`. */
  async resolve(protocol: string, host: string): Promise<LookupAddress[]> {
    const literal = isIP(host);
    if (literal !== 0) {
      this.checkLiteral(protocol, host);
      return [{ address: host, family: literal }];
    }
    const addresses = (await this.#lookUp(host)).filter(({ address }) => this.#guard.refusalOf(address) === null);
    if (addresses.length === 0) throw blockedName();
    const reachable = addresses.filter(({ address }) => this.#isProtocolAllowed(protocol, address));
    if (reachable.length === 0) throw httpsNeeded();
    return reachable;
  }

  /** Throws `blocked` or `invalid_url` unless `address`, as it stands in a URL, may be called by `protocol`. */
  checkLiteral(protocol: string, address: string): void {
    const refusal = this.#guard.refusalOf(address);
    if (refusal !== null) throw new UrlError('blocked', `names an address that may not be called: it ${refusal}`);
    if (!this.#isProtocolAllowed(protocol, address)) throw httpsNeeded();
  }

  /** Whether `address` may be called by `protocol`. */
  isReachable(protocol: string, address: string): boolean {
    return this.#guard.refusalOf(address) === null && this.#isProtocolAllowed(protocol, address);
  }

  #isProtocolAllowed(protocol: string, address: string): boolean {
    return protocol === 'https:' || this.#allowHttp || this.#guard.isException(address);
  }

  #lookUp(host: string): Promise<LookupAddress[]> {
    let running = this.#running.get(host);
    if (running === undefined) {
      running = this.#ask(host).finally(() => this.#running.delete(host));
      this.#running.set(host, running);
    }
    return running;
  }

  #ask(host: string): Promise<LookupAddress[]> {
    return new Promise((resolve, reject) => {
      this.#lookup(host, { all: true, order: 'verbatim' }, (err, addresses) => {
        if (err === null && addresses.length > 0) resolve(addresses);
        else reject(new UrlError('dns', 'names a host that cannot be resolved', err));
      });
    });
  }
}

function httpsNeeded(): UrlError {
  return new UrlError('invalid_url', 'does not begin with https://');
}

// The only way the service calls out. Who asks for a call may be a tenant, so it goes to public addresses only, or to those the operator
// named; see `guard.ts`. Redirects are not followed and no proxy variables are honoured: both would go around the guard.

import type dns from 'node:dns';
import type { CidrList } from '../addresses/cidr.ts';
import { Connections } from './connections.ts';
import { Deadline } from './deadline.ts';
import { EgressError, UrlError } from './error.ts';
import { exchange, type EgressRequest, type EgressResponse } from './exchange.ts';
import { Guard } from './guard.ts';
import { Resolver } from './resolver.ts';
import { hostOf, parseUrl } from './url.ts';

const RESOLVE_MS_MAX = 5_000; // A person waits for the answer to a URL they entered.
const CALLS_MAX = 10_000; // Under way or waiting for a connection, some for each: more would only wait past their deadlines.

export { EgressError } from './error.ts';
export type { EgressRequest, EgressResponse } from './exchange.ts';

/** The way out. */
export interface Egress {
  /** Calls; rejects with an `EgressError` if it comes to no answer. Nothing is tried twice, but on a kept connection that the host closed. */
  request(request: EgressRequest): Promise<EgressResponse>;
  /** What is wrong with a URL before anything is sent, as the rest of a sentence; `null`: nothing. Resolves names, within 5 s. */
  refusalOf(url: string): Promise<string | null>;
  /** Ends calls under way with `aborted`, and all connections. */
  close(): Promise<void>;
}

/** Opens the way out. `allowed`: the operator's exceptions to the guard; they may be called by http too. */
export function createEgress(options: {
  readonly allowed: CidrList;
  /** Whether http may be used to public addresses. */
  readonly allowHttp: boolean;
  readonly lookup?: typeof dns.lookup;
  /** PEM certificates to trust instead of the platform's. */
  readonly ca?: string;
}): Egress {
  const resolver = new Resolver(new Guard(options.allowed), options.allowHttp, options.lookup);
  const connections = new Connections({ resolver, ca: options.ca });
  const running = new Set<Deadline>();
  let isClosed = false;

  async function request(request: EgressRequest): Promise<EgressResponse> {
    const url = parseUrl(request.url);
    if (isClosed) throw new EgressError('aborted', 'The service is shutting down.');
    if (running.size >= CALLS_MAX) throw new EgressError('connect', 'Too many calls are waiting to go out.');
    const deadline = new Deadline(request.timeoutMs, request.signal);
    running.add(deadline);
    try {
      return await call(connections, url, request, deadline.signal);
    } finally {
      running.delete(deadline);
      deadline.end();
    }
  }

  async function refusalOf(text: string): Promise<string | null> {
    try {
      const url = parseUrl(text);
      await within(RESOLVE_MS_MAX, resolver.resolve(url.protocol, hostOf(url)));
      return null;
    } catch (err) {
      if (err instanceof UrlError) return err.fault;
      throw err;
    }
  }

  async function close(): Promise<void> {
    isClosed = true;
    for (const deadline of running) deadline.abort();
    await connections.close();
  }

  return { request, refusalOf, close };
}

async function call(connections: Connections, url: URL, request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
  const connection = await connections.take(url, signal);
  const { isUsed } = connection;
  let isReusable = false;
  try {
    const response = await exchange(connection.client, url, request, signal);
    isReusable = !response.isTruncated;
    return response;
  } catch (err) {
    // A connection that was kept may be closed by the host in the moment it is used again: that says nothing of the host.
    if (!isUsed || !(err instanceof EgressError) || err.kind !== 'protocol') throw err;
  } finally {
    connections.give(connection, isReusable);
  }
  return call(connections, url, request, signal);
}

async function within<T>(timeMs: number, promise: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new UrlError('dns', 'names a host that cannot be resolved')), timeMs);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

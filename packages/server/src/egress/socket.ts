// One checked connection: resolve, connect to an address that may be called, look once more who answered, and TLS.

import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { callbackify } from 'node:util';
import { blockedName, connectError, type EgressError } from './error.ts';
import type { Resolver } from './resolver.ts';

const KEEP_ALIVE_PROBE_MS = 60_000; // Finds out that a peer is gone although nothing was sent.
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Where to connect to. `host` has no brackets; an empty `port` is the protocol's own. */
interface Endpoint {
  readonly protocol: string;
  readonly host: string;
  readonly port: string;
}

/** Opens sockets. `ca`: certificates to trust instead of the platform's. */
export interface SocketOptions {
  readonly resolver: Resolver;
  readonly ca?: string | undefined;
}

/** Begins to connect; throws if the host is a refused literal. `done` is called at most once, and not if the caller destroys the socket. */
export function openSocket(
  { protocol, host, port }: Endpoint,
  { resolver, ca }: SocketOptions,
  done: (err: EgressError | null, socket: Socket) => void,
): Socket {
  if (isIP(host) !== 0) resolver.checkLiteral(protocol, host); // sockets do not ask `lookup` about literals
  const tcp = {
    host,
    port: port === '' ? DEFAULT_PORTS[protocol]! : Number(port),
    lookup: checkedLookup(resolver, protocol),
    autoSelectFamily: true, // also asks `lookup` for all addresses
  };
  const isTls = protocol === 'https:';
  const socket = isTls ? connectTls({ ...tcp, ...tlsOptions(host, ca) }) : connectTcp(tcp);
  let isConnected = false;
  let isDone = false;
  const finish = (err: EgressError | null) => {
    if (!isDone) done(err, socket);
    isDone = true;
  };
  // Before the listener that starts TLS: nothing is sent to an address that was not checked.
  socket.prependOnceListener('connect', () => {
    isConnected = true;
    if (!resolver.isReachable(protocol, socket.remoteAddress ?? '')) socket.destroy(blockedName());
  });
  socket.once(isTls ? 'secureConnect' : 'connect', () => !socket.destroyed && finish(null));
  socket.on('error', (err) => finish(connectError(err, isConnected)));
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_PROBE_MS);
}

function tlsOptions(host: string, ca: string | undefined): ConnectionOptions {
  return {
    minVersion: 'TLSv1.2',
    rejectUnauthorized: true, // stated, for else a variable of the environment could switch it off
    ALPNProtocols: ['http/1.1'],
    servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '', // RFC 6066, 3: names without a trailing dot, never addresses
    ...(ca !== undefined && { ca }),
  };
}

function checkedLookup(resolver: Resolver, protocol: string): LookupFunction {
  const resolve = callbackify((host: string) => resolver.resolve(protocol, host));
  return (host, _options, callback) => resolve(host, (err, addresses) => callback(err, err === null ? addresses : []));
}

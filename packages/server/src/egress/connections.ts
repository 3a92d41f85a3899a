// The connections to all hosts: kept for the next call, bounded for each origin and in all. A kept one goes to an address that was
// checked when it was made, so a name that points elsewhere since changes nothing.

import type { Socket } from 'node:net';
import { Client } from 'undici';
import { EgressError } from './error.ts';
import { Slots } from './slots.ts';
import { openSocket, type SocketOptions } from './socket.ts';
import { hostOf } from './url.ts';

const PER_ORIGIN_MAX = 64; // Of all tenants together: many use the same vendor. A host that hangs holds no more than this.
const CONNECTIONS_MAX = 500; // Half of the 1 024 open files a process may have by default.
const IDLE_MS = 4_000; // Below the five seconds after which common servers hang up.
const IDLE_MS_MAX = 30_000; // For servers that say they keep connections for longer.
const HEADER_BYTES_MAX = 16_384; // Node's own bound for servers.

/** One connection, for one call at a time. */
interface Connection {
  readonly client: Client;
  readonly origin: string;
  /** It has served a call before. */
  isUsed: boolean;
  /** Ends it, also while it is being made. */
  destroy(): void;
}

/** What is known of one origin while it has calls or connections. */
interface Origin {
  readonly slots: Slots;
  readonly idle: Connection[];
  calls: number;
}

/** Lends connections. */
export class Connections {
  readonly #options: SocketOptions;
  readonly #origins = new Map<string, Origin>();
  readonly #slots = new Slots(CONNECTIONS_MAX);
  readonly #busy = new Set<Connection>();
  /** Those that wait for a call, the longest waiting first. */
  readonly #idle = new Set<Connection>();

  constructor(options: SocketOptions) {
    this.#options = options;
  }

  /** A connection for one call to the origin of `url`; waits for a free one until `signal`, then rejects with its reason. */
  async take(url: URL, signal: AbortSignal): Promise<Connection> {
    const origin = this.#originOf(url.origin);
    origin.calls++;
    try {
      await origin.slots.take(signal);
      await this.#slots.take(signal).catch((err: unknown) => {
        origin.slots.give();
        throw err;
      });
    } catch (err) {
      origin.calls--;
      this.#forget(url.origin, origin);
      throw signal.reason instanceof EgressError && signal.reason.kind === 'timeout' ? busy(err) : err;
    }
    const connection = origin.idle.pop() ?? this.#connect(url);
    this.#idle.delete(connection);
    this.#busy.add(connection);
    if (this.#busy.size + this.#idle.size > CONNECTIONS_MAX) this.#evict();
    return connection;
  }

  /** Takes it back: kept if the next call may use it, else ended. */
  give(connection: Connection, isReusable: boolean): void {
    const origin = this.#originOf(connection.origin);
    origin.calls--;
    this.#busy.delete(connection);
    if (isReusable && connection.client.stats.connected) {
      connection.isUsed = true;
      origin.idle.push(connection);
      this.#idle.add(connection);
    } else connection.destroy();
    this.#forget(connection.origin, origin);
    origin.slots.give();
    this.#slots.give();
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const connections = [...this.#busy, ...this.#idle];
    for (const connection of connections) connection.destroy();
    await Promise.all(connections.map(({ client }) => client.destroy()));
  }

  #connect(url: URL): Connection {
    const endpoint = { protocol: url.protocol, host: hostOf(url), port: url.port };
    let socket: Socket | undefined;
    const client = new Client(url.origin, {
      connect: (_options, callback) => {
        socket = openSocket(endpoint, this.#options, (err, opened) =>
          err === null ? callback(null, opened) : callback(err, null),
        );
      },
      // The deadline of the call covers all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS_MAX,
      maxHeaderSize: HEADER_BYTES_MAX,
    });
    const destroy = () => {
      this.#drop(connection);
      socket?.destroy();
      client.destroy(() => undefined);
    };
    const connection: Connection = { client, origin: url.origin, isUsed: false, destroy };
    // One in use makes its connection anew by itself, if the host ended it before the call began.
    client.on('disconnect', () => this.#idle.has(connection) && destroy());
    return connection;
  }

  #evict(): void {
    const [oldest] = this.#idle;
    oldest?.destroy();
  }

  /** Removes a connection from those that wait. */
  #drop(connection: Connection): void {
    if (!this.#idle.delete(connection)) return;
    const origin = this.#originOf(connection.origin);
    origin.idle.splice(origin.idle.indexOf(connection), 1);
    this.#forget(connection.origin, origin);
  }

  #originOf(name: string): Origin {
    let origin = this.#origins.get(name);
    if (origin === undefined) {
      origin = { slots: new Slots(PER_ORIGIN_MAX), idle: [], calls: 0 };
      this.#origins.set(name, origin);
    }
    return origin;
  }

  #forget(name: string, origin: Origin): void {
    if (origin.calls === 0 && origin.idle.length === 0) this.#origins.delete(name);
  }
}

/** The deadline passed in the wait for a place: that says nothing of the host. */
function busy(cause: unknown): EgressError {
  return new EgressError('busy', 'Too many calls to this host are under way.', cause);
}

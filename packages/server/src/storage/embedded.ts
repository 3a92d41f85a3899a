// The embedded PostgreSQL: started on a folder, kept running, adopted after a crash of ours, stopped with us.
//
// The server is a process of its own session and outlives a killed svc; the next start adopts it. Who owns the folder is told by
// an advisory lock on a connection that this process holds. When that connection ends, for whatever reason, the server is brought
// up again and the lock taken anew, so that losing it never goes unnoticed.

import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './embedded-binaries.ts';
import { ensureCluster } from './embedded-cluster.ts';
import { SecondInstanceError } from './embedded-error.ts';
import { boundLog, hasCluster, openFolder, readOrMakePassword } from './embedded-folder.ts';
import { takeOwnership } from './embedded-owner.ts';
import { chooseRunAs } from './embedded-process.ts';
import { bringUp, stopServer } from './embedded-server.ts';
import type { RunningServer, ServerContext } from './embedded-server.ts';

export { EmbeddedPostgresError } from './embedded-error.ts';

/** Name of svc's database and of the role it works as. The role owns the database and nothing else. */
const NAME = 'svc';

const RESTART_PAUSE_MS = 100;
const RESTART_PAUSE_MS_MAX = 30_000;
/** A server that ran this long is healthy: the next crash is a new story. */
const HEALTHY_MS = 60_000;
const LOG_CHECK_MS = 600_000;

export interface EmbeddedOptions {
  /** Made (0700) when missing. Holds `postgres/`, `postgres.log`, `postgres.password` and `postgres.port`. */
  readonly dataDir: string;
  /** Hears single sentences for the operator. */
  readonly log: (message: string) => void;
  /** Called once when another svc took the folder while our server was down. The database must not be used any more. */
  readonly onLost?: (err: Error) => void;
  /** PostgreSQL settings instead of ours, e.g. `{ fsync: 'off' }` in tests. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A running embedded database. */
export interface EmbeddedPostgres {
  /** `host` is the folder of a Unix socket where there is one, else `127.0.0.1`. Stays the same across restarts. */
  readonly connection: { host: string; port: number; user: string; password: string; database: string };
  /** Whether the server was running already. */
  readonly adopted: boolean;
  /** Stops the server and waits for its end. Safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL on a folder, or adopts the one that an earlier svc left running. First start about 1 s, else
 * 0.2 s. Throws `EmbeddedPostgresError` with a sentence for a person.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const context = await prepare(options);
  const server = await bringUp(context);
  await own(context, server);
  try {
    await ensureDatabase(context, server);
  } catch (err) {
    await stopServer(context, server);
    throw err;
  }
  if (server.adopted) options.log(`Adopted the PostgreSQL that an earlier svc left running (pid ${server.pid}).`);
  const { host, port } = server;
  return {
    connection: { host, port, user: NAME, password: context.password, database: NAME },
    adopted: server.adopted,
    stop: keepRunning(context, server, options.onLost),
  };
}

async function prepare(options: EmbeddedOptions): Promise<ServerContext> {
  const binaries = await findBinaries();
  const folder = await openFolder(options.dataDir);
  const password = await readOrMakePassword(folder);
  const runAs = await chooseRunAs(folder, binaries);
  if (!hasCluster(folder)) options.log(`First start: making the embedded database in ${folder.pgData}.`);
  await ensureCluster(folder, binaries, runAs);
  return { folder, binaries, runAs, password, settings: options.settings ?? {}, log: options.log };
}

/** Takes the folder. When another svc has it, its server is left alone. */
async function own(context: ServerContext, server: RunningServer): Promise<void> {
  try {
    await takeOwnership(server.admin, context.folder.dataDir);
  } catch (err) {
    await server.admin.end();
    throw err;
  }
}

/** Makes the role and the database of a first start. An interrupted one is completed. */
async function ensureDatabase({ password }: ServerContext, { admin }: RunningServer): Promise<void> {
  const { rows: roles } = await admin.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [NAME]);
  // The password is base64url: nothing in it needs quoting.
  if (roles.length === 0) await admin.query(`CREATE ROLE ${NAME} LOGIN PASSWORD '${password}'`);
  const { rows: databases } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [NAME]);
  if (databases.length === 0) await admin.query(`CREATE DATABASE ${NAME} OWNER ${NAME}`);
}

/** Watches the owner's connection and brings the server up again when it ends. Returns the function that stops it all. */
function keepRunning(context: ServerContext, first: RunningServer, onLost: EmbeddedOptions['onLost']): () => Promise<void> {
  const stopping = new AbortController();
  let server = first;
  let upSince = performance.now();
  let crashes = 0;
  let recovery = Promise.resolve();
  let isLost = false;

  const watch = () => {
    server.admin.once('end', () => {
      if (!stopping.signal.aborted) recovery = recover();
    });
  };

  const recover = async () => {
    context.log('Lost the embedded database; bringing it up again.');
    if (performance.now() - upSince > HEALTHY_MS) crashes = 0;
    while (!stopping.signal.aborted) {
      try {
        await delay(Math.min(RESTART_PAUSE_MS * 2 ** crashes++, RESTART_PAUSE_MS_MAX), undefined, { signal: stopping.signal });
        const next = await bringUp(context, { port: first.port, signal: stopping.signal });
        await own(context, next);
        server = next;
        upSince = performance.now();
        context.log('The embedded database is up again.');
        return watch();
      } catch (err) {
        if (stopping.signal.aborted) return;
        context.log(`The embedded database is down: ${(err as Error).message}`);
        if (!(err instanceof SecondInstanceError)) continue;
        isLost = true;
        return onLost?.(err);
      }
    }
  };

  const logTimer = setInterval(() => void boundLog(context.folder).catch(() => undefined), LOG_CHECK_MS).unref();
  const stop = async () => {
    stopping.abort();
    clearInterval(logTimer);
    await recovery;
    // A server that another svc has taken over is not ours to stop.
    if (!isLost) await stopServer(context, server);
    await server.admin.end();
  };
  let stopped: Promise<void> | undefined;
  watch();
  return () => (stopped ??= stop());
}

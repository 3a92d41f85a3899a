// The database that the settings name, with its schema up to date: a server, or the embedded one. The service and the operator's commands
// begin with it.

import { mkdir } from 'node:fs/promises';
import type { Config } from './config.ts';
import { StartError } from './start-error.ts';
import { isConnectionFault, openDatabase, type ConnectionOptions, type Database } from './storage/database.ts';
import { SecondInstanceError } from './storage/embedded-error.ts';
import { openFolder, readOrMakePassword } from './storage/embedded-folder.ts';
import { readPostmasterFile } from './storage/embedded-lockfile.ts';
import { startEmbeddedPostgres } from './storage/embedded.ts';
import { migrate } from './storage/migrate.ts';

/** Who hears of what. */
export interface DatabaseListeners {
  /** Single sentences about the embedded server, for the operator. */
  readonly say: (sentence: string) => void;
  /** Idle connections that were lost; they are replaced. */
  readonly onIdleError: (err: Error) => void;
  /** Called once when another svc took the embedded database: it must not be used any more. */
  readonly onLost: (err: Error) => void;
}

/** An open database. */
export interface StartedDatabase {
  readonly db: Database;
  /** For pools of other threads. */
  readonly connection: ConnectionOptions;
  /** Closes the connections, and stops the embedded server unless another process owns it. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the database and migrates it. `mayJoin`: an embedded server that a running svc owns is used and left running, instead of refused.
 * Throws `StartError`, `EmbeddedPostgresError` and `MigrationError`.
 */
export async function startDatabase(
  { dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>,
  listeners: DatabaseListeners,
  { mayJoin }: { readonly mayJoin: boolean },
): Promise<StartedDatabase> {
  await makeDataDir(dataDir);
  const server =
    databaseUrl === null ? await startEmbedded(dataDir, listeners, mayJoin) : { connection: databaseUrl, stop: async () => {} };
  const db = openDatabase(server.connection, listeners.onIdleError);
  const close = async () => {
    await db.close();
    await server.stop();
  };
  try {
    await migrate(db);
  } catch (err) {
    await close();
    throw databaseErrorOf(err);
  }
  return { db, connection: server.connection, close };
}

async function makeDataDir(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (err) {
    const code = err instanceof Error && 'code' in err ? String(err.code) : 'unknown fault';
    throw new StartError(
      `The data folder ${path} cannot be made (${code}). Set SVC_DATA_DIR to a folder that this user may write.`,
      { cause: err },
    );
  }
}

interface Server {
  readonly connection: ConnectionOptions;
  stop(): Promise<void>;
}

async function startEmbedded(dataDir: string, { say, onLost }: DatabaseListeners, mayJoin: boolean): Promise<Server> {
  try {
    return await startEmbeddedPostgres({ dataDir, log: say, onLost });
  } catch (err) {
    const running = mayJoin && err instanceof SecondInstanceError ? await findRunningServer(dataDir) : null;
    if (running === null) throw err;
    return { connection: running, stop: async () => {} };
  }
}

/** How to reach the embedded server that another process owns; `null`: it has ended meanwhile. */
async function findRunningServer(dataDir: string): Promise<ConnectionOptions | null> {
  const folder = await openFolder(dataDir);
  const port = (await readPostmasterFile(folder.pgData))?.port;
  if (port === undefined) return null;
  // It listens on this address in any case. Role and database are both named svc.
  return { host: '127.0.0.1', port, user: 'svc', password: await readOrMakePassword(folder), database: 'svc' };
}

/** Says which setting to look at, without the password that the URL may hold. */
function databaseErrorOf(err: unknown): unknown {
  if (!(err instanceof Error)) return err;
  const code = 'code' in err ? String(err.code) : 'no answer';
  if (code === '28P01' || code === '28000')
    return new StartError('PostgreSQL refused the user or the password in SVC_DATABASE_URL.', { cause: err });
  if (code === '3D000')
    return new StartError('The database that SVC_DATABASE_URL names does not exist on that server. Create it first.', {
      cause: err,
    });
  if (code === '42501')
    return new StartError('The user in SVC_DATABASE_URL may not create tables in that database. Make it the owner.', {
      cause: err,
    });
  if (!isConnectionFault(err)) return err;
  return new StartError(`The database cannot be reached (${code}). Is it running, and is SVC_DATABASE_URL right?`, {
    cause: err,
  });
}

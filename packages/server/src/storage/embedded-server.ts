// Brings a PostgreSQL server up on a data folder: adopts the one that runs, or starts one and waits until it answers.

import type { ChildProcess } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { Binaries } from './embedded-binaries.ts';
import { ADMIN_USER } from './embedded-cluster.ts';
import { codeOf, diagnose, EmbeddedPostgresError, OWN_SERVER } from './embedded-error.ts';
import { choosePort, openLog, rememberPort } from './embedded-folder.ts';
import type { EmbeddedFolder } from './embedded-folder.ts';
import { disownLockFiles, readPostmasterFile } from './embedded-lockfile.ts';
import type { PostmasterFile } from './embedded-lockfile.ts';
import { explainSpawnError, giveTo, isAlive, isPostmaster, isSameFile, runToEnd, spawnAs } from './embedded-process.ts';
import type { RunAs } from './embedded-process.ts';

/** What every start on one data folder shares. */
export interface ServerContext {
  readonly folder: EmbeddedFolder;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly password: string;
  /** Server settings beyond, or instead of, those below. */
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (message: string) => void;
}

/** A server that answers. */
export interface RunningServer {
  readonly pid: number;
  /** The folder of the Unix socket, or `127.0.0.1`. */
  readonly host: string;
  readonly port: number;
  /** A connection as the server's administrator. */
  readonly admin: Client;
  /** Whether it was running before. */
  readonly adopted: boolean;
}

const POLL_MS = 10;
/** Replaying 1 GB of log after a crash took under a minute on slow disks; a server that takes three times as long is stuck. */
const READY_MS_MAX = 180_000;
const PATIENCE_NOTE_MS = 5_000;
/** For what passes by itself: another starter, children of a dead server that finish their statement. */
const RETRY_MS_MAX = 15_000;
const RETRY_PAUSE_MS = 100;
const PORT_RETRIES_MAX = 5;
/** An empty pid file belongs to a server that is just writing it, or to one that found the disk full. */
const EMPTY_FILE_MS = 1_000;
const CONNECT_TIMEOUT_MS = 5_000;
const STOP_MS_MAX = 30_000;
const STOP_AT_ONCE_MS_MAX = 10_000;
/** Unix socket paths end at 107 bytes on Linux and 103 on macOS. */
const SOCKET_PATH_BYTES_MAX = 103;

const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  max_connections: '100',
  password_encryption: 'scram-sha-256',
  shared_buffers: '128MB',
  // A statement that reads the trail locks each of its partitions and their indexes, some 80 in the first year, hundreds after several.
  max_locks_per_transaction: '256',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  wal_buffers: '16MB',
  min_wal_size: '128MB',
  max_wal_size: '1GB',
  // Compiling never pays for statements of a millisecond.
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // A statement of a client that was killed ends within seconds and frees its locks.
  client_connection_check_interval: '5s',
  // Statements and their parameters may hold customers' secrets. Messages of errors quote values, their details quote rows:
  // neither reaches the log. The client still gets them all.
  logging_collector: 'off',
  log_destination: 'stderr',
  log_statement: 'none',
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_min_duration_statement: '-1',
  log_lock_waits: 'off',
  log_temp_files: '-1',
  log_checkpoints: 'off',
  log_autovacuum_min_duration: '-1',
};

interface Launch {
  readonly child: ChildProcess;
  /** Where this attempt's words begin in the log. */
  readonly logOffset: number;
  failure: Error | undefined;
}

type Sight =
  | { readonly kind: 'ready'; readonly pid: number; readonly host: string; readonly port: number; readonly admin: Client }
  /** Something runs that may become ready or end. */
  | { readonly kind: 'busy'; readonly pid: number }
  | { readonly kind: 'absent'; readonly stalePid: number | undefined };

/**
 * Adopts or starts the server, and waits until it answers.
 * `port`: the only port allowed, because clients know it. `signal`: gives up and ends what it started.
 * Throws `EmbeddedPostgresError`.
 */
export async function bringUp(
  context: ServerContext,
  options: { port?: number; signal?: AbortSignal } = {},
): Promise<RunningServer> {
  const startedAt = performance.now();
  const elapsed = () => performance.now() - startedAt;
  let launch: Launch | undefined;
  let portRetries = 0;
  let notedAt = 0;
  for (;;) {
    const sight = await lookFor(context, elapsed());
    if (sight.kind === 'ready') return settle(context, sight, launch);
    if (options.signal?.aborted) {
      launch?.child.kill('SIGQUIT');
      options.signal.throwIfAborted();
    }
    if (elapsed() > READY_MS_MAX) throw stuck(context, sight);
    if (elapsed() - notedAt > PATIENCE_NOTE_MS) {
      notedAt = elapsed();
      context.log('The embedded database is not ready yet (it replays its log after a crash). Waiting.');
    }
    if (launch !== undefined && hasEnded(launch)) {
      const { kind, sentence } = await explainEnd(context, launch);
      const mayRetry = kind === 'wait' ? elapsed() < RETRY_MS_MAX : kind === 'port' && portRetries++ < PORT_RETRIES_MAX;
      if (!mayRetry) throw new EmbeddedPostgresError(`${sentence} More in ${context.folder.logFile}.`);
      launch = undefined;
      await delay(RETRY_PAUSE_MS);
    } else if (sight.kind === 'absent' && launch === undefined) {
      if (sight.stalePid !== undefined) await disownLockFiles(context.folder.pgData, sight.stalePid);
      launch = await launchServer(context, options.port ?? (await choosePort(context.folder, context.log)));
    }
    await delay(POLL_MS);
  }
}

async function settle(
  context: ServerContext,
  sight: Sight & { kind: 'ready' },
  launch: Launch | undefined,
): Promise<RunningServer> {
  // A convenience: a full disk must not keep a running database from being used.
  await rememberPort(context.folder, sight.port).catch(() => undefined);
  return { pid: sight.pid, host: sight.host, port: sight.port, admin: sight.admin, adopted: launch?.child.pid !== sight.pid };
}

function stuck(context: ServerContext, sight: Sight): EmbeddedPostgresError {
  const who =
    sight.kind === 'busy' ? `The database server of ${context.folder.pgData} (pid ${sight.pid})` : 'The embedded database';
  return new EmbeddedPostgresError(
    `${who} did not answer within ${READY_MS_MAX / 1000} s. See ${context.folder.logFile}; end that process and start again, or ${OWN_SERVER}.`,
  );
}

async function lookFor(context: ServerContext, elapsedMs: number): Promise<Sight> {
  const file = await readPostmasterFile(context.folder.pgData);
  if (file === undefined) return { kind: 'absent', stalePid: undefined };
  if (file.pid === 0 && elapsedMs < EMPTY_FILE_MS) return { kind: 'busy', pid: 0 };
  if (await isPostmaster(file.pid, context.folder.pgData)) return approach(context, file);
  await refuseOtherContainer(context, file);
  return { kind: 'absent', stalePid: file.pid };
}

async function approach(context: ServerContext, file: PostmasterFile): Promise<Sight> {
  if (!file.isReady || file.port === undefined) return { kind: 'busy', pid: file.pid };
  for (const host of hostsOf(file)) {
    const admin = await connectAdmin(context, host, file.port);
    if (admin === undefined) continue;
    if (await servesFolder(admin, context.folder)) return { kind: 'ready', pid: file.pid, host, port: file.port, admin };
    await admin.end();
    return { kind: 'absent', stalePid: file.pid };
  }
  return { kind: 'busy', pid: file.pid };
}

/** The Unix socket first: a round trip takes 97 µs there, and 110 µs over TCP. */
function hostsOf(file: PostmasterFile): string[] {
  return file.socketDir === undefined ? ['127.0.0.1'] : [file.socketDir, '127.0.0.1'];
}

/** `undefined`: nobody answers there, or not yet. */
async function connectAdmin(context: ServerContext, host: string, port: number): Promise<Client | undefined> {
  const admin = new Client({
    host,
    port,
    user: ADMIN_USER,
    password: context.password,
    database: 'postgres',
    application_name: `svc owner ${process.pid}`,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A loss is seen by the 'end' event; without a listener for 'error' it would end the process.
  admin.on('error', () => undefined);
  try {
    await admin.connect();
    return admin;
  } catch (err) {
    if (codeOf(err)?.startsWith('28') !== true) return undefined;
    throw new EmbeddedPostgresError(
      `The database in ${context.folder.pgData} refuses the password in ${context.folder.passwordFile}. Restore that file from a backup.`,
      {
        cause: err,
      },
    );
  }
}

/** A copied folder brings its old pid file along, which then names the server of the original. */
async function servesFolder(admin: Client, folder: EmbeddedFolder): Promise<boolean> {
  const { rows } = await admin.query<{ data_directory: string }>('SHOW data_directory');
  return isSameFile(rows[0]!.data_directory, folder.pgData).catch(() => false);
}

/**
 * Process numbers mean nothing between containers that share a folder, but a socket in that folder does. Two servers on the same
 * files would destroy them.
 */
async function refuseOtherContainer(context: ServerContext, file: PostmasterFile): Promise<void> {
  const host = context.folder.pgData;
  if (file.port === undefined || socketDirOf(context) === '') return;
  const admin = await connectAdmin(context, host, file.port);
  if (admin === undefined) return;
  const isOurs = await servesFolder(admin, context.folder);
  await admin.end();
  if (!isOurs) return;
  throw new EmbeddedPostgresError(
    `Another container is running svc on ${context.folder.dataDir}. Stop it, or set SVC_DATA_DIR to another folder.`,
  );
}

/** The folder for the Unix socket; empty where a path would be too long or the system has none. */
function socketDirOf({ folder }: ServerContext): string {
  const longest = join(folder.pgData, '.s.PGSQL.65535');
  return process.platform === 'win32' || Buffer.byteLength(longest) > SOCKET_PATH_BYTES_MAX ? '' : folder.pgData;
}

async function launchServer(context: ServerContext, port: number): Promise<Launch> {
  const { folder } = context;
  const settings = { ...SETTINGS, unix_socket_directories: socketDirOf(context), ...context.settings, port: String(port) };
  const args = ['-D', folder.pgData, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
  const output = await openLog(folder);
  try {
    await giveTo(context.runAs, folder.logFile);
    const logOffset = (await output.stat()).size;
    const child = spawnAs(context.runAs, context.binaries.postgres, args, folder.pgData, ['ignore', output.fd, output.fd]);
    const launch: Launch = { child, logOffset, failure: undefined };
    child.once('error', (err) => (launch.failure = explainSpawnError(err, context.binaries.postgres)));
    child.unref();
    return launch;
  } finally {
    await output.close();
  }
}

function hasEnded({ child, failure }: Launch): boolean {
  return failure !== undefined || child.exitCode !== null || child.signalCode !== null;
}

async function explainEnd(context: ServerContext, launch: Launch) {
  if (launch.failure !== undefined) throw launch.failure;
  return diagnose(await readFrom(context.folder.logFile, launch.logOffset), context.folder.dataDir);
}

/** What the log holds from `offset` on, at most 16 kB. */
async function readFrom(path: string, offset: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16 * 1024), 0, 16 * 1024, offset);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/**
 * Stops the server: open transactions are rolled back, everything committed is on disk. Does nothing when it is down already.
 * One that does not answer is replaying its log. It is stopped at once instead and replays again at the next start, because
 * PostgreSQL 18 can hang when it is asked to shut down in that phase. Throws `EmbeddedPostgresError` when it does not end.
 */
export async function stopServer(context: ServerContext, { pid, admin }: RunningServer): Promise<void> {
  if (!(await isPostmaster(pid, context.folder.pgData))) return;
  if (await answers(admin)) {
    await signalStop(context, pid, 'SIGINT');
    if (await hasGone(pid, STOP_MS_MAX)) return;
    context.log('The embedded database does not stop; stopping it at once. The next start replays its log.');
  }
  await signalStop(context, pid, 'SIGQUIT');
  if (await hasGone(pid, STOP_AT_ONCE_MS_MAX)) return;
  throw new EmbeddedPostgresError(`The embedded database (pid ${pid}) does not stop. The next start of svc will adopt it.`);
}

async function answers(admin: Client): Promise<boolean> {
  const answer = admin.query('SELECT').then(
    () => true,
    () => false,
  );
  return Promise.race([answer, delay(CONNECT_TIMEOUT_MS, false, { ref: false })]);
}

/** Windows has no signals; there pg_ctl passes the word. */
async function signalStop(context: ServerContext, pid: number, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (process.platform === 'win32') {
    const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
    await runToEnd(
      context.runAs,
      context.binaries.pgCtl,
      ['stop', '-W', '-m', mode, '-D', context.folder.pgData],
      context.folder.dataDir,
    );
    return;
  }
  try {
    process.kill(pid, signal);
  } catch (err) {
    if (codeOf(err) !== 'ESRCH') throw err;
  }
}

async function hasGone(pid: number, timeoutMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + timeoutMs;
  while (await isAlive(pid)) {
    if (performance.now() > giveUpAt) return false;
    await delay(POLL_MS);
  }
  return true;
}

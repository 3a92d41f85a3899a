// Real servers in temporary folders, killed in every way that happens.

import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { findBinaries } from './embedded-binaries.ts';
import { readPostmasterFile } from './embedded-lockfile.ts';
import { isAlive, isPostmaster } from './embedded-process.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from './embedded.ts';
import type { EmbeddedOptions, EmbeddedPostgres } from './embedded.ts';

const IS_ROOT = process.platform === 'linux' && process.getuid?.() === 0;
const NOBODY = 65_534;

const folders: string[] = [];
const started: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

afterEach(async () => {
  vi.unstubAllEnvs();
  for (const child of children.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
  await Promise.allSettled(started.splice(0).map((server) => server.stop()));
  for (const folder of folders.splice(0)) {
    await killServer(folder);
    rmSync(folder, { recursive: true, force: true });
  }
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  folders.push(folder);
  return folder;
}

/** A database that was made and stopped; copied for each test, which takes less time than making one. */
let made: string;
beforeAll(async () => {
  made = mkdtempSync(join(tmpdir(), 'svc-embedded-'));
  await (await startEmbeddedPostgres({ dataDir: made, log: () => undefined })).stop();
});
afterAll(() => rmSync(made, { recursive: true, force: true }));

function makeData(): string {
  const folder = makeFolder();
  cpSync(made, folder, { recursive: true });
  return folder;
}

async function start(dataDir: string, options: Partial<EmbeddedOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log: () => undefined, ...options });
  started.push(server);
  return server;
}

async function pidOf(dataDir: string): Promise<number> {
  return (await readPostmasterFile(join(dataDir, 'postgres')))!.pid;
}

/** SIGKILL to the server of a folder, if one runs. Resolves when it is dead. */
async function killServer(dataDir: string): Promise<void> {
  const pgData = join(dataDir, 'postgres');
  const file = await readPostmasterFile(pgData).catch(() => undefined);
  if (file === undefined || !(await isPostmaster(file.pid, pgData))) return;
  process.kill(file.pid, 'SIGKILL');
  await vi.waitFor(async () => expect(await isAlive(file.pid)).toBe(false), { timeout: 5_000, interval: 5 });
}

async function query(connection: ClientConfig, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

const EMBEDDED = pathToFileURL(join(import.meta.dirname, 'embedded.ts')).href;
const PG = pathToFileURL(createRequire(import.meta.url).resolve('pg')).href;

/** Starts the database in a process of its own, which then runs `then` (JavaScript; knows `server`, `pg`) and stays. */
function hold(dataDir: string, then: string, options: SpawnOptions = {}): { child: ChildProcess; lines: string[] } {
  const script = `
    import pg from ${JSON.stringify(PG)};
    import { startEmbeddedPostgres } from ${JSON.stringify(EMBEDDED)};
    try {
      const server = await startEmbeddedPostgres({ dataDir: ${JSON.stringify(dataDir)}, log: () => undefined });
      console.log('started ' + process.pid);
      ${then}
    } catch (err) {
      console.log(err.name + ': ' + err.message);
      process.exit(1);
    }`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    ...options,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  return { child, lines };
}

async function killed(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

const WRITE_FOREVER = `
  const client = new pg.Client(server.connection);
  client.on('error', () => {});
  await client.connect();
  await client.query('CREATE TABLE acknowledged (id int)');
  for (let id = 1; ; id++) {
    await client.query('INSERT INTO acknowledged VALUES ($1)', [id]);
    console.log(id);
  }`;

/** The last row that a writer knows to be committed. */
function lastAcknowledged(lines: string[]): number {
  return Number(lines.findLast((line) => /^\d+$/.test(line)) ?? 0);
}

/** Waits until a writer has had some rows acknowledged. */
function wrote(lines: string[], count: number): Promise<void> {
  return vi.waitFor(() => expect(lastAcknowledged(lines)).toBeGreaterThan(count), { timeout: 15_000, interval: 5 });
}

test('the first start makes a database that only its owner can open', async () => {
  const dataDir = join(makeFolder(), 'data');
  const { connection, adopted } = await start(dataDir);
  expect(adopted).toBe(false);
  const rows = await query(
    connection,
    `SELECT current_database() AS name, rolsuper AS super FROM pg_roles WHERE rolname = current_user`,
  );
  expect(rows).toEqual([{ name: 'svc', super: false }]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
  for (const host of [connection.host, '127.0.0.1']) {
    await expect(query({ ...connection, host, password: 'guess' }, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
  }
});

test('the server keeps what it has acknowledged: settings are the durable ones', async () => {
  const { connection } = await start(makeData());
  const names = ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums', 'listen_addresses', 'password_encryption'];
  const settings = await query(connection, `SELECT name, setting FROM pg_settings WHERE name IN ('${names.join("','")}')`);
  expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
    fsync: 'on',
    synchronous_commit: 'on',
    full_page_writes: 'on',
    data_checksums: 'on',
    listen_addresses: '127.0.0.1',
    password_encryption: 'scram-sha-256',
  });
});

test('stop and start keep rows, port and password, and take under a second', async () => {
  const dataDir = makeData();
  const first = await start(dataDir);
  await query(first.connection, 'CREATE TABLE kept (id int); INSERT INTO kept VALUES (1)');
  const pid = await pidOf(dataDir);
  await Promise.all([first.stop(), first.stop()]);
  expect(await isAlive(pid)).toBe(false);
  const startedAt = performance.now();
  const second = await start(dataDir);
  expect(performance.now() - startedAt).toBeLessThan(1_000);
  expect(second).toMatchObject({ adopted: false, connection: first.connection });
  expect(await query(second.connection, 'SELECT id FROM kept')).toEqual([{ id: 1 }]);
});

test('after kill -9 of svc the next start adopts the server with every acknowledged row', async () => {
  const dataDir = makeData();
  const { child, lines } = hold(dataDir, WRITE_FOREVER);
  await wrote(lines, 20);
  const pid = await pidOf(dataDir);
  await killed(child);
  const next = await start(dataDir);
  expect(next.adopted).toBe(true);
  expect(await pidOf(dataDir)).toBe(pid);
  const rows = await query(next.connection, 'SELECT max(id) AS last, count(*)::int AS count FROM acknowledged');
  expect(rows[0]!['last']).toBeGreaterThanOrEqual(lastAcknowledged(lines));
  expect(rows[0]!['count']).toBe(rows[0]!['last']);
  await next.stop();
  expect(await isAlive(pid)).toBe(false);
});

test('after kill -9 of svc and of the server at once the next start recovers every acknowledged row', async () => {
  const dataDir = makeData();
  const { child, lines } = hold(dataDir, WRITE_FOREVER);
  await wrote(lines, 20);
  process.kill(await pidOf(dataDir), 'SIGKILL');
  await killed(child);
  const next = await start(dataDir);
  expect(next.adopted).toBe(false);
  const rows = await query(next.connection, 'SELECT max(id) AS last, count(*)::int AS count FROM acknowledged');
  expect(rows[0]!['last']).toBeGreaterThanOrEqual(lastAcknowledged(lines));
  expect(rows[0]!['count']).toBe(rows[0]!['last']);
});

test('starts although the dead server’s process number now belongs to another process', async () => {
  const dataDir = makeData();
  const first = await start(dataDir);
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  const left = readFileSync(pidFile, 'utf8');
  await first.stop();
  const { child } = hold(makeFolder(), '');
  writeFileSync(pidFile, left.replace(/^\d+/, String(child.pid)), { mode: 0o600 });
  const socketLock = join(dataDir, 'postgres', `.s.PGSQL.${first.connection.port}.lock`);
  writeFileSync(socketLock, left.replace(/^\d+/, String(child.pid)), { mode: 0o600 });
  expect((await start(dataDir)).adopted).toBe(false);
  expect(await isAlive(child.pid!)).toBe(true);
});

test('starts although a full disk left an empty pid file', async () => {
  const dataDir = makeData();
  writeFileSync(join(dataDir, 'postgres/postmaster.pid'), '', { mode: 0o600 });
  expect((await start(dataDir)).adopted).toBe(false);
});

test('a second svc on the same folder is refused, by name of the first', async () => {
  const dataDir = makeData();
  const { child, lines } = hold(dataDir, 'setInterval(() => {}, 1000);');
  await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 10_000, interval: 10 });
  const refusal = start(dataDir);
  await expect(refusal).rejects.toBeInstanceOf(EmbeddedPostgresError);
  await expect(refusal).rejects.toThrow(
    `Another svc is running on ${dataDir} (pid ${child.pid}). Stop it, or set SVC_DATA_DIR to another folder.`,
  );
  expect(await isPostmaster(await pidOf(dataDir), join(dataDir, 'postgres'))).toBe(true);
});

test('of several first starts at the same moment exactly one gets the folder', async () => {
  const dataDir = makeFolder();
  const rivals = [1, 2, 3].map(() => hold(dataDir, 'setInterval(() => {}, 1000);'));
  await vi.waitFor(() => expect(rivals.every(({ lines }) => lines.length === 1)).toBe(true), { timeout: 20_000, interval: 10 });
  const words = rivals.map(({ lines }) => lines[0]!);
  expect(words.filter((word) => word.startsWith('started'))).toHaveLength(1);
  expect(words.filter((word) => word.includes('Another svc is running'))).toHaveLength(2);
});

test('a server that crashes is started again on the same address, and the log says so', async () => {
  const dataDir = makeData();
  const said: string[] = [];
  const server = await start(dataDir, { log: (message) => said.push(message) });
  await query(server.connection, 'CREATE TABLE kept (id int)');
  const pid = await pidOf(dataDir);
  process.kill(pid, 'SIGKILL');
  await vi.waitFor(() => expect(said.at(-1)).toBe('The embedded database is up again.'), { timeout: 10_000, interval: 10 });
  expect(await pidOf(dataDir)).not.toBe(pid);
  expect(await query(server.connection, 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 0 }]);
});

test('losing the owner’s connection does not lose the folder', async () => {
  const dataDir = makeData();
  const said: string[] = [];
  const { connection } = await start(dataDir, { log: (message) => said.push(message) });
  const admin = { ...connection, user: 'postgres', database: 'postgres' };
  await query(admin, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'svc owner %'`);
  await vi.waitFor(() => expect(said.at(-1)).toBe('The embedded database is up again.'), { timeout: 10_000, interval: 10 });
  const { child, lines } = hold(dataDir, '');
  await once(child, 'close');
  expect(lines).toEqual([expect.stringContaining(`Another svc is running on ${dataDir} (pid ${process.pid})`)]);
});

test('when another svc has taken the folder meanwhile, the first is told and leaves the server to it', async () => {
  const dataDir = makeData();
  const onLost = vi.fn<(err: Error) => void>();
  const server = await start(dataDir, { onLost });
  const admin = new Client({
    ...server.connection,
    user: 'postgres',
    database: 'postgres',
    application_name: `svc owner ${process.ppid}`,
  });
  await admin.connect();
  // One statement ends the owner and takes its lock, as a second start in the moment of a crash would.
  const taken = admin.query('SELECT pg_advisory_lock(7381, 2)');
  await query(
    { ...server.connection, user: 'postgres', database: 'postgres' },
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc owner ${process.pid}'`,
  );
  await taken;
  await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce(), { timeout: 10_000, interval: 10 });
  expect(onLost.mock.calls[0]![0].message).toContain('Another svc is running');
  await server.stop();
  expect(await admin.query('SELECT 1')).toMatchObject({ rowCount: 1 });
  await admin.end();
});

test('stop during a restart ends it and leaves nothing running', async () => {
  const dataDir = makeData();
  const said: string[] = [];
  const server = await start(dataDir, { log: (message) => said.push(message) });
  await killServer(dataDir);
  await vi.waitFor(() => expect(said).toContain('Lost the embedded database; bringing it up again.'), {
    timeout: 5_000,
    interval: 1,
  });
  await server.stop();
  await vi.waitFor(async () => {
    const file = await readPostmasterFile(join(dataDir, 'postgres'));
    expect(file !== undefined && (await isPostmaster(file.pid, join(dataDir, 'postgres')))).toBe(false);
  });
});

test('stops at once while the server recovers from the crash of one of its processes', async () => {
  const dataDir = makeData();
  const server = await start(dataDir);
  const client = new Client(server.connection);
  client.on('error', () => undefined);
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const ended = new Promise((resolve) => client.once('end', resolve));
  process.kill(rows[0]!.pid, 'SIGKILL');
  await ended;
  await vi.waitFor(() => expect(readFileSync(join(dataDir, 'postgres.log'), 'utf8')).toContain('was interrupted'), {
    timeout: 5_000,
    interval: 1,
  });
  const startedAt = performance.now();
  await server.stop();
  expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('takes another port when its own is taken, and keeps that', async () => {
  const dataDir = makeData();
  const first = await start(dataDir);
  await first.stop();
  const thief = createServer().listen(first.connection.port, '127.0.0.1');
  await once(thief, 'listening');
  const second = await start(dataDir);
  thief.close();
  expect(second.connection.port).not.toBe(first.connection.port);
  await second.stop();
  expect((await start(dataDir)).connection.port).toBe(second.connection.port);
});

test('a folder copied from a running svc gets a server of its own', async () => {
  const [original, copy] = [makeData(), makeFolder()];
  const first = await start(original);
  await query({ ...first.connection, user: 'postgres' }, 'CHECKPOINT');
  cpSync(original, copy, { recursive: true, filter: (path) => !/\.s\.PGSQL\.\d+$/.test(path) });
  const second = await start(copy);
  expect(second.adopted).toBe(false);
  expect(second.connection.port).not.toBe(first.connection.port);
  expect(await pidOf(original)).not.toBe(await pidOf(copy));
});

test('nothing of a statement or its parameters reaches the log, whatever goes wrong', async () => {
  const dataDir = makeData();
  const { connection } = await start(dataDir);
  const secret = 'sk-live-do-not-log-me';
  const client = new Client(connection);
  client.on('error', () => undefined);
  await client.connect();
  await client.query('CREATE TABLE secrets (value text UNIQUE)');
  const failing: [string, unknown[]][] = [
    [`SELECT '${secret}' FROM missing`, []],
    [`SELECT '${secret}`, []],
    ['SELECT $1::int', [secret]],
    ['INSERT INTO secrets VALUES ($1), ($1)', [secret]],
    [`DO $$ BEGIN RAISE WARNING '${secret}'; RAISE EXCEPTION '${secret}'; END $$`, []],
    [`SET application_name = '${secret}'`, []],
  ];
  for (const [sql, values] of failing) await client.query(sql, values).catch(() => undefined);
  // A crashing backend makes the server report the statement that ran.
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const hanging = client.query(`SELECT pg_sleep(60), '${secret}'`).catch(() => undefined);
  await vi.waitFor(async () => {
    expect(
      await query(connection, `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%pg_sleep(60)%'`),
    ).not.toHaveLength(0);
  });
  process.kill(rows[0]!.pid, 'SIGKILL');
  await hanging;
  const log = () => readFileSync(join(dataDir, 'postgres.log'), 'utf8');
  await vi.waitFor(() => expect(log()).toContain('was terminated by signal 9'), { timeout: 10_000 });
  expect(log()).not.toContain(secret);
});

test('the log is emptied at a start when it has grown beyond 10 MB', async () => {
  const dataDir = makeFolder();
  writeFileSync(join(dataDir, 'postgres.log'), Buffer.alloc(10 * 1024 * 1024 + 1, 'x'));
  await start(dataDir);
  expect(statSync(join(dataDir, 'postgres.log')).size).toBeLessThan(10_000);
});

test('a folder whose path is too long for a socket is served over TCP', async () => {
  const { connection } = await start(join(makeFolder(), 'long'.repeat(30)));
  expect(connection.host).toBe('127.0.0.1');
  expect(await query(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('an interrupted first start leaves nothing that stands in the way of the next', async () => {
  const dataDir = makeFolder();
  const { child } = hold(dataDir, '');
  await vi.waitFor(() => statSync(join(dataDir, `postgres.new-${child.pid}`)), { timeout: 10_000, interval: 1 });
  await killed(child);
  const server = await start(dataDir);
  expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

test('a lost or wrong password file is named', async () => {
  const dataDir = makeData();
  writeFileSync(join(dataDir, 'postgres.password'), 'wrong\n');
  await expect(start(dataDir)).rejects.toThrow('refuses the password in');
  rmSync(join(dataDir, 'postgres.password'));
  await expect(start(dataDir)).rejects.toThrow('postgres.password is missing or empty');
});

test('a restored backup with rights for others is closed again and used', async () => {
  const dataDir = makeData();
  chmodSync(join(dataDir, 'postgres'), 0o777);
  chmodSync(join(dataDir, 'postgres.password'), 0o644);
  await start(dataDir);
  expect(statSync(join(dataDir, 'postgres')).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, 'postgres.password')).mode & 0o777).toBe(0o600);
});

test('strange files in the place of the database are left alone', async () => {
  const dataDir = makeFolder();
  cpSync(import.meta.filename, join(dataDir, 'postgres', 'strange.txt'));
  await expect(start(dataDir)).rejects.toThrow('holds files but no PostgreSQL database');
});

test('data of another major version is refused in a sentence', async () => {
  const dataDir = makeData();
  writeFileSync(join(dataDir, 'postgres/PG_VERSION'), '17\n');
  await expect(start(dataDir)).rejects.toThrow('made by another major version of PostgreSQL');
});

test('a platform without an embedded PostgreSQL is told the way out', async () => {
  await expect(findBinaries('linux-riscv64')).rejects.toThrow(
    'There is no embedded PostgreSQL for linux-riscv64: set SVC_DATABASE_URL',
  );
});

test('a data folder that is a file is refused in a sentence', async () => {
  const path = join(makeFolder(), 'file');
  writeFileSync(path, '');
  await expect(start(path)).rejects.toThrow(`${path} is not a folder`);
});

test.runIf(IS_ROOT)('root without user namespaces: the server runs as nobody', async () => {
  const dataDir = makeFolder();
  vi.stubEnv('PATH', '/nonexistent');
  const server = await start(dataDir);
  expect(statSync(`/proc/${await pidOf(dataDir)}`).uid).toBe(NOBODY);
  expect(await query(server.connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  expect(statSync(dataDir).mode & 0o777).toBe(0o701);
});

test.runIf(IS_ROOT)('root without user namespaces: data made in one is given to nobody', async () => {
  const dataDir = makeData();
  const first = await start(dataDir);
  await query(first.connection, 'CREATE TABLE kept (id int)');
  await first.stop();
  vi.stubEnv('PATH', '/nonexistent');
  const second = await start(dataDir);
  expect(statSync(`/proc/${await pidOf(dataDir)}`).uid).toBe(NOBODY);
  expect(await query(second.connection, 'SELECT count(*)::int AS count FROM kept')).toEqual([{ count: 0 }]);
});

test.runIf(IS_ROOT)('root without user namespaces: a closed folder above the data is named', async () => {
  const closed = makeFolder();
  vi.stubEnv('PATH', '/nonexistent');
  await expect(start(join(closed, 'data'))).rejects.toThrow(`may not enter ${closed}`);
});

test.runIf(IS_ROOT)('root on the data of an ordinary user: the server runs as that user', async () => {
  const dataDir = makeData();
  execFileSync('chown', ['-R', '12345:12345', dataDir]);
  await start(dataDir);
  expect(statSync(`/proc/${await pidOf(dataDir)}`).uid).toBe(12_345);
});

test.runIf(IS_ROOT)('an ordinary user starts in a folder of its own', async () => {
  const dataDir = makeFolder();
  chownSync(dataDir, NOBODY, NOBODY);
  const { lines } = hold(dataDir, '', { uid: NOBODY, gid: NOBODY });
  await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('started')]), { timeout: 10_000, interval: 10 });
});

test.runIf(IS_ROOT)('a user without a name, as containers have, can make a database', async () => {
  const dataDir = makeFolder();
  chownSync(dataDir, 12_345, 12_345);
  const { lines } = hold(dataDir, '', { uid: 12_345, gid: 12_345 });
  await vi.waitFor(() => expect(lines).toEqual([expect.stringContaining('started')]), { timeout: 10_000, interval: 10 });
});

test.runIf(IS_ROOT)('an ordinary user on the data of root is told whose it is', async () => {
  const dataDir = makeData();
  chmodSync(dataDir, 0o755);
  const { child, lines } = hold(dataDir, '', { uid: NOBODY, gid: NOBODY });
  await once(child, 'close');
  expect(lines).toEqual([expect.stringContaining(`belongs to user root, but svc runs as user ${NOBODY}`)]);
});

test.runIf(IS_ROOT)('an ordinary user without permission on the folder is told so', async () => {
  const dataDir = makeFolder();
  chmodSync(dataDir, 0o755);
  const { child, lines } = hold(dataDir, '', { uid: NOBODY, gid: NOBODY });
  await once(child, 'close');
  expect(lines).toEqual([expect.stringContaining(`No permission to write ${dataDir}`)]);
});

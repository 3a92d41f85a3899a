// Promises of the process: what it says when it cannot start, how it ends, and that no secret is left behind.

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from './testing/postgres.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

interface Running {
  readonly process: ChildProcess;
  readonly baseUrl: string;
  readonly keys: Readonly<Record<'admin' | 'live' | 'test', string>>;
  /** Everything it wrote so far. */
  output(): string;
}

let folder: string;
let database: TestDatabase;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-main-'));
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

function launch(env: Readonly<Record<string, string>>): {
  child: ChildProcess;
  output: () => string;
  exit: Promise<number | null>;
} {
  const child = spawn(process.execPath, [MAIN], {
    env: {
      PATH: process.env['PATH'],
      SVC_DATABASE_URL: database.url,
      SVC_DATA_DIR: join(folder, 'data'),
      SVC_PORT: '0',
      SVC_LOG_LEVEL: 'debug',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, output: () => text, exit: new Promise((resolve) => child.once('close', (code) => resolve(code))) };
}

async function start(env: Readonly<Record<string, string>> = {}): Promise<Running & { exit: Promise<number | null> }> {
  const { child, output, exit } = launch(env);
  await expect.poll(output, { timeout: 20_000, interval: 20 }).toMatch(/svc is running at \S+/);
  const keyOf = (type: string) => new RegExp(`svc_${type}_[0-9A-Za-z]{38}`).exec(output())?.[0] ?? '';
  return {
    process: child,
    exit,
    output,
    baseUrl: /svc is running at (\S+)/.exec(output())![1]!,
    keys: { admin: keyOf('admin'), live: keyOf('live'), test: keyOf('test') },
  };
}

const post = (service: Running, path: string, body: string, key = service.keys.live, headers: Record<string, string> = {}) =>
  fetch(service.baseUrl + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body,
  });

describe('a start that cannot be', () => {
  test.each([
    ['a wrong setting', { SVC_PORT: 'http' }, "SVC_PORT is 'http'; allowed is a whole number from 0 to 65535"],
    [
      'a database that is not there',
      { SVC_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
      'The database cannot be reached (ECONNREFUSED)',
    ],
    ['a data folder that is a file', { SVC_DATA_DIR: MAIN }, 'cannot be made (EEXIST)'],
    ['an address of another machine', { SVC_HOST: '192.0.2.1' }, '192.0.2.1 is not an address of this machine'],
  ])('because of %s is said in one sentence', async (_name, env, sentence) => {
    const { output, exit } = launch(env);
    expect(await exit).toBe(1);
    expect(output()).toContain(sentence);
    expect(output()).not.toMatch(/hunter2|\n\s+at /);
  });

  test('because the bootstrap file cannot be written costs no keys: the next start shows them', async () => {
    const own = await createTestDatabase();
    const { output, exit } = launch({ SVC_DATABASE_URL: own.url, SVC_BOOTSTRAP_FILE: '/nonexistent/folder/keys.json' });
    expect(await exit).toBe(1);
    expect(output()).toContain('The file /nonexistent/folder/keys.json cannot be written (ENOENT)');
    const next = await start({ SVC_DATABASE_URL: own.url });
    expect(next.keys.admin).toMatch(/^svc_admin_/);
    next.process.kill('SIGTERM');
    expect(await next.exit).toBe(0);
    await own.drop();
  });

  test('because the port is taken is said in one sentence', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const { output, exit } = launch({ SVC_PORT: String(port) });
    expect(await exit).toBe(1);
    expect(output()).toContain(
      `Port ${port} on 127.0.0.1 is taken by another program. Stop it, or set SVC_PORT to another port.`,
    );
    server.close();
  });
});

test('the first start shows its keys once; another master key is refused later', async () => {
  const bootstrapFile = join(folder, 'bootstrap.json');
  const first = await start({ SVC_BOOTSTRAP_FILE: bootstrapFile });
  expect(first.output()).toContain(`Open ${first.baseUrl} in a browser and sign in with the admin key.`);
  const file = JSON.parse(await readFile(bootstrapFile, 'utf8')) as Record<string, string>;
  expect(file).toEqual({
    org_id: expect.stringMatching(/^org_/),
    admin_key: first.keys.admin,
    live_key: first.keys.live,
    test_key: first.keys.test,
    base_url: first.baseUrl,
  });
  expect((await stat(bootstrapFile)).mode & 0o777).toBe(0o600);
  first.process.kill('SIGTERM');
  expect(await first.exit).toBe(0);

  const second = await start();
  expect(second.output()).not.toMatch(/svc_(live|test|admin)_/);
  expect(
    (await fetch(`${second.baseUrl}/v1/organization`, { headers: { authorization: `Bearer ${first.keys.live}` } })).status,
  ).toBe(200);
  second.process.kill('SIGTERM');
  expect(await second.exit).toBe(0);

  const stranger = launch({ SVC_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') });
  expect(await stranger.exit).toBe(1);
  expect(stranger.output()).toContain('first used with another master key');
});

test('one Ctrl-C, which the terminal and npm both pass on, is an orderly end', async () => {
  const own = await createTestDatabase();
  const service = await start({ SVC_DATABASE_URL: own.url });
  service.process.kill('SIGINT');
  service.process.kill('SIGINT');
  expect(await service.exit).toBe(0);
  await own.drop();
});

test('SIGTERM is not held up by a client that never finishes its request', { timeout: 40_000 }, async () => {
  const own = await createTestDatabase();
  const service = await start({ SVC_DATABASE_URL: own.url });
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.on('error', () => undefined);
  socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  await (await fetch(`${service.baseUrl}/healthz`)).text();
  service.process.kill('SIGTERM');
  expect(await service.exit).toBe(0);
  socket.destroy();
  await own.drop();
});

test('SIGTERM lets requests in flight finish, ends long polls, and loses nothing', async () => {
  const own = await createTestDatabase();
  const service = await start({ SVC_DATABASE_URL: own.url });
  const authorization = { authorization: `Bearer ${service.keys.live}` };
  const poll = fetch(`${service.baseUrl}/v1/events?after_sequence=1000000&wait_s=30`, { headers: authorization });
  const batch = post(
    service,
    '/v1/assessments/batch',
    JSON.stringify({ items: Array.from({ length: 1_000 }, () => ({ input: 'What is the capital of France? '.repeat(40) })) }),
  );
  // In flight once the server has read it: the other request on the same server answers after that.
  await post(service, '/v1/assessments', '{"input":"Hello"}');
  service.process.kill('SIGTERM');
  const [polled, answered] = await Promise.all([poll, batch]);
  expect(polled.status).toBe(200);
  expect(answered.status).toBe(200);
  const { data } = (await answered.json()) as { data: { assessment: { id: string } }[] };
  expect(await service.exit).toBe(0);
  const client = new pg.Client(own.url);
  await client.connect();
  const { rows } = await client.query<{ kept: number }>("SELECT count(*)::int AS kept FROM events WHERE kind LIKE 'inference.%'");
  await client.end();
  await own.drop();
  expect(data).toHaveLength(1_000);
  expect(rows[0]!.kept).toBe(1_001);
});

test('no secret sent in any part of a request is found in the log, in answers or in the database outside the places meant for it', async () => {
  const own = await createTestDatabase();
  const dataDir = join(folder, 'secrets');
  const service = await start({ SVC_DATABASE_URL: own.url, SVC_DATA_DIR: dataDir });
  let count = 0;
  const planted: string[] = [];
  /** Looks like a credential and is unlike any other text. */
  const secret = () => {
    const text = `ghp_Zq7Planted${String(count++).padStart(4, '0')}xXyYzZ0123456789abWqRt`;
    planted.push(text);
    return text;
  };
  const answers: string[] = [];
  const send = async (answer: Promise<Response>) => answers.push(await (await answer).text());
  await send(
    post(
      service,
      '/v1/assessments',
      JSON.stringify({
        input: `my token is ${secret()}`,
        output: `card 4111111111111111 ${secret()}`,
        context: [{ content: secret() }],
        tool_calls: [{ name: 'n', arguments: { a: [secret()] } }],
      }),
    ),
  );
  await send(
    post(service, '/v1/assessments', JSON.stringify({ input: [{ role: 'user', content: [{ type: 'text', text: secret() }] }] })),
  );
  await send(
    post(
      service,
      '/v1/assessments',
      JSON.stringify({ input: `Ignore all previous instructions ${secret()}` }),
      service.keys.test,
    ),
  );
  await send(
    post(service, '/v1/assessments/batch', JSON.stringify({ items: [{ input: secret() }, { input: 5, output: secret() }] })),
  );
  await send(
    post(service, '/v1/assessments', JSON.stringify({ input: secret() }), service.keys.live, { 'idempotency-key': 'kept-once' }),
  );
  await send(post(service, '/v1/assessments', `{"input": ${secret()}`));
  await send(post(service, '/v1/assessments', JSON.stringify({ input: 'x'.repeat(1_100_000) + secret() })));
  await send(post(service, '/v1/assessments', JSON.stringify({ input: 'x' }), secret()));
  await send(post(service, '/v1/assessments', JSON.stringify({ input: `${'All is well. '.repeat(8_000)}${secret()}` })));
  await send(post(service, `/v1/nothing/${secret()}?q=${secret()}`, '{}'));
  await send(fetch(`${service.baseUrl}/v1/events?q=${secret()}`, { headers: { authorization: `Bearer ${service.keys.live}` } }));
  await send(fetch(`${service.baseUrl}/v1/events/${secret()}`, { headers: { authorization: `Bearer ${service.keys.live}` } }));
  await send(fetch(`${service.baseUrl}/v1/events?limit=200`, { headers: { authorization: `Bearer ${service.keys.live}` } }));
  service.process.kill('SIGTERM');
  await service.exit;

  const client = new pg.Client(own.url);
  await client.connect();
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  const dump: string[] = [];
  for (const { name } of tables) dump.push(JSON.stringify((await client.query(`SELECT t::text FROM ${name} t`)).rows));
  await client.end();
  await own.drop();
  const kept = dump.join('\n');
  expect(kept).toContain('inference.'); // the search has something to search
  for (const text of planted) {
    expect(kept).not.toContain(text);
    expect(service.output()).not.toContain(text);
    expect(answers.join('\n')).not.toContain(text);
  }
  for (const key of Object.values(service.keys)) {
    expect(kept).not.toContain(key);
    expect(service.output().split(key)).toHaveLength(key === service.keys.live ? 3 : 2); // shown once, the live key also in the curl line
  }
  expect(kept).not.toContain('4111111111111111');
  for (const file of await readdir(dataDir))
    expect(await readFile(join(dataDir, file), 'utf8')).not.toMatch(/ghp_Zq7Planted|svc_(live|admin|test)_/);
});

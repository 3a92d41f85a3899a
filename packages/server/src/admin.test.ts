// Promises of the operator's commands, each run as a process of its own beside a running service.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findCheckpoint } from './audit/log-store.ts';
import { readConfig } from './config.ts';
import { parseId, uuidText } from './ids.ts';
import { startService } from './service.ts';
import { readPostmasterFile } from './storage/embedded-lockfile.ts';
import { createLog } from './telemetry/log.ts';
import { createTestDatabase } from './testing/postgres.ts';
import { startTestService, type TestService } from './testing/service.ts';

const ADMIN = join(import.meta.dirname, 'admin.ts');
const MAIN = join(import.meta.dirname, 'main.ts');
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64');
const UNKNOWN_ORGANIZATION = 'org_01jd4t4ve9e0fs7m4c1ywz3qkd';
/** A change holds within a second on every node; the rest is for a busy machine. */
const SOON = { timeout: 5_000, interval: 20 };

type Environment = Readonly<Record<string, string>>;

let folder: string;
let service: TestService;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-admin-'));
  service = await startTestService({ SVC_MASTER_KEY: MASTER_KEY });
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

function launch(program: string, words: readonly string[], env: Environment) {
  const child = spawn(process.execPath, [program, ...words], {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (said.err += chunk.toString()));
  return { child, said, exit: new Promise<number | null>((resolve) => child.once('close', resolve)) };
}

/** Runs a command to its end, on the database of the running service unless told otherwise. */
async function run(words: readonly string[], env: Environment = {}): Promise<{ code: number | null; out: string; err: string }> {
  const ofService = { SVC_DATABASE_URL: service.databaseUrl, SVC_MASTER_KEY: MASTER_KEY, SVC_DATA_DIR: join(folder, 'data') };
  const { said, exit } = launch(ADMIN, words, { ...ofService, ...env });
  return { code: await exit, ...said };
}

/** Runs a command that must succeed; answers what it printed with --json. */
async function runJson(words: readonly string[], env?: Environment): Promise<ReturnType<typeof JSON.parse>> {
  const { code, out, err } = await run([...words, '--json'], env);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return JSON.parse(out);
}

const organizationOf = async (key: string) => (await service.request('GET', '/v1/organization', { key })).body;

async function eventsOf(key: string, kind: string): Promise<ReturnType<typeof JSON.parse>[]> {
  return (await service.request('GET', `/v1/events?kind=${kind}`, { key })).body.data;
}

describe('create-organization', () => {
  test('makes an organization whose keys work at once on the running service, and records it', async () => {
    const made = await runJson(['create-organization', '--name', 'Acme', '--plan', 'growth']);
    expect(made).toEqual({
      org_id: expect.stringMatching(/^org_/),
      name: 'Acme',
      plan: 'growth',
      admin_key: expect.stringMatching(/^svc_admin_/),
      live_key: expect.stringMatching(/^svc_live_/),
      test_key: expect.stringMatching(/^svc_test_/),
    });
    for (const key of [made.admin_key, made.live_key, made.test_key]) {
      expect(await organizationOf(key)).toMatchObject({ id: made.org_id, name: 'Acme', plan: 'growth' });
    }
    const [created] = await eventsOf(made.admin_key, 'organization.created');
    expect(created).toMatchObject({ actor: { type: 'system', id: null }, data: { name: 'Acme', plan: 'growth' } });
  });

  test('shows each key once, and no command shows it again', async () => {
    const { code, out, err } = await run(['create-organization', '--name', 'Shown once']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const keys = out.match(/svc_(admin|live|test)_\w{38}/g)!;
    expect(new Set(keys).size).toBe(3);
    expect(keys).toHaveLength(3);
    expect(await organizationOf(keys[1]!)).toMatchObject({ name: 'Shown once', plan: 'scale' });
    const listed = await run(['list-organizations']);
    expect(listed.out).toContain('Shown once (scale)');
    for (const key of keys) expect(listed.out).not.toContain(key);
  });
});

test('list-organizations names each organization with its plan and its own numbers, oldest first', async () => {
  const made = await runJson(['create-organization', '--name', 'Listed', '--plan', 'enterprise']);
  await runJson(['set-plan', '--organization', made.org_id, '--plan', 'enterprise', '--batch-size', '7']);
  const { organizations } = await runJson(['list-organizations']);
  expect(organizations[0]).toMatchObject({ id: service.organization.id, plan: 'enterprise', own_limits: null });
  expect(organizations.at(-1)).toEqual({
    id: made.org_id,
    name: 'Listed',
    plan: 'enterprise',
    own_limits: { batch_size: 7 },
    created_at: (await organizationOf(made.live_key)).created_at,
  });
  expect((await run(['list-organizations'])).out).toMatch(
    new RegExp(`^${made.org_id}  \\S+Z  Listed \\(enterprise, batch_size 7\\)$`, 'm'),
  );
});

describe('set-plan', () => {
  test('holds on the running service within a second, and is recorded', async () => {
    const { id, keys } = await service.createOrganization('starter');
    expect(await organizationOf(keys.live)).toMatchObject({ plan: 'starter' });
    await runJson(['set-plan', '--organization', id, '--plan', 'growth']);
    await expect
      .poll(() => organizationOf(keys.live), { timeout: 1_000, interval: 20 })
      .toMatchObject({
        plan: 'growth',
        limits: { assessments_per_minute: 1_000, requests_per_minute: 2_000, batch_size: 500 },
      });
    const [updated] = await eventsOf(keys.admin, 'organization.updated');
    expect(updated).toMatchObject({
      actor: { type: 'system', id: null },
      data: { plan: 'growth', limits: null, previous: { plan: 'starter', limits: null } },
    });
  });

  test('gives enterprise numbers of its own, which the limits and the batch hold to', async () => {
    const { id, keys } = await service.createOrganization('enterprise');
    const assess = () => service.request('POST', '/v1/assessments', { key: keys.live, body: { input: 'Hello' } });
    expect((await service.request('GET', '/v1/organization', { key: keys.live })).status).toBe(200);
    const set = ['set-plan', '--organization', id, '--plan', 'enterprise'];
    const given = ['--assessments-per-minute', '2', '--requests-per-minute', '300', '--batch-size', '1'];
    const limits = { assessments_per_minute: 2, requests_per_minute: 300, batch_size: 1 };
    expect(await runJson([...set, ...given])).toEqual({ org_id: id, plan: 'enterprise', own_limits: limits, limits });
    await expect.poll(() => organizationOf(keys.live), SOON).toMatchObject({ limits });

    const batch = { items: [{ input: 'one' }, { input: 'two' }] };
    expect((await service.request('POST', '/v1/assessments/batch', { key: keys.live, body: batch })).status).toBe(413);
    const answers = [await assess(), await assess(), await assess(), await assess(), await assess()];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]); // twice the limit within a minute
    expect(answers[0]!.headers.get('x-svc-ratelimit-limit')).toBe('2');
  });

  test('takes numbers that are not given from the plan, also where there were own ones before', async () => {
    const { id, keys } = await service.createOrganization('enterprise');
    const set = ['set-plan', '--organization', id, '--plan', 'enterprise'];
    const first = await runJson([...set, '--batch-size', '9']);
    expect(first).toMatchObject({ own_limits: { batch_size: 9 }, limits: { assessments_per_minute: 1_000_000, batch_size: 9 } });
    const second = await run([...set, '--requests-per-minute', '8']);
    expect(second.out).toContain('1000000 assessments and 8 requests a minute, 1000 items in a batch');
    await expect
      .poll(() => organizationOf(keys.live), SOON)
      .toMatchObject({ limits: { requests_per_minute: 8, batch_size: 1_000 } });
  });
});

test('create-admin-key makes a key that manages the organization at once, and is in its trail as an act of the system', async () => {
  const { id } = await service.createOrganization('growth');
  const { admin_key: key, ...rest } = await runJson(['create-admin-key', '--organization', id, '--name', 'After the loss']);
  expect(rest).toEqual({ org_id: id, name: 'After the loss' });
  const made = await service.request('POST', '/v1/api-keys', { key, body: { name: 'Made with it', type: 'live' } });
  expect(made.status).toBe(201);
  expect(await eventsOf(key, 'api_key.created')).toContainEqual(
    expect.objectContaining({
      actor: { type: 'system', id: null, ip: null },
      data: expect.objectContaining({ name: 'After the loss', type: 'admin' }),
    }),
  );
  const again = await run(['create-admin-key', '--organization', id]);
  expect(again.out.match(/svc_admin_\w{38}/g)).toHaveLength(1);
});

test('rotate-signing-key signs with a new key while the old one verifies on; --compromised ends all older ones', async () => {
  const { tokens } = service.services;
  const keyIds = async (): Promise<string[]> => {
    const { body } = await service.request('GET', '/.well-known/jwks.json', { key: null });
    return body.keys.map(({ kid }: { kid: string }) => kid);
  };
  const issue = async () => {
    const claims = { sub: 'ada', org: service.organization.id, scope: '', sid: 'ses_of_ada', auth_time: 0 };
    return (await tokens.issue(claims, Date.now())).token;
  };
  const before = await keyIds();
  const old = await issue();

  const first = await runJson(['rotate-signing-key']);
  expect(first).toEqual({ key_id: expect.any(String), compromised: false });
  await expect.poll(keyIds, SOON).toEqual([first.key_id, ...before]);
  expect(before).toHaveLength(1);
  expect(await tokens.verify(old, Date.now())).toMatchObject({ sub: 'ada' });
  const next = await issue();
  expect(JSON.parse(Buffer.from(next.split('.')[0]!, 'base64url').toString())).toMatchObject({ kid: first.key_id });

  const second = await runJson(['rotate-signing-key', '--compromised']);
  await expect.poll(keyIds, SOON).toEqual([second.key_id]);
  expect(second).toEqual({ key_id: expect.any(String), compromised: true });
  for (const token of [old, next]) expect(await tokens.verify(token, Date.now())).toBe('unauthorized');
  expect(await tokens.verify(await issue(), Date.now())).toMatchObject({ sub: 'ada' });
});

test('rotate-pepper ends no key, and stores each under the new pepper when it is next used', async () => {
  const { id, keys } = await service.createOrganization('growth');
  const pepperOf = async (type: string) => {
    const { rows } = await service.services.db.query<{ pepper: string }>(
      'SELECT pepper FROM api_keys WHERE org_id = $1 AND type = $2 ORDER BY id',
      [uuidText(parseId('org', id)!), type],
    );
    return rows.map(({ pepper }) => pepper);
  };
  expect(await organizationOf(keys.live)).toMatchObject({ id }); // from now on the running service remembers it
  expect(await pepperOf('live')).toEqual(['pepper-1']);

  expect(await runJson(['rotate-pepper'])).toEqual({ pepper: 'pepper-2' });
  await expect.poll(() => service.services.peppers.current, SOON).toBe('pepper-2');
  expect(await organizationOf(keys.live)).toMatchObject({ id });
  expect(await pepperOf('live')).toEqual(['pepper-2']);
  expect(await pepperOf('admin')).toEqual(['pepper-1']);

  const { admin_key: added } = await runJson(['create-admin-key', '--organization', id]);
  expect(await pepperOf('admin')).toEqual(['pepper-1', 'pepper-2']);
  const config = readConfig({
    SVC_DATABASE_URL: service.databaseUrl,
    SVC_MASTER_KEY: MASTER_KEY,
    SVC_DATA_DIR: join(folder, 'second'),
    SVC_PORT: '0',
    SVC_LOG_LEVEL: 'silent',
  });
  const second = await startService(config, createLog('silent').log, (err) => {
    throw err;
  });
  for (const key of [keys.live, keys.admin, added]) {
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(`${second.baseUrl}/v1/organization`, { headers })).status).toBe(200);
    expect(await organizationOf(key)).toMatchObject({ id });
  }
  await second.close();
  expect(await pepperOf('admin')).toEqual(['pepper-2', 'pepper-2']);

  expect((await run(['rotate-pepper'])).out).toContain('pepper-3');
  await expect.poll(() => service.services.peppers.current, SOON).toBe('pepper-3');
  expect(await pepperOf('test')).toEqual(['pepper-1']); // not used since before the first rotation
  expect(await organizationOf(keys.test)).toMatchObject({ id });
  expect(await pepperOf('test')).toEqual(['pepper-3']);
});

test('rotate-trail-key and declare-restored change what signs the logs and under which name, and tell every trail', async () => {
  const { trailKeys, db } = service.services;
  const { id: orgId, keys } = service.organization;
  const [old] = trailKeys.verifiers('log');
  const rotated = await runJson(['rotate-trail-key']);
  expect(rotated).toEqual({ key_id: expect.any(String), old_key_ids: [old!.id], compromised: false });
  await expect.poll(() => trailKeys.verifiers('log').map(({ id }) => id), SOON).toEqual([rotated.key_id, old!.id]);
  const ended = await runJson(['rotate-trail-key', '--compromised']);
  expect(ended.old_key_ids).toEqual([rotated.key_id, old!.id]);
  const [second, first] = await eventsOf(keys.admin, 'audit.key_rotated');
  expect([first.data, second.data]).toEqual([
    { old: [expect.stringContaining(orgId)], new: expect.stringContaining(orgId), compromised: false },
    { old: [first.data.new, first.data.old[0]], new: expect.stringContaining(orgId), compromised: true },
  ]);

  const restored = await runJson(['declare-restored']);
  expect(restored).toEqual({ name: 'localhost', epoch: 2, branch: expect.stringMatching(/^[0-9a-f]{8}$/) });
  expect((await run(['declare-restored'])).out).toMatch(/localhost\/org\/<organization>\/3-[0-9a-f]{8}\./);
  const [last] = await eventsOf(keys.admin, 'audit.restored');
  const origin = `localhost/org/${orgId}`;
  const [previous, third] = [`${origin}/2-${restored.branch}`, expect.stringMatching(new RegExp(`^${origin}/3-[0-9a-f]{8}$`))];
  expect(last.data).toMatchObject({ previous_origin: previous, origin: third, reason: 'declared' });
  await service.services.audit.catchUp();
  expect((await findCheckpoint(db, service.organization.uuid))!.note.split('\n')[0]).toEqual(third);
});

describe.concurrent('a command line that is wrong is exit code 2, a sentence and the usage', () => {
  const set = ['set-plan', '--organization', UNKNOWN_ORGANIZATION];
  test.each<[string, string[], string]>([
    ['no command', [], 'Name a command.'],
    ['an unknown command', ['delete-everything'], "There is no command 'delete-everything'."],
    ['an unknown option', ['list-organizations', '--all'], 'list-organizations has no option --all; it has --json.'],
    ['a missing option', ['create-organization'], '--name is missing; it is one line of 1 to 200 characters.'],
    [
      'a missing value',
      ['create-organization', '--name'],
      '--name needs a value; one that begins with a dash is written --name=-….',
    ],
    ['a value for a switch', ['rotate-signing-key', '--compromised=no'], '--compromised takes no value.'],
    ['a name without quotes', ['create-organization', '--name', 'Two', 'words'], "'words' belongs to no option."],
    ['a name of two lines', ['create-organization', '--name', 'a\nb'], 'allowed is one line of 1 to 200 characters.'],
    [
      'a name that is too long',
      ['create-organization', '--name', 'x'.repeat(201)],
      'allowed is one line of 1 to 200 characters.',
    ],
    ['an id of another kind', ['create-admin-key', '--organization', 'key_1'], "--organization is 'key_1'; allowed is the id"],
    [
      'a plan that there is not',
      [...set, '--plan', 'free'],
      "--plan is 'free'; allowed is one of starter, growth, scale, enterprise.",
    ],
    ['own numbers without enterprise', [...set, '--plan', 'growth', '--batch-size', '5'], 'The plan growth has fixed numbers.'],
    ['a number of nothing', [...set, '--plan', 'enterprise', '--batch-size', '0'], 'allowed is a whole number from 1 to 10000.'],
    [
      'a number out of bounds',
      [...set, '--plan', 'enterprise', '--requests-per-minute', '20000001'],
      'a whole number from 1 to 20000000.',
    ],
    [
      'a number that is none',
      [...set, '--plan', 'enterprise', '--assessments-per-minute', '1e3'],
      "'1e3'; allowed is a whole number",
    ],
  ])('for %s', async (_name, words, sentence) => {
    // Nothing is opened for it: a database that is not there is not noticed.
    const { code, out, err } = await run(words, { SVC_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' });
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err.slice(0, err.indexOf('\n\nUsage: npm run -s admin -- <command>'))).toContain(sentence);
  });
});

describe.concurrent('what cannot be done is exit code 1 and one sentence without stack and secret', () => {
  test.each<[string, string[], Environment, string]>([
    [
      'an organization that there is not',
      ['create-admin-key', '--organization', UNKNOWN_ORGANIZATION],
      {},
      `There is no organization ${UNKNOWN_ORGANIZATION}.`,
    ],
    [
      'a plan of an organization that there is not',
      ['set-plan', '--organization', UNKNOWN_ORGANIZATION, '--plan', 'growth'],
      {},
      `There is no organization ${UNKNOWN_ORGANIZATION}.`,
    ],
    [
      'another master key',
      ['list-organizations'],
      { SVC_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') },
      'This database was first used with another master key. Set SVC_MASTER_KEY to that key',
    ],
    [
      'a database that is not there',
      ['list-organizations'],
      { SVC_DATABASE_URL: 'postgres://u:hunter2@127.0.0.1:1/x' },
      'The database cannot be reached (ECONNREFUSED).',
    ],
    [
      'a setting that is wrong',
      ['list-organizations'],
      { SVC_MASTER_KEY: 'hunter2' },
      'SVC_MASTER_KEY is a value that is not shown here',
    ],
    ['a data folder that is a file', ['list-organizations'], { SVC_DATA_DIR: ADMIN }, 'cannot be made (EEXIST)'],
  ])('for %s', async (_name, words, env, sentence) => {
    const { code, out, err } = await run(words, env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(sentence);
    expect(err).toMatch(/^[^\n]+\n$/);
    expect(err).not.toMatch(/hunter2|postgres:/);
  });

  test('for a database that is lost in the middle of a change', async () => {
    const { db } = service.services;
    const { id, keys } = await service.createOrganization('starter');
    await db.transaction(async (tx) => {
      await tx.query('SELECT 1 FROM organizations WHERE id = $1 FOR UPDATE', [uuidText(parseId('org', id)!)]);
      const ended = run(['set-plan', '--organization', id, '--plan', 'scale']);
      const terminate = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR NO KEY UPDATE%'`;
      await expect.poll(async () => (await db.query(terminate)).rowCount, { timeout: 20_000, interval: 20 }).toBe(1);
      const { code, out, err } = await ended;
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^The database was lost or did not answer in time \((57P01|no answer)\)\.[^\n]+\n$/);
    });
    expect(await organizationOf(keys.live)).toMatchObject({ plan: 'starter' });
  });

  test('for a rotation of a database that nobody uses', async () => {
    const empty = await createTestDatabase();
    for (const command of ['rotate-pepper', 'rotate-signing-key']) {
      const { code, err } = await run([command], { SVC_DATABASE_URL: empty.url });
      expect(code).toBe(1);
      expect(err).toContain('There is no organization in this database, so nothing was rotated.');
    }
    await empty.drop();
  });
});

test('help tells of every command and needs no database', async () => {
  const { code, out } = await run(['help'], { SVC_DATABASE_URL: 'not a url' });
  expect(code).toBe(0);
  for (const word of [
    'create-organization',
    'list-organizations',
    'set-plan',
    'create-admin-key',
    'rotate-pepper',
    '--compromised',
  ])
    expect(out).toContain(word);
  expect(JSON.parse((await run(['help', '--json'])).out)).toEqual({ usage: out.trimEnd() });
});

describe('with the embedded database', () => {
  const pidOf = async (dataDir: string) => (await readPostmasterFile(join(dataDir, 'postgres')))?.pid;

  test(
    'commands start and stop it without a service, and leave alone the one of a running service',
    { timeout: 120_000 },
    async () => {
      const dataDir = join(folder, 'embedded');
      const env = { SVC_DATABASE_URL: '', SVC_MASTER_KEY: '', SVC_DATA_DIR: dataDir };
      const first = await run(['create-organization', '--name', 'Before the service', '--json'], env);
      expect(first.code).toBe(0);
      expect(await pidOf(dataDir)).toBeUndefined();

      const main = launch(MAIN, [], { ...env, SVC_PORT: '0', SVC_LOG_LEVEL: 'warn' });
      try {
        await expect.poll(() => main.said.out, { timeout: 20_000, interval: 20 }).toMatch(/svc is running at \S+/);
        const baseUrl = /svc is running at (\S+)/.exec(main.said.out)![1]!;
        const statusOf = async (key: string) =>
          (await fetch(`${baseUrl}/v1/organization`, { headers: { authorization: `Bearer ${key}` } })).status;
        expect(main.said.out).not.toMatch(/svc_(live|admin|test)_/); // there is an organization: none is made
        expect(await statusOf(JSON.parse(first.out).live_key)).toBe(200);

        const pid = await pidOf(dataDir);
        const second = await runJson(['create-organization', '--name', 'Beside the service'], env);
        expect(await statusOf(second.live_key)).toBe(200);
        expect(await pidOf(dataDir)).toBe(pid);
        expect(main.child.exitCode).toBeNull();
        expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200);
      } finally {
        main.child.kill('SIGTERM');
        expect(await main.exit).toBe(0);
      }
      const { organizations } = await runJson(['list-organizations'], env);
      expect(organizations.map(({ name }: { name: string }) => name)).toEqual(['Before the service', 'Beside the service']);
      expect(await pidOf(dataDir)).toBeUndefined();
      const password = (await readFile(join(dataDir, 'postgres.password'), 'utf8')).trim();
      expect(first.out + first.err + main.said.out + main.said.err).not.toContain(password);
    },
  );
});

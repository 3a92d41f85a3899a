// Promises of the command `svc`, whatever it is asked for.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startTestService, type TestService } from '../../server/src/testing/service.ts';
import { GROUPS } from './commands.ts';
import { makeHome, type Home } from './testing.ts';

let service: TestService;
let home: Home;
let alone: Home;

beforeAll(async () => {
  service = await startTestService();
  home = await makeHome({ SVC_BASE_URL: service.baseUrl, SVC_API_KEY: service.organization.keys.admin });
  alone = await makeHome();
});

afterAll(async () => {
  await service.close();
  await home.remove();
  await alone.remove();
});

test('tells what it can do, the same for svc, svc help and svc --help', async () => {
  const { code, stdout } = await alone.svc('help');
  expect(code).toBe(0);
  for (const { word, summary } of GROUPS)
    expect(stdout).toMatch(new RegExp(String.raw`^  ${word} +${summary.slice(0, 12)}`, 'm'));
  expect((await alone.svc()).stdout).toBe(stdout);
  expect((await alone.svc('--help')).stdout).toBe(stdout);
  const { version } = JSON.parse(await readFile(join(import.meta.dirname, '../package.json'), 'utf8')) as { version: string };
  expect(await alone.svc('--version')).toEqual({ code: 0, stdout: `svc ${version}\n`, stderr: '' });
});

test('a group alone shows its commands, each with its usage', async () => {
  const { code, stdout } = await alone.svc('keys');
  expect(code).toBe(0);
  expect(stdout).toContain('keys create <name>');
  expect((await alone.svc('help', 'keys')).stdout).toBe(stdout);
});

test('every command has help with an example that begins with its own words, in at most 80 columns but for examples', async () => {
  for (const group of GROUPS) {
    for (const { words, examples, options = {}, isRaw } of await group.load()) {
      expect(words[0]).toBe(group.word);
      expect(
        examples.some((example) => example.includes(`svc ${words.join(' ')}`)),
        words.join(' '),
      ).toBe(true);
      for (const name of Object.keys(options)) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      expect(isRaw === true || !('json' in options), words.join(' ')).toBe(true);
    }
  }
  const { stdout } = await alone.svc('service-accounts', 'create', '--help');
  const lines = stdout.split('\n');
  expect(lines.filter((line) => line.length > 80 && !line.trim().startsWith('svc '))).toEqual([]);
  expect(stdout).toContain('--scope <scope>');
  expect((await alone.svc('help', 'service-accounts', 'create')).stdout).toBe(stdout);
});

test.each([
  [['webhok'], "There is no command 'svc webhok'. Did you mean 'svc webhooks'?"],
  [['keys', 'lst'], "There is no command 'svc keys lst'. Did you mean 'svc keys list'?"],
  [['--bogus'], 'svc has no option --bogus. svc help lists those there are.'],
  [['xyzzy'], "There is no command 'svc xyzzy'. svc help lists those there are."],
  [['keys', 'list', '--jsn'], 'svc keys list has no option --jsn. Did you mean --json?'],
  [['keys', 'list', '--limit', 'many'], "--limit is 'many'; it must be a whole number."],
  [['keys', 'list', '--limit'], '--limit needs a whole number.'],
  [['keys', 'list', '--json=1'], '--json takes no value.'],
  [['keys', 'create'], '<name> is missing. It is used as: svc keys create <name> [options]'],
  [['keys', 'create', 'My', 'key'], "'key' is too much. Put a text of several words into quotes."],
  [['keys', 'create', 'x', '--type', 'liv'], "--type cannot be 'liv'. Did you mean live?"],
  [['keys', 'create', 'x', '--expires', 'soon'], "'soon'"],
  [['keys', 'revoke', 'key_1'], 'Give --yes if you mean it.'],
  [['assess', 'a', '--jsonl', '-'], 'contradict each other'],
])('%j is a wrong command line: exit code 2, and one line says what to write', async (args, sentence) => {
  const answer = await home.run(args);
  // Of a key that is not there the service is asked first.
  if (args[1] === 'revoke') return expect(answer).toMatchObject({ code: 5, stdout: '' });
  expect(answer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(answer.stderr.trimEnd()).not.toContain('\n');
  return undefined;
});

test('options of every command may stand before, between and behind the words, and behind -- nothing is an option', async () => {
  const list = await home.svc('keys', 'list', '--json', '--limit=1');
  const { next_cursor } = JSON.parse(list.stdout) as { next_cursor: string };
  expect(next_cursor).toMatch(/./);
  for (const args of [
    ['--json', '--profile', 'other', 'keys', 'list', '--limit', '1'],
    ['keys', '--base-url', service.baseUrl, '--json', 'list', '--limit=1'],
  ]) {
    const { code, stdout } = await home.run(args);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ next_cursor });
  }
  const assessed = await home.svc('assess', '--json', '--', '--json');
  expect(assessed.code).toBe(0);
  expect(JSON.parse(assessed.stdout)).toMatchObject({ outcome: 'allowed' });
});

test('each way to fail has its exit code, one line for people, and one JSON object with --json', async () => {
  const live = service.organization.keys.live;
  const cases: [string[], Record<string, string | undefined>, number, string, string][] = [
    [['keys', 'list'], { SVC_API_KEY: '' }, 4, 'not_signed_in', 'svc login'],
    [['keys', 'list'], { SVC_API_KEY: 'svc_live_wrong' }, 4, 'unauthorized', 'SVC_API_KEY'],
    [['keys', 'list'], { SVC_API_KEY: live }, 4, 'insufficient_permissions', 'admin:*'],
    [['keys', 'get', 'key_01jd4t4ve9e0fs7m4c1ywz3qkd'], {}, 5, 'not_found', 'No such API key'],
    [['keys', 'create', ' '.repeat(300)], {}, 1, 'invalid_request', '/name'],
    [
      ['keys', 'list'],
      { SVC_BASE_URL: 'http://127.0.0.1:9' },
      7,
      'unreached',
      'The service at http://127.0.0.1:9 was not reached',
    ],
    [['profiles', 'use', 'nowhere'], {}, 5, 'not_found', "There is no profile 'nowhere'"],
  ];
  for (const [args, env, exitCode, code, sentence] of cases) {
    const forPeople = await home.run(args, { env });
    expect(forPeople, args.join(' ')).toMatchObject({ code: exitCode, stdout: '', stderr: expect.stringContaining(sentence) });
    expect(forPeople.stderr.trimEnd()).not.toContain('\n');
    const forPrograms = await home.run([...args, '--json'], { env });
    expect(forPrograms).toMatchObject({ code: exitCode, stdout: '' });
    const { error } = JSON.parse(forPrograms.stderr) as { error: Record<string, unknown> };
    expect(error, args.join(' ')).toMatchObject({ code, exit_code: exitCode, message: expect.any(String) });
    if (['unauthorized', 'insufficient_permissions', 'invalid_request'].includes(code))
      expect(error['request_id']).toMatch(/^req_/);
  }
});

test('a limit that asks for a long wait is told at once with exit code 6; what answers in another way than svc is said to', async () => {
  const server = createServer((req, res) => {
    if (req.url?.startsWith('/v1/organization') === true) {
      res.writeHead(429, { 'retry-after': '4000', 'content-type': 'application/json' });
      res.end('{"error":{"code":"rate_limited","message":"Too many.","request_id":"req_x","details":[]}}');
    } else {
      res.writeHead(502, { 'content-type': 'text/html' });
      res.end('<h1>Bad Gateway</h1>');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  try {
    expect(await home.run(['org', 'show'], { env })).toEqual({
      code: 6,
      stdout: '',
      stderr: 'Too many. Try again in 4000 s. (request req_x)\n',
    });
    const proxy = await home.run(['keys', 'get', 'key_1'], { env });
    expect(proxy).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('502') });
    expect(proxy.stderr).not.toContain('    at ');
  } finally {
    server.close();
  }
});

test('Ctrl-C ends a request that hangs at once, quietly, with exit code 130', async () => {
  let isAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    isAsked = resolve;
  });
  const server = createServer(() => isAsked());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const running = home.start(['keys', 'list'], {
    env: { SVC_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` },
  });
  await asked;
  running.child.kill('SIGINT');
  expect(await running.ended).toEqual({ code: 130, stdout: '', stderr: '' });
  server.closeAllConnections();
  server.close();
});

test('a command that is missing or stands behind two dashes is a command line that is wrong', async () => {
  const missing = await home.svc('--json');
  expect(missing).toMatchObject({ code: 2, stdout: '' });
  expect(JSON.parse(missing.stderr)).toMatchObject({ error: { code: 'usage' } });
  expect(await home.svc('keys', '--json')).toMatchObject({ code: 2, stdout: '' });
  expect(await home.svc('--', 'assess', 'hi')).toMatchObject({ code: 2, stdout: '' });
});

test('a reader that has enough, as head, ends it quietly', async () => {
  const running = home.start(['help'], { input: null });
  running.child.stdout.destroy();
  running.child.stdin.end();
  expect(await running.ended).toMatchObject({ code: 0 });
  expect(running.stderr()).not.toContain('EPIPE');
});

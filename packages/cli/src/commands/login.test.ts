// Promises of signing in, and of what is kept of it.

import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../server/src/testing/service.ts';
import { makeHome, type Home } from '../testing.ts';

let service: TestService;
let home: Home;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  home = await makeHome();
});
afterEach(() => home.remove());

const configPath = () => join(home.path, '.config/svc/config.json');
const login = (key: string, ...args: string[]) =>
  home.run(['login', '--with-key', '--base-url', service.baseUrl, ...args], { input: `${key}\n` });
const readConfig = async () =>
  JSON.parse(await readFile(configPath(), 'utf8')) as { current: string; profiles: Record<string, Record<string, string>> };

test('a key from stdin is checked and kept where only its owner may read it, and says what it may do', async () => {
  const { live } = service.organization.keys;
  const answer = await login(live);
  expect(answer).toMatchObject({ code: 0, stderr: '' });
  expect(answer.stdout).toContain(`Signed in to My organization at ${service.baseUrl}, with the key 'First live key' (live).`);
  expect(answer.stdout).toContain('It may: assess:create, events:read');
  expect(answer.stdout).not.toContain(live);
  expect((await stat(configPath())).mode & 0o777).toBe(0o600);
  expect((await stat(join(home.path, '.config/svc'))).mode & 0o777).toBe(0o700);
  expect(await home.svc('org', 'show', '--json').then(({ stdout }) => JSON.parse(stdout) as unknown)).toMatchObject({
    id: service.organization.id,
  });
});

test('a key that the service does not take is not kept', async () => {
  expect(await login('svc_live_wrong')).toMatchObject({
    code: 4,
    stdout: '',
    stderr: expect.stringContaining('does not take this key'),
  });
  expect(await login('two words')).toMatchObject({ code: 1, stderr: expect.stringContaining('That is no key') });
  expect(await login('')).toMatchObject({ code: 1, stderr: 'No key was given. Nothing was done.\n' });
  await expect(stat(configPath())).rejects.toThrow('ENOENT');
  expect(await home.run(['login'])).toMatchObject({ code: 2, stderr: expect.stringContaining('--with-key') });
});

test('the file of the first start signs in, with the key that is asked for', async () => {
  const { id, keys } = service.organization;
  const path = join(home.path, 'bootstrap.json');
  await writeFile(
    path,
    JSON.stringify({ org_id: id, admin_key: keys.admin, live_key: keys.live, test_key: keys.test, base_url: service.baseUrl }),
  );
  const admin = await home.svc('login', '--from', path, '--json');
  expect(JSON.parse(admin.stdout)).toMatchObject({ profile: 'default', org_id: id, scopes: ['admin:*'] });
  expect(await home.svc('login', '--from', path, '--type', 'test')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('not in the trail'),
  });
  expect((await readConfig()).profiles['default']).toMatchObject({ api_key: keys.test, mode: 'test' });
  await writeFile(path, '{"base_url": 1}');
  expect(await home.svc('login', '--from', path)).toMatchObject({ code: 1, stderr: expect.stringContaining('no admin_key') });
  expect(await home.svc('login', '--from', join(home.path, 'none.json'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('SVC_BOOTSTRAP_FILE'),
  });
});

test('profiles keep several keys; one is in use, and options go before the environment, which goes before the file', async () => {
  const other = await service.createOrganization();
  await login(service.organization.keys.live);
  await login(other.keys.live, '--profile', 'other');
  const orgOf = async (args: string[] = [], env = {}) => {
    const { stdout, stderr } = await home.run(['org', 'show', '--json', ...args], { env });
    return stdout === '' ? stderr : (JSON.parse(stdout) as { id: string }).id;
  };
  expect(await orgOf()).toBe(other.id);
  expect(await home.svc('profiles', 'use', 'default')).toMatchObject({ code: 0 });
  expect(await orgOf()).toBe(service.organization.id);
  expect(await orgOf([], { SVC_PROFILE: 'other' })).toBe(other.id);
  expect(await orgOf(['--profile', 'default'], { SVC_PROFILE: 'other' })).toBe(service.organization.id);
  expect(await orgOf([], { SVC_API_KEY: other.keys.live })).toBe(other.id);
  expect(await orgOf(['--profile', 'nowhere'])).toContain("There is no profile 'nowhere'. There are: default, other.");
  expect(await home.svc('org', 'show', '--profile', 'nowhere')).toMatchObject({ code: 5 });

  const list = await home.svc('profiles', 'list');
  expect(list.stdout).toMatch(/^\* +default +http/m);
  expect(list.stdout + (await home.svc('profiles', 'list', '--json')).stdout).not.toContain('svc_live_');
});

test('a key is sent to the service it was given for, and to no other', async () => {
  const asked: (string | undefined)[] = [];
  const { createServer } = await import('node:http');
  const server = createServer((req, res) => {
    asked.push(req.headers.authorization);
    res.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const elsewhere = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  await login(service.organization.keys.live);
  expect(await home.svc('keys', 'list', '--base-url', elsewhere)).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('is not sent to'),
  });
  expect(await home.run(['keys', 'list'], { env: { SVC_BASE_URL: elsewhere } })).toMatchObject({ code: 4 });
  expect(asked).toEqual([]);
  server.close();
});

test('a file of keys that others may read is not used, and the command that mends it is named', async () => {
  await login(service.organization.keys.live);
  await chmod(configPath(), 0o644);
  const refused = await home.svc('org', 'show');
  expect(refused).toMatchObject({ code: 4, stderr: expect.stringContaining(`chmod 600 '${configPath()}'`) });
  await chmod(configPath(), 0o600);
  expect(await home.svc('org', 'show')).toMatchObject({ code: 0 });
  await writeFile(configPath(), '{"profiles": []');
  expect(await home.svc('org', 'show')).toMatchObject({ code: 4, stderr: expect.stringContaining('is not as svc writes it') });
});

test('sign-ins at the same time lose no key', async () => {
  const names = Array.from({ length: 6 }, (_, i) => `p${i}`);
  const ended = await Promise.all(names.map((name) => login(service.organization.keys.live, '--profile', name)));
  expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
  expect(Object.keys((await readConfig()).profiles).toSorted()).toEqual(names);
});

test('a folder that others may write to is not used, nor a key that cannot be sent', async () => {
  await login(service.organization.keys.live);
  await chmod(join(home.path, '.config/svc'), 0o777);
  expect(await home.svc('org', 'show')).toMatchObject({ code: 4, stderr: expect.stringContaining('chmod 700') });
  const env = { SVC_API_KEY: 'svc_live_a\nb', SVC_BASE_URL: service.baseUrl };
  expect(await home.run(['org', 'show'], { env })).toMatchObject({ code: 4, stderr: expect.stringContaining('SVC_API_KEY') });
});

test('a key of another organization is not overwritten by the way; logging out forgets it', async () => {
  const other = await service.createOrganization();
  await login(service.organization.keys.live);
  expect(await login(other.keys.live)).toMatchObject({ code: 1, stderr: expect.stringContaining('svc login --profile <name>') });
  expect(await login(service.organization.keys.admin)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/takes the place of key_\w+ \(live\)/),
  });
  expect(await login(other.keys.live, '--profile', 'default')).toMatchObject({ code: 0 });
  expect(await home.svc('logout')).toMatchObject({ code: 0, stdout: expect.stringContaining('svc keys revoke') });
  expect(await readFile(configPath(), 'utf8')).not.toContain('svc_');
  expect(await home.svc('logout')).toMatchObject({ code: 5 });
  expect(await home.svc('org', 'show')).toMatchObject({ code: 4, stderr: expect.stringContaining('svc login') });
});

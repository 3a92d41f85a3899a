// Promises of `svc policy`.

import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestService, type TestService } from '../../../server/src/testing/service.ts';
import { makeHome, type Home } from '../testing.ts';

let service: TestService;
let home: Home;
let key: string;

beforeAll(async () => {
  service = await startTestService();
  key = service.organization.keys.admin;
  home = await makeHome({ SVC_BASE_URL: service.baseUrl, SVC_API_KEY: key });
});
beforeEach(async () => {
  await put({ mode: 'enforce', deadline_ms: 300, detectors: { pii: { entities: { email: 'flag' } } } });
});
afterAll(async () => {
  await home.remove();
  await service.close();
});

interface Version {
  readonly version: number;
  readonly digest: string;
  readonly policy: Record<string, unknown>;
}

async function put(policy: object): Promise<Version> {
  const { status, body } = await service.request('PUT', '/v1/policy', { key, body: policy });
  expect(status).toBe(200);
  return body as Version;
}

const inForce = async () => (await service.request('GET', '/v1/policy', { key })).body as Version;

async function write(name: string, text: string): Promise<string> {
  const path = join(home.path, name);
  await writeFile(path, text);
  return path;
}

/** A program for $EDITOR that runs `script` with the file as `$1`. */
async function editor(script: string): Promise<string> {
  const path = await write(`editor-${Math.random()}.sh`, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o700);
  return path;
}

const BAD = `mode: enforced # not a mode
detectors:
  pii:
    entities:
      credit_card: blok
  piii: {}
`;

test('lint names line and column of each problem, and ends with 3', async () => {
  const path = await write('bad.yaml', BAD);
  const { code, stdout } = await home.svc('policy', 'lint', path);
  expect(code).toBe(3);
  expect(stdout).toContain(`${path}:1:7  error  /mode: `);
  expect(stdout).toContain(`${path}:5:20  error  /detectors/pii/entities/credit_card: `);
  expect(stdout).toContain(`${path}:6:3  error  /detectors/piii: `);
  const json = await home.svc('policy', 'lint', path, '--json');
  expect(json.code).toBe(3);
  expect(JSON.parse(json.stdout)).toMatchObject({
    valid: false,
    errors: expect.arrayContaining([expect.objectContaining({ line: 5, column: 20 })]),
  });
});

test('lint takes JSON and stdin, says where a text is no YAML, and ends with 0 where all is well', async () => {
  expect(await home.run(['policy', 'lint', '-'], { input: '{"mode": "enforce"}' })).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Valid\./),
  });
  expect(await home.run(['policy', 'lint', '-'], { input: '{"mode": "monitor"}' })).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('stdin:1:10  warning'),
  });
  expect(await home.run(['policy', 'lint', '-'], { input: 'mode: [a\n' })).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('stdin:2:1'),
  });
  expect(await home.svc('policy', 'lint', 'nothing.yaml')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no such file.'),
  });
});

test('what get writes can be set again, and changes nothing', async () => {
  const { stdout } = await home.svc('policy', 'get');
  const path = await write('policy.yaml', stdout);
  const before = await inForce();
  expect(await home.svc('policy', 'set', path)).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing changes') });
  expect(await inForce()).toEqual(before);
  await put({ mode: 'monitor' });
  expect((await home.svc('policy', 'get', String(before.version))).stdout).toBe(stdout);
  expect(JSON.parse((await home.svc('policy', 'get', '--json')).stdout)).toEqual(await inForce());
});

test('set puts a file in force and shows what changed', async () => {
  const { stdout } = await home.svc('policy', 'get');
  const path = await write('policy.yaml', stdout.replace('mode: enforce', 'mode: monitor'));
  const { code, stdout: told } = await home.svc('policy', 'set', path);
  expect({ code, told }).toEqual({ code: 0, told: expect.stringContaining('~ /mode  "enforce" → "monitor"') });
  expect((await inForce()).policy).toMatchObject({ mode: 'monitor', deadline_ms: 300 });
});

test('set loses nobody’s change: a file that was made from an older version is refused', async () => {
  const { stdout } = await home.svc('policy', 'get');
  const path = await write('policy.yaml', stdout.replace('mode: enforce', 'mode: monitor'));
  const theirs = await put({ mode: 'enforce', deadline_ms: 400 });
  const refused = await home.svc('policy', 'set', path);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`Version ${theirs.version} is in force by now`) });
  expect(await inForce()).toMatchObject({ version: theirs.version });
  const json = await write('policy.json', '{"mode": "monitor"}');
  expect(await home.svc('policy', 'set', json, '--if-version', String(theirs.version - 1))).toMatchObject({ code: 1 });
  expect(await home.svc('policy', 'set', json, '--if-version', String(theirs.version))).toMatchObject({ code: 0 });
  await put({ mode: 'enforce', deadline_ms: 401 });
  expect(await home.svc('policy', 'set', path, '--force')).toMatchObject({ code: 0 });
  expect((await inForce()).policy).toMatchObject({ mode: 'monitor' });
});

test('set refuses a policy that is not valid with its lines, and changes nothing', async () => {
  const before = await inForce();
  const { code, stderr, stdout } = await home.run(['policy', 'set', '-'], { input: BAD });
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
  expect(stderr).toContain('stdin:5:20  error');
  expect(stderr).toContain('not a valid policy');
  expect(await inForce()).toEqual(before);
  const json = await home.run(['policy', 'set', '-', '--json'], { input: BAD });
  expect(JSON.parse(json.stderr)).toMatchObject({ error: { exit_code: 3, message: expect.stringContaining('stdin:1:7') } });
});

test('diff compares a file with what is in force, and versions with each other', async () => {
  const { version } = await inForce();
  const path = await write('new.yaml', 'mode: enforce\ndeadline_ms: 350\ndetectors: { pii: { entities: { email: flag } } }\n');
  expect((await home.svc('policy', 'diff', path)).stdout).toBe('~ /deadline_ms  300 → 350\n');
  await put({ mode: 'monitor', deadline_ms: 300, detectors: { pii: { entities: { email: 'flag' } } } });
  expect((await home.svc('policy', 'diff', '--from', String(version))).stdout).toBe('~ /mode  "enforce" → "monitor"\n');
  const json = await home.svc('policy', 'diff', path, '--from', String(version), '--json');
  expect(JSON.parse(json.stdout)).toEqual({ changes: [{ op: 'replace', path: '/deadline_ms', from: 300, to: 350 }] });
});

test('restore brings an earlier version back, which versions lists', async () => {
  const earlier = await inForce();
  await put({ mode: 'monitor' });
  expect(await home.svc('policy', 'restore', String(earlier.version))).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is in force.'),
  });
  expect(await inForce()).toMatchObject({ digest: earlier.digest });
  const { stdout } = await home.svc('policy', 'versions', '--limit', '2');
  expect(stdout.split('\n').every((line) => line.length <= 80)).toBe(true);
  expect(stdout).toContain(String((await inForce()).version));
});

describe('edit', () => {
  const edit = (script: string, ...args: string[]) =>
    editor(script).then((EDITOR) => home.run(['policy', 'edit', ...args], { env: { EDITOR, TMPDIR: home.path } }));
  const kept = (stderr: string) => /What you wrote is in (\S+)\./.exec(stderr)?.[1];

  test('puts in force what was saved, and says what changed', async () => {
    const { code, stdout, stderr } = await edit(`sed -i 's/mode: enforce/mode: monitor/' "$1"`, '--yes');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('~ /mode  "enforce" → "monitor"');
    expect((await inForce()).policy).toMatchObject({ mode: 'monitor', deadline_ms: 300 });
  });

  test('changes nothing where nothing was changed, or the editor failed', async () => {
    const before = await inForce();
    expect(await edit('true')).toMatchObject({ code: 0, stdout: 'Nothing was changed.\n' });
    expect(await edit('exit 4', '--yes')).toMatchObject({ code: 1, stderr: expect.stringContaining('ended with code 4') });
    expect(await home.run(['policy', 'edit'])).toMatchObject({ code: 2, stderr: expect.stringContaining('Set EDITOR') });
    expect(await inForce()).toEqual(before);
  });

  test('keeps what was written where it is not valid, and changes nothing', async () => {
    const before = await inForce();
    const { code, stdout, stderr } = await edit(`sed -i 's/mode: enforce/mode: off/' "$1"`, '--yes');
    expect({ code, stdout }).toEqual({ code: 3, stdout: expect.stringContaining('policy.yaml:2:7  error  /mode: ') });
    expect(await readFile(kept(stderr)!, 'utf8')).toContain('mode: off');
    expect(await inForce()).toEqual(before);
  });

  test('asks before anything is in force', async () => {
    const before = await inForce();
    const { code, stderr } = await edit(`sed -i 's/mode: enforce/mode: monitor/' "$1"`);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--yes') });
    expect(kept(stderr)).toBeDefined();
    expect(await inForce()).toEqual(before);
  });

  test('loses neither side where somebody else was faster', async () => {
    const curl = `curl -sf -X PUT ${service.baseUrl}/v1/policy -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"deadline_ms": 444}' > /dev/null`;
    const { code, stderr } = await edit(`${curl} && sed -i 's/mode: enforce/mode: monitor/' "$1"`, '--yes');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('Somebody else changed the policy') });
    expect(await readFile(kept(stderr)!, 'utf8')).toContain('mode: monitor');
    expect((await inForce()).policy).toEqual({ deadline_ms: 444 });
  });
});

test('simulate shows what would change about what was assessed before', async () => {
  await service.request('POST', '/v1/assessments', { body: { input: 'Mail ann@example.com' } });
  await service.services.audit.catchUp();
  const path = await write(
    'strict.yaml',
    'mode: enforce\ndeadline_ms: 300\ndetectors:\n  pii:\n    entities: { email: block }\n',
  );
  const { code, stdout } = await home.svc('policy', 'simulate', path, '--since', '1h');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^assessed +1$/m);
  expect(stdout).toMatch(/^newly blocked +1, such as asm_/m);
  expect(await home.run(['policy', 'simulate', '-'], { input: BAD })).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('stdin:5:20'),
  });
});

test('a shadow is started, shown, and promoted', async () => {
  const path = await write('shadow.yaml', 'mode: monitor\n');
  expect(await home.svc('policy', 'shadow', 'start', path, '--sample', '50%', '--for', '24h')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/share +50 %/),
  });
  expect(await home.svc('policy', 'shadow', 'show')).toMatchObject({ code: 0, stdout: expect.stringMatching(/ends +in 23 h/) });
  const other = await home.svc('policy', 'shadow', 'promote', '--candidate', 'sha256:0');
  expect(other).toMatchObject({ code: expect.any(Number), stderr: expect.stringContaining('Another candidate runs by now.') });
  expect(other.code).not.toBe(0);
  expect((await inForce()).policy).not.toEqual({ mode: 'monitor' });
  expect(await home.svc('policy', 'shadow', 'promote')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('is in force.'),
  });
  expect((await inForce()).policy).toEqual({ mode: 'monitor' });
  expect(await home.svc('policy', 'shadow', 'stop')).toMatchObject({ code: 5 });
  expect(await home.svc('policy', 'shadow', 'start', path, '--sample', '200%')).toMatchObject({ code: 2 });
});

test('exceptions show what they have excused', async () => {
  const exception = {
    id: 'support',
    match: { type: 'email', value: '*@example.com' },
    reason: 'Our own',
    owner: 'ann',
    expires_at: '2036-01-01T00:00:00Z',
  };
  await put({ detectors: { pii: { entities: { email: 'flag' } } }, exceptions: [exception] });
  await service.request('POST', '/v1/assessments', { body: { input: 'Mail bob@example.com' } });
  await service.services.audit.catchUp();
  await expect
    .poll(async () => (await home.svc('policy', 'exceptions')).stdout, { timeout: 10_000 })
    .toMatch(/support +active +1/);
});

// Runs prepare.mjs in small projects of its own, with real npm and no network.

import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A project whose one dependency is its own workspace, so that npm needs no registry. */
function makeProject(dependencies: Record<string, string> = { '@fixture/part': '1.0.0' }): string {
  const root = mkdtempSync(join(tmpdir(), 'svc-prepare-test-'));
  folders.push(root);
  mkdirSync(join(root, 'scripts'));
  mkdirSync(join(root, 'packages/part'), { recursive: true });
  for (const name of ['prepare.mjs', 'build-dashboard.mjs']) cpSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  const manifest = { name: 'fixture', version: '1.0.0', private: true, workspaces: ['packages/*'], dependencies };
  writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(root, 'packages/part/package.json'), JSON.stringify({ name: '@fixture/part', version: '1.0.0' }));
  return root;
}

/** `event`: before what npm runs it. */
function prepare(root: string, event = 'pretest'): Promise<{ code: number | null; output: string }> {
  const env = {
    ...process.env,
    npm_lifecycle_event: event,
    npm_config_registry: 'http://127.0.0.1:9/',
    npm_config_fetch_retries: '0',
    npm_config_cache: join(root, '.cache'),
  };
  const child = spawn(process.execPath, [join(root, 'scripts/prepare.mjs')], { env });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

test('installs what is missing, and does nothing the second time', async () => {
  const root = makeProject();
  const first = await prepare(root);
  expect(first).toMatchObject({ code: 0, output: expect.stringContaining('Installing dependencies (first start') });
  expect(existsSync(join(root, 'node_modules/@fixture/part/package.json'))).toBe(true);
  expect(await prepare(root)).toEqual({ code: 0, output: '' });
});

test('two at once install once', async () => {
  const root = makeProject();
  const both = await Promise.all([prepare(root), prepare(root)]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.filter(({ output }) => output.includes('Installing dependencies'))).toHaveLength(1);
});

test('installs again when a dependency changes, but not when only a script changes', async () => {
  const root = makeProject();
  await prepare(root);
  const path = join(root, 'package.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
  writeFileSync(path, JSON.stringify({ ...manifest, scripts: { hello: 'echo hello' } }));
  expect((await prepare(root)).output).toBe('');
  mkdirSync(join(root, 'packages/other'));
  writeFileSync(join(root, 'packages/other/package.json'), JSON.stringify({ name: '@fixture/other', version: '1.0.0' }));
  rmSync(join(root, 'package-lock.json'));
  writeFileSync(path, JSON.stringify({ ...manifest, dependencies: { '@fixture/part': '1.0.0', '@fixture/other': '1.0.0' } }));
  expect((await prepare(root)).output).toContain('Installing dependencies (they changed)');
  expect(existsSync(join(root, 'node_modules/@fixture/other/package.json'))).toBe(true);
});

test('accepts what was installed by hand without installing again', async () => {
  const root = makeProject();
  await prepare(root);
  rmSync(join(root, 'node_modules/.svc-prepared'));
  const record = statSync(join(root, 'node_modules/.package-lock.json')).mtimeMs;
  expect(await prepare(root)).toEqual({ code: 0, output: '' });
  expect(statSync(join(root, 'node_modules/.package-lock.json')).mtimeMs).toBe(record);
});

test('says plainly that packages cannot be fetched, with what npm said, and leaves no mark of success', async () => {
  const root = makeProject({ 'left-pad': '1.3.0' });
  const { code, output } = await prepare(root);
  expect(code).toBe(1);
  expect(output).toContain('ECONNREFUSED');
  expect(output).toContain('check the connection');
  expect(existsSync(join(root, 'node_modules/.svc-prepared'))).toBe(false);
});

test('starts the service without a dashboard that cannot be built, and says why', async () => {
  const root = makeProject();
  const { code, output } = await prepare(root, 'prestart');
  expect(code).toBe(0);
  expect(output).toContain('The dashboard could not be built, so the service starts without it:\n');
  expect(output).toContain('ENOENT');
});

test('builds no pages before anything but a start', async () => {
  const root = makeProject();
  expect((await prepare(root, 'prescore')).output).not.toContain('dashboard');
});

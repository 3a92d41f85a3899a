// The build of the pages, with the real build tool on a small page of its own.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const repository = join(import.meta.dirname, '..');
const script = 'scripts/build-dashboard.mjs';
const page = 'packages/dashboard/src/main.ts';
const index = 'packages/dashboard/dist/index.html';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-build-test-'));
  const folders = [
    'scripts',
    'packages/dashboard/src',
    'packages/dashboard/public',
    'packages/verifier',
    'clients/typescript/src',
  ];
  for (const folder of folders) mkdirSync(join(root, folder), { recursive: true });
  for (const path of [script, 'packages/dashboard/vite.config.ts']) cpSync(join(repository, path), join(root, path));
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  write('package.json', '{ "type": "module" }');
  write('package-lock.json', '{}');
  write('packages/verifier/svc-verify.mjs', '');
  write('packages/dashboard/index.html', '<!doctype html><script type="module" src="/src/main.ts"></script>');
  write(page, "document.title = 'first';");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string) => writeFileSync(join(root, path), text);

function build(): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, script)]);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

/** The scripts that are there, as one text. */
function scripts(): string {
  const assets = join(root, 'packages/dashboard/dist/assets');
  return readdirSync(assets)
    .map((name) => readFileSync(join(assets, name), 'utf8'))
    .join('\n');
}

const leftovers = () => readdirSync(join(root, 'packages/dashboard')).filter((name) => name.startsWith('.dist'));

test('builds what is not there, nothing the second time, and again when a source changed', async () => {
  expect(await build()).toMatchObject({ code: 0, output: expect.stringContaining('Building the dashboard') });
  expect(scripts()).toContain('first');
  const builtAt = statSync(join(root, index)).mtimeMs;

  expect(await build()).toEqual({ code: 0, output: '' });
  expect(statSync(join(root, index)).mtimeMs).toBe(builtAt);

  write(page, "document.title = 'second';");
  expect((await build()).code).toBe(0);
  expect(scripts()).toContain('second');
  expect(scripts()).not.toContain('first');
  expect(leftovers()).toEqual([]);
});

test('leaves the pages that were there when the new ones cannot be built, and tries again the next time', async () => {
  await build();
  write(page, "import './nowhere.ts';");
  const failed = await build();
  expect(failed.code).toBe(1);
  expect(failed.output).toContain('The dashboard could not be built:\n');
  expect(failed.output).toContain('nowhere.ts');
  expect(scripts()).toContain('first');
  expect(leftovers()).toEqual([]);

  write(page, "document.title = 'mended';");
  expect((await build()).code).toBe(0);
  expect(scripts()).toContain('mended');
});

test('builds pages that were deleted, though nothing changed', async () => {
  await build();
  rmSync(join(root, index));
  await build();
  expect(existsSync(join(root, index))).toBe(true);
});

test('two at once leave whole pages', async () => {
  const both = await Promise.all([build(), build()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(scripts()).toContain('first');
  expect(await build()).toEqual({ code: 0, output: '' });
  expect(leftovers()).toEqual([]);
});

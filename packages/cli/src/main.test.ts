// Promises of the command `svc`.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const svc = (...args: readonly string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8' });

test('lists its commands, and each tells how it is used', () => {
  expect(svc('--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('svc audit verify') });
  expect(svc()).toMatchObject({ status: 0, stdout: svc('--help').stdout });
  expect(svc('audit', 'verify', '--help')).toMatchObject({ status: 0, stdout: expect.stringContaining('Exit codes') });
});

test('ends with the exit code of the command, and with 64 where there is none', () => {
  expect(svc('audit', 'verify', join(import.meta.dirname, 'none.zip'))).toMatchObject({ status: 3 });
  expect(svc('audit', 'verify')).toMatchObject({ status: 64 });
  expect(svc('audit', 'forge')).toMatchObject({ status: 64, stderr: expect.stringContaining("no command 'svc audit forge'") });
});

// A folder has one owner, and a dead one keeps nobody out.

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir, hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockFolder } from './lock.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-lock-'));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

const mark = (holder: object) =>
  writeFile(join(folder, 'lock'), JSON.stringify({ pid: 1, host: hostname(), startedAt: null, token: 't', ...holder }));

test('a folder is held until it is released', async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`Another probe is running on ${folder} (pid ${process.pid} on ${hostname()})`);
  await lock.release();
  const again = await lockFolder(folder);
  await again.release();
  expect(await readdir(folder)).toEqual([]);
});

test('of many that come at once one gets it', async () => {
  await mark({ pid: 2 ** 22 + 7 });
  const all = await Promise.allSettled(Array.from({ length: 20 }, () => lockFolder(folder)));
  const held = all.filter(({ status }) => status === 'fulfilled');
  expect(held.length).toBe(1);
  await (held[0] as PromiseFulfilledResult<{ release(): Promise<void> }>).value.release();
});

test.each([
  ['a process that is gone', { pid: 2 ** 22 + 7 }],
  ['an earlier process of the same number', { pid: process.pid, startedAt: 'another boot 1' }],
])('the mark of %s is taken away', async (_name, holder) => {
  await mark(holder);
  await (await lockFolder(folder)).release();
});

test('the mark of another machine counts while it is renewed', async () => {
  await mark({ host: 'elsewhere' });
  await expect(lockFolder(folder)).rejects.toThrow('on elsewhere');
  const longAgo = new Date(Date.now() - 60_000);
  await utimes(join(folder, 'lock'), longAgo, longAgo);
  await (await lockFolder(folder)).release();
});

test('a mark that was half written when its process died is none', async () => {
  await writeFile(join(folder, 'lock'), '{"pid": 1');
  await (await lockFolder(folder)).release();
});

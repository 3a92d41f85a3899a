// The specification is enough: a verifier in another language, written from it alone, judges as this one does. Runs where Python is.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyFile } from '../svc-verify.mjs';
import { bundleOf, editLines, Log, setManifest, zipOf, type Asked, type Files } from './testing.ts';
import { VECTORS_FILE, type Vectors } from './vectors.ts';

const PYTHON = 'python3';
const PROGRAM = join(import.meta.dirname, '../other/verify.py');
const isThere = spawnSync(PYTHON, ['-c', 'import hashlib, zipfile']).status === 0;
const hasSignatures = spawnSync(PYTHON, ['-c', 'import cryptography']).status === 0;
const LOG = new Log(600);
const FORK = new Log(600, { fork: 100 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-other-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Whether each of the two says that it holds. */
async function judge(files: Files, held: string): Promise<[ours: boolean, theirs: boolean]> {
  const [bundle, heldFile] = [join(folder, 'bundle.zip'), join(folder, 'held.txt')];
  await writeFile(bundle, zipOf(files));
  await writeFile(heldFile, held);
  const { exit_code } = await verifyFile(bundle, { keys: [LOG.key], held: [held] });
  const { status, stderr } = spawnSync(PYTHON, [PROGRAM, bundle, LOG.key, heldFile], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return [exit_code === 0, status === 0];
}

test.skipIf(!isThere)('honest bundles hold before both', async () => {
  const shapes: Asked[] = [
    {},
    { from: 100, to: 500, held: 33 },
    { size: 512, from: 256, held: 33 },
    { kinds: ['policy.updated'] },
    { size: 1 },
  ];
  for (const shape of shapes) {
    const size = Math.min(33, shape.size ?? 600);
    expect(await judge(bundleOf(LOG, shape), LOG.checkpoint(size)), JSON.stringify(shape)).toEqual([true, true]);
  }
});

test.skipIf(!isThere)('what was tampered with holds before neither', async () => {
  const edits: Record<string, (files: Files) => void> = {
    changed: (files) => editLines(files, (lines) => lines.with(5, lines[5]!.replace('low', 'high')), ['events.jsonl']),
    missing: (files) => editLines(files, (lines) => lines.with(5, 'null')),
    removed: (files) => editLines(files, (lines) => lines.toSpliced(5, 1)),
    doubled: (files) => editLines(files, (lines) => lines.toSpliced(5, 0, lines[5]!)),
    reordered: (files) => editLines(files, (lines) => lines.with(5, lines[6]!).with(6, lines[5]!)),
    disclosed: (files) =>
      editLines(files, (lines) => lines.with(5, lines[5]!.replace('user 1', 'user 2')), ['disclosures.jsonl']),
    'another range': (files) => files.set('range.txt', bundleOf(LOG, { from: 101, to: 500 }).get('range.txt')!),
    'another checkpoint': (files) => files.set('checkpoint.txt', Buffer.from(LOG.checkpoint(599))),
    damaged: (files) => files.set('events.csv', Buffer.from('other')),
    ...(hasSignatures
      ? {
          forged: (files: Files) =>
            files.set(
              'checkpoint.txt',
              Buffer.from(FORK.checkpoint().replace(/[\s\S]*\n\n/, `${LOG.checkpoint().split('\n\n')[0]}\n\n`)),
            ),
        }
      : {}),
  };
  for (const [name, edit] of Object.entries(edits)) {
    const files = bundleOf(LOG, { from: 100, to: 500 });
    edit(files);
    if (name !== 'damaged') setManifest(files);
    expect(await judge(files, LOG.checkpoint(300)), name).toEqual([false, false]);
  }
  expect(await judge(bundleOf(LOG, { from: 100 }), FORK.checkpoint(300))).toEqual([false, false]);
  expect(await judge(bundleOf(LOG, { size: 200 }), LOG.checkpoint(300))).toEqual([false, false]);
});

test.skipIf(!isThere)('the vectors are judged alike', async () => {
  const { keys, bundles, zips } = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as Vectors;
  const judged = async (zip: Buffer, held: string | null) => {
    const [bundle, heldFile] = [join(folder, 'vector.zip'), join(folder, 'held.txt')];
    await writeFile(bundle, zip);
    await writeFile(heldFile, held ?? '');
    const { status, stderr } = spawnSync(PYTHON, [PROGRAM, bundle, keys[0]!, ...(held === null ? [] : [heldFile])], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return status === 0;
  };
  for (const { name, files, held, exit_code } of bundles) {
    const contents = Object.entries(files).map(
      ([file, text]) => [file, Buffer.from(text, file.endsWith('.bin') ? 'base64' : 'utf8')] as const,
    );
    expect(await judged(zipOf(new Map(contents)), held), name).toBe(exit_code === 0);
  }
  for (const { name, zip } of zips) expect(await judged(Buffer.from(zip, 'base64'), null), name).toBe(false);
});

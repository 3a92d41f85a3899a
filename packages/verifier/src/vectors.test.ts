// The vectors that are given to others are those of this verifier, and it judges them as they say.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isConsistent, isIncluded, verifyBundle, verifyFile, verifyProof } from '../svc-verify.mjs';
import { makeVectors, VECTORS_FILE, type Vectors } from './vectors.ts';

const vectors = JSON.parse(readFileSync(VECTORS_FILE, 'utf8')) as Vectors;
const bytes = (text: string) => Buffer.from(text, 'base64');

test('are those that the generator makes (node packages/verifier/src/vectors.ts)', () => {
  expect(vectors).toEqual(makeVectors());
});

test('of proofs hold and do not hold as they say', () => {
  for (const { leaf, index, size, root, hashes, holds } of vectors.inclusion)
    expect(isIncluded(bytes(leaf), index, size, hashes.map(bytes), bytes(root))).toBe(holds);
  for (const { from, from_root, to, to_root, hashes, holds } of vectors.consistency)
    expect(isConsistent(from, bytes(from_root), to, bytes(to_root), hashes.map(bytes)), `${from}`).toBe(holds);
});

test.each(vectors.checkpoints)('of a checkpoint: $name', async ({ note, holds }) => {
  const { faults } = await verifyProof(`c2sp.org/tlog-proof@v1\nindex 0\n\n${note}`, { keys: vectors.keys });
  expect(faults.every(({ fault }) => fault === 'missing-leaf')).toBe(holds);
});

test.each(vectors.bundles)('of a bundle: $name', async ({ files, held, exit_code, faults }) => {
  const contents = new Map(
    Object.entries(files).map(([name, text]) => [name, Buffer.from(text, name.endsWith('.bin') ? 'base64' : 'utf8')]),
  );
  const source = {
    names: [...contents.keys()],
    size: (name: string) => contents.get(name)!.length,
    async *open(name: string, from = 0) {
      yield contents.get(name)!.subarray(from);
    },
  };
  const report = await verifyBundle(source, { keys: vectors.keys, held: held === null ? [] : [held] });
  expect(report.exit_code).toBe(exit_code);
  for (const fault of faults) expect(report.faults).toContainEqual(expect.objectContaining(fault));
});

test.each(vectors.zips)('of a .zip: $name', async ({ zip, exit_code }) => {
  const path = join(tmpdir(), `svc-vector-${process.pid}.zip`);
  writeFileSync(path, bytes(zip));
  expect((await verifyFile(path, { keys: vectors.keys })).exit_code).toBe(exit_code);
  rmSync(path);
});

// Logs made here hold before verifiers that know nothing of ours, written in Go. Runs where Go is, and can fetch their modules.

import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  consistencyRanges,
  EMPTY_ROOT,
  formatCheckpoint,
  formatVerifier,
  inclusionRanges,
  leafHash,
  nodeHash,
  noteSigner,
  signNote,
  type Range,
} from './index.ts';

const ORACLE = join(import.meta.dirname, '../oracle');
const isThere = spawnSync('go', ['mod', 'download'], { cwd: ORACLE }).status === 0;
const LOGS = 100;
const COMPILE_MS = 120_000;

function hashOf(leaves: readonly Buffer[], { from, to }: Range): Buffer {
  if (from === to) return EMPTY_ROOT;
  if (to - from === 1) return leafHash(leaves[from]!);
  let left = 1;
  while (left * 2 < to - from) left *= 2;
  return nodeHash(hashOf(leaves, { from, to: from + left }), hashOf(leaves, { from: from + left, to }));
}

const log = fc
  .record({
    leaves: fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 70 }),
    one: fc.nat(),
    other: fc.nat(),
    seed: fc.uint8Array({ minLength: 32, maxLength: 32 }),
  })
  .map(({ leaves: given, one, other, seed }) => {
    const leaves = given.map((leaf) => Buffer.from(leaf));
    const size = leaves.length;
    const [index, oldSize] = [one % size, other % (size + 1)];
    const base64 = (ranges: readonly Range[]) => ranges.map((range) => hashOf(leaves, range).toString('base64'));
    const root = hashOf(leaves, { from: 0, to: size });
    const signer = noteSigner('example.com/log', seed);
    const text = formatCheckpoint({ origin: 'example.com/log', size, root });
    return {
      leaves: leaves.map((leaf) => leaf.toString('base64')),
      index,
      old_size: oldSize,
      inclusion: base64(inclusionRanges(index, size)),
      consistency: base64(consistencyRanges(oldSize, size)),
      old_root: hashOf(leaves, { from: 0, to: oldSize }).toString('base64'),
      root: root.toString('base64'),
      note: signNote(text, [signer]),
      verifier: formatVerifier(signer.verifier),
      text,
    };
  });

test.skipIf(!isThere)(
  'random logs, their proofs and signed checkpoints are accepted by transparency-dev/merkle and x/mod/sumdb/note',
  () => {
    const logs = fc.sample(log, LOGS);
    // What is wrong is refused there too, so that "agreed" says something.
    const wrong = { ...logs[0]!, root: EMPTY_ROOT.toString('base64') };
    const input = [...logs, wrong].map((asked) => JSON.stringify(asked)).join('\n');
    const { stdout, stderr } = spawnSync('go', ['run', '.'], { cwd: ORACLE, input, encoding: 'utf8' });
    expect(stdout.trim().split('\n'), stderr).toEqual([...logs.map(() => 'agreed'), 'another root']);
  },
  COMPILE_MS,
);

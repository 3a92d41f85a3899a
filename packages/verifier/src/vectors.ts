// The vectors of clients/conformance/evidence.json: small, always the same, for those who write verifiers. `node packages/verifier/src/vectors.ts`
// writes them anew.

import { consistencyRanges, inclusionRanges } from '@svc/trail';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, editLines, Log, setManifest, type Files } from './testing.ts';

export const VECTORS_FILE = join(import.meta.dirname, '../../../clients/conformance/evidence.json');

/** What is in the file. Faults are those of docs/reference/evidence.md; none: it holds. */
export interface Vectors {
  readonly description: string;
  readonly keys: readonly string[];
  readonly checkpoints: readonly { readonly name: string; readonly note: string; readonly holds: boolean }[];
  /** Hashes in base64. */
  readonly inclusion: readonly {
    readonly leaf: string;
    readonly index: number;
    readonly size: number;
    readonly root: string;
    readonly hashes: readonly string[];
    readonly holds: boolean;
  }[];
  readonly consistency: readonly {
    readonly from: number;
    readonly from_root: string;
    readonly to: number;
    readonly to_root: string;
    readonly hashes: readonly string[];
    readonly holds: boolean;
  }[];
  /** Files as texts; those that end in .bin in base64. */
  readonly bundles: readonly {
    readonly name: string;
    readonly held: string | null;
    readonly files: Readonly<Record<string, string>>;
    readonly exit_code: number;
    readonly faults: readonly { readonly fault: string; readonly index?: number }[];
  }[];
}

export function makeVectors(): Vectors {
  const log = new Log(11);
  const fork = new Log(11, { fork: 4 });
  const base64 = (hash: Buffer) => hash.toString('base64');
  const root = (size: number) => base64(log.hashOf({ from: 0, to: size }));
  const note = log.checkpoint();
  const other = new Log(11, { seed: 8 }).checkpoint();
  const inclusion = [0, 6, 10].flatMap((index) => {
    const hashes = inclusionRanges(index, 11).map((range) => base64(log.hashOf(range)));
    const proof = { leaf: base64(log.hashes[index]!), index, size: 11, root: root(11), hashes, holds: true };
    return [
      proof,
      { ...proof, index: (index + 1) % 11, holds: false },
      { ...proof, hashes: hashes.slice(1), holds: false },
      { ...proof, hashes: [...hashes, root(11)], holds: false },
      { ...proof, root: root(10), holds: false },
    ];
  });
  const consistency = [0, 1, 4, 7, 11].flatMap((from) => {
    const hashes = consistencyRanges(from, 11).map((range) => base64(log.hashOf(range)));
    const proof = { from, from_root: root(from), to: 11, to_root: root(11), hashes, holds: true };
    return [
      proof,
      { ...proof, from_root: root((from + 5) % 11), holds: false },
      { ...proof, hashes: [...hashes, root(11)], holds: false },
      { ...proof, hashes: hashes.slice(1), holds: hashes.length === 0 },
    ];
  });
  const bundle = (
    name: string,
    faults: Vectors['bundles'][number]['faults'],
    edit: (files: Files) => void,
    held: string | null = null,
  ) => {
    const files = bundleOf(log, { from: 3, to: 9 });
    edit(files);
    return { name, held, files: textsOf(files), exit_code: faults.length === 0 ? 0 : 1, faults };
  };
  return {
    description:
      'Logs, proofs and evidence bundles, good and bad, for those who write verifiers: docs/reference/evidence.md. Hashes in base64; files ending in .bin too, others as texts. `faults`: what a verifier that names them finds; `exit_code` 0: it holds.',
    keys: [log.key],
    checkpoints: [
      { name: 'signed by the key', note, holds: true },
      { name: 'of the empty tree', note: log.checkpoint(0), holds: true },
      { name: 'another size than was signed', note: note.replace('\n11\n', '\n12\n'), holds: false },
      { name: 'another root than was signed', note: note.replace(root(11), root(10)), holds: false },
      { name: 'signed by another key', note: other, holds: false },
      { name: 'without a signature', note: `${note.split('\n\n')[0]}\n\n`, holds: false },
      { name: 'of a size in another spelling', note: note.replace('\n11\n', '\n011\n'), holds: false },
    ],
    inclusion,
    consistency,
    bundles: [
      bundle('honest', [], () => {}),
      bundle('honest, with a checkpoint from before', [], () => {}, log.checkpoint(6)),
      bundle('an event was changed', [{ fault: 'changed', index: 5 }], (files) =>
        editLines(files, (lines) => lines.with(2, lines[2]!.replace('"score":0.05', '"score":0.95')), ['events.jsonl']),
      ),
      bundle('an event was taken away', [{ fault: 'missing', index: 6 }], (files) =>
        editLines(files, (lines) => lines.toSpliced(3, 1)),
      ),
      bundle('an event is not there any more', [{ fault: 'missing', index: 6 }], (files) =>
        editLines(files, (lines) => lines.with(3, 'null')),
      ),
      bundle('a value was disclosed that was not committed to', [{ fault: 'bad-disclosure', index: 5 }], (files) =>
        editLines(files, (lines) => lines.with(2, lines[2]!.replace('user 5', 'user 6')), ['disclosures.jsonl']),
      ),
      bundle('the history is another than it was', [{ fault: 'forked' }], () => {}, fork.checkpoint(6)),
      bundle(
        'the log is shorter than it was',
        [{ fault: 'rolled-back' }],
        (files) => {
          for (const [name, bytes] of bundleOf(log, { from: 3, to: 9, size: 10 })) files.set(name, bytes);
          setManifest(files);
        },
        log.checkpoint(11),
      ),
    ],
  };
}

function textsOf(files: Files): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString(name.endsWith('.bin') ? 'base64' : 'utf8')]));
}

if (import.meta.main) writeFileSync(VECTORS_FILE, `${JSON.stringify(makeVectors(), null, 2)}\n`);

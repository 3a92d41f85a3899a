// The vectors of clients/conformance/evidence.json: small, always the same, for those who write verifiers. `node packages/verifier/src/vectors.ts`
// writes them anew.

import { consistencyRanges, formatCheckpoint, inclusionRanges, leafHash, noteSigner, signNote } from '@svc/trail';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleOf, DEPLOYMENT, editLines, Log, manifestOf, ORIGIN, setManifest, zipOf, type Files } from './testing.ts';

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
  /** In base64. None of them may hold. */
  readonly zips: readonly { readonly name: string; readonly zip: string; readonly exit_code: number }[];
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
  const anew = new Log(11, { origin: `${ORIGIN}/2-0123abcd` });
  const told = { event_id: log.ids[1], sequence: 2, fields: ['subject'], basis: 'asked for' };
  const redacted = new Log(11, {
    events: Object.assign([], { 9: { kind: 'audit.redacted', actorType: 'user', data: JSON.stringify(told) } }),
  });
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
    of = bundleOf(log, { from: 3, to: 9 }),
  ) => {
    const files = of;
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
      bundle('a line of disclosures that says more', [{ fault: 'bad-disclosure', index: 5 }], (files) =>
        editLines(files, (lines) => lines.with(2, lines[2]!.replace('"erased"', '"note":"allowed by the board","erased"')), [
          'disclosures.jsonl',
        ]),
      ),
      bundle('a value that was erased, as an event tells', [], eraseSubject, null, bundleOf(redacted)),
      bundle('a value that was erased, as no event tells', [{ fault: 'unexplained-erasure' }], eraseSubject, null, bundleOf(log)),
      bundle('an anchor of an earlier origin with the same history', [], (files) => anchor(files, log), null, bundleOf(anew)),
      bundle(
        'an anchor of an earlier origin with another history',
        [{ fault: 'bad-anchor' }],
        (files) => anchor(files, log),
        null,
        bundleOf(new Log(11, { fork: 4, origin: anew.origin })),
      ),
      bundle(
        'the log before is not there, and nothing tells that it was deleted',
        [{ fault: 'missing' }],
        (files) => setManifest(files, { ...manifestOf(files), since: null }),
        null,
        bundleOf(log, { from: 3 }),
      ),
    ],
    zips: hostileZips(bundleOf(log, { from: 3, to: 5 })),
  };
}

/** Says of the event of leaf 1 that its subject was erased. */
function eraseSubject(files: Files): void {
  const edit = (line: string) => {
    const { id, disclosures } = JSON.parse(line) as { id: string; disclosures: string[] };
    return JSON.stringify({ id, disclosures: disclosures.filter((text) => !text.includes('"subject"')), erased: ['subject'] });
  };
  editLines(files, (lines) => lines.with(1, edit(lines[1]!)), ['disclosures.jsonl']);
}

/** Anchors a log at six events, in a deployment's log of one leaf. */
function anchor(files: Files, log: Log): void {
  const [note, salt] = [log.checkpoint(6), Buffer.alloc(16, 3)];
  const root = leafHash(createHash('sha256').update(salt).update(note).digest());
  const deployment = signNote(formatCheckpoint({ origin: DEPLOYMENT, size: 1, root }), [
    noteSigner(DEPLOYMENT, Buffer.alloc(32, 7)),
  ]);
  const { hashes } = JSON.parse(log.consistency(6)) as { hashes: string[] };
  const text = {
    checkpoint: note,
    salt: salt.toString('base64'),
    index: 0,
    hashes: [],
    deployment,
    size: 1,
    consistency: hashes,
  };
  files.set('anchor.json', Buffer.from(JSON.stringify(text)));
  setManifest(files);
}

/** What one reader would read otherwise than another. */
function hostileZips(files: Files): Vectors['zips'] {
  const zip = zipOf(files, { isStored: true });
  const lying = Buffer.from(zip);
  lying.writeUInt32LE(5, 22);
  const second = zip.indexOf('PK\u0003\u0004', 4);
  const end = Buffer.from(zip.subarray(zip.length - 22));
  end.writeUInt32LE(end.readUInt32LE(16) + second, 16);
  const hiding = Buffer.concat([zip.subarray(0, second), zip.subarray(0, zip.length - 22), end]);
  const alike = zipOf(new Map(files).set('Events.jsonl', Buffer.from('{}\n')));
  return [
    { name: 'a header that says another size than the directory', zip: lying },
    { name: 'a file that the directory does not name', zip: hiding },
    { name: 'two names that are alike', zip: alike },
  ].map(({ name, zip: bytes }) => ({ name, zip: bytes.toString('base64'), exit_code: 3 }));
}

function textsOf(files: Files): Record<string, string> {
  return Object.fromEntries([...files].map(([name, bytes]) => [name, bytes.toString(name.endsWith('.bin') ? 'base64' : 'utf8')]));
}

if (import.meta.main) writeFileSync(VECTORS_FILE, `${JSON.stringify(makeVectors(), null, 2)}\n`);

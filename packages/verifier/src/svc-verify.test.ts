// Promises of the verifier: honest evidence holds, and whatever was done to it since is found, and named.

import fc from 'fast-check';
import { formatCheckpoint, formatProofFile, inclusionRanges, leafHash, noteSigner, signNote } from '@svc/trail';
import { execFile } from 'node:child_process';
import { createHash, sign } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isConsistent, isIncluded, openZip, parseKey, run, verifyBundle, verifyProof } from '../svc-verify.mjs';
import {
  bundleOf,
  DEPLOYMENT,
  editLines,
  Log,
  manifestOf,
  ORIGIN,
  setManifest,
  zipOf,
  type Asked,
  type Files,
} from './testing.ts';

type Options = NonNullable<Parameters<typeof verifyBundle>[1]>;
/** A line of disclosures.jsonl, to be spoiled. */
type Line = ReturnType<typeof JSON.parse>;
type Report = Awaited<ReturnType<typeof verifyBundle>>;

const LOG = new Log(700);
const FORK = new Log(700, { fork: 300 });

/** Reads the files as they are; a .zip is read as one where that matters. */
function check(files: Files, options: Options = { keys: [LOG.key] }): Promise<Report> {
  const open = async function* (name: string, from = 0) {
    const bytes = files.get(name)!;
    // In odd pieces, so that nothing depends on where they end.
    for (let at = from; at < bytes.length; at += 1_000) yield bytes.subarray(at, at + 1_000);
  };
  return verifyBundle({ names: [...files.keys()], size: (name) => files.get(name)!.length, open }, options);
}

async function checkZip(zip: Buffer, options: Options = { keys: [LOG.key] }): Promise<Report | Error> {
  try {
    const read = (offset: number, length: number) => Promise.resolve(zip.subarray(offset, offset + length));
    return await verifyBundle(await openZip({ size: zip.length, read }), options);
  } catch (err) {
    return err as Error;
  }
}

const witness = noteSigner('witness.example.org', Buffer.alloc(32, 21));
const witnessId = createHash('sha256')
  .update(Buffer.concat([Buffer.from(`${witness.verifier.name}\n`), Buffer.of(4), witness.verifier.publicKey]))
  .digest()
  .subarray(0, 4);
const WITNESS = `${witness.verifier.name}+${witnessId.toString('hex')}+${Buffer.concat([Buffer.of(4), witness.verifier.publicKey]).toString('base64')}`;

const named = ({ faults }: Report) =>
  faults.map(({ fault, index, from, to }) => (index === undefined ? [fault, from, to] : [fault, index]));
const names = ({ faults }: Report) => new Set(faults.map(({ fault }) => fault));

/** Any range of the log, at any size of it, and what is held of it. */
const asked = fc.tuple(fc.nat({ max: LOG.size }), fc.nat(), fc.nat(), fc.nat()).map(([size, one, other, held]) => {
  const [from, to] = [one % (size + 1), other % (size + 1)].sort((a, b) => a - b) as [number, number];
  return { size, from, to, held: held % (size + 1) };
});

describe('honest evidence', () => {
  test('holds, whatever the range and whatever checkpoint is held', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async (range) => {
        const report = await check(bundleOf(LOG, range), { keys: [LOG.key], held: [LOG.checkpoint(range.held)] });
        expect(report.faults).toEqual([]);
        expect(report).toMatchObject({ exit_code: 0, tree_size: range.size, range: { from: range.from, to: range.to } });
        expect(report.held[0]!.result).toMatch(/^consistent/);
      }),
      { numRuns: 40 },
    );
  });

  test('needs no proof of consistency where the held checkpoint ends in the range', async () => {
    const files = bundleOf(LOG, { from: 100, to: 600 });
    for (const size of [100, 101, 256, 300, 512, 600, 64, 96, 700])
      expect((await check(files, { keys: [LOG.key], held: [LOG.checkpoint(size)] })).held, String(size)).toMatchObject([
        { result: size === 700 ? 'consistent, the same' : 'consistent, by the events' },
      ]);
    const report = await check(files, { keys: [LOG.key], held: [LOG.checkpoint(70)] });
    expect([report.exit_code, ...names(report)]).toEqual([3, 'missing-consistency']);
    const consistency = [JSON.parse(LOG.consistency(70)) as unknown];
    expect((await check(files, { keys: [LOG.key], held: [LOG.checkpoint(70)], consistency })).exit_code).toBe(0);
  });

  test('holds with some kinds disclosed, and with nothing disclosed', async () => {
    const some = await check(bundleOf(LOG, { kinds: ['policy.updated'] }));
    expect(some).toMatchObject({ exit_code: 0, events: { present: 700, disclosed: 140, missing: 0 } });
    const none = await check(bundleOf(LOG, { hasDisclosures: false }));
    expect(none).toMatchObject({ exit_code: 0, disclosures: { disclosed: 0, erased: 0 } });
    const { disclosed, undisclosed } = (await check(bundleOf(LOG))).disclosures;
    expect(none.disclosures.undisclosed).toBe(disclosed + undisclosed);
  });

  test('holds as a .zip, deflated or stored, in 32 bits or in 64', async () => {
    const files = bundleOf(LOG);
    for (const options of [{}, { isStored: true }, { zip64From: 1 }, { zip64From: 20_000 }])
      expect(await checkZip(zipOf(files, options)), JSON.stringify(options)).toMatchObject({ exit_code: 0, faults: [] });
  });
});

describe('tampering with what is in a bundle', () => {
  const shapes: Asked[] = [{ held: 300 }, { from: 100, to: 600, held: 50 }, { size: 600, from: 256, to: 512 }, { size: 40 }];
  const bundles = shapes.map((shape) => bundleOf(LOG, shape));

  test('by any byte of any file is found; where the manifest was not made to fit, the file is named', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(),
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        async (one, other, at, bits, isHidden) => {
          const files = new Map(bundles[one % bundles.length]);
          const name = [...files.keys()][other % files.size]!;
          const bytes = Buffer.from(files.get(name)!);
          if (bytes.length === 0) return;
          bytes[at % bytes.length]! ^= bits;
          files.set(name, bytes);
          if (isHidden && name !== 'manifest.json') setManifest(files);
          const options = { keys: [LOG.key], held: [LOG.checkpoint(50)] };
          const report = await check(files, options);
          if (name === 'manifest.json') {
            const before = await check(bundles[one % bundles.length]!, options);
            // What nothing vouches for can be changed; it is told apart.
            if (report.exit_code === 0) expect({ ...report, claims: null }).toEqual({ ...before, claims: null });
          } else if (!isHidden) {
            expect(report.exit_code).not.toBe(0);
            expect(
              report.faults.some(({ fault, file }) => (fault === 'damaged-file' && file === name) || fault === 'unreadable'),
            ).toBe(true);
          } else if (!['keys.txt', 'events.csv', 'consistency.json'].includes(name)) {
            // Those three prove nothing by themselves: who brings a key reads no other, a view is no evidence, a proof is as good as what it leads to.
            expect(report.exit_code, name).not.toBe(0);
          }
        },
      ),
      { numRuns: 120 },
    );
  });

  test('by a changed event is named by its index, and by its id where that is left', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (one, other) => {
        const files = new Map(bundles[one % bundles.length]);
        const { from, to } = manifestOf(files)['range'] as { from: number; to: number };
        const at = other % (to - from);
        editLines(files, (lines) => lines.with(at, lines[at]!.replace('"v":1', '"w":1,"v":1')), ['events.jsonl']);
        const report = await check(files);
        expect(named(report)).toContainEqual(['changed', from + at]);
        editLines(
          files,
          (lines) => lines.with(at, lines[at]!.replace('"w":1,', '').replace('"recorded_at":"2025', '"recorded_at":"2024')),
          ['events.jsonl'],
        );
        const again = await check(files);
        expect(named(again)).toEqual([['changed', from + at]]);
        expect(again.faults[0]!.id).toBe(LOG.ids[from + at]);
      }),
      { numRuns: 20 },
    );
  });

  test('by taking away, adding, doubling, moving or cutting off events is named as what it is, where it is', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), fc.nat(), async (one, other, third) => {
        const original = bundles[one % bundles.length]!;
        const { from, to } = manifestOf(original)['range'] as { from: number; to: number };
        const count = to - from;
        const at = other % (count - 1);
        const tampered = async (edit: (lines: string[]) => string[]) => {
          const files = new Map(original);
          editLines(files, edit);
          const report = await check(files);
          expect(report.exit_code).toBe(1);
          return named(report);
        };
        expect(await tampered((lines) => lines.toSpliced(at, 1))).toEqual([['missing', from + at]]);
        expect(await tampered((lines) => lines.with(at, 'null'))).toEqual([['missing', from + at]]);
        expect(await tampered((lines) => lines.toSpliced(at, 0, lines[at]!))).toEqual([['inserted', from + at + 1]]);
        const swapped = await tampered((lines) => lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!));
        expect(swapped.every(([fault]) => fault === 'reordered')).toBe(true);
        expect(swapped.some(([, index]) => index === from + at || index === from + at + 1)).toBe(true);
        const cut = (third % (count - 1)) + 1;
        expect(await tampered((lines) => lines.slice(0, cut))).toEqual([['truncated', from + cut]]);
        const invented = new Log(1, { fork: 0 }).leaves[0]!.text;
        const files = new Map(original);
        editLines(files, (lines) => lines.toSpliced(at, 0, invented), ['events.jsonl']);
        editLines(
          files,
          (lines) => lines.toSpliced(at, 0, '{"id":"evt_00000000000000000000000000","disclosures":[],"erased":[]}'),
          ['disclosures.jsonl'],
        );
        expect(named(await check(files))).toEqual([['inserted', from + at]]);
      }),
      { numRuns: 12 },
    );
  });

  test('is named for what it is, though the disclosures were left as they were', async () => {
    const files = new Map(bundles[0]);
    editLines(files, (lines) => lines.toSpliced(300, 1), ['events.jsonl']);
    expect(named(await check(files)).toSorted()).toEqual([
      ['bad-disclosure', 301],
      ['missing', 300],
      ['wrong-manifest', undefined, undefined],
    ]);
    editLines(files, (lines) => lines.toSpliced(10, 0, ...lines.slice(0, 3)), ['events.jsonl']);
    expect(named(await check(files))).toEqual(
      expect.arrayContaining([
        ['inserted', 10],
        ['missing', 300],
      ]),
    );
  });

  test('by a manifest that says otherwise is named', async () => {
    const original = bundles[1]!;
    for (const [change, fault] of [
      [{ origin: ORIGIN.replace('trail', 'other') }, 'wrong-log'],
      [{ org_id: 'org_01jd4t4ve9e0fs7m4c1ywz3qke' }, 'wrong-log'],
      [{ tree_size: 699 }, 'wrong-manifest'],
      [{ events: 499 }, 'wrong-manifest'],
      [{ disclosed: 499 }, 'wrong-manifest'],
      [{ kinds: ['policy.updated'] }, 'wrong-manifest'],
      [{ range: { from: 101, to: 600 } }, 'bad-range'],
      [{ range: { from: 100, to: 701 } }, 'wrong-manifest'],
      [{ format: 'svc-evidence@v2' }, 'unknown-format'],
    ] as const) {
      const files = new Map(original);
      setManifest(files, { ...manifestOf(files), ...change });
      expect(names(await check(files)), JSON.stringify(change)).toContain(fault);
    }
  });

  test('by several at once is named each', async () => {
    const files = new Map(bundles[0]);
    editLines(files, (lines) => lines.toSpliced(600, 1).toSpliced(400, 0, lines[10]!).with(200, 'null').with(300, lines[300]!), [
      'events.jsonl',
      'disclosures.jsonl',
    ]);
    editLines(files, (lines) => lines.with(50, lines[50]!.replace('"v":1', '"v":2')), ['events.jsonl']);
    expect(named(await check(files))).toEqual(
      expect.arrayContaining([
        ['changed', 50],
        ['missing', 200],
        ['inserted', 400],
        ['missing', 600],
      ]),
    );
  });

  test('is named by tile where the leaf hashes were altered with the events, and by range where no hashes are left', async () => {
    const files = new Map(bundleOf(LOG));
    editLines(files, (lines) => lines.with(300, lines[300]!.replace('"recorded_at":"2025', '"recorded_at":"2024')), [
      'events.jsonl',
    ]);
    const leaves = Buffer.from(files.get('hashes-0.bin')!);
    leaves[301 * 32]! ^= 1;
    files.set('hashes-0.bin', leaves);
    setManifest(files);
    expect(named(await check(files))).toContainEqual(['changed', 256, 512]);
    files.set('hashes-1.bin', Buffer.alloc(64));
    setManifest(files);
    expect(named(await check(files))).toContainEqual(['changed', 0, 700]);
    for (const name of ['hashes-0.bin', 'hashes-1.bin']) files.delete(name);
    setManifest(files);
    expect(named(await check(files))).toContainEqual(['changed', 0, 700]);
  });

  test('is named by the tiles that are left, however high', async () => {
    const large = new Log(66_000);
    const files = bundleOf(large, { hasDisclosures: false });
    expect(await check(files, { keys: [large.key] })).toMatchObject({ exit_code: 0, faults: [] });
    editLines(
      files,
      (lines) => lines.with(304, lines[304]!.replace('"recorded_at":"2025', '"recorded_at":"2024')).with(65_999, 'null'),
      ['events.jsonl'],
    );
    const found = async () => named(await check(files, { keys: [large.key] }));
    expect(await found()).toEqual(
      expect.arrayContaining([
        ['changed', 304],
        ['missing', 65_999],
      ]),
    );
    const spoil = (name: string, at: number) => {
      const bytes = Buffer.from(files.get(name)!);
      bytes[at]! ^= 1;
      files.set(name, bytes);
      setManifest(files);
    };
    spoil('hashes-0.bin', 305 * 32);
    expect(await found()).toContainEqual(['changed', 256, 512]);
    spoil('hashes-1.bin', 3 * 32);
    expect(await found()).toContainEqual(['changed', 0, 65_536]);
  });

  test('by altered hashes alone is named by hash, and the events hold', async () => {
    const files = new Map(bundleOf(LOG));
    const leaves = Buffer.from(files.get('hashes-0.bin')!);
    leaves[301 * 32]! ^= 1;
    const tiles = Buffer.from(files.get('hashes-1.bin')!);
    tiles[33]! ^= 1;
    files.set('hashes-0.bin', leaves).set('hashes-1.bin', tiles);
    setManifest(files);
    expect(named(await check(files)).toSorted()).toEqual([
      ['altered-hash', 256, 512],
      ['altered-hash', 301],
    ]);
  });

  test('by files that were swapped, added or taken away is found', async () => {
    const original = bundleOf(LOG, { held: 300 });
    for (const name of original.keys()) {
      const files = new Map(original);
      files.delete(name);
      const report = await check(files);
      expect(report.faults, name).toContainEqual(expect.objectContaining({ fault: 'missing-file', file: name }));
      for (const other of original.keys()) {
        if (name >= other || name === 'manifest.json' || other === 'manifest.json') continue;
        const swapped = new Map(original).set(name, original.get(other)!).set(other, original.get(name)!);
        expect((await check(swapped)).exit_code, `${name} and ${other}`).not.toBe(0);
      }
    }
    const more = new Map(original).set('notes.txt', Buffer.from('hello'));
    expect(await check(more)).toMatchObject({
      exit_code: 1,
      faults: [{ fault: 'unlisted-file', file: 'notes.txt' }, { fault: 'unlisted-file' }],
    });
    setManifest(more);
    expect(await check(more)).toMatchObject({ exit_code: 1, faults: [{ fault: 'unlisted-file', file: 'notes.txt' }] });
  });
});

describe('a checkpoint that is held', () => {
  test('shows a fork, and both checkpoints prove it to anybody', async () => {
    for (const held of [FORK.checkpoint(301), FORK.checkpoint(700), FORK.checkpoint(650)]) {
      const report = await check(bundleOf(LOG), { keys: [LOG.key], held: [held] });
      expect([report.exit_code, ...names(report)]).toEqual([1, 'forked']);
      expect(report.misbehaviour).toEqual([held, LOG.checkpoint()]);
    }
    expect((await check(bundleOf(LOG), { keys: [LOG.key], held: [FORK.checkpoint(300)] })).exit_code).toBe(0);
  });

  test('that the proof of consistency does not lead from is not taken for a fork, nor for consistent', async () => {
    const report = await check(bundleOf(LOG, { from: 650, held: 333 }), { keys: [LOG.key], held: [FORK.checkpoint(333)] });
    expect([report.exit_code, ...names(report)]).toEqual([1, 'unproven']);
    expect(report.misbehaviour).toEqual([]);
  });

  test('shows a rollback', async () => {
    const report = await check(bundleOf(LOG, { size: 600 }), { keys: [LOG.key], held: [LOG.checkpoint(601)] });
    expect(report).toMatchObject({ exit_code: 1, faults: [{ fault: 'rolled-back', from: 600, to: 601 }] });
  });

  test('of a log that began anew says so: it goes on, or what was held is not in it', async () => {
    const anew = new Log(400, { origin: `${ORIGIN}/2-0123abcd` });
    const good = await check(bundleOf(anew), { keys: [LOG.key], held: [LOG.checkpoint(300)] });
    expect(good).toMatchObject({ exit_code: 0, notices: [expect.stringContaining('began anew')] });
    for (const size of [301, 500]) {
      const report = await check(bundleOf(anew), { keys: [LOG.key], held: [FORK.checkpoint(size)] });
      expect([report.exit_code, ...names(report)], String(size)).toEqual([1, 'restarted']);
    }
    const back = await check(bundleOf(LOG), { keys: [LOG.key], held: [anew.checkpoint(10)] });
    expect([back.exit_code, ...names(back)]).toEqual([1, 'rolled-back']);
  });

  test('may have been saved by Windows', async () => {
    const held = `\uFEFF${LOG.checkpoint(300).replaceAll('\n', '\r\n')}`;
    expect(await check(bundleOf(LOG), { keys: [`\uFEFF${LOG.key}\r\n`], held: [held] })).toMatchObject({ exit_code: 0 });
  });

  test('must be signed, and be of this log', async () => {
    const forged = LOG.checkpoint(300).replace('300', '301');
    expect(names(await check(bundleOf(LOG), { keys: [LOG.key], held: [forged] }))).toEqual(new Set(['bad-signature']));
    const other = new Log(10, { origin: ORIGIN.replace('qkd', 'qke') });
    expect(names(await check(bundleOf(LOG), { keys: [LOG.key], held: [other.checkpoint()] }))).toEqual(new Set(['wrong-log']));
    await expect(check(bundleOf(LOG), { keys: [LOG.key], held: ['no note'] })).rejects.toThrow(RangeError);
  });
});

describe('the signature', () => {
  test('by another key, or by the same key for another organization, is not believed', async () => {
    const other = new Log(20, { seed: 8 });
    expect(await check(bundleOf(other))).toMatchObject({ exit_code: 2, verdict: 'unsigned' });
    expect(await check(bundleOf(other), { keys: [other.key, LOG.key] })).toMatchObject({ exit_code: 0 });
    const neighbour = new Log(20, { origin: ORIGIN.replace('qkd', 'qke') });
    expect(names(await check(bundleOf(LOG), { keys: [neighbour.key] }))).toEqual(new Set(['unknown-key']));
    const files = bundleOf(LOG);
    files.set('checkpoint.txt', Buffer.from(LOG.checkpoint().replace(/.{6}\n$/, 'AAAA==\n')));
    setManifest(files);
    expect((await check(files)).exit_code).not.toBe(0);
  });

  test('by a key that only the bundle names is said to be worth nothing', async () => {
    expect(await check(bundleOf(LOG), {})).toMatchObject({ exit_code: 2, faults: [{ fault: 'unvouched-key' }] });
    expect(await check(bundleOf(LOG), { trustBundleKeys: true })).toMatchObject({
      exit_code: 0,
      notices: [expect.stringMatching(/Nothing vouches/)],
    });
  });
});

describe('what is not there', () => {
  const told = (kind: string, data: object) => ({
    kind,
    actorType: 'user',
    actorId: null,
    actorIp: null,
    data: JSON.stringify(data),
  });
  const erase = (files: Files) =>
    editLines(
      files,
      (lines) => {
        const line = JSON.parse(lines[7]!) as { disclosures: string[]; erased: string[] };
        line.disclosures = line.disclosures.filter((text) => !text.includes('"subject"'));
        return lines.with(7, JSON.stringify({ ...line, erased: ['subject'] }));
      },
      ['disclosures.jsonl'],
    );

  test('because it was erased is explained by an event of the log, where all of it is shown', async () => {
    const id = LOG.ids[7];
    for (const [fields, to, expected] of [
      [['subject'], 40, []],
      [['actor.ip'], 40, ['unexplained-erasure']],
      [['actor.ip'], 39, []],
    ] as const) {
      const log = new Log(40, { events: Object.assign([], { 30: told('audit.redacted', { event_id: id, fields }) }) });
      const files = bundleOf(log, { to });
      erase(files);
      const report = await check(files);
      expect([...names(report)], `${fields[0]} ${to}`).toEqual(expected);
      expect(report.notices.length).toBe(to === 39 ? 1 : 0);
    }
  });

  test('because retention deleted it is explained by an event of the log', async () => {
    for (const [pruned, expected] of [
      [20, []],
      [19, ['missing']],
    ] as const) {
      const log = new Log(60, { events: Object.assign([], { 50: told('audit.pruned', { from: 1, to: pruned }) }) });
      const files = bundleOf(log, { from: 20 });
      setManifest(files, { ...manifestOf(files), since: null });
      const report = await check(files);
      expect([...names(report)]).toEqual(expected);
      if (pruned === 19) expect(report.faults).toMatchObject([{ fault: 'missing', from: 0, to: 20 }]);
    }
  });

  test('and what was not compared is said', async () => {
    const { not_checked: all } = await check(bundleOf(LOG, { from: 100, kinds: ['policy.updated'] }));
    for (const what of ['--held', '--witness', 'other kinds than policy.updated', 'since', 'events.csv', 'not disclosed'])
      expect(all.join('\n')).toContain(what);
  });
});

describe('a hostile bundle', () => {
  test('of odd types, deep values, endless lines or ranges is refused, and ends nothing', async () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    const manifest = (files: Files, find: RegExp, put: string) =>
      files.set('manifest.json', Buffer.from(files.get('manifest.json')!.toString().replace(find, put)));
    const line = (files: Files, text: string, name = 'events.jsonl') => editLines(files, (lines) => lines.with(5, text), [name]);
    const edits: ((files: Files) => void)[] = [
      (files) => setManifest(files.set('anchor.json', Buffer.from('{"checkpoint":{"toString":1}}'))),
      (files) => manifest(files, /"sha256": "[0-9a-f]+"/, '"sha256": {"toString": 1}'),
      (files) => manifest(files, /"range": \{[^}]*\}/, `"range": ${deep}`),
      (files) => manifest(files, /"to": \d+/, `"to": ${2 ** 50}`),
      (files) =>
        line(files, '{"id":"a","kind":"k","org_id":"o","private":[{"toString":1}],"recorded_at":"x","sequence":6,"v":1}'),
      (files) => line(files, `"${'x'.repeat(1_000_000)}"`),
      (files) => line(files, deep),
      (files) => line(files, deep, 'disclosures.jsonl'),
    ];
    for (const edit of edits) {
      const files = bundleOf(LOG, { size: 40 });
      edit(files);
      expect((await check(files)).exit_code, String(edit)).toBeGreaterThan(0);
    }
  });

  test('that says more of a disclosure than the form has is refused', async () => {
    for (const [find, put] of [
      ['"erased":[]', '"erased":[],"note":"allowed by the board"'],
      ['"disclosures":', '"disclosures":[],"disclosures":'],
      ['"erased":[]', '"erased": []'],
    ] as const) {
      const files = bundleOf(LOG, { size: 40 });
      editLines(files, (lines) => lines.with(5, lines[5]!.replace(find, put)), ['disclosures.jsonl']);
      expect(names(await check(files)), put).toEqual(new Set(['bad-disclosure']));
    }
    const files = bundleOf(LOG, { size: 40, kinds: ['policy.updated'] });
    editLines(files, (lines) => lines.with(4, 'null'), ['disclosures.jsonl']);
    expect(names(await check(files))).toEqual(new Set(['bad-disclosure']));
  });
});

describe('what is disclosed', () => {
  const tampered = async (edit: (line: Line) => void) => {
    const files = bundleOf(LOG, { size: 40 });
    editLines(
      files,
      (lines) => {
        const line = JSON.parse(lines[7]!) as Record<string, unknown>;
        edit(line);
        return lines.with(7, JSON.stringify(line));
      },
      ['disclosures.jsonl'],
    );
    return check(files);
  };

  test('is what the leaf commits to, once each', async () => {
    for (const edit of [
      (line: Line) => (line['disclosures'][0] = line['disclosures'][0].replace('user 7', 'user 8')),
      (line: Line) => line['disclosures'].push(line['disclosures'][0]),
      (line: Line) => line['disclosures'].push('["c2FsdA==","text","invented"]'),
      (line: Line) => (line['id'] = LOG.ids[8]),
      (line: Line) => (line['disclosures'] = null),
    ]) {
      const report = await tampered(edit);
      expect([report.exit_code, ...names(report)], String(edit)).toEqual([1, 'bad-disclosure']);
      expect(report.faults[0]).toMatchObject({ index: 7, file: 'disclosures.jsonl', line: 7 });
    }
  });

  test('may be kept back, or be erased; both are counted', async () => {
    const all = (await check(bundleOf(LOG, { size: 40 }))).disclosures;
    expect((await tampered((line) => line['disclosures'].pop())).disclosures).toEqual({
      ...all,
      disclosed: all.disclosed - 1,
      undisclosed: all.undisclosed + 1,
    });
    const report = await tampered((line) => {
      line['disclosures'] = line['disclosures'].filter((text: string) => !text.includes('"subject"'));
      line['erased'] = ['subject'];
    });
    expect(report.disclosures).toEqual({ ...all, disclosed: all.disclosed - 1, erased: 1 });
  });

  test('is not two values of one name, nor one that was erased, though the leaf commits to both', async () => {
    const digest = (text: string) => createHash('sha256').update(text).digest('base64');
    const [one, other] = ['["AAAAAAAAAAAAAAAAAAAAAA==","subject",1]', '["AAAAAAAAAAAAAAAAAAAAAA==","subject",2]'];
    const leaf = JSON.parse(LOG.leaves[0]!.text) as Record<string, unknown>;
    const envelope = JSON.stringify({ ...leaf, private: [digest(one), digest(other)].toSorted() });
    const hash = leafHash(Buffer.from(envelope));
    const root = hash.toString('base64');
    const checkpoint = signNote(formatCheckpoint({ origin: ORIGIN, size: 1, root: hash }), [LOG.signer]);
    const proof = { event_id: LOG.ids[0], leaf_index: 0, leaf_hash: root, envelope, tree_size: 1, root, hashes: [], checkpoint };
    const judge = async (disclosures: string[], erased: string[]) =>
      names(await verifyProof(JSON.stringify({ ...proof, disclosures, erased }), { keys: [LOG.key] }));
    expect(await judge([one], [])).toEqual(new Set());
    expect(await judge([one, other], [])).toEqual(new Set(['bad-disclosure']));
    expect(await judge([one], ['subject'])).toEqual(new Set(['bad-disclosure']));
  });

  test('that says otherwise than the leaf says in clear is a contradiction, however it was signed', async () => {
    const proof = LOG.proof(7, 8);
    const disclosures = proof['disclosures'] as string[];
    for (const [found, other] of [
      ['"outcome":"blocked"', '"outcome":"allowed"'],
      ['"score":0.07', '"score":0.7'],
      ['"severity":"low"', '"severity":"high"'],
      ['"status":"complete"', '"status":"partial"'],
      ['"version":3', '"version":4'],
      ['"name":"model-1"', '"name":"model-2"'],
      [`"event_id":"${LOG.ids[7]}"`, `"event_id":"${LOG.ids[8]}"`],
    ] as const) {
      const digest = (text: string) => createHash('sha256').update(text).digest('base64');
      const data = disclosures.find((text) => text.includes('"data"'))!;
      const changed = data.replace(found, other);
      expect(changed).not.toBe(data);
      const envelope = (proof['envelope'] as string).replace(digest(data), digest(changed));
      const hash = leafHash(Buffer.from(envelope));
      const checkpoint = signNote(formatCheckpoint({ origin: ORIGIN, size: 1, root: hash }), [LOG.signer]);
      const sequence = envelope.replace('"sequence":8', '"sequence":1');
      const signed = leafHash(Buffer.from(sequence));
      const text = JSON.stringify({
        ...proof,
        leaf_index: 0,
        tree_size: 1,
        hashes: [],
        envelope: sequence,
        disclosures: disclosures.map((text) => (text === data ? changed : text)),
        leaf_hash: signed.toString('base64'),
        root: signed.toString('base64'),
        checkpoint: signNote(formatCheckpoint({ origin: ORIGIN, size: 1, root: signed }), [LOG.signer]),
      });
      expect(checkpoint).not.toBe('');
      const report = await verifyProof(text, { keys: [LOG.key] });
      expect([report.exit_code, ...names(report)], other).toEqual([1, 'contradiction']);
    }
  });
});

describe('the anchor', () => {
  const deployment = noteSigner(DEPLOYMENT, Buffer.alloc(32, 7));
  const witnessKey = WITNESS;
  const salt = Buffer.alloc(16, 5);

  function anchored(log: Log, size: number, { time = 1_763_800_000, to = 700 } = {}): Record<string, unknown> {
    const note = log.checkpoint(size);
    const own = leafHash(createHash('sha256').update(salt).update(note).digest());
    const neighbour = leafHash(Buffer.alloc(32, 9));
    const root = createHash('sha256')
      .update(Buffer.concat([Buffer.of(1), neighbour, own]))
      .digest();
    const text = formatCheckpoint({ origin: DEPLOYMENT, size: 2, root });
    const stamp = Buffer.alloc(8);
    stamp.writeBigUInt64BE(BigInt(time));
    const signature = Buffer.concat([
      witnessId,
      stamp,
      sign(null, Buffer.from(`cosignature/v1\ntime ${time}\n${text}`), witness.key),
    ]);
    return {
      checkpoint: note,
      salt: salt.toString('base64'),
      index: 1,
      hashes: [neighbour.toString('base64')],
      deployment: `${signNote(text, [deployment])}— ${witness.verifier.name} ${signature.toString('base64')}\n`,
      size: 2,
      consistency: (JSON.parse(LOG.consistency(Math.min(size, to), Math.max(size, to))) as { hashes: string[] }).hashes,
    };
  }

  const withAnchor = (anchor: Record<string, unknown>, shape: Asked = {}) => {
    const files = bundleOf(LOG, shape);
    files.set('anchor.json', Buffer.from(JSON.stringify(anchor)));
    setManifest(files);
    return check(files, { keys: [LOG.key], witnesses: [witnessKey] });
  };

  test('and its cosignatures are checked, and their times told', async () => {
    for (const shape of [{}, { from: 320 }])
      expect(await withAnchor(anchored(LOG, 333), shape)).toMatchObject({
        exit_code: 0,
        anchor: {
          origin: DEPLOYMENT,
          size: 2,
          anchored_size: 333,
          witnesses: [{ name: 'witness.example.org', cosigned_at: '2025-11-22T08:26:40.000Z' }],
        },
      });
    expect(await withAnchor(anchored(LOG, 700, { to: 500 }), { size: 500 })).toMatchObject({
      exit_code: 0,
      anchor: { anchored_size: 700 },
    });
  });

  test('of another origin vouches for this log only where its history is the same', async () => {
    for (const [anchoredOrigin, fork] of [
      [ORIGIN, 100],
      [`${ORIGIN}/7-0123abcd`, 100],
      [ORIGIN, 700],
    ] as const) {
      const files = bundleOf(new Log(700, { fork, origin: `${ORIGIN}/2-0123abcd` }));
      files.set('anchor.json', Buffer.from(JSON.stringify(anchored(new Log(700, { origin: anchoredOrigin }), 333))));
      setManifest(files);
      const report = await check(files, { keys: [LOG.key], witnesses: [witnessKey] });
      expect([...names(report)]).toEqual(fork === 700 ? [] : ['bad-anchor']);
      expect(report.anchor?.witnesses.length ?? 0).toBe(fork === 700 ? 1 : 0);
    }
  });

  test('of none of the events counts no witness, and of some says of which', async () => {
    for (const [size, from] of [
      [0, 0],
      [333, 400],
    ] as const) {
      const report = await withAnchor(anchored(LOG, size), { from });
      expect([report.exit_code, ...names(report)]).toEqual([3, 'missing-cosignature']);
      expect(report.notices).toEqual([expect.stringContaining('says nothing')]);
    }
    expect((await withAnchor(anchored(LOG, 333))).notices).toEqual([expect.stringContaining('leaves 333 to 700')]);
    expect(names(await withAnchor({ ...anchored(LOG, 333), size: 3 }))).toEqual(new Set(['bad-anchor']));
  });

  test('of another history is a fork, and any change to it is found', async () => {
    expect(names(await withAnchor(anchored(FORK, 333)))).toEqual(new Set(['forked']));
    expect(names(await withAnchor(anchored(FORK, 700)))).toEqual(new Set(['forked']));
    expect(names(await withAnchor(anchored(FORK, 333), { from: 650 }))).toEqual(new Set(['unproven']));
    const good = anchored(LOG, 333);
    for (const [name, value] of Object.entries({
      salt: Buffer.alloc(16, 6).toString('base64'),
      index: 0,
      hashes: [],
      checkpoint: LOG.checkpoint(334),
      deployment: String(good['deployment']).replace('deployment/0', 'deployment/1'),
    }))
      expect((await withAnchor({ ...good, [name]: value })).exit_code, name).not.toBe(0);
    const lines = String(good['deployment']).split('\n');
    const unwitnessed = { ...good, deployment: lines.toSpliced(-2, 1).join('\n') };
    expect(names(await withAnchor(unwitnessed))).toEqual(new Set(['missing-cosignature']));
    const cosignature = lines.at(-2)!;
    const forged = cosignature.slice(0, -6) + (cosignature.at(-6) === 'A' ? 'B' : 'A') + cosignature.slice(-5);
    expect(names(await withAnchor({ ...good, deployment: lines.with(lines.length - 2, forged).join('\n') }))).toEqual(
      new Set(['bad-signature']),
    );
    expect(names(await check(bundleOf(LOG), { keys: [LOG.key], witnesses: [witnessKey] }))).toEqual(
      new Set(['missing-cosignature']),
    );
  });
});

describe('a .zip', () => {
  test('with any bit of it changed is refused, or says the same', async () => {
    const zip = zipOf(bundleOf(LOG, { size: 12 }));
    const honest = await checkZip(zip);
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: zip.length - 1 }), fc.nat({ max: 7 }), async (byte, bit) => {
        const changed = Buffer.from(zip);
        changed[byte]! ^= 1 << bit;
        const report = await checkZip(changed);
        if (report instanceof Error) expect(report.constructor.name).toBe('Unreadable');
        else if (report.exit_code === 0) expect(report).toEqual(honest);
      }),
      { numRuns: 300 },
    );
  });

  test('that is cut off anywhere is refused', async () => {
    const zip = zipOf(bundleOf(LOG, { size: 3 }));
    for (let length = 0; length < zip.length; length += 7)
      expect(await checkZip(zip.subarray(0, length)), String(length)).toBeInstanceOf(Error);
  });

  test('of two files by one name, of names that lead elsewhere, or with sizes that lie is refused', async () => {
    const files = bundleOf(LOG, { size: 3 });
    const rename = (zip: Buffer, from: string, to: string) => Buffer.from(zip.toString('latin1').replaceAll(from, to), 'latin1');
    for (const to of ['events.jsonl', '../../../aaa', 'a/b/c/d/e/f/', 'C:\\evil.jso', '.hidden.text'])
      expect(
        await checkZip(rename(zipOf(new Map(files).set('events.jsonX', Buffer.from('x'))), 'events.jsonX', to)),
        to,
      ).toBeInstanceOf(Error);
    const zip = zipOf(files, { isStored: true });
    for (const name of ['manifest.json', 'events.jsonl']) {
      const lying = Buffer.from(zip);
      const at = lying.lastIndexOf(name) - 46;
      lying.writeUInt32LE(lying.readUInt32LE(at + 24) + 1, at + 24);
      expect(await checkZip(lying), name).toBeInstanceOf(Error);
    }
  });

  test('that unpacks to a thousand times what it says is not unpacked', async () => {
    const zip = zipOf(new Map([['events.jsonl', Buffer.alloc(100_000_000)]]));
    for (const at of [22, zip.lastIndexOf('events.jsonl') - 46 + 24]) zip.writeUInt32LE(100_000, at);
    const read = (offset: number, length: number) => Promise.resolve(zip.subarray(offset, offset + length));
    const source = await openZip({ size: zip.length, read });
    let bytes = 0;
    await expect(
      (async () => {
        for await (const chunk of source.open('events.jsonl')) bytes += chunk.length;
      })(),
    ).rejects.toThrow('not what the .zip says');
    expect(bytes).toBeLessThanOrEqual(100_000);
  });

  test('whose content breaks off names the file, and what comes before is checked', async () => {
    const files = bundleOf(LOG, { size: 300 });
    const zip = zipOf(files);
    const at = zip.indexOf('events.jsonl') + 'events.jsonl'.length;
    const length = zip.readUInt32LE(at - 'events.jsonl'.length - 30 + 18);
    zip[at + length - 400]! ^= 0xff;
    const report = await checkZip(zip);
    expect(report).toMatchObject({ exit_code: 1 });
    expect(names(report as Report)).toContain('damaged-file');
    expect((report as Report).events.present).toBeGreaterThan(10);
  });

  test('that another reader could read otherwise is refused', async () => {
    const files = bundleOf(LOG, { size: 3 });
    const zip = zipOf(files, { isStored: true });
    const refused = async (changed: Buffer) => expect(await checkZip(changed)).toBeInstanceOf(Error);
    await refused(Buffer.concat([zip, Buffer.from('x')]));
    await refused(Buffer.concat([Buffer.from('PK'), zip]));
    const comment = Buffer.from(zip);
    comment.writeUInt16LE(1, zip.length - 2);
    await refused(Buffer.concat([comment, Buffer.from('x')]));
    await refused(zipOf(new Map(files).set('Events.jsonl', Buffer.from('{}'))));
    // A file between two others that the directory does not name, and one that is a link.
    const first = zip.indexOf('PK\u0003\u0004', 4);
    const end = Buffer.from(zip.subarray(zip.length - 22));
    end.writeUInt32LE(end.readUInt32LE(16) + first, 16);
    await refused(Buffer.concat([zip.subarray(0, first), zip.subarray(0, zip.length - 22), end]));
    const link = Buffer.from(zip);
    link.writeUInt32LE(0o120_777 * 65_536, zip.indexOf('PK\u0001\u0002') + 38);
    await refused(link);
    const local = Buffer.from(zip);
    local.writeUInt32LE(5, 22);
    await refused(local);
  });
});

describe('the proof of one event', () => {
  test('holds as JSON and as a file with its leaf, at any size', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 700 }), fc.nat(), async (size, any) => {
        const index = any % size;
        const options = { keys: [LOG.key], held: [LOG.checkpoint(size)] };
        expect(await verifyProof(JSON.stringify(LOG.proof(index, size)), options)).toMatchObject({ exit_code: 0, faults: [] });
        const proof = inclusionRanges(index, size).map((range) => LOG.hashOf(range));
        const file = formatProofFile({ index, proof, checkpoint: LOG.checkpoint(size) });
        const leaf = Buffer.from(LOG.leaves[index]!.text);
        expect(await verifyProof(file, { ...options, leaf })).toMatchObject({ exit_code: 0 });
        expect(await verifyProof(file, options)).toMatchObject({ exit_code: 3, faults: [{ fault: 'missing-leaf' }] });
        const other = Buffer.from(LOG.leaves[(index + 1) % 700]!.text);
        expect(names(await verifyProof(file, { ...options, leaf: other }))).toContain('not-included');
      }),
      { numRuns: 12 },
    );
  });

  test('of an event that was changed since says that, where the hash that was logged is beside it', async () => {
    const proof = LOG.proof(7, 40);
    const changed = {
      ...proof,
      envelope: (proof['envelope'] as string).replace('"score":0.07', '"score":0.08'),
      disclosures: [],
    };
    expect(await verifyProof(JSON.stringify(changed), { keys: [LOG.key] })).toMatchObject({
      exit_code: 1,
      faults: [{ fault: 'changed', index: 7 }],
    });
    const unlogged = { ...changed, leaf_hash: LOG.proof(8)['leaf_hash'] };
    expect(names(await verifyProof(JSON.stringify(unlogged), { keys: [LOG.key] }))).toContain('not-included');
  });

  test('with any byte changed does not hold', async () => {
    const text = JSON.stringify(LOG.proof(7, 40));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: text.length - 1 }), async (at) => {
        const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1);
        const report = await verifyProof(changed, { keys: [LOG.key] });
        expect(report.exit_code, `byte ${at}`).not.toBe(0);
      }),
      { numRuns: 250 },
    );
  });
});

describe('the command', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-verify-'));
    await writeFile(join(folder, 'good.zip'), zipOf(bundleOf(LOG, { held: 50 })));
    await writeFile(join(folder, 'held.txt'), LOG.checkpoint(50));
    await writeFile(join(folder, 'fork.txt'), FORK.checkpoint(500));
    await writeFile(join(folder, 'keys.txt'), `${LOG.key}\n`);
    await writeFile(join(folder, 'proof.json'), JSON.stringify(LOG.proof(3)));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const asked = async (...args: string[]) => {
    let [stdout, stderr] = ['', ''];
    const paths = args.map((arg) => (/^[a-z]+\.[a-z]+$/.test(arg) ? join(folder, arg) : arg));
    const code = await run(paths, { stdout: (text) => void (stdout += text), stderr: (text) => void (stderr += text) });
    return { code, stdout, stderr };
  };

  test('ends with the code of what it found, and says so', async () => {
    expect(await asked('good.zip', '--key', LOG.key, '--held', 'held.txt')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The evidence holds'),
    });
    expect(await asked('good.zip', '--key', 'keys.txt')).toMatchObject({ code: 0 });
    expect(await asked('proof.json', '--key', LOG.key)).toMatchObject({ code: 0 });
    expect(await asked('good.zip')).toMatchObject({ code: 2, stdout: expect.stringContaining('Nothing vouches') });
    expect(await asked('held.txt', '--key', LOG.key)).toMatchObject({ code: 3 });
    expect(await asked('none.zip', '--key', LOG.key)).toMatchObject({ code: 3 });
    expect(JSON.parse((await asked('good.zip', '--key', LOG.key, '--json')).stdout)).toMatchObject({ exit_code: 0 });
    for (const args of [
      [],
      ['good.zip', 'good.zip'],
      ['good.zip', '--nothing'],
      ['good.zip', '--json=false'],
      ['good.zip', '--key', 'a+b+c'],
      ['good.zip', '--held', 'none.txt'],
    ])
      expect((await asked(...args)).code, args.join(' ')).toBe(64);
    // As a download that failed leaves it. It says nothing of the signature.
    await writeFile(join(folder, 'empty.txt'), '\n');
    const empty = await asked('good.zip', '--key', 'empty.txt');
    expect(empty).toMatchObject({ code: 64, stdout: '', stderr: expect.stringContaining('empty.txt has no key') });
    expect(await asked('proof.json', '--key', LOG.key, '--witness', WITNESS)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining('missing-cosignature'),
    });
    await mkdir(join(folder, 'c++'));
    await writeFile(join(folder, 'c++', 'keys.txt'), LOG.key);
    const { code, stdout } = await asked('good.zip', '--key', join(folder, 'c++', 'keys.txt'));
    expect(code).toBe(0);
    expect(Math.max(...`${stdout}${(await asked('--help')).stdout}`.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(
      80,
    );
    expect(await asked('--help')).toMatchObject({ code: 0, stdout: expect.stringContaining('Exit codes') });
  });

  test('writes down two checkpoints that contradict each other', async () => {
    const out = join(folder, 'out.txt');
    expect(await asked('good.zip', '--key', LOG.key, '--held', 'fork.txt', '--out', out)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(out),
    });
    const text = await readFile(out, 'utf8');
    expect(text).toContain(FORK.checkpoint(500));
    expect(text).toContain(LOG.checkpoint());
  });

  test('needs nothing but its file', async () => {
    const alone = join(folder, 'alone.mjs');
    await writeFile(alone, readFileSync(join(import.meta.dirname, '../svc-verify.mjs')));
    const { stdout } = await promisify(execFile)(process.execPath, [alone, join(folder, 'good.zip'), '--key', LOG.key], {
      cwd: folder,
    });
    expect(stdout).toContain('The evidence holds');
  });
});

const VECTORS = join(import.meta.dirname, '../../../../shared/vectors');

describe.skipIf(!existsSync(VECTORS))('published vectors', () => {
  interface Vector {
    readonly [name: string]: unknown;
    readonly proof: readonly string[] | null;
    readonly wantErr: boolean;
  }
  const bytes = (value: unknown) => Buffer.from(String(value), 'base64');
  const vectorsIn = (folder: string) =>
    readdirSync(join(VECTORS, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name.endsWith('.json'))
      .map((file) => JSON.parse(readFileSync(join(file.parentPath, file.name), 'utf8')) as Vector);

  test('of inclusion and consistency are judged as they say', () => {
    for (const { leafIdx, treeSize, root, leafHash, proof, wantErr } of vectorsIn('merkle/inclusion'))
      expect(isIncluded(bytes(leafHash), Number(leafIdx), Number(treeSize), (proof ?? []).map(bytes), bytes(root))).toBe(
        !wantErr,
      );
    for (const { size1, size2, root1, root2, proof, wantErr } of vectorsIn('merkle/consistency')) {
      const judged = isConsistent(Number(size1), bytes(root1), Number(size2), bytes(root2), (proof ?? []).map(bytes));
      // One of them calls two equal roots of 12 bytes consistent, which are no hashes.
      expect(judged).toBe(!wantErr && bytes(root1).length === 32 && bytes(root2).length === 32);
    }
  });

  test('of Tessera name its key', () => {
    expect(parseKey(readFileSync(join(VECTORS, 'tessera/vkey.txt'), 'utf8'))).toMatchObject({
      name: 'example.com/log/testdata',
      type: 1,
    });
  });
});

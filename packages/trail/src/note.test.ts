// Promises of checkpoints: what is signed is what is read, and nothing that was changed is taken for signed.

import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  formatCheckpoint,
  formatProofFile,
  formatVerifier,
  Frontier,
  leafHash,
  noteSigner,
  noteVerifier,
  openNote,
  parseCheckpoint,
  parseProofFile,
  parseVerifier,
  signNote,
} from './index.ts';

const ORIGIN = 'example.com/org/org_01jd4t4ve9e0fs7m4c1ywz3qkd';
const signer = noteSigner(ORIGIN, Buffer.alloc(32, 7));
const other = noteSigner('witness.example.com', Buffer.alloc(32, 9));
const checkpoint = { origin: ORIGIN, size: 20_852_163, root: leafHash(Buffer.from('root')) };
const text = formatCheckpoint(checkpoint);

describe('a note', () => {
  test('opens for each of its signers, and names those who signed', () => {
    const note = signNote(text, [signer, other]);
    expect(openNote(note, [signer.verifier])).toEqual({ text, signers: [signer.verifier] });
    expect(openNote(note, [other.verifier, signer.verifier])?.signers).toEqual([signer.verifier, other.verifier]);
  });

  test('is refused where no one known signed it, or one who is known did not sign what is read', () => {
    expect(openNote(signNote(text, [other]), [signer.verifier])).toBeNull();
    const forged = signNote(text, [other]) + signNote(text.replace('20852163', '20852164'), [signer]).split('\n\n')[1]!;
    expect(openNote(forged, [signer.verifier, other.verifier])).toBeNull();
    expect(openNote(forged, [other.verifier])?.signers).toEqual([other.verifier]);
  });

  test('with any bit of it changed does not open, or reads the same', () => {
    const note = Buffer.from(signNote(text, [signer]));
    fc.assert(
      fc.property(fc.nat({ max: note.length - 1 }), fc.nat({ max: 7 }), (byte, bit) => {
        const changed = Buffer.from(note);
        changed[byte]! ^= 1 << bit;
        expect(openNote(changed.toString('utf8'), [signer.verifier])?.text ?? null).toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  test('that is not one is refused, whatever it is', () => {
    const note = signNote(text, [signer]);
    for (const broken of [
      '',
      '\n\n',
      text,
      note.slice(0, -1),
      note.replace('\n\n', '\n'),
      note.replace('— ', '- '),
      `${note}\n`,
      note + note,
    ])
      expect(openNote(broken, [signer.verifier]), JSON.stringify(broken)).toBeNull();
    expect(() => signNote('without an end', [signer])).toThrow(RangeError);
    expect(() => signNote('a\ttab\n', [signer])).toThrow(RangeError);
  });
});

describe('the key of a verifier', () => {
  test('reads as it was written, and no other spelling does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.stringMatching(/^[a-z0-9./_-]{1,40}$/), (key, name) => {
        const verifier = noteVerifier(name, key);
        expect(parseVerifier(formatVerifier(verifier))).toEqual(verifier);
        const [, id, rest] = formatVerifier(verifier).split('+');
        expect(parseVerifier(`${name}x+${id}+${rest}`)).toBeNull();
      }),
    );
    expect(() => noteVerifier('a b', randomBytes(32))).toThrow(RangeError);
    expect(() => noteVerifier('a', randomBytes(31))).toThrow(RangeError);
    expect(() => noteSigner('a', randomBytes(31))).toThrow(RangeError);
  });

  test('of the specification opens its note', () => {
    // The example of c2sp.org/signed-note.
    const verifier = parseVerifier('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW')!;
    const note =
      "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";
    expect(openNote(note, [verifier])?.text).toMatch(/^If you think/);
  });
});

describe('a checkpoint', () => {
  test('reads as it was written', () => {
    expect(text.split('\n')).toHaveLength(4);
    expect(parseCheckpoint(text)).toEqual(checkpoint);
    expect(parseCheckpoint(`${text}an extension\n`)).toEqual(checkpoint);
  });

  test('in another spelling is refused', () => {
    const [origin, size, root] = text.split('\n') as [string, string, string];
    for (const broken of [
      '',
      `${origin}\n${size}\n`,
      `\n${size}\n${root}\n`,
      `${origin}\n0${size}\n${root}\n`,
      `${origin}\n-1\n${root}\n`,
      `${origin}\n9007199254740993\n${root}\n`,
      `${origin}\n${size}\n${root.slice(0, -2)}\n`,
      `${origin}\n${size}\n${root}`,
      `${origin}\n${size}\n${root}\n\n`,
    ])
      expect(parseCheckpoint(broken), JSON.stringify(broken)).toBeNull();
  });
});

describe('a proof file', () => {
  test('reads as it was written', () => {
    const note = signNote(text, [signer, other]);
    const file = { index: 4, proof: [leafHash(Buffer.from('a')), leafHash(Buffer.from('b'))], checkpoint: note };
    expect(parseProofFile(formatProofFile(file))).toEqual(file);
    expect(parseProofFile(formatProofFile({ ...file, proof: [] }))).toEqual({ ...file, proof: [] });
    expect(parseProofFile(formatProofFile(file).replace('\nindex', '\nextra AAAA\nindex'))).toEqual(file);
    expect(parseProofFile(formatProofFile(file).replace('@v1', '@v2'))).toBeNull();
    expect(parseProofFile(formatProofFile(file).replace('index 4', 'index 04'))).toBeNull();
  });
});

const TESSERA = join(import.meta.dirname, '../../../../shared/vectors/tessera');

describe.skipIf(!existsSync(TESSERA))('the log of Tessera', () => {
  test('has the checkpoints and tiles that are made here of its entries', () => {
    const verifier = parseVerifier(readFileSync(join(TESSERA, 'vkey.txt'), 'utf8').trim())!;
    const entries = entriesOf(readFileSync(join(TESSERA, 'log/tile/entries/000.p/15')));
    expect(entries).toHaveLength(15);
    const frontier = Frontier.empty();
    const hashes: Buffer[] = [];
    for (let size = 0; size <= 15; size++) {
      const opened = openNote(readFileSync(join(TESSERA, `log/checkpoint.${size}`), 'utf8'), [verifier]);
      expect(parseCheckpoint(opened!.text)).toMatchObject({ size, root: frontier.root() });
      if (size > 0) expect(readFileSync(join(TESSERA, `log/tile/0/000.p/${size}`))).toEqual(Buffer.concat(hashes));
      if (size === 15) break;
      hashes.push(leafHash(entries[size]!));
      frontier.append(hashes.at(-1)!);
    }
  });
});

/** Entries of a bundle: each behind its length in two bytes. */
function entriesOf(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length; at += 2 + bundle.readUInt16BE(at))
    entries.push(bundle.subarray(at + 2, at + 2 + bundle.readUInt16BE(at)));
  return entries;
}

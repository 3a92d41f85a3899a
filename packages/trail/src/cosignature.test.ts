// Promises of cosignatures: what a witness signed is read as it said it, and nothing else is taken for its word.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  cosign,
  cosigner,
  cosigningKey,
  formatCheckpoint,
  formatCosigner,
  formatVerifier,
  leafHash,
  noteSigner,
  openNote,
  parseCosigner,
  parseVerifier,
  readCosignatures,
  signatureLine,
  signNote,
} from './index.ts';

const log = noteSigner('example.com/log', Buffer.alloc(32, 7));
const witness = cosigningKey('witness.example.com/w1', Buffer.alloc(32, 9));
const other = cosigningKey('witness.example.com/w2', Buffer.alloc(32, 11));
const text = formatCheckpoint({ origin: 'example.com/log', size: 20_852_163, root: leafHash(Buffer.from('root')) });
const TIME_S = 1_795_219_200;
const cosigned = signNote(text, [log]) + cosign(text, witness, TIME_S);

describe('a cosignature', () => {
  test('is read with the time that the witness gave, beside signatures of others', () => {
    const line = cosign(text, witness, TIME_S);
    const read = { cosigner: witness.cosigner, timeS: TIME_S, line };
    expect(readCosignatures(cosigned, [witness.cosigner])).toEqual([read]);
    expect(readCosignatures(cosigned + cosign(text, other, 1), [other.cosigner, witness.cosigner])).toEqual([
      { cosigner: other.cosigner, timeS: 1, line: cosign(text, other, 1) },
      read,
    ]);
    expect(readCosignatures(cosigned, [other.cosigner])).toEqual([]);
    expect(readCosignatures(`${text}\n`, [witness.cosigner])).toEqual([]);
  });

  test('leaves the signature of the log as it was', () => {
    expect(openNote(cosigned, [log.verifier])).toEqual({ text, signers: [log.verifier] });
  });

  test('with any bit of it or of the checkpoint changed is none', () => {
    const bytes = Buffer.from(`${text}\n${cosign(text, witness, TIME_S)}`);
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.nat({ max: 7 }), (byte, bit) => {
        const changed = Buffer.from(bytes);
        changed[byte]! ^= 1 << bit;
        expect(readCosignatures(changed.toString('utf8'), [witness.cosigner])).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test('is not a signature of the log, nor the other way round, though the key be the same', () => {
    const asLog = noteSigner(witness.cosigner.name, Buffer.alloc(32, 9));
    expect(readCosignatures(signNote(text, [asLog]), [witness.cosigner])).toEqual([]);
    expect(openNote(`${text}\n${cosign(text, witness, TIME_S)}`, [asLog.verifier])).toBeNull();
    // Under the right name and key id, but over the text alone.
    const bare = signNote(text, [asLog]).split(' ').at(-1)!;
    const signature = Buffer.concat([Buffer.alloc(8), Buffer.from(bare, 'base64').subarray(4)]);
    expect(readCosignatures(`${text}\n${signatureLine(witness.cosigner, signature)}`, [witness.cosigner])).toEqual([]);
  });
});

describe('the key of a witness', () => {
  test('reads as it was written, and no other spelling does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.stringMatching(/^[a-z0-9./_-]{1,40}$/), (key, name) => {
        const known = cosigner(name, key);
        expect(parseCosigner(formatCosigner(known))).toEqual(known);
        const [, id, ...rest] = formatCosigner(known).split('+');
        expect(parseCosigner(`${name}x+${id}+${rest.join('+')}`)).toBeNull();
      }),
    );
    expect(() => cosigner('a b', Buffer.alloc(32))).toThrow(RangeError);
    expect(() => cosigner('a', Buffer.alloc(31))).toThrow(RangeError);
    expect(() => cosigningKey('a', Buffer.alloc(31))).toThrow(RangeError);
  });

  test('is not taken for the key of a log, nor the other way round', () => {
    expect(parseVerifier(formatCosigner(witness.cosigner))).toBeNull();
    expect(parseCosigner(formatVerifier(log.verifier))).toBeNull();
  });
});

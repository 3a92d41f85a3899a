// Cosignatures (c2sp.org/tlog-cosignature, Ed25519): a witness says under a checkpoint that it has seen the log, when, and that it only ever grew.

import { sign, type KeyObject } from 'node:crypto';
import { formatKey, isSignedBy, keyIdOf, keyOfSeed, parseKey, SIGNATURE_BYTES, signatureLine, splitNote } from './note.ts';

const COSIGNATURE = 4;
const TIME_BYTES = 8;

/** A witness, as anybody may know it. */
export interface Cosigner {
  readonly name: string;
  /** The first four bytes of SHA-256(name, newline, algorithm, public key), in hex. */
  readonly keyId: string;
  /** The public key, 32 bytes. */
  readonly key: Buffer;
}

export interface Cosignature {
  readonly cosigner: Cosigner;
  /** When it was given, in Unix seconds, as the witness says. */
  readonly timeS: number;
  /** As it stands in a note, with its newline. */
  readonly line: string;
}

/** Throws a RangeError for a name that the format cannot hold. */
export function cosigner(name: string, publicKey: Uint8Array): Cosigner {
  return { name, keyId: keyIdOf(COSIGNATURE, name, publicKey), key: Buffer.from(publicKey) };
}

/** `name+keyid+base64`. */
export function formatCosigner({ name, keyId, key }: Cosigner): string {
  return formatKey(COSIGNATURE, name, keyId, key);
}

/** `null` for what is not the verifier key of a witness with an Ed25519 key. */
export function parseCosigner(text: string): Cosigner | null {
  const key = parseKey(COSIGNATURE, text);
  return key === null ? null : cosigner(key.name, key.publicKey);
}

/** The key of a seed of 32 bytes, and who it cosigns as. */
export function cosigningKey(name: string, seed: Uint8Array): { readonly cosigner: Cosigner; readonly key: KeyObject } {
  const { key, publicKey } = keyOfSeed(seed);
  return { cosigner: cosigner(name, publicKey), key };
}

/** The line that a witness adds to the note of a checkpoint. `text`: of the checkpoint. `timeS`: Unix seconds. */
export function cosign(text: string, signer: { readonly cosigner: Cosigner; readonly key: KeyObject }, timeS: number): string {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(timeS));
  return signatureLine(signer.cosigner, Buffer.concat([time, sign(null, Buffer.from(messageOf(text, timeS)), signer.key)]));
}

/** The cosignatures of a note that hold, the first of each of these witnesses. Those of others are left unread; the log's own signature too. */
export function readCosignatures(note: string, cosigners: readonly Cosigner[]): Cosignature[] {
  const parts = splitNote(note);
  if (parts === null) return [];
  return cosigners.flatMap((known) => {
    for (const { name, keyId, signature } of parts.signatures) {
      const timeS = name === known.name && keyId === known.keyId ? timeOf(parts.text, signature, known) : null;
      if (timeS !== null) return [{ cosigner: known, timeS, line: signatureLine(known, signature) }];
    }
    return [];
  });
}

/** `null`: not a cosignature of this text by this witness. */
function timeOf(text: string, signature: Buffer, { key }: Cosigner): number | null {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return null;
  const timeS = Number(signature.readBigUInt64BE());
  if (!Number.isSafeInteger(timeS)) return null;
  return isSignedBy({ publicKey: key }, messageOf(text, timeS), signature.subarray(TIME_BYTES)) ? timeS : null;
}

function messageOf(text: string, timeS: number): string {
  return `cosignature/v1\ntime ${timeS}\n${text}`;
}

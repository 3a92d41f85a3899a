// Signed notes (c2sp.org/signed-note): a text and Ed25519 signatures, each under a name.

import { createPrivateKey, createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
const SIGNATURES_MAX = 100;
const NOTE_BYTES_MAX = 1_000_000;
// DER around the 32 bytes of a key (RFC 8410).
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Who signs, as anybody may know it. */
export interface NoteVerifier {
  readonly name: string;
  /** The first four bytes of SHA-256(name, newline, algorithm, public key), in hex. */
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Buffer;
}

/** A text with the signatures that were checked. */
export interface OpenedNote {
  /** With its last newline. */
  readonly text: string;
  /** Those who signed it, of the verifiers that were given. */
  readonly signers: readonly NoteVerifier[];
}

/** Throws a RangeError for a name that the format cannot hold: empty, or with a space or a plus. */
export function noteVerifier(name: string, publicKey: Uint8Array): NoteVerifier {
  return { name, keyId: keyIdOf(ED25519, name, publicKey), publicKey: Buffer.from(publicKey) };
}

/** The first four bytes, in hex, of SHA-256(name, newline, algorithm, public key of 32 bytes). Throws as `noteVerifier` does. */
export function keyIdOf(algorithm: number, name: string, publicKey: Uint8Array): string {
  if (!isName(name)) throw new RangeError('the name of a key is neither empty nor has a space or a plus');
  if (publicKey.length !== KEY_BYTES) throw new RangeError('an Ed25519 public key has 32 bytes');
  const id = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(algorithm), publicKey]), 'buffer');
  return id.toString('hex', 0, KEY_ID_BYTES);
}

/** `name+keyid+base64`, as verifiers are given out. */
export function formatVerifier({ name, keyId, publicKey }: NoteVerifier): string {
  return formatKey(ED25519, name, keyId, publicKey);
}

/** `null` for what is not the verifier key of an Ed25519 key. */
export function parseVerifier(text: string): NoteVerifier | null {
  const key = parseKey(ED25519, text);
  return key === null ? null : noteVerifier(key.name, key.publicKey);
}

/** A verifier key of this algorithm. */
export function formatKey(algorithm: number, name: string, keyId: string, publicKey: Uint8Array): string {
  return `${name}+${keyId}+${Buffer.concat([Buffer.of(algorithm), publicKey]).toString('base64')}`;
}

/** `null` for what is not a verifier key of this algorithm with an Ed25519 key. */
export function parseKey(algorithm: number, text: string): { readonly name: string; readonly publicKey: Buffer } | null {
  const match = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text);
  if (match === null || !isName(match[1]!)) return null;
  const key = Buffer.from(match[3]!, 'base64');
  if (key.length !== KEY_BYTES + 1 || key[0] !== algorithm || key.toString('base64') !== match[3]) return null;
  const publicKey = key.subarray(1);
  return keyIdOf(algorithm, match[1]!, publicKey) === match[2] ? { name: match[1]!, publicKey } : null;
}

/** The key of a seed of 32 bytes, and who it signs as. */
export function noteSigner(name: string, seed: Uint8Array): { readonly verifier: NoteVerifier; readonly key: KeyObject } {
  const { key, publicKey } = keyOfSeed(seed);
  return { verifier: noteVerifier(name, publicKey), key };
}

/** Throws a RangeError unless the seed has 32 bytes. */
export function keyOfSeed(seed: Uint8Array): { readonly key: KeyObject; readonly publicKey: Buffer } {
  if (seed.length !== KEY_BYTES) throw new RangeError('the seed of an Ed25519 key has 32 bytes');
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { key, publicKey: spki.subarray(SPKI.length) };
}

/** The note of a text, which ends in a newline, with a signature by each signer. */
export function signNote(text: string, signers: readonly { readonly verifier: NoteVerifier; readonly key: KeyObject }[]): string {
  if (!isText(text)) throw new RangeError('the text of a note ends in a newline and has no control characters');
  const bytes = Buffer.from(text);
  const lines = signers.map(({ verifier, key }) => signatureLine(verifier, sign(null, bytes, key)));
  return `${text}\n${lines.join('')}`;
}

/** `— name base64`: a line of a note. `signature`: with what its kind puts before it. */
export function signatureLine({ name, keyId }: Pick<NoteVerifier, 'name' | 'keyId'>, signature: Uint8Array): string {
  return `— ${name} ${Buffer.concat([Buffer.from(keyId, 'hex'), signature]).toString('base64')}\n`;
}

/**
 * Checks a note. `null`: malformed, or signed by none of `verifiers`, or one of them is named by a signature that is not his. Signatures under
 * unknown keys are ignored, as the specification says.
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): OpenedNote | null {
  const parts = splitNote(note);
  if (parts === null) return null;
  const signers: NoteVerifier[] = [];
  for (const { name, keyId, signature } of parts.signatures) {
    const verifier = verifiers.find((known) => known.name === name && known.keyId === keyId);
    if (verifier === undefined || signers.includes(verifier)) continue;
    if (!isSignedBy(verifier, parts.text, signature)) return null;
    signers.push(verifier);
  }
  return signers.length === 0 ? null : { text: parts.text, signers };
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** The text and the signatures of a note, none of them checked; `null`: malformed. */
export function splitNote(note: string): { readonly text: string; readonly signatures: readonly NoteSignature[] } | null {
  if (Buffer.byteLength(note) > NOTE_BYTES_MAX) return null;
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  if (!isText(text)) return null;
  const lines = note.slice(end + 2, -1).split('\n');
  if (lines.length > SIGNATURES_MAX) return null;
  const signatures = lines.map(parseSignature);
  return signatures.every((signature) => signature !== null) ? { text, signatures } : null;
}

function parseSignature(line: string): NoteSignature | null {
  const match = /^— ([^ +]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line);
  if (match === null || !isName(match[1]!)) return null;
  const bytes = Buffer.from(match[2]!, 'base64');
  if (bytes.length <= KEY_ID_BYTES || bytes.toString('base64') !== match[2]) return null;
  return { name: match[1]!, keyId: bytes.toString('hex', 0, KEY_ID_BYTES), signature: bytes.subarray(KEY_ID_BYTES) };
}

/** True for an Ed25519 signature of `text` by this key. */
export function isSignedBy({ publicKey }: Pick<NoteVerifier, 'publicKey'>, text: string, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(text), key, signature);
}

function isName(name: string): boolean {
  return name !== '' && !/[\s+\p{Cc}]/u.test(name) && name.isWellFormed();
}

function isText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- the specification forbids exactly these
  return text.endsWith('\n') && !/[\u0000-\u0009\u000b-\u001f]/.test(text) && text.isWellFormed();
}

// Remembers the last checkpoint of the trail that was seen, and demands that the next grew out of it. Runs wherever WebCrypto knows Ed25519.

import { base64Bytes, base64Text, concat, hexText, isSame } from './bytes.ts';
import { SvcError } from './errors.ts';
import type { Audit } from './generated/resources.ts';
import type { EventProof } from './generated/types.ts';

/** What evidence can break. */
export type CheckpointRule =
  /** No key that is trusted has signed. */
  | 'unknown_key'
  /** A signature under a trusted key is not of this text. */
  | 'signature_mismatch'
  /** What came, or what was remembered, is not in its form. */
  | 'malformed'
  /** The log is shorter than it was. */
  | 'rollback'
  /** Another root for the same size. */
  | 'fork'
  /** It is not proved that the log goes on from what was seen. */
  | 'inconsistent'
  /** The log began anew, without what was seen; or it is another one. */
  | 'origin_changed'
  /** Of an event: its proof does not lead to the root. */
  | 'not_included'
  /** Of an event: what is disclosed is not what the log commits to. */
  | 'disclosure_mismatch';

/** What the service shows does not fit what it showed before, or what it signed. `rule` is stable, for programs. Keep both: they are evidence. */
export class CheckpointError extends SvcError {
  override readonly name = 'CheckpointError';
  readonly rule: CheckpointRule;

  constructor(rule: CheckpointRule, message: string) {
    super(message);
    this.rule = rule;
  }
}

/** Where a checkpoint memory keeps one text. `@svc/client/node` has one in a file. */
export interface CheckpointStore {
  /** `null`: nothing was saved yet. */
  load(): Promise<string | null> | string | null;
  save(text: string): Promise<void> | void;
}

/** For as long as the process runs. */
export class MemoryStore implements CheckpointStore {
  #text: string | null;

  constructor(text: string | null = null) {
    this.#text = text;
  }

  load(): string | null {
    return this.#text;
  }

  save(text: string): void {
    this.#text = text;
  }
}

/** State of a log, checked. */
export interface Checkpoint {
  /** Which log: `<deployment>/org/<org_id>`. */
  readonly origin: string;
  /** Leaves, which are events. */
  readonly size: number;
  /** Of the tree, in base64. */
  readonly root: string;
  /** As it was signed. */
  readonly note: string;
}

/** What a check came to. */
export interface CheckedCheckpoint extends Checkpoint {
  /** Nothing was remembered, so there was nothing to compare it with. */
  readonly isFirst: boolean;
}

interface Remembered {
  readonly keys: readonly string[];
  readonly note: string;
}

/**
 * A service that lies can show you one history and somebody else another. It cannot show you one that goes on from what you hold: so check
 * now and then, with the same store. `keys`: lines of `GET /v1/audit/keys` that you got by a way that you trust. Without them those that the
 * service has when it is first checked are trusted from then on, which does not protect from one that lied that first time.
 */
export class CheckpointMemory {
  readonly #store: CheckpointStore;
  readonly #keys: readonly string[] | null;
  #turn: Promise<unknown> = Promise.resolve();

  /** Throws a `SvcError` for a key that is none, and for a list without any: an empty file must not come to trust whoever answers. */
  constructor(store: CheckpointStore, keys?: readonly string[] | null) {
    this.#store = store;
    this.#keys = keys?.map((key) => key.trim()).filter((key) => key !== '') ?? null;
    if (this.#keys?.length === 0)
      throw new SvcError('keys is empty. Leave it out to trust those of the service at its first check.');
    const wrong = this.#keys?.find((key) => splitKey(key) === null);
    if (wrong !== undefined)
      throw new SvcError(`Not a verifier key: ${JSON.stringify(wrong)}. It is <name>+<8 hex digits>+<base64>.`);
  }

  /**
   * Reads the latest checkpoint, holds it against the one that is remembered, and remembers it. Rejects with a `CheckpointError`, or what a
   * request failed with; what is remembered then stays as it is. One check at a time: others wait for their turn.
   */
  check(client: { readonly audit: Pick<Audit, 'getCheckpoint' | 'listKeys' | 'proveConsistency'> }): Promise<CheckedCheckpoint> {
    const checked = this.#turn.then(() => this.#check(client.audit));
    this.#turn = checked.catch(() => {});
    return checked;
  }

  async #check(audit: Pick<Audit, 'getCheckpoint' | 'listKeys' | 'proveConsistency'>): Promise<CheckedCheckpoint> {
    const text = await this.#store.load();
    const remembered = text === null ? null : rememberedOf(text);
    const keys = this.#keys ?? remembered?.keys ?? (await keysInForce(audit));
    const checkpoint = await openCheckpoint(await audit.getCheckpoint(), keys);
    if (remembered !== null) await requireGrowth(parseCheckpoint(remembered.note), checkpoint, audit);
    await this.#store.save(JSON.stringify({ keys, note: checkpoint.note } satisfies Remembered));
    return { ...checkpoint, isFirst: remembered === null };
  }
}

/** What a proof shows, once it is checked. */
export interface ProvedEvent {
  /** Of the log: the event is its leaf `sequence` − 1. */
  readonly checkpoint: Checkpoint;
  readonly eventId: string;
  readonly sequence: number;
  /** What the log holds of the event. What it commits to without telling is in `disclosed`. */
  readonly envelope: Readonly<Record<string, unknown>>;
  /** By name: `subject`, `data`, … Only what the proof brought along. */
  readonly disclosed: Readonly<Record<string, unknown>>;
}

/**
 * Checks the answer of `GET /v1/events/{event_id}/proof`, as `svc-verify` does: the envelope is the leaf, the leaf is in the tree, the tree is signed
 * by one of `keys`, and what is disclosed is what the leaf commits to. Rejects with a `CheckpointError`. It does not show that others see the same
 * log: that is what a `CheckpointMemory` is for.
 */
export async function verifyEventProof(proof: EventProof, keys: readonly string[]): Promise<ProvedEvent> {
  const checkpoint = await openCheckpoint(proof.checkpoint, keys);
  const root = base64Bytes(checkpoint.root)!;
  const leaf = await sha256(Uint8Array.of(0), utf8.encode(proof.envelope));
  const hashes = hashesOf(proof.hashes);
  const isIncludedThere =
    hashes !== null &&
    proof.tree_size === checkpoint.size &&
    proof.root === checkpoint.root &&
    proof.leaf_hash === base64Text(leaf) &&
    (await isIncluded(leaf, proof.leaf_index, checkpoint.size, hashes, root));
  if (!isIncludedThere) throw broken('not_included', 'The proof does not lead from the envelope to the root that was signed.');
  const envelope = objectOf(proof.envelope);
  if (
    envelope === null ||
    envelope['id'] !== proof.event_id ||
    envelope['sequence'] !== proof.leaf_index + 1 ||
    proof.sequence !== proof.leaf_index + 1
  )
    throw broken('malformed', 'The envelope is of another event than it is said to be.');
  const disclosed = await disclosedOf(proof.disclosures, envelope['private']);
  return { checkpoint, eventId: proof.event_id, sequence: proof.sequence, envelope, disclosed };
}

const utf8 = new TextEncoder();
const HASH_BYTES = 32;
const ED25519 = 1;
const SIGNATURE_BYTES = 64;
const NOTE_CHARS_MAX = 1_000_000;
const SIGNATURES_MAX = 100;

function broken(rule: CheckpointRule, message: string): CheckpointError {
  return new CheckpointError(rule, message);
}

function rememberedOf(text: string): Remembered {
  const { keys, note } = objectOf(text) ?? {};
  const isKeys = Array.isArray(keys) && keys.length > 0 && keys.every((key) => typeof key === 'string' && splitKey(key) !== null);
  // To take it for nothing would be to forget what was seen.
  if (!isKeys || typeof note !== 'string')
    throw broken('malformed', 'What the store holds is not what a checkpoint memory has written.');
  return { keys: keys as string[], note };
}

/** One that signs no more need not be believed from now on. */
async function keysInForce(audit: Pick<Audit, 'listKeys'>): Promise<string[]> {
  const { keys } = await audit.listKeys();
  return keys.filter(({ status }) => status !== 'retired').map(({ verifier_key: key }) => key);
}

/** Throws unless the log of `now` goes on from `before`. */
async function requireGrowth(before: Checkpoint, now: Checkpoint, audit: Pick<Audit, 'proveConsistency'>): Promise<void> {
  const isSameOrigin = before.origin === now.origin;
  if (logOf(before.origin) !== logOf(now.origin))
    throw broken('origin_changed', `The log that was seen is ${before.origin}; ${now.origin} is another one.`);
  // After a restore a log has a new name; whether it still holds what was seen is all that counts.
  const fault = (rule: CheckpointRule, message: string) =>
    isSameOrigin
      ? broken(rule, message)
      : broken(
          'origin_changed',
          `The log was ${before.origin} and is ${now.origin}, which does not hold what was seen: ${message}`,
        );
  if (now.size < before.size) throw fault('rollback', `The log had ${before.size} events and has ${now.size}.`);
  if (now.size === before.size) {
    if (now.root !== before.root) throw fault('fork', `The log has two histories of ${now.size} events, and both are signed.`);
    return;
  }
  const proof = hashesOf((await audit.proveConsistency({ from: before.size, to: now.size })).hashes);
  const roots = [before.root, now.root].map((root) => base64Bytes(root)!) as [Uint8Array, Uint8Array];
  if (proof === null || !(await isConsistent(before.size, roots[0], now.size, roots[1], proof)))
    throw fault(
      'inconsistent',
      `It is not proved that the log of ${now.size} events begins with the ${before.size} that were seen.`,
    );
}

/** `<log>/<epoch>-<8 hex digits>` is the log, begun anew. */
function logOf(origin: string): string {
  return origin.replace(/\/(?:[2-9]|[1-9]\d{1,8})-[0-9a-f]{8}$/, '');
}

// ── Signed notes (c2sp.org/signed-note) and checkpoints (c2sp.org/tlog-checkpoint) ──

/** The checkpoint of a note that a key of its log has signed. A key counts for all origins of its log. */
async function openCheckpoint(note: string, keys: readonly string[]): Promise<Checkpoint> {
  const checkpoint = parseCheckpoint(note);
  const { origin } = checkpoint;
  const { text, signatures } = splitNote(note)!;
  const known = await keysFor(origin, keys);
  let isSigned = false;
  for (const { name, keyId, signature } of signatures) {
    const publicKey = name === origin ? known.get(keyId) : undefined;
    if (publicKey === undefined) continue;
    if (!(await isSignedBy(publicKey, utf8.encode(text), signature)))
      throw broken('signature_mismatch', `The signature of ${origin} by key ${keyId} is not of this checkpoint.`);
    isSigned = true;
  }
  if (!isSigned)
    throw broken('unknown_key', `No key that is trusted has signed the checkpoint of ${origin}. Was the key exchanged?`);
  return checkpoint;
}

/** Public keys by the id that they sign under as this origin. */
async function keysFor(origin: string, keys: readonly string[]): Promise<ReadonlyMap<string, Uint8Array<ArrayBuffer>>> {
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const key of keys) {
    const parts = splitKey(key);
    if (parts === null) throw broken('malformed', `Not a verifier key: ${JSON.stringify(key)}.`);
    if ((await keyIdOf(parts.name, parts.publicKey)) !== parts.keyId)
      throw broken(
        'malformed',
        `The id of the verifier key ${JSON.stringify(key)} is not of its name and bytes: was it cut or changed?`,
      );
    if (logOf(parts.name) === logOf(origin)) found.set(await keyIdOf(origin, parts.publicKey), parts.publicKey);
  }
  return found;
}

/** `null` for what is not the verifier key of an Ed25519 key. Its id is not checked. */
function splitKey(
  key: string,
): { readonly name: string; readonly keyId: string; readonly publicKey: Uint8Array<ArrayBuffer> } | null {
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(key);
  const bytes = base64Bytes(match?.[3] ?? '');
  if (match === null || bytes?.length !== HASH_BYTES + 1 || bytes[0] !== ED25519) return null;
  return { name: match[1]!, keyId: match[2]!, publicKey: bytes.slice(1) };
}

async function keyIdOf(name: string, publicKey: Uint8Array): Promise<string> {
  return hexText((await sha256(utf8.encode(`${name}\n`), Uint8Array.of(ED25519), publicKey)).subarray(0, 4));
}

async function isSignedBy(
  publicKey: Uint8Array<ArrayBuffer>,
  text: Uint8Array<ArrayBuffer>,
  signature: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (signature.length !== SIGNATURE_BYTES) return false;
  try {
    const key = await crypto.subtle.importKey('raw', publicKey, 'Ed25519', false, ['verify']);
    return await crypto.subtle.verify('Ed25519', key, signature, text);
  } catch (err) {
    if (err instanceof DOMException && err.name === 'NotSupportedError')
      throw new SvcError('This platform cannot check Ed25519 signatures.', { cause: err });
    return false;
  }
}

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly signature: Uint8Array<ArrayBuffer>;
}

/** Nothing of it is checked yet but its form. */
function splitNote(note: string): { readonly text: string; readonly signatures: readonly NoteSignature[] } | null {
  const end = note.lastIndexOf('\n\n');
  if (note.length > NOTE_CHARS_MAX || end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2, -1).split('\n');
  // oxlint-disable-next-line no-control-regex -- the specification forbids exactly these
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text) || lines.length > SIGNATURES_MAX) return null;
  const signatures = lines.map(signatureOf);
  return signatures.every((signature) => signature !== null) ? { text, signatures } : null;
}

function signatureOf(line: string): NoteSignature | null {
  const match = /^— ([^\s+]+) (\S+)$/u.exec(line);
  const bytes = base64Bytes(match?.[2] ?? '');
  if (match === null || bytes === null || bytes.length <= 4) return null;
  return { name: match[1]!, keyId: hexText(bytes.subarray(0, 4)), signature: bytes.slice(4) };
}

/** Throws for a note that is not of a checkpoint. Does not look at who signed. */
function parseCheckpoint(note: string): Checkpoint {
  const [origin, size, root, ...rest] = splitNote(note)?.text.split('\n') ?? [];
  const isWhole = origin !== undefined && origin !== '' && rest.at(-1) === '' && !rest.slice(0, -1).includes('');
  if (!isWhole || !/^(?:0|[1-9]\d{0,15})$/.test(size ?? '') || !Number.isSafeInteger(Number(size)) || hashesOf([root]) === null)
    throw broken('malformed', 'It is not a checkpoint: origin, size and root, an empty line, and signatures.');
  return { origin, size: Number(size), root: root!, note };
}

// ── Proofs (RFC 9162 §2.1) ──

/** `null` unless all are hashes in base64. */
function hashesOf(hashes: unknown): Uint8Array<ArrayBuffer>[] | null {
  if (!Array.isArray(hashes)) return null;
  const bytes = hashes.map((hash) => {
    const one = typeof hash === 'string' ? base64Bytes(hash) : null;
    // Only one text stands for a hash.
    return one?.length === HASH_BYTES && base64Text(one) === hash ? one : null;
  });
  return bytes.every((one) => one !== null) ? bytes : null;
}

/** §2.1.3.2: `leaf`, a hash, is the `index`-th of the tree of `size` with this root. */
async function isIncluded(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): Promise<boolean> {
  if (!Number.isSafeInteger(index) || index < 0 || index >= size) return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = await nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = await nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(hash, root);
}

/** §2.1.4.2: the tree of `newSize`, which is larger, has that of `oldSize` as its beginning. */
async function isConsistent(
  oldSize: number,
  oldRoot: Uint8Array,
  newSize: number,
  newRoot: Uint8Array,
  proof: readonly Uint8Array[],
): Promise<boolean> {
  if (oldSize === 0) return proof.length === 0 && isSame(oldRoot, await sha256());
  const path = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  if (path.length === 0) return false;
  let [node, last] = [oldSize - 1, newSize - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [oldHash, newHash] = [path[0]!, path[0]!];
  for (const sibling of path.slice(1)) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      [oldHash, newHash] = [await nodeHash(sibling, oldHash), await nodeHash(sibling, newHash)];
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else newHash = await nodeHash(newHash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(oldHash, oldRoot) && isSame(newHash, newRoot);
}

function nodeHash(left: Uint8Array, right: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  return sha256(Uint8Array.of(1), left, right);
}

async function sha256(...parts: readonly Uint8Array[]): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(...parts)));
}

function isOdd(n: number): boolean {
  return n % 2 === 1;
}

// Sizes go beyond the 32 bits that shifts have.
function half(n: number): number {
  return Math.floor(n / 2);
}

function isPowerOfTwo(n: number): boolean {
  return 2 ** Math.round(Math.log2(n)) === n;
}

// ── What an event's leaf commits to ──

/** Values by name. A disclosure is `["salt","name",value]`, and its SHA-256 is among the digests, once. */
async function disclosedOf(disclosures: readonly string[], digests: unknown): Promise<Record<string, unknown>> {
  const left = new Set(Array.isArray(digests) ? (digests as unknown[]) : []);
  const disclosed = new Map<string, unknown>();
  for (const text of disclosures) {
    const parts = jsonOf(text);
    const name: unknown = Array.isArray(parts) && parts.length === 3 ? parts[1] : undefined;
    const isCommitted = left.delete(base64Text(await sha256(utf8.encode(text))));
    if (typeof name !== 'string' || disclosed.has(name) || !isCommitted)
      throw broken('disclosure_mismatch', 'What is disclosed is not what the log commits to.');
    disclosed.set(name, (parts as unknown[])[2]);
  }
  return Object.fromEntries(disclosed);
}

function objectOf(text: string): Record<string, unknown> | null {
  const value = jsonOf(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

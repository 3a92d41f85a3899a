#!/usr/bin/env node
// @ts-check
// Checks evidence of an audit trail offline, and trusts nothing but the keys and checkpoints that whoever checks brings along. One file, no
// dependencies, Node.js 18 or newer. What it checks, and how: docs/reference/evidence.md.
//
//   node svc-verify.mjs bundle.zip --key <verifier key> --held last-checkpoint.txt
//
// To audit this file read `BundleCheck.decide`: it decides. `Naming` comes after it and says where a fault is; it can add faults, never take one away.
// The checking itself touches neither files nor processes: a browser page can import this file, give `usePlatform` its hashing, and call
// `verifyBundle` and `verifyProof`.

const VERSION = '1.1.0';

// ── What is found ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Every fault that there is, with what it says of the evidence: it is wrong, it is signed wrongly, or something needed is not there. */
const FAULTS = /** @type {const} */ ({
  changed: 'wrong',
  missing: 'wrong',
  inserted: 'wrong',
  reordered: 'wrong',
  truncated: 'wrong',
  misnumbered: 'wrong',
  malformed: 'wrong',
  'bad-disclosure': 'wrong',
  'unexplained-erasure': 'wrong',
  contradiction: 'wrong',
  'altered-hash': 'wrong',
  'bad-range': 'wrong',
  'not-included': 'wrong',
  'damaged-file': 'wrong',
  'unlisted-file': 'wrong',
  'wrong-manifest': 'wrong',
  'wrong-log': 'wrong',
  forked: 'wrong',
  'rolled-back': 'wrong',
  unproven: 'wrong',
  restarted: 'wrong',
  'bad-anchor': 'wrong',
  'bad-signature': 'unsigned',
  'unknown-key': 'unsigned',
  'unvouched-key': 'unsigned',
  'missing-file': 'incomplete',
  'missing-consistency': 'incomplete',
  'missing-cosignature': 'incomplete',
  'missing-leaf': 'incomplete',
  unreadable: 'incomplete',
  'unknown-format': 'incomplete',
});

/** @typedef {keyof typeof FAULTS} FaultName */
/** @typedef {'ok' | 'wrong' | 'unsigned' | 'incomplete'} Verdict */

/** The exit code of each verdict; 64 is for a command that cannot be understood. */
export const EXIT_CODES = /** @type {const} */ ({ ok: 0, wrong: 1, unsigned: 2, incomplete: 3 });
const USAGE = 64;
/** A wrong signature leaves nothing to be judged; what is wrong weighs more than what is not there. */
const WEIGHTS = { ok: 0, incomplete: 1, wrong: 2, unsigned: 3 };

/**
 * Where a fault is, as narrowly as it is known: an event, else the run of leaves `[from, to)`, and the file (and its line, from 0).
 * @typedef {{ index?: number, id?: string, from?: number, to?: number, file?: string, line?: number }} Place
 */
/** @typedef {{ fault: FaultName, message: string } & Place} Fault */
/** @typedef {{ origin: string, size: number, root: Uint8Array, text: string, note: string }} Checkpoint */
/** @typedef {{ name: string, keyId: string, type: number, publicKey: Uint8Array }} Key */
/** @typedef {{ name: string, key_id: string, vouched: boolean }} Signer */

/**
 * What was found. `faults` holds the first two hundred of each name, `faults_total` counts all. `events.disclosed` counts events of which something
 * may be disclosed, `disclosures` values: disclosed and right, kept back, erased (as the service says).
 * @typedef {object} Report
 * @property {Verdict} verdict
 * @property {number} exit_code
 * @property {'bundle' | 'proof'} kind
 * @property {string | null} origin
 * @property {string | null} org_id
 * @property {number | null} tree_size
 * @property {string | null} root base64
 * @property {Signer[]} signers
 * @property {{ from: number, to: number } | null} range
 * @property {{ present: number, disclosed: number, missing: number, first_recorded_at: string | null, last_recorded_at: string | null }} events
 * @property {{ disclosed: number, undisclosed: number, erased: number }} disclosures
 * @property {{ origin: string, size: number, result: string }[]} held
 * @property {{ origin: string, size: number, anchored_size: number, witnesses: { name: string, cosigned_at: string }[] } | null} anchor
 * @property {Fault[]} faults
 * @property {number} faults_total
 * @property {string[]} notices
 * @property {string[]} not_checked what a verdict of `ok` does not say
 * @property {object | null} claims what the manifest says and nothing vouches for
 * @property {string[]} misbehaviour two signed checkpoints that contradict each other, as notes
 */

/**
 * What whoever checks brings along.
 * @typedef {object} Options
 * @property {readonly string[]} [keys] verifier keys of the log
 * @property {boolean} [trustBundleKeys] believe the keys that are in the bundle
 * @property {readonly string[]} [held] checkpoints that were seen before: signed notes
 * @property {readonly unknown[]} [consistency] answers of GET /v1/audit/consistency, parsed
 * @property {readonly string[]} [witnesses] verifier keys of witnesses, each of which must have cosigned
 * @property {Uint8Array} [leaf] the leaf of a proof file, which does not hold it
 */

/**
 * A bundle: its files by name. `from`: the first byte that is wanted.
 * @typedef {{ names: readonly string[], size(name: string): number, open(name: string, from?: number): AsyncIterable<Uint8Array> }} Source
 */

/** Of one name, so that those of a line do not hide those of the log. */
const FAULTS_OF_A_NAME_MAX = 200;

class Findings {
  /** @type {Report} */
  report;
  /** @type {Map<FaultName, number>} */
  #counts = new Map();

  /** @param {'bundle' | 'proof'} kind */
  constructor(kind) {
    this.report = {
      verdict: 'ok',
      exit_code: 0,
      kind,
      origin: null,
      org_id: null,
      tree_size: null,
      root: null,
      signers: [],
      range: null,
      events: { present: 0, disclosed: 0, missing: 0, first_recorded_at: null, last_recorded_at: null },
      disclosures: { disclosed: 0, undisclosed: 0, erased: 0 },
      held: [],
      anchor: null,
      faults: [],
      faults_total: 0,
      notices: [],
      not_checked: [],
      claims: null,
      misbehaviour: [],
    };
  }

  /** @param {FaultName} fault @param {string} message @param {Place} [place] */
  add(fault, message, place = {}) {
    const { report } = this;
    report.faults_total++;
    const count = (this.#counts.get(fault) ?? 0) + 1;
    this.#counts.set(fault, count);
    if (count <= FAULTS_OF_A_NAME_MAX) report.faults.push({ fault, message, ...place });
    this.settle(FAULTS[fault]);
  }

  /** From here on it is at least as bad. @param {Verdict} verdict */
  settle(verdict) {
    if (WEIGHTS[verdict] > WEIGHTS[this.report.verdict]) this.report.verdict = verdict;
    this.report.exit_code = EXIT_CODES[this.report.verdict];
  }

  /** @param {string} notice */
  note(notice) {
    this.report.notices.push(notice);
  }

  /** Nothing that a hostile file makes this program do ends without a fault. @param {() => Promise<void>} check @returns {Promise<Report>} */
  async of(check) {
    try {
      await check();
    } catch (err) {
      const reason =
        err instanceof Unreadable
          ? err.message
          : `It cannot be read: ${String(err instanceof Error ? err.message : err).slice(0, 200)}`;
      this.add('unreadable', reason);
    }
    return this.report;
  }
}

/** Why evidence cannot be read. */
class Unreadable extends Error {}

/** A key, a checkpoint or an argument of who checks that is none. */
export class UsageError extends RangeError {}

// ── Where it runs ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * What the checks need and JavaScript has not: SHA-256, Ed25519 and inflating.
 * @typedef {object} Platform
 * @property {(...parts: Uint8Array[]) => Uint8Array} sha256
 * @property {() => { update(bytes: Uint8Array): void, digest(): Uint8Array }} createSha256
 * @property {(publicKey: Uint8Array, bytes: Uint8Array, signature: Uint8Array) => boolean | Promise<boolean>} verifyEd25519
 * @property {(compressed: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>} inflateRaw
 */

/** @type {Platform} */
let platform;

/** What to hash, verify and inflate with, where this does not run on Node.js. @param {Platform} given */
export function usePlatform(given) {
  platform = given;
}

const isNode = typeof process === 'object' && process?.versions?.node !== undefined;
if (isNode) platform = await nodePlatform();

/** @returns {Promise<Platform>} */
async function nodePlatform() {
  const [{ createHash, createPublicKey, verify, hash }, { createInflateRaw }, { pipeline, Readable }] = await Promise.all([
    import('node:crypto'),
    import('node:zlib'),
    import('node:stream'),
  ]);
  const spki = Buffer.from('302a300506032b6570032100', 'hex'); // DER before the 32 bytes of a key (RFC 8410)
  return {
    // Where it is there (from Node.js 20.12) the one call is twice as fast.
    sha256:
      typeof hash === 'function'
        ? (...parts) => hash('sha256', parts.length === 1 ? /** @type {Uint8Array} */ (parts[0]) : Buffer.concat(parts), 'buffer')
        : (...parts) => {
            const sha256 = createHash('sha256');
            for (const part of parts) sha256.update(part);
            return sha256.digest();
          },
    createSha256: () => createHash('sha256'),
    verifyEd25519: (publicKey, bytes, signature) =>
      verify(null, bytes, createPublicKey({ key: Buffer.concat([spki, publicKey]), format: 'der', type: 'spki' }), signature),
    inflateRaw: (compressed) => pipeline(Readable.from(compressed), createInflateRaw({ chunkSize: 65_536 }), () => {}),
  };
}

// ── Bytes and texts ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const utf8 = new TextEncoder();
const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const HASH_BYTES = 32;

/** @param {Uint8Array} one @param {Uint8Array} other */
function isSame(one, other) {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return false;
  return true;
}

/** @param {Uint8Array} bytes */
function textOf(bytes) {
  return strictUtf8.decode(bytes);
}

/** @param {Uint8Array} bytes */
function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** @param {Uint8Array} bytes */
function base64(bytes) {
  if (isNode) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return btoa(String.fromCharCode(...bytes));
}

/** Strict: the one spelling of these bytes, or `null`. @param {unknown} text @returns {Uint8Array | null} */
function bytesOf(text) {
  if (typeof text !== 'string' || !/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return null;
  const bytes = isNode ? Buffer.from(text, 'base64') : Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  return base64(bytes) === text ? bytes : null;
}

/** @param {unknown} text @returns {Uint8Array | null} */
function hashOf(text) {
  const bytes = bytesOf(text);
  return bytes?.length === HASH_BYTES ? bytes : null;
}

/** @param {unknown} texts @returns {Uint8Array[] | null} */
function hashesOf(texts) {
  if (!Array.isArray(texts) || texts.length > 64) return null;
  const hashes = texts.map(hashOf);
  return hashes.every((hash) => hash !== null) ? hashes : null;
}

/** Text that is not UTF-8 becomes one that says nothing. @param {Uint8Array} bytes */
function decoded(bytes) {
  try {
    return textOf(bytes);
  } catch {
    return '';
  }
}

/** `undefined`: it is not JSON. @param {string} text @returns {any} */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {unknown} value */
function brief(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

/** @param {unknown} value @returns {value is Record<string, any>} */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @param {unknown} n @returns {n is number} */
function isCount(n) {
  return typeof n === 'number' && Number.isSafeInteger(n) && n >= 0;
}

/** JSON of two values, whatever the order of their members. @param {unknown} one @param {unknown} other @returns {boolean} */
function isEqual(one, other) {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((value, i) => isEqual(value, other[i]));
  if (!isObject(one) || !isObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqual(one[name], other[name]))
  );
}

// ── The tree: RFC 6962 ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const LEAF = Uint8Array.of(0);
/** Where two hashes are put together to be hashed: once for each event. */
const PAIR = new Uint8Array(1 + 2 * HASH_BYTES).fill(1, 0, 1);

/** @param {Uint8Array} leaf */
export function leafHash(leaf) {
  return platform.sha256(LEAF, leaf);
}

/** @param {Uint8Array} left @param {Uint8Array} right */
export function nodeHash(left, right) {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) throw new RangeError('a hash has 32 bytes');
  PAIR.set(left, 1);
  PAIR.set(right, 1 + HASH_BYTES);
  return platform.sha256(PAIR);
}

function emptyRoot() {
  return platform.sha256(new Uint8Array());
}

/** @param {number} n */
function half(n) {
  return Math.floor(n / 2);
}

/**
 * True when `leaf` (its hash) is the `index`-th of the tree of `size` with this root: RFC 9162 §2.1.3.2.
 * @param {Uint8Array} leaf @param {number} index @param {number} size @param {readonly Uint8Array[]} proof @param {Uint8Array} root
 */
export function isIncluded(leaf, index, size, proof, root) {
  if (!isCount(index) || !isCount(size) || index >= size || [leaf, root, ...proof].some((hash) => hash.length !== HASH_BYTES))
    return false;
  let [node, last, hash] = [index, size - 1, leaf];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(hash, root);
}

/**
 * True when the tree of `newSize` begins with that of `oldSize`: RFC 9162 §2.1.4.2. The empty tree begins every one, by the empty proof.
 * @param {number} oldSize @param {Uint8Array} oldRoot @param {number} newSize @param {Uint8Array} newRoot @param {readonly Uint8Array[]} proof
 */
export function isConsistent(oldSize, oldRoot, newSize, newRoot, proof) {
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize) return false;
  if ([oldRoot, newRoot, ...proof].some((hash) => hash.length !== HASH_BYTES)) return false;
  if (oldSize === newSize) return proof.length === 0 && isSame(oldRoot, newRoot);
  if (oldSize === 0) return proof.length === 0 && isSame(oldRoot, emptyRoot());
  let [node, last] = [oldSize - 1, newSize - 1];
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  const [first, ...path] = node === 0 ? [oldRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [oldHash, newHash] = [first, first];
  for (const sibling of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      [oldHash, newHash] = [nodeHash(sibling, oldHash), nodeHash(sibling, newHash)];
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else newHash = nodeHash(newHash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && isSame(oldHash, oldRoot) && isSame(newHash, newRoot);
}

/** Leaves of a tile: its hash stands one level of tiles above them. */
const TILE = 256;

/** Hashes `[first, first + count)` of a level of tiles. */
class Level {
  /** @type {Uint8Array} */
  #bytes = new Uint8Array(TILE * HASH_BYTES);
  count = 0;

  /** @param {number} first @param {Uint8Array} [bytes] */
  constructor(first, bytes) {
    this.first = first;
    if (bytes !== undefined) [this.#bytes, this.count] = [bytes, bytes.length / HASH_BYTES];
  }

  /** @param {Uint8Array} hash */
  push(hash) {
    if ((this.count + 1) * HASH_BYTES > this.#bytes.length) {
      const grown = new Uint8Array(this.#bytes.length * 2);
      grown.set(this.#bytes);
      this.#bytes = grown;
    }
    this.#bytes.set(hash, this.count++ * HASH_BYTES);
  }

  /** @param {number} index */
  has(index) {
    return index >= this.first && index < this.first + this.count;
  }

  /** @param {number} index */
  at(index) {
    const at = (index - this.first) * HASH_BYTES;
    return this.#bytes.subarray(at, at + HASH_BYTES);
  }

  /** The hash over the 256 below a node. @param {number} parent @returns {Uint8Array | null} */
  fold(parent) {
    if (!this.has(parent * TILE) || !this.has(parent * TILE + TILE - 1)) return null;
    let hashes = Array.from({ length: TILE }, (_, i) => this.at(parent * TILE + i));
    while (hashes.length > 1)
      hashes = Array.from({ length: hashes.length / 2 }, (_, i) =>
        nodeHash(/** @type {Uint8Array} */ (hashes[2 * i]), /** @type {Uint8Array} */ (hashes[2 * i + 1])),
      );
    return hashes[0] ?? null;
  }
}

/** A run of leaves of a tree, and the hashes beside it. @typedef {{ from: number, to: number, size: number, left: readonly Uint8Array[], right: readonly Uint8Array[] }} Run */

/** Grows a tree from its left edge: the subtrees before a run, then the run, in order, then those behind it. Keeps what is needed of it. */
class Fold {
  /** @type {Uint8Array[]} */
  #stack = [];
  #run;
  #wanted;
  /** Leaves so far. */
  size = 0;
  /** Roots of the tree at the sizes that are wanted. @type {Map<number, Uint8Array>} */
  roots = new Map();
  /** Hashes of tiles that lie wholly in the run, by their level. @type {Level[]} */
  levels = [];
  /** Leaves of the run that lie in no such tile. @type {Map<number, Uint8Array>} */
  edges = new Map();

  /** @param {Run} run @param {ReadonlySet<number>} [wanted] */
  constructor(run, wanted = new Set()) {
    this.#run = run;
    this.#wanted = wanted;
    leftLevels(run.from).forEach((level, i) => this.push(level, /** @type {Uint8Array} */ (run.left[i])));
  }

  /** A whole subtree over `2 ** level` leaves. @param {number} level @param {Uint8Array} hash */
  push(level, hash) {
    const { from, to } = this.#run;
    const at = this.size;
    if (level === 0 && at >= from && at < to && isEdge(at, from, to)) this.edges.set(at, hash);
    let [height, node, index] = [level, hash, at / 2 ** level];
    this.size += 2 ** level;
    for (;;) {
      if (height > 0 && height % 8 === 0 && index * 2 ** height >= from && (index + 1) * 2 ** height <= to)
        (this.levels[height / 8] ??= new Level(index)).push(node);
      const left = index % 2 === 1 ? this.#stack.pop() : undefined;
      if (left === undefined) break;
      [height, node, index] = [height + 1, nodeHash(left, node), half(index)];
    }
    this.#stack.push(node);
    if (this.#wanted.has(this.size)) this.roots.set(this.size, this.root());
  }

  /** The root with what is behind the run; `null`: the run did not come to its end. @returns {Uint8Array | null} */
  finish() {
    const { to, size, right } = this.#run;
    if (this.size !== to) return null;
    rightLeaves(to, size).forEach((leaves, i) => {
      const [hash, level] = [/** @type {Uint8Array} */ (right[i]), Math.round(Math.log2(leaves))];
      if (2 ** level === leaves) return this.push(level, hash);
      // The end of a tree that is not whole merges with nothing.
      this.size += leaves;
      this.#stack.push(hash);
    });
    return this.root();
  }

  root() {
    return this.#stack.length === 0 ? emptyRoot() : this.#stack.reduceRight((right, left) => nodeHash(left, right));
  }
}

/** Whether a leaf of a run lies in no tile that is wholly in the run. @param {number} index @param {number} from @param {number} to */
function isEdge(index, from, to) {
  const begin = Math.floor(index / TILE) * TILE;
  return begin < from || begin + TILE > to;
}

/** The levels of the whole subtrees of `[0, size)`, from the left. @param {number} size */
function leftLevels(size) {
  const levels = [];
  for (let level = 52; level >= 0; level--) if (Math.floor(size / 2 ** level) % 2 === 1) levels.push(level);
  return levels;
}

/** How many leaves each subtree to the right of `at` has, in a tree of `size`. @param {number} at @param {number} size */
function rightLeaves(at, size) {
  const leaves = [];
  for (let from = at; from < size; from += leaves[leaves.length - 1] ?? size) {
    let bit = 1;
    while (bit < size && from % (bit * 2) === 0) bit *= 2;
    leaves.push(Math.min(bit, size - from));
  }
  return leaves;
}

// ── Notes, keys and checkpoints: C2SP signed-note, tlog-checkpoint, tlog-cosignature ───────────────────────────────────────────────────────────

const ED25519 = 1;
const COSIGNATURE = 4;
const NOTE_BYTES_MAX = 1_000_000;

/** @param {string} name @param {number} type @param {Uint8Array} publicKey @returns {Key} */
function keyNamed(name, type, publicKey) {
  return {
    name,
    type,
    publicKey,
    keyId: hex(platform.sha256(utf8.encode(`${name}\n`), Uint8Array.of(type), publicKey).subarray(0, 4)),
  };
}

/** `name+id+base64`; `null` for what is not the key of an Ed25519 signer or cosigner. @param {string} text @returns {Key | null} */
export function parseKey(text) {
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(plainText(text).trim());
  const bytes = bytesOf(match?.[3]);
  const type = bytes?.[0];
  if (match === null || bytes === null || (type !== ED25519 && type !== COSIGNATURE)) return null;
  const key = keyNamed(match[1] ?? '', type, bytes.subarray(1));
  return key.keyId === match[2] ? key : null;
}

/** Windows writes texts otherwise: of what whoever checks brings along. @param {string} text */
function plainText(text) {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

/** @param {string} note @returns {{ text: string, signatures: { name: string, keyId: string, signature: Uint8Array }[] } | null} */
function splitNote(note) {
  const end = note.lastIndexOf('\n\n');
  if (note.length > NOTE_BYTES_MAX || end < 0 || !note.endsWith('\n')) return null;
  const text = note.slice(0, end + 1);
  // oxlint-disable-next-line no-control-regex -- the specification forbids exactly these
  if (/[\u0000-\u0009\u000b-\u001f]/.test(text)) return null;
  const signatures = [];
  for (const line of note.slice(end + 2, -1).split('\n')) {
    const match = /^\u2014 ([^ +]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line);
    const bytes = bytesOf(match?.[2]);
    if (match === null || bytes === null || bytes.length <= 4) return null;
    signatures.push({ name: match[1] ?? '', keyId: hex(bytes.subarray(0, 4)), signature: bytes.subarray(4) });
  }
  return signatures.length > 100 ? null : { text, signatures };
}

/** Unsigned yet. @param {string} note @returns {Checkpoint | null} */
function parseCheckpoint(note) {
  const text = splitNote(note)?.text;
  const [origin, size, root, ...rest] = text?.split('\n') ?? [];
  const bytes = hashOf(root);
  if (text === undefined || !origin || !/^(0|[1-9]\d{0,15})$/.test(size ?? '') || bytes === null) return null;
  if (!isCount(Number(size)) || rest.at(-1) !== '' || rest.slice(0, -1).includes('')) return null;
  return { origin, size: Number(size), root: bytes, text, note };
}

/**
 * Which log an origin is of: `<deployment>/org/<organization>`, of the deployment itself `<deployment>/deployment/<id>`; with `/<epoch>-<8 hex>` since
 * it began anew. Other origins are logs of their own.
 * @param {string} origin
 */
function logOf(origin) {
  const match = /^(.+)\/(org|deployment)\/([^/]+)(?:\/([2-9]|[1-9]\d{1,8})-[0-9a-f]{8})?$/.exec(origin);
  if (match === null) return { log: origin, deployment: null, kind: null, name: null, epoch: 1 };
  const [, deployment = '', kind = '', name = '', epoch = '1'] = match;
  return { log: `${deployment}/${kind}/${name}`, deployment, kind, name, epoch: Number(epoch) };
}

/**
 * The keys that may sign for an origin. A deployment signs all its logs with one public key, but a key that was brought along is for one log:
 * it vouches for that log, in whichever epoch, and for the deployment's own. Never for another organization's.
 * @param {readonly Key[]} keys @param {string} origin
 */
function keysFor(keys, origin) {
  const asked = logOf(origin);
  return keys
    .filter(({ name, type }) => {
      const own = logOf(name);
      return type === ED25519 && (own.log === asked.log || (asked.kind === 'deployment' && own.deployment === asked.deployment));
    })
    .map(({ publicKey }) => keyNamed(origin, ED25519, publicKey));
}

/**
 * Checks who signed a checkpoint; tells of it where nobody did who is known.
 * @param {Findings} findings @param {Checkpoint} checkpoint @param {readonly Key[]} keys @param {Place} place
 * @returns {Promise<Key[] | null>} `null`: it is not to be believed
 */
async function checkSignature(findings, { origin, text, note }, keys, place) {
  const known = keysFor(keys, origin);
  /** @type {Key[]} */
  const signers = [];
  for (const { name, keyId, signature } of splitNote(note)?.signatures ?? []) {
    const key = known.find((key) => key.name === name && key.keyId === keyId);
    if (key === undefined) continue;
    if (signature.length !== 64 || !(await platform.verifyEd25519(key.publicKey, utf8.encode(text), signature))) {
      findings.add('bad-signature', `The signature of ${origin} by key ${keyId} is not of this checkpoint.`, place);
      return null;
    }
    if (!signers.includes(key)) signers.push(key);
  }
  if (signers.length > 0) return signers;
  const names = keys.map(({ name, keyId }) => `${name} (${keyId})`).join(', ');
  findings.add(
    'unknown-key',
    `The checkpoint of ${origin} is not signed by a key you brought: ${names === '' ? 'none' : names}.`,
    place,
  );
  return null;
}

// ── A leaf and what is disclosed of it ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @typedef {Record<string, any> & { id: string, sequence: number, org_id: string, kind: string, recorded_at: string, private: string[] }} Envelope */

/** SHA-256 in base64. */
const DIGEST = /^[A-Za-z0-9+/]{43}=$/;
/** How each is written. A time that no calendar knows is a number of microseconds. */
const WRITTEN = {
  id: /^evt_[0-9a-z]{26}$/,
  org_id: /^org_[0-9a-z]{26}$/,
  kind: /^[\w.-]{1,100}$/,
  recorded_at: /^(?:(?:\d{4}|[+-]\d{6})-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:\d{3})?Z|-?\d{1,20})$/,
};

/** `null`: it is not an envelope in canonical form. @param {Uint8Array} bytes @returns {Envelope | null} */
function parseEnvelope(bytes) {
  if (bytes.length > EVENT_BYTES_MAX) return null;
  const line = decoded(bytes);
  const value = parseJson(line);
  // Members in order, none twice, no spaces: written again it is the same.
  if (!isObject(value) || JSON.stringify(value) !== line || value['v'] !== 1) return null;
  for (const [name, pattern] of Object.entries(WRITTEN))
    if (typeof value[name] !== 'string' || !pattern.test(value[name])) return null;
  const digests = value['private'];
  if (!isCount(value['sequence']) || !Array.isArray(digests)) return null;
  if (!digests.every((digest) => typeof digest === 'string' && DIGEST.test(digest))) return null;
  return /** @type {Envelope} */ (value);
}

const NAMES = new Set(['actor.id', 'actor.ip', 'subject', 'external_id', 'metadata', 'previews', 'text', 'data']);

/**
 * Checks what is disclosed of an event against its leaf, and against what the leaf says in clear. Answers the values that are right.
 * @param {Findings} findings @param {Envelope} envelope @param {unknown} texts exact texts @param {unknown} erased @param {Place} place
 */
function checkDisclosures(findings, envelope, texts, erased, place) {
  const bad = (/** @type {string} */ message) => findings.add('bad-disclosure', message, place);
  const { disclosures: counts } = findings.report;
  /** @type {Map<string, unknown>} */
  const values = new Map();
  if (
    !Array.isArray(texts) ||
    !Array.isArray(erased) ||
    !erased.every((name, i) => NAMES.has(name) && erased.indexOf(name) === i)
  ) {
    bad('It is not of the form of disclosures.');
    return values;
  }
  const digests = new Set(envelope.private);
  if (digests.size !== envelope.private.length) bad('The leaf commits to the same value twice.');
  for (const text of texts) {
    const [salt, name, value, ...more] = typeof text === 'string' ? listOf(parseJson(text)) : [];
    if (typeof salt !== 'string' || typeof name !== 'string' || !NAMES.has(name) || value === undefined || more.length > 0)
      bad('A disclosure is not of the form [salt, name, value].');
    else if (!digests.delete(base64(platform.sha256(utf8.encode(text)))))
      bad(`What is disclosed as ${name} is not what the leaf commits to.`);
    else if (values.has(name) || erased.includes(name)) bad(`${name} is disclosed twice, or though it is said to be erased.`);
    else {
      values.set(name, value);
      counts.disclosed++;
    }
  }
  if (erased.length > digests.size) bad('More is said to be erased than the leaf commits to.');
  counts.erased += erased.length;
  counts.undisclosed += Math.max(0, digests.size - erased.length);
  for (const [name, shown, told] of contradictions(envelope, values))
    findings.add('contradiction', `${name}: the leaf says ${told} in clear, what is disclosed says ${shown}.`, place);
  return values;
}

/** @param {unknown} value @returns {unknown[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/**
 * Where the public facts of an event and what is disclosed of it differ: they were made of the same row, whose columns repeat its data.
 * @param {Envelope} envelope @param {ReadonlyMap<string, unknown>} values @returns {string[][]} name, what is disclosed, what is public
 */
function contradictions(envelope, values) {
  /** @type {string[][]} */
  const found = [];
  const compare = (/** @type {string} */ name, /** @type {unknown} */ shown, /** @type {unknown} */ told) => {
    if (!isEqual(shown, told) && !(isUnparsed && told === undefined)) found.push([name, brief(shown), brief(told)]);
  };
  const shown = values.get('data');
  // What is not as the service writes it is disclosed as its text.
  const isUnparsed = isObject(shown) && typeof shown['unparsed'] === 'string';
  const data = isUnparsed ? parseJson(shown['unparsed']) : shown;
  if (!envelope.kind.startsWith('inference.')) return found;
  if (envelope['outcome'] !== undefined) compare('outcome', envelope['outcome'], envelope.kind.slice('inference.'.length));
  if (!isObject(data)) return found;
  // What is a list or an object where the service writes none is not told in clear.
  const plain = (/** @type {unknown} */ value) => (typeof value === 'object' && value !== null ? undefined : value);
  for (const name of ['outcome', 'score', 'severity']) compare(name, plain(data[name]), envelope[name]);
  const { coverage, policy, model } = data;
  compare('coverage', isObject(coverage) ? plain(coverage['status']) : undefined, envelope['coverage']);
  const version = isObject(policy) ? { digest: plain(policy['digest']), version: plain(policy['version']) } : undefined;
  compare('policy', version && JSON.parse(JSON.stringify(version)), envelope['policy']);
  if (model !== undefined) compare('model', (isObject(model) ? model['name'] : model) ?? undefined, envelope['model']);
  if (typeof data['event_id'] === 'string') compare('id', data['event_id'], envelope.id);
  // A leaf commits to these apart from the data, and to both only where the two differ.
  for (const name of ['subject', 'external_id'])
    if (values.has(name) && name in data) compare(name, data[name], values.get(name));
  return found;
}

// ── A bundle: what decides ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const FORMAT = 'svc-evidence@v1';
const MANIFEST_BYTES_MAX = 1_048_576;
const SMALL_FILE_BYTES_MAX = 4_194_304;
const EVENT_BYTES_MAX = 65_536;
/** Of what is disclosed of one event: eight megabytes of JSON, in quotes. */
const DISCLOSURES_BYTES_MAX = 33_554_432;
/** Twice what the service exports at once. A hash over 256 of them is held in memory. */
const RANGE_MAX = 100_000_000;
const ERASED_MAX = 1_000_000;
const REQUIRED = ['checkpoint.txt', 'events.jsonl', 'range.txt'];
const EVIDENCE = new Set([...REQUIRED, 'manifest.json', 'keys.txt', 'disclosures.jsonl', 'consistency.json', 'anchor.json']);
const VIEWS = ['events.csv', 'events.parquet', 'events.ocsf.jsonl', 'events.cloudevents.jsonl'];
const HASHES = /^hashes-[0-6]\.bin$/;

/**
 * Checks a bundle. Reads its files one after the other, the largest in step, so that memory does not grow with them. Throws for a fault of the
 * caller alone: a key or a held checkpoint that is none (UsageError).
 * @param {Source} source @param {Options} [options] @returns {Promise<Report>}
 */
export async function verifyBundle(source, options = {}) {
  const findings = new Findings('bundle');
  const check = new BundleCheck(source, findings, options);
  return findings.of(() => check.decide());
}

class BundleCheck {
  /** @param {Source} source @param {Findings} findings @param {Options} options */
  constructor(source, findings, options) {
    this.source = source;
    this.findings = findings;
    this.options = options;
    this.keys = keysGiven(options.keys, ED25519);
    this.held = heldGiven(options.held);
    this.witnesses = keysGiven(options.witnesses, COSIGNATURE);
    /** As the manifest lists them. @type {Map<string, { bytes: number, sha256: string }>} */
    this.files = new Map();
    /** Those whose content was compared with the manifest. */
    this.read = new Set();
    /** @type {readonly string[] | null} */
    this.kinds = null;
    /** Events that say of another sequence than their place. @type {{ place: Place, sequence: number }[]} */
    this.misnumbered = [];
    /** `id field` of what is said to be erased, and no event tells of yet. @type {Set<string>} */
    this.erased = new Set();
    /** Up to where events were pruned, as events say; `null`: one whose data are not disclosed. @type {Set<unknown>} */
    this.pruned = new Set();
  }

  /** The whole of it: what is not refused here holds. */
  async decide() {
    const { findings, options } = this;
    const { report } = findings;
    const manifest = await this.readManifest();
    if (manifest === null) return;
    const checkpoint = parseCheckpoint(await this.readText('checkpoint.txt'));
    if (checkpoint === null) return findings.add('unreadable', 'It is not a checkpoint.', { file: 'checkpoint.txt' });
    Object.assign(report, { origin: checkpoint.origin, tree_size: checkpoint.size, root: base64(checkpoint.root) });
    const isVouched = this.keys.length > 0;
    if (!isVouched && !(await this.believeKeys())) return;
    const signers = await checkSignature(findings, checkpoint, this.keys, { file: 'checkpoint.txt' });
    // Nothing that follows is worth anything.
    if (signers === null) return;
    report.signers = signers.map(({ name, keyId }) => ({ name, key_id: keyId, vouched: isVouched }));
    if (!this.checkManifest(manifest, checkpoint)) return;
    const run = await this.readRange(manifest['range'], checkpoint.size);
    const anchor = await this.readJson('anchor.json');
    const own = isObject(anchor) && typeof anchor['checkpoint'] === 'string' ? parseCheckpoint(anchor['checkpoint']) : null;
    const wanted = new Set([...this.held, ...(own === null ? [] : [own])].map(({ size }) => size));
    const isRoot = (/** @type {Uint8Array | null} */ root) => root !== null && isSame(root, checkpoint.root);

    const events = await this.readEvents(manifest, run, wanted);
    const tiles = await this.readTiles(run, wanted);
    const holds = events.isWhole && events.fold !== null && isRoot(events.fold.finish());
    if (!holds) findings.settle('wrong');
    const tilesHold = tiles.leaves !== null && isRoot(tiles.leaves.finish());
    const roots = holds ? events.fold?.roots : tilesHold ? tiles.leaves?.roots : undefined;
    const rootAt = (/** @type {number} */ size) => (size === checkpoint.size ? checkpoint.root : (roots?.get(size) ?? null));
    const before = report.faults_total;
    if (run !== null) await new Naming(this, run, checkpoint.root, events, tiles).name(holds, tilesHold);
    if (!holds && run !== null && report.faults_total === before)
      findings.add(
        'changed',
        'The events do not lead to the signed root, and nothing is left that would say where.',
        report.range ?? {},
      );

    this.checkExplained(manifest, checkpoint.size);
    const consistency = [...(options.consistency ?? []), await this.readJson('consistency.json')];
    for (const held of this.held) await checkHeld(findings, held, checkpoint, this.keys, consistency, rootAt);
    await this.checkAnchor(anchor, own, checkpoint, rootAt);
    for (const name of this.files.keys()) if (!this.read.has(name) && this.has(name)) for await (const _ of this.open(name));
    this.tellUnchecked(manifest);
  }

  /** @returns {Promise<Record<string, any> | null>} */
  async readManifest() {
    const { findings, source } = this;
    const place = { file: 'manifest.json' };
    for (const name of source.names)
      if (!EVIDENCE.has(name) && !VIEWS.includes(name) && !HASHES.test(name))
        findings.add('unlisted-file', 'A bundle has no such file.', { file: name });
    if (!source.names.includes('manifest.json')) {
      findings.add('missing-file', 'It is not in the bundle.', place);
      return null;
    }
    const manifest = parseJson(textOf(await wholeBytes(source.open('manifest.json'), 'manifest.json', MANIFEST_BYTES_MAX)));
    if (!isObject(manifest) || manifest['format'] !== FORMAT) {
      findings.add('unknown-format', `It is not the manifest of ${FORMAT}.`, place);
      return null;
    }
    const isListed = (/** @type {unknown} */ file) =>
      isObject(file) && isCount(file['bytes']) && typeof file['sha256'] === 'string' && /^[0-9a-f]{64}$/.test(file['sha256']);
    if (!isObject(manifest['files']) || !Object.values(manifest['files']).every(isListed)) {
      findings.add('unreadable', 'Its list of files is not one.', place);
      return null;
    }
    this.files = new Map(Object.entries(manifest['files']));
    if (this.files.delete('manifest.json')) findings.add('wrong-manifest', 'It lists itself.', place);
    for (const name of source.names)
      if (name !== 'manifest.json' && !this.files.has(name))
        findings.add('unlisted-file', 'The manifest does not list it.', { file: name });
    for (const name of new Set([...REQUIRED, ...this.files.keys()]))
      if (!this.has(name)) findings.add('missing-file', 'It is not in the bundle.', { file: name });
    return REQUIRED.every((name) => this.has(name)) ? manifest : null;
  }

  /** Whether a file is both listed and there. @param {string} name */
  has(name) {
    return this.files.has(name) && this.source.names.includes(name);
  }

  /** The keys of the bundle, where none were brought along: they are as good as whoever made the bundle. */
  async believeKeys() {
    const { findings, options } = this;
    const warning =
      'Nothing vouches for the keys in the bundle: whoever made it could have made them too. Bring a key that you have from elsewhere.';
    if (options.trustBundleKeys !== true) {
      findings.add('unvouched-key', warning, { file: 'keys.txt' });
      return false;
    }
    findings.note(warning);
    const lines = this.has('keys.txt') ? (await this.readText('keys.txt')).split('\n') : [];
    this.keys = lines.map(parseKey).filter((key) => key !== null);
    return true;
  }

  /** @param {Record<string, any>} manifest @param {Checkpoint} checkpoint */
  checkManifest(manifest, checkpoint) {
    const { findings } = this;
    const place = { file: 'manifest.json' };
    const { org_id: orgId, origin, tree_size: size, range, created_at, since, until, kinds, software } = manifest;
    findings.report.claims = { created_at, since, until, kinds, software };
    const log = logOf(checkpoint.origin);
    if (log.kind !== 'org' || log.name !== orgId)
      findings.add('wrong-log', `It is said to be of ${brief(orgId)}; the checkpoint is of ${checkpoint.origin}.`, place);
    if (origin !== checkpoint.origin)
      findings.add('wrong-log', `It is said to be of ${brief(origin)}; the checkpoint is of ${checkpoint.origin}.`, place);
    if (size !== checkpoint.size)
      findings.add('wrong-manifest', `It tells of a tree of ${brief(size)}; the checkpoint is of ${checkpoint.size}.`, place);
    if (Array.isArray(kinds) && kinds.every((kind) => typeof kind === 'string')) this.kinds = kinds;
    else if (kinds !== null) findings.add('wrong-manifest', 'Its kinds are not kinds.', place);
    const isRange = isObject(range) && isCount(range['from']) && isCount(range['to']) && range['from'] <= range['to'];
    if (!isRange || range['to'] > checkpoint.size) {
      findings.add('wrong-manifest', `${brief(range)} is no range of a tree of ${checkpoint.size}.`, place);
      return false;
    }
    if (range['to'] - range['from'] > RANGE_MAX) throw new Unreadable(`The range has more than ${RANGE_MAX} leaves.`);
    Object.assign(findings.report, { range: { from: range['from'], to: range['to'] }, org_id: orgId });
    return true;
  }

  /** A file's bytes, compared with the manifest once they were all read. A stream that breaks ends there. @param {string} name @returns {AsyncGenerator<Uint8Array, void>} */
  async *open(name) {
    const listed = this.files.get(name);
    const damaged = (/** @type {string} */ message) => this.findings.add('damaged-file', message, { file: name });
    this.read.add(name);
    const sha256 = platform.createSha256();
    let bytes = 0;
    try {
      for await (const chunk of this.source.open(name)) {
        bytes += chunk.length;
        sha256.update(chunk);
        yield chunk;
      }
    } catch (err) {
      return damaged(`It breaks off after ${bytes} bytes: ${err instanceof Error ? err.message : 'unreadable'}`);
    }
    const digest = hex(sha256.digest());
    if (listed?.bytes !== bytes || listed.sha256 !== digest)
      damaged(`Its ${bytes} bytes have the SHA-256 ${digest}, which is not what the manifest says.`);
  }

  /** @param {string} name */
  async readText(name) {
    const bytes = await wholeBytes(this.open(name), name, SMALL_FILE_BYTES_MAX);
    return textOf(bytes);
  }

  /** `undefined`: there is no such file. @param {string} name */
  async readJson(name) {
    if (!this.has(name)) return undefined;
    const value = parseJson(await this.readText(name));
    if (value === undefined) this.findings.add('unreadable', 'It is not JSON.', { file: name });
    return value;
  }

  /** The hashes around the range; `null`: they are not. @param {{ from: number, to: number }} range @param {number} size @returns {Promise<Run | null>} */
  async readRange({ from, to }, size) {
    const lines = (await this.readText('range.txt')).split('\n');
    const part = (/** @type {string} */ name, /** @type {number} */ count) =>
      lines.shift() === `${name} ${count}` ? hashesOf(lines.splice(0, count)) : null;
    const left = part('left', leftLevels(from).length);
    const right = left === null ? null : part('right', rightLeaves(to, size).length);
    if (left !== null && right !== null && lines.length === 1 && lines[0] === '') return { from, to, size, left, right };
    this.findings.add('bad-range', `It does not hold the hashes beside leaves ${from} to ${to} of a tree of ${size}.`, {
      file: 'range.txt',
    });
    return null;
  }

  /** The lines of the events, and what is disclosed of them, in step. @param {Record<string, any>} manifest @param {Run | null} run @param {ReadonlySet<number>} wanted */
  async readEvents(manifest, run, wanted) {
    const { findings } = this;
    const { from, to } = manifest['range'];
    const { events, disclosures: values } = findings.report;
    const lines = new Lines(this.open('events.jsonl'), EVENT_BYTES_MAX);
    const disclosures = this.has('disclosures.jsonl') ? new Lines(this.open('disclosures.jsonl'), DISCLOSURES_BYTES_MAX) : null;
    const fold = run === null ? null : new Fold(run, wanted);
    let [count, isWhole] = [0, true];
    for (let bytes = await lines.next(); bytes !== null; bytes = await lines.next()) {
      const line = count++;
      const isMissing = isNull(bytes);
      const envelope = isMissing ? null : parseEnvelope(bytes);
      const claimed = (envelope?.sequence ?? 0) - 1;
      const index = claimed >= from && claimed < to ? claimed : from + line;
      const place = { index, ...(envelope === null ? {} : { id: envelope.id }), line };
      if (isMissing) {
        events.missing++;
        isWhole = false;
      }
      if (fold !== null && fold.size < to) fold.push(0, leafHash(bytes));
      if (envelope !== null) this.checkEvent(envelope, manifest, { ...place, file: 'events.jsonl' }, from + line);
      else if (!isMissing)
        findings.add('malformed', 'The line is not an event in canonical form.', { ...place, file: 'events.jsonl' });
      if (disclosures !== null)
        await this.checkDisclosed(disclosures, envelope, isMissing, { ...place, file: 'disclosures.jsonl' });
      else values.undisclosed += envelope?.private.length ?? 0;
    }
    if (disclosures !== null && (await disclosures.next()) !== null) {
      findings.add('bad-disclosure', 'It has more lines than there are events.', { file: 'disclosures.jsonl' });
      while ((await disclosures.next()) !== null);
    }
    for (const [name, found] of Object.entries({ events: events.present, disclosed: events.disclosed, missing: events.missing }))
      if (manifest[name] !== found)
        findings.add('wrong-manifest', `It counts ${brief(manifest[name])} as ${name}; there are ${found}.`, {
          file: 'manifest.json',
        });
    return { fold, count, isWhole: isWhole && count === to - from };
  }

  /** @param {Envelope} envelope @param {Record<string, any>} manifest @param {Place} place @param {number} index where it stands */
  checkEvent(envelope, manifest, place, index) {
    const { events } = this.findings.report;
    events.present++;
    events.first_recorded_at ??= envelope.recorded_at;
    events.last_recorded_at = envelope.recorded_at;
    if (envelope.org_id !== manifest['org_id']) this.findings.add('wrong-log', `The event is of ${envelope.org_id}.`, place);
    if (envelope.sequence !== index + 1) this.misnumbered.push({ place: { ...place, index }, sequence: envelope.sequence });
    if (this.misnumbered.length > FAULTS_OF_A_NAME_MAX) this.misnumbered.pop();
  }

  /** One line of disclosures. @param {Lines} lines @param {Envelope | null} envelope @param {boolean} isMissing @param {Place} place */
  async checkDisclosed(lines, envelope, isMissing, place) {
    const { findings, kinds } = this;
    const bytes = await lines.next();
    const bad = (/** @type {string} */ message) => findings.add('bad-disclosure', message, place);
    if (bytes === null) return bad('The line is not there.');
    if (envelope === null)
      return isMissing && !isNull(bytes) ? bad('Something is disclosed of an event that is not there.') : undefined;
    const isAsked = kinds === null || kinds.includes(envelope.kind);
    if (isNull(bytes)) {
      findings.report.disclosures.undisclosed += envelope.private.length;
      if (envelope.kind === 'audit.pruned') this.pruned.add(null);
      return isAsked ? bad('Nothing is disclosed of an event of a kind that was asked for.') : undefined;
    }
    findings.report.events.disclosed++;
    if (!isAsked)
      findings.add(
        'wrong-manifest',
        `Something is disclosed of an event of kind ${envelope.kind}, which was not asked for.`,
        place,
      );
    let line = parseDisclosures(bytes);
    if (line === null) return bad('It is not of the form of disclosures.');
    if (line.id !== envelope.id) {
      bad('The line is not of this event.');
      // Where an event was taken away and its disclosures were not, the next line is the right one.
      const next = await lines.next();
      line = next === null ? null : parseDisclosures(next);
      if (line?.id !== envelope.id) return next === null ? undefined : lines.back(next);
    }
    const values = checkDisclosures(findings, envelope, line?.disclosures, line?.erased, place);
    const data = values.get('data');
    for (const name of listOf(line?.erased)) this.erased.add(`${envelope.id} ${String(name)}`);
    if (this.erased.size > ERASED_MAX) throw new Unreadable('More is said to be erased than can be kept in mind.');
    if (envelope.kind === 'audit.redacted' && isObject(data) && typeof data['event_id'] === 'string')
      for (const name of listOf(data['fields'])) if (typeof name === 'string') this.erased.delete(`${data['event_id']} ${name}`);
    if (envelope.kind === 'audit.pruned') this.pruned.add(isObject(data) ? data['to'] : null);
  }

  /** Hashes of tiles as they came with the bundle. @param {Run | null} run @param {ReadonlySet<number>} wanted */
  async readTiles(run, wanted) {
    /** @type {{ leaves: Fold | null, levels: Level[] }} */
    const tiles = { leaves: null, levels: [] };
    if (run === null) return tiles;
    const { from, to } = run;
    for (let level = 0; this.has(`hashes-${level}.bin`); level++) {
      const name = `hashes-${level}.bin`;
      const width = TILE ** level;
      const first = Math.ceil(from / width);
      const expected = Math.max(0, Math.floor(to / width) - first);
      const fold = level === 0 ? new Fold(run, wanted) : null;
      const hashes = new Level(first);
      let count = 0;
      for await (const hash of piecesOf(this.open(name)))
        if (count++ < expected && hash.length === HASH_BYTES) {
          if (fold === null) hashes.push(hash);
          else fold.push(0, hash);
        }
      if (count !== expected) this.findings.add('altered-hash', `It has ${count} hashes, not ${expected}.`, { file: name });
      else if (fold === null) tiles.levels[level] = hashes;
      else tiles.leaves = fold;
    }
    return tiles;
  }

  /** What is not there must have its reason in the log. @param {Record<string, any>} manifest @param {number} size */
  checkExplained({ range: { from, to }, since }, size) {
    const { findings, erased, pruned } = this;
    // Who sees only a part of the log, or of what it says, may not see the reason.
    const isAll = to === size && this.kinds === null;
    const [first = ''] = erased;
    const [id = '', field] = first.split(' ');
    if (erased.size > 0 && isAll)
      findings.add(
        'unexplained-erasure',
        `${erased.size} values are said to be erased, such as ${field} of ${id}; no audit.redacted tells of it.`,
        { id },
      );
    else if (erased.size > 0)
      findings.note(`${erased.size} values are said to be erased, and no audit.redacted in this part of the log tells of it.`);
    if (from === 0 || (since !== null && since !== undefined) || pruned.has(from)) return;
    if (to === size && !pruned.has(null) && this.has('disclosures.jsonl') && this.kinds === null)
      findings.add('missing', 'The log before is not here, and no audit.pruned tells that it was deleted.', {
        from: 0,
        to: from,
      });
    else findings.note(`The log before leaf ${from} is not here. That retention deleted it is not shown by what is disclosed.`);
  }

  /**
   * The checkpoint of the organization in the deployment's log, and who cosigned that.
   * @param {unknown} anchor `undefined`: there is none @param {Checkpoint | null} own @param {Checkpoint} checkpoint @param {RootAt} rootAt
   */
  async checkAnchor(anchor, own, checkpoint, rootAt) {
    const { findings, keys, witnesses } = this;
    const place = { file: 'anchor.json' };
    const bad = (/** @type {string} */ message) => findings.add('bad-anchor', message, place);
    const uncovered = (/** @type {string} */ why) => {
      for (const { name } of witnesses)
        findings.add('missing-cosignature', `${why}, so nothing of it that ${name} has cosigned.`, place);
    };
    if (anchor === undefined) return uncovered('There is no anchor');
    const { salt, index, hashes, deployment, size, consistency } = isObject(anchor) ? anchor : {};
    const other = typeof deployment === 'string' ? parseCheckpoint(deployment) : null;
    const [proof, path, saltBytes] = [hashesOf(hashes), hashesOf(consistency ?? []), bytesOf(salt)];
    if (own === null || other === null || proof === null || path === null || saltBytes === null || saltBytes.length === 0)
      return bad('It is not of the form of an anchor.');
    const [ownLog, otherLog] = [logOf(own.origin), logOf(other.origin)];
    if (ownLog.log !== logOf(checkpoint.origin).log) return bad(`It anchors ${own.origin}.`);
    if (otherLog.kind !== 'deployment' || otherLog.deployment !== ownLog.deployment)
      return bad(`${other.origin} is not the log of its deployment.`);
    if (size !== other.size) return bad(`It tells of a log of ${brief(size)}; its checkpoint is of ${other.size}.`);
    if ((await checkSignature(findings, own, keys, place)) === null) return;
    if ((await checkSignature(findings, other, keys, place)) === null) return;
    const leaf = leafHash(platform.sha256(saltBytes, utf8.encode(own.note)));
    if (!isIncluded(leaf, index, other.size, proof, other.root))
      return bad('The checkpoint is not in the log of the deployment.');
    const [first, second] = own.size <= checkpoint.size ? [own, checkpoint] : [checkpoint, own];
    const root = own.size <= checkpoint.size ? rootAt(own.size) : null;
    const isGood = root === null ? isConsistent(first.size, first.root, second.size, second.root, path) : isSame(root, own.root);
    if (!isGood && own.origin !== checkpoint.origin)
      return bad(`The log of ${own.origin} that it anchors is not proved to be that of ${checkpoint.origin}.`);
    if (!isGood && (root !== null || own.size === checkpoint.size)) {
      findings.report.misbehaviour.push(own.note, checkpoint.note);
      const message = `The log had another history when its checkpoint of ${own.size} was anchored.`;
      return findings.add('forked', message, { ...place, from: 0, to: own.size });
    }
    if (!isGood)
      return findings.add('unproven', `The log of ${second.size} is not proved to go on from that of ${first.size}.`, place);
    findings.report.anchor = { origin: other.origin, size: other.size, anchored_size: own.size, witnesses: [] };
    const { from, to } = findings.report.range ?? { from: 0, to: 0 };
    if (own.size < to)
      findings.note(`The anchor is of ${own.size} events: of leaves ${Math.max(own.size, from)} to ${to} it says nothing.`);
    if (own.size === 0 || (own.size <= from && own.size < to)) return uncovered('The anchor covers none of these events');
    for (const witness of witnesses) await checkCosignature(findings, other, witness, place);
  }

  /** @param {Record<string, any>} manifest */
  tellUnchecked({ since, until }) {
    const { report } = this.findings;
    const tell = (/** @type {string} */ text) => void report.not_checked.push(text);
    if (this.held.length === 0)
      tell(
        'that the log is the one others saw: you hold no checkpoint from before (--held), so whoever has the keys could have made another history',
      );
    if (this.witnesses.length === 0) tell('that anybody else has seen this log: you named no witness (--witness)');
    if (this.kinds !== null)
      tell(`what is behind events of other kinds than ${this.kinds.join(', ')}: only their public facts are here`);
    if (since != null || until != null)
      tell(`that the range is what since ${brief(since ?? null)} and until ${brief(until ?? null)} asked for`);
    for (const name of VIEWS) if (this.has(name)) tell(`${name}: a view, which nothing compares with the events`);
    if (report.disclosures.undisclosed > 0)
      tell(`${report.disclosures.undisclosed} values that the log commits to and that are not disclosed`);
    if (report.disclosures.erased > 0) tell(`${report.disclosures.erased} values that were erased: a digest alone is left`);
    tell(`that everything that happened was recorded, and what happened after event ${report.tree_size}`);
  }
}

/** A line of disclosures.jsonl: these members and no other, as they are written. @param {Uint8Array} bytes @returns {{ id: unknown, disclosures: unknown, erased: unknown } | null} */
function parseDisclosures(bytes) {
  const text = bytes.length > DISCLOSURES_BYTES_MAX ? '' : decoded(bytes);
  const value = parseJson(text);
  if (!isObject(value) || Object.keys(value).join() !== 'id,disclosures,erased' || JSON.stringify(value) !== text) return null;
  return /** @type {{ id: unknown, disclosures: unknown, erased: unknown }} */ (value);
}

/** @param {Uint8Array} bytes */
function isNull(bytes) {
  return bytes.length === 4 && decoded(bytes) === 'null';
}

/** @param {readonly string[] | undefined} texts @param {number} type */
function keysGiven(texts, type) {
  return (texts ?? []).map((text) => {
    const key = parseKey(text);
    if (key === null || key.type !== type)
      throw new UsageError(`'${text}' is not a verifier key of ${type === ED25519 ? 'a log' : 'a witness'}.`);
    return key;
  });
}

/** @param {readonly string[] | undefined} notes */
function heldGiven(notes) {
  return (notes ?? []).map((note) => {
    const checkpoint = parseCheckpoint(plainText(note));
    if (checkpoint === null) throw new UsageError('A held checkpoint is not a signed note of a checkpoint.');
    return checkpoint;
  });
}

/** @param {AsyncIterable<Uint8Array>} stream @param {string} name @param {number} bytesMax */
async function wholeBytes(stream, name, bytesMax) {
  /** @type {Uint8Array[]} */
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > bytesMax) throw new Unreadable(`${name} is too large.`);
    chunks.push(chunk);
  }
  return joined(chunks);
}

/** @param {readonly Uint8Array[]} parts */
function joined(parts) {
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Hashes of a stream; what is left at its end is shorter. @param {AsyncIterable<Uint8Array>} chunks @returns {AsyncGenerator<Uint8Array, void>} */
async function* piecesOf(chunks) {
  /** @type {Uint8Array} */
  let rest = new Uint8Array();
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : joined([rest, chunk]);
    let at = 0;
    for (; at + HASH_BYTES <= bytes.length; at += HASH_BYTES) yield bytes.subarray(at, at + HASH_BYTES);
    rest = Uint8Array.from(bytes.subarray(at));
  }
  if (rest.length > 0) yield rest;
}

/** Lines of a stream, without their newline; of one that is too long a byte more than is allowed. */
class Lines {
  #chunks;
  /** @type {Uint8Array} */
  #rest = new Uint8Array();
  #at = 0;
  #max;
  /** @type {Uint8Array | undefined} */
  #returned;

  /** @param {AsyncIterable<Uint8Array>} chunks @param {number} max bytes of a line */
  constructor(chunks, max) {
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#max = max;
  }

  /** Puts back the line that was read last. @param {Uint8Array} line */
  back(line) {
    this.#returned = line;
  }

  /** @returns {Promise<Uint8Array | null>} */
  async next() {
    if (this.#returned !== undefined) {
      const line = this.#returned;
      this.#returned = undefined;
      return line;
    }
    let [end, start] = [this.#rest.indexOf(10, this.#at), this.#at];
    /** @type {Uint8Array[]} */
    const before = [];
    let size = 0;
    while (end < 0) {
      if (size <= this.#max) before.push(this.#rest.subarray(start));
      size += this.#rest.length - start;
      const { value, done } = await this.#chunks.next();
      [this.#rest, start] = [done === true ? new Uint8Array() : value, 0];
      if (done === true) {
        this.#at = 0;
        return size === 0 ? null : joined(before).subarray(0, this.#max + 1);
      }
      end = this.#rest.indexOf(10);
    }
    this.#at = end + 1;
    const line = this.#rest.subarray(start, end);
    return (before.length === 0 ? line : joined([...before, line])).subarray(0, this.#max + 1);
  }
}

// ── A bundle: where its faults are ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A line of events.jsonl; `claim`: the leaf that it says it is. @typedef {{ line: number, isNull: boolean, hash: Uint8Array, claim: number, id: string | undefined }} Got */

/** Says where the faults of a bundle lie, by the hashes that came with it and lead to the signed root. It decides nothing. */
class Naming {
  /** Up to which level hashes had to be taken to come to the signed root; -1: none lead there. */
  #top = -1;
  /** Leaves at both ends of the run. @type {ReadonlyMap<number, Uint8Array>} */
  #edges = new Map();
  /** By level, which hashes of it lead to the root. @type {Uint8Array[]} */
  #trusted = [];
  /** The tile of leaf hashes that was read last, and where its file is read on. @type {{ block: number, leaves: Level | null }} */
  #tile = { block: -1, leaves: null };
  /** @type {AsyncGenerator<Uint8Array, void> | null} */
  #reader = null;
  #readerAt = -1;
  /** One bit for each leaf that is accounted for. */
  #seen;
  /** The leaf that the next line should be. */
  #cursor;
  /** Lines since the last one in its place that are of no leaf: they stand in for what is missing there, or were added. @type {{ count: number, first: Got[] }} */
  #strays = { count: 0, first: [] };
  /** Lines in a tile of which only its own hash is known. @type {Level | null} */
  #open = null;
  /** Leaves in a row of which no hash leads to the root. @type {{ from: number, to: number } | null} */
  #unknown = null;

  /** @param {BundleCheck} check @param {Run} run @param {Uint8Array} root @param {{ fold: Fold | null }} events @param {{ leaves: Fold | null, levels: Level[] }} tiles */
  constructor(check, run, root, events, tiles) {
    this.check = check;
    this.findings = check.findings;
    this.run = run;
    this.root = root;
    this.lines = events.fold;
    this.tiles = tiles;
    this.#seen = new Uint8Array(Math.ceil((run.to - run.from) / 8));
    this.#cursor = run.from;
  }

  /** @param {boolean} holds whether the events lead to the root @param {boolean} tilesHold whether the leaf hashes do */
  async name(holds, tilesHold) {
    const base = holds ? this.lines : tilesHold ? this.tiles.leaves : null;
    if (base !== null) this.#compareLevels(base);
    if (holds) {
      for (const { place, sequence } of this.check.misnumbered)
        this.findings.add('misnumbered', `Leaf ${place.index} says that it is of sequence ${sequence}.`, place);
      return this.#compareLeaves();
    }
    this.#findTrusted(tilesHold);
    const lines = this.#readLines();
    let { value: got } = await lines.next();
    while (got) {
      const { value: next } = await lines.next();
      await this.#place(got, next ? next.claim : null);
      got = next;
    }
    this.#settle(this.run.to);
    this.#flushUnknown();
    await this.#reader?.return();
    this.#nameUnseen();
  }

  // ── Which hashes lead to the root ──

  /** Tries the lowest level first, then with the next in its place, and so on; then goes down again from what leads there. @param {boolean} tilesHold */
  #findTrusted(tilesHold) {
    const { levels, leaves } = this.tiles;
    if (tilesHold && leaves !== null) [this.#top, this.#edges] = [0, leaves.edges];
    for (let top = 1; this.#top < 0 && levels[top] !== undefined; top++)
      for (const fold of [leaves, this.lines])
        if (this.#top < 0 && fold !== null && this.#leadsToRoot(top, fold.edges)) [this.#top, this.#edges] = [top, fold.edges];
    for (let level = this.#top; level > 0; level--) {
      const [nodes, parents] = [/** @type {Level} */ (levels[level]), levels[level + 1]];
      const flags = (this.#trusted[level] = new Uint8Array(nodes.count).fill(1));
      if (level === this.#top || parents === undefined) continue;
      for (let i = 0; i < parents.count; i++) {
        const index = parents.first + i;
        const hash = this.#trusted[level + 1]?.[i] === 1 ? nodes.fold(index) : null;
        const at = index * TILE - nodes.first;
        if (hash === null || !isSame(hash, parents.at(index))) flags.fill(0, at, at + TILE);
      }
    }
  }

  /** @param {number} top @param {ReadonlyMap<number, Uint8Array>} edges */
  #leadsToRoot(top, edges) {
    const { run, tiles, root } = this;
    const fold = new Fold(run);
    while (fold.size < run.to) {
      const at = fold.size;
      let up = top;
      while (up > 0 && !(at % TILE ** up === 0 && at + TILE ** up <= run.to)) up--;
      const level = tiles.levels[up];
      const hash = up === 0 ? edges.get(at) : level?.has(at / TILE ** up) === true ? level.at(at / TILE ** up) : undefined;
      if (hash === undefined) return false;
      fold.push(8 * up, hash);
    }
    const found = fold.finish();
    return found !== null && isSame(found, root);
  }

  /** The hash that the log has of a leaf; `null`: nothing that leads to the root says it. @param {number} index */
  async #leaf(index) {
    const edge = this.#edges.get(index);
    if (edge !== undefined || this.#top < 0) return edge ?? null;
    const block = Math.floor(index / TILE);
    if (this.#tile.block !== block) this.#tile = { block, leaves: await this.#readTile(block) };
    return this.#tile.leaves?.at(index) ?? null;
  }

  /** @param {number} block @returns {Promise<Level | null>} */
  async #readTile(block) {
    const { check, tiles, run } = this;
    if (tiles.leaves === null) return null;
    if (this.#readerAt !== block) {
      await this.#reader?.return();
      this.#reader = piecesOf(check.source.open('hashes-0.bin', (block * TILE - run.from) * HASH_BYTES));
    }
    const leaves = new Level(block * TILE);
    while (leaves.count < TILE) {
      const { value } = (await this.#reader?.next()) ?? {};
      if (!value) return null;
      leaves.push(value);
    }
    this.#readerAt = block + 1;
    if (this.#top === 0) return leaves;
    const [hash, known] = [leaves.fold(block), this.#tileHash(block)];
    return hash !== null && known !== null && isSame(hash, known) ? leaves : null;
  }

  /** The hash over a tile of leaves, if it leads to the root. @param {number} block */
  #tileHash(block) {
    const level = this.tiles.levels[1];
    return level?.has(block) === true && this.#trusted[1]?.[block - level.first] === 1 ? level.at(block) : null;
  }

  // ── Lines beside leaves ──

  /** @returns {AsyncGenerator<Got, void>} */
  async *#readLines() {
    const lines = new Lines(untilItBreaks(this.check.source.open('events.jsonl')), EVENT_BYTES_MAX);
    let line = 0;
    for (let bytes = await lines.next(); bytes !== null; bytes = await lines.next()) {
      const envelope = parseEnvelope(bytes);
      const claim = envelope === null ? -1 : envelope.sequence - 1;
      yield { line: line++, isNull: isNull(bytes), hash: leafHash(bytes), claim, id: envelope?.id };
    }
  }

  /** One line, and what the next says that it is (`null`: there is none). @param {Got} got @param {number | null} next */
  async #place(got, next) {
    const { from, to } = this.run;
    const { claim, hash } = got;
    while (this.#cursor < to && this.#has(this.#cursor)) this.#cursor++;
    const cursor = this.#cursor;
    if (got.isNull) {
      const index = Math.min(cursor + this.#strays.count, to);
      this.#settle(index);
      if (index < to)
        this.findings.add('missing', `The event of leaf ${index} is not there: null stands in its place.`, {
          index,
          ...placeOf(got),
        });
      else this.#tellInserted(got, to);
      return this.#take(index);
    }
    const known = claim >= from && claim < to ? await this.#leaf(claim) : undefined;
    if (known === undefined) return this.#stray(got);
    if (claim === cursor) {
      if (known === null || isSame(known, hash)) return this.#inPlace(got, known === null);
      // The right one follows.
      if (next === cursor) return this.#stray(got);
      this.#settle(claim);
      this.#tellChanged(claim, got);
      return this.#take(claim);
    }
    // Without a hash to compare with, the next line tells whether the log goes on from here.
    const isReal = known === null ? next === null || next === claim + 1 : isSame(known, hash);
    if (!isReal) return this.#stray(got);
    if (this.#has(claim)) return this.#tellInserted(got, cursor);
    const isVisitor = next === cursor || (next === cursor + 1 && claim !== cursor + 1);
    if (claim > cursor && !isVisitor) return this.#inPlace(got, known === null);
    this.findings.add('reordered', `The event of leaf ${claim} stands on line ${got.line}, in place ${from + got.line}.`, {
      index: claim,
      ...placeOf(got),
    });
    this.#mark(claim);
  }

  /** @param {Got} got @param {boolean} isUnknown */
  #inPlace({ claim, hash }, isUnknown) {
    this.#settle(claim);
    this.#take(claim);
    if (isUnknown) this.#keep(claim, hash);
  }

  /** @param {Got} got */
  #stray(got) {
    if (this.#strays.count++ < FAULTS_OF_A_NAME_MAX) this.#strays.first.push(got);
  }

  /** Strays take the place of what is missing before the next leaf that is there; the rest of them was added. @param {number} until */
  #settle(until) {
    let { count } = this.#strays;
    const lines = this.#strays.first;
    for (let index = this.#cursor; index < until && count > 0; index++) {
      if (this.#has(index)) continue;
      this.#tellChanged(index, lines.shift());
      this.#mark(index);
      count--;
    }
    for (; count > 0; count--) this.#tellInserted(lines.shift(), until);
    this.#strays = { count: 0, first: [] };
  }

  /** A leaf of which no hash leads to the root: of 256 in a row the hash over them may. @param {number} index @param {Uint8Array} hash */
  #keep(index, hash) {
    const block = Math.floor(index / TILE);
    const known = this.#tileHash(block);
    if (known === null) {
      if (this.#top < 0) return;
      if (this.#unknown?.to !== index) this.#flushUnknown();
      this.#unknown = { from: this.#unknown?.from ?? index, to: index + 1 };
      return;
    }
    if (this.#open === null || index !== this.#open.first + this.#open.count) this.#open = new Level(index);
    this.#open.push(hash);
    if (this.#open.count < TILE || this.#open.first !== block * TILE) return;
    const found = this.#open.fold(block);
    this.#open = null;
    if (found !== null && isSame(found, known)) return;
    const place = { from: block * TILE, to: (block + 1) * TILE, file: 'events.jsonl' };
    this.findings.add(
      'changed',
      'The events of this tile are not those of the log; no hashes are left that would say which.',
      place,
    );
  }

  #flushUnknown() {
    if (this.#unknown !== null)
      this.findings.add(
        'changed',
        'These events may not be those of the log: no hashes of them are left that lead to the signed root.',
        {
          ...this.#unknown,
          file: 'events.jsonl',
        },
      );
    this.#unknown = null;
  }

  /** @param {number} index @param {Got | undefined} got */
  #tellChanged(index, got) {
    this.findings.add('changed', `The event of leaf ${index} is not the one that was logged.`, { index, ...placeOf(got) });
  }

  /** @param {Got | undefined} got @param {number} before */
  #tellInserted(got, before) {
    const says = got?.id === undefined ? '' : ` (it says ${got.id})`;
    this.findings.add('inserted', `A line before leaf ${before} is not of the log, or not of this place${says}.`, {
      index: before,
      ...placeOf(got),
    });
  }

  #nameUnseen() {
    const { from, to } = this.run;
    let end = to;
    while (end > from && !this.#has(end - 1)) end--;
    const file = 'events.jsonl';
    if (end < to)
      this.findings.add('truncated', `The last ${to - end} events are not there.`, { index: end, from: end, to, file });
    for (let index = from; index < end; index++)
      if (!this.#has(index)) this.findings.add('missing', `The event of leaf ${index} is not there.`, { index, file });
  }

  /** @param {number} index */
  #has(index) {
    const at = index - this.run.from;
    return ((/** @type {number} */ (this.#seen[at >> 3]) >> (at & 7)) & 1) === 1;
  }

  /** @param {number} index */
  #mark(index) {
    const at = index - this.run.from;
    this.#seen[at >> 3] = /** @type {number} */ (this.#seen[at >> 3]) | (1 << (at & 7));
  }

  /** @param {number} index */
  #take(index) {
    if (index >= this.run.to) return;
    this.#mark(index);
    this.#cursor = index + 1;
  }

  // ── Hashes that are not those of the events ──

  /** @param {Fold} base */
  #compareLevels(base) {
    this.tiles.levels.forEach((level, height) => {
      for (let i = 0; i < level.count; i++) {
        const index = level.first + i;
        const own = base.levels[height];
        if (own?.has(index) === true && isSame(own.at(index), level.at(index))) continue;
        const place = { from: index * TILE ** height, to: (index + 1) * TILE ** height, file: `hashes-${height}.bin` };
        this.findings.add('altered-hash', 'The tiles have another hash here than what is below it gives.', place);
      }
    });
  }

  /** The leaf hashes of the tiles, where the events hold for themselves. */
  async #compareLeaves() {
    const [lines, leaves] = [this.lines, this.tiles.leaves];
    if (lines === null || leaves === null) return;
    const [own, other] = [lines.levels[1], leaves.levels[1]];
    const isAlike =
      [...lines.edges].every(([index, hash]) => isSame(hash, /** @type {Uint8Array} */ (leaves.edges.get(index)))) &&
      Array.from({ length: own?.count ?? 0 }, (_, i) => (own?.first ?? 0) + i).every((index) =>
        isSame(/** @type {Level} */ (own).at(index), /** @type {Level} */ (other).at(index)),
      );
    if (isAlike) return;
    const stored = piecesOf(this.check.source.open('hashes-0.bin'));
    for await (const { line, hash } of this.#readLines()) {
      const { value } = await stored.next();
      const place = { index: this.run.from + line, file: 'hashes-0.bin', line };
      if (!value || !isSame(value, hash))
        this.findings.add('altered-hash', 'The tile of the leaves has another hash than the event.', place);
    }
  }
}

/** @param {Got | undefined} got @returns {Place} */
function placeOf(got) {
  return {
    file: 'events.jsonl',
    ...(got === undefined ? {} : { line: got.line }),
    ...(got?.id === undefined ? {} : { id: got.id }),
  };
}

/** @param {AsyncIterable<Uint8Array>} chunks @returns {AsyncGenerator<Uint8Array, void>} */
async function* untilItBreaks(chunks) {
  try {
    yield* chunks;
  } catch {
    // That it breaks was said when it was read before.
  }
}

// ── Checkpoints against each other ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The root of a size, if it follows from the bundle. @typedef {(size: number) => Uint8Array | null} RootAt */

/**
 * Whether the log of `checkpoint` goes on from one that was seen before.
 * @param {Findings} findings @param {Checkpoint} held @param {Checkpoint} checkpoint @param {readonly Key[]} keys @param {readonly unknown[]} consistency
 * @param {RootAt} rootAt
 */
async function checkHeld(findings, held, checkpoint, keys, consistency, rootAt) {
  const [old, now] = [logOf(held.origin), logOf(checkpoint.origin)];
  const result = (/** @type {string} */ text) =>
    void findings.report.held.push({ origin: held.origin, size: held.size, result: text });
  const place = { from: 0, to: Math.min(held.size, checkpoint.size) };
  const fault = (/** @type {FaultName} */ name, /** @type {string} */ message, /** @type {Place} */ where = place) => {
    findings.add(name, message, where);
    result(name);
  };
  if (old.log !== now.log)
    return fault('wrong-log', `The checkpoint you hold is of ${held.origin}, the evidence of ${checkpoint.origin}.`, {});
  if ((await checkSignature(findings, held, keys, { file: 'the held checkpoint' })) === null) return result('not signed');
  const isSameOrigin = held.origin === checkpoint.origin;
  if (old.epoch > now.epoch)
    return fault(
      'rolled-back',
      `The log began anew as ${held.origin}; the evidence is of what was before, ${checkpoint.origin}.`,
    );
  if (!isSameOrigin)
    findings.note(
      `The log began anew: it was ${held.origin}, and is ${checkpoint.origin} since a backup was restored or the database was set back.`,
    );
  const judge = (/** @type {boolean} */ isGood, /** @type {string} */ how) => {
    if (isGood) return result(`consistent, ${how}`);
    if (!isSameOrigin) return fault('restarted', `What you hold of ${held.origin} is not what ${checkpoint.origin} began with.`);
    if (findings.report.signers.length > 0) findings.report.misbehaviour.push(held.note, checkpoint.note);
    fault(
      'forked',
      `The log had another history when it gave out the checkpoint you hold, of ${held.size}: both are signed, and they contradict each other.`,
    );
  };
  if (held.size > checkpoint.size) {
    const message = `The evidence is of a log of ${checkpoint.size}; you hold a checkpoint of ${held.size}.`;
    return fault(isSameOrigin ? 'rolled-back' : 'restarted', message, { from: checkpoint.size, to: held.size });
  }
  if (held.size === 0) return judge(isSame(held.root, emptyRoot()), 'as it was empty');
  const root = rootAt(held.size);
  if (root !== null) return judge(isSame(root, held.root), held.size === checkpoint.size ? 'the same' : 'by the events');
  const fitting = consistency.find((one) => isObject(one) && one['from'] === held.size && one['to'] === checkpoint.size);
  const proof = isObject(fitting) ? hashesOf(fitting['hashes']) : null;
  if (proof === null)
    return fault('missing-consistency', `There is no proof of consistency from ${held.size} to ${checkpoint.size}.`, {});
  if (isConsistent(held.size, held.root, checkpoint.size, checkpoint.root, proof)) return result('consistent, by proof');
  if (!isSameOrigin)
    return fault('restarted', `What you hold of ${held.origin} is not proved to be what ${checkpoint.origin} began with.`);
  fault(
    'unproven',
    `The proof does not lead from the checkpoint you hold, of ${held.size}, to that of ${checkpoint.size}: it is wrong, or the log is forked.`,
  );
}

/** @param {Findings} findings @param {Checkpoint} checkpoint @param {Key} witness @param {Place} place */
async function checkCosignature(findings, { text, note }, { name, keyId, publicKey }, place) {
  const line = splitNote(note)?.signatures.find((line) => line.name === name && line.keyId === keyId);
  if (line === undefined)
    return findings.add('missing-cosignature', `${name} has not cosigned the checkpoint of the deployment.`, place);
  const { signature } = line;
  const time = signature.length === 72 ? Number(new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0)) : NaN;
  const message = utf8.encode(`cosignature/v1\ntime ${time}\n${text}`);
  if (!isCount(time) || time > 8.64e12 || !(await platform.verifyEd25519(publicKey, message, signature.subarray(8))))
    return findings.add('bad-signature', `The cosignature of ${name} is not of this checkpoint.`, place);
  findings.report.anchor?.witnesses.push({ name, cosigned_at: new Date(time * 1_000).toISOString() });
}

// ── The proof of one event ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const PROOF_HEADER = 'c2sp.org/tlog-proof@v1';

/**
 * Checks the proof of one event: the JSON of GET /v1/events/{id}/proof, or a file of c2sp.org/tlog-proof@v1, for which the leaf must be given.
 * @param {string} text @param {Options} [options] @returns {Promise<Report>}
 */
export async function verifyProof(text, options = {}) {
  const findings = new Findings('proof');
  const keys = keysGiven(options.keys, ED25519);
  const held = heldGiven(options.held);
  const witnesses = keysGiven(options.witnesses, COSIGNATURE);
  return findings.of(() => checkProof(findings, text, keys, held, witnesses, options));
}

/** @param {Findings} findings @param {string} text @param {Key[]} keys @param {Checkpoint[]} held @param {Key[]} witnesses @param {Options} options */
async function checkProof(findings, text, keys, held, witnesses, options) {
  const proof = text.startsWith(PROOF_HEADER) ? parseProofFile(text, options.leaf) : parseProofJson(text);
  const checkpoint = proof === null ? null : parseCheckpoint(proof.checkpoint);
  if (proof === null || checkpoint === null) {
    return findings.add('unreadable', 'It is not a proof.');
  }
  const { index, hashes, leaf } = proof;
  const { report } = findings;
  const { origin, size, root } = checkpoint;
  Object.assign(report, { origin, tree_size: size, root: base64(root), range: { from: index, to: index + 1 } });
  const signers = await checkSignature(findings, checkpoint, keys, {});
  if (signers === null) return;
  report.signers = signers.map(({ name, keyId }) => ({ name, key_id: keyId, vouched: true }));
  if (leaf === null)
    findings.add('missing-leaf', 'A proof file does not hold the leaf: give it, as it is in events.jsonl.', { index });
  else {
    const envelope = parseEnvelope(leaf);
    const place = { index, ...(envelope === null ? {} : { id: envelope.id }) };
    const logged = hashOf(proof.says?.leaf);
    if (!isIncluded(leafHash(leaf), index, size, hashes, root)) {
      const isLogged = logged !== null && isIncluded(logged, index, size, hashes, root);
      if (isLogged) findings.add('changed', 'The event is not the one that was logged here.', place);
      else findings.add('not-included', 'The event is not in the log at this place.', place);
    } else if (proof.says !== null && proof.says.leaf !== base64(leafHash(leaf)))
      findings.add('contradiction', 'The leaf hash beside the proof is not that of its leaf.', place);
    if (envelope === null) findings.add('malformed', 'The leaf is not an event in canonical form.', place);
    else checkEvent(findings, envelope, proof, origin, place);
  }
  if (proof.says !== null && (proof.says.size !== size || proof.says.root !== base64(root)))
    findings.add('contradiction', 'The size or the root beside the proof is not that of its checkpoint.', { index });
  for (const old of held)
    await checkHeld(findings, old, checkpoint, keys, options.consistency ?? [], (at) => (at === size ? root : null));
  for (const { name } of witnesses)
    findings.add(
      'missing-cosignature',
      `The proof of one event has no anchor, so nothing that ${name} has cosigned: ask for a bundle.`,
    );
  const { undisclosed, erased } = report.disclosures;
  if (held.length === 0)
    report.not_checked.push('that the log is the one others saw: you hold no checkpoint from before (--held)');
  if (undisclosed > 0) report.not_checked.push(`${undisclosed} values that the log commits to and that are not disclosed`);
  if (erased > 0)
    report.not_checked.push(`${erased} values that are said to be erased: an audit.redacted in a bundle tells of it`);
}

/** @param {Findings} findings @param {Envelope} envelope @param {Proof} proof @param {string} origin @param {Place} place */
function checkEvent(findings, envelope, { index, disclosures, erased, eventId }, origin, place) {
  const { report } = findings;
  const log = logOf(origin);
  report.org_id = envelope.org_id;
  report.events = {
    present: 1,
    disclosed: disclosures === undefined ? 0 : 1,
    missing: 0,
    first_recorded_at: envelope.recorded_at,
    last_recorded_at: envelope.recorded_at,
  };
  if (log.kind !== 'org' || log.name !== envelope.org_id)
    findings.add('wrong-log', `The event is of ${brief(envelope.org_id)}.`, place);
  if (envelope.sequence !== index + 1)
    findings.add('misnumbered', `Leaf ${index} says that it is of sequence ${envelope.sequence}.`, place);
  if (eventId !== null && eventId !== envelope.id)
    findings.add('contradiction', `The proof is said to be of ${brief(eventId)}.`, place);
  if (disclosures === undefined && erased === undefined) report.disclosures.undisclosed = envelope.private.length;
  else checkDisclosures(findings, envelope, disclosures, erased, place);
}

/**
 * @typedef {object} Proof
 * @property {number} index
 * @property {Uint8Array[]} hashes
 * @property {string} checkpoint
 * @property {Uint8Array | null} leaf
 * @property {string | null} eventId
 * @property {unknown} disclosures
 * @property {unknown} erased
 * @property {{ size: unknown, root: unknown, leaf: unknown } | null} says
 */

/** @param {string} text @returns {Proof | null} */
function parseProofJson(text) {
  const value = parseJson(text);
  if (!isObject(value)) return null;
  const {
    event_id,
    leaf_index: index,
    leaf_hash,
    envelope,
    disclosures,
    erased,
    tree_size,
    root,
    hashes: given,
    checkpoint,
  } = value;
  const hashes = hashesOf(given);
  if (hashes === null || !isCount(index) || typeof envelope !== 'string' || typeof checkpoint !== 'string') return null;
  const says = { size: tree_size, root, leaf: leaf_hash };
  return {
    index,
    hashes,
    checkpoint,
    leaf: utf8.encode(envelope),
    eventId: typeof event_id === 'string' ? event_id : '',
    disclosures,
    erased,
    says,
  };
}

/** @param {string} text @param {Uint8Array | undefined} leaf @returns {Proof | null} */
function parseProofFile(text, leaf) {
  const end = text.indexOf('\n\n');
  const [header, ...lines] = text.slice(0, Math.max(0, end)).split('\n');
  if (lines[0]?.startsWith('extra ') === true) lines.shift();
  const index = Number(/^index (0|[1-9]\d{0,15})$/.exec(lines.shift() ?? '')?.[1] ?? NaN);
  const hashes = hashesOf(lines);
  if (header !== PROOF_HEADER || hashes === null || !isCount(index)) return null;
  return {
    index,
    hashes,
    checkpoint: text.slice(end + 2),
    leaf: leaf ?? null,
    eventId: null,
    disclosures: undefined,
    erased: undefined,
    says: null,
  };
}

// ── A .zip ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A file that can be read from anywhere. @typedef {{ size: number, read(offset: number, length: number): Promise<Uint8Array> }} Readable */
/** @typedef {{ name: string, method: number, size: number, compressed: number, crc: number, offset: number, facts: string, length: number }} Entry */

const ENTRIES_MAX = 64;
const READ_BYTES = 262_144;
const STORED = 0;
const DEFLATED = 8;
const U32_MAX = 0xffff_ffff;
const ZIP64 = 1;

/**
 * The files of a .zip: stored or deflated, of any size (zip64). Refused, as an Error, is whatever two readers could read differently: there is nothing
 * in the file but the entries, one after the other, and their directory; each says the same of itself in both places; no two names are alike.
 * @param {Readable} file @returns {Promise<Source>}
 */
export async function openZip(file) {
  const entries = new Map((await readDirectory(file)).map((entry) => [entry.name, entry]));
  return {
    names: [...entries.keys()],
    size: (name) => entries.get(name)?.size ?? 0,
    open(name, from = 0) {
      const entry = entries.get(name);
      if (entry === undefined) throw new Unreadable(`There is no ${name}.`);
      // Only hashes are read from within, and they are stored.
      return from === 0 ? contentOf(file, entry) : chunksOf(file, entry.offset + from, entry.offset + entry.size);
    },
  };
}

/** @param {boolean} fits @param {string} [message] @returns {asserts fits} */
function need(fits, message = 'The .zip does not fit together, or holds more than its files.') {
  if (!fits) throw new Unreadable(message);
}

/** @param {Readable} file @returns {Promise<Entry[]>} */
async function readDirectory(file) {
  const end = await readAt(file, file.size - 22, 22);
  need(end.getUint32(0, true) === 0x06054b50 && end.getUint16(20, true) === 0, 'It is not a .zip, or something follows it.');
  let [disks, count, onDisk] = [end.getUint32(4, true), end.getUint16(10, true), end.getUint16(8, true)];
  let [size, offset, directoryEnd] = [end.getUint32(12, true), end.getUint32(16, true), file.size - 22];
  if (offset === U32_MAX) {
    const locator = await readAt(file, file.size - 42, 20);
    const record = await readAt(file, file.size - 98, 56);
    directoryEnd = file.size - 98;
    need(locator.getUint32(0, true) === 0x07064b50 && wide(locator, 8) === directoryEnd && locator.getUint32(16, true) === 1);
    need(record.getUint32(0, true) === 0x06064b50 && wide(record, 4) === 44 && count === 0xffff && size === U32_MAX);
    need(locator.getUint32(4, true) === 0 && onDisk === count);
    [disks, onDisk, count] = [
      disks + record.getUint32(16, true) + record.getUint32(20, true),
      wide(record, 24),
      wide(record, 32),
    ];
    [size, offset] = [wide(record, 40), wide(record, 48)];
  }
  need(disks === 0 && onDisk === count && count <= ENTRIES_MAX && size <= 65_536 && offset + size === directoryEnd);
  const directory = await readAt(file, offset, size);
  /** @type {Entry[]} */
  const entries = [];
  const names = new Set();
  let [at, next] = [0, 0];
  for (let i = 0; i < count; i++) {
    const entry = parseEntry(directory, at, true);
    at += entry.length;
    const { name } = entry;
    need(!names.has(name.toLowerCase()), 'Two files of the .zip have one name.');
    names.add(name.toLowerCase());
    // In the order of the directory they lie one behind the other, from the first byte on.
    const header = await readAt(file, next, Math.min(30 + 100 + 20, file.size - next));
    const local = parseEntry(header, 0, false);
    need(
      entry.offset === next && local.name === name && local.facts === entry.facts,
      `${name} is not where, or what, the directory of the .zip says.`,
    );
    entry.offset = next + local.length;
    next = entry.offset + entry.compressed;
    entries.push(entry);
  }
  need(at === size && next === offset);
  return entries;
}

/** A header of a file: in the directory, or before its content. @param {DataView} view @param {number} at @param {boolean} isCentral @returns {Entry} */
function parseEntry(view, at, isCentral) {
  const fixed = isCentral ? 46 : 30;
  need(at + fixed <= view.byteLength && view.getUint32(at, true) === (isCentral ? 0x02014b50 : 0x04034b50));
  const shared = at + (isCentral ? 8 : 6);
  const [flags, method, crc] = [view.getUint16(shared, true), view.getUint16(shared + 2, true), view.getUint32(shared + 8, true)];
  let [compressed, size] = [view.getUint32(shared + 12, true), view.getUint32(shared + 16, true)];
  const [nameLength, extraLength] = [view.getUint16(shared + 20, true), view.getUint16(shared + 22, true)];
  let offset = isCentral ? view.getUint32(at + 42, true) : 0;
  const length = fixed + nameLength + extraLength;
  need(
    at + length <= view.byteLength &&
      (!isCentral || (view.getUint32(at + 32, true) === 0 && view.getUint16(at + 30, true) === extraLength)),
  );
  const name = decoded(bytesAt(view, at + fixed, nameLength));
  need(/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name), `${brief(name)} is no name of a file of a bundle.`);
  // A regular file, or none that says what it is.
  const mode = isCentral ? view.getUint32(at + 38, true) : 0;
  need([0, 8].includes(mode >>> 28) && (mode & 0xffff) === 0, `${name} is no regular file.`);
  let extra = at + fixed + nameLength;
  const isLarge = [size, compressed, offset].includes(U32_MAX);
  need(
    isLarge
      ? extraLength > 4 && view.getUint16(extra, true) === ZIP64 && view.getUint16(extra + 2, true) === extraLength - 4
      : extraLength === 0,
  );
  extra += 4;
  const value = (/** @type {number} */ short) => {
    if (short !== U32_MAX) return short;
    extra += 8;
    need(extra <= at + length);
    return wide(view, extra - 8);
  };
  [size, compressed, offset] = [value(size), value(compressed), value(offset)];
  need(!isLarge || extra === at + length);
  need((flags & ~0x800) === 0, `${name} is encrypted, or its size is not told before it.`);
  need(method === STORED || method === DEFLATED, `${name} is compressed by method ${method}.`);
  need(method === DEFLATED || size === compressed, `${name} is of two sizes.`);
  need(method === STORED || !HASHES.test(name), `${name} is compressed: hashes must be stored.`);
  const facts = [flags, view.getUint32(shared + 4, true), method, crc, size, compressed].join();
  return { name, method, size, compressed, crc, offset, facts, length };
}

/** @param {Readable} file @param {Entry} entry @returns {AsyncGenerator<Uint8Array, void>} */
async function* contentOf(file, { name, method, size, compressed, crc, offset }) {
  const stored = chunksOf(file, offset, offset + compressed);
  let [bytes, sum] = [0, 0];
  // The manifest says what the others hash to; of itself it cannot.
  const isSummed = name === 'manifest.json';
  for await (const chunk of method === STORED ? stored : platform.inflateRaw(stored)) {
    bytes += chunk.length;
    if (bytes > size) break;
    if (isSummed) sum = crc32(chunk, sum);
    yield chunk;
  }
  need(bytes === size && (!isSummed || sum === crc), `${name} is not what the .zip says it is.`);
}

/** @param {Readable} file @param {number} offset @param {number} end @returns {AsyncGenerator<Uint8Array, void>} */
async function* chunksOf(file, offset, end) {
  for (let at = offset; at < end; at += READ_BYTES) yield await file.read(at, Math.min(READ_BYTES, end - at));
}

/** @param {Uint8Array} bytes @param {number} before */
function crc32(bytes, before) {
  let sum = ~before;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
  }
  return ~sum >>> 0;
}

/** @param {Readable} file @param {number} offset @param {number} length */
async function readAt(file, offset, length) {
  if (offset < 0 || offset + length > file.size) throw new Unreadable('The .zip is cut off.');
  return viewOf(await file.read(offset, length));
}

/** @param {Uint8Array} bytes */
function viewOf(bytes) {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** @param {DataView} view @param {number} at @param {number} length */
function bytesAt(view, at, length) {
  return new Uint8Array(view.buffer, view.byteOffset + at, length);
}

/** A number of 8 bytes. @param {DataView} view @param {number} at */
function wide(view, at) {
  const value = Number(view.getBigUint64(at, true));
  if (!isCount(value)) throw new Unreadable('The .zip does not fit.');
  return value;
}

// ── The command ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const HELP = `Checks evidence of an audit trail, offline: a bundle (.zip, or the folder it
was unpacked to), or the proof of one event.

  svc-verify <bundle.zip | folder | proof.json | file.tlog-proof> --key <key>

  --key <key>           a verifier key of the log (name+id+base64) that you
                        have from elsewhere, or a file of them, one a line.
                        Repeatable
  --trust-bundle-keys   believe the keys in the bundle, if you bring none
  --held <file>         a checkpoint you have seen before: the log must go on
                        from it. Repeatable
  --consistency <file>  an answer of GET /v1/audit/consistency, from what you
                        hold to what the evidence is of. Repeatable
  --witness <key>       a witness that must have cosigned the checkpoint of the
                        deployment. Repeatable
  --leaf <file>         the leaf of a .tlog-proof, which does not hold it
  --out <file>          where to write two signed checkpoints that contradict
                        each other, as proof for others
  --json                the report as JSON

Exit codes: 0 the evidence holds, 1 it is wrong, 2 its signature is, 3 something
is missing or unreadable, 64 the command is.
`;

/**
 * Runs the command.
 * @param {readonly string[]} args without the name of the command
 * @param {{ stdout: (text: string) => void, stderr: (text: string) => void }} [output] @returns {Promise<number>} the exit code
 */
export async function run(args, output = standardOutput()) {
  try {
    const asked = parseArguments(args);
    if (asked.isHelp || asked.isVersion) {
      output.stdout(asked.isHelp ? HELP : `${VERSION}\n`);
      return EXIT_CODES.ok;
    }
    const report = await verifyPath(asked);
    output.stdout(asked.isJson ? `${JSON.stringify(report, null, 2)}\n` : summaryOf(report));
    if (asked.out !== undefined && report.misbehaviour.length > 0) {
      await writeMisbehaviour(asked.out, report);
      output.stderr(
        `Wrote the checkpoints that contradict each other to ${asked.out}. Anybody can check them with the key alone.\n`,
      );
    }
    return report.exit_code;
  } catch (err) {
    if (!(err instanceof UsageError)) throw err;
    output.stderr(`${err.message}\nsvc-verify --help tells how it is used.\n`);
    return USAGE;
  }
}

function standardOutput() {
  return {
    stdout: (/** @type {string} */ text) => void process.stdout.write(text),
    stderr: (/** @type {string} */ text) => void process.stderr.write(text),
  };
}

/** @param {readonly string[]} args */
function parseArguments(args) {
  /** @type {Record<string, string[]>} */
  const values = { key: [], held: [], witness: [], consistency: [], leaf: [], out: [] };
  const flags = new Set();
  const paths = [];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? '';
    const [, name = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg === '-h' ? '--help' : arg) ?? [];
    if (['help', 'version', 'json', 'trust-bundle-keys', 'offline'].includes(name)) {
      if (inline !== undefined) throw new UsageError(`--${name} takes no value.`);
      flags.add(name);
    } else if (Object.hasOwn(values, name)) {
      const value = inline ?? args[++i];
      if (value === undefined) throw new UsageError(`--${name} needs a value.`);
      values[name]?.push(value);
    } else if (arg.startsWith('-')) throw new UsageError(`There is no option ${arg}.`);
    else paths.push(arg);
  }
  const { key = [], held = [], witness = [], consistency = [], leaf = [], out = [] } = values;
  for (const name of ['leaf', 'out'])
    if ((values[name]?.length ?? 0) > 1) throw new UsageError(`--${name} is given more than once.`);
  const isAside = flags.has('help') || flags.has('version');
  if (!isAside && paths.length !== 1)
    throw new UsageError(paths.length === 0 ? 'What is to be checked?' : 'Only one thing is checked at a time.');
  return {
    path: paths[0] ?? '',
    key,
    held,
    witness,
    consistency,
    leaf: leaf[0],
    out: out[0],
    isJson: flags.has('json'),
    isHelp: flags.has('help'),
    isVersion: flags.has('version'),
    trustBundleKeys: flags.has('trust-bundle-keys'),
  };
}

/** @param {ReturnType<typeof parseArguments>} asked @returns {Promise<Report>} */
async function verifyPath({ path, key, held, witness, consistency, leaf, trustBundleKeys }) {
  const { readFile } = await import('node:fs/promises');
  const read = async (/** @type {string} */ name) =>
    readFile(name).catch((/** @type {Error} */ err) => {
      throw new UsageError(`${name} cannot be read: ${err.message}`);
    });
  const keys = await Promise.all(
    key.map(async (text) => {
      if (parseKey(text) !== null) return [text];
      const found = plainText(String(await read(text)))
        .split(/\s+/)
        .filter(Boolean);
      if (found.length === 0) throw new UsageError(`${text} has no key: it is empty. What was to write it may have failed.`);
      return found;
    }),
  );
  const proofs = consistency.map(async (name) => {
    const parsed = parseJson(plainText(String(await read(name))));
    if (parsed === undefined) throw new UsageError(`${name} is not JSON.`);
    return parsed;
  });
  /** @type {Options} */
  const options = {
    keys: keys.flat(),
    held: (await Promise.all(held.map(read))).map(String),
    witnesses: witness,
    trustBundleKeys,
    consistency: await Promise.all(proofs),
    ...(leaf === undefined ? {} : { leaf: withoutNewline(await read(leaf)) }),
  };
  return verifyFile(path, options);
}

/** @param {Uint8Array} bytes */
function withoutNewline(bytes) {
  return bytes.at(-1) === 10 ? bytes.subarray(0, -1) : bytes;
}

/** Checks a bundle or a proof by its path. @param {string} path @param {Options} [options] @returns {Promise<Report>} */
export async function verifyFile(path, options = {}) {
  const { open, stat } = await import('node:fs/promises');
  /** @type {import('node:fs/promises').FileHandle | undefined} */
  let handle;
  try {
    if ((await stat(path)).isDirectory()) return await verifyBundle(await openFolder(path), options);
    handle = await open(path);
    const file = handle;
    const { size } = await file.stat();
    const read = async (/** @type {number} */ offset, /** @type {number} */ length) => {
      const { buffer, bytesRead } = await file.read(new Uint8Array(length), 0, length, offset);
      if (bytesRead !== length) throw new Unreadable(`${path} is cut off.`);
      return buffer;
    };
    const begin = await read(0, Math.min(2, size));
    // PK
    if (begin[0] === 0x50 && begin[1] === 0x4b) return await verifyBundle(await openZip({ size, read }), options);
    if (size > DISCLOSURES_BYTES_MAX) throw new Unreadable(`${path} is neither a bundle nor a proof.`);
    return await verifyProof(textOf(await read(0, size)), options);
  } catch (err) {
    if (err instanceof UsageError) throw err;
    return new Findings('bundle').of(() => Promise.reject(err));
  } finally {
    await handle?.close();
  }
}

/** @param {string} folder @returns {Promise<Source>} */
async function openFolder(folder) {
  const [{ createReadStream }, { readdir, stat }, path] = await Promise.all([
    import('node:fs'),
    import('node:fs/promises'),
    import('node:path'),
  ]);
  /** @type {Map<string, number>} */
  const sizes = new Map();
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    need(entry.isFile(), `${brief(entry.name)} is no regular file.`);
    sizes.set(entry.name, (await stat(path.join(folder, entry.name))).size);
  }
  return {
    names: [...sizes.keys()],
    size: (name) => sizes.get(name) ?? 0,
    open: (name, start = 0) => createReadStream(path.join(folder, name), { highWaterMark: READ_BYTES, start }),
  };
}

/** Two checkpoints that contradict each other, each as it was signed. @param {string} path @param {Report} report */
async function writeMisbehaviour(path, { misbehaviour, signers }) {
  const { writeFile } = await import('node:fs/promises');
  const text = misbehaviour.map((note) => `----\n${note}`).join('');
  const names = signers.map(({ name, key_id: id }) => `${name} (key ${id})`).join(', ');
  await writeFile(path, `Checkpoints of one log that contradict each other, both signed by ${names}:\n${text}`);
}

/** The report for people, in 80 columns. @param {Report} report */
function summaryOf(report) {
  const { verdict, origin, tree_size: size, range, events, disclosures, signers, held, anchor, faults, notices } = report;
  const lines = [
    {
      ok: 'The evidence holds.',
      wrong: 'THE EVIDENCE IS WRONG.',
      unsigned: 'THE SIGNATURE IS NOT TO BE BELIEVED.',
      incomplete: 'NOT ALL COULD BE CHECKED.',
    }[verdict],
  ];
  const add = (/** @type {string} */ name, /** @type {string} */ text) => lines.push(...wrapped(`  ${name.padEnd(12)}`, text));
  if (origin !== null) add('log', `${origin}, of ${size} events`);
  for (const { name, key_id: id, vouched } of signers)
    add('signed by', `${name}, key ${id}${vouched ? '' : ' (from the bundle itself)'}`);
  if (range !== null) add('leaves', `${range.from} to ${range.to} (exclusive)`);
  if (events.first_recorded_at !== null) add('recorded', `${events.first_recorded_at} to ${events.last_recorded_at}`);
  const of = report.kind === 'bundle' ? `, of ${events.disclosed} with what is private` : '';
  add('events', `${events.present} here${of}, ${events.missing} missing`);
  add(
    'private',
    `${disclosures.disclosed} values disclosed, ${disclosures.undisclosed} not disclosed, ${disclosures.erased} erased`,
  );
  for (const { origin: heldOrigin, size: heldSize, result } of held) add('you hold', `${heldOrigin}, of ${heldSize}: ${result}`);
  if (anchor !== null) add('anchored', `at ${anchor.anchored_size} events in ${anchor.origin}`);
  for (const { name, cosigned_at: at } of anchor?.witnesses ?? []) add('cosigned', `${at} by ${name}`);
  for (const notice of notices) add('note', notice);
  const total = report.faults_total;
  if (total > 0) lines.push(total === 1 ? 'One fault:' : `${total} faults:`);
  for (const { fault, message, ...place } of byWeight(faults).slice(0, 20))
    lines.push(...wrapped('  - ', `${fault}: ${message}${placeText(place)}`));
  if (total > 20) lines.push(`  … and ${total - 20} more; --json has ${faults.length === total ? 'all' : faults.length}.`);
  if (report.not_checked.length > 0) lines.push('Not checked:');
  for (const text of report.not_checked) lines.push(...wrapped('  - ', text));
  return `${lines.join('\n')}\n`;
}

/** Lines of at most 80 columns, indented as the first begins. @param {string} begin @param {string} text */
function wrapped(begin, text) {
  const room = 80 - begin.length;
  /** @type {string[]} */
  const lines = [];
  let line = '';
  for (const word of printable(text)
    .split(' ')
    .flatMap((word) => word.match(new RegExp(`.{1,${room}}`, 'gu')) ?? [])) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line].map((text, i) => `${i === 0 ? begin : ' '.repeat(begin.length)}${text}`);
}

/** Those of the log before those of files. @param {readonly Fault[]} faults */
function byWeight(faults) {
  const names = Object.keys(FAULTS);
  return [...faults].sort((a, b) => names.indexOf(a.fault) - names.indexOf(b.fault));
}

/** @param {Place} place */
function placeText({ index, id, from, to, file, line }) {
  const parts = [];
  if (index !== undefined) parts.push(`leaf ${index}`);
  else if (from !== undefined) parts.push(`leaves ${from} to ${to}`);
  if (id !== undefined) parts.push(id);
  if (file !== undefined) parts.push(line === undefined ? file : `${file}, line ${line}`);
  return parts.length === 0 ? '' : ` [${parts.join('; ')}]`;
}

/** Evidence may be hostile: nothing of it moves a terminal's cursor. @param {string} text */
function printable(text) {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD');
}

if (isNode && process.argv[1] !== undefined) {
  const [{ realpath }, { fileURLToPath }] = await Promise.all([import('node:fs/promises'), import('node:url')]);
  const asked = await realpath(process.argv[1]).catch(() => null);
  if (asked === (await realpath(fileURLToPath(import.meta.url)).catch(() => undefined)))
    process.exitCode = await run(process.argv.slice(2));
}

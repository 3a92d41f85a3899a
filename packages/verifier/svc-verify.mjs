#!/usr/bin/env node
// @ts-check
// Checks evidence of an audit trail offline, and trusts nothing but the keys and checkpoints that whoever checks brings along. One file, no
// dependencies, Node.js 18 or newer. What it checks, and how: docs/reference/evidence.md.
//
//   node svc-verify.mjs bundle.zip --key <verifier key> --held last-checkpoint.txt
//
// The checking itself touches neither files nor processes: a browser page can import this file, give `usePlatform` its hashing, and call
// `verifyBundle` and `verifyProof`.

const VERSION = '1.0.0';

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

/**
 * Where a fault is, as narrowly as it is known: an event, else the run of leaves `[from, to)`, and the file (and its line, from 0).
 * @typedef {{ index?: number, id?: string, from?: number, to?: number, file?: string, line?: number }} Place
 */
/** @typedef {{ fault: FaultName, message: string } & Place} Fault */
/** @typedef {{ origin: string, size: number, root: Uint8Array, text: string, note: string }} Checkpoint */
/** @typedef {{ name: string, keyId: string, type: number, publicKey: Uint8Array }} Key */
/** @typedef {{ name: string, key_id: string, vouched: boolean }} Signer */

/**
 * What was found. `faults` holds the first two hundred of each name, `faults_total` counts all. `disclosures` counts values: disclosed and right, kept back, erased (as the
 * service says, for who looks sees only that they are not disclosed).
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
 * @property {{ present: number, withheld: number, missing: number, first_recorded_at: string | null, last_recorded_at: string | null }} events
 * @property {{ disclosed: number, undisclosed: number, erased: number }} disclosures
 * @property {{ origin: string, size: number, result: string }[]} held
 * @property {{ origin: string, size: number, anchored_size: number, witnesses: { name: string, cosigned_at: string }[] } | null} anchor
 * @property {Fault[]} faults
 * @property {number} faults_total
 * @property {string[]} notices
 * @property {object | null} claims what the manifest says and nothing vouches for
 * @property {string[]} misbehaviour two signed checkpoints that contradict each other, as notes
 */

/**
 * What whoever checks brings along.
 * @typedef {object} Options
 * @property {readonly string[]} [keys] verifier keys of the log
 * @property {boolean} [trustBundleKeys] believe the keys that are in the bundle
 * @property {readonly string[]} [held] checkpoints that were seen before: signed notes
 * @property {unknown} [consistency] an answer of GET /v1/audit/consistency, parsed
 * @property {readonly string[]} [witnesses] verifier keys of witnesses, each of which must have cosigned
 * @property {Uint8Array} [leaf] the leaf of a proof file, which does not hold it
 */

/** A bundle: its files by name. @typedef {{ names: readonly string[], size(name: string): number, open(name: string): AsyncIterable<Uint8Array> }} Source */

const FAULTS_MAX = 1_000;
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
      events: { present: 0, withheld: 0, missing: 0, first_recorded_at: null, last_recorded_at: null },
      disclosures: { disclosed: 0, undisclosed: 0, erased: 0 },
      held: [],
      anchor: null,
      faults: [],
      faults_total: 0,
      notices: [],
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
    const verdict = FAULTS[fault];
    // A wrong signature leaves nothing to be judged; what is wrong weighs more than what is not there.
    const weights = { ok: 0, incomplete: 1, wrong: 2, unsigned: 3 };
    if (weights[verdict] > weights[report.verdict]) report.verdict = verdict;
    report.exit_code = EXIT_CODES[report.verdict];
  }

  /** @param {string} notice */
  note(notice) {
    this.report.notices.push(notice);
  }
}

/** Why evidence cannot be read. */
class Unreadable extends Error {}

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
  if (oldSize === 0) return proof.length === 0 && isSame(oldRoot, platform.sha256(new Uint8Array()));
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

/** A tree from its left edge on: subtrees that are pushed, in order, merge as they complete each other. */
class Edge {
  /** @type {{ level: number, hash: Uint8Array }[]} */
  #nodes = [];
  /** Leaves so far. */
  size = 0;

  /** A whole subtree over `2 ** level` leaves. @param {number} level @param {Uint8Array} hash */
  push(level, hash) {
    let node = { level, hash };
    let index = this.size / 2 ** level;
    this.size += 2 ** level;
    for (; index % 2 === 1 && this.#nodes.length > 0; index = half(index)) {
      const left = /** @type {{ level: number, hash: Uint8Array }} */ (this.#nodes.pop());
      node = { level: node.level + 1, hash: nodeHash(left.hash, node.hash) };
    }
    this.#nodes.push(node);
  }

  /** The end of a tree, which need not be whole. @param {number} leaves @param {Uint8Array} hash */
  pushEnd(leaves, hash) {
    this.size += leaves;
    this.#nodes.push({ level: -1, hash });
  }

  root() {
    return this.#nodes.length === 0
      ? platform.sha256(new Uint8Array())
      : this.#nodes.map(({ hash }) => hash).reduceRight((right, left) => nodeHash(left, right));
  }
}

/** The levels of the whole subtrees of `[0, size)`, from the left. @param {number} size */
function leftLevels(size) {
  const levels = [];
  for (let level = 52; level >= 0; level--) if (Math.floor(size / 2 ** level) % 2 === 1) levels.push(level);
  return levels;
}

/** The largest power of two that divides `n`. @param {number} n */
function lowestBit(n) {
  let bit = 1;
  while (n % (bit * 2) === 0) bit *= 2;
  return bit;
}

/** How many leaves each subtree to the right of `at` has, in a tree of `size`. @param {number} at @param {number} size */
function rightLeaves(at, size) {
  const leaves = [];
  for (let from = at; from < size; from += leaves.at(-1) ?? size) {
    const bit = from === 0 ? size : lowestBit(from);
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
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]{44})$/.exec(text.trim());
  const bytes = bytesOf(match?.[3]);
  const type = bytes?.[0];
  if (match === null || bytes === null || (type !== ED25519 && type !== COSIGNATURE)) return null;
  const key = keyNamed(match[1] ?? '', type, bytes.subarray(1));
  return key.keyId === match[2] ? key : null;
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
 * Which log an origin is of: `<deployment>/org/<organization>`, with `/2` and so on since it began anew; of the deployment itself
 * `<deployment>/deployment/<id>`. Other origins are logs of their own.
 * @param {string} origin
 */
function logOf(origin) {
  const match = /^(.+)\/(org|deployment)\/([^/]+)(?:\/([2-9]|[1-9]\d{1,8}))?$/.exec(origin);
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
    if (key === undefined || signers.includes(key)) continue;
    if (signature.length !== 64 || !(await platform.verifyEd25519(key.publicKey, utf8.encode(text), signature))) {
      findings.add('bad-signature', `The signature of ${origin} by key ${keyId} is not of this checkpoint.`, place);
      return null;
    }
    signers.push(key);
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

/** `null`: it is not an envelope in canonical form. @param {string} line @returns {Envelope | null} */
function parseEnvelope(line) {
  let value;
  try {
    value = JSON.parse(line);
    // Members in order, none twice, no spaces: written again it is the same.
    if (JSON.stringify(value) !== line) return null;
  } catch {
    return null;
  }
  if (!isObject(value) || value['v'] !== 1 || !Array.isArray(value['private'])) return null;
  for (const name of ['id', 'org_id', 'kind', 'recorded_at']) if (typeof value[name] !== 'string') return null;
  if (!isCount(value['sequence']) || !value['private'].every((digest) => DIGEST.test(digest))) return null;
  return /** @type {Envelope} */ (value);
}

const NAMES = new Set(['actor.id', 'actor.ip', 'subject', 'external_id', 'metadata', 'previews', 'text', 'data']);

/**
 * Checks what is disclosed of an event against its leaf, and against what the leaf says in clear.
 * @param {Findings} findings @param {Envelope} envelope @param {unknown} disclosures exact texts @param {unknown} erased @param {Place} place
 */
function checkDisclosures(findings, envelope, disclosures, erased, place) {
  const bad = (/** @type {string} */ message) => findings.add('bad-disclosure', message, place);
  const { disclosures: counts } = findings.report;
  const texts = Array.isArray(disclosures) ? disclosures : null;
  const names = Array.isArray(erased) ? erased : null;
  if (texts === null || names === null || !names.every((name) => NAMES.has(name)))
    return bad('It is not of the form of disclosures.');
  const digests = new Set(envelope.private);
  if (digests.size !== envelope.private.length) bad('The leaf commits to the same value twice.');
  /** @type {Map<string, unknown>} */
  const values = new Map();
  for (const text of texts) {
    const disclosed = typeof text === 'string' ? parseDisclosure(text) : null;
    if (disclosed === null) {
      bad('A disclosure is not of the form [salt, name, value].');
      continue;
    }
    const { name, value } = disclosed;
    if (!digests.delete(base64(platform.sha256(utf8.encode(/** @type {string} */ (text))))))
      bad(`What is disclosed as ${name} is not what the leaf commits to.`);
    else if (values.has(name) || names.includes(name)) bad(`${name} is disclosed twice, or though it is said to be erased.`);
    else {
      values.set(name, value);
      counts.disclosed++;
    }
  }
  if (names.length > digests.size) bad('More is said to be erased than the leaf commits to.');
  counts.erased += names.length;
  counts.undisclosed += Math.max(0, digests.size - names.length);
  for (const [name, shown, told] of contradictions(envelope, values))
    findings.add('contradiction', `${name}: the leaf says ${told} in clear, what is disclosed says ${shown}.`, place);
}

/** @param {string} text @returns {{ name: string, value: unknown } | null} */
function parseDisclosure(text) {
  try {
    const parsed = JSON.parse(text);
    if (!Array.isArray(parsed) || parsed.length !== 3) return null;
    const [salt, name, value] = parsed;
    return typeof salt === 'string' && NAMES.has(name) ? { name, value } : null;
  } catch {
    return null;
  }
}

/**
 * Where the public facts of an event and what is disclosed of it differ: they were made of the same row, whose columns repeat its data.
 * @param {Envelope} envelope @param {ReadonlyMap<string, unknown>} values @returns {string[][]} name, what is disclosed, what is public
 */
function contradictions(envelope, values) {
  /** @type {string[][]} */
  const found = [];
  const compare = (/** @type {string} */ name, /** @type {unknown} */ shown, /** @type {unknown} */ told) => {
    if (!isEqual(shown, told)) found.push([name, brief(shown), brief(told)]);
  };
  const data = values.get('data');
  if (!envelope.kind.startsWith('inference.')) return found;
  if (envelope['outcome'] !== undefined) compare('outcome', envelope['outcome'], envelope.kind.slice('inference.'.length));
  if (!isObject(data)) return found;
  for (const name of ['outcome', 'score', 'severity']) compare(name, data[name], envelope[name]);
  if (isObject(data['coverage'])) compare('coverage', data['coverage']['status'], envelope['coverage']);
  if (isObject(data['policy'])) {
    const { digest, version } = data['policy'];
    compare('policy', JSON.parse(JSON.stringify({ digest, version })), envelope['policy']);
  }
  if ('model' in data)
    compare('model', (isObject(data['model']) ? data['model']['name'] : data['model']) ?? undefined, envelope['model']);
  if (typeof data['event_id'] === 'string') compare('id', data['event_id'], envelope.id);
  // A leaf commits to these apart from the data, and to both only where the two differ.
  for (const name of ['subject', 'external_id'])
    if (values.has(name) && name in data) compare(name, data[name], values.get(name));
  return found;
}

/** @param {unknown} value */
function brief(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}

// ── A bundle ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

const FORMAT = 'svc-evidence@v1';
const TILE = 256;
const MANIFEST_BYTES_MAX = 1_048_576;
const SMALL_FILE_BYTES_MAX = 4_194_304;
const LINE_BYTES_MAX = 67_108_864;
/** Hashes of the levels above the leaves are held in memory: these are of 10^9 events. */
const LEVEL_BYTES_MAX = 134_217_728;
const REQUIRED = ['checkpoint.txt', 'events.jsonl', 'range.txt'];

/**
 * Checks a bundle. Reads its files one after the other, the largest in step, so that memory does not grow with them. Throws for a fault of the
 * caller alone: a key or a held checkpoint that is none (RangeError).
 * @param {Source} source @param {Options} [options] @returns {Promise<Report>}
 */
export async function verifyBundle(source, options = {}) {
  const findings = new Findings('bundle');
  try {
    await new BundleCheck(source, findings, options).run();
  } catch (err) {
    if (!(err instanceof Unreadable)) throw err;
    findings.add('unreadable', err.message);
  }
  return findings.report;
}

class BundleCheck {
  /** @param {Source} source @param {Findings} findings @param {Options} options */
  constructor(source, findings, options) {
    this.source = source;
    this.findings = findings;
    this.options = options;
    this.keys = keysGiven(options.keys, ED25519);
    this.held = heldGiven(options.held);
    /** Those whose content was compared with the manifest. */
    this.read = new Set(['manifest.json']);
    /** @type {Record<string, { bytes: number, sha256: string }>} */
    this.files = {};
    /** @type {boolean} */
    this.isBroken = false;
  }

  async run() {
    const { findings } = this;
    const manifest = await this.readManifest();
    if (manifest === null) return;
    const checkpoint = parseCheckpoint(await this.readText('checkpoint.txt'));
    const keyLines = this.has('keys.txt') ? await this.readText('keys.txt') : '';
    if (checkpoint === null) return findings.add('unreadable', 'It is not a checkpoint.', { file: 'checkpoint.txt' });
    this.believeKeys(keyLines);
    const { report } = findings;
    Object.assign(report, { origin: checkpoint.origin, tree_size: checkpoint.size, root: base64(checkpoint.root) });
    const signers = await checkSignature(findings, checkpoint, this.keys, { file: 'checkpoint.txt' });
    const vouched = this.options.keys?.length !== 0 && this.options.keys !== undefined;
    report.signers = (signers ?? []).map(({ name, keyId }) => ({ name, key_id: keyId, vouched }));
    if (!this.checkManifest(manifest, checkpoint)) return;
    const range = { from: manifest['range']['from'], to: manifest['range']['to'] };
    Object.assign(report, { range, org_id: manifest['org_id'] });
    const anchor = await this.readJson('anchor.json');
    const run = new Run(this, checkpoint, range, manifest);
    const anchored = parseCheckpoint(String(anchor?.checkpoint));
    if (anchored !== null) run.wanted.add(Math.floor(anchored.size / TILE));
    await run.check();
    const consistency = this.options.consistency ?? (await this.readJson('consistency.json'));
    for (const held of this.held) await checkHeld(findings, held, checkpoint, this.keys, consistency, (size) => run.rootAt(size));
    const witnesses = keysGiven(this.options.witnesses, COSIGNATURE);
    await checkAnchor(findings, anchor, checkpoint, this.keys, witnesses, (size) => run.rootAt(size));
    for (const name of Object.keys(this.files)) if (!this.read.has(name) && this.has(name)) await this.drain(name);
  }

  /** @returns {Promise<Record<string, any> | null>} */
  async readManifest() {
    const { findings, source } = this;
    if (!source.names.includes('manifest.json')) {
      findings.add('missing-file', 'It is not in the bundle.', { file: 'manifest.json' });
      return null;
    }
    const manifest = parseJson(await wholeText(source, 'manifest.json', MANIFEST_BYTES_MAX));
    if (!isObject(manifest) || manifest['format'] !== FORMAT) {
      findings.add('unknown-format', `It is not the manifest of ${FORMAT}.`, { file: 'manifest.json' });
      return null;
    }
    const { files } = manifest;
    const isListed = (/** @type {any} */ file) =>
      isObject(file) && isCount(file['bytes']) && /^[0-9a-f]{64}$/.test(String(file['sha256']));
    if (!isObject(files) || !Object.values(files).every(isListed)) {
      findings.add('unreadable', 'Its list of files is not one.', { file: 'manifest.json' });
      return null;
    }
    this.files = /** @type {typeof this.files} */ (Object.assign(Object.create(null), files));
    for (const name of source.names)
      if (name !== 'manifest.json' && this.files[name] === undefined)
        findings.add('unlisted-file', 'The manifest does not list it.', { file: name });
    for (const name of new Set([...REQUIRED, ...Object.keys(this.files)]))
      if (!this.has(name)) findings.add('missing-file', 'It is not in the bundle.', { file: name });
    const isWhole = REQUIRED.every((name) => this.has(name));
    return isWhole ? manifest : null;
  }

  /** Whether a file is both listed and there. @param {string} name */
  has(name) {
    return this.files[name] !== undefined && this.source.names.includes(name);
  }

  /** The keys of the bundle, where none were brought along: they are as good as whoever made the bundle. @param {string} lines */
  believeKeys(lines) {
    const { findings, options } = this;
    if (options.keys !== undefined && options.keys.length > 0) return;
    this.keys = lines
      .split('\n')
      .map(parseKey)
      .filter((key) => key !== null);
    const warning =
      'Nothing vouches for the keys in the bundle: whoever made it could have made them too. Bring a key that you have from elsewhere.';
    if (options.trustBundleKeys === true) findings.note(warning);
    else findings.add('unvouched-key', warning, { file: 'keys.txt' });
  }

  /** @param {Record<string, any>} manifest @param {Checkpoint} checkpoint */
  checkManifest(manifest, checkpoint) {
    const { findings } = this;
    const place = { file: 'manifest.json' };
    const { org_id: orgId, origin, tree_size: size, range, created_at, since, until, kinds, software } = manifest;
    findings.report.claims = { created_at, since, until, kinds, software };
    const log = logOf(checkpoint.origin);
    if (origin !== checkpoint.origin)
      findings.add('wrong-log', `It is said to be of ${brief(origin)}; the checkpoint is of ${checkpoint.origin}.`, place);
    if (log.kind === 'org' && log.name !== orgId)
      findings.add('wrong-log', `It is said to be of ${brief(orgId)}; the checkpoint is of ${checkpoint.origin}.`, place);
    if (size !== checkpoint.size)
      findings.add('wrong-manifest', `It tells of a tree of ${brief(size)}; the checkpoint is of ${checkpoint.size}.`, place);
    if (kinds !== null && !(Array.isArray(kinds) && kinds.every((kind) => typeof kind === 'string')))
      findings.add('wrong-manifest', 'Its kinds are not kinds.', place);
    const isRange = isObject(range) && isCount(range['from']) && isCount(range['to']) && range['from'] <= range['to'];
    if (isRange && range['to'] <= checkpoint.size) return true;
    findings.add('wrong-manifest', `${brief(range)} is no range of a tree of ${checkpoint.size}.`, place);
    return false;
  }

  /** A file's bytes, compared with the manifest once they were all read. @param {string} name @returns {AsyncGenerator<Uint8Array, void>} */
  async *open(name) {
    const listed = this.files[name];
    this.read.add(name);
    const sha256 = platform.createSha256();
    let bytes = 0;
    for await (const chunk of this.source.open(name)) {
      bytes += chunk.length;
      sha256.update(chunk);
      yield chunk;
    }
    const digest = hex(sha256.digest());
    if (listed !== undefined && (listed.bytes !== bytes || listed.sha256 !== digest))
      this.findings.add('damaged-file', `Its ${bytes} bytes have the SHA-256 ${digest}, which is not what the manifest says.`, {
        file: name,
      });
  }

  /** @param {string} name */
  async readText(name) {
    if (this.source.size(name) > SMALL_FILE_BYTES_MAX) throw new Unreadable(`${name} is too large.`);
    return wholeText(
      { ...this.source, size: (name) => this.source.size(name), open: (name) => this.open(name) },
      name,
      SMALL_FILE_BYTES_MAX,
    );
  }

  /** `undefined`: there is no such file. @param {string} name */
  async readJson(name) {
    if (!this.has(name)) return undefined;
    const value = parseJson(await this.readText(name));
    if (value === undefined) this.findings.add('unreadable', 'It is not JSON.', { file: name });
    return value;
  }

  /** @param {string} name */
  async drain(name) {
    for await (const _ of this.open(name));
  }
}

/** @param {string} text @returns {any} */
function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** @param {Source} source @param {string} name @param {number} bytesMax */
async function wholeText(source, name, bytesMax) {
  const bytes = await wholeBytes(source.open(name), name, bytesMax);
  try {
    return textOf(bytes);
  } catch {
    throw new Unreadable(`${name} is not UTF-8.`);
  }
}

/** @param {AsyncIterable<Uint8Array>} stream @param {string} name @param {number} bytesMax */
async function wholeBytes(stream, name, bytesMax) {
  const chunks = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > bytesMax) throw new Unreadable(`${name} is too large.`);
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** @param {readonly string[] | undefined} texts @param {number} type */
function keysGiven(texts, type) {
  return (texts ?? []).map((text) => {
    const key = parseKey(text);
    if (key === null || key.type !== type)
      throw new RangeError(`'${text}' is not a verifier key of ${type === ED25519 ? 'a log' : 'a witness'}.`);
    return key;
  });
}

/** @param {readonly string[] | undefined} notes */
function heldGiven(notes) {
  return (notes ?? []).map((note) => {
    const checkpoint = parseCheckpoint(note);
    if (checkpoint === null) throw new RangeError('A held checkpoint is not a signed note of a checkpoint.');
    return checkpoint;
  });
}

/** Lines of a stream, without their newline. */
class Lines {
  #chunks;
  /** @type {Uint8Array} */
  #rest = new Uint8Array();
  #at = 0;
  #isOver = false;
  /** @type {Uint8Array | undefined} */
  #returned;
  #name;

  /** @param {AsyncIterator<Uint8Array>} chunks @param {string} name */
  constructor(chunks, name) {
    this.#chunks = chunks;
    this.#name = name;
  }

  /** Puts back the line that was read last. @param {Uint8Array} line */
  back(line) {
    this.#returned = line;
  }

  /** The next line if it is at hand; `undefined`: `next` must be asked. */
  take() {
    if (this.#returned !== undefined) {
      const line = this.#returned;
      this.#returned = undefined;
      return line;
    }
    const end = this.#rest.indexOf(10, this.#at);
    if (end < 0) return undefined;
    const line = this.#rest.subarray(this.#at, end);
    this.#at = end + 1;
    return line;
  }

  /** @returns {Promise<Uint8Array | null>} */
  async next() {
    for (;;) {
      const line = this.take();
      if (line !== undefined) return line;
      if (this.#isOver) {
        const last = this.#rest.subarray(this.#at);
        this.#at = this.#rest.length;
        return last.length === 0 ? null : last;
      }
      const parts = [this.#rest.subarray(this.#at)];
      let size = parts[0]?.length ?? 0;
      for (;;) {
        const { value, done } = await this.#chunks.next();
        this.#isOver = done === true;
        if (this.#isOver) break;
        parts.push(value);
        size += value.length;
        if (size > LINE_BYTES_MAX) throw new Unreadable(`A line of ${this.#name} is too long.`);
        if (value.includes(10)) break;
      }
      const joined = new Uint8Array(size);
      let at = 0;
      for (const part of parts) {
        joined.set(part, at);
        at += part.length;
      }
      [this.#rest, this.#at] = [joined, 0];
    }
  }
}

/** Bytes of a stream in pieces of a given size. */
class Pieces {
  #lines;
  /** @type {Uint8Array} */
  #rest = new Uint8Array();

  /** @param {AsyncIterator<Uint8Array>} chunks */
  constructor(chunks) {
    this.#lines = chunks;
  }

  /** The next `size` bytes; fewer at the end. @param {number} size */
  async next(size) {
    const piece = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      if (this.#rest.length === 0) {
        const { value, done } = await this.#lines.next();
        if (done === true) return piece.subarray(0, at);
        this.#rest = value;
      }
      const taken = this.#rest.subarray(0, size - at);
      piece.set(taken, at);
      at += taken.length;
      this.#rest = this.#rest.subarray(taken.length);
    }
    return piece;
  }

  async drain() {
    while ((await this.#lines.next()).done !== true);
  }
}

/** What a line of events.jsonl is. @typedef {{ hash: Uint8Array | null, envelope: Envelope | null, kind: 'event' | 'withheld' | 'missing' | 'malformed' }} Line */

/** @param {Uint8Array} bytes @returns {Line} */
function parseLine(bytes) {
  if (bytes.length === 4 && bytes[0] === 110) return { hash: null, envelope: null, kind: 'missing' }; // null
  if (bytes[0] === 34) {
    const hash = hashOf(parseJson(decoded(bytes)));
    return hash === null
      ? { hash: leafHash(bytes), envelope: null, kind: 'malformed' }
      : { hash, envelope: null, kind: 'withheld' };
  }
  const envelope = parseEnvelope(decoded(bytes));
  return { hash: leafHash(bytes), envelope, kind: envelope === null ? 'malformed' : 'event' };
}

/** Text that is not UTF-8 becomes one that is no envelope. @param {Uint8Array} bytes */
function decoded(bytes) {
  try {
    return textOf(bytes);
  } catch {
    return '';
  }
}

/** A level of hashes: the `first`-th node of its level and those after it. @typedef {{ first: number, hashes: Uint8Array }} Level */

/** @param {Level} level @param {number} index */
function nodeOf({ first, hashes }, index) {
  const at = (index - first) * HASH_BYTES;
  return hashes.subarray(at, at + HASH_BYTES);
}

/** The leaf hashes of a block of 256, as far as it lies in the range; `null`: some are not there. @typedef {Map<number, Uint8Array[] | null>} Blocks */

/** What the lines, or the hashes that came with them, make of the range: its whole blocks, and the leaves of those that are needed one by one. */
class Reading {
  /** @param {number} first @param {number} last whole blocks `[first, last)` */
  constructor(first, last) {
    /** @type {Level} */
    this.level = { first, hashes: new Uint8Array(Math.max(0, last - first) * HASH_BYTES) };
    /** Blocks with a leaf that is not there. */
    this.holes = new Set();
    /** @type {Blocks} */
    this.leaves = new Map();
    this.isTrusted = false;
  }

  get isWhole() {
    return this.holes.size === 0;
  }
}

/** The run of leaves of a bundle, against its signed root. */
class Run {
  /** @param {BundleCheck} bundle @param {Checkpoint} checkpoint @param {{ from: number, to: number }} range @param {Record<string, any>} manifest */
  constructor(bundle, checkpoint, { from, to }, manifest) {
    this.bundle = bundle;
    this.findings = bundle.findings;
    this.checkpoint = checkpoint;
    this.from = from;
    this.to = to;
    this.manifest = manifest;
    /** Whole blocks of the range: `[first, last)`. */
    this.first = Math.ceil(from / TILE);
    this.last = Math.max(this.first, Math.floor(to / TILE));
    if ((this.last - this.first) * HASH_BYTES > LEVEL_BYTES_MAX) throw new Unreadable('The range is too large.');
    /** @type {Uint8Array[]} */
    this.left = [];
    /** @type {Uint8Array[]} */
    this.right = [];
    /** Of the lines of events.jsonl. */
    this.lines = new Reading(this.first, this.last);
    /** Of hashes-0.bin; `null`: it is not there. @type {Reading | null} */
    this.tiles = null;
    /** Of hashes-1.bin and so on, by level. @type {Map<number, Level>} */
    this.levels = new Map();
    /** Levels whose hashes lead to the signed root. */
    this.trustedLevels = new Set();
    /** Whose leaves at both ends of the range lead to the signed root, with a level between. @type {Reading | null} */
    this.edges = null;
    /** Blocks whose leaves must be known one by one: both ends, and wherever a checkpoint that is compared ends. */
    this.wanted = new Set([Math.floor(from / TILE), Math.floor(to / TILE)]);
    for (const { size } of bundle.held) this.wanted.add(Math.floor(size / TILE));
    /** Hashes of the tiles that differ from the events. @type {number[]} */
    this.altered = [];
    /** @type {{ line: number, sequence: number, id: string }[]} */
    this.misnumbered = [];
    this.linesTotal = 0;
    /** An event beside which there was a line of disclosures of another. @type {{ envelope: Envelope, place: Place } | null} */
    this.stray = null;
  }

  async check() {
    const { findings, from, to } = this;
    const hasRange = await this.readRange();
    await this.readLevels();
    await this.readLines();
    if (!hasRange) return;
    const { lines, tiles, checkpoint } = this;
    const isRoot = (/** @type {Uint8Array | null} */ root) => root !== null && isSame(root, checkpoint.root);
    lines.isTrusted = this.linesTotal === to - from && lines.isWhole && isRoot(this.rootOf(lines));
    if (tiles !== null) tiles.isTrusted = tiles.isWhole && isRoot(this.rootOf(tiles));
    for (const level of this.levels.keys()) {
      const reading = [lines, tiles].find((reading) => reading !== null && isRoot(this.rootOf(reading, level)));
      if (reading === undefined || reading === null) continue;
      this.trustedLevels.add(level);
      this.edges = reading;
    }
    const before = findings.report.faults_total;
    if (!lines.isTrusted) await this.align();
    this.checkHashes();
    // Where lines were moved, added or taken away, all that follow are out of place: they are named better by their hashes.
    if (lines.isTrusted || !this.hasReference)
      for (const { line, sequence, id } of this.misnumbered)
        findings.add('misnumbered', `Leaf ${from + line} says that it is of sequence ${sequence}.`, {
          index: from + line,
          id,
          file: 'events.jsonl',
          line,
        });
    if (!lines.isTrusted && findings.report.faults_total === before)
      findings.add('changed', 'The events do not lead to the signed root.', { from, to });
  }

  /** Whether any hashes lead to the signed root, so that faults have a place. */
  get hasReference() {
    return this.tiles?.isTrusted === true || this.trustedLevels.size > 0;
  }

  /** Hashes around the range. @returns {Promise<boolean>} */
  async readRange() {
    const { bundle, findings, from, to, checkpoint } = this;
    const lines = (await bundle.readText('range.txt')).split('\n');
    const place = { file: 'range.txt' };
    const part = (/** @type {string} */ name) => {
      const count = new RegExp(`^${name} (0|[1-9]\\d?)$`).exec(lines.shift() ?? '')?.[1];
      return count === undefined ? null : hashesOf(lines.splice(0, Number(count)));
    };
    const [left, right] = [part('left'), part('right')];
    if (left === null || right === null || lines.join('') !== '' || lines.length > 1) {
      findings.add('bad-range', 'It does not hold the hashes beside the range.', place);
      return false;
    }
    if (left.length !== leftLevels(from).length || right.length !== rightLeaves(to, checkpoint.size).length) {
      findings.add(
        'bad-range',
        `These are not the hashes beside leaves ${from} to ${to} of a tree of ${checkpoint.size}.`,
        place,
      );
      return false;
    }
    [this.left, this.right] = [left, right];
    return true;
  }

  async readLevels() {
    const { bundle, from, to } = this;
    for (let level = 1; level < 7; level++) {
      const name = `hashes-${level}.bin`;
      if (!bundle.has(name)) return;
      const width = TILE ** level;
      const [first, last] = [Math.ceil(from / width), Math.floor(to / width)];
      const bytes = Math.max(0, last - first) * HASH_BYTES;
      const hashes = await wholeBytes(bundle.open(name), name, LEVEL_BYTES_MAX);
      if (hashes.length === bytes) this.levels.set(level, { first, hashes });
      else this.findings.add('altered-hash', `It has ${hashes.length} bytes of hashes, not ${bytes}.`, { file: name });
    }
  }

  /** Reads the lines of the events, what is disclosed of them and the hashes of their tiles, in step. */
  async readLines() {
    const { bundle, findings, from, to, manifest } = this;
    const lines = new Lines(bundle.open('events.jsonl'), 'events.jsonl');
    const disclosures = bundle.has('disclosures.jsonl') ? new Lines(bundle.open('disclosures.jsonl'), 'disclosures.jsonl') : null;
    const pieces = bundle.has('hashes-0.bin') ? new Pieces(bundle.open('hashes-0.bin')) : null;
    this.tiles = pieces === null ? null : new Reading(this.first, this.last);
    for (let block = Math.floor(from / TILE); block * TILE < to; block++) {
      const [begin, end] = [Math.max(from, block * TILE), Math.min(to, (block + 1) * TILE)];
      /** @type {(Uint8Array | null)[]} */
      const hashes = [];
      for (let index = begin; index < end; index++) {
        const bytes = lines.take() ?? (await lines.next());
        const disclosed = disclosures === null ? undefined : (disclosures.take() ?? (await disclosures.next()));
        hashes.push(bytes === null ? null : this.checkLine(bytes, disclosed));
        if (this.stray !== null && disclosures !== null) await this.findDisclosure(disclosures);
      }
      this.keep(this.lines, block, hashes);
      if (pieces === null || this.tiles === null) continue;
      const stored = await pieces.next((end - begin) * HASH_BYTES);
      const tile = hashes.map((_, i) =>
        stored.length >= (i + 1) * HASH_BYTES ? stored.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES) : null,
      );
      tile.forEach((hash, i) => {
        const own = hashes[i];
        if (own && (hash === null || !isSame(hash, own)) && this.altered.length < FAULTS_MAX) this.altered.push(begin + i);
      });
      this.keep(this.tiles, block, tile);
    }
    for (let bytes = await lines.next(); bytes !== null; bytes = lines.take() ?? (await lines.next()))
      this.checkLine(bytes, disclosures === null ? undefined : (disclosures.take() ?? (await disclosures.next())));
    if (disclosures !== null && (await disclosures.next()) !== null) {
      findings.add('bad-disclosure', 'It has more lines than there are events.', { file: 'disclosures.jsonl' });
      while ((disclosures.take() ?? (await disclosures.next())) !== null);
    }
    if (pieces !== null) {
      if ((await pieces.next(1)).length > 0)
        findings.add('altered-hash', 'It has more hashes than the range has leaves.', { file: 'hashes-0.bin' });
      await pieces.drain();
    }
    const { present, withheld, missing } = findings.report.events;
    if (present !== manifest['events'] || withheld !== manifest['withheld'] || missing !== manifest['missing'])
      findings.add(
        'wrong-manifest',
        `It tells of ${brief(manifest['events'])} events, ${brief(manifest['withheld'])} withheld and ${brief(manifest['missing'])} missing; there are ${present}, ${withheld} and ${missing}.`,
        { file: 'manifest.json' },
      );
  }

  /** @param {Reading} reading @param {number} block @param {(Uint8Array | null)[]} hashes */
  keep(reading, block, hashes) {
    const whole = hashes.every((hash) => hash !== null) ? hashes : null;
    if (whole === null) reading.holes.add(block);
    else if (block >= this.first && block < this.last)
      reading.level.hashes.set(rootOfBlock(whole), (block - this.first) * HASH_BYTES);
    if (this.wanted.has(block)) reading.leaves.set(block, whole);
  }

  /** What one line says; its leaf hash. @param {Uint8Array} bytes @param {Uint8Array | null | undefined} disclosed */
  checkLine(bytes, disclosed) {
    const { findings, from, manifest } = this;
    const { events } = findings.report;
    const line = this.linesTotal++;
    const place = { index: from + line, file: 'events.jsonl', line };
    const { hash, envelope, kind } = parseLine(bytes);
    if (kind === 'missing') events.missing++;
    else if (kind === 'withheld') {
      events.withheld++;
      if (manifest['kinds'] === null) findings.add('missing', 'The event is withheld, though all kinds were asked for.', place);
    } else if (kind === 'malformed') findings.add('malformed', 'The line is not an event in canonical form.', place);
    if (envelope === null) {
      if (kind !== 'malformed') this.checkDisclosureLine(null, disclosed, line);
      return hash;
    }
    events.present++;
    events.first_recorded_at ??= envelope.recorded_at;
    events.last_recorded_at = envelope.recorded_at;
    if (envelope.org_id !== manifest['org_id'])
      findings.add('wrong-log', `The event is of ${brief(envelope.org_id)}.`, { ...place, id: envelope.id });
    if (Array.isArray(manifest['kinds']) && !isOfKinds(envelope.kind, manifest['kinds']))
      findings.add('wrong-manifest', `The event is of kind ${brief(envelope.kind)}, which was not asked for.`, {
        ...place,
        id: envelope.id,
      });
    if (envelope.sequence !== from + line + 1 && this.misnumbered.length < FAULTS_MAX)
      this.misnumbered.push({ line, sequence: envelope.sequence, id: envelope.id });
    this.checkDisclosureLine(envelope, disclosed, line);
    return hash;
  }

  /** @param {Envelope | null} envelope @param {Uint8Array | null | undefined} bytes @param {number} line */
  checkDisclosureLine(envelope, bytes, line) {
    const { findings, from } = this;
    if (bytes === undefined) {
      if (envelope !== null) findings.report.disclosures.undisclosed += envelope.private.length;
      return;
    }
    const place = { index: from + line, ...(envelope === null ? {} : { id: envelope.id }), file: 'disclosures.jsonl', line };
    const disclosed = bytes === null ? undefined : parseJson(decoded(bytes));
    if (envelope === null) {
      if (disclosed !== null) findings.add('bad-disclosure', 'Something is disclosed of an event that is not there.', place);
    } else if (!isObject(disclosed) || disclosed['id'] !== envelope.id) {
      findings.add('bad-disclosure', 'The line is not of this event.', place);
      this.stray = { envelope, place };
    } else checkDisclosures(findings, envelope, disclosed['disclosures'], disclosed['erased'], place);
  }

  /** Where an event was taken away and its disclosures were not, the next line is the right one. @param {Lines} disclosures */
  async findDisclosure(disclosures) {
    const line = disclosures.take() ?? (await disclosures.next());
    const disclosed = line === null ? null : parseJson(decoded(line));
    if (this.stray !== null && isObject(disclosed) && disclosed['id'] === this.stray.envelope.id)
      checkDisclosures(this.findings, this.stray.envelope, disclosed['disclosures'], disclosed['erased'], this.stray.place);
    else if (line !== null) disclosures.back(line);
    this.stray = null;
  }

  /**
   * The root of the tree with the hashes beside the range and those of a reading: its leaves and blocks, or instead of its blocks the nodes of the
   * levels that came with the bundle, up to `level`. `null`: something is not there.
   * @param {Reading} reading @param {number} [level] @returns {Uint8Array | null}
   */
  rootOf(reading, level = 0) {
    const edge = new Edge();
    this.pushLeft(edge);
    for (let at = this.from; at < this.to;) {
      let up = level;
      while (up > 0 && !(at % TILE ** up === 0 && at + TILE ** up <= this.to)) up--;
      const stored = this.levels.get(up);
      if (up > 0 && stored !== undefined) {
        edge.push(8 * up, nodeOf(stored, at / TILE ** up));
        at += TILE ** up;
      } else {
        const block = Math.floor(at / TILE);
        if (reading.holes.has(block)) return null;
        const end = Math.min(this.to, (block + 1) * TILE);
        if (block >= this.first && block < this.last) edge.push(8, nodeOf(reading.level, block));
        else for (const leaf of reading.leaves.get(block) ?? []) edge.push(0, leaf);
        at = end;
      }
      if (edge.size !== at) return null;
    }
    this.pushRight(edge);
    return edge.size === this.checkpoint.size ? edge.root() : null;
  }

  /** @param {Edge} edge @param {number} [until] */
  pushLeft(edge, until = Infinity) {
    leftLevels(this.from).forEach((level, i) => {
      if (edge.size < until) edge.push(level, /** @type {Uint8Array} */ (this.left[i]));
    });
  }

  /** @param {Edge} edge @param {number} [until] */
  pushRight(edge, until = Infinity) {
    rightLeaves(this.to, this.checkpoint.size).forEach((leaves, i) => {
      const hash = /** @type {Uint8Array} */ (this.right[i]);
      if (edge.size >= until) return;
      const level = Math.round(Math.log2(leaves));
      if (2 ** level === leaves) edge.push(level, hash);
      else edge.pushEnd(leaves, hash);
    });
  }

  /** The root that the log had at an earlier size, from what leads to the signed root; `null`: it does not follow from the bundle. @param {number} size */
  rootAt(size) {
    const { from, to, checkpoint, lines, tiles } = this;
    if (size === checkpoint.size) return checkpoint.root;
    const reading = lines.isTrusted ? lines : tiles?.isTrusted === true ? tiles : null;
    if (reading === null || size > checkpoint.size) return null;
    const edge = new Edge();
    this.pushLeft(edge, size);
    if (size > from) {
      for (let at = from; at < Math.min(to, size);) {
        const block = Math.floor(at / TILE);
        const isWhole = block >= this.first && block < this.last && (block + 1) * TILE <= size;
        const leaves = reading.leaves.get(block);
        if (isWhole) edge.push(8, nodeOf(reading.level, block));
        else if (leaves === undefined || leaves === null) return null;
        else for (const leaf of leaves.slice(0, size - at)) edge.push(0, leaf);
        at = (block + 1) * TILE;
      }
      if (size > to) this.pushRight(edge, size);
    }
    return edge.size === size ? edge.root() : null;
  }

  /** Whether a node of a level leads to the signed root. @param {number} level @param {number} index @returns {boolean} */
  isTrustedNode(level, index) {
    if (this.trustedLevels.has(level)) return true;
    const parents = this.levels.get(level + 1);
    const parent = Math.floor(index / TILE);
    const own = this.levels.get(level);
    if (
      parents === undefined ||
      own === undefined ||
      parent < parents.first ||
      parent - parents.first >= parents.hashes.length / HASH_BYTES
    )
      return [...this.trustedLevels].some((trusted) => trusted > level);
    if (!this.isTrustedNode(level + 1, parent)) return false;
    const children = Array.from({ length: TILE }, (_, i) => nodeOf(own, parent * TILE + i));
    return isSame(rootOfBlock(children), nodeOf(parents, parent));
  }

  /** A block's hashes that lead to the signed root: of its leaves, else of the block alone, else none. @param {number} block @param {readonly Uint8Array[]} leaves as the tiles have them */
  trustOf(block, leaves) {
    if (this.tiles?.isTrusted === true) return 'leaves';
    const isWhole = block >= this.first && block < this.last;
    const level = this.levels.get(1);
    if (isWhole && level !== undefined && this.isTrustedNode(1, block))
      return leaves.length === TILE && isSame(rootOfBlock(leaves), nodeOf(level, block)) ? 'leaves' : 'block';
    return !isWhole && this.edges !== null ? 'leaves' : 'none';
  }

  /** Names what is wrong with the events: goes through them again, beside the hashes that lead to the signed root. */
  async align() {
    const { bundle, findings, from, to } = this;
    if (!this.hasReference) {
      if (this.linesTotal < to - from)
        findings.add('truncated', `There are ${this.linesTotal} lines for ${to - from} leaves.`, {
          from: from + this.linesTotal,
          to,
        });
      return findings.add('changed', 'The events do not lead to the signed root, and no hashes are left that would say where.', {
        from,
        to,
      });
    }
    const aligned = new Alignment(this);
    const lines = new Lines(bundle.source.open('events.jsonl')[Symbol.asyncIterator](), 'events.jsonl');
    const pieces = this.tiles === null ? null : new Pieces(bundle.source.open('hashes-0.bin')[Symbol.asyncIterator]());
    for (let block = Math.floor(from / TILE); block * TILE < to; block++) {
      const [begin, end] = [Math.max(from, block * TILE), Math.min(to, (block + 1) * TILE)];
      const stored = pieces === null ? new Uint8Array() : await pieces.next((end - begin) * HASH_BYTES);
      const isEdge = block < this.first || block >= this.last;
      const leaves = (isEdge && this.edges === this.lines ? this.lines.leaves.get(block) : null) ?? hashesIn(stored);
      await aligned.block({ begin, end, block, trust: this.trustOf(block, leaves), leaves }, lines);
    }
    await aligned.end(lines);
  }

  /** Names hashes of the tiles that are not of the events, or not of each other. */
  checkHashes() {
    const { findings, lines, tiles } = this;
    if (lines.isTrusted)
      for (const index of this.altered)
        findings.add('altered-hash', 'The tile of the leaves has another hash than the event.', {
          index,
          file: 'hashes-0.bin',
          line: index - this.from,
        });
    const base = lines.isTrusted ? lines : tiles?.isTrusted === true ? tiles : null;
    if (base === null) return;
    /** @type {Level} */
    let below = base.level;
    for (let level = 1; this.levels.has(level); level++) {
      const stored = /** @type {Level} */ (this.levels.get(level));
      const count = stored.hashes.length / HASH_BYTES;
      for (let i = 0; i < count; i++) {
        const index = stored.first + i;
        if (!isSame(nodeOf(stored, index), nodeOf(below, index)))
          findings.add('altered-hash', 'The tiles have another hash here than what is below it gives.', {
            from: index * TILE ** level,
            to: (index + 1) * TILE ** level,
            file: `hashes-${level}.bin`,
          });
      }
      below = parentsOf(below, Math.ceil(this.from / TILE ** (level + 1)), Math.floor(this.to / TILE ** (level + 1)));
    }
  }
}

/** @param {Uint8Array} bytes */
function hashesIn(bytes) {
  return Array.from({ length: Math.floor(bytes.length / HASH_BYTES) }, (_, i) =>
    bytes.subarray(i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
}

/** @param {string} kind @param {readonly string[]} kinds */
function isOfKinds(kind, kinds) {
  return kinds.some((asked) => asked === kind || asked === '*' || (asked.endsWith('.*') && kind.startsWith(asked.slice(0, -1))));
}

/** @param {readonly Uint8Array[]} hashes a power of two of them */
function rootOfBlock(hashes) {
  let level = hashes;
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, i) =>
      nodeHash(/** @type {Uint8Array} */ (level[2 * i]), /** @type {Uint8Array} */ (level[2 * i + 1])),
    );
  return /** @type {Uint8Array} */ (level[0]);
}

/** The nodes `[first, last)` of the next tile level. @param {Level} below @param {number} first @param {number} last @returns {Level} */
function parentsOf(below, first, last) {
  const hashes = new Uint8Array(Math.max(0, last - first) * HASH_BYTES);
  for (let index = first; index < last; index++)
    hashes.set(
      rootOfBlock(Array.from({ length: TILE }, (_, i) => nodeOf(below, index * TILE + i))),
      (index - first) * HASH_BYTES,
    );
  return { first, hashes };
}

// ── Naming faults ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** @typedef {{ index: number, hash: Uint8Array }} Expected */
/** @typedef {{ line: number, hash: Uint8Array | null, id: string | undefined }} Got */
/** @typedef {{ begin: number, end: number, block: number, trust: 'leaves' | 'block' | 'none', leaves: readonly Uint8Array[] }} Block */

/** So far it looks for where lines and leaves go on together. */
const WINDOW = 1_024;

/** Lines of events beside the leaf hashes that the log has: what is changed, missing, inserted, moved. */
class Alignment {
  #run;
  #findings;
  /** @type {Expected[]} */
  #expected = [];
  /** @type {Got[]} */
  #got = [];
  #line = 0;
  /** A run of leaves of which no hashes are left. @type {{ from: number, to: number } | null} */
  #unknown = null;
  /** Leaves without their line, with the line that stands in their place if there is one. @type {{ expected: Expected, got: Got | null }[]} */
  #lost = [];
  /** Lines without their leaf. @type {{ got: Got, before: number }[]} */
  #extra = [];

  /** @param {Run} run */
  constructor(run) {
    this.#run = run;
    this.#findings = run.findings;
  }

  /** @param {Block} block @param {Lines} lines */
  async block({ begin, end, block, trust, leaves }, lines) {
    if (trust === 'leaves') {
      leaves.forEach((hash, i) => this.#expected.push({ index: begin + i, hash }));
      if (this.#expected.length >= WINDOW) await this.#match(lines, WINDOW / 2);
      return;
    }
    // Leaves of which no hashes are left: their lines are compared as a whole.
    await this.#match(lines, 0);
    await this.#fill(lines, end - begin);
    const own = this.#got.splice(0, end - begin);
    const hashes = own.flatMap(({ hash }) => (hash === null ? [] : [hash]));
    const stored = this.#run.levels.get(1);
    const isBlock = trust === 'block' && stored !== undefined;
    if (isBlock && hashes.length === TILE && isSame(rootOfBlock(hashes), nodeOf(stored, block))) return;
    if (!isBlock) {
      // What follows each other of these is one run.
      if (this.#unknown?.to !== begin) this.#tellUnknown();
      this.#unknown = { from: this.#unknown?.from ?? begin, to: end };
      return;
    }
    this.#findings.add('changed', 'The events of this tile are not those of the log; no hashes are left that would say which.', {
      from: begin,
      to: end,
      file: 'events.jsonl',
    });
  }

  #tellUnknown() {
    if (this.#unknown === null) return;
    this.#findings.add(
      'changed',
      'These events do not lead to the signed root with the others; no hashes are left that would say which.',
      { ...this.#unknown, file: 'events.jsonl' },
    );
    this.#unknown = null;
  }

  /** @param {Lines} lines */
  async end(lines) {
    await this.#match(lines, 0);
    this.#tellUnknown();
    for (;;) {
      await this.#fill(lines, WINDOW);
      if (this.#got.length === 0) break;
      for (const got of this.#got.splice(0)) this.#addExtra(got, this.#run.to);
    }
    this.#name();
  }

  /** @param {Lines} lines @param {number} count */
  async #fill(lines, count) {
    while (this.#got.length < count) {
      const bytes = lines.take() ?? (await lines.next());
      if (bytes === null) return;
      const { hash, envelope } = parseLine(bytes);
      this.#got.push({ line: this.#line++, hash, id: envelope?.id });
    }
  }

  /** Goes through what is expected until no more than `rest` is left. @param {Lines} lines @param {number} rest */
  async #match(lines, rest) {
    while (this.#expected.length > rest) {
      await this.#fill(lines, WINDOW);
      let count = 0;
      const most = Math.min(this.#expected.length, this.#got.length);
      while (count < most && this.#isPair(count)) count++;
      this.#expected.splice(0, count);
      this.#got.splice(0, count);
      if (count > 0) continue;
      const [leaves, own] = this.#gap();
      const lost = this.#expected.splice(0, leaves);
      const extra = this.#got.splice(0, own);
      lost.forEach((expected, i) => this.#addLost(expected, extra[i] ?? null));
      for (const got of extra.slice(lost.length))
        this.#addExtra(got, lost.at(-1)?.index ?? this.#expected[0]?.index ?? this.#run.to);
    }
  }

  /** @param {number} at */
  #isPair(at) {
    const [expected, got] = [this.#expected[at], this.#got[at]];
    return expected !== undefined && got !== undefined && got.hash !== null && isSame(expected.hash, got.hash);
  }

  /** How many leaves and lines lie before the next that belong together: the fewest. @returns {[leaves: number, lines: number]} */
  #gap() {
    const places = new Map(this.#expected.slice(0, WINDOW).map(({ hash }, i) => [hex(hash), i]));
    let [leaves, own] = [Math.min(this.#expected.length, WINDOW), Math.min(this.#got.length, WINDOW)];
    // With no more lines to come, all leaves are without one; with none in common, as many lines as leaves stand in their place.
    if (own > leaves) own = leaves;
    else if (own > 0 && own < leaves && this.#got.length >= WINDOW) leaves = own;
    this.#got.slice(0, WINDOW).forEach(({ hash }, line) => {
      const place = hash === null ? undefined : places.get(hex(hash));
      if (place !== undefined && place + line < leaves + own) [leaves, own] = [place, line];
    });
    return [leaves, own];
  }

  /** @param {Expected} expected @param {Got | null} got */
  #addLost(expected, got) {
    if (this.#lost.length < 10 * FAULTS_MAX) this.#lost.push({ expected, got });
  }

  /** @param {Got} got @param {number} before */
  #addExtra(got, before) {
    if (this.#extra.length < 10 * FAULTS_MAX) this.#extra.push({ got, before });
  }

  /** A line that belongs elsewhere was moved; what stands in place of another was changed. */
  #name() {
    const findings = this.#findings;
    const inPlace = this.#lost.flatMap(({ expected, got }) => (got === null ? [] : [{ got, before: expected.index }]));
    /** @type {Map<string, Got>} */
    const strays = new Map();
    for (const { got } of [...inPlace, ...this.#extra]) if (got.hash !== null) strays.set(hex(got.hash), got);
    const moved = new Set();
    const { from, to } = this.#run;
    let end = to;
    for (let i = this.#lost.length - 1; this.#lost[i]?.got === null && this.#lost[i]?.expected.index === end - 1; i--) end--;
    if (end < to)
      findings.add('truncated', `The last ${to - end} events are not there.`, {
        from: end,
        to,
        index: end,
        file: 'events.jsonl',
      });
    for (const { expected, got } of this.#lost) {
      const { index } = expected;
      const stray = strays.get(hex(expected.hash));
      if (stray !== undefined) {
        moved.add(stray.line);
        findings.add('reordered', `The event of leaf ${index} stands on line ${stray.line}, in place ${from + stray.line}.`, {
          index,
          ...(stray.id === undefined ? {} : { id: stray.id }),
          file: 'events.jsonl',
          line: stray.line,
        });
      } else if (got !== null && got.hash !== null && !this.#isElsewhere(got))
        findings.add('changed', `The event of leaf ${index} is not the one that was logged.`, {
          index,
          ...(got.id === undefined ? {} : { id: got.id }),
          file: 'events.jsonl',
          line: got.line,
        });
      else if (index < end) findings.add('missing', `The event of leaf ${index} is not there.`, { index, file: 'events.jsonl' });
    }
    const rest = this.#extra.filter(({ got }) => !moved.has(got.line));
    for (const { got, before } of [...inPlace.filter(({ got }) => !moved.has(got.line) && this.#isElsewhere(got)), ...rest])
      findings.add(
        'inserted',
        `A line before leaf ${before} is not of the log${got.id === undefined ? '' : ` (it says ${got.id})`}.`,
        {
          index: before,
          ...(got.id === undefined ? {} : { id: got.id }),
          file: 'events.jsonl',
          line: got.line,
        },
      );
  }

  /** Whether the line is that of another leaf, which has lost its own. @param {Got} got */
  #isElsewhere({ hash }) {
    return hash !== null && this.#lost.some(({ expected }) => isSame(expected.hash, hash));
  }
}

// ── Checkpoints against each other ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * Whether the log of `checkpoint` goes on from one that was seen before.
 * @param {Findings} findings @param {Checkpoint} held @param {Checkpoint} checkpoint @param {readonly Key[]} keys @param {unknown} consistency
 * @param {(size: number) => Uint8Array | null} rootAt
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
  if (held.size === 0) return judge(isSame(held.root, platform.sha256(new Uint8Array())), 'as it was empty');
  const root = rootAt(held.size);
  if (root !== null) return judge(isSame(root, held.root), held.size === checkpoint.size ? 'the same' : 'by the events');
  const { from, to, hashes } = isObject(consistency) ? consistency : {};
  const proof = hashesOf(hashes);
  if (from !== held.size || to !== checkpoint.size || proof === null)
    return fault('missing-consistency', `There is no proof of consistency from ${held.size} to ${checkpoint.size}.`, {});
  if (isConsistent(held.size, held.root, checkpoint.size, checkpoint.root, proof)) return result('consistent, by proof');
  if (!isSameOrigin)
    return fault('restarted', `What you hold of ${held.origin} is not proved to be what ${checkpoint.origin} began with.`);
  fault(
    'unproven',
    `The proof does not lead from the checkpoint you hold, of ${held.size}, to that of ${checkpoint.size}: it is wrong, or the log is forked.`,
  );
}

/**
 * The checkpoint of the organization in the deployment's log, and who cosigned that.
 * @param {Findings} findings @param {unknown} anchor `undefined`: there is none @param {Checkpoint} checkpoint @param {readonly Key[]} keys
 * @param {readonly Key[]} witnesses @param {(size: number) => Uint8Array | null} rootAt
 */
async function checkAnchor(findings, anchor, checkpoint, keys, witnesses, rootAt) {
  const place = { file: 'anchor.json' };
  const bad = (/** @type {string} */ message) => findings.add('bad-anchor', message, place);
  if (anchor === undefined) {
    for (const { name } of witnesses)
      findings.add('missing-cosignature', `There is no anchor, so nothing that ${name} has cosigned.`, place);
    return;
  }
  const { checkpoint: note, salt, index, hashes, deployment, consistency } = isObject(anchor) ? anchor : {};
  const own = typeof note === 'string' ? parseCheckpoint(note) : null;
  const other = typeof deployment === 'string' ? parseCheckpoint(deployment) : null;
  const [proof, path, saltBytes] = [hashesOf(hashes), hashesOf(consistency ?? []), bytesOf(salt)];
  if (own === null || other === null || proof === null || path === null || saltBytes === null || saltBytes.length === 0)
    return bad('It is not of the form of an anchor.');
  const [ownLog, otherLog] = [logOf(own.origin), logOf(other.origin)];
  if (ownLog.log !== logOf(checkpoint.origin).log) return bad(`It anchors ${own.origin}.`);
  if (otherLog.kind !== 'deployment' || otherLog.deployment !== ownLog.deployment)
    return bad(`${other.origin} is not the log of its deployment.`);
  if ((await checkSignature(findings, own, keys, place)) === null) return;
  if ((await checkSignature(findings, other, keys, place)) === null) return;
  const leaf = leafHash(platform.sha256(saltBytes, utf8.encode(own.note)));
  if (!isIncluded(leaf, index, other.size, proof, other.root)) return bad('The checkpoint is not in the log of the deployment.');
  if (own.origin !== checkpoint.origin) findings.note(`The anchor is of ${own.origin}, from before the log began anew.`);
  else {
    const [first, second] = own.size <= checkpoint.size ? [own, checkpoint] : [checkpoint, own];
    const root = own.size <= checkpoint.size ? rootAt(own.size) : null;
    const isForked = root === null ? first.size === second.size : !isSame(root, own.root);
    const isProved = root !== null || isConsistent(first.size, first.root, second.size, second.root, path);
    if (isForked && !isSame(first.root, second.root)) {
      if (findings.report.signers.length > 0) findings.report.misbehaviour.push(own.note, checkpoint.note);
      return findings.add('forked', `The log had another history when its checkpoint of ${own.size} was anchored.`, {
        ...place,
        from: 0,
        to: own.size,
      });
    }
    if (!isProved)
      return findings.add('unproven', `The log of ${second.size} is not proved to go on from that of ${first.size}.`, place);
  }
  findings.report.anchor = { origin: other.origin, size: other.size, anchored_size: own.size, witnesses: [] };
  for (const witness of witnesses) await checkCosignature(findings, other, witness, place);
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
  const proof = text.startsWith(PROOF_HEADER) ? parseProofFile(text, options.leaf) : parseProofJson(text);
  const checkpoint = proof === null ? null : parseCheckpoint(proof.checkpoint);
  if (proof === null || checkpoint === null) {
    findings.add('unreadable', 'It is not a proof.');
    return findings.report;
  }
  const { index, hashes, leaf } = proof;
  const { report } = findings;
  const { origin, size, root } = checkpoint;
  Object.assign(report, { origin, tree_size: size, root: base64(root), range: { from: index, to: index + 1 } });
  report.signers = ((await checkSignature(findings, checkpoint, keys, {})) ?? []).map(({ name, keyId }) => ({
    name,
    key_id: keyId,
    vouched: true,
  }));
  if (leaf === null)
    findings.add('missing-leaf', 'A proof file does not hold the leaf: give it, as it is in events.jsonl.', { index });
  else {
    const envelope = parseEnvelope(decoded(leaf));
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
    await checkHeld(findings, old, checkpoint, keys, options.consistency, (at) => (at === size ? root : null));
  return report;
}

/** @param {Findings} findings @param {Envelope} envelope @param {Proof} proof @param {string} origin @param {Place} place */
function checkEvent(findings, envelope, { index, disclosures, erased, eventId }, origin, place) {
  const { report } = findings;
  const log = logOf(origin);
  report.org_id = envelope.org_id;
  report.events = {
    present: 1,
    withheld: 0,
    missing: 0,
    first_recorded_at: envelope.recorded_at,
    last_recorded_at: envelope.recorded_at,
  };
  if (log.kind === 'org' && log.name !== envelope.org_id)
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
  return { index, hashes, checkpoint, leaf: utf8.encode(envelope), eventId: String(event_id), disclosures, erased, says };
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

const ENTRIES_MAX = 64;
const READ_BYTES = 262_144;
const STORED = 0;
const DEFLATED = 8;

/**
 * The files of a .zip: stored or deflated, of any size (zip64). Refused, as an Error: what other readers could read differently (two entries of one
 * name, entries that overlap, folders), what is encrypted, and whatever does not fit together.
 * @param {Readable} file @returns {Promise<Source>}
 */
export async function openZip(file) {
  const directory = await readDirectory(file);
  const entries = new Map(directory.map((entry) => [entry.name, entry]));
  if (entries.size !== directory.length) throw new Unreadable('Two files of the .zip have one name.');
  return {
    names: [...entries.keys()],
    size: (name) => entries.get(name)?.size ?? 0,
    open(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw new Unreadable(`There is no ${name}.`);
      return contentOf(file, entry);
    },
  };
}

/** @typedef {{ name: string, method: number, size: number, compressed: number, crc: number, offset: number, end: number }} Entry */

/** @param {Readable} file @returns {Promise<Entry[]>} */
async function readDirectory(file) {
  const tailAt = Math.max(0, file.size - 65_557);
  const tail = await file.read(tailAt, file.size - tailAt);
  const view = viewOf(tail);
  let at = tail.length - 22;
  // The comment reaches to the end of the file; a second end within it would be read by others.
  while (at >= 0 && !(view.getUint32(at, true) === 0x06054b50 && at + 22 + view.getUint16(at + 20, true) === tail.length)) at--;
  if (at < 0) throw new Unreadable('It is not a .zip.');
  let [count, size, offset, end] = [
    view.getUint16(at + 10, true),
    view.getUint32(at + 12, true),
    view.getUint32(at + 16, true),
    tailAt + at,
  ];
  if (view.getUint16(at + 4, true) !== 0 || view.getUint16(at + 6, true) !== 0)
    throw new Unreadable('The .zip is in several parts.');
  if (at >= 20 && view.getUint32(at - 20, true) === 0x07064b50) {
    const recordAt = wide(view, at - 12);
    const record = await readAt(file, recordAt, 56);
    if (record.getUint32(0, true) !== 0x06064b50) throw new Unreadable('The directory of the .zip is not there.');
    [count, size, offset, end] = [wide(record, 32), wide(record, 40), wide(record, 48), recordAt];
  }
  if (count > ENTRIES_MAX || size > 65_536 || offset + size !== end)
    throw new Unreadable('The directory of the .zip does not fit.');
  const directory = await readAt(file, offset, size);
  /** @type {Entry[]} */
  const entries = [];
  let next = 0;
  for (let i = 0; i < count; i++) {
    const { entry, length } = parseEntry(directory, next);
    entries.push(entry);
    next += length;
  }
  if (next !== size) throw new Unreadable('The directory of the .zip does not fit.');
  await placeEntries(file, entries, offset);
  return entries;
}

/** @param {DataView} view @param {number} at @returns {{ entry: Entry, length: number }} */
function parseEntry(view, at) {
  if (at + 46 > view.byteLength || view.getUint32(at, true) !== 0x02014b50)
    throw new Unreadable('The directory of the .zip does not fit.');
  const [flags, method, crc] = [view.getUint16(at + 8, true), view.getUint16(at + 10, true), view.getUint32(at + 16, true)];
  let [compressed, size, offset] = [view.getUint32(at + 20, true), view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
  const [nameLength, extraLength, commentLength] = [
    view.getUint16(at + 28, true),
    view.getUint16(at + 30, true),
    view.getUint16(at + 32, true),
  ];
  const length = 46 + nameLength + extraLength + commentLength;
  if (at + length > view.byteLength) throw new Unreadable('The directory of the .zip does not fit.');
  const name = decoded(bytesAt(view, at + 46, nameLength));
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name)) throw new Unreadable(`'${brief(name)}' is no name of a file of a bundle.`);
  for (
    let extra = at + 46 + nameLength, end = extra + extraLength;
    extra + 4 <= end;
    extra += 4 + view.getUint16(extra + 2, true)
  ) {
    const fieldEnd = extra + 4 + view.getUint16(extra + 2, true);
    if (fieldEnd > end) throw new Unreadable('The directory of the .zip does not fit.');
    if (view.getUint16(extra, true) !== 1) continue;
    let field = extra + 4;
    const value = (/** @type {number} */ short) => {
      if (short !== 0xffffffff) return short;
      if (field + 8 > fieldEnd) throw new Unreadable('The directory of the .zip does not fit.');
      field += 8;
      return wide(view, field - 8);
    };
    size = value(size);
    compressed = value(compressed);
    offset = value(offset);
  }
  if ((flags & 1) !== 0) throw new Unreadable(`${name} is encrypted.`);
  if (method !== STORED && method !== DEFLATED) throw new Unreadable(`${name} is compressed by method ${method}.`);
  if (method === STORED && size !== compressed) throw new Unreadable(`${name} is of two sizes.`);
  return { entry: { name, method, size, compressed, crc, offset, end: 0 }, length };
}

/** Finds where the content of each begins, and sees that none lies in another. @param {Readable} file @param {readonly Entry[]} entries @param {number} directoryAt */
async function placeEntries(file, entries, directoryAt) {
  const sorted = [...entries].sort((a, b) => a.offset - b.offset);
  for (const [i, entry] of sorted.entries()) {
    const header = await readAt(file, entry.offset, 30);
    const nameLength = header.getUint16(26, true);
    const begin = entry.offset + 30 + nameLength + header.getUint16(28, true);
    const name = decoded(bytesAt(await readAt(file, entry.offset + 30, nameLength), 0, nameLength));
    if (header.getUint32(0, true) !== 0x04034b50 || name !== entry.name || header.getUint16(8, true) !== entry.method)
      throw new Unreadable(`${entry.name} is not where the directory of the .zip says.`);
    entry.offset = begin;
    entry.end = begin + entry.compressed;
    const next = sorted[i + 1]?.offset ?? directoryAt;
    if (entry.end > next) throw new Unreadable(`${entry.name} lies in another file of the .zip.`);
  }
}

/** @param {Readable} file @param {Entry} entry @returns {AsyncGenerator<Uint8Array, void>} */
async function* contentOf(file, { name, method, size, crc, offset, end }) {
  const stored = chunksOf(file, offset, end);
  let [bytes, sum] = [0, 0];
  // The manifest says what the others hash to; of itself it cannot.
  const isSummed = name === 'manifest.json';
  try {
    for await (const chunk of method === STORED ? stored : platform.inflateRaw(stored)) {
      bytes += chunk.length;
      if (bytes > size) break;
      if (isSummed) sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (err) {
    if (err instanceof Unreadable) throw err;
    throw new Unreadable(`${name} cannot be read: ${err instanceof Error ? err.message : String(err)}`);
  }
  if (bytes !== size || (isSummed && sum !== crc)) throw new Unreadable(`${name} is not what the .zip says it is.`);
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

const HELP = `Checks evidence of an audit trail, offline: a bundle (.zip, or the folder it was unpacked to), or the proof of one event.

  svc-verify <bundle.zip | folder | proof.json | file.tlog-proof> --key <verifier key> [options]

  --key <key>              a verifier key of the log (name+id+base64) that you have from elsewhere; or a file of them, one a line. Repeatable.
  --trust-bundle-keys      believe the keys in the bundle, if you bring none
  --held <file>            a checkpoint you have seen before: the log must go on from it. Repeatable.
  --consistency <file>     an answer of GET /v1/audit/consistency, from what you hold to what the evidence is of
  --witness <key>          a witness that must have cosigned the checkpoint of the deployment. Repeatable.
  --leaf <file>            the leaf of a .tlog-proof, which does not hold it
  --out <file>             where to write two signed checkpoints that contradict each other, as proof for others
  --json                   the report as JSON

Exit codes: 0 the evidence holds, 1 it is wrong, 2 its signature is, 3 something is missing or unreadable, 64 the command is.
`;

class UsageError extends Error {}

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
    if (!(err instanceof UsageError || err instanceof RangeError)) throw err;
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
    const [, name = '', inline] = /^--([a-z-]+)(?:=(.*))?$/s.exec(arg) ?? [];
    if (arg === '-h' || ['help', 'version', 'json', 'trust-bundle-keys', 'offline'].includes(name))
      flags.add(arg === '-h' ? 'help' : name);
    else if (values[name] !== undefined) {
      const value = inline ?? args[++i];
      if (value === undefined) throw new UsageError(`--${name} needs a value.`);
      values[name].push(value);
    } else if (arg.startsWith('-')) throw new UsageError(`There is no option ${arg}.`);
    else paths.push(arg);
  }
  const { key = [], held = [], witness = [], consistency = [], leaf = [], out = [] } = values;
  const isAside = flags.has('help') || flags.has('version');
  if (!isAside && paths.length !== 1)
    throw new UsageError(paths.length === 0 ? 'What is to be checked?' : 'Only one thing is checked at a time.');
  return {
    path: paths[0] ?? '',
    key,
    held,
    witness,
    consistency: consistency[0],
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
  // A verifier key holds pluses, and no file is named so.
  const keys = await Promise.all(
    key.map(async (text) =>
      parseKey(text) === null && !text.includes('+') ? (await read(text)).toString().split(/\s+/).filter(Boolean) : [text],
    ),
  );
  const consistencyText = consistency === undefined ? undefined : (await read(consistency)).toString();
  const parsed = consistencyText === undefined ? undefined : parseJson(consistencyText);
  if (consistencyText !== undefined && parsed === undefined) throw new UsageError(`${consistency} is not JSON.`);
  /** @type {Options} */
  const options = {
    keys: keys.flat(),
    held: (await Promise.all(held.map(read))).map(String),
    witnesses: witness,
    trustBundleKeys,
    ...(parsed === undefined ? {} : { consistency: parsed }),
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
  const info = await stat(path).catch((/** @type {Error} */ err) => err);
  if (info instanceof Error) return failed('bundle', `${path} cannot be read: ${info.message}`);
  if (info.isDirectory()) return verifyBundle(await openFolder(path), options);
  const handle = await open(path);
  try {
    const read = async (/** @type {number} */ offset, /** @type {number} */ length) => {
      const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset);
      if (bytesRead !== length) throw new Unreadable(`${path} is cut off.`);
      return buffer;
    };
    const begin = await read(0, Math.min(4, info.size));
    // PK
    if (begin[0] === 0x50 && begin[1] === 0x4b) return await verifyBundle(await openZip({ size: info.size, read }), options);
    if (info.size > LINE_BYTES_MAX) throw new Unreadable(`${path} is neither a bundle nor a proof.`);
    return await verifyProof(textOf(await read(0, info.size)), options);
  } catch (err) {
    if (err instanceof Unreadable) return failed('bundle', err.message);
    if (err instanceof TypeError && err.message.includes('encoded'))
      return failed('proof', `${path} is neither a bundle nor a proof.`);
    throw err;
  } finally {
    await handle.close();
  }
}

/** @param {'bundle' | 'proof'} kind @param {string} message */
function failed(kind, message) {
  const findings = new Findings(kind);
  findings.add('unreadable', message);
  return findings.report;
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
  for (const entry of await readdir(folder, { withFileTypes: true }))
    if (entry.isFile() && !entry.name.startsWith('.')) sizes.set(entry.name, (await stat(path.join(folder, entry.name))).size);
  return {
    names: [...sizes.keys()],
    size: (name) => sizes.get(name) ?? 0,
    open: (name) => createReadStream(path.join(folder, name), { highWaterMark: READ_BYTES }),
  };
}

/** Two checkpoints that contradict each other, each as it was signed. @param {string} path @param {Report} report */
async function writeMisbehaviour(path, { misbehaviour, signers }) {
  const { writeFile } = await import('node:fs/promises');
  const text = misbehaviour.map((note) => `----\n${note}`).join('');
  const names = signers.map(({ name, key_id: id }) => `${name} (key ${id})`).join(', ');
  await writeFile(path, `Checkpoints of one log that contradict each other, both signed by ${names}:\n${text}`);
}

/** The report for people. @param {Report} report */
function summaryOf(report) {
  const {
    verdict,
    origin,
    tree_size: size,
    range,
    events,
    disclosures,
    signers,
    held,
    anchor,
    faults,
    faults_total: total,
    notices,
  } = report;
  const lines = [
    {
      ok: 'The evidence holds.',
      wrong: 'THE EVIDENCE IS WRONG.',
      unsigned: 'THE SIGNATURE IS NOT TO BE BELIEVED.',
      incomplete: 'NOT ALL COULD BE CHECKED.',
    }[verdict],
  ];
  const add = (/** @type {string} */ name, /** @type {string} */ text) => lines.push(`  ${name.padEnd(12)}${printable(text)}`);
  if (origin !== null) add('log', `${origin}, of ${size} events`);
  for (const { name, key_id: id, vouched } of signers)
    add('signed by', `${name}, key ${id}${vouched ? '' : ' (from the bundle itself)'}`);
  if (range !== null) add('leaves', `${range.from} to ${range.to} (exclusive)`);
  if (events.first_recorded_at !== null) add('recorded', `${events.first_recorded_at} to ${events.last_recorded_at}`);
  add('events', `${events.present} here, ${events.withheld} withheld, ${events.missing} missing`);
  add(
    'private',
    `${disclosures.disclosed} values disclosed, ${disclosures.undisclosed} not disclosed, ${disclosures.erased} erased`,
  );
  for (const { origin: heldOrigin, size: heldSize, result } of held) add('you hold', `${heldOrigin}, of ${heldSize}: ${result}`);
  if (anchor !== null) add('anchored', `at ${anchor.anchored_size} events in ${anchor.origin}`);
  for (const { name, cosigned_at: at } of anchor?.witnesses ?? []) add('cosigned', `${at} by ${name}`);
  for (const notice of notices) add('note', notice);
  if (total > 0) lines.push(total === 1 ? 'One fault:' : `${total} faults:`);
  for (const { fault, message, ...place } of byWeight(faults).slice(0, 20))
    lines.push(`  ${fault}: ${printable(`${message}${placeText(place)}`)}`);
  if (total > 20) lines.push(`  … and ${total - 20} more; --json has ${faults.length === total ? 'all' : faults.length}.`);
  return `${lines.join('\n')}\n`;
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

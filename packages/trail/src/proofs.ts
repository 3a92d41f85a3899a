// Checking proofs: the algorithms of RFC 9162 §2.1.3.2 and §2.1.4.2.

import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './hashes.ts';

/** True when `leaf` (its hash) is the `index`-th of the tree of `size` with this root. False for anything malformed. */
export function isIncluded(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  root: Uint8Array,
): boolean {
  if (!isCount(index) || !isCount(size) || index >= size || ![leaf, root, ...proof].every(isHash)) return false;
  let [node, last] = [index, size - 1];
  let hash = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(sibling, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = nodeHash(hash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && same(hash, root);
}

/**
 * True when the tree of `newSize` has that of `oldSize` as its beginning. A tree without leaves is the beginning of every one, by the empty
 * proof. False for anything malformed.
 */
export function isConsistent(
  oldSize: number,
  oldRoot: Uint8Array,
  newSize: number,
  newRoot: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize || ![oldRoot, newRoot, ...proof].every(isHash)) return false;
  if (oldSize === newSize) return proof.length === 0 && same(oldRoot, newRoot);
  if (oldSize === 0) return proof.length === 0 && same(oldRoot, EMPTY_ROOT);
  const path = isPowerOfTwo(oldSize) ? [oldRoot, ...proof] : proof;
  if (path.length === 0) return false;
  let [node, last] = [oldSize - 1, newSize - 1];
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  let [oldHash, newHash] = [path[0]!, path[0]!];
  for (const sibling of path.slice(1)) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      oldHash = nodeHash(sibling, oldHash);
      newHash = nodeHash(sibling, newHash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else newHash = nodeHash(newHash, sibling);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && same(oldHash, oldRoot) && same(newHash, newRoot);
}

function isCount(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0;
}

function isHash(hash: Uint8Array): boolean {
  return hash.length === HASH_BYTES;
}

function isOdd(n: number): boolean {
  return n % 2 === 1;
}

function half(n: number): number {
  return Math.floor(n / 2);
}

function isPowerOfTwo(n: number): boolean {
  let power = 1;
  while (power < n) power *= 2;
  return power === n;
}

function same(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

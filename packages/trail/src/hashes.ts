// The hashes of a tree (RFC 6962 §2.1, the same in RFC 9162).

import { hash } from 'node:crypto';

export const HASH_BYTES = 32;
const LEAF = Buffer.of(0);
const LEAF_CHAR = '\0';
const NODE = 1;
// One for all: a call ends before the next begins.
const node = Buffer.alloc(1 + 2 * HASH_BYTES, NODE);

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Buffer = hash('sha256', Buffer.alloc(0), 'buffer');

/** The hash of a leaf: its bytes, or the text whose UTF-8 they are. */
export function leafHash(leaf: Uint8Array | string): Buffer {
  // A digest as text costs half of one as bytes.
  return Buffer.from(hash('sha256', typeof leaf === 'string' ? LEAF_CHAR + leaf : Buffer.concat([LEAF, leaf]), 'hex'), 'hex');
}

/** The hash over two nodes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return Buffer.from(hash('sha256', nodeOf(left, right), 'hex'), 'hex');
}

function nodeOf(left: Uint8Array, right: Uint8Array): Buffer {
  if (left.length !== HASH_BYTES || right.length !== HASH_BYTES) return Buffer.concat([Buffer.of(NODE), left, right]);
  node.set(left, 1);
  node.set(right, 1 + HASH_BYTES);
  return node;
}

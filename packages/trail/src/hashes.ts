// The hashes of a tree (RFC 6962 §2.1, the same in RFC 9162).

import { hash } from 'node:crypto';

export const HASH_BYTES = 32;
const LEAF = Buffer.of(0);
const NODE = Buffer.of(1);

/** The root of a tree without leaves. */
export const EMPTY_ROOT: Buffer = hash('sha256', Buffer.alloc(0), 'buffer');

/** The hash of a leaf's bytes. */
export function leafHash(leaf: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([LEAF, leaf]), 'buffer');
}

/** The hash over two nodes. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([NODE, left, right]), 'buffer');
}

// The right edge of a tree: all that is needed to append to it and to know its root.

import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './hashes.ts';

/** What a leaf that was appended completed: the hashes of the nodes above it, from level 1 up. */
export type Completed = readonly Buffer[];

export class Frontier {
  #size: number;
  /** The roots of the whole subtrees, the largest first: one for each bit of the size. */
  readonly #roots: Buffer[];

  private constructor(size: number, roots: Buffer[]) {
    this.#size = size;
    this.#roots = roots;
  }

  static empty(): Frontier {
    return new Frontier(0, []);
  }

  /** From what `save` gave. Throws a RangeError when the two do not fit. */
  static restore(size: number, saved: Uint8Array): Frontier {
    if (!Number.isSafeInteger(size) || size < 0 || saved.length !== bitsOf(size) * HASH_BYTES)
      throw new RangeError(`${saved.length} bytes are not the edge of a tree of ${size}`);
    const roots: Buffer[] = [];
    for (let at = 0; at < saved.length; at += HASH_BYTES) roots.push(Buffer.from(saved.subarray(at, at + HASH_BYTES)));
    return new Frontier(size, roots);
  }

  get size(): number {
    return this.#size;
  }

  /** At most 53 hashes of 32 bytes. */
  save(): Buffer {
    return Buffer.concat(this.#roots);
  }

  append(leaf: Buffer): Completed {
    const completed: Buffer[] = [];
    let hash = leaf;
    for (let size = this.#size; size % 2 === 1; size = (size - 1) / 2) {
      hash = nodeHash(this.#roots.pop()!, hash);
      completed.push(hash);
    }
    this.#roots.push(hash);
    this.#size++;
    return completed;
  }

  /** RFC 6962's Merkle Tree Hash of all leaves. */
  root(): Buffer {
    return this.#roots.length === 0 ? EMPTY_ROOT : this.#roots.reduceRight((right, left) => nodeHash(left, right));
  }
}

function bitsOf(size: number): number {
  let bits = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) bits += rest % 2;
  return bits;
}

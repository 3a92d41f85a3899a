// Which leaves the hashes of a proof cover. A subtree is named by its leaves, `[from, to)`; what reads hashes turns it into nodes.

/** The leaves `[from, to)`. In every proof `from` is a multiple of the least power of two that is no less than `to - from`. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A node over `2 ** level` leaves: the `index`-th of its level. */
export interface Node {
  readonly level: number;
  readonly index: number;
}

/** PATH(index, D[size]) of RFC 6962 §2.1.1: the siblings from the leaf up. Throws a RangeError for a leaf that is not in the tree. */
export function inclusionRanges(index: number, size: number): Range[] {
  if (!isSize(size) || !isSize(index) || index >= size) throw new RangeError(`no leaf ${index} in a tree of ${size}`);
  const ranges: Range[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + leftLeaves(to - from);
    if (index < middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
    }
  }
  return ranges.toReversed();
}

/** PROOF(from, D[to]) of RFC 6962 §2.1.2; nothing when the sizes are equal or the older one is 0. Throws a RangeError when `from` > `to`. */
export function consistencyRanges(oldSize: number, newSize: number): Range[] {
  if (!isSize(oldSize) || !isSize(newSize) || oldSize > newSize)
    throw new RangeError(`a tree of ${oldSize} does not grow to ${newSize}`);
  if (oldSize === 0) return [];
  const ranges: Range[] = [];
  let [from, to] = [0, newSize];
  let isOldTree = true; // whether [from, oldSize) is all of the older tree, whose root who asks has already
  while (to !== oldSize) {
    const middle = from + leftLeaves(to - from);
    if (oldSize <= middle) {
      ranges.push({ from: middle, to });
      to = middle;
    } else {
      ranges.push({ from, to: middle });
      from = middle;
      isOldTree = false;
    }
  }
  if (!isOldTree) ranges.push({ from, to });
  return ranges.toReversed();
}

/**
 * What a run of leaves `[from, to)` lacks to come to the root of a tree of `size`: the whole subtrees to its left, from the left, and the rest to
 * its right, cut as the tree cuts it (compact ranges, `docs/compact_ranges.md` of transparency-dev/merkle).
 */
export function rangeSiblings(
  { from, to }: Range,
  size: number,
): { readonly left: readonly Node[]; readonly right: readonly Range[] } {
  if (!isSize(size) || !isSize(from) || from > to || to > size)
    throw new RangeError(`no leaves ${from} to ${to} in a tree of ${size}`);
  const right: Range[] = [];
  for (let at = to; at < size;) {
    // The largest subtree that begins here, which may be cut off by the end of the tree.
    const end = at === 0 ? size : Math.min(at + lowestBit(at), size);
    right.push({ from: at, to: end });
    at = end;
  }
  return { left: nodesOf({ from: 0, to: from }), right };
}

/** The whole subtrees that make up a range, from the left. */
export function nodesOf({ from, to }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = from; at < to;) {
    let level = 0;
    while (2 ** (level + 1) <= to - at) level++;
    nodes.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return nodes;
}

/** The largest power of two below `leaves`, which is at least 2: so many are in the left subtree. */
function leftLeaves(leaves: number): number {
  let left = 1;
  while (left * 2 < leaves) left *= 2;
  return left;
}

function lowestBit(n: number): number {
  let bit = 1;
  while (n % (bit * 2) === 0) bit *= 2;
  return bit;
}

/** Sizes are whole and exact: up to 2^53, which no log comes near. */
function isSize(n: number): boolean {
  return Number.isSafeInteger(n) && n >= 0;
}

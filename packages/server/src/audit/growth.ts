// A log while leaves are appended to it: its right edge, and what is new in its tiles.

import { formatCheckpoint, Frontier, signNote, TILE_WIDTH } from '@svc/trail';
import type { ClaimedTree, GrownTree, TileGrowth } from './extender-store.ts';
import type { TrailKeys } from './keys.ts';
import { originOf, type HeldDeployment } from './origin.ts';

/** Levels of the tree from one level of tiles to the next. */
const TILE_LEVELS = 8;

export class Growth {
  readonly tree: ClaimedTree;
  readonly #frontier: Frontier;
  readonly #tiles: { level: number; index: number; widthBefore: number; hashes: Buffer[] }[] = [];
  /** By level: the tile that is being filled. */
  readonly #filling: { level: number; index: number; widthBefore: number; hashes: Buffer[] }[] = [];

  /** Throws a RangeError where the tree's right edge does not fit its size. */
  constructor(tree: ClaimedTree) {
    this.tree = tree;
    this.#frontier = Frontier.restore(tree.size, tree.frontier);
  }

  get size(): number {
    return this.#frontier.size;
  }

  /** `hash`: of the leaf, which becomes the `size`-th, from 0. */
  append(hash: Buffer): void {
    const position = this.#frontier.size;
    this.#add(0, position, hash);
    const completed = this.#frontier.append(hash);
    // Those of every eighth level of the tree stand in tiles.
    for (let i = TILE_LEVELS - 1; i < completed.length; i += TILE_LEVELS) {
      const level = (i + 1) / TILE_LEVELS;
      this.#add(level, Math.floor(position / TILE_WIDTH ** level), completed[i]!);
    }
  }

  /** With its new checkpoint signed. */
  finish({ deployment, nowMs }: HeldDeployment, keys: TrailKeys): GrownTree {
    const origin = originOf(deployment, this.tree.orgId);
    const { size } = this.#frontier;
    const root = this.#frontier.root();
    const note = signNote(formatCheckpoint({ origin, size, root }), keys.signers(origin, nowMs));
    const tiles: readonly TileGrowth[] = this.#tiles;
    return { tree: this.tree, size, frontier: this.#frontier.save(), root, note, tiles };
  }

  #add(level: number, position: number, hash: Buffer): void {
    const index = Math.floor(position / TILE_WIDTH);
    let tile = this.#filling[level];
    if (tile?.index !== index) {
      tile = { level, index, widthBefore: position % TILE_WIDTH, hashes: [] };
      this.#filling[level] = tile;
      this.#tiles.push(tile);
    }
    tile.hashes.push(hash);
  }
}

/** A log with these leaves appended and its new checkpoint signed. Throws a RangeError where its right edge does not fit its size. */
export function grownTree(
  tree: ClaimedTree,
  leaves: readonly { readonly hash: Buffer }[],
  held: HeldDeployment,
  keys: TrailKeys,
): GrownTree {
  const growth = new Growth(tree);
  for (const { hash } of leaves) growth.append(hash);
  return growth.finish(held, keys);
}

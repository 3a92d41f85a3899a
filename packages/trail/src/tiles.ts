// The tree cut into tiles (c2sp.org/tlog-tiles): 256 hashes of one level each, from which every node below the next level follows.

import { HASH_BYTES, nodeHash } from './hashes.ts';
import { nodesOf, type Node, type Range } from './ranges.ts';

export const TILE_WIDTH = 256;
const TILE_LEVELS = 8;
/** As many as the specification has. */
const LEVEL_MAX = 63;

/** A tile: the first `width` hashes of the `index`-th run of 256 on tile level `level`, which is level 8 · `level` of the tree. */
export interface Tile {
  readonly level: number;
  readonly index: number;
  /** 1–256; below 256 the tile is partial. */
  readonly width: number;
}

/** A tile's bytes: at least `width` hashes of 32 bytes, in order. */
export type TileBytes = Uint8Array;

/** `0/x001/234`, with `.p/12` where it is partial: what follows `tile/` in its path. */
export function tilePath({ level, index, width }: Tile): string {
  return `${level}/${indexPath(index)}${width === TILE_WIDTH ? '' : `.p/${width}`}`;
}

/** The tile of a path as `tilePath` writes it and in no other spelling; `null` for anything else. `entries` stands for an entry bundle. */
export function parseTilePath(path: string): Tile | null {
  const match = /^(0|[1-9]\d?)\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (match === null) return null;
  const level = Number(match[1]);
  const index = Number(match[2]!.replaceAll(/[x/]/g, ''));
  const width = match[3] === undefined ? TILE_WIDTH : Number(match[3]);
  const isFull = match[3] === undefined;
  if (level > LEVEL_MAX || !Number.isSafeInteger(index) || (!isFull && width >= TILE_WIDTH)) return null;
  const tile = { level, index, width };
  return tilePath(tile) === path ? tile : null;
}

function indexPath(index: number): string {
  const groups = [String(index % 1_000).padStart(3, '0')];
  for (let rest = Math.floor(index / 1_000); rest > 0; rest = Math.floor(rest / 1_000))
    groups.unshift(`x${String(rest % 1_000).padStart(3, '0')}`);
  return groups.join('/');
}

/** How many hashes the `index`-th tile of a level has in a tree of `size`; 0: it is not there yet. */
export function tileWidth(level: number, index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** level);
  return Math.max(0, Math.min(TILE_WIDTH, hashes - index * TILE_WIDTH));
}

/** The tiles of a tree of `size` that hold what the ranges need, each once. */
export function tilesFor(ranges: readonly Range[], size: number): Tile[] {
  const tiles = new Map<string, Tile>();
  for (const node of ranges.flatMap(nodesOf)) {
    const [level, index] = tileOf(node);
    tiles.set(`${level}/${index}`, { level, index, width: tileWidth(level, index, size) });
  }
  return [...tiles.values()];
}

/** The hash of a subtree from the tiles that `tilesFor` named. Throws a RangeError where `tile` gives too few bytes. */
export function rangeHash(range: Range, tile: (level: number, index: number) => TileBytes): Buffer {
  return nodesOf(range)
    .map((node) => hashOf(node, tile))
    .reduceRight((right, left) => nodeHash(left, right));
}

function hashOf(node: Node, tile: (level: number, index: number) => TileBytes): Buffer {
  const [level, index] = tileOf(node);
  const bytes = tile(level, index);
  const width = 2 ** (node.level % TILE_LEVELS);
  const first = (node.index * width) % TILE_WIDTH;
  if (bytes.length < (first + width) * HASH_BYTES) throw new RangeError(`tile ${level}/${index} has too few hashes`);
  let hashes: Buffer[] = Array.from({ length: width }, (_, i) =>
    Buffer.from(bytes.subarray((first + i) * HASH_BYTES, (first + i + 1) * HASH_BYTES)),
  );
  while (hashes.length > 1)
    hashes = Array.from({ length: hashes.length / 2 }, (_, i) => nodeHash(hashes[2 * i]!, hashes[2 * i + 1]!));
  return hashes[0]!;
}

function tileOf(node: Node): [level: number, index: number] {
  return [Math.floor(node.level / TILE_LEVELS), Math.floor((node.index * 2 ** (node.level % TILE_LEVELS)) / TILE_WIDTH)];
}

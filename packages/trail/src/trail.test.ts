// Promises of the log: its roots and proofs are those of RFC 6962, and nothing else is taken for one.

import fc from 'fast-check';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  consistencyRanges,
  EMPTY_ROOT,
  Frontier,
  HASH_BYTES,
  inclusionRanges,
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  nodesOf,
  parseTilePath,
  rangeHash,
  rangeSiblings,
  TILE_WIDTH,
  tilePath,
  tilesFor,
  tileWidth,
  type Range,
} from './index.ts';

const leaves = (size: number) => Array.from({ length: size }, (_, i) => leafHash(Buffer.from(`leaf ${i}`)));

/** RFC 6962's definition, word for word. */
function merkleTreeHash(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return EMPTY_ROOT;
  if (hashes.length === 1) return hashes[0]!;
  let left = 1;
  while (left * 2 < hashes.length) left *= 2;
  return nodeHash(merkleTreeHash(hashes.slice(0, left)), merkleTreeHash(hashes.slice(left)));
}

/** All tiles of a tree, as a log keeps them: by path. */
function tilesOf(hashes: readonly Buffer[]): Map<string, Buffer> {
  const tiles = new Map<string, Buffer>();
  let level = hashes;
  for (let l = 0; level.length > 0; l++) {
    for (let index = 0; index * TILE_WIDTH < level.length; index++) {
      const run = level.slice(index * TILE_WIDTH, (index + 1) * TILE_WIDTH);
      tiles.set(tilePath({ level: l, index, width: run.length }), Buffer.concat(run));
    }
    const full = Math.floor(level.length / TILE_WIDTH);
    level = Array.from({ length: full }, (_, i) => merkleTreeHash(level.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH)));
  }
  return tiles;
}

/** Hashes of ranges, from the tiles that were named and no others. */
function read(ranges: readonly Range[], size: number, stored: ReadonlyMap<string, Buffer>): Buffer[] {
  const named = new Map(tilesFor(ranges, size).map((tile) => [`${tile.level}/${tile.index}`, stored.get(tilePath(tile))!]));
  return ranges.map((range) => rangeHash(range, (level, index) => named.get(`${level}/${index}`)!));
}

const sizes = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.integer({ min: 200, max: 1_200 }), fc.constantFrom(256, 512, 65_537));
const many = leaves(65_537);
const trees = new Map<number, Map<string, Buffer>>();
const treeOf = (size: number) => {
  if (!trees.has(size)) trees.set(size, tilesOf(many.slice(0, size)));
  return trees.get(size)!;
};

describe('a tree', () => {
  test('has the roots of RFC 6962 at every size, however often it was put down and taken up', () => {
    let frontier = Frontier.empty();
    for (let size = 0; size <= 300; size++) {
      expect(frontier.root()).toEqual(merkleTreeHash(many.slice(0, size)));
      frontier = Frontier.restore(size, frontier.save());
      frontier.append(many[size]!);
    }
  });

  test('tells of the nodes that a leaf completes', () => {
    const frontier = Frontier.empty();
    for (let size = 1; size <= 64; size++) {
      const completed = frontier.append(many[size - 1]!);
      let levels = 0;
      while (size % 2 ** (levels + 1) === 0) levels++;
      expect(completed).toEqual(Array.from({ length: levels }, (_, i) => merkleTreeHash(many.slice(size - 2 ** (i + 1), size))));
    }
  });

  test('is not taken up from an edge of another size', () => {
    const frontier = Frontier.empty();
    for (const leaf of many.slice(0, 5)) frontier.append(leaf);
    expect(() => Frontier.restore(7, frontier.save())).toThrow(RangeError);
    expect(() => Frontier.restore(-1, frontier.save())).toThrow(RangeError);
    expect(() => Frontier.restore(5, frontier.save().subarray(1))).toThrow(RangeError);
  });

  test('of published values hashes as published', () => {
    expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(leafHash(Buffer.alloc(0)).toString('hex')).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d');
    expect(leafHash(Buffer.from('L123456')).toString('hex')).toMatch(/^395aa064/);
    expect(nodeHash(Buffer.from('N123'), Buffer.from('N456')).toString('hex')).toMatch(/^aa217fe8/);
  });
});

describe('a proof', () => {
  test('of inclusion is found in the tiles and holds, for its leaf, place, size and root alone', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat({ max: 7 }), (size, anyIndex, anyHash, bit) => {
        const index = anyIndex % size;
        const proof = read(inclusionRanges(index, size), size, treeOf(size));
        const root = read([{ from: 0, to: size }], size, treeOf(size))[0]!;
        expect(isIncluded(many[index]!, index, size, proof, root)).toBe(true);
        expect(isIncluded(many[index]!, index + 1, size, proof, root)).toBe(false);
        expect(isIncluded(many[(index + 1) % many.length]!, index, size, proof, root)).toBe(false);
        expect(isIncluded(many[index]!, index, size, [...proof, root], root)).toBe(false);
        expect(isIncluded(many[index]!, index, size, proof, flipped(root, anyHash % HASH_BYTES, bit))).toBe(false);
        if (proof.length === 0) return;
        expect(isIncluded(many[index]!, index, size, proof.slice(1), root)).toBe(false);
        const at = anyHash % proof.length;
        expect(isIncluded(many[index]!, index, size, proof.with(at, flipped(proof[at]!, anyHash % HASH_BYTES, bit)), root)).toBe(
          false,
        );
      }),
      { numRuns: 300 },
    );
  });

  test('of consistency is found in the tiles and holds, for its sizes and roots alone', () => {
    fc.assert(
      fc.property(sizes, fc.nat(), fc.nat(), fc.nat({ max: 7 }), (size, anySize, anyHash, bit) => {
        const old = anySize % (size + 1);
        const proof = read(consistencyRanges(old, size), size, treeOf(size));
        const roots = [old, size].map((n) => merkleTreeHash(many.slice(0, n))) as [Buffer, Buffer];
        expect(isConsistent(old, roots[0], size, roots[1], proof)).toBe(true);
        expect(isConsistent(old, flipped(roots[0], anyHash % HASH_BYTES, bit), size, roots[1], proof)).toBe(false);
        if (old > 0) expect(isConsistent(old, roots[0], size, flipped(roots[1], anyHash % HASH_BYTES, bit), proof)).toBe(false);
        expect(isConsistent(old, roots[0], size, roots[1], [...proof, roots[0]])).toBe(false);
        if (proof.length === 0) return;
        const at = anyHash % proof.length;
        expect(isConsistent(old, roots[0], size, roots[1], proof.with(at, flipped(proof[at]!, anyHash % HASH_BYTES, bit)))).toBe(
          false,
        );
        expect(isConsistent(old, roots[0], size, roots[1], proof.slice(1))).toBe(false);
      }),
      { numRuns: 300 },
    );
  });

  test('of every pair of sizes up to 130 holds', () => {
    const roots = Array.from({ length: 131 }, (_, size) => merkleTreeHash(many.slice(0, size)));
    const hashOf = ({ from, to }: Range) => merkleTreeHash(many.slice(from, to));
    for (let size = 1; size <= 130; size++) {
      for (let old = 0; old <= size; old++) {
        expect(isConsistent(old, roots[old]!, size, roots[size]!, consistencyRanges(old, size).map(hashOf))).toBe(true);
        if (old < size)
          expect(isIncluded(many[old]!, old, size, inclusionRanges(old, size).map(hashOf), roots[size]!)).toBe(true);
      }
    }
  });

  test('is not made of what is not there', () => {
    for (const [index, size] of [
      [5, 5],
      [0, 0],
      [-1, 5],
      [1.5, 5],
      [1, 2 ** 53],
    ] as const)
      expect(() => inclusionRanges(index, size)).toThrow(RangeError);
    expect(() => consistencyRanges(6, 5)).toThrow(RangeError);
    expect(() => consistencyRanges(-1, 5)).toThrow(RangeError);
  });

  test('of a run of leaves needs few hashes, and makes the root with the leaves themselves', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_200 }), fc.nat(), fc.nat(), (size, one, other) => {
        const [from, to] = [one % (size + 1), other % (size + 1)].sort((a, b) => a - b) as [number, number];
        const { left, right } = rangeSiblings({ from, to }, size);
        expect(left.length + right.length).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size + 1)));
        // The parts, in order, are the whole tree and each is a subtree of it: folded by size they give its root.
        const parts = [
          ...left.map(({ level, index }) => ({ from: index * 2 ** level, to: (index + 1) * 2 ** level })),
          ...Array.from({ length: to - from }, (_, i) => ({ from: from + i, to: from + i + 1 })),
          ...right,
        ];
        expect(rootOf(parts, (range) => merkleTreeHash(many.slice(range.from, range.to)))).toEqual(
          merkleTreeHash(many.slice(0, size)),
        );
      }),
      { numRuns: 200 },
    );
  });
});

/** The root from subtrees in order: two that are equal in size merge, what is left is folded from the right. */
function rootOf(parts: readonly Range[], hashOf: (range: Range) => Buffer): Buffer {
  const stack: { from: number; leaves: number; hash: Buffer }[] = [];
  for (const part of parts) {
    let [from, leaves, hash] = [part.from, part.to - part.from, hashOf(part)];
    while (stack.length > 0 && stack.at(-1)!.leaves === leaves && (from / leaves) % 2 === 1) {
      const left = stack.pop()!;
      [from, leaves, hash] = [left.from, left.leaves * 2, nodeHash(left.hash, hash)];
    }
    stack.push({ from, leaves, hash });
  }
  const hashes = stack.map(({ hash }) => hash);
  return hashes.length === 0 ? EMPTY_ROOT : hashes.reduceRight((right, left) => nodeHash(left, right));
}

function flipped(hash: Buffer, byte: number, bit: number): Buffer {
  const other = Buffer.from(hash);
  other[byte]! ^= 1 << bit;
  return other;
}

describe('a tile', () => {
  test('has one path, and a path one tile', () => {
    expect(tilePath({ level: 0, index: 1_234_067, width: 256 })).toBe('0/x001/x234/067');
    expect(tilePath({ level: 1, index: 0, width: 3 })).toBe('1/000.p/3');
    fc.assert(
      fc.property(fc.nat({ max: 63 }), fc.maxSafeNat(), fc.integer({ min: 1, max: 256 }), (level, index, width) => {
        expect(parseTilePath(tilePath({ level, index, width }))).toEqual({ level, index, width });
      }),
    );
    for (const path of [
      '',
      '0/0',
      '00/000',
      '0/x000/001',
      '0/000.p/256',
      '0/000.p/0',
      '0/000.p/007',
      '64/000',
      '0/000/',
      '0/../000',
      '0/x001',
    ])
      expect(parseTilePath(path), path).toBeNull();
  });

  test('is as wide as the tree is long', () => {
    expect([0, 255, 256, 257].map((size) => tileWidth(0, 0, size))).toEqual([0, 255, 256, 256]);
    expect([255, 256, 65_536].map((size) => tileWidth(1, 0, size))).toEqual([0, 1, 256]);
    expect(tileWidth(0, 1, 257)).toBe(1);
  });

  test('that is too short for what it is asked is refused', () => {
    expect(() => rangeHash({ from: 0, to: 4 }, () => Buffer.alloc(3 * HASH_BYTES))).toThrow(RangeError);
  });

  test('is all that a whole subtree needs', () => {
    expect(nodesOf({ from: 256, to: 512 })).toEqual([{ level: 8, index: 1 }]);
    expect(tilesFor([{ from: 256, to: 512 }], 600)).toEqual([{ level: 1, index: 0, width: 2 }]);
  });
});

const VECTORS = join(import.meta.dirname, '../../../../shared/vectors');

describe.skipIf(!existsSync(VECTORS))('published vectors', () => {
  interface Vector {
    readonly [name: string]: unknown;
    readonly proof: readonly string[] | null;
    readonly wantErr: boolean;
  }
  const bytes = (value: unknown) => Buffer.from(String(value), 'base64');
  const vectorsIn = (folder: string) =>
    readdirSync(join(VECTORS, folder), { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile() && file.name.endsWith('.json'))
      .map((file) => join(file.parentPath, file.name))
      .map((path) => [path.slice(VECTORS.length + 1), JSON.parse(readFileSync(path, 'utf8')) as Vector] as const);

  test.each(vectorsIn('merkle/inclusion'))('inclusion is judged as %s says', (_path, vector) => {
    const { leafIdx, treeSize, root, leafHash, proof, wantErr } = vector;
    expect(isIncluded(bytes(leafHash), Number(leafIdx), Number(treeSize), (proof ?? []).map(bytes), bytes(root))).toBe(!wantErr);
  });

  test.each(vectorsIn('merkle/consistency'))('consistency is judged as %s says', (_path, vector) => {
    const { size1, size2, root1, root2, proof, wantErr } = vector;
    const judged = isConsistent(Number(size1), bytes(root1), Number(size2), bytes(root2), (proof ?? []).map(bytes));
    // One of them calls two equal roots of 12 bytes consistent, which are no hashes.
    const isOfHashes = bytes(root1).length === HASH_BYTES && bytes(root2).length === HASH_BYTES;
    expect(judged).toBe(!wantErr && isOfHashes);
  });
});

// What is in an evidence bundle, and where its bytes come from. The form, for those who write verifiers: docs/reference/evidence.md.

import { HASH_BYTES, parseCheckpoint, rangeSiblings, splitNote, TILE_WIDTH, type Checkpoint, type Range } from '@svc/trail';
import { findAnchored } from '../audit/anchor-store.ts';
import { proveConsistency, rangeHashes, readTiles } from '../audit/log-store.ts';
import type { Queryable } from '../storage/database.ts';
import { VERSION } from '../version.ts';
import type { ExportFacts } from './formats/row.ts';
import { findExportChunk, type Export, type ExportFile, type ExportFormat, type ExportRange, type RunKey } from './store.ts';
import { DEFLATE_END, type ZipFile, type ZipLayout } from './zip.ts';

export const EVENTS = 'events.jsonl';
export const DISCLOSURES = 'disclosures.jsonl';
export const LEAF_HASHES = 'hashes-0.bin';
export const MANIFEST = 'manifest.json';

const VIEWS: Readonly<Record<Exclude<ExportFormat, 'jsonl'>, string>> = {
  csv: 'events.csv',
  parquet: 'events.parquet',
  ocsf: 'events.ocsf.jsonl',
  cloudevents: 'events.cloudevents.jsonl',
};

/** Where files stand in the zip. */
const ORDER = ['checkpoint.txt', 'keys.txt', 'range.txt', 'consistency.json', 'anchor.json', EVENTS, DISCLOSURES];

/** `null`: the evidence is what was asked for. */
export function viewOf(format: ExportFormat): string | null {
  return format === 'jsonl' ? null : VIEWS[format];
}

/** The files that grow with the leaves. */
export function growingFiles({ format, hasDisclosures }: Pick<Export, 'format' | 'hasDisclosures'>): string[] {
  const view = viewOf(format);
  return [EVENTS, ...(hasDisclosures ? [DISCLOSURES] : []), ...(view === null ? [] : [view]), LEAF_HASHES];
}

/** A file before its first byte. */
export function emptyFile(name: string): ExportFile {
  const known = ORDER.indexOf(name);
  const level = /^hashes-(\d+)\.bin$/.exec(name)?.[1];
  const view = ORDER.length;
  const position = known >= 0 ? known : name === MANIFEST ? view + 1_000 : level === undefined ? view : view + 1 + Number(level);
  // Hashes cannot be deflated, Parquet is already, and what is short is not worth it.
  const isDeflated = /^(events|disclosures)\b.*\.(jsonl|csv)$/.test(name);
  return { name, position, isDeflated, bytes: 0, packedBytes: 0, crc32: 0, sha256: null };
}

/** What a view says of the export as a whole. */
export function factsOf(range: ExportRange): ExportFacts {
  const { origin, checkpoint, treeSize, fromIndex, toIndex } = range;
  return {
    origin,
    treeSize,
    checkpoint,
    fromIndex,
    toIndex,
    root: checkpointOf(checkpoint).root.toString('base64'),
    version: VERSION,
  };
}

function checkpointOf(note: string): Checkpoint {
  const split = splitNote(note);
  const checkpoint = split === null ? null : parseCheckpoint(split.text);
  if (checkpoint === null) throw new Error('a checkpoint that was stored cannot be read');
  return checkpoint;
}

const NO_HASH: Buffer = Buffer.alloc(HASH_BYTES);

/** The hashes `[from, to)` of a level of tiles. Zeros stand where a tile is gone or cut: who checks finds them, and the rest is told. */
export async function tileHashes(db: Queryable, orgId: Buffer, level: number, from: number, to: number): Promise<Buffer[]> {
  if (to <= from) return [];
  const first = Math.floor(from / TILE_WIDTH);
  const tiles = Array.from({ length: Math.ceil(to / TILE_WIDTH) - first }, (_, i) => ({ level, index: first + i }));
  const lookup = await readTiles(db, orgId, tiles);
  return Array.from({ length: to - from }, (_, i) => {
    const bytes = lookup(level, Math.floor((from + i) / TILE_WIDTH));
    const start = ((from + i) % TILE_WIDTH) * HASH_BYTES;
    return bytes.length < start + HASH_BYTES ? NO_HASH : Buffer.from(bytes.subarray(start, start + HASH_BYTES));
  });
}

/** The levels above the leaves of which hashes lie wholly in a range, each with the range of them. */
export function levelsAbove({
  fromIndex,
  toIndex,
}: Pick<ExportRange, 'fromIndex' | 'toIndex'>): { level: number; from: number; to: number }[] {
  const levels = [];
  for (let level = 1; ; level++) {
    const leaves = TILE_WIDTH ** level;
    const [from, to] = [Math.ceil(fromIndex / leaves), Math.floor(toIndex / leaves)];
    if (from >= to) return levels;
    levels.push({ level, from, to });
  }
}

/** `range.txt`: the hashes that lead from the leaves to the root. */
export async function rangeText(db: Queryable, orgId: Buffer, range: ExportRange): Promise<string> {
  const { left, right } = rangeSiblings({ from: range.fromIndex, to: range.toIndex }, range.treeSize);
  const leaves = left.map(({ level, index }) => ({ from: index * 2 ** level, to: (index + 1) * 2 ** level }));
  const section = async (name: string, ranges: readonly Range[]) => {
    const hashes = await Promise.all(ranges.map((one) => rangeHashOrZeros(db, orgId, one, range.treeSize)));
    return [`${name} ${ranges.length}`, ...hashes.map((hash) => hash.toString('base64'))];
  };
  return `${[...(await section('left', leaves)), ...(await section('right', right))].join('\n')}\n`;
}

async function rangeHashOrZeros(db: Queryable, orgId: Buffer, range: Range, size: number): Promise<Buffer> {
  try {
    return (await rangeHashes(db, orgId, [range], size))[0]!;
  } catch (err) {
    if (err instanceof RangeError) return NO_HASH;
    throw err;
  }
}

/** `consistency.json`; `null`: the tiles that it needs are gone, or the tree is smaller than what is held. */
export async function consistencyText(db: Queryable, orgId: Buffer, heldSize: number, treeSize: number): Promise<string | null> {
  const hashes = await consistencyOrNull(db, orgId, heldSize, treeSize);
  return hashes === null ? null : `${JSON.stringify({ from: heldSize, to: treeSize, hashes: hashes.map(base64) })}\n`;
}

/**
 * `anchor.json`: that a checkpoint of the organization is in the deployment's log, which others watch; `null`: none of this origin is yet, or the
 * tiles that prove it are gone.
 */
export async function anchorText(db: Queryable, orgId: Buffer, { origin, treeSize }: ExportRange): Promise<string | null> {
  try {
    const anchored = await findAnchored(db, orgId);
    if (anchored === null || checkpointOf(anchored.note).origin !== origin) return null;
    const [older, newer] = [Math.min(anchored.size, treeSize), Math.max(anchored.size, treeSize)];
    const consistency = await proveConsistency(db, orgId, older, newer);
    return `${JSON.stringify({
      checkpoint: anchored.note,
      salt: base64(anchored.salt),
      index: anchored.index,
      hashes: anchored.hashes.map(base64),
      deployment: anchored.deployment.note,
      size: anchored.deployment.size,
      consistency: consistency.map(base64),
    })}\n`;
  } catch (err) {
    if (err instanceof RangeError) return null;
    throw err;
  }
}

async function consistencyOrNull(db: Queryable, orgId: Buffer, from: number, to: number): Promise<Buffer[] | null> {
  try {
    return await proveConsistency(db, orgId, from, to);
  } catch (err) {
    if (err instanceof RangeError) return null;
    throw err;
  }
}

/** `manifest.json`. `files`: all others. */
export function manifestText(
  made: Export & { readonly range: ExportRange },
  orgId: string,
  files: readonly ExportFile[],
): string {
  const { range, progress } = made;
  const manifest = {
    format: 'svc-evidence@v1',
    // That of the request, so that it is the same however often it was begun.
    created_at: new Date(made.createdAtMs).toISOString(),
    org_id: orgId,
    origin: range.origin,
    tree_size: range.treeSize,
    range: { from: range.fromIndex, to: range.toIndex },
    since: made.sinceMs === null ? null : new Date(made.sinceMs).toISOString(),
    until: made.untilMs === null ? null : new Date(made.untilMs).toISOString(),
    kinds: made.kinds,
    events: progress.events,
    disclosed: progress.disclosed,
    missing: progress.missing,
    files: Object.fromEntries(files.map(({ name, bytes, sha256 }) => [name, { bytes, sha256: sha256!.toString('hex') }])),
    software: { name: 'svc', version: VERSION },
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** A file as it lies in the zip: a deflated one with its last block. */
export function zipFileOf({ name, isDeflated, bytes, packedBytes, crc32 }: ExportFile): ZipFile {
  return { name, isDeflated, bytes, packedBytes: packedBytes + (isDeflated ? DEFLATE_END.length : 0), crc32 };
}

/** The bytes `[from, to)` of a zip, some at a time, each from the database when it is asked for. Throws when what they are made of is gone. */
export async function* readZip(
  db: Queryable,
  key: RunKey,
  layout: ZipLayout,
  from: number,
  to: number,
): AsyncGenerator<Buffer, void> {
  for (const segment of layout.segments) {
    const start = Math.max(from, segment.start) - segment.start;
    const end = Math.min(to, segment.start + segment.length) - segment.start;
    if (start >= end) continue;
    if ('bytes' in segment) yield segment.bytes.subarray(start, end);
    else yield* readContent(db, key, segment.content, start, end);
  }
}

/** The bytes `[from, to)` of a file as it lies in the zip. */
async function* readContent(db: Queryable, key: RunKey, file: ZipFile, from: number, to: number): AsyncGenerator<Buffer, void> {
  const stored = file.isDeflated ? file.packedBytes - DEFLATE_END.length : file.packedBytes;
  let at = from;
  while (at < Math.min(to, stored)) {
    const found = await findExportChunk(db, key, file.name, at);
    if (found === null) throw new Error('the bytes of an export are gone');
    const bytes = found.subarray(0, to - at);
    yield bytes;
    at += bytes.length;
  }
  if (to > stored) yield DEFLATE_END.subarray(Math.max(0, at - stored), to - stored);
}

function base64(bytes: Buffer): string {
  return bytes.toString('base64');
}

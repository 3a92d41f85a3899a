// Logs and bundles as the service makes them, to be checked and to be tampered with.

import {
  consistencyRanges,
  formatCheckpoint,
  formatVerifier,
  Frontier,
  inclusionRanges,
  leafHash,
  nodeHash,
  noteSigner,
  rangeSiblings,
  signNote,
  type Range,
} from '@svc/trail';
import { createHash } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { envelopeOf, shownDisclosures, type Envelope, type StoredEvent } from '../../server/src/audit/envelope.ts';
import { layOutZip } from '../../server/src/exports/zip.ts';

const ORG = 'org_01jd4t4ve9e0fs7m4c1ywz3qkd';
export const ORIGIN = `trail.example.com/org/${ORG}`;
export const DEPLOYMENT = 'trail.example.com/deployment/0192e2c0-8d51-7000-8000-000000000001';
const TILE = 256;
const START_US = 1_763_000_000_000_000;

/** A bundle's files, by name. */
export type Files = Map<string, Buffer>;

/** A log in memory. */
export class Log {
  readonly origin: string;
  readonly signer: ReturnType<typeof noteSigner>;
  readonly leaves: readonly Envelope[];
  readonly ids: readonly string[];
  readonly hashes: readonly Buffer[];

  /** `fork`: the events from this index on are others. `events`: instead of the usual ones, from the first on. */
  constructor(
    size: number,
    {
      fork = size,
      seed = 7,
      origin = ORIGIN,
      events: given = [],
    }: { fork?: number; seed?: number; origin?: string; events?: readonly Partial<StoredEvent>[] } = {},
  ) {
    this.origin = origin;
    this.signer = noteSigner(origin, Buffer.alloc(32, seed));
    const events = Array.from({ length: size }, (_, i) => ({ ...eventAt(i, i >= fork), ...given[i] }));
    this.leaves = events.map(envelopeOf);
    this.ids = events.map(({ id }) => id);
    this.hashes = this.leaves.map(({ text }) => leafHash(Buffer.from(text)));
  }

  get size(): number {
    return this.leaves.length;
  }

  get key(): string {
    return formatVerifier(this.signer.verifier);
  }

  /** The hash over a run of leaves. */
  hashOf({ from, to }: Range): Buffer {
    const frontier = Frontier.empty();
    for (const hash of this.hashes.slice(from, to)) frontier.append(hash);
    return frontier.root();
  }

  checkpoint(size = this.size): string {
    return signNote(formatCheckpoint({ origin: this.origin, size, root: this.hashOf({ from: 0, to: size }) }), [this.signer]);
  }

  /** JSON of `GET /v1/audit/consistency`. */
  consistency(from: number, to = this.size): string {
    const hashes = consistencyRanges(from, to).map((range) => this.hashOf(range).toString('base64'));
    return JSON.stringify({ from, to, hashes });
  }

  /** JSON of `GET /v1/events/{id}/proof`. */
  proof(index: number, size = this.size): Record<string, unknown> {
    const leaf = this.leaves[index]!;
    return {
      event_id: this.ids[index]!,
      leaf_index: index,
      leaf_hash: this.hashes[index]!.toString('base64'),
      envelope: leaf.text,
      disclosures: shownDisclosures(leaf).map(({ disclosed }) => disclosed),
      erased: leaf.erased,
      tree_size: size,
      root: this.hashOf({ from: 0, to: size }).toString('base64'),
      hashes: inclusionRanges(index, size).map((range) => this.hashOf(range).toString('base64')),
      checkpoint: this.checkpoint(size),
    };
  }
}

/** What of a bundle is as it was asked for. */
export interface Asked {
  readonly from?: number;
  readonly to?: number;
  readonly size?: number;
  readonly kinds?: readonly string[];
  /** There is a proof of consistency from this size. */
  readonly held?: number;
  readonly hasDisclosures?: boolean;
}

export function bundleOf(
  log: Log,
  { from = 0, size = log.size, to = size, kinds, held, hasDisclosures = true }: Asked = {},
): Files {
  const { left, right } = rangeSiblings({ from, to }, size);
  const section = (name: string, ranges: readonly Range[]) =>
    [`${name} ${ranges.length}`, ...ranges.map((range) => log.hashOf(range).toString('base64'))].join('\n');
  const isShown = (text: string) => kinds === undefined || kinds.includes((JSON.parse(text) as { kind: string }).kind);
  const run = log.leaves.slice(from, to);
  const disclosed = run.map((leaf, i) =>
    isShown(leaf.text)
      ? JSON.stringify({
          id: log.ids[from + i],
          disclosures: shownDisclosures(leaf).map(({ disclosed }) => disclosed),
          erased: leaf.erased,
        })
      : 'null',
  );
  const files: Files = new Map();
  const text = (name: string, lines: readonly string[]) =>
    files.set(name, Buffer.from(lines.map((line) => `${line}\n`).join('')));
  files.set('checkpoint.txt', Buffer.from(log.checkpoint(size)));
  text('keys.txt', [log.key]);
  const nodes = left.map(({ level, index }) => ({ from: index * 2 ** level, to: (index + 1) * 2 ** level }));
  text('range.txt', [section('left', nodes), section('right', right)]);
  text(
    'events.jsonl',
    run.map((leaf) => leaf.text),
  );
  if (hasDisclosures) text('disclosures.jsonl', disclosed);
  for (const [name, hashes] of levelsOf(log.hashes, from, to)) files.set(name, hashes);
  if (held !== undefined && held <= size) text('consistency.json', [log.consistency(held, size)]);
  text('events.csv', ['a view', ...log.ids.slice(from, to)]);
  setManifest(files, {
    format: 'svc-evidence@v1',
    created_at: '2026-11-22T00:00:00.000Z',
    org_id: ORG,
    origin: log.origin,
    tree_size: size,
    range: { from, to },
    // Else it is to be explained why the log before is not there.
    since: from === 0 ? null : '2025-11-13T00:00:00.000Z',
    until: null,
    kinds: kinds ?? null,
    events: run.length,
    disclosed: hasDisclosures ? disclosed.filter((line) => line !== 'null').length : 0,
    missing: 0,
    software: { name: 'svc', version: '0.0.0' },
  });
  return files;
}

/** The manifest as it is, less `files`. */
export function manifestOf(files: Files): Record<string, unknown> {
  const { files: _, ...manifest } = JSON.parse(files.get('manifest.json')!.toString()) as Record<string, unknown>;
  return manifest;
}

/** Writes the manifest anew, with the digests of the files as they are: who tampers can do that too. */
export function setManifest(files: Files, manifest: Record<string, unknown> = manifestOf(files)): void {
  const others = [...files].filter(([name]) => name !== 'manifest.json');
  const listed = others.map(([name, bytes]) => [
    name,
    { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') },
  ]);
  files.set('manifest.json', Buffer.from(`${JSON.stringify({ ...manifest, files: Object.fromEntries(listed) }, null, 2)}\n`));
}

/** The lines of a file, and how to put others in their place; the manifest counts and lists them anew. */
export function editLines(
  files: Files,
  edit: (lines: string[]) => string[],
  names = ['events.jsonl', 'disclosures.jsonl'],
): void {
  for (const name of names) {
    const lines = edit(files.get(name)!.toString().split('\n').slice(0, -1));
    files.set(name, Buffer.from(lines.map((line) => `${line}\n`).join('')));
  }
  const counts = (name: string) => {
    const lines = (files.get(name) ?? '').toString().split('\n').slice(0, -1);
    const missing = lines.filter((line) => line === 'null').length;
    return [lines.length - missing, missing];
  };
  const [[events, missing], [disclosed]] = [counts('events.jsonl'), counts('disclosures.jsonl')];
  setManifest(files, { ...manifestOf(files), events, missing, disclosed });
}

/** The .zip of the files. `isStored`: nothing is deflated. `zip64From`: sizes from here on are written in 64 bits. */
export function zipOf(files: Files, { isStored = false, zip64From = 2 ** 32 - 1 } = {}): Buffer {
  const isDeflated = (name: string) => !isStored && !name.endsWith('.bin');
  const packed = new Map([...files].map(([name, bytes]) => [name, isDeflated(name) ? deflateRawSync(bytes) : bytes]));
  const listed = [...files].map(([name, bytes]) => ({
    name,
    isDeflated: isDeflated(name),
    bytes: bytes.length,
    packedBytes: packed.get(name)!.length,
    crc32: crc32(bytes),
  }));
  const { segments } = layOutZip(listed, Date.UTC(2026, 10, 22), zip64From);
  return Buffer.concat(segments.map((segment) => ('bytes' in segment ? segment.bytes : packed.get(segment.content.name)!)));
}

/** The hashes of a run of leaves, and of the tile levels above them that lie wholly in it. */
function levelsOf(hashes: readonly Buffer[], from: number, to: number): [string, Buffer][] {
  const files: [string, Buffer][] = [['hashes-0.bin', Buffer.concat(hashes.slice(from, to))]];
  let below = hashes;
  for (let level = 1; ; level++) {
    const width = TILE ** level;
    const [first, last] = [Math.ceil(from / width), Math.floor(to / width)];
    if (first >= last) return files;
    const source = below;
    below = Array.from({ length: Math.floor(source.length / TILE) }, (_, i) => foldOf(source.slice(i * TILE, (i + 1) * TILE)));
    files.push([`hashes-${level}.bin`, Buffer.concat(below.slice(first, last))]);
  }
}

function foldOf(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, i) => nodeHash(level[2 * i]!, level[2 * i + 1]!));
  return level[0]!;
}

/** Assessments, most of them, and among them what people did. */
function eventAt(i: number, isOther: boolean): StoredEvent {
  const id = `evt_${String(i).padStart(26, '0')}`;
  const event = {
    orgId: ORG,
    sequence: i + 1,
    id,
    occurredAtUs: BigInt(START_US + i * 1_000),
    recordedAtUs: BigInt(START_US + i * 1_000 + 250),
    actorType: 'api_key',
    actorId: 'key_01',
    actorIp: i % 3 === 0 ? '192.0.2.7' : null,
    model: null,
    subjectUser: null,
    subjectSession: null,
    subjectAgent: null,
    externalId: null,
    probeId: null,
    categories: null,
    salt: createHash('md5').update(`salt ${i}`).digest(),
    redaction: null,
    text: null,
  };
  if (i % 5 === 4)
    return { ...event, kind: 'policy.updated', actorType: 'user', data: JSON.stringify({ version: isOther ? -i : i }) };
  const outcome = i % 2 === 0 ? 'allowed' : 'blocked';
  const data = {
    id: `asm_${i}`,
    external_id: null,
    outcome,
    score: isOther ? 0.99 : (i % 100) / 100,
    severity: 'low',
    findings: i % 2 === 0 ? [] : [{ category: 'pii.email', preview: 'a…@example.com' }],
    coverage: { status: 'complete', detectors: [] },
    policy: { version: 3, digest: 'sha256:00' },
    model: { provider: null, name: 'model-1', version: null },
    subject: { user: `user ${i}`, session: null, agent: null },
    metadata: { n: i },
    event_id: id,
  };
  const categories = i % 2 === 0 ? null : ' pii.email ';
  const text = i % 7 === 0 ? `["text ${i}"]` : null;
  return {
    ...event,
    kind: `inference.${outcome}`,
    model: 'model-1',
    subjectUser: `user ${i}`,
    categories,
    text,
    data: JSON.stringify(data),
  };
}

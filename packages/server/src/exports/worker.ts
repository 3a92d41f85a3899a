// Makes exports, a step at a time, beside the log's own work: what a step wrote is committed with how far it came, so that any node may take the
// next one, and one that is killed loses no more than its step.

import { promisify } from 'node:util';
import { constants, crc32, deflateRaw } from 'node:zlib';
import type { Vault } from '../access/vault.ts';
import { shownDisclosures } from '../audit/envelope.ts';
import { findBeginning } from '../audit/beginning.ts';
import { TrailKeys } from '../audit/keys.ts';
import { readLeaves, type Leaf } from '../audit/leaves.ts';
import { findCheckpoint } from '../audit/log-store.ts';
import { originOfNote } from '../audit/origin.ts';
import { newUuid } from '../ids.ts';
import { isConnectionFault, type Database, type Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import {
  anchorText,
  consistencyText,
  DISCLOSURES,
  emptyFile,
  EVENTS,
  factsOf,
  growingFiles,
  LEAF_HASHES,
  levelsAbove,
  MANIFEST,
  rangeText,
  tileHashes,
  viewOf,
} from './bundle.ts';
import { cloudEventLine } from './formats/cloudevents.ts';
import { CSV_HEADER, csvLine } from './formats/csv.ts';
import { ocsfLine } from './formats/ocsf.ts';
import { ParquetFile } from './formats/parquet.ts';
import { rowOf, type ExportFacts, type Row } from './formats/row.ts';
import { sealing } from './seal.ts';
import {
  advanceExport,
  beginExport,
  beginExportAnew,
  BYTES_MAX,
  claimExport,
  ClaimLost,
  countExports,
  exportIdOf,
  failExport,
  findPageEnd,
  findRecordedAt,
  finishExport,
  FULL,
  insertExportChunks,
  isRedactedAfter,
  keepClaim,
  listExportChunks,
  listExportFiles,
  markWritten,
  putExportFile,
  releaseExport,
  type ClaimedExport,
  type ExportFile,
  type ExportProgress,
  type ExportRange,
} from './store.ts';

interface Parts {
  readonly db: Database;
  readonly vault: Vault;
  readonly log: Logger;
  /** After it the next export has its turn. */
  readonly turnMs?: number;
}

/** What an export covers at most: some 10 GB of zip. */
const EVENTS_MAX = 20_000_000;
// What is committed together, and what a row group of Parquet holds: in memory at once, and lost with a node that is killed.
const STEP_EVENTS = 5_000;
const STEP_BYTES = 4_194_304;
// What is read at once: as long the log has to wait for the thread.
const PAGE_EVENTS = 500;
const PAGE_BYTES = 1_048_576;
const TURN_MS = 2_000;
/** A pass that has stopped for longer is another node's, or not needed any more. */
const SEAL_KEPT_MS = 600_000;
const POLL_MS = 500;
// A checkpoint follows within a second.
const WAIT_S = 0.5;
const RETRY_S = 5;
const ATTEMPTS_MAX = 5;
const KEPT_DAYS = 7;
// The fourth of nine levels: half the time of the usual one, for a tenth more bytes.
const DEFLATE_LEVEL = 4;
/** Not a file of the bundle: where the row groups of a Parquet file lie, one row each. */
const ROW_GROUPS = '.row-groups';

const deflate = promisify(deflateRaw);

export class ExportWorker {
  readonly #parts: Parts;
  readonly #keys: TrailKeys;
  readonly #turnMs: number;
  /** Passes over what is written that are to go on, with when they stopped, in that order. By export and run. */
  readonly #seals = new Map<string, { readonly pass: ReturnType<typeof sealing>; readonly atMs: number }>();
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#keys = new TrailKeys(parts.db, parts.vault);
    this.#turnMs = parts.turnMs ?? TURN_MS;
  }

  start(): void {
    this.#timer = setInterval(() => this.wake(), POLL_MS).unref();
  }

  /** There may be something to do. */
  wake(): void {
    if (this.#isClosed) return;
    this.#isWoken = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = null;
    });
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** What the step under way wrote is kept if it comes to its end at once, else it is done again. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#timer !== null) clearInterval(this.#timer);
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWoken && !this.#isClosed) {
      this.#isWoken = false;
      try {
        if (await this.#takeTurn()) this.#isWoken = true;
      } catch (err) {
        this.#parts.log.warn({ err }, 'exports wait for the database');
      }
    }
  }

  /** False when there was nothing to do. */
  async #takeTurn(): Promise<boolean> {
    const claimed = await claimExport(this.#parts.db, newUuid());
    if (claimed === null) return false;
    try {
      // Whoever worked on it did not come back, again and again: it may be the export that ends them.
      if (claimed.attempts > ATTEMPTS_MAX) throw new Error('turns of the export end without a word');
      await this.#work(claimed);
    } catch (err) {
      if (!(err instanceof ClaimLost)) await this.#fail(claimed, err);
    }
    return true;
  }

  async #fail(claimed: ClaimedExport, err: unknown): Promise<void> {
    const refusal = err instanceof Refusal ? err.message : null;
    // Whatever it was that failed, it is tried again on another node or later, a few times.
    const isOver = refusal !== null || (claimed.attempts >= ATTEMPTS_MAX && !isConnectionFault(err));
    if (refusal === null) this.#parts.log.warn({ err, attempts: claimed.attempts }, 'a turn of an export failed');
    const reason = refusal ?? 'It could not be worked on; the log of the service says why.';
    await failExport(this.#parts.db, claimed, RETRY_S, isOver ? reason : null).catch((cause: unknown) => {
      if (!(cause instanceof ClaimLost)) throw cause;
    });
  }

  async #work(claimed: ClaimedExport): Promise<void> {
    const { db } = this.#parts;
    const range = claimed.range ?? (await this.#begin(claimed));
    if (range === null) return releaseExport(db, claimed, WAIT_S);
    if (!claimed.isWritten) {
      if ((await countExports(db, claimed.orgId)).bytes > BYTES_MAX)
        throw new Refusal(`${FULL} Delete some, and ask for less at a time.`);
      const turn = await Turn.open(this.#parts, { ...claimed, range, progress: progressOf(claimed, range) });
      const endsAt = performance.now() + this.#turnMs;
      while (!turn.isOver) {
        if (!(await turn.step())) return beginExportAnew(db, claimed);
        if (!turn.isOver && (performance.now() > endsAt || this.#isClosed)) return releaseExport(db, claimed);
      }
      await this.#keys.load();
      await turn.writeProofs(this.#keys.verifiers(range.origin).map(({ vkey }) => vkey));
      // The pass over all of it is a turn of its own.
      return releaseExport(db, claimed);
    }
    return this.#seal({ ...claimed, range });
  }

  /** Fixes what is exported; `null`: the checkpoint that it needs is not signed yet. */
  async #begin(claimed: ClaimedExport): Promise<ExportRange | null> {
    const { db, vault } = this.#parts;
    const { orgId, sinceMs, untilMs } = claimed;
    const [beginning, checkpoint] = await Promise.all([findBeginning(db, vault, orgId), findCheckpoint(db, orgId)]);
    if (beginning === null || beginning.isPending || checkpoint === null || checkpoint.size < claimed.committed) return null;
    const { size } = checkpoint;
    // What is erased by now is explained by an event of the bundle.
    if (await isRedactedAfter(db, orgId, size)) return null;
    // What is gone before it was not retention's to delete: it is missing.
    const first = beginning.explained - 1;
    const fromIndex = sinceMs === null ? first : await this.#firstFrom(orgId, sinceMs, first, size);
    const toIndex = untilMs === null ? size : await this.#firstFrom(orgId, untilMs, first, size);
    const range = {
      origin: originOfNote(checkpoint.note),
      checkpoint: checkpoint.note,
      treeSize: size,
      fromIndex,
      toIndex: Math.max(fromIndex, toIndex),
    };
    if (range.toIndex - range.fromIndex > EVENTS_MAX)
      throw new Refusal(`It would have more than ${EVENTS_MAX} events. Ask for less at a time, by since and until.`);
    await beginExport(db, claimed, range);
    return range;
  }

  /** The first leaf of `[from, to)` that was recorded at or after a time: times of recording follow the sequence. `to`: there is none. */
  async #firstFrom(orgId: Buffer, ms: number, from: number, to: number): Promise<number> {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const found = await findRecordedAt(this.#parts.db, orgId, middle + 1);
      if (found === null || found.sequence > high || found.atMs >= ms) high = middle;
      else low = found.sequence;
    }
    return low;
  }

  /** One pass over all that was written, for the digests, and the zip can be had. In turns: this node goes on where it was; another begins anew. */
  async #seal(claimed: WrittenExport): Promise<void> {
    const { db } = this.#parts;
    const endsAt = performance.now() + this.#turnMs;
    const name = `${exportIdOf(claimed)} ${claimed.run}`;
    const pass = this.#seals.get(name)?.pass ?? sealing(db, claimed);
    // It comes back when it has more to do.
    this.#seals.delete(name);
    for (;;) {
      const { done, value } = await pass.next();
      if (done === true) {
        const { manifest, manifestFile, zip } = value;
        return db.transaction(async (tx) => {
          await finishExport(tx, claimed, zip, KEPT_DAYS);
          await putExportFile(tx, claimed, manifestFile);
          await insertExportChunks(tx, claimed, MANIFEST, 0, manifest);
        });
      }
      if (value !== null)
        await db.transaction(async (tx) => {
          await keepClaim(tx, claimed);
          await putExportFile(tx, claimed, value);
        });
      if (performance.now() < endsAt && !this.#isClosed) continue;
      await releaseExport(db, claimed);
      this.#keepPass(name, pass);
      return undefined;
    }
  }

  #keepPass(name: string, pass: ReturnType<typeof sealing>): void {
    const atMs = performance.now();
    this.#seals.set(name, { pass, atMs });
    for (const [other, stopped] of this.#seals) if (stopped.atMs < atMs - SEAL_KEPT_MS) this.#seals.delete(other);
  }
}

/** Why an export is not made, in words for who asked. */
class Refusal extends Error {}

type WrittenExport = ClaimedExport & { readonly range: ExportRange };

function progressOf({ range, progress }: ClaimedExport, begun: ExportRange): ExportProgress {
  return range === null ? { position: begun.fromIndex, events: 0, disclosed: 0, missing: 0 } : progress;
}

/** Bytes that are to be added to a file. */
interface Addition {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Writes the files that grow with the leaves, and at the end those that prove them. */
class Turn {
  readonly #parts: Parts;
  readonly #claimed: WrittenExport;
  readonly #facts: ExportFacts;
  readonly #files: Map<string, ExportFile>;
  readonly #parquet: ParquetFile | null;
  #groups: number;
  #progress: ExportProgress;

  private constructor(parts: Parts, claimed: WrittenExport, files: Map<string, ExportFile>, groups: readonly string[]) {
    this.#parts = parts;
    this.#claimed = claimed;
    this.#facts = factsOf(claimed.range);
    this.#files = files;
    this.#progress = claimed.progress;
    this.#groups = groups.length;
    const view = viewOf(claimed.format);
    this.#parquet = claimed.format === 'parquet' ? new ParquetFile(this.#facts, groups, files.get(view!)?.bytes ?? 0) : null;
  }

  static async open(parts: Parts, claimed: WrittenExport): Promise<Turn> {
    const files = await listExportFiles(parts.db, claimed);
    const groups = claimed.format === 'parquet' ? await listExportChunks(parts.db, claimed, ROW_GROUPS) : [];
    return new Turn(
      parts,
      claimed,
      new Map(files.map((file) => [file.name, file])),
      groups.map((bytes) => bytes.toString()),
    );
  }

  get isOver(): boolean {
    return this.#progress.position === this.#claimed.range.toIndex;
  }

  /**
   * Writes the leaves of one step. Where a step ends follows from what is stored alone, so that who does it again writes the same. False: what
   * it should write was pruned meanwhile.
   */
  async step(): Promise<boolean> {
    const { orgId, range, hasDisclosures } = this.#claimed;
    const gathered = new Gathered(this.#claimed);
    let at = this.#progress.position;
    while (at < range.toIndex && at - this.#progress.position < STEP_EVENTS && gathered.bytes < STEP_BYTES) {
      const end = await this.#pageEnd(at);
      const [leaves, hashes] = await Promise.all([
        readLeaves(this.#parts.db, this.#parts.vault, [{ orgId, after: at, until: end }]),
        tileHashes(this.#parts.db, orgId, 0, at, end),
      ]);
      gathered.add(at, leaves, hashes);
      at = end;
    }
    const beginning = await findBeginning(this.#parts.db, this.#parts.vault, orgId);
    if (beginning !== null && beginning.explained - 1 > this.#progress.position) return false;
    const { counts } = gathered;
    const progress = {
      position: at,
      events: this.#progress.events + counts.events,
      disclosed: this.#progress.disclosed + counts.disclosed,
      missing: this.#progress.missing + counts.missing,
    };
    const [view, group] = this.#viewBytes(gathered.rows);
    const additions = [
      { name: EVENTS, bytes: Buffer.from(gathered.events.join('')) },
      ...(hasDisclosures ? [{ name: DISCLOSURES, bytes: Buffer.from(gathered.disclosures.join('')) }] : []),
      ...view,
      { name: LEAF_HASHES, bytes: Buffer.concat(gathered.hashes) },
    ];
    await this.#commit(additions, async (tx) => {
      await advanceExport(tx, this.#claimed, progress);
      if (group !== null) await insertExportChunks(tx, this.#claimed, ROW_GROUPS, this.#groups, Buffer.from(group));
    });
    if (group !== null) this.#groups++;
    this.#progress = progress;
    return true;
  }

  #pageEnd(at: number): Promise<number> {
    const { orgId, range } = this.#claimed;
    const left = this.#progress.position + STEP_EVENTS;
    return findPageEnd(this.#parts.db, orgId, at, Math.min(at + PAGE_EVENTS, left, range.toIndex), PAGE_BYTES);
  }

  /** The view of some rows; of Parquet also where its row group lies. */
  #viewBytes(rows: readonly Row[]): [Addition[], string | null] {
    const name = viewOf(this.#claimed.format);
    if (name === null) return [[], null];
    if (this.#parquet !== null) {
      if (rows.length === 0) return [[], null];
      const { bytes, group } = this.#parquet.add(rows);
      return [[{ name, bytes }], group];
    }
    const isFirst = !this.#files.has(name);
    const header = this.#claimed.format === 'csv' && isFirst ? CSV_HEADER : '';
    return [[{ name, bytes: Buffer.from(header + rows.map((row) => this.#viewLine(row)).join('')) }], null];
  }

  #viewLine(row: Row): string {
    switch (this.#claimed.format) {
      case 'csv':
        return csvLine(row);
      case 'ocsf':
        return ocsfLine(row, this.#facts);
      case 'cloudevents':
        return cloudEventLine(row, this.#facts);
      case 'jsonl':
      case 'parquet':
        throw new Error('no view of lines');
    }
  }

  /** What leads from the leaves to the checkpoint. `verifierKeys`: those of the origin. */
  async writeProofs(verifierKeys: readonly string[]): Promise<void> {
    const { db } = this.#parts;
    const { orgId, range, heldSize, format } = this.#claimed;
    const additions: Addition[] = growingFiles(this.#claimed)
      .filter((name) => !this.#files.has(name))
      .map((name) => ({ name, bytes: Buffer.from(name === viewOf('csv') ? CSV_HEADER : '') }));
    if (this.#parquet !== null) additions.push({ name: viewOf(format)!, bytes: this.#parquet.finish() });
    const texts: Record<string, string | null> = {
      'checkpoint.txt': range.checkpoint,
      'keys.txt': verifierKeys.map((key) => `${key}\n`).join(''),
      'range.txt': await rangeText(db, orgId, range),
      'consistency.json': heldSize === null ? null : await consistencyText(db, orgId, heldSize, range.treeSize),
      'anchor.json': await anchorText(db, orgId, range),
    };
    for (const [name, text] of Object.entries(texts)) if (text !== null) additions.push({ name, bytes: Buffer.from(text) });
    for (const { level, from, to } of levelsAbove(range))
      additions.push({ name: `hashes-${level}.bin`, bytes: Buffer.concat(await tileHashes(db, orgId, level, from, to)) });
    await this.#commit(additions, (tx) => markWritten(tx, this.#claimed));
  }

  /** Adds bytes to files, in the transaction that `advance` begins. */
  async #commit(additions: readonly Addition[], advance: (tx: Transaction) => Promise<void>): Promise<void> {
    const files = new Map<string, ExportFile>();
    const chunks: { name: string; start: number; packed: Buffer }[] = [];
    for (const { name, bytes } of additions) {
      const before = files.get(name) ?? this.#files.get(name) ?? emptyFile(name);
      const packed = before.isDeflated ? await deflated(bytes) : bytes;
      files.set(name, appended(before, bytes, packed));
      chunks.push({ name, start: before.packedBytes, packed });
    }
    await this.#parts.db.transaction(async (tx) => {
      await advance(tx);
      for (const { name, start, packed } of chunks) await insertExportChunks(tx, this.#claimed, name, start, packed);
      for (const file of files.values()) await putExportFile(tx, this.#claimed, file);
    });
    for (const file of files.values()) this.#files.set(file.name, file);
  }
}

/** What a step found, as it goes into the files. */
class Gathered {
  readonly events: string[] = [];
  readonly disclosures: string[] = [];
  readonly hashes: Buffer[] = [];
  readonly rows: Row[] = [];
  readonly counts = { events: 0, disclosed: 0, missing: 0 };
  bytes = 0;
  readonly #claimed: WrittenExport;
  readonly #kinds: ReadonlySet<string> | null;

  constructor(claimed: WrittenExport) {
    this.#claimed = claimed;
    this.#kinds = claimed.kinds === null ? null : new Set(claimed.kinds);
  }

  /** `hashes`: of the leaves from `from` on; `leaves`: those that are there. Such as are there twice follow each other as they are. */
  add(from: number, leaves: readonly Leaf[], hashes: readonly Buffer[]): void {
    let next = 0;
    for (const [i, hash] of hashes.entries()) {
      this.hashes.push(hash);
      const sequence = from + i + 1;
      if (leaves[next]?.event.sequence !== sequence) {
        this.counts.missing++;
        this.#write('null', 'null');
      }
      for (; leaves[next]?.event.sequence === sequence; next++) this.#addLeaf(leaves[next]!);
    }
  }

  /** Envelopes are public facts: of kinds that were not asked for it is what they keep private, and their row in a view, that is left out. */
  #addLeaf(leaf: Leaf): void {
    this.counts.events++;
    if (this.#kinds?.has(leaf.event.kind) === false) return this.#write(leaf.text, 'null');
    const { hasDisclosures, format } = this.#claimed;
    if (hasDisclosures) this.counts.disclosed++;
    const disclosures = shownDisclosures(leaf).map(({ disclosed }) => disclosed);
    this.#write(leaf.text, JSON.stringify({ id: leaf.event.id, disclosures, erased: leaf.erased }));
    if (format !== 'jsonl') this.rows.push(rowOf(leaf, hasDisclosures));
  }

  #write(event: string, disclosure: string): void {
    this.events.push(`${event}\n`);
    this.disclosures.push(`${disclosure}\n`);
    this.bytes += event.length + disclosure.length;
  }
}

/** Blocks of a deflate stream that end with a byte: they may follow others and be followed. */
async function deflated(bytes: Buffer): Promise<Buffer> {
  if (bytes.length === 0) return bytes;
  return deflate(bytes, { level: DEFLATE_LEVEL, finishFlush: constants.Z_SYNC_FLUSH });
}

function appended(file: ExportFile, bytes: Buffer, packed: Buffer): ExportFile {
  return {
    ...file,
    bytes: file.bytes + bytes.length,
    packedBytes: file.packedBytes + packed.length,
    crc32: crc32(bytes, file.crc32),
  };
}

// The queue on disk between a decision and the service: what was decided while the service was away arrives later, once.
//
// A record is in the file, and so survives the end of the process, when its `append` resolves; it is flushed to the device at most `SYNC_MS`
// after that, plus the time the device takes. It leaves the queue when it is acknowledged, or when the bound is reached: then the oldest file
// goes as a whole, and what was in it and not acknowledged is counted.

import { mkdir, open, unlink, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { readIfThere, replaceFile, syncFolder } from '../files.ts';
import { frameOf, HEADER_BYTES, readFrames, RECORD_BYTES_MAX } from './frames.ts';
import { loadSegments, readAt, seal, segmentName, type Segment } from './segment.ts';

const SEGMENT_BYTES = 4 * 1_048_576;
/** There are at least so many, or the bound is kept by dropping too much at a time. */
const SEGMENTS_MIN = 8;
const SYNC_MS = 20;
/** What waits to be written while the disk does not answer. */
const PENDING_BYTES_MAX = 16 * 1_048_576;

export interface QueueOptions {
  /** Made where it is not there. */
  readonly folder: string;
  /** Of the files of records. */
  readonly bytesMax: number;
  /** Hears of a disk that fails, each time. */
  readonly onFault: (err: unknown) => void;
}

/** Records that were read and are still in the queue. */
export interface Batch {
  readonly records: readonly string[];
  readonly end: Position;
}

/** How far the queue has been acknowledged. */
interface Position {
  /** The first record's number of the segment. */
  readonly segment: number;
  /** Records of it, and the bytes they take. */
  readonly index: number;
  readonly offset: number;
}

interface State extends Position {
  readonly dropped: number;
  readonly rejected: number;
  /** A segment that is counted as dropped already, and may still be there. */
  readonly dropping: number | null;
}

const BEGIN: State = { segment: 0, index: 0, offset: 0, dropped: 0, rejected: 0, dropping: null };

interface OpenSegment {
  readonly segment: Segment;
  readonly file: FileHandle;
}

interface Waiting {
  readonly frame: Buffer;
  readonly done: () => void;
}

export class DiskQueue {
  readonly #folder: string;
  readonly #bytesMax: number;
  readonly #segmentBytes: number;
  readonly #onFault: (err: unknown) => void;
  readonly #segments: Segment[];
  #state: State;
  /** The counters are not yet on disk. */
  #isStateDirty = false;
  #pending: Waiting[] = [];
  #pendingBytes = 0;
  #isPumping = false;
  /** What changes files runs one after another. */
  #last: Promise<unknown> = Promise.resolve();
  #writing: OpenSegment | null = null;
  #reading: OpenSegment | null = null;
  /** The segment of the batch that was read last: it must not be dropped while it may be arriving. */
  #inFlight: number | null = null;
  #syncTimer: NodeJS.Timeout | null = null;
  #isClosed = false;
  readonly #listeners = new Set<() => void>();

  private constructor({ folder, bytesMax, onFault }: QueueOptions, segments: Segment[], state: State) {
    this.#folder = folder;
    this.#bytesMax = bytesMax;
    this.#segmentBytes = Math.min(SEGMENT_BYTES, Math.ceil(bytesMax / SEGMENTS_MIN));
    this.#onFault = onFault;
    this.#segments = segments;
    this.#state = state;
  }

  /** Opens the queue, or begins one. Throws what the file system throws. */
  static async open(options: QueueOptions): Promise<DiskQueue> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    const state = stateFrom(await readIfThere(join(options.folder, 'state.json')), options.onFault);
    const segments: Segment[] = [];
    let lost = 0;
    const onLoss = (records: number, why: Error) => {
      lost += records;
      options.onFault(why);
    };
    for (const segment of await loadSegments(options.folder, state, onLoss)) {
      const isGone = segment.first < state.segment || segment.first === state.dropping || segment.count === 0;
      if (isGone) await unlink(segment.path);
      else segments.push(segment);
    }
    const queue = new DiskQueue(options, segments, { ...state, dropped: state.dropped + lost, dropping: null });
    queue.#change(queue.#fitted(queue.#state));
    await queue.#saveState();
    return queue;
  }

  /** Records that are not acknowledged. */
  get depth(): number {
    const stored = this.#segments.reduce((sum, { count }) => sum + count, 0);
    return stored - this.#consumedIn(this.#segments[0]) + this.#pending.length;
  }

  /** Of the files. */
  get bytes(): number {
    return this.#segments.reduce((sum, { size }) => sum + size, 0);
  }

  /** Records that were lost, since the folder was made: because of the bound, or of a disk that failed. */
  get dropped(): number {
    return this.#state.dropped;
  }

  /** Records that the service refused for good, since the folder was made. */
  get rejected(): number {
    return this.#state.rejected;
  }

  /** Calls `listener` whenever records have come. */
  onAppended(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /** Resolves once the record is in the file, or is lost and counted. Never rejects. */
  append(record: string): Promise<void> {
    let frame: Buffer;
    try {
      frame = frameOf(record);
    } catch (err) {
      this.#drop(1, err);
      return Promise.resolve();
    }
    if (this.#isClosed || this.#pendingBytes + frame.length > PENDING_BYTES_MAX) {
      this.#drop(1, new Error('the disk does not keep up'));
      return Promise.resolve();
    }
    return new Promise((done) => {
      this.#pending.push({ frame, done });
      this.#pendingBytes += frame.length;
      void this.#pump();
    });
  }

  /** The next records, at most `countMax` and `bytesMax` of text (but at least one); `null`: there are none. The same again until they are acknowledged. */
  read(countMax: number, bytesMax: number): Promise<Batch | null> {
    return this.#run(async () => {
      for (let segment = this.#segments[0]; segment !== undefined; segment = this.#segments[0]) {
        const batch = await this.#readFrom(segment, countMax, bytesMax);
        if (batch !== null) {
          this.#inFlight = segment.first;
          return batch;
        }
        if (!segment.isSealed) return null;
        const missing = segment.count - this.#consumedIn(segment);
        if (missing > 0)
          this.#drop(missing, new Error(`a file of the queue is shorter than it was: ${missing} records were lost`));
        await this.#moveBeyond(segment);
      }
      return null;
    });
  }

  /** Takes the records of a batch out, `rejected` of them because they were refused for good. A batch that was read before another counts for nothing. */
  acknowledge({ end }: Batch, rejected = 0): Promise<void> {
    return this.#run(async () => {
      this.#inFlight = null;
      const { segment, index } = this.#fitted(this.#state);
      if (end.segment !== segment || end.index < index) return;
      this.#change({ ...end, rejected: this.#state.rejected + rejected });
      await this.#saveState();
      const [first] = this.#segments;
      if (first?.isSealed === true && first.count === end.index) await this.#moveBeyond(first);
    });
  }

  /** Lets the batch that was read last be dropped again: it did not arrive. */
  release(): void {
    this.#inFlight = null;
  }

  /** Resolves once all records are written and flushed, as far as the disk allows. */
  async flush(): Promise<void> {
    while (this.#pending.length > 0 || this.#isPumping) await this.#pump();
    await this.#run(() => this.#sync());
  }

  /** Flushes and lets go of the files. */
  async close(): Promise<void> {
    await this.flush();
    this.#isClosed = true;
    await this.#run(async () => {
      if (this.#syncTimer !== null) clearTimeout(this.#syncTimer);
      await this.#saveState();
      await this.#writing?.file.close();
      await this.#reading?.file.close();
      this.#writing = null;
      this.#reading = null;
    });
  }

  #run<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** Writes what waits, all that has come meanwhile at a time. */
  async #pump(): Promise<void> {
    if (this.#isPumping) return this.#run(async () => {});
    this.#isPumping = true;
    try {
      while (this.#pending.length > 0) {
        const batch = this.#pending;
        this.#pending = [];
        this.#pendingBytes = 0;
        await this.#run(() => this.#write(batch));
        for (const { done } of batch) done();
        for (const listener of this.#listeners) listener();
      }
    } finally {
      this.#isPumping = false;
    }
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    let from = 0;
    while (from < batch.length) {
      const room = this.#segmentBytes - (this.#writing?.segment.size ?? 0);
      let to = from;
      let bytes = 0;
      while (to < batch.length && (bytes === 0 || bytes + batch[to]!.frame.length <= room)) bytes += batch[to++]!.frame.length;
      const isFull = this.#writing !== null && this.#writing.segment.count > 0 && bytes > room;
      if (isFull) await this.#sealWritten();
      else {
        await this.#writeFrames(batch.slice(from, to).map(({ frame }) => frame));
        from = to;
      }
    }
  }

  async #writeFrames(frames: readonly Buffer[]): Promise<void> {
    const bytes = Buffer.concat(frames);
    try {
      if (!(await this.#makeRoom(bytes.length))) return this.#drop(frames.length, new Error('the bound of the queue is reached'));
      this.#writing ??= await this.#begin();
      const { segment, file } = this.#writing;
      await writeAll(file, bytes, segment.size);
      segment.size += bytes.length;
      segment.count += frames.length;
      this.#scheduleSync();
    } catch (err) {
      this.#drop(frames.length, err);
      await this.#abandonWritten();
    }
  }

  /** Drops the oldest segments until `bytes` more fit. False: they do not. */
  async #makeRoom(bytes: number): Promise<boolean> {
    while (this.bytes + bytes > this.#bytesMax) {
      const oldest = this.#segments.find(({ first, isSealed }) => isSealed && first !== this.#inFlight);
      if (oldest === undefined) return false;
      const lost = oldest.count - this.#consumedIn(oldest);
      // Counted first, and which it is, so that after a crash in between it is not counted again.
      this.#change({ dropped: this.#state.dropped + lost, dropping: oldest.first });
      this.#onFault(new Error(`the bound of the queue is reached: ${lost} records were dropped`));
      await this.#saveState();
      await this.#remove(oldest);
      this.#change({ ...this.#fitted(this.#state), dropping: null });
      // Before another segment can get its number.
      await this.#saveState();
    }
    return true;
  }

  async #begin(): Promise<OpenSegment> {
    const last = this.#segments.at(-1);
    const consumed = this.#state.segment + this.#state.index;
    const first = Math.max(1, consumed, last === undefined ? 0 : last.first + last.count);
    const path = join(this.#folder, segmentName(first, null));
    const file = await open(path, 'w', 0o600);
    await syncFolder(this.#folder);
    const segment: Segment = { first, path, count: 0, size: 0, isSealed: false };
    this.#segments.push(segment);
    this.#state = this.#fitted(this.#state);
    return { segment, file };
  }

  async #sealWritten(): Promise<void> {
    if (this.#writing === null) return;
    const { segment, file } = this.#writing;
    this.#writing = null;
    try {
      await file.datasync();
      await file.close();
      await seal(segment, this.#folder);
    } catch (err) {
      // Its records are there; only its name is still that of a segment in writing, which the next start mends.
      segment.isSealed = true;
      this.#onFault(err);
    }
  }

  /** After a failed write nobody knows what stands behind the last whole record: nothing more is written there. */
  async #abandonWritten(): Promise<void> {
    if (this.#writing === null) return;
    const { segment, file } = this.#writing;
    await file.truncate(segment.size).catch(() => {});
    if (segment.count > 0) return this.#sealWritten();
    this.#writing = null;
    await file.close().catch(() => {});
    await this.#remove(segment);
  }

  async #readFrom(segment: Segment, countMax: number, bytesMax: number): Promise<Batch | null> {
    const { index, offset } = this.#fitted(this.#state);
    if (offset >= segment.size) return null;
    if (this.#reading?.segment !== segment) {
      await this.#reading?.file.close();
      this.#reading = { segment, file: await open(segment.path, 'r') };
    }
    // A record may be longer than what is asked for.
    const length = Math.min(segment.size - offset, Math.max(bytesMax, RECORD_BYTES_MAX) + countMax * HEADER_BYTES);
    const { records, bytes } = readFrames(await readAt(this.#reading.file, offset, length), countMax, bytesMax);
    if (records.length > 0)
      return { records, end: { segment: segment.first, index: index + records.length, offset: offset + bytes } };
    // Whole records of which one cannot be read: the disk has lost it, and nobody can tell where the next begins.
    this.#drop(segment.count - index, new Error('a file of the queue is damaged'));
    if (!segment.isSealed) await this.#sealWritten();
    this.#change({ index: segment.count, offset: segment.size });
    return null;
  }

  /** To the next segment, once all of a sealed one is acknowledged or lost. */
  async #moveBeyond(segment: Segment): Promise<void> {
    const next = this.#segments[1];
    const first = next?.first ?? segment.first + segment.count;
    this.#change({ segment: first, index: 0, offset: 0 });
    await this.#saveState();
    await this.#remove(segment);
  }

  async #remove(segment: Segment): Promise<void> {
    const at = this.#segments.indexOf(segment);
    if (at >= 0) this.#segments.splice(at, 1);
    if (this.#reading?.segment === segment) {
      await this.#reading.file.close().catch(() => {});
      this.#reading = null;
    }
    // One that cannot be removed is removed by the next start.
    await unlink(segment.path).catch(this.#onFault);
  }

  #consumedIn(segment: Segment | undefined): number {
    return segment?.first === this.#state.segment ? Math.min(this.#state.index, segment.count) : 0;
  }

  /** The state for the segments that there are: where its own is gone, it is at the beginning of the oldest. */
  #fitted(state: State): State {
    const [oldest] = this.#segments;
    if (oldest === undefined) return state;
    if (oldest.first !== state.segment) return { ...state, segment: oldest.first, index: 0, offset: 0 };
    if (state.index > oldest.count) return { ...state, index: oldest.count, offset: oldest.size };
    // A file that has become shorter: what is missing of it is counted when it is left.
    return state.offset <= oldest.size ? state : { ...state, offset: oldest.size };
  }

  #drop(count: number, err: unknown): void {
    this.#change({ dropped: this.#state.dropped + count });
    this.#onFault(err);
    this.#scheduleSync();
  }

  #change(changes: Partial<State>): void {
    this.#state = { ...this.#state, ...changes };
    this.#isStateDirty = true;
  }

  async #saveState(): Promise<void> {
    if (!this.#isStateDirty) return;
    try {
      this.#isStateDirty = false;
      await replaceFile(join(this.#folder, 'state.json'), writtenState(this.#state));
    } catch (err) {
      // What was acknowledged may be sent again, which the service notices; the counters are written with the next change.
      this.#isStateDirty = true;
      this.#onFault(err);
    }
  }

  #scheduleSync(): void {
    if (this.#isClosed) return;
    this.#syncTimer ??= setTimeout(() => void this.#run(() => this.#sync()), SYNC_MS).unref();
  }

  async #sync(): Promise<void> {
    if (this.#syncTimer !== null) clearTimeout(this.#syncTimer);
    this.#syncTimer = null;
    await this.#writing?.file.datasync().catch(this.#onFault);
    await this.#saveState();
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let written = 0;
  while (written < bytes.length) {
    const { bytesWritten } = await file.write(bytes, written, bytes.length - written, position + written);
    written += bytesWritten;
  }
}

function writtenState(state: State): string {
  return JSON.stringify({ ...state, crc: crcOf(state) });
}

function crcOf({ segment, index, offset, dropped, rejected, dropping }: State): number {
  return crc32(JSON.stringify([segment, index, offset, dropped, rejected, dropping]));
}

/**
 * The state that was written. One that is damaged is not followed, or it could have files thrown away that nobody has acknowledged: all is sent
 * again, which the service notices. Its counters are better than none.
 */
function stateFrom(text: string | null, onFault: (err: unknown) => void): State {
  if (text === null) return BEGIN;
  try {
    const written = JSON.parse(text) as Partial<Record<keyof State | 'crc', unknown>>;
    const counters = { dropped: wholeNumber(written.dropped), rejected: wholeNumber(written.rejected) };
    const state = {
      segment: wholeNumber(written.segment),
      index: wholeNumber(written.index),
      offset: wholeNumber(written.offset),
      ...counters,
      dropping: written.dropping === null ? null : wholeNumber(written.dropping),
    };
    if (written.crc === crcOf(state)) return state;
    onFault(new Error('the state of the queue is damaged: what is in it is sent again'));
    return { ...BEGIN, ...counters };
  } catch (err) {
    onFault(err);
    return BEGIN;
  }
}

function wholeNumber(value: unknown): number {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
  throw new TypeError('the state of the queue is damaged');
}

// How records stand in a file: each with its length and a checksum, so that what a crash left half written is told from what is whole.

import { crc32 } from 'node:zlib';

/** Length and CRC-32 of the record, little endian. */
export const HEADER_BYTES = 8;
/** Far above what an event can hold. A length beyond it is no length. */
export const RECORD_BYTES_MAX = 1_048_576;

/** A record as it is written. Throws a RangeError for an empty one, and one over 1 MiB. */
export function frameOf(record: string): Buffer {
  const bytes = Buffer.byteLength(record);
  if (bytes === 0 || bytes > RECORD_BYTES_MAX) throw new RangeError(`a record has 1 to ${RECORD_BYTES_MAX} bytes, not ${bytes}`);
  const frame = Buffer.allocUnsafe(HEADER_BYTES + bytes);
  frame.write(record, HEADER_BYTES);
  frame.writeUInt32LE(bytes, 0);
  frame.writeUInt32LE(crc32(frame.subarray(HEADER_BYTES)), 4);
  return frame;
}

/** What was read of a stretch of a file. */
export interface Frames {
  readonly records: string[];
  /** Of the bytes that the whole records take. */
  readonly bytes: number;
  /** What keeps the next record from being read: the stretch ends inside of it, or it is damaged. */
  readonly stop: 'end' | 'damaged';
}

/** What could be saved of a stretch of a file. */
export interface Salvage {
  /** Whole records as they are written, in order. */
  readonly frames: Buffer[];
  /** Records that were there and cannot be read; at least so many. */
  readonly lost: number;
  /** At the end: what a crash has left of a record that was being written. */
  readonly tornBytes: number;
}

/** Reads all whole records in `bytes`, also behind what is damaged. */
export function salvageFrames(bytes: Buffer): Salvage {
  const frames: Buffer[] = [];
  let lost = 0;
  let at = 0;
  while (at < bytes.length) {
    let end = wholeFrameEnd(bytes, at);
    if (end !== null) {
      frames.push(bytes.subarray(at, end));
      at = end;
      continue;
    }
    end = frameEnd(bytes, at);
    // Where its length is still right, the next record begins behind it; else where one is found.
    const isInside = end !== null && (end === bytes.length || (end < bytes.length && wholeFrameEnd(bytes, end) !== null));
    const next = isInside ? end : nextWholeFrame(bytes, at + 1);
    if (next === null && isTorn(bytes, at)) return { frames, lost, tornBytes: bytes.length - at };
    lost++;
    at = next ?? bytes.length;
  }
  return { frames, lost, tornBytes: 0 };
}

/** Where the record at `at` ends by its header; `null`: there is no header. */
function frameEnd(bytes: Buffer, at: number): number | null {
  if (bytes.length - at < HEADER_BYTES) return null;
  const length = bytes.readUInt32LE(at);
  return length === 0 || length > RECORD_BYTES_MAX ? null : at + HEADER_BYTES + length;
}

function wholeFrameEnd(bytes: Buffer, at: number): number | null {
  const end = frameEnd(bytes, at);
  if (end === null || end > bytes.length) return null;
  return crc32(bytes.subarray(at + HEADER_BYTES, end)) === bytes.readUInt32LE(at + 4) ? end : null;
}

function nextWholeFrame(bytes: Buffer, from: number): number | null {
  for (let at = from; at <= bytes.length - HEADER_BYTES; at++) if (wholeFrameEnd(bytes, at) !== null) return at;
  return null;
}

/** Whether the rest is what a record is before it is whole: too short for what it is to be, or zeros, where data never arrived. */
function isTorn(bytes: Buffer, at: number): boolean {
  const end = frameEnd(bytes, at);
  return (
    bytes.length - at < HEADER_BYTES || (end !== null && end > bytes.length) || bytes.subarray(at).every((byte) => byte === 0)
  );
}

/** Reads whole records from the beginning of `bytes`, at most `countMax` and, but for the first, `bytesMax` of text. */
export function readFrames(bytes: Buffer, countMax: number, bytesMax: number): Frames {
  const records: string[] = [];
  let at = 0;
  let text = 0;
  while (records.length < countMax && bytes.length - at >= HEADER_BYTES) {
    const length = bytes.readUInt32LE(at);
    // Zeros are what some file systems leave where data never arrived.
    if (length === 0 || length > RECORD_BYTES_MAX) return { records, bytes: at, stop: 'damaged' };
    const end = at + HEADER_BYTES + length;
    text += length;
    if (end > bytes.length || (text > bytesMax && records.length > 0)) break;
    const record = bytes.subarray(at + HEADER_BYTES, end);
    if (crc32(record) !== bytes.readUInt32LE(at + 4)) return { records, bytes: at, stop: 'damaged' };
    records.push(record.toString('utf8'));
    at = end;
  }
  return { records, bytes: at, stop: 'end' };
}

// The files of the queue: `<number of the first record>.open` is being written, `<first>-<count>.seg` is not any more.

import { open, readdir, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADER_BYTES, readFrames, RECORD_BYTES_MAX } from './frames.ts';

export interface Segment {
  /** Number of its first record. */
  readonly first: number;
  path: string;
  count: number;
  /** Bytes of whole records. */
  size: number;
  isSealed: boolean;
}

const DIGITS = 16;
const NAME = /^(\d{16})(?:-(\d+)\.seg|\.open)$/;
const CHUNK_BYTES = 4 * (RECORD_BYTES_MAX + HEADER_BYTES);

export function segmentName(first: number, count: number | null): string {
  const number = String(first).padStart(DIGITS, '0');
  return count === null ? `${number}.open` : `${number}-${count}.seg`;
}

/** The segments in a folder, oldest first. Of those that were being written the torn tail is cut off, and they are sealed. */
export async function loadSegments(folder: string): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const name of await readdir(folder)) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const segment = { first: Number(match[1]), path: join(folder, name), count: Number(match[2] ?? 0), size: 0, isSealed: true };
    segments.push(await (match[2] === undefined ? recover(segment) : measure(segment)));
  }
  for (const segment of segments.filter(({ isSealed }) => !isSealed)) await seal(segment, folder);
  return segments.sort((a, b) => a.first - b.first);
}

async function measure(segment: Segment): Promise<Segment> {
  const file = await open(segment.path, 'r');
  try {
    return { ...segment, size: (await file.stat()).size };
  } finally {
    await file.close();
  }
}

async function recover(segment: Segment): Promise<Segment> {
  const file = await open(segment.path, 'r+');
  try {
    let size = 0;
    let count = 0;
    for (;;) {
      const read = readFrames(await readAt(file, size, CHUNK_BYTES), Infinity, Infinity);
      if (read.records.length === 0) break;
      size += read.bytes;
      count += read.records.length;
    }
    await file.truncate(size);
    await file.datasync();
    return { ...segment, count, size, isSealed: false };
  } finally {
    await file.close();
  }
}

/** Gives a segment that is complete the name that says how many records it has. */
export async function seal(segment: Segment, folder: string): Promise<void> {
  const path = join(folder, segmentName(segment.first, segment.count));
  await rename(segment.path, path);
  segment.path = path;
  segment.isSealed = true;
}

/** Up to `length` bytes from `offset` on; fewer at the end of the file. */
export async function readAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

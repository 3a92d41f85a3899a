// The files of the queue: `<number of the first record>.open` is being written, `<first>-<count>.seg` is not any more.

import { open, readdir, rename, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { salvageFrames } from './frames.ts';

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
/** Many times what is ever written to one. */
const FILE_BYTES_MAX = 64 * 1_048_576;

/** How far a segment has been acknowledged: what stands before it is read no more. */
export interface Acknowledged {
  readonly segment: number;
  readonly index: number;
  readonly offset: number;
}

/** Hears of what a file has lost: `records`, at least so many, and why. */
export type OnLoss = (records: number, why: Error) => void;

export function segmentName(first: number, count: number | null): string {
  const number = String(first).padStart(DIGITS, '0');
  return count === null ? `${number}.open` : `${number}-${count}.seg`;
}

/**
 * The segments in a folder, oldest first. Of those that were being written the torn tail is cut off, what is damaged is left out and told of, and
 * they are sealed.
 */
export async function loadSegments(folder: string, acknowledged: Acknowledged, onLoss: OnLoss): Promise<Segment[]> {
  const segments: Segment[] = [];
  for (const name of await readdir(folder)) {
    const match = NAME.exec(name);
    if (match === null) continue;
    const segment = { first: Number(match[1]), path: join(folder, name), count: Number(match[2] ?? 0), size: 0, isSealed: true };
    segments.push(await (match[2] === undefined ? recover(segment, acknowledged, onLoss) : measure(segment)));
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

async function recover(segment: Segment, acknowledged: Acknowledged, onLoss: OnLoss): Promise<Segment> {
  const file = await open(segment.path, 'r+');
  try {
    const bytes = await readAt(file, 0, Math.min((await file.stat()).size, FILE_BYTES_MAX));
    const isBegun = acknowledged.segment === segment.first && acknowledged.offset <= bytes.length;
    const { index, offset } = isBegun ? acknowledged : { index: 0, offset: 0 };
    const { frames, lost, tornBytes } = salvageFrames(bytes.subarray(offset));
    const size = frames.reduce((sum, { length }) => sum + length, offset);
    if (tornBytes > 0) onLoss(0, new Error(`the end of a file of the queue is torn off: ${tornBytes} bytes`));
    if (lost > 0) {
      onLoss(lost, new Error(`a file of the queue is damaged: ${lost} records were lost, or more`));
      await replaceBytes(segment.path, Buffer.concat([bytes.subarray(0, offset), ...frames]));
    } else {
      await file.truncate(size);
      await file.datasync();
    }
    return { ...segment, count: index + frames.length, size, isSealed: false };
  } finally {
    await file.close();
  }
}

async function replaceBytes(path: string, bytes: Buffer): Promise<void> {
  const temporary = `${path}.tmp`;
  const file = await open(temporary, 'w', 0o600);
  try {
    await file.writeFile(bytes);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
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

// The form of a zip (PKWARE's APPNOTE 6.3.10) whose files are all known before its first byte is sent, so that any part of it can be sent alone.

/** A file as it lies in a zip. */
export interface ZipFile {
  /** ASCII. */
  readonly name: string;
  readonly isDeflated: boolean;
  /** As it unpacks. */
  readonly bytes: number;
  /** As it lies in the zip. */
  readonly packedBytes: number;
  readonly crc32: number;
}

/** Bytes of ours, or a stretch that is the packed content of a file. */
type Segment =
  | { readonly start: number; readonly length: number; readonly bytes: Buffer }
  | { readonly start: number; readonly length: number; readonly content: ZipFile };

export interface ZipLayout {
  readonly bytes: number;
  /** From the first byte to the last. */
  readonly segments: readonly Segment[];
}

/** Ends a deflate stream whose blocks so far were flushed: an empty last block (RFC 1951 §3.2.6). */
export const DEFLATE_END: Buffer = Buffer.of(0x03, 0x00);

const LOCAL_HEADER = 0x0403_4b50;
const CENTRAL_HEADER = 0x0201_4b50;
const END = 0x0605_4b50;
const ZIP64_END = 0x0606_4b50;
const ZIP64_LOCATOR = 0x0706_4b50;
const ZIP64_FIELD = 0x0001;
const VERSION = 20;
const VERSION_ZIP64 = 45;
const MADE_ON_UNIX = 3 << 8;
const READABLE_BY_ALL = 0o100_644 << 16;
const U32_MAX = 0xffff_ffff;
const U16_MAX = 0xffff;

/**
 * Where everything of a zip lies. `atMs`: the time that all files carry, in UTC. Numbers of `zip64From` and more are written in their 64-bit form,
 * which readers older than 2001 do not know; tests ask for it earlier.
 */
export function layOutZip(files: readonly ZipFile[], atMs: number, zip64From = U32_MAX): ZipLayout {
  const segments: Segment[] = [];
  let at = 0;
  const add = (segment: { bytes: Buffer } | { content: ZipFile }) => {
    const length = 'bytes' in segment ? segment.bytes.length : segment.content.packedBytes;
    segments.push({ start: at, length, ...segment });
    at += length;
  };
  const directory: Buffer[] = [];
  for (const file of files) {
    directory.push(centralHeader(file, at, atMs, zip64From));
    add({ bytes: localHeader(file, atMs, zip64From) });
    if (file.packedBytes > 0) add({ content: file });
  }
  const directoryAt = at;
  const central = Buffer.concat(directory);
  add({ bytes: central });
  add({ bytes: endOf(files.length, central.length, directoryAt, zip64From) });
  return { bytes: at, segments };
}

function localHeader(file: ZipFile, atMs: number, zip64From: number): Buffer {
  const isLarge = file.bytes >= zip64From || file.packedBytes >= zip64From;
  // Either both sizes or none (APPNOTE 4.5.3).
  const extra = isLarge ? zip64Field([file.bytes, file.packedBytes]) : Buffer.alloc(0);
  const name = Buffer.from(file.name, 'latin1');
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  header.writeUInt16LE(isLarge ? VERSION_ZIP64 : VERSION, 4);
  writeFacts(header, 6, file, atMs, isLarge);
  header.writeUInt16LE(name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, name, extra]);
}

function centralHeader(file: ZipFile, start: number, atMs: number, zip64From: number): Buffer {
  const isLarge = file.bytes >= zip64From || file.packedBytes >= zip64From;
  const isFar = start >= zip64From;
  const extra = zip64Field([...(isLarge ? [file.bytes, file.packedBytes] : []), ...(isFar ? [start] : [])]);
  const name = Buffer.from(file.name, 'latin1');
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 4);
  header.writeUInt16LE(isLarge || isFar ? VERSION_ZIP64 : VERSION, 6);
  writeFacts(header, 8, file, atMs, isLarge);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE(READABLE_BY_ALL >>> 0, 38);
  header.writeUInt32LE(isFar ? U32_MAX : start, 42);
  return Buffer.concat([header, name, extra]);
}

/** What both headers say in the same order: flags, method, time, date, checksum, sizes. */
function writeFacts(header: Buffer, at: number, file: ZipFile, atMs: number, isLarge: boolean): void {
  const { time, date } = dosTime(atMs);
  header.writeUInt16LE(0, at);
  header.writeUInt16LE(file.isDeflated ? 8 : 0, at + 2);
  header.writeUInt16LE(time, at + 4);
  header.writeUInt16LE(date, at + 6);
  header.writeUInt32LE(file.crc32, at + 8);
  header.writeUInt32LE(isLarge ? U32_MAX : file.packedBytes, at + 12);
  header.writeUInt32LE(isLarge ? U32_MAX : file.bytes, at + 16);
}

function zip64Field(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const field = Buffer.alloc(4 + values.length * 8);
  field.writeUInt16LE(ZIP64_FIELD, 0);
  field.writeUInt16LE(values.length * 8, 2);
  for (const [i, value] of values.entries()) field.writeBigUInt64LE(BigInt(value), 4 + i * 8);
  return field;
}

function endOf(files: number, directoryBytes: number, directoryAt: number, zip64From: number): Buffer {
  const isLarge = directoryAt >= zip64From || directoryBytes >= zip64From || files >= U16_MAX;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END, 0);
  end.writeUInt16LE(isLarge ? U16_MAX : files, 8);
  end.writeUInt16LE(isLarge ? U16_MAX : files, 10);
  end.writeUInt32LE(isLarge ? U32_MAX : directoryBytes, 12);
  end.writeUInt32LE(isLarge ? U32_MAX : directoryAt, 16);
  if (!isLarge) return end;
  const large = Buffer.alloc(56);
  large.writeUInt32LE(ZIP64_END, 0);
  large.writeBigUInt64LE(44n, 4); // of what follows
  large.writeUInt16LE(MADE_ON_UNIX | VERSION_ZIP64, 12);
  large.writeUInt16LE(VERSION_ZIP64, 14);
  large.writeBigUInt64LE(BigInt(files), 24);
  large.writeBigUInt64LE(BigInt(files), 32);
  large.writeBigUInt64LE(BigInt(directoryBytes), 40);
  large.writeBigUInt64LE(BigInt(directoryAt), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(ZIP64_LOCATOR, 0);
  locator.writeBigUInt64LE(BigInt(directoryAt + directoryBytes), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([large, locator, end]);
}

/** Two seconds are the unit, 1980 the first year. */
function dosTime(atMs: number): { readonly time: number; readonly date: number } {
  const at = new Date(atMs);
  return {
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
    date: ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
  };
}

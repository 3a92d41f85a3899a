// Columns of many rows as PostgreSQL arrays in binary form, written straight from the rows: intake is fast by as little as it makes on the way.

const HEADER_BYTES = 20;
const INT4_OID = 23;
const INT8_OID = 20;
const FLOAT8_OID = 701;
const TEXT_OID = 25;
const TIMESTAMPTZ_OID = 1184;
const POSTGRES_EPOCH_MS = 946_684_800_000; // 2000-01-01
const TWO_TO_32 = 4_294_967_296;
// Up to it a loop in JavaScript is faster than a call of the runtime.
const SHORT_CHARS = 40;
/** Of UTF-8 for a unit of UTF-16. */
const BYTES_PER_UNIT_MAX = 3;

/** What a column holds of a row; `null` and `undefined`: nothing. */
type Get<Row, Value> = (row: Row) => Value | null | undefined;

/** `text[]`. */
export function textColumn<Row>(rows: readonly Row[], get: Get<Row, string>): Buffer {
  let units = 0;
  let given = 0;
  for (const row of rows) {
    const value = get(row);
    if (value === null || value === undefined) continue;
    units += value.length;
    given++;
  }
  if (given === 0) return emptyColumn(TEXT_OID);
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + 4 * rows.length + units * BYTES_PER_UNIT_MAX);
  writeHeader(buffer, TEXT_OID, rows.length, given < rows.length);
  let at = HEADER_BYTES;
  for (const row of rows) {
    const value = get(row);
    if (value === null || value === undefined) at = writeInt32(buffer, -1, at);
    else {
      const bytes = writeText(buffer, value, at + 4);
      writeInt32(buffer, bytes, at);
      at += 4 + bytes;
    }
  }
  return buffer.subarray(0, at);
}

/** `int4[]`. */
export function int4Column<Row>(rows: readonly Row[], get: Get<Row, number>): Buffer {
  return fixedColumn(rows, get, INT4_OID, 4, writeInt32);
}

/** `int8[]` of safe integers. */
export function int8Column<Row>(rows: readonly Row[], get: Get<Row, number>): Buffer {
  return fixedColumn(rows, get, INT8_OID, 8, writeInt64);
}

/** `float8[]`. */
export function float8Column<Row>(rows: readonly Row[], get: Get<Row, number>): Buffer {
  return fixedColumn(rows, get, FLOAT8_OID, 8, (buffer, value, at) => buffer.writeDoubleBE(value, at));
}

/** `timestamptz[]` of Unix milliseconds. */
export function timestampColumn<Row>(rows: readonly Row[], get: Get<Row, number>): Buffer {
  const write = (buffer: Buffer, ms: number, at: number) => writeInt64(buffer, (ms - POSTGRES_EPOCH_MS) * 1_000, at);
  return fixedColumn(rows, get, TIMESTAMPTZ_OID, 8, write);
}

function fixedColumn<Row>(
  rows: readonly Row[],
  get: Get<Row, number>,
  elementOid: number,
  bytes: number,
  write: (buffer: Buffer, value: number, at: number) => number,
): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + (4 + bytes) * rows.length);
  let at = HEADER_BYTES;
  let given = 0;
  for (const row of rows) {
    const value = get(row);
    if (value === null || value === undefined) at = writeInt32(buffer, -1, at);
    else {
      at = write(buffer, value, writeInt32(buffer, bytes, at));
      given++;
    }
  }
  if (given === 0) return emptyColumn(elementOid);
  writeHeader(buffer, elementOid, rows.length, given < rows.length);
  return buffer.subarray(0, at);
}

function writeHeader(buffer: Buffer, elementOid: number, count: number, hasNulls: boolean): void {
  writeInt32(buffer, 1, 0); // dimensions
  writeInt32(buffer, hasNulls ? 1 : 0, 4);
  writeInt32(buffer, elementOid, 8);
  writeInt32(buffer, count, 12);
  writeInt32(buffer, 1, 16); // lower bound
}

/** Of no dimension. Beside longer arrays `unnest` reads it as nulls, so a column that nobody fills costs nothing. */
function emptyColumn(elementOid: number): Buffer {
  const buffer = Buffer.alloc(12);
  writeInt32(buffer, elementOid, 8);
  return buffer;
}

function writeText(buffer: Buffer, text: string, at: number): number {
  if (text.length > SHORT_CHARS) return buffer.write(text, at);
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return buffer.write(text, at);
    buffer[at + i] = unit;
  }
  return text.length;
}

function writeInt32(buffer: Buffer, value: number, at: number): number {
  buffer[at] = value >>> 24;
  buffer[at + 1] = value >>> 16;
  buffer[at + 2] = value >>> 8;
  buffer[at + 3] = value;
  return at + 4;
}

function writeInt64(buffer: Buffer, value: number, at: number): number {
  writeInt32(buffer, Math.floor(value / TWO_TO_32), at);
  return writeInt32(buffer, value >>> 0, at + 4);
}

// PostgreSQL arrays in binary form, encoded by hand: with arrays of JavaScript values the driver writes and the server parses text,
// which costs half of the journal's throughput.

const HEADER_BYTES = 20;
const UUID_OID = 2950;
const TEXT_OID = 25;
const BYTEA_OID = 17;
const INT8_OID = 20;
const TIMESTAMPTZ_OID = 1184;
const POSTGRES_EPOCH_MS = 946_684_800_000; // 2000-01-01

function header(buffer: Buffer, elementOid: number, count: number, hasNulls: boolean): void {
  buffer.writeInt32BE(1, 0); // dimensions
  buffer.writeInt32BE(hasNulls ? 1 : 0, 4);
  buffer.writeUInt32BE(elementOid, 8);
  buffer.writeInt32BE(count, 12);
  buffer.writeInt32BE(1, 16); // lower bound
}

/** `uuid[]` of 16-byte values. */
export function uuidArray(values: readonly Buffer[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 20);
  header(buffer, UUID_OID, values.length, false);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(16, at);
    value.copy(buffer, at + 4);
    at += 20;
  }
  return buffer;
}

/** `int8[]` of safe integers. */
export function bigintArray(values: readonly number[], elementOid: number = INT8_OID): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.length * 12);
  header(buffer, elementOid, values.length, false);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(8, at);
    buffer.writeBigInt64BE(BigInt(value), at + 4);
    at += 12;
  }
  return buffer;
}

/** `timestamptz[]` of Unix milliseconds. */
export function timestampArray(values: readonly number[]): Buffer {
  return bigintArray(
    values.map((ms) => (ms - POSTGRES_EPOCH_MS) * 1_000),
    TIMESTAMPTZ_OID,
  );
}

/** `text[]`; `null` elements allowed. */
export function textArray(values: readonly (string | null)[]): Buffer {
  let bytes = HEADER_BYTES;
  let hasNulls = false;
  for (const value of values) {
    if (value === null) hasNulls = true;
    bytes += 4 + (value === null ? 0 : Buffer.byteLength(value));
  }
  const buffer = Buffer.allocUnsafe(bytes);
  header(buffer, TEXT_OID, values.length, hasNulls);
  let at = HEADER_BYTES;
  for (const value of values) {
    if (value === null) {
      buffer.writeInt32BE(-1, at);
      at += 4;
      continue;
    }
    const written = buffer.write(value, at + 4);
    buffer.writeInt32BE(written, at);
    at += 4 + written;
  }
  return buffer;
}

/** `bytea[]`. */
export function byteaArray(values: readonly Buffer[]): Buffer {
  const buffer = Buffer.allocUnsafe(HEADER_BYTES + values.reduce((bytes, value) => bytes + 4 + value.length, 0));
  header(buffer, BYTEA_OID, values.length, false);
  let at = HEADER_BYTES;
  for (const value of values) {
    buffer.writeInt32BE(value.length, at);
    value.copy(buffer, at + 4);
    at += 4 + value.length;
  }
  return buffer;
}

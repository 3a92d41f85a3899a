// Arrays as PostgreSQL sends them (array_send), read by hand: as rows, each value a text of its own, they would cost ten times as much.

// Dimensions, flags, type of the elements; then length and lower bound of the one dimension. An empty array has no dimension.
const HEADER_BYTES = 20;
const POSTGRES_EPOCH_MS = 946_684_800_000; // 2000-01-01
const TWO_TO_32 = 4_294_967_296;
const MICROSECONDS = 1_000;

function lengthOf(bytes: Buffer): number {
  return bytes.readInt32BE(0) === 0 ? 0 : bytes.readInt32BE(12);
}

/** `float8[]`; NaN where there is none. */
export function readFloats(bytes: Buffer): Float64Array {
  const values = new Float64Array(lengthOf(bytes));
  let at = HEADER_BYTES;
  for (let i = 0; i < values.length; i++) {
    const isNull = bytes.readInt32BE(at) < 0;
    values[i] = isNull ? Number.NaN : bytes.readDoubleBE(at + 4);
    at += isNull ? 4 : 12;
  }
  return values;
}

/** `int4[]`, each without nulls. */
export function readIntegers(bytes: Buffer): Int32Array {
  const values = new Int32Array(lengthOf(bytes));
  for (let i = 0; i < values.length; i++) values[i] = bytes.readInt32BE(HEADER_BYTES + i * 8 + 4);
  return values;
}

/** `timestamptz[]` without nulls, as Unix milliseconds. */
export function readTimes(bytes: Buffer): Float64Array {
  const values = new Float64Array(lengthOf(bytes));
  for (let i = 0; i < values.length; i++) {
    const at = HEADER_BYTES + i * 12 + 4;
    const microseconds = bytes.readInt32BE(at) * TWO_TO_32 + bytes.readUInt32BE(at + 4);
    values[i] = POSTGRES_EPOCH_MS + Math.floor(microseconds / MICROSECONDS);
  }
  return values;
}

/** `text[]`; `null` where there is none. */
export function readTexts(bytes: Buffer): (string | null)[] {
  const values: (string | null)[] = [];
  let at = HEADER_BYTES;
  for (let left = lengthOf(bytes); left > 0; left--) {
    const length = bytes.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : bytes.toString('utf8', at, at + length));
    if (length > 0) at += length;
  }
  return values;
}

// Names of decisions: UUIDv7, so that they sort by time and never meet those of another probe.

import { randomFillSync } from 'node:crypto';

const pool = new Uint8Array(8 * 1024);
let poolOffset = pool.length;
let lastMs = 0;
let counter = 0;

/** A new UUIDv7 (RFC 9562 §5.7, a counter of 12 bits within the millisecond), ascending within this process. */
export function newId(nowMs: number): string {
  if (poolOffset === pool.length) {
    randomFillSync(pool);
    poolOffset = 0;
  }
  if (nowMs > lastMs) {
    lastMs = nowMs;
    counter = 0;
  } else if (++counter > 0xfff) {
    lastMs++;
    counter = 0;
  }
  const uuid = Buffer.allocUnsafe(16);
  uuid.writeUIntBE(lastMs, 0, 6);
  uuid.writeUInt16BE(0x7000 | counter, 6);
  uuid.set(pool.subarray(poolOffset, (poolOffset += 8)), 8);
  uuid[8] = 0x80 | (uuid[8]! & 0x3f);
  const hex = uuid.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

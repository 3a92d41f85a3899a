// Promises of the queue: what is in it leaves it once, in order, whatever ends the process; and what is lost is counted.

import * as fc from 'fast-check';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { frameOf, readFrames } from './frames.ts';
import { DiskQueue } from './queue.ts';

let root: string;
let faults: unknown[];
const opened: DiskQueue[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-queue-'));
  faults = [];
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((queue) => queue.close()));
  await rm(root, { recursive: true, force: true });
});

async function openQueue(bytesMax = 8 * 1_048_576, folder = join(root, 'queue')): Promise<DiskQueue> {
  const queue = await DiskQueue.open({ folder, bytesMax, onFault: (err) => faults.push(err) });
  opened.push(queue);
  return queue;
}

/** All that is in a queue, taken out in batches of `count`. */
async function drain(queue: DiskQueue, count = 500): Promise<string[]> {
  const records: string[] = [];
  for (let batch = await queue.read(count, 7_000_000); batch !== null; batch = await queue.read(count, 7_000_000)) {
    records.push(...batch.records);
    await queue.acknowledge(batch);
  }
  return records;
}

const numbered = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `{"id":"${from + i}"}`);

describe('the queue', () => {
  test('gives records back in the order they came, and the same again until they are acknowledged', async () => {
    const queue = await openQueue();
    await Promise.all(numbered(1_200).map((record) => queue.append(record)));
    const first = await queue.read(500, 7_000_000);
    expect(first!.records).toEqual(numbered(500));
    expect((await queue.read(500, 7_000_000))!.records).toEqual(numbered(500));
    expect(queue.depth).toBe(1_200);
    await queue.acknowledge(first!);
    expect(queue.depth).toBe(700);
    expect(await drain(queue)).toEqual(numbered(700, 500));
    expect(await queue.read(1, 1)).toBeNull();
    expect(queue.depth).toBe(0);
  });

  test('keeps to the bytes asked for, but for a record that alone has more', async () => {
    const queue = await openQueue();
    const long = JSON.stringify('x'.repeat(5_000));
    for (const record of [...numbered(3), long, ...numbered(2)]) await queue.append(record);
    expect(await drainSizes(queue, 1_000)).toEqual([3, 1, 2]);
  });

  test('survives an end without a goodbye: what was appended is there, what was acknowledged is not', async () => {
    const queue = await openQueue();
    await Promise.all(numbered(900).map((record) => queue.append(record)));
    await queue.acknowledge((await queue.read(500, 7_000_000))!);
    // As a killed process leaves it: nothing was flushed or closed.
    await cp(join(root, 'queue'), join(root, 'copy'), { recursive: true });
    const copy = await openQueue(8 * 1_048_576, join(root, 'copy'));
    expect(copy.depth).toBe(400);
    expect(await drain(copy)).toEqual(numbered(400, 500));
  });

  test('cuts off a torn tail, and goes on behind it', async () => {
    const queue = await openQueue();
    for (const record of numbered(10)) await queue.append(record);
    await queue.close();
    const name = (await readdir(join(root, 'queue'))).find((each) => each.endsWith('.open'))!;
    const path = join(root, 'queue', name);
    await truncate(path, (await stat(path)).size - 3);
    const again = await openQueue();
    expect(again.depth).toBe(9);
    await again.append('"later"');
    expect(await drain(again)).toEqual([...numbered(9), '"later"']);
  });

  test.each([
    ['zeros', Buffer.alloc(4_096)],
    ['noise', Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7_919) % 251))],
    ['half of a record', frameOf('"never whole"').subarray(0, 12)],
  ])('takes %s behind the last record for no records', async (_name, tail) => {
    const queue = await openQueue();
    for (const record of numbered(5)) await queue.append(record);
    await queue.close();
    const name = (await readdir(join(root, 'queue'))).find((each) => each.endsWith('.open'))!;
    await appendFile(join(root, 'queue', name), tail);
    expect(await drain(await openQueue())).toEqual(numbered(5));
  });

  test('drops the oldest beyond its bound, and counts them exactly, also after a restart', async () => {
    const queue = await openQueue(1_048_576);
    const records = Array.from({ length: 4_000 }, (_, i) => JSON.stringify({ id: i, text: 'x'.repeat(500) }));
    for (const record of records) await queue.append(record);
    expect(queue.bytes).toBeLessThanOrEqual(1_048_576);
    expect(queue.dropped).toBeGreaterThan(1_000);
    expect(queue.depth + queue.dropped).toBe(4_000);
    await queue.close();
    const again = await openQueue(1_048_576);
    const dropped = again.dropped;
    expect(again.depth + dropped).toBe(4_000);
    expect(await drain(again)).toEqual(records.slice(dropped));
  });

  test('never drops what is on its way', async () => {
    const queue = await openQueue(1_048_576);
    const text = 'x'.repeat(1_000);
    const records = Array.from({ length: 3_000 }, (_, i) => JSON.stringify({ id: i, text }));
    for (const record of records.slice(0, 500)) await queue.append(record);
    const batch = await queue.read(50, 7_000_000);
    for (const record of records.slice(500)) await queue.append(record);
    await queue.acknowledge(batch!);
    const rest = await drain(queue);
    expect(batch!.records.length + rest.length + queue.dropped).toBe(3_000);
    expect(new Set([...batch!.records, ...rest]).size).toBe(50 + rest.length);
  });

  test('counts what was in a file that the disk has damaged', async () => {
    const queue = await openQueue(1_048_576);
    const records = Array.from({ length: 400 }, (_, i) => JSON.stringify({ id: i, text: 'x'.repeat(500) }));
    for (const record of records) await queue.append(record);
    await queue.close();
    const name = (await readdir(join(root, 'queue'))).filter((each) => each.endsWith('.seg')).sort()[0]!;
    const bytes = await readFile(join(root, 'queue', name));
    bytes[Math.floor(bytes.length / 2)]! ^= 0xff;
    await writeFile(join(root, 'queue', name), bytes);
    const again = await openQueue(1_048_576);
    const left = await drain(again);
    expect(again.dropped).toBeGreaterThan(0);
    expect(left.length + again.dropped).toBe(400);
    expect(faults).not.toEqual([]);
  });

  test.each([
    ['a byte of a record', 1, (bytes: Buffer) => void (bytes[600]! ^= 0xff)],
    ['the length of a record, made too long', 1, (bytes: Buffer) => void bytes.writeUInt32LE(4_000_000_000, 20 * 34)],
    ['the length of a record, made longer than the file', 1, (bytes: Buffer) => void bytes.writeUInt32LE(900_000, 20 * 34)],
    ['the length of a record, made nothing', 1, (bytes: Buffer) => void bytes.writeUInt32LE(0, 20 * 34)],
    ['two records far from each other', 2, (bytes: Buffer) => void ((bytes[100]! ^= 0xff), (bytes[1_000]! ^= 0xff))],
    ['the first record', 1, (bytes: Buffer) => void (bytes[10]! ^= 0xff)],
    ['the last record', 1, (bytes: Buffer) => void (bytes[bytes.length - 1]! ^= 0xff)],
  ])(
    'keeps what can be read of a file in writing in which the disk has damaged %s, and counts the rest',
    async (_name, lost, harm) => {
      const records = Array.from({ length: 40 }, (_, i) => JSON.stringify({ id: 100 + i, text: 'xxxxxx' }));
      expect(frameOf(records[0]!).length).toBe(34);
      const queue = await openQueue();
      for (const record of records) await queue.append(record);
      await queue.close();
      const path = await fileEnding('.open');
      const bytes = await readFile(path);
      harm(bytes);
      await writeFile(path, bytes);
      const again = await openQueue();
      expect([again.depth, again.dropped]).toEqual([40 - lost, lost]);
      expect(faults).not.toEqual([]);
      const left = await drain(again);
      expect(left.length).toBe(40 - lost);
      expect(records).toEqual(expect.arrayContaining(left));
      expect(left).toEqual([...left].sort());
      await again.close();
      expect((await openQueue()).dropped).toBe(lost);
    },
  );

  test.each([0, 1, 5_000])('counts what is missing of a file that was cut to %d bytes', async (size) => {
    const queue = await openQueue(1_048_576);
    const records = Array.from({ length: 400 }, (_, i) => JSON.stringify({ id: i, text: 'x'.repeat(500) }));
    for (const record of records) await queue.append(record);
    await queue.acknowledge((await queue.read(20, 7_000_000))!);
    await queue.close();
    await truncate(await fileEnding('.seg'), size);
    const again = await openQueue(1_048_576);
    const left = await drain(again);
    expect(again.dropped).toBeGreaterThan(0);
    expect(20 + left.length + again.dropped).toBe(400);
    expect(again.depth).toBe(0);
    expect(faults).not.toEqual([]);
  });

  test.each([
    ['far ahead', (state: object) => JSON.stringify({ ...state, segment: 1_000_000 })],
    ['one file ahead', (state: object) => JSON.stringify({ ...state, segment: 401 })],
    ['that is half', (state: object) => JSON.stringify(state).slice(0, 30)],
    ['of a file that is said to be dropped', (state: object) => JSON.stringify({ ...state, dropping: 1 })],
  ])('does not throw records away for a damaged state %s', async (_name, damage) => {
    const queue = await openQueue(1_048_576);
    const records = Array.from({ length: 1_200 }, (_, i) => JSON.stringify({ id: i, text: 'x'.repeat(500) }));
    for (const record of records) await queue.append(record);
    await queue.append('');
    await queue.close();
    const path = join(root, 'queue', 'state.json');
    await writeFile(path, damage(JSON.parse(await readFile(path, 'utf8')) as object));
    const again = await openQueue(1_048_576);
    expect(faults.length).toBeGreaterThan(1);
    expect(await drain(again)).toEqual(records);
  });

  test('goes on, and counts, where its folder cannot be written', async () => {
    const queue = await openQueue();
    await queue.append('"before"');
    await rm(join(root, 'queue'), { recursive: true });
    await writeFile(join(root, 'queue'), 'a file where the folder was');
    await queue.flush();
    // The open file still takes records, until the segment is full; a new one cannot be begun.
    const long = JSON.stringify('x'.repeat(900_000));
    for (let i = 0; i < 4; i++) await queue.append(long);
    expect(queue.dropped).toBeGreaterThan(0);
    expect(faults).not.toEqual([]);
  });

  test('counts a record that no file takes', async () => {
    const queue = await openQueue();
    await queue.append('');
    await queue.append(JSON.stringify('x'.repeat(2_000_000)));
    expect(queue.dropped).toBe(2);
    expect(queue.depth).toBe(0);
  });
});

/** The first file of that kind. */
async function fileEnding(ending: string): Promise<string> {
  const names = (await readdir(join(root, 'queue'))).filter((name) => name.endsWith(ending));
  return join(root, 'queue', names.sort()[0]!);
}

async function drainSizes(queue: DiskQueue, bytesMax: number): Promise<number[]> {
  const sizes: number[] = [];
  for (let batch = await queue.read(500, bytesMax); batch !== null; batch = await queue.read(500, bytesMax)) {
    sizes.push(batch.records.length);
    await queue.acknowledge(batch);
  }
  return sizes;
}

/** What may happen to a queue. */
type Happening =
  | { readonly kind: 'append'; readonly sizes: readonly number[] }
  | { readonly kind: 'acknowledge'; readonly count: number }
  | { readonly kind: 'read'; readonly count: number }
  | { readonly kind: 'crash'; readonly cut: number }
  | { readonly kind: 'restart' };

const happenings: fc.Arbitrary<Happening[]> = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constant('append' as const),
        sizes: fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 12 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), count: fc.integer({ min: 1, max: 20 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('read' as const), count: fc.integer({ min: 1, max: 20 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), cut: fc.integer({ min: 0, max: 80_000 }) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('restart' as const) }) },
  ),
  { minLength: 1, maxLength: 40 },
);

describe('whatever happens to it', () => {
  test('each record is given once, is dropped and counted, or was torn off by a crash', async () => {
    await fc.assert(
      fc.asyncProperty(happenings, async (all) => {
        const folder = await mkdtemp(join(tmpdir(), 'svc-queue-'));
        const bytesMax = 1_048_576;
        const reopen = () => DiskQueue.open({ folder, bytesMax, onFault: () => {} });
        let queue = await reopen();
        let next = 0;
        const taken: number[] = [];
        const torn = new Set<number>();
        try {
          for (const each of all) {
            if (each.kind === 'append') {
              const records = each.sizes.map((size) => JSON.stringify([next++, 'x'.repeat(size)]));
              await Promise.all(records.map((record) => queue.append(record)));
            } else if (each.kind === 'acknowledge') {
              const batch = await queue.read(each.count, 500_000);
              if (batch !== null) {
                taken.push(...batch.records.map(numberOf));
                await queue.acknowledge(batch);
              }
            } else if (each.kind === 'read') {
              await queue.read(each.count, 500_000);
              queue.release();
            } else if (each.kind === 'restart') {
              await queue.close();
              queue = await reopen();
            } else {
              // The machine stops: what was not flushed of the last file may be gone.
              await queue.close();
              for (const lost of await tear(folder, each.cut)) torn.add(lost);
              queue = await reopen();
            }
          }
          const { dropped } = queue;
          taken.push(...(await drain(queue, 7)).map(numberOf));
          expect(queue.dropped).toBe(dropped);
          expect(queue.depth).toBe(0);
          // In order, and none twice.
          expect(taken).toEqual([...new Set(taken)].sort((a, b) => a - b));
          const missing = next - taken.length;
          const lostAndTaken = [...torn].filter((each) => taken.includes(each)).length;
          expect(missing).toBeGreaterThanOrEqual(dropped - torn.size);
          expect(missing).toBeLessThanOrEqual(dropped + torn.size - lostAndTaken);
          if (torn.size === 0) expect(missing).toBe(dropped);
        } finally {
          await queue.close();
          await rm(folder, { recursive: true, force: true });
        }
      }),
      { numRuns: 60 },
    );
  });

  test('frames are read as they were written, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { maxLength: 30 }), fc.nat(), (records, at) => {
        const bytes = Buffer.concat(records.map(frameOf));
        const whole = readFrames(bytes, Infinity, Infinity);
        expect(whole).toEqual({ records: records.map((each) => each.toWellFormed()), bytes: bytes.length, stop: 'end' });
        const part = readFrames(bytes.subarray(0, at % (bytes.length + 1)), Infinity, Infinity);
        expect(whole.records.slice(0, part.records.length)).toEqual(part.records);
      }),
    );
  });
});

function numberOf(record: string): number {
  return (JSON.parse(record) as [number])[0];
}

/** Cuts up to `cut` bytes off the file in writing. Answers the records that are no longer whole. */
async function tear(folder: string, cut: number): Promise<number[]> {
  const name = (await readdir(folder)).find((each) => each.endsWith('.open'));
  if (name === undefined) return [];
  const bytes = await readFile(join(folder, name));
  const kept = bytes.subarray(0, Math.max(0, bytes.length - cut));
  const before = readFrames(bytes, Infinity, Infinity).records;
  const after = readFrames(kept, Infinity, Infinity).records;
  await writeFile(join(folder, name), kept);
  return before.slice(after.length).map(numberOf);
}

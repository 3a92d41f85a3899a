// Promises of reading arrays: what PostgreSQL sends is read as it was stored.

import fc from 'fast-check';
import { expect, inject, test } from 'vitest';
import { textArray, timestampArray } from '../journal/arrays.ts';
import { openDatabase } from '../storage/database.ts';
import { readFloats, readIntegers, readTexts, readTimes } from './columns.ts';

// Times as far from today as microseconds are whole numbers: to the year 2223.
test('texts and times are read as the journal writes them', () => {
  const text = fc.option(fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(fc.array(text), fc.array(fc.integer({ min: -6e12, max: 8e12 })), (texts, times) => {
      expect(readTexts(textArray(texts))).toEqual(texts);
      expect([...readTimes(timestampArray(times))]).toEqual(times);
    }),
  );
});

test('numbers are read as PostgreSQL sends them, none as NaN', async () => {
  const db = openDatabase(inject('testDatabaseUrl'), () => {});
  try {
    const { rows } = await db.query<{ floats: Buffer; integers: Buffer; none: Buffer; time: Buffer }>(
      `SELECT array_send('{1.5,NULL,-1e308,0}'::float8[]) AS floats, array_send('{1,-7}'::int4[]) AS integers,
              array_send('{}'::float8[]) AS none, array_send('{"2026-03-02 08:00:00.123456Z"}'::timestamptz[]) AS time`,
    );
    expect([...readFloats(rows[0]!.floats)]).toEqual([1.5, Number.NaN, -1e308, 0]);
    expect([...readIntegers(rows[0]!.integers)]).toEqual([1, -7]);
    expect([...readFloats(rows[0]!.none)]).toEqual([]);
    expect([...readTimes(rows[0]!.time)]).toEqual([Date.parse('2026-03-02T08:00:00.123Z')]);
  } finally {
    await db.close();
  }
});

// Promises about columns: what PostgreSQL reads is what was written.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import { float8Column, int4Column, int8Column, textColumn, timestampColumn } from './columns.ts';

let database: TestDatabase;
let client: pg.Client;
beforeAll(async () => {
  database = await createTestDatabase();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.drop();
});

const orNothing = <Value>(values: fc.Arbitrary<Value>) =>
  fc.array(fc.option(values, { nil: null, freq: 3 }), { minLength: 0, maxLength: 30 });
const itself = <Value>(value: Value) => value;
// PostgreSQL's texts hold no NUL, and no half characters.
const text = fc
  .oneof(fc.string({ unit: 'binary', maxLength: 90 }), fc.string({ maxLength: 90 }))
  .map((s) => s.replaceAll('\0', '').toWellFormed());
const year2500 = Date.UTC(2500, 0);

test.each<[string, fc.Arbitrary<unknown>, (values: never) => Buffer, string]>([
  ['texts', text, (values) => textColumn<string | null>(values, itself), 'text'],
  ['int4', fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (values) => int4Column<number | null>(values, itself), 'int4'],
  ['int8', fc.maxSafeInteger(), (values) => int8Column<number | null>(values, itself), 'int8'],
  ['float8', fc.double({ noNaN: true }), (values) => float8Column<number | null>(values, itself), 'float8'],
  [
    'times',
    fc.integer({ min: -year2500, max: year2500 }),
    (values) => timestampColumn<number | null>(values, itself),
    'timestamptz',
  ],
])('of %s: nothing, null and every value', async (_name, values, write, type) => {
  const read = {
    text: 'v',
    int4: 'v',
    int8: 'v::text',
    float8: 'v',
    timestamptz: '(extract(epoch FROM v) * 1000)::int8::text',
  }[type];
  await fc.assert(
    fc.asyncProperty(orNothing(values), async (column) => {
      const { rows } = await client.query<{ v: unknown }>(
        `SELECT ${read} AS v FROM unnest($1::${type}[], $2::int4[]) AS c (v, i) ORDER BY i`,
        [write(column as never), int4Column([...column.keys()], itself)],
      );
      const isText = type === 'int8' || type === 'timestamptz';
      expect(rows.map(({ v }) => v)).toEqual(
        column.map((value) => (isText && value !== null ? (value as number).toString() : value)),
      );
    }),
    { numRuns: 60 },
  );
});

test('of nothing but nulls take no room, and stand for nulls beside others', async () => {
  const nulls = Array.from({ length: 500 }, () => null);
  expect(textColumn(nulls, itself).length).toBe(12);
  const { rows } = await client.query('SELECT * FROM unnest($1::text[], $2::int8[], $3::int4[]) AS c (a, b, i)', [
    textColumn(nulls.slice(0, 2), itself),
    int8Column(nulls.slice(0, 2), itself),
    int4Column([1, 2], itself),
  ]);
  expect(rows).toEqual([
    { a: null, b: null, i: 1 },
    { a: null, b: null, i: 2 },
  ]);
});

// Promises of the connections.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import { isConnectionFault, openDatabase, type Database } from './database.ts';

let database: TestDatabase;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, () => {});
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

test('a connection that is lost in a transaction fails that transaction alone, and the next one gets another', async () => {
  const lost = db.transaction(async (tx) => {
    const { rows } = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await db.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid]);
    // Until the client has heard of its end: between two statements no one waits for an answer.
    await expect
      .poll(() =>
        tx.query('SELECT 1').then(
          () => 'alive',
          (err: unknown) => isConnectionFault(err),
        ),
      )
      .toBe(true);
    throw new Error('lost');
  });
  await expect(lost).rejects.toThrow('lost');
  expect((await db.transaction((tx) => tx.query('SELECT 1 AS one'))).rows).toEqual([{ one: 1 }]);
});

test('what a transaction did is undone when it throws', async () => {
  await db.query('CREATE TABLE t (x int)');
  const failing = db.transaction(async (tx) => {
    await tx.query('INSERT INTO t VALUES (1)');
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect((await db.query('SELECT * FROM t')).rows).toEqual([]);
});

import { Client } from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createTestDatabase, ensureTemplate } from './postgres.ts';
import type { TestDatabase } from './postgres.ts';

const made: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((database) => database.drop()));
});

async function make(options?: { template?: string }): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  made.push(database);
  return database;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test('each call makes an empty database of its own', async () => {
  const [one, other] = await Promise.all([make(), make()]);
  await query(one.url, 'CREATE TABLE only_here (id int)');
  expect(await query(other.url, `SELECT to_regclass('only_here') AS found`)).toEqual([{ found: null }]);
});

test('drop removes a database that is still in use, and may be called twice', async () => {
  const database = await make();
  const client = new Client({ connectionString: database.url });
  client.on('error', () => undefined);
  await client.connect();
  const ended = new Promise((resolve) => client.once('end', resolve));
  await database.drop();
  await ended;
  await database.drop();
  await expect(query(database.url, 'SELECT 1')).rejects.toMatchObject({ code: '3D000' });
});

test('a template is built once though many ask at once, and copies hold what it holds', async () => {
  const name = `svc_template_test_${process.pid}_${Date.now()}`;
  let builds = 0;
  const build = async (url: string) => {
    builds++;
    await query(url, 'CREATE TABLE thing (id int); INSERT INTO thing VALUES (7)');
  };
  await Promise.all([1, 2, 3].map(() => ensureTemplate(name, build)));
  expect(builds).toBe(1);
  const copies = await Promise.all([1, 2, 3, 4].map(() => make({ template: name })));
  for (const copy of copies) expect(await query(copy.url, 'SELECT id FROM thing')).toEqual([{ id: 7 }]);
});

test('a template whose building failed is not kept', async () => {
  const name = `svc_template_test_${process.pid}_${Date.now()}_fails`;
  await expect(ensureTemplate(name, (url) => query(url, 'SELECT nonsense').then(() => undefined))).rejects.toThrow('nonsense');
  await expect(make({ template: name })).rejects.toMatchObject({ code: '3D000' });
});

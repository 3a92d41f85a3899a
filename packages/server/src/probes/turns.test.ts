// Promises about who may go on: nobody waits for all that another sends, and a probe's texts are assessed by one request at a time.

import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../storage/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/postgres.ts';
import { createLog } from '../telemetry/log.ts';
import { FairTurns, ProbeLocks, TEXT_BYTES_MAX } from './turns.ts';

/** Work that goes on until it is told to end. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { open: () => open(), opened };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('turns', () => {
  test('are taken by a few at once, and by each holder after the other, however many of one wait', async () => {
    const turns = new FairTurns(2, 100, 100);
    const first = gate();
    const running: string[] = [];
    let most = 0;
    let now = 0;
    const work = (holder: string, until = Promise.resolve()) =>
      turns.run(holder, 1, async () => {
        running.push(holder);
        most = Math.max(most, ++now);
        await until;
        now--;
      });
    const all = [
      work('a', first.opened),
      work('a', first.opened),
      ...Array.from({ length: 6 }, () => work('a')),
      work('b'),
      work('c'),
    ];
    await settled();
    expect(running).toEqual(['a', 'a']);
    first.open();
    await Promise.all(all);
    expect(most).toBe(2);
    expect(running.slice(2, 5).toSorted()).toEqual(['a', 'b', 'c']);
    expect(running).toHaveLength(10);
  });

  test('go on after work that fails, and are refused to those who would be too many', async () => {
    const turns = new FairTurns(1, 10, 10);
    const first = gate();
    const failing = turns.run('a', 100, async () => {
      await first.opened;
      throw new Error('fails');
    });
    const second = turns.run('a', 6, async () => 2);
    await expect(turns.run('b', 5, async () => 3)).rejects.toMatchObject({
      code: 'unavailable',
      headers: { 'retry-after': '1' },
    });
    first.open();
    await expect(failing).rejects.toThrow('fails');
    expect(await second).toBe(2);
    expect(await turns.run('b', 5, async () => 3)).toBe(3);
  });
});

describe('turns of one holder', () => {
  test('that wait take up no more than its part: others still get theirs', async () => {
    const turns = new FairTurns(1, 100, 25);
    const first = gate();
    const all = [turns.run('a', 1, () => first.opened), turns.run('a', 25, async () => undefined)];
    await expect(turns.run('a', 1, async () => undefined)).rejects.toMatchObject({ code: 'unavailable' });
    expect(() => turns.check('a', 1)).toThrow('Too much');
    expect(() => turns.check('b', 25)).not.toThrow();
    all.push(turns.run('b', 25, async () => undefined));
    first.open();
    await Promise.all(all);
    await turns.run('a', 25, async () => undefined);
  });

  test('are never more at once than may be, also where one comes just as another ends', async () => {
    const turns = new FairTurns(1, 1_000, 1_000);
    const first = gate();
    let now = 0;
    let most = 0;
    const work = async (until: Promise<unknown>) => {
      most = Math.max(most, ++now);
      await until;
      now--;
    };
    const all = [turns.run('a', 1, () => work(first.opened)), turns.run('a', 1, () => work(settled()))];
    first.open();
    for (let i = 0; i < 20; i++) {
      await Promise.resolve();
      all.push(turns.run('b', 1, () => work(settled())));
    }
    await Promise.all(all);
    expect(most).toBe(1);
  });
});

describe('the locks of probes', () => {
  const log = createLog('silent').log;
  let database: TestDatabase;
  let dbs: Database[];
  let nodes: ProbeLocks[];

  beforeAll(async () => {
    database = await createTestDatabase();
    dbs = [1, 2].map(() => openDatabase(database.url, () => undefined));
    nodes = dbs.map((db) => new ProbeLocks(db, log));
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.close()));
    await Promise.all(dbs.map((db) => db.close()));
    await database.drop();
  });

  test('let one request in at a time, on all nodes together, and those of other probes beside it', async () => {
    const inside = new Map<string, number>();
    let most = 0;
    const work = (node: number, name: string) =>
      nodes[node]!.hold(name, 'o', 1, async () => {
        inside.set(name, (inside.get(name) ?? 0) + 1);
        most = Math.max(most, inside.get(name)!);
        await new Promise((resolve) => setTimeout(resolve, 5));
        inside.set(name, inside.get(name)! - 1);
      });
    await Promise.all(Array.from({ length: 24 }, (_, i) => work(i % 2, i % 3 === 0 ? 'p1' : 'p2')));
    expect(most).toBe(1);
    const held = gate();
    const first = nodes[0]!.hold('p1', 'o', 1, () => held.opened);
    await nodes[0]!.hold('p2', 'o', 1, async () => undefined);
    await nodes[1]!.hold('p2', 'o', 1, async () => undefined);
    held.open();
    await first;
  });

  test('are given back by work that fails', async () => {
    await expect(nodes[0]!.hold('p', 'o', 1, () => Promise.reject(new Error('fails')))).rejects.toThrow('fails');
    expect(await nodes[1]!.hold('p', 'o', 1, async () => 1)).toBe(1);
  });

  test('are refused to too many of one probe on a node', async () => {
    const held = gate();
    const all = Array.from({ length: 16 }, () => nodes[0]!.hold('p', 'o', 1, () => held.opened));
    await expect(nodes[0]!.hold('p', 'o', 1, async () => 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await nodes[0]!.hold('q', 'o', 1, async () => 1)).toBe(1);
    held.open();
    await Promise.all(all);
  });

  test('are refused to bodies that are too much, together or of one organization, however many probes they are of', async () => {
    const held = gate();
    const quarter = TEXT_BYTES_MAX / 4;
    const hold = (name: string, holder: string, bytes: number) => nodes[0]!.hold(name, holder, bytes, () => held.opened);
    const all = [hold('p1', 'a', quarter - 1), hold('p2', 'a', 1)];
    await expect(hold('p3', 'a', 1)).rejects.toMatchObject({ code: 'unavailable' });
    all.push(hold('p4', 'b', quarter), hold('p5', 'c', quarter), hold('p6', 'd', quarter - 1));
    await expect(hold('p7', 'e', 2)).rejects.toMatchObject({ code: 'unavailable' });
    all.push(hold('p7', 'e', 1));
    held.open();
    await Promise.all(all);
    expect(await nodes[0]!.hold('p3', 'a', quarter, async () => 1)).toBe(1);
  });

  test('of a node that is gone are free, and a node whose connection was lost goes on with another', async () => {
    const held = gate();
    const first = nodes[0]!.hold('p', 'o', 1, () => held.opened);
    await expect.poll(() => locks()).toBe(1);
    const second = nodes[1]!.hold('p', 'o', 1, async () => 'in');
    await asAdmin(
      `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    expect(await second).toBe('in');
    held.open();
    await first;
    expect(await nodes[0]!.hold('p', 'o', 1, async () => 'again')).toBe('again');
  });

  async function asAdmin(sql: string): Promise<pg.QueryResult> {
    const client = new pg.Client(database.url);
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  }
  const locks = async () =>
    (
      await asAdmin(
        `SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
      )
    ).rowCount;
});

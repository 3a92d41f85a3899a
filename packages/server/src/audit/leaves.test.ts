// Promises about leaves as they are read from the trail.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidText } from '../ids.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { findTree } from './log-store.ts';
import { leavesOf } from './test-kit.ts';

let service: TestService;
let db: pg.Client;
beforeAll(async () => {
  service = await startTestService();
  db = new pg.Client(service.databaseUrl);
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.close();
});

test('the log goes on over every row that the table takes, and over those of all others', async () => {
  const rows: [column: string, value: string][] = [
    ...['infinity', '-infinity', '294276-12-31 23:59:59.999999+00', '4713-01-01 00:00:00+00 BC', '0001-01-01 BC'].flatMap(
      (time): [string, string][] => [
        ['occurred_at', `'${time}'`],
        ['recorded_at', `'${time}'`],
      ],
    ),
    ...['session.ended', 'inference.flagged', 'telemetry.received', ''].flatMap((kind): [string, string][] =>
      [
        `repeat('[', 5000) || repeat(']', 5000)`,
        `repeat('{"a":', 20000) || '1' || repeat('}', 20000)`,
        `'{"metadata":' || repeat('[', 999000) || repeat(']', 999000) || '}'`,
        `'{"findings":[null,1,{"location":[]},{"preview":{"a":1}}],"subject":[],"metadata":{"__proto__":1}}'`,
        `'{"score":1e999,"outcome":"\\ud800","coverage":{"status":-0},"policy":[]}'`,
        `''`,
        `'null'`,
        `'"'`,
        `repeat('"', 5000)`,
      ].map((data): [string, string] => ['kind, data', `'${kind}', ${data}`]),
    ),
    ['salt', `''`],
    ['salt', 'NULL'],
    ['salt, redaction', `NULL, '{"erased":{"data":1,"__proto__":"x","text":"\\ud800"},"salts":[]}'`],
    ['salt, redaction', `NULL, repeat('[', 20000)`],
    ['categories', `''`],
    ['actor_type, actor_ip', `'', 'nowhere'`],
  ];
  const other = await service.createOrganization();
  const { uuid } = service.organization;
  for (const [columns, values] of rows) {
    const given = columns.split(', ');
    const rest = Object.entries({
      kind: `'x'`,
      occurred_at: 'now()',
      recorded_at: 'now()',
      actor_type: `'system'`,
      data: `'{}'`,
    }).filter(([name]) => !given.includes(name));
    await db.query(
      `WITH counter AS (UPDATE event_counters SET last_sequence = last_sequence + 1 WHERE org_id = $1 RETURNING last_sequence)
       INSERT INTO events (org_id, sequence, id, ${[...given, ...rest.map(([name]) => name)].join(', ')})
       SELECT $1, last_sequence, gen_random_uuid(), ${[values, ...rest.map(([, value]) => value)].join(', ')} FROM counter`,
      [uuidText(uuid)],
    );
  }
  // A text that nobody can open.
  await db.query(
    `INSERT INTO assessment_texts (org_id, id, created_at, sealed)
     SELECT org_id, id, now(), '' FROM events WHERE org_id = $1 ORDER BY sequence DESC LIMIT 1`,
    [uuidText(uuid)],
  );
  await service.services.audit.catchUp();
  for (const org of [uuid, other.uuid]) {
    const { rows: counters } = await db.query('SELECT last_sequence FROM event_counters WHERE org_id = $1', [uuidText(org)]);
    expect((await findTree(service.services.db, org))!.signedSize).toBe(Number(counters[0].last_sequence));
  }
  const leaves = await leavesOf(service.services, uuid);
  expect(new Set(leaves.map(({ text }) => text)).size).toBe(leaves.length);
});

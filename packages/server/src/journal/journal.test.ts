// Promises of the journal.

import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newUuid } from '../ids.ts';
import { createOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { createLog } from '../telemetry/log.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import { changeEvent, openJournal, type Journal, type NewEvent } from './journal.ts';

let service: TestService;
let db: Database;
/** Two, as on two nodes. */
let journals: Journal[];
const { log } = createLog('silent');

beforeAll(async () => {
  service = await startTestService();
  db = openDatabase(service.databaseUrl, () => {});
  journals = [
    await openJournal(db, service.services.changes, Date.now, log),
    await openJournal(db, service.services.changes, Date.now, log),
  ];
});
afterAll(async () => {
  await Promise.all(journals.map((journal) => journal.close()));
  await db.close();
  await service.close();
});

function event(orgId: Buffer, overrides: Partial<NewEvent> = {}): NewEvent {
  return { ...changeEvent(orgId, 'inference.allowed', { type: 'system', id: null, ip: null }, Date.now(), {}), ...overrides };
}

async function sequencesOf(orgId: Buffer): Promise<{ id: string; sequence: number }[]> {
  const { rows } = await db.query<{ id: string; sequence: string }>(
    'SELECT id, sequence FROM events WHERE org_id = $1 ORDER BY sequence',
    [orgId.toString('hex')],
  );
  return rows.map(({ id, sequence }) => ({ id: id.replaceAll('-', ''), sequence: Number(sequence) }));
}

async function newOrganizations(count: number): Promise<Buffer[]> {
  return Promise.all(Array.from({ length: count }, async () => (await createOrganization(service.services, 'o', 'scale')).uuid));
}

test('the sequence of each organization has no gap and no double, with two nodes writing for all of them at once', async () => {
  const organizations = await newOrganizations(5);
  const written = new Map(organizations.map((orgId) => [orgId.toString('hex'), [] as string[]]));
  await Promise.all(
    Array.from({ length: 2_000 }, async (_, i) => {
      const made = event(organizations[(i * 7) % 5]!);
      await journals[i % 2]!.append(made);
      written.get(made.orgId.toString('hex'))!.push(made.id.toString('hex'));
    }),
  );
  for (const orgId of organizations) {
    const rows = await sequencesOf(orgId);
    expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, i) => i + 1));
    const ids = new Set(rows.map(({ id }) => id));
    for (const id of written.get(orgId.toString('hex'))!) expect(ids.has(id)).toBe(true);
  }
});

test('every field comes back as it went in, whatever it holds', async () => {
  const [orgId] = (await newOrganizations(1)) as [Buffer];
  const text = fc.string({ unit: 'grapheme', maxLength: 30 }).map((value) => value.replaceAll('\0', ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ model: fc.option(text), externalId: fc.option(text), data: fc.json() }), {
        minLength: 1,
        maxLength: 20,
      }),
      async (rows) => {
        const events = rows.map((row) => event(orgId, row));
        await Promise.all(events.map((made) => journals[0]!.append(made)));
        for (const made of events) {
          const { rows: found } = await db.query('SELECT model, external_id, data FROM events WHERE org_id = $1 AND id = $2', [
            orgId.toString('hex'),
            made.id.toString('hex'),
          ]);
          expect(found).toEqual([{ model: made.model, external_id: made.externalId, data: made.data }]);
        }
      },
    ),
    { numRuns: 30 },
  );
});

test('a row that cannot be written fails alone; those beside it are committed', async () => {
  const [orgId] = (await newOrganizations(1)) as [Buffer];
  const good = [event(orgId), event(orgId)];
  const bad = event(orgId, { externalId: 'NUL \0 cannot be stored' });
  const results = await Promise.allSettled([good[0]!, bad, good[1]!].map((made) => journals[0]!.append(made)));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  const rows = await sequencesOf(orgId);
  expect(rows.map(({ sequence }) => sequence)).toEqual(rows.map((_, i) => i + 1));
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(good.map(({ id }) => id.toString('hex'))));
});

test('a change that fails records nothing, and its sequence numbers are given to the next', async () => {
  const [orgId] = (await newOrganizations(1)) as [Buffer];
  const before = await sequencesOf(orgId);
  const failing = journals[0]!.transaction(async (_tx, record) => {
    record(event(orgId));
    throw new Error('the change fails');
  });
  await expect(failing).rejects.toThrow('the change fails');
  expect(await sequencesOf(orgId)).toEqual(before);
  await journals[0]!.append(event(orgId));
  expect((await sequencesOf(orgId)).at(-1)!.sequence).toBe(before.length + 1);
});

test('an event of an organization that does not exist is refused, not dropped', async () => {
  await expect(journals[0]!.append(event(newUuid()))).rejects.toThrow('has no counter');
});

test('goes on by itself after its connection was cut, and says unavailable for what was in flight', async () => {
  const [orgId] = (await newOrganizations(1)) as [Buffer];
  const journal = await openJournal(db, service.services.changes, Date.now, log);
  const admin = new pg.Client(service.databaseUrl);
  await admin.connect();
  const outcomes = new Map<string, string>();
  let cuts = 0;
  for (let i = 0; i < 300; i++) {
    if (i % 60 === 30) {
      const { rowCount } = await admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'svc journal' AND datname = current_database()",
      );
      cuts += rowCount ?? 0;
    }
    const made = event(orgId);
    await journal.append(made).then(
      () => outcomes.set(made.id.toString('hex'), 'committed'),
      (err: { code: string }) => outcomes.set(made.id.toString('hex'), err.code),
    );
  }
  await journal.close();
  await admin.end();
  const kept = new Set((await sequencesOf(orgId)).map(({ id }) => id));
  expect(cuts).toBeGreaterThan(0);
  expect([...outcomes.values()].filter((outcome) => outcome !== 'committed' && outcome !== 'unavailable')).toEqual([]);
  for (const [id, outcome] of outcomes) if (outcome === 'committed') expect(kept.has(id)).toBe(true);
  expect([...outcomes.values()].filter((outcome) => outcome === 'committed').length).toBeGreaterThan(250);
});

test('closing commits what waits and refuses what comes after', async () => {
  const [orgId] = (await newOrganizations(1)) as [Buffer];
  const journal = await openJournal(db, service.services.changes, Date.now, log);
  const waiting = Array.from({ length: 50 }, () => journal.append(event(orgId)));
  await journal.close();
  await Promise.all(waiting);
  await expect(journal.append(event(orgId))).rejects.toMatchObject({ code: 'unavailable' });
});

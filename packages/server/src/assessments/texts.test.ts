// Promises about texts that an organization keeps.

import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { pruneTrailsAt, UNREAD_DAYS } from '../audit/retention.ts';
import { parseId, uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { findKept, findSealedText, openText } from './texts.ts';

const DAY_MS = 86_400_000;
const SECRET = 'a text that nobody else may read';

let service: TestService;
let db: pg.Client;
let org: NewOrganization;

beforeAll(async () => {
  service = await startTestService();
  db = new pg.Client(service.databaseUrl);
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.close();
});
beforeEach(async () => {
  org = await service.createOrganization();
});

async function open(id: Buffer, orgId = org.uuid) {
  const sealed = await findSealedText(service.services.db, orgId, id);
  return sealed === null ? null : openText(service.services.vault, orgId, id, sealed);
}

const putPolicy = (body: object) => service.request('PUT', '/v1/policy', { key: org.keys.admin, body });
const assess = async (body: object, key = org.keys.live) =>
  (await service.request('POST', '/v1/assessments', { key, body })).body;
async function kept(orgId = org.uuid): Promise<{ id: string; sealed: Buffer }[]> {
  return (await db.query('SELECT id, sealed FROM assessment_texts WHERE org_id = $1 ORDER BY id', [uuidText(orgId)])).rows;
}

test('by default no text is kept', async () => {
  const { id } = await assess({ input: SECRET });
  expect(await kept()).toEqual([]);
  expect(await open(parseId('asm', id)!)).toBeNull();
});

test('with data.store full the text is kept with its event, encrypted, and opens for its assessment alone', async () => {
  await putPolicy({ data: { store: 'full' } });
  const sent = { input: SECRET, output: 'An answer.', model: 'm', subject: { user: 'u' }, metadata: { a: 'b' } };
  const body = await assess(sent);
  const id = parseId('asm', body.id)!;
  const rows = await kept();
  expect(rows.map((row) => row.id)).toEqual([uuidText(id)]);
  expect(rows[0]!.sealed.toString('latin1')).not.toContain('nobody');
  expect(await open(id)).toEqual(sent);
  // Nor does another row open it.
  const other = await service.createOrganization();
  await db.query('INSERT INTO assessment_texts SELECT $1, id, created_at, sealed FROM assessment_texts WHERE id = $2', [
    uuidText(other.uuid),
    uuidText(id),
  ]);
  await expect(open(id, other.uuid)).rejects.toThrow();
});

test('is in no answer, event or list', async () => {
  await putPolicy({ data: { store: 'full' } });
  const body = await assess({ input: SECRET });
  const read = await Promise.all(
    [`/v1/assessments/${body.id}`, `/v1/events/${body.event_id}`, '/v1/events', '/v1/assessments'].map((path) =>
      service.request('GET', path, { key: org.keys.admin }),
    ),
  );
  for (const { status, text } of read) {
    expect(status).toBe(200);
    expect(text).not.toContain(SECRET);
  }
});

test('every item of a batch is kept, and of several organizations at once each its own', async () => {
  const other = await service.createOrganization();
  await putPolicy({ data: { store: 'full' } });
  const batch = (key: string) =>
    service.request('POST', '/v1/assessments/batch', {
      key,
      body: { items: Array.from({ length: 300 }, (_, i) => ({ input: `${SECRET} ${i}` })) },
    });
  const [mine] = await Promise.all([batch(org.keys.live), batch(other.keys.live)]);
  expect(await kept(other.uuid)).toEqual([]);
  const ids = mine.body.data.map(({ assessment }: { assessment: { id: string } }) => parseId('asm', assessment.id)!);
  expect(await findKept(service.services.db, org.uuid, ids)).toEqual(new Set(ids.map((id: Buffer) => id.toString('hex'))));
  for (const [i, id] of ids.entries()) expect(await open(id)).toEqual({ input: `${SECRET} ${i}` });
});

test('of a test key is not kept', async () => {
  await putPolicy({ data: { store: 'full' } });
  await assess({ input: SECRET }, org.keys.test);
  expect(await kept()).toEqual([]);
});

test('is deleted with its event when that is as old as the policy in force keeps it, and not before, also when texts are kept no more', async () => {
  await putPolicy({ data: { store: 'full', retention_days: 200 } });
  await assess({ input: SECRET });
  await putPolicy({ data: { store: 'metadata', retention_days: 200 } });
  await assess({ input: SECRET });
  const inDays = async (days: number) => {
    await service.services.audit.catchUp();
    await pruneTrailsAt(service.services, Date.now() + days * DAY_MS);
    // What it told of is deleted once it is in the log.
    await service.services.audit.catchUp();
    await pruneTrailsAt(service.services, Date.now() + days * DAY_MS);
  };
  await inDays(199);
  expect(await kept()).toHaveLength(1);
  await putPolicy({ data: { store: 'metadata', retention_days: 300 } });
  await inDays(201 + UNREAD_DAYS);
  expect(await kept()).toHaveLength(1);
  await inDays(301 + UNREAD_DAYS);
  expect(await kept()).toEqual([]);
});

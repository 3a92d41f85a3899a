// Promises about texts that PostgreSQL cannot read as JSON, and about organizations that cannot be counted: they are in nobody's way.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pruneTrailsAt, UNREAD_DAYS } from '../audit/retention.ts';
import { uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { countAllExceptionHits } from './exceptions/store.ts';
import { stopExpiredShadows } from './shadow/service.ts';
import { countAllShadows } from './shadow/store.ts';

const DAY_MS = 86_400_000;
const CARD = 'My card is 4111 1111 1111 1111.';
const POLICY = {
  data: { store: 'full', retention_days: 200 },
  exceptions: [
    {
      id: 'cards',
      match: { type: 'credit_card' },
      reason: 'r',
      owner: 'o',
      expires_at: new Date(Date.now() + 90 * DAY_MS).toISOString(),
    },
  ],
};
const CANDIDATE = { detectors: { pii: { entities: { credit_card: 'block' } } } };

let service: TestService;
let db: pg.Client;
/** Milliseconds that the service's clock is ahead. */
let aheadMs = 0;

beforeAll(async () => {
  service = await startTestService({}, () => Date.now() + aheadMs);
  db = new pg.Client(service.databaseUrl);
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.close();
});

/** An organization with a shadow, an exception that has excused a finding, and a text that is kept. */
async function organization(): Promise<NewOrganization> {
  const org = await service.createOrganization();
  const expires_at = new Date(Date.now() + 5 * DAY_MS).toISOString();
  await service.request('PUT', '/v1/policy', { key: org.keys.admin, body: POLICY });
  await service.request('PUT', '/v1/policy/shadow', {
    key: org.keys.admin,
    body: { policy: CANDIDATE, sample_rate: 1, expires_at },
  });
  const { body } = await service.request('POST', '/v1/assessments', { key: org.keys.live, body: { input: CARD } });
  expect(body).toMatchObject({ outcome: 'allowed', shadow: { outcome: 'blocked' }, findings: [{ exception_id: 'cards' }] });
  return org;
}

/** Escapes that are JSON and that PostgreSQL's operators refuse: a NUL, and half of a character. */
const ODD = String.raw`\u0000 \ud800`;

/** Puts them into what the organization has assessed, into its policy and into its candidate, as earlier releases took them. */
async function withOddTexts(org: NewOrganization): Promise<NewOrganization> {
  const id = uuidText(org.uuid);
  const { rowCount } = await db.query(
    `UPDATE events SET data = replace(data, '"metadata":{}', '"metadata":{"note":"${ODD}"}') WHERE org_id = $1 AND kind LIKE 'inference.%'`,
    [id],
  );
  expect(rowCount).toBe(1);
  await db.query(
    `UPDATE policy_versions SET document = replace(document::text, '"reason":"r"', '"reason":"${ODD}"')::json WHERE org_id = $1`,
    [id],
  );
  await expect(db.query("SELECT data::json -> 'metadata' ->> 'note' FROM events WHERE org_id = $1", [id])).rejects.toThrow();
  await expect(db.query("SELECT document -> 'data' ->> 'store' FROM policy_versions WHERE org_id = $1", [id])).rejects.toThrow();
  return org;
}

const texts = async ({ uuid }: NewOrganization) =>
  (await db.query('SELECT 1 FROM assessment_texts WHERE org_id = $1', [uuidText(uuid)])).rows.length;
async function ofEach<Result>(
  orgs: readonly NewOrganization[],
  read: (org: NewOrganization) => Promise<Result>,
): Promise<Result[]> {
  const found: Result[] = [];
  for (const org of orgs) found.push(await read(org));
  return found;
}
const get = async ({ keys }: NewOrganization, path: string) => {
  const { status, body } = await service.request('GET', path, { key: keys.admin });
  expect(status).toBe(200);
  return body;
};
const hits = async ({ uuid }: NewOrganization) =>
  (await db.query('SELECT hits FROM policy_exception_hits WHERE org_id = $1', [uuidText(uuid)])).rows.map((row) =>
    Number(row.hits),
  );
const tally = async ({ uuid }: NewOrganization) =>
  (await db.query('SELECT tally FROM policy_shadows WHERE org_id = $1', [uuidText(uuid)])).rows[0]?.tally;

test('an organization with such texts reads its tally, its exceptions and its simulations, and ends its candidate', async () => {
  const org = await withOddTexts(await organization());
  expect((await get(org, '/v1/policy/shadow')).tally).toMatchObject({ assessed: 1, newly_blocked: 1, errors: 0 });
  expect((await get(org, '/v1/policy/exceptions')).data).toMatchObject([{ id: 'cards', hits: 1 }]);
  const { status, body } = await service.request('POST', '/v1/policy/simulate', {
    key: org.keys.live,
    body: { policy: CANDIDATE, sample: {} },
  });
  expect(status).toBe(202);
  await expect
    .poll(
      async () =>
        (await get({ ...org, keys: { ...org.keys, admin: org.keys.live } }, `/v1/policy/simulations/${body.id}`)).result,
      {
        timeout: 30_000,
      },
    )
    .toMatchObject({ assessed: 1, newly_blocked: 1 });
  expect((await service.request('POST', '/v1/policy/shadow/promote', { key: org.keys.admin })).status).toBe(200);
});

test('housekeeping counts, ends and deletes of an organization with such texts as of all others', async () => {
  const orgs = [await organization(), await withOddTexts(await organization()), await organization()];
  const { db: own } = service.services;
  await countAllShadows(own);
  await countAllExceptionHits(own);
  for (const org of orgs) {
    expect(await tally(org)).toMatchObject({ assessed: 1, newly_blocked: 1 });
    expect(await hits(org)).toEqual([1]);
  }
  await pruneInDays(199);
  expect(await ofEach(orgs, texts)).toEqual([1, 1, 1]);
  await pruneInDays(201 + UNREAD_DAYS);
  expect(await ofEach(orgs, texts)).toEqual([0, 0, 0]);
  await atEnd(() => stopExpiredShadows(service.services));
  expect(await ofEach(orgs, tally)).toEqual([undefined, undefined, undefined]);
});

test('an assessment that cannot be read at all is an error of the tally, excuses nothing, and holds up nothing', async () => {
  const org = await organization();
  await db.query(`UPDATE events SET data = data || '}' WHERE org_id = $1 AND kind LIKE 'inference.%'`, [uuidText(org.uuid)]);
  await service.request('POST', '/v1/assessments', { key: org.keys.live, body: { input: CARD } });
  expect((await get(org, '/v1/policy/shadow')).tally).toMatchObject({ assessed: 1, errors: 1 });
  expect((await get(org, '/v1/policy/exceptions')).data).toMatchObject([{ id: 'cards', hits: 1 }]);
});

test('an organization for which housekeeping fails stops it for no other, and the failure is told', async () => {
  const [first, broken, last] = [await organization(), await organization(), await organization()];
  const id = uuidText(broken.uuid);
  await db.query("UPDATE policy_shadows SET tally = 'null' WHERE org_id = $1", [id]);
  await db.query("INSERT INTO policy_exception_hits VALUES ($1, 'cards', 9223372036854775807, now())", [id]);
  const { db: own } = service.services;
  await expect(countAllShadows(own)).rejects.toThrow(AggregateError);
  await expect(countAllExceptionHits(own)).rejects.toThrow(AggregateError);
  for (const org of [first, last]) {
    expect(await tally(org)).toMatchObject({ assessed: 1, newly_blocked: 1 });
    expect(await hits(org)).toEqual([1]);
  }
  await expect(atEnd(() => stopExpiredShadows(service.services))).rejects.toThrow(AggregateError);
  expect([await tally(first), await tally(broken), await tally(last)]).toEqual([undefined, null, undefined]);
  await db.query('DELETE FROM policy_versions WHERE org_id = $1', [id]);
  await expect(pruneInDays(201 + UNREAD_DAYS)).rejects.toThrow(AggregateError);
  expect(await ofEach([first, broken, last], texts)).toEqual([0, 1, 0]);
});

/** What drift has not noted yet counts as unread. */
async function pruneInDays(days: number): Promise<void> {
  await service.services.audit.catchUp();
  const prune = () => pruneTrailsAt(service.services, Date.now() + days * DAY_MS);
  // What it tells of is deleted once it is in the log.
  await prune().catch(() => {});
  await service.services.audit.catchUp();
  await prune();
}

/** Does something when the candidates' time is up. */
async function atEnd<Result>(work: () => Promise<Result>): Promise<Result> {
  aheadMs = 6 * DAY_MS;
  try {
    return await work();
  } finally {
    aheadMs = 0;
  }
}

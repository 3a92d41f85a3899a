// Promises after a restored backup: no log goes on under an origin of which more was published than there is, however the restore came about, and
// every trail says what happened.

import { openNote, parseCheckpoint, parseVerifier } from '@svc/trail';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { declareRestoredBackup } from '../admin/rotations.ts';
import { uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import type { Services } from '../services.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { findCheckpoint, findTree, rootAt } from './log-store.ts';
import { DEPLOYMENT_LOG, originOf, originOfNote, readDeployment } from './origin.ts';
import { checkRestored, declareRestored, openTrail } from './restored.ts';
import { createAnchor, createExtender, insertEvents, leavesOf, merkleTreeHash } from './test-kit.ts';
import { TrailMemory } from './trail-memory.ts';

let service: TestService;
let services: Services;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'svc-data-'));
  service = await startTestService({ SVC_DATA_DIR: dataDir, SVC_PUBLIC_URL: 'https://svc.example.com:8443/base' });
  ({ services } = service);
  await services.audit.close();
});
afterAll(async () => {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

const epochNow = async () => (await readDeployment(services.db)).epoch;
const trail = () => ({ db: services.db, journal: services.journal, dataDir, clock: Date.now, log: services.log });

/** Puts the logs and trails back to what they were when it was called. */
async function takeBackup(): Promise<() => Promise<void>> {
  const { db } = services;
  const tables = ['events', 'event_counters', 'trees', 'tiles', 'checkpoints', 'report_sheets', 'trail_deployment'];
  for (const table of tables) await db.query(`DROP TABLE IF EXISTS backup_${table}`);
  for (const table of tables) await db.query(`CREATE TABLE backup_${table} AS SELECT * FROM ${table}`);
  return async () => {
    await db.transaction(async (tx) => {
      for (const table of tables) {
        await tx.query(`DELETE FROM ${table}`);
        await tx.query(`INSERT INTO ${table} SELECT * FROM backup_${table}`);
      }
    });
  };
}

async function restoredEventsOf({ uuid }: NewOrganization): Promise<unknown[]> {
  const { rows } = await services.db.query<{ data: string }>(
    "SELECT data FROM events WHERE org_id = $1 AND kind = 'audit.restored' ORDER BY sequence",
    [uuidText(uuid)],
  );
  return rows.map(({ data }) => JSON.parse(data) as unknown);
}

test('the deployment is named by the public address of its first start, for ever', async () => {
  const deployment = await readDeployment(services.db);
  expect(deployment).toMatchObject({ name: 'svc.example.com:8443', epoch: 1 });
  await openTrail(trail(), 'https://other.example.com');
  expect(await readDeployment(services.db)).toEqual(deployment);
});

test('what was signed last is in the data folder, and a start that finds it in the database changes nothing', async () => {
  const { extender, memory } = await createExtender(services, { dataDir });
  await extender.catchUp();
  await memory.flush();
  const { size, root } = (await findCheckpoint(services.db, service.organization.uuid))!;
  const file = JSON.parse(await readFile(join(dataDir, 'trail-memory.json'), 'utf8')) as { logs: Record<string, unknown> };
  expect(file.logs[service.organization.id]).toEqual({ epoch: 1, size, root: root.toString('base64') });
  await insertEvents(services.db, service.organization.uuid, 300);
  // Another node goes on: what this one remembers is a beginning of it.
  await (await createExtender(services)).extender.catchUp();
  await checkRestored(trail());
  expect(await epochNow()).toBe(1);
});

test('a database that was put back is found out at the start by what this node signed: a new origin for all logs, told in every trail', async () => {
  const organizations = [service.organization, await service.createOrganization()];
  const { extender, memory } = await createExtender(services, { dataDir });
  await extender.catchUp();
  const restore = await takeBackup();
  for (const { uuid } of organizations) await insertEvents(services.db, uuid, 5);
  await extender.catchUp();
  await memory.flush();
  const published = await Promise.all(organizations.map(({ uuid }) => findCheckpoint(services.db, uuid)));
  await restore();
  const before = await readDeployment(services.db);
  await Promise.all([checkRestored(trail()), checkRestored(trail()), checkRestored(trail())]);
  const after = await readDeployment(services.db);
  expect(after).toEqual({ ...before, epoch: before.epoch + 1, branch: expect.stringMatching(/^[0-9a-f]{8}$/) });
  const next = await createExtender(services, { dataDir });
  for (const [i, organization] of organizations.entries()) {
    const { size } = (await findTree(services.db, organization.uuid))!;
    expect(size).toBe(published[i]!.size - 5);
    const origins = { previous_origin: originOf(before, organization.uuid), origin: originOf(after, organization.uuid) };
    expect(await restoredEventsOf(organization)).toEqual([{ ...origins, size, reason: 'behind_what_was_signed' }]);
    expect(origins.origin).toBe(`${origins.previous_origin}/2-${after.branch}`);
  }
  await next.extender.catchUp();
  expect(next.setBacks).toEqual([]);
  for (const { uuid } of organizations) {
    const { note, epoch, size, root } = (await findCheckpoint(services.db, uuid))!;
    expect(epoch).toBe(2);
    const origin = originOf(after, uuid);
    const verifiers = next.keys.verifiers(origin).map(({ vkey }) => parseVerifier(vkey)!);
    expect(parseCheckpoint(openNote(note, verifiers)!.text)).toEqual({ origin, size, root });
  }
  // Once is enough.
  await checkRestored(trail());
  expect(await epochNow()).toBe(2);
});

test('a log that went on another way from a backup is found out, though it is longer than what was signed', async () => {
  const { extender, memory } = await createExtender(services, { dataDir });
  await extender.catchUp();
  const restore = await takeBackup();
  await insertEvents(services.db, service.organization.uuid, 5);
  await extender.catchUp();
  await memory.flush();
  await restore();
  await insertEvents(services.db, service.organization.uuid, 600);
  await (await createExtender(services)).extender.catchUp();
  const epoch = await epochNow();
  await checkRestored(trail());
  expect(await epochNow()).toBe(epoch + 1);
});

test('an extender that finds the database behind what it signed signs nothing until a new origin has begun', async () => {
  const { uuid } = service.organization;
  const other = await service.createOrganization();
  const { extender, memory, setBacks } = await createExtender(services);
  await extender.catchUp();
  const restore = await takeBackup();
  await insertEvents(services.db, uuid, 5);
  await extender.catchUp();
  await restore();
  const before = await findCheckpoint(services.db, uuid);
  await insertEvents(services.db, uuid, 50);
  await insertEvents(services.db, other.uuid, 50);
  const epoch = await epochNow();
  const caughtUp = extender.catchUp();
  await expect.poll(() => setBacks.includes('behind_what_was_signed')).toBe(true);
  expect(await findCheckpoint(services.db, uuid)).toEqual(before);
  expect(await declareRestored(services, 'behind_what_was_signed', epoch, memory.find(uuid)!.epoch)).toBe(true);
  await caughtUp;
  expect(await findCheckpoint(services.db, uuid)).toMatchObject({
    epoch: epoch + 1,
    size: (await findTree(services.db, uuid))!.size,
  });
});

test('a backup from before an earlier restore gets an origin that was never used', async () => {
  const restore = await takeBackup();
  const before = await epochNow();
  await declareRestored(services, 'declared', before);
  const { extender, memory } = await createExtender(services, { dataDir });
  await extender.catchUp();
  await memory.flush();
  await restore();
  expect(await epochNow()).toBe(before);
  await checkRestored(trail());
  expect(await epochNow()).toBe(before + 2);
});

test('another server, or another history of it, is found out at the start and by whoever signs', async () => {
  for (const change of ["system_identifier = '1'", 'timeline = timeline + 1']) {
    const epoch = await epochNow();
    await services.db.query(`UPDATE trail_deployment SET ${change}`);
    const { extender, setBacks } = await createExtender(services);
    const before = await findCheckpoint(services.db, service.organization.uuid);
    await insertEvents(services.db, service.organization.uuid, 5);
    const caughtUp = extender.catchUp();
    await expect.poll(() => setBacks.includes('server_changed')).toBe(true);
    expect(await findCheckpoint(services.db, service.organization.uuid)).toEqual(before);
    await checkRestored(trail());
    await caughtUp;
    expect(await epochNow()).toBe(epoch + 1);
    expect((await restoredEventsOf(service.organization)).at(-1)).toMatchObject({ reason: 'server_changed' });
  }
});

test('of two copies of one backup each goes on under an origin of its own', async () => {
  const { uuid } = service.organization;
  await (await createExtender(services)).extender.catchUp();
  const restore = await takeBackup();
  const origins: string[] = [];
  for (let copy = 0; copy < 2; copy++) {
    await restore();
    await services.db.query("UPDATE trail_deployment SET system_identifier = '7'");
    // Each on a machine of its own.
    await checkRestored({ ...trail(), dataDir: await mkdtemp(join(tmpdir(), 'svc-data-')) });
    await insertEvents(services.db, uuid, 5);
    await (await createExtender(services)).extender.catchUp();
    origins.push(originOfNote((await findCheckpoint(services.db, uuid))!.note));
  }
  expect(origins[0]).not.toBe(origins[1]);
});

test('a node knows what others signed, also of logs that it never extended', async () => {
  const { uuid } = await service.createOrganization();
  await insertEvents(services.db, uuid, 5);
  await (await createExtender(services)).extender.catchUp();
  const { extender, memory } = await createExtender(services);
  extender.start();
  await expect.poll(() => memory.find(uuid)).toBeDefined();
  await extender.close();
  const { epoch, size, root } = (await findCheckpoint(services.db, uuid))!;
  expect(memory.find(uuid)).toEqual({ epoch, size, root });
});

test('a node that goes on signs nothing where another signs what is not its own history, though that is longer', async () => {
  const { uuid } = service.organization;
  const [own, other] = [await createExtender(services), await createExtender(services)];
  await own.extender.catchUp();
  const restore = await takeBackup();
  await insertEvents(services.db, uuid, 5);
  await own.extender.catchUp();
  await restore();
  await insertEvents(services.db, uuid, 20);
  await other.extender.catchUp();
  const forked = await findCheckpoint(services.db, uuid);
  await insertEvents(services.db, uuid, 1);
  const caughtUp = own.extender.catchUp();
  await expect.poll(() => own.setBacks.includes('behind_what_was_signed')).toBe(true);
  expect(await findCheckpoint(services.db, uuid)).toEqual(forked);
  await declareRestored(services, 'behind_what_was_signed', await epochNow());
  await caughtUp;
});

test.each([
  ['still there', false],
  ['thinned out', true],
])(
  'logs whose edges alone were put back go on under a new origin, whole, where the checkpoint of that moment is %s',
  async (_case, isThinned) => {
    const { db } = services;
    const organizations = [service.organization, await service.createOrganization()];
    for (const { uuid } of organizations) await insertEvents(db, uuid, 300);
    const { extender, setBacks } = await createExtender(services);
    const anchor = await createAnchor(services);
    await extender.catchUp();
    await anchor.anchor.pass();
    for (const { uuid } of organizations) await insertEvents(db, uuid, 10);
    await extender.catchUp();
    await anchor.anchor.pass();
    await db.query('DROP TABLE IF EXISTS old_trees; CREATE TABLE old_trees AS SELECT * FROM trees');
    for (const { uuid } of organizations) await insertEvents(db, uuid, 600);
    await extender.catchUp();
    await anchor.anchor.pass();
    await db.query('BEGIN; DELETE FROM trees; INSERT INTO trees SELECT * FROM old_trees; COMMIT');
    if (isThinned)
      await db.query('DELETE FROM checkpoints c USING trees t WHERE c.org_id = t.org_id AND c.size = t.size AND t.org_id <> $1', [
        uuidText(DEPLOYMENT_LOG),
      ]);
    for (const { uuid } of organizations) await insertEvents(db, uuid, 1);
    const caughtUp = extender.catchUp();
    await expect.poll(() => setBacks.includes('behind_what_was_signed')).toBe(true);
    await declareRestoredBackup(services);
    await caughtUp;
    const next = await createAnchor(services);
    await next.anchor.pass();
    expect(next.lines).toEqual([]);
    const { epoch } = await readDeployment(db);
    for (const orgId of [DEPLOYMENT_LOG, ...organizations.map(({ uuid }) => uuid)]) {
      const checkpoint = (await findCheckpoint(db, orgId))!;
      expect(checkpoint.epoch).toBe(epoch);
      expect(await rootAt(db, orgId, checkpoint.size)).toEqual(checkpoint.root);
    }
    for (const { uuid } of organizations) {
      const hashes = (await leavesOf(services, uuid)).map(({ hash }) => hash);
      expect((await findCheckpoint(db, uuid))!.root).toEqual(merkleTreeHash(hashes));
    }
  },
);

test('two processes with one data folder keep what either signed last', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-data-'));
  const open = async () => TrailMemory.open(folder, await readDeployment(services.db), services.log);
  const [one, other] = [await open(), await open()];
  const [x, y] = [Buffer.alloc(16, 5), Buffer.alloc(16, 6)];
  const root = Buffer.alloc(32);
  other.remember(x, { epoch: 1, size: 100, root });
  await other.flush();
  one.remember(x, { epoch: 1, size: 200, root });
  await one.flush();
  other.remember(y, { epoch: 1, size: 1, root });
  await other.flush();
  expect((await open()).logs).toEqual(
    new Map([
      [x.toString('hex'), { epoch: 1, size: 200, root }],
      [y.toString('hex'), { epoch: 1, size: 1, root }],
    ]),
  );
  expect(other.find(x)!.size).toBe(200);
});

test('a memory of another deployment, or one that is cut off, says nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-data-'));
  const epoch = await epochNow();
  const other = await startTestService({ SVC_DATA_DIR: folder });
  await insertEvents(other.services.db, other.organization.uuid, 10);
  await other.services.audit.catchUp();
  await other.services.audit.close();
  await cp(join(folder, 'trail-memory.json'), join(dataDir, 'trail-memory.json'));
  await checkRestored(trail());
  await other.close();
  await rm(folder, { recursive: true, force: true });
  expect(await epochNow()).toBe(epoch);
});

test('the operator can say that a backup was restored, where no node can know', async () => {
  const { epoch } = await readDeployment(services.db);
  const { epoch: declared } = await declareRestoredBackup(services);
  expect(declared).toBe(epoch + 1);
  expect((await restoredEventsOf(service.organization)).at(-1)).toMatchObject({ reason: 'declared' });
});

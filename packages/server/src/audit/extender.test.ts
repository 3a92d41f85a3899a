// Promises of the extender: every event that was committed is in its organization's log once and in its place, whoever writes it and however often
// he is ended; what was signed can be verified by who knows nothing of ours but the key.

import {
  formatCheckpoint,
  Frontier,
  HASH_BYTES,
  isConsistent,
  isIncluded,
  openNote,
  parseCheckpoint,
  parseVerifier,
  TILE_WIDTH,
} from '@svc/trail';
import fc from 'fast-check';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import type { Services } from '../services.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { AuditThread, type ThreadSettings } from './audit-thread.ts';
import { thinCheckpoints } from './extender-store.ts';
import { readLeaves } from './leaves.ts';
import { findCheckpoint, findTree, hashesOf, leafHashes, proveConsistency, proveInclusion } from './log-store.ts';
import { originOf, originOfNote, readDeployment } from './origin.ts';
import { createExtender, insertEvents, leavesOf, merkleTreeHash } from './test-kit.ts';

const MASTER_KEY = Buffer.alloc(32, 7);
const NOT_SIGNED = 'its last checkpoint is not there, or not what was signed';
const SOON = { timeout: 10_000, interval: 10 };

let service: TestService;
let services: Services;
beforeAll(async () => {
  service = await startTestService({ SVC_MASTER_KEY: MASTER_KEY.toString('base64') });
  ({ services } = service);
  // Those of the tests are the only ones.
  await services.audit.close();
});
afterAll(() => service.close());

/** Each checkpoint that was published, the oldest first. */
async function checkpointsOf(orgId: Buffer): Promise<{ epoch: number; size: number; root: Buffer; note: string }[]> {
  const { rows } = await services.db.query<{ epoch: number; size: string; root: Buffer; note: string }>(
    'SELECT epoch, size, root, note FROM checkpoints WHERE org_id = $1 ORDER BY epoch, size',
    [uuidText(orgId)],
  );
  return rows.map(({ epoch, size, root, note }) => ({ epoch, size: Number(size), root, note }));
}

/** Compares all that is stored of a log with what follows from its trail. */
async function expectWholeLog(orgId: Buffer): Promise<void> {
  const { db } = services;
  const hashes = (await leavesOf(services, orgId)).map(({ hash }) => hash);
  const { rows } = await db.query<{ last_sequence: string }>('SELECT last_sequence FROM event_counters WHERE org_id = $1', [
    uuidText(orgId),
  ]);
  expect(hashes.length).toBe(Number(rows[0]!.last_sequence));
  expect(await leafHashes(db, orgId, 0, hashes.length)).toEqual(hashes);
  const checkpoints = await checkpointsOf(orgId);
  expect(checkpoints.at(-1)!.size).toBe(hashes.length);
  for (const { size, root } of checkpoints) expect(root).toEqual(merkleTreeHash(hashes.slice(0, size)));
}

test('the logs of many organizations are those of their trails after every batch, and all their checkpoints and proofs hold', async () => {
  const { db } = services;
  const organizations = await Promise.all(Array.from({ length: 12 }, () => service.createOrganization()));
  const { extender } = await createExtender(services);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat({ max: 11 }), fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 200, max: 600 }))), {
        minLength: 1,
        maxLength: 6,
      }),
      async (batches) => {
        for (const [i, count] of batches) await insertEvents(db, organizations[i]!.uuid, count);
        await extender.catchUp();
        for (const i of new Set(batches.map(([organization]) => organization))) await expectWholeLog(organizations[i]!.uuid);
      },
    ),
    { numRuns: 10 },
  );
  for (const { uuid } of organizations) {
    const hashes = (await leavesOf(services, uuid)).map(({ hash }) => hash);
    const checkpoints = await checkpointsOf(uuid);
    const last = checkpoints.at(-1)!;
    for (const { size, root } of checkpoints)
      expect(isConsistent(size, root, last.size, last.root, await proveConsistency(db, uuid, size, last.size))).toBe(true);
    for (const index of new Set([0, Math.floor(last.size / 2), last.size - 1])) {
      const proof = await proveInclusion(db, uuid, index, last.size);
      expect(isIncluded(hashes[index]!, index, last.size, proof, last.root)).toBe(true);
    }
  }
});

test('a checkpoint is a note that the verifier key of its origin opens, and no other', async () => {
  const [one, other] = [await service.createOrganization(), await service.createOrganization()];
  const { extender, keys } = await createExtender(services);
  await extender.catchUp();
  const deployment = await readDeployment(services.db);
  const { note, size, root } = (await findCheckpoint(services.db, one.uuid))!;
  const origin = originOf(deployment, one.uuid);
  expect(origin).toBe(`localhost/org/${one.id}`);
  const [verifier] = keys.verifiers(origin).map(({ vkey }) => parseVerifier(vkey)!);
  expect(parseCheckpoint(openNote(note, [verifier!])!.text)).toEqual({ origin, size, root });
  const [wrong] = keys.verifiers(originOf(deployment, other.uuid)).map(({ vkey }) => parseVerifier(vkey)!);
  expect(openNote(note, [wrong!])).toBeNull();
});

test(
  'tiles are those of the specification beyond 256 and 65 536 leaves, and proofs come from all their levels',
  { timeout: 60_000 },
  async () => {
    const { db } = services;
    const { uuid } = await service.createOrganization();
    const { extender } = await createExtender(services);
    await insertEvents(db, uuid, 66_100);
    await extender.catchUp();
    const { size } = (await findTree(db, uuid))!;
    const hashes = await leafHashes(db, uuid, 0, size);
    // The other tests compare each leaf.
    const places = [0, 255, 256, 65_535, 65_536, size - 1];
    const leaves = await readLeaves(
      db,
      services.vault,
      places.map((index) => ({ orgId: uuid, after: index, until: index + 1 })),
    );
    expect(leaves.map(({ hash }) => hash)).toEqual(places.map((index) => hashes[index]));
    let level = hashes;
    for (let l = 0; l <= 2; l++) {
      expect(await hashesOf(db, uuid, l, 0, level.length)).toEqual(level);
      level = Array.from({ length: Math.floor(level.length / TILE_WIDTH) }, (_, i) =>
        merkleTreeHash(level.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH)),
      );
    }
    expect(level).toEqual([]);
    const { rows } = await db.query<{ level: number; tiles: number; bytes: number }>(
      'SELECT level, count(*)::int AS tiles, sum(octet_length(hashes))::int AS bytes FROM tiles WHERE org_id = $1 GROUP BY level ORDER BY level',
      [uuidText(uuid)],
    );
    const widths = [size, Math.floor(size / 256), Math.floor(size / 65_536)];
    expect(rows).toEqual(widths.map((width, l) => ({ level: l, tiles: Math.ceil(width / 256), bytes: width * HASH_BYTES })));
    const { root } = (await findCheckpoint(db, uuid))!;
    expect(root).toEqual(merkleTreeHash(hashes));
    for (const index of places)
      expect(isIncluded(hashes[index]!, index, size, await proveInclusion(db, uuid, index, size), root)).toBe(true);
    for (const from of [1, 256, 65_535, 65_536, 65_537])
      expect(
        isConsistent(from, merkleTreeHash(hashes.slice(0, from)), size, root, await proveConsistency(db, uuid, from, size)),
      ).toBe(true);
  },
);

test('two extenders on one database share the work, and no log is torn', { timeout: 60_000 }, async () => {
  const organizations = await Promise.all(Array.from({ length: 8 }, () => service.createOrganization()));
  const both = [await createExtender(services), await createExtender(services)];
  for (const { extender } of both) extender.start();
  const isUseful = ({ memory }: (typeof both)[number]) => organizations.some(({ uuid }) => memory.find(uuid) !== undefined);
  let rounds = 0;
  while (rounds++ < 100 && (rounds <= 10 || !both.every(isUseful))) {
    for (const { uuid } of organizations) await insertEvents(services.db, uuid, 40);
    for (const { extender } of both) extender.wake();
  }
  await Promise.all(both.map(({ extender }) => extender.catchUp()));
  await Promise.all(both.map(({ extender }) => extender.close()));
  expect(both.map(isUseful)).toEqual([true, true]);
  for (const { uuid } of organizations) await expectWholeLog(uuid);
});

test('a large backlog of one organization keeps none of the others waiting', async () => {
  const [large, small] = [await service.createOrganization(), await service.createOrganization()];
  const { extender } = await createExtender(services);
  await insertEvents(services.db, large.uuid, 20_000);
  await insertEvents(services.db, small.uuid, 3);
  const done = extender.catchUp();
  await expect.poll(async () => (await findTree(services.db, small.uuid))!.size, SOON).toBeGreaterThan(3);
  expect((await findTree(services.db, large.uuid))!.size).toBeLessThan(20_000);
  await done;
  await expectWholeLog(small.uuid);
  expect((await findTree(services.db, large.uuid))!.size).toBeGreaterThan(20_000);
});

/** What an extender with a log of its own said. */
function listeningLog() {
  const lines: Record<string, unknown>[] = [];
  return {
    lines,
    log: pino({ base: null }, { write: (line: string) => lines.push(JSON.parse(line) as Record<string, unknown>) }),
  };
}

/** `breakIt` makes a log one that cannot go on, `mend` undoes it. */
async function expectLeftAlone(
  breakIt: (organization: NewOrganization) => Promise<unknown>,
  mend: (organization: NewOrganization) => Promise<unknown>,
  fault: string,
): Promise<void> {
  const { db } = services;
  const [broken, sound] = [await service.createOrganization(), await service.createOrganization()];
  await (await createExtender(services)).extender.catchUp();
  for (const { uuid } of [broken, sound]) await insertEvents(db, uuid, 10);
  const before = (await findTree(db, broken.uuid))!;
  await breakIt(broken);
  const { lines, log } = listeningLog();
  await (await createExtender(services, { log })).extender.catchUp();
  expect((await findTree(db, broken.uuid))!.size).toBe(before.size);
  expect((await findCheckpoint(db, broken.uuid))!.size).toBe(before.size);
  await expectWholeLog(sound.uuid);
  expect(lines).toEqual([expect.objectContaining({ level: 50, org_id: broken.id, size: before.size, fault })]);
  await mend(broken);
  await (await createExtender(services)).extender.catchUp();
  await expectWholeLog(broken.uuid);
}

test('where an event is missing its log is left alone, with an error, and goes on when it is back; all others go on meanwhile', async () => {
  const { db } = services;
  const move = (from: number, to: number) => (organization: NewOrganization) =>
    db.query('UPDATE events SET sequence = $3 WHERE org_id = $1 AND sequence = $2', [uuidText(organization.uuid), from, to]);
  await expectLeftAlone(move(10, 1_010), move(1_010, 10), 'event 11 stands in the place of 10');
  await expectLeftAlone(move(15, 1_015), move(1_015, 15), 'event 15 is missing');
  await expectLeftAlone(
    move(12, 11),
    (organization) =>
      db.query(
        `UPDATE events SET sequence = 12 WHERE org_id = $1 AND sequence = 11
          AND id = (SELECT max(id::text)::uuid FROM events WHERE org_id = $1 AND sequence = 11)`,
        [uuidText(organization.uuid)],
      ),
    'event 11 stands in the place of 12',
  );
});

test('a log whose tiles are not as its tree says is left alone, and all others go on', async () => {
  const { db } = services;
  const hashes = new Map<string, Buffer>();
  await expectLeftAlone(
    async ({ id, uuid }) => {
      const { rows } = await db.query<{ hashes: Buffer }>('SELECT hashes FROM tiles WHERE org_id = $1', [uuidText(uuid)]);
      hashes.set(id, rows[0]!.hashes);
      await db.query('UPDATE tiles SET hashes = substr(hashes, 33) WHERE org_id = $1', [uuidText(uuid)]);
    },
    ({ id, uuid }) => db.query('UPDATE tiles SET hashes = $2 WHERE org_id = $1', [uuidText(uuid), hashes.get(id)]),
    'tiles or checkpoints are not as the tree says',
  );
});

test('no checkpoint is signed below one that was signed, even where the tree is set back', async () => {
  const { db } = services;
  const signedSize = async ({ uuid }: NewOrganization, size: number) =>
    db.query('UPDATE trees SET signed_size = signed_size + $2 WHERE org_id = $1', [uuidText(uuid), size]);
  await expectLeftAlone(
    (organization) => signedSize(organization, 100),
    (organization) => signedSize(organization, -100),
    NOT_SIGNED,
  );
});

/** Rewrites an organization's third event and all that follows from it, as far as it goes without a key; `added`: events that come with it. */
async function rewriteHistory({ uuid }: NewOrganization, added: number): Promise<void> {
  const { db } = services;
  await insertEvents(db, uuid, added);
  await db.query("UPDATE events SET model = 'forged' WHERE org_id = $1 AND sequence = 3", [uuidText(uuid)]);
  const { rows } = await db.query<{ last: string }>('SELECT last_sequence AS last FROM event_counters WHERE org_id = $1', [
    uuidText(uuid),
  ]);
  const size = Number(rows[0]!.last);
  const leaves = await readLeaves(db, services.vault, [{ orgId: uuid, after: 0, until: size }]);
  const frontier = Frontier.empty();
  for (const { hash } of leaves) frontier.append(hash);
  const hashes = Buffer.concat(leaves.map(({ hash }) => hash));
  await db.query('UPDATE tiles SET hashes = $2 WHERE org_id = $1', [uuidText(uuid), hashes]);
  await db.query('UPDATE trees SET size = $2, signed_size = $2, frontier = $3 WHERE org_id = $1', [
    uuidText(uuid),
    size,
    frontier.save(),
  ]);
  // A checkpoint as well, but for the signature.
  const { note, epoch } = (await findCheckpoint(db, uuid))!;
  const root = frontier.root();
  const text = formatCheckpoint({ origin: originOfNote(note), size, root });
  await db.query(
    `INSERT INTO checkpoints (org_id, epoch, size, root, note, published_at) VALUES ($1, $2, $3, $4, $5, now())
     ON CONFLICT (org_id, epoch, size) DO UPDATE SET root = EXCLUDED.root, note = EXCLUDED.note`,
    [uuidText(uuid), epoch, size, root, text + note.slice(note.indexOf('\n\n') + 1)],
  );
}

test('another history is not signed, whoever wrote it into the database, and whether or not the node remembers the log', async () => {
  const { db } = services;
  for (const added of [0, 3])
    for (const isRemembered of [false, true]) {
      const [forged, sound] = [await service.createOrganization(), await service.createOrganization()];
      const { lines, log } = listeningLog();
      const own = await createExtender(services, { log });
      const other = await createExtender(services);
      await insertEvents(db, forged.uuid, 10);
      await (isRemembered ? own : other).extender.catchUp();
      const before = (await findCheckpoint(db, forged.uuid))!;
      await rewriteHistory(forged, added);
      await insertEvents(db, forged.uuid, 5);
      await insertEvents(db, sound.uuid, 5);
      if (isRemembered && added === 0) {
        // The same size, and not what this node signed: as after a backup.
        const caughtUp = own.extender.catchUp();
        await expect.poll(() => own.setBacks.includes('behind_what_was_signed'), SOON).toBe(true);
        await own.extender.close();
        await caughtUp;
      } else {
        await own.extender.catchUp();
        expect(lines).toEqual([expect.objectContaining({ level: 50, org_id: forged.id, fault: NOT_SIGNED })]);
        await expectWholeLog(sound.uuid);
      }
      const { rows } = await db.query('SELECT 1 FROM checkpoints WHERE org_id = $1 AND size > $2', [
        uuidText(forged.uuid),
        before.size + added,
      ]);
      expect(rows).toEqual([]);
      // Out of the way of the other tests.
      await db.query('UPDATE event_counters SET last_sequence = 0 WHERE org_id = $1', [uuidText(forged.uuid)]);
    }
});

test('a log that another node signed is gone on from only where its tiles bear out what this one signed', async () => {
  const { db } = services;
  const { uuid, id } = await service.createOrganization();
  const { lines, log } = listeningLog();
  const [own, other] = [await createExtender(services, { log }), await createExtender(services)];
  const flip = () =>
    db.query(
      'UPDATE tiles SET hashes = set_byte(hashes, 5, 255 - get_byte(hashes, 5)) WHERE org_id = $1 AND level = 0 AND index = 0',
      [uuidText(uuid)],
    );
  await insertEvents(db, uuid, 10);
  await own.extender.catchUp();
  await insertEvents(db, uuid, 300);
  await other.extender.catchUp();
  await flip();
  await insertEvents(db, uuid, 1);
  await own.extender.catchUp();
  expect(lines).toEqual([expect.objectContaining({ level: 50, org_id: id, fault: 'tiles are not as the tree says' })]);
  expect(own.setBacks).toEqual([]);
  await flip();
  await other.extender.catchUp();
  await insertEvents(db, uuid, 1);
  const third = await createExtender(services);
  await third.extender.catchUp();
  await expectWholeLog(uuid);
});

test('whatever stands in the way of one log, all others go on at once', async () => {
  const { db } = services;
  const organizations = await Promise.all(Array.from({ length: 20 }, () => service.createOrganization()));
  await (await createExtender(services)).extender.catchUp();
  const { lines, log } = listeningLog();
  const { extender } = await createExtender(services, { log });
  const culprits = [organizations[3]!, organizations[11]!];
  // Stands for any fault of the database, or of ours, that comes with what an organization has stored.
  await db.query(`
    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'it cannot be written'; END $$;
    CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON tiles FOR EACH ROW
      WHEN (NEW.org_id IN (${culprits.map(({ uuid }) => `'${uuidText(uuid)}'`).join()})) EXECUTE FUNCTION fail()`);
  for (const { uuid } of organizations) await insertEvents(db, uuid, 5);
  extender.start();
  const sound = organizations.filter((organization) => !culprits.includes(organization));
  const isDone = async ({ uuid }: NewOrganization) => (await findTree(db, uuid))!.size === 10;
  await expect.poll(async () => (await Promise.all(sound.map(isDone))).every(Boolean), SOON).toBe(true);
  await expect.poll(() => lines.length, SOON).toBe(2);
  await extender.close();
  expect(new Set(lines.map(({ org_id: orgId }) => orgId))).toEqual(new Set(culprits.map(({ id }) => id)));
  for (const line of lines) expect(line).toMatchObject({ level: 50, fault: 'it cannot be written' });
  await db.query('DROP FUNCTION fail CASCADE');
  await (await createExtender(services)).extender.catchUp();
  for (const { uuid } of organizations) await expectWholeLog(uuid);
});

test('a thread that is ended at any moment loses nothing and doubles nothing', { timeout: 60_000 }, async () => {
  const { uuid } = await service.createOrganization();
  const settings: ThreadSettings = {
    connection: service.databaseUrl,
    master: MASTER_KEY,
    dataDir: await mkdtemp(join(tmpdir(), 'svc-trail-')),
    logLevel: 'silent',
    witnesses: [],
  };
  const sizes: number[] = [];
  for (let round = 0; round < 6; round++) {
    await insertEvents(services.db, uuid, 3_000);
    const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: settings });
    await new Promise((resolve) => worker.once('message', resolve));
    // Later each time: before its first transaction, in one, between two.
    await new Promise((resolve) => setTimeout(resolve, round * 25));
    await worker.terminate();
    sizes.push((await findTree(services.db, uuid))!.size);
  }
  // Some were ended in the middle, or this tests nothing.
  expect(sizes.some((size, round) => size < (round + 1) * 3_000)).toBe(true);
  const { extender } = await createExtender(services);
  await extender.catchUp();
  await expectWholeLog(uuid);
});

test('a thread that fails is started again, and whoever waits for the log is answered', { timeout: 30_000 }, async () => {
  const { uuid } = await service.createOrganization();
  const { lines, log } = listeningLog();
  await services.db.query('ALTER TABLE trees RENAME COLUMN size TO hidden; ALTER TABLE trail_keys RENAME TO hidden_keys');
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-trail-'));
  const connection = service.databaseUrl;
  const thread = new AuditThread({
    connection,
    master: MASTER_KEY,
    dataDir,
    logLevel: 'silent',
    witnesses: [],
    log,
    onSetBack: () => undefined,
  });
  thread.start();
  const caughtUp = thread.catchUp();
  await expect.poll(() => lines.some(({ restart_ms: ms }) => ms === 1_000), SOON).toBe(true);
  await services.db.query('ALTER TABLE trees RENAME COLUMN hidden TO size; ALTER TABLE hidden_keys RENAME TO trail_keys');
  await caughtUp;
  await expectWholeLog(uuid);
  await thread.close();
  // And what it signed last is on the disk.
  expect(JSON.parse(await readFile(join(dataDir, 'trail-memory.json'), 'utf8'))).toMatchObject({ logs: expect.anything() });
  await expect(thread.catchUp()).rejects.toThrow('closed');
});

test('of checkpoints older than an hour the last of each hour stays, those in the deployment’s log, and the newest', async () => {
  const { db } = services;
  const { uuid } = await service.createOrganization();
  const org = uuidText(uuid);
  // Three an hour for five hours, the newest at the end of the hour before the last whole one.
  await db.query(
    `INSERT INTO checkpoints (org_id, epoch, size, root, note, published_at)
     SELECT $1, 1, 100 + n, '\\x', '', date_trunc('hour', now()) - interval '6 hours' + n * interval '20 minutes' FROM generate_series(0, 14) n`,
    [org],
  );
  await db.query("INSERT INTO anchors (index, org_id, epoch, size, salt) VALUES (-1, $1, 1, 104, '\\x')", [org]);
  await thinCheckpoints(db, 168);
  expect((await checkpointsOf(uuid)).map(({ size }) => size)).toEqual([102, 104, 105, 108, 111, 114]);
});

// How soon is measured by bench/trail.ts.
test('an assessment is in a signed checkpoint by itself soon after its answer', async () => {
  const own = await startTestService();
  try {
    const { db, audit } = own.services;
    const { uuid } = own.organization;
    await audit.catchUp();
    for (let i = 0; i < 5; i++) {
      const { size } = (await findCheckpoint(db, uuid))!;
      const answer = await own.request('POST', '/v1/assessments', { body: { input: 'How do I bake bread?' } });
      expect(answer.status).toBe(200);
      await expect
        .poll(async () => (await findCheckpoint(db, uuid))!.size, { timeout: 20_000, interval: 10 })
        .toBeGreaterThan(size);
    }
  } finally {
    await own.close();
  }
});

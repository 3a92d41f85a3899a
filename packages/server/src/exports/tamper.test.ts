// The drill: who owns the database changes what the trail says, the service exports it as it is, and who holds a checkpoint from before finds it.

import { formatCheckpoint, Frontier, nodeHash, signNote, TILE_WIDTH } from '@svc/trail';
import { openZip, verifyBundle, verifyFile } from '@svc/verifier';
import fc from 'fast-check';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { TrailKeys } from '../audit/keys.ts';
import { readLeaves } from '../audit/leaves.ts';
import { originOf, readDeployment } from '../audit/origin.ts';
import { idFromUuidText, newUuid, parseId, uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import { startTestService, type TestService } from '../testing/service.ts';

// A log that is met half changed is left alone for 30 s.
const READY_MS_MAX = 45_000;
vi.setConfig({ testTimeout: 3 * READY_MS_MAX });

type Json = ReturnType<typeof JSON.parse>;
type Report = Awaited<ReturnType<typeof verifyBundle>>;

/** Two tiles of leaves and a part of a third. */
const EVENTS = 600;

let service: TestService;
let db: pg.Client;
let folder: string;
let org: NewOrganization;
let orgId: string;
let keys: string[];
let held: string;
let heldSize: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-tamper-'));
  service = await startTestService();
  db = new pg.Client(service.databaseUrl);
  await db.connect();
  org = await service.createOrganization();
  orgId = uuidText(parseId('org', org.id)!);
  const text = 'Write to ann@example.com';
  for (let i = 0; i < 3; i++)
    await ask('POST', '/v1/assessments', { input: text, subject: { user: 'ann' }, external_id: `x-${i}` });
  await Promise.all(Array.from({ length: EVENTS }, (_, i) => service.services.journal.append(eventAt(i))));
  await service.services.audit.catchUp();
  const answer = await ask('GET', '/v1/audit/keys');
  keys = answer.keys.map((key: Json) => key.verifier_key);
  held = (await service.request('GET', '/v1/audit/checkpoint', { key: org.keys.live })).text;
  heldSize = Number(held.split('\n')[1]);
  // What was there when the checkpoint was given out.
  for (const table of ['events', 'tiles'])
    await db.query(`CREATE TABLE original_${table} AS SELECT * FROM ${table} WHERE org_id = '${orgId}'`);
});
afterAll(async () => {
  await db.end();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
/** Puts back what was tampered with; what was recorded since stays. */
beforeEach(restore);

async function restore(): Promise<void> {
  const { rows } = await db.query('SELECT to_regclass($1) IS NOT NULL AS is_there', ['original_events']);
  if (!rows[0].is_there) return;
  await db.query('BEGIN');
  await db.query('DELETE FROM events WHERE org_id = $1 AND (sequence <= $2 OR id IN (SELECT id FROM original_events))', [
    orgId,
    heldSize,
  ]);
  await db.query('INSERT INTO events SELECT * FROM original_events');
  await db.query(
    `UPDATE tiles t SET hashes = o.hashes || substr(t.hashes, length(o.hashes) + 1)
       FROM original_tiles o WHERE t.org_id = o.org_id AND t.level = o.level AND t.index = o.index`,
  );
  await db.query('COMMIT');
}

async function ask(method: string, path: string, body?: object): Promise<Json> {
  const answer = await service.request(method, path, { key: org.keys.live, ...(body === undefined ? {} : { body }) });
  expect(answer.status, answer.text).toBeLessThan(300);
  return answer.body;
}

function eventAt(i: number) {
  return {
    orgId: parseId('org', org.id)!,
    id: newUuid(),
    kind: 'inference.flagged',
    occurredAtMs: Date.now(),
    actor: { type: 'api_key' as const, id: 'key_1', ip: '192.0.2.1' },
    model: 'gpt-x',
    subjectUser: 'ann',
    subjectSession: null,
    subjectAgent: null,
    externalId: `event ${i}`,
    categories: ['data.pii'],
    data: JSON.stringify({
      outcome: 'flagged',
      severity: 'high',
      score: 0.5,
      policy: { version: 3, digest: 'sha256:1' },
      external_id: `event ${i}`,
      subject: { user: 'ann', session: null, agent: null },
      number: i,
    }),
  };
}

/** Exports the trail as it is now, and checks it by the key and the checkpoint from before. */
async function drill(more: object = {}): Promise<Report> {
  const asked = await ask('POST', '/v1/exports', { format: 'jsonl', held_size: heldSize, ...more });
  let made: Json;
  await expect
    .poll(async () => (made = await ask('GET', `/v1/exports/${asked.id}`)).state, { timeout: READY_MS_MAX, interval: 20 })
    .toMatch(/ready|failed/);
  expect(made.error).toBeNull();
  const res = await fetch(made.download.url, { headers: { authorization: `Bearer ${org.keys.live}` } });
  const path = join(folder, 'bundle.zip');
  await writeFile(path, Buffer.from(await res.arrayBuffer()));
  return verifyFile(path, { keys, held: [held] });
}

const named = ({ faults }: Report) =>
  faults.map(({ fault, index, from, to }) => (index === undefined ? [fault, from, to] : [fault, index]));
const change = async (sql: string, values: readonly unknown[] = []) =>
  expect((await db.query(sql, [orgId, ...values])).rowCount, sql).toBeGreaterThan(0);

/** Each column of an event that says something, and what it is changed to. */
const CHANGES: Readonly<Record<string, string>> = {
  id: 'gen_random_uuid()',
  kind: "CASE kind WHEN 'inference.allowed' THEN 'inference.flagged' ELSE 'inference.allowed' END",
  occurred_at: "occurred_at + interval '1 microsecond'",
  recorded_at: "recorded_at - interval '1 microsecond'",
  actor_type: "actor_type || 'x'",
  actor_id: "coalesce(actor_id, '') || 'x'",
  actor_ip: "coalesce(actor_ip, '') || '0'",
  model: "coalesce(model, '') || 'x'",
  subject_user: "coalesce(subject_user, '') || 'x'",
  subject_session: "coalesce(subject_session, '') || 'x'",
  subject_agent: "coalesce(subject_agent, '') || 'x'",
  external_id: "coalesce(external_id, '') || 'x'",
  probe_id: "coalesce(probe_id, '') || 'x'",
  categories: "coalesce(categories, ' ') || 'x '",
  salt: 'set_byte(salt, 3, get_byte(salt, 3) # 1)',
};

describe('an honest trail', () => {
  test('holds, whole and in part', async () => {
    expect(await drill()).toMatchObject({
      exit_code: 0,
      faults: [],
      held: [{ size: heldSize, result: expect.stringMatching(/^consistent/) }],
    });
    expect(await drill({ kinds: ['export.created'], disclosures: false })).toMatchObject({ exit_code: 0 });
    const since = new Date(Date.now() - 1).toISOString();
    expect(await drill({ since })).toMatchObject({ exit_code: 0, held: [{ result: expect.stringContaining('consistent') }] });
  });
});

describe('a row of the trail', () => {
  test('changed in any column is named by its index', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: EVENTS }),
        fc.constantFrom(...Object.keys(CHANGES)),
        async (sequence, column) => {
          await restore();
          await change(`UPDATE events SET ${column} = ${CHANGES[column]} WHERE org_id = $1 AND sequence = $2`, [sequence]);
          const report = await drill();
          expect(report.exit_code, column).toBe(1);
          expect(named(report), column).toContainEqual(['changed', sequence - 1]);
          expect(new Set(named(report).map(([, index]) => index))).toEqual(new Set([sequence - 1]));
        },
      ),
      { numRuns: 8 },
    );
  });

  test('whose data have any byte changed is named by its index', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: EVENTS }), fc.nat(), async (sequence, at) => {
        await restore();
        const { rows } = await db.query('SELECT data FROM events WHERE org_id = $1 AND sequence = $2', [orgId, sequence]);
        const data = Buffer.from(rows[0].data as string);
        data[at % data.length]! ^= 1;
        await change('UPDATE events SET data = $3 WHERE org_id = $1 AND sequence = $2', [sequence, data.toString()]);
        expect(named(await drill())).toContainEqual(['changed', sequence - 1]);
      }),
      { numRuns: 5 },
    );
  });

  test('to which a text was added is named by its index', async () => {
    const { rows } = await db.query('SELECT id FROM events WHERE org_id = $1 AND sequence = 100', [orgId]);
    const sealed = Buffer.from('not what it was');
    await db.query('INSERT INTO assessment_texts (org_id, id, sealed, created_at) VALUES ($1, $2, $3, now())', [
      orgId,
      rows[0].id,
      sealed,
    ]);
    expect(named(await drill())).toContainEqual(['changed', 99]);
    await db.query('DELETE FROM assessment_texts WHERE org_id = $1', [orgId]);
  });

  test('that is deleted, or takes the place of another, or is doubled, is named by its index', async () => {
    await change('DELETE FROM events WHERE org_id = $1 AND sequence = 77');
    expect(named(await drill())).toContainEqual(['missing', 76]);
    await restore();
    await change('DELETE FROM events WHERE org_id = $1 AND sequence BETWEEN 250 AND 260');
    expect(named(await drill())).toEqual(Array.from({ length: 11 }, (_, i) => ['missing', 249 + i]));
    await restore();
    await change('UPDATE events SET sequence = 371 - sequence WHERE org_id = $1 AND sequence IN (71, 300)');
    expect(named(await drill())).toEqual(
      expect.arrayContaining([
        ['changed', 70],
        ['changed', 299],
      ]),
    );
    await restore();
    await db.query('CREATE TEMP TABLE twin AS SELECT * FROM events WHERE org_id = $1 AND sequence = 400', [orgId]);
    await db.query('UPDATE twin SET id = gen_random_uuid()');
    await db.query('INSERT INTO events SELECT * FROM twin');
    const inserted = named(await drill());
    expect(inserted[0]![0]).toBe('inserted');
    expect([399, 400]).toContain(inserted[0]![1]);
    expect(inserted).toHaveLength(1);
  });

  test('erased as the law may ask for breaks nothing', async () => {
    const before = (await drill()).disclosures;
    const { rows } = await db.query('SELECT id FROM events WHERE org_id = $1 AND sequence = 50', [orgId]);
    const { status } = await service.request('POST', '/v1/audit/redactions', {
      key: org.keys.admin,
      body: { event_id: idFromUuidText('evt', rows[0].id), fields: ['actor.ip', 'subject'], basis: 'asked for' },
    });
    expect(status).toBe(201);
    const report = await drill();
    expect(report).toMatchObject({ exit_code: 0, faults: [] });
    expect(report.disclosures.erased).toBe(before.erased + 2);
  });
});

describe('the tiles', () => {
  test.each([
    ['of the leaves', 0, 0, 100, ['altered-hash', 100]],
    ['above them', 1, 0, 1, ['altered-hash', 256, 512]],
  ] as const)('%s, altered, are named, and the events hold for themselves', async (_name, level, index, node, fault) => {
    await change(
      'UPDATE tiles SET hashes = set_byte(hashes, $4, get_byte(hashes, $4) # 1) WHERE org_id = $1 AND level = $2 AND index = $3',
      [level, index, node * 32 + 5],
    );
    const report = await drill();
    expect(report).toMatchObject({ exit_code: 1, events: { missing: 0 } });
    expect(named(report)).toContainEqual(fault);
    expect(report.faults.every(({ fault: name }) => name === 'altered-hash')).toBe(true);
  });

  test('altered along with a row leave the tile to be named', async () => {
    await change("UPDATE events SET model = 'forged' WHERE org_id = $1 AND sequence = 301");
    await change(
      'UPDATE tiles SET hashes = set_byte(hashes, 1504, get_byte(hashes, 1504) # 1) WHERE org_id = $1 AND level = 0 AND index = 1',
    );
    expect(named(await drill())).toContainEqual(['changed', 256, 512]);
  });

  test('altered to fit a changed row do not hide it', async () => {
    await change("UPDATE events SET model = 'forged' WHERE org_id = $1 AND sequence = 301");
    const { vault } = service.services;
    const [leaf] = await readLeaves(service.services.db, vault, [{ orgId: parseId('org', org.id)!, after: 300, until: 301 }]);
    await change(
      'UPDATE tiles SET hashes = overlay(hashes PLACING $2::bytea FROM 44 * 32 + 1) WHERE org_id = $1 AND level = 0 AND index = 1',
      [leaf!.hash],
    );
    const report = await drill();
    expect(report.exit_code).toBe(1);
    expect(named(report)).toContainEqual(['changed', 256, 512]);
  });

  test('that are gone leave the events to prove themselves', async () => {
    await change('DELETE FROM tiles WHERE org_id = $1 AND level = 0 AND index = 0');
    const report = await drill();
    expect(report.exit_code).toBe(1);
    expect(new Set(named(report).map(([fault]) => fault))).toEqual(new Set(['altered-hash']));
    await db.query('INSERT INTO tiles SELECT * FROM original_tiles WHERE level = 0 AND index = 0');
  });
});

describe('history', () => {
  test('that is signed anew with the keys of the service is a fork, and the two checkpoints prove it to anybody', async () => {
    await change("UPDATE events SET model = 'forged' WHERE org_id = $1 AND sequence = 200");
    await rederive();
    const report = await drill();
    expect(named(report)).toEqual([['forked', 0, heldSize]]);
    expect(report.misbehaviour[0]).toBe(held);
    // Without a checkpoint from before it cannot be told.
    expect(await verifyFile(join(folder, 'bundle.zip'), { keys })).toMatchObject({ exit_code: 0 });
    await restore();
    await rederive();
    expect(await drill()).toMatchObject({ exit_code: 0 });
  });

  test('whose checkpoint was altered, or changed for an older one, does not hold', async () => {
    const files = await exportedFiles();
    for (const [name, note] of [
      [
        'altered',
        files
          .get('checkpoint.txt')!
          .toString()
          .replace(/\n(\d)/, '\n1$1'),
      ],
      ['older', held],
    ] as const) {
      const changed = new Map(files).set('checkpoint.txt', Buffer.from(note));
      const source = {
        names: [...changed.keys()],
        size: (file: string) => changed.get(file)!.length,
        async *open(file: string, from = 0) {
          yield changed.get(file)!.subarray(from);
        },
      };
      expect((await verifyBundle(source, { keys, held: [held] })).exit_code, name).not.toBe(0);
    }
  });

  /** The last of all: it sets the logs of the whole deployment back. */
  test('cut off at its end and grown anew is not taken for what it was', async () => {
    await change('DELETE FROM events WHERE org_id = $1 AND sequence > 400');
    await change('UPDATE event_counters SET last_sequence = 400 WHERE org_id = $1');
    await rederive();
    const short = await drill({ held_size: undefined });
    expect(short.exit_code).toBe(1);
    expect(named(short).some(([fault]) => ['rolled-back', 'restarted'].includes(String(fault)))).toBe(true);
    await Promise.all(Array.from({ length: 300 }, (_, i) => service.services.journal.append(eventAt(10_000 + i))));
    const grown = await drill({ held_size: undefined });
    expect(grown.exit_code).toBe(1);
    expect(named(grown).some(([fault]) => ['forked', 'restarted'].includes(String(fault)))).toBe(true);
  });
});

/** What whoever owns the service can do: makes the log of the events as they are now, and signs it. */
async function rederive(): Promise<void> {
  const { vault, db: database } = service.services;
  const orgBytes = parseId('org', org.id)!;
  // The extender must not come in between: it would find a log that is shorter than the one it has just signed.
  await db.query('BEGIN');
  await db.query('SELECT 1 FROM trail_deployment FOR SHARE');
  await db.query('SELECT 1 FROM trees WHERE org_id = $1 FOR UPDATE', [orgId]);
  const leaves = await readLeaves(database, vault, [{ orgId: orgBytes, after: 0, until: 1_000_000 }]);
  const frontier = Frontier.empty();
  for (const { hash } of leaves) frontier.append(hash);
  const { size } = frontier;
  const deployment = await readDeployment(database);
  const trailKeys = new TrailKeys(database, vault);
  await trailKeys.load();
  const origin = originOf(deployment, orgBytes);
  const note = signNote(formatCheckpoint({ origin, size, root: frontier.root() }), trailKeys.signers(origin));
  const tiles = Array.from({ length: Math.ceil(size / TILE_WIDTH) }, (_, i) =>
    leaves.slice(i * TILE_WIDTH, (i + 1) * TILE_WIDTH).map(({ hash }) => hash),
  );
  const whole = tiles.filter(({ length }) => length === TILE_WIDTH).map(foldOf);
  for (const table of ['tiles', 'checkpoints']) await db.query(`DELETE FROM ${table} WHERE org_id = $1`, [orgId]);
  for (const [index, hashes] of tiles.entries())
    await db.query('INSERT INTO tiles VALUES ($1, 0, $2, $3)', [orgId, index, Buffer.concat(hashes)]);
  await db.query('INSERT INTO tiles VALUES ($1, 1, 0, $2)', [orgId, Buffer.concat(whole)]);
  await change('UPDATE trees SET size = $2, frontier = $3, signed_size = $2, signed_epoch = $4 WHERE org_id = $1', [
    size,
    frontier.save(),
    deployment.epoch,
  ]);
  await db.query('INSERT INTO checkpoints (org_id, epoch, size, root, note, published_at) VALUES ($1, $2, $3, $4, $5, now())', [
    orgId,
    deployment.epoch,
    size,
    frontier.root(),
    note,
  ]);
  await db.query('COMMIT');
}

/** The files of an export as it is now. */
async function exportedFiles(): Promise<Map<string, Buffer>> {
  await drill();
  const zip = await readFile(join(folder, 'bundle.zip'));
  const source = await openZip({
    size: zip.length,
    read: (offset, length) => Promise.resolve(zip.subarray(offset, offset + length)),
  });
  const files = new Map<string, Buffer>();
  for (const name of source.names) {
    const chunks: Uint8Array[] = [];
    for await (const chunk of source.open(name)) chunks.push(chunk);
    files.set(name, Buffer.concat(chunks));
  }
  return files;
}

function foldOf(hashes: readonly Buffer[]): Buffer {
  let level = hashes;
  while (level.length > 1) level = Array.from({ length: level.length / 2 }, (_, i) => nodeHash(level[2 * i]!, level[2 * i + 1]!));
  return level[0]!;
}

// Promises of the deployment's log: whose checkpoints are in it, that its tree is right, and that only what a witness signed counts as its word.

import {
  cosign,
  cosigningKey,
  formatCosigner,
  isConsistent,
  isIncluded,
  leafHash,
  openNote,
  parseCheckpoint,
  parseVerifier,
  readCosignatures,
  splitNote,
} from '@svc/trail';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, uuidText } from '../ids.ts';
import { startReceiver, type Receiver } from '../testing/receiver.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { findAnchored, thinAnchors } from './anchor-store.ts';
import { findCheckpoint, findTree, proveConsistency, proveInclusion } from './log-store.ts';
import { DEPLOYMENT_LOG } from './origin.ts';
import { createAnchor, insertEvents, merkleTreeHash } from './test-kit.ts';

let service: TestService;
let orgId: Buffer;
beforeAll(async () => {
  service = await startTestService();
  orgId = parseId('org', service.organization.id)!;
});
afterAll(() => service.close());

type Json = ReturnType<typeof JSON.parse>;

const db = () => service.services.db;
const sha256 = (...parts: (Buffer | string)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const bytes = (base64: string) => Buffer.from(base64, 'base64');

/** Grows the organization's log, and anchors it. */
async function grow(pass: () => Promise<void>, count = 1): Promise<void> {
  await insertEvents(db(), orgId, count);
  await service.services.audit.catchUp();
  const { size } = (await findTree(db(), orgId))!;
  // The service anchors too: whoever comes first does it.
  await expect.poll(() => pass().then(anchoredSize), { timeout: 10_000 }).toBe(size);
}

async function anchoredSize(): Promise<number> {
  const { rows } = await db().query<{ size: string }>('SELECT anchored_size AS size FROM trees WHERE org_id = $1', [
    uuidText(orgId),
  ]);
  return Number(rows[0]!.size);
}

/** What an auditor does with an answer, knowing the keys. */
function check(answer: Json, orgVerifier: string): void {
  const deployment = openNote(answer.checkpoint, answer.verifier_keys.map(parseVerifier))!;
  const { origin, size, root } = parseCheckpoint(deployment.text)!;
  expect({ origin, size }).toEqual({ origin: answer.origin, size: answer.size });
  const { index, salt, checkpoint, hashes } = answer.leaf;
  const own = openNote(checkpoint, [parseVerifier(orgVerifier)!])!;
  expect(parseCheckpoint(own.text)!.origin).toBe(orgVerifier.split('+')[0]);
  const leaf = leafHash(sha256(bytes(salt), checkpoint));
  expect(isIncluded(leaf, index, size, hashes.map(bytes), root)).toBe(true);
}

describe('the deployment’s log', () => {
  test('holds each organization’s newest checkpoint, proves it to that organization, and tells it nothing of others', async () => {
    const other = await service.createOrganization();
    const { anchor } = await createAnchor(service.services);
    await grow(() => anchor.pass());
    for (const { id, keys } of [service.organization, other]) {
      const { status, body } = await service.request('GET', '/v1/audit/deployment', { key: keys.live });
      expect(status).toBe(200);
      const [verifier] = (await service.request('GET', '/v1/audit/keys', { key: keys.live })).body.keys;
      check(body, verifier.verifier_key);
      const latest = await findCheckpoint(db(), parseId('org', id)!);
      expect(body.leaf.checkpoint).toBe(latest!.note);
      expect(body.origin).toMatch(/^localhost\/deployment\/[0-9a-f-]{36}$/);
      expect(JSON.stringify(body)).not.toContain(id === other.id ? service.organization.id : other.id);
    }
  });

  test('is not there for an organization that is not in it yet', async () => {
    const { keys } = await service.createOrganization();
    expect((await service.request('GET', '/v1/audit/deployment', { key: keys.live })).status).toBe(404);
  });

  test('has the tree of its leaves, only ever grows, and grows only by what is new, however many anchor at once', async () => {
    const anchors = await Promise.all(Array.from({ length: 3 }, () => createAnchor(service.services)));
    const sizes: number[] = [];
    for (let round = 0; round < 6; round++) {
      await grow(async () => void (await Promise.all(anchors.map(({ anchor }) => anchor.pass()))));
      await Promise.all(anchors.map(({ anchor }) => anchor.pass()));
      sizes.push((await findTree(db(), DEPLOYMENT_LOG))!.size);
    }
    const { rows } = await db().query<{ salt: Buffer; note: string; again: boolean }>(
      `SELECT a.salt, c.note, count(*) OVER (PARTITION BY a.org_id, a.epoch, a.size) > 1 AS again
         FROM anchors a JOIN checkpoints c USING (org_id, epoch, size) ORDER BY a.index`,
    );
    expect(rows.filter(({ again }) => again)).toEqual([]);
    const leaves = rows.map(({ salt, note }) => leafHash(sha256(salt, note)));
    const latest = (await findCheckpoint(db(), DEPLOYMENT_LOG))!;
    expect(latest.size).toBe(leaves.length);
    expect(latest.root).toEqual(merkleTreeHash(leaves));
    expect(new Set(rows.map(({ salt }) => salt.toString('hex'))).size).toBe(leaves.length);
    for (const [i, leaf] of leaves.entries())
      expect(isIncluded(leaf, i, leaves.length, await proveInclusion(db(), DEPLOYMENT_LOG, i, leaves.length), latest.root)).toBe(
        true,
      );
    for (const size of sizes) {
      const proof = await proveConsistency(db(), DEPLOYMENT_LOG, size, leaves.length);
      expect(isConsistent(size, merkleTreeHash(leaves.slice(0, size)), leaves.length, latest.root, proof)).toBe(true);
    }
  });

  test('goes back for nobody: a database without what was anchored is told, and nothing is signed', async () => {
    const own = await createAnchor(service.services);
    const before = await snapshot();
    await grow(() => own.anchor.pass());
    await restore(before);
    await insertEvents(db(), orgId, 1);
    await service.services.audit.catchUp();
    await own.anchor.pass();
    expect(own.setBacks).toEqual([['behind_what_was_signed', 1]]);
    expect((await findTree(db(), DEPLOYMENT_LOG))!.size).toBe(before.size);
    // What comes after is another deployment’s story: it goes on where the others remember.
    const fresh = await createAnchor(service.services);
    await grow(() => fresh.anchor.pass());
  });

  test('keeps one anchor an hour and organization of those older than an hour, with its checkpoint, and the newest', async () => {
    const { anchor } = await createAnchor(service.services);
    for (let i = 0; i < 4; i++) await grow(() => anchor.pass());
    const { rows: anchored } = await db().query<{ size: string }>(
      'SELECT size FROM anchors WHERE org_id = $1 ORDER BY size DESC LIMIT 4',
      [uuidText(orgId)],
    );
    const [newest, last, second, first] = anchored.map(({ size }) => Number(size));
    const move = (size: number, minute: number) =>
      Promise.all(
        [
          ['anchors', 'anchored_at'],
          ['checkpoints', 'published_at'],
        ].map(([table, column]) =>
          db().query(
            `UPDATE ${table} SET ${column} = date_trunc('hour', now()) - make_interval(hours => 5) + make_interval(mins => $3)
              WHERE org_id = $1 AND size = $2`,
            [uuidText(orgId), size, minute],
          ),
        ),
      );
    await move(first!, 10);
    await move(second!, 20);
    await move(last!, 30);
    await thinAnchors(db());
    const left = async (table: string) => {
      const { rows } = await db().query<{ size: string }>(
        `SELECT size FROM ${table} WHERE org_id = $1 AND size >= $2 ORDER BY size`,
        [uuidText(orgId), first],
      );
      return rows.map(({ size }) => Number(size));
    };
    expect(await left('anchors')).toEqual([last, newest]);
    expect(await left('checkpoints')).toEqual([last, newest]);
    // What is left is proved as before.
    const { size, root } = (await findCheckpoint(db(), DEPLOYMENT_LOG))!;
    const { index, salt, note, hashes } = (await findAnchored(db(), orgId))!;
    expect(isIncluded(leafHash(sha256(salt, note)), index, size, hashes, root)).toBe(true);
  });
});

interface Snapshot {
  readonly size: number;
  readonly rows: Readonly<Record<string, Record<string, unknown>[]>>;
}

const OWN_ROWS = { trees: 'org_id', tiles: 'org_id', checkpoints: 'org_id' } as const;

/** The deployment's log as it stands. */
async function snapshot(): Promise<Snapshot> {
  const rows: Record<string, Record<string, unknown>[]> = {};
  for (const [table, column] of Object.entries(OWN_ROWS))
    rows[table] = (await db().query(`SELECT * FROM ${table} WHERE ${column} = $1`, [uuidText(DEPLOYMENT_LOG)])).rows;
  return { size: (await findTree(db(), DEPLOYMENT_LOG))!.size, rows };
}

/** Sets the deployment's log back, as a backup does. */
async function restore({ size, rows }: Snapshot): Promise<void> {
  await db().transaction(async (tx) => {
    await tx.query('DELETE FROM anchors WHERE index >= $1', [size]);
    for (const [table, column] of Object.entries(OWN_ROWS)) {
      await tx.query(`DELETE FROM ${table} WHERE ${column} = $1`, [uuidText(DEPLOYMENT_LOG)]);
      for (const row of rows[table]!) {
        const names = Object.keys(row);
        await tx.query(
          `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map((_, i) => `$${i + 1}`).join(', ')})`,
          Object.values(row),
        );
      }
    }
    await tx.query('UPDATE trees SET anchored_size = -1 WHERE org_id <> $1', [uuidText(DEPLOYMENT_LOG)]);
  });
}

describe('a witness', () => {
  const NAME = 'witness.example.com/w1';
  const signer = cosigningKey(NAME, Buffer.alloc(32, 3));
  const verifierKey = formatCosigner(signer.cosigner);
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  const state = async () => (await db().query('SELECT * FROM witnesses WHERE verifier_key = $1', [verifierKey])).rows[0]!;
  const noteOf = (body: string) => body.slice(body.indexOf('\n\n') + 2);
  /** Of the note that it is asked to cosign. */
  const textOf = (body: string) => splitNote(noteOf(body))!.text;

  test('counts as having cosigned by a signature of its key over this checkpoint, and by nothing else', async () => {
    const { anchor, lines } = await createAnchor(service.services, [{ verifierKey, url: receiver.url }]);
    const stranger = cosigningKey(NAME, Buffer.alloc(32, 4));
    const forgeries: ((text: string) => string)[] = [
      () => '',
      () => 'ok\n',
      (text) => cosign(text, stranger, 1_000),
      (text) => cosign(text.replace(/\n\d+\n/, '\n1000000\n'), signer, 1_000),
      (text) => cosign(text, signer, 1_000).replace(NAME, 'witness.example.com/w2'),
      (text) => cosign(text, signer, 1_000).slice(0, -20) + '\n',
      (text) => `${cosign(text, signer, 1_000)}${'x'.repeat(100_000)}`,
    ];
    for (const forge of forgeries) {
      receiver.behave((res, { body }) => res.writeHead(200).end(forge(textOf(body))));
      await db().query('UPDATE witnesses SET next_at = now()');
      await grow(() => anchor.pass());
      expect(await state(), String(forge)).toMatchObject({ size: '0', cosigned_at: null, fault: expect.any(String) });
      expect((await findCheckpoint(db(), DEPLOYMENT_LOG))!.note).not.toContain(NAME);
    }
    receiver.behave((res, { body }) => res.writeHead(200).end(cosign(textOf(body), signer, 1_795_000_000)));
    await db().query('UPDATE witnesses SET next_at = now()');
    await anchor.pass();
    const { note, size } = (await findCheckpoint(db(), DEPLOYMENT_LOG))!;
    expect(readCosignatures(note, [signer.cosigner])).toMatchObject([{ timeS: 1_795_000_000 }]);
    expect(await state()).toMatchObject({ size: String(size), fault: null, failures: 0 });
    const { body } = await service.request('GET', '/v1/audit/deployment');
    const cosigned = { name: NAME, verifier_key: verifierKey, cosigned_at: '2026-11-18T11:06:40.000Z' };
    expect({ ...body, checkpoint: null }).toMatchObject({ size, witnesses: [cosigned] });
    check(body, (await service.request('GET', '/v1/audit/keys')).body.keys[0].verifier_key);
    // Three things were wrong, one after another; then it was well.
    expect(lines.map(({ fault, msg }) => fault ?? msg)).toEqual([
      'answers without a valid cosignature',
      'answers too much',
      'a witness cosigns the log of this deployment',
    ]);
    // It has what there is.
    const asked = receiver.received.length;
    await anchor.pass();
    expect(receiver.received.length).toBe(asked);
  });

  test('is asked with what the specification says, and goes on from where it says it stands', async () => {
    const { anchor } = await createAnchor(service.services, [{ verifierKey, url: `${receiver.url}/w1` }]);
    const seen = Number((await state())['size']);
    await grow(() => anchor.pass());
    const { size, note } = (await findCheckpoint(db(), DEPLOYMENT_LOG))!;
    const { path, body } = receiver.received.at(-1)!;
    const proof = await proveConsistency(db(), DEPLOYMENT_LOG, seen, size);
    expect(path).toBe('/w1/add-checkpoint');
    const written = proof.map((hash) => `${hash.toString('base64')}\n`).join('');
    expect(`${body}${note.slice(noteOf(body).length)}`).toBe(`old ${seen}\n${written}\n${note}`);
    // It has forgotten: there was an older tree in it.
    receiver.behave((res, { body: asked }) => {
      if (asked.startsWith('old 1\n')) res.writeHead(200).end(cosign(textOf(asked), signer, 1_795_000_060));
      else res.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end('1\n');
    });
    await grow(() => anchor.pass());
    expect(receiver.received.at(-1)!.body).toMatch(/^old 1\n/);
    expect(await state()).toMatchObject({ fault: null, size: String((await findCheckpoint(db(), DEPLOYMENT_LOG))!.size) });
  });

  test('that is away, hangs, or sends elsewhere holds up nothing, is left alone longer and longer, and catches up', async () => {
    const gone = await startReceiver();
    await gone.close();
    const { anchor, lines } = await createAnchor(service.services, [
      { verifierKey, url: receiver.url },
      {
        verifierKey: formatCosigner(cosigningKey('witness.example.com/gone', Buffer.alloc(32, 5)).cosigner),
        url: gone.url,
      },
    ]);
    const elsewhere = await startReceiver();
    receiver.behave((res) => res.writeHead(307, { location: `${elsewhere.url}/add-checkpoint` }).end());
    const cosigned = (await findCheckpoint(db(), DEPLOYMENT_LOG))!.size;
    await grow(() => anchor.pass());
    expect(elsewhere.received).toEqual([]);
    // While witnesses may still answer, readers are given the checkpoint before.
    const read = async () => (await service.request('GET', '/v1/audit/deployment')).body;
    expect(await read()).toMatchObject({ size: cosigned, witnesses: [{ name: NAME }] });
    await db().query(`UPDATE checkpoints SET published_at = published_at - interval '11 s'`);
    expect(await read()).toMatchObject({ size: cosigned + 1, witnesses: [] });
    await elsewhere.close();
    receiver.behave(() => {});
    await db().query('UPDATE witnesses SET next_at = now()');
    const startedAt = performance.now();
    await grow(() => anchor.pass());
    expect(performance.now() - startedAt).toBeLessThan(7_000);
    expect(lines.map(({ witness, fault }) => `${String(witness)} ${String(fault)}`).toSorted()).toEqual([
      'witness.example.com/gone cannot be reached (ECONNREFUSED)',
      `${NAME} answers 307`,
      `${NAME} cannot be reached in time`,
    ]);
    const { rows } = await db().query<{ wait: number }>(
      'SELECT extract(epoch FROM next_at - now())::float8 AS wait FROM witnesses WHERE verifier_key = $1',
      [verifierKey],
    );
    expect(rows[0]!.wait).toBeGreaterThan(100);
    const asked = receiver.received.length;
    await grow(() => anchor.pass());
    expect(receiver.received.length).toBe(asked);
    receiver.behave((res, { body }) => res.writeHead(200).end(cosign(textOf(body), signer, 1_795_000_120)));
    await db().query('UPDATE witnesses SET next_at = now()');
    await anchor.pass();
    expect(readCosignatures((await findCheckpoint(db(), DEPLOYMENT_LOG))!.note, [signer.cosigner])).toHaveLength(1);
  });

  test('that has seen more, or another log, and says so twice, is believed once a week, and not at all where another node has gone on', async () => {
    const { anchor, setBacks, lines } = await createAnchor(service.services, [{ verifierKey, url: receiver.url }]);
    const node = await createAnchor(service.services);
    // Another node anchors while this one asks.
    receiver.behave((res) => {
      const answer = () => findCheckpoint(db(), DEPLOYMENT_LOG).then((newest) => newest!.size);
      void grow(() => node.anchor.pass())
        .then(answer)
        .then((size) => res.writeHead(409, { 'content-type': 'text/x.tlog.size' }).end(`${size}\n`));
    });
    await insertEvents(db(), orgId, 1);
    await service.services.audit.catchUp();
    await anchor.pass();
    expect(setBacks).toEqual([]);
    expect(await state()).toMatchObject({ fault: null });
    for (const status of [409, 422]) {
      receiver.behave((res) =>
        res.writeHead(status, status === 409 ? { 'content-type': 'text/x.tlog.size' } : {}).end('1000000\n'),
      );
      await db().query('UPDATE witnesses SET next_at = now(), set_back_at = NULL');
      await anchor.pass();
      expect(setBacks.at(-1), String(status)).toEqual(['behind_witness', 1]);
      expect(await state()).toMatchObject({ fault: 'has seen another log' });
    }
    expect(setBacks).toHaveLength(2);
    expect(lines.filter(({ level }) => level === 50)).toHaveLength(2);
    for (const age of ['0', '6 days']) {
      await db().query('UPDATE witnesses SET next_at = now(), set_back_at = now() - $1::interval', [age]);
      await anchor.pass();
    }
    expect(setBacks).toHaveLength(2);
    // Once only.
    let questions = 0;
    receiver.behave((res) => res.writeHead(questions++ === 0 ? 422 : 500).end());
    await db().query("UPDATE witnesses SET next_at = now(), set_back_at = now() - interval '8 days'");
    await anchor.pass();
    expect({ questions, setBacks: setBacks.length }).toEqual({ questions: 2, setBacks: 2 });
    receiver.behave((res) => res.writeHead(422).end());
    await db().query('UPDATE witnesses SET next_at = now()');
    await anchor.pass();
    expect(setBacks).toHaveLength(3);
  });
});

test('thousands of organizations are anchored in one pass, each once', async () => {
  const { anchor } = await createAnchor(service.services);
  const { size: before } = (await findTree(db(), DEPLOYMENT_LOG))!;
  await db().query(
    `WITH org AS (SELECT gen_random_uuid() AS id FROM generate_series(1, 2500)), published AS (
       INSERT INTO checkpoints (org_id, epoch, size, root, note, published_at) SELECT id, 1, 7, '', id::text, now() FROM org
     )
     INSERT INTO trees (org_id, size, signed_epoch, signed_size) SELECT id, 7, 1, 7 FROM org`,
  );
  await anchor.pass();
  await anchor.pass();
  const { size, root } = (await findCheckpoint(db(), DEPLOYMENT_LOG))!;
  expect(size).toBe(before + 2_500);
  const { rows } = await db().query<{ salt: Buffer; org: string }>(
    'SELECT salt, org_id::text AS org FROM anchors WHERE index >= $1 ORDER BY index',
    [before],
  );
  expect(new Set(rows.map(({ org }) => org)).size).toBe(2_500);
  for (const i of [0, 999, 1_000, 2_499]) {
    const leaf = leafHash(sha256(rows[i]!.salt, rows[i]!.org));
    const proof = await proveInclusion(db(), DEPLOYMENT_LOG, before + i, size);
    expect(isIncluded(leaf, before + i, size, proof, root)).toBe(true);
  }
});

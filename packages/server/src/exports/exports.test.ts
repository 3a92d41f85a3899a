// Promises about exports: what is in a bundle, that every format can be read by others, and that nothing that happens meanwhile changes it.

import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { crc32, inflateRawSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import pg from 'pg';
import { isConsistent, isIncluded, leafHash, nodeHash, openNote, parseCheckpoint, parseVerifier, splitNote } from '@svc/trail';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Anchor } from '../audit/anchor.ts';
import { readDeployment } from '../audit/origin.ts';
import { TrailMemory } from '../audit/trail-memory.ts';
import { newUuid, parseId, uuidText } from '../ids.ts';
import { changeEvent, type NewEvent } from '../journal/journal.ts';
import type { NewOrganization } from '../organizations/service.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { readZip, zipFileOf } from './bundle.ts';
import { expireExportsWith, findExportById, listExportFiles, purgeExports } from './store.ts';
import { ExportWorker } from './worker.ts';
import { DEFLATE_END, layOutZip, type ZipFile } from './zip.ts';

type Json = ReturnType<typeof JSON.parse>;

const hasPython = (() => {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

let service: TestService;
let db: pg.Client;
let org: NewOrganization;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-exports-'));
  service = await startTestService();
  db = new pg.Client(service.databaseUrl);
  await db.connect();
});
afterAll(async () => {
  await db.end();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  org = await service.createOrganization();
});

const send = (method: string, path: string, options: Parameters<TestService['request']>[2] = {}) =>
  service.request(method, path, { key: org.keys.live, ...options });
const orgUuid = () => uuidText(parseId('org', org.id)!);

/** An assessment as the journal has it. */
function inference(changes: Partial<NewEvent> = {}, data: object = {}): NewEvent {
  return {
    orgId: parseId('org', org.id)!,
    id: newUuid(),
    kind: 'inference.flagged',
    occurredAtMs: Date.now(),
    actor: { type: 'api_key', id: 'key_1', ip: '192.0.2.1' },
    model: 'gpt-x',
    subjectUser: 'ann',
    subjectSession: null,
    subjectAgent: null,
    externalId: 'x-1',
    categories: ['data.pii'],
    data: JSON.stringify({
      outcome: 'flagged',
      severity: 'high',
      score: 0.5,
      policy: { version: 3, digest: 'sha256:1' },
      ...data,
    }),
    ...changes,
  };
}

async function record(events: readonly NewEvent[]): Promise<void> {
  await Promise.all(events.map((event) => service.services.journal.append(event)));
  await service.services.audit.catchUp();
}

/** What became of an export, once it is over. */
async function over(id: string, key = org.keys.live): Promise<Json> {
  let body: Json;
  await expect
    .poll(
      async () => {
        ({ body } = await send('GET', `/v1/exports/${id}`, { key }));
        return body.state;
      },
      { timeout: 20_000, interval: 20 },
    )
    .toMatch(/ready|failed|expired/);
  return body;
}

async function download(url: string, headers: Record<string, string> = {}) {
  const res = await fetch(url, { headers: { authorization: `Bearer ${org.keys.live}`, ...headers } });
  return { status: res.status, headers: res.headers, bytes: Buffer.from(await res.arrayBuffer()) };
}

interface Made {
  readonly made: Json;
  readonly zip: Buffer;
  readonly files: Readonly<Record<string, Buffer>>;
}

async function exported(body: object): Promise<Made> {
  const asked = await send('POST', '/v1/exports', { body });
  expect(asked.status).toBe(202);
  const made = await over(asked.body.id);
  expect(made.error).toBeNull();
  const { bytes: zip } = await download(made.download.url);
  return { made, zip, files: unzipped(zip) };
}

/** The files of a zip, by its directory; their checksums hold. */
function unzipped(zip: Buffer): Record<string, Buffer> {
  const end = zip.length - 22;
  expect(zip.readUInt32LE(end)).toBe(0x0605_4b50);
  const files: Record<string, Buffer> = {};
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const [method, crc, packedBytes, bytes] = [
      zip.readUInt16LE(at + 10),
      zip.readUInt32LE(at + 16),
      zip.readUInt32LE(at + 20),
      zip.readUInt32LE(at + 24),
    ];
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('latin1', at + 46, at + 46 + nameBytes);
    const local = zip.readUInt32LE(at + 42);
    const content = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const packed = zip.subarray(content, content + packedBytes);
    const file = method === 8 ? inflateRawSync(packed) : packed;
    expect([name, file.length, crc32(file)]).toEqual([name, bytes, crc]);
    files[name] = file;
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}

const linesOf = (file: Buffer | undefined) => file!.toString().split('\n').slice(0, -1);
const jsonLines = (file: Buffer | undefined): Json[] => linesOf(file).map((line) => JSON.parse(line));
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

/** The root that follows from the leaves and `range.txt`; written from the form's description, not from our code. */
function rootOf({ files }: Pick<Made, 'files'>): Buffer {
  const manifest = JSON.parse(files['manifest.json']!.toString());
  const lines = linesOf(files['range.txt']);
  const left = lines.slice(1, 1 + Number(lines[0]!.split(' ')[1])).map((hash) => Buffer.from(hash, 'base64'));
  const right = lines.slice(2 + left.length).map((hash) => Buffer.from(hash, 'base64'));
  const { from, to } = manifest.range;
  const leaves = linesOf(files['events.jsonl']).map((line) =>
    line.startsWith('"') ? Buffer.from(JSON.parse(line), 'base64') : leafHash(Buffer.from(line)),
  );
  expect(leaves).toHaveLength(to - from);
  /** The hash of the leaves [at, end). */
  const hashOf = (at: number, end: number): Buffer => {
    if (end <= from) return left.find((_, i) => leftRanges[i]!.at === at && leftRanges[i]!.end === end) ?? split(at, end);
    if (at >= to) return right.find((_, i) => rightRanges[i]!.at === at && rightRanges[i]!.end === end) ?? split(at, end);
    return end - at === 1 ? leaves[at - from]! : split(at, end);
  };
  const split = (at: number, end: number): Buffer => {
    expect(end - at).toBeGreaterThan(1);
    let half = 1;
    while (half * 2 < end - at) half *= 2;
    return nodeHash(hashOf(at, at + half), hashOf(at + half, end));
  };
  const leftRanges: { at: number; end: number }[] = [];
  for (let at = 0; at < from;) {
    let width = 1;
    while (width * 2 <= from - at) width *= 2;
    leftRanges.push({ at, end: at + width });
    at += width;
  }
  const rightRanges: { at: number; end: number }[] = [];
  for (let at = to; at < manifest.tree_size;) {
    let width = 1;
    while (at % (width * 2) === 0 && width < manifest.tree_size) width *= 2;
    const end = Math.min(at + width, manifest.tree_size);
    rightRanges.push({ at, end });
    at = end;
  }
  expect([left.length, right.length]).toEqual([leftRanges.length, rightRanges.length]);
  return hashOf(0, manifest.tree_size);
}

/** The checkpoint, which one of the keys has signed. */
function checkpointOf({ files }: Pick<Made, 'files'>) {
  const keys = linesOf(files['keys.txt']).map((key) => parseVerifier(key)!);
  const opened = openNote(files['checkpoint.txt']!.toString(), keys);
  expect(opened?.signers).toHaveLength(1);
  return parseCheckpoint(opened!.text)!;
}

const checkpointIn = (note: string) => parseCheckpoint(splitNote(note)!.text)!;

/** What Python makes of a zip, as JSON. */
async function python<T>(zip: Buffer, script: string): Promise<T> {
  const path = join(folder, `${newUuid().toString('hex')}.zip`);
  await writeFile(path, zip);
  const { stdout } = await promisify(execFile)('python3', ['-c', script, path], { maxBuffer: 1e8 });
  return JSON.parse(stdout);
}

describe('a bundle', () => {
  test('has the events as they are in the log, and what leads from them to a signed checkpoint', async () => {
    await record(Array.from({ length: 20 }, () => inference()));
    const bundle = await exported({ format: 'jsonl' });
    const { made, zip, files } = bundle;
    expect(made.download).toMatchObject({ bytes: zip.length, sha256: sha256(zip) });
    expect(made.progress).toEqual({ done: made.tree_size, total: made.tree_size, percent: 100 });
    const manifest = JSON.parse(files['manifest.json']!.toString());
    expect(manifest).toMatchObject({
      format: 'svc-evidence@v1',
      org_id: org.id,
      tree_size: made.tree_size,
      range: { from: 0, to: made.tree_size },
      kinds: null,
      events: made.tree_size,
      disclosed: made.tree_size,
      missing: 0,
    });
    const others = Object.entries(files).filter(([name]) => name !== 'manifest.json');
    expect(manifest.files).toEqual(
      Object.fromEntries(others.map(([name, file]) => [name, { bytes: file.length, sha256: sha256(file) }])),
    );
    const checkpoint = checkpointOf(bundle);
    expect(checkpoint).toMatchObject({ origin: manifest.origin, size: made.tree_size });
    expect(rootOf(bundle)).toEqual(checkpoint.root);
    const hashes = linesOf(files['events.jsonl']).map((line) => leafHash(Buffer.from(line)));
    expect(files['hashes-0.bin']).toEqual(Buffer.concat(hashes));
    for (const [i, { id, disclosures }] of jsonLines(files['disclosures.jsonl']).entries()) {
      const envelope = JSON.parse(linesOf(files['events.jsonl'])[i]!);
      expect(envelope).toMatchObject({ id, sequence: i + 1 });
      const digests = disclosures.map((text: string) => createHash('sha256').update(text).digest('base64'));
      expect(digests.toSorted()).toEqual(envelope.private);
    }
  });

  test('covers what was committed before it was asked for, and its own request is in the trail', async () => {
    const { body } = await send('POST', '/v1/assessments', { body: { input: 'Hello' } });
    const { made, files } = await exported({ format: 'csv', held_size: 1 });
    expect(linesOf(files['events.jsonl']).some((line) => JSON.parse(line).id === body.event_id)).toBe(true);
    const events = await send('GET', '/v1/events?kind=export.created');
    expect(events.body.data[0].data).toEqual({
      export_id: made.id,
      format: 'csv',
      since: null,
      until: null,
      kinds: null,
      held_size: 1,
      disclosures: true,
    });
  });

  test('proves that the log only grew since the checkpoint that is held', async () => {
    const held = checkpointOf(await exported({ format: 'jsonl' }));
    await record(Array.from({ length: 7 }, () => inference()));
    const bundle = await exported({ format: 'jsonl', held_size: held.size });
    const checkpoint = checkpointOf(bundle);
    const proof = JSON.parse(bundle.files['consistency.json']!.toString());
    expect(proof).toMatchObject({ from: held.size, to: checkpoint.size });
    const hashes = proof.hashes.map((hash: string) => Buffer.from(hash, 'base64'));
    expect(isConsistent(held.size, held.root, checkpoint.size, checkpoint.root, hashes)).toBe(true);
  });

  test('proves that a checkpoint of the organization is in the log of the deployment', async () => {
    const { db: database, trailKeys: keys, log } = service.services;
    const memory = await TrailMemory.open(folder, await readDeployment(database), log);
    const anchor = new Anchor({ db: database, keys, memory, witnesses: [], log, onSetBack: () => undefined });
    await service.services.audit.catchUp();
    await anchor.pass();
    await anchor.close();
    await record([inference()]);
    const bundle = await exported({ format: 'jsonl' });
    const anchored = JSON.parse(bundle.files['anchor.json']!.toString());
    const hashes = (texts: string[]) => texts.map((text) => Buffer.from(text, 'base64'));
    const [older, newer] = [checkpointIn(anchored.checkpoint), checkpointOf(bundle)];
    expect(older.origin).toBe(newer.origin);
    expect(isConsistent(older.size, older.root, newer.size, newer.root, hashes(anchored.consistency))).toBe(true);
    const deployment = checkpointIn(anchored.deployment);
    expect(deployment.size).toBe(anchored.size);
    const leaf = createHash('sha256').update(Buffer.from(anchored.salt, 'base64')).update(anchored.checkpoint).digest();
    expect(isIncluded(leafHash(leaf), anchored.index, deployment.size, hashes(anchored.hashes), deployment.root)).toBe(true);
  });

  test('of a stretch of time has the events from since, exclusive of until, and still leads to the checkpoint', async () => {
    const timeOf = async () =>
      (await db.query('SELECT max(recorded_at) AS at FROM events WHERE org_id = $1', [orgUuid()])).rows[0].at;
    const later = (at: Date) => new Date(at.getTime() + 1).toISOString();
    const pause = async (at: Date) => expect.poll(() => Date.now()).toBeGreaterThan(at.getTime() + 1);
    await record(Array.from({ length: 5 }, () => inference({ model: 'before' })));
    const since = await timeOf();
    await pause(since);
    await record(Array.from({ length: 9 }, () => inference({ model: 'within' })));
    const until = await timeOf();
    await pause(until);
    await record(Array.from({ length: 4 }, () => inference({ model: 'after' })));
    const bundle = await exported({ format: 'jsonl', since: later(since), until: later(until) });
    expect(jsonLines(bundle.files['events.jsonl']).map(({ model }) => model)).toEqual(Array(9).fill('within'));
    expect(rootOf(bundle)).toEqual(checkpointOf(bundle).root);
    const none = await exported({ format: 'parquet', since: '2100-01-01T00:00:00Z' });
    expect(none.files['events.jsonl']).toEqual(Buffer.alloc(0));
    expect(rootOf(none)).toEqual(checkpointOf(none).root);
    expect(parquetMetadata(arrayBuffer(none.files['events.parquet'])).num_rows).toBe(0n);
  });

  test('of some kinds has the public facts of the others, and leads to the checkpoint all the same', async () => {
    await record([inference(), inference({ kind: 'inference.allowed' }), inference()]);
    const bundle = await exported({ format: 'ocsf', kinds: ['inference.flagged'] });
    const lines = jsonLines(bundle.files['events.jsonl']);
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, i) => i + 1));
    expect(rootOf(bundle)).toEqual(checkpointOf(bundle).root);
    expect(jsonLines(bundle.files['disclosures.jsonl']).filter((line) => line !== null)).toHaveLength(2);
    expect(jsonLines(bundle.files['events.ocsf.jsonl'])).toHaveLength(2);
    const manifest = JSON.parse(bundle.files['manifest.json']!.toString());
    expect(manifest).toMatchObject({ kinds: ['inference.flagged'], events: lines.length, disclosed: 2, missing: 0 });
  });

  test.each(['csv', 'ocsf', 'cloudevents'])(
    'without disclosures tells nothing in %s that its leaves do not tell',
    async (format) => {
      await record([
        inference({ subjectUser: 'hush-user', externalId: 'hush-id' }, { metadata: { a: 'hush-metadata' }, note: 'hush-data' }),
      ]);
      const { files } = await exported({ format, disclosures: false });
      expect(files['disclosures.jsonl']).toBeUndefined();
      for (const file of Object.values(files)) expect(file.toString()).not.toMatch(/hush|192\.0\.2\.1/);
    },
  );

  test('has no text that was assessed, also where the policy keeps them', async () => {
    await send('PUT', '/v1/policy', { key: org.keys.admin, body: { data: { store: 'full' } } });
    const { body } = await send('POST', '/v1/assessments', { body: { input: 'Ask hush-text about it', external_id: 'told' } });
    await service.services.audit.catchUp();
    for (const format of ['jsonl', 'cloudevents']) {
      const { files } = await exported({ format });
      for (const file of Object.values(files)) expect(file.toString()).not.toContain('hush-text');
      const at = linesOf(files['events.jsonl']).findIndex((line) => line.includes(body.event_id));
      const envelope = jsonLines(files['events.jsonl'])[at];
      const { disclosures } = jsonLines(files['disclosures.jsonl'])[at];
      expect(disclosures.map((text: string) => JSON.parse(text)[1])).toContain('external_id');
      // It is committed to all the same.
      expect(envelope.private).toHaveLength(disclosures.length + 1);
    }
  });

  test.each(['jsonl', 'csv', 'parquet', 'ocsf', 'cloudevents'])('is made of rows as nobody writes them (%s)', async (format) => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const odd: Record<string, string>[] = [
      { occurred_at: 'infinity', recorded_at: 'infinity' },
      { occurred_at: '-infinity' },
      { occurred_at: '4713-01-01 BC', recorded_at: '294275-12-31' },
      ...['', 'no JSON', 'null', '[]', '"x"', '1e999', deep, `{"a":${deep}}`].map((data) => ({ kind: 'session.started', data })),
      ...['', 'null', '{"outcome":{},"score":"high","severity":[1],"policy":7,"coverage":[],"model":{"provider":[]}}'].map(
        (data) => ({ data }),
      ),
      { categories: 'a  b', model: '', actor_type: 'ghost', kind: 'no.such' },
      { redaction: 'no JSON' },
      { redaction: String.raw`{"erased":{"\ud800":"x","data":"y"},"salts":[]}` },
    ];
    await record(odd.map((_, i) => inference({ externalId: `odd-${i}` })));
    for (const [i, columns] of odd.entries()) {
      const set = Object.keys(columns).map((name, at) => `${name} = $${at + 3}`);
      const values = [orgUuid(), `odd-${i}`, ...Object.values(columns)];
      const { rowCount } = await db.query(`UPDATE events SET ${set.join(', ')} WHERE org_id = $1 AND external_id = $2`, values);
      expect(rowCount).toBe(1);
    }
    const { made, files } = await exported({ format });
    expect(made.events).toBe(made.tree_size);
    if (format !== 'parquet') return;
    const rows = (await parquetReadObjects({ file: arrayBuffer(files['events.parquet']) })) as Json[];
    expect(rows).toHaveLength(made.events);
    expect(rows.filter(({ data }) => data?.includes(deep))).toHaveLength(2);
  });

  test('of a trail in which events are missing, doubled or changed is made all the same, and shows it', async () => {
    await record(Array.from({ length: 6 }, (_, i) => inference({ externalId: `x-${i}` })));
    const sequenceOf = async (externalId: string) =>
      Number(
        (await db.query('SELECT sequence FROM events WHERE org_id = $1 AND external_id = $2', [orgUuid(), externalId])).rows[0]
          .sequence,
      );
    const [gone, doubled, changed] = [await sequenceOf('x-1'), await sequenceOf('x-2'), await sequenceOf('x-3')];
    await db.query('DELETE FROM events WHERE org_id = $1 AND sequence = $2', [orgUuid(), gone]);
    await db.query('CREATE TEMP TABLE twin AS SELECT * FROM events WHERE org_id = $1 AND sequence = $2', [orgUuid(), doubled]);
    await db.query('UPDATE twin SET id = gen_random_uuid()');
    await db.query('INSERT INTO events SELECT * FROM twin');
    await db.query('DROP TABLE twin');
    await db.query("UPDATE events SET model = 'forged' WHERE org_id = $1 AND sequence = $2", [orgUuid(), changed]);
    const { files } = await exported({ format: 'csv' });
    const lines = jsonLines(files['events.jsonl']);
    expect(lines[gone - 1]).toBeNull();
    expect([lines[doubled - 1].sequence, lines[doubled].sequence]).toEqual([doubled, doubled]);
    expect(lines[changed].model).toBe('forged');
    const hashes = Array.from({ length: files['hashes-0.bin']!.length / 32 }, (_, i) =>
      files['hashes-0.bin']!.subarray(i * 32, i * 32 + 32),
    );
    const recomputed = linesOf(files['events.jsonl']).map((line) => leafHash(Buffer.from(line)));
    expect(recomputed[changed]).not.toEqual(hashes[changed - 1]);
    expect(recomputed[changed + 1]).toEqual(hashes[changed]);
    expect(JSON.parse(files['manifest.json']!.toString())).toMatchObject({ missing: 1, events: lines.length - 1 });
  });
});

function arrayBuffer(file: Buffer | undefined): ArrayBuffer {
  return new Uint8Array(file!).buffer;
}

describe('the views', () => {
  const HUGE = 'x'.repeat(300_000);
  /** Texts that break what does not expect them. */
  const ODD = [
    '=1+1',
    '+1',
    '-1',
    '@a',
    '\tb',
    'a "quoted", b',
    'line\r\nbreak',
    "it's",
    'ünï – 漢字 🦉',
    ' lead',
    'semi;=1+1',
    'a\t=1+1',
    '',
    HUGE,
  ];
  /** As a client may have written it: an escaped NUL, a half character. */
  const RAW = String.raw`{"outcome":"blocked","severity":"critical","score":-0.25,"nul":"\u0000","half":"\ud800","tag":"\u0007"}`;
  let making: Promise<Record<string, Made>> | null = null;
  const views = () => (making ??= make());

  async function make(): Promise<Record<string, Made>> {
    await record([
      ...ODD.map((text, i) => inference({ subjectUser: text, model: text, externalId: `odd-${i}` }, { note: text, score: -0.5 })),
      inference({
        kind: 'inference.blocked',
        data: RAW,
        actor: { type: 'user', id: '=user', ip: null },
        subjectAgent: 'agent-7',
      }),
    ]);
    const formats = ['csv', 'parquet', 'ocsf', 'cloudevents'];
    return Object.fromEntries(await Promise.all(formats.map(async (format) => [format, await exported({ format })])));
  }

  /** Of each event by its id: envelope, and what is disclosed. */
  const evidence = ({ files }: Made) =>
    new Map(
      linesOf(files['events.jsonl']).map((line, i) => {
        const { disclosures } = jsonLines(files['disclosures.jsonl'])[i];
        const values = disclosures.map((text: string) => JSON.parse(text)).map(([, name, value]: Json[]) => [name, value]);
        const envelope = JSON.parse(line);
        const leaf = leafHash(Buffer.from(line)).toString('base64');
        return [envelope.id as string, { index: i, leaf, envelope, disclosed: Object.fromEntries(values) as Json }];
      }),
    );

  test.runIf(hasPython)('are in a zip that Python reads, and unzip where there is one', async () => {
    for (const { zip, files } of Object.values(await views())) {
      const script = `import zipfile,sys,json,hashlib
z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps({n: hashlib.sha256(z.read(n)).hexdigest() for n in z.namelist()}))`;
      expect(await python(zip, script)).toEqual(
        Object.fromEntries(Object.entries(files).map(([name, file]) => [name, sha256(file)])),
      );
    }
  });

  test.runIf(hasPython)('as CSV are read by Python cell by cell, and no cell begins like a formula', async () => {
    const view = (await views())['csv']!;
    const script = `import zipfile,sys,json,csv,io
csv.field_size_limit(10**9)
z=zipfile.ZipFile(sys.argv[1])
print(json.dumps(list(csv.DictReader(io.TextIOWrapper(z.open('events.csv'),encoding='utf-8',newline='')))))`;
    const rows = await python<Record<string, string>[]>(view.zip, script);
    const known = evidence(view);
    expect(rows).toHaveLength(known.size);
    for (const row of rows) {
      const { index, leaf, envelope, disclosed } = known.get(row['id']!)!;
      const { subject = {} } = disclosed;
      const cell = (text: string | null = '') => (/^[=+\-@\t\r\n]/.test(text ?? '') ? `'${text}` : (text ?? ''));
      expect(row).toMatchObject({
        index: String(index),
        sequence: String(envelope.sequence),
        leaf_hash: Buffer.from(leaf, 'base64').toString('hex'),
        kind: envelope.kind,
        model: cell(envelope.model),
        subject_user: cell(subject.user),
        actor_id: cell(envelope.actor.id ?? disclosed['actor.id']),
        score: String(envelope.score ?? ''),
      });
      expect(row['data'] === '' ? undefined : JSON.parse(row['data']!)).toEqual(disclosed.data);
      for (const [name, text] of Object.entries(row)) if (name !== 'score') expect(text).not.toMatch(/^[=+\-@\t\r\n]/);
    }
    const csv = view.files['events.csv']!.toString();
    // A reader that parts at these finds them in quotes.
    for (const text of ['semi;=1+1', 'a\t=1+1', ' lead']) expect(csv).toContain(`,"${text}",`);
    expect(csv.startsWith('index,sequence,id,kind,')).toBe(true);
    expect(csv.endsWith('\r\n')).toBe(true);
  });

  test('as Parquet are typed columns, with the checkpoint in the metadata', async () => {
    const view = (await views())['parquet']!;
    const { files, made } = view;
    const file = arrayBuffer(files['events.parquet']);
    const { key_value_metadata: facts = [], num_rows: count } = parquetMetadata(file);
    const checkpoint = checkpointOf(view);
    expect(Object.fromEntries(facts.map(({ key, value }) => [key, value]))).toEqual({
      'svc.origin': checkpoint.origin,
      'svc.tree_size': String(made.tree_size),
      'svc.root': checkpoint.root.toString('base64'),
      'svc.checkpoint': files['checkpoint.txt']!.toString(),
      'svc.range': `0 ${made.tree_size}`,
    });
    const rows = (await parquetReadObjects({ file })) as Json[];
    const known = evidence(view);
    expect([rows.length, count]).toEqual([known.size, BigInt(known.size)]);
    for (const row of rows) {
      const { index, leaf, envelope, disclosed } = known.get(row.id)!;
      expect(row).toMatchObject({
        index: BigInt(index),
        sequence: BigInt(envelope.sequence),
        leaf_hash: leaf,
        occurred_at: new Date(envelope.occurred_at),
      });
      expect([row.model ?? undefined, row.score ?? undefined]).toEqual([envelope.model, envelope.score]);
      expect(row.data === null || row.data === undefined ? undefined : JSON.parse(row.data)).toEqual(disclosed.data);
    }
  });

  test('as OCSF have what API Activity of 1.8 requires, each in its type', async () => {
    const view = (await views())['ocsf']!;
    const known = evidence(view);
    const events = jsonLines(view.files['events.ocsf.jsonl']);
    expect(events).toHaveLength(known.size);
    for (const event of events) {
      const { index, leaf, envelope } = known.get(event.metadata.uid)!;
      expect(event).toMatchObject({
        category_uid: 6,
        class_uid: 6003,
        activity_id: expect.toSatisfy((id) => [1, 2, 3, 4, 99].includes(id)),
        activity_name: expect.any(String),
        type_uid: 600_300 + event.activity_id,
        time: Date.parse(envelope.occurred_at),
        severity_id: expect.toSatisfy((id) => [1, 2, 3, 4, 5].includes(id)),
        status_id: expect.toSatisfy((id) => [1, 2, 99].includes(id)),
        metadata: {
          version: '1.8.0',
          product: { name: 'svc', vendor_name: 'svc', version: expect.any(String) },
          sequence: envelope.sequence,
        },
        api: { operation: envelope.kind },
        unmapped: { index, leaf_hash: leaf, checkpoint_size: view.made.tree_size },
      });
      // "At least one" constraints of the objects.
      const { user, app_name: appName } = event.actor;
      expect(typeof (appName ?? user.uid ?? user.name)).toBe('string');
      expect(typeof (event.src_endpoint.ip ?? event.src_endpoint.name)).toBe('string');
      if (!envelope.kind.startsWith('inference.')) continue;
      expect(event.metadata.profiles).toEqual(['ai_operation']);
      const model = event.ai_model ?? event.ai_agent.ai_model;
      if (envelope.model !== undefined)
        expect(model).toEqual({ name: envelope.model, model_name: envelope.model, ai_provider: 'unknown' });
      expect(event.message_context).toMatchObject({ service: { name: 'svc' }, ai_role_id: expect.any(Number) });
    }
    const blocked = events.find(({ message }) => message === 'inference.blocked');
    expect(blocked).toMatchObject({
      severity_id: 5,
      status_id: 2,
      ai_agent: { uid: 'agent-7' },
      actor: { user: { uid: '=user' } },
    });
  });

  test('as CloudEvents have the attributes of 1.0, with index and leaf as extensions', async () => {
    const view = (await views())['cloudevents']!;
    const known = evidence(view);
    const events = jsonLines(view.files['events.cloudevents.jsonl']);
    const { origin } = checkpointOf(view);
    expect(events).toHaveLength(known.size);
    for (const event of events) {
      const { index, leaf, envelope, disclosed } = known.get(event.id)!;
      expect(event).toMatchObject({
        specversion: '1.0',
        source: origin,
        type: envelope.kind,
        time: envelope.occurred_at,
        datacontenttype: 'application/json',
        auditindex: String(index),
        auditleaf: leaf,
      });
      for (const name of Object.keys(event)) expect(name).toMatch(/^[a-z0-9]{1,20}$/);
      if ('subject' in event) expect(event.subject.length).toBeGreaterThan(0);
      expect(event.data.data).toEqual(disclosed.data);
    }
  });
});

describe('the zip', () => {
  test.runIf(hasPython)('is read by Python with all numbers in their 64-bit form', async () => {
    const content = Buffer.from('Hello');
    const file: ZipFile = { name: 'a.txt', isDeflated: false, bytes: 5, packedBytes: 5, crc32: crc32(content) };
    const empty: ZipFile = { name: 'b.txt', isDeflated: true, bytes: 0, packedBytes: DEFLATE_END.length, crc32: 0 };
    const { segments, bytes } = layOutZip([file, empty], Date.UTC(2026, 10, 21, 10, 20, 30), 0);
    const parts = segments.map((segment) =>
      'bytes' in segment ? segment.bytes : segment.content === file ? content : DEFLATE_END,
    );
    const zip = Buffer.concat(parts);
    expect(zip).toHaveLength(bytes);
    const script = `import zipfile,sys,json
z=zipfile.ZipFile(sys.argv[1]); assert z.testzip() is None
print(json.dumps([[i.filename,i.file_size,list(i.date_time),z.read(i).decode()] for i in z.infolist()]))`;
    const at = [2026, 11, 21, 10, 20, 30];
    expect(await python(zip, script)).toEqual([
      ['a.txt', 5, at, 'Hello'],
      ['b.txt', 0, at, ''],
    ]);
  });

  test.runIf(hasPython)('holds files beyond four gigabytes', async () => {
    const content = Buffer.from('Hello');
    const large: ZipFile = { name: 'large', isDeflated: false, bytes: 5e9, packedBytes: 5e9, crc32: 1 };
    const small: ZipFile = { name: 'small', isDeflated: false, bytes: 5, packedBytes: 5, crc32: crc32(content) };
    const { segments } = layOutZip([large, small], Date.UTC(2026, 0, 1));
    const path = join(folder, 'large.zip');
    // Sparse: the large file is a hole.
    const zip = await open(path, 'w');
    for (const segment of segments)
      if ('bytes' in segment) await zip.write(segment.bytes, 0, segment.bytes.length, segment.start);
      else if (segment.content === small) await zip.write(content, 0, content.length, segment.start);
    await zip.close();
    const script = `import zipfile,sys,json
z=zipfile.ZipFile(sys.argv[1])
print(json.dumps([[i.file_size for i in z.infolist()],z.read('small').decode()]))`;
    const { stdout } = await promisify(execFile)('python3', ['-c', script, path]);
    expect(JSON.parse(stdout)).toEqual([[5e9, 5], 'Hello']);
  });
});

describe('a download', () => {
  test('goes on where it broke off, whatever the range', async () => {
    await record(Array.from({ length: 50 }, () => inference()));
    const { made, zip } = await exported({ format: 'cloudevents' });
    const etag = `"${made.download.sha256}"`;
    const whole = await download(made.download.url);
    expect(Object.fromEntries(whole.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(zip.length),
      'content-disposition': `attachment; filename="${made.id}.zip"`,
      'accept-ranges': 'bytes',
      etag,
    });
    const end = zip.length;
    const cases: [string, number, number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=1-', 1, end],
      [`bytes=${end - 1}-${end + 5}`, end - 1, end],
      ['bytes=-100', end - 100, end],
      [`bytes=-${end + 5}`, 0, end],
    ];
    // Around the ends of the files.
    for (let at = zip.indexOf('PK\u0003\u0004', 1); at > 0; at = zip.indexOf('PK\u0003\u0004', at + 1))
      for (const before of [1, 2, 3]) cases.push([`bytes=${at - before}-${at + 1}`, at - before, at + 2]);
    for (let i = 0; i < 20; i++) {
      const [from, to] = [Math.floor(Math.random() * end), Math.floor(Math.random() * end)].toSorted((a, b) => a - b) as [
        number,
        number,
      ];
      cases.push([`bytes=${from}-${to}`, from, to + 1]);
    }
    for (const [range, from, to] of cases) {
      const part = await download(made.download.url, { range, 'if-range': etag });
      expect([range, part.status, part.headers.get('content-range')]).toEqual([range, 206, `bytes ${from}-${to - 1}/${end}`]);
      expect(part.bytes.equals(zip.subarray(from, to))).toBe(true);
    }
    const beyond = await download(made.download.url, { range: `bytes=${end}-` });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${end}`]);
    for (const headers of [
      { range: 'bytes=0-1', 'if-range': '"other"' },
      { range: 'bytes=0-1,4-5' },
      { range: 'pages=1-2' },
      { range: 'bytes=5-2' },
    ])
      expect((await download(made.download.url, headers)).status).toBe(200);
  });

  test('is refused while the export is not ready, and when it has expired', async () => {
    const { made } = await exported({ format: 'jsonl' });
    const path = `/v1/exports/${made.id}/bundle`;
    await db.query("UPDATE exports SET expires_at = now() - interval '1 s' WHERE org_id = $1", [orgUuid()]);
    expect(await send('GET', path)).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } });
    await purgeExports(service.services.db);
    expect((await send('GET', `/v1/exports/${made.id}`)).body).toMatchObject({ state: 'expired', download: null });
    const { rows } = await db.query('SELECT 1 FROM export_chunks WHERE org_id = $1', [orgUuid()]);
    expect(rows).toEqual([]);
  });
});

describe('exports', () => {
  test('are seen by their organization alone, and not by test credentials', async () => {
    const { made } = await exported({ format: 'jsonl' });
    const other = await service.createOrganization();
    const permissions = ['events:read', 'reports:read'];
    const asked = { key: org.keys.admin, body: { name: 'k', type: 'test', permissions } };
    const { key: testKey } = (await send('POST', '/v1/api-keys', asked)).body;
    for (const key of [other.keys.live, testKey])
      for (const [method, path] of [
        ['GET', ''],
        ['GET', '/bundle'],
        ['DELETE', ''],
      ])
        expect((await send(method!, `/v1/exports/${made.id}${path}`, { key })).status).toBe(404);
    for (const key of [other.keys.live, testKey]) expect((await send('GET', '/v1/exports', { key })).body.data).toEqual([]);
    expect((await send('POST', '/v1/exports', { key: testKey, body: { format: 'csv' } })).status).toBe(403);
    expect((await send('GET', '/v1/exports')).body.data).toEqual([made]);
  });

  test('that cannot be are refused, with the place', async () => {
    const refused = async (body: object) => (await send('POST', '/v1/exports', { body })).body.error.details[0].pointer;
    expect(await refused({ format: 'xml' })).toBe('/format');
    expect(await refused({ format: 'csv', kinds: ['no.such'] })).toBe('/kinds/0');
    expect(await refused({ format: 'csv', since: '2026-01-02T00:00:00Z', until: '2026-01-01T00:00:00Z' })).toBe('/since');
    expect(await refused({ format: 'csv', held_size: 1_000_000 })).toBe('/held_size');
  });

  test('are five at a time, and one that is asked for twice under a key is one', async () => {
    const hold = `UPDATE exports SET committed = 1000000, state = 'queued', tree_size = NULL WHERE org_id = $1`;
    const headers = { 'idempotency-key': 'one' };
    const [first, again] = [
      await send('POST', '/v1/exports', { body: { format: 'csv' }, headers }),
      await send('POST', '/v1/exports', { body: { format: 'csv' }, headers }),
    ];
    expect(again.body.id).toBe(first.body.id);
    await db.query(hold, [orgUuid()]);
    for (let i = 0; i < 4; i++) {
      await send('POST', '/v1/exports', { body: { format: 'csv' } });
      await db.query(hold, [orgUuid()]);
    }
    expect(await send('POST', '/v1/exports', { body: { format: 'csv' } })).toMatchObject({ status: 409 });
    expect((await send('DELETE', `/v1/exports/${first.body.id}`)).body).toEqual({ deleted: true });
    expect((await send('POST', '/v1/exports', { body: { format: 'csv' } })).status).toBe(202);
  });

  test('of an organization that has 20 GB of them are refused, and end', async () => {
    const { made } = await exported({ format: 'jsonl' });
    const resize = (bytes: number) =>
      db.query(`UPDATE export_files SET packed_bytes = $2 WHERE org_id = $1 AND name = 'keys.txt'`, [orgUuid(), bytes]);
    await resize(20e9);
    expect(await send('POST', '/v1/exports', { body: { format: 'csv' } })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict', message: expect.stringContaining('20 GB') } },
    });
    await resize(19e9);
    const asked = await send('POST', '/v1/exports', { body: { format: 'csv' } });
    expect(asked.status).toBe(202);
    await over(asked.body.id);
    // As if it had grown meanwhile.
    await resize(21e9);
    await db.query(
      `UPDATE exports SET state = 'queued', run = run + 1, origin = NULL, tree_size = NULL, is_written = false WHERE id = $1`,
      [uuidText(parseId('exp', asked.body.id)!)],
    );
    expect(await over(asked.body.id)).toMatchObject({ state: 'failed', error: expect.stringContaining('20 GB') });
    await send('DELETE', `/v1/exports/${made.id}`);
    expect((await send('POST', '/v1/exports', { body: { format: 'csv' } })).status).toBe(202);
  });

  test('have nothing left in the database once something of an event in them is erased, or they are deleted', async () => {
    await record([inference()]);
    const { made } = await exported({ format: 'csv' });
    const bytesOf = async (id: string) =>
      (await db.query('SELECT 1 FROM export_chunks WHERE export_id = $1', [uuidText(parseId('exp', id)!)])).rows;
    expect(await bytesOf(made.id)).not.toEqual([]);
    const {
      body: {
        data: [{ id }],
      },
    } = await send('GET', '/v1/events?kind=inference.flagged');
    const erased = await send('POST', '/v1/audit/redactions', {
      key: org.keys.admin,
      body: { event_id: id, fields: ['actor.ip'], basis: 'GDPR Art. 17' },
    });
    expect(erased.status).toBe(201);
    await expect.poll(() => bytesOf(made.id), { timeout: 10_000 }).toEqual([]);
    const again = await exported({ format: 'csv' });
    await send('DELETE', `/v1/exports/${again.made.id}`);
    await expect.poll(() => bytesOf(again.made.id), { timeout: 10_000 }).toEqual([]);
  });

  test('expire when something of an event in them is erased, and those without disclosures stay', async () => {
    const [all, without] = [await exported({ format: 'csv' }), await exported({ format: 'csv', disclosures: false })];
    await service.services.db.transaction((tx) => expireExportsWith(tx, parseId('org', org.id)!, all.made.tree_size + 1));
    expect((await over(all.made.id)).state).toBe('ready');
    await service.services.db.transaction((tx) => expireExportsWith(tx, parseId('org', org.id)!, all.made.tree_size));
    expect(await over(all.made.id)).toMatchObject({ state: 'expired', error: expect.stringContaining('erased') });
    expect((await over(without.made.id)).state).toBe('ready');
  });
});

describe('the worker', () => {
  let alone: TestService;
  let parts: { db: Database; vault: TestService['services']['vault']; log: TestService['services']['log'] };
  let pool: pg.Client;
  /** Says that the trail is kept from 6501 on, as retention would. */
  let pruned: NewEvent;

  /** A service whose log stands still, and whose exports are made by nobody but the test. */
  beforeAll(async () => {
    alone = await startTestService();
    pool = new pg.Client(alone.databaseUrl);
    await pool.connect();
    await pool.query(
      `WITH counter AS (UPDATE event_counters SET last_sequence = last_sequence + 7000 RETURNING org_id, last_sequence - 7000 AS before)
       INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, actor_id, model, subject_user, data)
       SELECT org_id, before + i, gen_random_uuid(), 'inference.allowed', now(), now(), 'api_key', 'key_1', 'gpt-' || i % 3, 'user ' || i % 100,
              '{"outcome":"allowed","score":0.' || i || ',"note":"' || repeat(md5(i::text), i % 50) || '"}'
         FROM counter, generate_series(1, 7000) AS i`,
    );
    const { uuid } = alone.organization;
    pruned = changeEvent(uuid, 'audit.pruned', { type: 'system', id: null, ip: null }, Date.now(), { from: 1, to: 6500 });
    await alone.services.journal.append(pruned);
    await alone.services.audit.catchUp();
    await alone.services.audit.close();
    const { db: database, vault, log } = alone.services;
    parts = { db: database, vault, log };
  }, 60_000);
  afterAll(async () => {
    await pool.end();
    await alone.close();
  });

  /** A database that is gone after so many statements, as for a process that is killed. */
  function dyingAfter(statements: number): Database {
    let left = statements;
    const guarded = <T>(query: () => Promise<T>): Promise<T> => (left-- > 0 ? query() : Promise.reject(new Error('killed')));
    return {
      ...parts.db,
      query: (text, values) => guarded(() => parts.db.query(text, values)),
      transaction: (work) =>
        guarded(() =>
          parts.db.transaction((tx) => work({ ...tx, query: (text, values) => guarded(() => tx.query(text, values)) })),
        ),
    };
  }

  function dyingAfterCommit(): Database {
    let isDead = false;
    const guarded = <T>(query: () => Promise<T>): Promise<T> => (isDead ? Promise.reject(new Error('killed')) : query());
    return {
      ...parts.db,
      query: (text, values) => guarded(() => parts.db.query(text, values)),
      transaction: (run) =>
        guarded(async () => {
          const result = await parts.db.transaction(run);
          isDead = true;
          return result;
        }),
    };
  }

  async function ask(body: object): Promise<string> {
    const { body: made } = await alone.request('POST', '/v1/exports', { body });
    // The log stands still: the event of the request will not be in it.
    await pool.query('UPDATE exports SET committed = 0');
    return made.id;
  }

  async function stateOf(id: string): Promise<Json> {
    return (await alone.request('GET', `/v1/exports/${id}`)).body;
  }

  async function work(database: Database): Promise<void> {
    const worker = new ExportWorker({ ...parts, db: database });
    worker.wake();
    // It ends by itself when there is nothing to do, or no database.
    await worker.idle();
    await worker.close();
  }

  async function filesOf(id: string): Promise<Record<string, string>> {
    const { download: link } = await stateOf(id);
    const res = await fetch(link.url, { headers: { authorization: `Bearer ${alone.organization.keys.live}` } });
    const zip = Buffer.from(await res.arrayBuffer());
    expect(sha256(zip)).toBe(link.sha256);
    const { 'manifest.json': manifest, ...files } = unzipped(zip);
    const { created_at: _, ...facts } = JSON.parse(manifest!.toString());
    return { ...Object.fromEntries(Object.entries(files).map(([name, file]) => [name, sha256(file)])), facts };
  }

  test.each(['csv', 'parquet'])('killed at any statement, again and again, makes the same files (%s)', async (format) => {
    const undisturbed = await ask({ format, held_size: 3 });
    await work(parts.db);
    const disturbed = await ask({ format, held_size: 3 });
    let kills = 0;
    while ((await stateOf(disturbed)).state !== 'ready') {
      // Now somewhere, now right after what was written was committed.
      await work(kills % 2 === 0 ? dyingAfterCommit() : dyingAfter(1 + Math.floor(Math.random() * 60)));
      kills++;
      // The lease of the one that was killed runs out; attempts count those that never came to an end.
      await pool.query('UPDATE exports SET lease_until = NULL, attempts = 0');
      expect(kills).toBeLessThan(200);
    }
    expect(kills).toBeGreaterThan(1);
    expect(await filesOf(disturbed)).toEqual(await filesOf(undisturbed));
    if (format !== 'parquet') return;
    const res = await fetch((await stateOf(disturbed)).download.url, {
      headers: { authorization: `Bearer ${alone.organization.keys.live}` },
    });
    const file = arrayBuffer(unzipped(Buffer.from(await res.arrayBuffer()))['events.parquet']);
    const { row_groups: groups } = parquetMetadata(file);
    expect(groups.length).toBeGreaterThan(1);
    const rows = (await parquetReadObjects({ file, columns: ['index'] })) as Json[];
    expect(rows.map(({ index }) => Number(index))).toEqual(rows.map((_, i) => i));
  });

  test('that reads for digests lets other exports have their turns, goes on where it was, and keeps the digests it has', async () => {
    const asked = [await ask({ format: 'csv' }), await ask({ format: 'csv' })];
    /** What was claimed, and which chunks were read, in order. */
    const did: string[] = [];
    let stopsAt = Infinity;
    const watched: Database = {
      ...parts.db,
      query: async (text, values) => {
        if (did.length >= stopsAt) throw new Error('killed');
        const answer = await parts.db.query<Json>(text, values);
        if (typeof text !== 'string' && text.name === 'claim_export' && answer.rows.length > 0)
          did.push(`claims ${answer.rows[0].id}`);
        if (typeof text === 'string' && text.includes('start <= $5')) did.push(`reads ${values!.slice(1).join(' ')}`);
        return answer;
      },
    };
    const pass = async () => {
      const worker = new ExportWorker({ ...parts, db: watched, turnMs: 0 });
      worker.wake();
      await worker.idle();
      await worker.close();
    };
    await pass();
    const reads = did.filter((what) => what.startsWith('reads'));
    expect(reads.length).toBeGreaterThan(20);
    // None twice, and none after another without a turn between.
    expect(new Set(reads).size).toBe(reads.length);
    for (const [i, what] of did.entries()) if (what.startsWith('reads')) expect(did[i - 1]).toMatch(/^claims/);
    const files = await Promise.all(asked.map(filesOf));
    expect(files[0]).toEqual(files[1]);

    const third = await ask({ format: 'csv' });
    const key = uuidText(parseId('exp', third)!);
    const digests = async () =>
      (await pool.query('SELECT name FROM export_files WHERE export_id = $1 AND sha256 IS NOT NULL', [key])).rows.map(
        ({ name }) => name,
      );
    did.length = 0;
    stopsAt = reads.length;
    await pass();
    expect((await stateOf(third)).state).toBe('running');
    expect(await digests()).toContain('events.jsonl');
    stopsAt = Infinity;
    await pool.query('UPDATE exports SET lease_until = NULL');
    await pass();
    expect((await stateOf(third)).state).toBe('ready');
    expect(await filesOf(third)).toEqual(files[0]);
  });

  test('that comes back after another has taken over writes nothing', async () => {
    const id = await ask({ format: 'jsonl' });
    let isTaken = false;
    const slow: Database = {
      ...parts.db,
      transaction: async (run) => {
        if (!isTaken) {
          isTaken = true;
          await pool.query('UPDATE exports SET lease_until = NULL');
          await work(parts.db);
        }
        return parts.db.transaction(run);
      },
    };
    await work(slow);
    const made = await stateOf(id);
    expect(made.state).toBe('ready');
    const { rows } = await pool.query(
      "SELECT sum(length(bytes))::int AS bytes FROM export_chunks WHERE export_id = $1 AND name = 'hashes-0.bin'",
      [uuidText(parseId('exp', id)!)],
    );
    expect(rows[0].bytes).toBe(made.tree_size * 32);
  });

  test('reads for a download no more than who downloads takes, and stops when he goes', async () => {
    const id = await ask({ format: 'csv' });
    await work(parts.db);
    const made = (await findExportById(parts.db, parseId('org', alone.organization.id)!, parseId('exp', id)!))!;
    const layout = layOutZip((await listExportFiles(parts.db, made)).map(zipFileOf), made.createdAtMs);
    let statements = 0;
    const counted: Queryable = {
      query: (text, values) => {
        statements++;
        return parts.db.query(text, values);
      },
    };
    const stream = Readable.from(readZip(counted, made, layout, 0, layout.bytes), { objectMode: false, highWaterMark: 65_536 });
    await once(stream, 'readable');
    stream.read(1);
    await expect.poll(() => stream.readableLength).toBeGreaterThan(65_536);
    stream.destroy();
    await once(stream, 'close');
    const { rows } = await pool.query('SELECT count(*)::int AS count FROM export_chunks WHERE export_id = $1', [
      uuidText(parseId('exp', id)!),
    ]);
    expect(statements).toBeLessThan(rows[0].count / 2);
  });

  test('that fails at the same place again and again ends the export, and says so', async () => {
    const id = await ask({ format: 'csv' });
    const broken: Database = { ...parts.db, transaction: () => Promise.reject(new Error('broken')) };
    // The first turn fixed what is exported, which is progress.
    for (let i = 0; i < 6; i++) {
      await work(broken);
      await pool.query('UPDATE exports SET lease_until = NULL');
    }
    expect(await stateOf(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('log of the service') });
  });

  test('begins anew when something of an event is erased meanwhile, and gives out nothing of before', async () => {
    const id = await ask({ format: 'csv' });
    await work(dyingAfter(65));
    expect((await stateOf(id)).progress.done).toBeGreaterThan(0);
    await parts.db.transaction((tx) => expireExportsWith(tx, parseId('org', alone.organization.id)!, 10));
    expect((await stateOf(id)).progress).toEqual({ done: 0, total: null, percent: 0 });
    await work(parts.db);
    expect((await stateOf(id)).state).toBe('ready');
    await filesOf(id);
    await purgeExports(parts.db);
    const { rows } = await pool.query('SELECT DISTINCT run FROM export_chunks WHERE export_id = $1', [
      uuidText(parseId('exp', id)!),
    ]);
    expect(rows).toEqual([{ run: 1 }]);
  });

  test('writes nothing of what it had read before something of it was erased', async () => {
    const id = await ask({ format: 'csv' });
    let isErased = false;
    const slow: Database = {
      ...parts.db,
      transaction: async (run) => {
        if (!isErased) {
          isErased = true;
          await parts.db.transaction((tx) => expireExportsWith(tx, parseId('org', alone.organization.id)!, 10));
        }
        return parts.db.transaction(run);
      },
    };
    await work(slow);
    const { rows } = await pool.query('SELECT DISTINCT run FROM export_chunks WHERE export_id = $1', [
      uuidText(parseId('exp', id)!),
    ]);
    expect(rows).toEqual([{ run: 1 }]);
    expect((await stateOf(id)).state).toBe('ready');
    await filesOf(id);
  });

  test('begins anew when what it should write is pruned meanwhile', async () => {
    const id = await ask({ format: 'jsonl' });
    await work(dyingAfter(65));
    const { progress } = await stateOf(id);
    expect(progress.done).toBeGreaterThan(0);
    expect(progress.done).toBeLessThan(6500);
    await pool.query('UPDATE trees SET kept_from = 6501, pruned_by = $1 WHERE size > 100', [uuidText(pruned.id)]);
    await pool.query('UPDATE exports SET lease_until = NULL');
    await work(parts.db);
    const made = await stateOf(id);
    expect(made).toMatchObject({ state: 'ready', progress: { total: made.tree_size - 6500 } });
    await filesOf(id);
    await pool.query('UPDATE trees SET kept_from = 1, pruned_by = NULL');
  });

  test('tells what was deleted of the front as missing, where only the table says that retention did', async () => {
    await pool.query('UPDATE trees SET kept_from = 40 WHERE size > 100');
    await pool.query('DELETE FROM events WHERE sequence < 40');
    for (const since of [undefined, '2020-01-01T00:00:00Z']) {
      const id = await ask({ format: 'jsonl', since });
      await work(parts.db);
      const { download: link, tree_size: size } = await stateOf(id);
      const res = await fetch(link.url, { headers: { authorization: `Bearer ${alone.organization.keys.live}` } });
      const files = unzipped(Buffer.from(await res.arrayBuffer()));
      expect(JSON.parse(files['manifest.json']!.toString())).toMatchObject({
        missing: 39,
        events: size - 39,
        range: { from: 0, to: size },
      });
      expect(
        linesOf(files['events.jsonl'])
          .slice(0, 40)
          .filter((line) => line === 'null'),
      ).toHaveLength(39);
    }
    await pool.query('UPDATE trees SET kept_from = 1');
  });

  test('makes an export of a log whose tiles are lost all the same, with zeros where they were', async () => {
    await pool.query('DELETE FROM tiles');
    const id = await ask({ format: 'jsonl', held_size: 2 });
    await work(parts.db);
    const { download: link, tree_size: size } = await stateOf(id);
    const res = await fetch(link.url, { headers: { authorization: `Bearer ${alone.organization.keys.live}` } });
    const files = unzipped(Buffer.from(await res.arrayBuffer()));
    expect(files['hashes-0.bin']).toEqual(Buffer.alloc(size * 32));
    expect(files['consistency.json']).toBeUndefined();
    expect(linesOf(files['events.jsonl'])).toHaveLength(size);
  });
});

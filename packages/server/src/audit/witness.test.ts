// A real witness, github.com/transparency-dev/witness, cosigns the deployment's log, and knows when a database was set back. Runs where Go is, and can
// fetch its modules.

import {
  formatVerifier,
  openNote,
  parseCheckpoint,
  parseCosigner,
  parseVerifier,
  readCosignatures,
  type Cosigner,
} from '@svc/trail';
import { createHash } from 'node:crypto';
import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseId, uuidText } from '../ids.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { findCheckpoint, findTree, proveConsistency, proveInclusion, rootAt } from './log-store.ts';
import { DEPLOYMENT_LOG, originOf, readDeployment } from './origin.ts';
import { declareRestored } from './restored.ts';
import { createAnchor, insertEvents, type OwnAnchor } from './test-kit.ts';

const ORACLE = join(import.meta.dirname, '../../../trail/oracle');
const WITNESS = join(ORACLE, 'witness');
const isThere = [ORACLE, WITNESS].every((cwd) => spawnSync('go', ['mod', 'download'], { cwd }).status === 0);
const COMPILE_MS = 300_000;

/** The witness's process. */
interface RealWitness {
  readonly url: string;
  readonly verifierKey: string;
  readonly cosigner: Cosigner;
  /** Makes a log known to it. */
  trust(verifierKey: string): Promise<void>;
  close(): void;
}

async function startWitness(): Promise<RealWitness> {
  // `go run` would leave its child behind.
  const folder = mkdtempSync(join(tmpdir(), 'svc-witness-'));
  const program = join(folder, 'witness');
  const built = spawnSync('go', ['build', '-o', program, '.'], { cwd: WITNESS, encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
  const child: ChildProcessWithoutNullStreams = spawn(program);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const [url, verifierKey] = (await next()).split(' ') as [string, string];
  return {
    url,
    verifierKey,
    cosigner: parseCosigner(verifierKey)!,
    async trust(key) {
      child.stdin.write(`${key}\n`);
      expect(await next()).toBe(`trusted ${key.slice(0, key.indexOf('+'))}`);
    },
    close() {
      child.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

describe.skipIf(!isThere)('a real witness', () => {
  let witness: RealWitness;
  let service: TestService;
  let orgId: Buffer;
  let own: OwnAnchor;
  beforeAll(async () => {
    witness = await startWitness();
    service = await startTestService({ SVC_WITNESSES: `${witness.verifierKey}@${witness.url}` });
    orgId = parseId('org', service.organization.id)!;
    own = await createAnchor(service.services, [witness]);
  }, COMPILE_MS);
  afterAll(async () => {
    await service?.close();
    witness?.close();
  });

  const db = () => service.services.db;
  const latest = async () => (await findCheckpoint(db(), DEPLOYMENT_LOG))!;
  const cosignatures = async () => readCosignatures((await latest()).note, [witness.cosigner]);

  async function logKey(): Promise<string> {
    const origin = originOf(await readDeployment(db()), DEPLOYMENT_LOG);
    return own.keys.verifiers(origin)[0]!.vkey;
  }

  /** Makes something new to anchor, and has `anchor` do it. */
  async function grow({ anchor }: Pick<OwnAnchor, 'anchor'> = own): Promise<void> {
    await insertEvents(db(), orgId, 1);
    await service.services.audit.catchUp();
    const { size } = (await findTree(db(), orgId))!;
    await expect
      .poll(async () => {
        await db().query('UPDATE witnesses SET next_at = now()');
        await anchor.pass();
        const { rows } = await db().query<{ size: string }>('SELECT anchored_size AS size FROM trees WHERE org_id = $1', [
          uuidText(orgId),
        ]);
        return Number(rows[0]!.size);
      })
      .toBe(size);
  }

  test('is asked by the service that was told of it, and holds up nothing while it does not know the log', async () => {
    await expect
      .poll(async () => (await db().query('SELECT verifier_key FROM witnesses')).rows)
      .toEqual([{ verifier_key: witness.verifierKey }]);
    await grow();
    await grow();
    expect(await cosignatures()).toEqual([]);
    const faults = own.lines.map(({ fault }) => fault);
    expect([[], ['does not know the origin']]).toContainEqual(faults);
  });

  test('cosigns once it knows the log, with its clock, and is caught up on what it missed', async () => {
    await witness.trust(await logKey());
    const beforeS = Math.floor(Date.now() / 1_000);
    for (let i = 0; i < 5; i++) {
      await grow();
      const [cosignature] = await cosignatures();
      expect(cosignature!.timeS).toBeGreaterThanOrEqual(beforeS);
      expect(cosignature!.timeS).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000));
    }
    const { body } = await service.request('GET', '/v1/audit/deployment');
    expect(body.witnesses).toEqual([
      { name: witness.cosigner.name, verifier_key: witness.verifierKey, cosigned_at: expect.stringMatching(/Z$/) },
    ]);
    expect(openNote(body.checkpoint, [parseVerifier(await logKey())!])).not.toBeNull();
    // What the database forgot of it, it tells.
    await db().query('UPDATE witnesses SET size = 0, epoch = 0');
    await grow();
    expect(await cosignatures()).toHaveLength(1);
  });

  test(
    'and other programs agree on the leaves, the proofs and the note',
    async () => {
      const { rows } = await db().query<{ salt: Buffer; note: string }>(
        'SELECT a.salt, c.note FROM anchors a JOIN checkpoints c USING (org_id, epoch, size) ORDER BY a.index',
      );
      const leaves = rows.map(({ salt, note }) => createHash('sha256').update(salt).update(note).digest());
      const { size, root, note } = await latest();
      expect(size).toBe(leaves.length);
      const verifier = formatVerifier(parseVerifier(await logKey())!);
      const base64 = (hashes: readonly Buffer[]) => hashes.map((hash) => hash.toString('base64'));
      const questions = await Promise.all(
        leaves.map(async (_, index) => ({
          leaves: base64(leaves),
          index,
          old_size: index + 1,
          inclusion: base64(await proveInclusion(db(), DEPLOYMENT_LOG, index, size)),
          consistency: base64(await proveConsistency(db(), DEPLOYMENT_LOG, index + 1, size)),
          old_root: (await rootAt(db(), DEPLOYMENT_LOG, index + 1)).toString('base64'),
          root: root.toString('base64'),
          note,
          verifier,
          text: note.slice(0, note.indexOf('\n\n') + 1),
        })),
      );
      const input = questions.map((asked) => JSON.stringify(asked)).join('\n');
      const { stdout, stderr } = spawnSync('go', ['run', '.'], { cwd: ORACLE, input, encoding: 'utf8' });
      expect(stdout.trim().split('\n'), stderr).toEqual(leaves.map(() => 'agreed'));
    },
    COMPILE_MS,
  );

  test.each([
    ['is shorter than what it cosigned', 0],
    ['has grown beyond it again', 6],
  ])('knows a database that was set back and %s: the log goes on under a new origin', async (_case, regrown) => {
    const before = await snapshot();
    for (let i = 0; i < 3; i++) await grow();
    expect(await cosignatures()).toHaveLength(1);
    await restore(before);
    const { epoch } = await readDeployment(db());
    const node = await createAnchor(service.services, [witness]);
    const quiet = await createAnchor(service.services);
    for (let i = 0; i < regrown; i++) await grow(quiet);
    await db().query('UPDATE witnesses SET next_at = now(), set_back_at = NULL');
    await node.anchor.pass();
    expect(node.setBacks).toEqual([['behind_witness', epoch]]);
    expect(await cosignatures()).toEqual(regrown === 0 ? [expect.anything()] : []);
    await declareRestored(service.services, ...node.setBacks[0]!);
    const origin = originOf(await readDeployment(db()), DEPLOYMENT_LOG);
    expect(origin).toMatch(new RegExp(`/${epoch + 1}-[0-9a-f]{8}$`));
    await witness.trust(await logKey());
    await grow(node);
    expect(parseCheckpoint((await latest()).note.split('\n\n')[0]! + '\n')!.origin).toBe(origin);
    expect(await cosignatures()).toHaveLength(1);
    const { body } = await service.request('GET', '/v1/events?kind=audit.restored');
    expect(body.data[0].data).toMatchObject({ reason: 'behind_witness' });
    own = node;
  });

  const TABLES = ['trees', 'tiles', 'checkpoints'] as const;

  interface Snapshot {
    readonly size: number;
    readonly rows: ReadonlyMap<string, Record<string, unknown>[]>;
  }

  /** The deployment's log, and what is known of the witness. */
  async function snapshot(): Promise<Snapshot> {
    const rows = new Map<string, Record<string, unknown>[]>();
    for (const table of TABLES)
      rows.set(table, (await db().query(`SELECT * FROM ${table} WHERE org_id = $1`, [uuidText(DEPLOYMENT_LOG)])).rows);
    rows.set('witnesses', (await db().query('SELECT * FROM witnesses')).rows);
    return { size: (await findTree(db(), DEPLOYMENT_LOG))!.size, rows };
  }

  /** As a backup does. */
  async function restore({ size, rows }: Snapshot): Promise<void> {
    await db().transaction(async (tx) => {
      await tx.query('DELETE FROM anchors WHERE index >= $1', [size]);
      for (const table of TABLES) await tx.query(`DELETE FROM ${table} WHERE org_id = $1`, [uuidText(DEPLOYMENT_LOG)]);
      await tx.query('DELETE FROM witnesses');
      for (const [table, ofTable] of rows)
        for (const row of ofTable) {
          const names = Object.keys(row);
          const values = names.map((_, i) => `$${i + 1}`).join(', ');
          await tx.query(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${values})`, Object.values(row));
        }
    });
  }
});

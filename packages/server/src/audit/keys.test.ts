// Promises of the keys of the logs: one is there from the start, a rotation leaves no gap for verifiers, and a key that others know signs nothing more.

import { openNote, parseVerifier, type NoteVerifier } from '@svc/trail';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Vault } from '../access/vault.ts';
import { rotateTrailKey } from '../admin/rotations.ts';
import { uuidText } from '../ids.ts';
import type { NewOrganization } from '../organizations/service.ts';
import type { Services } from '../services.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { OVERLAP_DAYS, TrailKeys } from './keys.ts';
import { findCheckpoint } from './log-store.ts';
import { originOf, readDeployment } from './origin.ts';
import { createExtender, insertEvents } from './test-kit.ts';

const SOON = { timeout: 10_000, interval: 10 };
const DAY_MS = 86_400_000;

let service: TestService;
let services: Services;
beforeAll(async () => {
  service = await startTestService();
  ({ services } = service);
});
afterAll(() => service.close());

const originOfLog = async (orgId: Buffer) => originOf(await readDeployment(services.db), orgId);
const verifiersOf = async (orgId: Buffer): Promise<NoteVerifier[]> =>
  services.trailKeys.verifiers(await originOfLog(orgId)).map(({ vkey }) => parseVerifier(vkey)!);

/** Who signs a checkpoint that is made now: by key id. */
async function signersOf({ uuid }: NewOrganization): Promise<string[]> {
  await insertEvents(services.db, uuid, 1);
  await services.audit.catchUp();
  const { note } = (await findCheckpoint(services.db, uuid))!;
  return openNote(note, await verifiersOf(uuid))!.signers.map(({ keyId }) => keyId);
}

async function rotationsOf({ uuid }: NewOrganization): Promise<unknown[]> {
  const { rows } = await services.db.query<{ data: string }>(
    "SELECT data FROM events WHERE org_id = $1 AND kind = 'audit.key_rotated' ORDER BY sequence",
    [uuidText(uuid)],
  );
  return rows.map(({ data }) => JSON.parse(data) as unknown);
}

test('of nodes that start on an empty database at once one makes the key, and all have it', async () => {
  await services.db.query('DELETE FROM trail_keys');
  const nodes = Array.from({ length: 6 }, () => new TrailKeys(services.db, services.vault));
  await Promise.all(nodes.map((keys) => keys.load()));
  const ids = nodes.map((keys) => keys.verifiers('log').map(({ id }) => id));
  expect(ids[0]).toHaveLength(1);
  expect(new Set(ids.map(String)).size).toBe(1);
  await services.trailKeys.load();
});

test('a seed can be read under the master key alone', async () => {
  const other = new TrailKeys(services.db, new Vault(randomBytes(32)));
  await other.load();
  expect(() => other.signers('log')).toThrow();
  expect(other.verifiers('log')).toEqual(services.trailKeys.verifiers('log'));
});

test('a rotation: both keys sign while they overlap, every trail has both, and after it the new one signs alone', async () => {
  const organizations = [service.organization, await service.createOrganization()];
  const [before] = await verifiersOf(organizations[0]!.uuid);
  const { id, oldIds } = await rotateTrailKey(services, false);
  await expect.poll(() => services.trailKeys.verifiers('log')[0]!.id, SOON).toBe(id);
  const [newest, old] = services.trailKeys.verifiers('log');
  expect(oldIds).toEqual([old!.id]);
  expect(newest).toMatchObject({ replacedAtMs: null, retiredAtMs: null });
  expect(old!.retiredAtMs! - old!.replacedAtMs!).toBe(OVERLAP_DAYS * DAY_MS);
  for (const organization of organizations) {
    const verifiers = await verifiersOf(organization.uuid);
    expect(await signersOf(organization)).toEqual(verifiers.map(({ keyId }) => keyId));
    const [added, replaced] = services.trailKeys.verifiers(await originOfLog(organization.uuid));
    expect(await rotationsOf(organization)).toEqual([{ old: [replaced!.vkey], new: added!.vkey, compromised: false }]);
  }
  expect((await verifiersOf(organizations[0]!.uuid))[1]).toEqual(before);
  const origin = await originOfLog(organizations[0]!.uuid);
  expect(services.trailKeys.signers(origin, old!.retiredAtMs! - 1)).toHaveLength(2);
  expect(services.trailKeys.signers(origin, old!.retiredAtMs!).map(({ verifier }) => verifier.keyId)).toEqual([
    (await verifiersOf(organizations[0]!.uuid))[0]!.keyId,
  ]);
});

test('of keys that are compromised nothing is signed once the command has returned, on any node, and all stay listed', async () => {
  const organization = await service.createOrganization();
  const other = await createExtender(services);
  await rotateTrailKey(services, false);
  await signersOf(organization);
  const before = services.trailKeys.verifiers('log').length;
  await insertEvents(services.db, organization.uuid, 1);
  await rotateTrailKey(services, true);
  // It had the old keys, and nobody has told it.
  await other.extender.catchUp();
  await expect.poll(() => services.trailKeys.verifiers('log').length, SOON).toBe(before + 1);
  const verifiers = await verifiersOf(organization.uuid);
  const { note } = (await findCheckpoint(services.db, organization.uuid))!;
  expect(openNote(note, verifiers)!.signers.map(({ keyId }) => keyId)).toEqual([verifiers[0]!.keyId]);
  expect(await signersOf(organization)).toEqual([verifiers[0]!.keyId]);
  const [, ...old] = services.trailKeys.verifiers('log');
  for (const { retiredAtMs } of old) expect(retiredAtMs).toBeLessThanOrEqual(Date.now() + 1_000);
  expect((await rotationsOf(organization)).at(-1)).toMatchObject({ compromised: true });
});

// Promises about policies: only one that the service has signed, and no older one, ever decides; and the last good one always does.

import { canonicalJson, DEFAULT_POLICY, policyDigest, type PolicyDocument } from '@svc/engine';
import { sign } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { listeningLog } from '../testing/agent.ts';
import { newSigningKey, signedBundle } from '../testing/desk.ts';
import { PolicyHolder, type OnNoPolicy } from './holder.ts';

const NOW = Date.UTC(2026, 2, 1);
const DAY_MS = 86_400_000;
const signing = newSigningKey('pk_ours');
const FIRST: PolicyDocument = { custom: { terms: [{ id: 'a', category: 'brand.a', any: ['alpha'] }] } };
const SECOND: PolicyDocument = { ...FIRST, mode: 'monitor' };
const at = (issuedAtMs: number) => ({ issuedAtMs });

let folder: string;
let nowMs: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-policy-'));
  nowMs = NOW;
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function load(onNoPolicy: OnNoPolicy = 'default') {
  const { lines, log } = listeningLog();
  const holder = await PolicyHolder.load({ folder, onNoPolicy, now: () => nowMs, log });
  return { holder, lines };
}

describe('the policy', () => {
  test('is the engine’s own until one was seen, or a refusal of everything', async () => {
    const { holder } = await load();
    expect(holder.inForce.compiled.digest).toBe(policyDigest(DEFAULT_POLICY));
    expect(holder.inForce).toMatchObject({ bundle: null, isRefusal: false });
    expect((await load('block')).holder.inForce).toMatchObject({ bundle: null, isRefusal: true });
  });

  test('is kept on disk and decides after a restart without the service', async () => {
    const { holder } = await load();
    expect(await holder.take(signedBundle(signing, 2, SECOND, at(NOW)), '"e"')).toBe(true);
    const again = (await load('block')).holder;
    expect(again.inForce).toMatchObject({ isRefusal: false, bundle: { version: 2 }, compiled: { version: 2, mode: 'monitor' } });
    expect(again.etag).toBe('"e"');
    expect(again.problem).toBeNull();
  });

  test('goes on when it has expired, and says so', async () => {
    const { holder } = await load();
    await holder.take(signedBundle(signing, 2, FIRST, at(NOW)), null);
    expect(holder.isStale).toBe(false);
    nowMs += 7 * DAY_MS;
    expect(holder.isStale).toBe(true);
    expect(holder.inForce.bundle!.version).toBe(2);
    expect((await load()).holder).toMatchObject({ isStale: true, inForce: { bundle: { version: 2 } } });
    // Signed anew, the next day.
    expect(await holder.take(signedBundle(signing, 2, FIRST, at(nowMs)), null)).toBe(true);
    expect(holder.isStale).toBe(false);
  });

  const good = signedBundle(signing, 5, FIRST, at(NOW));
  const other = newSigningKey('pk_theirs');
  test.each([
    ['changed on the way', { ...good, version: 9 }, 'bad_signature'],
    ['with another document', { ...good, policy: SECOND }, 'bad_signature'],
    ['that claims to last longer', { ...good, expires_at: '2036-01-01T00:00:00.000Z' }, 'bad_signature'],
    [
      'with another signature',
      { ...good, signature: { ...good.signature, value: signedBundle(signing, 6, FIRST).signature.value } },
      'bad_signature',
    ],
    ['signed by another key', signedBundle(other, 9, FIRST, at(NOW)), 'key_changed'],
    [
      'signed by another key that borrows the name of ours',
      signedBundle({ ...other, keyId: 'pk_ours' }, 9, FIRST, at(NOW)),
      'key_changed',
    ],
    [
      'signed by another key that borrows ours',
      signedBundle({ ...other, publicKey: signing.publicKey }, 9, FIRST, at(NOW)),
      'bad_signature',
    ],
    ['of a lower version', signedBundle(signing, 3, SECOND, at(NOW + DAY_MS)), 'downgraded'],
    ['whose digest is another’s', resigned({ digest: policyDigest(SECOND) }), 'malformed'],
    [
      'that a newer service has made',
      signedBundle(signing, 9, { detectors: { telepathy: {} } } as PolicyDocument),
      'not_readable',
    ],
    ['that is none', { error: 'a page' }, 'malformed'],
    ['that is nothing', null, 'malformed'],
    ['without a signature', { ...good, signature: null }, 'malformed'],
    ['with a key that is none', { ...good, signature: { ...good.signature, public_key: 'AAAA' } }, 'malformed'],
  ])('is not replaced by one %s', async (_name, bundle, problem) => {
    const { holder, lines } = await load();
    await holder.take(signedBundle(signing, 4, FIRST, at(NOW)), '"four"');
    expect(await holder.take(bundle, '"bad"')).toBe(false);
    expect(holder.inForce.bundle!.version).toBe(4);
    expect(holder.etag).toBe('"four"');
    expect(holder.problem).toBe(problem);
    expect(lines.find(({ level }) => level === 50)).toMatchObject({ problem });
    expect((await load()).holder.inForce.bundle!.version).toBe(4);
    // And a good one is taken after that.
    expect(await holder.take(good, null)).toBe(true);
    expect([holder.problem, holder.inForce.bundle!.version]).toEqual([null, 5]);
  });

  test('is not replaced by the same version as it was signed before', async () => {
    const { holder } = await load();
    await holder.take(signedBundle(signing, 4, FIRST, at(NOW)), '"new"');
    expect(await holder.take(signedBundle(signing, 4, FIRST, at(NOW - DAY_MS)), '"old"')).toBe(false);
    expect(holder.etag).toBe('"new"');
  });

  test.each([
    ['changed on disk', 'policy.json', (text: string) => text.replace('alpha', 'omega'), 'bad_signature'],
    ['where the key that was pinned cannot be read', 'trust.json', () => '', 'key_lost'],
    [
      'where the key that was pinned is no key',
      'trust.json',
      () => '{"key_id":"pk_ours","public_key":"AAAA","version":1}',
      'key_lost',
    ],
    ['when it cannot be read', 'policy.json', () => '', 'policy_lost'],
    ['when it is nothing', 'policy.json', () => 'null', 'policy_lost'],
    ['when it is half', 'policy.json', (text: string) => text.slice(0, 100), 'policy_lost'],
    [
      'of another key than the one that was pinned',
      'trust.json',
      () => JSON.stringify({ key_id: other.keyId, public_key: other.publicKey, version: 1 }),
      'key_changed',
    ],
  ])('is not believed %s', async (_name, file, change, problem) => {
    const { holder } = await load();
    await holder.take(good, null);
    await writeFile(join(folder, file), change(await readFile(join(folder, file), 'utf8')));
    const again = await load('block');
    expect(again.holder.inForce).toMatchObject({ bundle: null, isRefusal: true });
    expect(again.holder.problem).toBe(problem);
    expect(again.lines.some(({ level }) => level === 50)).toBe(true);
  });

  test.each([
    ['cannot be read', () => writeFile(join(folder, 'trust.json'), '')],
    ['is gone', () => rm(join(folder, 'trust.json'))],
    [
      'cannot be opened',
      async () => {
        await rm(join(folder, 'trust.json'));
        await mkdir(join(folder, 'trust.json'));
      },
    ],
  ])('is taken from nobody where the key that was pinned %s, until the folder is cleared', async (_name, lose) => {
    const { holder } = await load();
    await holder.take(good, '"e"');
    await lose();
    const { holder: again, lines } = await load('block');
    expect(again.problem).toBe('key_lost');
    expect(again.etag).toBeNull();
    for (const bundle of [signedBundle(other, 9, SECOND, at(NOW)), good]) expect(await again.take(bundle, null)).toBe(false);
    again.confirm();
    expect(again).toMatchObject({ problem: 'key_lost', inForce: { bundle: null, isRefusal: true } });
    expect(lines.filter(({ level }) => level === 50).length).toBeGreaterThan(0);
    for (const name of ['trust.json', 'policy.json']) await rm(join(folder, name), { recursive: true, force: true });
    const fresh = (await load()).holder;
    expect(fresh.problem).toBeNull();
    expect(await fresh.take(good, null)).toBe(true);
  });

  test('does not go back after a restart either, even where its file is lost, which is told', async () => {
    const { holder } = await load();
    await holder.take(good, null);
    await rm(join(folder, 'policy.json'));
    const { holder: again, lines } = await load();
    expect(again.problem).toBe('policy_lost');
    expect(lines.find(({ level }) => level === 50)).toMatchObject({ problem: 'policy_lost' });
    expect(await again.take(signedBundle(signing, 4, SECOND, at(NOW + DAY_MS)), null)).toBe(false);
    expect(again.problem).toBe('downgraded');
    expect(await again.take(good, null)).toBe(true);
    expect(again.problem).toBeNull();
  });

  test('holds where the disk does not take it', async () => {
    const { holder, lines } = await load();
    await rm(folder, { recursive: true });
    expect(await holder.take(good, null)).toBe(true);
    expect(holder.inForce.bundle!.version).toBe(5);
    expect(lines.some(({ level }) => level === 50)).toBe(true);
  });
});

/** A bundle whose members are those given, signed as they are. */
function resigned(changes: object): object {
  const { signature: _signature, ...members } = { ...signedBundle(signing, 9, FIRST, at(NOW)), ...changes };
  const value = sign(null, Buffer.from(`svc-policy-bundle-v1\n${canonicalJson(members)}`), signing.key).toString('base64');
  return { ...members, signature: { algorithm: 'ed25519', key_id: signing.keyId, public_key: signing.publicKey, value } };
}

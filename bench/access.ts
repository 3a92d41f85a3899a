// How long it takes to know who asks: from the Authorization header to a principal (bar: 200 000 keys a second on one core).

import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { presentedBy } from '../packages/server/src/access/authenticator.ts';
import { createApiKey } from '../packages/server/src/api-keys/service.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { newUuid } from '../packages/server/src/ids.ts';
import { SYSTEM } from '../packages/server/src/organizations/service.ts';
import { startService } from '../packages/server/src/service.ts';
import type { Services } from '../packages/server/src/services.ts';
import { issueToken, startUserSession } from '../packages/server/src/sessions/service.ts';
import { createLog } from '../packages/server/src/telemetry/log.ts';

const KEYS = 900;
const CHECKS = 1_000_000;
const SLICE = 20_000;
const WARM_UP_SLICES = 5;

/** Prints the table. */
export async function benchAccess(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const config = readConfig({ SVC_DATA_DIR: dataDir, SVC_PORT: '0', SVC_LOG_LEVEL: 'error' });
  const running = await startService(config, createLog(config.logLevel).log, (err) => {
    throw err;
  });
  try {
    const { services, firstOrganization } = running;
    const keys = await makeKeys(services, firstOrganization!.keys.admin);
    const token = await makeToken(services, firstOrganization!.uuid, firstOrganization!.id);
    const secrets = keys.map((key) => `Bearer ${key}`);
    console.log('\nWho asks: from a header to a principal (yardstick: SHA-256 of the key and a look-up in a Map)\n');
    console.log('| what | µs | a second |\n| --- | ---: | ---: |');
    await print(`API keys, ${KEYS} in turn`, await checker(services, secrets));
    await print('one session token', await checker(services, [`Bearer ${token}`]));
    await print('a key that is mistyped', (i) =>
      services.authenticator.lookUp(presentedBy(`${secrets[i % KEYS]!}x`, undefined), Date.now()),
    );
    const known = new Map(secrets.map((secret) => [hash('sha256', secret, 'base64'), secret]));
    await print('yardstick', (i) => known.get(hash('sha256', secrets[i % KEYS]!, 'base64')));
  } finally {
    await running.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function makeKeys(services: Services, adminKey: string): Promise<string[]> {
  const creator = await services.authenticator.resolve({ by: 'bearer', value: adminKey }, Date.now());
  if (typeof creator === 'string') throw new Error(creator);
  const keys: string[] = [];
  for (let i = 0; i < KEYS; i++)
    keys.push((await createApiKey(services, creator, SYSTEM, newUuid(), { name: 'bench', type: 'live' })).key);
  return keys;
}

async function makeToken(services: Services, orgId: Buffer, id: string): Promise<string> {
  const user = { orgId, subject: 'ada', name: 'Ada', role: 'admin' as const, issuer: 'bench', idTokenDigest: newUuid() };
  const session = (await startUserSession(services, user, '127.0.0.1', async () => true))!;
  return (await issueToken(services, id, { ...session, subject: user.subject })).token;
}

/** Checks that every header is known and let in, and answers what checks one. */
async function checker({ authenticator }: Services, headers: readonly string[]): Promise<(i: number) => unknown> {
  for (const header of headers) {
    const verdict = await authenticator.resolve(presentedBy(header, undefined)!, Date.now());
    if (typeof verdict === 'string') throw new Error(verdict);
  }
  return (i) => {
    const verdict = authenticator.lookUp(presentedBy(headers[i % headers.length], undefined), Date.now());
    if (typeof verdict !== 'object') throw new Error('refused');
    return verdict;
  };
}

async function print(name: string, call: (i: number) => unknown): Promise<void> {
  let spentMs = 0;
  for (let slice = -WARM_UP_SLICES; slice < CHECKS / SLICE; slice++) {
    const startedAt = performance.now();
    for (let i = 0; i < SLICE; i++) call(i);
    if (slice >= 0) spentMs += performance.now() - startedAt;
    // Between slices the node learns what changed, without which it would stop trusting its memory.
    await new Promise((resolve) => setImmediate(resolve));
  }
  const us = (spentMs * 1_000) / CHECKS;
  console.log(`| ${name} | ${us.toFixed(2)} | ${Math.round(1e6 / us)} |`);
}

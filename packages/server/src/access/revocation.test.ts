// What is revoked or changed on one node holds on all, within a second, under load; and a node that cannot learn of it refuses.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startNodes, type Nodes } from '../testing/node-process.ts';
import { createTestDatabase } from '../testing/postgres.ts';
import { startTestService, type TestService } from '../testing/service.ts';

const EVERYWHERE_MS = 1_000;
const REVOCATIONS = 1_000;
const AT_ONCE = 100;
const LOAD_CONNECTIONS = 4;

async function send(baseUrl: string, method: string, path: string, key: string, body?: object) {
  const res = await fetch(baseUrl + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: res.status, body: (await res.json()) as { id: string; key: string; token: string } };
}

describe('with two processes on one database', () => {
  let nodes: Nodes;
  let here: string;
  let there: string;
  beforeAll(async () => {
    nodes = await startNodes(2, { SVC_TRUSTED_PROXIES: '127.0.0.0/8' });
    [here, there] = nodes.baseUrls as [string, string];
  });
  afterAll(() => nodes.close());

  const create = async () => (await send(here, 'POST', '/v1/api-keys', nodes.keys.admin, { name: 'k', type: 'live' })).body;
  // From an address of its own: refused credentials of one address are limited.
  let asked = 0;
  const statusOf = async (baseUrl: string, key: string): Promise<number> => {
    const address = `198.18.${(++asked >> 8) & 255}.${asked & 255}`;
    const headers = { authorization: `Bearer ${key}`, 'x-forwarded-for': address };
    const res = await fetch(`${baseUrl}/v1/organization`, { headers });
    await res.text();
    return res.status;
  };

  /** Milliseconds from the answer of the revocation until the other node refuses. Once it has, it must not accept again. */
  async function revokeAndWait({ id, key }: { id: string; key: string }): Promise<number> {
    expect((await send(here, 'DELETE', `/v1/api-keys/${id}`, nodes.keys.admin)).status).toBe(200);
    const revokedAt = performance.now();
    expect(await statusOf(here, key)).toBe(401);
    while ((await statusOf(there, key)) !== 401) {
      if (performance.now() - revokedAt > 10 * EVERYWHERE_MS) return Infinity;
    }
    const tookMs = performance.now() - revokedAt;
    expect(await statusOf(there, key)).toBe(401);
    return tookMs;
  }

  test(`${REVOCATIONS} revocations under load hold on both within a second`, { timeout: 240_000 }, async () => {
    const over = new AbortController();
    let assessed = 0;
    const load = nodes.baseUrls.flatMap((baseUrl) =>
      Array.from({ length: LOAD_CONNECTIONS }, async () => {
        while (!over.signal.aborted) {
          const { status } = await send(baseUrl, 'POST', '/v1/assessments', nodes.keys.live, { input: 'Hello' });
          expect(status).toBe(200);
          assessed++;
        }
      }),
    );
    const took: number[] = [];
    try {
      for (let round = 0; round < REVOCATIONS / AT_ONCE; round++) {
        const keys = await Promise.all(Array.from({ length: AT_ONCE }, create));
        // In the memory of both before it is revoked.
        const known = keys.flatMap(({ key }) => [statusOf(here, key), statusOf(there, key)]);
        expect(new Set(await Promise.all(known))).toEqual(new Set([200]));
        for (let i = 0; i < keys.length; i += 5) took.push(...(await Promise.all(keys.slice(i, i + 5).map(revokeAndWait))));
      }
    } finally {
      over.abort();
      await Promise.all(load);
    }
    expect(took).toHaveLength(REVOCATIONS);
    expect(Math.max(...took)).toBeLessThan(EVERYWHERE_MS);
    expect(assessed).toBeGreaterThan(REVOCATIONS);
  });

  test('a service account’s allowlist and deletion, and a policy, hold on the other within a second', async () => {
    const { body: account } = await send(here, 'POST', '/v1/service-accounts', nodes.keys.admin, {
      name: 'a',
      permissions: ['policy:read'],
    });
    expect(await statusOf(there, account.key)).toBe(200);
    const within = { timeout: EVERYWHERE_MS, interval: 5 };
    await send(here, 'PATCH', `/v1/service-accounts/${account.id}`, nodes.keys.admin, { ip_allowlist: ['192.0.2.0/24'] });
    await expect.poll(() => statusOf(there, account.key), within).toBe(403);
    await send(here, 'DELETE', `/v1/service-accounts/${account.id}`, nodes.keys.admin);
    await expect.poll(() => statusOf(there, account.key), within).toBe(401);
    const secret = { input: 'my card is 4111 1111 1111 1111' };
    const outcome = async () =>
      ((await send(there, 'POST', '/v1/assessments', nodes.keys.live, secret)).body as unknown as { outcome: string }).outcome;
    expect(await outcome()).toBe('flagged');
    await send(here, 'PUT', '/v1/policy', nodes.keys.admin, { detectors: { pii: { enabled: false } } });
    await expect.poll(outcome, within).toBe('allowed');
  });

  test('a candidate policy, and its end, hold on the other within a second', async () => {
    type Assessed = { shadow: { outcome: string } | null };
    const shadow = async () =>
      ((await send(there, 'POST', '/v1/assessments', nodes.keys.live, { input: 'ann@example.com' })).body as unknown as Assessed)
        .shadow;
    expect(await shadow()).toBeNull();
    const within = { timeout: EVERYWHERE_MS, interval: 5 };
    const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
    const candidate = (action: string) => ({
      policy: { detectors: { pii: { entities: { email: action } } } },
      sample_rate: 1,
      expires_at: expiresAt,
    });
    expect((await send(here, 'PUT', '/v1/policy/shadow', nodes.keys.admin, candidate('block'))).status).toBe(200);
    await expect.poll(async () => (await shadow())?.outcome, within).toBe('blocked');
    await send(here, 'PUT', '/v1/policy/shadow', nodes.keys.admin, candidate('flag'));
    await expect.poll(async () => (await shadow())?.outcome, within).toBe('flagged');
    // What both have recorded is in the tally of each.
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        send(i % 2 === 0 ? here : there, 'POST', '/v1/assessments', nodes.keys.live, { input: 'Hello' }),
      ),
    );
    type Tallied = { digest: string; tally: { assessed: number } };
    const tallyOf = async (baseUrl: string) =>
      (await send(baseUrl, 'GET', '/v1/policy/shadow', nodes.keys.live)).body as unknown as Tallied;
    const tallies = await Promise.all([here, there, here, there].map(tallyOf));
    type Listed = { data: { shadow: { policy: { digest: string } } | null }[] };
    const listed = (await send(here, 'GET', '/v1/assessments?limit=200', nodes.keys.live)).body as unknown as Listed;
    const recorded = listed.data.filter((one) => one.shadow?.policy.digest === tallies[0]!.digest).length;
    expect(recorded).toBeGreaterThan(40);
    expect(tallies.map(({ tally }) => tally.assessed)).toEqual([recorded, recorded, recorded, recorded]);
    await send(here, 'DELETE', '/v1/policy/shadow', nodes.keys.admin);
    await expect.poll(shadow, within).toBeNull();
  });

  test('the end of a session by an admin key ends its cookie on the other within a second', async () => {
    const opened = await fetch(`${here}/v1/auth/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${nodes.keys.admin}` },
    });
    const cookie = opened.headers.getSetCookie()[0]!.split(';')[0]!;
    const { session_id: id } = (await opened.json()) as { session_id: string };
    const status = async () => (await fetch(`${there}/v1/organization`, { headers: { cookie } })).status;
    expect(await status()).toBe(200);
    await send(here, 'DELETE', `/v1/sessions/${id}`, nodes.keys.admin);
    await expect.poll(status, { timeout: EVERYWHERE_MS, interval: 5 }).toBe(401);
  });
});

describe('a request that began before the revocation of its key and ends after it', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
  const make = async (type: string) =>
    (await service.request('POST', '/v1/api-keys', { key: service.organization.keys.admin, body: { name: 'k', type } })).body;
  const revoke = ({ id }: { id: string }) =>
    service.request('DELETE', `/v1/api-keys/${id}`, { key: service.organization.keys.admin });

  test('does nothing, when its body was long in coming', async () => {
    const key = await make('admin');
    const body = JSON.stringify({ name: 'smuggled', type: 'admin' });
    const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    const head = [
      'POST /v1/api-keys HTTP/1.1',
      'Host: a',
      `Authorization: Bearer ${key.key}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${body.slice(0, 5)}`);
    // The service has seen the head once it answers another request on the same loop.
    await expect.poll(async () => (await service.request('GET', '/healthz', { key: null })).status).toBe(200);
    await revoke(key);
    socket.write(body.slice(5));
    await expect.poll(() => answer).toContain('HTTP/1.1 401');
    socket.destroy();
    const { body: keys } = await service.request('GET', '/v1/api-keys?limit=200', { key: service.organization.keys.admin });
    expect(keys.data.map(({ name }: { name: string }) => name)).not.toContain('smuggled');
  });

  test('is told nothing more, when it waits for events', async () => {
    const key = await make('live');
    const { body: newest } = await service.request('GET', '/v1/events?limit=1');
    const after = newest.data[0].sequence;
    const path = `/v1/events?after_sequence=${after}&wait_s=20&kind=inference.allowed`;
    const waiting = service.request('GET', path, { key: key.key });
    await revoke(key);
    await service.request('POST', '/v1/assessments', { body: { input: 'Hello' } });
    expect((await waiting).status).toBe(401);
  });
});

describe('a node', () => {
  test('learns of a change although its notification was lost', async () => {
    const service = await startTestService();
    const { body: key } = await service.request('POST', '/v1/api-keys', {
      key: service.organization.keys.admin,
      body: { name: 'k', type: 'live' },
    });
    const status = async () => (await service.request('GET', '/v1/organization', { key: key.key })).status;
    expect(await status()).toBe(200);
    // As another node would, but for the NOTIFY.
    const { db } = service.services;
    await db.transaction(async (tx) => {
      await tx.query('UPDATE api_keys SET revoked_at = now() WHERE last4 = $1', [key.last4]);
      await tx.query('UPDATE change_counter SET last_sequence = last_sequence + 1');
      await tx.query('INSERT INTO changes SELECT last_sequence, $1, now() FROM change_counter', [key.id]);
    });
    await expect.poll(status, { timeout: EVERYWHERE_MS, interval: 5 }).toBe(401);
    await service.close();
  });

  test('that was away for longer than changes are kept forgets all it held', async () => {
    const service = await startTestService();
    const key = service.organization.keys.live;
    expect((await service.request('GET', '/v1/organization', { key })).status).toBe(200);
    const { db } = service.services;
    await db.transaction(async (tx) => {
      await tx.query('UPDATE api_keys SET revoked_at = now() WHERE last4 = $1', [key.slice(-4)]);
      await tx.query('UPDATE change_counter SET last_sequence = last_sequence + 1000');
    });
    const status = async () => (await service.request('GET', '/v1/organization', { key })).status;
    await expect.poll(status, { timeout: EVERYWHERE_MS, interval: 5 }).toBe(401);
    await service.close();
  });

  test(
    'that is cut off from the database stops answering from memory within a second, and goes on when it is back',
    { timeout: 60_000 },
    async () => {
      const cable = await startCable();
      const service = await startTestService({ SVC_DATABASE_URL: cable.url });
      const ask = async () => (await service.request('GET', '/v1/organization')).status;
      expect(await ask()).toBe(200);
      cable.cut();
      // What was known a moment ago may be told for one second; then no more, until the cable is mended.
      const cutAt = performance.now();
      await expect.poll(ask, { timeout: 5_000, interval: 20 }).toBe(503);
      expect(performance.now() - cutAt).toBeLessThan(2 * EVERYWHERE_MS + 500);
      expect(await Promise.all(Array.from({ length: 20 }, ask))).toEqual(Array(20).fill(503));
      cable.mend();
      await expect.poll(ask, { timeout: 20_000, interval: 50 }).toBe(200);
      await service.close();
      await cable.close();
    },
  );
});

/** A way to a fresh database that can be cut without either side noticing. */
async function startCable() {
  const database = await createTestDatabase();
  const target = new URL(database.url);
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('close', () => to.destroy());
      from.on('error', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => sockets.forEach((socket) => socket.pause()),
    mend: () => sockets.forEach((socket) => socket.resume()),
    async close() {
      sockets.forEach((socket) => socket.destroy());
      server.close();
      await database.drop();
    },
  };
}

test('keys keep working while the pepper they are stored under is not the current one, and are stored under that when used', async () => {
  const service: TestService = await startTestService();
  const client = new pg.Client(service.databaseUrl);
  await client.connect();
  const pepperOf = async (last4: string) =>
    (await client.query<{ pepper: string }>('SELECT pepper FROM api_keys WHERE last4 = $1', [last4])).rows[0]!.pepper;
  const { live, test: other } = service.organization.keys;
  await service.services.journal.transaction(async (tx, _record, expire) => {
    await tx.query('UPDATE instance SET pepper = $1', [service.services.peppers.next]);
    expire('pepper');
  });
  await expect.poll(() => service.services.peppers.current).toBe('pepper-2');
  expect((await service.request('GET', '/v1/organization', { key: live })).status).toBe(200);
  expect(await pepperOf(live.slice(-4))).toBe('pepper-2');
  expect(await pepperOf(other.slice(-4))).toBe('pepper-1');
  await client.end();
  await service.close();
});

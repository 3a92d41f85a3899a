// Promises about downloads: those who do not read take nothing from the others, and do not stay for ever.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildApp, type App } from '../app.ts';
import { newUuid, parseId } from '../ids.ts';
import { startTestService, type TestService } from '../testing/service.ts';
import { Downloads } from './downloads.ts';

type Json = ReturnType<typeof JSON.parse>;

const UNDER_WAY_MAX = 8;
const IDLE_MS = 2_000;
/** More than the buffers of two sockets take. */
const EVENTS = 200;
const EVENT_BYTES = 100_000;

let service: TestService;
let db: pg.Client;
/** The same service behind another port, where clients are waited for no longer than a test takes. */
let app: App;
let port: number;
let made: Json;
let sockets: Socket[] = [];
/** The ports of all clients that the server has a connection to. */
const served = new Set<number | undefined>();

beforeAll(async () => {
  service = await startTestService();
  db = new pg.Client(service.databaseUrl);
  await db.connect();
  app = buildApp({ ...service.services, downloads: new Downloads({ idleMs: IDLE_MS }) });
  app.fastify.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    served.add(remotePort);
    socket.once('close', () => served.delete(remotePort));
  });
  await app.fastify.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = app.fastify.server.address() as AddressInfo);
  await Promise.all(
    Array.from({ length: EVENTS }, () =>
      service.services.journal.append({
        orgId: parseId('org', service.organization.id)!,
        id: newUuid(),
        kind: 'inference.allowed',
        occurredAtMs: Date.now(),
        actor: { type: 'api_key', id: 'key_1', ip: null },
        model: null,
        subjectUser: null,
        subjectSession: null,
        subjectAgent: null,
        externalId: null,
        categories: [],
        data: JSON.stringify({ outcome: 'allowed', note: randomBytes((EVENT_BYTES * 3) / 4).toString('base64') }),
      }),
    ),
  );
  const { body } = await service.request('POST', '/v1/exports', { body: { format: 'jsonl' } });
  const state = async () => (made = (await service.request('GET', `/v1/exports/${body.id}`)).body).state;
  await vi.waitUntil(async () => (await state()) === 'ready', { timeout: 40_000 });
}, 60_000);
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
  await db.end();
  await service.close();
});

/** Asks for the bundle, and reads nothing. */
function ask(): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  socket.pause();
  const key = service.organization.keys.live;
  socket.write(`GET /v1/exports/${made.id}/bundle HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  sockets.push(socket);
  return socket;
}

const request = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${service.organization.keys.live}`, ...headers },
  });
/** Of those that do not read, how many the server still serves. */
const connectionsOfSockets = () => sockets.filter(({ localPort }) => served.has(localPort)).length;

describe('downloads', () => {
  test('of which none is read on leave lists as they are, are eight at a time, and end', async () => {
    sockets = Array.from({ length: UNDER_WAY_MAX }, ask);
    // Each has its answer begun.
    await Promise.all(sockets.map((socket) => once(socket, 'readable')));
    for (const path of ['/v1/events', '/v1/exports', '/v1/api-keys']) {
      const res = await service.request('GET', path, { key: service.organization.keys.admin });
      expect([path, res.status]).toEqual([path, 200]);
    }
    const ninth = await request(`/v1/exports/${made.id}/bundle`);
    expect(ninth.status).toBe(429);
    expect([ninth.headers.get('retry-after'), ninth.headers.get('content-disposition')]).toEqual(['5', null]);
    expect(await ninth.json()).toMatchObject({ error: { code: 'rate_limited', details: [{ message: 'limit: downloads, 8' }] } });
    const other = await service.createOrganization();
    const theirs = await fetch(`http://127.0.0.1:${port}/v1/exports/${made.id}/bundle`, {
      headers: { authorization: `Bearer ${other.keys.live}` },
    });
    expect(theirs.status).toBe(404);
    await expect.poll(connectionsOfSockets, { timeout: 20_000 }).toBe(0);
    // What had been sent until then was not all of it.
    for (const socket of sockets) {
      let bytes = 0;
      socket.on('data', (some: Buffer) => (bytes += some.length));
      if (!socket.closed) await once(socket, 'close');
      expect(bytes).toBeLessThan(made.download.bytes);
    }
    const rest = await request(`/v1/exports/${made.id}/bundle`, { range: 'bytes=1000-' });
    expect(rest.status).toBe(206);
    expect((await rest.arrayBuffer()).byteLength).toBe(made.download.bytes - 1_000);
  }, 60_000);

  test('read from the database two at a time, so that a connection is left for lists', async () => {
    const lock = new pg.Client(service.databaseUrl);
    await lock.connect();
    await lock.query('BEGIN; LOCK TABLE export_chunks IN ACCESS EXCLUSIVE MODE');
    sockets = Array.from({ length: UNDER_WAY_MAX }, ask);
    const waiting = async () =>
      (
        await db.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FROM export_chunks%'`,
        )
      ).rows.length;
    await expect.poll(waiting, { timeout: 10_000 }).toBe(2);
    expect((await request('/v1/events')).status).toBe(200);
    expect(await waiting()).toBe(2);
    await lock.query('ROLLBACK');
    await lock.end();
    for (const socket of sockets) socket.destroy();
    // Who goes away makes room.
    await expect.poll(async () => (await request(`/v1/exports/${made.id}/bundle`, { range: 'bytes=0-9' })).status).toBe(206);
  }, 30_000);
});

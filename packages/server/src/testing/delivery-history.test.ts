// The checker of histories finds what is wrong: for each promise a history that breaks it.

import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newUuid, uuidText } from '../ids.ts';
import { openDatabase, type Database } from '../storage/database.ts';
import { migrate } from '../storage/migrate.ts';
import { checkHistory, type WatchedEndpoint } from './delivery-history.ts';
import type { Reception } from './delivery-receivers.ts';
import { createTestDatabase, type TestDatabase } from './postgres.ts';

const newText = () => uuidText(newUuid());

let database: TestDatabase;
let db: Database;
/** One event, delivered to one endpoint at the first attempt. */
let endpoint: WatchedEndpoint;
let eventId: string;
let deliveryId: string;
let reception: Reception;

beforeAll(async () => {
  database = await createTestDatabase();
  db = openDatabase(database.url, () => undefined);
  await migrate(db);
});
beforeEach(async () => {
  const orgId = newText();
  [eventId, deliveryId] = [newText(), newText()];
  endpoint = { orgId, id: newText(), kinds: ['inference.flagged'], isHealthy: true, afterSequence: 1 };
  await db.query(
    `INSERT INTO events (org_id, sequence, id, kind, occurred_at, recorded_at, actor_type, data)
     VALUES ($1, 1, $2, 'inference.flagged', now(), now(), 'system', '{}'), ($1, 2, $3, 'inference.flagged', now(), now(), 'system', '{}')`,
    [orgId, newText(), eventId],
  );
  await db.query(
    `INSERT INTO deliveries (org_id, id, endpoint_id, event_id, sequence, kind, state, attempts, due_at, created_at)
     VALUES ($1, $2, $3, $4, 2, 'inference.flagged', 'succeeded', 1, now(), now())`,
    [orgId, deliveryId, endpoint.id, eventId],
  );
  await db.query(
    `INSERT INTO attempts (org_id, delivery_id, number, trigger, started_at, latency_ms) VALUES ($1, $2, 1, 'event', now(), 1)`,
    [orgId, deliveryId],
  );
  reception = { endpointId: endpoint.id, eventId, deliveryId, attempt: 1, bodyHash: 'a', isGenuine: true };
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const check = (receptions: readonly Reception[] = [reception], answered = eventId) =>
  checkHistory(db, [endpoint], receptions, new Set([answered]));

test('a history in order has no violation', async () => {
  expect(await check()).toEqual({
    events: 2,
    deliveries: 1,
    healthyDeliveries: 1,
    receptions: 1,
    duplicates: 0,
    interrupted: 0,
    violations: [],
  });
});

test.each([
  ['a delivery that is missing', 'DELETE FROM deliveries WHERE id = $1', 'has 0 deliveries'],
  ['a delivery that waits', "UPDATE deliveries SET state = 'pending' WHERE id = $1", 'is pending after 1 attempts'],
  [
    'a delivery that no one holds',
    "UPDATE deliveries SET state = 'in_flight', attempts = 2, lease_until = now() - interval '1 minute' WHERE id = $1",
    'no one will make it',
  ],
  ['an attempt that is missing', 'DELETE FROM attempts WHERE delivery_id = $1', 'began 1 attempts and has those numbered '],
  ['an attempt with another number', 'UPDATE attempts SET number = 2 WHERE delivery_id = $1', 'has those numbered 2'],
  [
    'a delivery of another kind',
    "UPDATE events SET kind = 'x' WHERE id = (SELECT event_id FROM deliveries WHERE id = $1)",
    'does not listen to',
  ],
])('%s is found', async (_name, statement, violation) => {
  await db.query(statement, [deliveryId]);
  expect((await check()).violations).toContainEqual(expect.stringContaining(violation));
});

test.each<[string, (good: Reception) => Reception[], string]>([
  ['an event that was never committed', (good) => [good, { ...good, eventId: newText() }], 'was never committed'],
  ['a wrong signature', (good) => [{ ...good, isGenuine: false }], 'is not signed'],
  ['another body', (good) => [good, { ...good, bodyHash: 'b' }], 'differs'],
  ['an attempt that was not begun', (good) => [{ ...good, attempt: 2 }], 'is attempt 2 of 1'],
  ['a delivery of another endpoint', (good) => [good, { ...good, endpointId: newText() }], 'names another delivery'],
  ['an arrival that is missing', () => [], 'never reached'],
  ['a second arrival without an interruption', (good) => [good, good], 'arrived 2 times with 0 interruptions'],
])('%s is found', async (_name, receptionsOf, violation) => {
  expect((await check(receptionsOf(reception))).violations).toContainEqual(expect.stringContaining(violation));
});

test('an answered event that is not in the trail is found', async () => {
  expect((await check([reception], newText())).violations).toContainEqual(expect.stringContaining('is not in the trail'));
});

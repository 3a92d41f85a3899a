// SQL over endpoints (webhooks and integrations), their deliveries and attempts.

import { idFromUuidText, uuidText } from '../ids.ts';
import type { Queryable } from '../storage/database.ts';

/** Where events are sent. */
export interface Endpoint {
  readonly uuid: Buffer;
  /** `webhook`, or the kind of an integration. */
  readonly kind: string;
  readonly mode: 'live' | 'test';
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly config: Readonly<Record<string, unknown>> | null;
  readonly events: readonly string[];
  readonly sealedSecret: Buffer;
  readonly sealedOldSecret: Buffer | null;
  readonly oldSecretUntilMs: number | null;
  readonly rotationId: Buffer | null;
  readonly status: 'active' | 'paused';
  readonly failingSinceMs: number | null;
  readonly lastSuccessAtMs: number | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

interface EndpointRow {
  readonly id: string;
  readonly kind: string;
  readonly mode: 'live' | 'test';
  readonly name: string | null;
  readonly description: string | null;
  readonly url: string | null;
  readonly config: Record<string, unknown> | null;
  readonly events: string[];
  readonly sealed_secret: Buffer;
  readonly sealed_old_secret: Buffer | null;
  readonly old_secret_until: Date | null;
  readonly rotation_id: string | null;
  readonly status: 'active' | 'paused';
  readonly failing_since: Date | null;
  readonly last_success_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const COLUMNS = `id, kind, mode, name, description, url, config, events, sealed_secret, sealed_old_secret, old_secret_until, rotation_id,
  status, failing_since, last_success_at, created_at, updated_at`;

const uuidOf = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex');

function endpointOf(row: EndpointRow): Endpoint {
  return {
    uuid: uuidOf(row.id),
    kind: row.kind,
    mode: row.mode,
    name: row.name,
    description: row.description,
    url: row.url,
    config: row.config,
    events: row.events,
    sealedSecret: row.sealed_secret,
    sealedOldSecret: row.sealed_old_secret,
    oldSecretUntilMs: row.old_secret_until?.getTime() ?? null,
    rotationId: row.rotation_id === null ? null : uuidOf(row.rotation_id),
    status: row.status,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    lastSuccessAtMs: row.last_success_at?.getTime() ?? null,
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  };
}

/** Which endpoints a caller means: webhooks or integrations; those of test keys alone where it is one. */
export interface EndpointScope {
  readonly orgId: Buffer;
  readonly isWebhook: boolean;
  readonly isTest: boolean;
}

/** SQL: `$1` organization, `$2` webhooks or integrations, `$3` test ones alone. */
const IN_SCOPE = "org_id = $1 AND (kind = 'webhook') = $2 AND (NOT $3 OR mode = 'test') AND deleted_at IS NULL";
const scopeValues = ({ orgId, isWebhook, isTest }: EndpointScope) => [uuidText(orgId), isWebhook, isTest];

export type NewEndpoint = Pick<
  Endpoint,
  'uuid' | 'kind' | 'mode' | 'name' | 'description' | 'url' | 'config' | 'events' | 'sealedSecret' | 'createdAtMs'
> & { readonly orgId: Buffer };

export async function insertEndpoint(db: Queryable, endpoint: NewEndpoint): Promise<Endpoint> {
  const { rows } = await db.query<EndpointRow>(
    `INSERT INTO endpoints (org_id, id, kind, mode, name, description, url, config, events, sealed_secret, status, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'active', $11, $11) RETURNING ${COLUMNS}`,
    [
      uuidText(endpoint.orgId),
      uuidText(endpoint.uuid),
      endpoint.kind,
      endpoint.mode,
      endpoint.name,
      endpoint.description,
      endpoint.url,
      endpoint.config === null ? null : JSON.stringify(endpoint.config),
      endpoint.events,
      endpoint.sealedSecret,
      new Date(endpoint.createdAtMs),
    ],
  );
  return endpointOf(rows[0]!);
}

export async function findEndpoint(db: Queryable, scope: EndpointScope, id: Buffer): Promise<Endpoint | null> {
  const { rows } = await db.query<EndpointRow>(`SELECT ${COLUMNS} FROM endpoints WHERE ${IN_SCOPE} AND id = $4`, [
    ...scopeValues(scope),
    uuidText(id),
  ]);
  return rows[0] === undefined ? null : endpointOf(rows[0]);
}

/** Newest first; ids are ascending in time. */
export async function listEndpoints(
  db: Queryable,
  scope: EndpointScope,
  before: Buffer | null,
  limit: number,
): Promise<Endpoint[]> {
  const { rows } = await db.query<EndpointRow>(
    `SELECT ${COLUMNS} FROM endpoints WHERE ${IN_SCOPE} AND ($4::uuid IS NULL OR id < $4) ORDER BY id DESC LIMIT $5`,
    [...scopeValues(scope), before === null ? null : uuidText(before), limit],
  );
  return rows.map(endpointOf);
}

export async function countEndpoints(db: Queryable, { orgId, isWebhook }: EndpointScope): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    "SELECT count(*)::int AS count FROM endpoints WHERE org_id = $1 AND (kind = 'webhook') = $2 AND deleted_at IS NULL",
    [uuidText(orgId), isWebhook],
  );
  return rows[0]!.count;
}

/** Stores what an endpoint is now; `null`: it is not there any more. */
export async function updateEndpoint(db: Queryable, scope: EndpointScope, endpoint: Endpoint): Promise<Endpoint | null> {
  const { rows } = await db.query<EndpointRow>(
    `UPDATE endpoints SET name = $5, description = $6, url = $7, config = $8, events = $9, sealed_secret = $10, sealed_old_secret = $11,
            old_secret_until = $12, rotation_id = $13, updated_at = $14
      WHERE ${IN_SCOPE} AND id = $4 RETURNING ${COLUMNS}`,
    [
      ...scopeValues(scope),
      uuidText(endpoint.uuid),
      endpoint.name,
      endpoint.description,
      endpoint.url,
      endpoint.config === null ? null : JSON.stringify(endpoint.config),
      endpoint.events,
      endpoint.sealedSecret,
      endpoint.sealedOldSecret,
      endpoint.oldSecretUntilMs === null ? null : new Date(endpoint.oldSecretUntilMs),
      endpoint.rotationId === null ? null : uuidText(endpoint.rotationId),
      new Date(endpoint.updatedAtMs),
    ],
  );
  return rows[0] === undefined ? null : endpointOf(rows[0]);
}

/** Deletes an endpoint; false: it is not there. What is queued for it is not sent any more, and is cancelled by and by. */
export async function deleteEndpoint(db: Queryable, scope: EndpointScope, id: Buffer, atMs: number): Promise<boolean> {
  const { rowCount } = await db.query(`UPDATE endpoints SET deleted_at = $5 WHERE ${IN_SCOPE} AND id = $4`, [
    ...scopeValues(scope),
    uuidText(id),
    new Date(atMs),
  ]);
  return rowCount === 1;
}

export const DELIVERY_STATES = ['pending', 'in_flight', 'parked', 'succeeded', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What is to be sent to an endpoint, or was. */
export interface Delivery {
  readonly uuid: Buffer;
  readonly eventId: Buffer;
  readonly sequence: number | null;
  readonly kind: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly dueAtMs: number | null;
  readonly createdAtMs: number;
  readonly finishedAtMs: number | null;
}

interface DeliveryRow {
  readonly id: string;
  readonly event_id: string;
  readonly sequence: string | null;
  readonly kind: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  readonly due_at: Date;
  readonly created_at: Date;
  readonly finished_at: Date | null;
}

const DELIVERY_COLUMNS = 'id, event_id, sequence, kind, state, attempts, due_at, created_at, finished_at';

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    uuid: uuidOf(row.id),
    eventId: uuidOf(row.event_id),
    sequence: row.sequence === null ? null : Number(row.sequence),
    kind: row.kind,
    state: row.state,
    attempts: row.attempts,
    dueAtMs: row.state === 'pending' ? row.due_at.getTime() : null,
    createdAtMs: row.created_at.getTime(),
    finishedAtMs: row.finished_at?.getTime() ?? null,
  };
}

/** Newest event first. */
export async function listDeliveries(
  db: Queryable,
  orgId: Buffer,
  endpointId: Buffer,
  filter: { readonly state?: DeliveryState | undefined; readonly kind?: string | undefined },
  before: Buffer | null,
  limit: number,
): Promise<Delivery[]> {
  const { rows } = await db.query<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries
      WHERE org_id = $1 AND endpoint_id = $2 AND ($3::text IS NULL OR state = $3) AND ($4::text IS NULL OR kind = $4)
        AND ($5::uuid IS NULL OR id < $5)
      ORDER BY id DESC LIMIT $6`,
    [
      uuidText(orgId),
      uuidText(endpointId),
      filter.state ?? null,
      filter.kind ?? null,
      before === null ? null : uuidText(before),
      limit,
    ],
  );
  return rows.map(deliveryOf);
}

export async function findDelivery(db: Queryable, orgId: Buffer, endpointId: Buffer, id: Buffer): Promise<Delivery | null> {
  const { rows } = await db.query<DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE org_id = $1 AND endpoint_id = $2 AND id = $3`,
    [uuidText(orgId), uuidText(endpointId), uuidText(id)],
  );
  return rows[0] === undefined ? null : deliveryOf(rows[0]);
}

/** An attempt that has ended. */
export interface RecordedAttempt {
  readonly number: number;
  readonly trigger: string;
  readonly startedAtMs: number;
  readonly latencyMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
}

// A delivery that is retried by hand for ever does not make its page endless.
const ATTEMPTS_SHOWN_MAX = 100;

/** The latest attempts of a delivery, oldest first. */
export async function listAttempts(db: Queryable, orgId: Buffer, deliveryId: Buffer): Promise<RecordedAttempt[]> {
  const { rows } = await db.query<{
    number: number;
    trigger: string;
    started_at: Date;
    latency_ms: number;
    status: number | null;
    error: string | null;
    answer: string | null;
  }>(
    `SELECT number, trigger, started_at, latency_ms, status, error, answer FROM attempts
      WHERE org_id = $1 AND delivery_id = $2 ORDER BY number DESC LIMIT ${ATTEMPTS_SHOWN_MAX}`,
    [uuidText(orgId), uuidText(deliveryId)],
  );
  return rows.toReversed().map((row) => ({
    number: row.number,
    trigger: row.trigger,
    startedAtMs: row.started_at.getTime(),
    latencyMs: row.latency_ms,
    status: row.status,
    error: row.error,
    answer: row.answer,
  }));
}

/** Makes a delivery due now, for one more attempt; false: one is under way, or the delivery was cancelled. */
export async function retryDelivery(db: Queryable, orgId: Buffer, id: Buffer, nowMs: number): Promise<boolean> {
  const { rowCount } = await db.query(
    `UPDATE deliveries SET state = 'pending', trigger = 'manual', due_at = $3, finished_at = NULL,
            former_state = coalesce(former_state, state), former_due_at = coalesce(former_due_at, due_at)
      WHERE org_id = $1 AND id = $2 AND state IN ('pending', 'parked', 'succeeded', 'failed')`,
    [uuidText(orgId), uuidText(id), new Date(nowMs)],
  );
  return rowCount === 1;
}

/** Gives deliveries that failed since a time the whole schedule again, `limit` at once, oldest first. Answers how many. */
export async function recoverDeliveries(
  db: Queryable,
  orgId: Buffer,
  endpointId: Buffer,
  sinceMs: number,
  nowMs: number,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(
    `UPDATE deliveries SET trigger = 'recover', failures = 0, due_at = $4, finished_at = NULL,
            state = (SELECT CASE status WHEN 'paused' THEN 'parked' ELSE 'pending' END FROM endpoints WHERE org_id = $1 AND id = $2)
      WHERE org_id = $1 AND id IN (
        SELECT id FROM deliveries WHERE org_id = $1 AND endpoint_id = $2 AND state = 'failed' AND created_at >= $3 ORDER BY id LIMIT $5
        FOR UPDATE)`,
    [uuidText(orgId), uuidText(endpointId), new Date(sinceMs), new Date(nowMs), limit],
  );
  return rowCount ?? 0;
}

/** The event of a delivery, as it is sent; `null`: it is not kept any more. */
export async function findDeliveredEvent(
  db: Queryable,
  orgId: Buffer,
  { sequence, eventId, kind }: Delivery,
): Promise<{
  occurredAtMs: number;
  recordedAtMs: number;
  actorType: string;
  actorId: string | null;
  data: string;
  kind: string;
} | null> {
  const sql =
    sequence === null
      ? "SELECT created_at AS occurred_at, created_at AS recorded_at, 'api_key' AS actor_type, NULL AS actor_id, data FROM test_assessments WHERE org_id = $1 AND id = $2"
      : 'SELECT occurred_at, recorded_at, actor_type, actor_id, data FROM events WHERE org_id = $1 AND id = $2';
  const { rows } = await db.query<{
    occurred_at: Date;
    recorded_at: Date;
    actor_type: string;
    actor_id: string | null;
    data: string;
  }>(sql, [uuidText(orgId), uuidText(eventId)]);
  const row = rows[0];
  if (row === undefined) return null;
  return {
    occurredAtMs: row.occurred_at.getTime(),
    recordedAtMs: row.recorded_at.getTime(),
    actorType: row.actor_type,
    actorId: row.actor_id,
    data: row.data,
    kind,
  };
}

/** As the API names an endpoint. */
export function endpointId(kind: string, uuid: Buffer): string {
  return idFromUuidText(kind === 'webhook' ? 'wh' : 'int', uuid.toString('hex'));
}

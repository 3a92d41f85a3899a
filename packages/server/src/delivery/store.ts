// SQL of the queue: claim, finish, reap. Any number of workers on any number of nodes may run it.
//
// A delivery goes pending → in_flight → succeeded, or back to pending for the next attempt, or failed after the last one; parked, where its
// endpoint is paused. Times come from the caller's clock, in Unix milliseconds.

import { uuidText } from '../ids.ts';
import { deliveryIdOf, listens } from '../journal/queue.ts';
import type { Database, Queryable } from '../storage/database.ts';
import { LEASE_MS, PAUSE_AFTER_MS, PROBE_INTERVAL_MS } from './schedule.ts';

/** What a worker needs to make an attempt. Ids are PostgreSQL's text form. */
export interface Claimed {
  readonly orgId: string;
  readonly id: string;
  readonly claim: string;
  readonly endpointId: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly failures: number;
  readonly trigger: string;
  readonly eventId: string;
  readonly sequence: number | null;
  readonly kind: string;
  readonly mode: 'live' | 'test';
  readonly endpoint: {
    readonly kind: string;
    readonly url: string | null;
    readonly config: Readonly<Record<string, unknown>> | null;
    readonly sealedSecret: Buffer;
    readonly sealedOldSecret: Buffer | null;
    readonly oldSecretUntilMs: number | null;
  };
  /** `null`: it is not kept any more. */
  readonly event: ClaimedEvent | null;
}

/** The event of a delivery, as it was recorded. */
interface ClaimedEvent {
  readonly occurredAtMs: number;
  readonly recordedAtMs: number;
  readonly actorType: string;
  readonly actorId: string | null;
  readonly data: string;
}

/** A delivery whose event is still there to be sent. */
export type Sendable = Claimed & { readonly event: ClaimedEvent };

/**
 * Healthy endpoints and failing ones are served apart, so that however many are dead, and hold a worker for five seconds each, the others wait
 * for none of them.
 */
export type Lane = 'healthy' | 'failing';

// In flight at once: a receiver that answers in 10 ms gets 800 a second. One that fails is asked one thing at a time.
const IN_FLIGHT_MAX: Readonly<Record<Lane, number>> = { healthy: 8, failing: 1 };
// What vendors take in a request; they get two at once.
const BATCH = 100;
const PROBED_AMONG = 20;
// Endpoints locked by one claim: more would hold their locks for longer.
const ENDPOINTS_AT_ONCE = 64;
// Endpoints that a sweep looks at, those that were served longest ago first.
const SWEPT_MAX = 5_000;

/*
 * Endpoints with something to do, each found by one probe of an index: from one (org_id, endpoint_id) to the next, whatever lies between. The
 * same for what is parked, which is due where its endpoint is active again, or is to be probed.
 */
const SWEEP = `
WITH RECURSIVE pending AS (
  (SELECT org_id, endpoint_id FROM deliveries WHERE state = 'pending' ORDER BY org_id, endpoint_id LIMIT 1)
  UNION ALL
  SELECT n.org_id, n.endpoint_id FROM pending p CROSS JOIN LATERAL (
    SELECT org_id, endpoint_id FROM deliveries
     WHERE state = 'pending' AND (org_id, endpoint_id) > (p.org_id, p.endpoint_id) ORDER BY org_id, endpoint_id LIMIT 1) n
), parked AS (
  (SELECT org_id, endpoint_id FROM deliveries WHERE state = 'parked' ORDER BY org_id, endpoint_id LIMIT 1)
  UNION ALL
  SELECT n.org_id, n.endpoint_id FROM parked p CROSS JOIN LATERAL (
    SELECT org_id, endpoint_id FROM deliveries
     WHERE state = 'parked' AND (org_id, endpoint_id) > (p.org_id, p.endpoint_id) ORDER BY org_id, endpoint_id LIMIT 1) n
)
SELECT DISTINCT org_id FROM (
  (SELECT p.org_id, p.endpoint_id FROM pending p
    WHERE EXISTS (SELECT 1 FROM deliveries d WHERE d.org_id = p.org_id AND d.endpoint_id = p.endpoint_id AND d.state = 'pending' AND d.due_at <= $1))
  UNION
  (SELECT p.org_id, p.endpoint_id FROM parked p JOIN endpoints e ON e.org_id = p.org_id AND e.id = p.endpoint_id
    WHERE e.status = 'active' OR e.next_probe_at <= $1)) due
LIMIT ${SWEPT_MAX}`;

/** The organizations that have something to send. */
export async function listOrganizationsDue(db: Queryable, nowMs: number): Promise<string[]> {
  const { rows } = await db.query<{ org_id: string }>({ name: 'sweep_deliveries', text: SWEEP, values: [new Date(nowMs)] });
  return rows.map(({ org_id: orgId }) => orgId);
}

/*
 * First the endpoints are locked, those that were served longest ago first; what another worker holds is left to it. Then, in a statement of
 * its own, which sees what the last holder of each lock committed, deliveries are picked up to what is free of the endpoint's share: were it one
 * statement, two workers would each count without the other's.
 */
const LOCK = `
SELECT e.id FROM endpoints e
  LEFT JOIN LATERAL (SELECT true AS any FROM deliveries d
    WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.state = 'pending' AND d.due_at <= $3 ORDER BY d.due_at LIMIT 1) pending ON true
  LEFT JOIN LATERAL (SELECT true AS any FROM deliveries d
    WHERE d.org_id = e.org_id AND d.endpoint_id = e.id AND d.state = 'parked' ORDER BY d.id LIMIT 1) parked ON true
 WHERE e.org_id = ANY ($1::uuid[]) AND e.deleted_at IS NULL AND (e.failing_since IS NOT NULL) = $2
   AND (pending.any OR (parked.any AND (e.status = 'active' OR e.next_probe_at <= $3)))
 ORDER BY e.last_claim_at LIMIT ${ENDPOINTS_AT_ONCE} FOR NO KEY UPDATE OF e SKIP LOCKED`;

const PICK = `
WITH share AS MATERIALIZED (
  SELECT e.org_id, e.id, e.status, e.next_probe_at, e.last_claim_at,
         CASE WHEN e.kind IN ('datadog', 'splunk') THEN ${BATCH} * least($4::int, 2) ELSE $4::int END - (SELECT count(*) FROM deliveries f WHERE f.org_id = e.org_id AND f.endpoint_id = e.id AND f.state = 'in_flight') AS free
    FROM endpoints e WHERE e.org_id = ANY ($1::uuid[]) AND e.id = ANY ($2::uuid[])
), due AS (
  SELECT p.org_id, p.id, p.endpoint_id, s.last_claim_at, false AS is_probe FROM share s CROSS JOIN LATERAL (
    SELECT d.org_id, d.id, d.endpoint_id FROM deliveries d
     WHERE d.org_id = s.org_id AND d.endpoint_id = s.id AND d.state = 'pending' AND d.due_at <= $3
     ORDER BY d.due_at, d.id LIMIT greatest(0, s.free) FOR UPDATE SKIP LOCKED) p
), waiting AS (
  -- What was parked, once its endpoint is active again.
  SELECT p.org_id, p.id, p.endpoint_id, s.last_claim_at, false AS is_probe FROM share s CROSS JOIN LATERAL (
    SELECT d.org_id, d.id, d.endpoint_id FROM deliveries d
     WHERE d.org_id = s.org_id AND d.endpoint_id = s.id AND d.state = 'parked' AND s.status = 'active'
     ORDER BY d.id LIMIT greatest(0, s.free - (SELECT count(*) FROM due WHERE due.endpoint_id = s.id)) FOR UPDATE SKIP LOCKED) p
), probes AS (
  -- Or, of a paused one that is to be tried, any of the oldest: one event that it never takes must not be all that it is asked.
  SELECT p.org_id, p.id, p.endpoint_id, s.last_claim_at, true AS is_probe FROM share s CROSS JOIN LATERAL (
    SELECT d.org_id, d.id, d.endpoint_id FROM (
      SELECT * FROM deliveries d
       WHERE d.org_id = s.org_id AND d.endpoint_id = s.id AND d.state = 'parked' AND s.status = 'paused' AND s.next_probe_at <= $3
       ORDER BY d.id LIMIT ${PROBED_AMONG} FOR UPDATE SKIP LOCKED) d
     ORDER BY random() LIMIT 1) p
), picked AS (
  SELECT * FROM due UNION ALL SELECT * FROM waiting UNION ALL SELECT * FROM probes ORDER BY last_claim_at LIMIT $5
), touched AS (
  UPDATE endpoints e SET last_claim_at = clock_timestamp(),
         next_probe_at = CASE WHEN p.is_probe THEN $3::timestamptz + interval '${PROBE_INTERVAL_MS} milliseconds' ELSE e.next_probe_at END
    FROM (SELECT org_id, endpoint_id, bool_or(is_probe) AS is_probe FROM picked GROUP BY 1, 2) p
   WHERE e.org_id = p.org_id AND e.id = p.endpoint_id
), claimed AS (
  UPDATE deliveries d
     SET state = 'in_flight', attempts = d.attempts + 1, claim = gen_random_uuid(),
         trigger = CASE WHEN p.is_probe THEN 'probe' WHEN d.trigger = 'probe' THEN 'event' ELSE d.trigger END,
         lease_until = $3::timestamptz + interval '${LEASE_MS} milliseconds'
    FROM picked p WHERE d.org_id = p.org_id AND d.id = p.id
  RETURNING d.*
)
SELECT c.org_id, c.id, c.claim, c.endpoint_id, c.attempts, c.failures, c.trigger, c.event_id, c.sequence, c.kind, e.mode,
       e.kind AS endpoint_kind, e.url, e.config, e.sealed_secret, e.sealed_old_secret, e.old_secret_until,
       coalesce(v.occurred_at, t.created_at) AS occurred_at, coalesce(v.recorded_at, t.created_at) AS recorded_at,
       v.actor_type, v.actor_id, coalesce(v.data, t.data) AS data
  FROM claimed c JOIN endpoints e ON e.org_id = c.org_id AND e.id = c.endpoint_id
  LEFT JOIN events v ON c.sequence IS NOT NULL AND v.org_id = c.org_id AND v.id = c.event_id
  LEFT JOIN test_assessments t ON c.sequence IS NULL AND t.org_id = c.org_id AND t.id = c.event_id`;

interface ClaimedRow {
  readonly org_id: string;
  readonly id: string;
  readonly claim: string;
  readonly endpoint_id: string;
  readonly attempts: number;
  readonly failures: number;
  readonly trigger: string;
  readonly event_id: string;
  readonly sequence: string | null;
  readonly kind: string;
  readonly mode: 'live' | 'test';
  readonly endpoint_kind: string;
  readonly url: string | null;
  readonly config: Record<string, unknown> | null;
  readonly sealed_secret: Buffer;
  readonly sealed_old_secret: Buffer | null;
  readonly old_secret_until: Date | null;
  readonly occurred_at: Date | null;
  readonly recorded_at: Date | null;
  readonly actor_type: string | null;
  readonly actor_id: string | null;
  readonly data: string | null;
}

/** Claims up to `count` deliveries of these organizations' endpoints in `lane`, none of them above its share. */
export async function claimDeliveries(
  db: Database,
  orgIds: readonly string[],
  lane: Lane,
  count: number,
  nowMs: number,
): Promise<Claimed[]> {
  const now = new Date(nowMs);
  return db.transaction(async (tx) => {
    const { rows: locked } = await tx.query<{ id: string }>({
      name: 'lock_endpoints',
      text: LOCK,
      values: [orgIds, lane === 'failing', now],
    });
    if (locked.length === 0) return [];
    const { rows } = await tx.query<ClaimedRow>({
      name: 'pick_deliveries',
      text: PICK,
      values: [orgIds, locked.map(({ id }) => id), now, IN_FLIGHT_MAX[lane], count],
    });
    return rows.map(claimedOf);
  });
}

function claimedOf(row: ClaimedRow): Claimed {
  return {
    orgId: row.org_id,
    id: row.id,
    claim: row.claim,
    endpointId: row.endpoint_id,
    attempt: row.attempts,
    failures: row.failures,
    trigger: row.trigger,
    eventId: row.event_id,
    sequence: row.sequence === null ? null : Number(row.sequence),
    kind: row.kind,
    mode: row.mode,
    endpoint: {
      kind: row.endpoint_kind,
      url: row.url,
      config: row.config,
      sealedSecret: row.sealed_secret,
      sealedOldSecret: row.sealed_old_secret,
      oldSecretUntilMs: row.old_secret_until?.getTime() ?? null,
    },
    event:
      row.data === null
        ? null
        : {
            occurredAtMs: row.occurred_at!.getTime(),
            recordedAtMs: row.recorded_at!.getTime(),
            actorType: row.actor_type ?? 'api_key',
            actorId: row.actor_id,
            data: row.data,
          },
  };
}

/** How an attempt ended. */
export interface Finished {
  readonly orgId: string;
  readonly id: string;
  readonly claim: string;
  /** Why the attempt was made. */
  readonly trigger: string;
  /** `former`: what it was before it was retried by hand. */
  readonly state: 'succeeded' | 'pending' | 'failed' | 'parked' | 'cancelled' | 'former';
  readonly failures: number;
  /** When the next attempt is due; for a final state it does not matter. */
  readonly dueAtMs: number;
  readonly startedAtMs: number;
  readonly latencyMs: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly answer: string | null;
  readonly finishedAtMs: number;
}

/** SQL: whether a success at `at` changes what is known of an endpoint `e`. Its time is noted to ten seconds. */
function isNewsOfSuccess(at: string): string {
  return `(e.failing_since IS NOT NULL OR e.status = 'paused' OR e.last_success_at IS NULL
                   OR e.last_success_at < ${at}::timestamptz - interval '10 seconds')`;
}

/** SQL: whether an endpoint `e` that failed at `at` has failed for so long that it is paused. */
function isDueForPause(at: string): string {
  return `(e.status = 'active' AND e.failing_since <= ${at}::timestamptz - interval '${PAUSE_AFTER_MS} milliseconds')`;
}

/*
 * The claim fences: who was taken for dead changes nothing, and its attempt was recorded when it was. Endpoints are answered only where it is
 * news, in the order of their keys: a transaction for each failure of an endpoint that is known to fail would hold up the ends of all others.
 */
const FINISH = `
WITH ended AS (
  SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[], $8::real[],
                       $9::int[], $10::text[], $11::text[], $12::timestamptz[], $13::text[])
    AS x (org_id, id, claim, state, failures, due_at, started_at, latency_ms, status, error, answer, finished_at, trigger)
), done AS (
  UPDATE deliveries d
     SET state = CASE x.state WHEN 'former' THEN coalesce(d.former_state, 'failed') ELSE x.state END,
         due_at = CASE x.state WHEN 'former' THEN coalesce(d.former_due_at, x.due_at) ELSE x.due_at END,
         finished_at = CASE WHEN x.state IN ('pending', 'parked') OR d.former_state IN ('pending', 'parked') AND x.state = 'former' THEN NULL ELSE x.finished_at END,
         failures = x.failures, claim = NULL, lease_until = NULL, former_state = NULL, former_due_at = NULL,
         trigger = CASE WHEN x.state IN ('pending', 'former') THEN 'schedule' ELSE d.trigger END
    FROM ended x WHERE d.org_id = x.org_id AND d.id = x.id AND d.claim = x.claim AND d.state = 'in_flight'
  RETURNING d.org_id, d.id, d.endpoint_id, d.attempts, x.trigger, x.state, x.started_at, x.latency_ms, x.status, x.error, x.answer, x.finished_at
), recorded AS (
  INSERT INTO attempts (org_id, delivery_id, number, trigger, started_at, latency_ms, status, error, answer)
  SELECT org_id, id, attempts, trigger, started_at, latency_ms, status, error, answer FROM done
)
SELECT n.* FROM (
  SELECT org_id, endpoint_id, max(finished_at) FILTER (WHERE state = 'succeeded') AS succeeded_at,
         min(finished_at) FILTER (WHERE state IN ('pending', 'failed', 'parked', 'former')) AS failed_at
    FROM done GROUP BY org_id, endpoint_id) n
  JOIN endpoints e ON e.org_id = n.org_id AND e.id = n.endpoint_id
 WHERE e.deleted_at IS NULL AND (n.succeeded_at IS NOT NULL AND ${isNewsOfSuccess('n.succeeded_at')}
    OR n.failed_at IS NOT NULL AND (e.failing_since IS NULL OR ${isDueForPause('n.failed_at')}))
 ORDER BY n.org_id, n.endpoint_id`;

/** What the ends of attempts mean for an endpoint. */
export interface EndpointNews {
  readonly orgId: string;
  readonly endpointId: string;
  readonly succeededAt: Date | null;
  readonly failedAt: Date | null;
}

/** Records how attempts ended, all at once. Answers the endpoints for which it is news, except of attempts whose worker was taken for dead. */
export async function finishDeliveries(db: Queryable, ended: readonly Finished[]): Promise<EndpointNews[]> {
  const { rows } = await db.query<{ org_id: string; endpoint_id: string; succeeded_at: Date | null; failed_at: Date | null }>({
    name: 'finish_deliveries',
    text: FINISH,
    values: [
      ended.map(({ orgId }) => orgId),
      ended.map(({ id }) => id),
      ended.map(({ claim }) => claim),
      ended.map(({ state }) => state),
      ended.map(({ failures }) => failures),
      ended.map(({ dueAtMs }) => new Date(dueAtMs)),
      ended.map(({ startedAtMs }) => new Date(startedAtMs)),
      ended.map(({ latencyMs }) => latencyMs),
      ended.map(({ status }) => status),
      ended.map(({ error }) => error),
      ended.map(({ answer }) => answer),
      ended.map(({ finishedAtMs }) => new Date(finishedAtMs)),
      ended.map(({ trigger }) => trigger),
    ],
  });
  return rows.map((row) => ({
    orgId: row.org_id,
    endpointId: row.endpoint_id,
    succeededAt: row.succeeded_at,
    failedAt: row.failed_at,
  }));
}

/** What an event of its health tells of an endpoint. */
export interface ToldEndpoint {
  readonly kind: string;
  readonly mode: 'live' | 'test';
}

/** Notes that an endpoint answers. The endpoint when it was paused: what is parked for it is due now. */
export async function noteSuccess(db: Queryable, { orgId, endpointId, succeededAt }: EndpointNews): Promise<ToldEndpoint | null> {
  const { rows } = await db.query<ToldEndpoint & { was_paused: boolean }>({
    name: 'note_success',
    text: `UPDATE endpoints e SET failing_since = NULL, last_success_at = $3, status = 'active', paused_at = NULL, next_probe_at = NULL
             FROM (SELECT status FROM endpoints WHERE org_id = $1 AND id = $2 FOR NO KEY UPDATE) before
            WHERE e.org_id = $1 AND e.id = $2 AND e.deleted_at IS NULL
              AND ${isNewsOfSuccess('$3')}
        RETURNING before.status = 'paused' AS was_paused, e.kind, e.mode`,
    values: [orgId, endpointId, succeededAt],
  });
  return rows[0]?.was_paused === true ? rows[0] : null;
}

/** Notes that an endpoint fails. The endpoint when it has failed for so long that it is paused now. */
export async function noteFailure(db: Queryable, { orgId, endpointId, failedAt }: EndpointNews): Promise<ToldEndpoint | null> {
  await db.query({
    name: 'note_failure',
    text: 'UPDATE endpoints SET failing_since = $3 WHERE org_id = $1 AND id = $2 AND failing_since IS NULL',
    values: [orgId, endpointId, failedAt],
  });
  const { rows } = await db.query<ToldEndpoint>({
    name: 'pause_endpoint',
    text: `UPDATE endpoints e
              SET status = 'paused', paused_at = $3, next_probe_at = $3::timestamptz + interval '${PROBE_INTERVAL_MS} milliseconds'
            WHERE org_id = $1 AND id = $2 AND deleted_at IS NULL AND ${isDueForPause('$3')}
        RETURNING kind, mode`,
    values: [orgId, endpointId, failedAt],
  });
  return rows[0] ?? null;
}

/*
 * The attempt of a worker that died is recorded as one, so that numbers have no gaps; it does not count as a failure of the endpoint.
 */
const REAP = `
WITH lost AS (
  SELECT org_id, id FROM deliveries WHERE state = 'in_flight' AND lease_until < $1 LIMIT 1000 FOR UPDATE SKIP LOCKED
), freed AS (
  UPDATE deliveries d
     SET state = CASE WHEN d.trigger = 'probe' THEN 'parked' ELSE 'pending' END, due_at = $1, claim = NULL, lease_until = NULL
    FROM lost WHERE d.org_id = lost.org_id AND d.id = lost.id
  RETURNING d.org_id, d.id, d.attempts, d.trigger
)
INSERT INTO attempts (org_id, delivery_id, number, trigger, started_at, latency_ms, error)
SELECT org_id, id, attempts, trigger, $1::timestamptz - interval '${LEASE_MS} milliseconds', ${LEASE_MS}, 'The service was interrupted before it could tell how this attempt ended.'
  FROM freed`;

/** Takes back what was claimed by workers that died. Answers how many. */
export async function reapDeliveries(db: Queryable, nowMs: number): Promise<number> {
  const { rowCount } = await db.query({ name: 'reap_deliveries', text: REAP, values: [new Date(nowMs)] });
  return rowCount ?? 0;
}

const CANCELLED_AT_ONCE = 2_000;

/** Cancels what is queued for endpoints that were deleted, some thousands at once. Answers how many. */
export async function cancelDeliveriesOfDeleted(db: Queryable, nowMs: number): Promise<number> {
  const { rowCount } = await db.query({
    name: 'cancel_deliveries',
    text: `UPDATE deliveries SET state = 'cancelled', finished_at = $1
            WHERE state IN ('pending', 'parked') AND (org_id, id) IN (
              SELECT d.org_id, d.id FROM endpoints e CROSS JOIN LATERAL (
                (SELECT org_id, id FROM deliveries WHERE org_id = e.org_id AND endpoint_id = e.id AND state = 'pending' LIMIT ${CANCELLED_AT_ONCE})
                UNION ALL
                (SELECT org_id, id FROM deliveries WHERE org_id = e.org_id AND endpoint_id = e.id AND state = 'parked' LIMIT ${CANCELLED_AT_ONCE})) d
               WHERE e.deleted_at IS NOT NULL LIMIT ${CANCELLED_AT_ONCE})`,
    values: [new Date(nowMs)],
  });
  return rowCount ?? 0;
}

/** Forgets endpoints of which no delivery is kept any more. */
export async function purgeEndpoints(db: Queryable, days: number): Promise<void> {
  await db.query('DELETE FROM endpoints WHERE deleted_at < now() - make_interval(days => $1)', [days]);
}

/** Queues an event of a test key for the endpoints of test keys; false: there are none. The trail has no part in it. */
export function queueTestEvent(db: Queryable, orgId: Buffer, eventId: Buffer, kind: string, nowMs: number): Promise<boolean> {
  return queueTestEvents(db, orgId, [eventId], kind, nowMs);
}

/** The same for events of one kind, by one statement. */
export async function queueTestEvents(
  db: Queryable,
  orgId: Buffer,
  eventIds: readonly Buffer[],
  kind: string,
  nowMs: number,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'queue_test_events',
    text: `INSERT INTO deliveries (org_id, id, endpoint_id, event_id, kind, state, due_at, created_at)
           SELECT e.org_id, ${deliveryIdOf('t.id', 'e.id')}, e.id, t.id, $3, CASE WHEN e.status = 'paused' THEN 'parked' ELSE 'pending' END, $4, $4
             FROM endpoints e, unnest($2::uuid[]) AS t (id)
            WHERE e.org_id = $1 AND e.mode = 'test' AND e.deleted_at IS NULL AND ${listens('$3', 'e.events')}`,
    values: [uuidText(orgId), eventIds.map(uuidText), kind, new Date(nowMs)],
  });
  return (rowCount ?? 0) > 0;
}

const PURGED_AT_ONCE = 5_000;

/** Deletes deliveries of events recorded more than `days` ago, with their attempts, a few thousand at a time. */
export async function purgeDeliveries(db: Queryable, days: number): Promise<void> {
  for (;;) {
    const { rows } = await db.query<{ purged: number }>(
      `WITH old AS (
         DELETE FROM deliveries WHERE (org_id, id) IN (
           SELECT org_id, id FROM deliveries WHERE created_at < now() - make_interval(days => $1) LIMIT ${PURGED_AT_ONCE})
         RETURNING org_id, id
       ), gone AS (DELETE FROM attempts a USING old WHERE a.org_id = old.org_id AND a.delivery_id = old.id)
       SELECT count(*)::int AS purged FROM old`,
      [days],
    );
    if (rows[0]!.purged < PURGED_AT_ONCE) return;
  }
}

// Checks the history of deliveries: what the database says against what the receivers saw. Knows the promises, not how they are kept.

import type { Queryable } from '../storage/database.ts';
import type { Reception } from './delivery-receivers.ts';

// '*' leaves these out.
const FREQUENT_KINDS = new Set(['inference.allowed', 'telemetry.received']);
/** The attempt of a worker that died, as it is recorded by who found out. */
const INTERRUPTED = 'The service was interrupted%';

/** An endpoint that did not change while history was made. Ids are PostgreSQL's text form. */
export interface WatchedEndpoint {
  readonly orgId: string;
  readonly id: string;
  readonly kinds: readonly string[];
  /** It answers every request with 200, soon. */
  readonly isHealthy: boolean;
  /** Events of the organization up to this one came before it. */
  readonly afterSequence: number;
}

/** What was found. */
export interface History {
  readonly events: number;
  readonly deliveries: number;
  /** To healthy endpoints. */
  readonly healthyDeliveries: number;
  readonly receptions: number;
  /** Receptions of a healthy endpoint beyond the first of an event. */
  readonly duplicates: number;
  /** Attempts of workers that died, or could not tell the database how they ended. */
  readonly interrupted: number;
  /** One sentence for each broken promise. */
  readonly violations: readonly string[];
}

interface EventRow {
  readonly id: string;
  readonly sequence: string;
  readonly kind: string;
}

interface DeliveryRow {
  readonly id: string;
  readonly endpoint_id: string;
  readonly event_id: string;
  readonly state: string;
  readonly attempts: number;
  readonly is_leased: boolean;
  readonly numbers: number[];
  readonly interrupted: number;
}

// Expired leases are looked for every five seconds.
const DELIVERIES = `
SELECT d.id, d.endpoint_id, d.event_id, d.state, d.attempts, coalesce(d.lease_until > now() - interval '10 seconds', false) AS is_leased,
       coalesce(array_agg(a.number ORDER BY a.number) FILTER (WHERE a.number IS NOT NULL), '{}') AS numbers,
       (count(*) FILTER (WHERE a.error LIKE '${INTERRUPTED}'))::int AS interrupted
  FROM deliveries d LEFT JOIN attempts a ON a.org_id = d.org_id AND a.delivery_id = d.id
 WHERE d.org_id = $1 GROUP BY d.org_id, d.id`;

/**
 * Checks everything, once all deliveries of healthy endpoints should have succeeded; hostile ones may go on. `log`: what was
 * received until now. `answered`: ids of events that were answered as recorded.
 */
export async function checkHistory(
  db: Queryable,
  endpoints: readonly WatchedEndpoint[],
  log: readonly Reception[],
  answered: ReadonlySet<string>,
): Promise<History> {
  const receptions = [...log]; // before the database is read: what arrives meanwhile may be of later claims
  const violations: string[] = [];
  /** The healthy endpoints that shall hear of each event. */
  const committed = new Map<string, readonly string[]>();
  const deliveries = new Map<string, DeliveryRow>();
  for (const [orgId, own] of Map.groupBy(endpoints, (endpoint) => endpoint.orgId)) {
    const { rows: events } = await db.query<EventRow>('SELECT id, sequence, kind FROM events WHERE org_id = $1', [orgId]);
    const { rows } = await db.query<DeliveryRow>(DELIVERIES, [orgId]);
    for (const row of rows) deliveries.set(row.id, row);
    for (const endpoint of own) checkEndpoint(endpoint, events, rows, violations);
    for (const row of rows) checkAttempts(row, violations);
    const healthy = own.filter(({ isHealthy }) => isHealthy);
    for (const event of events) committed.set(event.id, idsOf(healthy.filter((endpoint) => hears(endpoint, event))));
  }
  checkReceptions(receptions, committed, deliveries, violations);
  checkAnswered(answered, committed, receptions, violations);
  const healthy = new Set(idsOf(endpoints.filter(({ isHealthy }) => isHealthy)));
  const all = [...deliveries.values()];
  return {
    events: committed.size,
    deliveries: all.length,
    healthyDeliveries: all.filter((row) => healthy.has(row.endpoint_id)).length,
    receptions: receptions.length,
    duplicates: countDuplicates(receptions, healthy, deliveries, violations),
    interrupted: all.reduce((sum, row) => sum + row.interrupted, 0),
    violations,
  };
}

const idsOf = (endpoints: readonly WatchedEndpoint[]) => endpoints.map(({ id }) => id);

/** Nothing is lost and nothing is twice: an event has one delivery for each endpoint that listens to its kind, and in a known state. */
function checkEndpoint(
  endpoint: WatchedEndpoint,
  events: readonly EventRow[],
  rows: readonly DeliveryRow[],
  violations: string[],
): void {
  const byEvent = Map.groupBy(
    rows.filter((row) => row.endpoint_id === endpoint.id),
    (row) => row.event_id,
  );
  const heard = events.filter((event) => hears(endpoint, event));
  for (const { id, kind } of heard) {
    const own = byEvent.get(id) ?? [];
    byEvent.delete(id);
    if (own.length !== 1) violations.push(`${kind} ${id} has ${own.length} deliveries for endpoint ${endpoint.id}`);
    for (const row of own) checkState(endpoint, row, violations);
  }
  for (const id of byEvent.keys())
    violations.push(`endpoint ${endpoint.id} has a delivery of ${id}, which it does not listen to`);
}

function hears({ kinds, afterSequence }: WatchedEndpoint, { kind, sequence }: EventRow): boolean {
  if (Number(sequence) <= afterSequence) return false;
  return kinds.includes(kind) || (kinds.includes('*') && !FREQUENT_KINDS.has(kind));
}

function checkState({ id, isHealthy }: WatchedEndpoint, row: DeliveryRow, violations: string[]): void {
  const isKept = ['succeeded', 'pending', 'parked', 'failed'].includes(row.state) || (row.state === 'in_flight' && row.is_leased);
  if (!isKept) violations.push(`delivery ${row.id} is ${row.state} and no one will make it`);
  if (isHealthy && row.state !== 'succeeded')
    violations.push(`delivery ${row.id} to the healthy endpoint ${id} is ${row.state} after ${row.attempts} attempts`);
}

/** Attempts are numbered 1..n without gaps; the one under way has no row yet. */
function checkAttempts({ id, state, attempts, numbers }: DeliveryRow, violations: string[]): void {
  const ended = attempts - (state === 'in_flight' ? 1 : 0);
  if (numbers.length === ended && numbers.every((number, i) => number === i + 1)) return;
  violations.push(`delivery ${id} (${state}) began ${attempts} attempts and has those numbered ${numbers.join(', ')}`);
}

/** Nothing arrives of what was not committed; what arrives is of one delivery, the same bytes each time, and signed. */
function checkReceptions(
  receptions: readonly Reception[],
  committed: ReadonlyMap<string, unknown>,
  deliveries: ReadonlyMap<string, DeliveryRow>,
  violations: string[],
): void {
  const hashes = new Map<string, string>();
  for (const { eventId, endpointId, deliveryId, attempt, bodyHash, isGenuine } of receptions) {
    const name = `what endpoint ${endpointId} received of event ${eventId}`;
    if (!committed.has(eventId)) violations.push(`${name} was never committed`);
    if (!isGenuine) violations.push(`${name} is not signed, or names another event`);
    if ((hashes.get(eventId) ?? bodyHash) !== bodyHash) violations.push(`${name} differs from what was received before`);
    hashes.set(eventId, bodyHash);
    const row = deliveries.get(deliveryId);
    if (row?.event_id !== eventId || row.endpoint_id !== endpointId) violations.push(`${name} names another delivery`);
    else if (!(attempt >= 1 && attempt <= row.attempts)) violations.push(`${name} is attempt ${attempt} of ${row.attempts}`);
  }
}

/** What was answered as recorded is in the trail, and arrived at every healthy endpoint that listens to it. */
function checkAnswered(
  answered: ReadonlySet<string>,
  committed: ReadonlyMap<string, readonly string[]>,
  receptions: readonly Reception[],
  violations: string[],
): void {
  const arrived = new Set(receptions.map(({ eventId, endpointId }) => `${eventId} ${endpointId}`));
  for (const id of answered) {
    const hearers = committed.get(id);
    if (hearers === undefined) violations.push(`event ${id} was answered and is not in the trail`);
    for (const endpointId of hearers ?? []) {
      if (!arrived.has(`${id} ${endpointId}`)) violations.push(`event ${id} was answered and never reached ${endpointId}`);
    }
  }
}

/** Counts them; each needs an attempt that a death interrupted, for else a receiver that answers 200 is not asked again. */
function countDuplicates(
  receptions: readonly Reception[],
  healthy: ReadonlySet<string>,
  deliveries: ReadonlyMap<string, DeliveryRow>,
  violations: string[],
): number {
  let duplicates = 0;
  const byDelivery = Map.groupBy(
    receptions.filter(({ endpointId }) => healthy.has(endpointId)),
    ({ deliveryId }) => deliveryId,
  );
  for (const [id, own] of byDelivery) {
    const again = own.length - 1;
    duplicates += again;
    const { interrupted = 0 } = deliveries.get(id) ?? {};
    if (again > interrupted) violations.push(`delivery ${id} arrived ${own.length} times with ${interrupted} interruptions`);
  }
  return duplicates;
}

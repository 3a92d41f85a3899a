// Probes, as people look after them.

import { isDeepStrictEqual } from 'node:util';
import { actorOf } from '../access/principal.ts';
import { notFound } from '../http/errors.ts';
import { PROBE_NAME } from '../http/probe-name.ts';
import { decodeCursor, pageOf } from '../http/pagination.ts';
import type { Call } from '../http/route.ts';
import { isoTime, PAGE_LIMIT_DEFAULT } from '../http/schemas.ts';
import type { Organization } from '../organizations/organization.ts';
import type { Services } from '../services.ts';
import type { Queryable } from '../storage/database.ts';
import { probeEvent } from './events.ts';
import { INTERVAL_DEFAULT_S, statusOf, type ProbeStatus } from './health.ts';
import { groupIn } from './heartbeat.ts';
import { probesSubject } from './registry.ts';
import type { ProbeUpdate } from './schemas.ts';
import {
  deleteProbe,
  findCounts,
  findProbe,
  listProbes,
  lockProbe,
  updateSettings,
  type Mode,
  type Probe,
  type ProbeKey,
  type Rates,
} from './store.ts';

const RATE_MINUTES = 5;
const MINUTE_MS = 60_000;
const NONE: Rates = { accepted: 0, duplicates: 0, rejected: 0 };

type Principal = Call['principal'];

/** Which probe a path names. Throws `not_found` for what is no name. */
export function probeKeyOf({ organization, mode }: Principal, probeId: string): ProbeKey {
  if (!PROBE_NAME.test(probeId)) throw notFound('probe');
  return { orgId: organization.uuid, mode, probeId };
}

/** The organization's probes of the credential's mode. They are at most a thousand, so that those of a status are picked out here. */
export async function listProbesPage(
  services: Services,
  { organization, mode }: Principal,
  query: { status?: ProbeStatus; group?: string; limit?: number; cursor?: string },
) {
  const nowMs = services.clock();
  const limit = query.limit ?? PAGE_LIMIT_DEFAULT;
  const after = decodeCursor('prb', query.cursor, (key) => /^\d{1,16} /.test(key));
  const matching = (await listProbes(services.db.reader, organization.uuid, mode)).filter(
    (probe) =>
      (query.group === undefined || probe.group === query.group) &&
      (query.status === undefined || statusOf(probe, nowMs) === query.status) &&
      (after === null || isAfter(probe, after)),
  );
  const rows = matching.slice(0, limit + 1);
  const rates = await ratesOf(services.db.reader, organization, mode, rows, nowMs);
  return pageOf('prb', rows, limit, placeOf, (probe) => presentProbe(probe, rates.get(probe.id) ?? NONE, nowMs));
}

/** Where a probe stands in the list: the newest first, of the same moment by name. */
function placeOf({ registeredAtMs, id }: Probe): string {
  return `${registeredAtMs} ${id}`;
}

function isAfter({ registeredAtMs, id }: Probe, place: string): boolean {
  const at = place.indexOf(' ');
  const [ms, name] = [Number(place.slice(0, at)), place.slice(at + 1)];
  return registeredAtMs < ms || (registeredAtMs === ms && id > name);
}

export async function getProbe(services: Services, principal: Principal, probeId: string) {
  const probe = await findProbe(services.db, probeKeyOf(principal, probeId));
  if (probe === null) throw notFound('probe');
  return present(services, principal, probe);
}

/** Sets labels and how often the probe is to be heard, with its `probe.updated` event where that changes anything. Throws `not_found`. */
export async function updateProbe(services: Services, { principal, address }: Call, probeId: string, change: ProbeUpdate) {
  const key = probeKeyOf(principal, probeId);
  const updated = await services.journal.transaction(async (tx, record, expire) => {
    const before = await lockProbe(tx, key);
    if (before === null) throw notFound('probe');
    const setLabels = (change.labels as Probe['setLabels'] | undefined) ?? before.setLabels;
    const expectedIntervalS = change.expected_interval_s === undefined ? before.expectedIntervalS : change.expected_interval_s;
    if (expectedIntervalS === before.expectedIntervalS && isDeepStrictEqual(setLabels, before.setLabels)) return before;
    const group = groupIn(before.reportedLabels, setLabels);
    const after = { ...before, setLabels, expectedIntervalS, group };
    await updateSettings(tx, key, after);
    if (group !== before.group) expire(probesSubject(principal.organization.id));
    if (key.mode === 'live') {
      const data = { group, labels: setLabels, expected_interval_s: expectedIntervalS ?? INTERVAL_DEFAULT_S };
      record(probeEvent(key, 'probe.updated', actorOf(principal, address), services.clock(), data));
    }
    return after;
  });
  return present(services, principal, updated);
}

/** Forgets the probe, with its `probe.deleted` event; answers it as it was. It registers anew when it calls again; what it reported stays. */
export async function removeProbe(services: Services, { principal, address }: Call, probeId: string) {
  const key = probeKeyOf(principal, probeId);
  const shown = await getProbe(services, principal, probeId);
  await services.journal.transaction(async (tx, record, expire) => {
    const before = await lockProbe(tx, key);
    if (before === null) throw notFound('probe');
    await deleteProbe(tx, key);
    expire(probesSubject(principal.organization.id));
    if (key.mode === 'live')
      record(probeEvent(key, 'probe.deleted', actorOf(principal, address), services.clock(), { group: before.group }));
  });
  return shown;
}

async function present(services: Services, { organization, mode }: Principal, probe: Probe) {
  const nowMs = services.clock();
  const rates = await ratesOf(services.db, organization, mode, [probe], nowMs);
  return presentProbe(probe, rates.get(probe.id) ?? NONE, nowMs);
}

function ratesOf(
  db: Queryable,
  { uuid }: Organization,
  mode: Mode,
  probes: readonly Probe[],
  nowMs: number,
): Promise<ReadonlyMap<string, Rates>> {
  const ids = probes.map(({ id }) => id);
  return findCounts(db, uuid, mode, ids, nowMs - RATE_MINUTES * MINUTE_MS);
}

const timeOrNull = (ms: number | null) => (ms === null ? null : isoTime(ms));
const perMinute = (count: number) => Math.round((count / RATE_MINUTES) * 10) / 10;

function presentProbe(probe: Probe, { accepted, duplicates, rejected }: Rates, nowMs: number) {
  return {
    id: probe.id,
    mode: probe.mode,
    status: statusOf(probe, nowMs),
    group: probe.group,
    labels: { ...probe.reportedLabels, ...probe.setLabels },
    expected_interval_s: probe.expectedIntervalS ?? INTERVAL_DEFAULT_S,
    registered_at: isoTime(probe.registeredAtMs),
    last_seen_at: isoTime(probe.lastSeenAtMs),
    last_heartbeat_at: timeOrNull(probe.lastHeartbeatAtMs),
    offline_since: timeOrNull(probe.offlineSinceMs),
    version: probe.version,
    started_at: timeOrNull(probe.startedAtMs),
    policy_version: probe.policyVersion,
    queue: probe.queue,
    rates: {
      accepted_per_minute: perMinute(accepted),
      duplicates_per_minute: perMinute(duplicates),
      rejected_per_minute: perMinute(rejected),
    },
  };
}

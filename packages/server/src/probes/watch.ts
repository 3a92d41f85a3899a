// Watches for probes that have gone, and for those that have come back.

import { isoTime } from '../http/schemas.ts';
import { forEachOrganization } from '../organizations/each.ts';
import { SYSTEM } from '../organizations/service.ts';
import type { Services } from '../services.ts';
import { probeEvent } from './events.ts';
import { listChanged, markChanged, type Changed } from './store.ts';

const INTERVAL_MS = 1_000;
const ORGANIZATIONS_AT_ONCE = 1_000;
const PROBES_AT_ONCE = 500;

type Parts = Pick<Services, 'db' | 'journal' | 'clock' | 'log'>;

/**
 * Looks once, and records `probe.offline` and `probe.online` for what has changed: each once, on however many nodes. `listeningSinceMs`: since
 * when this node could hear probes. Throws at the end for organizations that failed.
 */
export async function watchProbes({ db, journal, clock }: Omit<Parts, 'log'>, listeningSinceMs: number): Promise<void> {
  const organizations = await listChanged(db, clock(), listeningSinceMs, ORGANIZATIONS_AT_ONCE);
  await forEachOrganization(organizations, async (orgId) => {
    for (;;) {
      const changed = await journal.transaction(async (tx, record) => {
        const nowMs = clock();
        const probes = await markChanged(tx, orgId, nowMs, listeningSinceMs, PROBES_AT_ONCE);
        for (const probe of probes) record(eventOf(orgId, probe, nowMs));
        return probes.length;
      });
      if (changed < PROBES_AT_ONCE) return;
    }
  });
}

function eventOf(orgId: Buffer, { id: probeId, group, isOffline, lastHeardAtMs, offlineSinceMs }: Changed, nowMs: number) {
  if (isOffline)
    return probeEvent({ orgId, probeId }, 'probe.offline', SYSTEM, nowMs, { group, last_heard_at: isoTime(lastHeardAtMs) });
  return probeEvent({ orgId, probeId }, 'probe.online', SYSTEM, nowMs, { group, offline_since: isoTime(offlineSinceMs!) });
}

/** Starts the loop; any number of nodes may run it. Returns how to stop it. */
export function startWatchingProbes(parts: Parts): () => Promise<void> {
  const listeningSinceMs = parts.clock();
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= watchProbes(parts, listeningSinceMs)
      .catch((err: unknown) => parts.log.warn({ err }, 'probes could not be looked after; it is tried again'))
      .finally(() => (running = null));
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

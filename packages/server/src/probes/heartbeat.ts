// Heartbeats: how a probe says how it is, and hears what is in force.

import type { CompiledPolicy } from '@svc/engine';
import { invalid } from '../http/errors.ts';
import { isoTime } from '../http/schemas.ts';
import type { ExpireSubject, RecordEvent } from '../journal/journal.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../storage/database.ts';
import { probeEvent } from './events.ts';
import { INTERVAL_DEFAULT_S, isSkewed } from './health.ts';
import { GROUP_DEFAULT, keyOf, probesSubject, type ProbeCaller } from './registry.ts';
import type { HeartbeatInput } from './schemas.ts';
import { lockProbe, updateReported, type Labels, type Probe, type ProbeReport } from './store.ts';

const TIME_MS_MAX = Date.parse('9999-12-31T23:59:59.999Z');

/** The group that labels put a probe in. `set`: by hand, over what it `reported`. */
export function groupIn(reported: Labels, set: Labels): string {
  return set['group'] ?? reported['group'] ?? GROUP_DEFAULT;
}

/**
 * Takes a heartbeat, with the events that follow: `probe.registered` at the first contact, `probe.online` when it was offline, `probe.skewed`
 * at the third in a row with an older policy. Throws `conflict` where the organization has too many probes, `rate_limited` where too many are new.
 */
export async function receiveHeartbeat(services: Services, caller: ProbeCaller, heartbeat: HeartbeatInput) {
  const { organization } = caller;
  const policy = services.policies.peek(organization.id) ?? (await services.policies.get(organization.id, organization.uuid));
  const report = reportIn(heartbeat);
  await services.probes.registry.groupOf(caller);
  const take = () =>
    services.journal.transaction((tx, record, expire) =>
      update(services, tx, record, expire, caller, report, heartbeat.labels ?? null, policy),
    );
  let probe = await take();
  // Deleted, and not known to be: it calls, so it is there.
  while (probe === null) {
    await services.probes.registry.register(caller);
    probe = await take();
  }
  return {
    server_time: isoTime(services.clock()),
    policy: { version: policy.version, digest: policy.digest },
    next_heartbeat_s: probe.expectedIntervalS ?? INTERVAL_DEFAULT_S,
  };
}

function reportIn({ version, started_at: startedAt, policy_version: policyVersion, queue, stale }: HeartbeatInput): ProbeReport {
  return {
    version: version ?? null,
    startedAtMs: startedAt == null ? null : timeOf(startedAt),
    policyVersion: policyVersion ?? null,
    queue: queue ?? null,
    saysStale: stale ?? false,
  };
}

function timeOf(text: string): number {
  const ms = Date.parse(text);
  // Others have no form in ISO 8601 as the API writes it; the offset may lead out of a year that has.
  if (!(ms >= 0 && ms <= TIME_MS_MAX)) throw invalid('/started_at', 'must be a time of the years 1970 to 9999');
  return ms;
}

/** Answers the probe as it was before; `null`: it is not registered. */
async function update(
  { clock }: Services,
  tx: Transaction,
  record: RecordEvent,
  expire: ExpireSubject,
  caller: ProbeCaller,
  report: ProbeReport,
  labels: Labels | null,
  { version: inForce }: CompiledPolicy,
): Promise<Probe | null> {
  const key = keyOf(caller);
  const before = await lockProbe(tx, key);
  if (before === null) return null;
  const nowMs = clock();
  const reported = labels ?? before.reportedLabels;
  const group = groupIn(reported, before.setLabels);
  const isBehind = report.policyVersion !== null && report.policyVersion < inForce;
  const behindHeartbeats = isBehind ? before.behindHeartbeats + 1 : 0;
  await updateReported(tx, key, { ...report, labels: reported, group, behindHeartbeats }, nowMs);
  if (group !== before.group) expire(probesSubject(caller.organization.id));
  if (caller.mode === 'test') return before;
  if (before.offlineSinceMs !== null)
    record(probeEvent(key, 'probe.online', caller.actor, nowMs, { group, offline_since: isoTime(before.offlineSinceMs) }));
  if (isSkewed({ behindHeartbeats }) && !isSkewed(before)) {
    const data = { group, policy_version: report.policyVersion, policy_in_force: inForce };
    record(probeEvent(key, 'probe.skewed', caller.actor, nowMs, data));
  }
  return before;
}

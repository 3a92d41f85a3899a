// What events about probes hold, for who wants to see what arrives.

import { isoTime } from '../http/schemas.ts';
import { INTERVAL_DEFAULT_S, OFFLINE_INTERVALS } from './health.ts';

const PROBE = { probe_id: 'front-1', group: 'checkout' };
const BATCH = 500;

/** What a real event of `kind` would hold at `nowMs`; `null` for kinds that are not about probes. */
export function probeExampleOf(kind: string, nowMs: number): object | null {
  const lastHeardMs = nowMs - OFFLINE_INTERVALS * INTERVAL_DEFAULT_S * 1_000;
  switch (kind) {
    case 'probe.registered':
    case 'probe.deleted':
      return PROBE;
    case 'probe.updated':
      return { ...PROBE, labels: { group: PROBE.group }, expected_interval_s: INTERVAL_DEFAULT_S };
    case 'probe.offline':
      return { ...PROBE, last_heard_at: isoTime(lastHeardMs) };
    case 'probe.online':
      return { ...PROBE, offline_since: isoTime(lastHeardMs) };
    case 'probe.skewed':
      return { ...PROBE, policy_version: 1, policy_in_force: 2 };
    case 'telemetry.received':
      return {
        assessed: { allowed: 0, flagged: 0, blocked: 0 },
        excused: {},
        ...PROBE,
        accepted: BATCH,
        duplicates: 0,
        rejected: 0,
        outcomes: { allowed: BATCH - 5, flagged: 4, blocked: 1, none: 0 },
        models: { 'gpt-x': BATCH },
        policy_versions: { 1: BATCH },
        digest: `sha256:${'0'.repeat(64)}`,
      };
    default:
      return null;
  }
}

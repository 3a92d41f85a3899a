// How a probe is: from what it last said, the time, and the policy in force.

import type { Probe } from './store.ts';

export const STATUSES = ['healthy', 'stale', 'offline', 'skewed'] as const;
export type ProbeStatus = (typeof STATUSES)[number];

/** How often a probe is expected to send a heartbeat, where nobody has set it otherwise. */
export const INTERVAL_DEFAULT_S = 30;
/** After so many intervals without a heartbeat it is offline. */
export const OFFLINE_INTERVALS = 3;
const STALE_INTERVALS = 1.5;
/** More heartbeats in a row than this with an older policy, and it is skewed: it had time to fetch the one in force. */
const BEHIND_HEARTBEATS_MAX = 2;
/** By so much the time at which a probe without heartbeats was last seen may be known late: it is written every few seconds. */
export const LATE_MS = 20_000;

/** What of a probe its status depends on. */
export type Vitals = Pick<
  Probe,
  'expectedIntervalS' | 'toldIntervalS' | 'lastSeenAtMs' | 'lastHeartbeatAtMs' | 'behindHeartbeats' | 'saysStale'
>;

/** True for more than two heartbeats in a row with a policy that is not the one in force. */
export function isSkewed({ behindHeartbeats }: Pick<Vitals, 'behindHeartbeats'>): boolean {
  return behindHeartbeats > BEHIND_HEARTBEATS_MAX;
}

/**
 * Offline: no heartbeat for three intervals. Skewed: it decides by an older policy, and has not fetched the new one in more than two heartbeats.
 * Stale: no heartbeat for one and a half intervals, or it says itself that its policy has expired. One that never sends heartbeats, such as a
 * collector of traces, has promised none: it is stale when it was not seen for three intervals, and offline only where somebody has set how
 * often it is to be heard.
 */
export function statusOf(probe: Vitals, nowMs: number): ProbeStatus {
  // It keeps to what it was told until it hears of another interval.
  const intervalMs = Math.max(probe.expectedIntervalS ?? INTERVAL_DEFAULT_S, probe.toldIntervalS ?? 0) * 1_000;
  if (probe.lastHeartbeatAtMs === null) {
    const isSilent = nowMs - probe.lastSeenAtMs >= OFFLINE_INTERVALS * intervalMs + LATE_MS;
    if (!isSilent) return 'healthy';
    return probe.expectedIntervalS === null ? 'stale' : 'offline';
  }
  const silentMs = nowMs - probe.lastHeartbeatAtMs;
  if (silentMs >= OFFLINE_INTERVALS * intervalMs) return 'offline';
  if (isSkewed(probe)) return 'skewed';
  return silentMs > STALE_INTERVALS * intervalMs || probe.saysStale ? 'stale' : 'healthy';
}

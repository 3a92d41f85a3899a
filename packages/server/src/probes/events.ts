// Events about probes.

import { changeEvent, type Actor, type NewEvent } from '../journal/journal.ts';
import type { ProbeKey } from './store.ts';

type ProbeEventKind = `probe.${'registered' | 'updated' | 'deleted' | 'online' | 'offline' | 'skewed'}`;

/** An event about a probe of a live key; those of test keys leave no trace in the trail. */
export function probeEvent(
  { orgId, probeId }: Omit<ProbeKey, 'mode'>,
  kind: ProbeEventKind,
  actor: Actor,
  atMs: number,
  data: object,
): NewEvent {
  return { ...changeEvent(orgId, kind, actor, atMs, { probe_id: probeId, ...data }), probeId };
}

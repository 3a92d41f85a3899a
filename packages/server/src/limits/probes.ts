// The windows of probe instances in this node's memory.

import { PROBE_LIMITS, type ProbeKind } from './decision.ts';
import { SlidingWindow } from './window.ts';

// A thousand probes of each mode, keys that name none, and the new names of some minutes, of which no more are let in: so hardly one that
// is in use is evicted.
const PROBES_PER_ORGANIZATION_MAX = 4_000;

type Windows = Partial<Record<ProbeKind, SlidingWindow>>;

/** Windows by organization, probe and kind, made when asked for. */
export class ProbeWindows {
  /** The inner maps are in the order of last use. */
  readonly #organizations = new Map<string, Map<string, Windows>>();

  get(orgId: string, probe: string, kind: ProbeKind): SlidingWindow {
    let probes = this.#organizations.get(orgId);
    if (probes === undefined) this.#organizations.set(orgId, (probes = new Map<string, Windows>()));
    const windows = probes.get(probe) ?? {};
    // Last again in the order of use.
    probes.delete(probe);
    if (probes.size >= PROBES_PER_ORGANIZATION_MAX) probes.delete(probes.keys().next().value!);
    probes.set(probe, windows);
    return (windows[kind] ??= newWindow(kind));
  }

  /** As `get`, to look only: one that is not there is not kept, so that names cost nothing by which nothing is used. */
  look(orgId: string, probe: string, kind: ProbeKind): SlidingWindow {
    return this.#organizations.get(orgId)?.get(probe)?.[kind] ?? newWindow(kind);
  }

  /** Forgets probes that have used nothing lately. */
  sweep(now: number): void {
    for (const [orgId, probes] of this.#organizations) {
      for (const [probe, windows] of probes) {
        if (Object.values(windows).every((window) => window.isIdle(now))) probes.delete(probe);
      }
      if (probes.size === 0) this.#organizations.delete(orgId);
    }
  }
}

function newWindow(kind: ProbeKind): SlidingWindow {
  const { limit, windowSeconds } = PROBE_LIMITS[kind];
  return new SlidingWindow(limit, windowSeconds);
}

// The windows of probe instances in this node's memory.

import { PROBE_LIMITS, type ProbeKind } from './decision.ts';
import { SlidingWindow } from './window.ts';

// As many as an organization may register. One that names more at a time evicts its own longest unused, nobody else's.
const PROBES_PER_ORGANIZATION_MAX = 1_000;

type Windows = Partial<Record<ProbeKind, SlidingWindow>>;

/** Windows by organization, probe and kind, made when asked for. */
export class ProbeWindows {
  /** The inner maps are in the order of last use. */
  readonly #organizations = new Map<string, Map<string, Windows>>();

  get(orgId: string, probe: string, kind: ProbeKind): SlidingWindow {
    let probes = this.#organizations.get(orgId);
    if (probes === undefined) this.#organizations.set(orgId, (probes = new Map<string, Windows>()));
    const windows = probes.get(probe) ?? {};
    probes.delete(probe);
    if (probes.size >= PROBES_PER_ORGANIZATION_MAX) probes.delete(probes.keys().next().value!);
    probes.set(probe, windows);
    const { limit, windowSeconds } = PROBE_LIMITS[kind];
    return (windows[kind] ??= new SlidingWindow(limit, windowSeconds));
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

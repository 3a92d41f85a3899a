// What of telemetry was refused, as the trail is told of it.

// Whoever sends nothing but nonsense is not to fill the trail with it.
const TOLD_EVERY_MS = 60_000;
// Beyond that the one that was longest without a refusal is forgotten.
const PROBES_MAX = 10_000;

/** What the trail is to be told of now, where it is told. */
interface Telling {
  /** The refused of this batch, and those of batches before that the trail was not told of. */
  readonly rejected: number;
  /** True: it is told also when nothing of the batch was stored. */
  readonly isDue: boolean;
}

/**
 * A batch of which nothing was stored gets an event of its own where something of it was refused, at most one a minute and probe on each node. What is
 * refused meanwhile is added to the next event of the probe. It is held in memory: a node that stops forgets what it has not told by then.
 */
export class Refusals {
  readonly #probes = new Map<string, { readonly toldAtMs: number; readonly untold: number }>();

  /** Takes what is to be told with a batch of which `refused` events were refused. What is not told after all is to be put back. */
  take(probe: string, refused: number, nowMs: number): Telling {
    const known = this.#probes.get(probe);
    if (known === undefined && refused === 0) return { rejected: 0, isDue: false };
    const { toldAtMs, untold } = known ?? { toldAtMs: Number.NEGATIVE_INFINITY, untold: 0 };
    // A clock may have been set back.
    const isDue = refused > 0 && Math.abs(nowMs - toldAtMs) >= TOLD_EVERY_MS;
    this.#probes.delete(probe);
    this.#probes.set(probe, { toldAtMs: isDue ? nowMs : toldAtMs, untold: 0 });
    if (this.#probes.size > PROBES_MAX) this.#probes.delete(this.#probes.keys().next().value!);
    return { rejected: refused + untold, isDue };
  }

  /** For the next event of the probe. */
  putBack(probe: string, rejected: number): void {
    const known = this.#probes.get(probe);
    if (known !== undefined) this.#probes.set(probe, { ...known, untold: known.untold + rejected });
  }
}

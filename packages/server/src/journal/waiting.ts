// Events that wait to be committed. Whoever has many, or whose events go to many endpoints, does not make the others wait: a batch takes from
// each organization in turn, and no more than can be written quickly.

/** What a batch takes: a thousand rows are written in some 20 ms. */
const WEIGHT_MAX = 2_000;
const EVENTS_MAX = 1_000;
/** Kept texts weigh too: 16 MB of them are a batch. */
const BYTES_PER_WEIGHT = 8_192;
/** Of one organization, before the next has its turn. */
const TURN_EVENTS = 32;
// How many deliveries an event makes is learned from the last ones. Of an organization that is not known a turn is taken at first.
const KNOWN_MAX = 10_000;

interface Weighed {
  readonly event: { readonly orgId: Buffer; readonly sealedText?: Buffer | null };
}

export class WaitingEvents<T extends Weighed> {
  /** By organization, the one whose turn is next first. */
  readonly #queues = new Map<string, T[]>();
  /** Deliveries that an event of the organization makes. */
  readonly #fanOut = new Map<string, number>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(waiting: T): void {
    const org = waiting.event.orgId.toString('hex');
    const queue = this.#queues.get(org);
    if (queue === undefined) this.#queues.set(org, [waiting]);
    else queue.push(waiting);
    this.#size++;
  }

  /** The next batch, at least one event where any waits. In each organization the order is that of arrival. */
  take(): T[] {
    const batch: T[] = [];
    let weight = 0;
    const isDone = new Set<string>();
    while (weight < WEIGHT_MAX && batch.length < EVENTS_MAX && isDone.size < this.#queues.size) {
      const round = [...this.#queues]; // queues are put back at the end while it lasts
      for (const [org, queue] of round) {
        if (isDone.has(org)) continue;
        const each = 1 + (this.#fanOut.get(org) ?? 0);
        const turn = Math.min(
          TURN_EVENTS,
          queue.length,
          EVENTS_MAX - batch.length,
          Math.max(1, Math.floor((WEIGHT_MAX - weight) / each)),
        );
        const taken = queue.splice(0, turn);
        batch.push(...taken);
        weight += turn * each + textsOf(taken) / BYTES_PER_WEIGHT;
        this.#queues.delete(org);
        if (queue.length > 0) this.#queues.set(org, queue); // its next turn is after the others'
        // Until it is known how much an event of it is, one turn in a batch.
        if (!this.#fanOut.has(org)) isDone.add(org);
        if (weight >= WEIGHT_MAX || batch.length >= EVENTS_MAX) break;
      }
      for (const org of isDone) if (!this.#queues.has(org)) isDone.delete(org);
      if (this.#queues.size === 0) break;
    }
    this.#size -= batch.length;
    return batch;
  }

  /** Learns from a batch that was written: `queued` are the deliveries it made, by organization in hex. */
  learn(batch: readonly T[], queued: ReadonlyMap<string, number>): void {
    const events = new Map<string, number>();
    for (const { event } of batch) {
      const org = event.orgId.toString('hex');
      events.set(org, (events.get(org) ?? 0) + 1);
    }
    for (const [org, count] of events) {
      this.#fanOut.delete(org);
      if (this.#fanOut.size >= KNOWN_MAX) this.#fanOut.delete(this.#fanOut.keys().next().value!);
      this.#fanOut.set(org, Math.ceil((queued.get(org) ?? 0) / count));
    }
  }
}

function textsOf(taken: readonly Weighed[]): number {
  return taken.reduce((bytes, { event }) => bytes + (event.sealedText?.length ?? 0), 0);
}

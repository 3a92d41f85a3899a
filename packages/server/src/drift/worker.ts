// Reads the trails of all organizations for drift, beside the requests. Any number of nodes may run it: each trail is read by one at a time.

import { newUuid } from '../ids.ts';
import { LeaseLost, OrganizationWatch, type DriftParts } from './organization.ts';
import { Pace } from './pace.ts';
import { endForsaken } from './forsaken.ts';
import { claimCursor, listUnread, releaseLease, renewLeases, type Unread } from './store.ts';

// What other nodes commit is not announced here.
const POLL_MS = 1_000;
// Under load many commits are read together.
const GATHER_MS = 250;
// An organization in which nothing happens is left to whoever hears of it next.
const IDLE_MS = 30_000;
// After it another organization has its turn.
const TURN_MS = 500;
// Well before a lease is over.
const RENEW_MS = 5_000;
const FORSAKEN_MS = 3_600_000;
/** Where it failed it may fail again. */
const RETRY_MS = 5_000;
/** Some 35 kB each. */
const MONITORS_MAX = 5_000;

export class DriftWorker {
  readonly #parts: DriftParts;
  readonly #pace = new Pace();
  /** By the organization's id in hex. */
  readonly #watches = new Map<string, OrganizationWatch>();
  /** Of the monotonic clock: until when those that failed are left alone. */
  readonly #resting = new Map<string, number>();
  /** Whose trail was listed last. */
  #after: Buffer = Buffer.alloc(16);
  #forsakenAtMs = Number.NEGATIVE_INFINITY;
  #poll: NodeJS.Timeout | null = null;
  #renewal: NodeJS.Timeout | null = null;
  #gather: NodeJS.Timeout | null = null;
  #running: Promise<unknown> = Promise.resolve();
  #isRunning = false;
  #stopListening: () => void = () => {};
  #isClosed = false;

  constructor(parts: DriftParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#poll = setInterval(() => this.#wake(), POLL_MS).unref();
    // However long a turn takes, and those before it.
    this.#renewal = setInterval(() => void this.#renew(), RENEW_MS).unref();
    this.#stopListening = this.#parts.journal.onCommit(() => this.#wakeSoon());
  }

  /** Reads all that is there and keeps it; for tests. */
  async catchUp(): Promise<void> {
    await this.#exclusively(async () => {
      while ((await this.#passOver()) || (await this.#flushAll()));
    });
  }

  /** Keeps what was learned, and leaves the trails to others. */
  async close(): Promise<void> {
    this.abandon();
    await this.#exclusively(async () => {
      for (const watch of this.#watches.values()) await this.#letGo(watch);
    });
  }

  /** Stops where it is, as a node that is ended from outside; for tests. */
  abandon(): void {
    this.#isClosed = true;
    if (this.#poll !== null) clearInterval(this.#poll);
    if (this.#renewal !== null) clearInterval(this.#renewal);
    if (this.#gather !== null) clearTimeout(this.#gather);
    this.#stopListening();
  }

  #wakeSoon(): void {
    if (this.#gather !== null || this.#isClosed) return;
    this.#gather = setTimeout(() => {
      this.#gather = null;
      this.#wake();
    }, GATHER_MS).unref();
  }

  #wake(): void {
    // Whoever runs looks again in a moment.
    if (this.#isClosed || this.#isRunning) return;
    void this.#exclusively(() => this.#run());
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    try {
      while (!this.#isClosed && (await this.#passOver()));
      await this.#endForsaken();
    } catch (err) {
      this.#parts.log.warn({ err }, 'drift detection waits for the database');
    } finally {
      this.#isRunning = false;
    }
  }

  /** A turn for each organization whose trail goes on. False: there was none, or none that could be worked on. */
  async #passOver(): Promise<boolean> {
    const unread = await listUnread(this.#parts.db, [...this.#watches.values()], this.#restingNow(), this.#after);
    this.#after = unread.at(-1)?.orgId ?? this.#after;
    const keys = unread.map(({ orgId }) => orgId.toString('hex'));
    let hasMoved = false;
    for (const [i, one] of unread.entries()) {
      if (this.#isClosed) return false;
      hasMoved = (await this.#turn(one)) || hasMoved;
      await this.#makeRoom([...keys.slice(i), ...keys.slice(0, i)]);
      await this.#flushDue();
    }
    await this.#flushDue();
    await this.#letIdleGo(new Set(keys));
    return hasMoved;
  }

  #restingNow(): Buffer[] {
    for (const [key, untilMs] of this.#resting) if (untilMs <= performance.now()) this.#resting.delete(key);
    return Array.from(this.#resting.keys(), (key) => Buffer.from(key, 'hex'));
  }

  async #renew(): Promise<void> {
    const owners = Array.from(this.#watches.values(), ({ owner }) => owner);
    if (owners.length === 0) return;
    await renewLeases(this.#parts.db, owners).catch((err: unknown) =>
      this.#parts.log.warn({ err }, 'drift detection could not renew its leases; it tries again'),
    );
  }

  async #flushDue(): Promise<void> {
    for (const watch of this.#watches.values()) if (watch.isDue) await this.#attempt(watch, () => watch.flush());
  }

  async #endForsaken(): Promise<void> {
    if (performance.now() - this.#forsakenAtMs < FORSAKEN_MS) return;
    await endForsaken(this.#parts);
    this.#forsakenAtMs = performance.now();
  }

  async #turn({ orgId, last }: Unread): Promise<boolean> {
    const key = orgId.toString('hex');
    let watch = this.#watches.get(key);
    if (watch !== undefined && watch.sequence >= last) return false;
    if (watch === undefined) {
      if ((this.#resting.get(key) ?? 0) > performance.now()) return false;
      const opened = await this.#open(orgId);
      if (opened === null) return false;
      watch = opened;
    }
    const reading = watch;
    const endsAtMs = performance.now() + TURN_MS;
    return this.#attempt(reading, async () => {
      do await reading.advance(last);
      while (reading.sequence < last && performance.now() < endsAtMs && !this.#isClosed);
    });
  }

  async #open(orgId: Buffer): Promise<OrganizationWatch | null> {
    try {
      const owner = newUuid();
      const cursor = await claimCursor(this.#parts.db, orgId, owner);
      if (cursor === null) return null;
      const watch = await OrganizationWatch.open(this.#parts, this.#pace, orgId, owner, cursor);
      this.#watches.set(orgId.toString('hex'), watch);
      return watch;
    } catch (err) {
      this.#leaveAlone(err, orgId);
      return null;
    }
  }

  /**
   * False when it failed, and had better rest. What is in memory may be half done by then, or written without our knowing, and is given up. What was kept last is gone
   * on from.
   */
  async #attempt(watch: OrganizationWatch, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      this.#resting.delete(watch.orgId.toString('hex'));
      return true;
    } catch (err) {
      this.#watches.delete(watch.orgId.toString('hex'));
      // Perhaps nobody else reads it: a monitor was changed, and what follows is to be read again.
      if (err instanceof LeaseLost) return true;
      this.#leaveAlone(err, watch.orgId);
      // Else nobody could go on before the lease is over. Where this fails too, nobody can for as long.
      await releaseLease(this.#parts.db, watch.orgId, watch.owner).catch(() => {});
      return false;
    }
  }

  /** True when there was something to keep. */
  async #flushAll(): Promise<boolean> {
    let hasKept = false;
    for (const watch of this.#watches.values()) {
      if (watch.hasUnkept) hasKept = (await this.#attempt(watch, () => watch.flush())) || hasKept;
    }
    return hasKept;
  }

  /** But for those whose turn comes again. */
  async #letIdleGo(unread: ReadonlySet<string>): Promise<void> {
    const idleSince = performance.now() - IDLE_MS;
    for (const [key, watch] of this.#watches) if (watch.usedAtMs < idleSince && !unread.has(key)) await this.#letGo(watch);
  }

  /** `turns`: whose turn it is, and comes next. Those that have none go first, then those that have it last. */
  async #makeRoom(turns: readonly string[]): Promise<void> {
    let size = [...this.#watches.values()].reduce((sum, watch) => sum + watch.size, 0);
    if (size <= MONITORS_MAX) return;
    const turnsLeft = new Map(turns.map((key, i) => [key, i]));
    const leftFor = ({ orgId }: OrganizationWatch) => turnsLeft.get(orgId.toString('hex')) ?? turns.length;
    const byNeed = [...this.#watches.values()].sort((a, b) => leftFor(b) - leftFor(a) || a.usedAtMs - b.usedAtMs);
    for (const watch of byNeed) {
      if (size <= MONITORS_MAX || leftFor(watch) === 0) return;
      size -= watch.size;
      await this.#letGo(watch);
    }
  }

  async #letGo(watch: OrganizationWatch): Promise<void> {
    const isKept = await this.#attempt(watch, async () => {
      if (watch.hasUnkept) await watch.flush();
      await releaseLease(this.#parts.db, watch.orgId, watch.owner);
    });
    if (isKept) this.#watches.delete(watch.orgId.toString('hex'));
  }

  #leaveAlone(err: unknown, orgId: Buffer): void {
    this.#resting.set(orgId.toString('hex'), performance.now() + RETRY_MS);
    this.#parts.log.warn(
      { err, org_id: orgId.toString('hex') },
      'drift detection stopped within a trail; it goes on from what it kept',
    );
  }

  /** One after another. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#running.then(work);
    this.#running = result.catch(() => {});
    return result;
  }
}

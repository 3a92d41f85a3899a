// Appends what was committed to the logs: leaves from the events, their hashes to the tiles, and for each log that grew a signed checkpoint. Beside the
// requests, on any number of nodes; each log is extended by one at a time.

import { setTimeout as delay } from 'node:timers/promises';
import type { Vault } from '../access/vault.ts';
import { formatId } from '../ids.ts';
import { Tally } from '../reports/tally.ts';
import { isConnectionFault, type Database, type Transaction } from '../storage/database.ts';
import type { Logger } from '../telemetry/log.ts';
import { checkEdges, rootOf } from './edges.ts';
import {
  claimTrees,
  hasUnread,
  holdRecentEdges,
  thinCheckpoints,
  writeGrowth,
  type ClaimedTree,
  type GrownTree,
} from './extender-store.ts';
import { Growth } from './growth.ts';
import type { TrailKeys } from './keys.ts';
import { readLeavesInParts, type Leaf, type Stretch } from './leaves.ts';
import { holdDeployment } from './origin.ts';
import type { RestoredReason } from './restored.ts';
import type { TrailMemory } from './trail-memory.ts';

// What other nodes commit is not announced here.
const POLL_MS = 500;
// A transaction of some tenths of a second.
const LEAVES_MAX = 2_000;
const PART_LEAVES = 500;
// Texts may be a thousand times as long as others: what the last transaction read tells how many are read next, beginning with few.
const CHARS_MAX = 32_000_000;
const LEAVES_FIRST = 250;
const GROWTH_MAX = 4;
const LOGS_MAX = 200;
/** What is missing will hardly come back soon, and each attempt is a transaction in vain. */
const RETRY_MS = 30_000;
const CATCH_UP_PAUSE_MS = 20;
const TELL_INTERVAL_MS = 1_000;
const LEARN_INTERVAL_MS = 60_000;
// As many as are kept beyond a restart.
const LEARN_LOGS_MAX = 1_000;
const THIN_INTERVAL_MS = 600_000;
// The first time what was left while no node was running, else a few times what comes in between.
const THIN_HOURS_FIRST = 168;
const THIN_HOURS = 3;

export interface ExtenderParts {
  readonly db: Database;
  readonly vault: Vault;
  readonly keys: TrailKeys;
  readonly memory: TrailMemory;
  readonly log: Logger;
  /** Hears that a log grew from so many events to so many. */
  readonly onGrown: (orgId: Buffer, from: number, to: number) => void;
  /** Hears that the database was set back, and under which epoch. Nothing is signed until another has begun. */
  readonly onSetBack: (reason: RestoredReason, seenEpoch: number) => void;
}

/** The database does not have what was signed. */
class SetBack extends Error {
  readonly reason: RestoredReason;
  readonly epoch: number;

  constructor(reason: RestoredReason, epoch: number) {
    super(`the database was set back: ${reason}`);
    this.reason = reason;
    this.epoch = epoch;
  }
}

/** What there is of these logs does not fit together. Nothing of the transaction may stay. */
class FaultyLogs extends Error {
  readonly faults: ReadonlyMap<ClaimedTree, string>;

  constructor(faults: ReadonlyMap<ClaimedTree, string>) {
    super('logs cannot be extended');
    this.faults = faults;
  }
}

export class TreeExtender {
  readonly #parts: ExtenderParts;
  /** By the organization's id in hex: until when, of the monotonic clock, those with faults are left alone. */
  readonly #resting = new Map<string, number>();
  /** Who was claimed last: the next pass begins after it. */
  #after: Buffer = Buffer.alloc(16);
  #leavesMax = LEAVES_FIRST;
  /** Fewer after a pass that failed, down to one: so it is found out whose log it is. */
  #logsMax = LOGS_MAX;
  #poll: NodeJS.Timeout | null = null;
  #isRunning = false;
  #isWoken = false;
  #running: Promise<unknown> = Promise.resolve();
  #learntAtMs = Number.NEGATIVE_INFINITY;
  #thinnedAtMs: number | null = null;
  #toldSetBackAtMs = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(parts: ExtenderParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#poll = setInterval(() => this.wake(), POLL_MS).unref();
    this.wake();
  }

  /** Looks for what was committed, now. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isRunning || this.#isClosed) return;
    this.#isRunning = true;
    void this.#exclusively(() => this.#run());
  }

  /** Resolves when every log has what is committed now, whoever extends it, but for those with faults. Throws where the database does not answer. */
  async catchUp(): Promise<void> {
    while (!this.#isClosed) {
      const isAtRest = await this.#exclusively(async () => {
        while (await this.#pass());
        return !(await hasUnread(this.#parts.db, this.#restingNow()));
      });
      if (isAtRest) return;
      // Another node is at them.
      await delay(CATCH_UP_PAUSE_MS);
    }
  }

  /** Ends after the transaction that is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#poll !== null) clearInterval(this.#poll);
    await this.#running;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        if (await hasUnread(this.#parts.db, this.#restingNow())) while (!this.#isClosed && (await this.#pass()));
        await this.#learnSigned();
        await this.#thin();
      }
    } catch (err) {
      this.#parts.log.warn({ err }, 'the log waits for the database');
    } finally {
      this.#isRunning = false;
    }
  }

  /** One transaction. True when there is more than it took. */
  async #pass(): Promise<boolean> {
    const after = this.#after;
    let claimed: readonly ClaimedTree[] = [];
    const onClaim = (trees: readonly ClaimedTree[]) => {
      claimed = trees;
    };
    try {
      const { grown, epoch, hasMore } = await this.#parts.db.transaction((tx) => this.#extend(tx, onClaim));
      for (const { tree, size, root } of grown) {
        this.#parts.memory.remember(tree.orgId, { epoch, size, root });
        this.#parts.onGrown(tree.orgId, tree.size, size);
      }
      this.#logsMax = Math.min(LOGS_MAX, this.#logsMax * 2);
      return hasMore;
    } catch (err) {
      if (err instanceof FaultyLogs) {
        for (const [tree, fault] of err.faults) this.#leaveAlone(tree, fault);
        return true;
      }
      if (err instanceof SetBack) {
        this.#tellSetBack(err);
        return false;
      }
      if (claimed.length === 0) throw err;
      // Whatever it is that cannot be read or written: half of them are tried again from the first on, and one that fails alone is left alone.
      this.#logsMax = Math.ceil(claimed.length / 2);
      if (isConnectionFault(err)) throw err;
      if (claimed.length > 1) this.#after = after;
      else this.#leaveAlone(claimed[0]!, err instanceof Error ? err.message : String(err), err);
      return true;
    }
  }

  async #extend(
    tx: Transaction,
    onClaim: (trees: readonly ClaimedTree[]) => void,
  ): Promise<{ grown: readonly GrownTree[]; epoch: number; hasMore: boolean }> {
    const logsMax = this.#logsMax;
    const held = await holdDeployment(tx);
    const { epoch } = held.deployment;
    if (!held.isSameServer) throw new SetBack('server_changed', epoch);
    await this.#parts.keys.follow(tx, held.keys);
    const trees = await claimTrees(tx, this.#restingNow(), this.#after, logsMax);
    if (trees.length === 0) return { grown: [], epoch, hasMore: false };
    this.#after = trees.at(-1)!.orgId;
    onClaim(trees);
    const { isSetBack, faults } = await checkEdges(tx, held.deployment, trees, this.#parts);
    if (isSetBack) throw new SetBack('behind_what_was_signed', epoch);
    if (faults.size > 0) throw new FaultyLogs(faults);
    const tally = new Tally();
    const growths = await this.#read(tx, trees, tally);
    const grown = growths.map((growth) => growth.finish(held, this.#parts.keys));
    const unfit = await writeGrowth(tx, epoch, grown);
    if (unfit.length > 0)
      throw new FaultyLogs(new Map(unfit.map((tree) => [tree, 'tiles or checkpoints are not as the tree says'])));
    await tally.write(tx);
    const isAll = grown.every(({ tree, size }) => size === tree.lastSequence);
    return { grown, epoch, hasMore: !isAll || trees.length === logsMax };
  }

  /** Appends to each log its share of leaves. */
  async #read(tx: Transaction, trees: readonly ClaimedTree[], tally: Tally): Promise<Growth[]> {
    const faults = new Map<ClaimedTree, string>();
    const growths = new Map<string, Growth>();
    for (const tree of trees) {
      try {
        growths.set(formatId('org', tree.orgId), new Growth(tree));
      } catch (err) {
        if (!(err instanceof RangeError)) throw err;
        faults.set(tree, err.message);
      }
    }
    let [count, chars] = [0, 0];
    const take = (leaf: Leaf) => {
      const growth = growths.get(leaf.event.orgId);
      count++;
      chars += leaf.event.data.length + (leaf.event.text?.length ?? 0) + leaf.text.length;
      if (growth === undefined || faults.has(growth.tree)) return;
      if (leaf.event.sequence === growth.size + 1) {
        growth.append(leaf.hash);
        tally.add(leaf);
      } else faults.set(growth.tree, `event ${leaf.event.sequence} stands in the place of ${growth.size + 1}`);
    };
    const stretches = sharesOf(trees, this.#leavesMax);
    // What was taken is needed no more, and is let go.
    const parts = inParts(stretches, PART_LEAVES);
    for await (const leaves of readLeavesInParts(tx, this.#parts.vault, parts)) for (const leaf of leaves) take(leaf);
    for (const { orgId, until } of stretches) {
      const growth = growths.get(formatId('org', orgId));
      if (growth !== undefined && growth.size < until && !faults.has(growth.tree))
        faults.set(growth.tree, `event ${growth.size + 1} is missing`);
    }
    if (faults.size > 0) throw new FaultyLogs(faults);
    this.#learn(count, chars);
    return [...growths.values()];
  }

  /** How many leaves the next transaction takes. */
  #learn(count: number, chars: number): void {
    const fitting = Math.ceil((count * CHARS_MAX) / Math.max(1, chars));
    this.#leavesMax = Math.max(1, Math.min(LEAVES_MAX, this.#leavesMax * GROWTH_MAX, fitting));
  }

  /** Every pass finds it until another epoch has begun. */
  #tellSetBack({ reason, epoch }: SetBack): void {
    const nowMs = performance.now();
    if (nowMs - this.#toldSetBackAtMs < TELL_INTERVAL_MS) return;
    this.#toldSetBackAtMs = nowMs;
    this.#parts.log.error({ reason, epoch }, 'the database was set back: nothing is signed under the present origin');
    this.#parts.onSetBack(reason, epoch);
  }

  /** What other nodes have signed is known here as well: whichever is left can tell that the database was set back. */
  async #learnSigned(): Promise<void> {
    const nowMs = performance.now();
    if (nowMs - this.#learntAtMs < LEARN_INTERVAL_MS) return;
    this.#learntAtMs = nowMs;
    const { db, keys, memory } = this.#parts;
    const found = await db.transaction(async (tx) => {
      const { deployment, keys: state, isSameServer } = await holdDeployment(tx);
      const { epoch } = deployment;
      if (!isSameServer) return { epoch, isSetBack: false, sound: [] };
      await keys.follow(tx, state);
      const edges = await holdRecentEdges(tx, epoch, LEARN_LOGS_MAX);
      const { isSetBack, faults } = await checkEdges(tx, deployment, edges, { keys, memory });
      return { epoch, isSetBack, sound: edges.filter((edge) => !faults.has(edge)) };
    });
    const { epoch, isSetBack, sound } = found;
    if (isSetBack) this.#tellSetBack(new SetBack('behind_what_was_signed', epoch));
    else
      for (const edge of sound) {
        const known = memory.find(edge.orgId);
        const isKnown = known !== undefined && (known.epoch > epoch || (known.epoch === epoch && known.size >= edge.size));
        if (!isKnown) memory.remember(edge.orgId, { epoch, size: edge.size, root: rootOf(edge)! });
      }
  }

  async #thin(): Promise<void> {
    const nowMs = performance.now();
    if (this.#thinnedAtMs !== null && nowMs - this.#thinnedAtMs < THIN_INTERVAL_MS) return;
    await thinCheckpoints(this.#parts.db, this.#thinnedAtMs === null ? THIN_HOURS_FIRST : THIN_HOURS);
    this.#thinnedAtMs = nowMs;
  }

  #leaveAlone({ orgId, size }: ClaimedTree, fault: string, err?: unknown): void {
    this.#resting.set(orgId.toString('hex'), performance.now() + RETRY_MS);
    this.#parts.log.error(
      { org_id: formatId('org', orgId), size, fault, err },
      'the log of an organization cannot be extended; it is tried again, and all others go on',
    );
  }

  #restingNow(): Buffer[] {
    for (const [key, untilMs] of this.#resting) if (untilMs <= performance.now()) this.#resting.delete(key);
    return Array.from(this.#resting.keys(), (key) => Buffer.from(key, 'hex'));
  }

  /** One after another. */
  #exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#running.then(work);
    this.#running = result.catch(() => {});
    return result;
  }
}

/** What of each is taken: those with few have all, the others share what is left. At least one. */
function sharesOf(trees: readonly ClaimedTree[], leavesMax: number): Stretch[] {
  const shares: number[] = Array.from({ length: trees.length }, () => 0);
  const behind = trees
    .map(({ lastSequence, size }, i) => ({ i, count: lastSequence - size }))
    .toSorted((a, b) => a.count - b.count);
  let left = leavesMax;
  for (const [done, { i, count }] of behind.entries()) {
    shares[i] = Math.min(count, Math.max(1, Math.floor(left / (behind.length - done))));
    left -= shares[i];
  }
  return trees.map(({ orgId, size }, i) => ({ orgId, after: size, until: size + shares[i]! }));
}

/** The same stretches, in order, cut into parts of so many leaves. */
function inParts(stretches: readonly Stretch[], leavesMax: number): Stretch[][] {
  const parts: Stretch[][] = [[]];
  let left = leavesMax;
  for (const { orgId, after, until } of stretches) {
    for (let from = after; from < until;) {
      if (left === 0) {
        parts.push([]);
        left = leavesMax;
      }
      const to = Math.min(until, from + left);
      parts.at(-1)!.push({ orgId, after: from, until: to });
      left -= to - from;
      from = to;
    }
  }
  return parts;
}

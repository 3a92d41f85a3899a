// Decides by the shared store, so that all nodes hand out one limit; without the store, by this node's memory and its share.

import type { Organization } from '../organizations/organization.ts';
import type { Logger } from '../telemetry/log.ts';
import { AGE_SECONDS_MAX } from './budget.ts';
import { BUDGETS, PROBE_LIMITS, REFUSALS, type BudgetName, type Cost, type LimitDecision, type ProbeKind } from './decision.ts';
import { limitOf, type LocalLimits, type Moment } from './local.ts';
import { LimitStore, type BudgetsAnswer } from './valkey.ts';

// How often a store that failed is asked whether it is back. Requests do not wait for it meanwhile.
const CHECK_INTERVAL_MS = 500;
// After the store is back: what was admitted meanwhile is not in it, and counts this long.
const AGREEMENT_SECONDS = AGE_SECONDS_MAX + 1;
/** A budget of nobody, taken from to learn whether the store can write. */
const CHECK = { key: 'svc:limit:{check}:requests', limit: 1_000_000, cost: 1 };

/** What `SharedLimits` works with; `onDegraded` hears of each change. */
export interface SharedLimitsOptions {
  readonly url: string;
  readonly local: LocalLimits;
  readonly log: Logger;
  readonly onDegraded: (isDegraded: boolean) => void;
}

/**
 * Three states. Healthy: the store decides, and this node's memory follows it. Degraded: memory decides, by the node's share. Agreeing,
 * for 301 s after the store is back: both must let a request through.
 */
export class SharedLimits {
  readonly #store: LimitStore;
  readonly #local: LocalLimits;
  readonly #log: Logger;
  readonly #onDegraded: (isDegraded: boolean) => void;
  #isDegraded = false;
  #isClosed = false;
  #agreeingUntil = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  private constructor({ url, local, log, onDegraded }: SharedLimitsOptions) {
    this.#store = new LimitStore(url, (err) => this.#degrade(err));
    this.#local = local;
    this.#log = log;
    this.#onDegraded = onDegraded;
  }

  /** Connects. A store that cannot be reached is no error: the limits begin degraded. */
  static async open(options: SharedLimitsOptions): Promise<SharedLimits> {
    const limits = new SharedLimits(options);
    await limits.#store.settled();
    await limits.#store.takeBudgets([CHECK]).catch((err: unknown) => limits.#degrade(err));
    return limits;
  }

  async take(organization: Organization, cost: Cost, shows: BudgetName): Promise<LimitDecision> {
    if (this.#isDegraded) return this.#local.take(organization, cost, shows);
    const moment = this.#local.moment();
    const isAgreeing = moment.now < this.#agreeingUntil;
    const reserved = isAgreeing ? this.#local.reserve(organization, cost, shows, moment) : null;
    if (reserved !== null && reserved.refusedBy !== null) return reserved;
    const asked = BUDGETS.filter((name) => cost[name] > 0 || name === shows);
    try {
      const answer = await this.#store.takeBudgets(
        asked.map((name) => ({ key: keyOf(organization.id, name), limit: limitOf(organization, name), cost: cost[name] })),
      );
      const decision = decisionOf(organization, asked, asked.indexOf(shows), answer);
      this.#follow(organization, cost, moment, decision, reserved);
      for (const [i, name] of asked.entries()) this.#local.raise(organization, name, answer.states[i]!);
      return reserved === null || decision.refusedBy !== null ? decision : tighterOf(decision, reserved);
    } catch (err) {
      this.#degrade(err);
      if (reserved === null) return this.#local.take(organization, cost, shows);
      this.#local.note(organization, cost, moment);
      return reserved;
    }
  }

  async takeProbe(orgId: string, probe: string, kind: ProbeKind): Promise<LimitDecision> {
    if (this.#isDegraded) return this.#local.takeProbe(orgId, probe, kind);
    const isAgreeing = this.#local.moment().now < this.#agreeingUntil;
    const reserved = isAgreeing ? this.#local.takeProbe(orgId, probe, kind) : null;
    if (reserved !== null && reserved.refusedBy !== null) return reserved;
    const { limit, windowSeconds } = PROBE_LIMITS[kind];
    try {
      const key = keyOf(orgId, `probe:${probe}:${kind}`);
      const { waitSeconds, remaining, reset } = await this.#store.takeWindow(key, limit, windowSeconds);
      const isRefused = waitSeconds > 0;
      if (isRefused && reserved !== null) this.#local.giveBackProbe(orgId, probe, kind);
      if (!isRefused && reserved === null) this.#local.recordProbe(orgId, probe, kind);
      const view = { limit, remaining, reset, windowSeconds };
      const decision = { refusedBy: isRefused ? REFUSALS[kind] : null, waitSeconds, view };
      return reserved === null || isRefused ? decision : tighterOf(decision, reserved);
    } catch (err) {
      this.#degrade(err);
      return reserved ?? this.#local.takeProbe(orgId, probe, kind);
    }
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#store.close();
  }

  /** What the store decided is counted in this node's memory too, which has then something to go on from when the store fails. */
  #follow(organization: Organization, cost: Cost, moment: Moment, decision: LimitDecision, reserved: LimitDecision | null): void {
    if (decision.refusedBy === null) this.#local.note(organization, cost, moment);
    else if (reserved !== null) this.#local.giveBack(organization, cost, moment);
  }

  #degrade(err: unknown): void {
    if (this.#isDegraded || this.#isClosed) return;
    this.#isDegraded = true;
    this.#log.error({ err }, 'the shared store of limits fails; this node hands out its share of each limit until it is back');
    this.#onDegraded(true);
    this.#timer = setInterval(() => void this.#check(), CHECK_INTERVAL_MS).unref();
  }

  async #check(): Promise<void> {
    try {
      await this.#store.takeBudgets([CHECK]);
    } catch {
      this.#store.reconnect();
      return;
    }
    if (!this.#isDegraded || this.#isClosed) return;
    clearInterval(this.#timer);
    this.#isDegraded = false;
    this.#agreeingUntil = this.#local.moment().now + AGREEMENT_SECONDS;
    this.#log.info('the shared store of limits is back');
    this.#onDegraded(false);
  }
}

/** Keys of one organization share a hash tag, so that a cluster keeps them on one node. */
function keyOf(orgId: string, name: string): string {
  return `svc:limit:{${orgId}}:${name}`;
}

function decisionOf(
  organization: Organization,
  asked: readonly BudgetName[],
  shown: number,
  { refused, waitSeconds, states }: BudgetsAnswer,
): LimitDecision {
  const told = refused === -1 ? shown : refused;
  const name = asked[told]!;
  const { remaining, reset } = states[told]!;
  return {
    refusedBy: refused === -1 ? null : REFUSALS[name],
    waitSeconds,
    view: { limit: limitOf(organization, name), remaining, reset, windowSeconds: 60 },
  };
}

function tighterOf(a: LimitDecision, b: LimitDecision): LimitDecision {
  return a.view.remaining <= b.view.remaining ? a : b;
}

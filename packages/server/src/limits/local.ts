// Decides from this node's memory. Alone it is the whole limiter; beside a shared store it is what the node falls back to.
//
// With several nodes each takes for the others too: one unit of cost takes as many from the whole limit as there are nodes. That hands out
// a node's share, and goes on smoothly from what was used before when nodes come and go.

import type { Organization } from '../organizations/organization.ts';
import { AGE_SECONDS_MAX, Budget } from './budget.ts';
import { toWallClock } from './clock.ts';
import { BUDGETS, PROBE_LIMITS, REFUSALS, type BudgetName, type Cost, type LimitDecision, type ProbeKind } from './decision.ts';
import { ProbeWindows } from './probes.ts';
import { UsageRecord } from './usage-record.ts';

const SHARE_WAIT_SECONDS = 60;

/** One organization's budgets, and what it took that is not written down yet. */
interface Holder {
  readonly requests: Budget;
  readonly assessments: Budget;
  readonly unwritten: UsageRecord;
}

/** When something was taken (seconds of the budgets' clock), and how many nodes it was taken for. */
export interface Moment {
  readonly now: number;
  readonly nodes: number;
}

/** What of a budget is in use by all nodes together, in the last 60 s and 300 s. */
interface SharedUse {
  readonly used60: number;
  readonly used300: number;
}

/** Budgets of organizations and windows of probes. Every method is synchronous. */
export class LocalLimits {
  readonly #holders = new Map<string, Holder>();
  readonly #probes = new ProbeWindows();
  readonly #liveNodes: () => number;
  readonly #clock: () => number;

  /** `clock`: seconds that never go back, see `budgetSeconds`. */
  constructor(liveNodes: () => number, clock: () => number) {
    this.#liveNodes = liveNodes;
    this.#clock = clock;
  }

  moment(): Moment {
    return { now: this.#clock(), nodes: this.#liveNodes() };
  }

  /** Takes all of the cost or none of it. `shows`: the budget that the view tells of when nothing refuses. */
  take(organization: Organization, cost: Cost, shows: BudgetName): LimitDecision {
    const moment = this.moment();
    const decision = this.reserve(organization, cost, shows, moment);
    if (decision.refusedBy === null) this.note(organization, cost, moment);
    return decision;
  }

  /** As `take`, but of what is taken nothing is written down before `note` says that it was used. */
  reserve(organization: Organization, cost: Cost, shows: BudgetName, { now, nodes }: Moment): LimitDecision {
    const holder = this.#holderOf(organization);
    let waitSeconds = 0;
    let told = shows;
    for (const name of BUDGETS) {
      const wait = this.#waitOf(holder, organization, name, cost[name], { now, nodes });
      if (wait <= waitSeconds) continue;
      waitSeconds = wait;
      told = name;
    }
    if (waitSeconds === 0) addToBoth(holder, organization, cost, 0, { now, nodes });
    const view = holder[told].view(now, weightOf(organization, told, nodes));
    return {
      refusedBy: waitSeconds === 0 ? null : REFUSALS[told],
      waitSeconds,
      view: { ...view, reset: toWallClock(view.reset) },
    };
  }

  /** What is too much for a node's share alone is a matter of waiting for other nodes, not of a size that never fits. */
  #waitOf(holder: Holder, organization: Organization, name: BudgetName, cost: number, { now, nodes }: Moment): number {
    if (cost === 0) return 0;
    const wait = holder[name].wait(now, cost * weightOf(organization, name, nodes));
    return wait === Infinity && cost <= 2 * limitOf(organization, name) ? SHARE_WAIT_SECONDS : wait;
  }

  /** Gives back what was reserved at `moment`. */
  giveBack(organization: Organization, cost: Cost, moment: Moment): void {
    const ageSeconds = Math.floor(this.#clock()) - Math.floor(moment.now);
    const back = { requests: -cost.requests, assessments: -cost.assessments };
    addToBoth(this.#holderOf(organization), organization, back, ageSeconds, { now: this.#clock(), nodes: moment.nodes });
  }

  /** Writes down that `cost` was used. */
  note(organization: Organization, cost: Cost, { now }: Moment): void {
    this.#holderOf(organization).unwritten.add(Math.floor(now), cost.requests, cost.assessments);
  }

  /** Counts what all nodes use of a budget, when that is more than is known here. */
  raise(organization: Organization, name: BudgetName, { used60, used300 }: SharedUse): void {
    this.#holderOf(organization)[name].raise(this.#clock(), used60, used300);
  }

  takeProbe(orgId: string, probe: string, kind: ProbeKind): LimitDecision {
    const { now, nodes } = this.moment();
    const waitSeconds = this.#probes.get(orgId, probe, kind).take(now, probeShare(kind, nodes));
    const { view } = this.viewProbe(orgId, probe, kind);
    return { refusedBy: waitSeconds === 0 ? null : REFUSALS[kind], waitSeconds, view };
  }

  viewProbe(orgId: string, probe: string, kind: ProbeKind): LimitDecision {
    const { now, nodes } = this.moment();
    const view = this.#probes.look(orgId, probe, kind).view(now, probeShare(kind, nodes));
    return {
      refusedBy: null,
      waitSeconds: 0,
      view: { ...view, limit: PROBE_LIMITS[kind].limit, reset: toWallClock(view.reset) },
    };
  }

  /** Counts a call of a probe that was let through elsewhere. */
  recordProbe(orgId: string, probe: string, kind: ProbeKind): void {
    this.#probes.get(orgId, probe, kind).record(this.#clock());
  }

  giveBackProbe(orgId: string, probe: string, kind: ProbeKind): void {
    this.#probes.get(orgId, probe, kind).giveBack();
  }

  /** Counts what was used before this process began. `second`: of the budgets' clock; one that is yet to come counts as now. */
  restore(orgId: string, second: number, cost: Cost): void {
    const now = this.#clock();
    const ageSeconds = Math.max(0, Math.floor(now) - second);
    if (ageSeconds > AGE_SECONDS_MAX) return;
    const holder = this.#holderById(orgId);
    for (const name of BUDGETS) holder[name].add(now, ageSeconds, cost[name]);
  }

  /** What each organization used since the last call; the caller writes it down, or puts it back. */
  takeUnwritten(): Map<string, UsageRecord> {
    const taken = new Map<string, UsageRecord>();
    for (const [orgId, { unwritten }] of this.#holders) if (!unwritten.isEmpty) taken.set(orgId, unwritten.moveOut());
    return taken;
  }

  putBack(records: ReadonlyMap<string, UsageRecord>): void {
    const oldest = Math.floor(this.#clock()) - AGE_SECONDS_MAX;
    for (const [orgId, record] of records) this.#holderById(orgId).unwritten.addAll(record, oldest);
  }

  /** Forgets organizations and probes that have used nothing lately. */
  sweep(): void {
    const now = this.#clock();
    for (const [orgId, { requests, assessments, unwritten }] of this.#holders) {
      if (requests.isIdle(now) && assessments.isIdle(now) && unwritten.isEmpty) this.#holders.delete(orgId);
    }
    this.#probes.sweep(now);
  }

  #holderOf(organization: Organization): Holder {
    const holder = this.#holderById(organization.id);
    for (const name of BUDGETS) holder[name].limit = limitOf(organization, name);
    return holder;
  }

  /** The limits are set by whoever asks with the organization at hand. */
  #holderById(orgId: string): Holder {
    let holder = this.#holders.get(orgId);
    if (holder === undefined) {
      holder = { requests: new Budget(0), assessments: new Budget(0), unwritten: new UsageRecord() };
      this.#holders.set(orgId, holder);
    }
    return holder;
  }
}

/** The organization's limit a minute. */
export function limitOf({ limits }: Organization, name: BudgetName): number {
  return name === 'requests' ? limits.requests_per_minute : limits.assessments_per_minute;
}

/** What of a probe's limit this node hands out. */
function probeShare(kind: ProbeKind, nodes: number): number {
  return Math.max(1, Math.floor(PROBE_LIMITS[kind].limit / Math.max(1, nodes)));
}

/** What one unit of cost takes. Never more than the limit, so that a node hands out at least 1. */
function weightOf(organization: Organization, name: BudgetName, nodes: number): number {
  return Math.max(1, Math.min(nodes, limitOf(organization, name)));
}

function addToBoth(holder: Holder, organization: Organization, cost: Cost, ageSeconds: number, { now, nodes }: Moment): void {
  for (const name of BUDGETS) {
    if (cost[name] !== 0) holder[name].add(now, ageSeconds, cost[name] * weightOf(organization, name, nodes));
  }
}

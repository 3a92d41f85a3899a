// The budgets of every organization, and of addresses whose credentials fail. In the memory of this node.

import type { Organization } from '../organizations/organization.ts';
import { Budget, type BudgetView } from './budget.ts';

export const WINDOW_SECONDS = 60;
const FAILED_CREDENTIALS_PER_MINUTE = 60;
const SWEEP_INTERVAL_MS = 60_000;
// An attacker with many addresses must not fill the memory: a budget is 2.5 kB.
const ADDRESSES_MAX = 20_000;

/** Whether a request may go on, and what its headers say. */
export interface LimitDecision {
  /** The limit that refused, as a person reads it; `null`: none did. */
  readonly refusedBy: string | null;
  /** Whole seconds until it would be let through; `Infinity`: never. */
  readonly waitSeconds: number;
  readonly view: BudgetView;
}

interface OrganizationBudgets {
  readonly requests: Budget;
  readonly assessments: Budget;
}

export class Limits {
  readonly #organizations = new Map<string, OrganizationBudgets>();
  readonly #addresses = new Map<string, Budget>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#sweep(), SWEEP_INTERVAL_MS).unref();
  }

  /** Takes all of the cost or none of it. `shows`: the budget that the headers tell of when nothing refuses. */
  take(
    organization: Organization,
    cost: { requests: number; assessments: number },
    shows: 'requests' | 'assessments',
  ): LimitDecision {
    const now = monotonicSeconds();
    const budgets = this.#budgetsOf(organization);
    for (const name of ['requests', 'assessments'] as const) {
      const waitSeconds = cost[name] === 0 ? 0 : budgets[name].wait(now, cost[name]);
      if (waitSeconds > 0) return { refusedBy: REFUSALS[name], waitSeconds, view: viewAt(budgets[name], now) };
    }
    if (cost.requests > 0) budgets.requests.take(now, cost.requests);
    if (cost.assessments > 0) budgets.assessments.take(now, cost.assessments);
    return { refusedBy: null, waitSeconds: 0, view: viewAt(budgets[shows], now) };
  }

  /** Counts a failed credential against the address it came from. */
  takeFailure(address: string): LimitDecision {
    const now = monotonicSeconds();
    const key = networkOf(address);
    let budget = this.#addresses.get(key);
    if (budget === undefined) {
      if (this.#addresses.size >= ADDRESSES_MAX) this.#addresses.delete(this.#addresses.keys().next().value!);
      budget = new Budget(FAILED_CREDENTIALS_PER_MINUTE);
      this.#addresses.set(key, budget);
    }
    const waitSeconds = budget.take(now, 1);
    return {
      refusedBy: waitSeconds > 0 ? 'failed credentials of an address in a minute' : null,
      waitSeconds,
      view: viewAt(budget, now),
    };
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #budgetsOf(organization: Organization): OrganizationBudgets {
    const { assessments_per_minute: assessments, requests_per_minute: requests } = organization.limits;
    let budgets = this.#organizations.get(organization.id);
    if (budgets === undefined) {
      budgets = { requests: new Budget(requests), assessments: new Budget(assessments) };
      this.#organizations.set(organization.id, budgets);
    }
    budgets.requests.limit = requests;
    budgets.assessments.limit = assessments;
    return budgets;
  }

  #sweep(): void {
    const now = monotonicSeconds();
    for (const [id, { requests, assessments }] of this.#organizations) {
      if (requests.isIdle(now) && assessments.isIdle(now)) this.#organizations.delete(id);
    }
    for (const [address, budget] of this.#addresses) if (budget.isIdle(now)) this.#addresses.delete(address);
  }
}

/** Budgets run on the monotonic clock: a wall clock that is set back would freeze them, one set forward empty them. */
function monotonicSeconds(): number {
  return performance.now() / 1_000;
}

/** A budget's view with `reset` on the wall clock, as clients know it. */
function viewAt(budget: Budget, now: number): BudgetView {
  const view = budget.view(now);
  return { ...view, reset: Math.ceil(Date.now() / 1_000 + view.reset - now) };
}

const REFUSALS = {
  requests: 'API requests of the organization in a minute',
  assessments: 'assessments of the organization in a minute',
};

/** One IPv6 subscriber has a /64: his addresses count as one. */
function networkOf(address: string): string {
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = address.split('::');
  const groups = head === '' ? [] : head.split(':');
  const missing = 8 - groups.length - (tail === '' ? 0 : tail.split(':').length);
  const whole = address.includes('::')
    ? [...groups, ...Array<string>(Math.max(0, missing)).fill('0'), ...tail.split(':')]
    : groups;
  return whole.slice(0, 4).join(':');
}

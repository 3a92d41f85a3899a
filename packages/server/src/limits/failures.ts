// Failed credentials and unauthenticated calls, counted against the address they come from. Always in this node's memory.

import { Budget } from './budget.ts';
import { budgetSeconds, toWallClock } from './clock.ts';
import { REFUSALS, type LimitDecision } from './decision.ts';

const FAILURES_PER_MINUTE = 60;
// An attacker with many addresses must not fill the memory: a budget is 2.5 kB.
const ADDRESSES_MAX = 20_000;

/** The budgets of addresses. */
export class FailureLimits {
  readonly #addresses = new Map<string, Budget>();

  /** Counts against `address` (its /64 for IPv6). `count: 0` takes nothing and refuses nothing: it tells what the headers say. */
  take(address: string, count: 0 | 1): LimitDecision {
    const now = budgetSeconds();
    const key = networkOf(address);
    const budget = this.#addresses.get(key) ?? new Budget(FAILURES_PER_MINUTE);
    const waitSeconds = budget.take(now, count);
    if (count > 0) this.#keep(key, budget);
    const view = budget.view(now);
    return {
      refusedBy: waitSeconds > 0 ? REFUSALS.failure : null,
      waitSeconds,
      view: { ...view, reset: toWallClock(view.reset) },
    };
  }

  /** Forgets addresses that have used nothing lately. */
  sweep(now: number): void {
    for (const [address, budget] of this.#addresses) if (budget.isIdle(now)) this.#addresses.delete(address);
  }

  #keep(key: string, budget: Budget): void {
    if (this.#addresses.has(key)) return;
    if (this.#addresses.size >= ADDRESSES_MAX) this.#addresses.delete(this.#addresses.keys().next().value!);
    this.#addresses.set(key, budget);
  }
}

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

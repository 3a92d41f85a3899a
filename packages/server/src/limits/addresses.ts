// Failed credentials and unauthenticated calls, counted against the address they come from. Always in this node's memory.

import { budgetSeconds, toWallClock } from './clock.ts';
import { REFUSALS, type LimitDecision } from './decision.ts';
import { SlidingWindow } from './window.ts';

const PER_MINUTE = 60;
/** Messages that an inbox takes. */
export const MESSAGES_PER_MINUTE = 600;
const WINDOW_SECONDS = 60;
// An attacker with many addresses must not fill the memory: a window is 0.6 kB.
const ADDRESSES_MAX = 20_000;

/** The windows of addresses: 60 in any minute, or as many as are said, without burst. */
export class AddressLimits {
  readonly #addresses = new Map<string, SlidingWindow>();
  readonly #refusal: string;
  readonly #perMinute: number;

  constructor(counts: 'failure' | 'call' | 'message', perMinute = PER_MINUTE) {
    this.#refusal = REFUSALS[counts];
    this.#perMinute = perMinute;
  }

  /** Counts against `address` (its /64 for IPv6). `count: 0` takes nothing and refuses nothing: it tells what the headers say. */
  take(address: string, count: 0 | 1): LimitDecision {
    const now = budgetSeconds();
    const key = networkOf(address);
    const window = this.#addresses.get(key) ?? new SlidingWindow(this.#perMinute, WINDOW_SECONDS);
    const waitSeconds = count === 0 ? 0 : window.take(now, this.#perMinute);
    if (count > 0) this.#keep(key, window);
    const view = window.view(now, this.#perMinute);
    return {
      refusedBy: waitSeconds > 0 ? this.#refusal : null,
      waitSeconds,
      view: { ...view, reset: toWallClock(view.reset) },
    };
  }

  isUsedUp(address: string): boolean {
    return this.#addresses.get(networkOf(address))?.view(budgetSeconds(), PER_MINUTE).remaining === 0;
  }

  /** Forgets addresses that have used nothing lately. */
  sweep(now: number): void {
    for (const [address, window] of this.#addresses) if (window.isIdle(now)) this.#addresses.delete(address);
  }

  #keep(key: string, window: SlidingWindow): void {
    if (this.#addresses.has(key)) return;
    if (this.#addresses.size >= ADDRESSES_MAX) this.#addresses.delete(this.#addresses.keys().next().value!);
    this.#addresses.set(key, window);
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

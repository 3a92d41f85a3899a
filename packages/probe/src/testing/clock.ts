// A clock that tests move: an hour passes in the time that what happens in it takes.

import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../clock.ts';

interface Sleeper {
  readonly atMs: number;
  readonly wake: () => void;
}

export class MovedClock implements Clock {
  #nowMs: number;
  readonly #sleepers = new Set<Sleeper>();
  /** For how long somebody has wanted to sleep, in order: true whatever real time answers take. */
  readonly slept: number[] = [];

  constructor(nowMs = Date.now()) {
    this.#nowMs = nowMs;
  }

  now(): number {
    return this.#nowMs;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve) => {
      const sleeper = {
        atMs: this.#nowMs + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      if (signal?.aborted === true) return resolve();
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', sleeper.wake, { once: true });
    });
  }

  /** Lets time pass: whoever sleeps wakes when it is time, and gets `settleMs` of real time to do something. */
  async pass(ms: number, settleMs = 5): Promise<void> {
    const endMs = this.#nowMs + ms;
    for (;;) {
      const next = [...this.#sleepers].sort((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > endMs) break;
      this.#nowMs = Math.max(this.#nowMs, next.atMs);
      next.wake();
      await delay(settleMs);
    }
    this.#nowMs = endMs;
  }

  /** Lets time pass, a second at a time, until `isDone`; fails after `mostMs`. */
  async passUntil(isDone: () => boolean | Promise<boolean>, mostMs = 600_000): Promise<void> {
    for (let passedMs = 0; !(await isDone()); passedMs += 1_000) {
      if (passedMs > mostMs) throw new Error('it did not happen in time');
      await this.pass(1_000);
      await delay(5);
    }
  }
}

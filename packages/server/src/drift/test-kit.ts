// What the tests of drift share: applications that behave, and change, by the numbers of a seed. For tests alone.

import { setTimeout } from 'node:timers/promises';
import type { TestService } from '../testing/service.ts';

const DAY_MS = 86_400_000;
/** A morning long enough ago that nothing of it lies ahead, and short enough that charts reach it. */
export const START_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS - 20 * DAY_MS + 8 * 3_600_000;
const BATCH_EVENTS = 100;

/** Numbers in [0, 1) that are the same each time (mulberry32). */
export function numbersOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What an application is like at the moment. */
export interface Behaviour {
  readonly model?: string;
  readonly version?: string;
  readonly flagged?: number;
  readonly blocked?: number;
  readonly errors?: number;
  readonly refusals?: number;
  /** Of the logarithm of the latency: its mean, also by time. */
  readonly latency?: number | ((atMs: number) => number);
  readonly everyMs?: number;
}

/** An application that a probe looks at: each call goes on where the one before ended. */
export class Application {
  readonly #service: Pick<TestService, 'request'>;
  readonly #key: string;
  readonly #probe: string;
  readonly #next: () => number;
  #count = 0;
  atMs = START_MS;

  constructor(service: Pick<TestService, 'request'>, key: string, probe: string, seed: number) {
    this.#service = service;
    this.#key = key;
    this.#probe = probe;
    this.#next = numbersOf(seed);
  }

  /** Events as the probe reports them. */
  events(count: number, behaviour: Behaviour): object[] {
    return Array.from({ length: count }, () => this.#event(behaviour));
  }

  /** Reports so many inferences, in batches. */
  async run(count: number, behaviour: Behaviour = {}): Promise<void> {
    for (let left = count; left > 0; left -= BATCH_EVENTS) {
      await this.send(this.events(Math.min(left, BATCH_EVENTS), behaviour));
    }
  }

  async send(events: readonly object[]): Promise<void> {
    const post = () =>
      this.#service.request('POST', '/api/svc/probe/telemetry', {
        key: this.#key,
        headers: { 'x-svc-probe-id': this.#probe },
        body: { events },
      });
    let answer = await post();
    // A probe may report a hundred times a second.
    for (; answer.status === 429; answer = await post()) await setTimeout(Number(answer.headers.get('retry-after')) * 1_000);
    if (answer.status !== 202) throw new Error(answer.text);
  }

  #event({
    model = 'gpt-x',
    version = '2026-01',
    flagged = 0.05,
    blocked = 0.01,
    errors = 0.01,
    refusals = 0.02,
    latency = 6,
    everyMs = 1_000,
  }: Behaviour): object {
    const next = this.#next;
    this.atMs += everyMs;
    const outcome = next();
    const isFailed = next() < errors;
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
    return {
      id: `${this.#probe}-${++this.#count}`,
      occurred_at: new Date(this.atMs).toISOString(),
      model,
      model_version: version,
      latency_ms: Math.exp((typeof latency === 'number' ? latency : latency(this.atMs)) + 0.5 * normal),
      input_tokens: 100 + Math.floor(200 * next()),
      finish_reason: next() < refusals ? 'content_filter' : 'stop',
      ...(isFailed ? { error: 'timeout' } : {}),
      outcome: outcome < blocked ? 'blocked' : outcome < blocked + flagged ? 'flagged' : 'allowed',
      score: outcome < blocked + flagged ? 0.9 : next() * 0.3,
    };
  }
}

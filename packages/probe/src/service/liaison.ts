// Keeps in touch with the service: tells that the probe lives, hears of new policies, fetches them.

import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { PolicyHolder } from '../policy/holder.ts';
import type { DiskQueue } from '../queue/queue.ts';
import { VERSION } from '../version.ts';
import type { Answer, ServiceClient } from './client.ts';

/** Until the service says otherwise. */
const HEARTBEAT_MS = 30_000;
const HEARTBEAT_MS_MIN = 1_000;
const HEARTBEAT_MS_MAX = 3_600_000;
/** A bundle is signed anew each day, and is asked for more often than that, whatever heartbeats say. */
const SYNC_MS_MAX = 600_000;

export interface LiaisonOptions {
  readonly client: ServiceClient;
  readonly holder: PolicyHolder;
  readonly queue: DiskQueue;
  readonly clock: Clock;
  readonly log: Logger;
  readonly labels: Readonly<Record<string, string>>;
}

export class Liaison {
  readonly #options: LiaisonOptions;
  readonly #startedAt: string;
  readonly #stop = new AbortController();
  readonly #firstContact = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  #syncedAtMs = -Infinity;
  #heardAtMs: number | null = null;
  #problem: string | null = null;

  constructor(options: LiaisonOptions) {
    this.#options = options;
    this.#startedAt = new Date(options.clock.now()).toISOString();
  }

  get startedAt(): string {
    return this.#startedAt;
  }

  /** Unix milliseconds of the last heartbeat that was answered; `null`: none was. */
  get heardAtMs(): number | null {
    return this.#heardAtMs;
  }

  /** Why the service is not heard; `null`: it is. */
  get problem(): string | null {
    return this.#problem;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Resolves once the service was asked for the policy for the first time, whatever came of it. */
  firstContact(): Promise<void> {
    return this.#firstContact.promise;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#firstContact.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let nextMs = HEARTBEAT_MS;
      try {
        if (clock.now() - this.#syncedAtMs >= SYNC_MS_MAX) await this.#sync();
        this.#firstContact.resolve();
        nextMs = await this.#beat();
      } catch (err) {
        log.error({ err }, 'the service could not be asked');
      }
      if (!signal.aborted) await clock.sleep(nextMs, signal);
    }
  }

  /** Answers how long to wait before the next. */
  async #beat(): Promise<number> {
    const { client, holder, queue, clock, labels } = this.#options;
    const { bundle } = holder.inForce;
    const heartbeat = {
      version: VERSION,
      started_at: this.#startedAt,
      policy_version: bundle === null || bundle.version < 1 ? null : bundle.version,
      queue: { depth: queue.depth, dropped: queue.dropped },
      // Where everybody who looks at the probe sees it.
      labels: holder.problem === null ? labels : { ...labels, policy_problem: holder.problem },
      stale: holder.isStale,
    };
    const answer = await client.sendHeartbeat(heartbeat, this.#stop.signal);
    if (answer.kind !== 'answer' || answer.status !== 200) {
      this.#failed('the service does not hear the heartbeat', answer);
      return (answer.kind === 'answer' ? answer.retryAfterMs : null) ?? HEARTBEAT_MS;
    }
    this.#heardAtMs = clock.now();
    this.#heard();
    const { policy, next_heartbeat_s: nextS } = (answer.body ?? {}) as {
      policy?: { version?: unknown; digest?: unknown };
      next_heartbeat_s?: unknown;
    };
    const isOther = policy !== undefined && (policy.version !== bundle?.version || policy.digest !== bundle?.digest);
    if (isOther) await this.#sync();
    const nextMs = typeof nextS === 'number' ? nextS * 1_000 : HEARTBEAT_MS;
    return Math.min(Math.max(nextMs, HEARTBEAT_MS_MIN), HEARTBEAT_MS_MAX);
  }

  async #sync(): Promise<void> {
    const { client, holder, clock } = this.#options;
    const answer = await client.getPolicy(holder.etag, this.#stop.signal);
    if (answer.kind === 'answer' && answer.status === 304) holder.confirm();
    else if (answer.kind === 'answer' && answer.status === 200) await holder.take(answer.body, answer.etag);
    else return this.#failed('the policy cannot be fetched', answer);
    this.#syncedAtMs = clock.now();
  }

  #failed(what: string, answer: Answer): void {
    if (this.#stop.signal.aborted) return;
    const reason = answer.kind === 'answer' ? `the service answers ${answer.status}` : `it cannot be reached (${answer.reason})`;
    if (reason !== this.#problem) this.#options.log.warn({ reason }, what);
    this.#problem = reason;
  }

  #heard(): void {
    if (this.#problem !== null) this.#options.log.info('the service is heard again');
    this.#problem = null;
  }
}

// Sends what is in the queue to the service, in order, and takes out what has arrived.

import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Batch, DiskQueue } from '../queue/queue.ts';
import type { Answer, ServiceClient } from './client.ts';

/** What the service takes at a time. */
const EVENTS_MAX = 500;
/** Below its 8 MiB after decompression. */
const BYTES_MAX = 7 * 1_048_576;
/** Decisions wait so long for others to be sent with. */
const LINGER_MS = 1_000;
const BACKOFF_MS_MIN = 1_000;
const BACKOFF_MS_MAX = 60_000;
/** A refusal that a person has to mend: a key that was revoked, one probe too many, an address that is not the service's. */
const REFUSED_MS = 60_000;

export interface SenderOptions {
  readonly queue: DiskQueue;
  readonly client: ServiceClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** From 0 to 1. */
  readonly random: () => number;
}

/** Codes of single events that are to be sent again. */
const AGAIN: ReadonlySet<string> = new Set(['rate_limited', 'unavailable']);

/** How sending goes: `null` while it does, else why it waits. */
export type SendingProblem = string | null;

export class Sender {
  readonly #options: SenderOptions;
  readonly #stop = new AbortController();
  #wake = Promise.withResolvers<void>();
  #running: Promise<void> = Promise.resolve();
  #countMax = EVENTS_MAX;
  #failures = 0;
  #problem: SendingProblem = null;
  #sent = 0;

  constructor(options: SenderOptions) {
    this.#options = options;
    options.queue.onAppended(() => this.#wake.resolve());
  }

  /** Why nothing is being sent; `null`: what there is, is. */
  get problem(): SendingProblem {
    return this.#problem;
  }

  /** Events that have arrived since the start. */
  get sent(): number {
    return this.#sent;
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Ends after the request that is under way, which is given up. What is in the queue stays there. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#wake.resolve();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, queue, log } = this.#options;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      this.#wake = Promise.withResolvers();
      try {
        const batch = await queue.read(this.#countMax, BYTES_MAX);
        if (batch === null) {
          await this.#wake.promise;
          if (!signal.aborted) await clock.sleep(LINGER_MS, signal);
          continue;
        }
        const waitMs = await this.#send(batch);
        if (waitMs > 0) await clock.sleep(waitMs, signal);
      } catch (err) {
        // A disk that cannot be read, most likely.
        log.error({ err }, 'the queue could not be sent');
        await clock.sleep(BACKOFF_MS_MAX, signal);
      }
    }
  }

  /** Answers how long to wait before the next. */
  async #send(batch: Batch): Promise<number> {
    const { queue, client } = this.#options;
    const answer = await client.sendEvents(batch.records, this.#stop.signal);
    if (answer.kind === 'answer' && answer.status === 202) {
      const refused = refusalsOf(answer.body, batch.records.length);
      if (refused !== null) return this.#arrived(batch, refused);
    }
    queue.release();
    if (this.#stop.signal.aborted) return 0;
    return this.#failed(batch, answer);
  }

  async #arrived(batch: Batch, refused: readonly Refusal[]): Promise<number> {
    const { queue } = this.#options;
    const again = refused.filter(({ code }) => AGAIN.has(code));
    const lost = refused.filter(({ code }) => !AGAIN.has(code));
    // Into the queue again before they leave it: a crash in between sends them twice, and the service takes them once.
    await Promise.all(again.map(({ index }) => queue.append(batch.records[index]!)));
    if (lost.length > 0) this.#logLost(lost);
    this.#sent += batch.records.length - refused.length;
    this.#countMax = Math.min(EVENTS_MAX, this.#countMax * 2);
    const isFull = again.length > 0 && again.length === batch.records.length;
    if (!isFull) this.#recovered();
    await queue.acknowledge(batch, lost.length);
    return isFull ? this.#backOff('the plan has no room for what has to be assessed', again[0]!.retryAfterMs) : 0;
  }

  async #failed(batch: Batch, answer: Answer): Promise<number> {
    if (answer.kind === 'unreachable') return this.#backOff(`the service cannot be reached (${answer.reason})`, null);
    const { status, body, retryAfterMs } = answer;
    if (status === 202) return this.#backOff('what answers 202 is not the service', retryAfterMs);
    if (status === 429 || status >= 500 || status === 408) return this.#backOff(`the service answers ${status}`, retryAfterMs);
    if (status === 400 || status === 413 || status === 422) return this.#halve(batch, status, codeIn(body));
    return retryAfterMs ?? this.#refused(status, codeIn(body));
  }

  #refused(status: number, code: string | null): number {
    this.#say(`the service refuses: ${status} ${code ?? ''}`.trim());
    return REFUSED_MS;
  }

  /** One event that the service cannot take must not keep the others: the batch is halved until it is found. */
  async #halve(batch: Batch, status: number, code: string | null): Promise<number> {
    const count = batch.records.length;
    if (count > 1) {
      this.#countMax = Math.ceil(count / 2);
      return 0;
    }
    // Somebody else on the way, who does not speak for the service: nothing is given up for that.
    if (code === null) return this.#refused(status, code);
    this.#logLost([{ index: 0, code, retryAfterMs: null }]);
    await this.#options.queue.acknowledge(batch, 1);
    return 0;
  }

  /** Exponential, with full jitter, so that probes that lost the service together do not come back together. */
  #backOff(problem: string, retryAfterMs: number | null): number {
    const most = Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** Math.min(this.#failures, 16));
    this.#failures++;
    this.#say(problem);
    const waitMs = Math.ceil(this.#options.random() * most);
    return retryAfterMs === null ? Math.max(1, waitMs) : retryAfterMs + Math.ceil(this.#options.random() * BACKOFF_MS_MIN);
  }

  #say(problem: string): void {
    if (problem !== this.#problem)
      this.#options.log.warn({ reason: problem, queue: this.#options.queue.depth }, 'decisions are kept and sent later');
    this.#problem = problem;
  }

  #recovered(): void {
    if (this.#problem !== null) this.#options.log.info('decisions are being sent again');
    this.#problem = null;
    this.#failures = 0;
  }

  #logLost(lost: readonly Refusal[]): void {
    const codes = Object.fromEntries([...Map.groupBy(lost, ({ code }) => code)].map(([code, those]) => [code, those.length]));
    this.#options.log.error({ codes }, 'the service has refused decisions for good');
  }
}

interface Refusal {
  readonly index: number;
  readonly code: string;
  readonly retryAfterMs: number | null;
}

/**
 * The events that the service has refused, of the `count` that it was sent. `null`: the answer does not account for each of them once, so it is
 * not the service's, and nothing is taken out for it.
 */
function refusalsOf(body: unknown, count: number): Refusal[] | null {
  const { accepted, duplicates, rejected } = (body ?? {}) as Partial<Record<'accepted' | 'duplicates' | 'rejected', unknown>>;
  if (!isCount(accepted) || !isCount(duplicates) || !Array.isArray(rejected)) return null;
  if (accepted + duplicates + rejected.length !== count) return null;
  const refusals = rejected.map((item: { index?: unknown; error?: { code?: unknown; retry_after_s?: unknown } } | null) => {
    const afterS = item?.error?.retry_after_s;
    return {
      index: Number(item?.index),
      code: String(item?.error?.code),
      retryAfterMs: typeof afterS === 'number' ? afterS * 1_000 : null,
    };
  });
  const places = new Set(refusals.map(({ index }) => index).filter((index) => isCount(index) && index < count));
  return places.size === refusals.length ? refusals : null;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function codeIn(body: unknown): string | null {
  const { error } = (body ?? {}) as { error?: { code?: unknown } };
  return typeof error?.code === 'string' ? error.code : null;
}

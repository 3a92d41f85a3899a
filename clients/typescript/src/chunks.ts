// An open stream of the service: text goes to it in chunks, numbered, not too many a second, and it is kept open while nothing comes.

import { SvcError } from './errors.ts';
import type { Streams } from './generated/resources.ts';
import type { Assessment, StreamChunk, StreamChunkResult } from './generated/types.ts';
import type { RequestOptions } from './transport.ts';

/** The service takes 50 chunks a second; what comes meanwhile goes with the next one. */
const CHUNK_INTERVAL_MS = 25;
/** What a chunk holds, in UTF-16 units. */
const DELTA_CHARS_MAX = 65_536;
/** The service closes a stream of which it has heard nothing for 60 s; models, and people, think for longer. */
const SILENCE_MS = 20_000;
/** So often in a row, which is an hour: a reader who forgot the stream shall not keep it for ever. */
const KEPT_OPEN_MAX = 180;
/** Whoever leaves, or has an error to tell, waits no longer for the end to be recorded. */
const FAREWELL_MS = 5_000;

export type ChunkOptions = Omit<RequestOptions, 'idempotencyKey'>;
type Content = Omit<StreamChunk, 'seq'>;

export class Chunks {
  readonly #streams: Pick<Streams, 'appendChunk'>;
  readonly #id: string;
  readonly #options: ChunkOptions;
  readonly #silenceMs: number;
  #seq = 0;
  #sentChars = 0;
  #answeredAt = -Infinity;
  /** The first half of a surrogate pair whose second half has not come. */
  #half = '';
  /** Released by a chunk that only kept the stream open. */
  #early = '';
  #keptOpen = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** One chunk at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  /** Why one was not taken: those after it would leave a gap. */
  #fault: { readonly err: unknown } | null = null;
  #isEnded = false;
  #isOver = false;

  constructor(streams: Pick<Streams, 'appendChunk'>, id: string, options: ChunkOptions = {}, silenceMs: number = SILENCE_MS) {
    this.#streams = streams;
    this.#id = id;
    this.#options = options;
    this.#silenceMs = silenceMs;
    this.#watch();
  }

  /** UTF-16 units of text that the service has taken. */
  get sentChars(): number {
    return this.#sentChars;
  }

  /** Sends `text`, cut where it is too long for one chunk; what each is answered. Nothing follows one that is blocked. */
  async *push(text: string): AsyncGenerator<StreamChunkResult, void, undefined> {
    let rest = this.#half + text;
    this.#half = '';
    while (rest !== '') {
      const to = cutAt(rest);
      if (to === 0) {
        this.#half = rest;
        return;
      }
      const result = await this.#send({ delta: rest.slice(0, to) });
      yield result;
      if (result.outcome === 'blocked') return;
      rest = rest.slice(to);
    }
  }

  /** Ends the stream, with the calls that the model wants to make; what the whole is answered. */
  async finish(
    calls: readonly { readonly name: string; readonly arguments: string }[] = [],
    options: ChunkOptions = {},
  ): Promise<StreamChunkResult & { readonly assessment: NonNullable<StreamChunkResult['assessment']> }> {
    const content = this.#half;
    this.#half = '';
    const tool_calls = calls.map((made, index) => ({ index, function: made }));
    const text = content === '' ? {} : { delta: content };
    const delta = tool_calls.length === 0 ? text : { delta: { tool_calls, ...(content === '' ? {} : { content }) } };
    const result = await this.#send({ final: true, ...delta }, options);
    const { assessment } = result;
    if (assessment === null || typeof assessment.outcome !== 'string')
      throw new SvcError('The service ended a stream without its assessment. Is baseUrl right?');
    return { ...result, assessment };
  }

  /** The same, where something else is waited for: given up after a few seconds, also when the caller has aborted. */
  finishSoon(calls: Parameters<Chunks['finish']>[0] = []): ReturnType<Chunks['finish']> {
    return bounded(FAREWELL_MS, (signal) => this.finish(calls, { signal }));
  }

  /** Has recorded what came, where nobody goes on with it; `null`: it has ended before, or was not taken. Does not throw. */
  async abandon(): Promise<Assessment | null> {
    // After a chunk that was not taken another would leave a gap; where the caller gave up it is worth a try.
    const isWorthIt = this.#fault === null || this.#options.signal?.aborted === true;
    if (this.#isEnded || !isWorthIt) return null;
    this.#fault = null;
    const end = await this.finishSoon().catch(() => null);
    this.close();
    return end?.assessment ?? null;
  }

  /** Until the next chunk may be sent; what comes meanwhile goes with it. */
  async rest(): Promise<void> {
    const ms = this.#answeredAt + CHUNK_INTERVAL_MS - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)));
  }

  #send(content: Content, options?: ChunkOptions): Promise<StreamChunkResult> {
    const sent = this.#turn.then(() => this.#sendNow(content, options));
    this.#turn = sent.catch(() => {});
    return sent;
  }

  async #sendNow(content: Content, options?: ChunkOptions): Promise<StreamChunkResult> {
    if (this.#fault !== null) throw this.#fault.err;
    clearTimeout(this.#timer);
    await this.rest();
    try {
      const chunk = { seq: this.#seq, ...content };
      const result = await this.#streams.appendChunk(this.#id, chunk, { ...this.#options, ...options });
      this.#seq++;
      if (typeof content.delta === 'string') this.#sentChars += content.delta.length;
      // Only now it is certain when the service had it.
      this.#answeredAt = performance.now();
      const released = this.#early + result.released;
      const isKeptOpen = content.delta === undefined && content.final !== true;
      this.#early = isKeptOpen ? released : '';
      this.#keptOpen = isKeptOpen ? this.#keptOpen + 1 : 0;
      this.#isEnded = content.final === true;
      if (this.#isEnded) this.close();
      else this.#watch();
      return { ...result, released };
    } catch (err) {
      this.#fault = { err };
      this.close();
      throw err;
    }
  }

  #watch(): void {
    if (this.#keptOpen >= KEPT_OPEN_MAX || this.#isOver) return;
    // What it came to the next chunk tells.
    this.#timer = setTimeout(() => void this.#send({}).catch(() => {}), this.#silenceMs);
    // Of Node, which need not run on for this.
    (this.#timer as unknown as { unref?: () => void }).unref?.();
  }

  /** It is not kept open any more. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}

/** Where a chunk ends: never inside a surrogate pair, of which the rest may still come. */
function cutAt(text: string): number {
  const to = Math.min(text.length, DELTA_CHARS_MAX);
  return /[\uD800-\uDBFF]/.test(text.charAt(to - 1)) ? to - 1 : to;
}

/** Rejects after `ms`, whatever becomes of `act`, which hears of it. */
async function bounded<T>(ms: number, act: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const err = new SvcError(`The end of the stream was not taken within ${ms} ms.`);
      controller.abort(err);
      reject(err);
    }, ms);
  });
  try {
    return await Promise.race([act(controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads a source on while a chunk is under way, and hands out together what came meanwhile. */
export class AheadReader<Item> {
  readonly #next: () => Promise<IteratorResult<Item, unknown>> | IteratorResult<Item, unknown>;
  readonly #stop: () => unknown;
  readonly #sizeOf: (item: Item) => number;
  readonly #sizeMax: number;
  #items: Item[] = [];
  #size = 0;
  #isOver = false;
  #isClosed = false;
  /** Something came, or that was all. */
  #notifyTaker: () => void = () => {};
  /** There is room again. */
  #notifyReader: () => void = () => {};
  /** What the source threw. */
  fault: { readonly err: unknown } | null = null;

  /** `stop`: makes the source end, also in the midst of a `next`. What is read ahead has a size of `sizeMax` and one item more. */
  constructor(
    next: () => Promise<IteratorResult<Item, unknown>> | IteratorResult<Item, unknown>,
    stop: () => unknown,
    sizeOf: (item: Item) => number = () => 1,
    sizeMax: number = DELTA_CHARS_MAX,
  ) {
    this.#next = next;
    this.#stop = stop;
    this.#sizeOf = sizeOf;
    this.#sizeMax = sizeMax;
    void this.#readAll();
  }

  /** What came since; waits for something. `null`: that was all, and `fault` says why where the source threw. */
  async take(signal?: AbortSignal): Promise<Item[] | null> {
    while (this.#items.length === 0 && !this.#isOver) await this.#somethingNew(signal);
    signal?.throwIfAborted();
    const items = this.#items;
    this.#items = [];
    this.#size = 0;
    this.#notifyReader();
    return items.length > 0 ? items : null;
  }

  /** Nothing more is wanted. Does not wait for a source that is in the midst of something. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#notifyReader();
    if (this.#isOver) return;
    try {
      // What a source has to say about its end comes too late to matter.
      Promise.resolve(this.#stop()).catch(() => {});
    } catch {
      // As above.
    }
  }

  async #readAll(): Promise<void> {
    try {
      while (!this.#isClosed) {
        const { done, value } = await this.#next();
        if (done === true || this.#isClosed) break;
        this.#size += this.#sizeOf(value);
        this.#items.push(value);
        this.#notifyTaker();
        while (this.#size >= this.#sizeMax && !this.#isClosed)
          await new Promise<void>((resolve) => {
            this.#notifyReader = resolve;
          });
      }
    } catch (err) {
      this.fault = { err };
    }
    this.#isOver = true;
    this.#notifyTaker();
  }

  async #somethingNew(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    let onAbort = () => {};
    try {
      await new Promise<void>((resolve, reject) => {
        this.#notifyTaker = resolve;
        onAbort = () => reject(signal!.reason as Error);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

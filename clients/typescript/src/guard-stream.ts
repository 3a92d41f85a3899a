// Text of a model, released as it turns out to be safe.

import { SvcError } from './errors.ts';
import type { Streams } from './generated/resources.ts';
import type { Assessment, StreamChunkResult, StreamInference } from './generated/types.ts';
import type { RequestOptions } from './transport.ts';

/** A stream takes 50 chunks a second; what the model writes meanwhile goes with the next one. */
const CHUNK_INTERVAL_MS = 25;
/** What a chunk holds, and how far the model is read ahead, in UTF-16 units. */
const DELTA_CHARS_MAX = 65_536;

/** Pieces of text as a model writes them. A readable stream is one, too, wherever it can be gone over. */
export type TextSource = AsyncIterable<string> | Iterable<string>;

/**
 * What may be shown of a model's answer: go over it once. It ends early where the answer is blocked; where the question is, it is empty, and
 * the source is never touched. `outcome` tells which. What the source throws is thrown on, after all that may be shown of what came before.
 * Leave the loop, and the source is closed and the stream is recorded as far as it came.
 */
export class GuardedStream implements AsyncIterable<string> {
  readonly #streams: Pick<Streams, 'create' | 'appendChunk'>;
  readonly #source: TextSource;
  readonly #inference: StreamInference;
  readonly #options: Pick<RequestOptions, 'signal'>;
  #assessment: Assessment | null = null;
  #isStarted = false;

  constructor(
    streams: Pick<Streams, 'create' | 'appendChunk'>,
    source: TextSource,
    inference: StreamInference,
    options: Pick<RequestOptions, 'signal'> = {},
  ) {
    this.#streams = streams;
    this.#source = source;
    this.#inference = inference;
    this.#options = options;
  }

  /** Of the whole exchange, once the stream has ended; `null` before, and where it ended with an error. */
  get assessment(): Assessment | null {
    return this.#assessment;
  }

  /** `null` as long as `assessment` is. */
  get outcome(): Assessment['outcome'] | null {
    return this.#assessment?.outcome ?? null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    if (this.#isStarted) throw new SvcError('A guarded stream is gone over once.');
    this.#isStarted = true;
    const { id, assessment } = await this.#streams.create(this.#inference, this.#options);
    if (assessment.outcome === 'blocked') {
      this.#assessment = assessment;
      return;
    }
    const chunks = new Chunks(this.#streams, id, this.#options);
    const reader = new AheadReader(this.#source);
    try {
      yield* this.#release(chunks, reader);
    } finally {
      reader.close();
      // Whoever stopped listening need not wait for the minute after which it is recorded anyway.
      if (!chunks.hasEnded && !chunks.hasFailed && this.#options.signal?.aborted !== true)
        await this.#finish(chunks, { maxRetries: 0 }).catch(() => {});
    }
  }

  async *#release(chunks: Chunks, reader: AheadReader): AsyncGenerator<string, void, undefined> {
    let isBlocked = false;
    while (!isBlocked) {
      await chunks.rest();
      const delta = await reader.take(this.#options.signal);
      if (delta === null) break;
      const { released, outcome } = await chunks.send({ delta });
      if (released !== '') yield released;
      isBlocked = outcome === 'blocked';
    }
    reader.close();
    // Once the answer is blocked it does not matter how its source would have ended.
    const fault = isBlocked ? null : reader.fault;
    const released = await this.#finish(chunks).catch((err: unknown) => {
      if (fault === null) throw err;
      return '';
    });
    if (released !== '') yield released;
    if (fault !== null) throw fault.err;
  }

  async #finish(chunks: Chunks, options?: RequestOptions): Promise<string> {
    await chunks.rest();
    const { released, assessment } = await chunks.send({ final: true }, options);
    this.#assessment = assessment;
    return released;
  }
}

/** Sends one after another, numbered, and not too many a second. */
class Chunks {
  readonly #streams: Pick<Streams, 'appendChunk'>;
  readonly #id: string;
  readonly #options: Pick<RequestOptions, 'signal'>;
  #seq = 0;
  #answeredAt = -Infinity;
  hasEnded = false;
  /** One was not taken: those after it would leave a gap. */
  hasFailed = false;

  constructor(streams: Pick<Streams, 'appendChunk'>, id: string, options: Pick<RequestOptions, 'signal'>) {
    this.#streams = streams;
    this.#id = id;
    this.#options = options;
  }

  /** Until the next one may be sent. */
  async rest(): Promise<void> {
    const ms = this.#answeredAt + CHUNK_INTERVAL_MS - performance.now();
    if (ms > 0) await new Promise((resolve) => setTimeout(resolve, Math.ceil(ms)));
  }

  async send(chunk: { readonly delta: string } | { readonly final: true }, options?: RequestOptions): Promise<StreamChunkResult> {
    try {
      const result = await this.#streams.appendChunk(this.#id, { seq: this.#seq++, ...chunk }, { ...this.#options, ...options });
      // Only now it is certain when the service had it.
      this.#answeredAt = performance.now();
      this.hasEnded = 'final' in chunk;
      return result;
    } catch (err) {
      this.hasFailed = true;
      throw err;
    }
  }
}

/** Reads on while a chunk is under way, so that the model does not wait for the network, and hands out together what came meanwhile. */
class AheadReader {
  readonly #iterator: AsyncIterator<string> | Iterator<string>;
  #pending = '';
  #isOver = false;
  #isClosed = false;
  /** Something came, or that was all. */
  #notifyTaker: () => void = () => {};
  /** There is room again. */
  #notifyReader: () => void = () => {};
  /** What the source threw. */
  fault: { readonly err: unknown } | null = null;

  constructor(source: TextSource) {
    this.#iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
    void this.#readAll();
  }

  /** What came since; waits for something. `null`: that was all, or the source failed. */
  async take(signal: AbortSignal | undefined): Promise<string | null> {
    let length = this.#sendable();
    while (length === 0 && !this.#isOver) {
      await this.#somethingNew(signal);
      length = this.#sendable();
    }
    signal?.throwIfAborted();
    if (length === 0) return null;
    const taken = this.#pending.slice(0, length);
    this.#pending = this.#pending.slice(length);
    this.#notifyReader();
    return taken;
  }

  /** Nothing more is wanted. Does not wait for a source that is in the midst of a piece. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#notifyReader();
    if (this.#isOver) return;
    try {
      // What a source has to say about its end comes too late to matter.
      Promise.resolve(this.#iterator.return?.()).catch(() => {});
    } catch {
      // As above.
    }
  }

  /** How much of what is pending makes a chunk: never half of a surrogate pair, of which the rest may still come. */
  #sendable(): number {
    const length = Math.min(this.#pending.length, DELTA_CHARS_MAX);
    const isAll = length === this.#pending.length && this.#isOver;
    return !isAll && /[\uD800-\uDBFF]/.test(this.#pending.charAt(length - 1)) ? length - 1 : length;
  }

  async #readAll(): Promise<void> {
    try {
      while (!this.#isClosed) {
        const { done, value } = await this.#iterator.next();
        if (done === true || this.#isClosed) break;
        if (typeof value !== 'string') throw new TypeError('A guarded stream is of pieces of text.');
        this.#pending += value;
        this.#notifyTaker();
        while (this.#pending.length >= DELTA_CHARS_MAX && !this.#isClosed)
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

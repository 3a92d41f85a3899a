// Text of a model, released as it turns out to be safe.

import type { Streams } from './generated/resources.ts';
import type { Assessment, StreamChunkResult, StreamInference } from './generated/types.ts';
import type { RequestOptions } from './transport.ts';

/** A stream takes 50 chunks a second; what the model writes meanwhile goes with the next one. */
const CHUNK_INTERVAL_MS = 25;

/**
 * What may be shown of a model's answer: go over it once. It ends early where the answer is blocked, or the question is, which then never reaches the model; `outcome`
 * tells.
 */
export class GuardedStream implements AsyncIterable<string> {
  readonly #streams: Pick<Streams, 'create' | 'appendChunk'>;
  readonly #source: AsyncIterable<string>;
  readonly #inference: StreamInference;
  readonly #options: Pick<RequestOptions, 'signal'>;
  #assessment: Assessment | null = null;
  #isStarted = false;

  constructor(
    streams: Pick<Streams, 'create' | 'appendChunk'>,
    source: AsyncIterable<string>,
    inference: StreamInference,
    options: Pick<RequestOptions, 'signal'> = {},
  ) {
    this.#streams = streams;
    this.#source = source;
    this.#inference = inference;
    this.#options = options;
  }

  /** Of the whole exchange, once the stream has ended; `null` before. */
  get assessment(): Assessment | null {
    return this.#assessment;
  }

  /** `null` until the stream has ended. */
  get outcome(): Assessment['outcome'] | null {
    return this.#assessment?.outcome ?? null;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    if (this.#isStarted) throw new Error('A guarded stream is gone over once.');
    this.#isStarted = true;
    const { id, assessment } = await this.#streams.create(this.#inference, this.#options);
    if (assessment.outcome === 'blocked') {
      this.#assessment = assessment;
      return;
    }
    const reader = new AheadReader(this.#source);
    let seq = 0;
    const send = (chunk: { delta?: string; final?: boolean }): Promise<StreamChunkResult> =>
      this.#streams.appendChunk(id, { seq: seq++, ...chunk }, this.#options);
    try {
      for (;;) {
        const sentAt = performance.now();
        const delta = await reader.take(this.#options.signal);
        const isEnd = delta === null;
        const chunk = await send(isEnd ? { final: true } : { delta });
        if (chunk.released !== '') yield chunk.released;
        if (isEnd) {
          this.#assessment = chunk.assessment as Assessment;
          return;
        }
        if (chunk.outcome === 'blocked') {
          // Recorded at once, instead of when it has been silent for a minute.
          this.#assessment = (await send({ final: true })).assessment as Assessment;
          return;
        }
        await restUntil(sentAt + CHUNK_INTERVAL_MS);
      }
    } finally {
      await reader.stop();
    }
  }
}

/** Reads on while a chunk is under way, so that the model never waits for the network, and hands out all that came meanwhile. */
class AheadReader {
  readonly #iterator: AsyncIterator<string>;
  #pending = '';
  #isOver = false;
  #fault: { readonly err: unknown } | null = null;
  #wake: () => void = () => {};
  #isStopped = false;

  constructor(source: AsyncIterable<string>) {
    this.#iterator = source[Symbol.asyncIterator]();
    void this.#readAll();
  }

  /** What came since; waits for something. `null`: that was all. Throws what the source threw. */
  async take(signal: AbortSignal | undefined): Promise<string | null> {
    while (this.#pending === '' && !this.#isOver) {
      signal?.throwIfAborted();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    signal?.throwIfAborted();
    if (this.#pending === '') {
      if (this.#fault !== null) throw this.#fault.err;
      return null;
    }
    const taken = this.#pending;
    this.#pending = '';
    return taken;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    if (!this.#isOver) await this.#iterator.return?.();
  }

  async #readAll(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#iterator.next();
        if (done === true || this.#isStopped) break;
        this.#pending += value;
        this.#wake();
      }
    } catch (err) {
      this.#fault = { err };
    }
    this.#isOver = true;
    this.#wake();
  }
}

function restUntil(atMs: number): Promise<void> {
  const ms = atMs - performance.now();
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

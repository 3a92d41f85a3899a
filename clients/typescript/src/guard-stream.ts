// Text of a model, released as it turns out to be safe.

import { AheadReader, Chunks } from './chunks.ts';
import { SvcError } from './errors.ts';
import type { Streams } from './generated/resources.ts';
import type { Assessment, StreamInference } from './generated/types.ts';
import type { RequestOptions } from './transport.ts';

/** Pieces of text as a model writes them; a text is one piece. A readable stream is one, too, wherever it can be gone over. */
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
  readonly #options: RequestOptions;
  #assessment: Assessment | null = null;
  #isStarted = false;

  constructor(
    streams: Pick<Streams, 'create' | 'appendChunk'>,
    source: TextSource,
    inference: StreamInference,
    options: RequestOptions = {},
  ) {
    const isSource = typeof source === 'string' || Symbol.asyncIterator in Object(source) || Symbol.iterator in Object(source);
    if (!isSource) throw new SvcError('A guarded stream needs a source of pieces of text.');
    this.#streams = streams;
    this.#source = typeof source === 'string' ? [source] : source;
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
    const { idempotencyKey: _ofTheStream, ...options } = this.#options;
    const chunks = new Chunks(this.#streams, id, options);
    const reader = readerOf(this.#source);
    try {
      yield* this.#release(chunks, reader);
    } finally {
      reader.close();
      // Whoever stopped listening need not wait for the minute after which it is recorded anyway.
      if (options.signal?.aborted === true) chunks.close();
      else this.#assessment ??= await chunks.abandon();
    }
  }

  async *#release(chunks: Chunks, reader: AheadReader<string>): AsyncGenerator<string, void, undefined> {
    let isBlocked = false;
    while (!isBlocked) {
      await chunks.rest();
      const pieces = await reader.take(this.#options.signal);
      if (pieces === null) break;
      for await (const { released, outcome } of chunks.push(pieces.join(''))) {
        if (released !== '') yield released;
        isBlocked = outcome === 'blocked';
      }
    }
    reader.close();
    // Once the answer is blocked it does not matter how its source would have ended.
    const fault = isBlocked ? null : reader.fault;
    try {
      const { released, assessment } = await (fault === null ? chunks.finish() : chunks.finishSoon());
      this.#assessment = assessment;
      if (released !== '') yield released;
    } catch (err) {
      if (fault === null) throw err;
    }
    if (fault !== null) throw fault.err;
  }
}

function readerOf(source: TextSource): AheadReader<string> {
  const iterator = Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();
  const next = async () => {
    const result = await iterator.next();
    if (result.done !== true && typeof result.value !== 'string') throw new TypeError('A guarded stream is of pieces of text.');
    return result;
  };
  return new AheadReader(
    next,
    () => iterator.return?.(),
    (piece) => piece.length,
  );
}

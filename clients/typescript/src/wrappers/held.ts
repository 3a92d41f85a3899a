// What a model streams, part by part, held until it is safe and shown in the vendor's own parts.
//
// The texts of an answer come one after another. Each is a stream of the service; what the vendor sends after the first word of a text, calls of
// tools above all, waits until that text has ended, so that all keeps its order.

import type { Assessment } from '../generated/types.ts';
import { BlockedError, type AnsweredCall, type AnswerStream, type Exchange } from './exchange.ts';

/** What a vendor's part says. */
export type Piece<Part> =
  /** The next piece of a text; pieces of one text have one key. */
  | { readonly kind: 'text'; readonly key: string; readonly text: string }
  /** A call that is whole. `show`: the parts that say it, with the arguments that may be passed. */
  | {
      readonly kind: 'call';
      readonly call: Pick<AnsweredCall, 'name' | 'written'>;
      readonly show: (written: string) => readonly Part[];
    }
  /** All else. `show` is asked when its turn has come. */
  | { readonly kind: 'part'; readonly show: () => readonly Part[] };

/** How a vendor streams. It sees one answer. */
export interface Dialect<Part> {
  read(part: Part): readonly Piece<Part>[];
  /** What it has still to say when the vendor has ended. */
  end(): readonly Piece<Part>[];
  /** The parts that show the next piece of a text. */
  showText(key: string, text: string): readonly Part[];
  /** The parts that end an answer that is blocked. `text`: to be said in its place; `null` where something was shown before. */
  showBlocked(text: string | null): readonly Part[];
}

/** What is streamed. `stop` makes a `next` that waits end soon. */
export interface Source<Part> {
  next(): Promise<IteratorResult<Part, unknown>>;
  stop(): void;
}

/** What may be shown of `source`. `opened`: of the input. Throws `BlockedError` where nothing is to be said in the place of what is blocked. */
export async function* heldParts<Request, Part>(
  exchange: Exchange<Request>,
  opened: AnswerStream,
  source: Source<Part>,
  dialect: Dialect<Part>,
  blockedText: string | undefined,
): AsyncGenerator<Part, void, undefined> {
  const reader = new AheadReader(source);
  const held = new Held(exchange, opened, dialect);
  try {
    for (let isOver = false; !isOver && held.blocked === null;) {
      const parts = await held.stream.whileAlive(reader.take());
      isOver = parts === null;
      if (parts !== null) yield* held.take(parts.flatMap((part) => dialect.read(part)));
      else if (reader.fault === null) {
        yield* held.take(dialect.end());
        yield* held.finish();
      } else yield* rest(held, reader.fault.err);
    }
    if (held.blocked === null) return;
    reader.stop();
    if (blockedText === undefined) throw new BlockedError(held.blocked, 'answer');
    yield* dialect.showBlocked(held.hasShown ? null : blockedText);
  } finally {
    reader.stop();
    await held.stream.abandon();
  }
}

/** What may be shown of an answer that has broken off, and then why. */
async function* rest<Request, Part>(held: Held<Request, Part>, why: unknown): AsyncGenerator<Part, void, undefined> {
  try {
    yield* held.finish();
  } catch {
    // What has broken it off is told instead.
  }
  if (held.blocked === null) throw why;
}

/** What has come and is not shown yet. */
class Held<Request, Part> {
  readonly #exchange: Exchange<Request>;
  readonly #dialect: Dialect<Part>;
  #stream: AnswerStream;
  /** The text that the stream is of; `null`: of none so far. */
  #key: string | null = null;
  #waiting: Exclude<Piece<Part>, { kind: 'text' }>[] = [];
  #blocked: Assessment | null = null;
  #hasShown = false;

  constructor(exchange: Exchange<Request>, stream: AnswerStream, dialect: Dialect<Part>) {
    this.#exchange = exchange;
    this.#stream = stream;
    this.#dialect = dialect;
  }

  get stream(): AnswerStream {
    return this.#stream;
  }

  /** Why nothing more will be shown. */
  get blocked(): Assessment | null {
    return this.#blocked;
  }

  /** Whether anything that the model has written was shown. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  /** Takes what came, neighbouring pieces of a text together. */
  async *take(pieces: readonly Piece<Part>[]): AsyncGenerator<Part, void, undefined> {
    let text = '';
    for (const piece of pieces) {
      if (piece.kind === 'text') {
        if (piece.key !== this.#key) {
          yield* this.#push(text);
          text = '';
          yield* this.#begin(piece.key);
        }
        text += piece.text;
      } else if (piece.kind === 'part' && this.#key === null && this.#waiting.length === 0) yield* piece.show();
      else this.#waiting.push(piece);
      if (this.#blocked !== null) return;
    }
    yield* this.#push(text);
  }

  /** Ends the text, and shows what waited for that. */
  async *finish(): AsyncGenerator<Part, void, undefined> {
    if (this.#blocked !== null) return;
    const waiting = this.#waiting;
    const calls = waiting.flatMap((piece) => (piece.kind === 'call' ? [piece.call] : []));
    const { released, calls: made, assessment } = await this.#stream.end(calls);
    this.#exchange.tell(assessment, 'answer');
    if (assessment.outcome === 'blocked') {
      this.#blocked = assessment;
      return;
    }
    yield* this.#show(released);
    this.#waiting = [];
    const next = made.values();
    for (const piece of waiting) {
      if (piece.kind === 'part') yield* piece.show();
      else {
        this.#hasShown = true;
        yield* piece.show(next.next().value!);
      }
    }
  }

  /** Begins another text. */
  async *#begin(key: string): AsyncGenerator<Part, void, undefined> {
    const isFirst = this.#key === null && this.#waiting.length === 0;
    if (!isFirst) {
      yield* this.finish();
      if (this.#blocked !== null) return;
      const opened = await this.#exchange.open(false);
      if ('blocked' in opened) {
        this.#blocked = opened.blocked;
        return;
      }
      this.#stream = opened.stream;
    }
    this.#key = key;
  }

  async *#push(text: string): AsyncGenerator<Part, void, undefined> {
    if (text === '' || this.#blocked !== null) return;
    const { released, isBlocked } = await this.#stream.push(text);
    yield* this.#show(released);
    if (!isBlocked) return;
    const { assessment } = await this.#stream.end();
    this.#exchange.tell(assessment, 'answer');
    this.#blocked = assessment;
  }

  *#show(released: string): Generator<Part, void, undefined> {
    if (released === '' || this.#key === null) return;
    this.#hasShown = true;
    yield* this.#dialect.showText(this.#key, released);
  }
}

/** Reads on while a chunk is under way, and hands out all that came meanwhile. */
class AheadReader<Part> {
  readonly #source: Source<Part>;
  #parts: Part[] = [];
  #isOver = false;
  /** What the source threw. */
  fault: { readonly err: unknown } | null = null;
  #wake: () => void = () => {};

  constructor(source: Source<Part>) {
    this.#source = source;
    void this.#readAll();
  }

  /** What came since; waits for something. `null`: that was all, and `fault` says why where the source threw. */
  async take(): Promise<Part[] | null> {
    if (this.#parts.length === 0 && !this.#isOver) await new Promise<void>((resolve) => (this.#wake = resolve));
    const parts = this.#parts;
    this.#parts = [];
    return parts.length > 0 ? parts : null;
  }

  stop(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#source.stop();
  }

  async #readAll(): Promise<void> {
    try {
      for (;;) {
        const { done, value } = await this.#source.next();
        if (done === true || this.#isOver) break;
        this.#parts.push(value);
        this.#wake();
      }
    } catch (err) {
      this.fault = { err };
    }
    this.#isOver = true;
    this.#wake();
  }
}

// What a model streams, part by part, held until it is safe and shown in the vendor's own parts.
//
// What the caller puts together is assessed together: each channel, such as the words of an answer or what the model thinks, is one stream of the
// service, however often another comes between. A text is shown as its channel releases it. A call is assessed when the answer has ended, and all
// that comes behind it waits, so that calls keep their place.

import { AheadReader, type Chunks } from '../chunks.ts';
import type { Assessment } from '../generated/types.ts';
import { BlockedError, endOf, type AnsweredCall, type Exchange } from './exchange.ts';
import { sharesOf } from './said.ts';

/** What a vendor's part says. */
export type Piece<Part> =
  /** The next piece of a text. `channel`: what the caller puts together. `key`: the text in it, for `showText`. */
  | { readonly kind: 'text'; readonly channel: string; readonly key: string; readonly text: string }
  /** A call that is whole. `show`: the parts that say it, with the arguments that may be passed. */
  | {
      readonly kind: 'call';
      readonly call: Pick<AnsweredCall, 'name' | 'written'>;
      readonly show: (written: string) => readonly Part[];
    }
  /** All else. `after`: channels whose texts are to be shown before it, or all. `show` is asked when its turn has come. */
  | { readonly kind: 'part'; readonly after?: readonly string[] | typeof ALL; readonly show: () => readonly Part[] };

/** Of a part that comes after all that came before it. */
export const ALL = Symbol('all');

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
  opened: Chunks,
  source: Source<Part>,
  dialect: Dialect<Part>,
  blockedText: string | undefined,
): AsyncGenerator<Part, void, undefined> {
  const reader = new AheadReader(
    () => source.next(),
    () => source.stop(),
  );
  const held = new Held(exchange, opened, dialect);
  try {
    for (let isOver = false; !isOver && held.blocked === null;) {
      await held.rest();
      const parts = await reader.take();
      isOver = parts === null;
      if (parts !== null) yield* held.take(parts.flatMap((part) => dialect.read(part)));
      else if (reader.fault === null) {
        yield* held.take(dialect.end());
        yield* held.finish();
      } else yield* brokenOff(held, reader.fault.err);
    }
    if (held.blocked === null) return;
    reader.close();
    if (blockedText === undefined) throw new BlockedError(held.blocked, 'answer');
    yield* dialect.showBlocked(held.hasShown ? null : blockedText);
  } finally {
    reader.close();
    await held.abandon();
  }
}

/** What may be shown of an answer that has broken off, and then why. */
async function* brokenOff<Request, Part>(held: Held<Request, Part>, why: unknown): AsyncGenerator<Part, void, undefined> {
  try {
    yield* held.finish(true);
  } catch {
    // What has broken it off is told instead.
  }
  if (held.blocked === null) throw why;
}

/** A channel: one text for the service, in pieces that have keys. Offsets are UTF-16 units of what the model wrote. */
interface Lane {
  readonly stream: Chunks;
  unsent: string;
  released: number;
  /** Where the last piece that came ends. */
  end: number;
}

interface HeldText {
  readonly kind: 'text';
  readonly lane: Lane;
  readonly key: string;
  readonly start: number;
  text: string;
  /** Released and not shown. */
  ready: string;
}

type Waiting<Part> = HeldText | Exclude<Piece<Part>, { kind: 'text' }>;

/** What has come and is not shown yet. */
class Held<Request, Part> {
  readonly #exchange: Exchange<Request>;
  readonly #dialect: Dialect<Part>;
  readonly #lanes = new Map<string, Lane>();
  /** Opened with the input, until a channel takes it. */
  #opened: Chunks | null;
  #waiting: Waiting<Part>[] = [];
  #blocked: Assessment | null = null;
  #hasShown = false;

  constructor(exchange: Exchange<Request>, opened: Chunks, dialect: Dialect<Part>) {
    this.#exchange = exchange;
    this.#opened = opened;
    this.#dialect = dialect;
  }

  /** Why nothing more will be shown. */
  get blocked(): Assessment | null {
    return this.#blocked;
  }

  /** Whether anything that the model has written was shown. */
  get hasShown(): boolean {
    return this.#hasShown;
  }

  /** Until more may be sent. */
  async rest(): Promise<void> {
    for (const { stream } of this.#lanes.values()) await stream.rest();
  }

  /** Takes what came; neighbouring pieces of a channel go together. */
  async *take(pieces: readonly Piece<Part>[]): AsyncGenerator<Part, void, undefined> {
    for (const piece of pieces) {
      if (piece.kind === 'text') await this.#takeText(piece);
      else this.#waiting.push(piece);
      if (this.#blocked !== null) return;
    }
    yield* this.#show();
    for (const lane of this.#lanes.values()) {
      yield* this.#push(lane);
      if (this.#blocked !== null) return;
    }
  }

  /** Ends all channels, and shows what waited for that. */
  async *finish(isBrokenOff = false): AsyncGenerator<Part, void, undefined> {
    if (this.#blocked !== null) return;
    const calls = this.#waiting.flatMap((piece) => (piece.kind === 'call' ? [piece.call] : []));
    const streams = this.#opened === null ? [...this.#lanes.values()] : [this.#opened];
    let made: readonly string[] = [];
    for (const [i, each] of streams.entries()) {
      const isLast = i === streams.length - 1;
      const lane = 'stream' in each ? each : null;
      // The calls belong to what was said last.
      const end = await endOf(lane?.stream ?? this.#opened!, isLast ? calls : [], isBrokenOff);
      await this.#exchange.tell(end.assessment, 'answer');
      if (end.assessment.outcome === 'blocked') {
        this.#blocked = end.assessment;
        return;
      }
      if (lane !== null) this.#release(lane, lane.end, end.released);
      made = end.calls;
    }
    yield* this.#showAll(made);
  }

  /** Has recorded what came, where nobody goes on with it. */
  async abandon(): Promise<void> {
    const streams = [...this.#lanes.values()].map(({ stream }) => stream);
    if (this.#opened !== null) streams.push(this.#opened);
    await Promise.all(streams.map((stream) => stream.abandon()));
  }

  async #takeText({ channel, key, text }: Extract<Piece<Part>, { kind: 'text' }>): Promise<void> {
    const lane = this.#lanes.get(channel) ?? (await this.#begin(channel));
    if (lane === null || text === '') return;
    const last = this.#waiting.at(-1);
    if (last?.kind === 'text' && last.lane === lane && last.key === key) last.text += text;
    else this.#waiting.push({ kind: 'text', lane, key, start: lane.end, text, ready: '' });
    lane.end += text.length;
    lane.unsent += text;
  }

  /** `null`: it is blocked. */
  async #begin(channel: string): Promise<Lane | null> {
    let stream = this.#opened;
    this.#opened = null;
    if (stream === null) {
      const opened = await this.#exchange.open(false);
      if ('blocked' in opened) {
        this.#blocked = opened.blocked;
        return null;
      }
      stream = opened.stream;
    }
    const lane: Lane = { stream, unsent: '', released: 0, end: 0 };
    this.#lanes.set(channel, lane);
    return lane;
  }

  async *#push(lane: Lane): AsyncGenerator<Part, void, undefined> {
    const text = lane.unsent;
    lane.unsent = '';
    for await (const { released, held_chars: heldChars, outcome } of lane.stream.push(text)) {
      this.#release(lane, lane.stream.sentChars - heldChars, released);
      yield* this.#show();
      if (outcome !== 'blocked') continue;
      const { assessment } = await endOf(lane.stream, []);
      await this.#exchange.tell(assessment, 'answer');
      this.#blocked = assessment;
    }
  }

  /** `released` is what may be shown of what the model wrote up to the offset `to`. */
  #release(lane: Lane, to: number, released: string): void {
    const from = lane.released;
    lane.released = Math.max(from, to);
    const texts = this.#waiting.filter(
      (piece): piece is HeldText =>
        piece.kind === 'text' && piece.lane === lane && piece.start < lane.released && piece.start + piece.text.length > from,
    );
    const parts = texts.map(({ start, text }) => text.slice(Math.max(0, from - start), lane.released - start));
    const shares = sharesOf(parts, released);
    for (const [i, text] of texts.entries()) text.ready += shares[i]!;
  }

  /** Shows what may be shown before the answer has ended. */
  *#show(): Generator<Part, void, undefined> {
    const waiting = this.#waiting;
    const kept: Waiting<Part>[] = [];
    const behind = new Set<string>();
    const channels = new Map([...this.#lanes].map(([channel, lane]) => [lane, channel]));
    this.#waiting = kept;
    for (const [i, piece] of waiting.entries()) {
      const isLast = piece.kind === 'call' || (piece.kind === 'part' && piece.after === ALL && kept.length > 0);
      if (isLast) {
        kept.push(...waiting.slice(i));
        return;
      }
      if (piece.kind === 'part') {
        const isLate = piece.after !== ALL && piece.after?.some((channel) => behind.has(channel)) === true;
        if (isLate) kept.push(piece);
        else yield* piece.show();
        continue;
      }
      yield* this.#showText(piece);
      if (piece.lane.released >= piece.start + piece.text.length) continue;
      kept.push(piece);
      behind.add(channels.get(piece.lane)!);
    }
  }

  /** Shows all. `made`: the arguments of its calls. */
  *#showAll(made: readonly string[]): Generator<Part, void, undefined> {
    const written = made.values();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const piece of waiting) {
      if (piece.kind === 'text') yield* this.#showText(piece);
      else if (piece.kind === 'part') yield* piece.show();
      else {
        this.#hasShown = true;
        yield* piece.show(written.next().value!);
      }
    }
  }

  *#showText(piece: HeldText): Generator<Part, void, undefined> {
    const { ready } = piece;
    piece.ready = '';
    if (ready === '') return;
    this.#hasShown = true;
    yield* this.#dialect.showText(piece.key, ready);
  }
}

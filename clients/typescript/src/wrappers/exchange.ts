// One exchange with a model, as its wrappers have it assessed: what it is asked, and what it answers.

import type { Svc } from '../client.ts';
import { SvcError } from '../errors.ts';
import type { Assessment, Inference, Message, StreamInference, ToolCall } from '../generated/types.ts';
import { redactedTexts, type Said } from './said.ts';

/** What was assessed: what the model is asked, or its answer with what it was asked. */
export type Stage = 'input' | 'answer';

/** The policy blocks what the model is asked, which then never reaches it, or what it answered. */
export class BlockedError extends SvcError {
  override readonly name = 'BlockedError';
  readonly assessment: Assessment;
  readonly stage: Stage;

  constructor(assessment: Assessment, stage: Stage) {
    super(assessment.enforcement.message ?? 'Blocked by policy.');
    this.assessment = assessment;
    this.stage = stage;
  }
}

export interface GuardOptions<Request> {
  /** Is answered in the place of what is blocked. Default: a `BlockedError` is thrown. */
  readonly blockedText?: string;
  /** What else the assessment shall tell or take into account: `subject`, `external_id`, `metadata`, `context`, … */
  readonly inference?: (request: Request) => Omit<StreamInference, 'input'>;
  /** Hears of each assessment of a call before the call is answered: first of its input, then of its answer. What it throws the call throws. */
  readonly onAssessment?: (assessment: Assessment, of: { readonly stage: Stage; readonly request: Request }) => void;
}

/** What a model has answered: words, and calls that it wants to make. */
export interface Answer {
  readonly said: readonly Said[];
  readonly calls: readonly AnsweredCall[];
}

export interface AnsweredCall {
  readonly name: string;
  /** As the model wrote them: JSON most often. */
  readonly written: string;
  readonly put: (written: string) => void;
}

type Client = Pick<Svc, 'assessments' | 'streams'>;

/** Decides about one call of a model. */
export class Exchange<Request> {
  readonly #svc: Client;
  readonly #options: GuardOptions<Request>;
  readonly #request: Request;
  readonly #inference: StreamInference;
  readonly #asked: readonly Said[];
  readonly #signal: { readonly signal?: AbortSignal };

  constructor(
    svc: Client,
    options: GuardOptions<Request>,
    call: { request: Request; asked: readonly Said[]; told: Omit<StreamInference, 'input'>; signal: AbortSignal | undefined },
  ) {
    this.#svc = svc;
    this.#options = options;
    this.#request = call.request;
    this.#asked = call.asked;
    this.#inference = { input: messagesOf(call.asked), ...call.told, ...options.inference?.(call.request) };
    this.#signal = call.signal === undefined ? {} : { signal: call.signal };
  }

  /** Assesses what the model is asked, and redacts it in its place. Answers the assessment where it is blocked. */
  async assessInput(): Promise<Assessment | null> {
    return this.#decideInput(await this.#svc.assessments.create(this.#inference, this.#signal));
  }

  /** Assesses an answer that is whole, and redacts it in its place. Answers the assessment where it is blocked. */
  async assessAnswer({ said, calls }: Answer): Promise<Assessment | null> {
    const inference: Inference = { ...this.#inference, output: said.length === 0 ? null : messagesOf(said) };
    if (calls.length > 0) inference.tool_calls = calls.map(({ name, written }) => callOf(name, written));
    const assessment = await this.#svc.assessments.create(inference, this.#signal);
    this.tell(assessment, 'answer');
    if (assessment.outcome === 'blocked') return assessment;
    redactedTexts(said, assessment.redacted?.output);
    const redacted = (assessment.redacted?.tool_calls ?? []) as readonly ToolCall[];
    for (const [i, call] of redacted.entries()) {
      const { written, put } = calls[i]!;
      put(writtenOf(written, call.arguments));
    }
    return null;
  }

  /** The same for an answer that is streamed. `isFirst`: what the model is asked is told and redacted; answers no stream where it is blocked. */
  async open(isFirst: boolean): Promise<{ readonly blocked: Assessment } | { readonly stream: AnswerStream }> {
    const { id, assessment } = await this.#svc.streams.create(this.#inference, this.#signal);
    const blocked = isFirst ? this.#decideInput(assessment) : assessment.outcome === 'blocked' ? assessment : null;
    if (!isFirst && blocked !== null) this.tell(blocked, 'answer');
    return blocked === null ? { stream: new AnswerStream(this.#svc, id, this.#signal) } : { blocked };
  }

  tell(assessment: Assessment, stage: Stage): void {
    this.#options.onAssessment?.(assessment, { stage, request: this.#request });
  }

  #decideInput(assessment: Assessment): Assessment | null {
    this.tell(assessment, 'input');
    if (assessment.outcome === 'blocked') return assessment;
    redactedTexts(this.#asked, assessment.redacted?.input);
    return null;
  }
}

/** Under the limit of 50 chunks a second; what comes meanwhile goes with the next one. */
const CHUNK_INTERVAL_MS = 25;
/** The service closes a stream of which it has heard nothing for 60 s; models think for longer. */
const SILENCE_MS = 20_000;
/** Of one chunk. */
const CHUNK_CHARS = 65_536;

/** What came of the end of a streamed answer. */
export interface AnswerEnd {
  readonly released: string;
  /** Arguments of the calls that may be made, in order. */
  readonly calls: readonly string[];
  readonly assessment: Assessment;
}

/** An answer that is being written. One call after another. */
export class AnswerStream {
  readonly #svc: Client;
  readonly #id: string;
  readonly #options: { readonly signal?: AbortSignal };
  readonly #silenceMs: number;
  #seq = 0;
  #nextAtMs = 0;
  #isEnded = false;

  constructor(svc: Client, id: string, options: { readonly signal?: AbortSignal } = {}, silenceMs: number = SILENCE_MS) {
    this.#svc = svc;
    this.#id = id;
    this.#options = options;
    this.#silenceMs = silenceMs;
  }

  /** Takes what the model has written since. Answers what may be shown now. */
  async push(text: string): Promise<{ released: string; isBlocked: boolean }> {
    let released = '';
    for (const delta of cut(text)) {
      await restUntil(this.#nextAtMs);
      const chunk = await this.#send({ delta });
      released += chunk.released;
      if (chunk.outcome === 'blocked') return { released, isBlocked: true };
    }
    return { released, isBlocked: false };
  }

  /** Ends it, with the calls that the model wants to make. */
  async end(calls: readonly Pick<AnsweredCall, 'name' | 'written'>[] = []): Promise<AnswerEnd> {
    const pieces = calls.map(({ name, written }, index) => ({ index, function: { name, arguments: written } }));
    const chunk = await this.#send({ final: true, ...(pieces.length === 0 ? {} : { delta: { tool_calls: pieces } }) });
    this.#isEnded = true;
    return {
      released: chunk.released,
      calls: chunk.tool_calls.map(({ index, arguments: values }) => writtenOf(calls[index]!.written, values)),
      assessment: chunk.assessment!,
    };
  }

  /** Has recorded what came, where nobody goes on with it. Does not throw. */
  async abandon(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    try {
      // Without the caller's signal, which may be why.
      const body = { seq: this.#seq++, final: true };
      await this.#svc.streams.appendChunk(this.#id, body, { maxRetries: 0 });
    } catch {
      // The service closes it in a minute.
    }
  }

  /** Waits for the model, and keeps the stream open meanwhile. */
  async whileAlive<T>(promise: Promise<T>): Promise<T> {
    const settled = promise.then(
      (value) => ({ value }),
      (err: unknown) => ({ err }),
    );
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const silence = new Promise<null>((resolve) => (timer = setTimeout(resolve, this.#silenceMs, null)));
      const first = await Promise.race([settled, silence]);
      clearTimeout(timer);
      if (first === null) await this.#send({});
      else if ('err' in first) throw first.err;
      else return first.value;
    }
  }

  async #send(chunk: Omit<Parameters<Client['streams']['appendChunk']>[1], 'seq'>) {
    const sentAtMs = performance.now();
    const result = await this.#svc.streams.appendChunk(this.#id, { seq: this.#seq, ...chunk }, this.#options);
    this.#seq++;
    this.#nextAtMs = sentAtMs + CHUNK_INTERVAL_MS;
    return result;
  }
}

/** An empty list would be refused. */
function messagesOf(said: readonly Said[]): string | Message[] {
  return said.length === 0 ? '' : said.map(({ role, texts, unread }) => ({ role, content: [...texts.map(partOf), ...unread] }));
}

function partOf({ text }: { readonly text: string }): { type: string; text: string } {
  return { type: 'text', text };
}

/** The member that holds what is no JSON object; the service has it so too. */
const UNPARSED = '';

function callOf(name: string, written: string): ToolCall {
  if (written.trim() === '') return { name };
  return { name, arguments: objectOf(written) ?? { [UNPARSED]: written } };
}

/** Arguments as they may be made: as they were written, but for what is redacted. */
function writtenOf(written: string, released: unknown): string {
  const isObject = typeof released === 'object' && released !== null;
  const unparsed = isObject && Object.keys(released).length === 1 ? (released as Record<string, unknown>)[UNPARSED] : released;
  if (typeof unparsed === 'string') return unparsed;
  const values = JSON.stringify(released ?? {});
  return written.trim() === '' || values === JSON.stringify(objectOf(written)) ? written : values;
}

function objectOf(written: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

/** Pieces of at most `CHUNK_CHARS`, none of which ends inside a surrogate pair. */
function* cut(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + CHUNK_CHARS, text.length);
    const last = text.charCodeAt(to - 1);
    if (to < text.length && last >= 0xd800 && last <= 0xdbff) to--;
    yield text.slice(from, to);
    from = to;
  }
}

function restUntil(atMs: number): Promise<void> | void {
  const ms = atMs - performance.now();
  if (ms > 0) return new Promise((resolve) => setTimeout(resolve, ms));
}

// One exchange with a model, as its wrappers have it assessed: what it is asked, and what it answers.

import { Chunks } from '../chunks.ts';
import type { Svc } from '../client.ts';
import { SvcError, TimeoutError } from '../errors.ts';
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
  /**
   * Hears of each assessment of a call before the call is answered: first of its input, then of its answer. It is waited for, and what it throws the
   * call throws.
   */
  readonly onAssessment?: (assessment: Assessment, of: { readonly stage: Stage; readonly request: Request }) => unknown;
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
  readonly #signal: AbortSignal | undefined;
  readonly #timeoutMs: number | undefined;

  /** `timeoutMs`: of the caller; no single request to the service takes longer. */
  constructor(
    svc: Client,
    options: GuardOptions<Request>,
    call: {
      request: Request;
      asked: readonly Said[];
      told: Omit<StreamInference, 'input'>;
      signal: AbortSignal | undefined;
      timeoutMs?: number;
    },
  ) {
    this.#svc = svc;
    this.#options = options;
    this.#request = call.request;
    this.#asked = call.asked;
    this.#inference = { input: messagesOf(call.asked), ...call.told, ...options.inference?.(call.request) };
    this.#signal = call.signal;
    this.#timeoutMs = call.timeoutMs;
  }

  /** Assesses what the model is asked, and redacts it in its place. Answers the assessment where it is blocked. */
  async assessInput(): Promise<Assessment | null> {
    return this.#decideInput(await this.#assess(this.#inference));
  }

  /** Assesses an answer that is whole, and redacts it in its place. Answers the assessment where it is blocked. */
  async assessAnswer({ said, calls }: Answer): Promise<Assessment | null> {
    const inference: Inference = { ...this.#inference, output: said.length === 0 ? null : messagesOf(said) };
    requireFew(calls);
    if (calls.length > 0) inference.tool_calls = calls.map(({ name, written }) => callOf(name, written));
    const assessment = await this.#assess(inference);
    await this.tell(assessment, 'answer');
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
  async open(isFirst: boolean): Promise<{ readonly blocked: Assessment } | { readonly stream: Chunks }> {
    const { id, assessment } = await this.#within((options) => this.#svc.streams.create(this.#inference, options));
    const blocked = isFirst ? await this.#decideInput(assessment) : assessment.outcome === 'blocked' ? assessment : null;
    if (!isFirst && blocked !== null) await this.tell(blocked, 'answer');
    if (blocked !== null) return { blocked };
    return { stream: new Chunks(this.#svc.streams, id, this.#signal === undefined ? {} : { signal: this.#signal }) };
  }

  async tell(assessment: Assessment, stage: Stage): Promise<void> {
    await this.#options.onAssessment?.(assessment, { stage, request: this.#request });
  }

  #assess(inference: Inference): Promise<Assessment> {
    return this.#within((options) => this.#svc.assessments.create(inference, options));
  }

  /** Asks the service, retries and all, within the caller's own time-out. */
  async #within<T>(ask: (options: { readonly signal?: AbortSignal }) => Promise<T>): Promise<T> {
    const [given, ms] = [this.#signal, this.#timeoutMs];
    if (ms === undefined) return ask(given === undefined ? {} : { signal: given });
    const late = new AbortController();
    const timer = setTimeout(
      () => late.abort(new TimeoutError(`The service did not answer within the call's own time-out of ${ms} ms.`)),
      ms,
    );
    try {
      return await ask({ signal: given === undefined ? late.signal : AbortSignal.any([given, late.signal]) });
    } finally {
      clearTimeout(timer);
    }
  }

  async #decideInput(assessment: Assessment): Promise<Assessment | null> {
    await this.tell(assessment, 'input');
    if (assessment.outcome === 'blocked') return assessment;
    redactedTexts(this.#asked, assessment.redacted?.input);
    return null;
  }
}

/** What came of the end of a streamed answer. */
export interface AnswerEnd {
  readonly released: string;
  /** Arguments of the calls that may be made, in order. */
  readonly calls: readonly string[];
  readonly assessment: Assessment;
}

/** Ends an answer that is being written, with the calls that the model wants to make. `isBrokenOff`: an error waits to be told. */
export async function endOf(
  stream: Chunks,
  calls: readonly Pick<AnsweredCall, 'name' | 'written'>[],
  isBrokenOff = false,
): Promise<AnswerEnd> {
  requireFew(calls);
  const made = calls.map(({ name, written }) => ({ name: nameOf(name), arguments: written }));
  const { released, tool_calls, assessment } = await (isBrokenOff ? stream.finishSoon(made) : stream.finish(made));
  const written = tool_calls.map(({ index, arguments: values }) => writtenOf(calls[index]!.written, values));
  return { released, calls: written, assessment };
}

/** An assessment takes so many. */
const CALLS_MAX = 100;
const NAME_CHARS_MAX = 200;

function requireFew(calls: readonly unknown[]): void {
  if (calls.length <= CALLS_MAX) return;
  throw new SvcError(`The model wants to make ${calls.length} calls at once, and an assessment takes ${CALLS_MAX}.`);
}

function nameOf(name: string): string {
  return name.slice(0, NAME_CHARS_MAX);
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
  if (written.trim() === '') return { name: nameOf(name) };
  return { name: nameOf(name), arguments: objectOf(written) ?? { [UNPARSED]: written } };
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

// One exchange with a model, from the question to the report of what was decided about it.

import type { Evaluation, Inference } from '@svc/engine';
import type { TelemetryEvent } from '@svc/telemetry';
import type { Decider, Deciding } from './decide.ts';
import { StreamGuard, type GuardEnd, type WrittenToolCall } from './guard.ts';
import { newId } from './ids.ts';
import { eventOf, verdictOf, type About, type Verdict } from './report.ts';

export interface ExchangeOptions {
  readonly decider: Decider;
  readonly deciding: Deciding;
  /** Keeps an event for the service; resolves once it is in the file. */
  readonly keep: (event: TelemetryEvent) => Promise<void>;
}

export class Exchange {
  /** Under which the service is told of it. */
  readonly id: string;
  /** What was decided about the question. */
  readonly question: Evaluation;
  readonly #opened: Inference;
  readonly #options: ExchangeOptions;
  readonly #evaluations: Evaluation[];
  readonly #shown = new Set<string>();
  #isReported = false;
  #isRefused = false;

  private constructor(options: ExchangeOptions, opened: Inference, question: Evaluation) {
    this.#options = options;
    this.#opened = opened;
    this.id = newId(options.deciding.nowMs);
    this.question = question;
    this.#evaluations = [question];
  }

  /** Decides about a question: an inference without an answer and without tool calls. */
  static async begin(options: ExchangeOptions, opened: Inference): Promise<Exchange> {
    return new Exchange(options, opened, await options.decider.decide(opened, options.deciding));
  }

  /** Whether the policy acts, or only watches. */
  get isEnforced(): boolean {
    return this.#options.deciding.policy.compiled.mode === 'enforce';
  }

  /** The worst that was decided so far. */
  get verdict(): Verdict {
    const verdict = verdictOf(this.#evaluations);
    return this.#isRefused ? { ...verdict, outcome: 'blocked' } : verdict;
  }

  /** What the policy wants done cannot be done: the exchange is blocked. */
  refuse(): void {
    this.#isRefused = true;
  }

  /** Decides about an answer together with the question. A model may give several. */
  async decide(answer: Pick<Inference, 'output' | 'tool_calls'>): Promise<Evaluation> {
    const { decider, deciding } = this.#options;
    const evaluation = await decider.decide({ ...this.#opened, ...answer }, deciding);
    this.#evaluations.push(evaluation);
    return evaluation;
  }

  /** Begins to hold an answer that is still being written; `end` counts towards the verdict. A model may write several. */
  guard(): StreamGuard {
    const { decider, deciding } = this.#options;
    return new CountingGuard(decider, deciding, this.#opened, this.question, (evaluation) => this.#evaluations.push(evaluation));
  }

  /**
   * Decides about texts that go on as they are or not at all, names above all. False: they may not, and the exchange is blocked unless `isLeftOut`
   * says that it goes on without them.
   */
  async mayShow(texts: Iterable<string>, isLeftOut = false): Promise<boolean> {
    const context = [...new Set(texts)]
      .filter((text) => text !== '' && !this.#shown.has(text))
      .map((content) => ({ source: 'tool' as const, content }));
    if (context.length === 0) return true;
    const { subject } = this.#opened;
    const inference = { input: '', context, ...(subject === undefined ? {} : { subject }) };
    const evaluation = await this.#options.decider.decide(inference, this.#options.deciding);
    const isShown = !this.isEnforced || (evaluation.outcome !== 'blocked' && evaluation.redacted === null);
    if (isShown || !isLeftOut) this.#evaluations.push(evaluation);
    if (isShown) for (const { content } of context) this.#shown.add(content);
    else if (!isLeftOut) this.#isRefused = true;
    return isShown;
  }

  /** Decides about something else by the same policy, which counts for nothing. */
  consider(inference: Inference): Promise<Evaluation> {
    return this.#options.decider.decide(inference, this.#options.deciding);
  }

  /** Reports the exchange, once; resolves when the report is in the file, or is lost and counted. */
  async report(about: About): Promise<Verdict> {
    const verdict = this.verdict;
    if (this.#isReported) return verdict;
    this.#isReported = true;
    const { deciding, keep } = this.#options;
    await keep(eventOf(this.id, deciding.nowMs, this.#opened, verdict, deciding, about));
    return verdict;
  }
}

class CountingGuard extends StreamGuard {
  readonly #count: (evaluation: Evaluation) => void;

  constructor(
    decider: Decider,
    deciding: Deciding,
    opened: Inference,
    evaluation: Evaluation,
    count: (evaluation: Evaluation) => void,
  ) {
    super(decider, deciding, opened, evaluation);
    this.#count = count;
  }

  override async end(toolCalls: readonly WrittenToolCall[] = []): Promise<GuardEnd> {
    const ended = await super.end(toolCalls);
    this.#count(ended.evaluation);
    return ended;
  }
}

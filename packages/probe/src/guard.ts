// An answer that a model is still writing, held until it is safe.

import {
  endStream,
  heldChars,
  openStream,
  Placeholders,
  readStream,
  streamedInference,
  type CompiledPolicy,
  type Evaluation,
  type Inference,
  type ReleasedToolCall,
  type StreamState,
} from '@svc/engine';
import { setImmediate as turn } from 'node:timers/promises';
import type { Decider, Deciding } from './decide.ts';

/** Between two pieces of a large one others get their turn; a piece takes some milliseconds. */
const PIECE_CHARS = 16_384;
/** The end reads all that was read before once more, and may take as much longer as it is long. */
const CHARS_PER_DEADLINE = 65_536;

/** A tool call as the model has written it. */
export interface WrittenToolCall {
  readonly name: string;
  /** The whole of its arguments, JSON most often. */
  readonly arguments: string;
}

/** What came of the end of an answer. */
export interface GuardEnd {
  /** The rest of the text that may be shown; empty where it is blocked. */
  readonly released: string;
  /** The tool calls that may be made, in the order given; none where it is blocked. */
  readonly toolCalls: readonly ReleasedToolCall[];
  /** Of the whole exchange. */
  readonly evaluation: Evaluation;
}

export class StreamGuard {
  readonly #decider: Decider;
  readonly #deciding: Deciding;
  readonly #opened: Inference;
  readonly #policy: CompiledPolicy;
  readonly #pieces: string[] = [];
  #chars = 0;
  #state: StreamState;

  /** `opened`: the inference without an answer and without tool calls, which `evaluation` is of. */
  constructor(decider: Decider, deciding: Deciding, opened: Inference, evaluation: Evaluation) {
    this.#decider = decider;
    this.#deciding = deciding;
    this.#opened = opened;
    this.#policy = decider.streamPolicy(deciding.policy.compiled);
    this.#state = openStream(opened, evaluation, this.#policy);
  }

  /** UTF-16 units that have come and are not released. */
  get heldChars(): number {
    return heldChars(this.#state);
  }

  /** UTF-16 units that have come. */
  get chars(): number {
    return this.#chars;
  }

  /** Nothing more will be released: the model may as well stop. */
  get isBlocked(): boolean {
    return this.#state.outcome === 'blocked' && this.#policy.mode === 'enforce';
  }

  /** Takes what the model has written next. Answers what may be shown now. */
  async push(text: string): Promise<string> {
    this.#pieces.push(text);
    this.#chars += text.length;
    if (this.#deciding.policy.isRefusal) return '';
    // An exception that ends while the answer is written is good until its end: what was shown cannot be taken back.
    const options = { clock: () => performance.now(), nowMs: this.#deciding.nowMs };
    let released = '';
    for (let at = 0; at < text.length; at += PIECE_CHARS) {
      if (at > 0) await turn();
      const step = readStream(this.#state, { text: text.slice(at, at + PIECE_CHARS), toolCalls: [] }, this.#policy, options);
      this.#state = step.state;
      released += step.released;
    }
    return released;
  }

  /** Decides about the whole. To be called once, after the last text. */
  async end(toolCalls: readonly WrittenToolCall[] = []): Promise<GuardEnd> {
    const calls = toolCalls.map((call, index) => ({ ...call, index }));
    const inference = streamedInference(this.#opened, [{ text: this.#pieces.join(''), toolCalls: calls }]);
    const evaluation = await this.#decider.decide(inference, this.#deciding, {
      placeholders: new Placeholders(this.#state.placeholders),
      deadlineFactor: 1 + this.#chars / CHARS_PER_DEADLINE,
    });
    if (evaluation.outcome === 'blocked' || !this.isBlocked)
      return { ...endStream(this.#state, inference, evaluation), evaluation };
    // What a piece was blocked for stands, whatever a hurried end has missed.
    return { released: '', toolCalls: [], evaluation: { ...evaluation, outcome: 'blocked' } };
  }
}

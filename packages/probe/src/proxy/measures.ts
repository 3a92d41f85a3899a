// What an answer says about itself: who wrote it, with how many tokens, and why it ended.

import type { About } from '../report.ts';
import { isObject, type Json } from './exchange.ts';

export class Measures {
  readonly #startedAt = performance.now();
  readonly #about: About;
  #firstTokenAt: number | null = null;
  #seen: Partial<Record<'modelVersion' | 'finishReason', string>> & Partial<Record<'inputTokens' | 'outputTokens', number>> = {};

  constructor(about: About) {
    this.#about = about;
  }

  /** To be called with the first piece of an answer. */
  firstToken(): void {
    this.#firstTokenAt ??= performance.now();
  }

  /** Looks at an answer, or an event of one, for what it says of itself. */
  see(json: Json): void {
    const response = isObject(json['response']) ? json['response'] : json;
    if (typeof response['model'] === 'string') this.#seen.modelVersion = response['model'];
    if (isObject(response['usage'])) this.#usage(response['usage']);
    const { choices } = response;
    if (Array.isArray(choices)) for (const choice of choices) this.#finished(isObject(choice) ? choice['finish_reason'] : null);
    if (response['object'] === 'response') this.#finished(finishOf(response));
  }

  about(more: About = {}): About {
    const latencyMs = performance.now() - this.#startedAt;
    const timeToFirstTokenMs = this.#firstTokenAt === null ? null : this.#firstTokenAt - this.#startedAt;
    return { ...this.#about, latencyMs, timeToFirstTokenMs, ...this.#seen, ...more };
  }

  #finished(reason: unknown): void {
    if (typeof reason === 'string') this.#seen.finishReason ??= reason;
  }

  #usage(usage: Json): void {
    const input = usage['prompt_tokens'] ?? usage['input_tokens'];
    const output = usage['completion_tokens'] ?? usage['output_tokens'];
    if (typeof input === 'number') this.#seen.inputTokens = input;
    if (typeof output === 'number') this.#seen.outputTokens = output;
  }
}

/** Why a response of OpenAI's newer API ended, in the words of the older one where there are some. */
function finishOf({ status, incomplete_details: details }: Json): string | null {
  if (status === 'completed') return 'stop';
  if (status === 'incomplete')
    return isObject(details) && typeof details['reason'] === 'string' ? details['reason'] : 'incomplete';
  return status === 'failed' || status === 'cancelled' ? status : null;
}

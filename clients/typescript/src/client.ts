// The client.

import { GuardedStream, type TextSource } from './guard-stream.ts';
import { Resources } from './generated/resources.ts';
import type { Assessment, Inference, StreamInference } from './generated/types.ts';
import { Transport, type RequestOptions, type SvcOptions } from './transport.ts';
import { SvcError } from './errors.ts';

/**
 * The service, for one credential: `new Svc({ apiKey: 'svc_live_…' })`. Safe to use from many places at once. Every method rejects with a
 * `SvcError`: an `ApiError` where the service refused or failed, a `ConnectionError` where it was not reached.
 */
export class Svc extends Resources {
  readonly #transport: Transport;

  /** Throws a `SvcError` for options that cannot be right. */
  constructor(options: SvcOptions) {
    const transport = new Transport(options);
    super(transport);
    this.#transport = transport;
  }

  /** Decides about an inference, as `assessments.create`. Resolves for every outcome; rejects for a request that failed. */
  assess(inference: Inference, options?: RequestOptions): Promise<Assessment> {
    return this.assessments.create(inference, options);
  }

  /**
   * Releases what a model writes as it turns out to be safe: `for await (const text of svc.guardStream(model, { input })) show(text)`.
   * `source`: pieces of text; it is left alone where the input is blocked. `options` count for each request; the key is that of the stream.
   */
  guardStream(source: TextSource, inference: StreamInference, options?: RequestOptions): GuardedStream {
    return new GuardedStream(this.streams, source, inference, options);
  }

  /**
   * For what has no method here: `svc.request('GET', '/v1/usage')`. Credential, retries and errors are those of every call; a POST is repeated after
   * a fault only with an `idempotencyKey`. Resolves with the answer: parsed where it is JSON, else as text; `undefined` where there is none.
   */
  async request<Answer = unknown>(
    method: string,
    path: string,
    { query, body, ...options }: RequestOptions & { readonly query?: object; readonly body?: unknown } = {},
  ): Promise<Answer> {
    if (typeof method !== 'string' || typeof path !== 'string' || !path.startsWith('/'))
      throw new SvcError('request needs a method, and a path that begins with a slash.');
    const takesKey = options.idempotencyKey !== undefined;
    return (await this.#transport.any({ method: method.toUpperCase(), path, query, body, takesKey }, options)) as Answer;
  }
}

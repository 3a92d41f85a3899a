// The client.

import { GuardedStream } from './guard-stream.ts';
import { Resources } from './generated/resources.ts';
import type { Assessment, Inference, StreamInference } from './generated/types.ts';
import { Transport, type RequestOptions, type SvcOptions } from './transport.ts';

/** The service, for one credential: `new Svc({ apiKey: 'svc_live_…' })`. Safe to use from many places at once. */
export class Svc extends Resources {
  constructor(options: SvcOptions) {
    super(new Transport(options));
  }

  /** Decides about an inference, as `assessments.create`. Resolves for every outcome; throws for a request that failed. */
  assess(inference: Inference, options?: RequestOptions): Promise<Assessment> {
    return this.assessments.create(inference, options);
  }

  /**
   * Releases what a model writes as it turns out to be safe: `for await (const text of svc.guardStream(model, { input })) show(text)`. `source`: pieces of text; it is
   * left alone where the input is blocked.
   */
  guardStream(
    source: AsyncIterable<string>,
    inference: StreamInference,
    options?: Pick<RequestOptions, 'signal'>,
  ): GuardedStream {
    return new GuardedStream(this.streams, source, inference, options);
  }
}

// One HTTP exchange on a connection, against a deadline and a bound on the body.

import type { Client, Dispatcher } from 'undici';
import { EgressError, exchangeError } from './error.ts';

/** A call. */
export interface EgressRequest {
  readonly method: 'GET' | 'POST';
  /** https, or http where it is allowed; without user information and fragment, at most 2 048 characters. */
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** One deadline over waiting for a connection, DNS, connect, TLS, headers and body. */
  readonly timeoutMs: number;
  /** More of a body is not read. */
  readonly bodyBytesMax: number;
  readonly signal?: AbortSignal;
}

/** An answer, of whatever status: a redirect is one too. */
export interface EgressResponse {
  readonly status: number;
  /** By lower-case name; repeated ones joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** At most `bodyBytesMax`, as sent: no encoding is undone. */
  readonly body: Buffer;
  /** The body was longer, too slow for the deadline, or cut off. */
  readonly isTruncated: boolean;
}

/** Sends `request` and answers; rejects with an `EgressError`. From the status on, whatever ends the body early truncates it. */
export async function exchange(client: Client, url: URL, request: EgressRequest, signal: AbortSignal): Promise<EgressResponse> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const receiver = new Receiver(request.bodyBytesMax, signal, resolve, reject);
    client.dispatch(
      { method: request.method, path: url.pathname + url.search, headers: headersOf(request), body: request.body ?? null },
      receiver,
    );
  });
}

/** The caller's headers. `Host` comes from the URL, which was checked, and the body is wanted as it is. */
function headersOf({ headers = {} }: EgressRequest): Record<string, string> {
  const sent: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (lower !== 'host') sent[lower] = value;
  }
  sent['accept-encoding'] = 'identity';
  return sent;
}

/** Collects an answer. */
class Receiver implements Dispatcher.DispatchHandler {
  readonly #bodyBytesMax: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (response: EgressResponse) => void;
  readonly #reject: (err: Error) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #bytes = 0;
  #status = 0; // no status yet
  #headers: Record<string, string> = {};

  constructor(
    bodyBytesMax: number,
    signal: AbortSignal,
    resolve: (response: EgressResponse) => void,
    reject: (err: Error) => void,
  ) {
    this.#bodyBytesMax = bodyBytesMax;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** Called when the connection stands. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
  }

  /** Also called for interim answers (1xx), which are passed over. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (status < 200) return;
    this.#status = status;
    this.#headers = Object.fromEntries(
      Object.entries(headers).map(([name, value = '']) => [name, typeof value === 'string' ? value : value.join(', ')]),
    );
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#bodyBytesMax - this.#bytes;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(kept);
    this.#bytes += kept.length;
    if (kept.length < chunk.length) controller.abort(new EgressError('protocol', 'The body of the answer is too long.'));
  }

  onResponseEnd(): void {
    this.#finish(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, err: Error): void {
    const error = exchangeError(err);
    if (this.#status !== 0 && error.kind !== 'aborted') return this.#finish(true);
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#reject(error);
  }

  /** Before the connection stands there is nothing to end but the wait for it. */
  readonly #onAbort = (): void => {
    const reason = this.#signal.reason as EgressError;
    if (this.#controller === undefined) this.#reject(reason);
    else this.#controller.abort(reason);
  };

  #finish(isTruncated: boolean): void {
    this.#signal.removeEventListener('abort', this.#onAbort);
    this.#resolve({ status: this.#status, headers: this.#headers, body: Buffer.concat(this.#chunks), isTruncated });
  }
}

type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

// One request and its repetitions.

import { apiErrorOf, ConnectionError, RateLimitError, ServerError, SvcError, TimeoutError } from './errors.ts';
import { VERSION } from './version.ts';

export interface SvcOptions {
  /** `svc_live_…`, or a session token. */
  readonly apiKey: string;
  /** `org_…`; sent so that a credential of another organization is refused. */
  readonly orgId?: string;
  /** Where the service is. Default: `http://127.0.0.1:8080`. */
  readonly baseUrl?: string;
  /** How often a request is sent again. Default: 3. */
  readonly maxRetries?: number;
  /** The first wait between two tries; the next ones are twice as long each. Default: 1 000. */
  readonly retryBackoffMs?: number;
  /** Who would have to wait longer is told at once. Default: 120 000. */
  readonly maxRetryWaitMs?: number;
  /** For one try. Default: 30 000. */
  readonly timeoutMs?: number;
  /** Default: the one of the platform. */
  readonly fetch?: typeof fetch;
  /** How retries wait; for tests. Default: a timer. */
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  /** Makes a POST safe to send again also after this process has ended. Default: a random one for each call. */
  readonly idempotencyKey?: string;
  readonly timeoutMs?: number;
  readonly maxRetries?: number;
  /** More headers, such as `If-Match`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a method of a resource asks for. */
export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query?: object;
  readonly body?: unknown;
  /** The operation honours `Idempotency-Key`. */
  readonly takesKey?: boolean;
}

const RETRIES = 3;
const BACKOFF_MS = 1_000;
const WAIT_MS_MAX = 120_000;
const TIMEOUT_MS = 30_000;
/** What a 429 that does not say how long means. */
const RETRY_AFTER_MISSING_S = 60;

export class Transport {
  readonly #options: Required<Omit<SvcOptions, 'orgId'>> & Pick<SvcOptions, 'orgId'>;

  /** Throws a `SvcError` for options that cannot be right. */
  constructor(options: SvcOptions) {
    if (typeof options.apiKey !== 'string' || options.apiKey === '') throw new SvcError('apiKey is missing.');
    const baseUrl = (options.baseUrl ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
    if (!/^https?:\/\//.test(baseUrl)) throw new SvcError('baseUrl must begin with http:// or https://.');
    this.#options = {
      maxRetries: RETRIES,
      retryBackoffMs: BACKOFF_MS,
      maxRetryWaitMs: WAIT_MS_MAX,
      timeoutMs: TIMEOUT_MS,
      fetch: (...args) => globalThis.fetch(...args),
      wait: waitByTimer,
      ...definedOf(options),
      baseUrl,
    };
  }

  async json<Answer>(call: Call, options?: RequestOptions): Promise<Answer> {
    const res = await this.#send(call, 'application/json', options);
    return (await res.json()) as Answer;
  }

  async text(call: Call, options?: RequestOptions): Promise<string> {
    return (await this.#send(call, 'text/plain, */*;q=0.1', options)).text();
  }

  async bytes(call: Call, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#send(call, '*/*', options);
    return body ?? new ReadableStream({ start: (controller) => controller.close() });
  }

  async none(call: Call, options?: RequestOptions): Promise<void> {
    await (await this.#send(call, '*/*', options)).arrayBuffer();
  }

  /** Resolves with an answer of success. Throws what the last try came to. */
  async #send(call: Call, accept: string, options: RequestOptions = {}): Promise<Response> {
    const request = this.#requestOf(call, accept, options);
    const retries = options.maxRetries ?? this.#options.maxRetries;
    // What may have been done must not be done twice: without a key a POST is repeated only where it was refused.
    const isRepeatable = call.method !== 'POST' || request.headers.has('idempotency-key');
    for (let tried = 0; ; tried++) {
      const failure = await this.#try(request, options);
      if (failure instanceof Response) return failure;
      const waitMs = tried < retries ? this.#waitMs(failure, tried, isRepeatable) : null;
      if (waitMs === null) throw failure;
      await this.#options.wait(waitMs, options.signal);
    }
  }

  #requestOf({ method, path, query, body, takesKey }: Call, accept: string, options: RequestOptions) {
    const { apiKey, orgId, baseUrl } = this.#options;
    const headers = new Headers({ authorization: `Bearer ${apiKey}`, accept, 'x-svc-client': `svc-typescript/${VERSION}` });
    if (orgId !== undefined) headers.set('x-svc-org-id', orgId);
    if (body !== undefined) headers.set('content-type', 'application/json');
    // One key for all tries.
    if (takesKey === true) headers.set('idempotency-key', options.idempotencyKey ?? crypto.randomUUID());
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    return {
      url: `${baseUrl}${path}${queryText(query)}`,
      method,
      headers,
      body: body === undefined ? null : JSON.stringify(body),
    };
  }

  async #try(
    { url, ...init }: { readonly url: string; readonly method: string; readonly headers: Headers; readonly body: string | null },
    options: RequestOptions,
  ): Promise<Response | Error> {
    const timeout = AbortSignal.timeout(options.timeoutMs ?? this.#options.timeoutMs);
    const signal = options.signal === undefined ? timeout : AbortSignal.any([options.signal, timeout]);
    try {
      const res = await this.#options.fetch(url, { ...init, signal, redirect: 'error' });
      if (res.ok) return res;
      return apiErrorOf(res.status, res.headers, await res.text());
    } catch (err) {
      // Whoever gave up knows why.
      options.signal?.throwIfAborted();
      if (timeout.aborted) return new TimeoutError('The service did not answer in time.', { cause: err });
      return new ConnectionError('The service could not be reached.', { cause: err });
    }
  }

  /** How long to wait before the next try; `null`: there is to be none. */
  #waitMs(failure: Error, tried: number, isRepeatable: boolean): number | null {
    const { retryBackoffMs, maxRetryWaitMs } = this.#options;
    const backoffMs = retryBackoffMs * 2 ** tried;
    if (failure instanceof RateLimitError) {
      const waitMs = Math.max((failure.retryAfter ?? RETRY_AFTER_MISSING_S) * 1_000, backoffMs);
      return waitMs <= maxRetryWaitMs ? waitMs : null;
    }
    if (!isRepeatable || !(failure instanceof ServerError || failure instanceof ConnectionError)) return null;
    // Between half and all of it, so that clients that failed together do not come back together.
    const waitMs = backoffMs * (0.5 + Math.random() / 2);
    return waitMs <= maxRetryWaitMs ? waitMs : null;
  }
}

function definedOf(options: SvcOptions): SvcOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as unknown as SvcOptions;
}

/** `?a=1&b=x`, or nothing. Members that are `undefined` are left out. */
function queryText(query: object = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== null) parameters.set(name, String(value));
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function waitByTimer(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal!.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}

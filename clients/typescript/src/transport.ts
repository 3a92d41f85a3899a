// One request and its repetitions.

import { ApiError, apiErrorOf, ConflictError, ConnectionError, SvcError, TimeoutError } from './errors.ts';
import { DECIDING } from './generated/deciding.ts';
import { Pages, type Page } from './pages.ts';
import { VERSION } from './version.ts';

export interface SvcOptions {
  /** `svc_live_…`, or a session token. */
  readonly apiKey: string;
  /** `org_…`; sent so that a credential of another organization is refused. */
  readonly orgId?: string | undefined;
  /** Where the service is. Default: `http://127.0.0.1:8080`. */
  readonly baseUrl?: string | undefined;
  /** How often a request is sent again. Default: 3. */
  readonly maxRetries?: number | undefined;
  /** The first wait between two tries; the next ones are twice as long each. Default: 1 000. */
  readonly retryBackoffMs?: number | undefined;
  /** Who would have to wait longer is told at once. Default: 120 000. */
  readonly maxRetryWaitMs?: number | undefined;
  /** For one try, until its whole answer is read; of bytes that are streamed, until they begin. Default: 30 000. */
  readonly timeoutMs?: number | undefined;
  /** Default: the one of the platform. */
  readonly fetch?: typeof fetch | undefined;
  /** How retries wait; for tests. Rejects with the reason of `signal` when that aborts. Default: a timer. */
  readonly wait?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
}

/** Of one call. */
export interface RequestOptions {
  /** Ends the call, also while it waits; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Makes a POST safe to send again also after this process has ended. Default: a random one for each call. Ignored where the operation takes none. */
  readonly idempotencyKey?: string | undefined;
  /** Where the query has `wait_s`, that is added. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** More headers, such as `If-Match`. What is `undefined` is not sent. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined;
}

/** A function where it holds what the caller gave, which may be wrong. */
export type Path = string | (() => string);

/** What a method of a resource asks for. */
export interface Call {
  readonly method: string;
  readonly path: Path;
  readonly query?: object | undefined;
  readonly body?: unknown;
  /** The operation honours `Idempotency-Key`. */
  readonly takesKey?: boolean;
  /** The type of the answer, of which nothing that is required may be missing. */
  readonly answer?: string;
}

const RETRIES = 3;
const BACKOFF_MS = 1_000;
const WAIT_MS_MAX = 120_000;
const TIMEOUT_MS = 30_000;
/** What a 429 that does not say how long means. */
const RETRY_AFTER_MISSING_S = 60;
/** Timers cannot wait longer: 2³¹ − 1. */
const TIMER_MS_MAX = 2_147_483_647;
/** Of an answer that is held in memory as a whole, and of one that tells of an error. */
const ANSWER_BYTES_MAX = 64 * 1_048_576;
const ERROR_BYTES_MAX = 1_048_576;

interface Prepared {
  readonly url: string;
  readonly init: { readonly method: string; readonly headers: Headers; readonly body: string | null };
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number;
}

/** A try that came to nothing. */
class Failure {
  readonly error: SvcError;

  constructor(error: SvcError) {
    this.error = error;
  }
}

export class Transport {
  readonly #options: ReturnType<typeof checkedOptions>;

  /** Throws a `SvcError` for options that cannot be right. */
  constructor(options: SvcOptions) {
    this.#options = checkedOptions(options);
  }

  /** An object. */
  json<Answer>(call: Call, options?: RequestOptions): Promise<Answer> {
    return this.#send(call, 'application/json', options, async (res) => {
      const value = parsed(res, await textOf(res, ANSWER_BYTES_MAX));
      const lacks = call.answer === undefined ? null : missingIn(value, call.answer);
      if (lacks !== null) throw new SvcError(`The service answered without ${lacks}. Is baseUrl right?`);
      return value as Answer;
    });
  }

  list<Item>(path: Path, query: object, options?: RequestOptions): Pages<Item> {
    const isFeed = 'after_sequence' in query && query.after_sequence !== undefined;
    const nextQuery = (cursor: string) => (isFeed ? { ...query, after_sequence: cursor } : { ...query, cursor });
    const read = (cursor: string | null) =>
      this.json<Page<Item>>({ method: 'GET', path, query: cursor === null ? query : nextQuery(cursor) }, options);
    return isFeed ? new Pages(read, lastSequence) : new Pages(read);
  }

  text(call: Call, options?: RequestOptions): Promise<string> {
    return this.#send(call, 'text/plain, */*;q=0.1', options, (res) => textOf(res, ANSWER_BYTES_MAX));
  }

  /** As they come: no time-out once they have begun. The stream fails with a `ConnectionError` when it breaks off. */
  bytes(call: Call, options?: RequestOptions): Promise<ReadableStream<Uint8Array>> {
    return this.#send(call, '*/*', options, (res) => Promise.resolve(streamOf(res, options?.signal)));
  }

  none(call: Call, options?: RequestOptions): Promise<void> {
    return this.#send(call, '*/*', options, async (res) => void (await textOf(res, ANSWER_BYTES_MAX)));
  }

  /** What came: parsed where it is said to be JSON, else as text; `undefined` where there is nothing. */
  any(call: Call, options?: RequestOptions): Promise<unknown> {
    return this.#send(call, 'application/json, */*;q=0.1', options, async (res) => {
      const text = await textOf(res, ANSWER_BYTES_MAX);
      const isJson = /^application\/(?:[\w.-]+\+)?json\b/i.test(res.headers.get('content-type') ?? '');
      return isJson ? jsonOf(res, text) : text === '' ? undefined : text;
    });
  }

  /** Resolves with what `read` makes of an answer of success. Throws what the last try came to. */
  async #send<Answer>(
    call: Call,
    accept: string,
    options: RequestOptions = {},
    read: (res: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const request = this.#prepare(call, accept, options);
    const retries = options.maxRetries === undefined ? this.#options.maxRetries : checkedCount('maxRetries', options.maxRetries);
    const hasKey = request.init.headers.has('idempotency-key');
    // What may have been done must not be done twice: without a key a POST is repeated only where it was refused.
    const isRepeatable = call.method !== 'POST' || hasKey;
    // An earlier try may still be at work on the other side, and hold the key.
    let isInFlight = false;
    for (let tried = 0; ; tried++) {
      const answer = await this.#try(request, read);
      if (!(answer instanceof Failure)) return answer;
      const { error } = answer;
      if (error instanceof ConnectionError) isInFlight = hasKey;
      const waitMs = tried < retries ? this.#waitMs(error, tried, isRepeatable, isInFlight) : null;
      if (waitMs === null || waitMs > this.#options.maxRetryWaitMs) throw error;
      await this.#options.wait(waitMs, options.signal);
    }
  }

  #prepare({ method, path, query, body, takesKey }: Call, accept: string, options: RequestOptions): Prepared {
    const { apiKey, orgId, baseUrl } = this.#options;
    const headers = new Headers({ authorization: `Bearer ${apiKey}`, accept, 'user-agent': `svc-typescript/${VERSION}` });
    if (orgId !== undefined) headers.set('x-svc-org-id', orgId);
    if (body !== undefined) headers.set('content-type', 'application/json');
    // One key for all tries.
    const key = checkedKey(options.idempotencyKey);
    if (takesKey === true) headers.set('idempotency-key', key ?? crypto.randomUUID());
    for (const [name, value] of Object.entries(options.headers ?? {})) setHeader(headers, name, value);
    const timeoutMs = options.timeoutMs === undefined ? this.#options.timeoutMs : checkedMs('timeoutMs', options.timeoutMs, 1);
    return {
      url: `${baseUrl}${typeof path === 'string' ? path : path()}${queryText(query)}`,
      init: { method: checkedMethod(method, body), headers, body: bodyText(body) },
      signal: options.signal,
      timeoutMs: Math.min(timeoutMs + waitMsOf(query), TIMER_MS_MAX),
    };
  }

  async #try<Answer>(
    { url, init, signal, timeoutMs }: Prepared,
    read: (res: Response) => Promise<Answer>,
  ): Promise<Answer | Failure> {
    signal?.throwIfAborted();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), timeoutMs);
    const either = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
    const { fetch } = this.#options;
    try {
      const res = await fetch(url, { ...init, signal: either, redirect: 'manual' });
      if (res.ok) return await read(res);
      // A browser hides the status of a redirect.
      const isRedirect = res.type === 'opaqueredirect' || (res.status >= 300 && res.status < 400 && res.headers.has('location'));
      const body = await textOf(res, ERROR_BYTES_MAX);
      return new Failure(apiErrorOf(res.status, res.headers, isRedirect ? REDIRECTED : body));
    } catch (err) {
      // Whoever gave up knows why.
      signal?.throwIfAborted();
      if (err instanceof SvcError) throw err;
      if (timeout.signal.aborted) {
        return new Failure(new TimeoutError(`The service did not answer within ${timeoutMs} ms.`, { cause: err }));
      }
      return new Failure(new ConnectionError('The service could not be reached, or broke off.', { cause: err }));
    } finally {
      clearTimeout(timer);
    }
  }

  /** How long to wait before the next try; `null`: there is to be none. */
  #waitMs(error: SvcError, tried: number, isRepeatable: boolean, isInFlight: boolean): number | null {
    const backoffMs = this.#options.retryBackoffMs * 2 ** tried;
    if (error instanceof ApiError) {
      if (error.status === 429) return Math.max((error.retryAfter ?? RETRY_AFTER_MISSING_S) * 1_000, backoffMs);
      if (error.status < 500 && !(isInFlight && error instanceof ConflictError)) return null;
    }
    // Between half and all of it, so that clients that failed together do not come back together.
    return isRepeatable ? backoffMs * (0.5 + Math.random() / 2) : null;
  }
}

const REDIRECTED = JSON.stringify({
  error: { code: 'unknown', message: 'The answer is a redirect, which is not followed. Is baseUrl right?' },
});

/** A feed goes on after the last event that came. */
function lastSequence(page: Page<unknown>): string | null {
  const { sequence } = (page.data.at(-1) ?? {}) as { sequence?: unknown };
  return typeof sequence === 'number' ? String(sequence) : null;
}

/** One segment of a path. Throws a `SvcError` for a text that would lead elsewhere. */
export function segment(value: string | number): string {
  const text = String(value);
  if (value === undefined || value === null || text === '' || text === '.' || text === '..')
    throw new SvcError(`${JSON.stringify(text)} cannot be part of a path.`);
  return encodeURIComponent(text);
}

/** Some segments of a path, with the slashes between them. */
export function segments(path: string): string {
  return path.split('/').map(segment).join('/');
}

function checkedOptions(options: SvcOptions) {
  if (typeof options !== 'object' || options === null) throw new SvcError('apiKey is missing: new Svc({ apiKey }).');
  const { apiKey, orgId, maxRetries, retryBackoffMs, maxRetryWaitMs, timeoutMs, fetch, wait } = options;
  if (typeof apiKey !== 'string' || apiKey === '') throw new SvcError('apiKey is missing.');
  // A header cannot hold it; the error of the platform would show it.
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new SvcError('apiKey has a space, a line break or another character that no key has.');
  if (orgId !== undefined && !/^[\x21-\x7e]+$/.test(orgId)) throw new SvcError('orgId must look like org_….');
  return {
    apiKey,
    orgId,
    baseUrl: checkedUrl(options.baseUrl ?? 'http://127.0.0.1:8080'),
    maxRetries: checkedCount('maxRetries', maxRetries ?? RETRIES),
    retryBackoffMs: checkedMs('retryBackoffMs', retryBackoffMs ?? BACKOFF_MS, 0),
    maxRetryWaitMs: checkedMs('maxRetryWaitMs', maxRetryWaitMs ?? WAIT_MS_MAX, 0),
    timeoutMs: checkedMs('timeoutMs', timeoutMs ?? TIMEOUT_MS, 1),
    fetch: fetch ?? ((...args: Parameters<typeof globalThis.fetch>) => globalThis.fetch(...args)),
    wait: wait ?? waitByTimer,
  };
}

function checkedUrl(text: string): string {
  const url = /^https?:\/\//i.test(text) && URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new SvcError('baseUrl must begin with http:// or https://.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new SvcError('baseUrl has a user, a query or a fragment; it may have a path at most.');
  return text.replace(/\/+$/, '');
}

function checkedCount(name: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw new SvcError(`${name} must be a whole number from 0.`);
  return value;
}

function checkedMs(name: string, value: number, min: number): number {
  if (typeof value !== 'number' || !(value >= min && value <= TIMER_MS_MAX))
    throw new SvcError(`${name} must be a number of milliseconds from ${min} to ${TIMER_MS_MAX}.`);
  return value;
}

function checkedKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new SvcError('idempotencyKey must have 1 to 255 visible ASCII characters.');
  return key;
}

/** `value`: `undefined` is not sent. */
function setHeader(headers: Headers, name: string, value: unknown): void {
  if (value === undefined) return;
  try {
    if (typeof value !== 'string') throw new TypeError('It is no text.');
    headers.set(name, value);
  } catch {
    // The value may be a secret.
    throw new SvcError(`The header ${JSON.stringify(name)} cannot be sent: its name or its value is none of a header.`);
  }
}

/** Methods that the platform sends. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

function checkedMethod(method: string, body: unknown): string {
  if (!METHODS.has(method)) throw new SvcError(`There is no method ${JSON.stringify(method)}.`);
  if (body !== undefined && (method === 'GET' || method === 'HEAD')) throw new SvcError(`${method} has no body.`);
  return method;
}

function bodyText(body: unknown): string | null {
  if (body === undefined) return null;
  let text: string | undefined;
  try {
    text = JSON.stringify(body) as string | undefined;
  } catch (cause) {
    throw new SvcError('The body cannot be written as JSON.', { cause });
  }
  if (text === undefined) throw new SvcError('The body cannot be written as JSON.');
  return text;
}

/** How long the service was asked to wait for something that it could answer. */
function waitMsOf(query: object = {}): number {
  const { wait_s: waitS } = query as { readonly wait_s?: unknown };
  return typeof waitS === 'number' && waitS > 0 ? waitS * 1_000 : 0;
}

/** The body as text. Throws a `SvcError` for one that is longer: what is held in memory has a bound. */
async function textOf({ body }: Response, bytesMax: number): Promise<string> {
  if (body === null) return '';
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return pieces.join('') + decoder.decode();
    bytes += value.length;
    if (bytes > bytesMax) {
      reader.cancel().catch(() => {});
      throw new SvcError(`The answer has more than ${bytesMax} bytes. Is baseUrl right?`);
    }
    pieces.push(decoder.decode(value, { stream: true }));
  }
}

/** The first member that an answer of this type must have and has not; `null`: there is none. */
function missingIn(value: object, type: string): string | null {
  for (const [name, nested] of Object.entries(DECIDING[type] ?? {})) {
    const member = (value as Readonly<Record<string, unknown>>)[name] ?? null;
    if (member === null) return name;
    if (nested === null) continue;
    const within = typeof member === 'object' ? missingIn(member, nested) : '';
    if (within !== null) return within === '' ? name : `${name}.${within}`;
  }
  return null;
}

/** An object. */
function parsed(res: Response, text: string): object {
  const value = jsonOf(res, text);
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : notAsked(res);
}

function jsonOf(res: Response, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return notAsked(res);
  }
}

function notAsked(res: Response): never {
  const type = res.headers.get('content-type') ?? 'no content type';
  throw new SvcError(
    `The service answered ${res.status} with what is not the JSON that was asked for (${type}). Is baseUrl right?`,
  );
}

function streamOf({ body }: Response, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  if (body === null) return new ReadableStream({ start: (controller) => controller.close() });
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (err) {
          controller.error(
            signal?.aborted === true ? signal.reason : new ConnectionError('The service broke off.', { cause: err }),
          );
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read before it is asked for.
    { highWaterMark: 0 },
  );
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

// The service's three operations for probes, over HTTP.

import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import { Agent, request, type Dispatcher } from 'undici';
import { reasonOf } from '../errors.ts';
import { VERSION } from '../version.ts';

const gzipped = promisify(gzip);

const CONNECT_MS_MAX = 5_000;
const ANSWER_MS_MAX = 30_000;
/** A policy is at most 1 MiB, and its JSON in a bundle little more. */
const ANSWER_BYTES_MAX = 8 * 1_048_576;

/** What came of a request. */
export type Answer =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly etag: string | null;
      readonly retryAfterMs: number | null;
      readonly body: unknown;
    }
  /** `reason`: a code, for the log. */
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface ServiceClientOptions {
  /** Where the service is, with or without a path. */
  readonly url: string;
  readonly apiKey: string;
  readonly probeId: string;
}

export class ServiceClient {
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #agent = new Agent({
    connect: { timeout: CONNECT_MS_MAX },
    headersTimeout: ANSWER_MS_MAX,
    bodyTimeout: ANSWER_MS_MAX,
    connections: 4,
  });

  constructor({ url, apiKey, probeId }: ServiceClientOptions) {
    this.#base = `${url.replace(/\/+$/, '')}/api/svc/probe`;
    this.#headers = {
      authorization: `Bearer ${apiKey}`,
      'x-svc-probe-id': probeId,
      'user-agent': `svc-probe/${VERSION}`,
      accept: 'application/json',
    };
  }

  /** Sends events as they were written: each is the JSON of one. */
  async sendEvents(records: readonly string[], signal: AbortSignal): Promise<Answer> {
    const body = await gzipped(`{"events":[${records.join(',')}]}`);
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    return this.#ask({ method: 'POST', path: '/telemetry', headers, body, signal });
  }

  sendHeartbeat(heartbeat: Heartbeat, signal: AbortSignal): Promise<Answer> {
    const headers = { 'content-type': 'application/json' };
    return this.#ask({ method: 'POST', path: '/heartbeat', headers, body: JSON.stringify(heartbeat), signal });
  }

  /** `etag`: of the bundle that is there already. */
  getPolicy(etag: string | null, signal: AbortSignal): Promise<Answer> {
    const headers = etag === null ? {} : { 'if-none-match': etag };
    return this.#ask({ method: 'GET', path: '/policy-sync', headers, signal });
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }

  async #ask(asked: {
    method: Dispatcher.HttpMethod;
    path: string;
    headers: Record<string, string>;
    body?: string | Buffer;
    signal: AbortSignal;
  }): Promise<Answer> {
    const { method, path, headers, body = null, signal } = asked;
    try {
      const answered = await request(this.#base + path, {
        dispatcher: this.#agent,
        method,
        headers: { ...this.#headers, ...headers },
        body,
        // One bound for all of it, beside those between its steps.
        signal: AbortSignal.any([signal, AbortSignal.timeout(2 * ANSWER_MS_MAX)]),
      });
      return {
        kind: 'answer',
        status: answered.statusCode,
        etag: headerOf(answered.headers, 'etag'),
        retryAfterMs: retryAfterMs(headerOf(answered.headers, 'retry-after')),
        body: parsed(await readText(answered.body)),
      };
    } catch (err) {
      return { kind: 'unreachable', reason: reasonOf(err) };
    }
  }
}

/** What the probe says of itself. */
export interface Heartbeat {
  readonly version: string;
  readonly started_at: string;
  readonly policy_version: number | null;
  readonly queue: { readonly depth: number; readonly dropped: number };
  readonly labels: Readonly<Record<string, string>>;
  /** The policy in force has expired. */
  readonly stale: boolean;
}

function headerOf(headers: Dispatcher.ResponseData['headers'], name: string): string | null {
  const value = headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? null;
}

const RETRY_AFTER_S_MAX = 3_600;

/** Whole seconds, as the service writes them. */
function retryAfterMs(value: string | null): number | null {
  return value !== null && /^\d{1,6}$/.test(value) ? Math.min(Number(value), RETRY_AFTER_S_MAX) * 1_000 : null;
}

async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new RangeError('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

// The model's server: requests go there as they came, with the client's own credentials and none of the probe's.

import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { Agent, type Dispatcher } from 'undici';
import { codeOf } from '../errors.ts';
import { Refusal } from './refusal.ts';

const CONNECT_MS_MAX = 10_000;
/** To one server at a time; the others wait. */
const CONNECTIONS_MAX = 512;

/** Headers of one connection, which say nothing to the next (RFC 9110 §7.6.1), and those that are made anew. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  'host',
  'content-length',
  // What makes another request of one that was read as this.
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
]);

export interface UpstreamAnswer {
  readonly status: number;
  /** Without those of the connection. */
  readonly headers: Record<string, string | string[]>;
  readonly body: Readable;
}

export class Upstream {
  readonly #base: URL;
  readonly #agent: Agent;

  /** `base`: with or without `/v1`. `timeoutMs`: for the answer to begin, and between its pieces. */
  constructor(base: URL, timeoutMs: number) {
    this.#base = base;
    this.#agent = new Agent({
      connect: { timeout: CONNECT_MS_MAX },
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
      connections: CONNECTIONS_MAX,
      maxHeaderSize: 65_536,
    });
  }

  /** Who serves the model, for reports. */
  get provider(): string {
    return this.#base.hostname === 'api.openai.com' ? 'openai' : this.#base.hostname;
  }

  /**
   * Sends a request. `path`: with `/v1` and the query. `isRead`: the answer is to be read here, not only passed on. `length`: of a body that is a
   * stream. Throws a `Refusal` when there is no answer.
   */
  async send(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
    body: Buffer | Readable | null,
    { signal, isRead, length }: { signal: AbortSignal; isRead: boolean; length?: string },
  ): Promise<UpstreamAnswer> {
    const prefix = this.#base.pathname.replace(/\/+$/, '').replace(/\/v1$/, '');
    try {
      const answer = await this.#agent.request({
        origin: this.#base.origin,
        method,
        path: prefix + path,
        headers: {
          ...forwarded(headers),
          ...(isRead ? { 'accept-encoding': 'identity' } : {}),
          ...(length === undefined ? {} : { 'content-length': length }),
        },
        body,
        signal,
      });
      return { status: answer.statusCode, headers: kept(answer.headers), body: answer.body };
    } catch (err) {
      throw refusalOf(err);
    }
  }

  close(): Promise<void> {
    return this.#agent.destroy();
  }
}

/** The bytes of a body that is to be read, to be destroyed when they are read no further: whatever encoding a server has used although it was asked for none. */
export function plainBody({ body, headers }: UpstreamAnswer): Readable {
  const encoding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
  // For all of its life: what is read no further may still break off, when nobody else listens.
  body.on('error', () => {});
  if (encoding === 'identity') return body;
  const decoder = DECODERS.get(encoding)?.();
  if (decoder === undefined) {
    body.destroy();
    throw new Refusal(502, 'The model’s server has answered in an encoding that is not read.', UNREADABLE);
  }
  decoder.on('error', () => {});
  // The end of either is the end of both; whoever reads hears of a failure by reading.
  pipeline(body, decoder, () => {});
  return decoder;
}

export const UNREADABLE = { code: 'upstream_unreadable' } as const;

const DECODERS: ReadonlyMap<string, () => ReturnType<typeof createGunzip>> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
]);

function forwarded(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const own = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(
    Object.entries(headers).filter(
      (entry): entry is [string, string | string[]] =>
        entry[1] !== undefined && !HOP_BY_HOP.has(entry[0]) && !own.has(entry[0]) && !entry[0].startsWith('x-svc-'),
    ),
  );
}

function kept(headers: Dispatcher.ResponseData['headers']): Record<string, string | string[]> {
  return forwarded(headers);
}

function refusalOf(err: unknown): Refusal {
  const code = codeOf(err) ?? '';
  if (code.includes('TIMEOUT') && code !== 'UND_ERR_CONNECT_TIMEOUT')
    return new Refusal(504, 'The model’s server has not answered in time.', { code: 'upstream_timeout' });
  return new Refusal(502, 'The model’s server cannot be reached.', { code: 'upstream_unreachable' });
}

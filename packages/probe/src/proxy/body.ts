// Bodies of requests and answers, read as a whole and within a bound.

import type { IncomingMessage } from 'node:http';
import { finished, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from './refusal.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** `application/json`, with no charset or the one that JSON has (RFC 8259 §8.1). */
const JSON_TYPE = /^application\/json(?:[ \t]*;[ \t]*charset=(?:utf-8|"utf-8"))?[ \t]*;?[ \t]*$/i;

export interface BodyOptions {
  readonly bytesMax: number;
  /** Bodies that are gzipped are read too. */
  readonly takesGzip?: boolean;
  /** Hears of all that is kept in memory, as it comes; may throw. */
  readonly account: (bytes: number) => void;
}

/** All bytes of `stream`; `null`: there are more than `bytesMax`. The stream is not destroyed: whoever sends too much is still to be answered. */
export async function readAll(stream: Readable, bytesMax: number, account: BodyOptions['account']): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    account(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body of a client's request. Throws a `Refusal` when it is too long, or encoded in a way that is not read. */
export async function readRequestBody(
  req: IncomingMessage,
  { bytesMax, takesGzip = false, account }: BodyOptions,
): Promise<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && !(takesGzip && encoding === 'gzip'))
    throw new Refusal(415, 'The probe reads bodies that are not encoded.', { code: 'unsupported_encoding' });
  const body = encoding === 'gzip' ? await readGzip(req, bytesMax, account) : await readAll(req, bytesMax, account);
  if (body !== null) return body;
  throw new Refusal(413, `The probe reads bodies of at most ${bytesMax} bytes.`, { code: 'body_too_long', headers: CLOSE });
}

/** What is read no further must not leave a connection in the middle of a body: it ends with the answer. */
const CLOSE = { connection: 'close' } as const;

async function readGzip(req: IncomingMessage, bytesMax: number, account: BodyOptions['account']): Promise<Buffer | null> {
  const decoder = createGunzip();
  // For all of its life: it may find fault with what comes after it was read far enough, when nobody else listens.
  decoder.on('error', () => {});
  // `pipe` tells of no end that comes too early, and `pipeline` would destroy the request, which is still to be answered.
  const forget = finished(req, { writable: false }, (err) => {
    if (err) decoder.destroy(err);
  });
  try {
    return await readAll(req.pipe(decoder), bytesMax, account);
  } catch (err) {
    if (err instanceof Refusal) throw err;
    throw new Refusal(400, 'The body is no gzip.', { code: 'invalid_body', headers: CLOSE });
  } finally {
    forget();
    req.unpipe(decoder);
    decoder.destroy();
  }
}

/**
 * Throws a `Refusal` unless the body says that it is JSON. A model's server might read it by the charset that it names; and pages of other sites
 * can have browsers send anything but JSON without being asked (https://fetch.spec.whatwg.org/#cors-safelisted-request-header).
 */
export function requireJson({ headers }: IncomingMessage): void {
  if (JSON_TYPE.test(headers['content-type'] ?? '')) return;
  throw new Refusal(415, 'Requests come as application/json, in UTF-8.', { code: 'unsupported_media_type', headers: CLOSE });
}

/** Throws a `Refusal` for what is no UTF-8: what is assessed would not be what the model reads. */
export function textOf(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new Refusal(400, 'The body is no UTF-8.', { code: 'invalid_body' });
  }
}

// Bodies of requests and answers, read as a whole and within a bound.

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Refusal } from './refusal.ts';

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** All bytes of `stream`; `null`: there are more than `bytesMax`. */
export async function readAll(stream: Readable, bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Whoever sends too much is still to be answered, so the stream is not destroyed.
  for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The body of a client's request. Throws a `Refusal` when it is too long, or encoded in a way that is not read (`takesGzip`: gzip is). */
export async function readRequestBody(req: IncomingMessage, bytesMax: number, takesGzip = false): Promise<Buffer> {
  const encoding = (req.headers['content-encoding'] ?? 'identity').toLowerCase();
  if (encoding !== 'identity' && !(takesGzip && encoding === 'gzip'))
    throw new Refusal(415, 'The probe reads bodies that are not encoded.', { code: 'unsupported_encoding' });
  // What is read no further must not leave a stream in the middle: the connection ends with the answer.
  const stream = encoding === 'gzip' ? req.pipe(createGunzip()) : req;
  const body = await readAll(stream, bytesMax).catch((err: unknown) => {
    if (encoding !== 'gzip') throw err;
    throw new Refusal(400, 'The body is no gzip.', { code: 'invalid_body' });
  });
  if (body !== null) return body;
  const headers = { connection: 'close' };
  throw new Refusal(413, `The probe reads bodies of at most ${bytesMax} bytes.`, { code: 'body_too_long', headers });
}

/** Throws a `Refusal` for what is no UTF-8: what is assessed would not be what the model reads. */
export function textOf(body: Buffer): string {
  try {
    return UTF8.decode(body);
  } catch {
    throw new Refusal(400, 'The body is no UTF-8.', { code: 'invalid_body' });
  }
}

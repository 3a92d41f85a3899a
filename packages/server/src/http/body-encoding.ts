// Bodies that come packed.

import { gunzip } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';
import { tooLarge } from './fastify-errors.ts';
import { BODY_BYTES_MAX } from './route.ts';

/**
 * Unpacks the body of a route that takes gzip, off this thread, and never more than the route's bound: a kilobyte may unpack to a gigabyte. A
 * body that is not packed is handed on as it is. Notes how long the body is.
 */
export function unpackBody(req: FastifyRequest, bytes: Buffer, done: (err: Error | null, bytes: Buffer) => void): void {
  req.bodyBytes = bytes.length;
  if (!isPacked(req)) return done(null, bytes);
  const maxOutputLength = req.routeOptions.config.route?.bodyBytesMax ?? BODY_BYTES_MAX;
  gunzip(bytes, { maxOutputLength }, (err, unpacked) => {
    if (err !== null) return done(refusalOf(err, maxOutputLength), unpacked);
    req.bodyBytes = unpacked.length;
    return done(null, unpacked);
  });
  return undefined;
}

/** Whether the body is refused for how it is encoded, before it is read. */
export function isEncodingTaken(req: FastifyRequest): boolean {
  const encoding = req.headers['content-encoding'];
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return true;
  return isPacked(req) && req.routeOptions.config.route?.takesGzip === true;
}

function isPacked(req: FastifyRequest): boolean {
  return req.headers['content-encoding']?.toLowerCase() === 'gzip';
}

function refusalOf(err: Error, bytesMax: number): AppError {
  if ('code' in err && err.code === 'ERR_BUFFER_TOO_LARGE')
    return tooLarge('The body unpacks to more than this operation takes', bytesMax);
  return new AppError('invalid_request', 'The body is not valid gzip.');
}

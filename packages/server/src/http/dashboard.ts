// The dashboard at /: files that were built from packages/dashboard, read into memory once. No script, style or font comes from elsewhere.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

const CONTENT_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/** Names of these hold a digest of what is in them. */
const HASHED = /^\/assets\//;
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Below it, packing costs more than it saves. */
const PACKED_BYTES_MIN = 1_024;
/** Addresses of the service that are no pages: what is not there is missing, and not the dashboard. */
const NOT_PAGES = /^\/(v1|api|compat|inbox|assets|docs|healthz|readyz|metrics|openapi\.json|\.well-known)(\/|\?|$)/i;

interface File {
  readonly type: string;
  readonly bytes: Buffer;
  /** By brotli; `null`: too small. */
  readonly packed: Buffer | null;
  readonly etag: string;
}

/** `folder`: where the build put its files. Without them / leads to the API reference. */
export function registerDashboard(fastify: FastifyInstance, folder: string): void {
  const files = readFiles(folder);
  const index = files.get('/index.html');
  if (index === undefined) {
    fastify.get('/', (_req, reply) => reply.redirect('/docs', 302));
    return;
  }
  const serve = (url: string, handler: (req: FastifyRequest, reply: FastifyReply) => FastifyReply | void) =>
    fastify.route({ method: ['GET', 'HEAD'], url, handler });
  for (const [path, file] of files) if (file !== index) serve(path, (req, reply) => answer(req, reply, file, HASHED.test(path)));
  // Pages have addresses of their own, which the browser resolves.
  serve('/', (req, reply) => answer(req, reply, index, false));
  serve('/*', (req, reply) => (NOT_PAGES.test(req.url) ? reply.callNotFound() : answer(req, reply, index, false)));
}

function answer(req: FastifyRequest, reply: FastifyReply, { type, bytes, packed, etag }: File, isForEver: boolean): FastifyReply {
  reply.headers({
    'content-type': type,
    'content-security-policy': CONTENT_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag,
  });
  if (req.headers['if-none-match'] === etag) return reply.code(304).send();
  if (packed === null || !/\bbr\b/.test(req.headers['accept-encoding'] ?? '')) return reply.send(bytes);
  return reply.header('content-encoding', 'br').send(packed);
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return new Map();
  }
  return new Map(names.map((name) => [`/${relative(folder, name).split(sep).join('/')}`, readOne(name)]));
}

function readOne(name: string): File {
  const bytes = readFileSync(name);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    bytes,
    packed: bytes.length < PACKED_BYTES_MIN ? null : brotliCompressSync(bytes, { params: quality }),
    etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`,
  };
}

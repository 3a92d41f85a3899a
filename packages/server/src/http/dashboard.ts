// The dashboard at /: files that were built from packages/dashboard, read into memory once. No script, style or font comes from elsewhere.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { matchesTag } from './etag.ts';

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
/** Addresses of the service that are no pages: what is not there is missing, and not the dashboard. */
const NOT_PAGES = /^\/(v1|api|compat|inbox|assets|docs|healthz|readyz|metrics|\.well-known)(\/|$)/i;
/** Files stand at the top, as `/robots.txt` does, and no page has such a name. Further down it may be a part of one, as a probe's is. */
const FILE_NAME = /^\/[^/]*\./;
/** Within 2 % of what the default makes, in a tenth of the time. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** Browsers take brotli over TLS alone, and gzip everywhere. */
type Encoding = 'br' | 'gzip' | 'identity';

interface File {
  readonly type: string;
  readonly digest: string;
  /** Packs when it is first asked for: nobody waits for it at the start. */
  as(encoding: Encoding): Buffer;
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
  serve('/*', (req, reply) => (isPage(req.url) && wantsPage(req) ? answer(req, reply, index, false) : reply.callNotFound()));
}

/** Browsers name HTML when they go somewhere. A program that mistakes a path is told that nothing is there. */
function wantsPage(req: FastifyRequest): boolean {
  return req.headers.accept?.includes('text/html') === true;
}

function isPage(url: string): boolean {
  const path = decodeURI(url.split('?', 1)[0]!);
  return !NOT_PAGES.test(path) && !FILE_NAME.test(path);
}

function answer(req: FastifyRequest, reply: FastifyReply, file: File, isForEver: boolean): FastifyReply {
  const encoding = encodingFor(req.headers['accept-encoding']);
  // Other bytes are another representation, with a tag of its own.
  const etag = `"${file.digest}-${encoding}"`;
  reply.headers({
    'content-type': file.type,
    'content-security-policy': CONTENT_POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'cache-control': isForEver ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept, accept-encoding',
    etag,
  });
  const held = req.headers['if-none-match'];
  if (held !== undefined && matchesTag(held, etag)) return reply.code(304).send();
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(file.as(encoding));
}

/** The smallest that the header takes (RFC 9110 §12.5.3); `q=0` refuses. */
function encodingFor(header: string | undefined): Encoding {
  const taken = new Set(
    (header ?? '').split(',').flatMap((each) => {
      const [name, ...parameters] = each.toLowerCase().split(';');
      return parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter)) ? [] : [name!.trim()];
    }),
  );
  return taken.has('br') ? 'br' : taken.has('gzip') ? 'gzip' : 'identity';
}

function readFiles(folder: string): ReadonlyMap<string, File> {
  let names: string[];
  try {
    names = readdirSync(folder, { recursive: true, withFileTypes: true })
      // One with a dot before its name is the build's own.
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return new Map();
  }
  return new Map(names.map((name) => [`/${relative(folder, name).split(sep).join('/')}`, readOne(name)]));
}

function readOne(name: string): File {
  const bytes = readFileSync(name);
  const packed: Partial<Record<Encoding, Buffer>> = { identity: bytes };
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    digest: createHash('sha256').update(bytes).digest('base64url').slice(0, 22),
    as: (encoding) => (packed[encoding] ??= encoding === 'br' ? brotliCompressSync(bytes, BROTLI) : gzipSync(bytes)),
  };
}

// The OpenAPI document at /openapi.json and a reference that people can read at /docs. No script, nothing fetched from elsewhere.

import type { FastifyInstance } from 'fastify';
import { VERSION } from '../version.ts';
import { openApiDocument } from './openapi.ts';
import { renderReference } from './reference-page.ts';
import type { Route } from './route.ts';

const CONTENT_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerDocs(fastify: FastifyInstance, routes: readonly Route[]): void {
  const document = openApiDocument(routes, VERSION);
  const json = JSON.stringify(document);
  const page = renderReference(document);
  fastify.get('/openapi.json', (_req, reply) => reply.type('application/json; charset=utf-8').send(json));
  fastify.get('/docs', (_req, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', CONTENT_POLICY)
      .header('referrer-policy', 'no-referrer')
      .send(page),
  );
}

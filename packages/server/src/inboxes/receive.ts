// The built-in receiver: `POST /inbox/{token}` takes what a webhook sends and keeps it to be looked at.

import type { FastifyInstance } from 'fastify';
import { AppError, notFound } from '../http/errors.ts';
import { newUuid } from '../ids.ts';
import { MESSAGES_PER_MINUTE } from '../limits/addresses.ts';
import type { Services } from '../services.ts';
import { receiveMessage } from './store.ts';

/** Messages that an inbox keeps; older ones make room. */
export const MESSAGES_MAX = 100;
const TOKEN = /^[\w-]{32}$/;
// What a delivery has at most, and a little.
const BODY_BYTES_MAX = 72_000;
/** What of a request is worth looking at; the rest is the connection's. */
const SHOWN = /^(content-type|user-agent|x-svc-|webhook-)/;

/** Adds the receiver. It has parsers of its own: what is shown is the bytes that were signed, of whatever type. */
export function registerInbox(fastify: FastifyInstance, { db, clock, limits }: Services): void {
  void fastify.register(async (scope) => {
    // Before the body is read: who does not know an address sends us nothing.
    scope.addHook('onRequest', async (req) => {
      const { token = '' } = req.params as { token?: string };
      if (!TOKEN.test(token) || limits.hasFailedTooOften(req.address)) throw notFound('inbox');
      if (!limits.takeMessage(token))
        throw new AppError('rate_limited', `An inbox takes ${MESSAGES_PER_MINUTE} messages a minute.`, {
          headers: { 'retry-after': '60' },
        });
    });
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_req, body, done) => done(null, body));
    scope.post<{ Params: { token: string } }>('/inbox/:token', async (req) => {
      const headers = Object.entries(req.headers).flatMap(([name, value]) =>
        SHOWN.test(name) && typeof value === 'string' ? [[name, value]] : [],
      );
      const message = {
        id: newUuid(),
        receivedAtMs: clock(),
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: typeof req.body === 'string' ? req.body.replaceAll('\0', '') : '',
      };
      if (await receiveMessage(db, req.params.token, message, MESSAGES_MAX)) return { received: true };
      limits.takeFailure(req.address); // guesses of addresses are limited like those of keys
      throw notFound('inbox');
    });
  });
}

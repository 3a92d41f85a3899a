// Webhooks received by a Fastify application.

import type { FastifyPluginAsync } from 'fastify';
import { BODY_BYTES_MAX, failure, receive, tooLarge, type WebhookReceiverOptions } from './receiver.ts';

export interface SvcWebhookOptions extends WebhookReceiverOptions {
  /** Where deliveries come. Default: `/webhooks`. */
  readonly path?: string;
}

/**
 * A plugin: `app.register(svcWebhook, { path: '/webhooks', secret, onEvent })`. Bodies of this one route stay raw; all others are parsed as ever.
 * Answers 200, 401 where the signature does not hold, 413, or 500. What goes wrong is in the log of the request.
 */
export const svcWebhook: FastifyPluginAsync<SvcWebhookOptions> = async (app, { path = '/webhooks', ...options }) => {
  // Of this plugin alone: what is registered within one stays within it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) => done(null, body));
  app.setErrorHandler((err: { readonly statusCode?: number }, request, reply) => {
    const status = err.statusCode ?? 500;
    if (status >= 500) request.log.error(err);
    const answer = status === 413 ? tooLarge() : failure(status, 'invalid_request', 'The request cannot be read.');
    return reply.code(answer.status).send(answer.body);
  });
  app.post(path, { bodyLimit: BODY_BYTES_MAX }, async (request, reply) => {
    const body = (request.body ?? '') as Uint8Array | string;
    const answer = await receive({ body, headers: request.headers }, options, (err) => request.log.error(err));
    return reply.code(answer.status).send(answer.body);
  });
};

// What Prometheus may ask: `/metrics`, from this machine, and from others with a token.

import type { FastifyInstance } from 'fastify';
import { timingSafeEqual } from 'node:crypto';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { unauthorized } from '../http/errors.ts';
import type { ChangeFeed } from '../journal/change-feed.ts';
import type { Services } from '../services.ts';

export interface Metrics {
  readonly registry: Registry;
  /** 1 while limits are counted without the shared store. */
  readonly limitsDegraded: Gauge;
}

/** Each service has a registry of its own. */
export function createMetrics(changes: ChangeFeed): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const limitsDegraded = new Gauge({
    name: 'svc_limits_degraded',
    help: '1 while the shared store of limits is away and each node hands out its share.',
    registers: [registry],
  });
  limitsDegraded.set(0);
  const fed = [
    { name: 'svc_nodes', help: 'Nodes that share the database.', read: () => changes.nodes },
    {
      name: 'svc_changes_current',
      help: '1 while this node knows what was changed on others; at 0 it refuses requests.',
      read: () => (changes.isCurrent ? 1 : 0),
    },
  ];
  for (const { name, help, read } of fed) {
    const gauge: Gauge = new Gauge({ name, help, registers: [registry], collect: () => gauge.set(read()) });
  }
  return { registry, limitsDegraded };
}

/** Adds `/metrics`. A forwarded request is not from this machine, whatever its connection says. */
export function registerMetrics(fastify: FastifyInstance, { metrics, metricsToken }: Services): void {
  fastify.get('/metrics', async (req, reply) => {
    const isLocal = /^(127\.|::1$)/.test(req.address) && req.headers['x-forwarded-for'] === undefined;
    if (!isLocal && !isToken(req.headers.authorization, metricsToken)) throw unauthorized();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

function isToken(authorization: string | undefined, token: string | null): boolean {
  if (authorization === undefined || token === null) return false;
  const [given, wanted] = [Buffer.from(authorization), Buffer.from(`Bearer ${token}`)];
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

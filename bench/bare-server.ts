// The yardstick: a bare Fastify route that parses the same body and answers the same text. Prints its port.

import Fastify from 'fastify';
import type { AddressInfo } from 'node:net';

const answer = JSON.parse(process.argv[2]!) as object;
const fastify = Fastify();
fastify.post('/v1/assessments', () => answer);
await fastify.listen({ port: 0, host: '127.0.0.1' });
console.log((fastify.server.address() as AddressInfo).port);

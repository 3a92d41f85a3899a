// For load balancers and orchestrators.

import { Type } from 'typebox';
import { AppError } from '../http/errors.ts';
import { route, type Route } from '../http/route.ts';

const Status = Type.Object({ status: Type.Enum(['ok']) }, { title: 'Health' });
const READY_TIMEOUT_MS = 2_000;
let asking: Promise<unknown> | null = null;

export const healthRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/healthz',
    operationId: 'getHealth',
    tag: 'Health',
    summary: 'Is the process alive',
    access: 'public',
    limit: null,
    responses: { 200: { description: 'It is.', schema: Status } },
    handle: () => ({ status: 'ok' as const }),
  }),
  route({
    method: 'GET',
    path: '/readyz',
    operationId: 'getReadiness',
    tag: 'Health',
    summary: 'Can it answer requests',
    description: 'Asks the database. Answers 503 while it cannot be reached and while the service is stopping.',
    access: 'public',
    limit: null,
    responses: { 200: { description: 'It can.', schema: Status } },
    async handle({ db }, { signal }) {
      if (signal().aborted) throw new AppError('unavailable', 'The service is stopping.', { headers: { 'retry-after': '1' } });
      const timeout = AbortSignal.timeout(READY_TIMEOUT_MS);
      const late = new Promise<never>((_resolve, reject) => {
        timeout.addEventListener('abort', () =>
          reject(new AppError('unavailable', 'The database does not answer.', { headers: { 'retry-after': '1' } })),
        );
      });
      // One at a time: probes of a database that hangs must not take its connections.
      asking ??= db.query('SELECT 1').finally(() => (asking = null));
      await Promise.race([asking, late]);
      return { status: 'ok' as const };
    },
  }),
];

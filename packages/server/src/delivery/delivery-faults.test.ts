// Deliveries survive what happens to machines, and receivers that behave badly.

import { expect, onTestFinished, test, vi } from 'vitest';
import { CidrList, parseCidr, type Cidr } from '../addresses/cidr.ts';
import { createEgress } from '../egress/egress.ts';
import { EgressError } from '../egress/error.ts';
import { deliveryDrill } from '../testing/delivery-drill.ts';
import { startHostileReceiver } from '../testing/hostile-receiver.ts';
import { startTestService } from '../testing/service.ts';
import { ATTEMPT_MS_MAX } from './schedule.ts';

const LOOPBACK = new CidrList([parseCidr('127.0.0.0/8') as Cidr]);

test(
  'nothing that was recorded is lost on the way to a healthy receiver, and nothing arrives twice but by a kill, when workers, nodes and the database are killed',
  { timeout: 240_000 },
  async () => {
    const result = await deliveryDrill({ workerKills: 20, nodeKills: 1, databaseKills: 1 });
    expect(result.violations).toEqual([]);
    expect(result.changedLate, 'deliveries changed by a worker that was frozen past its lease').toBe(0);
    // The drill did what it is for.
    expect(result.frozen).toBeGreaterThanOrEqual(8);
    expect(result.interrupted).toBeGreaterThan(result.frozen);
    expect(result.workerKills).toBeGreaterThanOrEqual(20);
    expect(result.nodeKills).toBeGreaterThanOrEqual(1);
    expect(result.databaseKills).toBe(1);
    expect(result.answered).toBeGreaterThan(100);
    expect(result.healthyDeliveries).toBeGreaterThanOrEqual(3 * result.answered);
  },
);

test.each([
  ['silent', 'timeout', ATTEMPT_MS_MAX],
  ['drips', 200, ATTEMPT_MS_MAX],
  ['floods', 200, 1_000],
  ['hangs-up', 'protocol', 1_000],
  ['hangs-up-early', 'protocol', 1_000],
  ['redirects', 302, 1_000],
  ['untrusted', 'tls', 1_000],
  ['fails', 500, 1_000],
] as const)('a receiver that is called “%s” ends an attempt with %s within %i ms', async (manner, end, timeMsMax) => {
  const receiver = await startHostileReceiver(manner);
  const egress = createEgress({ allowed: LOOPBACK, allowHttp: false });
  onTestFinished(async () => {
    await egress.close();
    await receiver.close();
  });
  const begun = performance.now();
  const call = egress.request({
    method: 'POST',
    url: receiver.url,
    body: '{}',
    timeoutMs: ATTEMPT_MS_MAX,
    bodyBytesMax: 16_384,
  });
  const ended = await call.then(
    ({ status }) => status,
    (err: unknown) => (err instanceof EgressError ? err.kind : err),
  );
  expect(ended).toBe(end);
  expect(performance.now() - begun).toBeLessThan(timeMsMax + 1_000);
});

test('an endpoint that is known to fail costs the others no transaction for each of its failures', async () => {
  const receiver = await startHostileReceiver('fails');
  const service = await startTestService({ SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' });
  onTestFinished(async () => {
    await service.close();
    await receiver.close();
  });
  const hook = { url: receiver.url, events: ['inference.flagged'] };
  const { body: made } = await service.request('POST', '/v1/webhooks', { body: hook });
  const transactions = vi.spyOn(service.services.journal, 'transaction');
  const input = 'my card is 4111 1111 1111 1111';
  for (let i = 0; i < 10; i++) {
    await service.request('POST', '/v1/assessments', { body: { input } });
    const attempted = async () =>
      (await service.request('GET', `/v1/webhooks/${made.webhook_id}/deliveries`)).body.data.filter(
        ({ attempts, state }: { attempts: number; state: string }) => attempts === 1 && state === 'pending',
      ).length;
    await expect.poll(attempted, { timeout: 10_000, interval: 10 }).toBe(i + 1);
  }
  expect(transactions.mock.calls.length).toBe(1);
});

// Promises of /metrics.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestService, type TestService } from '../testing/service.ts';

const TOKEN = 'a-token-of-the-operator';
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ SVC_METRICS_TOKEN: TOKEN, SVC_TRUSTED_PROXIES: '127.0.0.0/8' });
});
afterAll(() => service.close());

const metrics = (headers: Record<string, string> = {}) => service.request('GET', '/metrics', { key: null, headers });

test('are told to this machine, in the form of Prometheus', async () => {
  const { status, text, headers } = await metrics();
  expect(status).toBe(200);
  expect(headers.get('content-type')).toContain('version=0.0.4');
  expect(text).toMatch(/^svc_limits_degraded 0$/m);
  expect(text).toMatch(/^svc_changes_current 1$/m);
  expect(text).toMatch(/^svc_nodes 1$/m);
});

test('are told to others by the token alone, and whoever is behind a proxy is another', async () => {
  const forwarded = { 'x-forwarded-for': '192.0.2.1' };
  expect((await metrics(forwarded)).status).toBe(401);
  expect((await metrics({ 'x-forwarded-for': '127.0.0.1' })).status).toBe(401);
  expect((await metrics({ ...forwarded, authorization: 'Bearer wrong-token-of-nobody' })).status).toBe(401);
  expect((await metrics({ ...forwarded, authorization: `Bearer ${service.organization.keys.admin}` })).status).toBe(401);
  expect((await metrics({ ...forwarded, authorization: `Bearer ${TOKEN}` })).status).toBe(200);
});

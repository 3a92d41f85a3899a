// Promises that hold for every operation: each row of the OpenAPI document is walked.

import { createSchemaChecker } from '@svc/engine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROUTES } from './app.ts';
import { createAnchor } from './audit/test-kit.ts';
import { exampleOf } from './drift/example.ts';
import type { Route } from './http/route.ts';
import type { NewOrganization } from './organizations/service.ts';
import { startIdentityProvider, type IdentityProvider } from './testing/identity-provider.ts';
import { BEHIND_PROXY, fromManyAddresses, startTestService, type TestService } from './testing/service.ts';
import { signIn } from './testing/sign-in.ts';

let service: TestService;
let provider: IdentityProvider;
let other: NewOrganization;
/** Ids of real resources of the first organization, for paths. */
let ids: Record<string, string>;

beforeAll(async () => {
  service = fromManyAddresses(await startTestService({ ...BEHIND_PROXY, SVC_EGRESS_ALLOW_CIDRS: '127.0.0.0/8' }));
  provider = await startIdentityProvider();
  BODIES['putSso'] = { issuer: provider.issuer, client_id: provider.publicClient.clientId, roles: { staff: 'viewer' } };
  other = await service.createOrganization();
  const admin = { key: service.organization.keys.admin };
  await service.request('PUT', '/v1/organization/sso', { ...admin, body: BODIES['putSso'] });
  const { body: assessment } = await service.request('POST', '/v1/assessments', { body: { input: 'Hello' } });
  const { body: key } = await service.request('POST', '/v1/api-keys', { ...admin, body: BODIES['createApiKey'] });
  const { body: account } = await service.request('POST', '/v1/service-accounts', {
    ...admin,
    body: BODIES['createServiceAccount'],
  });
  const { body: inbox } = await service.request('POST', '/v1/inboxes', admin);
  const { body: hook } = await service.request('POST', '/v1/webhooks', { ...admin, body: { url: inbox.url, events: ['*'] } });
  const { body: integration } = await service.request('POST', '/v1/integrations', {
    ...admin,
    body: BODIES['createIntegration'],
  });
  const { body: judge } = await service.request('POST', '/v1/judges', { ...admin, body: BODIES['createJudge'] });
  const { body: simulation } = await service.request('POST', '/v1/policy/simulate', { ...admin, body: BODIES['simulatePolicy'] });
  const { body: stream } = await service.request('POST', '/v1/assessments/streams', { ...admin, body: BODIES['createStream'] });
  await service.request('POST', '/api/svc/probe/telemetry', {
    body: { events: [{ id: '1', occurred_at: new Date().toISOString(), score: 0 }] },
  });
  await service.services.drift.catchUp();
  const { body: monitors } = await service.request('GET', '/v1/drift', admin);
  await service.request('POST', '/api/svc/probe/heartbeat', { ...admin, headers: { 'x-svc-probe-id': 'front-1' } });
  const { body: erasable } = await service.request('POST', '/v1/assessments', { body: { input: 'Hello' } });
  BODIES['redactEvent'] = { event_id: erasable.event_id, fields: ['actor.ip'], basis: 'r' };
  BODIES['createWebhook'] = { url: inbox.url, events: ['inference.blocked'] };
  const { body: made } = await service.request('POST', '/v1/exports', { ...admin, body: BODIES['createExport'] });
  ids = {
    assessment_id: assessment.id,
    event_id: assessment.event_id,
    export_id: made.id,
    key_id: key.id,
    service_account_id: account.id,
    webhook_id: hook.webhook_id,
    integration_id: integration.id,
    judge_id: judge.id,
    simulation_id: simulation.id,
    stream_id: stream.id,
    delivery_id: await deliveryOf(`webhooks/${hook.webhook_id}`),
    integration_delivery_id: await deliveryOf(`integrations/${integration.id}`),
    inbox_id: inbox.id,
    session_id: (await signIn(service, 'viewer')).session.id,
    monitor_id: monitors.data[0].id,
    probe_id: 'front-1',
    tile_path: '0/000.p/1',
    version: '1',
  };
});
afterAll(async () => {
  await service.close();
  await provider.close();
});

/** A body that each operation takes. */
const BODIES: Record<string, unknown> = {
  createAssessment: { input: 'Hello' },
  createAssessmentBatch: { items: [{ input: 'Hello' }] },
  exportTraces: { resourceSpans: [] },
  createExport: { format: 'jsonl' },
  createStream: { input: 'Hello' },
  sendTelemetry: { events: [{ id: '1', occurred_at: '2026-03-01T12:00:00.000Z' }] },
  sendHeartbeat: { version: '1' },
  updateProbe: { labels: { group: 'g' } },
  appendStreamChunk: { seq: 0, delta: 'Hello' },
  createApiKey: { name: 'k', type: 'test' },
  createServiceAccount: { name: 'a', permissions: ['assess:create'], ip_allowlist: ['127.0.0.0/8'] },
  updateServiceAccount: { name: 'b' },
  createServiceAccountKey: {},
  updateWebhook: { description: 'b' },
  rotateWebhookSecret: { grace_s: 0 },
  testWebhook: {},
  recoverWebhook: { since: '2026-01-01T00:00:00Z' },
  createIntegration: {
    kind: 'splunk',
    name: 'siem',
    events: ['*'],
    config: { url: 'http://127.0.0.1:9', token: '12345678-1234-1234-1234-123456789012' },
  },
  updateIntegration: { name: 'b' },
  testIntegration: {},
  recoverIntegration: { since: '2026-01-01T00:00:00Z' },
  createJudge: { name: 'j', url: 'http://127.0.0.1:9/v1', model: 'm', api_key: 'sk-1' },
  updateJudge: { name: 'b' },
  rebaselineDriftMonitor: { note: 'n' },
  acknowledgeDriftMonitor: { note: 'n' },
  putPolicy: { mode: 'monitor' },
  lintPolicy: {},
  putPolicyShadow: { policy: {}, sample_rate: 1, expires_at: new Date(Date.now() + 86_400_000).toISOString() },
  simulatePolicy: { policy: {}, sample: {} },
  guardLiteLlm: { input_type: 'request', texts: ['Hello'] },
  guardPortkey: { eventType: 'beforeRequestHook', request: { json: { messages: [{ role: 'user', content: 'Hello' }] } } },
  guardLakera: { messages: [{ role: 'user', content: 'Hello' }] },
  createModeration: { input: 'Hello' },
};

/** What each operation asks for in its query, where it cannot do without. */
const QUERIES: Record<string, string> = {
  proveConsistency: 'from=0',
  getComplianceReport: 'framework=eu-ai-act',
};

/** The event of its own creation is the first delivery of an endpoint. */
async function deliveryOf(endpoint: string): Promise<string> {
  const path = `/v1/${endpoint}/deliveries`;
  const { body } = await service.request('GET', path, { key: service.organization.keys.admin });
  return body.data[0].id;
}

function pathOf(route: Route): string {
  const deliveryId = route.path.startsWith('/v1/integrations') ? 'integration_delivery_id' : 'delivery_id';
  return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name === 'delivery_id' ? deliveryId : name]!);
}

/** A credential with which the operation does what it is for: not every one is for keys. */
async function credentialFor(route: Route): Promise<string> {
  const needsSession =
    route.access === 'session' || route.operationId === 'getBrowserSession' || route.operationId === 'endBrowserSession';
  return needsSession ? (await signIn(service, 'admin')).token : service.organization.keys.admin;
}

/** Makes what the operation is about, where another operation may have ended it. */
async function prepare(route: Route): Promise<void> {
  if (route.operationId === 'downloadExport')
    await expect
      .poll(
        async () =>
          (await service.request('GET', pathOf(route).replace(/\/bundle$/, ''), { key: service.organization.keys.admin })).body
            .state,
        { timeout: 20_000 },
      )
      .toBe('ready');
  if (route.operationId === 'acknowledgeDriftMonitor')
    await service.services.db.query(
      `INSERT INTO drift_episodes (org_id, id, monitor_id, onset_at, sustained_at, report)
       SELECT org_id, gen_random_uuid(), id, now(), now(), $1 FROM drift_monitors`,
      [JSON.stringify(exampleOf('drift.sustained', Date.now()))],
    );
  if (route.operationId === 'rebaselineDriftMonitor')
    await service.services.db.query(`UPDATE drift_monitors SET state = 'watching'`);
  if (route.operationId === 'getDeploymentLog') {
    await service.services.audit.catchUp();
    await (await createAnchor(service.services)).anchor.pass();
  }
  if (!route.path.startsWith('/v1/policy/shadow')) return;
  const { admin: key } = service.organization.keys;
  await service.request('PUT', '/v1/policy/shadow', { key, body: BODIES['putPolicyShadow'] });
}

const RATE_HEADERS = ['x-svc-ratelimit-limit', 'x-svc-ratelimit-remaining', 'x-svc-ratelimit-reset', 'x-svc-ratelimit-window'];

function expectError(answer: Awaited<ReturnType<TestService['request']>>, status: number, code: string) {
  expect({ status: answer.status, code: answer.body?.error?.code }).toEqual({ status, code });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.body.error).toEqual({
    code,
    message: expect.stringMatching(/\S/),
    request_id: answer.headers.get('x-svc-request-id'),
    details: expect.any(Array),
  });
}

/** What is said, the request's id apart. */
const wordsOf = ({ text, headers }: Awaited<ReturnType<TestService['request']>>) =>
  text.replaceAll(headers.get('x-svc-request-id')!, '');

const secured = ROUTES.filter(({ access }) => access !== 'public' && access !== 'anonymous');

test('the served document lists exactly the routes of the table', async () => {
  const { body } = await service.request('GET', '/openapi.json', { key: null });
  const documented = Object.entries(body.paths as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(documented.toSorted()).toEqual(ROUTES.map(({ method, path }) => `${method} ${path}`).toSorted());
});

describe.each(secured.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  const send = (options: Parameters<TestService['request']>[2]) =>
    service.request(route.method, `${pathOf(route)}?${QUERIES[route.operationId] ?? ''}`, {
      ...(route.body === undefined ? {} : { body: BODIES[route.operationId] }),
      ...options,
    });

  const { refusal } = route;
  /** In the vendor's shape where the route is for a vendor's clients. */
  const expectRefusal: typeof expectError = (answer, status, code) => {
    if (refusal === undefined) return expectError(answer, status, code);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json(; charset=utf-8)?$/);
    expect(createSchemaChecker(refusal)(answer.body)).toEqual([]);
  };

  test('is refused without a credential, with the rate-limit headers', async () => {
    const answer = await send({ key: null });
    expectRefusal(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    for (const name of RATE_HEADERS) expect(answer.headers.get(name)).toMatch(/^\d+$/);
  });

  test('is refused in the same words for a malformed and for an unknown key', async () => {
    const [malformed, unknown] = await Promise.all([
      send({ key: 'svc_live_x' }),
      send({ key: service.organization.keys.live.replace(/.{6}$/, 'aaaaaa') }),
    ]);
    expectRefusal(malformed, 401, 'unauthorized');
    expectRefusal(unknown, 401, 'unauthorized');
    expect(wordsOf(unknown)).toBe(wordsOf(malformed));
  });

  test('is refused when X-Svc-Org-Id names another organization', async () => {
    expectRefusal(
      await send({ key: service.organization.keys.admin, headers: { 'x-svc-org-id': other.id } }),
      403,
      'insufficient_permissions',
    );
  });

  // Of versions and tiles, which have no ids, each organization has its own.
  const hasId = route.params !== undefined && !route.path.startsWith('/v1/policy/versions/') && route.takesRestOfPath !== true;
  if (hasId)
    test('answers another organization as if the resource did not exist', async () => {
      const foreign = await send({ key: other.keys.admin });
      const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `${ids[name]!.split('_')[0]}_${'0'.repeat(26)}`);
      const missing = await service.request(route.method, path, {
        key: other.keys.admin,
        ...(route.body === undefined ? {} : { body: BODIES[route.operationId] }),
      });
      expectRefusal(foreign, 404, 'not_found');
      expect({ ...missing.body.error, request_id: '' }).toEqual({ ...foreign.body.error, request_id: '' });
    });

  test('works for a credential of the organization, with its id in the header and the rate-limit headers', async () => {
    await prepare(route);
    const answer = await send({ key: await credentialFor(route), headers: { 'x-svc-org-id': service.organization.id } });
    expect(answer.status).toBe(Number(Object.keys(route.responses)[0]));
    for (const name of RATE_HEADERS) expect(answer.headers.get(name)).toMatch(/^\d+$/);
    expect(answer.headers.get('x-svc-request-id')).toMatch(/^req_[0-9a-z]{26}$/);
  });

  test('refuses an unknown query parameter', async () => {
    const answer = await service.request(route.method, `${pathOf(route)}?foo=1`, {
      key: await credentialFor(route),
      body: BODIES[route.operationId],
    });
    expectRefusal(answer, 400, 'invalid_request');
    expect(answer.text).toContain('/query/foo');
  });

  if (route.body !== undefined)
    test('names each fault of a body by JSON Pointer, and refuses what is not JSON', async () => {
      const key = service.organization.keys.admin;
      const url = pathOf(route);
      // Probes may be newer than the service.
      const ignoresUnknown = route.operationId === 'lintPolicy' || route.path.startsWith('/api/');
      if (!ignoresUnknown && refusal === undefined) {
        const unknown = await service.request(route.method, url, {
          key,
          body: { ...(BODIES[route.operationId] as object), 'no/such': 1 },
        });
        expectRefusal(unknown, 400, 'invalid_request');
        expect(unknown.body.error.details.map(({ pointer }: { pointer: string }) => pointer)).toContain('/no~1such');
      }
      expectRefusal(await service.request(route.method, url, { key, body: '{"a": sk-secret' }), 400, 'invalid_request');
      if (route.isBodyOptional !== true)
        expectRefusal(await service.request(route.method, url, { key, body: '' }), 400, 'invalid_request');
      expectRefusal(
        await service.request(route.method, url, {
          key,
          body: 'a=1',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
        }),
        415,
        'unsupported_media_type',
      );
      expectRefusal(
        await service.request(route.method, url, {
          key,
          body: '{}',
          headers: { 'content-encoding': route.takesGzip === true ? 'br' : 'gzip' },
        }),
        415,
        'unsupported_media_type',
      );
      const bytesMax = route.bodyBytesMax ?? 1_048_576;
      const tooLarge = await service.request(route.method, url, { key, body: JSON.stringify('x'.repeat(bytesMax)) });
      expectRefusal(tooLarge, 413, 'payload_too_large');
      const bound = bytesMax < 1_048_576 ? `${bytesMax / 1_024} KiB` : `${bytesMax / 1_048_576} MiB`;
      expect(tooLarge.text).toContain(`, which is ${bound} at most. Send less at a time.`);
    });

  test('refuses an Accept header that excludes what it answers', async () => {
    expectRefusal(await send({ key: await credentialFor(route), headers: { accept: 'image/png' } }), 406, 'not_acceptable');
  });
});

test('a body that is not UTF-8 is refused, not mended', async () => {
  const res = await fetch(`${service.baseUrl}/v1/assessments`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.organization.keys.live}`, 'content-type': 'application/json' },
    body: Buffer.from('7b22696e707574223a22ff227d', 'hex'), // {"input":"<0xff>"}
  });
  expect(res.status).toBe(400);
  expect(await res.json()).toMatchObject({ error: { code: 'invalid_request', message: 'The body is not valid UTF-8.' } });
});

describe('a path that does not exist', () => {
  test('is told apart from a method that is not taken', async () => {
    expectError(await service.request('GET', '/v1/nothing'), 404, 'not_found');
    const answer = await service.request('PATCH', '/v1/policy');
    expectError(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, PUT');
  });

  test('under the API asks for a credential first', async () => {
    expectError(await service.request('GET', '/v1/nothing', { key: null }), 401, 'unauthorized');
    expectError(await service.request('GET', '/nothing', { key: null }), 404, 'not_found');
  });

  test('that cannot be decoded is refused', async () => {
    expectError(await service.request('GET', '/v1/events/%E0%A4%A'), 400, 'invalid_request');
  });
});

test('health and readiness answer without a credential', async () => {
  for (const path of ['/healthz', '/readyz'])
    expect(await service.request('GET', path, { key: null })).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('the reference page fetches nothing and runs no script', async () => {
  const { text, headers } = await service.request('GET', '/docs', { key: null });
  expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|src="|@import|url\(/);
  for (const { operationId } of ROUTES) expect(text).toContain(`id="${operationId}"`);
});

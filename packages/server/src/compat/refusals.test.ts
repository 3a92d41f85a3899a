// Promises to clients of every vendor: refusals in their own shape, and test keys that leave no trace.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestService } from '../testing/service.ts';
import { ATTACK, PATHS, post, service, start, stop, type Json } from './test-kit.ts';

beforeAll(start);
afterAll(stop);

describe('a refusal below a vendor’s path', () => {
  const SHAPES: Record<keyof typeof PATHS, (code: string, status: number) => object> = {
    litellm: (_code, status) => ({ error: { message: expect.any(String), code: String(status) } }),
    portkey: (code) => ({ verdict: false, data: { error: { code } } }),
    lakera: (code) => ({ flagged: true, error: expect.any(String), code, request_id: expect.any(String) }),
    openai: (code) => ({ error: { message: expect.any(String), code: code === 'unauthorized' ? 'invalid_api_key' : code } }),
  };

  test.each(Object.keys(PATHS) as (keyof typeof PATHS)[])('has the shape of %s, whatever is refused', async (vendor) => {
    const path = PATHS[vendor];
    const expectShape = (answer: Json, status: number, code: string) => {
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject(SHAPES[vendor](code, status));
      expect(answer.headers.get('x-svc-request-id')).toMatch(/^req_/);
    };
    const reader = await service.request('POST', '/v1/api-keys', {
      key: service.organization.keys.admin,
      body: { name: 'reader', type: 'live', permissions: ['events:read'] },
    });
    expectShape(await post(path, {}, { key: null }), 401, 'unauthorized');
    expectShape(await post(path, {}, { key: reader.body.key }), 403, 'insufficient_permissions');
    expectShape(await post(path, {}, { headers: { 'x-svc-org-id': 'org_x' } }), 403, 'insufficient_permissions');
    expectShape(await post(`/compat/${vendor}/nothing`, {}), 404, 'not_found');
    expectShape(await service.request('GET', path), 405, 'method_not_allowed');
    expectShape(await post(path, {}, { headers: { accept: 'text/html' } }), 406, 'not_acceptable');
    expectShape(await post(path, JSON.stringify('x'.repeat(1_048_576))), 413, 'payload_too_large');
    expectShape(await post(path, 'a=1', { headers: { 'content-type': 'text/plain' } }), 415, 'unsupported_media_type');
    expectShape(await post(path, '{'), 400, 'invalid_request');
    expectShape(await post(`/compat/${vendor}/%E0%A4%A`, {}), 400, 'invalid_request');
  });

  test('is the API’s own elsewhere', async () => {
    expect((await post('/compat/other', {})).body.error).toMatchObject({ code: 'not_found', request_id: expect.any(String) });
    expect((await post('/v1/portkey', {})).body.error).toMatchObject({ code: 'not_found' });
  });

  test('while nothing can be recorded says so in the vendor’s shape, with the time to wait', async () => {
    const own = await startTestService();
    try {
      await own.services.journal.close();
      const { status, body, headers } = await own.request('POST', PATHS.openai, { body: { input: 'Hello' } });
      expect({ status, body }).toMatchObject({ status: 503, body: { error: { type: 'server_error', code: 'unavailable' } } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await own.close();
    }
  });
});

describe('a test key', () => {
  test('moderates and guards without a trace in the trail', async () => {
    const { keys } = await service.createOrganization();
    const before = await service.request('GET', '/v1/events', { key: keys.live });
    const bodies = {
      litellm: { input_type: 'request', texts: [ATTACK] },
      portkey: { eventType: 'beforeRequestHook', request: { json: { prompt: ATTACK } } },
      lakera: { messages: [{ role: 'user', content: ATTACK }] },
      openai: { input: ATTACK },
    };
    for (const [vendor, body] of Object.entries(bodies))
      expect((await post(PATHS[vendor as keyof typeof PATHS], body, { key: keys.test })).status).toBe(200);
    expect((await service.request('GET', '/v1/events', { key: keys.live })).body).toEqual(before.body);
  });
});

// How the files of the dashboard are served: what is kept, what is packed, what is a page and what is not.

import Fastify, { type FastifyInstance, type LightMyRequestResponse } from 'fastify';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registerDashboard } from './dashboard.ts';

const INDEX = '<!doctype html><title>svc</title><script type="module" src="/assets/index-ab12.js"></script>';
const SCRIPT = `console.log(${JSON.stringify('svc '.repeat(2_000))});`;

let folder: string;
let fastify: FastifyInstance;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-pages-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), INDEX);
  writeFileSync(join(folder, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  writeFileSync(join(folder, 'assets/index-ab12.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-cd34.css'), 'body { margin: 0 }');
  writeFileSync(join(folder, '.built'), 'a digest');
  fastify = Fastify();
  fastify.get('/v1/organization', () => ({ id: 'org_1' }));
  registerDashboard(fastify, folder);
});
afterAll(async () => {
  await fastify.close();
  rmSync(folder, { recursive: true });
});

const AS_BROWSERS_DO = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
  return fastify.inject({ method, url, headers: { ...AS_BROWSERS_DO, ...headers } });
}

const textOf = ({ body }: LightMyRequestResponse) => body;

describe('a file', () => {
  test.each([
    ['/', 'text/html; charset=utf-8', INDEX],
    ['/assets/index-ab12.js', 'text/javascript; charset=utf-8', SCRIPT],
    ['/assets/index-cd34.css', 'text/css; charset=utf-8', 'body { margin: 0 }'],
    ['/icon.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  ])('%s comes as what it is', async (url, type, content) => {
    const answer = await ask(url);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe(type);
    expect(textOf(answer)).toBe(content);
  });

  test.each(['/', '/events', '/assets/index-ab12.js', '/icon.svg'])(
    '%s carries a policy that lets nothing in from elsewhere and no page around it',
    async (url) => {
      const { headers } = await ask(url);
      const policy = String(headers['content-security-policy']).split('; ');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("script-src 'self'");
      expect(policy).toContain("connect-src 'self'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy.join()).not.toContain('unsafe');
      expect(headers).toMatchObject({ 'cross-origin-opener-policy': 'same-origin', 'referrer-policy': 'no-referrer' });
    },
  );

  test('that has its digest in its name is kept for ever, every other is asked for again', async () => {
    expect((await ask('/assets/index-ab12.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
    for (const url of ['/', '/events', '/icon.svg']) expect((await ask(url)).headers['cache-control']).toBe('no-cache');
  });

  test('of the build itself is not served', async () => {
    expect((await ask('/.built')).statusCode).toBe(404);
  });

  test('that the folder got later is not served: files are read once', async () => {
    writeFileSync(join(folder, 'late.svg'), '<svg/>');
    expect((await ask('/late.svg')).statusCode).toBe(404);
  });
});

describe('packing', () => {
  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ['GZIP', 'gzip', gunzipSync],
  ])('for "%s" is %s', async (accepted, encoding, unpack) => {
    const { headers, rawPayload } = await ask('/assets/index-ab12.js', { 'accept-encoding': accepted });
    expect(headers).toMatchObject({ 'content-encoding': encoding, vary: 'accept, accept-encoding' });
    expect(rawPayload.length).toBeLessThan(SCRIPT.length / 10);
    expect(unpack(rawPayload).toString()).toBe(SCRIPT);
  });

  test.each(['', 'identity', 'deflate', 'gzip;q=0', 'brotli', 'gzip; q=0.000'])('is none for "%s"', async (accepted) => {
    const answer = await ask('/assets/index-ab12.js', { 'accept-encoding': accepted });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(textOf(answer)).toBe(SCRIPT);
  });
});

describe('a browser that holds a file', () => {
  test('is told so in no bytes, also where a proxy has weakened the tag', async () => {
    const { headers } = await ask('/');
    for (const held of [headers.etag!, `W/${headers.etag}`, `"other", ${headers.etag}`, '*']) {
      const answer = await ask('/', { 'if-none-match': held });
      expect([answer.statusCode, answer.body]).toEqual([304, '']);
      expect(answer.headers.etag).toBe(headers.etag);
    }
    expect((await ask('/', { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  test('does not take the packed bytes for the others', async () => {
    const tags = await Promise.all(
      ['br', 'gzip', 'identity'].map(async (encoding) => (await ask('/', { 'accept-encoding': encoding })).headers.etag),
    );
    expect(new Set(tags).size).toBe(3);
  });
});

test('HEAD has the headers of GET, and no body', async () => {
  for (const url of ['/', '/events', '/assets/index-ab12.js']) {
    const [head, get] = await Promise.all([ask(url, {}, 'HEAD'), ask(url)]);
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const { date: _, ...headers } = head.headers;
    expect(get.headers).toMatchObject(headers);
    expect(headers['content-length']).toBe(String(get.rawPayload.length));
  }
});

describe('an address', () => {
  test('is not there for a program, which is told so', async () => {
    const answer = await ask('/no-such-page', { accept: '*/*' });
    expect(answer.statusCode).toBe(404);
    expect((await ask('/', { accept: '*/*' })).body).toBe(INDEX);
  });

  test.each([
    '/events',
    '/events/evt_01m7zmgn63e00bq3vycshwk0hy',
    '/settings/keys?new=1',
    '/no-such-page',
    '/v1x',
    '/apis',
    '/probes/host.example.com',
    '/probes/10.0.0.7:9000',
    '/probes/build.js',
    '/probes/host%2Eexample%2Ecom?tab=x.js',
  ])('%s is a page, which the browser resolves', async (url) => {
    const answer = await ask(url);
    expect([answer.statusCode, answer.body]).toEqual([200, INDEX]);
  });

  test.each([
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/V1/nothing',
    '/%76%31/nothing',
    '/v1?x=1',
    '/api/svc/nothing',
    '/compat/nothing',
    '/inbox/nothing',
    '/docs/nothing',
    '/.well-known/nothing',
    '/assets/index-0000.js',
    '/assets/',
    '/robots.txt',
    '/favicon.ico',
    '/index.html.map',
    '/.env',
    '/.git/config',
    '/%2egit/config',
    '/../package.json',
    '/assets/..%2f..%2fpackage.json',
  ])('%s is none, and never answers HTML', async (url) => {
    const answer = await ask(url, { accept: 'text/html' });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  test('of the API is the API’s own', async () => {
    expect((await ask('/v1/organization', { accept: 'text/html' })).json()).toEqual({ id: 'org_1' });
  });

  test('takes no POST', async () => {
    for (const url of ['/', '/events']) expect((await ask(url, {}, 'POST')).statusCode).toBe(404);
  });
});

test('without pages that were built, / leads to the API reference, and nothing else is answered', async () => {
  for (const missing of [join(folder, 'nowhere'), join(folder, 'assets')]) {
    const bare = Fastify();
    registerDashboard(bare, missing);
    const { statusCode, headers } = await bare.inject('/');
    expect([statusCode, headers.location]).toEqual([302, '/docs']);
    expect((await bare.inject('/events')).statusCode).toBe(404);
    await bare.close();
  }
});

// Promises of every request: how it ends, what it waits for, and what it never tells.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { ScriptedServer, type Reply, type Script } from '../../conformance/scripted-server.ts';
import { DECIDING } from './generated/deciding.ts';
import {
  ApiError,
  ConnectionError,
  RateLimitError,
  Svc,
  SvcError,
  TimeoutError,
  type SvcOptions,
  verifyWebhook,
} from './index.ts';

const KEY = 'svc_live_thisIsTheKeyThatNobodyMaySee';
/** An answer that is whole, whatever it was asked for. */
const ANSWER = { ...filled('Assessment'), ...filled('Event'), ...filled('SessionToken'), ...filled('Webhook'), id: 'evt_1' };
const EVENT: Reply = { status: 200, json: ANSWER };
const UNAVAILABLE: Reply = { status: 503, json: { error: { code: 'unavailable', message: 'Later.' } } };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

/** A client of a server that answers the n-th request with the n-th reply, and the last one from then on. Waits are listed, not made. */
async function scripted(replies: readonly Reply[] | Script, options: Partial<SvcOptions> = {}) {
  const script: Script =
    typeof replies === 'function' ? replies : (_seen, index) => replies[Math.min(index, replies.length - 1)]!;
  const server = await ScriptedServer.start(script);
  open.push(server);
  const waits: number[] = [];
  const wait = (ms: number) => Promise.resolve(void waits.push(ms));
  const svc = new Svc({ apiKey: KEY, baseUrl: server.baseUrl, wait, ...options });
  return { svc, server, waits };
}

function filled(type: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(DECIDING[type] ?? {}).map(([name, nested]) => [name, nested === null ? name : filled(nested)]),
  );
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push({ close: async () => (server.closeAllConnections(), void server.close()) });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function errorOf(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => expect.unreachable('it was to fail'),
    (err: unknown) => err as Error,
  );
}

test('a tolerance or a time that is no number never lets an old delivery pass', async () => {
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const headers = { 'webhook-id': 'evt_1', 'webhook-timestamp': '1700000000', 'webhook-signature': 'v1,x' };
  for (const wrong of [{ toleranceS: NaN }, { toleranceS: -1 }, { toleranceS: Infinity }, { nowMs: NaN }])
    await expect(verifyWebhook({ body: '{}', headers }, { secret, ...wrong })).rejects.toThrow('must be a number from 0');
});

test('an error in print tells all that the service said', async () => {
  const error = {
    code: 'invalid_request',
    message: 'No.',
    request_id: 'req_1',
    details: [{ pointer: '/input', message: 'is missing' }],
  };
  const { svc } = await scripted([{ status: 400, json: { error } }]);
  const err = await errorOf(svc.assess({ input: 'x' }));
  expect(String(err)).toBe('InvalidRequestError: No. (400 invalid_request, request req_1)\n  /input: is missing');
});

test('an answer has an end: what is longer than memory should hold is an error', async () => {
  const endless = createServer((req, res) => {
    res.statusCode = req.url!.endsWith('ask') ? 400 : 200;
    const block = Buffer.alloc(1_048_576, ' ');
    const write = () => {
      while (!res.destroyed && res.write(block));
    };
    res.on('drain', write);
    write();
  });
  const svc = new Svc({ apiKey: KEY, baseUrl: await listening(endless), maxRetries: 0 });
  await expect(svc.request('GET', '/ask')).rejects.toThrow('more than 1048576 bytes');
  await expect(svc.events.get('evt_1')).rejects.toThrow('more than 67108864 bytes');
});

describe('options', () => {
  test.each([
    ['no key', { apiKey: '' }, 'apiKey is missing.'],
    ['a key that is undefined', { apiKey: undefined as unknown as string }, 'apiKey is missing.'],
    ['a key with a line break', { apiKey: `${KEY}\n` }, 'apiKey has a space'],
    ['an organization with a space', { orgId: 'my org' }, 'orgId must'],
    ['an address without a protocol', { baseUrl: 'svc.example.com' }, 'baseUrl must begin with'],
    ['an address of another protocol', { baseUrl: 'ftp://svc.example.com' }, 'baseUrl must begin with'],
    ['an address with a password', { baseUrl: 'https://me:secret@svc.example.com' }, 'baseUrl has a user'],
    ['an address with a query', { baseUrl: 'https://svc.example.com?x=1' }, 'baseUrl has a user'],
    ['half a retry', { maxRetries: 0.5 }, 'maxRetries must be'],
    ['fewer than no retries', { maxRetries: -1 }, 'maxRetries must be'],
    ['no time at all', { timeoutMs: 0 }, 'timeoutMs must be'],
    ['a wait that no timer can make', { maxRetryWaitMs: 2 ** 31 }, 'maxRetryWaitMs must be'],
    ['a wait that is no number', { retryBackoffMs: NaN }, 'retryBackoffMs must be'],
  ] satisfies [string, Partial<SvcOptions>, string][])('%s is told at once, in a sentence', (_name, options, message) => {
    expect(() => new Svc({ apiKey: KEY, ...options })).toThrow(SvcError);
    expect(() => new Svc({ apiKey: KEY, ...options })).toThrow(message);
  });

  test('that are undefined take their defaults', async () => {
    const { svc, server } = await scripted([EVENT], {
      orgId: undefined,
      maxRetries: undefined,
      timeoutMs: undefined,
      fetch: undefined,
    });
    await svc.events.get('evt_1');
    expect(server.seen).toHaveLength(1);
  });

  test('of a call that cannot be right reject it, and nothing is sent', async () => {
    const { svc, server } = await scripted([EVENT]);
    for (const options of [
      { idempotencyKey: 'with space' },
      { idempotencyKey: 'x'.repeat(256) },
      { timeoutMs: -1 },
      { maxRetries: NaN },
    ])
      expect(await errorOf(svc.assess({ input: 'x' }, options))).toBeInstanceOf(SvcError);
    expect(server.seen).toEqual([]);
  });

  test('an address may have a path and slashes at its end', async () => {
    const { server } = await scripted([EVENT]);
    await new Svc({ apiKey: KEY, baseUrl: `${server.baseUrl}/governance//` }).events.get('evt_1');
    expect(server.seen[0]?.path).toBe('/governance/v1/events/evt_1');
  });
});

describe('a request', () => {
  test('names credential, organization, library, and what it takes', async () => {
    const { svc, server } = await scripted([EVENT], { orgId: 'org_1' });
    await svc.assess({ input: 'x' }, { headers: { 'x-more': '1' }, idempotencyKey: 'mine' });
    expect(server.seen[0]).toMatchObject({
      method: 'POST',
      body: { input: 'x' },
      headers: {
        authorization: `Bearer ${KEY}`,
        'x-svc-org-id': 'org_1',
        'user-agent': 'svc-typescript/0.1.0',
        accept: 'application/json',
        'content-type': 'application/json',
        'idempotency-key': 'mine',
        'x-more': '1',
      },
    });
  });

  test('never leads elsewhere by what an id holds', async () => {
    const { svc, server } = await scripted([EVENT]);
    for (const id of ['', '.', '..', undefined as unknown as string])
      await expect(svc.events.get(id)).rejects.toThrow('cannot be part of a path');
    await expect(svc.audit.getTile('0/../../keys')).rejects.toThrow('cannot be part of a path');
    await svc.events.get('../keys?x=1#y');
    await svc.audit.getTile('0/x001/067.p/3');
    expect(server.seen.map(({ path }) => path)).toEqual(['/v1/events/..%2Fkeys%3Fx%3D1%23y', '/v1/audit/tile/0/x001/067.p/3']);
  });

  test('is not sent on where the answer leads elsewhere', async () => {
    const elsewhere = await scripted([EVENT]);
    for (const status of [301, 302, 303, 307, 308]) {
      const { svc, server } = await scripted([{ status, headers: { location: elsewhere.server.baseUrl } }]);
      const err = await errorOf(svc.events.get('evt_1'));
      expect(err).toMatchObject({ status, message: expect.stringContaining('redirect') as string });
      expect(server.seen).toHaveLength(1);
    }
    expect(elsewhere.server.seen).toEqual([]);
  });

  test.each([
    ['nothing', {}],
    ['what is not asked for', { status: 'ok' }],
    ['a list', []],
    ['no outcome', { ...ANSWER, outcome: undefined }],
    ['an outcome that is null', { ...ANSWER, outcome: null }],
  ])('that is answered with %s is an error: nobody takes it for allowed', async (_name, json) => {
    const { svc, server } = await scripted([{ status: 200, json }]);
    const err = await errorOf(svc.assess({ input: 'x' }));
    expect([err.constructor, err.message]).toEqual([SvcError, expect.stringContaining('Is baseUrl right?')]);
    expect(server.seen).toHaveLength(1);
  });

  test('for a stream whose assessment decides nothing is an error, before the model is asked', async () => {
    const { svc } = await scripted([{ status: 200, json: { id: 'str_1', assessment: {} } }]);
    const asked: string[] = [];
    const source = (function* () {
      asked.push('');
      yield 'text';
    })();
    await expect(async () => {
      for await (const text of svc.guardStream(source, { input: 'x' })) asked.push(text);
    }).rejects.toThrow('without assessment.');
    expect(asked).toEqual([]);
  });

  test('that cannot be sent is told at once, and nothing is sent', async () => {
    const { svc, server, waits } = await scripted([EVENT]);
    const round: Record<string, unknown> = {};
    round['self'] = round;
    const wrong: (() => Promise<unknown>)[] = [
      () => svc.assess({ input: 1n as never }),
      () => svc.assess({ input: 'x', metadata: round as never }),
      () => svc.assess({ input: 'x' }, { headers: { 'no name': 'x' } }),
      () => svc.assess({ input: 'x' }, { headers: { name: `${KEY}\nx` } }),
      () => svc.assess({ input: 'x' }, { headers: { name: 1 as never } }),
      () => svc.events.get('evt_1', { idempotencyKey: '' }),
      () => svc.request('GET', '/v1/usage', { body: {} }),
      () => svc.request('FETCH', '/v1/usage'),
    ];
    for (const each of wrong) {
      const err = await errorOf(each());
      expect(err.constructor).toBe(SvcError);
      expect(inspect(err)).not.toContain(KEY);
    }
    expect([server.seen, waits]).toEqual([[], []]);
    await svc.assess({ input: 'x' }, { headers: { 'x-nothing': undefined } });
    expect(server.seen[0]!.headers['x-nothing']).toBeUndefined();
    expect(() => new Svc(undefined as never)).toThrow('apiKey is missing');
    expect(() => svc.guardStream(5 as never, { input: 'x' })).toThrow(SvcError);
  });

  test('has the time that it asks the service to wait besides its own', async () => {
    const slow = createServer((_req, res) => {
      setTimeout(() => res.end('{"data":[],"has_more":false,"next_cursor":null}'), 200);
    });
    const baseUrl = await listening(slow);
    const svc = new Svc({ apiKey: KEY, baseUrl, timeoutMs: 50, maxRetries: 0 });
    expect((await svc.events.list({ after_sequence: 0, wait_s: 5 })).data).toEqual([]);
    await expect(svc.events.list({ after_sequence: 0 })).rejects.toThrow(TimeoutError);
  });

  test('that is answered with what is not JSON says so, and is not made again', async () => {
    for (const reply of [
      { status: 200, text: '<html>', headers: { 'content-type': 'text/html' } },
      { status: 200, text: '' },
      { status: 200, text: '{"id":' },
      { status: 200, json: null },
      { status: 204 },
    ] satisfies Reply[]) {
      const { svc, server } = await scripted([reply]);
      const err = await errorOf(svc.events.get('evt_1'));
      expect(err).toBeInstanceOf(SvcError);
      expect(err).not.toBeInstanceOf(ConnectionError);
      expect(err.message).toContain('not the JSON');
      expect(server.seen).toHaveLength(1);
    }
  });

  test('may be one of a hundred at a time, each with a key of its own', async () => {
    const { svc, server } = await scripted((seen) => ({
      status: 200,
      json: { ...ANSWER, id: (seen.body as { input: string }).input },
    }));
    const inputs = Array.from({ length: 100 }, (_, index) => `input ${index}`);
    const answers = await Promise.all(inputs.map((input) => svc.assess({ input })));
    expect(answers.map(({ id }) => id)).toEqual(inputs);
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(100);
  });
});

describe('a try that failed', () => {
  test('is made again with the same key, after waits that double, each between half and all of it', async () => {
    const { svc, server, waits } = await scripted([UNAVAILABLE, 'reset', 'truncate', EVENT]);
    expect(await svc.assess({ input: 'x' })).toMatchObject({ id: 'evt_1' });
    expect(new Set(server.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(waits).toHaveLength(3);
    for (const [tried, ms] of waits.entries()) {
      expect(ms).toBeGreaterThanOrEqual(500 * 2 ** tried);
      expect(ms).toBeLessThanOrEqual(1_000 * 2 ** tried);
    }
  });

  test('of a POST that takes no key is final, unless it was refused for its rate', async () => {
    for (const reply of [UNAVAILABLE, 'reset'] satisfies Reply[]) {
      const { svc, server } = await scripted([reply, EVENT]);
      await expect(svc.sessions.refreshToken({ idempotencyKey: 'is-not-honoured-there' })).rejects.toThrow(SvcError);
      expect(server.seen).toHaveLength(1);
    }
    const { svc, server } = await scripted([{ status: 429 }, EVENT]);
    await svc.sessions.refreshToken();
    expect(server.seen).toHaveLength(2);
  });

  test('for its rate waits as it is told, for a minute where it is not, and throws where that is too long', async () => {
    const limited = (headers: Record<string, string>): Reply => ({ status: 429, headers });
    const { svc, waits } = await scripted([limited({ 'retry-after': '7' }), limited({ 'retry-after': '0' }), limited({}), EVENT]);
    await svc.assess({ input: 'x' });
    expect(waits).toEqual([7_000, 2_000, 60_000]);
    const long = await scripted([limited({ 'retry-after': '121' })]);
    const err = await errorOf(long.svc.assess({ input: 'x' }));
    expect(err).toBeInstanceOf(RateLimitError);
    expect(err).toMatchObject({ retryAfter: 121, status: 429 });
    expect(long.waits).toEqual([]);
  });

  test('because an earlier one is still in flight is made again; a conflict otherwise is not', async () => {
    const conflict: Reply = { status: 409, json: { error: { code: 'conflict', message: 'In flight.' } } };
    const inFlight = await scripted(['reset', conflict, EVENT]);
    expect(await inFlight.svc.assess({ input: 'x' })).toMatchObject({ id: 'evt_1' });
    for (const replies of [[conflict], [UNAVAILABLE, conflict]]) {
      const { svc, server } = await scripted([...replies, EVENT]);
      expect(await errorOf(svc.assess({ input: 'x' }))).toMatchObject({ code: 'conflict' });
      expect(server.seen).toHaveLength(replies.length);
    }
    // Without a key there is nobody whom it could be in conflict with but another.
    const unkeyed = await scripted(['reset', conflict, EVENT]);
    expect(await errorOf(unkeyed.svc.events.get('evt_1'))).toMatchObject({ code: 'conflict' });
  });

  test('for want of time covers an answer that stands still half-way', async () => {
    for (const reply of ['hang', 'stall'] as const) {
      const { svc, waits } = await scripted([reply], { timeoutMs: 50, maxRetries: 1 });
      const err = await errorOf(svc.events.get('evt_1'));
      expect(err).toBeInstanceOf(TimeoutError);
      expect(err).toBeInstanceOf(ConnectionError);
      expect(err.message).toBe('The service did not answer within 50 ms.');
      expect(waits).toHaveLength(1);
    }
  });

  test('keeps its cause, and an error of a proxy its status', async () => {
    const { svc } = await scripted(['reset'], { maxRetries: 0 });
    expect((await errorOf(svc.events.get('evt_1'))).cause).toBeInstanceOf(Error);
    const proxied = await scripted([{ status: 502, text: '<h1>Bad Gateway</h1>', headers: { 'content-type': 'text/html' } }], {
      maxRetries: 0,
    });
    expect(await errorOf(proxied.svc.events.get('evt_1'))).toMatchObject({ name: 'ServerError', status: 502, code: 'unknown' });
  });

  test('with a code that means something to JavaScript alone is an ordinary error', async () => {
    for (const code of ['constructor', '__proto__', 'toString']) {
      const { svc } = await scripted([
        { status: 418, json: { error: { code, message: 'No.', details: [null, { pointer: 1 }] } } },
      ]);
      const err = await errorOf(svc.events.get('evt_1'));
      expect(err).toBeInstanceOf(ApiError);
      expect(err).toMatchObject({ status: 418, code, details: [] });
    }
  });
});

describe('who gives up', () => {
  test('before a request sends nothing', async () => {
    const { svc, server } = await scripted([EVENT]);
    await expect(svc.events.get('evt_1', { signal: AbortSignal.abort(new Error('never mind')) })).rejects.toThrow('never mind');
    expect(server.seen).toEqual([]);
  });

  test.each(['hang', 'stall'] as const)('during a request that seems to %s gets his own reason, at once', async (reply) => {
    const { svc, server } = await scripted([reply]);
    const giving = new AbortController();
    const answer = errorOf(svc.events.get('evt_1', { signal: giving.signal }));
    await vi.waitFor(() => expect(server.seen).toHaveLength(1), 10_000);
    giving.abort(new Error('never mind'));
    expect((await answer).message).toBe('never mind');
    expect(server.seen).toHaveLength(1);
  });

  test('during a wait does not wait to its end', async () => {
    const giving = new AbortController();
    const { svc, server } = await scripted([{ status: 429, headers: { 'retry-after': '100' } }], { wait: undefined });
    const answer = errorOf(svc.events.get('evt_1', { signal: giving.signal }));
    await vi.waitFor(() => expect(server.seen[0]?.untilMs).toEqual(expect.any(Number)), 10_000);
    // The answer is read, and the wait begun, some turns later: whichever it is in, it ends.
    giving.abort(new Error('never mind'));
    expect((await answer).message).toBe('never mind');
    expect(server.seen).toHaveLength(1);
  });
});

describe('bytes', () => {
  /** Sends a first part at once, and the rest when it is told to. */
  async function slowly(): Promise<{ baseUrl: string; finish: (how: 'whole' | 'broken') => void }> {
    let finish!: (how: 'whole' | 'broken') => void;
    const server: Server = createServer((_req, res) => {
      res.writeHead(200, { 'content-length': '6' }).write('one');
      finish = (how) => (how === 'whole' ? void res.end('two') : void res.destroy());
    });
    return { baseUrl: await listening(server), finish: (how) => finish(how) };
  }

  test('come as they are sent, for as long as it takes', async () => {
    const { baseUrl, finish } = await slowly();
    const svc = new Svc({ apiKey: KEY, baseUrl, timeoutMs: 1_000 });
    const reader = (await svc.audit.getTile('0/000')).getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('one');
    const rest = reader.read();
    // Longer than a try may take.
    expect(await Promise.race([rest, new Promise((resolve) => setTimeout(resolve, 1_200, 'still open'))])).toBe('still open');
    finish('whole');
    expect(Buffer.from((await rest).value!).toString()).toBe('two');
    expect((await reader.read()).done).toBe(true);
  });

  test('that break off fail as a connection, and never look like the end', async () => {
    const { baseUrl, finish } = await slowly();
    const reader = (await new Svc({ apiKey: KEY, baseUrl }).audit.getTile('0/000')).getReader();
    await reader.read();
    finish('broken');
    await expect(reader.read()).rejects.toThrow(ConnectionError);
  });

  test('end with the reason of who gave up', async () => {
    const { baseUrl } = await slowly();
    const giving = new AbortController();
    const reader = (await new Svc({ apiKey: KEY, baseUrl }).audit.getTile('0/000', { signal: giving.signal })).getReader();
    await reader.read();
    giving.abort(new Error('never mind'));
    await expect(reader.read()).rejects.toThrow('never mind');
  });
});

describe('what has no method', () => {
  test('is asked for by path, and answered as it came', async () => {
    const { svc, server } = await scripted((seen) =>
      seen.path === '/v1/new'
        ? { status: 200, json: { a: 1 } }
        : seen.path === '/none'
          ? { status: 204 }
          : { status: 200, text: 'text' },
    );
    expect(await svc.request('get', '/v1/new', { query: { q: 'a b', left_out: undefined } })).toEqual({ a: 1 });
    expect(await svc.request('DELETE', '/none')).toBeUndefined();
    expect(await svc.request('GET', '/text')).toBe('text');
    expect(server.seen[0]).toMatchObject({ method: 'GET', query: { q: 'a b' } });
    await expect(svc.request('GET', 'v1/new')).rejects.toThrow('slash');
  });

  test('is repeated only where that is safe', async () => {
    const unkeyed = await scripted([UNAVAILABLE, EVENT]);
    await expect(unkeyed.svc.request('post', '/v1/new', { body: {} })).rejects.toThrow('Later.');
    const keyed = await scripted([UNAVAILABLE, EVENT]);
    await keyed.svc.request('post', '/v1/new', { body: {}, idempotencyKey: 'mine' });
    expect(keyed.server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['mine', 'mine']);
  });
});

test('the key is in no error, no text and no dump of the client', async () => {
  const { svc } = await scripted([{ status: 401, json: { error: { code: 'unauthorized', message: 'No.' } } }]);
  const { svc: unreached } = await scripted(['reset'], { maxRetries: 0 });
  const { svc: silent } = await scripted(['hang'], { maxRetries: 0, timeoutMs: 20 });
  const errors = await Promise.all([svc, unreached, silent].map((one) => errorOf(one.events.get('evt_1'))));
  const wrong = await errorOf(Promise.resolve().then(() => new Svc({ apiKey: `${KEY}\n` })));
  for (const shown of [svc, ...errors, wrong]) {
    const depth = { depth: Infinity, showHidden: true } as const;
    expect(`${inspect(shown, depth)} ${JSON.stringify(shown)} ${(shown as Error).stack}`).not.toContain(KEY);
  }
});

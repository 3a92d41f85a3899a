import type { LookupAddress } from 'node:dns';
import type dns from 'node:dns';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Cidr, CidrList, parseCidr } from '../addresses/cidr.ts';
import { createEgress, type Egress, EgressError, type EgressRequest, type EgressResponse } from './egress.ts';

const NONE = new CidrList([]);
const LOOPBACK = new CidrList([parseCidr('127.0.0.1/32') as Cidr]);
const PUBLIC = '93.184.216.34';

type Options = Parameters<typeof createEgress>[0];

function open(options: Partial<Options> = {}): Egress {
  const egress = createEgress({ allowed: LOOPBACK, allowHttp: false, ...options });
  onTestFinished(() => egress.close());
  return egress;
}

/** A resolver that gives one list of addresses after the other, and the last from then on. */
function resolver(...answers: readonly (readonly string[])[]): typeof dns.lookup {
  let asked = 0;
  const lookup = (_host: string, _options: object, callback: (err: null, addresses: LookupAddress[]) => void) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)]!;
    setImmediate(() =>
      callback(
        null,
        addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      ),
    );
  };
  return lookup as unknown as typeof dns.lookup;
}

const EVERYTHING_HERE = resolver(['127.0.0.1']);

/** A server on loopback: its port, what it was asked, and the connections it has open now and had open at most. */
async function serve(listener: RequestListener) {
  const server: Server = createServer((req, res) => {
    seen.requests.push(`${req.method} ${req.url}`);
    listener(req, res);
  });
  const seen = { port: 0, requests: [] as string[], connections: 0, openNow: 0, openMax: 0 };
  server.on('connection', (socket) => {
    seen.connections++;
    seen.openMax = Math.max(seen.openMax, ++seen.openNow);
    socket.on('close', () => seen.openNow--);
  });
  server.keepAliveTimeout = 60_000; // it is the calling side that ends connections
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  seen.port = (server.address() as AddressInfo).port;
  return seen;
}

/** A server of bytes on loopback: its port, and the connections it has open. */
async function serveTcp(listener: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.resume(); // else the end of the connection would not be read
    listener(socket);
  });
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, sockets };
}

/** Waits for a condition as long as a busy machine may need. */
function until<T>(read: () => T) {
  return expect.poll(read, { timeout: 10_000 });
}

function get(url: string, rest: Partial<EgressRequest> = {}): EgressRequest {
  return { method: 'GET', url, timeoutMs: 20_000, bodyBytesMax: 1_000, ...rest };
}

function textOf({ body }: EgressResponse): string {
  return body.toString();
}

async function errorOf(promise: Promise<unknown>): Promise<EgressError> {
  const err: unknown = await promise.then(
    () => null,
    (err: unknown) => err,
  );
  expect(err).toBeInstanceOf(EgressError);
  return err as EgressError;
}

test("a call to the operator's exception carries method, headers and body there and the answer back", async () => {
  const bodies: string[] = [];
  const headers: unknown[] = [];
  const server = await serve((req, res) => {
    headers.push(req.headers.host, req.headers['accept-encoding'], req.headers['x-one']);
    req.setEncoding('utf8').on('data', (text: string) => bodies.push(text));
    req.on('end', () => res.writeHead(202, { 'X-Answer': 'yes', 'set-cookie': ['a=1', 'b=2'] }).end('taken'));
  });
  const response = await open().request({
    ...get(`http://127.0.0.1:${server.port}/in?x=1`, { method: 'POST', body: 'größe' }),
    headers: { 'X-One': '1', Host: 'elsewhere.example', 'Accept-Encoding': 'gzip' },
  });
  expect(response).toMatchObject({ status: 202, headers: { 'x-answer': 'yes', 'set-cookie': 'a=1, b=2' }, isTruncated: false });
  expect(textOf(response)).toBe('taken');
  expect(server.requests).toEqual(['POST /in?x=1']);
  expect(bodies.join('')).toBe('größe');
  expect(headers).toEqual([`127.0.0.1:${server.port}`, 'identity', '1']);
});

test.each([
  '127.0.0.1',
  '127.0.0.1.',
  '2130706433',
  '0x7f000001',
  '017700000001',
  '0x7f.1',
  '0177.0.0.1',
  '127.1',
  '127.0.1',
  '①②⑦.⓪.⓪.①',
  '127%2e0%2e0%2e1',
  '0',
  '0.0.0.0',
  '169.254.169.254',
  '0xa9fea9fe',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',

  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::FFFF:8.8.8.8]',
  '[::ffff:0:127.0.0.1]',

  '[64:ff9b::7f00:1]',
  '[64:ff9b::8.8.8.8]',
  '[64:ff9b:1::a00:1]',
  '[2002:7f00:1::]',
  '[2001:0:4136:e378::1]',
  '[fd00:ec2::254]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[3fff::1]',
  '[5f00::1]',
])('%s is blocked, by http and https', async (host) => {
  const egress = open({ allowed: NONE, allowHttp: true });
  for (const url of [`http://${host}/`, `https://${host}:8443/`]) {
    expect(await egress.refusalOf(url)).toMatch(/^names an address that may not be called: it is /);
    const err = await errorOf(egress.request(get(url)));
    expect(err.kind).toBe('blocked');
    expect(err.message).toBe(`The URL ${await egress.refusalOf(url)}.`);
  }
});

test.each(['localhost', 'LOCALHOST', 'localhost.', 'sub.localhost', 'internal.example', '127.0.0.1.nip.example'])(
  '%s, which resolves to loopback, is blocked without a word on where it leads',
  async (host) => {
    const server = await serve((_req, res) => res.end());
    const egress = open({ allowed: NONE, allowHttp: true, lookup: EVERYTHING_HERE });
    const url = `http://${host}:${server.port}/`;
    expect(await egress.refusalOf(url)).toBe('resolves to an address that may not be called');
    const err = await errorOf(egress.request(get(url)));
    expect([err.kind, err.message]).toEqual(['blocked', 'The URL resolves to an address that may not be called.']);
    expect(server.connections).toBe(0);
  },
);

test('the name of this machine itself is blocked with the resolver of the system', async () => {
  const egress = open({ allowed: NONE, allowHttp: true });
  expect(await egress.refusalOf('http://localhost/')).toBe('resolves to an address that may not be called');
});

test.each([
  ['http://[fe80::1%eth0]/', 'is not a valid URL'],
  ['http://[fe80::1%25eth0]/', 'is not a valid URL'],
  ['http://[::1', 'is not a valid URL'],
  ['http://256.1.1.1/', 'is not a valid URL'],
  ['http://1.2.3.4.5/', 'is not a valid URL'],
  ['https:///path', 'names no host'],
  ['https:////user@example.com/', 'names no host'],
  ['https://?x@example.com', 'names no host'],
  ['https://', 'names no host'],
  ['https://:443/', 'is not a valid URL'],
  ['https://user@example.com/', 'has user information (name@)'],
  ['https://user:pass@example.com/', 'has user information (name@)'],
  ['https://@example.com/', 'has user information (name@)'],
  ['https://example.com@127.0.0.1/', 'has user information (name@)'],
  ['https://example.com/#part', 'has a fragment (#)'],
  ['https://example.com/#', 'has a fragment (#)'],
  ['https://example.com#@127.0.0.1/', 'has a fragment (#)'],
  ['https://example.com\\@127.0.0.1/', 'has spaces, backslashes or control characters'],
  ['https://exam\tple.com/', 'has spaces, backslashes or control characters'],
  [' https://example.com/', 'has spaces, backslashes or control characters'],
  ['https://example.com/\r\nx: y', 'has spaces, backslashes or control characters'],
  ['ftp://example.com/', 'does not begin with https://'],
  ['file:///etc/passwd', 'does not begin with https://'],
  ['https:example.com', 'does not begin with https://'],
  ['//example.com/', 'does not begin with https://'],
  ['example.com', 'does not begin with https://'],
  ['', 'does not begin with https://'],
])('the URL %j is refused: it %s', async (url, fault) => {
  const egress = open({ allowHttp: true, lookup: resolver([PUBLIC]) });
  expect(await egress.refusalOf(url)).toBe(fault);
  expect((await errorOf(egress.request(get(url)))).kind).toBe('invalid_url');
});

test('a public https URL of 2 048 characters, or with a port and an @ in its path, is not refused; a longer one is', async () => {
  const egress = open({ lookup: resolver([PUBLIC]) });
  const longest = `https://example.com/${'a'.repeat(2_028)}`;
  expect(await egress.refusalOf(longest)).toBeNull();
  expect(await egress.refusalOf(`${longest}a`)).toBe('has more than 2048 characters');
  expect(await egress.refusalOf('HTTPS://example.com:8443/@me?to=a@b')).toBeNull();
  expect(await egress.refusalOf('https://[2606:4700::1111]/')).toBeNull();
});

test('http is for exceptions, or where it is allowed', async () => {
  const strict = open({ lookup: resolver([PUBLIC]) });
  expect(await strict.refusalOf('http://example.com/')).toBe('does not begin with https://');
  expect(await strict.refusalOf('http://8.8.8.8/')).toBe('does not begin with https://');
  expect((await errorOf(strict.request(get('http://8.8.8.8/')))).kind).toBe('invalid_url');
  expect((await errorOf(strict.request(get('http://example.com/')))).kind).toBe('invalid_url');
  expect(await strict.refusalOf('http://127.0.0.1/')).toBeNull();
  expect(await open({ lookup: EVERYTHING_HERE }).refusalOf('http://inside.example/')).toBeNull();
  expect(await open({ lookup: resolver([PUBLIC]), allowHttp: true }).refusalOf('http://example.com/')).toBeNull();
});

test('a name that was public when it was entered and is loopback when it is called is blocked', async () => {
  const server = await serve((_req, res) => res.end());
  const egress = open({ allowed: NONE, allowHttp: true, lookup: resolver([PUBLIC], ['127.0.0.1']) });
  const url = `http://rebind.example:${server.port}/`;
  expect(await egress.refusalOf(url)).toBeNull();
  expect((await errorOf(egress.request(get(url)))).kind).toBe('blocked');
  expect(server.connections).toBe(0);
});

test('of mixed answers, A and AAAA, only addresses that may be called are', async () => {
  const peers: (string | undefined)[] = [];
  const server = await serve((req, res) => {
    peers.push(req.socket.localAddress);
    res.end();
  });
  const mixed = ['::1', '10.0.0.1', '::ffff:10.0.0.1', 'fe80::1%lo', '127.0.0.1'];
  const egress = open({ lookup: resolver(mixed) });
  expect((await egress.request(get(`http://mixed.example:${server.port}/`))).status).toBe(200);
  expect(peers).toEqual(['127.0.0.1']);
  const blocked = await errorOf(
    open({ allowed: NONE, lookup: resolver(mixed) }).request(get(`http://mixed.example:${server.port}/`)),
  );
  expect(blocked.kind).toBe('blocked');
});

test('a redirect is an answer and is not followed', async () => {
  const target = await serve((_req, res) => res.end('secret'));
  const server = await serve((_req, res) =>
    res.writeHead(307, { location: `http://127.0.0.1:${target.port}/` }).end('over there'),
  );
  const response = await open().request(get(`http://127.0.0.1:${server.port}/`, { method: 'POST', body: '{}' }));
  expect([response.status, response.headers['location']]).toEqual([307, `http://127.0.0.1:${target.port}/`]);
  expect(target.connections).toBe(0);
});

test('variables that name a proxy change nothing', async () => {
  const proxy = await serve((_req, res) => res.end('proxied'));
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy', 'ALL_PROXY'])
    vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
  vi.stubEnv('NODE_USE_ENV_PROXY', '1');
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = await serve((_req, res) => res.end('direct'));
  expect(textOf(await open().request(get(`http://127.0.0.1:${server.port}/`)))).toBe('direct');
  expect(proxy.connections).toBe(0);
});

test('a host that does not answer in time is a timeout, wherever it hangs', async () => {
  const silent = await serveTcp(() => undefined);
  const interim = await serve((_req, res) => res.writeProcessing());
  const never = (() => undefined) as unknown as typeof dns.lookup;
  for (const [egress, url] of [
    [open(), `http://127.0.0.1:${silent.port}/`],
    [open(), `https://127.0.0.1:${silent.port}/`],
    [open(), `http://127.0.0.1:${interim.port}/`],
    [open({ lookup: never }), 'https://slow.example/'],
  ] as const) {
    const err = await errorOf(egress.request(get(url, { timeoutMs: 100 })));
    expect([err.kind, err.message]).toEqual(['timeout', 'The host did not answer within 100 milliseconds.']);
  }
  await until(() => silent.sockets.size).toBe(0);
});

test('a body too slow for the deadline, too long, or cut off is answered as far as it came', async () => {
  const slow = await serve((_req, res) => res.write('begin'));
  const endless = await serve((_req, res) => {
    const more = () => !res.destroyed && res.write('x'.repeat(600), more);
    more();
  });
  const cut = await serve((_req, res) => {
    res.writeHead(201, { 'content-length': 100 }).write('begin', () => res.destroy());
  });
  const exact = await serve((_req, res) => res.end('x'.repeat(1_000)));
  const egress = open();
  const answer = async ({ port }: { port: number }, rest: Partial<EgressRequest> = {}) => {
    const response = await egress.request(get(`http://127.0.0.1:${port}/`, rest));
    return [response.status, textOf(response), response.isTruncated];
  };
  expect(await answer(slow, { timeoutMs: 2_000 })).toEqual([200, 'begin', true]);
  expect(await answer(endless)).toEqual([200, 'x'.repeat(1_000), true]);
  expect(await answer(cut)).toEqual([201, 'begin', true]);
  expect(await answer(exact)).toEqual([200, 'x'.repeat(1_000), false]);
  for (const server of [slow, endless, cut]) await until(() => server.openNow).toBe(0);
});

test('a caller may give a call up: before it began, while it waits, and while the body comes', async () => {
  const server = await serve((req, res) => void (req.url === '/body' && res.write('begin')));
  const egress = open();
  expect((await errorOf(egress.request(get(`http://127.0.0.1:${server.port}/`, { signal: AbortSignal.abort() })))).kind).toBe(
    'aborted',
  );
  for (const path of ['/', '/body']) {
    const caller = new AbortController();
    const call = errorOf(egress.request(get(`http://127.0.0.1:${server.port}${path}`, { signal: caller.signal })));
    await until(() => server.requests).toContain(`GET ${path}`);
    caller.abort();
    expect((await call).kind).toBe('aborted');
  }
  await until(() => server.openNow).toBe(0);
});

test('a call given up at any moment while it begins is over at once', async () => {
  const server = await serve(() => undefined);
  const egress = open({ lookup: EVERYTHING_HERE });
  for (let moments = 0; moments < 12; moments++) {
    const caller = new AbortController();
    const call = errorOf(egress.request(get(`http://h${moments}.example:${server.port}/`, { signal: caller.signal })));
    for (let moment = 0; moment < moments; moment++) await Promise.resolve();
    caller.abort();
    expect((await call).kind).toBe('aborted');
  }
});

test('what is not there or does not speak HTTP is told by kind, without the address behind the name', async () => {
  const closed = await serveTcp((socket) => socket.destroy());
  const answering = (text: string) => serveTcp((socket) => socket.once('data', () => socket.write(text)));
  const noise = await answering('SSH-2.0-OpenSSH_9.9\r\n');
  const wordy = await answering(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`);
  const upgrade = await answering('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n');
  const free = await new Promise<number>((resolve) => {
    const server = createTcpServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
  const egress = open({ lookup: EVERYTHING_HERE });
  const outcome = async (url: string, rest: Partial<EgressRequest> = {}) => {
    const { kind, message } = await errorOf(egress.request(get(url, rest)));
    expect(message).not.toMatch(/127\.0\.0\.1|::1/);
    return [kind, message];
  };
  const unanswered = ['protocol', 'The host closed the connection before it answered.'];
  expect(await outcome(`http://a.example:${free}/`)).toEqual(['connect', 'The host refused the connection.']);
  expect(await outcome(`http://a.example:${closed.port}/`)).toEqual(unanswered);
  expect(await outcome(`http://a.example:${upgrade.port}/`)).toEqual(unanswered);
  expect(await outcome(`http://a.example:${noise.port}/`)).toEqual([
    'protocol',
    'The host answered with something other than HTTP/1.1.',
  ]);
  expect(await outcome(`http://a.example:${wordy.port}/`)).toEqual(['protocol', 'The headers of the answer are too long.']);
  expect(await outcome(`https://a.example:${noise.port}/`)).toEqual([
    'tls',
    'TLS 1.2 or newer could not be agreed on with the host.',
  ]);
  expect(await outcome(`http://a.example:${noise.port}/`, { headers: { 'x-a': 'b\r\nc: d' } })).toEqual([
    'protocol',
    'The request has a header that cannot be sent.',
  ]);
});

test('a name that does not resolve is told as such', async () => {
  const lookup = ((_host: string, _options: object, callback: (err: Error) => void) => {
    setImmediate(() => callback(new Error('getaddrinfo ENOTFOUND')));
  }) as unknown as typeof dns.lookup;
  for (const egress of [open({ lookup }), open({ lookup: resolver([]) })]) {
    expect(await egress.refusalOf('https://nowhere.example/')).toBe('names a host that cannot be resolved');
    expect((await errorOf(egress.request(get('https://nowhere.example/')))).kind).toBe('dns');
  }
});

test('one after the other, calls share a connection; a connection that the host ended is made anew', async () => {
  const server = await serve((req, res) => res.writeHead(200, req.url === '/last' ? { connection: 'close' } : {}).end());
  const egress = open();
  for (const path of ['/', '/', '/last', '/', '/']) await egress.request(get(`http://127.0.0.1:${server.port}${path}`));
  expect(server.connections).toBe(2);
});

test('calls that wait for a connection are not harmed when the host ends each after one answer', async () => {
  const server = await serve((_req, res) => res.writeHead(200, { connection: 'close' }).end('ok'));
  const egress = open();
  const calls = Array.from({ length: 200 }, () => egress.request(get(`http://127.0.0.1:${server.port}/`)));
  expect((await Promise.all(calls)).filter(({ status }) => status === 200)).toHaveLength(200);
});

test('an origin has at most 64 connections, and one that hangs delays no other: who found no place is told so, not that it hangs', async () => {
  const hanging = await serve(() => undefined);
  const quick = await serve((_req, res) => res.end());
  const egress = open();
  const caller = new AbortController();
  const stuck = Array.from({ length: 100 }, () =>
    errorOf(egress.request(get(`http://127.0.0.1:${hanging.port}/`, { signal: caller.signal }))),
  );
  await until(() => hanging.requests.length).toBe(64);
  expect((await egress.request(get(`http://127.0.0.1:${quick.port}/`))).status).toBe(200);
  expect((await errorOf(egress.request(get(`http://127.0.0.1:${hanging.port}/`, { timeoutMs: 50 })))).kind).toBe('busy');
  caller.abort();
  expect(new Set((await Promise.all(stuck)).map(({ kind }) => kind))).toEqual(new Set(['aborted']));
  expect(hanging.openMax).toBe(64);
});

test('there are at most 500 connections in all, those that wait for a call included', async () => {
  const server = await serve((_req, res) => res.end());
  const egress = open({ lookup: EVERYTHING_HERE });
  for (let from = 0; from < 900; from += 100) {
    await Promise.all(Array.from({ length: 100 }, (_, i) => egress.request(get(`http://h${from + i}.example:${server.port}/`))));
  }
  expect(server.connections).toBe(900);
  expect(server.openMax).toBeLessThanOrEqual(600); // the server learns of an end a little later than of the hundred begun after it
  const held: (() => void)[] = [];
  const hanging = await serve((_req, res) => void held.push(() => res.end()));
  const calls = Array.from({ length: 600 }, (_, i) => egress.request(get(`http://h${i % 60}.example:${hanging.port}/`)));
  await until(() => held.length).toBe(500);
  await until(() => server.openNow).toBe(0);
  expect(hanging.openMax).toBe(500);
  for (let i = 0; i < 600; i++) {
    await until(() => held.length).toBeGreaterThan(0);
    held.pop()!();
  }
  await Promise.all(calls);
});

test('a name is looked up once for calls that begin together', async () => {
  let asked = 0;
  const answer = resolver(['127.0.0.1']);
  const lookup = ((...args: Parameters<typeof answer>) => {
    asked++;
    answer(...args);
  }) as unknown as typeof dns.lookup;
  const server = await serve((_req, res) => res.end());
  const egress = open({ lookup });
  await Promise.all(Array.from({ length: 20 }, () => egress.request(get(`http://a.example:${server.port}/`))));
  expect(asked).toBe(1);
});

test('closing ends calls under way and those that wait, and there are none after', async () => {
  const server = await serve(() => undefined);
  const egress = open();
  const calls = Array.from({ length: 90 }, () => errorOf(egress.request(get(`http://127.0.0.1:${server.port}/`))));
  await until(() => server.requests.length).toBe(64);
  await egress.close();
  expect(new Set((await Promise.all(calls)).map(({ kind }) => kind))).toEqual(new Set(['aborted']));
  expect((await errorOf(egress.request(get(`http://127.0.0.1:${server.port}/`)))).message).toBe('The service is shutting down.');
  await until(() => server.openNow).toBe(0);
});

import type { LookupAddress } from 'node:dns';
import type dns from 'node:dns';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Cidr, CidrList, parseCidr } from '../addresses/cidr.ts';
import { createEgress, EgressError } from './egress.ts';
import { Guard } from './guard.ts';
import { Resolver } from './resolver.ts';
import { openSocket } from './socket.ts';

const LOOPBACK = new CidrList([parseCidr('127.0.0.1/32') as Cidr]);
const DAY_MS = 86_400_000;

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const key = privateKey.export({ type: 'pkcs8', format: 'pem' });

const lookup = ((_host: string, _options: object, callback: (err: null, addresses: LookupAddress[]) => void) => {
  callback(null, [{ address: '127.0.0.1', family: 4 }]);
}) as unknown as typeof dns.lookup;

async function serve(options: TlsOptions): Promise<number> {
  const server = createServer({ key, ...options }, (req, res) => res.end(`asked for ${(req.socket as TLSSocket).servername}`));
  server.on('tlsClientError', () => undefined);
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** The body, or `[kind, message]` of the error. */
async function outcome(url: string, ca?: string): Promise<unknown> {
  const egress = createEgress({ allowed: LOOPBACK, allowHttp: false, lookup, ...(ca !== undefined && { ca }) });
  onTestFinished(() => egress.close());
  try {
    return (await egress.request({ method: 'GET', url, timeoutMs: 20_000, bodyBytesMax: 100 })).body.toString();
  } catch (err) {
    if (!(err instanceof EgressError)) throw err;
    return [err.kind, err.message];
  }
}

test('a certificate that the given authority signed is accepted, by name and by address', async () => {
  const cert = certificate({ names: ['svc.example'], addresses: ['127.0.0.1'] });
  const port = await serve({ cert });
  expect(await outcome(`https://svc.example:${port}/`, cert)).toBe('asked for svc.example');
  expect(await outcome(`https://svc.example.:${port}/`, cert)).toBe('asked for svc.example');
  expect(await outcome(`https://127.0.0.1:${port}/`, cert)).toBe('asked for false');
});

test('a self-signed certificate is refused, whatever the environment says', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
  onTestFinished(() => void vi.unstubAllEnvs());
  const port = await serve({ cert: certificate({ names: ['svc.example'] }) });
  expect(await outcome(`https://svc.example:${port}/`)).toEqual(['tls', 'The certificate of the host is self-signed.']);
});

test('a certificate for another name, and one that has expired, are refused', async () => {
  const other = certificate({ names: ['other.example'] });
  expect(await outcome(`https://svc.example:${await serve({ cert: other })}/`, other)).toEqual([
    'tls',
    'The certificate of the host is for another name.',
  ]);
  const old = certificate({ names: ['svc.example'], notAfter: new Date(Date.now() - DAY_MS) });
  expect(await outcome(`https://svc.example:${await serve({ cert: old })}/`, old)).toEqual([
    'tls',
    'The certificate of the host has expired.',
  ]);
});

test('TLS 1.2 is spoken, 1.1 is not', async () => {
  const cert = certificate({ names: ['svc.example'] });
  const port = await serve({ cert, maxVersion: 'TLSv1.2' });
  expect(await outcome(`https://svc.example:${port}/`, cert)).toBe('asked for svc.example');
  const old = await serve({ cert, minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' });
  expect(await outcome(`https://svc.example:${old}/`, cert)).toEqual([
    'tls',
    'TLS 1.2 or newer could not be agreed on with the host.',
  ]);
});

/** Lets an address through that its guard refuses, as a fault in the lookup would. */
class FaultyResolver extends Resolver {
  override resolve(): Promise<LookupAddress[]> {
    return Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
  }
}

test.each(['https:', 'http:'])('%s: if a refused address was connected to after all, nothing is sent there', async (protocol) => {
  const received: Buffer[] = [];
  let closed = 0;
  const server = createTcpServer((socket) => {
    socket.on('data', (bytes) => received.push(bytes)).on('error', () => undefined);
    socket.on('close', () => closed++);
  });
  server.listen({ port: 0, host: '127.0.0.1' });
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const endpoint = { protocol, host: 'inside.example', port: String((server.address() as AddressInfo).port) };
  const resolver = new FaultyResolver(new Guard(new CidrList([])), true);
  const err = await new Promise<EgressError | null>((resolve) => void openSocket(endpoint, { resolver }, resolve));
  expect(err?.kind).toBe('blocked');
  await expect.poll(() => closed, { timeout: 10_000 }).toBe(1);
  expect(Buffer.concat(received)).toHaveLength(0);
});

/** A self-signed X.509 certificate (RFC 5280, 4.1) in PEM. */
function certificate(subject: { names: string[]; addresses?: string[]; notAfter?: Date }): string {
  const { names, addresses = [], notAfter = new Date(Date.now() + DAY_MS) } = subject;
  const algorithm = der(0x30, oid('2a8648ce3d040302')); // ecdsa-with-SHA256
  const commonName = der(0x30, der(0x31, der(0x30, oid('550403'), der(0x0c, Buffer.from(names[0]!)))));
  const alternatives = [
    ...names.map((name) => der(0x82, Buffer.from(name))),
    ...addresses.map((address) => der(0x87, Buffer.from(address.split('.').map(Number)))),
  ];
  const toBeSigned = der(
    0x30,
    der(0xa0, der(0x02, Buffer.of(2))), // version 3
    der(0x02, Buffer.of(1)), // serial number
    algorithm,
    commonName,
    der(0x30, time(new Date(Date.now() - 2 * DAY_MS)), time(notAfter)),
    commonName,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(0x30, der(0x30, oid('551d11'), der(0x04, der(0x30, ...alternatives))))),
  );
  const signature = der(0x03, Buffer.of(0), sign('sha256', toBeSigned, privateKey));
  const lines = der(0x30, toBeSigned, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function oid(hex: string): Buffer {
  return der(0x06, Buffer.from(hex, 'hex'));
}

function time(date: Date): Buffer {
  return der(0x17, Buffer.from(`${date.toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

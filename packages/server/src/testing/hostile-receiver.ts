// Receivers of webhooks that behave badly, each in its own way: what any endpoint that a customer names may turn out to be.

import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';

/** `drips` and `floods` say 200 before they misbehave; an attempt at any of the others fails. `untrusted`: TLS with a self-signed certificate. */
export const MANNERS = ['silent', 'drips', 'floods', 'hangs-up', 'hangs-up-early', 'redirects', 'untrusted', 'fails'] as const;
export type Manner = (typeof MANNERS)[number];

const DRIP_INTERVAL_MS = 100;
const FLOOD_BYTES = 100 * 1_048_576;
const DAY_MS = 86_400_000;

/** A request that was read to its end. */
export type OnRequest = (req: IncomingMessage, body: Buffer) => void;

/** A receiver that runs. */
export interface HostileReceiver {
  readonly manner: Manner;
  readonly url: string;
  close(): Promise<void>;
}

/** Starts one on a free port of 127.0.0.1. `onRequest` hears of what could be read. */
export async function startHostileReceiver(manner: Manner, onRequest: OnRequest = () => undefined): Promise<HostileReceiver> {
  const sockets = new Set<Socket>();
  const listener = (req: IncomingMessage, res: ServerResponse) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      onRequest(req, Buffer.concat(chunks));
      ANSWERS[manner](res);
    });
    req.on('error', () => undefined);
  };
  const isSecure = manner === 'untrusted';
  const server: Server = isSecure ? createSecureServer(selfSigned(), listener) : createServer(listener);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    if (manner === 'hangs-up-early') socket.destroy();
  });
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    manner,
    url: `${isSecure ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

const ANSWERS: Readonly<Record<Manner, (res: ServerResponse) => void>> = {
  silent: () => undefined,
  drips(res) {
    res.writeHead(200).flushHeaders();
    const timer = setInterval(() => res.write('.'), DRIP_INTERVAL_MS);
    res.on('close', () => clearInterval(timer));
  },
  floods(res) {
    const chunk = Buffer.alloc(65_536, 'x');
    let left = FLOOD_BYTES;
    const pour = () => {
      while (left > 0 && !res.destroyed) {
        left -= chunk.length;
        if (!res.write(chunk)) return void res.once('drain', pour);
      }
      res.end();
    };
    res.writeHead(200);
    pour();
  },
  'hangs-up': (res) => void res.destroy(),
  'hangs-up-early': (res) => void res.destroy(),
  redirects: (res) => void res.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  untrusted: (res) => void res.writeHead(200).end(),
  fails: (res) => void res.writeHead(500).end('a fault of the receiver'),
};

/** A key and the smallest X.509 certificate (RFC 5280, 4.1; version 1) that it can sign for itself. */
function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, der(0x06, Buffer.from('2a8648ce3d040302', 'hex'))); // ecdsa-with-SHA256
  const name = der(0x30, der(0x31, der(0x30, der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('hostile')))));
  const validity = der(0x30, utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS));
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  const content = der(0x30, der(0x02, Buffer.of(1)), algorithm, name, validity, name, spki);
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, privateKey));
  const lines = der(0x30, content, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!;
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}

/** One value of ASN.1 DER (X.690), up to 65 535 bytes. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.of(tag, ...size), content]);
}

function utcTime(ms: number): Buffer {
  return der(0x17, Buffer.from(`${new Date(ms).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));
}

// What the vendors of tests share: an HTTP server on a port of this machine that reads a request whole before it answers.

import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

/** A request as a vendor sees it. */
export interface Received {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is written as JSON. */
  readonly body?: string | object;
}

/** A vendor that runs. */
export interface Vendor<Mode extends string, Accepted> {
  /** Without a slash at the end. */
  readonly origin: string;
  /** How it answers from now on; `ok` at first. */
  mode: Mode;
  /** What it has taken, in order. */
  readonly accepted: Accepted[];
  close(): Promise<void>;
}

/** Starts a vendor. `answer` decides for each request, by the vendor's mode. */
export async function startVendor<Mode extends string, Accepted>(
  answer: (received: Received, vendor: Vendor<Mode | 'ok', Accepted>) => Reply,
): Promise<Vendor<Mode | 'ok', Accepted>> {
  const server = createServer((req, res) => {
    receive(req).then(
      (received) => send(res, answer(received, vendor)),
      (err: unknown) => send(res, { status: 500, body: String(err) }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const vendor: Vendor<Mode | 'ok', Accepted> = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'ok',
    accepted: [],
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
  return vendor;
}

async function receive(req: IncomingMessage): Promise<Received> {
  return { method: req.method!, url: new URL(req.url!, 'http://vendor'), headers: req.headers, body: await text(req) };
}

function send(res: ServerResponse, { status, headers = {}, body = '' }: Reply): void {
  const isText = typeof body === 'string';
  res.writeHead(status, { 'content-type': isText ? 'text/plain' : 'application/json', ...headers });
  res.end(isText ? body : JSON.stringify(body));
}

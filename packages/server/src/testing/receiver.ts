// A receiver of webhooks, for tests: real HTTP, and whatever manners the test asks for.

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it arrived. */
interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** Of the monotonic clock. */
  readonly atMs: number;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** How it answers from now on; the default is 200. */
  behave(answer: (res: ServerResponse, received: Received) => void): void;
  /** Answers this status from now on. */
  answer(status: number): void;
  close(): Promise<void>;
}

/** Starts a receiver on a free port of 127.0.0.1. */
export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let respond = (res: ServerResponse) => void res.writeHead(200).end('ok');
  let behaviour: (res: ServerResponse, received: Received) => void = respond;
  const server: Server = createServer((req, res) => {
    let body = '';
    req.setEncoding('utf8');
    req.on('data', (chunk: string) => (body += chunk));
    req.on('end', () => {
      const each = { path: req.url ?? '', headers: req.headers, body, atMs: performance.now() };
      received.push(each);
      behaviour(res, each);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    behave(answer) {
      behaviour = answer;
    },
    answer(status) {
      respond = (res) => void res.writeHead(status).end(`status ${status}`);
      behaviour = respond;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
